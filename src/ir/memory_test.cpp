#include "ir/memory.h"

#include "ir/parse.h"

#include <gtest/gtest.h>
#include <string>

namespace fluorite::ir::memory_test {
namespace {

const Symbol a(SymbolKind::Buffer, "a"), b(SymbolKind::Buffer, "b"), c(SymbolKind::Buffer, "c");

/// The buffers that an exit on the path frees, in order.
std::string freed(const ExitPaths &exits, int path) {
    std::string text;
    for (; path != ExitPaths::end; path = exits.paths()[static_cast<size_t>(path)].next) {
        text += exits.paths()[static_cast<size_t>(path)].freed.name();
    }
    return text;
}

std::optional<int64_t> elements(const std::string &allocation) {
    return constant_elements(*parse_stmt("allocate a: int32" + allocation + " a[0] = 1").as<Allocate>());
}

TEST(Memory, CountsConstantElements) {
    EXPECT_EQ(elements("[]"), 1);
    EXPECT_EQ(elements("[3, 5]"), 15);
    EXPECT_EQ(elements("[3, -5]"), 0);
    EXPECT_EQ(elements("[3, n]"), std::nullopt);
    EXPECT_EQ(elements("[2147483647, 2147483647, 2147483647]"), std::nullopt);
}

TEST(Memory, CountsSlots) {
    EXPECT_EQ(slot_count({}), 0);
    EXPECT_EQ(slot_count(parse_stmt("{ allocate a: int32[n] in heap; a[0] = 1; free a }")), 0);
    EXPECT_EQ(slot_count(parse_stmt("for x in [0, +n) { allocate a: int32[n] in heap slot 0 "
                                    "allocate b: int32[n] in heap slot 1; a[0] = 1 }")),
              2);
}

TEST(ExitPaths, FreeWhatIsOpenFromTheInside) {
    ExitPaths exits;
    EXPECT_EQ(exits.here(), ExitPaths::end);
    exits.open(a);
    exits.open(b);
    EXPECT_EQ(freed(exits, exits.here()), "ba");
    exits.open(c);
    EXPECT_EQ(freed(exits, exits.here()), "cba");
    exits.close(c);
    EXPECT_EQ(freed(exits, exits.here()), "ba");
    exits.close(b);
    exits.close(a);
    EXPECT_EQ(exits.here(), ExitPaths::end);
}

TEST(ExitPaths, PlacesBetweenWhichNothingChangesShareAPath) {
    ExitPaths exits;
    exits.open(a);
    exits.open(b);
    const int both = exits.here();
    EXPECT_EQ(exits.here(), both);
    exits.open(c);
    EXPECT_EQ(exits.paths()[static_cast<size_t>(exits.here())].next, both);
    exits.close(c);
    EXPECT_EQ(exits.here(), both);
    EXPECT_EQ(exits.paths().size(), 3U);
}

// The paths of buffers further in led through the block that is gone.
TEST(ExitPaths, ABlockThatEndsEarlyIsFreedByNoLaterExit) {
    ExitPaths exits;
    exits.open(a);
    exits.open(b);
    exits.open(c);
    const int before = exits.here();
    exits.close(b);
    EXPECT_EQ(freed(exits, exits.here()), "ca");
    exits.close(a);
    EXPECT_EQ(freed(exits, exits.here()), "c");
    EXPECT_EQ(freed(exits, before), "cba");
    exits.close(b); // which is not open
    EXPECT_EQ(freed(exits, exits.here()), "c");
}

TEST(ExitPaths, ABufferMayOpenAgain) {
    ExitPaths exits;
    exits.open(a);
    const int first = exits.here();
    exits.close(a);
    exits.open(a);
    EXPECT_NE(exits.here(), first);
    EXPECT_EQ(freed(exits, exits.here()), "a");
}

} // namespace
} // namespace fluorite::ir::memory_test
