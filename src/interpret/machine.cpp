// Demand-driven evaluation of a pipeline.
//
// Semantics of a Func: its pure definition gives every point an initial value. Each update then runs once for each
// value of its pure Vars, with all its RVars in order (the first innermost), and leaves new values. Let V(k, p) be the
// value of the Func at point p after stage k; the Func's value is that of its last stage.
//
// Method. V(0, p) is the pure definition at p. An update reads and writes its own Func only where the coordinates of
// its pure Vars are unchanged. So it decomposes into independent slices, one for each value of the pure Vars:
//   - A stage whose every coordinate is a pure Var (a sum over an RDom) has slices of one point. V(k, p) is computed in
//     its own row, which is initialized with V(k-1, p) when it is first read.
//   - Any other stage (a histogram, a scan) has a table of the points that its slices have accessed. The first request
//     of a point runs its slice. A point that no iteration touches has the value V(k-1, p).
// Evaluation is lazy: no domain is estimated and none grows; values that a scatter stores outside the requested points
// stay in the table. A PointTable keeps the values of the last stage, and of stages below one with a table; other
// values are used just once.
//
// Relies on: the order of the graph (a stage never runs within itself, so each has one set of registers). Values nest
// as deep as the chain of Funcs. At fixed depths evaluation continues in a new thread with an empty stack, and the
// caller waits for it. Cost: some 50 ns per point and 2 ns per instruction.

#include "interpret/machine.h"

#include "fluorite/runtime/math.h"
#include "interpret/extern_call.h"
#include "interpret/extern_stage.h"
#include "ir/extern_stage.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <thread>

namespace fluorite::interpret {

namespace {
constexpr size_t levels_on_one_stack = 1000;

bool is_defined(const Root &root, const std::vector<Cell> &registers) {
    return root.always_defined || registers[root.defined] != 0;
}
} // namespace

struct Machine::Stage {
    const ir::Stage *def = nullptr;
    size_t index = 0;
    Program program;
    Instructions bounds, predicate, body;
    std::vector<Register> pure_vars; // of the dimensions in pure_dims
    std::vector<Register> rvars;
    std::vector<Register> mins, extents;
    std::optional<Root> condition; // of the predicate
    std::vector<Root> coordinates, values;

    std::vector<size_t> pure_dims; // dimensions whose coordinate is their own pure Var
    bool slices_are_points = false;
    bool may_be_undefined = false;         // whether a coordinate or value may be undefined
    std::optional<PointTable> table;       // rows of values
    std::optional<PointTable> slices_done; // keyed by the coordinates of pure_dims
    bool running = false;

