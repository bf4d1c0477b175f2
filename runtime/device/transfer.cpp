// Copies of bytes between the host and device memory that no buffer describes.
//
// What: generated code keeps Funcs that are computed on a device in memory of its own, and copies parts of it. A copy
// has an offset and a number of bytes, both checked against the memory.
//
// Relies on: device.cpp. Does not do: strides, which buffers have (interface.cpp). Cost: a lookup beside the driver's
// call.

#include "runtime/device/device.h"
#include "runtime/text.h"

namespace fluorite_runtime {

namespace {

Box line(uint64_t host, uint64_t device, uint64_t bytes, bool to_device) {
    Box box;
    box.row_bytes = bytes;
    box.from = {to_device ? host : device, bytes, bytes};
    box.to = {to_device ? device : host, bytes, bytes};
    return box;
}

int transfer(void *context, const fluorite_device_interface_t *interface, uint64_t memory, uint64_t offset,
             uint8_t *host, uint64_t bytes, bool to_device) {
    Device *device = device_of(interface);
    if (device == nullptr) {
        return no_interface_given(context, "a call of generated code");
    }
    if (bytes == 0) {
        return 0;
    }
    AcquiredContext acquired(*device, context);
    if (acquired.code() != 0) {
        return acquired.code();
    }
    DeviceRecord record;
    if (const int code = use_memory(context, nullptr, *device, acquired.get(), memory, record); code != 0) {
        return code;
    }
    const int code = to_device ? fluorite_error_code_copy_to_device_failed : fluorite_error_code_copy_to_host_failed;
    Status status;
    if (offset > record.bytes || bytes > record.bytes - offset) {
        status = {Status::Kind::Failed,
                  "bytes " + to_text(offset) + " to " + to_text(offset + bytes) + " of device memory of " +
                      to_text(record.bytes) + " are copied",
                  "a copy lies inside the memory", "copy less", "bad-device-copy"};
    } else if (to_device) {
        status = acquired->driver().write(record.memory->native, host, line(0, record.offset + offset, bytes, true));
    } else {
        status = acquired->driver().read(record.memory->native, host, line(0, record.offset + offset, bytes, false));
    }
    if (status.failed()) {
        return driver_failed(context, code, device_text(device->name(), acquired->limits().device), status);
    }
    return to_device ? 0 : report_kernel_failures(context, *acquired, code);
}

} // namespace

} // namespace fluorite_runtime

using namespace fluorite_runtime;

extern "C" {

int fluorite_device_write(void *context, const fluorite_device_interface_t *interface, uint64_t memory, uint64_t offset,
                          const void *host, uint64_t bytes) {
    return transfer(context, interface, memory, offset, const_cast<uint8_t *>(static_cast<const uint8_t *>(host)),
                    bytes, true);
}

int fluorite_device_read(void *context, const fluorite_device_interface_t *interface, uint64_t memory, uint64_t offset,
                         void *host, uint64_t bytes) {
    return transfer(context, interface, memory, offset, static_cast<uint8_t *>(host), bytes, false);
}
}
