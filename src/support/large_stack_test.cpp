#include "support/large_stack.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace fluorite::large_stack_test {
namespace {

/// Uses some kilobytes of stack per level.
int sum_to(int n) {
    volatile char space[4000] = {};
    space[n % 4000] = 1;
    return n == 0 ? 0 : sum_to(n - 1) + space[n % 4000];
}

TEST(LargeStack, HoldsDeepRecursion) {
    int sum = 0;
    on_large_stack([&] { sum = sum_to(20'000); }); // 80 MB, ten times what a main thread has
    EXPECT_EQ(sum, 20'000);
}

TEST(LargeStack, NestsAndLetsExceptionsOut) {
    EXPECT_THROW(on_large_stack([] { on_large_stack([] { throw std::runtime_error("inner"); }); }), std::runtime_error);
    int calls = 0;
    on_large_stack([&] {
        calls++;
        on_large_stack([&] { calls++; });
    });
    EXPECT_EQ(calls, 2);
}

} // namespace
} // namespace fluorite::large_stack_test
