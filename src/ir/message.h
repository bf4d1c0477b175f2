#pragma once
// Texts that a program makes when it runs, and trace events: what the operations text.concat and trace mean, and the
// nodes Print and Require with them, in the functions and structs of the runtime.

#include "ir/expr_node.h"

#include <span>

namespace fluorite::ir {

/// The bytes of a text, with the zero at its end; what does not fit is cut off.
constexpr size_t text_bytes = 1024;
/// What stands between the lanes of a part that is a vector.
constexpr const char *lane_separator = ", ";

/// How the lanes of a part are appended to a text: by `char *function(char *at, char *end, X lane)`, which returns the
/// new end.
enum class TextForm : uint8_t { Text, Pointer, Bool, Int64, UInt64, Float, Double };
TextForm text_form(const Expr &part);
const char *append_function(TextForm form);
/// The type to which a lane is converted for that.
Type appended_type(TextForm form);

/// The parts of a node that prints: print(condition, value, parts...), require(condition, value, text of the
/// condition, parts...) and text.concat(parts...).
std::span<const Expr> message_parts(const ExprNode &node);

/// The operands of trace(func, event, parent_id, value_index, tag, type, value, coordinates...), which fill a
/// fluorite_trace_event_t.
struct TraceEvent {
    Expr func, event, parent_id, value_index, tag, type;
    Expr value;                        // a Handle if there is none
    std::span<const Expr> coordinates; // each a scalar, or of the value's lanes; in memory: of each, those of all lanes
    bool has_value = true;
    int lanes = 1;

    /// The field `type`, from the value of the operand: the lanes are those of this event.
    static constexpr uint32_t type_mask = 0xFFFF;
    uint32_t type_lanes() const { return static_cast<uint32_t>(lanes) << 16; }
    int32_t dimensions() const { return static_cast<int32_t>(coordinates.size()) * lanes; }
};
TraceEvent trace_event(const ExprNode &node);

} // namespace fluorite::ir
