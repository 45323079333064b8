#pragma once
// The parent's end of a worker: starts it, asks it, and kills it in the end.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tools/locksim/comparing/worker.hpp"

namespace locksim {

class WorkerProcess {
public:
    /// `arguments`: of the command, after its name. Throws std::runtime_error where no process can be made.
    WorkerProcess(Role role, const std::vector<std::string>& arguments);
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    Role role() const { return role_; }

private:
    friend class Conversation;
    Role role_;
    pid_t pid_ = -1;
    int to_ = -1, from_ = -1;
    std::string unread_;
};

/// What a worker answered.
struct Answer {
    std::vector<std::string> lines;
    int status = 0;     ///< 0, or how the copy of the worker ended that ran it
    bool gone = false;  ///< the worker itself has ended
};

/// Requests to several workers at once, and the wait for all their answers.
class Conversation {
public:
    /// Called some times a second with the simulated time that all runs under way have reached; false: give up.
    using Progress = std::function<bool(std::int64_t now_ps)>;

    void ask(WorkerProcess& worker, const std::string& request);
    /// The "ready" line of a worker that has just been started.
    void greet(WorkerProcess& worker);
    /// In the order of the requests; empty: given up.
    std::vector<Answer> answers(const Progress& progress);

private:
    struct Asked {
        WorkerProcess& worker;
        Answer answer;
        bool greeting = false;
        bool over = false;
        std::int64_t now_ps = 0;
    };
    static void take_lines(Asked& asked);
    static void read_from(Asked& asked);
    std::vector<Asked> asked_;
};

}  // namespace locksim
