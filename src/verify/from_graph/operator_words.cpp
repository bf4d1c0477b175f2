#include "verify/from_graph/operator_words.h"

#include "support/check.h"
#include "verify/from_graph/coordinates.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace fluorite::verify {

std::string type_word(Type type) { return concat(type); }

static std::string float_word(double value) { // exactly, and in letters of words
    char text[64];
    std::snprintf(text, sizeof text, "%a", value);
    return text;
}

static std::string constant_word(const Expr &expr) {
    std::string text = ir::is_kind(expr, ir::ExprKind::FloatImm)  ? float_word(expr->float_value())
                       : ir::is_kind(expr, ir::ExprKind::UIntImm) ? std::to_string(expr->uint_value())
                                                                  : std::to_string(expr->int_value());
    return "c." + type_word(expr.type()) + "." + text;
}

static std::string operator_word(const Expr &expr) {
    std::string name;
    switch (expr->kind()) {
    case ir::ExprKind::IntImm:
    case ir::ExprKind::UIntImm:
    case ir::ExprKind::FloatImm:
        return constant_word(expr);
    case ir::ExprKind::Math:
        name = ir::math_name(expr->math_op());
        break;
    case ir::ExprKind::Extern:
        name = "extern." + expr->text();
        break;
    default: { // kinds whose name says what they compute
        static const char *const kinds[] = {
#define FLUORITE_EXPR(kind, ...) #kind,
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
        };
        name = kinds[int(expr->kind())];
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        break;
    }
    }
    name += "." + type_word(expr.type());
    // Conversions and comparisons depend on the type of what they take.
    if (expr->arg_count() > 0 && expr->arg(0).type() != expr.type()) {
        name += "." + type_word(expr->arg(0).type());
    }
    return word(name);
}

std::string note_operator(std::map<std::string, Expr> &operators, const Expr &expr) {
    std::string name = operator_word(expr);
    const Expr &known = operators.emplace(name, expr).first->second;
    bool is_same = known->kind() == expr->kind() && known.type() == expr.type() &&
                   known->payload() == expr->payload() && known->arg_count() == expr->arg_count();
    for (size_t i = 0; is_same && i < expr->arg_count(); i++) {
        is_same = known->arg(i).type() == expr->arg(i).type();
    }
    if (!is_same && !ir::equal(known, expr)) {
        throw Unsupported{"two operators have one word in terms, " + name};
    }
    return name;
}

} // namespace fluorite::verify
