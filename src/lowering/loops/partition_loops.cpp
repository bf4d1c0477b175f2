// Loop partitioning: separates the boundary from the interior.
//
// For a clamped load in a loop:
//   for x in [0, +w) { f[x] = g[max(min(likely(x - 1), w - 1), 0)] }
//   -->
//   let begin = clamp(1, 0, w), end = clamp(w + 1, begin, w)
//   for x in [0, +begin)           { f[x] = g[max(min(x - 1, w - 1), 0)] }        prologue
//   for x in [begin, +end - begin) { f[x] = g[x - 1] }                            steady state
//   for x in [end, +w - end)       { ... as the prologue ... }                    epilogue
// A parallel loop keeps one range and selects the body by an if, as three parallel loops would wait for each other.
//
// Method: hints mark what is likely (likely.h). Each likely node of the body gives bounds on the loop variable within
// which its condition holds in all iterations of the inner loops (solve_condition.h). The steady state is where all
// conditions hold. Conditions without bounds, or with bounds that read memory, stay. A node with several occurrences
// must be solved at each of them. Outer loops come first: the steady state of a loop is searched for further loops,
// while its boundary pieces lose their hints, so a nest of n loops gives 2 n + 1 pieces and not 3^n; but boundary tiles
// are searched too.
//
// Sliding windows tell which iterations are first. In later iterations they compute single rows, so the steady state is
// simplified, which removes the loops over rows, and searched once more. The first iteration fills the windows and is
// partitioned further, like boundary tiles. A loop around a window is not partitioned where the window partitions its
// own loop, and rows inside of windows, which may be short, get edge pieces (edge_state.h).
//
// At the end, all hints are removed, indices of vector accesses are normalized so that dense ones are recognized, and
// what is left of reads beyond mirrored and repeated edges gets a faster form (masked_edge_loads.h).
//
// Relies on: flat IR after vectorization, where the mask of a tail is one condition over all lanes. Does nothing
// without hints, for loops marked Partition::Never, and (unless Always) for bodies so large that copies cost more than
// they gain.
//
// Copies in copies grow exponentially with the depth of a nest, so the whole statement has a budget (copy_budget.h). If
// cutting all loops exceeds it, only smaller bodies are copied: the limits are halved until the result is small enough.
// In a nest of many loops, each of them gets a share of the budget instead. A loop marked Always that is cut in none of
// its copies is refused: the program counts on a body without conditions. Cost: linear in the budget.

#include "lowering/access/vector_algebra.h"
#include "lowering/late_passes.h"
#include "lowering/loops/copy_budget.h"
#include "lowering/loops/edge_state.h"
#include "lowering/loops/masked_edge_loads.h"
#include "rewrite/simplify.h"
#include "support/check.h"
#include "support/loop_name.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The largest bodies that are worth copying, in nodes.
struct Limits {
    size_t copied_body = 20'000;
    size_t cut_boundary = 2'000;
    Limits halved() const { return {copied_body / 2, cut_boundary / 2}; }
};

/// Loops whose extents are constants once the lets of the body are substituted, such as the distance between two ends
/// of a window, get these.
class ConstantExtents : public ScopedMutator {
    Stmt mutate_in_scope(const Stmt &stmt) override {
        const For *loop = stmt.as<For>();
        if (!loop || is_const(loop->extent)) {
            return recurse(stmt);
        }
        const Expr extent = rewrite::simplify(scope().expand(loop->extent), rewrite::Arithmetic::Index);
        return For::make(loop->var, loop->min, is_const(extent) ? extent : loop->extent, loop->for_kind,
                         mutate(loop->body), loop->partition);
    }
};

/// Removes hints, normalizes vector indices so that dense accesses are recognized, and chooses between stores at edges.
class Finisher : public Mutator {
  public:
    explicit Finisher(const NearEdges &edges) : edges_(edges) {}

    Expr mutate(const Expr &expr) override { return transform(strip_hints(expr), with_normal_index); }
    Stmt mutate(const Stmt &stmt) override {
        const Store *store = stmt.as<Store>();
        if (!store || store->value.type().is_scalar()) {
            return recurse(stmt);
        }
        const Stmt plain = Store::make(store->buffer, strip_hints(store->value), normalize_index(mutate(store->index)),
                                       mutate(store->predicate));
        const Stmt normal = normalized(plain);
        const std::optional<NearStore> near = edges_.near(*plain.as<Store>());
        return near ? IfThenElse::make(near->condition, normalized(near->store), normal) : normal;
    }

