// The context of a call of compiled code, as a value of that code.
//
// What: generated code passes its context to each function of the runtime that takes one. This function gives it back,
// so that an expression, user_context_value(), may hand it to a function of the program: a call of a pipeline in place
// of an extern function then has the handlers of the run. Relies on: nothing. Cost: a call.

#include "fluorite/runtime/checks.h"

extern "C" void *fluorite_user_context(void *context) { return context; }
