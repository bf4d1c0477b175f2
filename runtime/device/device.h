#pragma once
// A device interface of the runtime: its contexts, and the table of live device memory.

#include "runtime/device/context.h"
#include "runtime/device/failures.h"

#include "fluorite/runtime_device.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace fluorite_runtime {

/// Native memory that buffers use; several share it if they are crops.
struct DeviceMemory {
    enum class Owner : uint8_t { Runtime, Program };

    std::shared_ptr<DeviceContext> context; ///< in which it was allocated
    uint64_t native = 0;
    uint64_t capacity = 0;
    Owner owner = Owner::Runtime;

    /// Waits for the queue that used the memory last, if it is another one than the context's.
    Status use_in(const std::shared_ptr<DeviceContext> &user);
    /// Gives the memory back. The destructor does so, too, and then nobody is told of failures.
    Status give_back();
    ~DeviceMemory() { static_cast<void>(give_back()); }

  private:
    std::mutex mutex_;
    std::shared_ptr<DeviceContext> last_user_; ///< null: `context`
};

/// What a handle stands for.
struct DeviceRecord {
    std::shared_ptr<DeviceMemory> memory;
    uint64_t offset = 0; ///< in bytes
    uint64_t bytes = 0;
    bool has_host = false; ///< allocated with host memory in one call
};

/// The function of an interface that says which version of its API or hardware the device has.
using CapabilityFunction = int (*)(void *context, int *major, int *minor);

class Device {
  public:
    Device(std::unique_ptr<Driver> driver, CapabilityFunction capability);
    /// Precondition: no live memory.
    ~Device();
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    const fluorite_device_interface_t *interface() const { return &interface_; }
    const char *name() const { return driver_->name(); }
    Driver &driver() { return *driver_; }

    /// The context for a call, which is opened if it has not been; null after a failure, which has been reported.
    /// AcquiredContext calls the hooks around it.
    std::shared_ptr<DeviceContext> context_for(void *context, const ContextRequest &request);
    std::vector<std::shared_ptr<DeviceContext>> contexts();
    fluorite_device_context_hooks_t hooks();
    void set_hooks(fluorite_device_context_hooks_t hooks);

    /// A handle for the record.
    uint64_t add(DeviceRecord record);
    bool find(uint64_t handle, DeviceRecord &record);
    bool remove(uint64_t handle, DeviceRecord &record);
    size_t live_handles();

    /// Allocates; if memory runs out, frees what is kept and tries again. Reports failures and returns their code.
    int allocate(void *context, const char *where, const std::shared_ptr<DeviceContext> &in, uint64_t bytes,
                 std::shared_ptr<DeviceMemory> &memory);
    /// Frees all that is kept, and ends the contexts: those with live memory as soon as it is freed.
    void release(void *context);
    /// Ends a context that is to end and has no live memory any more.
    void end_if_unused(const std::shared_ptr<DeviceContext> &ended);
    int release_kept(void *context);
    /// At the end of the process: as release(), with all live memory.
    void close();
    bool is_closed();
    /// Frees the module in all contexts. Reports the first failure and returns its code.
    int drop(const DeviceModule &module);

  private:
    const std::unique_ptr<Driver> driver_;
    fluorite_device_interface_t interface_;
    std::mutex contexts_mutex_; ///< held while a context is opened, so that threads do not open it twice
    std::vector<std::shared_ptr<DeviceContext>> contexts_;
    fluorite_device_context_hooks_t hooks_{nullptr, nullptr};
    std::mutex records_mutex_;
    std::unordered_map<uint64_t, DeviceRecord> records_;
    bool is_closed_ = false;
};

/// The Device behind an interface of the runtime; null for interfaces of others.
Device *device_of(const fluorite_device_interface_t *interface);

/// The context of one call, between the hooks of the program.
class AcquiredContext {
  public:
    AcquiredContext(Device &device, void *context);
    ~AcquiredContext();
    AcquiredContext(const AcquiredContext &) = delete;
    AcquiredContext &operator=(const AcquiredContext &) = delete;

    /// 0, or the code of the failure that was reported.
    int code() const { return code_; }
    const std::shared_ptr<DeviceContext> &get() const { return found_; }
    DeviceContext *operator->() const { return found_.get(); }
    DeviceContext &operator*() const { return *found_; }

  private:
    Device &device_;
    void *context_;
    fluorite_device_context_hooks_t hooks_;
    std::shared_ptr<DeviceContext> found_;
    int code_ = 0;
};

/// Frees a module in all contexts of all devices. Reports the first failure and returns its code.
int drop_everywhere(const DeviceModule &module);

/// Whether freed device memory is kept.
bool keeps_device_memory();

/// Fills in the functions of an interface.
fluorite_device_interface_t make_device_interface(const Device *device, CapabilityFunction capability);

/// Waits for the context's queue, and reports failures of the driver and of kernels.
int wait_for_device(void *context, DeviceContext &device, int code);
/// Reports a check of a kernel that failed. Precondition: the queue has been waited for.
int report_kernel_failures(void *context, DeviceContext &device, int code);

/// The bytes that a launch or a copy may use of memory behind a handle, checked to be in the context.
int use_memory(void *context, const char *where, Device &device, const std::shared_ptr<DeviceContext> &user,
               uint64_t handle, DeviceRecord &record);

/// What functions of the interface and of generated code share; `where` is a name or null.
int malloc_buffer(void *context, const char *where, fluorite_buffer_t *buffer,
                  const fluorite_device_interface_t *interface);
int copy_buffer_to_device(void *context, const char *where, fluorite_buffer_t *buffer,
                          const fluorite_device_interface_t *interface);
int copy_buffer_to_host(void *context, const char *where, fluorite_buffer_t *buffer);
int check_device_fields(void *context, const char *where, const fluorite_buffer_t *buffer);
/// What fluorite_buffer_copy does if a device of the runtime is involved, or none.
int copy_between_buffers(void *context, fluorite_buffer_t *source, const fluorite_device_interface_t *interface,
                         fluorite_buffer_t *target);
/// The version of the device that a call with the user context uses.
int device_capability(Device &device, void *context, int *major, int *minor);

} // namespace fluorite_runtime
