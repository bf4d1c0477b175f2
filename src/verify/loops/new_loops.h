#pragma once
// From the splits, fusions and orders of a stage to the loops that replace its nest.
//
// Each directive changes three things: the loops, the expression of each old index over them, and the iteration that
// computes a given element. For `split(x, xo, xi, k)` with a guard:
//
//     x = xo*k + xi, if that is below the extent      xo = x / k, xi = x % k
//
// With tiles that move inwards x = min(xo*k, n - k) + xi, and xi = x - min(x/k*k, n - k). Tails are resolved as
// lowering does (loopnest/regions/stage_nest.cpp). What they compute beyond the region that is needed is a part of the
// region in the term (`widened`), hence needs no guard: whole pieces where they round up. Where pieces move inwards,
// that there is a whole one becomes a fact, or else the region has one at least.

#include "schedule/schedule.h"
#include "verify/coverage.h"
#include "verify/from_graph/convert.h"

namespace fluorite::verify {

/// A loop over elements or of a reduction, in the order of the schedule.
struct PlannedLoop {
    std::string user_name, word; // in the schedule; in terms
    std::optional<Term::Mark> mark;
    bool is_reduction = false;
};
/// A loop of a reduction in pieces, which is the loop `word` before.
struct ReductionSplit {
    std::string word;
    Pieces pieces;
    bool is_exact = true;
};
struct LoopPlan {
    bool possible = true;
    NewLoops loops;                     // over elements
    std::vector<ReductionSplit> splits; // in turn, of the loops of a reduction
    std::vector<PlannedLoop> order;     // of all loops, outermost first
    std::vector<Coverage> directives;   // except marks
    Facts needs;                        // that sizes by which a fused loop is divided are positive
};
/// The stage of a Func: its nest over elements, and the loops of its reduction, outermost first, with the user's names.
struct StageLoops {
    std::string func;
    int stage = 0;
    std::vector<Dimension> dims, reductions;
    std::vector<std::string> names, reduction_names; // as dims and reductions
    bool is_output = false;
    bool is_steady = true;                 // whether its extents are the same in all iterations of the loops around
    std::vector<std::string> written = {}; // those of `names` over which the stage has no loop: it computes the place
    std::string instance;                  // behind the names of its loops, where a stage has several nests
};
LoopPlan plan_loops(const StageLoops &loops, const schedule::StageSchedule &stage);

/// What align_bounds asks for: min % modulus == remainder, and an extent that is a multiple. Nothing where it is no
/// constant.
struct Alignment {
    int64_t modulus = 1, remainder = 0;
};
std::optional<Alignment> alignment_of(const schedule::Bound &bound);

/// The region of a dimension of a Func that is no output, as align_bounds asks for it and with what its stages' tails
/// compute beyond that. Where a stage is specialized, tails count that all its alternatives agree on.
Interval widened(const Interval &region, const schedule::FuncSchedule &schedule, const std::string &dim, bool is_steady,
                 const Assumptions &assumptions);

/// What the loops of the output demand of the size of a dimension: that it is a multiple, or holds a piece at least.
Facts size_facts(const schedule::StageSchedule &stage, const std::string &dim, const Index &extent);

/// What the tails of a nest demand of the extents of its loops over elements.
Facts tail_facts(const StageLoops &loops, const schedule::StageSchedule &stage);

/// The name of a loop in terms.
std::string loop_word(const std::string &func, int stage, const std::string &var, const std::string &instance = "");

} // namespace fluorite::verify
