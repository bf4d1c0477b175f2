#include "lowering/verify_simplified.h"

#include "fluorite/errors.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::verify_simplified_test {
namespace {

using namespace ir;

TEST(VerifySimplified, IndicesThatTheSimplifierWouldShortenAreNamed) {
    const Symbol a(SymbolKind::Buffer, "a"), b(SymbolKind::Buffer, "b"), x(SymbolKind::Loop, "x"),
        y(SymbolKind::Loop, "y");
    const Expr i = make_var(Int(32), x), j = make_var(Int(32), y), two = make_int(Int(32), 2),
               three = make_int(Int(32), 3);
    const auto copy = [&](const Expr &to, const Expr &from) {
        return Store::make(a, make_load(Int(32), b, from), to, {});
    };
    EXPECT_NO_THROW(verify_simplified(copy(add(i, mul(j, three)), add(mul(j, three), i))));
    const Expr longer = sub(mul(i, two), i);
    const auto error_of = [](const Stmt &stmt) -> std::string {
        try {
            verify_simplified(stmt);
        } catch (const InternalError &error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of(copy(longer, i)), "the index of an access to a is simplified; x * 2 - x becomes x");
    EXPECT_EQ(error_of(copy(i, longer)), "the index of an access to b is simplified; x * 2 - x becomes x");
}

} // namespace
} // namespace fluorite::lowering::verify_simplified_test
