// The verifier of statements. verify.h is the specification that this file checks.
//
// One walk from the outside in, with a table of what each symbol in scope is: bound by a statement, an argument, a realized
// Func, an allocation. The walk stops at the first violation, whose path is the list of statements around it.
//
// Expressions are walked with a stack and a set of nodes seen. Scope matters to a node only through Lets, so the body of
// a Let is walked with a set of its own.

#include "ir/verify.h"

#include "ir/node_types.h"
#include "ir/print.h"
#include "ir/text_names.h"

#include <algorithm>
#include <unordered_set>

namespace fluorite::ir {

const char *to_word(Phase phase) {
    static const char *const words[] = {"loops", "split", "flat", "plain", "lowered"};
    return words[static_cast<size_t>(phase)];
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

Surroundings Surroundings::of(const LoweredFunc &func) { return {func.args, {}}; }

namespace {

/// Thrown through the walk; never leaves this file.
struct Violation {
    std::string text;
};

std::string brief(const Expr &expr) { return to_text(expr, {.max_nodes = 40}); }

/// What a symbol in scope is.
struct Meaning {
    enum class Kind : uint8_t { Value, Argument, Allocation, Freed, Realized };
    Kind kind = Kind::Value;
    std::vector<Type> types; // of the value, of the elements
    int dimensions = -1;     // of an argument or a realized Func
};

class Verifier {
  public:
    Verifier(Phase phase, const Surroundings &around) : phase_(phase) {
        for (const LoweredArg &arg : around.args) {
            const bool is_scalar = arg.kind == LoweredArg::Kind::Scalar;
            bind(arg.symbol, {is_scalar ? Meaning::Kind::Value : Meaning::Kind::Argument, {arg.type}, arg.dimensions});
        }
        for (const Surroundings::OpenFunc &func : around.funcs) {
            bind(func.func, {Meaning::Kind::Realized, func.types, static_cast<int>(func.dimensions)});
        }
    }

    void stmt(const Stmt &stmt);
    std::string path() const {
        std::string text;
        for (const std::string &step : path_) {
            text += (text.empty() ? "in " : " > ") + step;
        }
        return text.empty() ? "" : text + ": ";
    }

  private:
    [[noreturn]] static void fail(const std::string &rule) { throw Violation{rule}; }
    static void require(bool holds, const std::string &rule) {
        if (!holds) {
            fail(rule);
        }
    }
    bool before(Phase phase) const { return phase_ < phase; }

    // Scopes.
    void bind(const Symbol &symbol, Meaning meaning) {
        require(symbol.defined(), "a binder has no symbol");
        require(scope_.emplace(symbol, std::move(meaning)).second,
                concat("'", symbol.name(), "' is bound already where it is bound again"));
    }
    const Meaning *find(const Symbol &symbol) const {
        auto found = scope_.find(symbol);
        return found == scope_.end() ? nullptr : &found->second;
    }
    template <typename Walk> void inside(const Symbol &symbol, Meaning meaning, const Walk &walk) {
        bind(symbol, std::move(meaning));
        walk();
        scope_.erase(symbol);
    }

    // Expressions.
    void expr(const Expr &expr, const char *what);
    void nodes(const Expr &root);
    void node(const Expr &expr);
    void let(const Expr &expr);
    void phase_of(const Expr &expr) const;
    void variable(const Expr &expr) const;
    void field(const Expr &expr) const;
    void call(const Expr &expr) const;
    void image(const Expr &expr) const;
    void load(const Expr &expr) const;

    // Statements.
    void check_phase(const Stmt &stmt) const;
    void scalar(const Expr &value, Type type, const char *what);
    void box(const std::vector<Range> &bounds);
    void mask(const Expr &predicate, int lanes);
    void provide(const Provide &provide);
    void store(const Store &store);
    void free(const Symbol &buffer);
    void realize(const Realize &realize);
    void allocate(const Allocate &allocate);
    void children(const Stmt &stmt);

    Phase phase_;
    SymbolMap<Meaning> scope_;
    std::vector<std::string> path_;
};

// ---- Expressions.

void Verifier::expr(const Expr &expr, const char *what) {
    require(expr.defined(), concat(what, " is undefined"));
    path_.emplace_back(what);
    nodes(expr);
    path_.pop_back();
}

void Verifier::nodes(const Expr &root) {
    std::unordered_set<const ExprNode *> seen;
    std::vector<const Expr *> pending{&root};
    while (!pending.empty()) {
        const Expr &next = *pending.back();
        pending.pop_back();
        if (next->is_shared() && !seen.insert(next.get()).second) {
            continue;
        }
        if (next->kind() == ExprKind::Let) {
            let(next);
            continue;
        }
        node(next);
        for (size_t i = next->arg_count(); i-- > 0;) {
            pending.push_back(&next->arg(i));
        }
    }
}

void Verifier::let(const Expr &expr) {
    nodes(expr->arg(0));
    try {
        inside(expr->symbol(), {Meaning::Kind::Value, {expr->arg(0).type()}}, [&] { nodes(expr->arg(1)); });
        require(expr.type() == expr->arg(1).type(), "the type of a let must be that of its body");
    } catch (Violation &violation) {
        violation.text += concat("\n  inside of: ", brief(expr));
        throw;
    }
}

void Verifier::node(const Expr &expr) {
    try {
        if (auto violation = type_violation(*expr)) {
            fail(concat("'", kind_name(expr->kind()), "': ", *violation));
        }
        require(!expr.type().is_void(), "the type is void");
        phase_of(expr);
        switch (expr->kind()) {
        case ExprKind::Variable:
            variable(expr);
            break;
        case ExprKind::BufferField:
            field(expr);
            break;
        case ExprKind::Call:
            call(expr);
            break;
        case ExprKind::Image:
            image(expr);
            break;
        case ExprKind::Load:
            load(expr);
            break;
        default:
            break;
        }
    } catch (Violation &violation) {
        violation.text += ": " + brief(expr);
        throw;
    }
}

void Verifier::phase_of(const Expr &expr) const {
    const auto forbid = [&](bool forbidden) {
        require(!forbidden, concat("'", kind_name(expr->kind()), "' does not occur in phase ", to_word(phase_)));
    };
    switch (expr->kind()) {
    case ExprKind::Call:
    case ExprKind::Undef:
        forbid(!before(Phase::Split));
        break;
    case ExprKind::Image:
        forbid(!before(Phase::Flat));
        break;
    case ExprKind::Load:
        forbid(before(Phase::Flat));
        break;
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::Random:
        forbid(!before(Phase::Lowered));
        break;
    default:
        break;
    }
    require(expr.type().is_scalar() || !before(Phase::Flat), "vectors occur only in flat IR");
}

void Verifier::variable(const Expr &expr) const {
    const Meaning *meaning = find(expr->symbol());
    require(meaning, concat("'", expr->symbol().name(), "' is not bound here"));
    require(meaning->kind != Meaning::Kind::Realized, "a Func is no value");
    const bool is_value = meaning->kind == Meaning::Kind::Value;
    const Type type = is_value ? meaning->types[0] : Handle();
    require(expr.type() == type, concat("'", expr->symbol().name(), "' is bound as ", type));
}

void Verifier::field(const Expr &expr) const {
    const Meaning *meaning = find(expr->symbol());
    require(meaning && meaning->kind == Meaning::Kind::Argument, "only buffer arguments have fields");
    const int dim = expr->member().index;
    require(dim >= 0 && dim < meaning->dimensions, concat("the buffer has ", meaning->dimensions, " dimensions"));
}

void Verifier::call(const Expr &expr) const {
    const Meaning *meaning = find(expr->symbol());
    require(meaning && meaning->kind == Meaning::Kind::Realized, "the Func is not realized here");
    const auto index = static_cast<size_t>(expr->member().index);
    require(index < meaning->types.size(), concat("the Func has ", meaning->types.size(), " values"));
    require(expr.type().element_of() == meaning->types[index], concat("the value is of type ", meaning->types[index]));
    require(static_cast<int>(expr->arg_count()) == meaning->dimensions,
            concat("the Func has ", meaning->dimensions, " dimensions"));
}

void Verifier::image(const Expr &expr) const {
    const Meaning *meaning = find(expr->symbol());
    const bool is_realized = meaning && meaning->kind == Meaning::Kind::Realized && !before(Phase::Split);
    require(is_realized || (meaning && meaning->kind == Meaning::Kind::Argument), "the buffer is not known here");
    require(expr.type().element_of() == meaning->types[0], concat("the buffer holds ", meaning->types[0]));
    require(static_cast<int>(expr->arg_count()) == meaning->dimensions,
            concat("the buffer has ", meaning->dimensions, " dimensions"));
}

void Verifier::load(const Expr &expr) const {
    const Meaning *meaning = find(expr->symbol());
    require(meaning && (meaning->kind == Meaning::Kind::Argument || meaning->kind == Meaning::Kind::Allocation),
            "the buffer is not allocated here");
    require(expr.type().element_of() == meaning->types[0], concat("the buffer holds ", meaning->types[0]));
}

// ---- Statements.

void Verifier::check_phase(const Stmt &stmt) const {
    const auto forbid = [&](bool forbidden, const char *what) {
        require(!forbidden, concat(what, " does not occur in phase ", to_word(phase_)));
    };
    switch (stmt.kind()) {
    case StmtKind::Realize:
        forbid(!before(Phase::Flat), "realize");
        break;
    case StmtKind::Provide:
        forbid(!before(Phase::Flat), "the store to a point of a Func");
        break;
    case StmtKind::Prefetch:
        forbid(!before(Phase::Flat), "prefetch");
        break;
    case StmtKind::Allocate:
        forbid(before(Phase::Flat), "allocate");
        break;
    case StmtKind::Free:
        forbid(before(Phase::Flat), "free");
        break;
    case StmtKind::Store:
        forbid(before(Phase::Flat), "a store");
        break;
    case StmtKind::For: {
        const ForKind kind = stmt.as<For>()->for_kind;
        forbid(!before(Phase::Plain) && kind == ForKind::Vectorized, "a vectorized loop");
        forbid(!before(Phase::Plain) && kind == ForKind::Unrolled, "an unrolled loop");
        break;
    }
    default:
        break;
    }
}

void Verifier::scalar(const Expr &value, Type type, const char *what) {
    expr(value, what);
    require(value.type() == type, concat("the ", what, " must be a scalar ", type, ", not ", value.type()));
}

void Verifier::box(const std::vector<Range> &bounds) {
    for (const Range &range : bounds) {
        scalar(range.min, Int(32), "min");
        scalar(range.extent, Int(32), "extent");
    }
}

void Verifier::mask(const Expr &predicate, int lanes) {
    expr(predicate, "predicate");
    require(predicate.type() == Bool(lanes), concat("the predicate must be ", Bool(lanes), ", not ", predicate.type()));
}

void Verifier::provide(const Provide &provide) {
    const Meaning *meaning = find(provide.func);
    const bool is_argument = meaning && meaning->kind == Meaning::Kind::Argument && !before(Phase::Split);
    require(is_argument || (meaning && meaning->kind == Meaning::Kind::Realized), "the Func is not realized here");
    require(static_cast<int>(provide.args.size()) == meaning->dimensions,
            concat("the Func has ", meaning->dimensions, " dimensions"));
    require(provide.values.size() == meaning->types.size(), concat("the Func has ", meaning->types.size(), " values"));
    for (const Expr &arg : provide.args) {
        scalar(arg, Int(32), "coordinate");
    }
    for (size_t i = 0; i < provide.values.size(); i++) {
        scalar(provide.values[i], meaning->types[i], "value");
    }
    mask(provide.predicate, 1);
}

void Verifier::store(const Store &store) {
    const Meaning *meaning = find(store.buffer);
    require(meaning && (meaning->kind == Meaning::Kind::Argument || meaning->kind == Meaning::Kind::Allocation),
            "the buffer is not allocated here");
    expr(store.value, "value");
    expr(store.index, "index");
    const int lanes = store.value.type().lanes();
    require(store.value.type().element_of() == meaning->types[0], concat("the buffer holds ", meaning->types[0]));
    require(store.index.type() == Int(32, lanes) || store.index.type() == Int(64, lanes),
            concat("the index must be int32 or int64 with ", lanes, " lanes"));
    mask(store.predicate, lanes);
}

void Verifier::free(const Symbol &buffer) {
    auto found = scope_.find(buffer);
    require(found != scope_.end() && found->second.kind == Meaning::Kind::Allocation,
            "the buffer is not allocated here");
    found->second.kind = Meaning::Kind::Freed;
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
    inside(realize.func, {Meaning::Kind::Realized, realize.types, static_cast<int>(realize.bounds.size())},
           [&] { stmt(realize.body); });
}

void Verifier::allocate(const Allocate &allocate) {
    require(allocate.type.is_scalar(), "the type of an allocation is a scalar");
    for (const Expr &extent : allocate.extents) {
        scalar(extent, Int(32), "extent");
    }
    inside(allocate.buffer, {Meaning::Kind::Allocation, {allocate.type}}, [&] { stmt(allocate.body); });
}

/// One step of a path.
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
    }
    unreachable("a statement of no kind");
}

void Verifier::children(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::LetStmt: {
        const LetStmt &let = *stmt.as<LetStmt>();
        expr(let.value, "value");
        inside(let.symbol, {Meaning::Kind::Value, {let.value.type()}}, [&] { this->stmt(let.body); });
        break;
    }
    case StmtKind::Assert:
        scalar(stmt.as<Assert>()->condition, Bool(), "condition");
        scalar(stmt.as<Assert>()->error, Int(32), "error");
        break;
    case StmtKind::ProducerConsumer:
        this->stmt(stmt.as<ProducerConsumer>()->body);
        break;
    case StmtKind::For: {
        const For &loop = *stmt.as<For>();
        scalar(loop.min, Int(32), "min");
        scalar(loop.extent, Int(32), "extent");
        inside(loop.var, {Meaning::Kind::Value, {Int(32)}}, [&] { this->stmt(loop.body); });
        break;
    }
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
        free(stmt.as<Free>()->buffer);
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
    case StmtKind::IfThenElse: {
        const IfThenElse &branch = *stmt.as<IfThenElse>();
        scalar(branch.condition, Bool(), "condition");
        this->stmt(branch.then_case);
        if (branch.else_case.defined()) {
            path_.back() = "else";
            this->stmt(branch.else_case);
        }
        break;
    }
    case StmtKind::Evaluate:
        expr(stmt.as<Evaluate>()->value, "value");
        break;
    case StmtKind::Prefetch:
        box(stmt.as<Prefetch>()->bounds);
        this->stmt(stmt.as<Prefetch>()->body);
        break;
    case StmtKind::Atomic:
        this->stmt(stmt.as<Atomic>()->body);
        break;
    }
}

