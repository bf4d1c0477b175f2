#pragma once
// What a store of an atomic update does with the element that it stores to.

#include "ir/stmt.h"

#include <optional>

namespace fluorite::lowering {

struct ElementUpdate {
    enum class Kind : uint8_t {
        Nothing,  // the element remains as it is
        Replaces, // the element becomes the operand
        Combines, // the element becomes old op operand
    };
    Kind kind = Kind::Nothing;
    ir::ReduceOp op = ir::ReduceOp::Add; // of Combines
    Expr operand;                        // undefined for Nothing; reads nothing of the buffer
};

/// No value if anything but the element itself is read of the buffer: in the value, the index or the predicate; and if
/// the value is no operation that is known (analysis/reduction.h).
std::optional<ElementUpdate> find_element_update(const ir::Store &store);

} // namespace fluorite::lowering
