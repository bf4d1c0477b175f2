// Memory of Funcs that are computed on a device, and its copy on the host.
//
// What: a mirror is memory of the device, and optionally a block of the host with the same elements. Generated code
// says which side it accesses next and which side it has stored to; elements are copied where the other side is newer.
//
// Method: one mark says which side is newer. Tasks of a parallel loop use one mirror, so each call holds a lock, which
// mirrors share by their address.
//
// Relies on: transfer.cpp. Does not do: copies of parts. Cost: a lock, where nothing is copied.

#include "fluorite/runtime/device.h"
#include "runtime/device/striped_locks.h"

namespace {

enum Newest : int32_t { neither, host_is_newest, device_is_newest };

} // namespace

extern "C" {

int fluorite_device_mirror_begin(void *context, const fluorite_device_interface_t *device,
                                 fluorite_device_mirror_t *mirror, const char *func, uint64_t bytes) {
    *mirror = {device, nullptr, bytes, 0, neither};
    return fluorite_device_allocate(context, device, func, bytes, &mirror->memory);
}

int fluorite_device_mirror_end(void *context, fluorite_device_mirror_t *mirror) {
    const uint64_t memory = mirror->memory;
    mirror->memory = 0;
    return fluorite_device_deallocate(context, mirror->device, memory);
}

int fluorite_device_mirror_attach(fluorite_device_mirror_t *mirror, void *host) {
    mirror->host = host;
    return 0;
}

int fluorite_device_mirror_need(void *context, fluorite_device_mirror_t *mirror) {
    const std::lock_guard lock(fluorite_runtime::lock_of(mirror));
    if (mirror->newest != host_is_newest) {
        return 0;
    }
    const int code = fluorite_device_write(context, mirror->device, mirror->memory, 0, mirror->host, mirror->bytes);
    mirror->newest = code == 0 ? int32_t{neither} : mirror->newest;
    return code;
}

int fluorite_device_mirror_need_host(void *context, fluorite_device_mirror_t *mirror) {
    const std::lock_guard lock(fluorite_runtime::lock_of(mirror));
    if (mirror->newest != device_is_newest) {
        return 0;
    }
    const int code = fluorite_device_read(context, mirror->device, mirror->memory, 0, mirror->host, mirror->bytes);
    mirror->newest = code == 0 ? int32_t{neither} : mirror->newest;
    return code;
}

int fluorite_device_mirror_wrote(fluorite_device_mirror_t *mirror, int32_t on_device) {
    const std::lock_guard lock(fluorite_runtime::lock_of(mirror));
    mirror->newest = on_device != 0 ? device_is_newest : host_is_newest;
    return 0;
}
}
