#pragma once
// A program of two stencils, and a request for its schedule on one row of processors.

#include "fluorite/fluorite.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace fluorite {

class RequestedSchedules : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, c{"c"};
    ImageParam input{Float(32), 2, "input"};
    Func blur_x{"blur_x"}, out{"out"};

    void SetUp() override {
        blur_x(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y) * 0.5f;
        out(x, y) = blur_x(x, y) + blur_x(x, y + 1) + blur_x(x, y + 2) * 0.5f;
    }
    static AutoScheduleOptions sized(std::vector<int32_t> sizes) {
        AutoScheduleOptions options;
        options.sizes = std::move(sizes);
        options.parallelism = 2;
        options.target = Target("x86-64-linux-avx512_sapphirerapids"); // whose costs lead to what is expected
        return options;
    }
};

} // namespace fluorite
