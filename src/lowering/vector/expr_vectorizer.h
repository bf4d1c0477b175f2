#pragma once
// Widening of expressions: from the value for one iteration of a loop to the values for all its iterations, as a
// vector.

#include "ir/stmt.h"
#include "lowering/vector/vector_algebra.h"

#include <set>
#include <string>
#include <unordered_map>

namespace fluorite::lowering {

/// Where a buffer that was allocated in the loop's body lives now: lane `l` of element i at i * lanes + l.
using WidenedBuffers = ir::SymbolMap<bool>;

/// Computes expressions of a loop's body for all `lanes` iterations at once. An expression of k lanes widens to itself
/// where it is the same in every iteration (uniform), else to one of lanes * k lanes, iteration after iteration
/// (varying).
class ExprVectorizer {
  public:
    ExprVectorizer(const ir::Symbol &loop_var, const Expr &min, int lanes);

    int lanes() const { return lanes_; }
    Expr widen(const Expr &expr, Use use);
    /// The widened expression with lanes * k lanes even where it is uniform.
    Expr widen_fully(const Expr &expr, Use use);
    static bool is_varying(const Expr &expr, const Expr &widened) {
        return expr.type().lanes() != widened.type().lanes();
    }

    /// Binds a name of the body: its scalar variable stands for `vector` from now on.
    void bind(const ir::Symbol &symbol, const Expr &vector);
    void unbind(const ir::Symbol &symbol);
    const ir::SymbolMap<Expr> &bindings() const { return bindings_; }

    /// Marks a buffer as having one copy for each lane.
    void widen_buffer(const ir::Symbol &buffer) { widened_buffers_[buffer] = true; }
    const WidenedBuffers &widened_buffers() const { return widened_buffers_; }
    bool is_widened(const ir::Symbol &buffer) const { return widened_buffers_.contains(buffer); }
    /// The index of each lane's copy, given the widened index of an access of `element_lanes` lanes.
    Expr index_in_widened(const Expr &full_index, int element_lanes) const;

    /// Which iterations run (Bool of lanes() lanes; undefined: all). Loads are made under it.
    const Expr &mask() const { return mask_; }
    void set_mask(const Expr &mask);
    /// The mask for an access of `element_lanes` lanes in each iteration, together with its own widened predicate.
    Expr masked(const Expr &full_predicate, int element_lanes) const;
    /// What of the program's expressions was laid out one lane after the other, in words.
    const std::set<std::string> &laid_out() const { return laid_out_; }
    /// Whether any iteration runs, as a scalar.
    Expr any_active() const;

  private:
    ir::SymbolMap<Expr> bindings_;
    WidenedBuffers widened_buffers_;
    int lanes_;
    Expr mask_;
    std::set<std::string> laid_out_;
    // Results by node and use; the key's expression is kept, so that its address is not used again.
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

/// Whether a call has an effect, or is a C function, which takes scalars only.
bool is_scalar_only(const Expr &expr);
/// The expression holds an operation with an effect (printing, a requirement, an effectful call).
bool must_run_in_order(const Expr &expr);

} // namespace fluorite::lowering
