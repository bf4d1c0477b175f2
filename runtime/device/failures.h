#pragma once
// The texts of failures of devices. Each function reports to the error handler and returns the code. `where` is the
// name of a buffer or Func, or null.

#include "runtime/device/driver.h"

#include <cstdint>
#include <string>

namespace fluorite_runtime {

/// in <where>: <seen>; <rule>; <fix> [<slug>]
int report_failure(void *context, int code, const std::string &where, const std::string &seen, const std::string &rule,
                   const std::string &fix, const char *slug);
/// `OpenCL (pthread-...)`
std::string device_text(const char *driver, const std::string &device);

int buffer_without_interface(void *context, const char *where);
int interface_without_buffer(void *context, const char *where);
int no_interface_given(void *context, const char *where);
int both_copies_dirty(void *context, const char *where);
int on_other_device(void *context, const char *where, const std::string &has, const std::string &needed);
int in_other_context(void *context, const char *where, const std::string &device);
int dead_handle(void *context, const char *where, const char *driver, uint64_t handle);
int already_on_device(void *context, const char *where, const char *driver);
int not_from_program(void *context, const char *where);
int too_large_for_device(void *context, const char *where, uint64_t bytes, const DeviceLimits &limits,
                         const char *driver);
int no_device_memory(void *context, const char *where, uint64_t bytes, uint64_t used, const DeviceLimits &limits,
                     const char *driver, const Status &status);
/// What a driver reports, with the code of the operation.
int driver_failed(void *context, int code, const std::string &where, const Status &status);
int launch_refused(void *context, const char *func, const std::string &seen, const std::string &rule);
int copy_refused(void *context, const std::string &seen, const std::string &rule, const std::string &fix);
int crop_refused(void *context, const std::string &seen, const std::string &rule, const std::string &fix);

} // namespace fluorite_runtime
