#pragma once
// Services that a program may replace by defining a function of their name.
//
// The function of that name is a weak alias of `fluorite_own_<name>`, which is not replaced with it: where the two
// addresses differ, the program has its own.

#include "fluorite/compat/HalideRuntime.h"

/// Defines the weak symbol `name`, whose code is that of fluorite_own_<name>.
#define FLUORITE_REPLACEABLE(result, name, parameters)                                                                 \
    extern "C" __attribute__((weak, alias("fluorite_own_" #name))) result name parameters

/// Declares both, for files that call the service or ask whether it is replaced.
#define FLUORITE_DECLARE_REPLACEABLE(result, name, parameters)                                                         \
    extern "C" result fluorite_own_##name parameters;                                                                  \
    extern "C" __attribute__((weak)) result name parameters

/// Whether the program has defined the function.
#define FLUORITE_IS_REPLACED(name) (&(name) != &fluorite_own_##name)

FLUORITE_DECLARE_REPLACEABLE(void *, halide_malloc, (void *context, size_t bytes));
FLUORITE_DECLARE_REPLACEABLE(void, halide_free, (void *context, void *pointer));
FLUORITE_DECLARE_REPLACEABLE(int, halide_do_par_for,
                             (void *context, halide_task_t task, int min, int size, uint8_t *closure));
FLUORITE_DECLARE_REPLACEABLE(int, halide_do_task, (void *context, halide_task_t task, int index, uint8_t *closure));
