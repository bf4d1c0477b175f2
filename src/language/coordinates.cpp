// Coordinates of Func, ImageParam and Buffer calls.

#include "language/coordinates.h"

#include "fluorite/var.h"
#include "language/function.h"
#include "language/operands.h"

#include <algorithm>

namespace fluorite::language {

namespace {

bool is_placeholder(const Expr &arg) {
    return ir::is_kind(arg, ir::ExprKind::Variable) && arg->symbol().kind() == ir::SymbolKind::Var &&
           arg->symbol().name() == "_";
}

std::string counted(size_t count, const char *noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

} // namespace

int find_placeholder(const std::vector<Expr> &args, const std::string &what, const Location &location) {
    int found = -1;
    for (size_t i = 0; i < args.size(); i++) {
        if (!is_placeholder(args[i])) {
            continue;
        }
        if (found >= 0) {
            fail("wrong-arity", what,
                 "_ stands twice among its arguments; _ means all dimensions that remain; keep one", location);
        }
        found = static_cast<int>(i);
    }
    return found;
}

std::vector<Expr> expand_placeholder(const std::vector<Expr> &args, int position, int count) {
    std::vector<Expr> result(args.begin(), args.begin() + position);
    for (int i = 0; i < count; i++) {
        result.push_back(Var::implicit(i));
    }
    result.insert(result.end(), args.begin() + position + 1, args.end());
    return result;
}

int implicit_var_count(const std::vector<Expr> &exprs) {
    int count = 0;
    for (const Expr &expr : exprs) {
        if (!expr.defined()) {
            continue;
        }
        ir::for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ir::ExprKind::Variable && node->symbol().kind() == ir::SymbolKind::Var) {
                count = std::max(count, Var::implicit_index(node->symbol().name()) + 1);
            }
        });
    }
    return count;
}

std::vector<Expr> integer_coordinates(const std::vector<Expr> &args, const std::string &what,
                                      const Location &location) {
    std::vector<Expr> result;
    for (size_t i = 0; i < args.size(); i++) {
        if (!args[i].defined()) {
            fail("undefined-operand", what,
                 concat("coordinate ", i, " is an undefined Expr; coordinates have a value; initialize the Expr"),
                 location);
        }
        if (!args[i].type().is_int_or_uint()) {
            fail("non-integer-coordinate", what,
                 concat("coordinate ", i, " has type ", args[i].type(),
                        "; coordinates are integers; cast it, as in cast<int>(e)"),
                 location);
        }
        if (!fits_int32(args[i])) {
            fail("literal-out-of-range", what,
                 concat("coordinate ", i, " is ", args[i], "; coordinates are integers of 32 bits; give a smaller one"),
                 location);
        }
        result.push_back(convert(Int(32, args[i].type().lanes()), args[i]));
    }
    return result;
}

std::vector<Expr> call_coordinates(const std::vector<Expr> &args, int dimensions, const std::string &what,
                                   const Location &location) {
    std::vector<Expr> expanded = args;
    const int placeholder = find_placeholder(args, what, location);
    const int given = static_cast<int>(args.size()) - (placeholder >= 0 ? 1 : 0);
    if (placeholder >= 0 && given <= dimensions) {
        expanded = expand_placeholder(args, placeholder, dimensions - given);
    }
    if (static_cast<int>(expanded.size()) != dimensions || given > dimensions) {
        fail("wrong-arity", what,
             "it is called with " + counted(static_cast<size_t>(given), "coordinate") + "; it has " +
                 counted(static_cast<size_t>(dimensions), "dimension") +
                 "; give one coordinate for each dimension, or _ for the remaining ones",
             location);
    }
    return integer_coordinates(expanded, what, location);
}

} // namespace fluorite::language
