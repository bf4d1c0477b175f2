// Windows that are invariant.
//
// A Func g is stored outside of a serial loop v and computed inside it, and its region is the same in all iterations of
// v. Then later iterations of v need not compute it, whatever its stages are:
//   for y { produce w { S }  consume w { T } }
//   -->
//   for y { produce w { if (y <= min(y)) { S } }  consume w { T } }
// A window that moves computes less in later iterations (sliding.h), but stages that update cannot begin in the middle;
// as a whole, they can be left out.
//
// Method: walk from the compute site outward to the store site. A loop v is invariant if
//   - the region does not depend on v;
//   - its first iteration comes to the compute site, too, in the same iterations of those loops inside v that move the
//     region, whose ranges do not depend on v, and in the first ones of those that are invariant;
//   - its iterations run in order (serial, unrolled), and memory holds the values until the last use: a dimension that a
//     loop inside v moves is not folded.
// Let i be an iteration of all these loops, and j the same with the first iterations of the loops that are invariant.
// Then j runs, not after i, computes the region of i, and nothing has overwritten the values since: of a pure Func,
// each point has one value. With updates, other regions in between could overwrite them by unfinished values of points
// outside (g(r) = 5 stores to its whole domain, and a later update only to what is needed); so if a loop moves the
// region, loops further out are not invariant. What moves a window along a loop is found for the first iterations of
// those that are invariant, and remains right.
//
// That the first iteration comes to the site is shown for each condition on the way (a tail, or that a loop has an
// iteration): if it holds in any iteration of v, it holds in the first.
//
// The walk leaves the nest of a consumer f for that of the loops in which f is computed. Then f has to be produced in
// the first iteration, too: in each iteration, or in those of a loop that is invariant for it. So the walk ends at a
// memoized Func, and at one that is only read under conditions, which may be skipped
// (lowering/from_nest/skip_stages.cpp).
//
// A Func that is stored where it is computed is needed in the first iterations that its consumers have in common.
//
// Does not leave nests with shared loops from inside.
//
// Cost: linear in the loops and the region's expressions. What depends on no loop further out is independent: the walk
// does not look at it again, as in a deep nest the ranges and conditions of all loops inside would be converted in each
// loop.

#include "loopnest/windows/invariant_loops.h"

#include "analysis/hints.h"
#include "loopnest/regions/storage.h"
#include "loopnest/windows/sliding.h"

#include <algorithm>
#include <utility>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Box;
using analysis::Interval;

namespace {

/// Whether an expression reads the Func whatever the conditions of selects are.
bool reads_always(const Expr &expr, const Symbol &func, ExprMap<bool> &known) {
    if (const auto found = known.find(expr); found != known.end()) {
        return found->second;
    }
    bool reads = is_kind(expr, ExprKind::Call) && expr->symbol() == func;
    const size_t count = is_kind(expr, ExprKind::Select) ? 1 : expr->args().size();
    for (size_t i = 0; i < count && !reads; i++) {
        reads = reads_always(expr->arg(i), func, known);
    }
    known.emplace(expr, reads);
    return reads;
}

/// Whether a consumer reads the Func unconditionally: then it is produced wherever it is computed.
bool is_always_read(const FuncInProgress &func, FuncId read) {
    const Symbol &symbol = func.graph().func(read).symbol;
    const std::vector<Consumer> &consumers = func.views.consumers(read);
    return std::any_of(consumers.begin(), consumers.end(), [&](const Consumer &consumer) {
        const std::vector<Access> &calls = func.views.accesses(consumer).calls;
        const Stage &stage = func.graph().stage(consumer);
        const std::vector<Expr> exprs = stage_exprs(stage);
        ExprMap<bool> known;
        return std::any_of(calls.begin(), calls.end(),
                           [&](const Access &call) { return call.symbol == symbol && !call.condition.defined(); }) &&
               !stage.predicate.defined() && std::any_of(exprs.begin(), exprs.end(), [&](const Expr &expr) {
                   return reads_always(expr, symbol, known);
               });
    });
}

class Walk {
  public:
    Walk(const FuncInProgress &func, const Box &region)
        : func_(func), views_(func.views), region_(region), moved_(region.size()) {
        result_.keeps.resize(region.size());
        for (const schedule::StorageDim &dim : func.schedule().storage) {
            if (dim.fold.defined()) {
                folded_.push_back(dimension_of(func.func(), dim.var));
            }
        }
    }

