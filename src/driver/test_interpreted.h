#pragma once
// For tests: compares the machine code of a scheduled Func with the interpreter.

#include "driver/test_interpreter.h"

#include <gtest/gtest.h>

namespace fluorite {

/// Compares machine code with the interpreter, which evaluates the definition as written.
inline void expect_interpreted(Func f, const std::vector<int> &sizes, const std::string &what = "") {
    std::vector<Buffer<>> seen, wanted;
    std::vector<fluorite_buffer_t *> raw;
    for (const Type &type : f.types()) {
        seen.emplace_back(type, sizes);
        wanted.emplace_back(type, sizes);
        raw.push_back(wanted.back().raw_buffer());
    }
    const Target target = get_jit_target_from_environment();
    f.realize(Realization(seen), target);
    for (Buffer<> &buffer : seen) {
        EXPECT_EQ(buffer.copy_to_host(), 0);
    }
    interpret_into(f, raw, target.has_feature(Target::FMA));
    for (size_t i = 0; i < seen.size(); i++) {
        const interpret::Comparison same = interpret::compare_bits(*seen[i].raw_buffer(), *wanted[i].raw_buffer());
        EXPECT_TRUE(same) << what << ", value " << i << ": " << same.text;
    }
}

} // namespace fluorite
