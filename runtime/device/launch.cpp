// Modules of kernels, and launches.
//
// What: a slot of generated code becomes a DeviceModule, which is built in each context that uses it. A launch turns
// arguments into the parameters of the kernel, checks them against the device, and starts it: once, or in several
// pieces where the device does not launch such a grid at once.
//
//     kernel(global uchar *in, long in_offset, int n, global uchar *out, long out_offset, int x0, int y0, int z0)
//     packed: kernel(global const uchar *scalars, global uchar *in, global uchar *out), the scalars a struct of
//             {long in_offset; int n; long out_offset; int x0, y0, z0;}
//
// Method: parameters are a list of bytes that point into one array of values, which is filled first. A device with
// addresses gets one parameter for memory, address and offset added; other ones get both. Packed scalars are laid out
// as C does, and passed in memory of their own, which is freed at once: the queue still holds it.
//
// In a run that is profiled, a launch waits for its kernel, so that the time of the kernel is that of its Func.
//
// Relies on: device.cpp for handles, context.cpp for built modules. Cost: below a microsecond
// beside the driver's.

#include "runtime/device/device.h"
#include "runtime/device/striped_locks.h"
#include "runtime/profile/profile.h"
#include "runtime/text.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace fluorite_runtime {

namespace {

std::mutex slots_mutex;

/// The parameters of one launch, in their order.
class Parameters {
  public:
    Parameters(bool has_addresses, bool packs) : has_addresses_(has_addresses), packs_(packs) {}

    void add_scalar(uint64_t value, size_t bytes) {
        if (!packs_) {
            values_.push_back({value, bytes});
            return;
        }
        const size_t at = (closure_.size() + bytes - 1) / bytes * bytes;
        closure_.resize(at + bytes);
        std::memcpy(closure_.data() + at, &value, bytes);
    }
    void add_memory(uint64_t native, uint64_t offset) {
        if (has_addresses_) {
            add_scalar(native + offset, sizeof(uint64_t));
            return;
        }
        values_.push_back({native, sizeof(uint64_t)});
        add_scalar(offset, sizeof(uint64_t));
    }
    /// Sets the numbers of blocks to add, which were added last.
    void add_blocks() {
        for (int axis = 0; axis < 3; axis++) {
            add_scalar(0, sizeof(int32_t));
        }
    }
    void set_blocks(const int64_t (&first)[3]) {
        for (size_t axis = 0; axis < 3; axis++) {
            const auto value = static_cast<uint32_t>(first[axis]);
            if (packs_) {
                std::memcpy(closure_.data() + closure_.size() - (3 - axis) * sizeof(value), &value, sizeof(value));
            } else {
                values_[values_.size() - 3 + axis].value = value;
            }
        }
    }
    uint64_t bytes() const {
        uint64_t sum = packs_ ? sizeof(uint64_t) : 0;
        for (const Value &value : values_) {
            sum += value.bytes;
        }
        return sum;
    }
    const std::vector<uint8_t> &closure() const { return closure_; }
    /// The list for the driver; `closure` is the memory of packed scalars. Valid until the next change.
    std::vector<KernelParameter> list(const uint64_t &closure) const {
        std::vector<KernelParameter> parameters;
        parameters.reserve(values_.size() + 1);
        if (packs_) {
            parameters.push_back({&closure, sizeof(closure)});
        }
        for (const Value &value : values_) {
            parameters.push_back({&value.value, value.bytes});
        }
        return parameters;
    }

  private:
    struct Value {
        uint64_t value;
        size_t bytes;
    };
    bool has_addresses_, packs_;
    std::vector<Value> values_;
    std::vector<uint8_t> closure_;
};

struct Launch {
    void *context;
    Device &device;
    const std::shared_ptr<DeviceContext> &in;
    const fluorite_device_kernel_t &kernel;

