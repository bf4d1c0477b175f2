#pragma once
// Where each Func is computed and stored, and which stages share loops.

#include "schedule/placement_rules.h"

#include <functional>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// The sites of all Funcs. Vectors are indexed by FuncId; entries of Funcs that are not computed are root.
struct Placement {
    std::vector<Site> compute, store;
    std::vector<Site> hoist; // where memory is allocated: the store site, or further out
    FusedStages fused;

    /// Null if the stage has its own loops.
    const Fusion *fusion(StageId stage) const {
        const auto found = fused.find(stage);
        return found == fused.end() ? nullptr : &found->second;
    }
    /// The site around the loop nest of a site's stage: the innermost shared loop, or where its Func is computed.
    Site around(const Site &site) const { return schedule::around(site, compute, &fused); }
    /// The sites that enclose the body of a stage, from root inward.
    std::vector<Site> path_of(const Schedule &schedule, StageId stage) const;
};

/// How messages call a stage, such as `f.update(0)`.
using StageNames = std::function<std::string(StageId)>;
/// The text of a site for messages, such as `loop y of f.update(0)`.
std::string site_text(const Schedule &schedule, const Site &site, const StageNames &names);

} // namespace fluorite::schedule
