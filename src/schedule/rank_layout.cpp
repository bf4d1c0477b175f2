// Which dimensions of a Func its distributed loops cut.
//
// Example: after split(y, yo, yi, 8), fuse(x, yo, tile) and distribute(tile), parts of dimension y begin at multiples
// of 8.
//
// Method: the steps that made the loops are followed backwards from the distributed loop to a dimension. The outer part
// of a split stands for `factor` coordinates an iteration; a fused loop is cut where its outer loop is.
// Cost: linear in the steps.

#include "schedule/rank_layout.h"

#include "rewrite/simplify.h"
#include "schedule/directives/common.h"

#include <algorithm>

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
    return {static_cast<size_t>(dimension - pure_args.begin()), tile, ""};
}

std::vector<RankDimension> rank_layout(const FuncSchedule &schedule, const std::vector<std::string> &pure_args) {
    for (const StageSchedule &stage : schedule.stages) {
        std::vector<RankDimension> cuts;
        for (const LoopDim &dim : distributed_loops(stage.dims)) {
            const LoopOrigin origin = origin_of(stage, pure_args, dim.var);
            cuts.push_back({origin.dimension, dim.distributed.parts, origin.tile});
        }
        if (!cuts.empty()) {
            return cuts;
        }
    }
    return {};
}

} // namespace fluorite::schedule
