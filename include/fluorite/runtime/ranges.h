#pragma once
// Checks that regions and coordinates fit their types: an abstract machine over intervals.
//
// What: a program of one line per value, in which the compiler has recorded how the regions of a pipeline follow from
// the buffers and parameters of a call, with checks of some of the values. When the pipeline is compiled, running the
// program over intervals of arguments yields a limit below which no check can fail; compiled code tests only that
// limit. For other arguments it runs the program over their values and reports the first check that fails.
//
// Method: a value is an interval of float64, which is exact for all integers that matter: a sum or product of two
// 32-bit numbers. An infinite side is unknown, and never makes a check fail. Arithmetic that must not overflow and does
// marks its value, and all values computed from it; a select with a known condition propagates only the mark of the
// chosen operand. An interval with lo > hi is empty: nothing is computed there, and no check of it fails.
//
// The lines: an operation, then numbers of earlier values (counted from 0), constants and texts. Checks have no number.
//   k c       the constant c               r i       argument i                 u        anything
//   + - * / % m M   of two values; / and % are Euclidean, m and M minimum and maximum      q a b    a / b of floats
//   < l = & |       of two values: less, at most, equal, and, or; ~ a: not      ? c a b  a if c, else b
//   i f c n s a     of one: truncation, floor, ceiling, nearest integer, square root, absolute value
//   B b L   of two integers: bitwise and; bitwise or, exclusive or; a shifted left by b, or right if b is negative
//   v a b     a variable that ranges from a to b                                ^ a b    two forms of one value
//   o n a     arithmetic in n signed bits, which must not overflow
//   t n a     arithmetic in n bits that wraps; n < 0: signed                    S n a    the same, saturating
//   C a b|who|what   checks that a to b, and its extent, are coordinates
//   D a b|who|what   as C, and that no operation on the way overflowed
//   E a|who|what     checks that no operation overflowed
//
// Relies on: nothing. Cost: some 50 ns per line.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace fluorite_runtime {

/// `least` applies to divisors of floats: no value is closer to 0.
struct RangeInterval {
    double lo = 0, hi = 0, least = 0;
};

/// The limit for regions and their extents. Compiled code compares coordinates in forms that differ from the program's
/// by constants, which must not overflow either.
constexpr double largest_coordinate = 2147483647.0 - 65536.0;

/// The first check that fails: for a region (otherwise for an expression), with Func, subject and the range that does
/// not fit, either of the value itself or of an intermediate one.
struct RangeFailure {
    bool found = false, is_region = false, is_part = false;
    std::string who, what;
    RangeInterval range;
};

class RangeMachine {
  public:
    /// Values of a call, or ranges of such values: then, a division by what may be 0 may have any finite result.
    enum class Arguments { Values, Ranges };

    RangeMachine(const char *program, const RangeInterval *arguments, Arguments are = Arguments::Values)
        : at_(program), arguments_(arguments), are_(are) {}

    RangeFailure run() {
        RangeFailure failure;
        while (*at_ != 0 && !failure.found) {
            const char operation = *at_++;
            if (operation == 'C' || operation == 'D' || operation == 'E') {
                failure = check(operation);
            } else {
                values_.push_back(compute(operation));
            }
            while (*at_ != 0 && *at_++ != '\n') {
            }
        }
        return failure;
    }

  private:
    struct Value {
        double lo = 0, hi = 0;
        int overflowed = -1; // number of the first intermediate value that does not fit
        double least = 0;    // as in RangeInterval
        bool is_empty() const { return lo > hi; }
        bool is_point() const { return lo == hi; }
    };
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    const char *at_;
    const RangeInterval *arguments_;
    const Arguments are_;
    std::vector<Value> values_;