  private:
    const NearEdges &edges_;

    Stmt normalized(const Stmt &stmt) {
        const Store &store = *stmt.as<Store>();
        return Store::make(store.buffer, mutate(store.value), store.index, store.predicate);
    }
};

class Partitioner : public Mutator {
  public:
    Partitioner(const PassContext &context, NearEdges &near, BodySizes &sizes, Limits limits, const CopyBudget &budget)
        : context_(context), near_(near), sizes_(sizes), limits_(limits), budget_(budget) {}

    std::vector<Symbol> cut; // the partitioned loops
    /// Not partitioned, though the schedule asks for it, and why.
    std::vector<std::pair<Symbol, const char *>> kept_whole;
    /// Not partitioned somewhere, as copies have no share of the budget there; whether the schedule asks for it.
    std::map<Symbol, bool> over_budget;

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (budget_.is_exceeded()) {
            return stmt;
        }
        const For *loop = stmt.as<For>();
        const LetStmt *let = stmt.as<LetStmt>();
        if (let) {
            lets_[let->symbol] = let->value;
        }
        return loop ? partition(*loop) : recurse(stmt);
    }
    bool exceeds_budget() const { return budget_.is_exceeded(); }

  private:
    const PassContext &context_;
    NearEdges &near_;
    BodySizes &sizes_;
    Limits limits_;
    CopyBudget budget_;
    LoopLengths lengths_;
    int windows_ = 0;      // the number of enclosing loops along which windows slide
    SymbolMap<Expr> lets_; // in scope; symbols are distinct, so none has to be erased

    Stmt partition(const For &loop) {
        const BodySizes::Size size = sizes_.of(loop.body);
        const bool is_demanded = loop.partition == Partition::Always;
        const bool too_large = !is_demanded && size.nodes > limits_.copied_body;
        const bool can_split = loop.for_kind == ForKind::Serial || loop.for_kind == ForKind::Parallel;
        if (!size.has_hints) {
            note_whole_inside(&loop, "nothing in it is computed under a condition that is known to be likely");
            return &loop;
        }
        const bool is_left_out = !is_demanded && context_.options.leaves_out(Target::NoPartitioning);
        if (loop.partition == Partition::Never || is_left_out || too_large || !can_split) {
            return recurse(Stmt(&loop));
        }
        if (!budget_.may_copy(size, 1)) {
            over_budget[loop.var] = is_demanded;
            return recurse(Stmt(&loop));
        }
        const SteadyState steady(loop, !size.has_loops, lengths_);
        // A boundary tile would compute all of its points like boundary points. Windows inside partition their own
        // loops instead.
        const bool cuts_inside = steady.bounds.spans_inner_loops && size.has_windows && !steady.warms_up;
        if (steady.solved.empty() || cuts_inside) {
            note_whole(loop, cuts_inside ? "windows of other Funcs slide in it, whose loops are cut in its place"
                                         : "no likely condition in it holds for all but the ends of its iterations");
            return kept(loop);
        }
        if (!budget_.may_copy(size, copies(loop, steady.bounds))) {
            over_budget[loop.var] = is_demanded;
            return kept(loop);
        }
        return split(loop, steady, size);
    }

    /// The loop, in whose body hints have been searched for, with its inner loops partitioned.
    Stmt kept(const For &loop) {
        const CopyBudget::Share before = budget_.share();
        budget_.search();
        const Stmt result = recurse(Stmt(&loop));
        budget_.take(before);
        return result;
    }

    /// How many copies of the body are added to the interior.
    static int copies(const For &loop, const LoopBounds &bounds) {
        const bool has_prologue = !bounds.lower.empty() || !bounds.required.empty();
        const bool has_both = has_prologue && !bounds.upper.empty();
        return has_both && loop.for_kind != ForKind::Parallel ? 2 : 1;
    }

    void note_whole(const For &loop, const char *reason) {
        if (loop.partition == Partition::Always) {
            kept_whole.emplace_back(loop.var, reason);
        }
    }

    /// Of a loop and all loops inside of it.
    void note_whole_inside(const Stmt &stmt, const char *reason) {
        class Finder : public Visitor {
          public:
            Finder(Partitioner &partitioner, const char *reason) : partitioner_(partitioner), reason_(reason) {}
            using Visitor::visit;
            void visit(const Expr &) override {}
            void visit(const Stmt &inner) override {
                if (const For *loop = inner.as<For>()) {
                    partitioner_.note_whole(*loop, reason_);
                }
                recurse(inner);
            }

          private:
            Partitioner &partitioner_;
            const char *reason_;
        };
        Finder(*this, reason).visit(stmt);
    }

    Stmt split(const For &loop, const SteadyState &steady, const BodySizes::Size &size) {
        LoopBounds bounds;
        Stmt body = steady.warms_up ? later_iterations(loop, steady, bounds) : steady_body(loop.body, steady.solved);
        if (!steady.warms_up) {
            bounds = steady.bounds;
        }
        const bool has_prologue = !bounds.lower.empty() || !bounds.required.empty();
        const bool has_epilogue = !bounds.upper.empty();
        // Boundary tiles are partitioned further, as most of their points are interior. Boundary rows are not: a nest
        // of n loops over an n-dimensional stencil gives 2 n + 1 pieces and not 3^n. First iterations of sliding
        // windows are, as they fill the windows. Of a large tile, the small loops are: a stage whose points are clamped
        // one by one may be a small part of the code, and most of the time.
        const bool is_small = size.nodes <= limits_.cut_boundary;
        const bool cuts_boundary = steady.bounds.spans_inner_loops;
        const bool cuts_first = !cuts_boundary && steady.warms_up && is_small;
        const CopyBudget::Share before = budget_.share();
        const CopyBudget::Split shares =
            budget_.split(size, body.defined() ? sizes_.of(body).nodes : 0,
                          has_prologue || has_epilogue ? copies(loop, bounds) : 0, cuts_boundary || cuts_first);
        windows_ += steady.warms_up ? 1 : 0;
        budget_.take(shares.interior);
        const Stmt interior = body.defined() ? mutate(body) : Stmt();
        if (!has_prologue && !has_epilogue) {
            budget_.take(before);
            return loop_over(loop, loop.min, loop.extent, interior);
        }
        cut.push_back(loop.var);
        const Expr loop_end = index_binary(ExprKind::Add, loop.min, loop.extent);
        const Expr begin_value = has_prologue ? begin_of(loop, bounds, loop_end) : loop.min;
        const Symbol begin = context_.symbols.fresh_let(loop.var.name() + ".steady_begin", begin_value);
        const Expr from = has_prologue ? make_var(Int(32), begin) : loop.min;
        const Expr end_value = has_epilogue ? end_of(bounds, from, loop_end) : loop_end;
        const Symbol end = context_.symbols.fresh_let(loop.var.name() + ".steady_end", end_value);
        const Expr to = has_epilogue ? make_var(Int(32), end) : loop_end;
        budget_.take(shares.boundary);
        const Stmt boundary = !cuts_boundary ? strip_hints(loop.body)
                              : is_small     ? mutate(loop.body)
                                             : small_cut(loop.body);
        const Stmt first = cuts_first ? mutate(loop.body) : boundary;
        budget_.take(before);
        windows_ -= steady.warms_up ? 1 : 0;
        Stmt result = loop.for_kind == ForKind::Parallel
                          ? choose(loop, has_prologue ? from : Expr(), has_epilogue ? to : Expr(), interior, boundary)
                          : pieces(loop, from, to, loop_end, {first, interior, boundary});
        if (const bool has_edges = windows_ > 0 && !size.has_loops && loop.for_kind == ForKind::Serial &&
                                   has_prologue && has_epilogue && has_vectors(steady.solved);
            has_edges) {
            const EdgeState edges = find_edge_state(loop, steady, lets_);
            const auto edge_body = [&](const ExprMap<LikelyNode> &solved, NearEdges::Piece piece) {
                const Stmt steady_there =
                    steady_body(loop.body, solved, near_.found_beside_interior(loop.body, piece, edges));
                return steady_there.defined() ? strip_hints(steady_there) : Stmt();
            };
            const Stmt before = edge_body(edges.before, NearEdges::Piece::Before);
            const Stmt after = edge_body(edges.after, NearEdges::Piece::After);
            result = edge_pieces(loop, from, to, loop_end, {boundary, before, interior, after});
        }
        if (!result.defined()) {
            return {};
        }
        if (has_epilogue) {
            result = LetStmt::make(end, end_value, result);
        }
        return has_prologue ? LetStmt::make(begin, begin_value, result) : result;
    }

    /// A boundary tile of which loops are cut whose bodies are no larger than a tile that is cut as a whole.
    Stmt small_cut(const Stmt &tile) {
        const Limits limits = limits_;
        limits_.copied_body = std::min(limits_.copied_body, limits_.cut_boundary);
        const Stmt result = mutate(tile);
        limits_ = limits;
        return result;
    }

    /// The body in the iterations after the first. There, windows compute single rows, so loops over rows disappear,
    /// and the hints inside of them become hints of this loop. Had they been solved before, they would have to hold for
    /// all rows of the first iteration, which is too strict where two rows are computed together. The end of one window
    /// may become simple enough to be solved only after the end of another has been. Adds the bounds on the iterations.
    Stmt later_iterations(const For &loop, const SteadyState &steady, LoopBounds &bounds) {
        Stmt body = loop.body;
        std::optional<SteadyState> rest;
        constexpr int most_rounds = 4;
        for (int round = 0; round < most_rounds; round++) {
            const SteadyState::Part part = (rest ? *rest : steady).outside_inner_loops();
            if (part.solved.empty()) {
                break;
            }
            body = rewrite::simplify(ConstantExtents().mutate(steady_body(body, part.solved)));
            bounds.add(part.bounds);
            const Stmt single = body.defined() ? loop_over(loop, loop.min, loop.extent, body) : Stmt();
            if (!single.defined()) {
                return {};
            }
            rest.emplace(*single.as<For>(), !sizes_.of(body).has_loops, lengths_);
        }
        const SteadyState &last = rest ? *rest : steady;
        bounds.add(last.bounds);
        return steady_body(body, last.solved);
    }

    /// The loop over another range with another body; nothing if the body does nothing there.
    static Stmt loop_over(const For &loop, const Expr &min, const Expr &extent, const Stmt &body) {
        return body.defined() ? For::make(loop.var, min, extent, loop.for_kind, body, loop.partition) : Stmt();
    }

    static Expr begin_of(const For &loop, const LoopBounds &bounds, const Expr &loop_end) {
        Expr begin = loop.min;
        for (const Expr &bound : distinct(bounds.lower)) {
            begin = max_of(begin, bound);
        }
        if (!bounds.required.empty()) {
            Expr all = make_bool(true);
            for (const Expr &required : distinct(bounds.required)) {
                all = logical_and(all, required);
            }
            begin = make_select(all, begin, loop_end);
        }
        return min_of(begin, loop_end);
    }

    static Expr end_of(const LoopBounds &bounds, const Expr &begin, const Expr &loop_end) {
        Expr end = loop_end;
        for (const Expr &bound : distinct(bounds.upper)) {
            end = min_of(end, index_binary(ExprKind::Add, bound, make_one(Int(32))));
        }
        return max_of(end, begin);
    }

    static std::vector<Expr> distinct(std::vector<Expr> exprs) {
        std::sort(exprs.begin(), exprs.end(), [](const Expr &a, const Expr &b) { return compare(a, b) < 0; });
        exprs.erase(std::unique(exprs.begin(), exprs.end(), [](const Expr &a, const Expr &b) { return equal(a, b); }),
                    exprs.end());
        return exprs;
    }

    static Stmt pieces(const For &loop, const Expr &from, const Expr &to, const Expr &loop_end,
                       const std::array<Stmt, 3> &bodies) {
        auto piece = [&](const Expr &begin, const Expr &end, const Stmt &body) {
            const Expr extent = index_binary(ExprKind::Sub, end, begin);
            return is_zero(extent) ? Stmt() : loop_over(loop, begin, extent, body);
        };
        const Stmt last = to.same_as(loop_end) ? Stmt() : piece(to, loop_end, bodies[2]);
        return Block::make({piece(loop.min, from, bodies[0]), piece(from, to, bodies[1]), last});
    }

    static bool has_vectors(const ExprMap<LikelyNode> &nodes) {
        return std::any_of(nodes.begin(), nodes.end(), [](const auto &each) { return each.first.type().is_vector(); });
    }

    /// Without an interior, the boundary piece covers the whole range.
    Stmt edge_pieces(const For &loop, const Expr &from, const Expr &to, const Expr &loop_end,
                     const std::array<Stmt, 4> &bodies) const {
        const Expr edge_value = make_select(less(from, to), loop.min, loop_end);
        const Symbol edge = context_.symbols.fresh_let(loop.var.name() + ".edge", edge_value);
        const Expr begin = make_var(Int(32), edge);
        auto piece = [&](const Expr &start, const Expr &end, const Stmt &body) {
            return loop_over(loop, start, index_binary(ExprKind::Sub, end, start), body);
        };
        const Expr interior = max_of(from, begin), after = max_of(to, begin);
        return LetStmt::make(edge, edge_value,
                             Block::make({piece(loop.min, begin, bodies[0]), piece(begin, interior, bodies[1]),
                                          piece(interior, after, bodies[2]), piece(after, loop_end, bodies[3])}));
    }

    static Stmt choose(const For &loop, const Expr &from, const Expr &to, const Stmt &interior, const Stmt &boundary) {
        const Expr var = make_var(Int(32), loop.var);
        const Expr after = from.defined() ? less_equal(from, var) : Expr();
        const Expr before = to.defined() ? less(var, to) : Expr();
        const Expr inside = !after.defined() ? before : !before.defined() ? after : logical_and(after, before);
        const Stmt body = interior.defined()   ? IfThenElse::make(inside, interior, boundary)
                          : boundary.defined() ? IfThenElse::make(make_unary(ExprKind::Not, inside), boundary)
                                               : Stmt();
        return loop_over(loop, loop.min, loop.extent, body);
    }
};

