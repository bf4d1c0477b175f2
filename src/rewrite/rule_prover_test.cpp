// Proves rows of the rule book with Z3.
//
// A row claims that pattern = result wherever its condition holds. Z3 gets the negation once for each type:
//   - int and uint of 8, 16, 32 and 64 bits are bit-vectors with machine wrap-around (test_z3_arithmetic.h).
//     Multiplication and division of unknowns are hard for bit-blasting beyond 8 or 16 bits: a width that times out
//     is left out, and the widths that were proved are recorded. Such rows are uniform in the width, and 8 bits
//     (signed and unsigned) are always required.
//   - index rows are over the unbounded integers, which covers every width in the absence of overflow. Where products
//     of unknowns keep Z3 from an answer, the row is proved for every divisor and factor of 6 bits with everything else
//     arbitrary; that is recorded as index:divisors6.
//   - bools are truth values; floats use Z3's theory of IEEE floats, where equality distinguishes -0.0 from 0.0.
//   - conversion rows are proved for every combination of types that satisfies the condition.
// Vectors: for an arbitrary lane, a ramp is base + lane * stride and a broadcast is its operand. Conditions are over
// the integers, never modulo 2^width: bit-vectors are extended until nothing can wrap. lo(x) and hi(x) are arbitrary
// numbers with lo(x) <= x <= hi(x).

#include "rewrite/rule_prover.h"

#ifdef FLUORITE_HAVE_Z3

#include "rewrite/test_z3_arithmetic.h"

#include <functional>
#include <map>
#include <optional>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

// A required type may take long; the others are optional.
constexpr unsigned required_limit_ms = 60000, optional_limit_ms = 2000;

/// One query to Z3: a row in one type.
class SmtQuery : Z3Arithmetic {
  public:
    SmtQuery(const Row &row, Type type, bool over_integers)
        : Z3Arithmetic(over_integers), row_(row), type_(type), solver_(context_) {}
    Type type_variables[type_count];
    Type wild_types[wild_count];

    z3::check_result ask(bool required) {
        limit_time(solver_, required ? required_limit_ms : optional_limit_ms);
        solver_.add(negation());
        return solver_.check();
    }

    /// Asks once for each choice of the row's divisors and factors in -2^(bits-1) .. 2^(bits-1)-1. All else stays
    /// arbitrary, and the queries become linear.
    z3::check_result ask_each_divisor(int bits) {
        const z3::expr whole = negation();
        std::vector<z3::expr> divisors;
        for (const Term &term : row_.terms) {
            const bool divides =
                term.kind == TermKind::Node && (term.node == ExprKind::Div || term.node == ExprKind::Mod);
            const bool has_stride = term.kind == TermKind::Node && term.node == ExprKind::Ramp;
            const bool is_product = term.kind == TermKind::Node && term.node == ExprKind::Mul;
            const bool scales = (has_stride || is_product) && !row_.terms[term.args[0]].is_constant &&
                                row_.terms[term.args[1]].kind == TermKind::Constant;
            if ((divides || scales) && row_.terms[term.args[1]].kind != TermKind::Node) {
                add_leaf(divisors, term.args[1]);
            }
        }
        return each_value(whole, divisors, 0, bits);
    }
    std::string counterexample() {
        std::ostringstream text;
        text << solver_.get_model();
        return text.str();
    }

  private:
    static void limit_time(z3::solver &solver, unsigned milliseconds) {
        z3::params parameters(solver.ctx());
        parameters.set("timeout", milliseconds);
        solver.set(parameters);
    }

    /// The claim that the row is false.
    z3::expr negation() {
        const z3::expr pattern = value(row_.pattern), result = value(row_.result);
        z3::expr whole = pattern != result;
        if (row_.condition >= 0 && !(row_.classes & conversion_class)) {
            whole = truth(row_.condition) && whole;
        }
        for (const z3::expr &premise : premises_) {
            whole = premise && whole;
        }
        return whole;
    }

    void add_leaf(std::vector<z3::expr> &leaves, int position) {
        const TermKind kind = row_.terms[position].kind;
        if (kind != TermKind::Wild && kind != TermKind::Constant) {
            return;
        }
        const z3::expr leaf = value(position);
        for (const z3::expr &other : leaves) {
            if (z3::eq(leaf, other)) {
                return;
            }
        }
        leaves.push_back(leaf);
    }

