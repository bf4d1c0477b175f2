// Which dimensions of a Func its distributed loops cut.
//
// Example: after split(y, yo, yi, 8), fuse(x, yo, tile) and distribute(tile), parts of dimension y begin at multiples
// of 8.
//
// Method: the steps that made the loops are followed backwards from the distributed loop to a dimension. The outer part
// of a split stands for `factor` coordinates an iteration; a fused loop is cut where its outer loop is. Stages may be
// split by different factors, before or after they are distributed: parts begin at multiples of all.
// Cost: linear in the steps.

#include "schedule/rank_layout.h"

#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "support/check.h"

#include <algorithm>
#include <numeric>

namespace fluorite::schedule {

LoopOrigin origin_of(const StageSchedule &schedule, const std::vector<std::string> &pure_args, const std::string &var) {
    const std::optional<size_t> loop = find_loop(schedule, var);
    if (loop && schedule.dims[*loop].is_rvar) {
        return {0, {}, "a loop of a reduction"};
    }
    std::string name = var;
    Expr tile = ir::make_int(Int(32), 1);
    for (size_t i = schedule.splits.size(); i-- > 0;) {
        const Split &step = schedule.splits[i];
        switch (step.kind) {
        case Split::Kind::Split:
            if (step.inner == name) {
                return {0, {}, "the inner part of a split"};
            }
            if (step.outer == name) {
                name = step.old_var;
                tile = rewrite::simplify(ir::make_binary(ir::ExprKind::Mul, tile, step.factor));
            }
            break;
        case Split::Kind::Fuse:
            name = step.old_var == name ? step.outer : name;
            break;
        case Split::Kind::Skew:
            if (step.outer == name || step.inner == name) {
                return {0, {}, "a loop of a skew"};
            }
            break;
        case Split::Kind::Rename:
            name = step.outer == name ? step.old_var : name;
            break;
        }
    }
    const auto dimension = std::find(pure_args.begin(), pure_args.end(), name);
    if (dimension == pure_args.end()) {
        return {0, {}, "no dimension of the Func"};
    }
    return {position_in(pure_args, dimension), tile, ""};
}

namespace {

/// A multiple of both tiles: the least one, where they are constants.
Expr common_tile(const Expr &a, const Expr &b) {
    const std::optional<int64_t> first = rewrite::constant_value(a), second = rewrite::constant_value(b);
    if (ir::equal(a, b) || (second && *second == 1)) {
        return a;
    }
    if (first && second && *first > 0 && *second > 0) {
        return ir::make_int(Int(32), std::lcm(*first, *second));
    }
    return rewrite::simplify(ir::make_binary(ir::ExprKind::Mul, a, b));
}

} // namespace

std::vector<RankDimension> rank_layout(const FuncSchedule &schedule, const std::vector<std::string> &pure_args) {
    std::vector<RankDimension> cuts;
    for (const StageSchedule &stage : schedule.stages) {
        const std::vector<LoopDim> loops = distributed_loops(stage.dims);
        check(cuts.empty() || loops.empty() || cuts.size() == loops.size(), "distribute compares the stages' cuts");
        for (size_t i = 0; i < loops.size(); i++) {
            const LoopOrigin origin = origin_of(stage, pure_args, loops[i].var);
            if (i == cuts.size()) {
                cuts.push_back({origin.dimension, loops[i].distributed.parts, origin.tile});
            } else {
                cuts[i].tile = common_tile(cuts[i].tile, origin.tile);
            }
        }
    }
    return cuts;
}

} // namespace fluorite::schedule
