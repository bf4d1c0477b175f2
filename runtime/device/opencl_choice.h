#pragma once
// The choice of an OpenCL device: what the program or the environment asks for, and what is there.

#include "runtime/device/driver.h"
#include "runtime/device/opencl_api.h"

#include <string>

namespace fluorite_runtime::opencl {

/// `CL_OUT_OF_RESOURCES (-5)`
std::string code_text(Int code);
/// `clFinish returned CL_OUT_OF_RESOURCES (-5)`
Status failed_call(const char *function, Int code);

/// The library is not there, or too old; a device is too old.
Status no_library(const std::string &why);
Status no_function(const std::string &name);
Status old_device(const std::string &device, const std::string &version);

/// The functions of the library, which is opened by the first call; null if `status` failed.
const Api *load(Status &status);

/// Chooses the device with this number among those that the texts below admit.
Status choose(const Api &api, int number, Platform &platform, DeviceId &device);
/// A text of a device, such as its name.
std::string device_text_of(const Api &api, DeviceId device, UInt what);

/// The build options that the program or the environment asks for.
std::string asked_build_options();

} // namespace fluorite_runtime::opencl
