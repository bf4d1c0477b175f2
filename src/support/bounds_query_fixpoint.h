#pragma once
// Regions that bounds queries return.

#include "fluorite/errors.h"
#include "support/check.h"

#include <string>
#include <utility>

namespace fluorite {

/// Repeats a bounds query until the regions that it returns do not change any more, because the region of one input
/// may depend on the fields of another. `ask` makes the query and returns whether it succeeded, `regions` gives what
/// is compared. Throws RuntimeError [bounds-do-not-converge] if they still change after 16 rounds. Returns false if a
/// query failed.
template <typename Ask, typename Regions>
bool bounds_query_fixpoint(const std::string &pipeline, const Ask &ask, const Regions &regions,
                           const Location &location) {
    constexpr int most_rounds = 16;
    auto before = regions();
    for (int round = 0; round < most_rounds; round++) {
        if (!ask()) {
            return false;
        }
        auto now = regions();
        if (now == before) {
            return true;
        }
        before = std::move(now);
    }
    throw RuntimeError("bounds-do-not-converge",
                       concat("in ", pipeline, ": the regions of its inputs still change after ", most_rounds,
                              " rounds; a region may not depend on itself; bind buffers by hand"),
                       location);
}

} // namespace fluorite
