// Handlers of the process; see fluorite/handlers.h.

#include "fluorite/handlers.h"

#include "driver/handlers.h"
#include "support/check.h"

#include <atomic>

namespace fluorite {

namespace {
std::atomic<fluorite_error_handler_t> installed{nullptr};
// A failed run becomes an exception; the program decides whether to print its text.
[[maybe_unused]] const int printed_before = fluorite_print_errors(0);
} // namespace

namespace driver {
bool has_error_handler() { return installed.load() != nullptr; }

void check_allocator(bool allocates, bool releases, const char *allocate, const char *release,
                     const Location &location) {
    if (allocates != releases) {
        const char *const given = allocates ? allocate : release, *const missing = allocates ? release : allocate;
        throw RuntimeError("allocator-incomplete",
                           concat("in a pipeline: ", given, " is set and ", missing,
                                  " is not; memory is freed by whoever allocates it; set both, or none"),
                           location);
    }
}
} // namespace driver

fluorite_error_handler_t set_error_handler(fluorite_error_handler_t handler) {
    fluorite_set_error_handler(handler);
    return installed.exchange(handler);
}
fluorite_print_t set_custom_print(fluorite_print_t function) { return fluorite_set_custom_print(function); }
fluorite_trace_t set_custom_trace(fluorite_trace_t function) { return fluorite_set_custom_trace(function); }
fluorite_do_par_for_t set_custom_do_par_for(fluorite_do_par_for_t function) {
    return fluorite_set_custom_do_par_for(function);
}
void set_custom_allocator(fluorite_malloc_t allocate, fluorite_free_t release, const Location &location) {
    driver::check_allocator(allocate != nullptr, release != nullptr, "the function that allocates",
                            "the function that frees", location);
    fluorite_set_custom_malloc(allocate);
    fluorite_set_custom_free(release);
}

} // namespace fluorite