    int refuse(const std::string &seen, const std::string &rule) const {
        return launch_refused(context, kernel.func, seen, rule);
    }
    std::string device_name() const { return device_text(device.name(), in->limits().device); }
    bool has(uint32_t flag) const { return (kernel.flags & flag) != 0; }
};

std::string grid_text(const int64_t (&extents)[3]) {
    return to_text(extents[0]) + " x " + to_text(extents[1]) + " x " + to_text(extents[2]);
}

int check_sizes(const Launch &launch, const int64_t (&blocks)[3], const int64_t (&threads)[3], int64_t shared_bytes) {
    const DeviceLimits &limits = launch.in->limits();
    if (std::any_of(blocks, blocks + 3, [](int64_t count) { return count > INT32_MAX; })) {
        return launch.refuse("it has " + grid_text(blocks) + " blocks", "a grid has at most 2147483647 along an axis");
    }
    bool fits = true;
    int64_t in_block = 1;
    for (size_t axis = 0; axis < 3; axis++) {
        fits = fits && threads[axis] >= 1 && threads[axis] <= limits.threads[axis];
        in_block *= fits ? threads[axis] : 1;
    }
    if (!fits || in_block > limits.threads_per_block) {
        return launch.refuse("its blocks have " + grid_text(threads) + " threads",
                             launch.device_name() + " runs blocks of 1 to " + to_text(limits.threads_per_block) +
                                 " threads, at most " + grid_text(limits.threads));
    }
    if (shared_bytes < 0 || static_cast<uint64_t>(shared_bytes) > limits.shared_bytes) {
        return launch.refuse("its blocks take " + to_text(shared_bytes) + " bytes of shared memory",
                             launch.device_name() + " has " + to_text(limits.shared_bytes) + " for a block");
    }
    return 0;
}

int add_memory(const Launch &launch, uint64_t handle, int64_t offset, Parameters &parameters) {
    DeviceRecord record;
    const int code = use_memory(launch.context, launch.kernel.func, launch.device, launch.in, handle, record);
    if (code == 0) {
        parameters.add_memory(record.memory->native, record.offset + static_cast<uint64_t>(offset));
    }
    return code;
}

int add_argument(const Launch &launch, const fluorite_device_argument_t &argument, Parameters &parameters) {
    switch (argument.kind) {
    case fluorite_device_argument_scalar:
        parameters.add_scalar(argument.value, static_cast<size_t>(argument.bytes));
        return 0;
    case fluorite_device_argument_memory:
        return add_memory(launch, argument.value, argument.offset, parameters);
    default: {
        const auto *buffer = reinterpret_cast<const fluorite_buffer_t *>(static_cast<uintptr_t>(argument.value));
        if (buffer->device != 0 && buffer->device_interface != launch.device.interface()) {
            const Device *other = device_of(buffer->device_interface);
            return on_other_device(launch.context, launch.kernel.func,
                                   other != nullptr ? const_cast<Device *>(other)->name() : "a device of the program",
                                   launch.device.name());
        }
        const int64_t to_min = -int64_t{buffer->begin_offset()} * buffer->type.bytes();
        return add_memory(launch, buffer->device, to_min + argument.offset, parameters);
    }
    }
}

/// Starts the pieces of the grid one after the other.
Status start_pieces(const Launch &launch, KernelStart start, const int64_t (&blocks)[3], Parameters &parameters) {
    DriverContext &driver = launch.in->driver();
    const DeviceLimits &limits = launch.in->limits();
    const bool packs = launch.has(fluorite_device_kernel_packs_scalars);
    int64_t first[3];
    for (first[2] = 0; first[2] < blocks[2]; first[2] += limits.blocks[2]) {
        for (first[1] = 0; first[1] < blocks[1]; first[1] += limits.blocks[1]) {
            for (first[0] = 0; first[0] < blocks[0]; first[0] += limits.blocks[0]) {
                for (size_t axis = 0; axis < 3; axis++) {
                    start.blocks[axis] = std::min(limits.blocks[axis], blocks[axis] - first[axis]);
                }
                parameters.set_blocks(first);
                uint64_t closure = 0;
                if (packs) {
                    const std::vector<uint8_t> &bytes = parameters.closure();
                    if (Status status = driver.allocate_filled(bytes.data(), bytes.size(), closure); status.failed()) {
                        return status;
                    }
                }
                const std::vector<KernelParameter> list = parameters.list(closure);
                start.parameters = list;
                Status status = driver.launch(start);
                if (packs) {
                    Status freed = driver.free(closure);
                    status = status.failed() ? std::move(status) : std::move(freed);
                }
                if (status.failed()) {
                    return status;
                }
            }
        }
    }
    return {};
}

int launch_kernel(const Launch &launch, BuiltModule &built, size_t number, const int64_t (&blocks)[3],
                  const int64_t (&threads)[3], int64_t shared_bytes,
                  std::span<const fluorite_device_argument_t> arguments) {
    int code = check_sizes(launch, blocks, threads, shared_bytes);
    Parameters parameters(launch.in->driver().has_addresses(), launch.has(fluorite_device_kernel_packs_scalars));
    for (size_t k = 0; k < arguments.size() && code == 0; k++) {
        code = add_argument(launch, arguments[k], parameters);
    }
    if (code != 0) {
        return code;
    }
    if (launch.has(fluorite_device_kernel_reports_failures)) {
        parameters.add_memory(built.failure_words, number * sizeof(int32_t));
    }
    parameters.add_blocks();
    if (parameters.bytes() > launch.in->limits().parameter_bytes) {
        return launch.refuse("its parameters take " + to_text(parameters.bytes()) + " bytes",
                             launch.device_name() + " passes at most " + to_text(launch.in->limits().parameter_bytes) +
                                 " to a kernel");
    }
    KernelStart begin;
    begin.kernel = built.kernels[number];
    begin.flags = launch.kernel.flags;
    begin.shared_bytes = static_cast<uint64_t>(shared_bytes);
    for (size_t axis = 0; axis < 3; axis++) {
        begin.threads[axis] = static_cast<int32_t>(threads[axis]);
    }
    const Status status = start_pieces(launch, begin, blocks, parameters);
    if (launch.has(fluorite_device_kernel_reports_failures)) {
        built.has_run = true; // now, as another thread may wait for what came before
    }
    return status.failed() ? driver_failed(launch.context, fluorite_error_code_device_run_failed,
                                           std::string(launch.kernel.func) + ", kernel " + launch.kernel.name + " on " +
                                               launch.device_name(),
                                           status)
                           : 0;
}

/// The module of a slot, which is made once.
DeviceModule *module_of(void **slot, const fluorite_device_module_t *description) {
    std::lock_guard guard(slots_mutex);
    if (*slot == nullptr) {
        *slot = new DeviceModule{description};
    }
    return static_cast<DeviceModule *>(*slot);
}

std::shared_ptr<BuiltModule> build_in(void *context, Device &device, DeviceContext &in, const DeviceModule &module,
                                      int &code) {
    Status status;
    std::shared_ptr<BuiltModule> built = in.built(module, status);
    if (built == nullptr) {
        code = driver_failed(context, fluorite_error_code_gpu_device_error,
                             device_text(device.name(), in.limits().device), status);
    }
    return built;
}

/// Null for interfaces of others, which is reported.
Device *known_device(void *context, const fluorite_device_interface_t *interface) {
    Device *device = device_of(interface);
    if (device == nullptr) {
        no_interface_given(context, "a call of generated code");
    }
    return device;
}

} // namespace

} // namespace fluorite_runtime

