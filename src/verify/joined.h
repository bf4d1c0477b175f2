#pragma once
// Bindings that share their loops (`compute_with`): they stand one inside of the other, and no nest of one reads
// another one, hence their iterations may run in any order (proofs/Joined.v).

#include "verify/rewriter.h"
#include "verify/stores.h"

#include <string>
#include <vector>

namespace fluorite::verify {

/// The bindings of Funcs whose loops are shared, down to the innermost shared one.
struct JoinedBindings {
    std::vector<std::string> tensors; // in plans: outermost binding first
    size_t loops = 0;                 // how many of their outer loops
};

/// Windows that slide along a loop, and bindings inside of it, if any, whose loops are shared (proofs/Beside.v).
struct BesideBindings {
    std::vector<std::string> windows;
    JoinedBindings nests;
};

/// Exchanges bindings until those of the group stand one inside of the other. Why it cannot be; empty if it is so.
std::string bring_together(Derivation &derivation, JoinedBindings &group);

/// The text of a certificate about a group that was brought together; `stores` are those of the program. Throws
/// Unsupported.
std::string plan_joined(const Term &program, const std::vector<StorePlan> &stores, const JoinedBindings &group);
/// The same of windows that slide; `sliding` is the number of the group, from 0 on, in which they do.
std::string plan_beside(const Term &program, const std::vector<StorePlan> &stores, const BesideBindings &group,
                        size_t sliding);

} // namespace fluorite::verify
