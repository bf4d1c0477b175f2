#pragma once
// Certificates of schedules: from a pipeline as it is written to the loops that its schedule asks for, by rewriting.
//
// Method. `convert` gives the source. Then, from the last Func to the first: a Func that is inlined is inlined; one at
// root keeps its binding; for one that is computed at a loop, a window of it is bound inside of that loop, as large as
// interval analysis finds the reads of one iteration, all reads are moved to the window, and then the Func itself is
// inlined into the definition of the window. The loops of each are replaced by those of its schedule in one step
// (`reindex`), whatever splits, fusions and orders lead to them; marks follow. Every side condition gets a witness.
//
// Relies on nothing that lowering decides: the program that it arrives at follows from the schedule's text alone.
// The checker decides whether the certificate is right.

#include "schedule/schedule.h"
#include "verify/accesses/stores.h"
#include "verify/coverage.h"
#include "verify/from_graph/convert.h"
#include "verify/loops/fused_bindings.h"
#include "verify/loops/scans.h"

#include <set>
#include <string>
#include <vector>

namespace fluorite::verify {

/// A binding of the target: elements of a Func, from the point `mins` on, over the loops around; which dimension of the
/// Func each index is; of which number its extent in memory is a multiple. Outermost in memory first.
struct Origin {
    size_t func = 0;
    std::vector<Index> mins;
    std::vector<size_t> dimensions;
    std::vector<int64_t> alignments = {}; // may have fewer entries than there are indices: 1
};

/// What a certificate is about, for lowering.
struct ScheduledTerm {
    Conversion conversion;
    Facts facts;
    Term program = Term::number(0);
    std::vector<StorePlan> stores;         // of the program's views, in its order
    std::map<std::string, Origin> origins; // by the names of bindings and of the output; accumulators have none
    std::vector<FusedBindings> fused_bindings;
    std::vector<ScanPlan> scans; // whose loops are those of the schedule
};

struct Certified {
    std::string text;                    // the certificate; empty if there is none
    std::string reason;                  // why there is none
    bool reads = false;                  // whether the certificate shows that reads are in bounds
    std::string no_reads;                // if not: which read
    bool asks_for_mins = false;          // whether coordinates depend on where inputs begin
    std::string no_stores;               // why it does not say where iterations store; empty if it does
    std::optional<ScheduledTerm> target; // if there is a certificate that says both
    std::set<std::string> reordered;     // operators that the steps take for associative and commutative
    bool reassociates = false;           // whether one of them is so up to rounding only
    size_t steps = 0, stages = 0;
    std::vector<Coverage> directives;
    std::vector<std::string> programs; // with keep_programs: the program before and after each step
};

struct CertifyOptions {
    std::vector<int64_t> extents; // of the output, the first dimension first; others stay symbolic
    bool keep_programs = false;
    /// Whether inputs whose sizes the program asks for begin at 0; certify() tries so where reads have no witness else.
    bool inputs_at_zero = false;
};

/// Never throws because of what the pipeline is.
Certified certify(const schedule::ScheduledGraph &pipeline, const CertifyOptions &options = {});

} // namespace fluorite::verify
