#pragma once
// Closures as memory: the struct that a launching function fills and a task reads.

#include "ir/lowered.h"

#include <vector>

namespace fluorite::ir {

/// A component of an argument of the task, at a place in the struct.
struct ClosureField {
    enum class Part : uint8_t {
        Value,  // of a scalar or vector
        Wide,   // of a loop variable: its value in 64 bits
        Host,   // of a buffer or allocation: the address of the element with index 0
        Header, // of a buffer argument: its fluorite_buffer_t
        Last,   // of an allocation, in checked code: the index of its last element
    };
    size_t arg = 0; // its number among the arguments of the task
    Part part = Part::Value;
    Type type;          // as stored: each lane of a Bool is a byte, a Handle is a pointer
    int64_t offset = 0; // in bytes
};

struct ClosureLayout {
    /// Of the struct, and the largest of a field.
    static constexpr int64_t alignment = 64;
    std::vector<ClosureField> fields; // in the order of the arguments and of their offsets
    int64_t size = 0;                 // in bytes
};

/// The bytes and the alignment of a value in a closure: that of its size, rounded up to a power of two.
int64_t closure_bytes(Type type);
int64_t closure_alignment(Type type);

/// What the task needs of its launch. A buffer argument passes its host pointer beside its header, so that a task finds
/// its elements without reading memory that a store could alias; a loop variable is passed in 64 bits, as indices are.
/// `is_checked`: every access is checked (Target::Checked).
ClosureLayout closure_layout(const LoweredFunc &task, bool is_checked);

} // namespace fluorite::ir
