#pragma once
// The processor that the roofline model is of.

#include "machine/cache_model.h"

namespace fluorite::autoschedule {

struct RooflineMachine {
    machine::MachineModel model;
    machine::CacheModel caches;
    int threads = 1;

    /// Cycles of so many additions of 32 bits, in whole vectors.
    double cycles_of(double additions) const {
        return additions / (model.vector_bits / 32.0) / caches.vector_operations;
    }
};

} // namespace fluorite::autoschedule
