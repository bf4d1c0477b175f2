// Random cases.
//
// Types, ranks, operators, coordinates, updates and directives are drawn independently, so that every feature meets every
// other. Regions are kept small by drawing offsets small and letting scaled coordinates be rare. Index arithmetic never
// overflows: data-dependent coordinates are clamped, as programs must.

#include "genome.h"

#include <algorithm>

namespace fluorite::fuzz {

namespace {

const Type all_types[] = {UInt(8),   UInt(16),  UInt(32),   UInt(64), Int(8),  Int(16),  Int(32), Int(64),  Float(32),
                          Float(64), Float(16), BFloat(16), Bool(),   UInt(8), UInt(16), Int(32), Float(32)};

class Maker {
  public:
    explicit Maker(uint64_t seed) : random_(seed) {}

    Genome run() {
        int inputs = random_.in(1, 2);
        for (int i = 0; i < inputs; i++) {
            genome_.inputs.push_back({"in" + std::to_string(i), any_type(), random_.in(1, 3)});
        }
        int funcs = random_.in(1, 5);
        for (int i = 0; i < funcs; i++) {
            genome_.funcs.push_back(make_func(i));
        }
        const FuncGene &output = genome_.funcs.back();
        static const int sizes[] = {1, 2, 3, 5, 7, 8, 13, 16, 17, 24, 31, 33, 40};
        for (int d = 0; d < output.rank; d++) {
            genome_.min.push_back(random_.chance(30) ? random_.in(-9, 9) : 0);
            int limit = output.rank == 1 ? 12 : output.rank == 2 ? 9 : 6;
            genome_.extent.push_back(sizes[random_.in(0, limit)]);
        }
        make_schedule();
        return genome_;
    }

  private:
    Random random_;
    Genome genome_;
    int depth_ = 0;

    Type any_type() { return all_types[random_.in(0, 16)]; }

    FuncGene make_func(int index) {
        FuncGene func;
        func.name = "f" + std::to_string(index);
        func.rank = random_.in(index == 0 ? 1 : 0, 3);
        int values = random_.chance(15) ? 2 : 1;
        for (int v = 0; v < values; v++) {
            func.types.push_back(any_type());
        }
        for (int v = 0; v < values; v++) {
            func.values.push_back(
                make_term(func.types[static_cast<size_t>(v)], index, func.rank, random_.in(1, 4), -1));
        }
        int updates = random_.chance(35) ? random_.in(1, 2) : 0;
        for (int u = 0; u < updates; u++) {
            func.updates.push_back(make_update(func, index));
        }
        return func;
    }

    Update make_update(const FuncGene &func, int index) {
        Update update;
        int kind = random_.in(0, 9);
        update.kind = func.rank == 0 || kind < 4 ? Update::Kind::Accumulate
                      : kind < 6                 ? Update::Kind::Scan
                      : kind < 9                 ? Update::Kind::Scatter
                                                 : Update::Kind::Plain;
        int rvars = update.kind == Update::Kind::Plain ? 0 : random_.chance(30) ? 2 : 1;
        for (int r = 0; r < rvars; r++) {
            update.domain.emplace_back(update.kind == Update::Kind::Scan && r == 0 ? 1 : random_.in(-1, 1),
                                       random_.in(1, 7));
        }
        update.dimension = func.rank > 0 ? random_.in(0, func.rank - 1) : 0;
        int variables = func.rank + rvars;
        if (update.kind == Update::Kind::Scatter) {
            update.target = data_coordinate(index, variables, update.dimension);
            if (update.target.kind != Coordinate::Kind::Data) {
                update.kind = Update::Kind::Accumulate;
            }
        }
        // A dimension that is not a pure Var must not be read as one.
        int hidden = update.kind == Update::Kind::Scan || update.kind == Update::Kind::Scatter ? update.dimension : -1;
        for (Type type : func.types) {
            Term value = make_term(type, index, variables, random_.in(1, 3), hidden);
            if (update.kind != Update::Kind::Plain || random_.chance(50)) {
                Term self;
                self.op = Term::Op::Self;
                self.type = type;
                self.element = static_cast<int>(update.values.size());
                value = combine(type, self, value);
            }
            update.values.push_back(value);
        }
        update.has_predicate = rvars > 0 && random_.chance(20);
        update.predicate_limit = random_.in(-2, 12);
        return update;
    }

    Term combine(Type type, const Term &a, const Term &b) {
        static const Term::Op ints[] = {Term::Op::Add, Term::Op::Min, Term::Op::Max,
                                        Term::Op::Xor, Term::Op::Sub, Term::Op::Mul};
        static const Term::Op floats[] = {Term::Op::Add, Term::Op::Min, Term::Op::Max, Term::Op::Sub};
        static const Term::Op bools[] = {Term::Op::And, Term::Op::Or};
        Term term;
        term.type = type;
        term.op = type.is_bool()    ? bools[random_.in(0, 1)]
                  : type.is_float() ? floats[random_.in(0, 3)]
                                    : ints[random_.in(0, 5)];
        term.args = {a, b};
        return term;
    }

