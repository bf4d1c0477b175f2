#pragma once
// Runs programs as a user does, for tests of tools.

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace fluorite {

struct ProcessOutcome {
    int code;         // -1: it did not start, or did not exit
    std::string text; // both streams
};

inline ProcessOutcome run_process(const std::string &command) {
    FILE *pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) {
        return {-1, "popen failed"};
    }
    ProcessOutcome outcome{0, ""};
    std::array<char, 4096> chunk;
    for (size_t n = 0; (n = fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
        outcome.text.append(chunk.data(), n);
    }
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

} // namespace fluorite
