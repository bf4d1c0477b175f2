// Loop partitioning: boundaries apart from the interior.
//
// What, for a clamped load in a loop:
//   for x in [0, +w) { f[x] = g[max(min(likely(x - 1), w - 1), 0)] }
//   -->
//   let begin = clamp(1, 0, w), end = clamp(w + 1, begin, w)
//   for x in [0, +begin)           { f[x] = g[max(min(x - 1, w - 1), 0)] }        prologue
//   for x in [begin, +end - begin) { f[x] = g[x - 1] }                            steady state
//   for x in [end, +w - end)       { ... as the prologue ... }                    epilogue
// A parallel loop keeps one range and chooses the body by an if, as three parallel loops would wait for each other.
//
// Method: hints mark what is likely (lowering/likely). Each likely node of the body gives bounds on the loop's variable within
// which its condition holds in all iterations of the loops inside (lowering/solve_condition); the steady state is where all of
// them hold. Conditions for which no bounds are found, or only bounds that read memory, stay as they are. A node that stands
// at several places must be solved at each. Outer loops first: the steady state of a loop is searched for further loops, its boundary pieces lose
// their hints, so a nest of n loops gives 2 n + 1 pieces and not 3^n; but boundary tiles are searched too.
//
// In the end every hint is gone, and indices of the steady state are brought into dense form.
//
// Relies on: flat IR after vectorizing, so that a mask of a tail is one condition of all lanes. Does nothing without hints,
// for loops marked Partition::Never, and (unless Always) for bodies beyond a size where copies cost more than they give; that
// size shrinks, in steps, where copies in copies would multiply the whole.
// Cost: linear in the body for each loop of a nest.

#include "analysis/max_of_mins.h"
#include "analysis/monotonic.h"
#include "lowering/late_passes.h"
#include "lowering/loops/constant_extent.h"
#include "lowering/loops/likely.h"
#include "lowering/loops/solve_condition.h"
#include "lowering/vector/vector_algebra.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <array>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The largest bodies that are worth copies.
struct Limits {
    size_t copied_body = 20'000;
    size_t cut_boundary = 2'000;
};

/// Copies of copies (tiles in tiles under an unrolled loop) multiply. Beyond this size and growth only smaller bodies are copied.
constexpr size_t large_result = 40'000;
constexpr size_t most_growth = 3;

Expr binary(ExprKind kind, const Expr &a, const Expr &b) { return vector_binary(kind, a, b, Use::Index); }

bool contains_kind(const Expr &expr, ExprKind kind) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) { found = found || node->kind() == kind; });
    return found;
}

bool has_hint(const Expr &expr) {
    return contains_kind(expr, ExprKind::Likely) || contains_kind(expr, ExprKind::LikelyIfInnermost);
}

/// Measures a body, and whether it holds loops, hints, and regions of windows that slide (which say what is likely of later iterations).
class BodyFacts : public Visitor {
  public:
    size_t nodes = 0;
    bool has_loops = false;
    bool has_hints = false;
    bool has_windows = false;

    explicit BodyFacts(const Stmt &body) { visit(body); }
    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) {
            nodes++;
            has_hints = has_hints || node->kind() == ExprKind::Likely || node->kind() == ExprKind::LikelyIfInnermost;
            has_windows = has_windows || (node->kind() == ExprKind::Select && node.type() == Int(32) &&
                                          is_kind(node->arg(0), ExprKind::Likely));
        });
    }
    void visit(const Stmt &stmt) override {
        has_loops = has_loops || stmt.kind() == StmtKind::For;
        recurse(stmt);
    }
};

/// Names bound inside expressions that hold hints are replaced by their values, so that conditions are over names of
/// statements only.
class HintedLetExpander : public Mutator {
  public:
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        return contains_kind(expr, ExprKind::Let) && has_hint(expr) ? expand_lets(expr) : expr;
    }
};

/// The likely nodes of a loop's body that have been given bounds.
class SteadyState {
  public:
    LoopBounds bounds;
    ExprMap<LikelyNode> solved;
    bool warms_up = false; // a condition says which iterations are first, as those of sliding windows do

    SteadyState(const For &loop, bool is_innermost) : var_(loop.var), is_innermost_(is_innermost) {
        collect(loop.body);
        for (const auto &[node, seen] : seen_) {
            if (!seen.failed) {
                solved.emplace(node, seen.likely);
            }
        }
        for (const Solution &solution : solutions_) {
            const auto at = solved.find(solution.node);
            if (at != solved.end()) {
                bounds.add(solution.bounds);
                const bool is_first = !solution.bounds.lower.empty() && solution.bounds.upper.empty() &&
                                      !solution.bounds.spans_inner_loops;
                warms_up = warms_up || (at->second.operand < 0 && is_first);
            }
        }
    }