void Verifier::stmt(const Stmt &stmt) {
    require(stmt.defined(), "a statement is missing");
    const bool is_step = stmt.kind() != StmtKind::Block;
    if (is_step) {
        path_.push_back(step_of(stmt));
    }
    check_phase(stmt);
    children(stmt);
    if (is_step) {
        path_.pop_back();
    }
}

} // namespace

std::optional<std::string> find_violation(const Stmt &stmt, Phase phase, const Surroundings &around) {
    if (!stmt.defined()) {
        return std::nullopt;
    }
    std::optional<Verifier> verifier;
    try {
        verifier.emplace(phase, around);
        verifier->stmt(stmt);
    } catch (const Violation &violation) {
        return (verifier ? verifier->path() : "in the arguments: ") + violation.text;
    }
    return std::nullopt;
}

std::optional<std::string> find_violation(const LoweredFunc &func) {
    return find_violation(func.body, Phase::Lowered, Surroundings::of(func));
}

void verify(const Stmt &stmt, Phase phase, const Surroundings &around) {
    if (auto violation = find_violation(stmt, phase, around)) {
        throw InternalError("the IR is broken: " + *violation);
    }
}

void verify(const LoweredFunc &func) { verify(func.body, Phase::Lowered, Surroundings::of(func)); }

} // namespace fluorite::ir
