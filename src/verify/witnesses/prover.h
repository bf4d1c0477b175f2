#pragma once
// Witnesses of side conditions. The checker proves nothing by itself: for each condition a certificate has a witness,
// which combines facts (proofs/Solver.v). This finds witnesses; what it finds is checked like everything else.
//
// Method: conditions are taken apart. For an inequality, the facts and what is known of quotients, minima and maxima
// are linear inequalities; their unknowns are names, products, and those operations as opaque terms, in the order in
// which the checker lists them. The simplex algorithm finds multipliers with which they contradict the negated goal.
// Where there are none, it gives a model: values at which the inequalities hold and the goal does not. The model may
// give a minimum or maximum a value that is neither operand; then its two cases are proved one by one. It may order two
// quotients wrongly; then a lemma states their order. If neither is so, the model is a counterexample, and there is no
// proof. Proofs that need products of facts are not found.

#include "verify/terms/term.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::verify {

using Facts = std::vector<Condition>;

/// The text of a witness that the condition follows from the facts.
std::optional<std::string> find_witness(const Facts &facts, const Condition &goal);
/// A witness of a conjunction in which each part is a fact for those that are proved after it: that an inner loop is
/// the one that is meant follows from the outer loop's being so. Without one, `left` gets the parts that are not
/// proved, the others being facts.
std::optional<std::string> find_witness_in_turn(const Facts &facts, const Condition &all, std::vector<Condition> &left);
/// The same, with more of an effort about quotients: where their difference is no integer in a model, on which side of
/// it the difference of integers lies. For questions about remainders; most have no need of it, and pay for it.
std::optional<std::string> find_witness_rounding(const Facts &facts, const Condition &goal);
/// The same as find_witness with a tenth of the effort, for what is convenient to know and not needed.
bool follows_easily(const Facts &facts, const Condition &goal);

/// A sum of products of names and opaque terms: equal for expressions that differ in the order of sums and products
/// only. Numbers that leave 127 bits give nothing.
bool equal_up_to_ring(const Index &a, const Index &b);
/// The expression with its sums and products multiplied out and sorted.
Index simplified(const Index &index);

} // namespace fluorite::verify
