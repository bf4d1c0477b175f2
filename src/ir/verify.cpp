// The verifier of statements. verify.h is the specification that this file checks.
//
// One walk from the outside in, with a table of what each symbol in scope denotes: a binding, an argument, a realized
// Func, an allocation. The walk stops at the first violation. Its path is the list of enclosing statements, which is
// formatted only then.

#include "ir/verifier.h"

#include "ir/print.h"
#include "ir/text_names.h"

#include <algorithm>
#include <utility>

namespace fluorite::ir {

const char *to_word(Phase phase) {
    static const char *const words[] = {"loops", "split", "laid", "flat", "plain", "lowered", "outlined"};
    return words[index_of(phase)];
}

Surroundings Surroundings::of(const Graph &graph) {
    Surroundings around;
    for (const InputDef &input : graph.inputs) {
        around.args.push_back({LoweredArg::Kind::InputBuffer, input.symbol, input.type, input.dimensions});
    }
    for (const ParamDef &param : graph.params) {
        around.args.push_back({LoweredArg::Kind::Scalar, param.symbol, param.type, 0});
    }
    for (FuncId id : graph.outputs) {
        const FuncDef &func = graph.func(id);
        around.funcs.push_back({func.symbol, func.types, func.dimensions()});
    }
    return around;
}

Surroundings Surroundings::of(const LoweredFunc &func, const LoweredModule &module) {
    Surroundings around{func.args, {}};
    if (func.kind == LoweredFunc::Kind::Entry) {
        around.args.insert(around.args.end(), module.constants.begin(), module.constants.end());
    }
    if (func.index.defined()) {
        around.args.push_back({LoweredArg::Kind::Scalar, func.index, Int(32), 0});
    }
    for (const auto *indices : {&func.blocks, &func.threads}) {
        for (const Symbol &index : *indices) {
            around.args.push_back({LoweredArg::Kind::Scalar, index, Int(32), 0});
        }
    }
    return around;
}

Meaning::Kind meaning_of(LoweredArg::Kind kind) {
    switch (kind) {
    case LoweredArg::Kind::InputBuffer:
    case LoweredArg::Kind::OutputBuffer:
        return Meaning::Kind::Argument;
    case LoweredArg::Kind::Scalar:
        return Meaning::Kind::Value;
    case LoweredArg::Kind::Allocation:
        return Meaning::Kind::Allocation;
    }
    unreachable("an argument of no kind");
}

Verifier::Verifier(Phase phase, const Surroundings &around) : phase_(phase) {
    for (const LoweredArg &arg : around.args) {
        Meaning meaning{meaning_of(arg.kind), {arg.type}};
        meaning.dimensions = arg.dimensions;
        meaning.depth = -1;
        meaning.is_input = arg.kind == LoweredArg::Kind::InputBuffer;
        bind(arg.symbol, std::move(meaning));
    }
    for (const Surroundings::OpenFunc &func : around.funcs) {
        Meaning meaning{Meaning::Kind::Realized, func.types, static_cast<int>(func.dimensions)};
        meaning.is_nested = true;
        bind(func.func, std::move(meaning));
    }
}

Verifier::Verifier(Phase phase, const LoweredFunc &func) : Verifier(phase, Surroundings::of(func)) { func_ = &func; }

Verifier::Verifier(const LoweredModule &module, const LoweredFunc &func)
    : Verifier(Phase::Outlined, Surroundings::of(func, module)) {
    module_ = &module;
    func_ = &func;
}

// ---- Scopes.

void Verifier::bind(const Symbol &symbol, Meaning meaning) {
    require(symbol.defined(), "a binder has no symbol");
    require(scope_.emplace(symbol, std::move(meaning)).second, "'", symbol.name(),
            "' is bound already where it is bound again");
}

Meaning *Verifier::find(const Symbol &symbol) {
    const auto found = scope_.find(symbol);
    return found == scope_.end() ? nullptr : &found->second;
}

/// Invalidates all checks of expressions made so far.
void Verifier::judge_anew() { scopes_.back() = ++last_scope_; }

// ---- Statements.

namespace {

/// The phases in which a kind of statement occurs.
struct PhasesOfKind {
    const char *name;
    Phase first, last;
};

constexpr PhasesOfKind phases_of_kind[] = {
#define FLUORITE_STMT(kind, name, first, last) {name, Phase::first, Phase::last},
#include "ir/stmt_kinds.def"
#undef FLUORITE_STMT
};

} // namespace

void Verifier::check_phase(const Stmt &stmt) const {
    const auto forbid = [&](bool forbidden, const char *what) {
        require(!forbidden, what, " does not occur in phase ", to_word(phase_));
    };
    const PhasesOfKind &phases = phases_of_kind[index_of(stmt.kind())];
    forbid(phase_ < phases.first || phase_ > phases.last, phases.name);
    if (const For *loop = stmt.as<For>()) {
        switch (loop->for_kind) {
        case ForKind::Serial:
        case ForKind::Parallel:
            return;
        case ForKind::Vectorized:
            return forbid(!before(Phase::Plain), "a vectorized loop");
        case ForKind::Unrolled:
            return forbid(!before(Phase::Plain), "an unrolled loop");
        case ForKind::Forked:
            return forbid(before(Phase::Flat), "a forked loop");
        case ForKind::GPUBlock:
            return;
        case ForKind::GPUThread:
        case ForKind::GPULane:
            return forbid(!before(Phase::Outlined), "a loop over threads of a device");
        }
    }
}

void Verifier::scalar(const Expr &value, Type type, const char *what) {
    expr(value, what);
    require(value.type() == type, "the ", what, " must be a scalar ", type, ", not ", value.type());
}

void Verifier::box(const std::vector<Range> &bounds) {
    for (const Range &range : bounds) {
        scalar(range.min, Int(32), "min");
        scalar(range.extent, Int(32), "extent");
    }
}

void Verifier::mask(const Expr &predicate, int lanes) {
    expr(predicate, "predicate");
    require(predicate.type() == Bool(lanes), "the predicate must be ", Bool(lanes), ", not ", predicate.type());
}

/// Checks that the Func or buffer of a mark is in scope.
void Verifier::check_mark(const Symbol &symbol) {
    if (!before(Phase::Outlined)) {
        return;
    }
    const Meaning *meaning = find(symbol);
    const bool is_known = meaning && meaning->kind != Meaning::Kind::Value && !meaning->is_input;
    require(is_known && (symbol.kind() == SymbolKind::Func) == before(Phase::Split), "'", symbol.name(),
            "' is marked where it is not known");
}

/// Checks that a store inside an Atomic is to the Func that it names.
void Verifier::check_atomic(const Symbol &buffer) const {
    const FuncId func = atomic_.defined() ? atomic_.owner().func : FuncId();
    require(!atomic_.defined() || buffer == atomic_ || (func.valid() && buffer.owner().func == func),
            "what is stored in an "
            "atomic is of the Func that it names");
}

void Verifier::provide(const Provide &provide) {
    Meaning *meaning = find(provide.func);
    const bool is_argument = meaning && meaning->kind == Meaning::Kind::Argument && !before(Phase::Split);
    require(is_argument || (meaning && meaning->kind == Meaning::Kind::Realized), "the Func is not realized here");
    require(!meaning->is_input, "nothing is stored to an input");
    access(*meaning, provide.args.size(), "Func");
    require(provide.values.size() == meaning->types.size(), "the Func has ", meaning->types.size(), " values");
    check_atomic(provide.func);
    for (const Expr &arg : provide.args) {
        scalar(arg, Int(32), "coordinate");
    }
    for (size_t i = 0; i < provide.values.size(); i++) {
        scalar(provide.values[i], meaning->types[i], "value");
    }
    mask(provide.predicate, 1);
}

void Verifier::store(const Store &store) {
    Meaning *meaning = find(store.buffer);
    require(meaning && (meaning->kind == Meaning::Kind::Argument || meaning->kind == Meaning::Kind::Allocation),
            "the buffer is not allocated here");
    meaning->is_mentioned = true;
    require(!meaning->is_input, "nothing is stored to an input");
    check_atomic(store.buffer);
    expr(store.value, "value");
    expr(store.index, "index");
    const int lanes = store.value.type().lanes();
    require(store.value.type().element_of() == meaning->types[0], "the buffer holds ", meaning->types[0]);
    require(store.index.type() == Int(32, lanes) || store.index.type() == Int(64, lanes),
            "the index must be int32 or int64 with ", lanes, " lanes");
    mask(store.predicate, lanes);
}

void Verifier::free(const Free &free) {
    Meaning *meaning = find(free.buffer);
    require(meaning && meaning->kind == Meaning::Kind::Allocation, "the buffer is not allocated here");
    require(meaning->depth == depth_, "a loop or branch stands between the allocation and its end");
    require(!meaning->escapes || meaning->end == &free, "the address of the buffer is known elsewhere");
    meaning->kind = Meaning::Kind::Freed;
    std::erase(slots_, meaning->slot);
    judge_anew();
}

void Verifier::realize(const Realize &realize) {
    require(!realize.types.empty(), "a realize has no types");
    for (Type type : realize.types) {
        require(type.is_scalar(), "the types of a realize are scalars");
    }
    const bool is_split = !before(Phase::Split);
    require(!is_split || (realize.types.size() == 1 && realize.func.kind() == SymbolKind::Buffer),
            "after splitting a realize is of one buffer");
    box(realize.bounds);
    Meaning *outer = find(realize.func);
    if (outer && outer->kind == Meaning::Kind::Realized && !outer->is_nested && before(Phase::Laid)) {
        return realize_inside(*outer, realize);
    }
    inside(realize.func, {Meaning::Kind::Realized, realize.types, static_cast<int>(realize.bounds.size())},
           [&] { stmt(realize.body); });
}

/// Checks a Realize inside another one of the same Func, which provides only the memory.
void Verifier::realize_inside(Meaning &outer, const Realize &realize) {
    require(!outer.is_used, "the values are used where only their memory is taken");
    require(outer.types == realize.types && outer.dimensions == static_cast<int>(realize.bounds.size()),
            "a realize within another of its Func has the same types and dimensions");
    Meaning around = std::exchange(outer, {Meaning::Kind::Realized, realize.types, outer.dimensions});
    outer.is_nested = true;
    scopes_.push_back(++last_scope_);
    stmt(realize.body);
    scopes_.pop_back();
    around.takes_memory = true;
    *find(realize.func) = std::move(around);
}

void Verifier::allocate(const Allocate &allocate) {
    require(allocate.type.is_scalar(), "the type of an allocation is a scalar");
    for (const Expr &extent : allocate.extents) {
        scalar(extent, Int(32), "extent");
    }
    Meaning meaning{Meaning::Kind::Allocation, {allocate.type}};
    meaning.depth = depth_;
    meaning.slot = allocate.slot;
    const auto *block = allocate.body.as<Block>();
    const Stmt &last = block ? block->stmts.back() : allocate.body;
    meaning.end = last.as<Free>() && last.as<Free>()->buffer == allocate.buffer ? last.get() : nullptr;
    if (!before(Phase::Outlined)) {
        memory_of(allocate);
    }
    inside(allocate.buffer, std::move(meaning), [&] {
        stmt(allocate.body);
        require(before(Phase::Outlined) || is_in_kernel() || find(allocate.buffer)->kind == Meaning::Kind::Freed,
                "the allocation has no free");
    });
}

void Verifier::loop(const For &loop) {
    scalar(loop.min, Int(32), "min");
    scalar(loop.extent, Int(32), "extent");
    const bool has_tasks = loop.for_kind == ForKind::Parallel || loop.for_kind == ForKind::Forked;
    require(!atomic_.defined() || !has_tasks, "tasks do not begin in an atomic");
    int64_t extent = 0;
    require(loop.for_kind != ForKind::Forked ||
                (is_zero(loop.min) && is_const_int(loop.extent, &extent) && extent == 2),
            "a forked loop has two sides");
    require(!has_tasks || before(Phase::Outlined) || loop.body.as<Launch>(), "the body of a loop of tasks is a launch");
    if (loop.for_kind == ForKind::GPUBlock) {
        grid(loop);
    }
    depth_++;
    loops_++;
    inside(loop.var, {Meaning::Kind::Value, {Int(32)}}, [&] { stmt(loop.body); });
    loops_--;
    depth_--;
}

void Verifier::branch(const IfThenElse &branch) {
    scalar(branch.condition, Bool(), "condition");
    depth_++;
    stmt(branch.then_case);
    if (branch.else_case.defined()) {
        path_.back().part = "else";
        stmt(branch.else_case);
    }
    depth_--;
}

void Verifier::atomic(const Atomic &atomic) {
    if (before(Phase::Plain) || find(atomic.func)) {
        check_mark(atomic.func);
    }
    require(!atomic_.defined(), "an atomic stands in an atomic");
    atomic_ = atomic.func;
    stmt(atomic.body);
    atomic_ = Symbol();
}

namespace {

/// The text of one element of the path.
std::string step_of(const Stmt &stmt) {
    const auto named = [](const char *word, const Symbol &symbol) {
        return word + (symbol.defined() ? quoted_name(symbol.name()) : "?");
    };
    switch (stmt.kind()) {
    case StmtKind::LetStmt:
        return named("let ", stmt.as<LetStmt>()->symbol);
    case StmtKind::Assert:
        return "assert";
    case StmtKind::ProducerConsumer:
        return named(stmt.as<ProducerConsumer>()->is_producer ? "produce " : "consume ",
                     stmt.as<ProducerConsumer>()->func);
    case StmtKind::For:
        return named("for ", stmt.as<For>()->var);
    case StmtKind::Provide:
        return named("provide ", stmt.as<Provide>()->func);
    case StmtKind::Realize:
        return named("realize ", stmt.as<Realize>()->func);
    case StmtKind::Allocate:
        return named("allocate ", stmt.as<Allocate>()->buffer);
    case StmtKind::Free:
        return named("free ", stmt.as<Free>()->buffer);
    case StmtKind::Store:
        return named("store ", stmt.as<Store>()->buffer);
    case StmtKind::Block:
        return "";
    case StmtKind::IfThenElse:
        return "if";
    case StmtKind::Evaluate:
        return "evaluate";
    case StmtKind::Prefetch:
        return named("prefetch ", stmt.as<Prefetch>()->func);
    case StmtKind::Atomic:
        return named("atomic ", stmt.as<Atomic>()->func);
    case StmtKind::Launch:
        return "launch " + quoted_name(stmt.as<Launch>()->task);
    case StmtKind::Barrier:
        return "barrier";
    }
    unreachable("a statement of no kind");
}

} // namespace

std::string Verifier::path() const {
    std::string text;
    for (const Step &step : path_) {
        text += (text.empty() ? "in " : " > ") + (step.part ? std::string(step.part) : step_of(Stmt(step.stmt)));
    }
    return text.empty() ? "" : text + ": ";
}

void Verifier::children(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::LetStmt: {
        const LetStmt &let = *stmt.as<LetStmt>();
        expr(let.value, "value");
        check_let(let.symbol, let.value);
        inside(let.symbol, {Meaning::Kind::Value, {let.value.type()}}, [&] { this->stmt(let.body); });
        break;
    }
    case StmtKind::Assert:
        scalar(stmt.as<Assert>()->condition, Bool(), "condition");
        scalar(stmt.as<Assert>()->error, Int(32), "error");
        break;
    case StmtKind::ProducerConsumer:
        check_mark(stmt.as<ProducerConsumer>()->func);
        this->stmt(stmt.as<ProducerConsumer>()->body);
        break;
    case StmtKind::For:
        loop(*stmt.as<For>());
        break;
    case StmtKind::Provide:
        provide(*stmt.as<Provide>());
        break;
    case StmtKind::Realize:
        realize(*stmt.as<Realize>());
        break;
    case StmtKind::Allocate:
        allocate(*stmt.as<Allocate>());
        break;
    case StmtKind::Free:
        free(*stmt.as<Free>());
        break;
    case StmtKind::Store:
        store(*stmt.as<Store>());
        break;
    case StmtKind::Block: {
        const Block &block = *stmt.as<Block>();
        require(block.stmts.size() >= 2, "a block has two statements or more");
        for (const Stmt &each : block.stmts) {
            require(each.defined() && each.kind() != StmtKind::Block, "a block holds statements, and no block");
            this->stmt(each);
        }
        break;
    }
    case StmtKind::IfThenElse:
        branch(*stmt.as<IfThenElse>());
        break;
    case StmtKind::Evaluate:
        expr(stmt.as<Evaluate>()->value, "value");
        break;
    case StmtKind::Prefetch:
        if (const Meaning *meaning = find(stmt.as<Prefetch>()->func); !meaning || !meaning->is_input) {
            check_mark(stmt.as<Prefetch>()->func);
        }
        box(stmt.as<Prefetch>()->bounds);
        this->stmt(stmt.as<Prefetch>()->body);
        break;
    case StmtKind::Atomic:
        atomic(*stmt.as<Atomic>());
        break;
    case StmtKind::Launch:
        launch(*stmt.as<Launch>());
        break;
    case StmtKind::Barrier:
        require(!func_ || func_->kind == LoweredFunc::Kind::Kernel, "a barrier is in a kernel");
        break;
    }
}

