#pragma once
// For tests that run the code of several targets: those that this machine, or the one for which it is taken, can run.

#include "ir/host_target.h"

#include <vector>

namespace fluorite {

/// Whether this machine has all instructions of the target.
inline bool runs_here(const Target &target) {
    return ir::find_missing_feature(target, get_host_target()) == Target::FeatureEnd;
}

/// The targets whose code runs here, in their order.
inline std::vector<Target> that_run_here(std::vector<Target> targets) {
    std::erase_if(targets, [](const Target &target) { return !runs_here(target); });
    return targets;
}

} // namespace fluorite
