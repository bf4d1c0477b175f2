#pragma once
// Limits on lanes, on copies of loop bodies, and on factors.
//
// Both the limit on lanes and that on copies are far beyond what any processor profits from, and code generation within
// them still takes only seconds. The times below are processor time for f(x) = sin(g(x)) + exp(g(x)) of float32.

#include <cstdint>
#include <string>

namespace fluorite::schedule {

/// Lanes of a vectorized loop. The widest registers hold 64 bytes, so 1024 one-byte lanes are 16 registers. Beyond the
/// register size, compile time grows faster than the number of lanes: 256 take 0.3 s, 1024 take 2.2 s, 2048 take 5.9 s,
/// and 65,536 exceed the code generator's types.
constexpr int64_t most_lanes = 1024;

/// Copies of an unrolled loop's body: 4096 of them take 7.9 s and exceed the cache of decoded instructions many times
/// over. The budget in lowering/lower.h limits the total size of all copies.
constexpr int64_t most_copies = 4096;

/// Factors of splits, moduli of regions, and extents in memory: the sum of two of them fits an int32.
constexpr int64_t most_factor = int64_t{1} << 30;
/// The end of the message that refuses a larger one.
std::string too_large();

} // namespace fluorite::schedule
