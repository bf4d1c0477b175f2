// The texts of failures of devices.
//
// What: one function for each failure that the common part of devices detects, in the form of all texts of the runtime,
//     in <buffer, Func or device>: <what was seen>; <the rule>; <the fix> [slug]
// and one that wraps what a driver reports. Buffers that are no arguments of a pipeline have no name: `a buffer`.
//
// Relies on: the error handler (errors.cpp). Cost: only on failure.

#include "runtime/device/failures.h"

#include "runtime/text.h"

namespace fluorite_runtime {

namespace {

std::string buffer_text(const char *where) { return where != nullptr && where[0] != 0 ? where : "a buffer"; }
std::string bytes_text(uint64_t bytes) { return to_text(bytes) + " bytes"; }

} // namespace

int report_failure(void *context, int code, const std::string &where, const std::string &seen, const std::string &rule,
                   const std::string &fix, const char *slug) {
    const std::string text = "in " + where + ": " + seen + "; " + rule + "; " + fix + " [" + slug + "]";
    return fluorite_error(context, code, text.c_str());
}

std::string device_text(const char *driver, const std::string &device) {
    return device.empty() ? driver : driver + (" (" + device + ")");
}

int buffer_without_interface(void *context, const char *where) {
    return report_failure(context, fluorite_error_code_no_device_interface, buffer_text(where),
                          "it has a device handle and no device interface", "the interface says whose handle it is",
                          "set both or neither", "no-device-interface");
}

int interface_without_buffer(void *context, const char *where) {
    return report_failure(context, fluorite_error_code_device_interface_no_device, buffer_text(where),
                          "it has a device interface and no device handle",
                          "the newest copy is said to be on a device where it has no memory",
                          "allocate with device_malloc(), or clear the interface and device_dirty",
                          "no-device-interface");
}

int no_interface_given(void *context, const char *where) {
    return report_failure(context, fluorite_error_code_no_device_interface, buffer_text(where),
                          "no device interface is given, and the buffer has none", "the interface is the device to use",
                          "pass one, such as fluorite_opencl_device_interface()", "no-device-interface");
}

int both_copies_dirty(void *context, const char *where) {
    return report_failure(context, fluorite_error_code_host_and_device_dirty, buffer_text(where),
                          "host_dirty and device_dirty are both set", "at most one copy is newer than the other",
                          "copy before writing to the other one, or clear the flag of the copy to give up",
                          "both-dirty");
}

int on_other_device(void *context, const char *where, const std::string &has, const std::string &needed) {
    return report_failure(
        context, fluorite_error_code_incompatible_device_interface, buffer_text(where),
        "it has memory on " + has + " and is needed on " + needed, "a buffer has memory on one device",
        "call copy_to_host() and device_free() first, or fluorite_buffer_copy() into another buffer", "wrong-device");
}

int in_other_context(void *context, const char *where, const std::string &device) {
    return report_failure(context, fluorite_error_code_incompatible_device_interface, buffer_text(where),
                          "it has memory in another context of " + device,
                          "device memory belongs to the context in which it was allocated",
                          "use the user context and device number of its allocation, or copy it through the host",
                          "wrong-device");
}

int dead_handle(void *context, const char *where, const char *driver, uint64_t handle) {
    return report_failure(context, fluorite_error_code_gpu_device_error, buffer_text(where),
                          "its device handle " + to_text(handle) + " is no live memory of " + driver,
                          "a handle lives until its memory is freed or its device is released",
                          "do not use copies of a buffer's struct after device_free()", "bad-device-handle");
}

int already_on_device(void *context, const char *where, const char *driver) {
    return report_failure(context, fluorite_error_code_device_wrap_native_failed, buffer_text(where),
                          std::string("it has memory on ") + driver + " already",
                          "a buffer that gets device memory has none yet", "call device_free() first",
                          "device-memory-exists");
}

int not_from_program(void *context, const char *where) {
    return report_failure(context, fluorite_error_code_device_detach_native_failed, buffer_text(where),
                          "its device memory is the runtime's",
                          "only memory that device_wrap_native() has lent can be given back", "call device_free()",
                          "bad-device-handle");
}

int too_large_for_device(void *context, const char *where, uint64_t bytes, const DeviceLimits &limits,
                         const char *driver) {
    return report_failure(context, fluorite_error_code_device_malloc_failed, buffer_text(where),
                          "it takes " + bytes_text(bytes) + " of device memory",
                          device_text(driver, limits.device) + " allocates at most " +
                              bytes_text(limits.allocation_bytes) + " at once",
                          "use a smaller buffer or smaller tiles", "device-out-of-memory");
}

int no_device_memory(void *context, const char *where, uint64_t bytes, uint64_t used, const DeviceLimits &limits,
                     const char *driver, const Status &status) {
    return report_failure(context, fluorite_error_code_device_malloc_failed, buffer_text(where),
                          "an allocation of " + bytes_text(bytes) + " failed, with " + bytes_text(used) +
                              " in use: " + status.seen,
                          device_text(driver, limits.device) + " has " + bytes_text(limits.memory_bytes),
                          "free buffers, or use smaller ones", "device-out-of-memory");
}

int driver_failed(void *context, int code, const std::string &where, const Status &status) {
    return report_failure(context, code, where, status.seen,
                          status.rule.empty() ? "the device did not do its work, and results are lost" : status.rule,
                          status.fix.empty() ? "look at what the driver says; after a fault, release the device"
                                             : status.fix,
                          status.slug);
}

int launch_refused(void *context, const char *func, const std::string &seen, const std::string &rule) {
    return report_failure(context, fluorite_error_code_device_run_failed,
                          func != nullptr && func[0] != 0 ? func : "a kernel", seen, rule,
                          "use smaller blocks or tiles in its schedule", "kernel-launch");
}

int copy_refused(void *context, const std::string &seen, const std::string &rule, const std::string &fix) {
    return report_failure(context, fluorite_error_code_device_buffer_copy_failed, "fluorite_buffer_copy", seen, rule,
                          fix, "bad-device-copy");
}

int crop_refused(void *context, const std::string &seen, const std::string &rule, const std::string &fix) {
    return report_failure(context, fluorite_error_code_device_crop_failed, "a device crop", seen, rule, fix,
                          "bad-device-crop");
}

} // namespace fluorite_runtime
