#pragma once
// A context of a device with its queue: the memory that it keeps, and the modules that are built in it.

#include "runtime/device/driver.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace fluorite_runtime {

/// A module of kernels; slots of generated code point to it.
struct DeviceModule {
    const fluorite_device_module_t *description;
};

/// A module in a context.
struct BuiltModule {
    const fluorite_device_module_t *description = nullptr;
    uint64_t native = 0;
    std::vector<uint64_t> kernels;    ///< in the order of the description
    uint64_t failure_words = 0;       ///< native memory, an int32 for each kernel; 0 if no kernel reports failures
    std::atomic<bool> has_run{false}; ///< whether a kernel that reports failures ran since the words were read
};

class DeviceContext {
  public:
    DeviceContext(const char *driver_name, const ContextRequest &request, std::unique_ptr<DriverContext> driver)
        : driver_name_(driver_name), request_(request), driver_(std::move(driver)) {}
    ~DeviceContext() { close(); }
    DeviceContext(const DeviceContext &) = delete;
    DeviceContext &operator=(const DeviceContext &) = delete;

    const ContextRequest &request() const { return request_; }
    const DeviceLimits &limits() const { return driver_->limits(); }
    const char *driver_name() const { return driver_name_; }
    DriverContext &driver() { return *driver_; }
    bool shares_memory_with(const DeviceContext &other) const {
        return driver_->memory_space() == other.driver_->memory_space();
    }

    /// A kept block or new memory; `capacity` is its size. Fails without having freed what other contexts keep.
    Status allocate(uint64_t bytes, uint64_t &memory, uint64_t &capacity);
    /// Keeps the memory, or frees it.
    Status give_back(uint64_t memory, uint64_t capacity, bool keeps);
    Status release_kept();
    uint64_t bytes_in_use() const { return in_use_.load(std::memory_order_relaxed); }

    /// The module in this context, which is built if it has not been; null if `status` failed.
    std::shared_ptr<BuiltModule> built(const DeviceModule &module, Status &status);
    Status drop(const DeviceModule &module);
    /// The text of a check that failed in a kernel since the last call, or "".
    Status read_failures(std::string &text);
    /// Waits for the queue.
    Status wait() { return driver_->wait(); }

    /// Frees modules and kept memory; live memory stays.
    Status release();
    /// Whether the context ends with its last live memory; a call that uses it takes that back.
    std::atomic<bool> is_retiring{false};

  private:
    struct Kept {
        uint64_t memory, capacity;
    };

    void close();
    Status build(const fluorite_device_module_t &description, BuiltModule &built);
    Status unload(BuiltModule &built);
    void free_oldest_until(uint64_t room, std::vector<Kept> &freed);

    const char *driver_name_;
    const ContextRequest request_;
    std::unique_ptr<DriverContext> driver_;
    std::atomic<uint64_t> in_use_{0};
    std::mutex kept_mutex_;
    std::vector<Kept> kept_; ///< oldest first
    uint64_t kept_bytes_ = 0;
    std::mutex modules_mutex_;
    std::map<const DeviceModule *, std::shared_ptr<BuiltModule>> modules_;
};

} // namespace fluorite_runtime
