#pragma once
// Functions with which a program replaces parts of the runtime, for all pipelines of the process. Each setter takes
// null for the default and returns the previous function. Precondition: no pipeline is running.
//
// An exception that such a function throws during realize, on any thread, ends the run and propagates from realize; by
// then all tasks have ended and all memory is freed. Ahead-of-time code is C: there these functions must return.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/runtime_abi.h"

namespace fluorite {

/// Called with the code and text of each failure of a run, before realize returns. While a handler is installed,
/// realize does not throw RuntimeError for failures that were reported to it.
fluorite_error_handler_t set_error_handler(fluorite_error_handler_t handler);
/// Called with the output of print().
fluorite_print_t set_custom_print(fluorite_print_t function);
/// Called with each trace event; returns the event's id.
fluorite_trace_t set_custom_trace(fluorite_trace_t function);
/// Runs parallel loops: must call the task for each index, and return 0 or a task's code.
fluorite_do_par_for_t set_custom_do_par_for(fluorite_do_par_for_t function);
/// Allocates and frees the memory of pipelines. Both or neither must be given. `release` never receives null.
void set_custom_allocator(fluorite_malloc_t allocate, fluorite_free_t release,
                          const Location &location = Location::current());

} // namespace fluorite
