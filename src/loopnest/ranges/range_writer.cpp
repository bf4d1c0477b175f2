// Writes programs over intervals (fluorite/runtime/ranges.h).
//
// Input: expressions over Params, fields of buffers, and symbols whose values or ranges are known. Output: one line for
// each distinct operation on them, and lines that check what has to fit.
//
// Operands are written before the operation, and lines are memoized by structure. Of sums and products by constants
// only the total must fit, because partial sums that wrap give the same bits. A rounded sum such as m + (n - m + 7) / 8
// * 8 is within 7 of n + 7, which interval arithmetic over m and n does not show, so both forms are written and
// intersected. Values from memory wrap and are not checked, nor are functions whose range is not known (exp, C
// functions).
// Cost: linear in distinct nodes.

#include "loopnest/ranges/range_writer.h"

#include "fluorite/runtime/ranges.h"
#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "loopnest/regions/extern_queries.h"
#include "rewrite/linear.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Interval;
using fluorite_runtime::RangeInterval;
using fluorite_runtime::RangeMachine;

namespace {

constexpr int64_t largest_limit = int64_t{1} << 30;
constexpr int64_t least_limit = 16; // a limit for smaller images is not worth a comparison

std::string number_text(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

/// Replaces the characters that separate the parts of a line.
std::string in_line(std::string text) {
    for (char &c : text) {
        c = c == '|' || c == '\n' ? ' ' : c;
    }
    return text;
}

/// The range of an argument whose magnitude is at most the limit.
RangeInterval range_of(const Expr &argument, int64_t limit) {
    const Type type = argument.type();
    const auto far = static_cast<double>(limit);
    const bool is_extent = argument->kind() == ExprKind::BufferField && argument->member().field == Field::Extent;
    if (type.is_float()) {
        return {-far, far};
    }
    const bool is_signed = type.is_int() && !is_extent;
    const double most = std::ldexp(1.0, type.bits() - (type.is_int() ? 1 : 0)) - 1;
    return {is_signed ? std::max(-far, -most - 1) : 0, std::min(far, most)};
}

bool fails(const RangeProgram &program, int64_t limit) {
    std::vector<RangeInterval> arguments;
    for (size_t i = 0; i < program.arguments.size(); i++) {
        arguments.push_back(range_of(program.arguments[i], limit));
        if (program.divisors.contains(static_cast<int>(i))) {
            arguments.back().least = program.arguments[i].type().is_float() ? 1.0 / static_cast<double>(limit) : 1;
        }
    }
    return RangeMachine(program.text.c_str(), arguments.data(), RangeMachine::Arguments::Ranges).run().found;
}

} // namespace

std::optional<int64_t> RangeProgram::limit() const {
    if (!fails(*this, int64_t{1} << 32)) {
        return std::nullopt;
    }
    int64_t limit = largest_limit;
    while (limit >= least_limit && fails(*this, limit)) {
        limit /= 2;
    }
    return limit >= least_limit && !arguments.empty() ? limit : 0;
}

void RangeWriter::learn(const Symbol &symbol, const Expr &value) {
    const int index = node(value);
    const auto [known, is_new] = known_.emplace(symbol, index);
    if (!is_new && known->second != index) {
        known->second = index;
        memo_.clear();
        parts_.clear();
    }
}

void RangeWriter::learn(const Symbol &symbol, const Expr &min, const Expr &max) {
    const int low = node(min), high = node(max);
    const int index = low == high ? low : line('v', low, high);
    const auto [known, is_new] = known_.emplace(symbol, index);
    if (!is_new && known->second != index) {
        known->second = index;
        memo_.clear();
        parts_.clear();
    }
}

void RangeWriter::narrow_by(std::function<Interval(const Expr &)> narrow) {
    narrow_ = std::move(narrow);
    memo_.clear();
    parts_.clear();
}

void RangeWriter::check_region(const Expr &min, const Expr &max, int64_t slack, const std::string &who,
                               const std::string &what) {
    int low = node(min), high = node(max);
    if (slack > 0) {
        const int more = constant(static_cast<double>(slack));
        low = line('-', low, more);
        high = line('+', high, more);
    }
    check(concat("C ", low, " ", high), who, what);
    later_.emplace_back(concat("D ", low, " ", high), who, what);
}

RangeProgram RangeWriter::finish() {
    for (const auto &[line, who, what] : later_) {
        check(line, who, what);
    }
    return std::move(program_);
}

void RangeWriter::check_value(const Expr &value, const std::string &who, const std::string &what) {
    if (value->arg_count() > 0) {
        check(concat("E ", node(value)), who, what);
    }
}

void RangeWriter::check(const std::string &line, const std::string &who, const std::string &what) {
    if (lines_.emplace(line, -1).second) {
        program_.text += line + "|" + in_line(who) + "|" + in_line(what) + "\n";
    }
}

int RangeWriter::line(const std::string &text) {
    const auto [known, is_new] = lines_.emplace(text, count_);
    if (is_new) {
        program_.text += text + "\n";
        count_++;
    }
    return known->second;
}

int RangeWriter::line(char operation, int a, int b) { return line(concat(std::string(1, operation), " ", a, " ", b)); }

int RangeWriter::constant(double value) {
    return std::isfinite(value) ? line("k " + number_text(value)) : line(std::string("u"));
}

int RangeWriter::argument(const Expr &expr) {
    const auto [known, is_new] = arguments_.emplace(expr, static_cast<int>(program_.arguments.size()));
    if (is_new) {
        program_.arguments.push_back(expr);
    }
    return line(concat("r ", known->second));
}

/// Any value of the type.
int RangeWriter::anything(Type type) {
    if (type.is_bool()) {
        const int one = constant(1);
        return line('v', constant(0), one);
    }
    const int value = line(std::string("u"));
    return type.is_int_or_uint() ? line(concat("t ", type.is_int() ? -type.bits() : type.bits(), " ", value)) : value;
}

/// The result of arithmetic: on coordinates it must not overflow; elsewhere it wraps.
int RangeWriter::typed(const Expr &expr, int value) {
    const Type type = expr.type();
    if (!type.is_int_or_uint() || type.is_bool()) {
        return value;
    }
    const bool checks = is_index_arithmetic(expr);
    return line(concat(checks ? "o " : "t ", type.is_int() && !checks ? -type.bits() : type.bits(), " ", value));
}

int RangeWriter::node(const Expr &expr) {
    const auto found = memo_.find(expr);
    if (found != memo_.end()) {
        return found->second;
    }
    const int result = made(expr);
    memo_.emplace(expr, result);
    return result;
}

int RangeWriter::variable(const Expr &expr) {
    const auto found = known_.find(expr->symbol());
    if (found != known_.end()) {
        return found->second;
    }
    if (is_queried(expr->symbol())) { // what the function answers is checked when it has answered
        learn(expr->symbol(), int32(-most_queried), int32(most_queried));
        return known_.at(expr->symbol());
    }
    const bool is_number = expr.type().is_int_or_uint() || expr.type().is_float();
    return expr->symbol().kind() == SymbolKind::Param && is_number ? argument(expr) : anything(expr.type());
}

/// For sums and products by constants only the total must fit, because partial sums that wrap give the same bits.
int RangeWriter::part_of_sum(const Expr &expr) {
    if (!is_index_arithmetic(expr)) {
        return node(expr);
    }
    const auto known = parts_.find(expr);
    if (known != parts_.end()) {
        return known->second;
    }
    int result = 0;
    if (expr->kind() == ExprKind::Add || expr->kind() == ExprKind::Sub) {
        const char operation = expr->kind() == ExprKind::Add ? '+' : '-';
        const int second = part_of_sum(expr->arg(1)), first = part_of_sum(expr->arg(0));
        result = narrowed(expr, line(operation, first, second));
    } else if (expr->kind() == ExprKind::Mul && (is_const(expr->arg(0)) || is_const(expr->arg(1)))) {
        const int second = part_of_sum(expr->arg(1)), first = part_of_sum(expr->arg(0));
        result = line('*', first, second);
    } else {
        result = node(expr);
    }
    parts_.emplace(expr, result);
    return result;
}

int RangeWriter::sum(const Expr &expr) {
    int value = part_of_sum(expr);
    const Interval known = narrow_ ? narrow_(expr) : Interval();
    if (known.is_bounded()) {
        // min and max hold at all points, not only where the condition does
        const auto narrow = std::exchange(narrow_, nullptr);
        const int max = node(known.max), min = node(known.min);
        value = line('^', value, line('v', min, max));
        narrow_ = narrow;
    }
    return typed(expr, value);
}

/// The value of a sum. If it contains a rounded term (a / d) * d, this is a minus a remainder; the result is the
/// intersection of both forms.
int RangeWriter::narrowed(const Expr &expr, int value) {
    std::optional<rewrite::Linear> form = rewrite::linear_form(expr);
    Expr remainder;
    int64_t times = 0;
    for (size_t i = 0; form && i < form->terms.size() && !remainder.defined(); i++) {
        const auto [term, coefficient] = form->terms[i];
        int64_t divisor = 0;
        if (term->kind() == ExprKind::Div && is_const_int(term->arg(1), &divisor) && divisor > 0 &&
            coefficient % divisor == 0) {
            const std::optional<rewrite::Linear> rounded = rewrite::linear_form(term->arg(0));
            form->terms.erase(form->terms.begin() + static_cast<long>(i));
            times = coefficient / divisor;
            form = rounded ? rewrite::add_scaled(*form, *rounded, times) : std::nullopt;
            remainder = mod(term->arg(0), term->arg(1));
        }
    }
    if (!form || !remainder.defined()) {
        return value;
    }
    int other = constant(static_cast<double>(form->constant));
    const auto add_term = [&](const Expr &term, int64_t factor, char operation) {
        const int value_of_term = node(term);
        other = line(operation, other, line('*', constant(static_cast<double>(factor)), value_of_term));
    };
    for (const auto &[term, coefficient] : form->terms) {
        add_term(term, coefficient, '+');
    }
    add_term(remainder, times, '-');
    return line('^', value, other);
}

int RangeWriter::binary(char operation, const Expr &expr) {
    const int second = node(expr->arg(1)), first = node(expr->arg(0)); // in an order that no compiler chooses
    return typed(expr, line(operation, first, second));
}

int RangeWriter::convert(const Expr &expr) {
    const Type to = expr.type(), from = expr->arg(0).type();
    int value = node(expr->arg(0));
    if (to.is_bool()) {
        return line(concat("~ ", line('=', value, constant(0))));
    }
    if (!to.is_int_or_uint()) {
        return value;
    }
    if (from.is_float()) {
        value = line(concat("i ", value));
    }
    if (from.is_float() || expr->kind() == ExprKind::SaturatingCast) {
        return line(concat("S ", to.is_int() ? -to.bits() : to.bits(), " ", value));
    }
    return typed(expr, value);
}

/// A quotient of floats. An argument that is a divisor is recorded, because its distance from 0 then matters.
int RangeWriter::ratio(const Expr &expr) {
    const int above = node(expr->arg(0)), below = node(expr->arg(1));
    Expr divisor = expr->arg(1);
    while (divisor->kind() == ExprKind::Cast) {
        divisor = divisor->arg(0);
    }
    const auto argument = arguments_.find(divisor);
    if (argument != arguments_.end()) {
        program_.divisors.insert(argument->second);
    }
    return line('q', above, below);
}

int RangeWriter::math(const Expr &expr) {
    const auto unary = [&](char operation) { return line(concat(std::string(1, operation), " ", node(expr->arg(0)))); };
    switch (expr->math_op()) {
    case MathOp::Floor:
        return unary('f');
    case MathOp::Ceil:
        return unary('c');
    case MathOp::Round:
        return unary('n');
    case MathOp::Trunc:
        return unary('i');
    case MathOp::Sqrt:
        return unary('s');
    case MathOp::Sin:
    case MathOp::Cos:
    case MathOp::Tanh:
    case MathOp::Erf: {
        const int one = constant(1);
        return line('v', constant(-1), one);
    }
    default: // anything is correct for any function
        return anything(expr.type());
    }
}

int RangeWriter::made(const Expr &expr) {
    const Type type = expr.type();
    int64_t whole = 0;
    double real = 0;
    if (is_const_int(expr, &whole)) {
        return constant(static_cast<double>(whole));
    }
    if (is_const_float(expr, &real)) {
        return constant(real);
    }
    const auto arg = [&](size_t i) { return node(expr->arg(i)); };
    const auto of_both = [&](char operation, size_t first, size_t second) {
        const int b = arg(second), a = arg(first);
        return line(operation, a, b);
    };
    switch (expr->kind()) {
    case ExprKind::Variable:
        return variable(expr);
    case ExprKind::BufferField:
        if (expr->member().field == Field::Max) {
            const auto field = [&](Field which) { return make_field(expr->symbol(), which, expr->member().index); };
            return node(sub(add(field(Field::Min), field(Field::Extent)), int32(1)));
        }
        return argument(expr);
    case ExprKind::Let:
        known_[expr->symbol()] = arg(0);
        return arg(1);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::MemoizeTag:
        return arg(0);
    case ExprKind::Print:
    case ExprKind::Require:
        return arg(1);
    case ExprKind::Add:
        return is_index_arithmetic(expr) ? sum(expr) : binary('+', expr);
    case ExprKind::Sub:
        return is_index_arithmetic(expr) ? sum(expr) : binary('-', expr);
    case ExprKind::Mul:
        return is_index_arithmetic(expr) && (is_const(expr->arg(0)) || is_const(expr->arg(1))) ? sum(expr)
                                                                                               : binary('*', expr);
    case ExprKind::Div:
        return type.is_float() ? ratio(expr) : binary('/', expr);
    case ExprKind::Mod:
        return type.is_float() ? anything(type) : of_both('%', 0, 1);
    case ExprKind::Fma: {
        const int added = arg(2);
        return line('+', of_both('*', 0, 1), added);
    }
    case ExprKind::Min:
        return of_both('m', 0, 1);
    case ExprKind::Max:
        return of_both('M', 0, 1);
    case ExprKind::AbsDiff:
        return line(concat("a ", of_both('-', 0, 1)));
    case ExprKind::Abs:
        return line(concat("a ", arg(0)));
    case ExprKind::LT:
        return of_both('<', 0, 1);
    case ExprKind::LE:
        return of_both('l', 0, 1);
    case ExprKind::GT:
        return of_both('<', 1, 0);
    case ExprKind::GE:
        return of_both('l', 1, 0);
    case ExprKind::EQ:
        return of_both('=', 0, 1);
    case ExprKind::NE:
        return line(concat("~ ", of_both('=', 0, 1)));
    case ExprKind::And:
        return of_both('&', 0, 1);
    case ExprKind::Or:
        return of_both('|', 0, 1);
    case ExprKind::Not:
        return line(concat("~ ", arg(0)));
    case ExprKind::Select: {
        const int no = arg(2), yes = arg(1), condition = arg(0);
        return line(concat("? ", condition, " ", yes, " ", no));
    }
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
        return convert(expr);
    case ExprKind::ShiftLeft:
        return typed(expr, of_both('L', 0, 1));
    case ExprKind::ShiftRight: {
        const int by = arg(1), zero = constant(0), negated = line('-', zero, by);
        return typed(expr, line('L', arg(0), negated));
    }
    case ExprKind::BitAnd:
        return type.is_bool() ? anything(type) : of_both('B', 0, 1);
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return type.is_bool() ? anything(type) : of_both('b', 0, 1);
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros: {
        const int bits = constant(type.bits());
        return line('v', constant(0), bits);
    }
    case ExprKind::Math:
        return math(expr);
    case FLUORITE_CONSTANTS: // numbers are made above
    case ExprKind::Reinterpret:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::BitNot:
    case ExprKind::Extern:
    case ExprKind::Random:
    case FLUORITE_VECTORS:
    case FLUORITE_ACCESSES:
    case ExprKind::Undef:
        return anything(type);
    }
    unreachable("a node of no kind");
}

} // namespace fluorite::loopnest
