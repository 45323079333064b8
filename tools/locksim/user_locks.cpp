#include "tools/locksim/user_locks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <vector>

#include "build_info.hpp"
#include "locks/catalogue.hpp"
#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/log.hpp"
#include "tools/locksim/process.hpp"
#include "tools/locksim/user_lock_abi.hpp"

namespace locksim {

namespace {

namespace fs = std::filesystem;

struct Source {
    fs::path path;
    std::string symbol;  ///< "my_lock_entry"
};

// What is in the folder --------------------------------------------------------------------------------------------

bool is_identifier(std::string_view name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && !is_digit(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

Source source_at(const fs::path& path) {
    std::string name = path.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    if (!is_identifier(name)) {
        throw InputError(fmt::format("{}: expected a file name of letters, digits, - and _, not beginning with a digit",
                                     path.string()));
    }
    return {path, name + "_entry"};
}

bool has_extension(const fs::path& path, std::initializer_list<std::string_view> extensions) {
    const std::string extension = path.extension().string();
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::vector<fs::path> files_in(const fs::path& folder, std::initializer_list<std::string_view> extensions) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
        if (has_extension(at->path(), extensions)) { files.push_back(at->path()); }
    }
    if (error) { throw InputError(fmt::format("--locks {}: {}", folder.string(), error.message())); }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Source> sources_in(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        throw InputError(fmt::format("--locks {}: expected a folder with lock files (NAME.cpp)", folder.string()));
    }
    std::vector<Source> sources;
    for (const fs::path& path : files_in(folder, {".cpp"})) { sources.push_back(source_at(path)); }
    if (sources.empty()) { throw InputError(fmt::format("--locks {}: no .cpp file in it", folder.string())); }
    return sources;
}

// The key of the cache ----------------------------------------------------------------------------------------------

/// FNV-1a: not against adversaries, the cache is the user's own.
class Hash {
public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) { step(static_cast<unsigned char>(byte)); }
        step(0xFF);  // "ab" "c" is not "a" "bc"
    }
    std::string hex() const { return fmt::format("{:016x}", value_); }

private:
    void step(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3U; }
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof()) { throw InputError(fmt::format("{}: cannot be read", path.string())); }
    return text;
}

/// Size and time of a file that is too big to read each time. Missing: nothing.
void add_stamp(Hash& hash, const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) { return; }
    hash.add(fmt::format("{} {} {} {}", path.string(), info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec));
}

/// The headers that a lock may include.
std::vector<fs::path> headers_of_tree() {
    std::vector<fs::path> headers;
    for (const char* folder : {"sim", "model", "locks"}) {
        std::error_code error;
        fs::recursive_directory_iterator at(fs::path(build_info::source_dir) / folder, error);
        for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
            if (has_extension(at->path(), {".hpp", ".h"})) { headers.push_back(at->path()); }
        }
    }
    std::sort(headers.begin(), headers.end());
    return headers;
}

std::string compiler() {
    const char* given = std::getenv("LOCKSIM_CXX");
    return given != nullptr && *given != '\0' ? given : std::string(build_info::compiler);
}

/// Flags of one compilation; linking is a step of its own.
std::vector<std::string> compile_flags() {
    std::vector<std::string> flags;
    for (const std::string_view flag : build_info::lock_flags) {
        const bool empty = flag.empty() || flag == "-I" || flag == "-D";
        if (!empty && flag != "-shared") { flags.emplace_back(flag); }
    }
    return flags;
}

std::string cache_key(const fs::path& folder, const std::vector<Source>& sources) {
    Hash hash;
    hash.add(build_info::version);
    hash.add(compiler());
    add_stamp(hash, compiler());
    add_stamp(hash, fs::path("/proc/self/exe"));
    for (const std::string& flag : compile_flags()) { hash.add(flag); }
    hash.add(fs::absolute(folder).string());  // the compiler's messages and __FILE__ have it
    for (const Source& source : sources) { hash.add(source.path.filename().string() + "\n" + content(source.path)); }
    for (const fs::path& path : files_in(folder, {".hpp", ".h"})) {
        hash.add(path.filename().string() + "\n" + content(path));
    }
    for (const fs::path& header : headers_of_tree()) { add_stamp(hash, header); }
    return hash.hex();
}

