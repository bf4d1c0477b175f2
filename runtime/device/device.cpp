// The devices behind device interfaces: contexts, and the table of live device memory.
//
// What: a Device stands for one interface, such as OpenCL. It opens contexts when they are first needed, one for each
// device number or context of the program, and maps the handles in buffers to native memory.
//
// Method: three kinds of locks, never held together with a call that waits for the device, except that a context is
// opened under the lock of contexts, so that threads that begin together open one. Handles count up and are never used
// again, so a freed one is told from a live one. All Devices are in a list, which a handler of exit() closes; it is
// installed after the first driver is loaded, hence runs before the handlers of drivers.
//
// Relies on: a Driver. Does not do: rules about buffers (interface.cpp). Cost: a lock and a lookup for each handle.

#include "runtime/device/device.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

namespace fluorite_runtime {

namespace {

constexpr uint64_t padding = fluorite_malloc_alignment; // may be read beyond the end

std::atomic<bool> keeps_memory{true};

// Never destroyed, as buffers may be freed after the library's destructors.
struct DeviceList {
    std::mutex mutex;
    std::vector<Device *> devices;
};
DeviceList &device_list() {
    static auto *list = new DeviceList;
    return *list;
}

void close_all_devices() { // nobody uses a device any more
    std::lock_guard guard(device_list().mutex);
    for (Device *device : device_list().devices) {
        device->close();
    }
}

void close_at_exit() {
    static const int installed = std::atexit(close_all_devices);
    static_cast<void>(installed);
}

template <typename Use> void for_each_device(const Use &use) {
    std::vector<Device *> devices;
    {
        std::lock_guard guard(device_list().mutex);
        devices = device_list().devices;
    }
    for (Device *device : devices) {
        use(*device);
    }
}

} // namespace

bool keeps_device_memory() { return keeps_memory.load(std::memory_order_relaxed); }

// ---- memory ---

Status DeviceMemory::use_in(const std::shared_ptr<DeviceContext> &user) {
    std::lock_guard guard(mutex_); // until the former queue has ended, so that no second user is too early
    const std::shared_ptr<DeviceContext> &former = last_user_ != nullptr ? last_user_ : context;
    if (former == user) {
        return {};
    }
    Status status = former->wait();
    last_user_ = user;
    return status;
}

Status DeviceMemory::give_back() {
    if (context == nullptr || native == 0) {
        return {};
    }
    const uint64_t memory = std::exchange(native, 0);
    if (owner == Owner::Program) {
        return {};
    }
    if (last_user_ != nullptr && last_user_ != context) {
        if (Status status = last_user_->wait(); status.failed()) {
            static_cast<void>(context->give_back(memory, capacity, false));
            return status;
        }
    }
    return context->give_back(memory, capacity, keeps_device_memory());
}

int Device::allocate(void *context, const char *where, const std::shared_ptr<DeviceContext> &in, uint64_t bytes,
                     std::shared_ptr<DeviceMemory> &memory) {
    const DeviceLimits &limits = in->limits();
    if (bytes > limits.allocation_bytes || limits.allocation_bytes - bytes < padding) {
        return too_large_for_device(context, where, bytes, limits, name());
    }
    auto made = std::make_shared<DeviceMemory>();
    Status status = in->allocate((bytes + padding) / padding * padding, made->native, made->capacity);
    if (status.kind == Status::Kind::NoMemory) {
        for (const auto &other : contexts()) {
            static_cast<void>(other->release_kept()); // the next allocation says whether it has helped
        }
        status = in->allocate((bytes + padding) / padding * padding, made->native, made->capacity);
    }
    if (status.kind == Status::Kind::NoMemory) {
        return no_device_memory(context, where, bytes, in->bytes_in_use(), limits, name(), status);
    }
    if (status.failed()) {
        return driver_failed(context, fluorite_error_code_device_malloc_failed, device_text(name(), limits.device),
                             status);
    }
    made->context = in;
    memory = std::move(made);
    return 0;
}

// ---- handles ---

namespace {

/// Handles of all devices are distinct, so that one in a buffer with a wrong interface is found out.
std::atomic<uint64_t> next_handle{1};

} // namespace

uint64_t Device::add(DeviceRecord record) {
    const uint64_t handle = next_handle.fetch_add(1);
    std::lock_guard guard(records_mutex_);
    records_.emplace(handle, std::move(record));
    return handle;
}

bool Device::find(uint64_t handle, DeviceRecord &record) {
    std::lock_guard guard(records_mutex_);
    const auto found = records_.find(handle);
    if (found != records_.end()) {
        record = found->second;
    }
    return found != records_.end();
}

bool Device::remove(uint64_t handle, DeviceRecord &record) {
    std::lock_guard guard(records_mutex_);
    const auto found = records_.find(handle);
    if (found == records_.end()) {
        return false;
    }
    record = std::move(found->second);
    records_.erase(found);
    return true;
}

size_t Device::live_handles() {
    std::lock_guard guard(records_mutex_);
    return records_.size();
}

// ---- contexts ---

Device::Device(std::unique_ptr<Driver> driver, CapabilityFunction capability)
    : driver_(std::move(driver)), interface_(make_device_interface(this, capability)) {
    std::lock_guard guard(device_list().mutex);
    device_list().devices.push_back(this);
}

Device::~Device() {
    {
        std::lock_guard guard(device_list().mutex);
        std::erase(device_list().devices, this);
    }
    close();
}

std::shared_ptr<DeviceContext> Device::context_for(void *context, const ContextRequest &request) {
    std::lock_guard guard(contexts_mutex_);
    for (const auto &known : contexts_) {
        if (known->request() == request) {
            known->is_retiring = false;
            return known;
        }
    }
    std::unique_ptr<DriverContext> opened;
    if (const Status status = driver_->open(request, opened); status.failed()) {
        driver_failed(context, fluorite_error_code_gpu_device_error, name(), status);
        return nullptr;
    }
    close_at_exit();
    is_closed_ = false;
    contexts_.push_back(std::make_shared<DeviceContext>(name(), request, std::move(opened)));
    return contexts_.back();
}

std::vector<std::shared_ptr<DeviceContext>> Device::contexts() {
    std::lock_guard guard(contexts_mutex_);
    return contexts_;
}

fluorite_device_context_hooks_t Device::hooks() {
    std::lock_guard guard(contexts_mutex_);
    return hooks_;
}

void Device::set_hooks(fluorite_device_context_hooks_t hooks) {
    std::lock_guard guard(contexts_mutex_);
    hooks_ = hooks;
}

void Device::release(void *context) {
    for (const auto &known : contexts()) {
        if (const Status status = known->release(); status.failed()) {
            driver_failed(context, fluorite_error_code_gpu_device_error, device_text(name(), known->limits().device),
                          status);
        }
        known->is_retiring = true;
        end_if_unused(known);
    }
}

void Device::end_if_unused(const std::shared_ptr<DeviceContext> &ended) {
    std::lock_guard guard(contexts_mutex_);
    if (ended->is_retiring && ended->bytes_in_use() == 0) {
        static_cast<void>(ended->release_kept());
        std::erase(contexts_, ended);
    }
}

int Device::release_kept(void *context) {
    int code = 0;
    for (const auto &known : contexts()) {
        if (const Status status = known->release_kept(); status.failed()) {
            code = driver_failed(context, fluorite_error_code_device_free_failed,
                                 device_text(name(), known->limits().device), status);
        }
    }
    return code;
}

void Device::close() {
    std::unordered_map<uint64_t, DeviceRecord> records;
    {
        std::lock_guard guard(records_mutex_);
        records.swap(records_);
    }
    records.clear();
    std::vector<std::shared_ptr<DeviceContext>> contexts;
    {
        std::lock_guard guard(contexts_mutex_);
        contexts.swap(contexts_);
        is_closed_ = true;
    }
}

bool Device::is_closed() {
    std::lock_guard guard(contexts_mutex_);
    return is_closed_;
}

int Device::drop(const DeviceModule &module) {
    int code = 0;
    for (const auto &known : contexts()) {
        if (const Status status = known->drop(module); status.failed() && code == 0) {
            code = driver_failed(nullptr, fluorite_error_code_gpu_device_error,
                                 device_text(name(), known->limits().device), status);
        }
    }
    return code;
}

int drop_everywhere(const DeviceModule &module) {
    int code = 0;
    for_each_device([&](Device &device) {
        const int failure = device.drop(module);
        code = code == 0 ? failure : code;
    });
    return code;
}

int device_capability(Device &device, void *context, int *major, int *minor) {
    *major = *minor = 0;
    const AcquiredContext acquired(device, context);
    if (acquired.code() == 0) {
        *major = acquired.get()->limits().major;
        *minor = acquired.get()->limits().minor;
    }
    return acquired.code();
}

AcquiredContext::AcquiredContext(Device &device, void *context)
    : device_(device), context_(context), hooks_(device.hooks()) {
    ContextRequest request;
    if (hooks_.acquire != nullptr) {
        code_ = hooks_.acquire(context, device.interface(), &request.native_context, &request.native_queue);
        if (code_ != 0) {
            hooks_.release = nullptr;
            const Status status{Status::Kind::Failed, "the program's hook returned " + std::to_string(code_),
                                "it returns 0 and a context, or null for the default one",
                                "repair the hook of fluorite_set_device_context_hooks()", "no-device-context"};
            code_ = driver_failed(context, fluorite_error_code_gpu_device_error, device.name(), status);
            return;
        }
    }
    if (request.native_context == nullptr) {
        request.native_queue = nullptr;
        request.device = fluorite_get_gpu_device(context);
    }
    found_ = device.context_for(context, request);
    code_ = found_ == nullptr ? fluorite_error_code_gpu_device_error : 0;
}

AcquiredContext::~AcquiredContext() {
    if (hooks_.acquire != nullptr && hooks_.release != nullptr) {
        hooks_.release(context_, device_.interface());
    }
}

} // namespace fluorite_runtime

using namespace fluorite_runtime;

extern "C" {

int fluorite_reuse_device_allocations(void *context, int on) {
    keeps_memory.store(on != 0, std::memory_order_relaxed);
    if (on == 0) {
        fluorite_release_unused_device_allocations(context, nullptr);
    }
    return 0;
}

int fluorite_can_reuse_device_allocations(void *) { return keeps_device_memory() ? 1 : 0; }

int fluorite_release_unused_device_allocations(void *context, const fluorite_device_interface_t *interface) {
    int code = 0;
    for_each_device([&](Device &device) {
        if (interface == nullptr || interface == device.interface()) {
            const int failure = device.release_kept(context);
            code = code == 0 ? failure : code;
        }
    });
    return code;
}

void fluorite_set_device_context_hooks(const fluorite_device_interface_t *interface,
                                       fluorite_device_context_hooks_t hooks) {
    if (Device *device = device_of(interface); device != nullptr) {
        device->set_hooks(hooks);
    }
}
}
