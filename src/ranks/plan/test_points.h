#pragma once
// Walks over boxes, for tests.

#include "ranks/plan/box.h"

#include <cstdint>
#include <vector>

namespace fluorite::distribute {

/// Calls visit with the coordinates of each point of a box, the first dimension innermost.
template <typename Visit> void for_each_point(const Box &box, const Visit &visit) {
    std::vector<int64_t> at;
    for (const Span &span : box) {
        at.push_back(span.begin);
    }
    while (!empty(box)) {
        visit(at);
        size_t d = 0;
        while (d < box.size() && ++at[d] == box[d].end) {
            at[d] = box[d].begin;
            d++;
        }
        if (d == box.size()) {
            return;
        }
    }
}

} // namespace fluorite::distribute
