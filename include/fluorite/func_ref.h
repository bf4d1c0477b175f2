#pragma once
// FuncRef: a call of a Func at coordinates. As a value it is the Func's value there; as the target of an assignment it
// defines the Func or adds an update.

#include "fluorite/require_cxx17.h"

#include "fluorite/located.h"
#include "fluorite/ref.h"
#include "fluorite/stage.h"
#include "fluorite/tuple.h"

#include <vector>

namespace fluorite {

class Func;
class FuncTupleElementRef;

class FuncRef {
  public:
    /// A call at coordinates, one for each dimension; Func::operator() makes it.
    FuncRef(detail::Ref<language::Function> function, std::vector<Expr> args, const Location &location);
    FuncRef(const FuncRef &) = default;

    /// The first assignment with distinct Vars as coordinates is the pure definition; later ones are updates, which run
    /// in order.
    Stage operator=(const LocatedExpr &value) const;
    Stage operator=(const Tuple &values) const;
    Stage operator=(const FuncRef &value) const; // NOLINT(misc-unconventional-assign-operator)

    /// Updates. A Func without definition is first defined as the operator's identity (0 or 1) everywhere.
    Stage operator+=(const LocatedExpr &value) const;
    Stage operator+=(const Tuple &values) const;
    Stage operator+=(const FuncRef &value) const;
    Stage operator-=(const LocatedExpr &value) const;
    Stage operator-=(const Tuple &values) const;
    Stage operator-=(const FuncRef &value) const;
    Stage operator*=(const LocatedExpr &value) const;
    Stage operator*=(const Tuple &values) const;
    Stage operator*=(const FuncRef &value) const;
    Stage operator/=(const LocatedExpr &value) const;
    Stage operator/=(const Tuple &values) const;
    Stage operator/=(const FuncRef &value) const;

    /// The value there; the Func must have one value. A Func of several is a Tuple, or is indexed.
    operator Expr() const; // NOLINT(google-explicit-constructor)
    FuncTupleElementRef operator[](detail::Integer index) const;
    size_t size() const;

    /// Whether both call the same Func at equal coordinates.
    bool equivalent_to(const FuncRef &other) const;
    /// The Func that is called; its definition, for the library; the coordinates as written, `_` included; and where.
    Func function() const;
    const detail::Ref<language::Function> &definition() const { return function_; }
    const std::vector<Expr> &args() const { return args_; }
    const Location &location() const { return location_; }

  private:
    detail::Ref<language::Function> function_;
    std::vector<Expr> args_; // as written, `_` included
    Location location_;
};

/// One value of a Func of several.
class FuncTupleElementRef {
  public:
    /// Value `index` of the call; FuncRef::operator[] makes it.
    FuncTupleElementRef(const FuncRef &call, int index) : call_(call), index_(index) {}
    FuncTupleElementRef(const FuncTupleElementRef &) = default;

    /// Updates this value at the point; the other values are unchanged.
    Stage operator=(const LocatedExpr &value) const;
    Stage operator=(const FuncRef &value) const;
    Stage operator=(const FuncTupleElementRef &value) const; // NOLINT(misc-unconventional-assign-operator)
    Stage operator+=(const LocatedExpr &value) const;
    Stage operator-=(const LocatedExpr &value) const;
    Stage operator*=(const LocatedExpr &value) const;
    Stage operator/=(const LocatedExpr &value) const;

    /// The value there, and which one of the Func's values it is.
    operator Expr() const; // NOLINT(google-explicit-constructor)
    int index() const { return index_; }

  private:
    FuncRef call_;
    int index_;
};

} // namespace fluorite