    /// What was found of a node at one of its places. Of a minimum or maximum: the likely operand and the other one, free of hints
    /// and of lets of the body.
    struct Solution {
        Expr node;
        LoopBounds bounds;
        Expr taken, other;
    };
    const std::vector<Solution> &solutions() const { return solutions_; }

  private:
    struct Seen {
        LikelyNode likely;
        bool failed = false;
    };
    const Symbol &var_;
    bool is_innermost_;
    LetScope lets_;
    std::vector<InnerLoop> inner_;
    ExprMap<Seen> seen_;
    std::vector<Solution> solutions_;

    void collect(const Stmt &stmt) {
        for_each_child_expr(stmt, [&](const Expr &expr) { collect(expr); });
        if (const LetStmt *let = stmt.as<LetStmt>()) {
            lets_.push(let->symbol, let->value);
            collect(let->body);
            lets_.pop(let->symbol);
        } else if (const For *loop = stmt.as<For>()) {
            const Expr min = strip_hints(lets_.expand(loop->min));
            const Expr last =
                binary(ExprKind::Sub, add(min, strip_hints(lets_.expand(loop->extent))), make_one(Int(32)));
            inner_.push_back({loop->var, min, last});
            collect(loop->body);
            inner_.pop_back();
        } else {
            for_each_child_stmt(stmt, [&](const Stmt &child) { collect(child); });
        }
    }

    void collect(const Expr &expr) {
        if (!has_hint(expr)) {
            return;
        }
        ExprMap<bool> failed_here;
        for (const LikelyNode &likely : find_likely_nodes(expr)) {
            Seen &seen = seen_.try_emplace(likely.node, Seen{likely}).first->second;
            const bool counts = is_innermost_ || !likely.if_innermost;
            const std::optional<LoopBounds> solution =
                counts && !depends_on(likely.node, failed_here) ? solve(likely) : std::nullopt;
            if (solution) {
                const bool is_extreme = is_kind(likely.node, ExprKind::Min) || is_kind(likely.node, ExprKind::Max);
                const auto side = [&](int operand) {
                    return strip_hints(lets_.expand(likely.node->arg(static_cast<size_t>(operand))));
                };
                solutions_.push_back({likely.node, *solution, is_extreme ? side(likely.operand) : Expr(),
                                      is_extreme ? side(1 - likely.operand) : Expr()});
            } else {
                seen.failed = true;
                failed_here[likely.node] = true;
            }
        }
    }

    static bool depends_on(const Expr &node, const ExprMap<bool> &failed) {
        bool found = false;
        if (!failed.empty()) {
            for_each_node(node, [&](const Expr &inner) { found = found || failed.contains(inner); });
        }
        return found;
    }

    /// Bounds are computed before the loop, so they may not read what the loop could write.
    static bool is_pure(const LoopBounds &bounds) {
        auto reads = [](const Expr &bound) {
            return contains_kind(bound, ExprKind::Load) || contains_kind(bound, ExprKind::Extern) ||
                   contains_kind(bound, ExprKind::Print) || contains_kind(bound, ExprKind::Require);
        };
        return std::none_of(bounds.lower.begin(), bounds.lower.end(), reads) &&
               std::none_of(bounds.upper.begin(), bounds.upper.end(), reads) &&
               std::none_of(bounds.required.begin(), bounds.required.end(), reads);
    }

    std::optional<LoopBounds> solve(const LikelyNode &likely) const {
        const Expr condition = lets_.expand(likely.condition);
        const std::optional<LoopBounds> found =
            likely.is_negated ? solve_negation(condition, var_, inner_) : solve_condition(condition, var_, inner_);
        return found && is_pure(*found) ? found : std::nullopt;
    }
};

/// Puts the likely operand in place of each solved node.
class SteadyBody : public Mutator {
  public:
    explicit SteadyBody(const ExprMap<LikelyNode> &solved) : solved_(solved) {}

    Expr mutate(const Expr &expr) override {
        auto known = done_.find(expr);
        if (known != done_.end()) {
            return known->second;
        }
        Expr result = steady(expr);
        done_.emplace(expr, result);
        return result;
    }

    Stmt mutate(const Stmt &stmt) override {
        if (const IfThenElse *branch = stmt.as<IfThenElse>()) {
            const Expr condition = mutate(branch->condition);
            if (is_const(condition) && is_true(condition)) {
                return mutate(branch->then_case);
            }
        }
        return recurse(stmt);
    }

