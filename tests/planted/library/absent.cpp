// What programs link that ask for faults and have none in their library: the fuzzer, as it is used.

#include "tests/planted/plant.h"

#include <stdexcept>

namespace fluorite::planted {

PlantedFault::PlantedFault(Fault fault) : before_(Fault::None) {
    if (fault != Fault::None) {
        throw std::logic_error("the passes of libfluorite.so contain no faults; fluorite_fuzz_planted, which "
                               "./dev fuzz --plant runs, links the library that does");
    }
}

PlantedFault::~PlantedFault() = default;

} // namespace fluorite::planted
