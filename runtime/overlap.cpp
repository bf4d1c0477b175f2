// Whether two buffers share the memory of an element, and whether two elements of one buffer do.
//
// Method: the distance between an element of one buffer and an element of the other is a sum of terms k * step, one for
// each step of either buffer, where the extents bound k. They share a byte if the sum can come closer to the distance
// of their first bytes than the length of an element. The search goes from the greatest step to the least and follows
// only those k whose remainder the smaller steps can compensate: one or two per step for the memory layouts of images.
// So halves of one image, and channels of interleaved pixels, count as disjoint although their addresses interleave.
// Relies on: lowest and highest addresses do not overflow. Does not do: prove more than a fixed number of branches
// allows; buffers of unusual shapes count as sharing memory if their address ranges overlap. Cost: a few compares if
// the address ranges are disjoint; else about one branch per dimension.

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime/division.h"
#include "fluorite/runtime_abi.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>

namespace {

/// k * step with k in [least, most].
struct Term {
    int64_t step = 0, least = 0, most = 0;
};

constexpr int most_dimensions = 16;

class Distances {
  public:
    bool add(const fluorite_buffer_t &buffer, bool is_second) {
        const int64_t bytes = buffer.type.bytes();
        for (int32_t d = 0; d < buffer.dimensions; d++) {
            const int64_t stride = buffer.dim[d].stride, last = int64_t{buffer.dim[d].extent} - 1;
            if (stride == 0 || last == 0) {
                continue;
            }
            const int64_t step = (stride < 0 ? -stride : stride) * bytes;
            Term *const end = terms_.data() + count_;
            Term *term = std::find_if(terms_.data(), end, [&](const Term &other) { return other.step == step; });
            if (term == end) {
                if (count_ == terms_.size()) {
                    return false;
                }
                *end = {step, 0, 0};
                count_++;
            }
            (is_second ? term->most : term->least) += is_second ? last : -last;
        }
        return true;
    }

    /// Whether some sum of terms is in [low, high].
    bool reach(int64_t low, int64_t high) {
        std::sort(terms_.data(), terms_.data() + count_, [](const Term &a, const Term &b) { return a.step > b.step; });
        return reach(0, low, high);
    }

  private:
    std::array<Term, 2 * most_dimensions> terms_;
    size_t count_ = 0;
    int budget_ = 4096;

    bool reach(size_t at, int64_t low, int64_t high) {
        if (at == count_) {
            return low <= 0 && 0 <= high;
        }
        int64_t rest_low = 0, rest_high = 0;
        for (size_t i = at + 1; i < count_; i++) {
            rest_low += terms_[i].step * terms_[i].least;
            rest_high += terms_[i].step * terms_[i].most;
        }
        const Term &term = terms_[at];
        const int64_t first = std::max(term.least, -fluorite::floor_div(rest_high - low, term.step));
        const int64_t last = std::min(term.most, fluorite::floor_div(high - rest_low, term.step));
        for (int64_t k = first; k <= last; k++) {
            if (--budget_ < 0 || reach(at + 1, low - k * term.step, high - k * term.step)) {
                return true;
            }
        }
        return false;
    }
};

/// The address of the element at coordinates 0, counting only dimensions with several elements.
const uint8_t *origin(const fluorite_buffer_t &buffer) {
    int64_t offset = 0;
    for (int32_t d = 0; d < buffer.dimensions; d++) {
        offset += int64_t{buffer.dim[d].min} * buffer.dim[d].stride;
    }
    return reinterpret_cast<const uint8_t *>(reinterpret_cast<intptr_t>(buffer.host) - offset * buffer.type.bytes());
}

/// Whether equal coordinates have equal addresses.
bool has_same_places(const fluorite_buffer_t &a, const fluorite_buffer_t &b) {
    if (a.dimensions != b.dimensions || a.type.bytes() != b.type.bytes()) {
        return false;
    }
    for (int32_t d = 0; d < a.dimensions; d++) {
        if (a.dim[d].stride != b.dim[d].stride) {
            return false;
        }
    }
    return origin(a) == origin(b);
}

/// Whether each dimension's stride exceeds the span of all dimensions before it, as in most buffers: then no two
/// elements share an address.
bool is_nested(const fluorite_buffer_t &buffer) {
    int64_t reach = 0; // the span of the dimensions so far
    for (int32_t d = 0; d < buffer.dimensions; d++) {
        const fluorite_dimension_t &dim = buffer.dim[d];
        if (dim.stride <= reach) {
            return false;
        }
        reach += int64_t{dim.stride} * (dim.extent - 1);
    }
    return true;
}

/// Whether some steps of one dimension equal some steps of the other, both within their extents.
bool share_places(const fluorite_dimension_t &a, const fluorite_dimension_t &b) {
    const int64_t step_a = std::abs(int64_t{a.stride}), step_b = std::abs(int64_t{b.stride});
    const int64_t common = std::gcd(step_a, step_b);
    return common > 0 && step_b / common < a.extent && step_a / common < b.extent;
}

} // namespace

extern "C" int fluorite_buffers_overlap(const fluorite_buffer_t *a, const fluorite_buffer_t *b, int equal_points_may) {
    if (a->host == nullptr || b->host == nullptr || a->is_empty() || b->is_empty()) {
        return 0;
    }
    const uint8_t *first_a = a->begin(), *first_b = b->begin();
    if (first_a >= b->end() || first_b >= a->end() || (equal_points_may != 0 && has_same_places(*a, *b))) {
        return 0;
    }
    Distances distances;
    if (!distances.add(*a, false) || !distances.add(*b, true)) {
        return 1;
    }
    // An element of b begins `apart` + sum bytes after an element of a.
    const int64_t apart = first_b - first_a;
    return distances.reach(-apart - b->type.bytes() + 1, -apart + a->type.bytes() - 1) ? 1 : 0;
}

extern "C" int fluorite_buffer_overlaps_itself(const fluorite_buffer_t *buffer) {
    if (is_nested(*buffer) || buffer->is_empty()) {
        return 0;
    }
    for (int32_t i = 0; i < buffer->dimensions; i++) {
        if (buffer->dim[i].stride == 0 && buffer->dim[i].extent > 1) {
            return 1;
        }
        for (int32_t k = 0; k < i; k++) {
            if (share_places(buffer->dim[i], buffer->dim[k])) {
                return 1;
            }
        }
    }
    return 0;
}
