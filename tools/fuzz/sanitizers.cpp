// Sanitizer options for processes that run cases. A finding ends the process by a signal, or by a code that no outcome
// uses, so that the campaign sees a crash; the report goes to the terminal.
//
// Leaks are not checked: workers end without cleanup. By the time workers are forked, the process has threads.
//
// Stacks of allocations are not recorded: generated code gives each pipeline stacks of its own, and after some hundred
// cases 56 % of the time went into the table of all stacks, which took 3.5 GB. To learn where memory was allocated, run
// the case of a finding alone, with ASAN_OPTIONS=malloc_context_size=30.

extern "C" {

const char *__asan_default_options() {
    return "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:malloc_context_size=0:quarantine_size_mb=16";
}
const char *__ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }
const char *__tsan_default_options() { return "halt_on_error=1:exitcode=66:die_after_fork=0:second_deadlock_stack=1"; }
}
