#pragma once
// The first half of lowering, for those who explain it: inlined Funcs gone, sites resolved, regions known.

#include "lowering/inline.h"
#include "lowering/regions.h"

#include <memory>

namespace fluorite::lowering {

/// Throws what lowering would throw.
struct Front {
    Working working;
    Placement placement;
    SymbolSource symbols;
    LowerOptions options;
    std::unique_ptr<PassContext> context;
    Regions regions;

    explicit Front(const schedule::ScheduledGraph &pipeline) : working(inline_funcs(pipeline)) {
        placement = place(working);
        context = std::make_unique<PassContext>(working.pipeline, options, symbols);
        regions = infer_regions(working, placement, *context);
    }
};

} // namespace fluorite::lowering
