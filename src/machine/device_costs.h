#pragma once
// What kernels cost on devices: the numbers that automatic schedules for blocks and threads are made from. What kernels
// are lowered for is in machine_model.h (device_model), and has no costs.

#include "fluorite/target.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace fluorite::machine {

/// A multiprocessor runs several blocks at once, as many as its threads, registers and shared memory are enough for.
struct DeviceCosts {
    std::string_view name; // as options and FLUORITE_DEVICE_MODEL call it
    std::string_view title;

    int64_t multiprocessors = 1;
    int64_t lanes = 128;      // operations on 32 bits that a multiprocessor begins in a cycle
    double clock = 1;         // cycles in a nanosecond
    int64_t threads = 2048;   // that a multiprocessor holds
    int64_t blocks = 32;      // the same
    int64_t registers = 1;    // of 32 bits, of a multiprocessor
    int64_t shared_bytes = 1; // of a multiprocessor, of which a block has at most DeviceLimits::shared_bytes

    int64_t l2_bytes = 0;
    double l2_rate = 1;     // bytes in a nanosecond, of the whole device
    double memory_rate = 1; // the same: what a copy on the device reaches, reads and writes together
    double latency = 1;     // nanoseconds from a load to its value, from memory
    double launch = 1;      // nanoseconds that a kernel costs beside its work, in a sequence of kernels
};

/// Limits of every device: beyond, a kernel has to ask for more memory, or is refused.
struct DeviceLimits {
    int64_t shared_bytes = 48 * 1024, threads = 1024, grid_rows = 65535;
};
inline constexpr DeviceLimits limits_of_device{};

std::span<const DeviceCosts> device_rows();
/// The row of a name; none where there is none.
const DeviceCosts *find_device_row(std::string_view name);
/// The row for a target that names a device: that of its compute capability, else a default one, because a target does
/// not say on which device kernels will run.
const DeviceCosts &device_row(const Target &target);

} // namespace fluorite::machine
