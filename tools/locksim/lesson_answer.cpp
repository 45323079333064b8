// Waiting for the learner. read() alone would not do: the handlers of Ctrl-C restart it.

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "tools/locksim/interrupt.hpp"
#include "tools/locksim/lesson.hpp"
#include "tools/locksim/text.hpp"

namespace locksim {

namespace {

constexpr int look_every_ms = 100;  // a signal between the look and the wait must not be slept through
constexpr std::size_t longest_answer = 1000;

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) { return {}; }
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

Answer read_answer() {
    Answer answer;
    if (isatty(STDIN_FILENO) != 1) { return answer; }
    while (answer.text.size() < longest_answer && answer.text.find('\n') == std::string::npos) {
        if (interrupted()) { return {.text = {}, .interrupted = true}; }
        pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&input, 1, look_every_ms);
        if (ready == 0 || (ready < 0 && errno == EINTR)) { continue; }
        char buffer[256];
        const ssize_t n = ready < 0 ? -1 : ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (n <= 0) { break; }  // the end of input, or a terminal that has gone
        answer.text.append(buffer, static_cast<std::size_t>(n));
    }
    answer.text = trimmed(printable(answer.text.substr(0, answer.text.find('\n'))));
    return answer;
}

}  // namespace locksim
