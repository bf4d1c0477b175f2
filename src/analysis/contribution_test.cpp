// The contribution of an update, as text: `op value: split, commute`.
#include "analysis/reduction.h"

#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <string>

namespace fluorite::analysis::contribution_test {
namespace {

using namespace ir;

/// The text without the annotations at the first mention of a variable.
std::string plain_text(const Expr &expr) {
    static const std::regex first("@let(:[a-z0-9]+)?");
    return std::regex_replace(to_text(expr), first, "");
}

/// The contribution to a value in which `old` stands for the old value.
std::string brought(const std::string &type, const std::string &value) {
    const Symbol old(SymbolKind::Let, "old"), x(SymbolKind::Let, "x");
    ParseOptions options;
    options.symbols = {old, x};
    const std::string typed =
        "let old:" + type + " = cast<" + type + ">(1) in let x:" + type + " = cast<" + type + ">(2) in " + value;
    const Expr let = parse_expr("(" + typed + ")", options);
    const Expr inner = let->arg(1)->arg(1);
    const auto is_old = [&](const Expr &e) { return is_kind(e, ExprKind::Variable) && e->symbol() == old; };
    const auto found = find_contribution(inner, is_old, [&](const Expr &e) { return uses_symbol(e, old); });
    if (!found) {
        return "no";
    }
    static const std::map<ReduceOp, const char *> names = {
        {ReduceOp::Add, "+"},    {ReduceOp::Mul, "*"},
        {ReduceOp::Min, "min"},  {ReduceOp::Max, "max"},
        {ReduceOp::And, "&&"},   {ReduceOp::Or, "||"},
        {ReduceOp::BitAnd, "&"}, {ReduceOp::BitOr, "|"},
        {ReduceOp::BitXor, "^"}, {ReduceOp::SaturatingAdd, "saturating +"}};
    const auto law = [](Law law) { return law == Law::Exact ? "exact" : law == Law::Rounded ? "rounded" : "no"; };
    return std::string(names.at(found->op)) + " " + plain_text(found->value) + ": " + law(found->split) + ", " +
           law(found->commute);
}

TEST(Contribution, OfSumsAndDifferences) {
    EXPECT_EQ(brought("int32", "old + x"), "+ x: exact, exact");
    EXPECT_EQ(brought("int32", "old - x"), "+ 0 - x: exact, exact");
    EXPECT_EQ(brought("float32", "old - x"), "+ -0.0:float32 - x: rounded, rounded");
    EXPECT_EQ(brought("int32", "(x + old) + 3"), "+ x + 3: exact, exact");
    EXPECT_EQ(brought("bool", "old - x"), "^ x: exact, exact");
    EXPECT_EQ(brought("int32", "x - old"), "no");
    EXPECT_EQ(brought("int32", "old + old"), "no");
    EXPECT_EQ(brought("int32", "old"), "no");
}

TEST(Contribution, OfGuards) {
    EXPECT_EQ(brought("int32", "select(x < 3, old + 1, old)"), "+ select(x < 3, 1, 0): exact, exact");
    EXPECT_EQ(brought("int32", "select(x < 3, old, old - 1)"), "+ select(x < 3, 0, 0 - 1): exact, exact");
    EXPECT_EQ(brought("int32", "select(x < 3, old + 1, old * 2)"), "no");
    EXPECT_EQ(brought("float32", "select(x < 3.0:float32, min(x, old), old)"),
              "min select(x < 3.0:float32, x, inf:float32): exact, rounded");
    EXPECT_EQ(brought("float32", "select(x < 3.0:float32, min(x, old), min(old, 1.0:float32))"),
              "min select(x < 3.0:float32, x, 1.0:float32): rounded, rounded");
}

TEST(Contribution, OfExtremes) {
    EXPECT_EQ(brought("int32", "select(x < old, x, old)"), "min x: exact, exact");
    EXPECT_EQ(brought("int32", "select(x >= old, old, x)"), "min x: exact, exact");
    EXPECT_EQ(brought("int32", "select(old < x, x, old)"), "max x: exact, exact");
    EXPECT_EQ(brought("float32", "select(x < old, x, old)"), "min x: exact, rounded");
    EXPECT_EQ(brought("float32", "select(x <= old, x, old)"), "min x: rounded, rounded");
    EXPECT_EQ(brought("float32", "select(old < x, old, x)"), "min x: rounded, rounded");
    EXPECT_EQ(brought("int32", "select(x < 3, x, old)"), "no");
    EXPECT_EQ(brought("int32", "select(x == old, x, old)"), "no");
}

TEST(Contribution, OfSumsThatStopAtTheMost) {
    const std::string sum = "saturating + x: exact, exact";
    EXPECT_EQ(brought("uint32", "select(old + x < old, 4294967295:uint32, old + x)"), sum);
    EXPECT_EQ(brought("uint32", "select(x + old < x, 4294967295:uint32, x + old)"), sum);
    EXPECT_EQ(brought("uint32", "select(old + x <= old, 4294967295:uint32, old + x)"), "no");
    EXPECT_EQ(brought("uint32", "select(old + x < old, 4294967294:uint32, old + x)"), "no");
    EXPECT_EQ(brought("uint32", "select(old + x < old, 4294967295:uint32, old - x)"), "no");
    EXPECT_EQ(brought("uint32", "select(old + x < 7:uint32, 4294967295:uint32, old + x)"), "no");
    EXPECT_EQ(brought("int32", "select(old + x < old, 2147483647, old + x)"), "no");
    EXPECT_EQ(brought("uint8", "saturating_cast<uint8>(cast<uint16>(old) + cast<uint16>(x))"),
              "saturating + x: exact, exact");
    EXPECT_EQ(brought("uint8", "saturating_cast<uint8>(3:uint16 + cast<uint16>(old))"),
              "saturating + 3:uint8: exact, exact");
    EXPECT_EQ(brought("uint8", "saturating_cast<uint8>(cast<uint16>(old) + 300:uint16)"), "no");
    EXPECT_EQ(brought("uint8", "saturating_cast<uint8>(cast<uint16>(old) * cast<uint16>(x))"), "no");
    EXPECT_EQ(brought("uint8", "saturating_cast<uint8>(old + x)"), "no") << "wraps before it is cast";
}

TEST(Contribution, OfFusedAndNarrowedSums) {
    EXPECT_EQ(brought("float32", "fma(x, 2.0:float32, old)"), "+ x * 2.0:float32: rounded, rounded");
    EXPECT_EQ(brought("float32", "fma(x, 2.0:float32, old + x)"), "+ x + x * 2.0:float32: rounded, rounded");
    EXPECT_EQ(brought("float32", "fma(x, 2.0:float32, old * x)"), "no");
    EXPECT_EQ(brought("float32", "fma(x, old, x)"), "no");
    EXPECT_EQ(brought("uint8", "cast<uint8>(cast<int32>(old) + 300)"), "+ cast<uint8>(300): exact, exact");
    EXPECT_EQ(brought("uint8", "cast<uint8>(cast<int32>(old) * 300)"), "* cast<uint8>(300): exact, exact");
    EXPECT_EQ(brought("uint8", "cast<uint8>(cast<int32>(old) & 300)"), "& cast<uint8>(300): exact, exact");
    EXPECT_EQ(brought("uint8", "cast<uint8>(cast<int32>(old) ^ 300)"), "^ cast<uint8>(300): exact, exact");
    EXPECT_EQ(brought("uint8", "cast<uint8>(min(cast<int32>(old), 300))"), "no");
}

TEST(Contribution, OperatorsKeepTheirIdentities) {
    for (const Type type : {Int(8), UInt(16), Float(32)}) {
        EXPECT_TRUE(equal(reduction_identity(ReduceOp::Min, type), type_max(type)));
        EXPECT_TRUE(equal(reduction_identity(ReduceOp::Max, type), type_min(type)));
        EXPECT_TRUE(equal(reduction_identity(ReduceOp::Mul, type), make_one(type)));
    }
    EXPECT_EQ(to_text(reduction_identity(ReduceOp::Add, Float(32))), "-0.0:float32");
    EXPECT_EQ(to_text(reduction_identity(ReduceOp::BitAnd, Int(32))), "-1");
    EXPECT_EQ(to_text(reduction_identity(ReduceOp::BitAnd, UInt(8))), "255:uint8");
    EXPECT_EQ(to_text(reduction_identity(ReduceOp::And, Bool())), "true");
    EXPECT_EQ(to_text(reduction_identity(ReduceOp::Or, Bool())), "false");
}

TEST(Contribution, OperatorsOnValues) {
    const auto applied = [](ReduceOp op, Type type) {
        const Expr l = make_var(type, Symbol(SymbolKind::Let, "l")), r = make_var(type, Symbol(SymbolKind::Let, "r"));
        return plain_text(apply_reduction(op, l, r));
    };
    EXPECT_EQ(applied(ReduceOp::Min, Int(32)), "min(l, r)");
    EXPECT_EQ(applied(ReduceOp::Max, Int(32)), "max(l, r)");
    EXPECT_EQ(applied(ReduceOp::Min, Float(32)), "min(r, l)") << "the left one stays at a NaN";
    EXPECT_EQ(applied(ReduceOp::Max, Float(32)), "max(r, l)");
    EXPECT_EQ(applied(ReduceOp::Add, Int(32)), "l + r");
    EXPECT_EQ(applied(ReduceOp::Mul, Int(32)), "l * r");
    EXPECT_EQ(applied(ReduceOp::And, Bool()), "l && r");
    EXPECT_EQ(applied(ReduceOp::Or, Bool()), "l || r");
    EXPECT_EQ(applied(ReduceOp::BitXor, Int(32)), "l ^ r");
    EXPECT_EQ(applied(ReduceOp::SaturatingAdd, UInt(8)), "saturating_cast<uint8>(cast<uint16>(l) + cast<uint16>(r))");
    EXPECT_EQ(applied(ReduceOp::SaturatingAdd, UInt(64)), "select(l + r < l, 18446744073709551615:uint64, l + r)");
}

} // namespace
} // namespace fluorite::analysis::contribution_test
