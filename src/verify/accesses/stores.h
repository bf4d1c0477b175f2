#pragma once
// Stores: where lowering has the iterations of a nest store, under which guard, and witnesses that memory then holds
// what the term says (proofs/Stores.v).

#include "verify/from_graph/convert.h"

#include <string>
#include <vector>

namespace fluorite::verify {

/// The store of a view of loops. Distinct iterations that store do so at distinct indices within the extents, and every
/// index gets the element of the iteration that the view shows there.
struct StorePlan {
    std::vector<Index> at; // over the loops, outermost dimension first
    Condition guard;       // an iteration stores only if it holds
    /// What of the guard is not a part of the schedule, but was left in for want of a proof: iterations that compute
    /// again what another one stores.
    Condition unproved;
    std::string text; // with the witnesses, as certificates have it
};

/// The stores of a program's views, in its order (an operand after the operator). Throws Unsupported, with the reason,
/// where there is no witness, or a view that is no reindexed nest.
std::vector<StorePlan> plan_stores(const Facts &facts, const Term &program, const Positions &positions);

/// How many views, hence stores, a program has.
size_t count_views(const Term &term);

std::vector<std::string> texts_of(const std::vector<StorePlan> &stores);

/// The loops of a nest, outermost first, each with its mark; what stands between them, each inside of the first `depth`
/// loops: tensors that are bound, and loops of updates, which start from a nest of the loops that are further in; and
/// what is inside of all. Nothing unless there are `count` loops.
struct MarkedLoop {
    std::string name;
    Index extent = 0;
    std::optional<Term::Mark> mark;
};
struct InnerNode {
    size_t depth = 0;
    std::string tensor;
    Term value = Term::number(0);     // of the binding; the start of the update
    std::optional<MarkedLoop> update; // its loop
};
struct Nest {
    std::vector<MarkedLoop> loops;
    std::vector<InnerNode> inner; // outermost first
    Term body = Term::number(0);
};
std::optional<Nest> nest_of(const Term &term, size_t count);
/// The step of an update whose loop is the innermost node of a nest: what it asks before it changes the accumulator,
/// and what it binds for that. Selects and bindings, outermost first.
std::vector<Term> step_of(const Nest &nest);
/// The conjuncts of a condition, and their conjunctions.
void parts_of(const Condition &condition, std::vector<Condition> &parts);
/// Whether a conjunct says which iteration of the loop it is.
bool is_equated(const Condition &part, const std::string &loop);
/// Whether a step changes the accumulator in one iteration of the loop at most, whatever decides which one.
bool is_written_at(const Nest &nest, size_t loop);
/// The name of the tensor that the term is an access of; empty if it is none.
std::string accessed_tensor(const Term &term);

} // namespace fluorite::verify
