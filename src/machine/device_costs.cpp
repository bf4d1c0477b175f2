// Devices.
//
// Where the numbers of the rows come from:
//   - multiprocessors, lanes, clock, l2_bytes: NVIDIA's papers on the architectures (Hopper, Ampere, Ada), the clock that
//     their peaks of float32 follow from. threads, blocks, registers, shared_bytes: CUDA C++ Programming Guide, table of
//     compute capabilities (8.0, 8.9, 9.0).
//   - memory_rate: h200 copies f32 at 4,130 bytes a nanosecond of the 4,800 of its data sheet, four elements a thread,
//     measured with CUDA 13.0; the other rows have the same part, 0.86, of theirs (3,350; 2,039; 1,008).
//   - latency: with one element a thread h200 copies 2,529 bytes a nanosecond; 132 multiprocessors of 2,048 threads then have
//     1.08 MB under way, which is 427 ns. The others are assumed to be alike.
//   - l2_rate: published measurements of Hopper and Ada (some 5.5 and 5 TB/s); a100 in proportion to its clock and width.
//     None was measured by us.
//   - launch: 5 kernels of a transform of 2 M elements take 41 us on h200, of which their bytes take 21: 4 us each.
//   - pocl: kernels on the cores of a processor, of which each runs one block at a time, in vectors along threads. Rates as
//     those of a core in cache_model.cpp, for 8 cores of 3 GHz; launch from runs of small kernels. Shared memory is cached.

#include "machine/device_costs.h"

#include <algorithm>
#include <array>

namespace fluorite::machine {

namespace {

constexpr std::array rows = {
    DeviceCosts{"h100", "NVIDIA H100", 132, 128, 1.98, 2048, 32, 65536, 228 << 10, 50 << 20, 5500, 2880, 427, 4000},
    DeviceCosts{"h200", "NVIDIA H200", 132, 128, 1.98, 2048, 32, 65536, 228 << 10, 50 << 20, 5500, 4130, 427, 4000},
    DeviceCosts{"a100", "NVIDIA A100", 108, 64, 1.41, 2048, 32, 65536, 164 << 10, 40 << 20, 3500, 1750, 427, 4000},
    DeviceCosts{"rtx4090", "NVIDIA GeForce RTX 4090", 128, 128, 2.52, 1536, 24, 65536, 100 << 10, 72 << 20, 5000, 870,
                427, 4000},
    DeviceCosts{"pocl", "PoCL on a processor", 8, 16, 3, 1024, 1, 65536, 48 << 10, 16 << 20, 200, 50, 100, 20000},
};

} // namespace

std::span<const DeviceCosts> device_rows() { return rows; }

const DeviceCosts *find_device_row(std::string_view name) {
    const auto *const found =
        std::find_if(rows.begin(), rows.end(), [&](const DeviceCosts &row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

const DeviceCosts &device_row(const Target &target) {
    const bool is_ampere =
        target.has_feature(Target::CUDACapability80) && !target.has_feature(Target::CUDACapability90);
    const bool is_consumer = is_ampere && target.has_feature(Target::CUDACapability86);
    return *find_device_row(is_consumer ? "rtx4090" : is_ampere ? "a100" : "h100");
}

} // namespace fluorite::machine
