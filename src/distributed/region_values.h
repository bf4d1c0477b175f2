#pragma once
// What the regions that a pipeline reads and writes depend on.

#include "ir/lowered.h"

#include <set>

namespace fluorite::distributed {

/// The scalars and buffers that the answers of a module to bounds queries are computed from: of buffers, the mins,
/// extents or strides. By the objects behind symbols (ir::parameter_of), so arguments of tasks count as what they are.
struct RegionValues {
    std::set<const ir::Parameter *> parameters;
    /// An answer is computed from elements, so it may depend on all arguments.
    bool reads_elements = false;

    bool contains(const ir::Parameter *parameter) const { return reads_elements || parameters.count(parameter) > 0; }
};
RegionValues region_values(const ir::LoweredModule &module);

} // namespace fluorite::distributed
