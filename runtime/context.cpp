// The context of a call of compiled code, for code that passes it on to functions of the program. Generated code passes
// it to every function of the runtime that takes one. Relies on: nothing. Cost: a call.

#include "fluorite/runtime/checks.h"

extern "C" void *fluorite_user_context(void *context) { return context; }
