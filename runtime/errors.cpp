// Handling of failures in generated code: the error handler, and each thread's most recent error.
//
// What: fluorite_error passes code and text to the installed handler and returns the code, so that generated code can
// return it. The default handler prints the text to standard error, so that a program that ignores the results of
// compiled pipelines still reports the failure; it also stores code and text for the calling thread. The compiler's own
// driver turns printing off, because it converts errors to exceptions. Parallel loops move an error from the thread on
// which it happened to the thread that runs the loop (thread_pool.cpp).
//
// Halide's handlers, which a program sets or defines, are not told the code, which the thread therefore keeps.
//
// Relies on: printing. Cost: two string copies for an error, none otherwise.

#include "runtime/catcher.h"
#include "runtime/replaceable.h"
#include "runtime/text.h"

#include <atomic>
#include <string>
#include <utility>

namespace {

struct LastError {
    int code = 0;
    std::string message;
};
thread_local LastError last_error;

std::atomic<int> prints{1};

void default_handler(void *context, int code, const char *message) {
    if (prints.load(std::memory_order_relaxed) != 0) {
        fluorite_runtime::print_message(context, (std::string("Error: ") + message + "\n").c_str());
    }
    fluorite_store_error(code, message);
}

std::atomic<fluorite_error_handler_t> handler{default_handler};
std::atomic<halide_error_handler_t> halide_handler{halide_default_error};

// The code of the failure that is being reported; that of a program's own one, where it calls halide_error.
thread_local int reported_code = fluorite_error_code_generic_error;

class Reporting {
  public:
    explicit Reporting(int code) : outer_(std::exchange(reported_code, code)) {}
    ~Reporting() { reported_code = outer_; }
    Reporting(const Reporting &) = delete;
    Reporting &operator=(const Reporting &) = delete;

  private:
    int outer_;
};

} // namespace

extern "C" {

int fluorite_error(void *context, int code, const char *message) {
    return fluorite_runtime::call_hook(code, [&] {
        const Reporting reporting(code);
        halide_error(context, message != nullptr ? message : "");
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

void fluorite_own_halide_error(void *context, const char *text) {
    const fluorite_error_handler_t function = handler.load(std::memory_order_relaxed);
    function != default_handler ? function(context, reported_code, text)
                                : halide_handler.load(std::memory_order_relaxed)(context, text);
}
void halide_default_error(void *context, const char *text) {
    default_handler(context, reported_code, text != nullptr ? text : "");
}
halide_error_handler_t halide_set_error_handler(halide_error_handler_t function) {
    return halide_handler.exchange(function != nullptr ? function : halide_default_error);
}
}

FLUORITE_REPLACEABLE(void, halide_error, (void *context, const char *text));
