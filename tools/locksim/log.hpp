#pragma once
// Diagnostics on stderr, through spdlog. A layer of its own because spdlog is slow to compile.

#include <string>

namespace locksim::log {

enum class Level { debug, info, warning, error, off };

void set_level(Level level);
Level level();

void debug(const std::string& message);
void info(const std::string& message);
void warning(const std::string& message);
void error(const std::string& message);

}  // namespace locksim::log
