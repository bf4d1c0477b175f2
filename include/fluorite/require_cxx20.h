#pragma once
// Stops a compilation with an older C++ standard with one message, instead of pages about `concept` and `requires`.
// Every header of the language includes this one first.

#if defined(__cplusplus) && __cplusplus < 202002L
#if defined(__clang__)
#pragma clang diagnostic fatal "-W#warnings" // nothing is reported after a fatal error
#warning "Fluorite's headers are C++20: compile with -std=c++20 (CMake: target_compile_features(... cxx_std_20))"
#else
#error "Fluorite's headers are C++20: compile with -std=c++20 (CMake: target_compile_features(... cxx_std_20))"
#include <compilation stops here> // g++ continues after #error, but not after a missing file
#endif
#endif
