#pragma once
// rfactor as rewriting: partial results of an update become a tensor of their own.
//
//     let f = (gen x. iter t k K start (t o e)) in ..
//     -->  loops of the reduction cut and ordered as the schedule had them, the kept ones outermost
//          let f = (gen x. iter t u U start (iter t s R t (t o e))) in ..
//     -->  iter_factor, where the step adds to one element: by laws of the operator
//          let f = (gen x. iter t u U start (t o (iter t s R unit (t o e)))) in ..
//     -->  reversed let_inline
//          let f_intm = (gen x. gen u. iter t s R unit (t o e)) in let f = (gen x. iter t u U start (t o f_intm[x][u])) in ..
//
// Relies on: language/rfactor.cpp, for the order of the loops and arguments of what it makes. Does not do: an update of
// a tuple or one that reads other elements than it writes, rfactor of partial results, rfactor that keeps every loop.

#include "schedule/schedule.h"
#include "verify/from_graph/convert.h"
#include "verify/rewrite/rewriter.h"

#include <set>
#include <string>
#include <vector>

namespace fluorite::verify {

/// The Func of partial results that the combination of an update, which rfactor has made, reads.
struct FactoredUpdate {
    size_t func = 0, stage = 0, partial = 0; // as graph.funcs of the rewritten pipeline
    schedule::StageSchedule before;          // the update's loops when rfactor was called
};
/// The updates of `pipeline.rewritten` that rfactor has made.
std::vector<FactoredUpdate> factored_updates(const schedule::ScheduledGraph &pipeline);

/// The rewritten graph with the updates as the program wrote them: nothing reads partial results there. Throws
/// Unsupported.
ir::Graph as_written(const schedule::ScheduledGraph &pipeline, const std::vector<FactoredUpdate> &factored);

/// Binds the partial results in a derivation that begins with `as_written`, and adds their tensor to the conversion.
/// `operators` gets those whose laws this needs. Throws Unsupported where it cannot be derived.
void bind_partial_results(Derivation &derivation, const schedule::ScheduledGraph &rewritten, const ir::Graph &written,
                          const FactoredUpdate &factored, Conversion &conversion, std::set<std::string> &operators);

} // namespace fluorite::verify