    z3::check_result each_value(const z3::expr &query, const std::vector<z3::expr> &leaves, size_t next, int bits) {
        if (next == leaves.size()) {
            z3::solver solver(context_);
            limit_time(solver, optional_limit_ms);
            solver.add(query);
            return solver.check();
        }
        const int limit = 1 << (bits - 1);
        for (int number = -limit; number < limit; number++) {
            z3::expr_vector from(context_), to(context_);
            from.push_back(leaves[next]);
            to.push_back(context_.int_val(number));
            z3::expr chosen(query);
            const z3::expr simpler = chosen.substitute(from, to).simplify();
            if (simpler.is_false()) {
                continue;
            }
            if (const z3::check_result answer = each_value(simpler, leaves, next + 1, bits); answer != z3::unsat) {
                return answer;
            }
        }
        return z3::unsat;
    }

    // ---- Sorts: values of the rule's type, truths, and numbers in conditions.

    /// A width sufficient for every number of the row without wrap-around, given operands of `bits` bits.
    unsigned row_bits(int bits) const {
        int most = 1;
        bool has_power = false;
        for (size_t i = 0; i < row_.terms.size(); i++) {
            most = std::max(most, degree(static_cast<int>(i)));
            has_power =
                has_power || (row_.terms[i].kind == TermKind::Function && row_.terms[i].function == RuleFunction::Pow2);
        }
        return static_cast<unsigned>(bits * most + 4 + (has_power ? 64 : 0));
    }
    int degree(int position) const {
        const Term &term = row_.terms[position];
        if (term.kind != TermKind::Node) {
            return 1;
        }
        int sum = 0, most = 1;
        for (int i = 0; i < term.count; i++) {
            sum += degree(term.args[i]);
            most = std::max(most, degree(term.args[i]));
        }
        return term.node == ExprKind::Mul || term.node == ExprKind::Ramp ? sum + (term.node == ExprKind::Ramp) : most;
    }

    z3::expr fresh(const std::string &name, Type type) {
        const auto found = variables_.find(name);
        if (found != variables_.end()) {
            return found->second;
        }
        const z3::expr variable = context_.constant(name.c_str(), sort_of(type));
        variables_.emplace(name, variable);
        return variable;
    }

    // ---- Types of terms.

    Type type_of(int position) const {
        const Term &term = row_.terms[position];
        switch (term.kind) {
        case TermKind::Wild:
            return wild_types[term.index].is_void() ? type_ : wild_types[term.index];
        case TermKind::Flag:
        case TermKind::Truth:
            return Bool();
        case TermKind::Node:
            break;
        default:
            return type_;
        }
        if (is_comparison(term.node) || term.node == ExprKind::And || term.node == ExprKind::Or ||
            term.node == ExprKind::Not) {
            return Bool();
        }
        switch (term.node) {
        case ExprKind::Cast:
        case ExprKind::SaturatingCast:
        case ExprKind::Reinterpret:
            return type_variables[term.index];
        case ExprKind::Select:
            return type_of(term.args[1]);
        case ExprKind::Abs:
        case ExprKind::AbsDiff: {
            const Type type = type_of(term.args[0]);
            return type.is_int() ? type.with_code(TypeCode::UInt) : type;
        }
        default:
            return type_of(term.args[0]);
        }
    }

    // ---- Values.

    z3::expr value(int position) {
        const Term &term = row_.terms[position];
        const Type type = type_of(position);
        switch (term.kind) {
        case TermKind::Wild:
            return fresh(std::string(1, "xyzwuv"[term.index]), type);
        case TermKind::Flag:
            return fresh(std::string(1, "pqr"[term.index]), type);
        case TermKind::Constant:
            return fresh("c" + std::to_string(term.index), type);
        case TermKind::Number:
        case TermKind::Truth:
            return number(term.number, type);
        case TermKind::NegativeZero:
            return z3::expr(context_, Z3_mk_fpa_numeral_double(context_, -0.0, sort_of(type)));
        case TermKind::TypeMin:
        case TermKind::TypeMax:
            return limit(term.kind == TermKind::TypeMax, type);
        case TermKind::Function:
            return from_condition(condition_number(position), type);
        default:
            return node(term, type);
        }
    }