  private:
    const ExprMap<LikelyNode> &solved_;
    ExprMap<Expr> done_;

    Expr steady(const Expr &expr) {
        auto found = solved_.find(expr);
        if (found != solved_.end()) {
            const int operand = found->second.operand;
            return operand < 0 ? make_bool(true, expr.type().lanes()) : mutate(expr->arg(static_cast<size_t>(operand)));
        }
        const Expr result = recurse(expr);
        switch (result->kind()) {
        case ExprKind::And:
            return is_true(result->arg(0)) ? result->arg(1) : is_true(result->arg(1)) ? result->arg(0) : result;
        case ExprKind::Select:
            return is_true(result->arg(0)) ? result->arg(1) : result;
        case ExprKind::VectorReduce: {
            const bool all_true = is_kind(result->arg(0), ExprKind::Broadcast) && is_true(result->arg(0));
            return all_true ? make_bool(true, result.type().lanes()) : result;
        }
        default:
            return result;
        }
    }
};

/// Which solved nodes are steady in the pieces before and after the interior of an innermost loop, where it has one.
//   Before it: a node that only bounds the loop from above; one whose bound from below is known not to lie beyond the loop's begin.
//   After it: a node that only bounds it from below; a maximum whose operand grows with the loop; the minimum of a clamp whose operand
//   is known to exceed neither of the clamp's sides in any iteration.
// What is known comes from the values of the lets around: a stage's region lies inside of the box that its consumers clamp to, so of
// the taps of a stencil only the outer ones pay for a clamp in first and last vectors.
class EdgeState {
  public:
    ExprMap<LikelyNode> first, last;

    EdgeState(const For &loop, const SteadyState &steady, const SymbolMap<Expr> &lets)
        : loop_(loop), steady_(steady), lets_(lets) {
        for (const SteadyState::Solution &solution : steady.solutions()) {
            if (is_kind(solution.node, ExprKind::Max) && solution.node->arg_count() == 2) {
                const LikelyNode &likely = steady.solved.contains(solution.node) ? steady.solved.at(solution.node)
                                                                                 : LikelyNode{};
                if (likely.operand >= 0) {
                    least_[solution.node->arg(static_cast<size_t>(likely.operand))] = solution.other;
                }
            }
        }
        ExprMap<bool> not_first, not_last;
        for (const SteadyState::Solution &solution : steady.solutions()) { // operands come before their users
            not_first[solution.node] = not_first[solution.node] || !is_steady_before(solution, not_first);
            not_last[solution.node] = not_last[solution.node] || !is_steady_after(solution, not_last);
        }
        for (const auto &[node, likely] : steady.solved) {
            if (!not_first.contains(node) || !not_first.at(node)) {
                first.emplace(node, likely);
            }
            if (!not_last.contains(node) || !not_last.at(node)) {
                last.emplace(node, likely);
            }
        }
    }

  private:
    const For &loop_;
    const SteadyState &steady_;
    const SymbolMap<Expr> &lets_;
    ExprMap<Expr> least_; // of the minimum inside of a clamp: the clamp's lower side

    /// Whether nodes inside are steady, too: their steady forms have led to the bounds.
    static bool has_steady_operands(const Expr &node, const ExprMap<bool> &failed) {
        bool found = true;
        for_each_node(node, [&](const Expr &inner) {
            const auto at = failed.find(inner);
            found = found && (inner.same_as(node) || at == failed.end() || !at->second);
        });
        return found;
    }

    bool is_known(const Expr &condition) const {
        const Expr expanded = strip_hints(substitute(condition, lets_));
        if (rewrite::can_prove(expanded)) {
            return true;
        }
        return is_kind(expanded, ExprKind::LE) && analysis::is_at_most(expanded->arg(0), expanded->arg(1));
    }

    bool is_steady_before(const SteadyState::Solution &solution, const ExprMap<bool> &failed) const {
        return has_steady_operands(solution.node, failed) &&
               std::all_of(solution.bounds.lower.begin(), solution.bounds.lower.end(),
                           [&](const Expr &bound) { return is_known(less_equal(bound, loop_.min)); });
    }

