#pragma once
// The compile report: what code does beyond the schedule, and what the schedule asks for and code does otherwise.

#include "fluorite/target.h"
#include "loopnest/loop_nest.h"
#include "machine/machine_model.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

struct Remark {
    enum class Kind : uint8_t {
        Otherwise, // the schedule asks for something else
        Beyond,    // the schedule says nothing of it
    };
    Kind kind = Kind::Beyond;
    ir::Symbol of; // a loop, a Func or a buffer
    std::string text;
    Target::Feature off = Target::FeatureEnd; // the feature that turns it off
};

/// What is known when the loop nest is: windows that slide, circular buffers, tails that are not those asked for.
std::vector<Remark> remarks_of(const loopnest::BoundedLoopNest &nest);

/// What is known when the code is: memory that the stack has no room for.
std::vector<Remark> remarks_of(const ir::Stmt &stmt, const machine::MachineModel &machine);

/// The remarks as lines, each once. Says so where there is none.
std::string report_text(const std::vector<Remark> &remarks, const loopnest::LoweringGraph &graph);

} // namespace fluorite::lowering
