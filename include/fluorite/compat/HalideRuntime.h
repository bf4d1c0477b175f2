#pragma once
/* The names of Halide's runtime ABI for Fluorite's, with the same layouts and values: for C99 and C++11 or later, without
 * any library but the runtime that filters call. Its functions are declared in HalideRuntimeServices.h. */

#include "HalideRuntimeErrors.h"
#include "HalideRuntimeFeatures.h"
#include "HalideRuntimeProfiler.h"
#include "HalideRuntimeServices.h"
#include "HalideRuntimeTypes.h"

#ifdef __cplusplus
#include <type_traits>
#if __cplusplus >= 201703L
#include "fluorite/float16.h"
#endif

/* The type of a C++ scalar in the form of the ABI. */
template <typename T> struct halide_type_of_helper {
    static_assert(std::is_arithmetic<T>::value || std::is_enum<T>::value, "halide_type_of: a scalar of the language");
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() {
        return halide_type_t(std::is_floating_point<T>::value ? fluorite_type_float
                             : std::is_signed<T>::value       ? fluorite_type_int
                                                              : fluorite_type_uint,
                             static_cast<uint8_t>(sizeof(T) * 8), 1);
    }
};
template <> struct halide_type_of_helper<bool> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_uint, 1, 1); }
};
template <typename T> struct halide_type_of_helper<T *> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_handle, 64, 1); }
};
template <typename T> struct halide_type_of_helper<const T> : halide_type_of_helper<T> {};
#if __cplusplus >= 201703L
#if (defined(__clang__) ? __clang_major__ >= 15 : __GNUC__ >= 12) && defined(__x86_64__) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define HALIDE_CPP_COMPILER_HAS_FLOAT16
template <> struct halide_type_of_helper<_Float16> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_float, 16, 1); }
};
#endif
template <> struct halide_type_of_helper<fluorite::float16_t> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_float, 16, 1); }
};
template <> struct halide_type_of_helper<fluorite::bfloat16_t> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_bfloat, 16, 1); }
};
#endif
template <typename T> constexpr halide_type_t halide_type_of() { return halide_type_of_helper<T>::value(); }

#if __cplusplus >= 201703L
#include <string_view>

/* What the headers say that a generator writes of a function with -e function_info_header. */
#ifndef HALIDE_FUNCTION_INFO_TYPES
#define HALIDE_FUNCTION_INFO_TYPES
namespace HalideFunctionInfo {
enum ArgumentKind { InputScalar = 0, InputBuffer = 1, OutputBuffer = 2 };
struct ArgumentInfo {
    std::string_view name;
    ArgumentKind kind;
    int32_t dimensions;
    halide_type_t type;
};
} // namespace HalideFunctionInfo
#endif
#endif
#endif