    bool is_steady_after(const SteadyState::Solution &solution, const ExprMap<bool> &failed) const {
        if (solution.bounds.upper.empty() && has_steady_operands(solution.node, failed)) {
            return true;
        }
        if (is_kind(solution.node, ExprKind::Max)) {
            return grows(solution.taken) && !uses_symbol(solution.other, loop_.var);
        }
        const auto least = least_.find(solution.node);
        if (!is_kind(solution.node, ExprKind::Min) || least == least_.end()) {
            return false;
        }
        const Expr last = sub(add(loop_.min, loop_.extent), make_one(Int(32)));
        const auto required = required_throughout(
            vector_binary(ExprKind::LE, solution.taken, vector_binary(ExprKind::Max, solution.other, least->second, Use::Index),
                          Use::Index),
            {{loop_.var, loop_.min, last}});
        return required && std::all_of(required->begin(), required->end(),
                                       [&](const Expr &condition) { return is_known(condition); });
    }

    /// Whether no lane falls as the loop goes on.
    bool grows(const Expr &value) const {
        if (value.type().is_scalar()) {
            const analysis::Monotonic moves = analysis::monotonic_in(value, loop_.var);
            return moves == analysis::Monotonic::Increasing || moves == analysis::Monotonic::Constant;
        }
        switch (value->kind()) {
        case ExprKind::Ramp:
        case ExprKind::Broadcast:
            return grows(value->arg(0));
        case ExprKind::Add:
        case ExprKind::Min:
        case ExprKind::Max:
            return grows(value->arg(0)) && grows(value->arg(1));
        default:
            return false;
        }
    }
};

/// Removes hints, and brings indices of vectors into the form in which dense accesses are recognized.
class Finisher : public Mutator {
  public:
    Expr mutate(const Expr &expr) override {
        return transform(strip_hints(expr), [](const Expr &node) {
            const bool is_vector_load = node->kind() == ExprKind::Load && node.type().is_vector();
            return is_vector_load ? make_load(node.type(), node->symbol(), normalize_index(node->arg(0)), node->arg(1))
                                  : node;
        });
    }
    Stmt mutate(const Stmt &stmt) override {
        const Store *store = stmt.as<Store>();
        if (!store || store->value.type().is_scalar()) {
            return recurse(stmt);
        }
        return Store::make(store->buffer, mutate(store->value), normalize_index(mutate(store->index)),
                           mutate(store->predicate));
    }
};

