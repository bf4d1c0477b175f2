#pragma once
// What bounds inference asks of an input, against what the program reads of it.

#include "buffers.h"
#include "genome.h"

#include <array>
#include <cstdint>
#include <string>

namespace fluorite::fuzz {

/// How much larger an asked region is than the least box of all points that the interpreter reads.
enum class Precision : uint8_t { Exact, Close, Wide, Unread };
constexpr size_t precisions = 4;
const char *precision_text(Precision precision);
/// Close: less than 1.5 times as many elements.
Precision precision_of(const Box &asked, const Box &touched);

/// What a case holds that may make a region wider than the box of its reads: the first that applies.
enum class WideReason : uint8_t { Data, Condition, Update, Coordinate, Boundary, Schedule, Other };
constexpr size_t wide_reasons = 7;
const char *reason_text(WideReason reason);
WideReason wide_reason_of(const Genome &genome);

/// Counts of the inputs of many cases.
struct RegionCounts {
    std::array<uint32_t, precisions> inputs{};
    std::array<uint32_t, wide_reasons> wide{};
    void add(const RegionCounts &other);
};

/// Whether `outer` holds `inner`; a box without elements is held by every other one.
bool holds(const Box &outer, const Box &inner);
std::string text_of(const Box &box);

} // namespace fluorite::fuzz
