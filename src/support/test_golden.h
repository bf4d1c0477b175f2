#pragma once
// For tests: compares a text with a file of the repository.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite {

/// Expects the text in a file, named from the root of the repository. With FLUORITE_UPDATE_GOLDENS, writes it first.
inline void expect_golden(const std::string &seen, const std::string &file) {
    const std::filesystem::path path = std::filesystem::path(std::getenv("FLUORITE_SOURCE_DIR")) / file;
    if (std::getenv("FLUORITE_UPDATE_GOLDENS") != nullptr) {
        std::ofstream(path) << seen;
    }
    std::ostringstream expected;
    expected << std::ifstream(path).rdbuf();
    EXPECT_EQ(seen, expected.str()) << path;
}

} // namespace fluorite