class Partitioner : public Mutator {
  public:
    Partitioner(const PassContext &context, Limits limits) : context_(context), limits_(limits) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const For *loop = stmt.as<For>();
        const LetStmt *let = stmt.as<LetStmt>();
        if (let) {
            lets_[let->symbol] = let->value;
        }
        return loop ? partition(*loop) : recurse(stmt);
    }

  private:
    const PassContext &context_;
    Limits limits_;
    int windows_ = 0;      // that slide along loops around
    SymbolMap<Expr> lets_; // around; symbols are distinct, so that none has to be forgotten

    Stmt partition(const For &loop) {
        const BodyFacts facts(loop.body);
        const bool too_large = loop.partition != Partition::Always && facts.nodes > limits_.copied_body;
        const bool can_split = loop.for_kind == ForKind::Serial || loop.for_kind == ForKind::Parallel;
        if (!facts.has_hints) {
            return &loop;
        }
        if (loop.partition == Partition::Never || too_large || !can_split) {
            return recurse(Stmt(&loop));
        }
        const SteadyState steady(loop, !facts.has_loops);
        // All points of boundary tiles would be computed as those at boundaries: windows inside cut their own loops instead.
        const bool cuts_inside = steady.bounds.spans_inner_loops && facts.has_windows && !steady.warms_up;
        if (steady.solved.empty() || cuts_inside) {
            return recurse(Stmt(&loop));
        }
        return split(loop, steady, facts.nodes);
    }

    Stmt split(const For &loop, const SteadyState &steady, size_t nodes) {
        Stmt body = SteadyBody(steady.solved).mutate(loop.body);
        LoopBounds bounds = steady.bounds;
        if (steady.warms_up) {
            // Later iterations of windows compute single rows: loops over them end here, and hints inside are the outer loop's.
            body = rewrite::simplify(body);
            const Stmt single = For::make(loop.var, loop.min, loop.extent, loop.for_kind, body, loop.partition);
            const SteadyState rest(*single.as<For>(), !BodyFacts(body).has_loops);
            body = SteadyBody(rest.solved).mutate(body);
            bounds.add(rest.bounds);
        }
        windows_ += steady.warms_up ? 1 : 0;
        const Stmt interior = mutate(body);
        const bool has_prologue = !bounds.lower.empty() || !bounds.required.empty();
        const bool has_epilogue = !bounds.upper.empty();
        if (!has_prologue && !has_epilogue) {
            return For::make(loop.var, loop.min, loop.extent, loop.for_kind, interior, loop.partition);
        }
        const Expr loop_end = binary(ExprKind::Add, loop.min, loop.extent);
        const Expr begin_value = has_prologue ? begin_of(loop, bounds, loop_end) : loop.min;
        const Symbol begin = context_.symbols.fresh_let(loop.var.name() + ".steady_begin", begin_value);
        const Expr from = has_prologue ? make_var(Int(32), begin) : loop.min;
        const Expr end_value = has_epilogue ? end_of(bounds, from, loop_end) : loop_end;
        const Symbol end = context_.symbols.fresh_let(loop.var.name() + ".steady_end", end_value);
        const Expr to = has_epilogue ? make_var(Int(32), end) : loop_end;
        // Boundary tiles are cut further: most of their points are inside. Boundary rows are not: a nest of n loops over an
        // n-dimensional stencil gives 2 n + 1 pieces and not 3^n. First iterations of sliding windows are, as they fill them.
        const bool is_small = nodes <= limits_.cut_boundary;
        const bool cuts_boundary = steady.bounds.spans_inner_loops && is_small;
        const Stmt boundary = cuts_boundary ? mutate(loop.body) : strip_hints(loop.body);
        const Stmt first = !cuts_boundary && steady.warms_up && is_small ? mutate(loop.body) : boundary;
        windows_ -= steady.warms_up ? 1 : 0;
        Stmt result = loop.for_kind == ForKind::Parallel
                          ? choose(loop, has_prologue ? from : Expr(), has_epilogue ? to : Expr(), interior, boundary)
                          : pieces(loop, from, to, loop_end, {first, interior, boundary});
        if (const bool has_edges = windows_ > 0 && !BodyFacts(loop.body).has_loops && loop.for_kind == ForKind::Serial && has_prologue &&
                                   has_epilogue && has_vectors(steady.solved);
            has_edges) {
            const EdgeState edges(loop, steady, lets_);
            const Stmt before = strip_hints(SteadyBody(edges.first).mutate(loop.body));
            const Stmt after = strip_hints(SteadyBody(edges.last).mutate(loop.body));
            result = edge_pieces(loop, from, to, loop_end, {boundary, before, interior, after});
        }
        if (has_epilogue) {
            result = LetStmt::make(end, end_value, result);
        }
        return has_prologue ? LetStmt::make(begin, begin_value, result) : result;
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
            end = min_of(end, binary(ExprKind::Add, bound, make_one(Int(32))));
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
            const Expr extent = binary(ExprKind::Sub, end, begin);
            return is_zero(extent) ? Stmt() : For::make(loop.var, begin, extent, loop.for_kind, body, loop.partition);
        };
        const Stmt last = to.same_as(loop_end) ? Stmt() : piece(to, loop_end, bodies[2]);
        return Block::make({piece(loop.min, from, bodies[0]), piece(from, to, bodies[1]), last});
    }

    static bool has_vectors(const ExprMap<LikelyNode> &nodes) {
        return std::any_of(nodes.begin(), nodes.end(), [](const auto &each) { return each.first.type().is_vector(); });
    }

    /// Where there is no interior, the boundary is all there is.
    Stmt edge_pieces(const For &loop, const Expr &from, const Expr &to, const Expr &loop_end,
                     const std::array<Stmt, 4> &bodies) const {
        const Expr edge_value = make_select(less(from, to), loop.min, loop_end);
        const Symbol edge = context_.symbols.fresh_let(loop.var.name() + ".edge", edge_value);
        const Expr begin = make_var(Int(32), edge);
        auto piece = [&](const Expr &start, const Expr &end, const Stmt &body) {
            return For::make(loop.var, start, binary(ExprKind::Sub, end, start), loop.for_kind, body, loop.partition);
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
        const Stmt body = IfThenElse::make(inside, interior, boundary);
        return For::make(loop.var, loop.min, loop.extent, loop.for_kind, body, loop.partition);
    }
};

} // namespace

Stmt partition_loops(const Stmt &stmt, const PassContext &context) {
    if (!stmt.defined()) {
        return stmt;
    }
    const BodyFacts before(stmt);
    if (!before.has_hints) {
        return stmt;
    }
    const Stmt expanded = HintedLetExpander().mutate(stmt);
    const size_t most_nodes = std::max(large_result, most_growth * before.nodes);
    Limits limits;
    Stmt result = Partitioner(context, limits).mutate(expanded);
    while (limits.copied_body > 0 && BodyFacts(result).nodes > most_nodes) {
        limits = {limits.copied_body / 2, limits.cut_boundary / 2};
        result = Partitioner(context, limits).mutate(expanded);
    }
    return Finisher().mutate(result);
}

} // namespace fluorite::lowering
