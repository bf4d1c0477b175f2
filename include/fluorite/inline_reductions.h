#pragma once
// Reductions inside expressions: sum(f(x + r.x, y + r.y)) makes an unnamed (or named) Func of the free Vars of its
// operand, initialized to the identity and updated over the RDom that the operand uses, and is a call of it.
//
// The accumulator has the operand's type. Where the operand uses several RDoms (of an enclosing update), the RDom to
// reduce over is given first. `name` names the helper Func; a Func given instead is defined as the helper, so that it
// can be scheduled.

#include "fluorite/require_cxx20.h"

#include "fluorite/func.h"

namespace fluorite {

Expr sum(const LocatedExpr &value, const std::string &name = "sum");
/// As sum, but a sum outside of the type's range stays at its limit.
Expr saturating_sum(const LocatedExpr &value, const std::string &name = "saturating_sum");
Expr saturating_sum(const RDom &domain, const LocatedExpr &value, const std::string &name = "saturating_sum");
Expr saturating_sum(const LocatedExpr &value, const Func &helper);
Expr saturating_sum(const RDom &domain, const LocatedExpr &value, const Func &helper);
Expr product(const LocatedExpr &value, const std::string &name = "product");
Expr maximum(const LocatedExpr &value, const std::string &name = "maximum");
Expr minimum(const LocatedExpr &value, const std::string &name = "minimum");
Expr sum(const RDom &domain, const LocatedExpr &value, const std::string &name = "sum");
Expr product(const RDom &domain, const LocatedExpr &value, const std::string &name = "product");
Expr maximum(const RDom &domain, const LocatedExpr &value, const std::string &name = "maximum");
Expr minimum(const RDom &domain, const LocatedExpr &value, const std::string &name = "minimum");

Expr sum(const LocatedExpr &value, const Func &helper);
Expr product(const LocatedExpr &value, const Func &helper);
Expr maximum(const LocatedExpr &value, const Func &helper);
Expr minimum(const LocatedExpr &value, const Func &helper);
Expr sum(const RDom &domain, const LocatedExpr &value, const Func &helper);
Expr product(const RDom &domain, const LocatedExpr &value, const Func &helper);
Expr maximum(const RDom &domain, const LocatedExpr &value, const Func &helper);
Expr minimum(const RDom &domain, const LocatedExpr &value, const Func &helper);

/// Coordinates of the first greatest (least) value, in order of the RDom's dimensions, and then the value.
Tuple argmax(const LocatedExpr &value, const std::string &name = "argmax");
Tuple argmin(const LocatedExpr &value, const std::string &name = "argmin");
Tuple argmax(const RDom &domain, const LocatedExpr &value, const std::string &name = "argmax");
Tuple argmin(const RDom &domain, const LocatedExpr &value, const std::string &name = "argmin");
Tuple argmax(const LocatedExpr &value, const Func &helper);
Tuple argmin(const LocatedExpr &value, const Func &helper);
Tuple argmax(const RDom &domain, const LocatedExpr &value, const Func &helper);
Tuple argmin(const RDom &domain, const LocatedExpr &value, const Func &helper);

} // namespace fluorite
