#include "verify/witnesses/prover.h"

#include "verify/witnesses/proof_search.h"
#include "verify/witnesses/refute.h"

#include <algorithm>

namespace fluorite::verify {

// Searches for linear combinations, which is what proving costs. A goal that distinguishes many minima may need
// exponentially many; those that were found took fewer than a tenth of this.
constexpr int most_searches = 400;
constexpr int most_cases = 6; // of minima and maxima, one after the other; deeper ones than four were not met
// The same for parts of what stores need, of which there are few: two dimensions of pieces that move inwards, in a
// fused loop, take more than 400 searches and less than 1500. Reads of long chains of clamps would take as many, and
// their witnesses more text than the checker reads.
constexpr int most_searches_of_part = 1500, most_cases_of_part = 8;

static std::optional<std::string> search(const Facts &facts, const Condition &goal, int effort,
                                         Prover::Rounding rounding = Prover::Rounding::No, int cases = most_cases) {
    try {
        if (std::ranges::find(facts, goal) == facts.end() && is_refuted(facts, goal)) {
            return std::nullopt;
        }
        return Prover(facts, goal, effort, rounding).prove(goal, cases);
    } catch (const PolynomialOverflow &) {
        return std::nullopt;
    }
}

std::optional<std::string> find_witness(const Facts &facts, const Condition &goal) {
    return search(facts, goal, most_searches);
}
std::optional<std::string> find_witness_rounding(const Facts &facts, const Condition &goal) {
    return search(facts, goal, most_searches, Prover::Rounding::Yes);
}
// The parts of a right-nested conjunction, which ends in `true`.
static std::vector<Condition> conjuncts_of(Condition all) {
    std::vector<Condition> parts;
    for (; all.kind == Condition::Kind::And; all = Condition(all.operands[1])) {
        parts.push_back(all.operands[0]);
    }
    return parts;
}
std::optional<std::string> find_witness_in_turn(const Facts &facts, const Condition &all,
                                                std::vector<Condition> &left) {
    if (std::optional<std::string> witness = find_witness(facts, all)) {
        return witness;
    }
    Facts known = facts;
    left = conjuncts_of(all);
    std::string proved, conclusion = "true";
    size_t count = 0;
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < left.size() && !found; i++) {
            if (std::optional<std::string> witness =
                    search(known, left[i], most_searches_of_part, Prover::Rounding::No, most_cases_of_part)) {
                proved += "(have " + to_text(left[i]) + " " + *witness + " ";
                conclusion = "(and fact " + conclusion + ")";
                known.insert(known.begin(), left[i]);
                left.erase(left.begin() + std::ptrdiff_t(i));
                count++;
                found = true;
            }
        }
    }
    return left.empty() ? std::optional(proved + conclusion + std::string(count, ')')) : std::nullopt;
}

bool follows_easily(const Facts &facts, const Condition &goal) {
    return search(facts, goal, most_searches / 10).has_value();
}

} // namespace fluorite::verify
