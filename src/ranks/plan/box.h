#pragma once
// Boxes of known integer coordinates: the regions of arrays that ranks own, need and exchange. Those of `analysis` are
// symbolic; these are what remains of them when sizes and rank are known.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::distribute {

/// Coordinates from `begin` to, not including, `end`. All empty spans mean the same.
struct Span {
    int64_t begin = 0, end = 0;

    bool empty() const { return end <= begin; }
    int64_t extent() const { return empty() ? 0 : end - begin; }
    int64_t last() const { return end - 1; }
    bool contains(int64_t coordinate) const { return begin <= coordinate && coordinate < end; }
    bool operator==(const Span &) const = default;
};

inline Span intersect(Span a, Span b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }
inline Span shifted(Span a, int64_t by) { return {a.begin + by, a.end + by}; }

/// One span for each dimension. A box without dimensions has one point.
using Box = std::vector<Span>;

bool empty(const Box &box);
int64_t volume(const Box &box);
Box intersect(const Box &a, const Box &b);
/// Whether every point of `inner` is one of `outer`; an empty box is contained in any.
bool contains(const Box &outer, const Box &inner);
/// The smallest box that contains both.
Box hull(const Box &a, const Box &b);

/// `[0, 10)`.
std::string to_string(Span span);
/// `[0, 10) x [5, 6)`; `nothing` if empty.
std::string to_string(const Box &box);

} // namespace fluorite::distribute
