// Part of libfluorite_planted.so: which fault is planted. It is a variable of the process, not of a thread, because
// lowering runs on a thread of its own. Cost: one read of it wherever a fault could be.

#include "tests/planted/plant.h"

#include <atomic>

namespace fluorite::planted {

namespace {

std::atomic<Fault> now = Fault::None;

} // namespace

bool is_planted(Fault fault) { return now == fault; }

PlantedFault::PlantedFault(Fault fault) : before_(now.exchange(fault)) {}

PlantedFault::~PlantedFault() { now = before_; }

} // namespace fluorite::planted
