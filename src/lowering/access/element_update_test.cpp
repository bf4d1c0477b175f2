#include "lowering/access/element_update.h"

#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::element_update_test {
namespace {

std::string update_of(const std::string &text) {
    const ir::Stmt stmt = ir::parse_stmt(text);
    const auto found = find_element_update(*stmt.as<ir::Store>());
    if (!found) {
        return "none";
    }
    switch (found->kind) {
    case ElementUpdate::Kind::Nothing:
        return "nothing";
    case ElementUpdate::Kind::Replaces:
        return "replaces by " + ir::to_text(found->operand);
    case ElementUpdate::Kind::Combines:
        return (found->op == ir::ReduceOp::Min ? "min " : "other ") + ir::to_text(found->operand);
    }
    return "";
}

TEST(ElementUpdate, OfOneElement) {
    EXPECT_EQ(update_of("b[i] = min(v, b[i]:int32)"), "min v");
    EXPECT_EQ(update_of("b[i] = b[i]:int32"), "nothing");
    EXPECT_EQ(update_of("b[i] = v where i < 3"), "replaces by v");
    EXPECT_EQ(update_of("b[ramp(i, n, 2)] = min(b[ramp(i, n, 2) where ramp(i, 1, 2) < broadcast(3, 2)]:int32x2, "
                        "broadcast(v, 2)) where ramp(i, 1, 2) < broadcast(3, 2)"),
              "min broadcast(v, 2)");
}

TEST(ElementUpdate, NotOfOthers) {
    EXPECT_EQ(update_of("b[i] = b[i]:int32 + b[i + 1]:int32"), "none");
    EXPECT_EQ(update_of("b[i] = v - b[i]:int32"), "none");
    EXPECT_EQ(update_of("b[b[i]:int32] = v"), "none");
    EXPECT_EQ(update_of("b[i] = v where b[i]:int32 < 3"), "none");
}

} // namespace
} // namespace fluorite::lowering::element_update_test
