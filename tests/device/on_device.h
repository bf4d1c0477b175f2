#pragma once
// For tests of pipelines with loops over blocks: the device that the target of the environment names runs the kernels,
// and without one the executor of loop IR, which reports races.

#include "fluorite/fluorite.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace fluorite {

class OnDevice : public ::testing::Test {
  protected:
    void SetUp() override {
        const Target target = get_jit_target_from_environment();
        if (!target.has_gpu_feature()) {
            setenv("FLUORITE_BACK_END", "executor", 1);
        } else if (!host_supports_target_device(target)) {
            GTEST_SKIP() << "no device of " << target.to_string() << " is here";
        }
    }
    /// Whether races are reported, and accesses are checked.
    static bool is_executed() { return !get_jit_target_from_environment().has_gpu_feature(); }
};

} // namespace fluorite
