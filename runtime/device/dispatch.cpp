// The functions of fluorite/runtime_device.h: each passes a buffer to its device interface, or to the one that is
// given.
//
// What: interfaces may be the runtime's or a program's own; both are called through their tables. A buffer without
// device memory needs no interface, except where some is to be allocated.
//
// Relies on: nothing but the tables, and Device for what only the runtime's interfaces know. Cost: one indirect call.

#include "runtime/device/device.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>

using namespace fluorite_runtime;

namespace {

constexpr int no_choice = INT_MIN;
std::atomic<int> chosen_device{no_choice};

/// The number in a variable of the environment; another text counts as the first device.
int device_in_environment() {
    const char *text = std::getenv("FLUORITE_GPU_DEVICE");
    text = text != nullptr && text[0] != 0 ? text : std::getenv("HL_GPU_DEVICE");
    if (text == nullptr || text[0] == 0) {
        return 0;
    }
    errno = 0;
    char *end = nullptr;
    const long value = std::strtol(text, &end, 10);
    return errno != 0 || *end != 0 || value < -1 || value > INT_MAX ? 0 : static_cast<int>(value);
}

/// Calls the function of the interface, or reports that there is none.
template <typename Call>
int with_interface(void *context, const fluorite_device_interface_t *interface, const Call &call) {
    return interface == nullptr ? no_interface_given(context, nullptr) : call(*interface);
}

/// As above for the buffer's own interface; without device memory there is nothing to do.
template <typename Call> int with_own_interface(void *context, const fluorite_buffer_t *buffer, const Call &call) {
    if (const int code = check_device_fields(context, nullptr, buffer); code != 0) {
        return code;
    }
    return buffer->device == 0 ? 0 : call(*buffer->device_interface);
}

} // namespace

extern "C" {

int fluorite_device_malloc(void *context, fluorite_buffer_t *buffer, const fluorite_device_interface_t *device) {
    return with_interface(context, device,
                          [&](const auto &table) { return table.device_malloc(context, buffer, device); });
}

int fluorite_device_free(void *context, fluorite_buffer_t *buffer) {
    return with_own_interface(context, buffer, [&](const auto &table) { return table.device_free(context, buffer); });
}

int fluorite_copy_to_host(void *context, fluorite_buffer_t *buffer) {
    return with_own_interface(context, buffer, [&](const auto &table) { return table.copy_to_host(context, buffer); });
}

int fluorite_copy_to_device(void *context, fluorite_buffer_t *buffer, const fluorite_device_interface_t *device) {
    if (const int code = check_device_fields(context, nullptr, buffer); code != 0) {
        return code;
    }
    device = device != nullptr ? device : buffer->device_interface;
    return with_interface(context, device,
                          [&](const auto &table) { return table.copy_to_device(context, buffer, device); });
}

int fluorite_device_sync(void *context, fluorite_buffer_t *buffer) {
    return with_own_interface(context, buffer, [&](const auto &table) { return table.device_sync(context, buffer); });
}

int fluorite_device_sync_global(void *context, const fluorite_device_interface_t *device) {
    return with_interface(context, device, [&](const auto &table) {
        fluorite_buffer_t buffer{};
        buffer.device_interface = device;
        return table.device_sync(context, &buffer);
    });
}

void fluorite_device_release(void *context, const fluorite_device_interface_t *device) {
    with_interface(context, device, [&](const auto &table) {
        table.device_release(context, device);
        return 0;
    });
}

int fluorite_device_and_host_malloc(void *context, fluorite_buffer_t *buffer,
                                    const fluorite_device_interface_t *device) {
    return with_interface(context, device,
                          [&](const auto &table) { return table.device_and_host_malloc(context, buffer, device); });
}

int fluorite_device_and_host_free(void *context, fluorite_buffer_t *buffer) {
    return with_own_interface(context, buffer,
                              [&](const auto &table) { return table.device_and_host_free(context, buffer); });
}

int fluorite_buffer_copy(void *context, fluorite_buffer_t *source, const fluorite_device_interface_t *device,
                         fluorite_buffer_t *target) {
    const fluorite_device_interface_t *user =
        device != nullptr ? device : (source != nullptr ? source->device_interface : nullptr);
    return user != nullptr ? user->buffer_copy(context, source, device, target)
                           : copy_between_buffers(context, source, device, target);
}

int fluorite_device_crop(void *context, const fluorite_buffer_t *source, fluorite_buffer_t *target) {
    return with_own_interface(context, source,
                              [&](const auto &table) { return table.device_crop(context, source, target); });
}

int fluorite_device_slice(void *context, const fluorite_buffer_t *source, int dimension, int position,
                          fluorite_buffer_t *target) {
    return with_own_interface(context, source, [&](const auto &table) {
        return table.device_slice(context, source, dimension, position, target);
    });
}

int fluorite_device_release_crop(void *context, fluorite_buffer_t *buffer) {
    return with_own_interface(context, buffer,
                              [&](const auto &table) { return table.device_release_crop(context, buffer); });
}

int fluorite_device_wrap_native(void *context, fluorite_buffer_t *buffer, uint64_t handle,
                                const fluorite_device_interface_t *device) {
    return with_interface(context, device,
                          [&](const auto &table) { return table.wrap_native(context, buffer, handle, device); });
}

int fluorite_device_detach_native(void *context, fluorite_buffer_t *buffer) {
    return with_own_interface(context, buffer, [&](const auto &table) { return table.detach_native(context, buffer); });
}

uint64_t fluorite_device_native_handle(void *, const fluorite_buffer_t *buffer) {
    Device *device = device_of(buffer->device_interface);
    DeviceRecord record;
    return device != nullptr && device->find(buffer->device, record) ? record.memory->native : 0;
}

uint64_t fluorite_device_native_offset(void *, const fluorite_buffer_t *buffer) {
    Device *device = device_of(buffer->device_interface);
    DeviceRecord record;
    return device != nullptr && device->find(buffer->device, record) ? record.offset : 0;
}

void fluorite_set_gpu_device(int index) { chosen_device.store(index, std::memory_order_relaxed); }

int fluorite_get_gpu_device(void *) {
    const int chosen = chosen_device.load(std::memory_order_relaxed);
    return chosen != no_choice ? chosen : device_in_environment();
}
}
