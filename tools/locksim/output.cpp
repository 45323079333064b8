#include "tools/locksim/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/locksim/exit_status.hpp"
#include "tools/locksim/interrupt.hpp"

namespace locksim {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, int error) {
    if (error == EPIPE) { throw ClosedPipe(); }
    throw OutputError(fmt::format("cannot write {}: {}", what, std::strerror(error)));
}

void write_all(int fd, std::string_view text, const std::string& what) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) { continue; }
        if (n < 0) { fail(what, errno); }
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

/// A file descriptor that closes itself; close() is for where its error matters (a full disk may show only
/// there).
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) { ::close(fd_); }
    }
    int get() const { return fd_; }
    void close(const std::string& what) {
        if (::close(std::exchange(fd_, -1)) != 0) { fail(what, errno); }
    }

private:
    int fd_;
};

class StandardOutput : public Output {
public:
    void write(const std::string& text) override { write_all(STDOUT_FILENO, text, "stdout"); }
    void finish() override {}
    Terminal terminal() const override { return look_at(STDOUT_FILENO); }
};

/// Pipes and devices: there is nothing to rename over.
class DirectOutput : public Output {
public:
    explicit DirectOutput(std::string path)
        : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY)) {
        if (file_.get() < 0) { fail(path_, errno); }
    }
    void write(const std::string& text) override { write_all(file_.get(), text, path_); }
    void finish() override { file_.close(path_); }
    Terminal terminal() const override { return look_at(file_.get()); }

private:
    std::string path_;
    Descriptor file_;
};

/// Mode of a file that creat() would make here. There is no way to read the umask but to set it.
mode_t default_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return static_cast<mode_t>(0666U & ~mask);
}

/// Collects the text and writes it in finish(): a run that is killed leaves neither half a file nor a
/// temporary one.
class FileOutput : public Output {
public:
    FileOutput(std::string name, fs::path target) : name_(std::move(name)), target_(std::move(target)) {
        std::error_code error;
        if (fs::exists(folder(), error) && !fs::is_directory(folder(), error)) { fail(name_, ENOTDIR); }
        if (::access(folder().c_str(), W_OK | X_OK) != 0) { fail(name_, errno); }
    }
    void write(const std::string& text) override { text_ += text; }
    void finish() override;
    Terminal terminal() const override { return {}; }

private:
    fs::path folder() const { return target_.has_parent_path() ? target_.parent_path() : fs::path("."); }
    void write_temporary(Descriptor& file) const;

    std::string name_;  ///< as the user wrote it
    fs::path target_;
    std::string text_;
};

void FileOutput::write_temporary(Descriptor& file) const {
    struct stat old {};
    const bool replaces = ::stat(target_.c_str(), &old) == 0;
    if (::fchmod(file.get(), replaces ? old.st_mode & 07777U : default_mode()) != 0) { fail(name_, errno); }
    write_all(file.get(), text_, name_);
    // Some file systems report a full disk only here; others cannot sync at all, which is no failure to
    // write.
    if (::fsync(file.get()) != 0 && errno != EINVAL && errno != EROFS) { fail(name_, errno); }
    file.close(name_);
}

void FileOutput::finish() {
    const InterruptsHeld until_it_is_whole;
    std::string temporary = (folder() / ("." + target_.filename().string() + ".XXXXXX")).string();
    Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.get() < 0) { fail(name_, errno); }
    try {
        write_temporary(file);
        if (::rename(temporary.c_str(), target_.c_str()) != 0) { fail(name_, errno); }
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
}

}  // namespace

std::unique_ptr<Output> open_output(const std::string& path) {
    if (path.empty() || path == "-") { return std::make_unique<StandardOutput>(); }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) { return std::make_unique<DirectOutput>(path); }
    // A symbolic link stays one: what it points to is replaced.
    const fs::path target = fs::exists(status) ? fs::canonical(path, error) : fs::path(path);
    return std::make_unique<FileOutput>(path, error || target.empty() ? fs::path(path) : target);
}

}  // namespace locksim
