#pragma once
// The kernels of a module as what the driver of a device builds: data that the back end of the host embeds in its code
// and hands to the runtime (fluorite/runtime/device.h, which defines the parameters of the functions).

#include "fluorite/schedule_types.h"
#include "ir/lowered.h"

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
