#pragma once
// The devices that targets name: which API, and its interface for the functions of fluorite/runtime_device.h.

#include "fluorite/require_cxx17.h"

#include "fluorite/schedule_types.h"
#include "fluorite/target.h"

struct halide_device_interface_t;

namespace fluorite {

/// The feature of targets with devices of this API; FeatureEnd for None, Host and Default_GPU, which name none.
Target::Feature target_feature_for_device_api(DeviceAPI api);
/// The API of the devices on which loops over blocks run: that of the target's first feature of a GPU, or Host where it
/// has none.
DeviceAPI get_default_device_api_for_target(const Target &target);
/// The interface of the devices of an API, for Default_GPU of that of the target; null where there is none: for Host,
/// for an API that the target does not have, and for one that is not built (Metal, Vulkan, ...).
const fluorite_device_interface_t *
get_device_interface_for_device_api(DeviceAPI api, const Target &target = get_jit_target_from_environment());

namespace buffer_detail {
/// The same for memory that `who` asks for. Throws CompileError [bad-target] in place of null.
const fluorite_device_interface_t *required_device(DeviceAPI api, const Target &target, const Location &location,
                                                   const char *who = "a Target");
} // namespace buffer_detail

/// The same; throws CompileError [bad-target], which names the site, in place of null where a site is given.
inline const fluorite_device_interface_t *get_device_interface_for_device_api(DeviceAPI api, const Target &target,
                                                                              const char *error_site) {
    return error_site ? buffer_detail::required_device(api, target, Location(), error_site)
                      : get_device_interface_for_device_api(api, target);
}

} // namespace fluorite
