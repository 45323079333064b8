#pragma once
// Keeps what a simulation calls its threads, labels and variables, beyond its end: an observer gets pointers that live
// only as long as the run.

#include <memory>
#include <string>
#include <unordered_map>

#include "sim/observer.hpp"

namespace locksim {

class Names {
public:
    const char* keep(const char* text) {
        std::unique_ptr<std::string>& kept = kept_[text];
        if (kept == nullptr) { kept = std::make_unique<std::string>(text); }
        return kept->c_str();
    }
    sim::CallSite keep(sim::CallSite site) { return {keep(site.file), site.line}; }

private:
    std::unordered_map<const char*, std::unique_ptr<std::string>> kept_;
};

}  // namespace locksim
