// The driver of CUDA devices.
//
// What: the functions of DriverContext over CUDA's driver API. Memory is an address, to which the host adds offsets. A
// context is the primary one of a device, or the program's, with a stream; calls make it current for their duration.
//
// Method: copies are boxes of three dimensions in the stream; those from and to the host are followed by a wait for
// the stream, so that the host's memory may be changed, pinned or not. Freed memory waits until the stream has been
// waited for, because the stream may use it. Modules are PTX, which the driver compiles for its device. Shared memory
// above 48 KiB is asked for, as functions do not get it otherwise.
//
// Relies on: the driver's library, opened when a device is first needed: libcuda.so.1, which every driver has. Does not
// do: textures, graphs, copies that do not wait. It has been written from the manual and not yet run on a device. Cost:
// some microseconds for a launch.

#include "runtime/device/cuda_api.h"
#include "runtime/device/device.h"
#include "runtime/device/library.h"
#include "runtime/text.h"

#include <climits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fluorite_runtime::cuda {

namespace {

// Of the bytes of parameters, 4 KiB; of blocks along an axis: the CUDA programming guide, technical specifications.
constexpr uint64_t most_parameter_bytes = 4096;
constexpr int64_t most_blocks_in_yz = 65535;
// Functions get more only if they ask for it (the same table).
constexpr uint64_t usual_shared_bytes = 48 << 10;
constexpr size_t log_bytes = 16 << 10;
constexpr size_t most_freed = 64; // blocks that wait for the stream

/// Copied without pitches, which have a limit below the sizes of buffers.
bool is_line(const Box &box) { return box.rows == 1 && box.planes == 1; }

std::string code_text(const Api &api, Result code) {
    const char *name = nullptr;
    api.GetErrorName(code, &name);
    return (name != nullptr ? std::string(name) + " (" : "(") + to_text(int64_t{code}) + ")";
}

Status result(const Api &api, const char *function, Result code) {
    if (code == success) {
        return {};
    }
    Status status = failed(std::string(function) + " returned " + code_text(api, code));
    status.kind = code == out_of_memory ? Status::Kind::NoMemory : Status::Kind::Failed;
    return status;
}

/// Makes a context current for a scope.
class Current {
  public:
    Current(const Api &api, Context context) : api_(api) { api_.CtxPush(context); }
    ~Current() {
        Context popped = nullptr;
        api_.CtxPop(&popped);
    }
    Current(const Current &) = delete;
    Current &operator=(const Current &) = delete;

  private:
    const Api &api_;
};

/// A box without its ends, to whose addresses the offsets are added.
Copy3d box_copy(const Box &box) {
    Copy3d copy{};
    copy.from_pitch = box.from.row_pitch;
    copy.from_height = box.from.plane_pitch / box.from.row_pitch;
    copy.to_pitch = box.to.row_pitch;
    copy.to_height = box.to.plane_pitch / box.to.row_pitch;
    copy.width_bytes = box.row_bytes;
    copy.height = box.rows;
    copy.depth = box.planes;
    return copy;
}

class CudaContext : public DriverContext {
  public:
    /// `is_primary`: the context is released in the end; `has_stream`: the stream is destroyed.
    struct Owned {
        bool is_primary, has_stream;
    };
    CudaContext(const Api &api, Context context, Stream stream, DeviceId device, Owned owned)
        : api_(api), context_(context), stream_(stream), device_(device), owned_(owned) {
        read_limits();
    }
    ~CudaContext() override {
        static_cast<void>(wait()); // nobody is left to be told
        {
            const Current current(api_, context_);
            if (owned_.has_stream) {
                api_.StreamDestroy(stream_);
            }
        }
        if (owned_.is_primary) {
            api_.PrimaryRelease(device_);
        }
    }

    const DeviceLimits &limits() const override { return limits_; }
    const void *memory_space() const override { return context_; }
    bool has_addresses() const override { return true; }

