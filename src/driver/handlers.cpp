// Handlers of the process; see fluorite/handlers.h.

#include "fluorite/handlers.h"

#include "driver/handlers.h"

#include <atomic>

namespace fluorite {

namespace {
std::atomic<fluorite_error_handler_t> installed{nullptr};
}

namespace driver {
bool has_error_handler() { return installed.load() != nullptr; }
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
void set_custom_allocator(fluorite_malloc_t allocate, fluorite_free_t release) {
    fluorite_set_custom_malloc(allocate);
    fluorite_set_custom_free(release);
}

} // namespace fluorite
