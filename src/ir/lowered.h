#pragma once
// What lowering hands to a back end: one function over buffers and scalars whose body is flat loop IR.

#include "fluorite/errors.h"
#include "ir/stmt.h"

#include <utility>
#include <vector>

namespace fluorite::ir {

struct LoweredArg {
    enum class Kind : uint8_t { InputBuffer, OutputBuffer, Scalar };
    Kind kind = Kind::Scalar;
    Symbol symbol; // Buffer or Param, as the body refers to it
    Type type;     // element or scalar type
    int dimensions = 0;
};

/// The body is plain loop IR; Extern nodes are the operations of operations.def and C functions of the program.
///
/// int32 name(args...) in the C ABI: buffers as fluorite_buffer_t *, scalars by value; 0 or an error code is returned.
/// A scalar argument of type Handle named "__user_context" is passed as first argument of runtime functions (else
/// null).
struct LoweredFunc {
    std::string name;
    std::vector<LoweredArg> args;
    Stmt body;
    /// Where the program asks for the memory of an allocation, for messages.
    std::vector<std::pair<Symbol, Location>> storage_places = {};
    /// Buffers whose vectors are stored past the caches.
    std::vector<Symbol> streams = {};
};

} // namespace fluorite::ir
