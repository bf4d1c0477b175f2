// Whether the devices of a target are on this machine. The runtime is asked to wait for the device, which loads its
// driver; the error that says what is missing is dropped, as the answer is the result.

#include "fluorite/runtime_abi.h"
#include "fluorite/runtime_device.h"
#include "fluorite/target.h"

namespace fluorite {

static bool is_there(const fluorite_device_interface_t *device) {
    const bool works = fluorite_device_sync_global(nullptr, device) == 0;
    fluorite_clear_error();
    return works;
}

bool host_supports_target_device(const Target &target) {
    if (!target.supported() || !target.has_gpu_feature()) {
        return false;
    }
    return (!target.has_feature(Target::CUDA) || is_there(fluorite_cuda_device_interface())) &&
           (!target.has_feature(Target::OpenCL) || is_there(fluorite_opencl_device_interface()));
}

} // namespace fluorite
