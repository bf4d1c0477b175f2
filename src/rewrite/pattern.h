#pragma once
// The notation of rules: terms, and the parser that reads them.
//
// Leaves of a term:
//   x y z w u v     any expression; all have one element type, the rule's type
//   p q r           any Bool expression
//   c0 c1 c2 c3     an integer constant of the rule's type
//   0 1 -1 ...      that number, in the rule's type;  -0.0 is the negative zero of floats
//   true false      Bool constants;  tmin tmax  the least and greatest value of the rule's type
// Inner nodes are C's operators and the named functions min max select abs absd quot rem ramp broadcast likely
// likely_if_innermost popcount fma; cast(t0, x), saturating_cast(t0, x), reinterpret(t0, x) take a type variable t0 or
// t1.
//
// Conditions are over the integers, not modulo 2^width (the -1 of a uint8 is 255 there), and made of + - * / % min max,
// comparisons, && || and !. Only they and the constants of results may use:
//   lo(x) hi(x)                constant bounds of a matched expression
//   bits                       the width of the rule's type
//   pow2(c) is_pow2(c) gcd(c, c)
//   bits_of is_signed is_int is_float   properties of a type (t0, t1, or tx, the type of x)
//   represents(t0, t1)         every value of t1 is a value of t0
//   same(t0, t1)

#include "ir/expr_traits.h"

#include <string>
#include <vector>

namespace fluorite::rewrite {

enum class TermKind : uint8_t {
    Wild,
    Flag,
    Constant,
    Number,
    NegativeZero,
    Truth,
    TypeMin,
    TypeMax,
    TypeName,
    Node,
    Function
};

enum class RuleFunction : uint8_t {
    Lo,
    Hi,
    Bits,
    Pow2,
    IsPow2,
    Gcd,
    BitsOf,
    IsSigned,
    IsInt,
    IsFloat,
    Represents,
    Same
};

/// Whether a node of this kind has the type of its result as a parameter.
inline bool is_conversion(ir::ExprKind kind) {
    return kind == ir::ExprKind::Cast || kind == ir::ExprKind::SaturatingCast || kind == ir::ExprKind::Reinterpret;
}

constexpr int wild_count = 6, flag_count = 3, constant_count = 4, type_count = 2;

/// One node of a term; operands are positions in the row's array of terms.
struct Term {
    TermKind kind = TermKind::Number;
    ir::ExprKind node = ir::ExprKind::Add;    // for Node
    RuleFunction function = RuleFunction::Lo; // for Function
    uint8_t index =
        0; // for Wild, Flag and Constant; for TypeName: 0, 1 for t0, t1 and 2 + i for the type of wildcard i; for
           // conversions: the type variable
    uint8_t count = 0;
    bool is_constant = false; // no wildcard below: the value is a number
    int16_t args[3] = {-1, -1, -1};
    int64_t number = 0; // for Number and Truth
};

/// Parses `text`, appends its terms and returns the position of the root. Throws InternalError that names the mistake.
int parse_term(const std::string &text, std::vector<Term> &terms);

/// The same for the condition of a row. Throws InternalError if it uses an operator that conditions do not have.
int parse_condition(const std::string &text, std::vector<Term> &terms);

/// The term as text, with parentheses around every operator.
std::string print_term(const std::vector<Term> &terms, int root);

bool is_commutative(ir::ExprKind kind);

} // namespace fluorite::rewrite