/// Refuses a loop that is not partitioned though the schedule asks for it.
[[noreturn]] void refuse_whole(const Symbol &loop, const char *reason, const PassContext &context) {
    const FuncDef *func = context.func_of(loop);
    const schedule::LoopDim *dim = context.loop_dim_of(loop);
    throw CompileError("partition-not-made",
                       concat("in ", func ? func->name() : std::string("the pipeline"), ", stage ",
                              std::max(loop.owner().stage, 0), ": loop ",
                              with_dotted_loops(dim ? dim->var : loop.name()),
                              " is to be partitioned always, and it is not: ", reason,
                              "; a loop is cut where conditions of boundaries and tails are needed at its ends only; "
                              "leave it to partition(Partition::Auto), or name the loop whose ends need them"),
                       dim    ? dim->partitioned
                       : func ? func->location
                              : Location());
}

/// Reports the loops that are partitioned and those that could be; refuses those that are not though they have to be.
void report(const Partitioner &partitioner, const PassContext &context) {
    const std::set<Symbol> cut(partitioner.cut.begin(), partitioner.cut.end());
    for (const Symbol &loop : partitioner.cut) {
        context.beyond(loop, "cut into boundary and interior", Target::NoPartitioning);
    }
    for (const auto &[loop, reason] : partitioner.kept_whole) {
        if (!cut.contains(loop)) {
            refuse_whole(loop, reason, context);
        }
    }
    for (const auto &[loop, is_demanded] : partitioner.over_budget) {
        if (cut.contains(loop)) {
            context.beyond(loop, "not cut in all of its copies, which would be too large together");
        } else if (is_demanded) {
            refuse_whole(loop, "all copies of the nest's loops would be too large together", context);
        } else {
            context.beyond(loop, "not cut into boundary and interior, as all copies of the nest's loops would be too "
                                 "large together");
        }
    }
}

} // namespace

