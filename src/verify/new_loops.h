#pragma once
// From the splits, fusions and orders of a stage to the loops that replace its nest.
//
// Each directive changes three things: the loops, the expression of each old index over them, and the iteration that
// computes a given element. For `split(x, xo, xi, k)` with a guard:
//
//     x = xo*k + xi, if that is below the extent      xo = x / k, xi = x % k
//
// With tiles that move inwards x = min(xo*k, n - k) + xi, and xi = x - min(x/k*k, n - k).

#include "schedule/schedule.h"
#include "verify/certify.h"

namespace fluorite::verify {

struct LoopPlan {
    bool possible = true;
    NewLoops loops;
    std::vector<std::string> user_names;          // of the new loops
    std::vector<std::optional<Term::Mark>> marks; // of the new loops
    std::vector<Coverage> directives;             // except marks
};
/// `dims` and `names` are the nest and the user's names of its loops, outermost first.
LoopPlan plan_loops(const std::string &func, const schedule::StageSchedule &stage, const std::vector<Dimension> &dims,
                    const std::vector<std::string> &names, bool is_output);

/// What the loops of the output demand of its sizes: that they are multiples, or hold a piece at least.
Facts size_facts(const schedule::StageSchedule &stage, const Tensor &output, const std::vector<std::string> &names);

/// The name of a loop in terms.
std::string loop_word(const std::string &func, int stage, const std::string &var);

} // namespace fluorite::verify
