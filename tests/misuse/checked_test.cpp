// Checked code: overflow of coordinates with unknown intervals, accesses outside of memory, uncomputed values.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::checked_test {
namespace {

class Checked : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"}, g{"g"};
    ImageParam in{Int(32), 1, "in"};
    Buffer<int> image{100};
    const Target plain = get_host_target(), checked = plain.with_feature(Target::Checked);

    void SetUp() override {
        image.fill(3);
        in.set(image);
    }
    void expect_overflow(Func &func, const std::string &seen) const {
        expect_error<RuntimeError>(
            [&] { (void)func.realize({64}, checked.with_feature(Target::NoAsserts)); }, "integer-overflow",
            seen + " overflows; coordinates and bounds are computed without overflow; values are "
                   "not, and wrap; use coordinates that grow less, or compute the value in unsigned "
                   "integers");
    }
};

TEST_F(Checked, WhatHasNoKnownRangeWraps) {
    const Expr value = cast<int>(exp(cast<float>(x)));
    g(x) = in(clamp(value + 2147483640, 0, 99));
    Func h("h");
    h(x) = in(clamp(value * 1000, 0, 99));
    h.vectorize(x, 8);
    for (Func &func : {std::ref(g), std::ref(h)}) {
        const Buffer<int> seen = func.realize({64}, checked), expected = func.realize({64}, plain);
        expected.for_each_element([&](const int *at) { ASSERT_EQ(seen(at), expected(at)) << func.name(); });
    }
}

TEST_F(Checked, OverflowOnOneSideOfASelect) {
    g(x) = in(clamp(select(in(x) < 40, x * 100000000, 7), 0, 99));
    expect_overflow(g, "in g, stage 0: max(min(select(in(x) < 40, x * 100000000, 7), 99), 0)");
    Func h("h");
    h(x) = in(clamp(x * 100000000, 0, 99));
    h.vectorize(x, 8);
    expect_overflow(h, "in h, stage 0: max(min(x * 100000000, 99), 0)");
}

TEST_F(Checked, OverflowWhereAConditionDecides) {
    RDom r(0, 64, "r");
    r.where(r < 20);
    g(x) = 0;
    g(x) += in(clamp(r * 100000000, 0, 99));
    EXPECT_EQ(Buffer<int>(g.realize({4}, checked))(2), 60);
    RDom all(0, 64, "all");
    all.where(all < 30);
    Func h("h");
    h(x) = 0;
    h(x) += in(clamp(all * 100000000, 0, 99));
    expect_overflow(h, "in h, stage 1: max(min(all.x * 100000000, 99), 0)");
}

TEST_F(Checked, SelectsTakeOneBranch) {
    const Expr value = cast<int>(exp(cast<float>(x)));
    g(x) = in(clamp(select(x < 10, value * 10000, 7), 0, 99));
    EXPECT_EQ(Buffer<int>(g.realize({64}, checked))(60), 3);
}

TEST_F(Checked, OverflowOfCoordinatesWithNamedParts) {
    // An expression that is much larger as a tree than as a graph is computed under lets, whose names the check needs.
    Expr shared = x;
    for (int i = 0; i < 10; i++) {
        shared = (shared + 3) % 50 + shared * 3 / 7;
    }
    const auto read = [&](int factor, int from) { return in(clamp(min(shared * factor, 90 + in(from)), 0, 99)); };
    g(x) = read(3, 0) + read(5, 1);
    const Buffer<int> seen = g.realize({64}, checked), expected = g.realize({64}, plain);
    expected.for_each_element([&](const int *at) { ASSERT_EQ(seen(at), expected(at)); });
    Func h("h");
    h(x) = read(3, 0) + read(100000000, 1);
    EXPECT_THROW((void)h.realize({64}, checked.with_feature(Target::NoAsserts)), RuntimeError);
}

TEST_F(Checked, ValuesWrap) {
    g(x) = x * 1000000000;
    EXPECT_EQ(Buffer<int>(g.realize({64}, checked))(63), static_cast<int>(63000000000U));
}

TEST_F(Checked, FreshMemoryIsPoisoned) {
    for (const int extent : {4, 64, 100000}) { // registers or the stack, the stack, the heap
        Func a("a"), b("b");
        a(x, y) = undef<int>();
        a(0, y) = y;
        b(x, y) = a(x, y);
        a.compute_at(b, y);
        const Buffer<int> seen = b.realize({extent, 3}, checked);
        EXPECT_EQ(seen(0, 2), 2);
        EXPECT_EQ(seen(3, 2), static_cast<int>(0xA5A5A5A5U)) << extent;
    }
}

TEST_F(Checked, MemoryThatIsUsedAgainIsPoisoned) {
    for (const auto &[turns, is_async] :
         {std::pair(0, false), std::pair(2, false), std::pair(0, true), std::pair(2, true)}) {
        Func a("a"), b("b");
        a(x, y) = undef<int>();
        a(y % 4, y) = 7; // each row stores one value, and its memory holds values of earlier rows
        b(x, y) = a(x, y);
        a.compute_at(b, y).hoist_storage_root();
        if (turns > 0) {
            a.ring_buffer(turns);
        }
        if (is_async) {
            a.async();
        }
        const Buffer<int> seen = b.realize({4, 12}, checked);
        const std::string which = std::to_string(turns) + (is_async ? ", async" : "");
        seen.for_each_element([&](int i, int j) {
            EXPECT_EQ(seen(i, j), i == j % 4 ? 7 : static_cast<int>(0xA5A5A5A5U)) << which << ": " << i << ", " << j;
        });
    }
}

} // namespace
} // namespace fluorite::checked_test
