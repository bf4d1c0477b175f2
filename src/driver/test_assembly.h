#pragma once
// For tests: the machine code of a Func as text, and counts of what it contains.

#include "fluorite/fluorite.h"
#include "support/test_text.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <unistd.h>

namespace fluorite {

/// Leaves out argument checks and bounds queries, whose instructions tests do not count.
inline std::string assembly(const Func &func, const std::string &target) {
    const std::string path = testing::TempDir() + func.name() + std::to_string(getpid()) + ".s";
    func.compile_to_assembly(path, func.infer_arguments(), func.name(), Target(target + "-no_asserts-no_bounds_query"));
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    std::remove(path.c_str());
    return text.str();
}

} // namespace fluorite
