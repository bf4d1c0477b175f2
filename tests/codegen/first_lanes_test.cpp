// The last vector of a row, where the processor has no masked access of its lanes: machine code beside scalar code,
// next to pages that must not be touched, and instructions.

#include "driver/test_assembly.h"
#include "fluorite/fluorite.h"
#include "support/test_pages.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace fluorite::first_lanes_test {
namespace {

class FirstLanes : public testing::TestWithParam<Type> {};

/// What is in the page of the output after the first `size` values were computed, at its end or at its beginning.
std::string page_after(Func f, ImageParam &in, int size, const Target &target, bool is_at_end) {
    const GuardedPage from, to;
    const Type type = in.type();
    const ptrdiff_t bytes = static_cast<ptrdiff_t>(size) * type.bytes();
    in.set(Buffer<>(type, is_at_end ? from.end() - bytes : from.begin(), size));
    f.realize(Buffer<>(type, is_at_end ? to.end() - bytes : to.begin(), size), target);
    return {reinterpret_cast<const char *>(to.begin()), GuardedPage::page};
}

TEST_P(FirstLanes, AloneAreLoadedAndStored) {
    const Type type = GetParam();
    const Var x("x");
    for (const int lanes : {8, 12, 32}) {
        ImageParam in(type, 1, "in");
        Func f("last"), scalar("scalar");
        f(x) = max(in(x), cast(type, 3));
        scalar(x) = max(in(x), cast(type, 3));
        f.vectorize(x, lanes, TailStrategy::GuardWithIf);
        for (const char *name : {"x86-64-linux-sse41", "x86-64-linux-avx2-fma-f16c"}) {
            const Target target(name);
            if (target.has_feature(Target::AVX2) && !get_host_target().has_feature(Target::AVX2)) {
                continue;
            }
            for (int size = 1; size <= 2 * lanes + 1; size++) {
                for (const bool is_at_end : {false, true}) {
                    EXPECT_TRUE(page_after(f, in, size, target, is_at_end) ==
                                page_after(scalar, in, size, Target("x86-64-linux"), is_at_end))
                        << size << " of " << lanes << " lanes, " << name;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Types, FirstLanes, testing::Values(UInt(8), Int(16), Float(16), Float(32), UInt(64)),
                         [](const auto &info) {
                             std::ostringstream name;
                             name << info.param;
                             return name.str();
                         });

// Each of the piece sizes is there once for the load and once for the store, and no lane is taken apart.
TEST(FirstLanesAssembly, ArePiecesOfDoubledSizes) {
    ImageParam in(UInt(8), 1, "in");
    Func f("bytes");
    const Var x("x");
    f(x) = max(in(x), cast<uint8_t>(3));
    f.vectorize(x, 32, TailStrategy::GuardWithIf);
    for (const char *target : {"x86-64-linux-sse41", "x86-64-linux-avx2"}) {
        const std::string text = assembly(f, target);
        EXPECT_EQ(count(text, "pextr") + count(text, "pinsr"), 0U) << text;
    }
}

// A mask that is true for other lanes is no number of first lanes.
TEST(FirstLanesAssembly, OtherMasksTakeLanesApart) {
    ImageParam in(UInt(8), 1, "in");
    Func f("from");
    const Var x("x");
    f(x) = cast<uint8_t>(0);
    RDom r(0, 32, "r");
    r.where(r.x >= in.dim(0).min());
    f(r.x) = max(in(r.x), cast<uint8_t>(3));
    f.update().vectorize(r.x);
    const std::string text = assembly(f, "x86-64-linux-avx2");
    EXPECT_GE(count(text, "vpextr"), 8U) << text;
}

} // namespace
} // namespace fluorite::first_lanes_test
