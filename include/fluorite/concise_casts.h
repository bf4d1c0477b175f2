#pragma once
// Short names of casts, for `using namespace fluorite::ConciseCasts`: u8(e), f32(e), and the saturating u8_sat(e).

#include "fluorite/require_cxx17.h"

#include "fluorite/located.h"

namespace fluorite {

/// As in fluorite/ops.h: integers wrap, floats round to nearest even; the second gives the nearest value of the type.
Expr cast(Type type, const LocatedExpr &value);
Expr saturating_cast(Type type, const LocatedExpr &value);

namespace ConciseCasts {

/// cast(), of as many lanes as the operand: f floats, bf bfloat16, i signed and u unsigned integers of so many bits.
inline Expr f64(const LocatedExpr &e) { return cast(Float(64, e.expr.type().lanes()), e); }
inline Expr f32(const LocatedExpr &e) { return cast(Float(32, e.expr.type().lanes()), e); }
inline Expr f16(const LocatedExpr &e) { return cast(Float(16, e.expr.type().lanes()), e); }
inline Expr bf16(const LocatedExpr &e) { return cast(BFloat(16, e.expr.type().lanes()), e); }
inline Expr i64(const LocatedExpr &e) { return cast(Int(64, e.expr.type().lanes()), e); }
inline Expr i32(const LocatedExpr &e) { return cast(Int(32, e.expr.type().lanes()), e); }
inline Expr i16(const LocatedExpr &e) { return cast(Int(16, e.expr.type().lanes()), e); }
inline Expr i8(const LocatedExpr &e) { return cast(Int(8, e.expr.type().lanes()), e); }
inline Expr u64(const LocatedExpr &e) { return cast(UInt(64, e.expr.type().lanes()), e); }
inline Expr u32(const LocatedExpr &e) { return cast(UInt(32, e.expr.type().lanes()), e); }
inline Expr u16(const LocatedExpr &e) { return cast(UInt(16, e.expr.type().lanes()), e); }
inline Expr u8(const LocatedExpr &e) { return cast(UInt(8, e.expr.type().lanes()), e); }
/// saturating_cast() to these types.
inline Expr i8_sat(const LocatedExpr &e) { return saturating_cast(Int(8, e.expr.type().lanes()), e); }
inline Expr u8_sat(const LocatedExpr &e) { return saturating_cast(UInt(8, e.expr.type().lanes()), e); }
inline Expr i16_sat(const LocatedExpr &e) { return saturating_cast(Int(16, e.expr.type().lanes()), e); }
inline Expr u16_sat(const LocatedExpr &e) { return saturating_cast(UInt(16, e.expr.type().lanes()), e); }
inline Expr i32_sat(const LocatedExpr &e) { return saturating_cast(Int(32, e.expr.type().lanes()), e); }
inline Expr u32_sat(const LocatedExpr &e) { return saturating_cast(UInt(32, e.expr.type().lanes()), e); }
inline Expr i64_sat(const LocatedExpr &e) { return saturating_cast(Int(64, e.expr.type().lanes()), e); }
inline Expr u64_sat(const LocatedExpr &e) { return saturating_cast(UInt(64, e.expr.type().lanes()), e); }

} // namespace ConciseCasts
} // namespace fluorite
