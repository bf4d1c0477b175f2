// Faults that are planted on request.
//
// A planted fault is a value of the thread that lowers: others, and what this one lowers before and after, are not
// concerned. Passes ask where the mistake would be made, in one expression each: the end of a window (sliding.cpp), the
// size of a circle (folds.cpp), the end of the union of shared loops (shared_loops.cpp), the region that is asked of
// inputs (root_boxes.cpp), the memory of a Func (storage.cpp), a let that moves (hoist_invariants.cpp). Only tests and
// the fuzzer plant faults.
// Cost: one read of a thread's variable for each window, circle, shared loop, input, storage or moving let.

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
