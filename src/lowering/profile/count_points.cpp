// Counts for the recompute ratio of each Func: the points that its productions compute, and those that a run needs.
//
//   for y { produce f { S } consume f { T } }
//   -->
//   { let f.x.min = ... profile.needed("f", (f.x.max - f.x.min + 1) * (f.y.max - f.y.min + 1)) }
//   for y { produce f { profile.points("f", 3 * (x.max - x.min + 1)) S } consume f { T } }
// What a run needs of a Func is the box that it would compute at root. It is known from the outputs alone, so it costs
// nothing inside of loops; its lets are those of the nest with every Func at root. Points are those of the box of the
// pure definition: stores that a tail of a split repeats, and update stages, do not count.
//
// A production of a constant number of points is not counted by itself, as a count inside of an innermost loop would
// cost as much as the production: the runtime multiplies. Productions inside of vectorized loops, where one stands for
// several, and on devices are not counted at all.
//
// Relies on: the operations are placeholders that mark_profile replaces; passes keep them as they keep other statements
// with effects. Where a region depends on what is read of an input, or on an extern stage, nothing is known at entry.
// Cost: bounds inference once more.

#include "lowering/profile/count_points.h"

#include "loopnest/explain/schedule_cost.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <optional>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

/// The points of the box that the first definition computes; nothing if it has none.
std::optional<Expr> points_of(const BoundedLoopNest &nest, FuncId func) {
    if (func.index() >= nest.regions.funcs.size() || nest.regions.func(func).regions.empty()) {
        return std::nullopt;
    }
    const Region &region = nest.regions.func(func).regions[0];
    Expr points = make_int(Int(64), 1);
    for (size_t d = 0; d < region.min.size(); d++) {
        const Expr extent = plus_one(sub(region.max[d], region.min[d]));
        points = mul(points, make_cast(Int(64), make_binary(ExprKind::Max, extent, int32(0))));
    }
    return rewrite::simplify(points);
}

Stmt count(const char *operation, const std::string &func, const Expr &points) {
    return Evaluate::make(make_extern(Int(32), operation, std::vector<Expr>{make_string(func), points}));
}

bool is_counted_in(const LoopsAround &around) {
    return std::none_of(around.loops.begin(), around.loops.end(), [](const NestLoop *loop) {
        return loop->for_type == ForType::Vectorized || is_of_device(loop->for_type);
    });
}

/// Whether the value needs nothing but outputs and Params.
bool is_known_at_entry(const Expr &value) {
    bool is_known = true;
    for_each_node(value, [&](const Expr &node) {
        is_known = is_known && node->kind() != ExprKind::Image && node->kind() != ExprKind::Call &&
                   node->kind() != ExprKind::Extern;
    });
    return is_known;
}

} // namespace

Stmt count_points(const BoundedLoopNest &nest, FuncId func, bool always, ProfiledFuncs &funcs) {
    const std::optional<Expr> points = points_of(nest, func);
    const int number = funcs.number_of(nest.graph.func(func).user_name());
    if (!points || !is_counted_in(loops_around_func(nest, func))) {
        funcs.note_points(number, ProfiledFuncs::unknown);
        return {};
    }
    int64_t constant = 0;
    if (always && is_const_int(*points, &constant) && funcs.note_points(number, constant)) {
        return {};
    }
    funcs.note_points(number, ProfiledFuncs::counted);
    return count("profile.points", nest.graph.func(func).user_name(), *points);
}

Stmt count_needed_points(const schedule::ScheduledGraph &pipeline, const LowerOptions &options) {
    const Result<BoundedLoopNest> found = try_loop_nest(all_at_root(pipeline), {options.budget, false, {false, false}});
    if (!found) {
        return {};
    }
    const BoundedLoopNest &nest = *found;
    std::vector<SiteLet> lets;
    if (const auto at_root = nest.regions.lets.find(Site::root()); at_root != nest.regions.lets.end()) {
        std::copy_if(at_root->second.begin(), at_root->second.end(), std::back_inserter(lets),
                     [](const SiteLet &let) { return let.symbol.defined(); });
    }
    if (!std::all_of(lets.begin(), lets.end(), [](const SiteLet &let) { return is_known_at_entry(let.value); })) {
        return {};
    }
    std::vector<Stmt> counts;
    for (const FuncId func : nest.graph.order) {
        const std::optional<Expr> points = points_of(nest, func);
        const bool is_at_root = nest.placement.compute[func.index()].is_root(); // not so of inlined reductions
        if (points && is_at_root && is_known_at_entry(*points)) {
            counts.push_back(count("profile.needed", nest.graph.func(func).user_name(), *points));
        }
    }
    Stmt result = Block::make(counts);
    for (size_t i = lets.size(); result.defined() && i-- > 0;) {
        result = LetStmt::make(lets[i].symbol, lets[i].value, result);
    }
    return result;
}

} // namespace fluorite::lowering
