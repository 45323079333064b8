#include "tools/locksim/comparing/event_log_reader.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tools/locksim/exit_status.hpp"

namespace locksim {

namespace {

using Json = nlohmann::json;
constexpr const char* schema = "locksim.events/1";

/// What the library says, without its own name for it and its own idea of the line.
std::string json_problem(const std::string& said) {
    const std::size_t column = said.find("column ");
    return column == std::string::npos ? said : "no JSON at " + said.substr(column);
}

Window window_from(const Json& header, const char* key) {
    const Json& pair = header.at(key);
    return {{pair.at(0).get<std::int64_t>()}, {pair.at(1).get<std::int64_t>()}};
}

RecordedEvents header_from(const Json& header) {
    if (!header.is_object() || !header.contains("schema") || header["schema"] != schema) {
        const bool named = header.is_object() && header.contains("schema");
        throw std::runtime_error(fmt::format("{}: expected an event log, whose first line has \"schema\": \"{}\"",
                                             named ? header["schema"].dump() : "no schema", schema));
    }
    RecordedEvents log;
    const Json& scenario = header.at("scenario");
    log.title = scenario.at("title").get<std::string>();
    log.file = scenario.at("file").get<std::string>();
    log.config_digest = scenario.at("config_digest").get<std::string>();
    log.variant = header.at("variant").get<std::string>();
    log.seed = header.at("seed").get<std::uint64_t>();
    log.phase = header.at("phase").get<std::int64_t>();
    log.digest = header.at("digest").get<std::string>();
    log.verdict = header.at("verdict").get<std::string>();
    log.window = window_from(header, "window_ps");
    log.asked = window_from(header, "asked_ps");
    log.cut = header.at("cut").get<std::uint64_t>();
    return log;
}

}  // namespace

RecordedEvents read_event_log(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throw InputError(fmt::format("{}: is a folder: expected an event log, as `run --events` writes it", path));
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) { throw InputError(fmt::format("{}: {}", path, std::strerror(errno))); }
    RecordedEvents log;
    std::size_t expected = 0;
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        try {
            const Json json = Json::parse(line);
            if (number > 1) {
                log.events.push_back(event_from(json));
                continue;
            }
            log = header_from(json);
            expected = json.at("events").get<std::size_t>();
        } catch (const std::exception& problem) {
            throw InputError(fmt::format("{}:{}: {}", path, number, json_problem(problem.what())));
        }
    }
    log.path = path;
    if (number == 0) { throw InputError(fmt::format("{}: is empty: expected an event log ({})", path, schema)); }
    if (log.events.size() != expected) {
        throw InputError(fmt::format("{}:{}: has {} events: expected {}, as its header says: the file is not complete",
                                     path, number, log.events.size(), expected));
    }
    return log;
}

}  // namespace locksim