    // The current slice.
    std::vector<int32_t> slice_point; // coordinates of pure dims are those of the slice
    std::vector<Cell> row;            // slices_are_points: the value
    bool row_known = false;
    std::vector<int32_t> store_point;
};

struct Machine::Func {
    const ir::FuncDef *def = nullptr;
    size_t index = 0;
    size_t elements = 0;
    size_t width = 0; // cells per row
    bool compiled = false;
    const Destination *destination = nullptr;
    std::vector<Stage> stages;
};

Machine::Machine(Bindings &bindings) : bindings_(bindings) {
    for (const ir::FuncDef &def : bindings.graph().funcs) {
        funcs_.push_back(std::make_unique<Func>());
        funcs_.back()->def = &def;
        funcs_.back()->index = funcs_.size() - 1;
        funcs_.back()->elements = def.types.size();
        funcs_.back()->width = row_width_of(def.types.size());
    }
}

Machine::~Machine() = default;

// ---- Compiling.

Machine::Func &Machine::func_of(size_t func) {
    Func &state = *funcs_[func];
    if (!state.compiled) {
        compile(state);
    }
    return state;
}

void Machine::compile(Func &func) {
    const size_t count = func.def->stages.size();
    check(count > 0 && func.elements > 0, "a Func has a definition and a value");
    func.stages = std::vector<Stage>(count);
    if (ir::is_extern(*func.def)) {
        func.stages[0].def = func.def->stages.data();
        func.stages[0].table.emplace(func.def->dimensions(), func.width);
        func.compiled = true;
        return;
    }
    for (size_t k = 0; k < count; k++) {
        compile_stage(func, k);
    }
    for (size_t k = 0; k < count; k++) {
        Stage &stage = func.stages[k];
        if (k + 1 == count || !func.stages[k + 1].slices_are_points || !stage.slices_are_points) {
            stage.table.emplace(func.def->dimensions(), func.width);
        }
        if (!stage.slices_are_points) {
            stage.slices_done.emplace(stage.pure_dims.size(), 1);
        }
    }
    func.compiled = true;
}

void Machine::compile_stage(Func &func, size_t index) {
    const ir::FuncDef &def = *func.def;
    Stage &stage = func.stages[index];
    stage.def = &def.stages[index];
    stage.index = index;
    stage.row.resize(func.width);
    stage.slice_point.resize(def.dimensions());
    stage.store_point.resize(def.dimensions());
    check(stage.def->values.size() == func.elements, "a stage has a value for each element of its Func");
    check(stage.def->args.size() == def.dimensions(), "a stage has a coordinate for each dimension of its Func");

    ProgramBuilder builder(bindings_, stage.program, func.index);
    for (size_t d = 0; d < def.dimensions(); d++) {
        const Expr &arg = stage.def->args[d];
        if (ir::is_kind(arg, ir::ExprKind::Variable) && arg->symbol() == def.args[d]) {
            stage.pure_dims.push_back(d);
            stage.pure_vars.push_back(builder.declare(def.args[d]));
        }
    }
    stage.slices_are_points = stage.pure_dims.size() == def.dimensions();
    check(index > 0 || stage.slices_are_points, "the arguments of a pure definition are its pure Vars");

    std::vector<Expr> bounds;
    for (const ir::ReductionVar &rvar : stage.def->rvars) {
        bounds.push_back(rvar.min);
        bounds.push_back(rvar.extent);
    }
    const std::vector<Register> limits = builder.compile(bounds, stage.bounds);
    for (size_t i = 0; i < stage.def->rvars.size(); i++) {
        stage.rvars.push_back(builder.declare(stage.def->rvars[i].var));
        stage.mins.push_back(limits[2 * i]);
        stage.extents.push_back(limits[2 * i + 1]);
    }
    if (stage.def->predicate.defined()) {
        stage.condition = builder.compile_values({stage.def->predicate}, stage.predicate)[0];
    }
    std::vector<Expr> all = stage.def->args;
    all.insert(all.end(), stage.def->values.begin(), stage.def->values.end());
    const std::vector<Root> roots = builder.compile_values(all, stage.body);
    const auto split = roots.begin() + static_cast<ptrdiff_t>(def.dimensions());
    stage.coordinates.assign(roots.begin(), split);
    stage.values.assign(split, roots.end());
    for (const Root &root : roots) {
        stage.may_be_undefined = stage.may_be_undefined || !root.always_defined;
    }
}

// ---- Values.

size_t Machine::row_width(size_t func) const { return funcs_[func]->width; }

void Machine::reserve(size_t func, const Region &region) {
    Func &state = func_of(func);
    state.stages.back().table->reserve(region.min.data(), region.extent.data());
    if (ir::is_extern(*state.def)) {
        run_extern(state, region);
    }
}

void Machine::set_destination(size_t func, const Destination *destination) { func_of(func).destination = destination; }

void Machine::value(size_t func, const int32_t *point, Cell *row) {
    Func &state = func_of(func);
    stage_value(state, state.stages.size() - 1, point, row);
}

/// Computes V(k, p).
void Machine::stage_value(Func &func, size_t k, const int32_t *point, Cell *row) {
    Stage &stage = func.stages[k];
    if (stage.table) {
        if (const Cell *found = stage.table->find(point)) {
            std::copy_n(found, func.width, row);
            return;
        }
    }
    compute_below(func, k, point, row);
}

/// Computes V(k, p) where no table holds it yet; switches to a new stack at fixed depths.
void Machine::compute_below(Func &func, size_t k, const int32_t *point, Cell *row) {
    depth_++;
    if (depth_ % levels_on_one_stack == 0) {
        std::exception_ptr error;
        std::thread([&] {
            try {
                compute(func, k, point, row);
            } catch (...) {
                error = std::current_exception();
            }
        }).join();
        if (error) {
            std::rethrow_exception(error);
        }
    } else {
        compute(func, k, point, row);
    }
    depth_--;
}

void Machine::compute(Func &func, size_t k, const int32_t *point, Cell *row) {
    Stage &stage = func.stages[k];
    if (ir::is_extern(*func.def)) {
        const std::vector<int32_t> one(func.def->dimensions(), 1);
        run_extern(func, {{point, point + one.size()}, one});
        std::copy_n(stage.table->find(point), func.width, row);
        return;
    }
    if (k == 0) {
        run_pure(func, point, row);
    } else if (stage.slices_are_points) {
        run_at_point(func, k, point, row);
    } else {
        std::vector<int32_t> slice;
        for (size_t d : stage.pure_dims) {
            slice.push_back(point[d]);
        }
        if (!stage.slices_done->find(slice.data())) {
            stage.slices_done->insert(slice.data());
            run_slice(func, k, point);
            if (const Cell *found = stage.table->find(point)) {
                std::copy_n(found, func.width, row);
                return;
            }
        }
        stage_value(func, k - 1, point, row);
    }
    if (stage.table) {
        std::copy_n(row, func.width, stage.table->insert(point));
    }
}

/// The value of elements without a definition: the destination's element if it contains the point, otherwise 0.
void Machine::initial_row(const Func &func, const int32_t *point, Cell *row) const {
    std::fill_n(row, func.width, 0);
    if (func.destination == nullptr) {
        return;
    }
    for (size_t i = 0; i < func.elements; i++) {
        const fluorite_buffer_t &buffer = *(*func.destination)[i];
        bool inside = true;
        for (int32_t d = 0; d < buffer.dimensions; d++) {
            const int64_t at = int64_t{point[d]} - buffer.dim[d].min;
            inside = inside && at >= 0 && at < buffer.dim[d].extent;
        }
        if (inside) {
            row[i] = find_loader(func.def->types[i])(buffer.address_of(point));
        }
    }
}

void Machine::run_pure(Func &func, const int32_t *point, Cell *row) {
    Stage &stage = func.stages[0];
    check(!stage.running, "a pure definition does not need itself");
    stage.running = true;
    std::vector<Cell> &registers = stage.program.registers;
    for (size_t i = 0; i < stage.pure_vars.size(); i++) {
        registers[stage.pure_vars[i]] = static_cast<Cell>(int64_t{point[i]});
    }
    run(stage.body, &func, &stage, stage.program);
    if (stage.may_be_undefined) {
        initial_row(func, point, row);
    }
    std::fill(row + func.elements, row + func.width, 0);
    store_values(func, stage, row);
    stage.running = false;
}

/// Has the C function compute a box of an extern stage.
void Machine::run_extern(Func &func, const Region &box) {
    const auto values = [&](const std::vector<Expr> &exprs) {
        Program program;
        ProgramBuilder builder(bindings_, program);
        Instructions code;
        const std::vector<Register> at = builder.compile(exprs, code);
        run(code, nullptr, nullptr, program);
        std::vector<Cell> cells;
        for (const Register each : at) {
            cells.push_back(program.registers[each]);
        }
        return cells;
    };
    const auto read = [&](size_t callee, size_t element, const int32_t *point) {
        std::vector<Cell> row(row_width(callee));
        value(callee, point, row.data());
        return row[element];
    };
    const auto store = [&](const int32_t *point, const std::vector<Cell> &cells) {
        Cell *row = func.stages[0].table->find(point);
        row = row ? row : func.stages[0].table->insert(point);
        for (size_t i = 0; i < func.elements; i++) {
            row[i] = cells[i];
            row[func.elements + i / 64] |= Cell{1} << i % 64;
        }
    };
    run_extern_stage(bindings_, *func.def, box, {values, read, store});
}

void Machine::run_at_point(Func &func, size_t k, const int32_t *point, Cell *row) {
    Stage &stage = func.stages[k];
    stage.row_known = false;
    run_iterations(func, stage, point);
    if (stage.row_known) {
        std::copy_n(stage.row.data(), func.width, row);
    } else {
        stage_value(func, k - 1, point, row);
    }
}

void Machine::run_slice(Func &func, size_t k, const int32_t *point) { run_iterations(func, func.stages[k], point); }

/// Runs all iterations of the slice that contains the point.
void Machine::run_iterations(Func &func, Stage &stage, const int32_t *point) {
    check(!stage.running, "an update needs its own Func only where its pure Vars are unchanged");
    stage.running = true;
    std::copy_n(point, func.def->dimensions(), stage.slice_point.data());
    std::vector<Cell> &registers = stage.program.registers;
    for (size_t i = 0; i < stage.pure_dims.size(); i++) {
        registers[stage.pure_vars[i]] = static_cast<Cell>(int64_t{point[stage.pure_dims[i]]});
    }
    run(stage.bounds, &func, &stage, stage.program);
    bool empty = false;
    for (size_t r = 0; r < stage.rvars.size(); r++) {
        registers[stage.rvars[r]] = registers[stage.mins[r]];
        empty = empty || static_cast<int64_t>(registers[stage.extents[r]]) <= 0;
    }
    while (!empty) {
        update(func, stage);
        size_t r = 0;
        for (; r < stage.rvars.size(); r++) {
            Cell &at = registers[stage.rvars[r]];
            at++;
            if (at != registers[stage.mins[r]] + registers[stage.extents[r]]) {
                break;
            }
            at = registers[stage.mins[r]];
        }
        empty = r == stage.rvars.size();
    }
    stage.running = false;
}

/// Runs one iteration, which computes all values before it stores any.
void Machine::update(Func &func, Stage &stage) {
    const std::vector<Cell> &registers = stage.program.registers;
    if (stage.condition) {
        run(stage.predicate, &func, &stage, stage.program);
        if (!is_defined(*stage.condition, registers) || registers[stage.condition->value] == 0) {
            return;
        }
    }
    run(stage.body, &func, &stage, stage.program);
    for (size_t d = 0; d < stage.coordinates.size(); d++) {
        const Root &at = stage.coordinates[d];
        if (!is_defined(at, registers)) {
            return;
        }
        stage.store_point[d] = static_cast<int32_t>(registers[at.value]);
    }
    size_t defined = 0;
    for (const Root &value : stage.values) {
        defined += is_defined(value, registers) ? 1 : 0;
    }
    if (defined != 0) {
        store_values(func, stage, row_to_update(func, stage, stage.store_point.data(), defined != func.elements));
    }
}

/// Stores the defined values that the stage's body has computed.
void Machine::store_values(const Func &func, const Stage &stage, Cell *row) {
    const std::vector<Cell> &registers = stage.program.registers;
    for (size_t i = 0; i < func.elements; i++) {
        const Root &value = stage.values[i];
        if (is_defined(value, registers)) {
            row[i] = registers[value.value];
            row[func.elements + i / 64] |= Cell{1} << i % 64;
        }
    }
}

/// The row of a point in the current slice, created if absent. Its cells hold the old values if these are needed.
Cell *Machine::row_to_update(Func &func, Stage &stage, const int32_t *point, bool needs_old) {
    if (stage.slices_are_points) {
        if (!stage.row_known && needs_old) {
            stage_value(func, stage.index - 1, point, stage.row.data());
        } else if (!stage.row_known) {
            std::fill(stage.row.begin(), stage.row.end(), 0);
        }
        stage.row_known = true;
        return stage.row.data();
    }
    if (Cell *found = stage.table->find(point)) {
        return found;
    }
    if (needs_old) {
        stage_value(func, stage.index - 1, point, stage.row.data());
    } else {
        std::fill(stage.row.begin(), stage.row.end(), 0);
    }
    Cell *row = stage.table->insert(point);
    std::copy(stage.row.begin(), stage.row.end(), row);
    return row;
}

/// The Func's values at the point of a self-call, as the current slice has left them.
const Cell *Machine::self_row(Func &func, Stage &stage, Reference &reference) {
    const int32_t *point = reference.point.data();
    check(stage.index > 0, "a pure definition does not call its own Func");
    check(same_pure_point(stage, point), "an update calls its own Func where its pure Vars are unchanged");
    if (stage.slices_are_points) {
        if (!stage.row_known) {
            stage_value(func, stage.index - 1, point, stage.row.data());
            stage.row_known = true;
        }
        return stage.row.data();
    }
    if (const Cell *found = stage.table->find(point)) {
        return found;
    }
    stage_value(func, stage.index - 1, point, reference.row.data());
    Cell *row = stage.table->insert(point);
    std::copy_n(reference.row.data(), func.width, row);
    return row;
}

bool Machine::same_pure_point(const Stage &stage, const int32_t *point) {
    for (size_t d : stage.pure_dims) {
        if (point[d] != stage.slice_point[d]) {
            return false;
        }
    }
    return true;
}

// ---- Running code.

void Machine::run(const Instructions &code, Func *func, Stage *stage, Program &program) {
    Cell *const registers = program.registers.data();
    const size_t size = code.size();
    for (size_t at = 0; at < size; at++) {
        const Instruction &i = code[at];
        switch (i.code) {
        case Code::Unary:
            registers[i.dest] = i.unary(registers[i.a]);
            break;
        case Code::Binary:
            registers[i.dest] = i.binary(registers[i.a], registers[i.b]);
            break;
        case Code::Ternary:
            registers[i.dest] = i.ternary(registers[i.a], registers[i.b], registers[i.c]);
            break;
        case Code::Select:
            registers[i.dest] = registers[i.a] != 0 ? registers[i.b] : registers[i.c];
            break;
        case Code::Copy:
            registers[i.dest] = registers[i.a];
            break;
        case Code::Jump:
            at = i.target - 1;
            break;
        case Code::JumpIfFalse:
            at = registers[i.a] == 0 ? i.target - 1 : at;
            break;
        case Code::JumpIfTrue:
            at = registers[i.a] != 0 ? i.target - 1 : at;
            break;
        case Code::Random: {
            const Reference &reference = program.references[i.reference];
            uint32_t hash = fluorite_random_seed;
            for (Register operand : reference.operands) {
                hash = fluorite_random_combine(hash, static_cast<int32_t>(registers[operand]));
            }
            registers[i.dest] = random_value(hash, reference.type);
            break;
        }
        case Code::Extern: {
            Reference &reference = program.references[i.reference];
            reference.row.resize(reference.operands.size());
            for (size_t k = 0; k < reference.operands.size(); k++) {
                reference.row[k] = registers[reference.operands[k]];
            }
            registers[i.dest] = call_extern(*reference.function, reference.row.data());
            break;
        }
        case Code::Image: {
            const Reference &reference = program.references[i.reference];
            const fluorite_buffer_t &buffer = *reference.input.buffer;
            ptrdiff_t offset = 0;
            for (size_t d = 0; d < reference.operands.size(); d++) {
                const int64_t coordinate = static_cast<int64_t>(registers[reference.operands[d]]) - buffer.dim[d].min;
                if (coordinate < 0 || coordinate >= buffer.dim[d].extent) {
                    fail_outside(func, stage, reference, d);
                }
                reference.input.accessed->note(d, coordinate + buffer.dim[d].min);
                offset += coordinate * buffer.dim[d].stride;
            }
            registers[i.dest] = reference.input.load(buffer.host + offset * buffer.type.bytes());
            break;
        }
        case Code::CallFunc: {
            Reference &reference = program.references[i.reference];
            for (size_t d = 0; d < reference.operands.size(); d++) {
                reference.point[d] = static_cast<int32_t>(registers[reference.operands[d]]);
            }
            Func &callee = func_of(reference.func);
            const Cell *row = callee.stages.back().table->find(reference.point.data());
            if (row == nullptr) {
                compute_below(callee, callee.stages.size() - 1, reference.point.data(), reference.row.data());
                row = reference.row.data();
            }
            registers[i.dest] = row[reference.element];
            break;
        }
        case Code::CallSelf: {
            Reference &reference = program.references[i.reference];
            for (size_t d = 0; d < reference.operands.size(); d++) {
                reference.point[d] = static_cast<int32_t>(registers[reference.operands[d]]);
            }
            registers[i.dest] = self_row(*func, *stage, reference)[reference.element];
            break;
        }
        case Code::Fail:
            fail_requirement(func, stage, program, program.references[i.reference]);
        case Code::Print:
            fluorite_print(nullptr, text_of(program, program.references[i.reference]).c_str());
            break;
        }
    }
}

// ---- Errors and entry checks.

namespace {

std::string where(const std::string &func, size_t stage) { return concat("in ", func, ", stage ", stage, ": "); }

std::string range_text(int64_t min, int64_t extent) {
    return extent <= 0 ? "nothing" : concat("[", min, ", ", min + extent - 1, "]");
}

} // namespace

void Machine::fail_outside(const Func *func, const Stage *stage, const Reference &reference, size_t dim) const {
    const std::string &input = reference.input.def->symbol.name();
    const fluorite_dimension_t &held = reference.input.buffer->dim[dim];
    // The coordinate's register belongs to the running program: that of the stage, or of an entry check.
    const std::string place =
        func != nullptr ? where(func->def->name(), stage->index) : "in the pipeline's requirements: ";
    const std::string at =
        stage != nullptr ? text_of(stage->program.registers[reference.operands[dim]], Int(32)) : "a coordinate";
    throw RuntimeError("input-too-small",
                       concat(place, "it reads ", input, " at ", at, " along dimension ", dim, ", but ", input,
                              " holds ", range_text(held.min, held.extent),
                              " there; an input must hold every coordinate that is read; pass a larger ", input,
                              ", realize a smaller output, or give ", input, " a boundary condition"),
                       stage != nullptr ? stage->def->location : Location());
}

void Machine::fail_requirement(const Func *func, const Stage *stage, const Program &program,
                               const Reference &reference) const {
    const std::string seen = text_of(program, reference);
    const std::string place = func != nullptr ? where(func->def->name(), stage->index) : "in the pipeline: ";
    throw RuntimeError("requirement-failed",
                       concat(place, seen.empty() ? "the condition is false" : seen, "; require(", reference.text,
                              ") must hold for every point that is computed; pass inputs and parameters that meet it"),
                       stage != nullptr ? stage->def->location : Location());
}

void Machine::check_limits(const ir::ParamDef &def) {
    const auto check_limit = [&](const Expr &limit, bool is_min) {
        if (!limit.defined()) {
            return;
        }
        Program program;
        ProgramBuilder builder(bindings_, program);
        Instructions code;
        const Expr value = ir::make_var(def.type, def.symbol);
        const Expr bound = ir::make_cast(def.type, limit);
        const std::vector<Register> at =
            builder.compile({value, bound, is_min ? ir::less(value, bound) : ir::less(bound, value)}, code);
        run(code, nullptr, nullptr, program);
        if (program.registers[at[2]] == 0) {
            return;
        }
        const std::string given = text_of(program.registers[at[0]], def.type);
        const std::string allowed = text_of(program.registers[at[1]], def.type);
        throw RuntimeError(is_min ? "param-too-small" : "param-too-large",
                           concat("in ", def.symbol.name(), ": the parameter is ", given, "; its range ",
                                  is_min ? "starts" : "ends", " at ", allowed, "; pass a value of ", allowed,
                                  is_min ? " or more" : " or less"),
                           def.parameter->location);
    };
    check_limit(def.min_value, true);
    check_limit(def.max_value, false);
}

void Machine::check_entry() {
    for (const ir::ParamDef &def : bindings_.graph().params) {
        if (def.parameter && def.parameter->has_value) {
            check_limits(def);
        }
    }
    Program program;
    ProgramBuilder builder(bindings_, program);
    Instructions code;
    builder.compile(bindings_.graph().requirements, code);
    run(code, nullptr, nullptr, program);
}

} // namespace fluorite::interpret
