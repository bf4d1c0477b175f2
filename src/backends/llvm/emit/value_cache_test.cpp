#include "backends/llvm/emit/value_cache.h"

#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>

namespace fluorite::backends::value_cache_test {
namespace {

using namespace ir;

class Values : public testing::Test {
  protected:
    const Symbol x{SymbolKind::Loop, "x"}, t{SymbolKind::Let, "t"}, b{SymbolKind::Buffer, "b"};
    const Expr xv = make_var(Int(32), x), tv = make_var(Int(32), t);
    ValueCache cache;

    llvm::Value *value(int number) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), number); }
    void bind(const Symbol &symbol, int number) { cache.bind(symbol, {value(number), nullptr, cache.depth()}); }
    /// Caches an expression as the traversal of Expressions does: operands first.
    void remember(const Expr &expr, int number) { cache.remember(*expr.get(), value(number)); }
    bool has(const Expr &expr) const { return cache.find(expr.get()) != nullptr; }

  private:
    llvm::LLVMContext context_;
};

TEST_F(Values, EndWithTheScopeOfTheirInstruction) {
    const Expr sum = ir::add(xv, 1);
    bind(x, 1);
    remember(xv, 1);
    cache.open_scope();
    remember(sum, 2);
    EXPECT_EQ(cache.find(sum.get()), value(2));
    cache.close_scope();
    EXPECT_FALSE(has(sum));
    EXPECT_TRUE(has(xv));
}

// Otherwise, a node that gets the address of a freed one would have its value.
TEST_F(Values, KeepTheirNodesAlive) {
    Expr made = ir::add(xv, 1);
    const ExprNode *node = made.get();
    EXPECT_FALSE(node->is_shared());
    remember(made, 1);
    EXPECT_TRUE(node->is_shared());
    cache.open_scope();
    remember(ir::add(made, 2), 2);
    cache.close_scope();
    made = Expr();
    EXPECT_EQ(cache.find(node), value(1));
}

TEST_F(Values, ScopesHaveNumbersOfTheirOwn) {
    const int outer = cache.scope();
    cache.open_scope();
    const int first = cache.scope();
    EXPECT_TRUE(cache.is_open(outer));
    EXPECT_TRUE(cache.is_open(first));
    cache.close_scope();
    EXPECT_EQ(cache.scope(), outer);
    EXPECT_FALSE(cache.is_open(first));
    cache.open_scope(); // as deep as the first one, but another
    EXPECT_TRUE(cache.is_open(outer));
    EXPECT_FALSE(cache.is_open(first));
    EXPECT_NE(cache.scope(), first);
}

TEST_F(Values, EndWhereAVariableIsBoundAnew) {
    const Expr sum = ir::add(xv, tv), other = ir::add(tv, 1);
    bind(t, 7);
    for (const Expr &e : {tv, other}) {
        remember(e, 8);
    }
    const auto outer = cache.bind(x, {value(1), nullptr, 0});
    EXPECT_FALSE(outer);
    remember(xv, 1);
    remember(sum, 3);
    const auto first = cache.bind(x, {value(2), nullptr, 0});
    EXPECT_FALSE(has(xv) || has(sum));
    EXPECT_TRUE(has(other));
    remember(xv, 2);
    cache.restore(x, first);
    EXPECT_FALSE(has(xv));
    EXPECT_EQ(cache.binding(x)->value, value(1));
    cache.restore(x, outer);
    EXPECT_EQ(cache.binding(x), nullptr);
}

TEST_F(Values, OfLetsOutliveTheirOwnSymbol) {
    const Expr let = make_let(t, xv, mul(tv, tv));
    bind(x, 3);
    remember(xv, 3);
    const auto outer = cache.bind(t, {value(3), nullptr, 0});
    remember(tv, 3);
    remember(let->arg(1), 9);
    remember(let, 9);
    cache.restore(t, outer);
    EXPECT_FALSE(has(tv) || has(let->arg(1)));
    EXPECT_TRUE(has(let));
    cache.bind(x, {value(4), nullptr, 0});
    EXPECT_FALSE(has(let));
}

TEST_F(Values, FromMemoryEndWithTheNextStore) {
    const Expr load = make_load(Int(32), b, xv), sum = ir::add(load, xv);
    bind(x, 1);
    remember(xv, 1);
    remember(load, 5);
    remember(sum, 6);
    cache.forget_memory();
    EXPECT_FALSE(has(load) || has(sum));
    EXPECT_TRUE(has(xv));
}

TEST_F(Values, KnowTheOutermostScopeThatCouldHoldThem) {
    const Expr outer = ir::add(xv, 1), inner = ir::add(outer, tv);
    EXPECT_EQ(cache.depth(), 0);
    bind(x, 1);
    cache.open_scope();
    bind(t, 2);
    cache.open_scope();
    for (const Expr &e : {xv, outer, tv, inner}) {
        remember(e, 3);
    }
    EXPECT_EQ(cache.depth_of(outer), 0);
    EXPECT_EQ(cache.depth_of(inner), 1);
    EXPECT_EQ(cache.depth_of(mul(xv, xv)), 2);
}

} // namespace
} // namespace fluorite::backends::value_cache_test
