// The budget of copies of loop bodies.
//
// A chain of n sliding windows, each at a row of the next, has n nested loops over rows, each with a first and later
// iterations: cutting all of them gives 1.6^n pieces. Tiles in tiles give 3^n. With the budget the result has at most
// most_growth times the nodes, or large_result, plus the copies of small innermost loops, each of which is cut once.
//
// The share of a nest of 1,200 nodes is 32 copies; the first loop of two pieces leaves 31, of which the interior gets
// three quarters, so that eight loops inside each other are cut on the way to the innermost interior.

#include "lowering/loops/copy_budget.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The limits, in nodes. Of 216 pipelines that the tests of the applications compile, ten exceed them if all loops are
/// cut. Lowering takes some 40 microseconds for each node, and the code generator as much.
constexpr size_t large_result = 40'000;
constexpr size_t most_growth = 3;
/// Innermost loops up to this size are always cut: each is copied only once by this.
constexpr size_t small_innermost = 2'000;
/// What the interior gets of what a cut leaves; the copies get the rest together.
constexpr double part_of_interior = 0.75;
/// A search for hints costs as much as this part of a copy.
constexpr double cost_of_search = 1.0 / 16;
/// Nests with more loops inside each other than this share the budget. It is chosen and not measured: cutting all loops
/// of such a nest makes 2^12 pieces.
constexpr int deep_nest = 12;
/// How often each node that the budget permits may be in the body of a loop of a deep nest; beyond that, not even an
/// attempt is made to cut all loops.
constexpr size_t most_searches = 2;

} // namespace

const BodySizes::Size &BodySizes::of(const Stmt &stmt) {
    const auto found = known_.find(stmt.get());
    if (found != known_.end()) {
        return found->second.size;
    }
    Size size;
    size.has_loops = stmt.kind() == StmtKind::For;
    for_each_child_expr(stmt, [&](const Expr &expr) {
        for_each_node(expr, [&](const Expr &node) {
            size.nodes++;
            size.has_hints =
                size.has_hints || node->kind() == ExprKind::Likely || node->kind() == ExprKind::LikelyIfInnermost;
            size.has_windows = size.has_windows || (node->kind() == ExprKind::Select && node.type() == Int(32) &&
                                                    is_kind(node->arg(0), ExprKind::Likely));
        });
    });
    for_each_child_stmt(stmt, [&](const Stmt &child) {
        const Size &inner = of(child);
        size.nodes += inner.nodes;
        size.has_loops = size.has_loops || inner.has_loops;
        size.has_hints = size.has_hints || inner.has_hints;
        size.has_windows = size.has_windows || inner.has_windows;
        size.depth = std::max(size.depth, inner.depth);
        size.bodies += inner.bodies;
    });
    if (stmt.kind() == StmtKind::For && size.has_hints) {
        size.depth++;
        size.bodies += size.nodes;
    }
    return known_.emplace(stmt.get(), Known{stmt, size}).first->second.size;
}

CopyBudget::CopyBudget(const BodySizes::Size &statement, Policy policy)
    : policy_(policy), most_(std::max(large_result, most_growth * statement.nodes)), nodes_(statement.nodes),
      is_too_deep_(is_deep(statement) && statement.bodies > most_searches * most_) {
    if (policy == Policy::Shares && statement.nodes > 0) {
        share_ = static_cast<double>(most_ - statement.nodes) / static_cast<double>(statement.nodes);
    }
}

bool CopyBudget::is_deep(const BodySizes::Size &statement) { return statement.depth > deep_nest; }

bool CopyBudget::may_copy(const BodySizes::Size &body, int copies) const {
    return share_ >= copies || (!body.has_loops && body.nodes <= small_innermost);
}

CopyBudget::Split CopyBudget::split(const BodySizes::Size &body, size_t interior_nodes, int copies, bool cuts_copies) {
    const auto added = static_cast<size_t>(copies);
    nodes_ += interior_nodes + added * body.nodes;
    nodes_ -= std::min(nodes_, body.nodes);
    const Share left = std::max(share_ - copies, 0.0);
    if (copies == 0 || !cuts_copies) {
        return {left, 0};
    }
    return {left * part_of_interior, left * (1 - part_of_interior) / copies};
}

void CopyBudget::search() { share_ = std::max(share_ - cost_of_search, 0.0); }

} // namespace fluorite::lowering
