// Faults that are planted on request, by thread.

#include "lowering/fault.h"

namespace fluorite::lowering {

namespace {

thread_local Fault planted = Fault::None;

} // namespace

bool is_planted(Fault fault) { return planted == fault; }

PlantedFault::PlantedFault(Fault fault) : before_(planted) { planted = fault; }

PlantedFault::~PlantedFault() { planted = before_; }

} // namespace fluorite::lowering