    Status allocate(uint64_t bytes, uint64_t &memory) override {
        Address address = 0;
        Result code = success;
        {
            const Current current(api_, context_);
            code = api_.MemAlloc(&address, bytes);
        }
        if (code == out_of_memory && !wait().failed()) { // which frees what the stream may have used
            const Current current(api_, context_);
            code = api_.MemAlloc(&address, bytes);
        }
        memory = address;
        return result(api_, "cuMemAlloc", code);
    }
    Status allocate_filled(const void *bytes, uint64_t size, uint64_t &memory) override {
        if (Status status = allocate(size, memory); status.failed()) {
            return status;
        }
        const Current current(api_, context_);
        // From memory that is not pinned, the call returns after it has taken the bytes.
        Status status = result(api_, "cuMemcpyHtoDAsync", api_.CopyToDevice(memory, bytes, size, stream_));
        if (status.failed()) {
            api_.MemFree(std::exchange(memory, 0));
        }
        return status;
    }
    Status free(uint64_t memory) override {
        std::unique_lock lock(freed_mutex_);
        freed_.push_back(memory);
        const bool is_full = freed_.size() >= most_freed;
        lock.unlock();
        return is_full ? wait() : Status{};
    }
    Status write(uint64_t memory, const uint8_t *host, const Box &box) override {
        const uint8_t *source = host + static_cast<ptrdiff_t>(box.from.offset);
        const uint64_t target = memory + box.to.offset;
        const Current current(api_, context_);
        if (is_line(box)) {
            return waited("cuMemcpyHtoDAsync", api_.CopyToDevice(target, source, box.row_bytes, stream_));
        }
        Copy3d copy = box_copy(box);
        copy.from_type = host_memory;
        copy.from_host = source;
        copy.to_type = device_memory;
        copy.to_device = target;
        return waited("cuMemcpy3DAsync", api_.CopyBox(&copy, stream_));
    }
    Status read(uint64_t memory, uint8_t *host, const Box &box) override {
        const uint64_t source = memory + box.from.offset;
        uint8_t *target = host + static_cast<ptrdiff_t>(box.to.offset);
        const Current current(api_, context_);
        if (is_line(box)) {
            return waited("cuMemcpyDtoHAsync", api_.CopyToHost(target, source, box.row_bytes, stream_));
        }
        Copy3d copy = box_copy(box);
        copy.from_type = device_memory;
        copy.from_device = source;
        copy.to_type = host_memory;
        copy.to_host = target;
        return waited("cuMemcpy3DAsync", api_.CopyBox(&copy, stream_));
    }
    Status copy(uint64_t from, uint64_t to, const Box &box) override {
        const uint64_t source = from + box.from.offset, target = to + box.to.offset;
        const Current current(api_, context_);
        if (is_line(box)) {
            return result(api_, "cuMemcpyDtoDAsync", api_.CopyOnDevice(target, source, box.row_bytes, stream_));
        }
        Copy3d copy = box_copy(box);
        copy.from_type = copy.to_type = device_memory;
        copy.from_device = source;
        copy.to_device = target;
        return result(api_, "cuMemcpy3DAsync", api_.CopyBox(&copy, stream_));
    }

    Status build(const fluorite_device_module_t &module, uint64_t &built) override {
        const Current current(api_, context_);
        const std::string text(static_cast<const char *>(module.bytes), module.size); // the driver wants a final zero
        std::vector<char> log(log_bytes, 0);
        int options[] = {jit_error_log, jit_error_log_bytes};
        void *values[] = {log.data(), reinterpret_cast<void *>(static_cast<uintptr_t>(log.size()))};
        Module loaded = nullptr;
        Status status = result(api_, "cuModuleLoadDataEx", api_.ModuleLoad(&loaded, text.c_str(), 2, options, values));
        if (status.failed()) {
            status.kind = Status::Kind::Failed;
            status.seen = "the kernels were not built: " + status.seen + "\n" + log.data();
            status.rule = "kernels are PTX, which the driver compiles for " + limits_.device;
            status.fix = "update the driver if it is older than the PTX, or name the device's capability in the target";
            status.slug = "kernel-build";
        }
        built = reinterpret_cast<uintptr_t>(loaded);
        return status;
    }
    Status find_kernel(uint64_t built, const fluorite_device_kernel_t &description, uint64_t &kernel) override {
        const Current current(api_, context_);
        Function function = nullptr;
        Status status =
            result(api_, "cuModuleGetFunction",
                   api_.ModuleGetFunction(&function, reinterpret_cast<Module>(static_cast<uintptr_t>(built)),
                                          description.name));
        if (status.failed()) {
            status.seen = std::string("there is no kernel '") + description.name + "': " + status.seen;
            status.rule = "a module has the kernels that its description names";
            status.fix = "compile the pipeline again";
            status.slug = "kernel-build";
            return status;
        }
        kernel = reinterpret_cast<uintptr_t>(function);
        int static_bytes = 0;
        api_.FuncGetAttribute(&static_bytes, function_static_shared, function);
        if (limits_.shared_bytes > usual_shared_bytes) { // an upper bound; what is used depends on the launch
            const int most = static_cast<int>(limits_.shared_bytes) - static_bytes;
            status =
                result(api_, "cuFuncSetAttribute", api_.FuncSetAttribute(function, function_most_dynamic_shared, most));
        }
        return status;
    }
    void forget_kernel(uint64_t) override {}
    Status unload(uint64_t built) override {
        const Current current(api_, context_);
        return built == 0 ? Status{}
                          : result(api_, "cuModuleUnload",
                                   api_.ModuleUnload(reinterpret_cast<Module>(static_cast<uintptr_t>(built))));
    }