    InvariantLoops run() {
        Site at = func_.compute();
        bool enters = true;
        while (at != func_.store() && !at.is_root()) {
            const StageNest &owner = views_.nest(at.stage);
            if (enters) {
                enter(owner, at.loop.value);
                is_inside_shared_ = at.loop.value < owner.first_shared();
            }
            if (is_inside_shared_ && at.loop.value == owner.first_shared()) {
                break;
            }
            enters = at.loop.index() == owner.loops().size();
            if (!enters && !visit(owner, at)) {
                break;
            }
            if (enters && !leave(at)) {
                break;
            }
            at = enters ? views_.around(at) : at.outward();
        }
        return std::move(result_);
    }

  private:
    const FuncInProgress &func_;
    const SiteViews &views_;
    Box region_;
    // Without those that are independent:
    std::vector<Expr> ranges_;     // of the loops inside the current one that are not invariant
    std::vector<Expr> conditions_; // on the way to the site, in the first iterations of those that do
    SymbolMap<bool> visited_;      // loops
    std::vector<bool> moved_;      // by dimension, by a loop inside the current one
    std::vector<size_t> folded_;   // by directives
    bool is_inside_shared_ = false, moves_ = false, is_first_ = true;
    InvariantLoops result_;

    /// Whether a value is the same in terms of any loops further out.
    bool depends_on_no_loop(const Expr &value) const {
        bool independent = true;
        for_each_node(value, [&](const Expr &node) {
            independent =
                independent && (node->kind() != ExprKind::Variable || node->symbol().kind() == SymbolKind::Param ||
                                visited_.contains(node->symbol()) || views_.is_kept_at_root(node->symbol()));
        });
        return independent;
    }

    Expr in_loops(const StageNest &owner, const Expr &value) const {
        return analysis::strip_hints(views_.in_loops(owner, value));
    }

    /// The same for a value in terms of the loops of a nest inside.
    Expr converted(const StageNest &owner, const Expr &value) const {
        return is_first_ || !views_.is_in_loops(value) ? in_loops(owner, value) : value;
    }

    /// Converts all values to terms of the loops of a nest, and adds the conditions around its loop `inside`.
    void enter(const StageNest &owner, int inside) {
        for (Interval &side : region_) {
            side = {converted(owner, side.min), converted(owner, side.max)};
        }
        for (std::vector<Expr> *values : {&ranges_, &conditions_}) {
            std::erase_if(*values, [&](const Expr &value) { return depends_on_no_loop(value); });
            for (Expr &value : *values) {
                value = converted(owner, value);
            }
        }
        is_first_ = false;
        if (inside >= owner.first_shared()) {
            return; // the conditions of the stages are inside
        }
        for (const NestGuard &guard : owner.guards()) {
            const bool is_around = guard.kind == NestGuard::Kind::Body || guard.kind == NestGuard::Kind::Accesses;
            if (is_around && guard.depth >= inside) {
                conditions_.push_back(in_loops(owner, guard.condition));
            }
        }
    }

    /// Whether the production that contains the loops so far runs in each iteration of the loops around it, or in the
    /// first.
    bool leave(const Site &at) {
        const FuncId producer = at.func();
        return !views_.fusion(at.stage) &&
               !func_.graph().schedule(producer).marks.has(schedule::DirectiveName::memoize) &&
               is_always_read(func_, producer);
    }

