#pragma once
// The compile report: what the code does beyond the schedule, and where it differs from the schedule.

#include "fluorite/target.h"
#include "loopnest/loop_nest.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

struct Remark {
    enum class Kind : uint8_t {
        Otherwise, // the schedule asks for something else
        Beyond,    // the schedule does not mention it
    };
    Kind kind = Kind::Beyond;
    ir::Symbol of; // a loop, a Func or a buffer
    std::string text;
    Target::Feature off = Target::FeatureEnd; // the feature that turns it off
};

/// The remarks that follow from the loop nest: sliding windows, circular buffers, changed tail strategies.
std::vector<Remark> remarks_of(const loopnest::BoundedLoopNest &nest);

/// The remarks as lines, each distinct one once with its count; a sentence that says so if there are none.
std::string report_text(const std::vector<Remark> &remarks, const loopnest::LoweringGraph &graph);

} // namespace fluorite::lowering
