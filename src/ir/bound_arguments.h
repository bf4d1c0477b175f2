#pragma once
// What runs hand to compiled code for the inputs of a pipeline.

#include "ir/parameter.h"
#include "support/check.h"

namespace fluorite::ir {

/// The bound buffer of an ImageParam; throws RuntimeError [unset-image-param] if there is none.
inline fluorite_buffer_t *bound_buffer(const Parameter &parameter, const Location &location) {
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
inline void *bound_value(const Parameter &parameter, const Location &location) {
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

} // namespace fluorite::ir