    Status launch(const KernelStart &start) override {
        const Current current(api_, context_);
        std::vector<void *> parameters;
        for (const KernelParameter &parameter : start.parameters) {
            parameters.push_back(const_cast<void *>(parameter.value));
        }
        const auto extent = [](int64_t value) { return static_cast<unsigned>(value); };
        const Result code =
            api_.LaunchKernel(reinterpret_cast<Function>(static_cast<uintptr_t>(start.kernel)), extent(start.blocks[0]),
                              extent(start.blocks[1]), extent(start.blocks[2]), extent(start.threads[0]),
                              extent(start.threads[1]), extent(start.threads[2]),
                              extent(static_cast<int64_t>(start.shared_bytes)), stream_, parameters.data(), nullptr);
        Status status = result(api_, "cuLaunchKernel", code);
        status.kind = status.failed() ? Status::Kind::Failed : status.kind;
        if (code == launch_out_of_resources) {
            status.rule = "the registers and shared memory of a block limit its threads";
            status.fix = "use smaller blocks in the schedule";
            status.slug = "kernel-launch";
        }
        return status;
    }
    /// Then frees what has been freed before the call.
    Status wait() override {
        std::vector<uint64_t> freed;
        {
            std::lock_guard guard(freed_mutex_);
            freed.swap(freed_);
        }
        const Current current(api_, context_);
        Status status = result(api_, "cuStreamSynchronize", api_.StreamSynchronize(stream_));
        for (const uint64_t memory : freed) {
            Status next = result(api_, "cuMemFree", api_.MemFree(memory));
            status = status.failed() ? std::move(status) : std::move(next);
        }
        return status;
    }

  private:
    /// The result of a copy that has been waited for. Precondition: the context is current.
    Status waited(const char *function, Result code) {
        return code != success ? result(api_, function, code)
                               : result(api_, "cuStreamSynchronize", api_.StreamSynchronize(stream_));
    }
    int attribute(int which) const {
        int value = 0;
        api_.DeviceGetAttribute(&value, which, device_);
        return value;
    }
    void read_limits() {
        char name[256] = "";
        api_.DeviceGetName(name, sizeof(name), device_);
        limits_.device = name;
        size_t bytes = 0;
        api_.DeviceTotalMem(&bytes, device_);
        limits_.memory_bytes = limits_.allocation_bytes = bytes;
        limits_.parameter_bytes = most_parameter_bytes;
        limits_.shared_bytes = static_cast<uint64_t>(attribute(shared_per_block_opt_in));
        limits_.threads_per_block = attribute(threads_per_block);
        for (int axis = 0; axis < 3; axis++) {
            limits_.threads[axis] = attribute(block_x + axis);
            limits_.blocks[axis] = axis == 0 ? attribute(grid_x) : most_blocks_in_yz;
        }
        limits_.major = attribute(capability_major);
        limits_.minor = attribute(capability_minor);
    }

