#pragma once
// Classic mistakes of scheduling compilers, planted on request: a test plants one and checks that it is detected.
//
// The compiler's sources contain none of them. tests/planted/faults.txt states each as a change of a source, with a
// condition; tools/mutate/plant.py applies the changes to copies of the sources, and the copies make the library
// libfluorite_planted.so (cmake/FluoritePlanted.cmake), which is never installed. A program that links libfluorite.so
// can plant none.

#include <cstdint>

namespace fluorite::planted {

enum class Fault : uint8_t {
    None,
    Sliding, // a window starts one point too late: later iterations do not compute their first new point
    Fold,    // a circular buffer that the compiler sizes is one element too small: a live value is overwritten
    Storage, // one element too few is allocated along the last dimension
    Region,  // the required region of an input lacks the last element along its last dimension
    Halo,    // the union of shared loops may lack the last iteration of the stage that reaches furthest
    Tail,    // the guard of a split excludes the last point of the loop, too
    Pieces,  // the number of pieces of a split is rounded down: the loop is truncated
    Window,  // the region that consumers need of a Func lacks the last element along its last dimension
    Rows,    // later iterations of a window that slides leave out the last of their new points
    Aligned, // the region that align_bounds asks for begins at the next multiple, not at the one before
    Order,   // the last two stages of Funcs run in the other order
    Still,   // a window that moves along one loop is taken to stand still: only the first iteration computes it
    Guard,   // the guard of a split is lost
    Carried, // threads of a block do not wait for what an iteration of the loop around has stored
    Reuse,   // memory of a block is given to another buffer although the next iteration reads it
    Binder,  // a let that is hoisted out of a loop also remains in it: values are right, but the IR is not
};

/// Whether compilations of this process make the mistake.
bool is_planted(Fault fault);

/// Plants a fault into what the process compiles during the lifetime of the object. Throws std::logic_error where the
/// program does not link libfluorite_planted.so and the fault is one.
class PlantedFault {
  public:
    explicit PlantedFault(Fault fault);
    ~PlantedFault();
    PlantedFault(const PlantedFault &) = delete;
    PlantedFault &operator=(const PlantedFault &) = delete;

  private:
    Fault before_;
};

} // namespace fluorite::planted
