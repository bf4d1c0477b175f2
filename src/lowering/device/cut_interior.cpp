// The interior of a grid.
//
//   kernel f(...) blocks(x) threads(t) {
//     if likely(x * 32 + t < w) {
//       f[x * 32 + t] = g[max(min(likely(x * 32 + t - 1), w - 1), 0)] } }
//   -->
//   kernel f(...) blocks(x) threads(t) {
//     if 1 <= x && x <= (w + -32) / 32 {
//       f[x * 32 + t] = g[x * 32 + t - 1]
//     } else { ... as it was ... } }
//
// On a grid nothing is gained by loops over parts of it, as partition_loops makes them of the host's: the blocks
// choose. All threads of a block choose alike, so the choice costs a comparison for each bound. Clamps and guards are a
// good part of what a kernel with boundary conditions executes, and vectors whose lanes are clamped one by one are no
// dense accesses.
//
// Method: each dimension of the grid is solved as a loop around the threads (steady_state.h), one after the other in
// the body that is left, and their bounds hold together. So there are two bodies for any number of dimensions, and a
// block is at a boundary in all of them if it is in one; of a large grid few are.
//
// Leaves kernels alone that share memory or wait at barriers, as each of these belongs to one place of the body, and
// those that are so large that a second body costs more than it gains. Cost: a search for hints for each dimension.

#include "lowering/device/cut_interior.h"

#include "ir/expr_traits.h"
#include "lowering/access/vector_algebra.h"
#include "lowering/loops/copy_budget.h"
#include "lowering/loops/likely.h"
#include "lowering/loops/steady_state.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr size_t most_nodes = 6'000; // of a body that is copied; translating as much takes some 100 ms

/// Whether there is a barrier, or memory that the threads of a block share.
class SharesMemory : public Visitor {
  public:
    explicit SharesMemory(const Stmt &body) { visit(body); }
    bool found = false;

  private:
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        const auto *allocate = stmt.as<Allocate>();
        found = found || stmt.kind() == StmtKind::Barrier || (allocate && allocate->memory == MemoryType::GPUShared);
        recurse(stmt);
    }
};

/// A loop over the blocks of a dimension, around loops over the threads.
Stmt loop_over(size_t dimension, const KernelIndices &indices, const Stmt &body) {
    Stmt result = body;
    for (size_t i = 0; i < indices.threads.size(); i++) {
        result = For::make(indices.threads[i], int32(0), indices.thread_extents[i], ForKind::Serial, result);
    }
    return For::make(indices.blocks[dimension], int32(0), indices.block_extents[dimension], ForKind::Serial, result);
}

Expr simplified(const Expr &index) { return rewrite::simplify(index, rewrite::Arithmetic::Index); }

/// A conjunction. Comparisons become sums that must not be negative: the bounds of all elements that a block accesses
/// are quotients, minimums and differences of the same terms, of which the strictest is left.
class Conditions {
  public:
    void add(const Expr &condition) {
        if (is_kind(condition, ExprKind::And)) {
            add(condition->arg(0));
            add(condition->arg(1));
        } else if (is_kind(condition, ExprKind::LE) && condition->arg(0).type() == Int(32)) {
            add_order(condition->arg(0), condition->arg(1));
        } else if (is_kind(condition, ExprKind::LT) && condition->arg(0).type() == Int(32)) {
            add_order(simplified(index_binary(ExprKind::Add, condition->arg(0), int32(1))), condition->arg(1));
        } else if (const auto is_same = [&](const Expr &other) { return equal(other, condition); };
                   !is_true(condition) && std::none_of(others_.begin(), others_.end(), is_same)) {
            others_.push_back(condition);
        }
    }

    /// True if there is none.
    Expr all() const {
        Expr result = make_bool(true);
        const auto also = [&](const Expr &condition) {
            result = is_true(result) ? condition : logical_and(result, condition);
        };
        for (const Expr &sum : sums_) {
            also(rewrite::simplify(less_equal(int32(0), sum)));
        }
        for (const Expr &other : others_) {
            also(other);
        }
        return result;
    }

  private:
    std::vector<Expr> sums_, others_; // in the order of the body

