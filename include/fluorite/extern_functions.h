#pragma once
// C functions in expressions: FLUORITE_EXTERN_1(float, my_curve, float) declares my_curve(Expr), which calls the C function
// of that name. It must be pure: it may be called any number of times, in any order, or not at all.

#include "fluorite/located.h"

#include <string>
#include <vector>

namespace fluorite::detail {

/// A call of a C function; operands are converted to the parameter types.
Expr call_extern(const std::string &name, Type result, const std::vector<Type> &parameters,
                 const std::vector<Expr> &args, const Location &location);
/// Makes the address known to the JIT, for functions that the program does not export.
bool register_extern(const std::string &name, void *address);
/// The address registered for the name, or null.
void *find_extern(const std::string &name);

} // namespace fluorite::detail

#define FLUORITE_EXTERN_REGISTER_(name)                                                                                \
    [[maybe_unused]] static const bool fluorite_registered_##name =                                                    \
        ::fluorite::detail::register_extern(#name, reinterpret_cast<void *>(&::name))

#define FLUORITE_EXTERN_0(result, name)                                                                                \
    inline ::fluorite::Expr name##_expr() {                                                                            \
        return ::fluorite::detail::call_extern(#name, ::fluorite::type_of<result>(), {}, {}, {});                      \
    }
#define FLUORITE_EXTERN_1(result, name, t1)                                                                            \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1) {                                                  \
        return ::fluorite::detail::call_extern(#name, ::fluorite::type_of<result>(), {::fluorite::type_of<t1>()},      \
                                               {a1.expr}, a1.location);                                                \
    }
#define FLUORITE_EXTERN_2(result, name, t1, t2)                                                                        \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2) {               \
        return ::fluorite::detail::call_extern(#name, ::fluorite::type_of<result>(),                                   \
                                               {::fluorite::type_of<t1>(), ::fluorite::type_of<t2>()},                 \
                                               {a1.expr, a2.expr}, a1.location);                                       \
    }
#define FLUORITE_EXTERN_3(result, name, t1, t2, t3)                                                                    \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2,                 \
                                 const ::fluorite::LocatedExpr &a3) {                                                  \
        return ::fluorite::detail::call_extern(                                                                        \
            #name, ::fluorite::type_of<result>(),                                                                      \
            {::fluorite::type_of<t1>(), ::fluorite::type_of<t2>(), ::fluorite::type_of<t3>()},                         \
            {a1.expr, a2.expr, a3.expr}, a1.location);                                                                 \
    }
#define FLUORITE_EXTERN_4(result, name, t1, t2, t3, t4)                                                                \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2,                 \
                                 const ::fluorite::LocatedExpr &a3, const ::fluorite::LocatedExpr &a4) {               \
        return ::fluorite::detail::call_extern(#name, ::fluorite::type_of<result>(),                                   \
                                               {::fluorite::type_of<t1>(), ::fluorite::type_of<t2>(),                  \
                                                ::fluorite::type_of<t3>(), ::fluorite::type_of<t4>()},                 \
                                               {a1.expr, a2.expr, a3.expr, a4.expr}, a1.location);                     \
    }
#define FLUORITE_EXTERN_5(result, name, t1, t2, t3, t4, t5)                                                            \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2,                 \
                                 const ::fluorite::LocatedExpr &a3, const ::fluorite::LocatedExpr &a4,                 \
                                 const ::fluorite::LocatedExpr &a5) {                                                  \
        return ::fluorite::detail::call_extern(#name, ::fluorite::type_of<result>(),                                   \
                                               {::fluorite::type_of<t1>(), ::fluorite::type_of<t2>(),                  \
                                                ::fluorite::type_of<t3>(), ::fluorite::type_of<t4>(),                  \
                                                ::fluorite::type_of<t5>()},                                            \
                                               {a1.expr, a2.expr, a3.expr, a4.expr, a5.expr}, a1.location);            \
    }
