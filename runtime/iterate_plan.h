#pragma once
// The plan of an iterated pipeline, as data. lowering/iterate writes its text.

#include "runtime/iterate_blocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite_runtime::iterate {

/// What a part gets as an argument.
struct Argument {
    enum Kind : int32_t { Context, Entry, Result, State, Before, Step, Output, OutputBefore };
    int32_t kind = 0, index = 0;
};

/// A call of a part of the module. Operands are those of fluorite_iterate.
struct Call {
    int32_t function = 0; // an operand
    std::vector<Argument> args;
};

/// A pass: a body or a tile. With a shape, the call is one step on a part of the domain, and the pass has up to `steps`
/// of them.
struct Tile {
    int32_t steps = 1;
    bool streams = false;
    int32_t least_row = 0; // the least extent of dimension 0 that the pass is made for
    BlockShape shape = BlockShape::None;
    size_t dimension = 0; // that blocks cut
    int64_t extent = 0;   // of a block; 0: chosen
    Call call;
    std::optional<Call> reach; // of a step whose bounds queries return how far it reads, in a periodic domain
};

struct Iteration {
    int32_t name = 0; // an operand
    size_t rank = 0, fields = 0;
    bool has_before = false, stops = false;
    std::vector<uint32_t> types;
    std::vector<int32_t> initial_args; // by field: the argument that is its value at step 0, or -1
    Call control, initial;
    int64_t streaming_bytes = 0;
    std::vector<Tile> passes; // longest first; the last one is the body
};

enum class ArgKind : int32_t { Input, Output, Scalar };

struct Plan {
    std::vector<ArgKind> args;
    std::vector<Iteration> iterations;
    Call rest;
    /// The iteration and the field that each output is; empty if `rest` computes the outputs.
    std::vector<std::pair<size_t, size_t>> outputs_are;
};

/// Reads a plan. Precondition: lowering wrote the text; it is not checked.
Plan read_plan(const char *text);

} // namespace fluorite_runtime::iterate