    int pick_variable(int variables, int hidden) {
        for (int tries = 0; tries < 8; tries++) {
            int variable = random_.in(0, variables - 1);
            if (variable != hidden) {
                return variable;
            }
        }
        return -1;
    }

    Coordinate data_coordinate(int index, int variables, int hidden) {
        Coordinate coordinate;
        if (depth_ > 1) {
            return coordinate;
        }
        depth_++;
        Type type = random_.chance(50) ? UInt(8) : random_.chance(50) ? Int(16) : Int(32);
        coordinate.kind = Coordinate::Kind::Data;
        coordinate.data = {make_term(type, index, variables, 1, hidden)};
        coordinate.low = random_.in(-3, 3);
        coordinate.high = coordinate.low + random_.in(0, 12);
        depth_--;
        return coordinate;
    }

    Coordinate make_coordinate(int index, int variables, int dimension, int hidden) {
        Coordinate coordinate;
        int variable = random_.chance(75) && dimension < variables && dimension != hidden ? dimension
                       : variables > 0 ? pick_variable(variables, hidden)
                                       : -1;
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
        } else if (kind < 11) {
            coordinate.kind = Coordinate::Kind::Doubled;
        } else if (kind < 14) {
            coordinate.kind = Coordinate::Kind::Wrapped;
            coordinate.high = random_.in(2, 7);
        } else if (kind < 19) {
            Coordinate data = data_coordinate(index, variables, hidden);
            if (data.kind == Coordinate::Kind::Data) {
                return data;
            }
        }
        return coordinate;
    }

    // A read of a Func before `index`, or of an input, of any type.
    Term make_read(int index, int variables, int hidden) {
        Term term;
        int rank = 0;
        if (index > 0 && random_.chance(index > 1 ? 75 : 60)) {
            term.op = Term::Op::Call;
            term.source = random_.chance(60) ? index - 1 : random_.in(0, index - 1);
            const FuncGene &func = genome_.funcs[static_cast<size_t>(term.source)];
            term.element = random_.in(0, static_cast<int>(func.types.size()) - 1);
            term.type = func.types[static_cast<size_t>(term.element)];
            rank = func.rank;
        } else {
            term.op = Term::Op::Input;
            term.source = random_.in(0, static_cast<int>(genome_.inputs.size()) - 1);
            const InputGene &input = genome_.inputs[static_cast<size_t>(term.source)];
            term.type = input.type;
            rank = input.rank;
        }
        for (int d = 0; d < rank; d++) {
            term.coordinates.push_back(make_coordinate(index, variables, d, hidden));
        }
        return term;
    }

    Term converted(const Term &term, Type type) {
        if (term.type == type) {
            return term;
        }
        Term cast;
        bool saturate = random_.chance(15) && !type.is_bool() && !term.type.is_bool() && type.is_int_or_uint() &&
                        term.type.is_int_or_uint();
        cast.op = saturate ? Term::Op::Saturate : Term::Op::Cast;
        cast.type = type;
        cast.args = {term};
        return cast;
    }

    Term leaf(Type type, int index, int variables, int hidden) {
        int kind = random_.in(0, 9);
        if (kind < 7) {
            return converted(make_read(index, variables, hidden), type);
        }
        Term term;
        term.type = type;
        int variable = variables > 0 ? pick_variable(variables, hidden) : -1;
        if (kind == 7 && variable >= 0) {
            term.op = Term::Op::Variable;
            term.number = variable;
            return term;
        }
        term.number = random_.chance(70) ? random_.in(0, 9) : random_.in(-128, 255);
        if (type.is_bool()) {
            term.number &= 1;
        }
        return term;
    }