    z3::expr node(const Term &term, Type type) {
        const Type operand = type_of(term.args[term.node == ExprKind::Select ? 1 : 0]);
        std::vector<z3::expr> args;
        for (int i = 0; i < term.count; i++) {
            args.push_back(value(term.args[i]));
        }
        switch (term.node) {
        case ExprKind::Not:
            return !args[0];
        case ExprKind::And:
            return args[0] && args[1];
        case ExprKind::Or:
            return args[0] || args[1];
        case ExprKind::Select:
            return z3::ite(args[0], args[1], args[2]);
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
        case ExprKind::Broadcast:
            return args[0];
        case ExprKind::EQ:
            return operand.is_float() ? fp(Z3_mk_fpa_eq, args) : args[0] == args[1];
        case ExprKind::NE:
            return operand.is_float() ? !fp(Z3_mk_fpa_eq, args) : args[0] != args[1];
        case ExprKind::Cast:
            return cast(args[0], operand, type);
        case ExprKind::Reinterpret:
            check(type == operand || (operand.is_int_or_uint() && type.bits() == operand.bits()),
                  "the prover reinterprets integers only");
            return args[0];
        case ExprKind::SaturatingCast:
            return saturating_cast(args[0], operand, type);
        default:
            break;
        }
        return operation(term.node, args, operand);
    }

    // ---- Conditions, over the integers.

    unsigned condition_bits() const { return row_bits(type_.bits()); }

    z3::expr condition_value(int64_t number) {
        return integers_ ? context_.int_val(number) : context_.bv_val(number, condition_bits());
    }

    /// A value of the rule's type as a number in conditions.
    z3::expr to_condition(const z3::expr &value) {
        return integers_ || type_.is_float() ? value : extend(value, type_, condition_bits());
    }
    z3::expr from_condition(const z3::expr &number, Type type) {
        return integers_ ? number : number.extract(static_cast<unsigned>(type.bits()) - 1, 0);
    }

    z3::expr truth(int position) {
        const Term &term = row_.terms[position];
        if (term.kind == TermKind::Truth) {
            return context_.bool_val(term.number != 0);
        }
        if (term.kind == TermKind::Function) {
            check(term.function == RuleFunction::IsPow2, "a condition is a truth");
            const z3::expr number = condition_number(term.args[0]);
            z3::expr any = context_.bool_val(false);
            for (int bit = 0; bit < 63; bit++) {
                if (integers_ || static_cast<unsigned>(bit) + 1 < number.get_sort().bv_size()) {
                    any = any || number == condition_value(int64_t{1} << bit);
                }
            }
            return any;
        }
        switch (term.node) {
        case ExprKind::And:
            return truth(term.args[0]) && truth(term.args[1]);
        case ExprKind::Or:
            return truth(term.args[0]) || truth(term.args[1]);
        case ExprKind::Not:
            return !truth(term.args[0]);
        default:
            break;
        }
        const z3::expr a = condition_number(term.args[0]), b = condition_number(term.args[1]);
        switch (term.node) {
        case ExprKind::EQ:
            return a == b;
        case ExprKind::NE:
            return a != b;
        case ExprKind::LT:
            return a < b;
        case ExprKind::LE:
            return a <= b;
        case ExprKind::GT:
            return a > b;
        case ExprKind::GE:
            return a >= b;
        default:
            unreachable("a condition is a truth");
        }
    }

    z3::expr condition_number(int position) {
        const Term &term = row_.terms[position];
        switch (term.kind) {
        case TermKind::Number:
            return condition_value(term.number);
        case TermKind::Constant:
        case TermKind::TypeMin:
        case TermKind::TypeMax:
            return to_condition(value(position));
        case TermKind::Function:
            return condition_function(term);
        case TermKind::Node:
            break;
        default:
            unreachable("not a number of a condition");
        }
        const z3::expr a = condition_number(term.args[0]), b = condition_number(term.args[1]);
        switch (term.node) {
        case ExprKind::Add:
            return a + b;
        case ExprKind::Sub:
            return a - b;
        case ExprKind::Mul:
            return a * b;
        case ExprKind::Div: // a zero divisor rejects the row
            premises_.push_back(b != zero(b));
            return divide(a, b, true);
        case ExprKind::Mod:
            premises_.push_back(b != zero(b));
            return modulo(a, b, true);
        case ExprKind::Min:
            return z3::ite(a < b, a, b);
        case ExprKind::Max:
            return z3::ite(a > b, a, b);
        default:
            unreachable("an operator of conditions that the prover does not know");
        }
    }

