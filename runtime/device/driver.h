#pragma once
// What stands behind a device interface: a driver, which opens contexts, and a context with one queue in order. Drivers
// know no buffer, no handle and no rule; everything above them is the same for all (docs/rationale/devices.md).

#include "fluorite/runtime/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace fluorite_runtime {

/// What a call of a driver came to. `seen` names the driver's function and its result, as in `clFinish returned
/// CL_OUT_OF_RESOURCES (-5)`. Only open() and build() know a rule, a fix and a slug.
struct [[nodiscard]] Status {
    enum class Kind : uint8_t { Done, NoMemory, Failed };
    Kind kind = Kind::Done;
    std::string seen;
    std::string rule, fix;
    const char *slug = "device-failed";
    bool failed() const { return kind != Kind::Done; }
};

inline Status failed(std::string seen) { return {Status::Kind::Failed, std::move(seen), {}, {}}; }

/// What a device can do; the common part refuses what is above.
struct DeviceLimits {
    std::string device;            ///< its name, for messages
    uint64_t memory_bytes = 0;     ///< of the device
    uint64_t allocation_bytes = 0; ///< of one allocation
    uint64_t parameter_bytes = 0;  ///< of one kernel
    uint64_t shared_bytes = 0;     ///< of one block
    int64_t threads_per_block = 0;
    int64_t threads[3] = {0, 0, 0};
    int64_t blocks[3] = {0, 0, 0}; ///< of one launch
    int major = 0, minor = 0;      ///< the version of the interface, or the compute capability
};

/// One side of a copy of boxes, in bytes. A pitch is at least what it steps over: row_bytes, rows * row_pitch.
struct BoxSide {
    uint64_t offset = 0, row_pitch = 0, plane_pitch = 0;
};
/// Planes of rows of bytes. With one row (plane) the pitch of rows (planes) is row_bytes (rows * row_pitch). The pitch
/// of planes is a multiple of that of rows.
struct Box {
    uint64_t row_bytes = 0, rows = 1, planes = 1;
    BoxSide from, to;
};

/// A parameter of a kernel: its bytes.
struct KernelParameter {
    const void *value;
    size_t bytes;
};

/// One launch that is within the limits.
struct KernelStart {
    uint64_t kernel = 0;
    uint32_t flags = 0; ///< fluorite_device_kernel_flags
    int64_t blocks[3] = {1, 1, 1};
    int32_t threads[3] = {1, 1, 1};
    uint64_t shared_bytes = 0;
    std::span<const KernelParameter> parameters; ///< without that of shared memory
};

/// A context with a queue. Its functions may be called by several threads at once. Work happens in the order of calls.
class DriverContext {
  public:
    virtual ~DriverContext() = default;
    virtual const DeviceLimits &limits() const = 0;
    /// Contexts with equal values can use each other's memory.
    virtual const void *memory_space() const = 0;
    /// Whether native memory is an address, to which the host adds offsets; otherwise kernels do.
    virtual bool has_addresses() const = 0;

    virtual Status allocate(uint64_t bytes, uint64_t &memory) = 0;
    /// Allocates memory that holds the bytes; does not wait for the queue.
    virtual Status allocate_filled(const void *bytes, uint64_t size, uint64_t &memory) = 0;
    /// Frees memory, which work in the queue may still use.
    virtual Status free(uint64_t memory) = 0;
    /// Returns when the host's memory may be changed.
    virtual Status write(uint64_t memory, const uint8_t *host, const Box &box) = 0;
    /// Returns when the host has the bytes.
    virtual Status read(uint64_t memory, uint8_t *host, const Box &box) = 0;
    virtual Status copy(uint64_t from, uint64_t to, const Box &box) = 0;

    virtual Status build(const fluorite_device_module_t &module, uint64_t &built) = 0;
    virtual Status find_kernel(uint64_t built, const fluorite_device_kernel_t &description, uint64_t &kernel) = 0;
    /// Called for every kernel that was found, before the module is unloaded.
    virtual void forget_kernel(uint64_t kernel) = 0;
    virtual Status unload(uint64_t built) = 0;
    virtual Status launch(const KernelStart &start) = 0;
    /// Waits for all work of the queue.
    virtual Status wait() = 0;
};

/// Which context is wanted: one of the program's, or the default one of a device.
struct ContextRequest {
    void *native_context = nullptr; ///< null: the default one
    void *native_queue = nullptr;   ///< null: one of the driver's own
    int device = 0;                 ///< the number of the device of a default context; -1 is the last one
    bool operator==(const ContextRequest &other) const {
        return native_context == other.native_context && native_queue == other.native_queue && device == other.device;
    }
};

class Driver {
  public:
    virtual ~Driver() = default;
    virtual const char *name() const = 0; ///< `OpenCL`, for messages
    virtual Status open(const ContextRequest &request, std::unique_ptr<DriverContext> &context) = 0;
};

} // namespace fluorite_runtime
