#pragma once
// What runs hand to compiled code for the inputs of a pipeline.

#include "ir/parameter.h"
#include "support/check.h"

#include <utility>

namespace fluorite::driver {

/// The bound buffer of an ImageParam; throws RuntimeError [unset-image-param] if there is none.
inline fluorite_buffer_t *bound_buffer(const ir::Parameter &parameter, const Location &location) {
    if (!parameter.buffer) {
        throw RuntimeError("unset-image-param",
                           concat("in ", parameter.name,
                                  ": no buffer is bound; every ImageParam needs one before a run; ",
                                  "call set(buffer), or infer_input_bounds"),
                           location);
    }
    return parameter.buffer;
}

/// The address of a Param's value; throws RuntimeError [unset-param] if it has none.
inline void *bound_value(const ir::Parameter &parameter, const Location &location) {
    if (!parameter.has_value) {
        throw RuntimeError(
            "unset-param",
            concat("in ", parameter.name, ": it has no value; every Param needs one before a run; call set(value)"),
            location);
    }
    return const_cast<uint64_t *>(&parameter.value_bits); // NOLINT: only read
}

/// Throws RuntimeError [wrong-output-count] unless as many buffers are given as the pipeline writes.
inline void check_output_count(const std::string &pipeline, size_t given, size_t written, const Location &location) {
    if (given != written) {
        throw RuntimeError("wrong-output-count",
                           concat("in ", pipeline, ": ", given, " output buffers are given; the pipeline writes ",
                                  written, ", one for each value of each output; pass as many, in order"),
                           location);
    }
}

/// Repeats a bounds query until the regions that it returns do not change any more, because the region of one input
/// may depend on the fields of another. `ask` makes the query and returns whether it succeeded, `regions` gives what
/// is compared. Throws RuntimeError [bounds-do-not-settle] if they still change after 16 rounds. Returns false if a
/// query failed.
template <typename Ask, typename Regions>
bool settle(const std::string &pipeline, const Ask &ask, const Regions &regions, const Location &location) {
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
    throw RuntimeError("bounds-do-not-settle",
                       concat("in ", pipeline, ": the regions of its inputs still change after ", most_rounds,
                              " rounds; a region may not depend on itself; bind buffers by hand"),
                       location);
}

} // namespace fluorite::driver
