// Scalarization of statements that have no vector form.
//
// For a loop x of two lanes with y bound to a vector v:
//   assert(c(x, y), e)    -->    assert(c(m, v[0]), e); assert(c(m + 1, v[1]), e)
// The statement is that of the loop's body before widening. Each symbol in it that was bound to a vector is replaced by
// the lane's part of it: one lane, or several if the symbol was a vector already, from an inner loop. Accesses of
// buffers with one copy per lane go to the lane's copy.
//
// Relies on: binders inside the statement may occur once in each copy. Cost: the lanes times the statement.

#include "lowering/vector/scalarize_lanes.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

/// Redirects accesses of widened buffers to the copy of one lane.
class LaneOfBuffers : public Mutator {
  public:
    LaneOfBuffers(const ExprVectorizer &widener, int lane) : widener_(widener), lane_(lane) {}

    Expr mutate(const Expr &expr) override {
        const Expr result = recurse(expr);
        if (result->kind() != ExprKind::Load || !widener_.is_widened(result->symbol())) {
            return result;
        }
        return make_load(result.type(), result->symbol(), in_lane(result->arg(0)), result->arg(1));
    }
    Stmt mutate(const Stmt &stmt) override {
        const Stmt result = recurse(stmt);
        const Store *store = result.as<Store>();
        if (!store || !widener_.is_widened(store->buffer)) {
            return result;
        }
        return Store::make(store->buffer, store->value, in_lane(store->index), store->predicate);
    }

  private:
    const ExprVectorizer &widener_;
    int lane_;

    Expr in_lane(const Expr &index) const {
        const Expr scaled = vector_binary(ExprKind::Mul, index, make_int(index.type(), widener_.lanes()), Use::Index);
        return vector_binary(ExprKind::Add, scaled, make_int(index.type(), lane_), Use::Index);
    }
};

} // namespace

Stmt scalarize_lanes(const Stmt &stmt, const ExprVectorizer &widener) {
    std::vector<Stmt> copies;
    for (int lane = 0; lane < widener.lanes(); lane++) {
        SymbolMap<Expr> values;
        for (const auto &[symbol, vector] : widener.bindings()) {
            values[symbol] = extract_group(vector, lane, vector.type().lanes() / widener.lanes());
        }
        Stmt copy = substitute(stmt, values);
        if (!widener.widened_buffers().empty()) {
            copy = LaneOfBuffers(widener, lane).mutate(copy);
        }
        if (widener.mask().defined()) {
            copy = IfThenElse::make(extract_lane(widener.mask(), lane), copy);
        }
        copies.push_back(copy);
    }
    return Block::make(std::move(copies));
}

} // namespace fluorite::lowering
