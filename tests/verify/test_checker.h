#pragma once
// The native checker as tests call it.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace fluorite::verify {

/// A program beside the tests; empty where it was not built, for want of OCaml.
inline std::string program_path(const std::string &name) {
    std::filesystem::path path =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / ("proofs_native/" + name);
    return std::filesystem::exists(path) ? path.string() : "";
}

inline std::string checker_path() { return program_path("fluorite_check"); }

/// What the checker says of the text, without the file's name; "" where there is no checker.
inline std::string check(const std::string &text, const std::string &options = "") {
    std::string checker = checker_path();
    if (checker.empty()) {
        return "";
    }
    const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
    std::string file = std::string(test->test_suite_name()) + "." + test->name() + ".cert";
    std::ofstream(file) << text;
    std::string said;
    FILE *pipe = popen((checker + " " + options + " " + file).c_str(), "r");
    std::array<char, 4096> buffer;
    while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
        said.append(buffer.data(), count);
    }
    pclose(pipe);
    return said.substr(said.find(": ") + 2);
}

/// Whether the checker accepts the text for every algebra; true where there is no checker.
inline testing::AssertionResult is_accepted(const std::string &text, const std::string &options = "") {
    std::string said = check(text, options);
    if (said.empty() || said.starts_with("accepted: equal bit for bit; reads in bounds")) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << said << text;
}

} // namespace fluorite::verify
