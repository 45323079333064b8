#include "tools/locksim/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>

#include "tools/locksim/terminal.hpp"

namespace locksim::log {

namespace {

std::shared_ptr<spdlog::logger> make_logger() {
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_st>(
        look_at(STDERR_FILENO).colour ? spdlog::color_mode::always : spdlog::color_mode::never);
    auto logger = std::make_shared<spdlog::logger>("locksim", std::move(sink));
    logger->set_pattern("%n: %^%l%$: %v");
    logger->set_level(spdlog::level::warn);
    // A full disk behind stderr must not end the command: there is nowhere left to say so.
    logger->set_error_handler([](const std::string&) {});
    return logger;
}

spdlog::logger& logger() {
    static const std::shared_ptr<spdlog::logger> instance = make_logger();
    return *instance;
}

spdlog::level::level_enum translated(Level level) {
    switch (level) {
        case Level::debug: return spdlog::level::debug;
        case Level::info: return spdlog::level::info;
        case Level::warning: return spdlog::level::warn;
        case Level::error: return spdlog::level::err;
        case Level::off: break;
    }
    return spdlog::level::off;
}

Level current = Level::warning;

}  // namespace

void set_level(Level level) {
    current = level;
    logger().set_level(translated(level));
}
Level level() { return current; }

void debug(const std::string& message) { logger().debug(message); }
void info(const std::string& message) { logger().info(message); }
void warning(const std::string& message) { logger().warn(message); }
void error(const std::string& message) { logger().error(message); }

}  // namespace locksim::log