using namespace fluorite_runtime;

extern "C" {

int fluorite_device_load_module(void *context, const fluorite_device_interface_t *interface, void **slot,
                                const fluorite_device_module_t *description) {
    Device *device = known_device(context, interface);
    if (device == nullptr) {
        return fluorite_error_code_no_device_interface;
    }
    const DeviceModule *module = module_of(slot, description);
    AcquiredContext acquired(*device, context);
    int code = acquired.code();
    if (code == 0) {
        build_in(context, *device, *acquired, *module, code);
    }
    return code;
}

int fluorite_device_unload_module(void **slot) {
    DeviceModule *module = nullptr;
    {
        std::lock_guard guard(slots_mutex);
        module = static_cast<DeviceModule *>(std::exchange(*slot, nullptr));
    }
    const int code = module == nullptr ? 0 : drop_everywhere(*module);
    delete module;
    return code;
}

int fluorite_device_launch(void *context, const fluorite_device_interface_t *interface, void *module, int32_t kernel,
                           const int64_t blocks[3], const int32_t threads[3], int64_t shared_bytes,
                           const fluorite_device_argument_t *arguments, int32_t argument_count) {
    if (std::any_of(blocks, blocks + 3, [](int64_t count) { return count <= 0; })) {
        return 0;
    }
    Device *device = known_device(context, interface);
    if (device == nullptr) {
        return fluorite_error_code_no_device_interface;
    }
    AcquiredContext acquired(*device, context);
    int code = acquired.code();
    if (code != 0) {
        return code;
    }
    const auto &known = *static_cast<const DeviceModule *>(module);
    const std::shared_ptr<BuiltModule> built = build_in(context, *device, *acquired, known, code);
    if (built == nullptr) {
        return code;
    }
    const Launch launch{context, *device, acquired.get(), known.description->kernels[kernel]};
    const int64_t grid[3] = {blocks[0], blocks[1], blocks[2]}, block[3] = {threads[0], threads[1], threads[2]};
    code = launch_kernel(launch, *built, static_cast<size_t>(kernel), grid, block, shared_bytes,
                         {arguments, static_cast<size_t>(argument_count)});
    return code == 0 && profile::current != nullptr
               ? wait_for_device(context, *acquired, fluorite_error_code_device_run_failed)
               : code;
}

int fluorite_device_allocate(void *context, const fluorite_device_interface_t *interface, const char *func,
                             uint64_t bytes, uint64_t *memory) {
    Device *device = known_device(context, interface);
    if (device == nullptr) {
        return fluorite_error_code_no_device_interface;
    }
    AcquiredContext acquired(*device, context);
    DeviceRecord record;
    record.bytes = bytes;
    int code = acquired.code();
    code = code == 0 ? device->allocate(context, func, acquired.get(), bytes, record.memory) : code;
    *memory = code == 0 ? device->add(std::move(record)) : 0;
    return code;
}

int fluorite_device_deallocate(void *context, const fluorite_device_interface_t *interface, uint64_t memory) {
    if (memory == 0) {
        return 0;
    }
    fluorite_buffer_t buffer{};
    buffer.device = memory;
    buffer.device_interface = interface;
    return interface->device_free(context, &buffer);
}

int fluorite_device_mark_host_written(fluorite_buffer_t *buffer) {
    const std::lock_guard lock(lock_of(buffer));
    buffer->set_host_dirty(true);
    buffer->set_device_dirty(false);
    return 0;
}

int fluorite_device_mark_written(fluorite_buffer_t *buffer) {
    const std::lock_guard lock(lock_of(buffer));
    buffer->set_host_dirty(false);
    buffer->set_device_dirty(true);
    return 0;
}

int fluorite_device_need_input(void *context, const fluorite_device_interface_t *interface, const char *name,
                               fluorite_buffer_t *buffer) {
    Device *device = known_device(context, interface);
    const std::lock_guard lock(lock_of(buffer));
    return device == nullptr ? static_cast<int>(fluorite_error_code_no_device_interface)
                             : copy_buffer_to_device(context, name, buffer, interface);
}

int fluorite_device_need_output(void *context, const fluorite_device_interface_t *interface, const char *name,
                                fluorite_buffer_t *buffer, int32_t keeps) {
    Device *device = known_device(context, interface);
    if (device == nullptr) {
        return fluorite_error_code_no_device_interface;
    }
    const std::lock_guard lock(lock_of(buffer));
    return keeps != 0 ? copy_buffer_to_device(context, name, buffer, interface)
                      : malloc_buffer(context, name, buffer, interface);
}

int fluorite_device_need_host(void *context, const char *name, fluorite_buffer_t *buffer) {
    const fluorite_device_interface_t *interface = buffer->device_interface;
    const std::lock_guard lock(lock_of(buffer));
    const bool is_foreign = interface != nullptr && device_of(interface) == nullptr;
    return !is_foreign               ? copy_buffer_to_host(context, name, buffer)
           : !buffer->device_dirty() ? 0
                                     : interface->copy_to_host(context, buffer);
}
}
