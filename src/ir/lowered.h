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

/// What the body may contain besides plain loop IR. Extern nodes of these names are made in place by every back end (they
/// are no C functions); `b` is a Variable of type Handle with the buffer's symbol, whose value is the fluorite_buffer_t *:
///   buffer.is_null(b)                     Bool     the pointer itself is null
///   buffer.is_query(b)                    Bool     null host and no device: asks for the required region
///   buffer.host(b)                        Handle   the host pointer
///   buffer.type(b)                        UInt32   the type, as fluorite_type_t::as_u32
///   buffer.dimensions(b)                  Int32
///   buffer.host_dirty(b), buffer.device_dirty(b)   Bool
///   buffer.set_dim(b, d, min, extent, stride)      Int32 0; effect; d is a constant
///   buffer.set_type(b, type, dimensions)           Int32 0; effect
///   buffer.set_host_dirty(b, Bool)                 Int32 0; effect
///   memory.prefetch(b, offset)            Int32 0  hints that the byte at `offset` of b (or of an allocation) is read soon
///   memory.address(b)                     Handle   the host pointer of b, or of an allocation
///   text.concat(parts...)                 Handle   the parts (texts, numbers, bools) as one text, valid for the statement
///   trace(func, event, parent_id, value_index, tag, type, value, coordinates...)   Int32 id of the event; effect. func, tag: texts;
///       type: UInt32 as_u32 of a scalar; value: a value of any lanes, or a Handle for none; coordinates: Int32, scalars or
///       of the value's lanes
///   fluorite_check_ranges(program, arguments...)   Int32 0 or a code; arguments: Float64, handed over as an array
/// Calls of functions of runtime_abi.h (fluorite_error_*, fluorite_print, ...) leave out the context argument; it is added.
/// A function whose name begins with fluorite_error_ is an effect, and so is fluorite_print.
///
/// int32 name(args...) in the C ABI: buffers as fluorite_buffer_t *, scalars by value; 0 or an error code is returned.
/// A scalar argument of type Handle named "__user_context" is passed as first argument of runtime functions (else null).
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
