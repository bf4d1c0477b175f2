// Matching and building. A pattern is a small tree of terms in the row's array. Matching traverses it in parallel with
// the expression and does not allocate. Constants of results are computed in the rule's type: modulo 2^width for rows
// that hold under wrap-around, over the integers for Index rows, where a number that does not fit rejects the row.
// Conditions are computed over the integers with checks, so no condition holds by accident of overflow. Cost: linear in
// the pattern; bounds are computed only when a condition names them.

#include "rewrite/match.h"

#include "ir/expr_traits.h"

#include <bit>
#include <numeric>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

uint8_t class_of(Type type) {
    if (type.is_bool()) {
        return bool_class;
    }
    return type.is_int() ? signed_class : type.is_uint() ? unsigned_class : type.is_float() ? float_class : 0;
}

} // namespace

bool Match::matches(int pattern, const Expr &expr) {
    if (!bind(pattern, expr) || !type_allowed()) {
        return false;
    }
    return row_.condition < 0 || evaluate(row_.condition).value_or(0) != 0;
}

bool Match::type_allowed() const {
    if (row_.classes & conversion_class) {
        return true;
    }
    if (row_.classes & index_class) {
        return index_ && ir::is_index_type(element_);
    }
    return (row_.classes & (element_.is_void() ? uint8_t{bool_class} : class_of(element_))) != 0;
}

bool Match::note_element(Type type) {
    if (row_.classes & conversion_class) {
        return true;
    }
    type = type.element_of();
    if (element_.is_void()) {
        element_ = type;
    }
    return element_ == type;
}

bool Match::bind(int position, const Expr &expr) {
    const Term &term = row_.terms[position];
    switch (term.kind) {
    case TermKind::Node:
        return bind_node(term, expr);
    case TermKind::Wild:
        return bind_wild(term, expr);
    case TermKind::Constant:
        return bind_constant(term, expr);
    case TermKind::Flag:
        if (!flags_[term.index]) {
            flags_[term.index] = &expr;
            return expr.type().is_bool();
        }
        return flags_[term.index]->same_as(expr);
    default:
        return is_number(term, expr);
    }
}

bool Match::bind_wild(const Term &term, const Expr &expr) {
    if (const Expr *bound = wilds_[term.index]) {
        return bound->same_as(expr);
    }
    wilds_[term.index] = &expr;
    return note_element(expr.type());
}

bool Match::bind_constant(const Term &term, const Expr &expr) {
    const std::optional<Scalar> value = scalar_of(expr);
    if (!value || value->type.is_float()) {
        return false;
    }
    std::optional<Scalar> &bound = constants_[term.index];
    if (bound) {
        return *bound == *value;
    }
    bound = value;
    return note_element(value->type);
}

bool Match::bind_node(const Term &term, const Expr &expr) {
    if (expr->kind() != term.node || expr->arg_count() != term.count) {
        return false;
    }
    if (is_conversion(term.node)) {
        Type &type = types_[term.index];
        if (!type.is_void() && type != expr.type().element_of()) {
            return false;
        }
        type = expr.type().element_of();
    }
    for (int i = 0; i < term.count; i++) {
        if (!bind(term.args[i], expr->arg(i))) {
            return false;
        }
    }
    return true;
}

bool Match::is_number(const Term &term, const Expr &expr) const {
    const std::optional<Scalar> value = scalar_of(expr);
    if (!value) {
        return false;
    }
    const Type type = value->type;
    switch (term.kind) {
    case TermKind::Number:
        return !type.is_bool() && *value == (type.is_float() ? float_scalar(type, static_cast<double>(term.number))
                                                             : int_scalar(type, term.number));
    case TermKind::NegativeZero:
        return type.is_float() && *value == float_scalar(type, -0.0);
    case TermKind::Truth:
        return type.is_bool() && value->as_int() == term.number;
    case TermKind::TypeMin:
        return !type.is_float() && *value == *scalar_of(ir::type_min(type));
    case TermKind::TypeMax:
        return !type.is_float() && *value == *scalar_of(ir::type_max(type));
    default:
        return false;
    }
}

// ---- Conditions and numbers.