/// Of this program, for the library built under `key`.
UserLockAbi abi_of(const std::string& key) {
    UserLockAbi abi{};
    const std::string id = fmt::format("locksim {} {}", build_info::version, key);
    std::strncpy(abi.id, id.c_str(), sizeof(abi.id) - 1);
    return abi;
}

bool same(const UserLockAbi& a, const UserLockAbi& b) {
    return std::strncmp(a.id, b.id, sizeof(a.id)) == 0 && a.entry_bytes == b.entry_bytes &&
           a.parameter_bytes == b.parameter_bytes && a.value_bytes == b.value_bytes;
}

// The cache folder ----------------------------------------------------------------------------------------------------

fs::path cache_folder() {
    const char* given = std::getenv("XDG_CACHE_HOME");
    const bool usable = given != nullptr && *given == '/';
    return usable ? fs::path(given) / "locksim" : fs::path(fmt::format("/tmp/locksim-{}", ::getuid()));
}

/// Code is loaded from here, so nobody else may be able to put any into it.
fs::path private_cache_folder() {
    const fs::path folder = cache_folder();
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    ::mkdir(folder.c_str(), 0700);
    struct stat info {};
    if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
        throw InputError(fmt::format("cannot make the cache folder {}: set XDG_CACHE_HOME", folder.string()));
    }
    if (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        throw InputError(fmt::format("cache folder {} can be written by others: set XDG_CACHE_HOME", folder.string()));
    }
    return folder;
}

/// A folder to build in, removed with everything in it.
class BuildFolder {
public:
    explicit BuildFolder(const fs::path& cache) {
        std::string pattern = (cache / "build.XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw InputError(fmt::format("cannot write the cache folder {}: {}", cache.string(), std::strerror(errno)));
        }
        path_ = pattern;
    }
    BuildFolder(const BuildFolder&) = delete;
    BuildFolder& operator=(const BuildFolder&) = delete;
    ~BuildFolder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    fs::path operator/(const std::string& name) const { return path_ / name; }

private:
    fs::path path_;
};

// Compiling -----------------------------------------------------------------------------------------------------------

/// The generated catalogue of the folder.
std::string catalogue_source(const std::vector<Source>& sources, const std::string& key) {
    std::string declarations;
    std::string rows;
    for (const Source& source : sources) {
        declarations += fmt::format("extern const model::LockEntry {};\n", source.symbol);
        rows += fmt::format("    &locks::{},\n", source.symbol);
    }
    return fmt::format(R"(#include "tools/locksim/user_lock_abi.hpp"
namespace locks {{
{}}}
static const model::LockEntry* const rows[] = {{
{}}};
extern "C" const locksim::UserLockTable* locksim_user_locks() {{
    static const locksim::UserLockTable table{{{{"{}"}}, rows, {}}};
    return &table;
}}
)",
                       declarations, rows, abi_of(key).id, sources.size());
}

Job compile_job(const fs::path& source, const fs::path& object) {
    std::vector<std::string> arguments{compiler()};
    const std::vector<std::string> flags = compile_flags();
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.insert(arguments.end(),
                     {fmt::format("-I{}", build_info::source_dir), "-c", source.string(), "-o", object.string()});
    return {std::move(arguments), object.string() + ".txt"};
}

/// What the compiler said, as it said it.
void show(const Job& job) {
    const std::string said = content(job.output);
    std::fwrite(said.data(), 1, said.size(), stderr);
}

void compile(const std::vector<Job>& jobs, const fs::path& folder) {
    const std::vector<int> statuses = run_jobs(jobs, std::thread::hardware_concurrency());
    if (interrupted()) { throw Interrupted(); }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (statuses[i] == 127) {
            throw InputError(fmt::format("--locks {}: cannot start the compiler {} (LOCKSIM_CXX names another)",
                                         folder.string(), compiler()));
        }
        show(jobs[i]);
    }
    if (std::any_of(statuses.begin(), statuses.end(), [](int status) { return status != 0; })) {
        throw InputError(
            fmt::format("--locks {}: does not compile, see the compiler's messages above", folder.string()));
    }
}

