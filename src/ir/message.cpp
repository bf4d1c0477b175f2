#include "ir/message.h"

#include "support/check.h"

namespace fluorite::ir {

TextForm text_form(const Expr &part) {
    const Type type = part.type();
    if (type.is_handle()) {
        return is_kind(part, ExprKind::StringImm) ? TextForm::Text : TextForm::Pointer;
    }
    if (type.is_float()) {
        return type.bits() == 64 ? TextForm::Double : TextForm::Float;
    }
    if (type.is_bool()) {
        return TextForm::Bool;
    }
    return type.is_int() ? TextForm::Int64 : TextForm::UInt64;
}

const char *append_function(TextForm form) {
    switch (form) {
    case TextForm::Text:
        return "fluorite_append_text";
    case TextForm::Pointer:
        return "fluorite_append_pointer";
    case TextForm::Bool:
        return "fluorite_append_bool";
    case TextForm::Int64:
        return "fluorite_append_int64";
    case TextForm::UInt64:
        return "fluorite_append_uint64";
    case TextForm::Float:
        return "fluorite_append_float";
    case TextForm::Double:
        return "fluorite_append_double";
    }
    unreachable("a text of no form");
}

Type appended_type(TextForm form) {
    switch (form) {
    case TextForm::Text:
    case TextForm::Pointer:
        return Handle();
    case TextForm::Int64:
        return Int(64);
    case TextForm::Bool:
    case TextForm::UInt64:
        return UInt(64);
    case TextForm::Float:
        return Float(32);
    case TextForm::Double:
        return Float(64);
    }
    unreachable("a text of no form");
}

std::span<const Expr> message_parts(const ExprNode &node) {
    switch (node.kind()) {
    case ExprKind::Print:
        return node.args().subspan(2);
    case ExprKind::Require:
        return node.args().subspan(3);
    default: // an Extern
        check(node.kind() == ExprKind::Extern && node.text() == "text.concat", "the node makes a text");
        return node.args();
    }
}

TraceEvent trace_event(const ExprNode &node) {
    check(node.kind() == ExprKind::Extern && node.text() == "trace", "the node is a trace event");
    TraceEvent event{node.arg(0), node.arg(1), node.arg(2), node.arg(3),
                     node.arg(4), node.arg(5), node.arg(6), node.args().subspan(7)};
    const Type type = event.value.type();
    event.has_value = !type.is_handle();
    event.lanes = event.has_value ? type.lanes() : 1;
    return event;
}

} // namespace fluorite::ir
