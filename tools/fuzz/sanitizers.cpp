// How sanitizers behave in a process that runs cases, where the build has one. A finding ends the process by a signal,
// or by a code that is no outcome's, so that the campaign sees a crash; its report is what the terminal shows.
//
// Leaks are not looked for: workers end without cleaning up. Workers are forked from a process that has threads by
// then.

extern "C" {

const char *__asan_default_options() { return "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1"; }
const char *__ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }
const char *__tsan_default_options() { return "halt_on_error=1:exitcode=66:die_after_fork=0:second_deadlock_stack=1"; }
}
