// The choice of an OpenCL device.
//
// What: the library is opened with dlopen when a device is first needed; libOpenCL.so.1 is the ICD loader, which finds
// the drivers of all vendors. The devices of all platforms are listed, GPUs first, then accelerators, then processors;
// those whose platform's name and whose type are not the ones that are asked for are left out; a number chooses among
// the rest.
//
// Relies on: the specification of OpenCL 1.2. Does not do: choices by speed; nothing is keyed to a vendor's name.
// Cost: the loader opens every driver that is installed, some 10 ms to 1 s, once.

#include "runtime/device/opencl_choice.h"

#include "runtime/device/library.h"
#include "runtime/text.h"

#include "fluorite/runtime_device.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace fluorite_runtime::opencl {

namespace {

/// A setting: what the program has set, or a variable of the environment.
struct Setting {
    const char *variable, *peer_variable;
    std::string value;
    bool is_set = false;
};

std::mutex settings_mutex;
Setting &platform_setting() {
    static auto *setting = new Setting{"FLUORITE_OPENCL_PLATFORM", "HL_OCL_PLATFORM_NAME", {}};
    return *setting;
}
Setting &type_setting() {
    static auto *setting = new Setting{"FLUORITE_OPENCL_DEVICE_TYPE", "HL_OCL_DEVICE_TYPE", {}};
    return *setting;
}
Setting &options_setting() {
    static auto *setting = new Setting{"FLUORITE_OPENCL_BUILD_OPTIONS", "HL_OCL_BUILD_OPTIONS", {}};
    return *setting;
}

void set(Setting &setting, const char *value) {
    std::lock_guard guard(settings_mutex);
    setting.value = value != nullptr ? value : "";
    setting.is_set = true;
}

/// Precondition: the lock is held.
const char *get_locked(const Setting &setting) {
    if (setting.is_set) {
        return setting.value.c_str();
    }
    const char *value = std::getenv(setting.variable);
    value = value != nullptr && value[0] != 0 ? value : std::getenv(setting.peer_variable);
    return value != nullptr ? value : "";
}
const char *get(const Setting &setting) {
    std::lock_guard guard(settings_mutex);
    return get_locked(setting);
}
std::string copy_of(const Setting &setting) {
    std::lock_guard guard(settings_mutex);
    return get_locked(setting);
}

Status missing(std::string seen, std::string rule, std::string fix, const char *slug) {
    return {Status::Kind::Failed, std::move(seen), std::move(rule), std::move(fix), slug};
}

bool find_all(void *library, Api &api, std::string &missing_name) {
#define FLUORITE_OPENCL_FIND(name, result, parameters)                                                                 \
    if (!find_function(library, "cl" #name, api.name)) {                                                               \
        missing_name = "cl" #name;                                                                                     \
        return false;                                                                                                  \
    }
    FLUORITE_OPENCL_FUNCTIONS(FLUORITE_OPENCL_FIND)
#undef FLUORITE_OPENCL_FIND
    return true;
}

struct Found {
    Platform platform;
    DeviceId device;
    Bitfield type;
    std::string platform_name;
};

std::string platform_text(const Api &api, Platform platform) {
    size_t size = 0;
    if (api.GetPlatformInfo(platform, platform_name, 0, nullptr, &size) != success || size == 0) {
        return "";
    }
    std::string text(size, 0);
    api.GetPlatformInfo(platform, platform_name, size, text.data(), nullptr);
    text.resize(size - 1); // without the zero
    return text;
}

void add_devices(const Api &api, Platform platform, std::vector<Found> &found) {
    UInt count = 0;
    if (api.GetDeviceIDs(platform, type_all, 0, nullptr, &count) != success || count == 0) {
        return;
    }
    std::vector<DeviceId> devices(count);
    api.GetDeviceIDs(platform, type_all, count, devices.data(), nullptr);
    for (DeviceId device : devices) {
        Bitfield type = 0;
        api.GetDeviceInfo(device, device_type, sizeof(type), &type, nullptr);
        found.push_back({platform, device, type, platform_text(api, platform)});
    }
}

int order_of(Bitfield type) { return (type & type_gpu) != 0 ? 0 : (type & type_accelerator) != 0 ? 1 : 2; }

std::string list_text(const Api &api, const std::vector<Found> &found) {
    std::string text;
    for (const Found &each : found) {
        const char *type = (each.type & type_gpu) != 0 ? "gpu" : (each.type & type_accelerator) != 0 ? "acc" : "cpu";
        text += (text.empty() ? "" : ", ") + device_text_of(api, each.device, device_name) + " (" + type + ", " +
                each.platform_name + ")";
    }
    return text;
}

/// The bits of a type that is asked for; false if the text is none.
bool type_of_text(const std::string &text, Bitfield &type) {
    type = text.empty()    ? type_all
           : text == "gpu" ? type_gpu
           : text == "cpu" ? type_cpu
           : text == "acc" ? type_accelerator
                           : 0;
    return type != 0;
}

constexpr const char *settings_rule =
    "FLUORITE_OPENCL_PLATFORM, FLUORITE_OPENCL_DEVICE_TYPE and FLUORITE_GPU_DEVICE, or the program, choose among "
    "devices";

} // namespace

std::string code_text(Int code) {
    static const struct {
        Int code;
        const char *name;
    } names[] = {{-1, "CL_DEVICE_NOT_FOUND"},
                 {-2, "CL_DEVICE_NOT_AVAILABLE"},
                 {-3, "CL_COMPILER_NOT_AVAILABLE"},
                 {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                 {-5, "CL_OUT_OF_RESOURCES"},
                 {-6, "CL_OUT_OF_HOST_MEMORY"},
                 {-11, "CL_BUILD_PROGRAM_FAILURE"},
                 {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
                 {-30, "CL_INVALID_VALUE"},
                 {-33, "CL_INVALID_DEVICE"},
                 {-34, "CL_INVALID_CONTEXT"},
                 {-36, "CL_INVALID_COMMAND_QUEUE"},
                 {-38, "CL_INVALID_MEM_OBJECT"},
                 {-44, "CL_INVALID_PROGRAM"},
                 {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
                 {-46, "CL_INVALID_KERNEL_NAME"},
                 {-48, "CL_INVALID_KERNEL"},
                 {-49, "CL_INVALID_ARG_INDEX"},
                 {-50, "CL_INVALID_ARG_VALUE"},
                 {-51, "CL_INVALID_ARG_SIZE"},
                 {-52, "CL_INVALID_KERNEL_ARGS"},
                 {-53, "CL_INVALID_WORK_DIMENSION"},
                 {-54, "CL_INVALID_WORK_GROUP_SIZE"},
                 {-55, "CL_INVALID_WORK_ITEM_SIZE"},
                 {-59, "CL_INVALID_OPERATION"},
                 {-61, "CL_INVALID_BUFFER_SIZE"},
                 {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
                 {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}};
    for (const auto &each : names) {
        if (each.code == code) {
            return std::string(each.name) + " (" + to_text(int64_t{code}) + ")";
        }
    }
    return to_text(int64_t{code});
}

Status failed_call(const char *function, Int code) {
    Status status = failed(std::string(function) + " returned " + code_text(code));
    if (code == memory_allocation_failure || code == out_of_resources || code == out_of_host_memory) {
        status.kind = Status::Kind::NoMemory;
    }
    return status;
}

Status no_library(const std::string &why) {
    return missing("there is no OpenCL library: " + why, "devices are reached through libOpenCL.so.1",
                   "install an ICD loader (Debian: ocl-icd-libopencl1) and the driver of a device", "no-device-driver");
}

Status no_function(const std::string &name) {
    return missing("the OpenCL library has no function " + name, "version 1.2 or later is needed",
                   "install a newer loader", "device-too-old");
}

Status old_device(const std::string &device, const std::string &version) {
    return missing(device + " has '" + version + "'", "OpenCL 1.2 or later is needed",
                   "update its driver, or choose another device", "device-too-old");
}

const Api *load(Status &status) {
    static std::mutex mutex;
    static Api api;
    static bool is_loaded = false;
    std::lock_guard guard(mutex);
    if (is_loaded) {
        return &api;
    }
    std::string why, name;
    void *library = open_library({"libOpenCL.so.1", "libOpenCL.so"}, why);
    if (library == nullptr) {
        status = no_library(why);
        return nullptr;
    }
    if (!find_all(library, api, name)) {
        status = no_function(name);
        return nullptr;
    }
    is_loaded = true;
    return &api;
}

std::string device_text_of(const Api &api, DeviceId device, UInt what) {
    size_t size = 0;
    if (api.GetDeviceInfo(device, what, 0, nullptr, &size) != success || size == 0) {
        return "";
    }
    std::string text(size, 0);
    api.GetDeviceInfo(device, what, size, text.data(), nullptr);
    text.resize(size - 1);
    return text;
}

Status choose(const Api &api, int number, Platform &platform, DeviceId &device) {
    const std::string name = copy_of(platform_setting()), type = copy_of(type_setting());
    Bitfield wanted = 0;
    if (!type_of_text(type, wanted)) {
        return missing("the type of device '" + type + "' is asked for", settings_rule, "ask for cpu, gpu or acc",
                       "no-device");
    }
    UInt count = 0;
    const Int listed = api.GetPlatformIDs(0, nullptr, &count);
    if (listed != success || count == 0) {
        return missing(listed == success ? "the OpenCL library knows no platform"
                                         : "clGetPlatformIDs returned " + code_text(listed),
                       "a platform is the driver of a device", "install one (Debian: pocl-opencl-icd for processors)",
                       "no-device");
    }
    std::vector<Platform> platforms(count);
    api.GetPlatformIDs(count, platforms.data(), nullptr);
    std::vector<Found> found;
    for (Platform each : platforms) {
        add_devices(api, each, found);
    }
    if (found.empty()) {
        return missing("no OpenCL platform has a device", "a platform is the driver of a device",
                       "look whether the device is there, and whether this user may use it", "no-device");
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found &a, const Found &b) { return order_of(a.type) < order_of(b.type); });
    std::vector<Found> fitting;
    std::copy_if(found.begin(), found.end(), std::back_inserter(fitting), [&](const Found &each) {
        return each.platform_name.find(name) != std::string::npos && (each.type & wanted) != 0;
    });
    const size_t index = number < 0 ? fitting.size() - 1 : static_cast<size_t>(number);
    if (fitting.empty() || index >= fitting.size()) {
        return missing("OpenCL device " + to_text(int64_t{number}) + (type.empty() ? "" : " of type " + type) +
                           (name.empty() ? "" : " of platform '" + name + "'") + " is asked for, and there are " +
                           list_text(api, found),
                       settings_rule, "ask for one of these, counted from 0", "no-device");
    }
    platform = fitting[index].platform;
    device = fitting[index].device;
    return {};
}

std::string asked_build_options() { return copy_of(options_setting()); }

} // namespace fluorite_runtime::opencl

using namespace fluorite_runtime::opencl;

extern "C" {

void fluorite_opencl_set_platform_name(const char *name) { set(platform_setting(), name); }
void fluorite_opencl_set_device_type(const char *type) { set(type_setting(), type); }
void fluorite_opencl_set_build_options(const char *options) { set(options_setting(), options); }
const char *fluorite_opencl_get_platform_name(void *) { return get(platform_setting()); }
const char *fluorite_opencl_get_device_type(void *) { return get(type_setting()); }
const char *fluorite_opencl_get_build_options(void *) { return get(options_setting()); }
}
