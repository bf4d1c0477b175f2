#pragma once
// The kinds of growth: programs of any size, each of which grows in one respect only.

#include "fluorite/fluorite.h"

#include <vector>

/// The C function of extern stages; it is compiled against and never called.
extern "C" int compile_time_stage(fluorite_buffer_t *read, fluorite_buffer_t *computed);

namespace fluorite::compile_time {

struct Kind {
    const char *name;
    const char *unit; // what the size counts
    Pipeline (*make)(int size);
    int largest = 1000;                          // the sweep ends here
    Target::Feature device = Target::FeatureEnd; // of the device that runs the kernels; FeatureEnd: there are none
};

/// Chains of stages with each placement, boundary rule and split, and pyramids.
namespace chains {
std::vector<Kind> kinds();
}
/// Graphs and stages that grow in width: consumers, producers, values, taps, updates, specializations, dimensions.
namespace widths {
std::vector<Kind> kinds();
}
/// Expressions, and vectors, unrolled loops and splits of one stage.
namespace expressions {
std::vector<Kind> kinds();
}

/// Chains of stages that C functions compute; many inputs and outputs.
namespace externs {
std::vector<Kind> kinds();
}
/// Loops over the blocks and threads of a device.
namespace kernels {
std::vector<Kind> kinds();
}

} // namespace fluorite::compile_time
