#pragma once
// What a program may take over from the runtime, for all pipelines of the process. Each function takes null for the
// default, and returns what it replaces. To be called while no pipeline runs.

#include "fluorite/runtime_abi.h"

namespace fluorite {

/// Called with the code and text of each failure of a run, before realize returns; the handler must return. While one is
/// installed, realize does not throw RuntimeError for failures that were reported to it.
fluorite_error_handler_t set_error_handler(fluorite_error_handler_t handler);
/// Called with what print() prints.
fluorite_print_t set_custom_print(fluorite_print_t function);
/// Called with each trace event; returns the event's id.
fluorite_trace_t set_custom_trace(fluorite_trace_t function);
/// Runs parallel loops: must call the task for each index and return 0 or a task's code.
fluorite_do_par_for_t set_custom_do_par_for(fluorite_do_par_for_t function);
/// Allocates and frees the memory of pipelines: both or none.
void set_custom_allocator(fluorite_malloc_t allocate, fluorite_free_t release);

} // namespace fluorite
