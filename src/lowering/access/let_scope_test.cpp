#include "lowering/access/let_scope.h"

#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::let_scope_test {
namespace {

using namespace ir;

/// Writes what is stored with all lets expanded, and the range of x.
class Expander : public ScopedMutator {
  public:
    std::string ranges;

  private:
    Stmt mutate_in_scope(const Stmt &stmt) override {
        const Store *store = stmt.as<Store>();
        if (!store) {
            return recurse(stmt);
        }
        for_each_free_symbol(store->index, [&](const Symbol &symbol) {
            if (const LetScope::Range *range = scope().range(symbol)) {
                ranges += symbol.name() + " in " + to_text(range->first) + " ... " + to_text(range->last) + "\n";
            }
        });
        return Store::make(store->buffer, scope().expand(store->value), store->index, store->predicate);
    }
};

TEST(LetScope, ExpandsLetsOfLets) {
    Expander expander;
    EXPECT_EQ(to_text(expander.mutate(parse_stmt("let a = n + 1  let b = a * a  f[0] = b"))),
              "let a:int32 = n + 1\nlet b:int32 = a * a\nf[0] = (n + 1) * (n + 1)\n");
    EXPECT_EQ(to_text(expander.mutate(parse_stmt("{ let a = 1  f[0] = a }  { let a = 2  f[0] = a }  f[0] = a"))),
              "{\n  let a:int32 = 1\n  f[0] = 1\n}\n{\n  let a:int32 = 2\n  f[0] = 2\n}\nf[0] = a\n");
}

TEST(LetScope, RangesOfLoopsHaveTheLetsAroundThemSubstituted) {
    Expander expander;
    expander.mutate(parse_stmt("let m = n * 2  for x in [m, +8) { f[x] = 0 }  f[y] = 0"));
    EXPECT_EQ(expander.ranges, "x in n * 2 ... n * 2 + 7\n");
}

} // namespace
} // namespace fluorite::lowering::let_scope_test
