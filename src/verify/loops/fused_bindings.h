#pragma once
// Bindings that share their loops (`compute_with`): they stand one inside of the other, and no nest of one reads
// another one, hence their iterations may run in any order. Certificates have these groups under `target_joined` and
// `target_beside`, as proofs/Joined.v and proofs/Beside.v name them.

#include "verify/accesses/stores.h"
#include "verify/rewrite/rewriter.h"

#include <string>
#include <vector>

namespace fluorite::verify {

/// The bindings of Funcs whose loops are shared, down to the innermost shared one.
struct FusedBindings {
    std::vector<std::string> tensors; // in plans: outermost binding first
    size_t loops = 0;                 // how many of their outer loops
};

/// Windows that slide along a loop, and bindings inside of it, if any, whose loops are shared (proofs/Beside.v).
struct FusedWindows {
    std::vector<std::string> windows;
    FusedBindings nests;
};

/// Exchanges bindings until those of the group stand one inside of the other. Why it cannot be; empty if it is so.
std::string bring_together(Derivation &derivation, FusedBindings &group);

/// The text of a certificate about a group that was brought together; `stores` are those of the program. Throws
/// Unsupported.
std::string plan_fused_bindings(const Term &program, const std::vector<StorePlan> &stores, const FusedBindings &group);
/// The same of windows that slide; `sliding` is the number of the group, from 0 on, in which they do.
std::string plan_fused_windows(const Term &program, const std::vector<StorePlan> &stores, const FusedWindows &group,
                               size_t sliding);

} // namespace fluorite::verify
