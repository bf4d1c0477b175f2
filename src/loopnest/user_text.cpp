// Expressions in the user's notation, for messages.
//
// Symbols are replaced by symbols with the user's names (a symbol knows its owner, and the graph the names of the
// owner). The expression is printed in the text form of the IR, from which `@kind{owner}`, `:type` and quotes are
// removed. The loop x of f, which lowering names `f.s0.x`, is printed as `f.x`.
// Cost: linear in the text, which is truncated to 200 characters.

#include "loopnest/user_text.h"

#include "ir/print.h"
#include "support/check.h"
#include "support/loop_name.h"

#include <algorithm>
#include <cctype>

namespace fluorite::loopnest {

using namespace ir;

namespace {

/// `f.s0.x.base` --> `f.x.base`, and stage 1 is `f.update(0).x.base`.
std::string without_stage(const std::string &name) {
    for (size_t at = name.find(".s"); at != std::string::npos; at = name.find(".s", at + 1)) {
        const size_t end = name.find_first_not_of("0123456789", at + 2);
        if (end != at + 2 && end != std::string::npos && name[end] == '.') {
            const int stage = std::stoi(name.substr(at + 2, end - at - 2));
            const std::string update = stage == 0 ? "" : concat(".update(", stage - 1, ")");
            return name.substr(0, at) + update + name.substr(end);
        }
    }
    return name;
}

std::string name_of(const Symbol &symbol, const Graph &graph) {
    const SymbolOwner &owner = symbol.owner();
    const bool has_func = owner.func.is_below(graph.funcs.size()) && owner.dim.valid();
    if (!has_func) {
        return without_stage(symbol.name());
    }
    const FuncDef &func = graph.func(owner.func);
    const size_t dim = owner.dim.index(), stage = static_cast<size_t>(std::max(owner.stage, 0));
    switch (symbol.kind()) {
    case SymbolKind::Var:
        return dim < func.arg_names.size() ? func.arg_names[dim] : symbol.name();
    case SymbolKind::RVar:
        return stage < func.stages.size() && dim < func.stages[stage].rvars.size() ? func.stages[stage].rvars[dim].name
                                                                                   : symbol.name();
    case SymbolKind::Bound:
        return dim < func.arg_names.size()
                   ? func.name() + "." + func.arg_names[dim] + (owner.side == Side::Min ? ".min" : ".max")
                   : symbol.name();
    case SymbolKind::Loop:
    case SymbolKind::Let:
        return without_stage(symbol.name());
    default: // symbols with the name that the user gave
        return symbol.name();
    }
}

std::string field_name(const Expr &field) {
    const char *names[] = {"min", "max", "extent", "stride"};
    return concat(field->symbol().name(), ".dim(", field->member().index, ").",
                  names[static_cast<int>(field->member().field)], "()");
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Removes owners, types and the quotes around names.
std::string plain(const std::string &text) {
    std::string result;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == '@' || (text[i] == ':' && i + 1 < text.size() && is_word(text[i + 1]))) {
            while (i + 1 < text.size() && is_word(text[i + 1])) {
                i++;
            }
            if (i + 1 < text.size() && text[i + 1] == '{') {
                i = text.find('}', i); // a list of owners is closed
            }
        } else if (text.compare(i, 4, " + -") == 0) { // x + -1
            result += " - ";
            i += 3;
        } else if (text[i] != '\'') {
            result += text[i];
        }
    }
    return result;
}

} // namespace

std::string text_for_user(const Expr &expr, const Graph &graph) {
    const Expr named = transform(expr, [&](const Expr &node) -> Expr {
        if (node->kind() == ExprKind::Variable) {
            return make_var(node->type(), Symbol(SymbolKind::Var, name_of(node->symbol(), graph)));
        }
        if (node->kind() == ExprKind::BufferField) {
            return make_var(node->type(), Symbol(SymbolKind::Var, field_name(node)));
        }
        if (node->kind() == ExprKind::LikelyIfInnermost) {
            return node->arg(0); // inserted by hint_clamps
        }
        return node;
    });
    constexpr size_t longest = 200;
    std::string text = with_dotted_loops(plain(ir::to_text(named)));
    if (text.size() > longest) {
        text.resize(longest);
        text += "...";
    }
    return text;
}

} // namespace fluorite::loopnest
