#pragma once
// Traces in files: see trace_file.cpp.

#include "fluorite/runtime_abi.h"

namespace fluorite_runtime {

/// Appends the packet of an event to the file. A failure is passed to the error handler.
void write_trace_packet(void *context, int file, int32_t id, const fluorite_trace_event_t &event);

} // namespace fluorite_runtime
