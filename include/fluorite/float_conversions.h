#pragma once
// How floats beyond the range of a narrow integer type are converted to it, for programs that rely on what Halide's
// code for x86 gives there.

#include "fluorite/require_cxx17.h"

namespace fluorite {

/// Saturate: the nearest value of the type, and 0 for NaN. LowBits: the low bits of the int32 that is nearest, for
/// types of 8 and 16 bits; 300.0f becomes 44 as a uint8, where Saturate gives 255. Values within the range of the type,
/// and types of 32 and 64 bits, are converted in the same way by both.
enum class FloatConversions { Saturate, LowBits };

/// Sets what `cast` of Exprs means from now on, in the whole program, and returns what it meant before. Saturate is the
/// meaning without this call.
FloatConversions set_float_conversions(FloatConversions meaning);

} // namespace fluorite

// With this macro, given to the compiler for each file of the program that includes Halide.h, casts keep the low bits.
#ifdef HALIDE_FLOAT_CASTS_KEEP_LOW_BITS
namespace fluorite::detail {
inline const FloatConversions float_conversions_before = set_float_conversions(FloatConversions::LowBits);
}
#endif
