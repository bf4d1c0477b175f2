// Random pipelines.
//
// Types, ranks, operators, coordinates and updates are drawn independently, so that all combinations of features occur.
// Half of the Funcs have the shapes of image pipelines (stencils, down- and upsampling, boundary conditions), which
// exercise sliding windows and tiles. Small offsets and rare scaled coordinates keep regions small. Index arithmetic
// never overflows: data-dependent coordinates are clamped, as programs must do.

#include "maker.h"

#include <algorithm>

namespace fluorite::fuzz {

Genome Maker::run() {
    base_rank_ = random_.chance(60) ? 2 : random_.in(1, 3);
    make_inputs();
    if (random_.chance(35)) {
        make_params();
    }
    int funcs = random_.chance(10) ? random_.in(6, 8) : random_.in(1, 5);
    for (int i = 0; i < funcs; i++) {
        genome_.funcs.push_back(make_func(i));
    }
    add_output(funcs - 1);
    if (funcs > 1 && random_.chance(15)) {
        add_output(random_.in(0, funcs - 2));
    }
    make_schedule(genome_, random_);
    return genome_;
}

Type Maker::any_type() {
    static const Type frequent[] = {UInt(8), UInt(16), Int(32), Float(32)};
    return random_.chance(25)
               ? pick(frequent)
               : all_types()[static_cast<size_t>(random_.in(0, static_cast<int>(all_types().size()) - 1))];
}

void Maker::make_inputs() {
    int inputs = random_.in(1, 2);
    for (int i = 0; i < inputs; i++) {
        InputGene input;
        input.name = "in" + std::to_string(i);
        input.type = any_type();
        input.rank = any_rank();
        input.layout = random_.chance(50) ? Layout::Dense : static_cast<Layout>(random_.in(0, 4));
        input.values = random_.chance(60) ? InputGene::Values::Bits : static_cast<InputGene::Values>(random_.in(0, 2));
        if (random_.chance(12)) {
            for (int d = 0; d < input.rank; d++) {
                input.box.push_back(random_.in(-4, 4));
                input.box.push_back(random_.in(1, 12));
            }
            if (is_sparse(input.layout) || input.layout == Layout::Larger) {
                input.layout = Layout::Dense;
            }
        }
        genome_.inputs.push_back(input);
    }
}

void Maker::make_params() {
    int params = random_.in(1, 2);
    for (int i = 0; i < params; i++) {
        ParamGene param;
        param.name = "p" + std::to_string(i);
        param.type = i == 0 ? Int(32) : any_type();
        param.value = random_.in(0, 6);
        if (param.type.is_bool()) {
            param.value &= 1;
        }
        genome_.params.push_back(param);
    }
}

void Maker::add_output(int func) {
    static const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 19, 23, 24, 31, 32, 33, 37, 40, 47, 64, 67, 100};
    OutputGene output;
    output.func = func;
    output.layout = random_.chance(75) ? Layout::Dense : static_cast<Layout>(random_.in(0, 4));
    if (output.layout == Layout::Larger) {
        output.layout = Layout::Padded;
    }
    int rank = genome_.funcs[static_cast<size_t>(func)].rank;
    for (int d = 0; d < rank; d++) {
        output.min.push_back(random_.chance(30) ? random_.in(-9, 9) : 0);
        output.extent.push_back(sizes[random_.in(0, rank == 1 ? 22 : rank == 2 ? 15 : 8)]);
    }
    genome_.outputs.push_back(output);
}

FuncGene Maker::make_func(int index) {
    if (random_.chance(10)) {
        if (FuncGene func; boundary(index, func)) {
            return func;
        }
    }
    FuncGene func;
    func.name = "f" + std::to_string(index);
    func.rank = random_.chance(6) && index > 0 ? 0 : any_rank();
    int values = random_.chance(15) ? random_.in(2, 3) : 1;
    for (int v = 0; v < values; v++) {
        func.types.push_back(any_type());
    }
    Scope scope{index, func.rank, 0};
    bool shaped = func.rank > 0 && random_.chance(55);
    for (Type type : func.types) {
        func.values.push_back(shaped ? shaped_term(type, scope) : make_term(type, scope, random_.in(1, 4)));
    }
    int updates = random_.chance(35) ? random_.in(1, 2) : 0;
    for (int u = 0; u < updates; u++) {
        func.updates.push_back(make_update(func, index));
    }
    return func;
}

bool Maker::boundary(int index, FuncGene &func) {
    func.name = "f" + std::to_string(index);
    func.kind = static_cast<FuncGene::Kind>(random_.in(1, 5));
    func.of_input = index == 0 || random_.chance(50);
    func.source = func.of_input ? random_.in(0, static_cast<int>(genome_.inputs.size()) - 1) : random_.in(0, index - 1);
    func.exterior = random_.in(0, 9);
    if (func.of_input) {
        const InputGene &input = genome_.inputs[static_cast<size_t>(func.source)];
        func.rank = input.rank;
        func.types = {input.type};
        if (!input.box.empty()) {
            return true;
        }
    } else {
        const FuncGene &source = genome_.funcs[static_cast<size_t>(func.source)];
        func.rank = source.rank;
        func.types = source.types;
    }
    for (int d = 0; d < func.rank; d++) {
        func.box.push_back(random_.in(-4, 4));
        func.box.push_back(random_.in(1, 14));
    }
    return func.rank > 0;
}