void Verifier::stmt(const Stmt &stmt) {
    require(stmt.defined(), "a statement is missing");
    const bool is_step = stmt.kind() != StmtKind::Block;
    if (is_step) {
        path_.push_back({stmt.get(), nullptr});
    }
    check_phase(stmt);
    if (is_in_kernel()) {
        in_kernel(stmt);
    }
    children(stmt);
    if (is_step) {
        path_.pop_back();
    }
}

namespace {

/// What a verifier finds in a statement.
template <typename... Args> std::optional<std::string> violation_in(const Stmt &stmt, const Args &...args) {
    std::optional<Verifier> verifier;
    try {
        verifier.emplace(args...);
        verifier->stmt(stmt);
    } catch (const Violation &violation) {
        return (verifier ? verifier->path() : "in the arguments: ") + violation.text;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> find_violation(const Stmt &stmt, Phase phase, const Surroundings &around) {
    return stmt.defined() ? violation_in(stmt, phase, around) : std::nullopt;
}

std::optional<std::string> find_violation(const LoweredFunc &func, Phase phase) {
    return func.body.defined() ? violation_in(func.body, phase, func) : std::nullopt;
}

void verify(const Stmt &stmt, Phase phase, const Surroundings &around) {
    if (auto violation = find_violation(stmt, phase, around)) {
        throw InternalError("the IR is broken: " + *violation);
    }
}

void verify(const LoweredFunc &func, Phase phase) {
    if (auto violation = find_violation(func, phase)) {
        throw InternalError("the IR is broken: in " + quoted_name(func.name) + ": " + *violation);
    }
}

} // namespace fluorite::ir
