// Hints, random numbers, and nodes with effects.

#include "fluorite/extern_functions.h"
#include "fluorite/ops.h"
#include "language/function.h"
#include "language/operands.h"

#include <map>
#include <mutex>

namespace fluorite {

using namespace language;
using ir::ExprKind;
using ir::ExprNode;

Expr likely(const LocatedExpr &value) {
    return ir::make_unary(ExprKind::Likely, checked({"likely", value.location}, value));
}
Expr likely_if_innermost(const LocatedExpr &value) {
    return ir::make_unary(ExprKind::LikelyIfInnermost, checked({"likely_if_innermost", value.location}, value));
}

namespace {

/// The operand of a Random node: the seed, or a Variable that freezing replaces by a unique small number. Definitions
/// add their variables.
Expr random(Type type, const Expr &seed, const Location &location) {
    const Site site{"random", location};
    Expr operand = seed.defined() ? convert(Int(32), checked_integer(site, LocatedExpr(seed, location)))
                                  : ir::make_var(Int(32), ir::Symbol(ir::SymbolKind::Let, anonymous_name("random")));
    return ExprNode::create(ExprKind::Random, type, {operand});
}

Expr with_parts(ExprKind kind, const Site &site, const Expr &condition, const std::vector<Expr> &parts,
                bool value_shown) {
    const Expr test = checked_condition(site, LocatedExpr(condition, site.location));
    if (parts.empty() || !parts[0].defined()) {
        fail_operand(site, "undefined-operand",
                     "an operand is an undefined Expr; operands have a value; initialize the Expr before it is used");
    }
    std::vector<Expr> args{test, parts[0]};
    if (kind == ExprKind::Require) {
        args.push_back(ir::make_string(user_text(test)));
    }
    const size_t first = value_shown ? 0 : 1;
    for (size_t i = first; i < parts.size(); i++) {
        if (!parts[i].defined()) {
            fail_operand(
                site, "undefined-operand",
                "an operand is an undefined Expr; operands have a value; initialize the Expr before it is used");
        }
        // The text is the concatenation of its parts, so separators are parts too.
        if (i > first) {
            args.push_back(ir::make_string(" "));
        }
        args.push_back(parts[i]);
    }
    if (kind == ExprKind::Print) {
        args.push_back(ir::make_string("\n"));
    }
    return ExprNode::create(kind, parts[0].type(), args);
}

} // namespace

Expr random_float(const Expr &seed, const Location &location) { return random(Float(32), seed, location); }
Expr random_int(const Expr &seed, const Location &location) { return random(Int(32), seed, location); }
Expr random_uint(const Expr &seed, const Location &location) { return random(UInt(32), seed, location); }

Expr undef(Type type) { return ExprNode::create(ExprKind::Undef, type, {}); }
Expr strict_float(const LocatedExpr &value) { return checked({"strict_float", value.location}, value); }

Expr print(const std::vector<Expr> &parts, const Location &location) {
    return with_parts(ExprKind::Print, {"print", location}, ir::make_bool(true), parts, true);
}
Expr print_when(const Expr &condition, const std::vector<Expr> &parts, const Location &location) {
    return with_parts(ExprKind::Print, {"print_when", location}, condition, parts, true);
}
Expr require(const Expr &condition, const std::vector<Expr> &value_and_parts, const Location &location) {
    return with_parts(ExprKind::Require, {"require", location}, condition, value_and_parts, false);
}

// ---- Keys of memoized Funcs.

namespace detail {

Expr memoize_tag(const LocatedExpr &value, const std::vector<Expr> &keys) {
    const Site site{"memoize_tag", value.location};
    std::vector<Expr> operands = {checked(site, value)};
    for (const Expr &key : keys) {
        operands.push_back(checked(site, LocatedExpr(key, value.location)));
    }
    return ExprNode::create(ExprKind::MemoizeTag, operands[0].type(), operands);
}

} // namespace detail

// ---- C functions.

Expr user_context_value() { return ir::make_extern(Handle(), "fluorite_user_context", std::span<const Expr>()); }

namespace detail {

Expr call_extern(const std::string &name, Type result, const std::vector<Type> &parameters,
                 const std::vector<Expr> &args, const Location &location) {
    std::vector<Expr> operands;
    for (size_t i = 0; i < args.size(); i++) {
        const bool pass_as_is = parameters[i].is_handle() && args[i].defined();
        operands.push_back(pass_as_is ? args[i] : cast(parameters[i], LocatedExpr(args[i], location)));
    }
    return ir::make_extern(result, name, operands);
}

namespace {
struct ExternTable {
    std::mutex mutex;
    std::map<std::string, void *> addresses;
};
ExternTable &extern_table() {
    static ExternTable table;
    return table;
}
} // namespace

bool register_extern(const std::string &name, void *address) {
    ExternTable &table = extern_table();
    std::lock_guard lock(table.mutex);
    table.addresses[name] = address;
    return true;
}

void *find_extern(const std::string &name) {
    ExternTable &table = extern_table();
    std::lock_guard lock(table.mutex);
    const auto found = table.addresses.find(name);
    return found == table.addresses.end() ? nullptr : found->second;
}

} // namespace detail
} // namespace fluorite
