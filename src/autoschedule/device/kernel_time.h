#pragma once
// What one kernel takes on a device.

#include "machine/device_costs.h"

#include <optional>

namespace fluorite::autoschedule {

/// The work of a kernel; sums are those of all its threads.
struct KernelWork {
    double blocks = 1, threads = 1; // threads: of a block
    double operations = 0;          // on 32 bits
    double loads = 0;               // instructions that load or store
    double cache_bytes = 0;         // that pass between multiprocessors and the L2 cache
    double memory_bytes = 0;        // between this and memory
    double in_flight = 4;           // bytes that a thread asks for before it needs the first
    double chain = 0;               // cycles that a block takes at least, however few there are
    double registers = 0;           // of a thread
    double shared_bytes = 0;        // of a block
};

/// In nanoseconds. `total` is what the kernel takes, the others are its parts if each were alone.
struct KernelTime {
    double total = 0, arithmetic = 0, loads = 0, caches = 0, memory = 0;
    double resident = 0; // threads of a multiprocessor that run at once
};

/// None where no multiprocessor has room for a block.
std::optional<KernelTime> time_of(const KernelWork &work, const machine::DeviceCosts &device);

} // namespace fluorite::autoschedule