    const Api &api_;
    Context context_;
    Stream stream_;
    DeviceId device_;
    Owned owned_;
    DeviceLimits limits_;
    std::mutex freed_mutex_;
    std::vector<uint64_t> freed_; ///< memory that is freed when the stream is waited for
};

Status missing(std::string seen, std::string rule, std::string fix, const char *slug) {
    return {Status::Kind::Failed, std::move(seen), std::move(rule), std::move(fix), slug};
}

const Api *load(Status &status) {
    static std::mutex mutex;
    static Api api;
    static bool is_loaded = false;
    std::lock_guard guard(mutex);
    if (is_loaded) {
        return &api;
    }
    std::string why;
    void *library = open_library({"libcuda.so.1", "libcuda.so"}, why);
    if (library == nullptr) {
        status = missing("there is no CUDA driver: " + why, "devices are reached through libcuda.so.1",
                         "install the driver of the GPU", "no-device-driver");
        return nullptr;
    }
#define FLUORITE_CUDA_FIND(name, symbol, parameters)                                                                   \
    if (!find_function(library, symbol, api.name)) {                                                                   \
        status = missing("the CUDA driver has no function " symbol, "version 11 or later is needed",                   \
                         "install a newer driver", "device-too-old");                                                  \
        return nullptr;                                                                                                \
    }
    FLUORITE_CUDA_FUNCTIONS(FLUORITE_CUDA_FIND)
#undef FLUORITE_CUDA_FIND
    const Result code = api.Init(0);
    if (code != success) {
        status = missing("cuInit returned " + code_text(api, code), "the driver and its GPU must work together",
                         "look whether the device is there, and whether this user may use it", "no-device");
        return nullptr;
    }
    is_loaded = true;
    return &api;
}

class CudaDriver : public Driver {
  public:
    const char *name() const override { return "CUDA"; }

    Status open(const ContextRequest &request, std::unique_ptr<DriverContext> &opened) override {
        Status status;
        const Api *api = load(status);
        if (api == nullptr) {
            return status;
        }
        auto context = static_cast<Context>(request.native_context);
        auto stream = static_cast<Stream>(request.native_queue);
        const CudaContext::Owned owned{context == nullptr, stream == nullptr};
        DeviceId device = 0;
        if (owned.is_primary) {
            status = choose(*api, request.device, device);
            status = status.failed() ? std::move(status)
                                     : result(*api, "cuDevicePrimaryCtxRetain", api->PrimaryRetain(&context, device));
        } else {
            const Current current(*api, context);
            status = result(*api, "cuCtxGetDevice", api->CtxGetDevice(&device));
        }
        if (!status.failed() && owned.has_stream) {
            const Current current(*api, context);
            status = result(*api, "cuStreamCreate", api->StreamCreate(&stream, stream_of_its_own));
            if (status.failed() && owned.is_primary) {
                api->PrimaryRelease(device);
            }
        }
        if (!status.failed()) {
            opened = std::make_unique<CudaContext>(*api, context, stream, device, owned);
        }
        return status;
    }

  private:
    static Status choose(const Api &api, int number, DeviceId &device) {
        int count = 0;
        if (const Result code = api.DeviceGetCount(&count); code != success || count == 0) {
            return missing("the CUDA driver knows no device", "it runs kernels on GPUs",
                           "look whether the device is there", "no-device");
        }
        const int index = number < 0 ? count - 1 : number;
        if (index >= count) {
            return missing("CUDA device " + to_text(int64_t{number}) + " is asked for, and there are " +
                               to_text(int64_t{count}),
                           "FLUORITE_GPU_DEVICE, or the program, chooses among devices", "ask for one, counted from 0",
                           "no-device");
        }
        return result(api, "cuDeviceGet", api.DeviceGet(&device, index));
    }
};

int capability(void *context, int *major, int *minor);

/// Never destroyed, as buffers may be freed after the library's destructors.
Device &cuda_device() {
    static auto *device = new Device(std::make_unique<CudaDriver>(), capability);
    return *device;
}

int capability(void *context, int *major, int *minor) {
    return device_capability(cuda_device(), context, major, minor);
}

} // namespace

} // namespace fluorite_runtime::cuda

extern "C" const fluorite_device_interface_t *fluorite_cuda_device_interface(void) {
    return fluorite_runtime::cuda::cuda_device().interface();
}
