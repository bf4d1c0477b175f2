// Which devices targets name, and their interfaces. Whether they are on this machine: target_device.cpp.

#include "fluorite/device_target.h"

#include "fluorite/runtime_device.h"
#include "support/check.h"

#include <array>
#include <utility>

namespace fluorite {

namespace {

constexpr std::array<std::pair<DeviceAPI, Target::Feature>, 6> features = {{
    {DeviceAPI::CUDA, Target::CUDA},
    {DeviceAPI::OpenCL, Target::OpenCL},
    {DeviceAPI::Metal, Target::Metal},
    {DeviceAPI::D3D12Compute, Target::D3D12Compute},
    {DeviceAPI::Vulkan, Target::Vulkan},
    {DeviceAPI::WebGPU, Target::WebGPU},
}};

} // namespace

Target::Feature target_feature_for_device_api(DeviceAPI api) {
    for (const auto &[of_api, feature] : features) {
        if (of_api == api) {
            return feature;
        }
    }
    return Target::FeatureEnd;
}

DeviceAPI get_default_device_api_for_target(const Target &target) {
    for (const auto &[api, feature] : features) {
        if (target.has_feature(feature)) {
            return api;
        }
    }
    return DeviceAPI::Host;
}

bool Target::supports_device_api(DeviceAPI api) const {
    if (api == DeviceAPI::None || api == DeviceAPI::Host) {
        return true;
    }
    return api == DeviceAPI::Default_GPU ? has_gpu_feature() : has_feature(target_feature_for_device_api(api));
}

DeviceAPI Target::get_required_device_api() const {
    const DeviceAPI api = get_default_device_api_for_target(*this);
    return api == DeviceAPI::Host ? DeviceAPI::None : api;
}

const fluorite_device_interface_t *get_device_interface_for_device_api(DeviceAPI api, const Target &target) {
    const DeviceAPI meant = api == DeviceAPI::Default_GPU ? get_default_device_api_for_target(target) : api;
    if (!target.has_feature(target_feature_for_device_api(meant))) {
        return nullptr;
    }
    return meant == DeviceAPI::CUDA     ? fluorite_cuda_device_interface()
           : meant == DeviceAPI::OpenCL ? fluorite_opencl_device_interface()
                                        : nullptr;
}

namespace buffer_detail {

const fluorite_device_interface_t *required_device(DeviceAPI api, const Target &target, const Location &location,
                                                   const char *who) {
    const fluorite_device_interface_t *device = get_device_interface_for_device_api(api, target);
    if (device == nullptr) {
        throw CompileError("bad-target",
                           concat("in ", who, ": memory of a device is asked for, and ", target.to_string(),
                                  " has none of this API; the devices that are built are those of CUDA and OpenCL; "
                                  "give the target one of these features"),
                           location);
    }
    return device;
}

} // namespace buffer_detail

} // namespace fluorite