void build(const fs::path& library, const fs::path& folder, const std::vector<Source>& sources,
           const std::string& key) {
    const InterruptGuard guard;  // so that the build folder goes, and the compilers with it
    log::info(fmt::format("--locks {}: compiling {} files", folder.string(), sources.size()));
    const BuildFolder place(library.parent_path());
    std::ofstream(place / "catalogue.cpp") << catalogue_source(sources, key);
    std::vector<Job> jobs{compile_job(place / "catalogue.cpp", place / "catalogue.o")};
    Job link{{compiler()}, (place / "link.txt").string()};
    for (const std::string& flag : compile_flags()) { link.arguments.push_back(flag); }
    link.arguments.insert(link.arguments.end(),
                          {"-shared", "-o", (place / "locks.so").string(), (place / "catalogue.o").string()});
    for (const Source& source : sources) {
        const fs::path object = place / (source.symbol + ".o");
        jobs.push_back(compile_job(source.path, object));
        link.arguments.push_back(object.string());
    }
    compile(jobs, folder);
    compile({link}, folder);
    std::error_code error;
    fs::rename(place / "locks.so", library, error);
    if (error) { throw InputError(fmt::format("cannot write {}: {}", library.string(), error.message())); }
}

// Loading -------------------------------------------------------------------------------------------------------------

/// The linker speaks of mangled names; the usual mistake deserves a plain sentence.
std::string load_problem(const std::string& linker_error, const std::vector<Source>& sources) {
    for (const Source& source : sources) {
        const std::string mangled = fmt::format("{}{}E", source.symbol.size(), source.symbol);
        if (linker_error.find(mangled) != std::string::npos) {
            return fmt::format(
                "{}: expected it to define `const model::LockEntry {}` in namespace locks, declared extern",
                source.path.string(), source.symbol);
        }
    }
    return "cannot be loaded: " + linker_error;
}

const UserLockTable& load(const fs::path& library, const fs::path& folder, const std::vector<Source>& sources,
                          const std::string& key) {
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        throw InputError(fmt::format("--locks {}: {}", folder.string(), load_problem(::dlerror(), sources)));
    }
    using TableFunction = const UserLockTable* (*)();
    const auto table = reinterpret_cast<TableFunction>(::dlsym(handle, "locksim_user_locks"));
    if (table == nullptr || !same(table()->abi, abi_of(key))) {
        throw InputError(
            fmt::format("--locks {}: {} was built for another version of locksim (expected {}): remove it, "
                        "and build locksim again if its sources have changed",
                        folder.string(), library.string(), abi_of(key).id));
    }
    return *table();
}

void check_row(const model::LockEntry& row, const Source& source, const model::Catalogue& catalogue) {
    const std::string_view name = row.traits.name;
    if (name.empty() || row.make == nullptr) {
        throw InputError(fmt::format("{}: {} has no {}", source.path.string(), source.symbol,
                                     name.empty() ? "name" : "function `make`"));
    }
    if (const model::LockEntry* other = catalogue.find_lock(name)) {
        throw InputError(fmt::format("{}: the name \"{}\" is already in the catalogue ({}): give the lock another one",
                                     source.path.string(), name, other->file));
    }
}

}  // namespace

model::Catalogue load_catalogue(const std::string& locks_dir) {
    model::Catalogue catalogue = locks::catalogue();
    if (locks_dir.empty()) { return catalogue; }
    const std::vector<Source> sources = sources_in(locks_dir);
    const std::string key = cache_key(locks_dir, sources);
    const fs::path library = private_cache_folder() / (key + ".so");
    std::error_code error;
    if (!fs::exists(library, error)) { build(library, locks_dir, sources, key); }
    const UserLockTable& table = load(library, locks_dir, sources, key);
    for (std::size_t i = 0; i < table.count; ++i) {
        check_row(*table.rows[i], sources[i], catalogue);
        catalogue.locks.push_back(table.rows[i]);
    }
    return catalogue;
}

}  // namespace locksim