Type Match::type_named(int position) const {
    const Term &term = row_.terms[position];
    if (term.index < type_count) {
        return types_[term.index];
    }
    return wilds_[term.index - type_count]->type().element_of();
}

std::optional<int64_t> Match::evaluate(int position) {
    const Term &term = row_.terms[position];
    switch (term.kind) {
    case TermKind::Number:
    case TermKind::Truth:
        return term.number;
    case TermKind::Constant: {
        const std::optional<Scalar> &value = constants_[term.index];
        const bool above_int64 = value && value->type.is_uint() && value->as_int() < 0;
        return value && !above_int64 ? std::optional(value->as_int()) : std::nullopt;
    }
    case TermKind::TypeMin:
    case TermKind::TypeMax: {
        const Interval range = range_of(element_);
        const int64_t end = term.kind == TermKind::TypeMin ? range.lo : range.hi;
        return element_.bits() < 64 ? std::optional(end) : std::nullopt;
    }
    case TermKind::Node:
        return evaluate_node(term);
    case TermKind::Function:
        return evaluate_function(term);
    default:
        return std::nullopt;
    }
}

std::optional<int64_t> Match::evaluate_node(const Term &term) {
    const std::optional<int64_t> left = evaluate(term.args[0]);
    if (term.node == ExprKind::Or && left.value_or(0) != 0) {
        return 1;
    }
    if (term.node == ExprKind::Or && !left) {
        return evaluate(term.args[1]);
    }
    if (!left || (term.node == ExprKind::And && *left == 0)) {
        return left;
    }
    if (term.node == ExprKind::Not) {
        return *left == 0;
    }
    const std::optional<int64_t> right = evaluate(term.args[1]);
    if (!right) {
        return std::nullopt;
    }
    int64_t result = 0;
    switch (term.node) {
    case ExprKind::Add:
        return __builtin_add_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
    case ExprKind::Sub:
        return __builtin_sub_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
    case ExprKind::Mul:
        return __builtin_mul_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
    case ExprKind::Div:
    case ExprKind::Mod:
        if (*right == 0 || (*right == -1 && *left == std::numeric_limits<int64_t>::min())) {
            return std::nullopt;
        }
        return term.node == ExprKind::Div ? euclidean_div(*left, *right) : euclidean_mod(*left, *right);
    default: // operators of conditions that do not overflow
        break;
    }
    const std::optional<Scalar> folded =
        fold_binary(term.node, int_scalar(Int(64), *left), int_scalar(Int(64), *right));
    return folded ? std::optional(folded->as_int()) : std::nullopt;
}