    z3::expr condition_function(const Term &term) {
        switch (term.function) {
        case RuleFunction::Bits:
            return condition_value(type_.bits());
        case RuleFunction::Lo:
        case RuleFunction::Hi: {
            const bool lo = term.function == RuleFunction::Lo;
            const z3::expr inside = to_condition(value(term.args[0]));
            const std::string name = (lo ? "lo_" : "hi_") + print_term(row_.terms, term.args[0]);
            const z3::expr end = context_.constant(name.c_str(), inside.get_sort());
            premises_.push_back(lo ? end <= inside : end >= inside);
            return end;
        }
        case RuleFunction::Pow2: {
            const z3::expr exponent = condition_number(term.args[0]);
            z3::expr power = condition_value(0), known = context_.bool_val(false);
            for (int bit = 0; bit < 63; bit++) {
                if (!integers_ && static_cast<unsigned>(bit) >= exponent.get_sort().bv_size()) {
                    break;
                }
                const z3::expr here = exponent == condition_value(bit);
                power = z3::ite(here, condition_value(int64_t{1} << bit), power);
                known = known || here;
            }
            premises_.push_back(known);
            return power;
        }
        case RuleFunction::Gcd: {
            const z3::expr a = condition_number(term.args[0]), b = condition_number(term.args[1]);
            const z3::expr divisor = context_.constant("gcd", a.get_sort());
            premises_.push_back(divisor > zero(a) && modulo(a, divisor, true) == zero(a) &&
                                modulo(b, divisor, true) == zero(a));
            return divisor;
        }
        default:
            unreachable("a function of types in a condition on values");
        }
    }

    const Row &row_;
    Type type_;
    z3::solver solver_;
    std::map<std::string, z3::expr> variables_;
};

// ---- All types of a row.

/// Adds one answer to a verdict; false where the row is refuted. With `required`, a timeout is a failure too.
bool record(Verdict &verdict, SmtQuery &query, const std::string &name, bool required) {
    const z3::check_result answer = query.ask(required);
    if (answer == z3::unsat) {
        verdict.types += (verdict.types.empty() ? "" : " ") + name;
        return true;
    }
    if (answer == z3::sat) {
        verdict.problem = name + " is refuted by " + query.counterexample();
        return false;
    }
    if (required) {
        verdict.problem = name + " ran out of time";
    }
    return !required;
}

bool prove_machine(const Row &row, Verdict &verdict, TypeCode code) {
    for (int bits : {8, 16, 32, 64}) {
        const Type type(code, bits);
        SmtQuery query(row, type, false);
        const size_t before = verdict.types.size();
        if (!record(verdict, query, to_string(type), bits == 8)) {
            return false;
        }
        if (verdict.types.size() == before) {
            break; // timed out: wider types are harder
        }
    }
    return true;
}

bool prove_index(const Row &row, Verdict &verdict) {
    if (row.classes & machine_class) {
        return prove_machine(row, verdict, TypeCode::Int);
    }
    SmtQuery query(row, Int(32), true);
    if (!record(verdict, query, "index", false)) {
        return false;
    }
    if (!verdict.types.empty()) {
        return true;
    }
    SmtQuery divided(row, Int(32), true);
    const z3::check_result answer = divided.ask_each_divisor(6);
    if (answer == z3::unsat) {
        verdict.types = "index:divisors6";
    } else {
        verdict.problem = answer == z3::sat ? "index is refuted for some divisor" : "index ran out of time";
    }
    return answer == z3::unsat;
}

// ---- Conversions: every combination of types.

bool holds(const Row &row, int position, const SmtQuery &query);

Type named_type(const Row &row, int position, const SmtQuery &query) {
    const Term &term = row.terms[position];
    return term.index < type_count ? query.type_variables[term.index] : query.wild_types[term.index - type_count];
}

int64_t type_number(const Row &row, int position, const SmtQuery &query) {
    const Term &term = row.terms[position];
    if (term.kind == TermKind::Number) {
        return term.number;
    }
    check(term.kind == TermKind::Function && term.function == RuleFunction::BitsOf,
          "conditions on types compare widths");
    return named_type(row, term.args[0], query).bits();
}

