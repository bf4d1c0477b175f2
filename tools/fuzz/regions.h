#pragma once
// Compares the regions of inputs that bounds inference requires with those that the program reads.

#include "buffers.h"
#include "genome.h"

#include <array>
#include <cstdint>
#include <string>

namespace fluorite::fuzz {

/// How much larger a required region is than the least box of all points that the interpreter reads.
enum class Precision : uint8_t { Exact, Close, Wide, Unread };
constexpr size_t precisions = 4;
const char *precision_text(Precision precision);
/// Close means less than 1.5 times as many elements.
Precision precision_of(const Box &asked, const Box &touched);

/// The first feature of a case that may make a region wider than the box of its reads.
enum class WideReason : uint8_t { Data, Condition, Update, Coordinate, Boundary, Schedule, Other };
constexpr size_t wide_reasons = 7;
const char *reason_text(WideReason reason);
WideReason wide_reason_of(const Genome &genome);

/// Counts over the inputs of many cases.
struct RegionCounts {
    std::array<uint32_t, precisions> inputs{};
    std::array<uint32_t, wide_reasons> wide{};
    void add(const RegionCounts &other);
};

/// Whether `outer` contains `inner`; every box contains an empty one.
bool holds(const Box &outer, const Box &inner);
/// The least box that holds both.
Box hull(const Box &a, const Box &b);
/// So much larger on each side.
Box larger(Box box, int by);
Box box_of(const fluorite_buffer_t &buffer);
std::string text_of(const Box &box);

} // namespace fluorite::fuzz
