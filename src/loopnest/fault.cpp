// Faults that are planted on request.
//
// The planted fault is a thread-local variable, so it affects only what this thread lowers during the lifetime of a
// PlantedFault. Each pass queries it in the expression that the mistake would affect: the ends of a sliding window
// (sliding.cpp), loops along which a window stands still (still_loops.cpp), the size of a circular buffer (folds.cpp),
// the end of the union of shared loops (shared_loops.cpp), the required region of inputs (root_boxes.cpp) and of Funcs,
// aligned or not (infer_func.cpp), the pieces and guards of splits (stage_nest.cpp), the order of stages
// (fused_loops.cpp), the storage of a Func (storage.cpp), a hoisted let (hoist_invariants.cpp). Only tests and the
// fuzzer plant faults. Cost: one read of a thread-local variable for each window, circular buffer, shared loop, input,
// Func, split, storage or hoisted let.

#include "loopnest/fault.h"

namespace fluorite::loopnest {

namespace {

thread_local Fault planted = Fault::None;

} // namespace

bool is_planted(Fault fault) { return planted == fault; }

Fault planted_fault() { return planted; }

PlantedFault::PlantedFault(Fault fault) : before_(planted) { planted = fault; }

PlantedFault::~PlantedFault() { planted = before_; }

} // namespace fluorite::loopnest
