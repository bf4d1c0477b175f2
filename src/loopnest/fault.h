#pragma once
// Classic mistakes of scheduling compilers, on request: a test that plants one sees whether it would have been noticed.
// Passes ask at the one place where each mistake would be made; nothing else plants.

#include <cstdint>

namespace fluorite::loopnest {

enum class Fault : uint8_t {
    None,
    Sliding, // a window starts one point too late: after the first iteration, the first new point is not computed
    Fold,    // a circular buffer that the compiler makes is one element too small: a live value is overwritten
    Storage, // memory is taken for one element too few along the last dimension
    Region,  // what is asked of an input misses the last element along its last dimension
    Halo,    // the union of shared loops misses the last iteration of a stage that reaches furthest
    Binder,  // a let that moves out of a loop stays in it, too: no value is wrong, but the IR is
};

bool is_planted(Fault fault);
/// What this thread has planted.
Fault planted_fault();

/// Plants a fault into what this thread lowers while the object lives.
class PlantedFault {
  public:
    explicit PlantedFault(Fault fault);
    ~PlantedFault();
    PlantedFault(const PlantedFault &) = delete;
    PlantedFault &operator=(const PlantedFault &) = delete;

  private:
    Fault before_;
};

} // namespace fluorite::loopnest
