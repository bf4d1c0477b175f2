// The functions of device interfaces: what they do to buffers, their flags and their device memory.
//
// What: allocation, copies between host and device, crops, slices, memory of the program, and waiting, the same for
// every device. Each function checks what it is given, does the work through the Device, and changes the buffer at the
// end, so that a failure leaves it as it was.
//
// Method: device memory has the layout of the host's, from the lowest addressed element to the highest. So a kernel and
// the host compute the same offsets, transposing or translating a buffer moves nothing, and a crop is an offset. Copies
// are boxes (copy_plan.cpp) and touch elements only.
//
// Relies on: device.cpp. Does not do: copies between buffers (buffer_copy.cpp), launches (launch.cpp). Cost: some 100
// ns beside what the driver takes.

#include "runtime/device/buffer_layout.h"
#include "runtime/device/device.h"

#include <utility>

namespace fluorite_runtime {

namespace {

Device &device_behind(const fluorite_device_interface_t *interface) {
    return *static_cast<Device *>(const_cast<void *>(interface->impl));
}

std::string other_device_text(const fluorite_device_interface_t *interface) {
    const Device *device = device_of(interface);
    return device != nullptr ? const_cast<Device *>(device)->name() : "a device of the program";
}

/// Whether a handle is one whose Device has been closed at the end of the process.
bool is_after_end(Device &device) { return device.is_closed(); }

/// Checks that the buffer can get memory of the device.
int check_can_allocate(void *context, const char *where, const fluorite_buffer_t *buffer, Device &device) {
    if (const int code = check_device_fields(context, where, buffer); code != 0) {
        return code;
    }
    if (buffer->device != 0 && buffer->device_interface != device.interface()) {
        return on_other_device(context, where, other_device_text(buffer->device_interface), device.name());
    }
    return 0;
}

int device_malloc(void *context, fluorite_buffer_t *buffer, const fluorite_device_interface_t *interface) {
    return malloc_buffer(context, nullptr, buffer, interface);
}

int free_record(void *context, const char *where, fluorite_buffer_t *buffer) {
    Device &device = device_behind(buffer->device_interface);
    DeviceRecord record;
    const bool found = device.remove(buffer->device, record);
    if (!found && !is_after_end(device)) {
        return dead_handle(context, where, device.name(), buffer->device);
    }
    buffer->device = 0;
    buffer->device_interface = nullptr;
    buffer->set_device_dirty(false);
    if (!found) {
        return 0;
    }
    const std::shared_ptr<DeviceContext> in = record.memory->context;
    Status status;
    if (record.memory.use_count() == 1) { // no crop shares it
        status = record.memory->give_back();
    }
    record.memory.reset();
    device.end_if_unused(in);
    return status.failed() ? driver_failed(context, fluorite_error_code_device_free_failed,
                                           device_text(device.name(), in->limits().device), status)
                           : 0;
}

int device_free(void *context, fluorite_buffer_t *buffer) {
    if (const int code = check_device_fields(context, nullptr, buffer); code != 0) {
        return code;
    }
    return buffer->device == 0 ? 0 : free_record(context, nullptr, buffer);
}

int device_sync(void *context, fluorite_buffer_t *buffer) {
    if (const int code = check_device_fields(context, nullptr, buffer); code != 0) {
        return code;
    }
    if (buffer->device_interface == nullptr) {
        return no_interface_given(context, nullptr);
    }
    Device &device = device_behind(buffer->device_interface);
    AcquiredContext acquired(device, context);
    if (acquired.code() != 0) {
        return acquired.code();
    }
    DeviceRecord record;
    if (buffer->device != 0 && !device.find(buffer->device, record)) {
        return dead_handle(context, nullptr, device.name(), buffer->device);
    }
    if (record.memory != nullptr && record.memory->context != acquired.get()) {
        if (const int code = wait_for_device(context, *record.memory->context, fluorite_error_code_device_sync_failed);
            code != 0) {
            return code;
        }
    }
    return wait_for_device(context, *acquired, fluorite_error_code_device_sync_failed);
}

void device_release(void *context, const fluorite_device_interface_t *interface) {
    device_behind(interface).release(context);
}

int copy_to_host(void *context, fluorite_buffer_t *buffer) { return copy_buffer_to_host(context, nullptr, buffer); }

int copy_to_device(void *context, fluorite_buffer_t *buffer, const fluorite_device_interface_t *interface) {
    return copy_buffer_to_device(context, nullptr, buffer, interface);
}

int device_and_host_malloc(void *context, fluorite_buffer_t *buffer, const fluorite_device_interface_t *interface) {
    Device &device = device_behind(interface);
    if (const int code = check_can_allocate(context, nullptr, buffer, device); code != 0) {
        return code;
    }
    if (buffer->device != 0 || buffer->host != nullptr) {
        return already_on_device(context, nullptr, buffer->device != 0 ? device.name() : "the host");
    }
    uint64_t bytes = 0;
    if (const int code = buffer_bytes(context, nullptr, buffer, bytes); code != 0) {
        return code;
    }
    auto *host = static_cast<uint8_t *>(fluorite_malloc(context, bytes));
    if (host == nullptr) {
        return fluorite_error_out_of_memory(context, "a buffer", bytes);
    }
    if (const int code = malloc_buffer(context, nullptr, buffer, interface); code != 0) {
        fluorite_free(context, host);
        return code;
    }
    buffer->host = host - buffer->begin_offset() * buffer->type.bytes();
    return 0;
}

int device_and_host_free(void *context, fluorite_buffer_t *buffer) {
    if (const int code = check_device_fields(context, nullptr, buffer); code != 0) {
        return code;
    }
    uint8_t *const host = buffer->host != nullptr ? buffer->begin() : nullptr;
    const int code = buffer->device == 0 ? 0 : free_record(context, nullptr, buffer);
    if (buffer->device == 0) {
        fluorite_free(context, host);
        buffer->host = nullptr;
        buffer->flags = 0;
    }
    return code;
}

/// Gives the target a record that shares the source's memory, `elements` after its lowest addressed one.
int share_memory(void *context, const fluorite_buffer_t *source, int64_t elements, fluorite_buffer_t *target) {
    Device &device = device_behind(source->device_interface);
    DeviceRecord record;
    if (!device.find(source->device, record)) {
        return dead_handle(context, nullptr, device.name(), source->device);
    }
    uint64_t bytes = 0;
    if (const int code = buffer_bytes(context, nullptr, target, bytes); code != 0) {
        return code;
    }
    const int64_t begin = elements * source->type.bytes();
    if (begin < 0 || static_cast<uint64_t>(begin) > record.bytes ||
        bytes > record.bytes - static_cast<uint64_t>(begin)) {
        return crop_refused(context, "it needs bytes outside of the memory of its source",
                            "a crop has the source's strides and lies inside of it", "crop the shape of the source");
    }
    record.offset += static_cast<uint64_t>(begin);
    record.bytes = bytes;
    record.has_host = false;
    target->device = device.add(std::move(record));
    target->device_interface = source->device_interface;
    target->set_device_dirty(source->device_dirty());
    return 0;
}

int check_crop(void *context, const fluorite_buffer_t *source, const fluorite_buffer_t *target, int removed) {
    for (const fluorite_buffer_t *buffer : {source, target}) {
        if (const int code = check_device_fields(context, nullptr, buffer); code != 0) {
            return code;
        }
    }
    if (source->device == 0) {
        return crop_refused(context, "its source has no device memory", "a crop shares the memory of its source",
                            "call device_malloc() on the source first");
    }
    if (target->device != 0) {
        return already_on_device(context, nullptr, other_device_text(target->device_interface).c_str());
    }
    if (source->dimensions != target->dimensions + removed || !(source->type == target->type)) {
        return crop_refused(context, "it has another rank or element type than its source",
                            "a crop has those of its source, a slice one dimension less",
                            "crop or slice the shape of the source");
    }
    return 0;
}

int device_crop(void *context, const fluorite_buffer_t *source, fluorite_buffer_t *target) {
    if (const int code = check_crop(context, source, target, 0); code != 0) {
        return code;
    }
    int64_t elements = target->begin_offset() - source->begin_offset();
    for (int d = 0; d < source->dimensions; d++) {
        elements += (int64_t{target->dim[d].min} - source->dim[d].min) * source->dim[d].stride;
    }
    return share_memory(context, source, elements, target);
}

int device_slice(void *context, const fluorite_buffer_t *source, int slice_dim, int slice_position,
                 fluorite_buffer_t *target) {
    if (const int code = check_crop(context, source, target, 1); code != 0) {
        return code;
    }
    if (slice_dim < 0 || slice_dim >= source->dimensions) {
        return crop_refused(context, "its source has no such dimension", "a slice removes a dimension of its source",
                            "name one from 0 on that the source has");
    }
    int64_t elements = target->begin_offset() - source->begin_offset();
    for (int d = 0; d < source->dimensions; d++) {
        const int64_t min = d == slice_dim ? slice_position : target->dim[d < slice_dim ? d : d - 1].min;
        elements += (min - source->dim[d].min) * source->dim[d].stride;
    }
    return share_memory(context, source, elements, target);
}

int wrap_native(void *context, fluorite_buffer_t *buffer, uint64_t handle,
                const fluorite_device_interface_t *interface) {
    Device &device = device_behind(interface);
    if (const int code = check_can_allocate(context, nullptr, buffer, device); code != 0) {
        return code;
    }
    if (buffer->device != 0) {
        return already_on_device(context, nullptr, device.name());
    }
    if (handle == 0) {
        const Status status{Status::Kind::Failed, "the native handle is 0", "a native handle is memory of the device",
                            "pass what the device's own interface has allocated", "bad-device-handle"};
        return driver_failed(context, fluorite_error_code_device_wrap_native_failed, "a buffer", status);
    }
    DeviceRecord record;
    if (const int code = buffer_bytes(context, nullptr, buffer, record.bytes); code != 0) {
        return code;
    }
    AcquiredContext acquired(device, context);
    if (acquired.code() != 0) {
        return acquired.code();
    }
    record.memory = std::make_shared<DeviceMemory>();
    record.memory->context = acquired.get();
    record.memory->native = handle;
    record.memory->owner = DeviceMemory::Owner::Program;
    buffer->device = device.add(std::move(record));
    buffer->device_interface = interface;
    return 0;
}

int detach_native(void *context, fluorite_buffer_t *buffer) {
    if (const int code = check_device_fields(context, nullptr, buffer); code != 0) {
        return code;
    }
    if (buffer->device == 0) {
        return 0;
    }
    Device &device = device_behind(buffer->device_interface);
    DeviceRecord record;
    if (!device.find(buffer->device, record)) {
        return is_after_end(device) ? 0 : dead_handle(context, nullptr, device.name(), buffer->device);
    }
    if (record.memory->owner != DeviceMemory::Owner::Program) {
        return not_from_program(context, nullptr);
    }
    record = {};
    const bool is_dirty = buffer->device_dirty();
    const int code = free_record(context, nullptr, buffer);
    buffer->set_device_dirty(is_dirty); // the flags are the program's
    return code;
}

} // namespace

Device *device_of(const fluorite_device_interface_t *interface) {
    return interface != nullptr && interface->device_malloc == device_malloc ? &device_behind(interface) : nullptr;
}

int check_device_fields(void *context, const char *where, const fluorite_buffer_t *buffer) {
    if (buffer == nullptr) {
        return fluorite_error_buffer_argument_is_null(context, where != nullptr ? where : "a buffer");
    }
    if (buffer->device != 0 && buffer->device_interface == nullptr) {
        return buffer_without_interface(context, where);
    }
    if (buffer->device == 0 && buffer->device_dirty()) {
        return interface_without_buffer(context, where);
    }
    return buffer->host_dirty() && buffer->device_dirty() ? both_copies_dirty(context, where) : 0;
}

int wait_for_device(void *context, DeviceContext &device, int code) {
    if (const Status status = device.wait(); status.failed()) {
        return driver_failed(context, code, device_text(device.driver_name(), device.limits().device), status);
    }
    return report_kernel_failures(context, device, code);
}

int report_kernel_failures(void *context, DeviceContext &device, int code) {
    std::string text;
    if (const Status status = device.read_failures(text); status.failed()) {
        return driver_failed(context, code, device_text(device.driver_name(), device.limits().device), status);
    }
    return text.empty() ? 0 : fluorite_error(context, fluorite_error_code_device_run_failed, text.c_str());
}

int use_memory(void *context, const char *where, Device &device, const std::shared_ptr<DeviceContext> &user,
               uint64_t handle, DeviceRecord &record) {
    if (!device.find(handle, record)) {
        return dead_handle(context, where, device.name(), handle);
    }
    if (!record.memory->context->shares_memory_with(*user)) {
        return in_other_context(context, where, device.name());
    }
    const Status status = record.memory->use_in(user);
    return status.failed() ? driver_failed(context, fluorite_error_code_device_sync_failed,
                                           device_text(device.name(), user->limits().device), status)
                           : 0;
}

int malloc_buffer(void *context, const char *where, fluorite_buffer_t *buffer,
                  const fluorite_device_interface_t *interface) {
    if (interface == nullptr) {
        return no_interface_given(context, where);
    }
    Device &device = device_behind(interface);
    if (const int code = check_can_allocate(context, where, buffer, device); code != 0) {
        return code;
    }
    if (buffer->device != 0) {
        return 0;
    }
    DeviceRecord record;
    if (const int code = buffer_bytes(context, where, buffer, record.bytes); code != 0) {
        return code;
    }
    AcquiredContext acquired(device, context);
    int code = acquired.code();
    code = code == 0 ? device.allocate(context, where, acquired.get(), record.bytes, record.memory) : code;
    if (code == 0) {
        buffer->device = device.add(std::move(record));
        buffer->device_interface = interface;
    }
    return code;
}

namespace {

/// Copies all elements between the host and the device.
int copy_elements(void *context, const char *where, fluorite_buffer_t *buffer, bool to_device) {
    Device &device = device_behind(buffer->device_interface);
    AcquiredContext acquired(device, context);
    if (acquired.code() != 0) {
        return acquired.code();
    }
    DeviceRecord record;
    if (const int code = use_memory(context, where, device, acquired.get(), buffer->device, record); code != 0) {
        return code;
    }
    DriverContext &driver = acquired->driver();
    const BufferSide host = host_side(*buffer), on_device = device_side(*buffer, record.offset);
    const CopyPlan plan = to_device ? plan_buffer_copy(host, on_device) : plan_buffer_copy(on_device, host);
    const uint64_t native = record.memory->native;
    const Status status = for_each_box(plan, [&](const Box &box) {
        return to_device ? driver.write(native, buffer->host, box) : driver.read(native, buffer->host, box);
    });
    const int code = to_device ? fluorite_error_code_copy_to_device_failed : fluorite_error_code_copy_to_host_failed;
    if (status.failed()) {
        return driver_failed(context, code, device_text(device.name(), acquired->limits().device), status);
    }
    return to_device ? 0 : report_kernel_failures(context, *acquired, code);
}

} // namespace

int copy_buffer_to_device(void *context, const char *where, fluorite_buffer_t *buffer,
                          const fluorite_device_interface_t *interface) {
    if (const int code = check_device_fields(context, where, buffer); code != 0) {
        return code;
    }
    interface = interface != nullptr ? interface : buffer->device_interface;
    const bool is_new = buffer->device == 0;
    if (const int code = malloc_buffer(context, where, buffer, interface); code != 0) {
        return code;
    }
    if (!buffer->host_dirty() && (!is_new || buffer->host == nullptr)) {
        return 0;
    }
    int code = buffer->host == nullptr && !buffer->is_empty()
                   ? fluorite_error_host_is_null(context, where != nullptr ? where : "a buffer")
                   : copy_elements(context, where, buffer, true);
    if (code == 0) {
        buffer->set_host_dirty(false);
    } else if (is_new) {
        static_cast<void>(free_record(context, where, buffer)); // the first failure is the one to return
    }
    return code;
}

int copy_buffer_to_host(void *context, const char *where, fluorite_buffer_t *buffer) {
    if (const int code = check_device_fields(context, where, buffer); code != 0) {
        return code;
    }
    if (!buffer->device_dirty()) {
        return 0;
    }
    if (buffer->host == nullptr && !buffer->is_empty()) {
        return fluorite_error_host_is_null(context, where != nullptr ? where : "a buffer");
    }
    const int code = copy_elements(context, where, buffer, false);
    if (code == 0) {
        buffer->set_device_dirty(false);
    }
    return code;
}

fluorite_device_interface_t make_device_interface(const Device *device, CapabilityFunction capability) {
    return {device_malloc,
            device_free,
            device_sync,
            device_release,
            copy_to_host,
            copy_to_device,
            device_and_host_malloc,
            device_and_host_free,
            copy_between_buffers,
            device_crop,
            device_slice,
            device_free,
            wrap_native,
            detach_native,
            capability,
            device};
}

} // namespace fluorite_runtime