std::optional<int64_t> Match::evaluate_function(const Term &term) {
    switch (term.function) {
    case RuleFunction::Lo:
    case RuleFunction::Hi: {
        const Interval bounds = host_.bounds(*wilds_[row_.terms[term.args[0]].index]);
        const bool lo = term.function == RuleFunction::Lo;
        return (lo ? bounds.has_lo() : bounds.has_hi()) ? std::optional(lo ? bounds.lo : bounds.hi) : std::nullopt;
    }
    case RuleFunction::Bits:
        return element_.bits();
    case RuleFunction::BitsOf:
        return type_named(term.args[0]).bits();
    case RuleFunction::IsSigned:
        return type_named(term.args[0]).is_int();
    case RuleFunction::IsInt: {
        const Type type = type_named(term.args[0]);
        return type.is_int_or_uint() && !type.is_bool();
    }
    case RuleFunction::IsFloat:
        return type_named(term.args[0]).is_float();
    case RuleFunction::Represents:
        return type_named(term.args[0]).can_represent(type_named(term.args[1]));
    case RuleFunction::Same:
        return type_named(term.args[0]) == type_named(term.args[1]);
    default:
        break;
    }
    const std::optional<int64_t> first = evaluate(term.args[0]);
    if (!first) {
        return std::nullopt;
    }
    switch (term.function) {
    case RuleFunction::Pow2:
        return *first >= 0 && *first < 63 ? std::optional(int64_t{1} << *first) : std::nullopt;
    case RuleFunction::IsPow2:
        return *first > 0 && std::has_single_bit(static_cast<uint64_t>(*first));
    case RuleFunction::Gcd: {
        const std::optional<int64_t> second = evaluate(term.args[1]);
        return second ? std::optional(std::gcd(*first, *second)) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

std::optional<Scalar> Match::constant(int position) {
    const Term &term = row_.terms[position];
    if (term.kind == TermKind::Truth) {
        return bool_scalar(term.number != 0);
    }
    if (term.kind == TermKind::Constant) {
        return constants_[term.index];
    }
    if (element_.is_float()) {
        return float_scalar(element_, term.kind == TermKind::NegativeZero ? -0.0 : static_cast<double>(term.number));
    }
    if (term.kind != TermKind::Node || (row_.classes & index_class)) {
        const std::optional<int64_t> value = evaluate(position);
        const bool fits = value && (term.kind == TermKind::Number || element_.can_represent(*value));
        return fits ? std::optional(int_scalar(element_, *value)) : std::nullopt;
    }
    const std::optional<Scalar> left = constant(term.args[0]);
    const std::optional<Scalar> right = term.count == 2 ? constant(term.args[1]) : left;
    if (!left || !right) {
        return std::nullopt;
    }
    return term.count == 2 ? fold_binary(term.node, *left, *right) : fold_unary(term.node, *left);
}

// ---- Results.

Expr Match::result(Type type) {
    if (element_.is_void()) {
        element_ = Bool();
    }
    const Expr built = build(row_.result, type);
    return built.defined() && built.type() == type ? built : Expr();
}

Expr Match::build(int position, Type expected) {
    const Term &term = row_.terms[position];
    if (term.is_constant) {
        return build_constant(position, expected);
    }
    switch (term.kind) {
    case TermKind::Wild:
        return *wilds_[term.index];
    case TermKind::Flag:
        return *flags_[term.index];
    case TermKind::Node:
        return build_node(term, expected);
    default:
        return {};
    }
}

Expr Match::build_constant(int position, Type type) {
    const std::optional<Scalar> value = constant(position);
    return value && !type.is_void() ? expr_of(*value, type.lanes()) : Expr();
}

/// Constant operands take the lane count of a sibling, or of the whole node where all operands are constants.
Expr Match::build_node(const Term &term, Type expected) {
    const bool is_vector_node = term.node == ExprKind::Ramp || term.node == ExprKind::Broadcast;
    Expr args[3];
    Type known = is_vector_node ? Type(TypeCode::Int, 32, 1) : expected;
    for (int i = 0; i < term.count; i++) {
        if (!row_.terms[term.args[i]].is_constant) {
            args[i] = build(term.args[i], is_vector_node ? Type() : expected);
            if (!args[i].defined()) {
                return {};
            }
            known = args[i].type();
        }
    }
    for (int i = 0; i < term.count; i++) {
        if (!args[i].defined() && !(args[i] = build_constant(term.args[i], known)).defined()) {
            return {};
        }
    }
    const std::span<const Expr> operands(args, term.count);
    const Type type = result_type(term, operands, expected);
    return type.is_void() ? Expr() : host_.make(term.node, type, operands);
}

/// The type of a result's node; void where the operands are incompatible.
Type Match::result_type(const Term &term, std::span<const Expr> args, Type expected) const {
    const Type first = args[0].type(), last = args[args.size() - 1].type();
    switch (term.node) {
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
    case ExprKind::Reinterpret:
        return types_[term.index].with_lanes(first.lanes());
    case ExprKind::Ramp:
    case ExprKind::Broadcast: {
        const bool whole = expected.lanes() > first.lanes() && expected.lanes() % first.lanes() == 0;
        return whole && first == last ? first.with_lanes(expected.lanes()) : Type();
    }
    case ExprKind::Select:
        return args[1].type() == last && first.lanes() == last.lanes() && first.is_bool() ? last : Type();
    case ExprKind::Abs:
    case ExprKind::AbsDiff:
        return first == last ? (first.is_int() ? first.with_code(TypeCode::UInt) : first) : Type();
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return first.lanes() == last.lanes() && first.bits() == last.bits() ? first : Type();
    default: // operations of operands of one type
        break;
    }
    if (first != last) { // of two operands: a select, the only operation of three, has been treated
        return {};
    }
    return is_comparison(term.node) ? Bool(first.lanes()) : first;
}

} // namespace fluorite::rewrite
