#pragma once
// What a program may take over from the runtime, for all pipelines of the process. Each function takes null for the
// default, and returns what it replaces. To be called while no pipeline runs.
//
// An exception that such a function throws while realize runs, on whatever thread, ends the run and comes out of
// realize; all tasks have ended and all memory is freed by then. Ahead-of-time code is C: there they must return.

#include "fluorite/require_cxx20.h"

#include "fluorite/errors.h"
#include "fluorite/runtime_abi.h"

namespace fluorite {

/// Called with the code and text of each failure of a run, before realize returns. While one is
/// installed, realize does not throw RuntimeError for failures that were reported to it.
fluorite_error_handler_t set_error_handler(fluorite_error_handler_t handler);
/// Called with what print() prints.
fluorite_print_t set_custom_print(fluorite_print_t function);
/// Called with each trace event; returns the event's id.
fluorite_trace_t set_custom_trace(fluorite_trace_t function);
/// Runs parallel loops: must call the task for each index and return 0 or a task's code.
fluorite_do_par_for_t set_custom_do_par_for(fluorite_do_par_for_t function);
/// Allocates and frees the memory of pipelines: both or none. What frees is never given null.
void set_custom_allocator(fluorite_malloc_t allocate, fluorite_free_t release,
                          const Location &location = std::source_location::current());

} // namespace fluorite