Stmt partition_loops(const Stmt &stmt, const PassContext &context) {
    if (!stmt.defined()) {
        return stmt;
    }
    BodySizes sizes;
    const BodySizes::Size before = sizes.of(stmt);
    const Stmt expanded = before.has_hints ? expand_hinted_lets(stmt) : stmt;
    NearEdges edges(expanded, context);
    const auto attempt = [&](Limits limits, CopyBudget::Policy policy) {
        const CopyBudget budget(before, policy);
        Partitioner partitioner(context, edges, sizes, limits, budget);
        const Stmt result = partitioner.mutate(expanded);
        const bool is_small =
            !partitioner.exceeds_budget() && budget.admits(result.defined() ? sizes.of(result) : BodySizes::Size());
        if (is_small) {
            report(partitioner, context);
        }
        return is_small ? std::optional(result) : std::nullopt;
    };
    const bool shares = CopyBudget::is_deep(before);
    std::optional<Stmt> result = attempt({}, CopyBudget::Policy::AllOrNothing);
    for (Limits limits = Limits().halved(); !result; limits = limits.halved()) {
        result = shares || limits.copied_body == 0 ? attempt(shares ? Limits() : limits, CopyBudget::Policy::Shares)
                                                   : attempt(limits, CopyBudget::Policy::AllOrNothing);
    }
    return before.has_hints ? Finisher(edges).mutate(*result) : stmt;
}

} // namespace fluorite::lowering
