#pragma once
// Widening of expressions: from the value in one iteration of a loop to the values in all iterations, as a vector.

#include "ir/stmt.h"
#include "lowering/access/vector_algebra.h"

#include <set>
#include <string>
#include <unordered_map>

namespace fluorite::lowering {

/// Buffers allocated in the loop's body with one copy per lane: lane `l` of element i is at i * lanes + l.
using WidenedBuffers = ir::SymbolMap<bool>;

/// Computes expressions of a loop's body for all `lanes` iterations at once. An expression of k lanes that is equal in
/// all iterations is uniform, and widens to k lanes; any other is varying, and widens to lanes * k lanes, iteration
/// after iteration.
class ExprVectorizer {
  public:
    ExprVectorizer(const ir::Symbol &loop_var, const Expr &min, int lanes);

    int lanes() const { return lanes_; }
    Expr widen(const Expr &expr, Use use);
    /// The widened expression, with lanes * k lanes even if it is uniform.
    Expr widen_fully(const Expr &expr, Use use);
    static bool is_varying(const Expr &expr, const Expr &widened) {
        return expr.type().lanes() != widened.type().lanes();
    }

    /// Binds a symbol of the body: its scalar variable stands for `vector` from now on.
    void bind(const ir::Symbol &symbol, const Expr &vector);
    void unbind(const ir::Symbol &symbol);
    const ir::SymbolMap<Expr> &bindings() const { return bindings_; }

    /// Marks a buffer as having one copy for each lane.
    void widen_buffer(const ir::Symbol &buffer) { widened_buffers_[buffer] = true; }
    const WidenedBuffers &widened_buffers() const { return widened_buffers_; }
    bool is_widened(const ir::Symbol &buffer) const { return widened_buffers_.contains(buffer); }
    /// The index of each lane's copy, given the widened index of an access with `element_lanes` lanes.
    Expr index_in_widened(const Expr &full_index, int element_lanes) const;

    /// The active iterations (Bool of lanes() lanes; undefined: all). It is the predicate of loads.
    const Expr &mask() const { return mask_; }
    void set_mask(const Expr &mask);
    /// The mask for an access of `element_lanes` lanes in each iteration, combined with its own widened predicate.
    Expr masked(const Expr &full_predicate, int element_lanes) const;
    /// Which of the program's operations were scalarized, in words.
    const std::set<std::string> &laid_out() const { return laid_out_; }
    /// Whether any iteration is active, as a scalar.
    Expr any_active() const;

  private:
    ir::SymbolMap<Expr> bindings_;
    WidenedBuffers widened_buffers_;
    int lanes_;
    Expr mask_;
    std::set<std::string> laid_out_;
    // Results by node and use. The key's expression is kept alive, so that its address is not reused.
    std::unordered_map<const ir::ExprNode *, std::pair<Expr, Expr>> done_[2];

    void forget();
    Expr widen_node(const Expr &expr, Use use);
    Expr widen_load(const Expr &load);
    Expr widen_let(const Expr &let, Use use);
    Expr widen_elementwise(const Expr &expr, Use use);
    Expr widen_ramp(const Expr &ramp, Use use);
    Expr widen_shuffle(const Expr &shuffle, Use use);
    Expr widen_reduce(const Expr &reduce, Use use);
    Expr widen_lane_by_lane(const Expr &expr);
    void note_laid_out(const Expr &expr);
    Expr to_full(const Expr &widened, int original_lanes) const;
};

/// Whether an operation takes scalars only: calls other than trace events, requirements and prints.
bool is_scalar_only(const Expr &expr);
/// Whether the expression contains an operation that must be executed exactly as often, and in order.
bool must_run_in_order(const Expr &expr);

} // namespace fluorite::lowering
