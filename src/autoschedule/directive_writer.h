#pragma once
// Groups and their tiles as directives.

#include "autoschedule/from_graph/from_graph.h"
#include "autoschedule/roofline/roofline_cost.h"
#include "schedule/directives/table.h"

#include <string>
#include <vector>

namespace fluorite::autoschedule {

/// A stage with updates, of which the pure definition alone reads another stage, one slice of it for each iteration of
/// its outermost loop: those of the updates run over the result as a whole.
struct Reader {
    size_t stage = 0, loop = 0;
    size_t dimension = 0; // of what it reads
};

struct PlannedGroup {
    StageSet stages;
    TilePlan plan;
    /// Its lines were refused: without unrolling, and with conditions for all tails.
    bool is_plain = false;
    std::optional<Reader> reader = {}; // of a stage alone
};

/// The lines of a group. The first ones are needed: without them, it is another schedule than the planned one. Those of
/// each stage of a Func follow; an update may refuse them, and they are dropped then.
struct GroupLines {
    std::vector<schedule::Directive> lines;
    std::vector<std::vector<schedule::Directive>> optional_lines;
};

GroupLines lines_of(const DescribedPipeline &pipeline, const RooflineCost &cost, const PlannedGroup &group,
                    int threads);

} // namespace fluorite::autoschedule
