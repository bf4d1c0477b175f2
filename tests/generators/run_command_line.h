#pragma once
// The command line of generators, called in this process.

#include <Halide.h>

#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

namespace generator_tests {

struct Outcome {
    int status = 0;
    std::string messages;
};

/// Runs the main of generators with these words.
inline Outcome run_command_line(const std::vector<std::string> &words) {
    std::vector<std::string> all = {"generators"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char *> pointers;
    for (std::string &word : all) {
        pointers.push_back(word.data());
    }
    std::ostringstream messages;
    Outcome outcome;
    outcome.status =
        Halide::Internal::generate_filter_main(static_cast<int>(pointers.size()), pointers.data(), messages);
    outcome.messages = messages.str();
    return outcome;
}

/// The contents of a file; empty if it cannot be read.
inline std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace generator_tests
