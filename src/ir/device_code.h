#pragma once
// The kernels of a module as what the driver of a device builds: data that the back end of the host embeds in its code
// and hands to the runtime (fluorite/runtime/device.h, which defines the parameters of the functions).

#include "fluorite/schedule_types.h"
#include "ir/lowered.h"

#include <array>
#include <string>
#include <vector>

namespace fluorite::ir {

struct DeviceKernel {
    std::string name;                  // of the function in `bytes`
    bool packs_scalars = false;        // fluorite_device_kernel_packs_scalars
    std::vector<std::string> failures; // the texts of the checks; if any, the kernel has a failure word
    bool uses_shared = false;          // fluorite_device_kernel_uses_shared
};

struct DeviceCode {
    DeviceAPI api = DeviceAPI::None;
    std::string bytes;                 // a text ends with a zero byte that `bytes` does not count
    std::string options;               // for the driver's build
    std::vector<DeviceKernel> kernels; // those of the module, in its order
};

/// What a block has at most on devices of CUDA: threads along its axes, and in all; bytes of shared memory on those
/// that have most. CUDA C++ Programming Guide, technical specifications of compute capability 5.0 to 12.0.
inline constexpr std::array<int64_t, 3> most_threads_along{1024, 1024, 64};
inline constexpr int64_t most_threads_of_block = 1024;
inline constexpr int64_t most_shared_bytes = 227 << 10;
inline constexpr int64_t usual_shared_bytes = 48 << 10; // that every device has for a block
/// Why no device of CUDA launches the kernel with blocks of such extents, which are positive, or of so much shared
/// memory; empty if one does. The text is that of a launch (runtime/device/launch.cpp), for [kernel-launch].
std::string refusal_of_block(const std::string &kernel, const std::array<int64_t, 3> &threads);
std::string refusal_of_shared(const std::string &kernel, int64_t bytes);

/// The memory of a block, which its allocations in MemoryType::GPUShared divide.
struct SharedLayout {
    struct Part {
        Symbol buffer;
        Expr offset; // in bytes, Int64: a multiple of `alignment`
    };
    static constexpr int64_t alignment = 16;
    std::vector<Part> parts; // in the order of the allocations in the body
    Expr bytes;              // of all, Int64
    bool is_empty() const { return parts.empty(); }
    /// Null if the buffer is none of them.
    const Part *find(const Symbol &buffer) const;
};

/// The division of a kernel's shared memory, in terms of its arguments. Buffers that are not needed at the same time
/// share bytes; see shared_layout.cpp.
SharedLayout shared_layout(const LoweredFunc &kernel);

/// The text of a check in a kernel.
const std::string &failure_text(const Assert &check);
/// The different texts of the kernel's checks. A check that fails stores the position of its text here, plus one, to
/// the failure word; the kernel goes on.
std::vector<std::string> failure_texts(const LoweredFunc &kernel);

} // namespace fluorite::ir