    double number() {
        while (*at_ == ' ') {
            at_++;
        }
        const char *end = at_;
        while (*end != 0 && *end != ' ' && *end != '\n') {
            end++;
        }
        double result = 0;
        std::from_chars(at_, end, result); // unlike strtod, independent of the locale
        at_ = end;
        return result;
    }
    int index() {
        int result = 0;
        while (*at_ == ' ') {
            at_++;
        }
        for (; *at_ >= '0' && *at_ <= '9'; at_++) {
            result = 10 * result + (*at_ - '0');
        }
        return result;
    }
    const Value &operand() { return values_[static_cast<size_t>(index())]; }

    static Value made(double lo, double hi) {
        return {std::isnan(lo) ? -infinity : lo, std::isnan(hi) ? infinity : hi, -1};
    }
    static Value anything() { return {-infinity, infinity, -1}; }
    static Value truth(bool may_be_false, bool may_be_true) {
        return {may_be_false ? 0.0 : 1.0, may_be_true ? 1.0 : 0.0, -1};
    }
    static Value empty() { return {1, 0, -1}; }
    static bool is_outside(const Value &value, double least, double most) {
        return (value.lo < least && value.lo != -infinity) || (value.hi > most && value.hi != infinity);
    }

    Value compute(char operation) {
        switch (operation) {
        case 'k': {
            const double value = number();
            return made(value, value);
        }
        case 'r': {
            const RangeInterval &given = arguments_[index()];
            Value value = made(given.lo, given.hi);
            value.least = given.least;
            return value;
        }
        case 'u':
            return anything();
        case '?':
            return select();
        case 'i':
        case 'f':
        case 'c':
        case 'n':
        case 's':
        case 'a':
        case '~':
            return unary(operation, operand());
        case 'o':
        case 't':
        case 'S': {
            const double bits = number();
            return typed(operation, static_cast<int>(bits), operand());
        }
        default: {
            const Value &a = operand(), &b = operand();
            const bool is_empty = operation != 'v' && (a.is_empty() || b.is_empty());
            Value result = is_empty ? empty() : binary(operation, a, b);
            result.overflowed = a.overflowed >= 0 ? a.overflowed : operation == '^' ? -1 : b.overflowed;
            return result;
        }
        }
    }

    Value select() {
        const Value &condition = operand(), &a = operand(), &b = operand();
        Value result = condition.is_point() ? (condition.lo != 0 ? a : b) : Value();
        if (!condition.is_point()) {
            result = a.is_empty() ? b : b.is_empty() ? a : made(std::min(a.lo, b.lo), std::max(a.hi, b.hi));
            result.overflowed = a.overflowed >= 0 ? a.overflowed : b.overflowed;
        }
        result.overflowed = condition.overflowed >= 0 ? condition.overflowed : result.overflowed;
        return result;
    }

    static Value unary(char operation, const Value &a) {
        Value result = a;
        switch (operation) {
        case 'i':
            result = made(std::trunc(a.lo), std::trunc(a.hi));
            break;
        case 'f':
            result = made(std::floor(a.lo), std::floor(a.hi));
            break;
        case 'c':
            result = made(std::ceil(a.lo), std::ceil(a.hi));
            break;
        case 'n':
            result = made(std::nearbyint(a.lo), std::nearbyint(a.hi));
            break;
        case 's':
            result = made(std::sqrt(std::max(a.lo, 0.0)), std::sqrt(std::max(a.hi, 0.0)));
            break;
        case 'a':
            if (!a.is_empty()) {
                const double most = std::max(std::fabs(a.lo), std::fabs(a.hi));
                result = made(a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, most);
            }
            break;
        default:
            result = made(1 - a.hi, 1 - a.lo);
        }
        result.overflowed = a.overflowed;
        return result;
    }

    static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

