#pragma once
// Whether the values of a segment depend on where they are.

#include "distributed/pipeline_segments.h"

namespace fluorite::distributed {

/// Whether the segment computes beyond the edges what it computes inside, in each dimension that some view of the
/// pipeline repeats: its values depend on such a coordinate only through reads of what is repeated there, and of what
/// other segments compute. Then a rank may compute a value again, beyond an edge, instead of receiving it.
bool ignores_coordinates(const SegmentedPipeline &segmented, const PipelineSegment &segment);

} // namespace fluorite::distributed
