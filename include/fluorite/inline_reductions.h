#pragma once
// Reductions inside expressions: sum(f(x + r.x, y + r.y)) defines a helper Func over the free Vars of its operand,
// which is initialized to the identity and updated over the RDom that the operand uses. The expression is a call of the
// helper.
//
// The accumulator has the operand's type. If the operand uses several RDoms (of an enclosing update), the RDom to
// reduce over is passed first. `name` names the helper Func; if a Func is passed instead, it is defined as the helper,
// so that it can be scheduled.

#include "fluorite/require_cxx17.h"

#include "fluorite/func.h"

namespace fluorite {

/// The sum of the values over all points of the domain, in the type of the operand: integers wrap, and floats are added
/// in the order of the domain. cast the operand to accumulate in a wider type. Throws CompileError where the operand
/// uses no RDom, or several and none is given.
Expr sum(const LocatedExpr &value, const std::string &name = "sum");
/// As sum, but a sum outside the range of the type saturates.
Expr saturating_sum(const LocatedExpr &value, const std::string &name = "saturating_sum");
Expr saturating_sum(const RDom &domain, const LocatedExpr &value, const std::string &name = "saturating_sum");
Expr saturating_sum(const LocatedExpr &value, const Func &helper);
Expr saturating_sum(const RDom &domain, const LocatedExpr &value, const Func &helper);
/// The product, greatest and least value, likewise. Over an empty domain they are 1, the least and the greatest value
/// of the type (the infinities for floats).
Expr product(const LocatedExpr &value, const std::string &name = "product");
Expr maximum(const LocatedExpr &value, const std::string &name = "maximum");
Expr minimum(const LocatedExpr &value, const std::string &name = "minimum");
Expr sum(const RDom &domain, const LocatedExpr &value, const std::string &name = "sum");
Expr product(const RDom &domain, const LocatedExpr &value, const std::string &name = "product");
Expr maximum(const RDom &domain, const LocatedExpr &value, const std::string &name = "maximum");
Expr minimum(const RDom &domain, const LocatedExpr &value, const std::string &name = "minimum");

/// The same through a helper that the caller can schedule: it is defined by the call, so it has no definition before.
Expr sum(const LocatedExpr &value, const Func &helper);
Expr product(const LocatedExpr &value, const Func &helper);
Expr maximum(const LocatedExpr &value, const Func &helper);
Expr minimum(const LocatedExpr &value, const Func &helper);
Expr sum(const RDom &domain, const LocatedExpr &value, const Func &helper);
Expr product(const RDom &domain, const LocatedExpr &value, const Func &helper);
Expr maximum(const RDom &domain, const LocatedExpr &value, const Func &helper);
Expr minimum(const RDom &domain, const LocatedExpr &value, const Func &helper);

/// The coordinates of the first greatest (least) value, in order of the RDom's dimensions, followed by the value.
Tuple argmax(const LocatedExpr &value, const std::string &name = "argmax");
Tuple argmin(const LocatedExpr &value, const std::string &name = "argmin");
Tuple argmax(const RDom &domain, const LocatedExpr &value, const std::string &name = "argmax");
Tuple argmin(const RDom &domain, const LocatedExpr &value, const std::string &name = "argmin");
Tuple argmax(const LocatedExpr &value, const Func &helper);
Tuple argmin(const LocatedExpr &value, const Func &helper);
Tuple argmax(const RDom &domain, const LocatedExpr &value, const Func &helper);
Tuple argmin(const RDom &domain, const LocatedExpr &value, const Func &helper);

} // namespace fluorite
