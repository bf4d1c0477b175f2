// The verifier of expressions inside statements.
//
// Expressions are walked with an explicit stack. A node that passed stays valid while the innermost scope in which it
// was checked is open, so it is checked once there, however many statements and operands share it.

#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "ir/verifier.h"

#include "ir/let_symbol.h"
#include "ir/node_types.h"
#include "ir/operations.h"
#include "ir/print.h"

#include <algorithm>
#include <string_view>

namespace fluorite::ir {

std::string brief(const Expr &expr) { return to_text(expr, {.max_nodes = 40}); }

void Verifier::expr(const Expr &expr, const char *what) {
    require(expr.defined(), what, " is undefined");
    path_.push_back({nullptr, what});
    nodes(expr);
    path_.pop_back();
}

bool Verifier::is_new(const ExprNode &node) {
    const Seen here = {scopes_.size(), scopes_.back()};
    const auto [at, is_first] = seen_.try_emplace(&node, here);
    const Seen &before = at->second;
    if (!is_first && before.depth <= scopes_.size() && scopes_[before.depth - 1] == before.scope) {
        return false;
    }
    at->second = here;
    return true;
}

void Verifier::nodes(const Expr &root) {
    std::vector<const Expr *> pending{&root};
    while (!pending.empty()) {
        const Expr &next = *pending.back();
        pending.pop_back();
        if (next->arg_count() > 0 && next->is_shared() && !is_new(*next)) {
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
        check_let(expr->symbol(), expr->arg(0));
        inside(expr->symbol(), {Meaning::Kind::Value, {expr->arg(0).type()}}, [&] { nodes(expr->arg(1)); });
        require(expr.type() == expr->arg(1).type(), "the type of a let must be that of its body");
    } catch (Violation &violation) {
        violation.text += concat("\n  inside of: ", brief(expr));
        throw;
    }
}

void Verifier::check_let(const Symbol &symbol, const Expr &value) {
    const bool is_silent = symbol.kind() != SymbolKind::Bound && !says_it_reads_memory(symbol);
    require(!value->reads_memory() || !is_silent, "the value of '", symbol.name(),
            "' depends on memory, which its symbol does not say");
}

void Verifier::node(const Expr &expr) {
    try {
        if (auto violation = type_violation(*expr)) {
            fail(concat("'", kind_name(expr->kind()), "': ", *violation));
        }
        require(!expr.type().is_void(), "the type is void");
        phase_of(expr);
        reference(expr);
    } catch (Violation &violation) {
        violation.text += ": " + brief(expr);
        throw;
    }
}

void Verifier::phase_of(const Expr &expr) const {
    bool forbidden = false;
    switch (expr->kind()) {
    case ExprKind::Call:
    case ExprKind::Undef:
        forbidden = !before(Phase::Split);
        break;
    case ExprKind::Image:
        forbidden = !before(Phase::Flat);
        break;
    case ExprKind::Load:
        forbidden = before(Phase::Flat);
        break;
    case FLUORITE_HINTS:
        forbidden = !before(Phase::Lowered);
        break;
    case ExprKind::MemoizeTag:
        forbidden = true;
        break;
    case FLUORITE_CONSTANTS:
    case FLUORITE_NAMES:
    case FLUORITE_CONVERSIONS:
    case FLUORITE_ARITHMETIC:
    case FLUORITE_COMPARISONS:
    case FLUORITE_LOGIC:
    case FLUORITE_BITS:
    case ExprKind::Select:
    case FLUORITE_FUNCTIONS:
    case FLUORITE_VECTORS:
    case ExprKind::Let:
    case FLUORITE_EFFECTS:
        break;
    }
    require(!forbidden, "'", kind_name(expr->kind()), "' does not occur in phase ", to_word(phase_));
    require(expr.type().is_scalar() || !before(Phase::Flat), "vectors occur only in flat IR");
}

void Verifier::reference(const Expr &expr) {
    switch (expr->kind()) {
    case ExprKind::Variable:
        return variable(expr);
    case ExprKind::BufferField:
        return field(expr);
    case ExprKind::Call:
        return call(expr);
    case ExprKind::Image:
        return image(expr);
    case ExprKind::Load:
        return load(expr);
    case ExprKind::Extern:
        return external(expr);
    default: // kinds that name nothing
        return check(!has_symbol(expr->kind()) || expr->kind() == ExprKind::Let, "a kind with a symbol is verified");
    }
}

void Verifier::variable(const Expr &expr) {
    Meaning *meaning = find(expr->symbol());
    require(meaning, "'", expr->symbol().name(), "' is not bound here");
    require(meaning->kind != Meaning::Kind::Realized, "a Func is no value");
    const bool is_value = meaning->kind == Meaning::Kind::Value;
    const Type type = is_value ? meaning->types[0] : Handle();
    require(expr.type() == type, "'", expr->symbol().name(), "' is bound as ", type);
    require(meaning->kind != Meaning::Kind::Freed, "the buffer is not allocated here");
    meaning->escapes = meaning->escapes || expr.get() != hinted_;
    meaning->is_mentioned = true;
}

void Verifier::field(const Expr &expr) {
    Meaning *meaning = find(expr->symbol());
    require(meaning && meaning->kind == Meaning::Kind::Argument, "only buffer arguments have fields");
    meaning->is_mentioned = true;
    const int dim = expr->member().index;
    require(dim >= 0 && dim < meaning->dimensions, "the buffer has ", meaning->dimensions, " dimensions");
}

/// Checks and records an access to values of a Func or a buffer over a box.
void Verifier::access(Meaning &meaning, size_t coordinates, const char *what) {
    require(static_cast<int>(coordinates) == meaning.dimensions, "the ", what, " has ", meaning.dimensions,
            " dimensions");
    require(!meaning.takes_memory, "the ", what, " only has its memory here");
    meaning.is_used = true;
}

void Verifier::call(const Expr &expr) {
    Meaning *meaning = find(expr->symbol());
    require(meaning && meaning->kind == Meaning::Kind::Realized, "the Func is not realized here");
    const auto index = expr->member().position();
    require(index < meaning->types.size(), "the Func has ", meaning->types.size(), " values");
    require(expr.type().element_of() == meaning->types[index], "the value is of type ", meaning->types[index]);
    access(*meaning, expr->arg_count(), "Func");
}

void Verifier::image(const Expr &expr) {
    Meaning *meaning = find(expr->symbol());
    const bool is_realized = meaning && meaning->kind == Meaning::Kind::Realized && !before(Phase::Split);
    require(is_realized || (meaning && meaning->kind == Meaning::Kind::Argument), "the buffer is not known here");
    require(expr.type().element_of() == meaning->types[0], "the buffer holds ", meaning->types[0]);
    access(*meaning, expr->arg_count(), "buffer");
}

void Verifier::load(const Expr &expr) {
    Meaning *meaning = find(expr->symbol());
    require(meaning && (meaning->kind == Meaning::Kind::Argument || meaning->kind == Meaning::Kind::Allocation),
            "the buffer is not allocated here");
    meaning->is_mentioned = true;
    require(expr.type().element_of() == meaning->types[0], "the buffer holds ", meaning->types[0]);
}

// ---- Operations that are no C functions.

namespace {

/// Checks an operand against its letter in operations.def.
bool is_operand(const Expr &expr, char wanted, const Meaning *named) {
    using Kind = Meaning::Kind;
    switch (wanted) {
    case 'b':
        return named && named->kind == Kind::Argument;
    case 'm':
        return named && (named->kind == Kind::Argument || named->kind == Kind::Allocation);
    case 'i':
        return expr.type() == Int(32);
    case 'o':
        return expr.type() == Int(32) || expr.type() == Int(64);
    case 'u':
        return expr.type() == UInt(32);
    case '?':
        return expr.type() == Bool();
    case 'c':
        return expr.type() == Int(32) && is_const(expr);
    case 'h':
        return expr.type() == Handle();
    case 'U':
        return expr.type() == UInt(64);
    case 'L':
        return expr.type().is_int_or_uint() && expr.type().is_scalar();
    case 'D':
        return expr.type().is_float() && expr.type().is_scalar();
    case 'v':
        return expr.type().element_of() == Int(32);
    default:
        return wanted == '*';
    }
}

} // namespace

void Verifier::external(const Expr &expr) {
    const std::string &name = expr->text();
    const Operation *found = find_operation(name);
    if (!found) {
        return require(name.find('.') == std::string::npos, "no C function has the name");
    }
    require(found->kind != Operation::Kind::Placeholder || before(Phase::Lowered),
            "it stands for code that is made by now");
    const bool is_hint = name == "memory.prefetch";
    if (is_hint && before(Phase::Flat)) {
        return require(expr->arg_count() == 1 && is_kind(expr->arg(0), ExprKind::Image), "a hint is at an element");
    }
    require(found->result.is_void() || expr.type() == found->result, "the result must be ", found->result);
    require(expr->arg_count() >= found->operands.size(), "there are ", found->operands.size(), " operands");
    for (size_t i = 0; i < expr->arg_count(); i++) {
        const Expr &operand = expr->arg(i);
        const char wanted = found->operand(i);
        const Meaning *named = is_kind(operand, ExprKind::Variable) ? find(operand->symbol()) : nullptr;
        require(is_operand(operand, wanted, named), "operand ", i, " is not as in operations.def");
    }
    hinted_ = is_hint ? expr->arg(0).get() : hinted_;
}

} // namespace fluorite::ir
