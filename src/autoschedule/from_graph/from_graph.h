#pragma once
// Stage graphs of frozen pipelines.

#include "autoschedule/from_graph/stage_work.h"
#include "loopnest/loop_nest.h"

#include <vector>

namespace fluorite::autoschedule {

/// Vectors of a Func with updates along another loop than the first long one, along which it would gather; what it
/// reads is stored so that their lanes lie together.
struct Transposition {
    FuncId func;
    size_t loop = 0;
    std::vector<std::pair<FuncId, size_t>> stored; // Funcs, with the dimension that becomes their innermost one
};

/// A stage graph, and what its stages are in the pipeline.
struct DescribedPipeline {
    StageGraph graph;
    std::vector<FuncId> funcs;         // by stage
    std::vector<FuncId> inlined;       // in the pipeline's order
    std::vector<ir::FuncDef> computed; // by stage: with what is inlined into it
    /// By stage and loop that is exact: expressions of sizes, for conditions; undefined where they would be long.
    std::vector<std::vector<Expr>> extents;
    std::vector<Transposition> transpositions; // that may be worth a trial
    /// Outputs of the same loops, which nobody reads: their stages may be one.
    std::vector<FuncId> fusable_outputs;
    /// By stage: the names of further outputs that are computed in its loops.
    std::vector<std::vector<std::string>> fused_outputs;
    bool has_short_rows = false; // outputs whose first loop has few iterations, but at all sizes as many
};

/// What is inlined whatever that costs, where definitions allow it, what is not, and which vectors are transposed.
struct PlanOptions {
    std::vector<FuncId> inlined, kept;
    std::vector<Transposition> transpositions;
    bool fuses_outputs = false; // those of the same loops are one stage
    bool short_rows = false;    // vectors run along first loops that have few iterations, but at all sizes as many
};

/// What a schedule by hand has decided: which Funcs it is about, and which of these it inlines.
struct GivenFuncs {
    std::vector<FuncId> funcs, inlined;
};

/// Decides which Funcs are inlined, and describes the others at the given extents of the outputs (none: their
/// estimates). The pipeline's own
/// schedule counts for its promises and estimates only. Throws CompileError [auto-schedule-size] for the first size
/// that is not known, and what make_loop_nest throws.
DescribedPipeline describe_pipeline(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes,
                                    const LoadCosts &costs = {}, const PlanOptions &options = {},
                                    const GivenFuncs &given = {});

/// Takes back what is promised of a Func's region, as for one that is inlined, which has none.
inline void forget_region(schedule::FuncSchedule &func) {
    func.bounds.clear();
    func.on_region = {};
}

} // namespace fluorite::autoschedule
