// The driver of OpenCL devices.
//
// What: the functions of DriverContext over OpenCL 1.2. Memory is a cl_mem, whose offset is a parameter of kernels of
// its own, because sub-buffers must be aligned more coarsely than crops are. A queue runs in order, and OpenCL keeps
// memory and kernels until the commands that use them have ended, so freeing needs no waiting.
//
// Method: a box of one row is an ordinary copy, others are rectangles. Copies from and to the host block. Arguments
// belong to the kernel object, so setting them and starting it are under the kernel's lock. Programs are built with
// correctly rounded division and roots where the device has them.
//
// Relies on: opencl_choice.cpp for the library and the device. Does not do: images, sub-buffers, events. Cost: on PoCL
// the first build of a kernel takes 0.1 s to 1.5 s, later ones come from its cache on disk.

#include "runtime/device/device.h"
#include "runtime/device/opencl_choice.h"
#include "runtime/text.h"

#include <climits>
#include <cstdio>
#include <mutex>
#include <string>

namespace fluorite_runtime::opencl {

namespace {

constexpr UInt blocks_until_done = 1;
// Devices whose grids have 16 bits in y and z exist, and OpenCL does not tell; larger grids are launched in pieces.
constexpr int64_t most_blocks_in_yz = 65535;

struct HeldKernel {
    Kernel kernel;
    std::mutex mutex;
};

Memory memory_of(uint64_t native) { return reinterpret_cast<Memory>(static_cast<uintptr_t>(native)); }
template <typename Pointer> uint64_t number_of(Pointer *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

bool is_line(const Box &box) { return box.rows == 1 && box.planes == 1; }

/// The offsets and sizes of a box in the form of OpenCL. The offset of the device is split into a position in rows, as
/// OpenCL computes it from three coordinates; the position (offset, 0, 0) is the same byte.
struct Rectangle {
    size_t from[3], to[3], region[3];
    explicit Rectangle(const Box &box)
        : from{box.from.offset, 0, 0}, to{box.to.offset, 0, 0}, region{box.row_bytes, box.rows, box.planes} {}
};

class OpenClContext : public DriverContext {
  public:
    OpenClContext(const Api &api, Context context, Queue queue, DeviceId device)
        : api_(api), context_(context), queue_(queue), device_(device) {
        read_limits();
    }
    ~OpenClContext() override {
        api_.Finish(queue_);
        api_.ReleaseCommandQueue(queue_);
        api_.ReleaseContext(context_);
    }

    const DeviceLimits &limits() const override { return limits_; }
    const void *memory_space() const override { return context_; }
    bool has_addresses() const override { return false; }

    Status allocate(uint64_t bytes, uint64_t &memory) override {
        // Kernels update values of 8 and 16 bits atomically as parts of words.
        return create(memory_read_write, (bytes + 3) / 4 * 4, nullptr, memory);
    }
    Status allocate_filled(const void *bytes, uint64_t size, uint64_t &memory) override {
        return create(memory_read_write | memory_copies_host, size, const_cast<void *>(bytes), memory);
    }
    Status free(uint64_t memory) override {
        return result("clReleaseMemObject", api_.ReleaseMemObject(memory_of(memory)));
    }

    Status write(uint64_t memory, const uint8_t *host, const Box &box) override {
        const auto offset = static_cast<ptrdiff_t>(box.from.offset);
        if (is_line(box)) {
            return result("clEnqueueWriteBuffer",
                          api_.EnqueueWriteBuffer(queue_, memory_of(memory), blocks_until_done, box.to.offset,
                                                  box.row_bytes, host + offset, 0, nullptr, nullptr));
        }
        const Rectangle at(box);
        const size_t origin[3] = {0, 0, 0};
        return result("clEnqueueWriteBufferRect",
                      api_.EnqueueWriteBufferRect(queue_, memory_of(memory), blocks_until_done, at.to, origin,
                                                  at.region, box.to.row_pitch, box.to.plane_pitch, box.from.row_pitch,
                                                  box.from.plane_pitch, host + offset, 0, nullptr, nullptr));
    }
    Status read(uint64_t memory, uint8_t *host, const Box &box) override {
        const auto offset = static_cast<ptrdiff_t>(box.to.offset);
        if (is_line(box)) {
            return result("clEnqueueReadBuffer",
                          api_.EnqueueReadBuffer(queue_, memory_of(memory), blocks_until_done, box.from.offset,
                                                 box.row_bytes, host + offset, 0, nullptr, nullptr));
        }
        const Rectangle at(box);
        const size_t origin[3] = {0, 0, 0};
        return result("clEnqueueReadBufferRect",
                      api_.EnqueueReadBufferRect(queue_, memory_of(memory), blocks_until_done, at.from, origin,
                                                 at.region, box.from.row_pitch, box.from.plane_pitch, box.to.row_pitch,
                                                 box.to.plane_pitch, host + offset, 0, nullptr, nullptr));
    }
    Status copy(uint64_t from, uint64_t to, const Box &box) override {
        if (is_line(box)) {
            return result("clEnqueueCopyBuffer",
                          api_.EnqueueCopyBuffer(queue_, memory_of(from), memory_of(to), box.from.offset, box.to.offset,
                                                 box.row_bytes, 0, nullptr, nullptr));
        }
        const Rectangle at(box);
        return result("clEnqueueCopyBufferRect",
                      api_.EnqueueCopyBufferRect(queue_, memory_of(from), memory_of(to), at.from, at.to, at.region,
                                                 box.from.row_pitch, box.from.plane_pitch, box.to.row_pitch,
                                                 box.to.plane_pitch, 0, nullptr, nullptr));
    }

    Status build(const fluorite_device_module_t &module, uint64_t &built) override {
        const char *text = static_cast<const char *>(module.bytes);
        const size_t size = module.size;
        Int code = success;
        Program program = api_.CreateProgramWithSource(context_, 1, &text, &size, &code);
        if (program == nullptr) {
            return failed_call("clCreateProgramWithSource", code);
        }
        const std::string options = build_options(module);
        code = api_.BuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr);
        if (code != success) {
            Status status = failed_call("clBuildProgram", code);
            status.kind = Status::Kind::Failed;
            status.seen = "the kernels were not built: " + status.seen + "\n" + build_log(program);
            status.rule = "kernels are OpenCL C 1.2, built with '" + options + "'";
            status.fix = "look at the log above; options of the program's own come from FLUORITE_OPENCL_BUILD_OPTIONS";
            status.slug = "kernel-build";
            api_.ReleaseProgram(program);
            return status;
        }
        built = number_of(program);
        return {};
    }
    Status find_kernel(uint64_t built, const fluorite_device_kernel_t &description, uint64_t &kernel) override {
        Int code = success;
        Kernel found =
            api_.CreateKernel(reinterpret_cast<Program>(static_cast<uintptr_t>(built)), description.name, &code);
        if (found == nullptr) {
            Status status = failed_call("clCreateKernel", code);
            status.seen = std::string("there is no kernel '") + description.name + "': " + status.seen;
            status.rule = "a module has the kernels that its description names";
            status.fix = "compile the pipeline again";
            status.slug = "kernel-build";
            return status;
        }
        kernel = number_of(new HeldKernel{found, {}});
        return {};
    }
    void forget_kernel(uint64_t kernel) override {
        auto *held = reinterpret_cast<HeldKernel *>(static_cast<uintptr_t>(kernel));
        api_.ReleaseKernel(held->kernel);
        delete held;
    }
    Status unload(uint64_t built) override {
        return built == 0 ? Status{}
                          : result("clReleaseProgram",
                                   api_.ReleaseProgram(reinterpret_cast<Program>(static_cast<uintptr_t>(built))));
    }

    Status launch(const KernelStart &start) override {
        auto &held = *reinterpret_cast<HeldKernel *>(static_cast<uintptr_t>(start.kernel));
        std::lock_guard guard(held.mutex);
        UInt index = 0;
        for (const KernelParameter &parameter : start.parameters) {
            if (const Int code = api_.SetKernelArg(held.kernel, index, parameter.bytes, parameter.value);
                code != success) {
                return failed("parameter " + to_text(uint64_t{index}) + " was refused: clSetKernelArg returned " +
                              code_text(code));
            }
            index++;
        }
        if ((start.flags & fluorite_device_kernel_uses_shared) != 0) {
            const size_t bytes = start.shared_bytes > 0 ? start.shared_bytes : 1;
            if (const Int code = api_.SetKernelArg(held.kernel, index, bytes, nullptr); code != success) {
                return failed_call("clSetKernelArg for shared memory", code);
            }
        }
        size_t global[3], local[3];
        for (size_t axis = 0; axis < 3; axis++) {
            local[axis] = static_cast<size_t>(start.threads[axis]);
            global[axis] = static_cast<size_t>(start.blocks[axis]) * local[axis];
        }
        const Int code = api_.EnqueueNDRangeKernel(queue_, held.kernel, 3, nullptr, global, local, 0, nullptr, nullptr);
        return code != success ? launch_failed(code) : result("clFlush", api_.Flush(queue_));
    }
    Status wait() override { return result("clFinish", api_.Finish(queue_)); }

  private:
    static Status result(const char *function, Int code) {
        return code == success ? Status{} : failed_call(function, code);
    }
    static Status launch_failed(Int code) {
        Status status = failed_call("clEnqueueNDRangeKernel", code);
        status.kind = Status::Kind::Failed;
        if (code == invalid_work_group_size || code == out_of_resources) {
            status.rule = "the registers and shared memory of a block limit its threads";
            status.fix = "use smaller blocks in the schedule";
            status.slug = "kernel-launch";
        }
        return status;
    }
    Status create(Bitfield flags, uint64_t bytes, void *host, uint64_t &memory) {
        Int code = success;
        Memory made = api_.CreateBuffer(context_, flags, bytes, host, &code);
        memory = number_of(made);
        return made != nullptr ? Status{} : failed_call("clCreateBuffer", code);
    }

    template <typename T> T info(UInt what) const {
        T value{};
        api_.GetDeviceInfo(device_, what, sizeof(T), &value, nullptr);
        return value;
    }
    void read_limits() {
        limits_.device = device_text_of(api_, device_, device_name);
        limits_.memory_bytes = info<uint64_t>(device_memory_size);
        limits_.allocation_bytes = info<uint64_t>(device_allocation_size);
        limits_.parameter_bytes = info<size_t>(device_parameter_size);
        limits_.shared_bytes = info<uint64_t>(device_local_size);
        limits_.threads_per_block = static_cast<int64_t>(info<size_t>(device_work_group_size));
        size_t sizes[16] = {1, 1, 1}; // of all dimensions, of which there may be more than three
        api_.GetDeviceInfo(device_, device_work_item_sizes, sizeof(sizes), sizes, nullptr);
        const int64_t most[3] = {INT_MAX, most_blocks_in_yz, most_blocks_in_yz};
        for (size_t axis = 0; axis < 3; axis++) {
            limits_.threads[axis] = static_cast<int64_t>(sizes[axis]);
            limits_.blocks[axis] = most[axis];
        }
        const std::string version = device_text_of(api_, device_, device_version); // OpenCL 3.0 ...
        std::sscanf(version.c_str(), "OpenCL %d.%d", &limits_.major, &limits_.minor);
        divides_correctly_ = (info<Bitfield>(device_single_config) & config_correct_division) != 0;
    }

    std::string build_options(const fluorite_device_module_t &module) const {
        std::string options = "-cl-std=CL1.2";
        options += divides_correctly_ ? " -cl-fp32-correctly-rounded-divide-sqrt" : "";
        options += module.options != nullptr && module.options[0] != 0 ? std::string(" ") + module.options : "";
        const std::string asked = asked_build_options();
        return asked.empty() ? options : options + " " + asked;
    }
    std::string build_log(Program program) const {
        size_t size = 0;
        api_.GetProgramBuildInfo(program, device_, program_build_log, 0, nullptr, &size);
        std::string log(size, 0);
        api_.GetProgramBuildInfo(program, device_, program_build_log, size, log.data(), nullptr);
        while (!log.empty() && (log.back() == 0 || log.back() == '\n')) {
            log.pop_back();
        }
        return log;
    }

    const Api &api_;
    Context context_;
    Queue queue_;
    DeviceId device_;
    DeviceLimits limits_;
    bool divides_correctly_ = false;
};

class OpenClDriver : public Driver {
  public:
    const char *name() const override { return "OpenCL"; }

