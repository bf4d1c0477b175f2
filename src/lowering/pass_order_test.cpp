#include "lowering/pass_order.h"

#include "ir/parse.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::pass_order_test {
namespace {

using namespace ir;
using enum Property;

TEST(PassOrder, WhatIsNeededIsEstablishedBeforeAndNotBroken) {
    const OrderedPass makes{in(Phase::Flat).establishing(FoldedAddresses)};
    const OrderedPass breaks{in(Phase::Flat).breaking(FoldedAddresses)};
    const OrderedPass needs{in(Phase::Flat).needing(FoldedAddresses)};
    const OrderedPass begin{from_to(std::nullopt, Phase::Flat)};
    EXPECT_TRUE(is_in_order(std::array{begin, makes, needs}));
    EXPECT_TRUE(is_in_order(std::array{begin, breaks, makes, needs, needs}));
    EXPECT_FALSE(is_in_order(std::array{begin, needs, makes}));
    EXPECT_FALSE(is_in_order(std::array{begin, makes, breaks, needs}));
    EXPECT_FALSE(is_in_order(std::array{makes, needs})); // there is no statement
}

TEST(PassOrder, WhatMayBeLeftOutIsNotNeeded) {
    const OrderedPass begin{from_to(std::nullopt, Phase::Lowered)};
    const OrderedPass makes{in(Phase::Lowered).establishing(StridedLoads), /*is_optional=*/true};
    EXPECT_FALSE(is_in_order(std::array{begin, makes, OrderedPass{in(Phase::Lowered).needing(StridedLoads)}}));
    EXPECT_TRUE(is_in_order(std::array{begin, makes, OrderedPass{in(Phase::Lowered).following(StridedLoads)}}));
    EXPECT_FALSE(is_in_order(std::array{begin, OrderedPass{in(Phase::Lowered).following(StridedLoads)}, makes}));
    // Nor may it lead to another phase.
    EXPECT_FALSE(is_in_order(std::array{begin, OrderedPass{from_to(Phase::Lowered, Phase::Outlined), true}}));
    EXPECT_TRUE(is_in_order(std::array{begin, OrderedPass{from_to(Phase::Lowered, Phase::Outlined)}}));
}

TEST(PassOrder, NeighboursThatCouldBeExchangedAreLoose) {
    const OrderedPass begin{from_to(std::nullopt, Phase::Lowered)};
    const OrderedPass first{in(Phase::Lowered).establishing(WholeVectors), true};
    EXPECT_TRUE(has_loose_neighbours(std::array{begin, first, OrderedPass{in(Phase::Lowered)}}));
    EXPECT_FALSE(
        has_loose_neighbours(std::array{begin, first, OrderedPass{in(Phase::Lowered).following(WholeVectors)}}));
}

TEST(PassOrder, SetsOfProperties) {
    const Properties two = FoldedAddresses | NoUnrolledLoops;
    EXPECT_EQ(two.words(), "no unrolled loops, folded addresses");
    EXPECT_EQ(Properties().words(), "");
    EXPECT_EQ(Properties(HoistedInvariants).words(), "hoisted invariants");
    EXPECT_TRUE(two.contains(NoUnrolledLoops) && two.contains(two) && two.contains({}));
    EXPECT_FALSE(two.contains(NoUnrolledLoops | NoPrefetches));
    EXPECT_EQ(two.without(FoldedAddresses), Properties(NoUnrolledLoops));
}

TEST(PassOrder, WhatLacksAPropertyIsNamed) {
    const Stmt unrolled = parse_stmt("for y in [0, +4) { unrolled for x in [0, +4) { f[x] = y } }");
    EXPECT_EQ(find_lack(unrolled, NoUnrolledLoops), "the loop x is unrolled");
    EXPECT_EQ(find_lack(unrolled, FoldedAddresses | NoPrefetches), std::nullopt);
    const Stmt prefetch = parse_stmt("prefetch f over [0, +n) { f[0] = 1 }");
    EXPECT_EQ(find_lack(prefetch, NoPrefetches | NoUnrolledLoops), "a box of f is prefetched");
    const Stmt threads = parse_stmt("gpu_thread for x in [0, +4) { f[x] = 1 }");
    EXPECT_EQ(find_lack(threads, OutlinedKernels), "the loop x over threads of a device is in no kernel");
    EXPECT_EQ(find_lack({}, NoUnrolledLoops), std::nullopt);
}

} // namespace
} // namespace fluorite::lowering::pass_order_test
