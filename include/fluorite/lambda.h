#pragma once
// lambda: an unnamed Func in one expression.

#include "fluorite/require_cxx17.h"

#include "fluorite/func.h"

namespace fluorite {

/// The Func whose value at these Vars is the expression: lambda(x, y, e).
Func lambda(const Expr &value, const Location &location = Location::current());
Func lambda(const Var &x, const Expr &value, const Location &location = Location::current());
Func lambda(const Var &x, const Var &y, const Expr &value, const Location &location = Location::current());
Func lambda(const Var &x, const Var &y, const Var &z, const Expr &value,
            const Location &location = Location::current());
Func lambda(const Var &x, const Var &y, const Var &z, const Var &w, const Expr &value,
            const Location &location = Location::current());
Func lambda(const Var &x, const Var &y, const Var &z, const Var &w, const Var &v, const Expr &value,
            const Location &location = Location::current());

} // namespace fluorite
