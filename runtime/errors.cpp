// Handling of failures in generated code: the error handler, and each thread's most recent error.
//
// What: fluorite_error passes code and text to the installed handler and returns the code, so that generated code can
// return it. The default handler prints the text to standard error, so that a program that ignores the results of
// compiled pipelines still reports the failure; it also stores code and text for the calling thread. The compiler's own
// driver turns printing off, because it converts errors to exceptions. Parallel loops move an error from the thread on
// which it happened to the thread that runs the loop (thread_pool.cpp).
//
// Relies on: nothing. Cost: one string copy for an error, none otherwise.

#include "runtime/catcher.h"

#include <atomic>
#include <cstdio>
#include <string>

namespace {

struct LastError {
    int code = 0;
    std::string message;
};
thread_local LastError last_error;

std::atomic<int> prints{1};

void default_handler(void *, int code, const char *message) {
    if (prints.load(std::memory_order_relaxed) != 0) {
        std::fprintf(stderr, "Error: %s\n", message);
    }
    fluorite_store_error(code, message);
}

std::atomic<fluorite_error_handler_t> handler{default_handler};

} // namespace

extern "C" {

int fluorite_error(void *context, int code, const char *message) {
    return fluorite_runtime::call_hook(code, [&] {
        handler.load(std::memory_order_relaxed)(context, code, message != nullptr ? message : "");
        return code;
    });
}

fluorite_error_handler_t fluorite_set_error_handler(fluorite_error_handler_t function) {
    return handler.exchange(function != nullptr ? function : default_handler);
}

int fluorite_print_errors(int on) { return prints.exchange(on); }

void fluorite_store_error(int code, const char *message) {
    last_error.code = code;
    last_error.message = message != nullptr ? message : "";
}

int fluorite_last_error_code(void) { return last_error.code; }

const char *fluorite_last_error_message(void) { return last_error.message.c_str(); }

void fluorite_clear_error(void) {
    if (last_error.code != 0) {
        fluorite_store_error(0, "");
    }
}
}
