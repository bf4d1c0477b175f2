#pragma once
#include "autoschedule/from_graph/analyzed_pipeline.h"

namespace fluorite::autoschedule {

/// Marks what only moves values, and what a schedule by hand inlines. No sizes are needed.
void inline_trivial(AnalyzedPipeline &pipeline);
/// Marks what costs no more inlined than computed apart; see inlining.cpp. The pipeline is measured without what is
/// marked before.
void choose_inlined(AnalyzedPipeline &pipeline);

} // namespace fluorite::autoschedule
