#pragma once
// Stops a compilation with an older C++ standard with one message, instead of pages about what that standard lacks.
// Every header of the language includes this one first.

#if defined(__cplusplus) && __cplusplus < 201703L
#if defined(__clang__)
#pragma clang diagnostic fatal "-W#warnings" // nothing is reported after a fatal error
#warning "Fluorite's headers are C++17: compile with -std=c++17 (CMake: target_compile_features(... cxx_std_17))"
#else
#error "Fluorite's headers are C++17: compile with -std=c++17 (CMake: target_compile_features(... cxx_std_17))"
#include <compilation stops here> // g++ continues after #error, but not after a missing file
#endif
#endif