    Status open(const ContextRequest &request, std::unique_ptr<DriverContext> &opened) override {
        Status status;
        const Api *api = load(status);
        if (api == nullptr) {
            return status;
        }
        Platform platform = nullptr;
        DeviceId device = nullptr;
        auto context = static_cast<Context>(request.native_context);
        auto queue = static_cast<Queue>(request.native_queue);
        status = context != nullptr ? find_device(*api, context, queue, device)
                                    : choose(*api, request.device, platform, device);
        if (!status.failed()) {
            status = check_version(*api, device);
        }
        if (!status.failed()) {
            status = context != nullptr ? retain(*api, context) : create_context(*api, platform, device, context);
        }
        if (status.failed()) {
            return status;
        }
        status = queue != nullptr ? retain(*api, queue) : create_queue(*api, context, device, queue);
        if (status.failed()) {
            api->ReleaseContext(context);
            return status;
        }
        opened = std::make_unique<OpenClContext>(*api, context, queue, device);
        return {};
    }

  private:
    static Status find_device(const Api &api, Context context, Queue queue, DeviceId &device) {
        DeviceId devices[64] = {};
        const Int code = queue != nullptr
                             ? api.GetCommandQueueInfo(queue, queue_device, sizeof(device), &device, nullptr)
                             : api.GetContextInfo(context, context_devices, sizeof(devices), devices, nullptr);
        device = queue != nullptr ? device : devices[0];
        return code == success ? Status{} : failed_call("the query of the program's context", code);
    }
    static Status check_version(const Api &api, DeviceId device) {
        const std::string version = device_text_of(api, device, device_version);
        int major = 0, minor = 0;
        std::sscanf(version.c_str(), "OpenCL %d.%d", &major, &minor);
        if (major > 1 || (major == 1 && minor >= 2)) {
            return {};
        }
        return old_device(device_text_of(api, device, device_name), version);
    }
    static Status retain(const Api &api, Context context) {
        const Int code = api.RetainContext(context);
        return code == success ? Status{} : failed_call("clRetainContext", code);
    }
    static Status retain(const Api &api, Queue queue) {
        const Int code = api.RetainCommandQueue(queue);
        return code == success ? Status{} : failed_call("clRetainCommandQueue", code);
    }
    static Status create_context(const Api &api, Platform platform, DeviceId device, Context &context) {
        Int code = success;
        const ContextProperty properties[] = {context_platform, reinterpret_cast<ContextProperty>(platform), 0};
        context = api.CreateContext(properties, 1, &device, nullptr, nullptr, &code);
        return context != nullptr ? Status{} : failed_call("clCreateContext", code);
    }
    static Status create_queue(const Api &api, Context context, DeviceId device, Queue &queue) {
        Int code = success;
        queue = api.CreateCommandQueue(context, device, 0, &code);
        return queue != nullptr ? Status{} : failed_call("clCreateCommandQueue", code);
    }
};

int capability(void *context, int *major, int *minor);

/// Never destroyed, as buffers may be freed after the library's destructors.
Device &opencl_device() {
    static auto *device = new Device(std::make_unique<OpenClDriver>(), capability);
    return *device;
}

int capability(void *context, int *major, int *minor) {
    return device_capability(opencl_device(), context, major, minor);
}

} // namespace

} // namespace fluorite_runtime::opencl

extern "C" const fluorite_device_interface_t *fluorite_opencl_device_interface(void) {
    return fluorite_runtime::opencl::opencl_device().interface();
}
