// Random terms and coordinates.

#include "maker.h"

#include <algorithm>

namespace fluorite::fuzz {

Scope Maker::scope_without(Scope scope, int variable) {
    scope.hidden |= 1u << variable;
    return scope;
}

Term Maker::variable(int index) {
    Term term;
    term.op = Term::Op::Variable;
    term.number = index;
    return term;
}

Term Maker::constant(Type type, int64_t number) {
    Term term;
    term.type = type;
    term.number = number;
    return term;
}

Term Maker::binary(Term::Op op, Type type, const Term &a, const Term &b) {
    Term term;
    term.op = op;
    term.type = type;
    term.args = {a, b};
    return term;
}

Term Maker::predicate(const Scope &scope, int rank, int rvars) {
    Term first = variable(rank);
    int kind = random_.in(0, 4);
    if (kind == 0 && rvars > 1) {
        return binary(Term::Op::Compare, Bool(), first, variable(rank + 1));
    }
    if (kind == 1) {
        return binary(Term::Op::NotEqual, Bool(), first, constant(Int(32), random_.in(0, 3)));
    }
    if (kind == 2) {
        return make_term(Bool(), scope, 2);
    }
    Term sum = first;
    int pure = pick_variable({0, rank, scope.hidden});
    if (kind == 3 && pure >= 0) {
        sum = binary(Term::Op::Sub, Int(32), sum, variable(pure));
    }
    for (int r = 1; r < rvars; r++) {
        sum = binary(Term::Op::Add, Int(32), sum, variable(rank + r));
    }
    return binary(Term::Op::Compare, Bool(), sum, constant(Int(32), random_.in(-2, 12)));
}

Term Maker::combine(Type type, const Term &a, const Term &b) {
    static const Term::Op ints[] = {Term::Op::Add, Term::Op::Min, Term::Op::Max, Term::Op::Xor,
                                    Term::Op::Sub, Term::Op::Mul, Term::Op::Add};
    static const Term::Op floats[] = {Term::Op::Add, Term::Op::Min, Term::Op::Max, Term::Op::Sub};
    static const Term::Op bools[] = {Term::Op::And, Term::Op::Or};
    Term::Op op = type.is_bool() ? pick(bools) : type.is_float() ? pick(floats) : pick(ints);
    return random_.chance(80) ? binary(op, type, a, b) : binary(op, type, b, a);
}

int Maker::pick_variable(const Scope &scope) {
    for (int tries = 0; tries < 8 && scope.variables > 0; tries++) {
        int variable = random_.in(0, scope.variables - 1);
        if (scope.usable(variable)) {
            return variable;
        }
    }
    return -1;
}

Coordinate Maker::data_coordinate(const Scope &scope) {
    Coordinate coordinate;
    if (depth_ > 1) {
        return coordinate;
    }
    depth_++;
    Type type = random_.chance(50) ? UInt(8) : random_.chance(50) ? Int(16) : Int(32);
    coordinate.kind = Coordinate::Kind::Data;
    coordinate.data = {make_term(type, scope, 1)};
    coordinate.low = random_.in(-3, 3);
    coordinate.high = coordinate.low + random_.in(0, 12);
    depth_--;
    return coordinate;
}

Coordinate Maker::make_coordinate(const Scope &scope, int dimension) {
    Coordinate coordinate;
    int variable =
        random_.chance(75) && dimension < scope.variables && scope.usable(dimension) ? dimension : pick_variable(scope);
    if (variable < 0 || random_.chance(4)) {
        coordinate.kind = Coordinate::Kind::Constant;
        coordinate.offset = random_.in(-3, 5);
        return coordinate;
    }
    coordinate.variable = variable;
    coordinate.offset = random_.chance(50) ? 0 : random_.in(-3, 3);
    int kind = random_.in(0, 99);
    if (kind < 6) {
        coordinate.kind = Coordinate::Kind::Halved;
        coordinate.high = random_.in(2, 3);
    } else if (kind < 10) {
        coordinate.kind = Coordinate::Kind::Scaled;
        coordinate.high = random_.chance(80) ? 2 : 3;
    } else if (kind < 13) {
        coordinate.kind = Coordinate::Kind::Wrapped;
        coordinate.high = random_.in(2, 7);
    } else if (kind < 16) {
        coordinate.kind = Coordinate::Kind::Reversed;
    } else if (kind < 19) {
        coordinate.kind = Coordinate::Kind::Clamped;
        coordinate.low = random_.in(-3, 3);
        coordinate.high = coordinate.low + random_.in(0, 12);
    } else if (kind < 22) {
        int other = pick_variable(scope);
        coordinate.kind = other >= 0 && other != variable ? Coordinate::Kind::Pair : Coordinate::Kind::Affine;
        coordinate.other = std::max(other, 0);
    } else if (kind < 25) {
        coordinate.kind = index_param() >= 0 ? Coordinate::Kind::Shifted : Coordinate::Kind::Affine;
    } else if (kind < 30) {
        Coordinate data = data_coordinate(scope);
        if (data.kind == Coordinate::Kind::Data) {
            return data;
        }
    }
    return coordinate;
}

int Maker::free_input() {
    std::vector<int> free;
    for (size_t i = 0; i < genome_.inputs.size(); i++) {
        if (genome_.inputs[i].box.empty()) {
            free.push_back(static_cast<int>(i));
        }
    }
    return free.empty() ? -1 : free[static_cast<size_t>(random_.in(0, static_cast<int>(free.size()) - 1))];
}

bool Maker::pick_source(const Scope &scope, Term &term, int &rank) {
    int input = free_input();
    if (scope.index > 0 && (input < 0 || random_.chance(scope.index > 1 ? 80 : 65))) {
        term.op = Term::Op::Call;
        term.source = random_.chance(60) ? scope.index - 1 : random_.in(0, scope.index - 1);
        const FuncGene &func = genome_.funcs[static_cast<size_t>(term.source)];
        term.element = random_.in(0, static_cast<int>(func.types.size()) - 1);
        term.type = func.types[static_cast<size_t>(term.element)];
        rank = func.rank;
        return true;
    }
    if (input < 0) {
        return false;
    }
    term.op = Term::Op::Input;
    term.source = input;
    term.type = genome_.inputs[static_cast<size_t>(input)].type;
    rank = genome_.inputs[static_cast<size_t>(input)].rank;
    return true;
}

Term Maker::make_read(const Scope &scope) {
    Term term;
    int rank = 0;
    if (!pick_source(scope, term, rank)) {
        return constant(Int(32), random_.in(0, 9));
    }
    for (int d = 0; d < rank; d++) {
        term.coordinates.push_back(make_coordinate(scope, d));
    }
    return term;
}

Term Maker::converted(const Term &term, Type type) {
    if (term.type == type) {
        return term;
    }
    Term cast;
    bool saturate = random_.chance(15) && !type.is_bool() && !term.type.is_bool() && type.is_int_or_uint();
    cast.op = saturate ? Term::Op::Saturate : Term::Op::Cast;
    cast.type = type;
    cast.args = {term};
    return cast;
}

Term Maker::shaped_term(Type type, const Scope &scope) {
    Term base;
    int rank = 0;
    if (!pick_source(scope, base, rank)) {
        return make_term(type, scope, 2);
    }
    enum Shape { Stencil, Down, Up, Box, Pointwise };
    Shape shape = static_cast<Shape>(random_.in(0, 9) < 5 ? 0 : random_.in(1, 4));
    int along = rank > 0 ? random_.in(0, rank - 1) : 0, across = random_.chance(40) ? random_.in(0, 3) : -1;
    auto tap = [&](int offset, int offset_across) {
        Term read = base;
        for (int d = 0; d < rank; d++) {
            Coordinate c;
            c.variable = std::min(d, scope.variables - 1);
            c.offset = d == along ? offset : d == across ? offset_across : 0;
            if (d == along && shape == Down) {
                c.kind = Coordinate::Kind::Scaled;
            } else if (d == along && shape == Up) {
                c.kind = Coordinate::Kind::Halved;
            }
            read.coordinates.push_back(c);
        }
        return converted(read, type);
    };
    if (shape == Box && !type.is_bool()) {
        Term sum = constant(type, 0);
        sum.op = random_.chance(70) ? Term::Op::Sum : random_.chance(50) ? Term::Op::Maximum : Term::Op::Minimum;
        sum.number = random_.in(2, 5);
        Term read = tap(random_.in(-2, 0), 0);
        Term &call = read.op == Term::Op::Call || read.op == Term::Op::Input ? read : read.args[0];
        if (rank > 0) {
            call.coordinates[static_cast<size_t>(along)].kind = Coordinate::Kind::Pair;
            call.coordinates[static_cast<size_t>(along)].other = scope.variables;
        }
        sum.args = {read};
        return sum;
    }
    Term result = tap(random_.in(-2, 2), 0);
    int taps = shape == Pointwise ? 0 : random_.in(1, 3);
    for (int i = 0; i < taps; i++) {
        result = combine(type, result, tap(random_.in(-2, 2), random_.in(-1, 1)));
    }
    return random_.chance(30) ? combine(type, result, make_term(type, scope, 1)) : result;
}

Term Maker::leaf(Type type, const Scope &scope) {
    int kind = random_.in(0, 19);
    if (kind < 14) {
        return converted(make_read(scope), type);
    }
    if (kind < 16 && !genome_.params.empty()) {
        Term term;
        term.op = Term::Op::Param;
        term.number = random_.in(0, static_cast<int>(genome_.params.size()) - 1);
        term.type = genome_.params[static_cast<size_t>(term.number)].type;
        return converted(term, type);
    }
    int index = pick_variable(scope);
    if (kind < 17 && index >= 0) {
        return converted(variable(index), type);
    }
    return constant(type, type.is_bool()       ? random_.in(0, 1)
                          : random_.chance(70) ? random_.in(0, 9)
                                               : random_.in(-128, 255));
}

Term Maker::reduction(Type type, const Scope &scope, int depth) {
    static const Term::Op ops[] = {Term::Op::Sum,     Term::Op::Sum,    Term::Op::Product, Term::Op::Minimum,
                                   Term::Op::Maximum, Term::Op::ArgMin, Term::Op::ArgMax};
    Term term;
    term.op = pick(ops);
    term.number = random_.in(1, 4);
    term.second = random_.chance(20) ? random_.in(1, 3) : 0;
    int added = term.second > 0 ? 2 : 1;
    bool coordinate = term.op == Term::Op::ArgMin || term.op == Term::Op::ArgMax;
    Type operand = coordinate ? any_type() : type;
    while (operand.is_bool()) {
        operand = any_type();
    }
    term.type = coordinate ? Int(32) : type;
    term.element = coordinate ? random_.in(0, added - 1) : 0;
    depth_++;
    Term value = make_term(operand, {scope.index, scope.variables + added, scope.hidden}, depth - 1);
    depth_--;
    Term r = variable(scope.variables);
    term.args = {random_.chance(50) ? binary(Term::Op::Add, operand, value, converted(r, operand)) : value};
    if (term.args[0].op == Term::Op::Constant) {
        term.args[0] = converted(r, operand);
    }
    // The operand must use the RDom in any case.
    term.args[0] = binary(Term::Op::Add, operand, term.args[0], converted(r, operand));
    return converted(term, type);
}

bool Maker::reads(const Term &term) {
    return term.op == Term::Op::Call || term.op == Term::Op::Input || term.op == Term::Op::Variable ||
           std::any_of(term.args.begin(), term.args.end(), reads);
}

Term Maker::make_term(Type type, const Scope &scope, int depth) {
    if (depth <= 0) {
        return leaf(type, scope);
    }
    auto child = [&](Type of) { return make_term(of, scope, depth - 1); };
    Term term;
    term.type = type;
    if (random_.chance(10)) {
        Type other = any_type();
        int kind = random_.in(0, 3);
        if (kind == 0) {
            term.op = Term::Op::SelectIf;
            term.args = {child(Bool()), child(type), child(type)};
            return term;
        }
        term.op = kind == 1 ? Term::Op::SelectLikely : Term::Op::Select;
        term.args = {child(other), child(other), child(type), child(type)};
        return term;
    }
    if (random_.chance(10)) {
        return converted(child(any_type()), type);
    }
    if (random_.chance(5) && !type.is_bool() && depth_ == 0) {
        return reduction(type, scope, depth);
    }
    if (type.is_bool()) {
        static const Term::Op comparisons[] = {Term::Op::Compare, Term::Op::Equal, Term::Op::NotEqual,
                                               Term::Op::AtMost};
        static const Term::Op logic[] = {Term::Op::And, Term::Op::Or, Term::Op::Xor};
        Type other = any_type();
        bool compare = random_.chance(60);
        Type operand = compare ? other : type;
        Term::Op op = compare ? pick(comparisons) : pick(logic);
        return binary(op, type, child(operand), child(operand));
    }
    static const Term::Op floats[] = {
        Term::Op::Add,   Term::Op::Sub, Term::Op::Mul,  Term::Op::Div,   Term::Op::Mod,     Term::Op::Min,
        Term::Op::Max,   Term::Op::Abs, Term::Op::Sqrt, Term::Op::Floor, Term::Op::Ceil,    Term::Op::Round,
        Term::Op::Trunc, Term::Op::Add, Term::Op::Mul,  Term::Op::Clamp, Term::Op::AbsDiff, Term::Op::Negate,
        Term::Op::Fract, Term::Op::Sin, Term::Op::Exp,  Term::Op::Sub};
    static const Term::Op ints[] = {Term::Op::Add,
                                    Term::Op::Sub,
                                    Term::Op::Mul,
                                    Term::Op::Div,
                                    Term::Op::Mod,
                                    Term::Op::DivToZero,
                                    Term::Op::ModToZero,
                                    Term::Op::Min,
                                    Term::Op::Max,
                                    Term::Op::And,
                                    Term::Op::Or,
                                    Term::Op::Xor,
                                    Term::Op::Not,
                                    Term::Op::ShiftLeft,
                                    Term::Op::ShiftRight,
                                    Term::Op::Abs,
                                    Term::Op::AbsDiff,
                                    Term::Op::Negate,
                                    Term::Op::Add,
                                    Term::Op::Add,
                                    Term::Op::Clamp,
                                    Term::Op::CountOnes,
                                    Term::Op::LeadingZeros,
                                    Term::Op::TrailingZeros,
                                    Term::Op::HalvingAdd,
                                    Term::Op::RoundingHalvingAdd,
                                    Term::Op::SaturatingAdd,
                                    Term::Op::SaturatingSub,
                                    Term::Op::RoundingShift,
                                    Term::Op::Lerp,
                                    Term::Op::Mul,
                                    Term::Op::Sub};
    term.op = type.is_float() ? pick(floats) : pick(ints);
    if (term.op == Term::Op::Lerp && type.bits() > 32) {
        term.op = Term::Op::Add;
    }
    if (term.op == Term::Op::Lerp) {
        // The weight is unsigned.
        term.args = {child(type), child(type), child(UInt(8 << random_.in(0, 1)))};
        return term;
    }
    const std::string text = op_text(term.op);
    int operands = text.find("%2") != std::string::npos ? 3 : text.find("%1") != std::string::npos ? 2 : 1;
    for (int i = 0; i < operands; i++) {
        term.args.push_back(child(type));
    }
    bool divides = term.op == Term::Op::Div || term.op == Term::Op::Mod || term.op == Term::Op::DivToZero ||
                   term.op == Term::Op::ModToZero;
    if (divides && (random_.chance(50) || !reads(term.args[1]))) {
        term.args[1] = constant(type, random_.chance(80) || type.is_uint() ? random_.in(1, 17) : random_.in(-17, -1));
    }
    if (term.op == Term::Op::RoundingShift) {
        term.args[1] = constant(type, random_.in(0, type.bits() - 1));
    }
    return term;
}

} // namespace fluorite::fuzz