    /// Decides on the loop of a site; false if nothing is known of loops further out.
    bool visit(const StageNest &owner, const Site &at) {
        const NestLoop &loop = owner.loops()[at.loop.index()];
        if (hides_loops(at.outward())) {
            return false;
        }
        bool moves = false;
        for (size_t d = 0; d < region_.size(); d++) {
            const bool moved = uses_symbol(region_[d].min, loop.var) || uses_symbol(region_[d].max, loop.var);
            moved_[d] = moved_[d] || moved;
            moves = moves || moved;
        }
        const auto &[min, extent] = views_.range_in_loops(owner, at.loop.value);
        visited_[loop.var] = true;
        if (!moves && is_invariant(loop)) {
            add(loop, at);
            for (Expr &condition : conditions_) {
                condition = substitute(condition, loop.var, min);
            }
            conditions_.push_back(less_equal(int32(1), extent));
        } else {
            moves_ = true;
            ranges_.push_back(min);
            ranges_.push_back(extent);
        }
        return !moves_ || !func_.graph().has_updates(func_.id);
    }

    bool is_invariant(const NestLoop &loop) const {
        return (loop.for_type == ForType::Serial || loop.for_type == ForType::Unrolled) &&
               std::none_of(ranges_.begin(), ranges_.end(),
                            [&](const Expr &value) { return uses_symbol(value, loop.var); }) &&
               std::all_of(conditions_.begin(), conditions_.end(),
                           [&](const Expr &condition) { return holds_before(condition, loop.var); }) &&
               std::none_of(folded_.begin(), folded_.end(), [&](size_t d) { return moved_[d]; });
    }

    void add(const NestLoop &loop, const Site &at) {
        result_.loops.push_back({at, less_equal(make_var(Int(32), loop.var), loop.min)});
        for (size_t d = 0; d < moved_.size(); d++) {
            result_.keeps[d] = result_.keeps[d] || moved_[d];
        }
    }

    bool hides_loops(const Site &outside) const {
        const auto hides = [&](const Expr &value) { return views_.hides_loops(value, outside); };
        return std::any_of(region_.begin(), region_.end(),
                           [&](const Interval &side) { return hides(side.min) || hides(side.max); }) ||
               std::any_of(ranges_.begin(), ranges_.end(), hides) ||
               std::any_of(conditions_.begin(), conditions_.end(), hides);
    }
};

bool encloses(const SiteViews &views, const Site &loop, Site inner) {
    while (!inner.is_root() && inner != loop) {
        const bool is_in_nest = inner.shares_nest(loop);
        if (is_in_nest) {
            return inner.loop < loop.loop;
        }
        inner = views.around(inner);
    }
    return inner == loop;
}

/// The loops around a Func's compute site in whose first iterations only a consumer is computed. Stages of Funcs that
/// share loops are computed for each other.
std::vector<InvariantLoop> first_iterations(const FuncInProgress &func, const Consumer &consumer) {
    std::vector<InvariantLoop> loops = func.views.invariant_loops(consumer.func);
    const size_t stages = func.graph().func(consumer.func).stages.size();
    for (size_t k = 0; k < stages && !loops.empty(); k++) {
        if (func.views.fusion({consumer.func, k})) {
            loops.clear();
        }
    }
    std::erase_if(
        loops, [&](const InvariantLoop &invariant) { return !encloses(func.views, invariant.loop, func.compute()); });
    return loops;
}

std::vector<InvariantLoop> in_common(const FuncInProgress &func) {
    std::vector<InvariantLoop> common;
    bool is_first = true;
    for (const Consumer &consumer : func.views.consumers(func.id)) {
        const std::vector<InvariantLoop> loops = first_iterations(func, consumer);
        if (std::exchange(is_first, false)) {
            common = loops;
        }
        std::erase_if(common, [&](const InvariantLoop &invariant) {
            return std::none_of(loops.begin(), loops.end(),
                                [&](const InvariantLoop &other) { return other.loop == invariant.loop; });
        });
    }
    return common;
}

} // namespace

InvariantLoops find_invariant_loops(const FuncInProgress &func, const Box &region) {
    if (func.is_output() || !func.windows.slides) {
        return {{}, std::vector<bool>(region.size())};
    }
    if (func.compute() == func.store()) {
        return {in_common(func), std::vector<bool>(region.size())};
    }
    return Walk(func, region).run();
}

} // namespace fluorite::loopnest