    /// a <= b. Divisions round down, so n / d <= b is n < d * (b + 1), and a <= n / d is d * a <= n.
    void add_order(const Expr &a, const Expr &b) {
        const auto [a_term, a_offset] = parts(a);
        const auto [b_term, b_offset] = parts(b);
        const auto plus = [](const Expr &term, int64_t offset) {
            return index_binary(ExprKind::Add, term, int32(static_cast<int32_t>(offset)));
        };
        if (is_kind(a_term, ExprKind::Max)) {
            add_order(plus(a_term->arg(0), a_offset), b);
            add_order(plus(a_term->arg(1), a_offset), b);
        } else if (is_kind(b_term, ExprKind::Min)) {
            add_order(a, plus(b_term->arg(0), b_offset));
            add_order(a, plus(b_term->arg(1), b_offset));
        } else if (is_quotient(a_term)) {
            const Expr least = index_binary(ExprKind::Mul, plus(b, 1 - a_offset), a_term->arg(1));
            add_order(plus(a_term->arg(0), 1), least);
        } else if (is_quotient(b_term)) {
            add_order(index_binary(ExprKind::Mul, plus(a, -b_offset), b_term->arg(1)), b_term->arg(0));
        } else {
            add_sum(simplified(index_binary(ExprKind::Sub, b, a)));
        }
    }

    void add_sum(const Expr &sum) {
        int64_t difference = 0;
        for (Expr &known : sums_) {
            if (is_const_int(simplified(index_binary(ExprKind::Sub, sum, known)), &difference)) {
                known = difference < 0 ? sum : known;
                return;
            }
        }
        sums_.push_back(sum);
    }

    /// A term and a constant that is added to it.
    static std::pair<Expr, int64_t> parts(const Expr &expr) {
        int64_t offset = 0;
        const bool has_offset = is_kind(expr, ExprKind::Add) && is_const_int(expr->arg(1), &offset);
        return has_offset ? std::pair(expr->arg(0), offset) : std::pair(expr, int64_t{0});
    }

    static bool is_quotient(const Expr &expr) {
        int64_t divisor = 0;
        return is_kind(expr, ExprKind::Div) && is_const_int(expr->arg(1), &divisor) && divisor > 0;
    }
};

void add_bounds(const LoopBounds &bounds, const Expr &block, Conditions &conditions) {
    for (const Expr &bound : bounds.lower) {
        conditions.add(less_equal(simplified(bound), block));
    }
    for (const Expr &bound : bounds.upper) {
        conditions.add(less_equal(block, simplified(bound)));
    }
    for (const Expr &condition : bounds.required) {
        conditions.add(rewrite::simplify(condition));
    }
}

} // namespace

Stmt cut_interior(const Stmt &body, const KernelIndices &indices, const PassContext &context) {
    BodySizes sizes;
    const BodySizes::Size size = sizes.of(body);
    const bool are_known = std::all_of(indices.thread_extents.begin(), indices.thread_extents.end(),
                                       [](const Expr &extent) { return is_const(extent); });
    if (!size.has_hints || size.nodes > most_nodes || !are_known || SharesMemory(body).found ||
        context.options.leaves_out(Target::NoPartitioning)) {
        return body;
    }
    const Stmt expanded = expand_hinted_lets(body);
    Stmt interior = expanded;
    Conditions conditions;
    for (size_t dimension = 0; dimension < indices.blocks.size() && interior.defined(); dimension++) {
        const Stmt loop = loop_over(dimension, indices, interior);
        LoopLengths lengths;
        const SteadyState steady(*loop.as<For>(), !size.has_loops, lengths);
        if (steady.solved.empty() || steady.warms_up) {
            continue;
        }
        interior = steady_body(interior, steady.solved);
        add_bounds(steady.bounds, make_var(Int(32), indices.blocks[dimension]), conditions);
        context.beyond(indices.blocks[dimension], "cut into boundary and interior", Target::NoPartitioning);
    }
    const Expr inside = conditions.all();
    return is_true(inside) || !interior.defined() ? interior : IfThenElse::make(inside, interior, expanded);
}

} // namespace fluorite::lowering
