#pragma once
// Scans: updates that read elements which they have written. In the term they are iterations that make a tensor of the
// one before; lowering keeps one tensor, which the loops of the schedule change in place (proofs/Scans.v).
//
// An *event* is an iteration of the reduction at one element; the loops of the definition are those of the reduction
// and then those over elements. For each iteration of the new loops the plan says which event it is, and for each event
// which iteration. Of two events of which one reads or writes what the other one writes, a witness shows that the new
// loops keep the order. Cost: witnesses for each read, twice as many as the reduction has loops and two more.

#include "verify/accesses/stores.h"
#include "verify/loops/new_loops.h"

#include <string>
#include <vector>

namespace fluorite::verify {

/// The loops of a scan, in the order of the schedule.
struct ScanLoops {
    std::string accumulator; // the tensor of its iterations in the term
    size_t rank = 0;
    std::vector<MarkedLoop> loops;
    std::vector<Index> from; // of an event, the iteration: over the loops of the definition
    std::vector<Index> at;   // of an iteration, the event: first the reduction's loops, then those over elements
    Condition guard;
    std::vector<Coverage> directives; // what is covered if the loops are right
};
struct ScanPlan {
    ScanLoops loops;
    std::string text; // as certificates have it
};

/// The iterations of a scan: the loops of its reduction, outermost first, those over elements, and the step.
struct ScanTerm {
    std::vector<Loop> reductions, elements;
    Term step = Term::number(0);
};
/// Nothing where the term, which begins with a loop of the reduction, is otherwise.
std::optional<ScanTerm> scan_of(const Term &term, size_t rank);

/// Nothing where a reduction's loop is fused, or one is missing.
std::optional<ScanLoops> scan_loops(const Term &term, const StageLoops &stage, const LoopPlan &plan);

/// Throws Unsupported.
ScanPlan plan_scan(const Facts &facts, const Term &program, const ScanLoops &loops);

} // namespace fluorite::verify