    Term make_term(Type type, int index, int variables, int depth, int hidden) {
        if (depth <= 0) {
            return leaf(type, index, variables, hidden);
        }
        auto child = [&](Type of) { return make_term(of, index, variables, depth - 1, hidden); };
        Term term;
        term.type = type;
        if (random_.chance(8)) {
            Type other = any_type();
            term.op = Term::Op::Select;
            term.args = {child(other), child(other), child(type), child(type)};
            return term;
        }
        if (random_.chance(8)) {
            return converted(child(any_type()), type);
        }
        if (random_.chance(5) && !type.is_bool() && depth_ == 0) {
            depth_++;
            term.op = Term::Op::Sum;
            term.number = random_.in(1, 4);
            term.args = {make_term(type, index, variables + 1, depth - 1, hidden)};
            depth_--;
            return term;
        }
        if (type.is_bool()) {
            if (random_.chance(60)) {
                Type other = any_type();
                term.op = Term::Op::Compare;
                term.args = {child(other), child(other)};
            } else {
                term.op = random_.chance(50) ? Term::Op::And : Term::Op::Or;
                term.args = {child(type), child(type)};
            }
            return term;
        }
        static const Term::Op floats[] = {Term::Op::Add, Term::Op::Sub, Term::Op::Mul,  Term::Op::Div,   Term::Op::Min,
                                          Term::Op::Max, Term::Op::Abs, Term::Op::Sqrt, Term::Op::Floor, Term::Op::Add};
        static const Term::Op ints[] = {Term::Op::Add, Term::Op::Sub,     Term::Op::Mul,       Term::Op::Div,
                                        Term::Op::Mod, Term::Op::Min,     Term::Op::Max,       Term::Op::And,
                                        Term::Op::Or,  Term::Op::Xor,     Term::Op::ShiftLeft, Term::Op::ShiftRight,
                                        Term::Op::Abs, Term::Op::AbsDiff, Term::Op::Negate,    Term::Op::Add,
                                        Term::Op::Add};
        term.op = type.is_float() ? floats[random_.in(0, 9)] : ints[random_.in(0, 16)];
        bool unary = term.op == Term::Op::Abs || term.op == Term::Op::Sqrt || term.op == Term::Op::Floor ||
                     term.op == Term::Op::Negate;
        term.args = {child(type)};
        if (!unary) {
            term.args.push_back(child(type));
        }
        if ((term.op == Term::Op::Div || term.op == Term::Op::Mod) && random_.chance(50)) {
            Term constant;
            constant.type = type;
            constant.number = random_.in(1, 17);
            term.args[1] = constant;
        }
        return term;
    }

    void make_schedule() {
        static const int factors[] = {1, 2, 3, 4, 5, 7, 8, 16};
        static const TailStrategy tails[] = {TailStrategy::Auto,         TailStrategy::Auto,
                                             TailStrategy::RoundUp,      TailStrategy::GuardWithIf,
                                             TailStrategy::ShiftInwards, TailStrategy::Predicate};
        int funcs = static_cast<int>(genome_.funcs.size());
        for (int f = 0; f < funcs; f++) {
            const FuncGene &func = genome_.funcs[static_cast<size_t>(f)];
            int stages = 1 + static_cast<int>(func.updates.size());
            auto add = [&](Directive::Op op) {
                Directive directive;
                directive.op = op;
                directive.func = f;
                directive.stage = random_.in(0, stages - 1);
                directive.loop = random_.in(0, 5);
                directive.other = random_.in(0, 5);
                directive.factor = factors[random_.in(0, 7)];
                directive.tail = tails[random_.in(0, 5)];
                if (f + 1 < funcs) {
                    directive.consumer = random_.in(f + 1, funcs - 1);
                    const FuncGene &consumer = genome_.funcs[static_cast<size_t>(directive.consumer)];
                    directive.consumer_stage = random_.in(0, static_cast<int>(consumer.updates.size()));
                }
                genome_.schedule.push_back(directive);
            };
            int loops = random_.in(0, 4);
            for (int i = 0; i < loops; i++) {
                static const Directive::Op ops[] = {
                    Directive::Op::Split,          Directive::Op::Fuse,        Directive::Op::Reorder,
                    Directive::Op::Vectorize,      Directive::Op::Unroll,      Directive::Op::Parallel,
                    Directive::Op::Vectorize,      Directive::Op::Tile,        Directive::Op::Split,
                    Directive::Op::ReorderStorage, Directive::Op::AlignBounds, Directive::Op::VectorizeWhole,
                    Directive::Op::Partition};
                add(ops[random_.in(0, 12)]);
            }
        }
        // Placements come last, when the consumers' loops are there; consumers are placed before producers.
        for (int f = funcs - 2; f >= 0; f--) {
            Directive directive;
            directive.func = f;
            directive.consumer = random_.chance(70) ? f + 1 : random_.in(f + 1, funcs - 1);
            directive.consumer_stage =
                random_.in(0, static_cast<int>(genome_.funcs[static_cast<size_t>(directive.consumer)].updates.size()));
            directive.loop = random_.in(0, 5);
            int kind = random_.in(0, 9);
            if (kind < 2) {
                continue; // inline
            }
            directive.op = kind < 5 ? Directive::Op::ComputeRoot : Directive::Op::ComputeAt;
            genome_.schedule.push_back(directive);
            if (kind >= 7) {
                directive.op = random_.chance(60) ? Directive::Op::StoreRoot : Directive::Op::StoreAt;
                directive.loop += random_.in(0, 2);
                genome_.schedule.push_back(directive);
            }
        }
    }
};

} // namespace

const char *op_name(Directive::Op op) {
    static const char *names[] = {"compute_root",    "compute_at",   "store_root",       "store_at",
                                  "split",           "fuse",         "reorder",          "vectorize",
                                  "unroll",          "parallel",     "vectorize(whole)", "tile",
                                  "reorder_storage", "align_bounds", "partition"};
    return names[static_cast<int>(op)];
}

Genome make_genome(uint64_t seed, uint64_t number) {
    Random mix(seed * 0x2545f4914f6cdd1dull + number);
    return Maker(mix.next()).run();
}

} // namespace fluorite::fuzz
