// Libraries and symbols, by which the runtime finds drivers of devices.
//
// What: a program may open other libraries than those of the system, or link a driver statically and give its
// functions. Each of the three functions is replaced by defining it, or by its setter.
//
// Relies on: dlopen, dlsym. Cost: only where a device is first used.

#include "runtime/replaceable.h"

#include <atomic>
#include <dlfcn.h>

namespace {
std::atomic<halide_get_symbol_t> get_symbol_function{halide_default_get_symbol};
std::atomic<halide_load_library_t> load_library_function{halide_default_load_library};
std::atomic<halide_get_library_symbol_t> get_library_symbol_function{halide_default_get_library_symbol};
} // namespace

extern "C" {

void *fluorite_own_halide_get_symbol(const char *name) {
    return get_symbol_function.load(std::memory_order_relaxed)(name);
}
void *fluorite_own_halide_load_library(const char *name) {
    return load_library_function.load(std::memory_order_relaxed)(name);
}
void *fluorite_own_halide_get_library_symbol(void *library, const char *name) {
    return get_library_symbol_function.load(std::memory_order_relaxed)(library, name);
}
void *halide_default_get_symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }
void *halide_default_load_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
void *halide_default_get_library_symbol(void *library, const char *name) { return dlsym(library, name); }

halide_get_symbol_t halide_set_custom_get_symbol(halide_get_symbol_t function) {
    return get_symbol_function.exchange(function != nullptr ? function : halide_default_get_symbol);
}
halide_load_library_t halide_set_custom_load_library(halide_load_library_t function) {
    return load_library_function.exchange(function != nullptr ? function : halide_default_load_library);
}
halide_get_library_symbol_t halide_set_custom_get_library_symbol(halide_get_library_symbol_t function) {
    return get_library_symbol_function.exchange(function != nullptr ? function : halide_default_get_library_symbol);
}
}

FLUORITE_REPLACEABLE(void *, halide_get_symbol, (const char *name));
FLUORITE_REPLACEABLE(void *, halide_load_library, (const char *name));
FLUORITE_REPLACEABLE(void *, halide_get_library_symbol, (void *library, const char *name));