    static Value product(const Value &a, const Value &b) {
        const double ends[] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)};
        return made(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4));
    }

    /// Integer quotient, rounded so that the remainder is not negative; x / 0 is 0.
    static double quotient(double a, double b) { return b == 0 ? 0 : b > 0 ? std::floor(a / b) : -std::floor(a / -b); }
    static Value divide(const Value &a, const Value &b) {
        if (b.lo <= 0 && b.hi >= 0 && !b.is_point()) { // divisors of both signs, and 0
            const double most = std::max(std::fabs(a.lo), std::fabs(a.hi));
            return made(-most, most);
        }
        const double ends[] = {quotient(a.lo, b.lo), quotient(a.lo, b.hi), quotient(a.hi, b.lo), quotient(a.hi, b.hi)};
        for (const double end : ends) {
            if (std::isnan(end)) {
                return anything();
            }
        }
        return made(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4));
    }
    static Value remainder(const Value &a, const Value &b) {
        if (a.is_point() && b.is_point() && std::isfinite(a.lo)) {
            const double rest = b.lo == 0 ? 0 : a.lo - quotient(a.lo, b.lo) * b.lo;
            return made(rest, rest);
        }
        const double most = std::max(std::fabs(b.lo), std::fabs(b.hi));
        return made(0, std::max(most - 1, 0.0));
    }

    /// The quotient of floats. Values divided by 0 are infinite, and known to be so; 0 / 0 counts as 0, which a
    /// conversion makes of a NaN.
    Value ratio(const Value &a, const Value &b) const {
        if (b.lo > 0 || b.hi < 0) {
            const double ends[] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};
            for (const double end : ends) {
                if (std::isnan(end)) {
                    return anything();
                }
            }
            return made(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4));
        }
        if (b.is_point() && (a.lo > 0 || a.hi < 0)) {
            const double far = (a.lo > 0) == std::signbit(b.lo) ? -infinity : infinity;
            return made(far, far);
        }
        if (a.is_point() && b.is_point() && a.lo == 0) {
            return made(0, 0);
        }
        const double magnitude = std::max(std::fabs(a.lo), std::fabs(a.hi));
        if (b.least > 0) {
            return made(-magnitude / b.least, magnitude / b.least);
        }
        constexpr double huge = 1e30; // far beyond coordinates, and so are products of several with numbers
        return are_ == Arguments::Ranges && std::isfinite(magnitude) ? made(-huge, huge) : anything();
    }

    /// Results have no more bits than the longer operand.
    static Value bitwise(char operation, const Value &a, const Value &b) {
        if (operation == 'B' && (a.lo >= 0 || b.lo >= 0)) {
            return made(0, std::min(a.lo >= 0 ? a.hi : infinity, b.lo >= 0 ? b.hi : infinity));
        }
        const double most = std::max({a.hi, b.hi, -1 - a.lo, -1 - b.lo, 0.0});
        if (!std::isfinite(most)) {
            return anything();
        }
        const double bound = std::exp2(std::ceil(std::log2(most + 1)));
        return made(a.lo < 0 || b.lo < 0 ? -bound : 0, bound - 1);
    }

    /// Shifts of 32-bit integers: a longer shift leaves 0 or the sign.
    static Value shifted(const Value &a, const Value &b) {
        const double lo = std::exp2(std::clamp(b.lo, -63.0, 31.0)), hi = std::exp2(std::clamp(b.hi, -63.0, 31.0));
        const Value result =
            made(std::floor(std::min(times(a.lo, lo), times(a.lo, hi))), std::max(times(a.hi, lo), times(a.hi, hi)));
        return b.hi <= 31 ? result : made(std::min(result.lo, 0.0), std::max(result.hi, 0.0));
    }

    Value binary(char operation, const Value &a, const Value &b) const {
        switch (operation) {
        case '+':
            return made(a.lo + b.lo, a.hi + b.hi);
        case '-':
            return made(a.lo - b.hi, a.hi - b.lo);
        case '*':
            return product(a, b);
        case '/':
            return divide(a, b);
        case '%':
            return remainder(a, b);
        case 'q':
            return ratio(a, b);
        case 'B':
        case 'b':
            return bitwise(operation, a, b);
        case 'L':
            return shifted(a, b);
        case 'm':
            return made(std::min(a.lo, b.lo), std::min(a.hi, b.hi));
        case 'M':
            return made(std::max(a.lo, b.lo), std::max(a.hi, b.hi));
        case '<':
            return truth(a.hi >= b.lo, a.lo < b.hi);
        case 'l':
            return truth(a.hi > b.lo, a.lo <= b.hi);
        case '=':
            return truth(!(a.is_point() && b.is_point() && a.lo == b.lo), a.lo <= b.hi && b.lo <= a.hi);
        case '&':
            return made(a.lo != 0 && b.lo != 0 ? 1 : 0, a.hi != 0 && b.hi != 0 ? 1 : 0);
        case '|':
            return made(a.lo != 0 || b.lo != 0 ? 1 : 0, a.hi != 0 || b.hi != 0 ? 1 : 0);
        case 'v':
            return a.is_empty() || b.is_empty() ? empty() : made(a.lo, b.hi);
        default: // '^'
            return made(std::max(a.lo, b.lo), std::min(a.hi, b.hi));
        }
    }

    Value typed(char operation, int bits, const Value &a) {
        const int magnitude = operation == 'o' || bits < 0 ? std::abs(bits) - 1 : bits;
        const bool is_signed = operation == 'o' || bits < 0;
        const double most = std::ldexp(1.0, magnitude) - 1, least = is_signed ? -std::ldexp(1.0, magnitude) : 0;
        Value result = a;
        if (a.is_empty()) {
            return a;
        }
        if (operation == 'S' && a.is_point()) {
            result = made(std::clamp(a.lo, least, most), std::clamp(a.lo, least, most));
            result.overflowed = a.overflowed;
        } else if (operation == 'S') {
            result.lo = a.lo == -infinity && magnitude >= 31 ? a.lo : std::clamp(a.lo, least, most);
            result.hi = a.hi == infinity && magnitude >= 31 ? a.hi : std::clamp(a.hi, least, most);
        } else if (operation == 't' && (a.lo < least || a.hi > most)) {
            const bool is_narrow = magnitude < 31; // otherwise the result is unknown
            result.lo = is_narrow ? least : -infinity;
            result.hi = is_narrow ? most : infinity;
        } else if (operation == 'o' && result.overflowed < 0 && is_outside(a, least, most)) {
            result.overflowed = static_cast<int>(values_.size());
        }
        return result;
    }

    std::string text() {
        std::string result;
        if (*at_ == '|') {
            at_++;
        }
        for (; *at_ != 0 && *at_ != '|' && *at_ != '\n'; at_++) {
            result += *at_;
        }
        return result;
    }

    RangeFailure check(char operation) {
        const bool is_region = operation != 'E';
        const Value a = operand(), b = is_region ? operand() : a;
        const double most = largest_coordinate, least = -most - 1;
        RangeFailure failure;
        failure.is_region = is_region;
        const int overflowed = operation == 'C' ? -1 : a.overflowed >= 0 ? a.overflowed : b.overflowed;
        if (a.is_empty() || b.is_empty()) {
            return failure;
        }
        const Value whole{a.lo, b.hi, -1};
        const bool is_long = std::isfinite(whole.lo) && std::isfinite(whole.hi) && whole.hi - whole.lo + 1 > most;
        failure.found = overflowed >= 0 || (is_region && (is_long || is_outside(whole, least, most)));
        if (!failure.found) {
            return failure;
        }
        const bool is_outside_type = is_outside(whole, -2147483648.0, 2147483647.0);
        const bool shows_itself = is_region ? is_long || is_outside(whole, least, most) : is_outside_type;
        failure.is_part = !shows_itself;
        const Value &shown = shows_itself ? whole : values_[static_cast<size_t>(overflowed)];
        failure.range = {shown.lo, shown.hi};
        failure.who = text();
        failure.what = text();
        return failure;
    }
};

} // namespace fluorite_runtime
