#pragma once
// How far a loop can be laid out flat, and how large a factor can be.
//
// Lanes and copies: both limits are far beyond what any processor gains from, and within what the code generator still
// makes in seconds; the times are those of a processor, not of a clock, for f(x) = sin(g(x)) + exp(g(x)) of float32.

#include <cstdint>
#include <string>

namespace fluorite::schedule {

/// Lanes of a vectorized loop. The widest registers hold 64 bytes, so that 1024 lanes of a byte are 16 registers.
/// Beyond what
/// the registers hold, compile time grows faster than the lanes: 256 take 0.3 s, 1024 take 2.2 s, 2048 take 5.9 s, and
/// at
/// 65,536 types of the code generator end.
constexpr int64_t most_lanes = 1024;

/// Copies of an unrolled loop's body: 4096 of them take 7.9 s and fill the cache of decoded instructions many times
/// over. How large all copies may become together is a matter of the budget in lowering/lower.h.
constexpr int64_t most_copies = 4096;

/// Factors of splits, moduli of regions, and extents in memory: two of them add up to an int32.
constexpr int64_t most_factor = int64_t{1} << 30;
/// The end of the refusal of a larger one.
std::string too_large();

} // namespace fluorite::schedule
