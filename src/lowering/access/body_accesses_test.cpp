#include "lowering/access/body_accesses.h"

#include "ir/parse.h"
#include "ir/print.h"
#include "support/check.h"

#include <gtest/gtest.h>
#include <utility>

namespace fluorite::lowering::body_accesses_test {
namespace {

using namespace ir;

/// A line for each access: what is done, to which buffer, where, in the value of which store, inside which loops.
class Listing : public AccessVisitor {
  public:
    std::string text;
    int others = 0;

    explicit Listing(const char *body) : Listing(parse_stmt(body)) {}
    explicit Listing(Stmt body) : stmt_(std::move(body)) { visit(stmt_); }

  private:
    Stmt stmt_; // to which accesses point

    using AccessVisitor::visit;
    void visit_node(const Expr &) override { others++; }
    void visit_access(const Access &access) override {
        text +=
            concat(access.is_store ? "store " : "load ", access.buffer.name(), "[", to_text(expand(access.index)), "]");
        text += access.is_store || !access.store ? "" : " for " + access.store->buffer.name();
        for (const Symbol &loop : loops()) {
            text += " in " + loop.name();
        }
        text += is_allocated_inside(access.buffer) ? " inside\n" : "\n";
    }
};

TEST(BodyAccesses, ComeInTheOrderOfExecution) {
    EXPECT_EQ(Listing("f[h[x]:int32] = g[x]:int32 + g[x + 1]:int32 where p[x]:bool").text,
              "load g[x] for f\nload g[x + 1] for f\nload h[x]\nload p[x]\nstore f[h[x]:int32]\n");
    EXPECT_EQ(Listing("f[0] = 1; if g[0]:int32 < 3 { f[1] = 2 } else { f[2] = 3 }").text,
              "store f[0]\nload g[0]\nstore f[1]\nstore f[2]\n");
}

TEST(BodyAccesses, LetsAreExpandedWhereTheyAreInScope) {
    EXPECT_EQ(Listing("{ let t = x * 2  let u = t + g[t]:int32  f[u] = t }  h[t] = 0").text,
              "load g[x * 2]\nstore f[x * 2 + g[x * 2]:int32]\nstore h[t@let]\n");
    EXPECT_EQ(Listing("{ let t = 1  f[t] = 0 } { let t = 2  f[t] = 0 }").text, "store f[1]\nstore f[2]\n");
}

TEST(BodyAccesses, LoopsAndAllocationsOfTheBodyAreKnown) {
    EXPECT_EQ(
        Listing("for y in [g[0]:int32, +4) { allocate a: int32[4]  for x in [0, +4) { a[x] = y } f[y] = a[0] }").text,
        "load g[0]\nstore a[x@loop] in y in x inside\nload a[0] for f in y inside\nstore f[y@loop] in y\n");
}

TEST(BodyAccesses, ANodeOfAnExpressionIsVisitedOnce) {
    const Symbol f(SymbolKind::Buffer, "f"), g(SymbolKind::Buffer, "g");
    const Expr load = make_load(Int(32), g, make_int(Int(32), 7));
    const Listing twice(Store::make(f, add(load, load), make_int(Int(32), 0), {}));
    EXPECT_EQ(twice.text, "load g[7] for f\nstore f[0]\n");
    EXPECT_EQ(twice.others, 5); // 7 and the predicate of the load, the sum, 0 and the predicate of the store
    EXPECT_EQ(Listing("f[0] = g[x]:int32 * g[x]:int32").text, "load g[x] for f\nload g[x] for f\nstore f[0]\n");
}

TEST(BodyAccesses, StraightBodies) {
    const auto straight = [](const char *body, Marks marks) { return is_straight(parse_stmt(body), marks); };
    for (const Marks marks : {Marks::LookedThrough, Marks::Excluded}) {
        EXPECT_TRUE(straight("f[0] = 1", marks));
        EXPECT_TRUE(straight("let t = x  f[t] = 1  { let u = t  f[u] = 2 }", marks));
        EXPECT_FALSE(straight("f[0] = 1  for x in [0, +4) { f[x] = 2 }", marks));
        EXPECT_FALSE(straight("if x < 1 { f[0] = 1 }", marks));
        EXPECT_FALSE(straight("evaluate extern seen(1):int32", marks));
        EXPECT_FALSE(straight("allocate a: int32[4]  a[0] = 1", marks));
    }
    EXPECT_TRUE(straight("produce f { f[0] = 1 }  f[1] = 2", Marks::LookedThrough));
    EXPECT_FALSE(straight("produce f { f[0] = 1 }  f[1] = 2", Marks::Excluded));
}

} // namespace
} // namespace fluorite::lowering::body_accesses_test
