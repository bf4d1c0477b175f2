#pragma once
// Libraries of drivers, which are opened when a device is first needed.

#include "fluorite/compat/HalideRuntime.h"

#include <dlfcn.h>

#include <initializer_list>
#include <string>

namespace fluorite_runtime {

/// The first of the named libraries that is there; null if none is, with the loader's last message in `why`. They stay
/// loaded: drivers have threads and handlers of exit.
inline void *open_library(std::initializer_list<const char *> names, std::string &why) {
    for (const char *name : names) {
        if (void *library = halide_load_library(name); library != nullptr) {
            return library;
        }
        const char *message = dlerror();
        why = message != nullptr ? message : name;
    }
    return nullptr;
}

/// Finds a function; false if the library does not have it.
template <typename Function> bool find_function(void *library, const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(halide_get_library_symbol(library, name));
    return function != nullptr;
}

} // namespace fluorite_runtime