bool holds(const Row &row, int position, const SmtQuery &query) {
    const Term &term = row.terms[position];
    if (term.kind == TermKind::Function) {
        const Type type = named_type(row, term.args[0], query);
        switch (term.function) {
        case RuleFunction::IsSigned:
            return type.is_int();
        case RuleFunction::IsInt:
            return type.is_int_or_uint() && !type.is_bool();
        case RuleFunction::IsFloat:
            return type.is_float();
        case RuleFunction::Represents:
            return type.can_represent(named_type(row, term.args[1], query));
        case RuleFunction::Same:
            return type == named_type(row, term.args[1], query);
        default:
            unreachable("not a truth about types");
        }
    }
    switch (term.node) {
    case ExprKind::And:
        return holds(row, term.args[0], query) && holds(row, term.args[1], query);
    case ExprKind::Or:
        return holds(row, term.args[0], query) || holds(row, term.args[1], query);
    case ExprKind::Not:
        return !holds(row, term.args[0], query);
    case ExprKind::EQ: // of two truths, or of two widths
        if (row.terms[term.args[0]].kind == TermKind::Function &&
            row.terms[term.args[0]].function != RuleFunction::BitsOf) {
            return holds(row, term.args[0], query) == holds(row, term.args[1], query);
        }
        return type_number(row, term.args[0], query) == type_number(row, term.args[1], query);
    case ExprKind::LT:
        return type_number(row, term.args[0], query) < type_number(row, term.args[1], query);
    case ExprKind::LE:
        return type_number(row, term.args[0], query) <= type_number(row, term.args[1], query);
    case ExprKind::GT:
        return type_number(row, term.args[0], query) > type_number(row, term.args[1], query);
    case ExprKind::GE:
        return type_number(row, term.args[0], query) >= type_number(row, term.args[1], query);
    default:
        unreachable("not a truth about types");
    }
}

bool prove_conversion(const Row &row, Verdict &verdict) {
    static const Type types[] = {Bool(),   Int(8),   Int(16),   Int(32),    Int(64),   UInt(8),  UInt(16),
                                 UInt(32), UInt(64), Float(16), BFloat(16), Float(32), Float(64)};
    const bool two_casts = row.pattern_text.find("t1") != std::string::npos;
    int count = 0;
    for (Type outer : types) {
        for (Type inner : types) {
            for (Type operand : types) {
                if (!two_casts && inner != outer) {
                    continue;
                }
                SmtQuery query(row, operand, false);
                query.type_variables[0] = outer;
                query.type_variables[1] = inner;
                query.wild_types[0] = operand;
                const std::string name = concat(outer, "<", inner, "<", operand);
                if (!holds(row, row.condition, query)) {
                    continue;
                }
                Verdict one;
                if (!record(one, query, name, true)) {
                    verdict.problem = one.problem;
                    return false;
                }
                count++;
            }
        }
    }
    verdict.types = "conversions:" + std::to_string(count);
    return count > 0;
}

} // namespace

bool has_prover() { return true; }

Verdict prove_row(const Row &row) {
    Verdict verdict;
    bool good = true;
    if (row.classes & conversion_class) {
        good = prove_conversion(row, verdict);
    } else if (row.classes & index_class) {
        good = prove_index(row, verdict);
    } else {
        good = !(row.classes & signed_class) || prove_machine(row, verdict, TypeCode::Int);
        good = good && (!(row.classes & unsigned_class) || prove_machine(row, verdict, TypeCode::UInt));
        if (good && (row.classes & bool_class)) {
            SmtQuery query(row, Bool(), false);
            good = record(verdict, query, "bool", true);
        }
        if (good && (row.classes & float_class)) {
            for (Type type : {Float(16), BFloat(16), Float(32), Float(64)}) {
                SmtQuery query(row, type, false);
                good = good && record(verdict, query, to_string(type), true);
            }
        }
    }
    verdict.proved = good && !verdict.types.empty();
    return verdict;
}

} // namespace fluorite::rewrite

#else

namespace fluorite::rewrite {

bool has_prover() { return false; }
Verdict prove_row(const Row &) { return {}; }

} // namespace fluorite::rewrite

#endif
