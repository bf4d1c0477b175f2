#include "ir/stmt.h"

#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace fluorite::ir::stmt_test {
namespace {

const Symbol x(SymbolKind::Loop, "x"), t(SymbolKind::Let, "t"), b(SymbolKind::Buffer, "b"), n(SymbolKind::Param, "n");

Stmt parse(const std::string &text) { return parse_stmt(text, {.symbols = {x, t, b, n}}); }

/// Drops stores to `b` and adds one to constants.
class Example : public Mutator {
  public:
    int exprs = 0;
    Expr mutate(const Expr &expr) override {
        exprs++;
        return expr->kind() == ExprKind::IntImm ? make_int(expr.type(), expr->int_value() + 1) : recurse(expr);
    }
    Stmt mutate(const Stmt &stmt) override {
        const Store *store = stmt.as<Store>();
        return store && store->buffer == b ? Stmt() : recurse(stmt);
    }
};

TEST(Stmt, MakeChecksAndFills) {
    const Stmt leaf = Evaluate::make(1);
    EXPECT_THROW(For::make(x, make_int(Int(64), 0), 1, ForKind::Serial, leaf), InternalError);
    EXPECT_THROW(For::make(x, 0, 1, ForKind::Serial, Stmt()), InternalError);
    EXPECT_THROW(IfThenElse::make(1, leaf), InternalError);
    EXPECT_THROW(Store::make(b, make_broadcast(1, 4), 0, {}), InternalError);
    EXPECT_THROW(Allocate::make(b, Int(32, 4), MemoryType::Auto, {}, leaf), InternalError);
    const Stmt store = Store::make(b, make_broadcast(1, 4), make_ramp(0, 1, 4), less(make_var(Int(32), x), 3));
    EXPECT_EQ(store.as<Store>()->predicate.type(), Bool(4));
    EXPECT_TRUE(is_true(Provide::make(b, 0, {1}, {0}, {}).as<Provide>()->predicate));
    EXPECT_EQ(leaf.as<Store>(), nullptr);
}

TEST(Stmt, BlocksAreFlat) {
    const Stmt one = Evaluate::make(1), two = Evaluate::make(2);
    EXPECT_FALSE(Block::make({}).defined());
    EXPECT_FALSE(Block::make({Stmt(), Stmt()}).defined());
    EXPECT_TRUE(Block::make({Stmt(), one}).same_as(one));
    const Stmt nested = Block::make({Block::make({one, two}), Stmt(), Block::make({two, one})});
    ASSERT_TRUE(nested.as<Block>());
    EXPECT_EQ(nested.as<Block>()->stmts.size(), 4U);
}

TEST(Stmt, EqualityIsStructural) {
    const std::string text = "for x in [0, +n) { let t = x * 2  b[t] = t:uint8 where t < 3 }";
    EXPECT_TRUE(equal(parse("b[0] = 1"), parse("b[0] = 1")));
    for (const char *other : {"b[0] = 2", "b[1] = 1", "c[0] = 1", "b[0] = 1 where n < 2", "evaluate 1"}) {
        EXPECT_FALSE(equal(parse("b[0] = 1"), parse(other))) << other;
    }
    EXPECT_FALSE(equal(parse("for x in [0, +1) { evaluate 1 }"), parse("parallel for x in [0, +1) { evaluate 1 }")));
    EXPECT_FALSE(equal(parse("if n < 1 { evaluate 1 }"), parse("if n < 1 { evaluate 1 } else { evaluate 1 }")));
    EXPECT_FALSE(equal(parse("evaluate 1"), Stmt()));
}

TEST(Mutator, RebuildsOnlyWhatChanges) {
    const Stmt stmt =
        parse("for x in [n, +n) { let t = x * n  evaluate t  if t < n { evaluate x } else { evaluate n } }");
    Example example;
    EXPECT_TRUE(example.mutate(stmt).same_as(stmt));
    EXPECT_GT(example.exprs, 8);
    EXPECT_EQ(to_text(example.mutate(parse("for x in [0, +n) { evaluate x + 1  evaluate x }"))),
              "for x in [1, +n@param) {\n  evaluate x + 2\n  evaluate x\n}\n");
}

TEST(Mutator, DropsWhatLostItsBody) {
    auto mutated = [](const std::string &text) {
        const Stmt result = Example().mutate(parse(text));
        return result.defined() ? to_text(result) : "nothing";
    };
    EXPECT_EQ(mutated("for x in [n, +n) { let t = x  if t < n { b[t] = 1 } }"), "nothing");
    EXPECT_EQ(mutated("allocate c: uint8[n] produce f { atomic f { b[n] = n } }"), "nothing");
    EXPECT_EQ(mutated("b[n] = n evaluate n b[n] = n"), "evaluate n@param\n");
    EXPECT_EQ(mutated("if n < n { b[n] = n } else { evaluate n }"), "if !(n@param < n) {\n  evaluate n\n}\n");
    EXPECT_EQ(mutated("if n < n { evaluate n } else { b[n] = n }"), "if n@param < n {\n  evaluate n\n}\n");
}

TEST(Visitor, ComesByEveryExpression) {
    class Counter : public Visitor {
      public:
        int constants = 0, stmts = 0;
        void visit(const Expr &expr) override {
            constants += expr->kind() == ExprKind::IntImm ? 1 : 0;
            recurse(expr);
        }
        void visit(const Stmt &stmt) override {
            stmts++;
            recurse(stmt);
        }
    } counter;
    counter.visit(parse(R"(
        let t = 1
        assert 2 < 3 else 4
        realize f: uint8 over [5, +6) {
          prefetch f over [7, +8)
          f(9) = {10, 11} where 12 < 13
        }
        allocate c: uint8[14, 15]
        for x in [16, +17) {
          c[18] = 19 where 20 < 21
          if 22 < 23 { evaluate 24 } else { evaluate 25 }
        })"));
    EXPECT_EQ(counter.constants, 25);
    EXPECT_EQ(counter.stmts, 13);
}

TEST(Substitute, BindersHideAndRename) {
    const Expr tv = make_var(Int(32), t), xv = make_var(Int(32), x);
    const Stmt stmt = parse("for x in [x, +n) { b[x] = n }");
    EXPECT_EQ(to_text(substitute(stmt, x, 5)), "for x in [5, +n@param) {\n  b[x] = n\n}\n");
    // The loop would capture the x that is substituted for n.
    const Stmt result = substitute(stmt, n, xv);
    EXPECT_EQ(to_text(result), "for x.1 in [x@loop, +x) {\n  b[x.1] = x\n}\n");
    const Stmt let = parse("let t = n  evaluate t + n");
    EXPECT_EQ(to_text(substitute(let, n, add(tv, 1))), "let t.1:int32 = t@let + 1\nevaluate t.1 + (t + 1)\n");
    EXPECT_TRUE(substitute(stmt, t, 1).same_as(stmt));
}

TEST(UsesSymbol, SeesAccessesAndScopes) {
    EXPECT_TRUE(uses_symbol(parse("b[0] = 1"), b));
    EXPECT_TRUE(uses_symbol(parse("evaluate b[0]:int32"), b));
    EXPECT_FALSE(uses_symbol(parse("allocate b: int32[4] b[0] = 1"), b));
    EXPECT_FALSE(uses_symbol(parse("for x in [0, +1) { evaluate x }"), x));
    EXPECT_TRUE(uses_symbol(parse("for x in [x@loop, +1) { evaluate x }"), x));
    EXPECT_FALSE(uses_symbol(parse("produce b { evaluate 1 }"), b));
    EXPECT_FALSE(uses_symbol(Stmt(), b));
}

} // namespace
} // namespace fluorite::ir::stmt_test