Update Maker::make_update(const FuncGene &func, int index) {
    Update update;
    int kind = random_.in(0, 99);
    update.kind = func.rank == 0 ? Update::Kind::Accumulate
                  : kind < 30    ? Update::Kind::Accumulate
                  : kind < 43    ? Update::Kind::Scan
                  : kind < 50    ? Update::Kind::ScanBack
                  : kind < 56    ? Update::Kind::ScanBoth
                  : kind < 66    ? Update::Kind::Block
                  : kind < 86    ? Update::Kind::Scatter
                  : kind < 93    ? Update::Kind::Slice
                                 : Update::Kind::Plain;
    if (update.kind == Update::Kind::ScanBoth && func.rank < 2) {
        update.kind = Update::Kind::Scan;
    }
    int rvars = random_.chance(30) ? 2 : 1;
    rvars = update.kind == Update::Kind::Plain      ? 0
            : update.kind == Update::Kind::Slice    ? random_.in(0, 1)
            : update.kind == Update::Kind::Block    ? func.rank
            : update.kind == Update::Kind::ScanBoth ? 2
                                                    : rvars;
    bool scans = update.kind == Update::Kind::Scan || update.kind == Update::Kind::ScanBoth;
    for (int r = 0; r < rvars; r++) {
        Axis axis;
        axis.min = scans ? random_.in(1, 2) : random_.in(-1, 1);
        axis.extent = random_.chance(12) ? random_.in(8, 17) : random_.in(1, 7);
        axis.param = random_.chance(10) ? index_param() : -1;
        update.domain.push_back(axis);
    }
    update.dimension = func.rank > 0 ? random_.in(0, func.rank - 1) : 0;
    if (update.kind == Update::Kind::ScanBoth) {
        update.dimension = random_.in(0, func.rank - 2);
    }
    update.offset = random_.in(0, 8);
    Scope scope{index, func.rank + rvars, 0};
    if (update.kind == Update::Kind::Scatter) {
        update.target = data_coordinate(scope_without(scope, update.dimension));
        if (update.target.kind != Coordinate::Kind::Data) {
            update.kind = Update::Kind::Accumulate;
        }
    }
    // A dimension that is not a pure Var must not be read as one.
    switch (update.kind) {
    case Update::Kind::Scan:
    case Update::Kind::ScanBack:
    case Update::Kind::Scatter:
    case Update::Kind::Slice:
        scope = scope_without(scope, update.dimension);
        break;
    case Update::Kind::ScanBoth:
        scope = scope_without(scope_without(scope, update.dimension), update.dimension + 1);
        break;
    case Update::Kind::Block:
        for (int d = 0; d < func.rank; d++) {
            scope = scope_without(scope, d);
        }
        break;
    default:
        break;
    }
    for (Type type : func.types) {
        Term value = make_term(type, scope, random_.in(1, 3));
        if (update.kind != Update::Kind::Plain || random_.chance(50)) {
            Term self;
            self.op = Term::Op::Self;
            self.type = type;
            self.element = static_cast<int>(update.values.size());
            if (update.kind == Update::Kind::ScanBoth) {
                Term second = self;
                second.number = 1;
                value = combine(type, second, value);
            }
            value = combine(type, self, value);
        }
        update.values.push_back(value);
    }
    leave_alone(update, scope);
    if (rvars > 0 && random_.chance(20)) {
        update.predicate.push_back(predicate(scope, func.rank, rvars));
    }
    return update;
}

void Maker::leave_alone(Update &update, const Scope &scope) {
    if (!random_.chance(12)) {
        return;
    }
    const bool is_tuple = update.values.size() > 1;
    const int kept = is_tuple ? random_.in(0, static_cast<int>(update.values.size()) - 1) : 0;
    for (size_t v = 0; v < update.values.size(); v++) {
        Term &value = update.values[v];
        Term undef;
        undef.op = Term::Op::Undef;
        undef.type = value.type;
        if (is_tuple && static_cast<int>(v) == kept && random_.chance(60)) {
            value = undef;
        } else if (random_.chance(50)) {
            Term select;
            select.op = Term::Op::SelectIf;
            select.type = value.type;
            select.args = random_.chance(50) ? std::vector<Term>{make_term(Bool(), scope, 2), undef, value}
                                             : std::vector<Term>{make_term(Bool(), scope, 2), value, undef};
            value = select;
        }
    }
}

Genome make_genome(uint64_t seed, uint64_t number) {
    Random mix(seed * 0x2545f4914f6cdd1dull + number);
    return Maker(mix.next()).run();
}

} // namespace fluorite::fuzz
