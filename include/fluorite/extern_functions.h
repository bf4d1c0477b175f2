#pragma once
// C functions in expressions: FLUORITE_EXTERN_1(float, my_curve, float) declares my_curve(Expr), which calls the C
// function of that name. The function must be pure: it may be called any number of times, in any order, or not at all.
// If it throws or calls fluorite_error_extern_function_failed, the run ends with that error once the task that called
// it has ended.

#include "fluorite/require_cxx17.h"

#include "fluorite/located.h"
#include "fluorite/runtime_abi.h"

#include <exception>
#include <string>
#include <type_traits>
#include <vector>

namespace fluorite {

/// The context of a run, as a Handle: its JITUserContext, or what a caller of compiled code passes for the target
/// feature user_context; null without one. For arguments of extern functions.
Expr user_context_value();

} // namespace fluorite

namespace fluorite::detail {

/// A call of a C function; converts operands to the parameter types.
Expr call_extern(const std::string &name, Type result, const std::vector<Type> &parameters,
                 const std::vector<Expr> &args, const Location &location);
/// Registers the address with the JIT, for functions that the program does not export.
bool register_extern(const std::string &name, void *address);
/// Generated code cannot be unwound, so an exception of the function is kept and 0 returned.
template <auto function> struct Guarded;
template <typename R, typename... A, R (*function)(A...)> struct Guarded<function> {
    static inline const char *called = "";
    static R call(A... args) {
        try {
            return function(args...);
        } catch (const std::exception &error) {
            fluorite_error_extern_function_failed(nullptr, called, error.what());
        } catch (...) {
            fluorite_error_extern_function_failed(nullptr, called, "it threw something that is no std::exception");
        }
        return R();
    }
};
/// A list of types for deduction, and the list as values.
template <typename... T> struct Types {};
template <typename... T> std::vector<Type> types_of() { return {type_of<T>()...}; }
/// Registers the function of this type for which `register_function` can be called with a null pointer, if there is
/// one.
template <typename Register, typename R, typename... A>
bool register_if_declared(const Register &register_function, Types<R, A...>) {
    if constexpr (std::is_invocable_v<const Register &, R (*)(A...)>) {
        return register_function(static_cast<R (*)(A...)>(nullptr));
    } else {
        return false;
    }
}
/// The address registered for the name, or null.
void *find_extern(const std::string &name);

} // namespace fluorite::detail

// If the C function is declared before the macro, its address is registered with the JIT; otherwise the program must
// export it.
#define FLUORITE_EXTERN_CALL_(result, name, operands, place, ...)                                                      \
    [[maybe_unused]] static const bool is_registered = ::fluorite::detail::register_if_declared(                       \
        [](auto type) -> decltype(static_cast<decltype(type)>(&name), true) {                                          \
            using Function = ::fluorite::detail::Guarded<static_cast<decltype(type)>(&name)>;                          \
            Function::called = #name;                                                                                  \
            return ::fluorite::detail::register_extern(#name, reinterpret_cast<void *>(&Function::call));              \
        },                                                                                                             \
        ::fluorite::detail::Types<result, __VA_ARGS__>());                                                             \
    return ::fluorite::detail::call_extern(#name, ::fluorite::type_of<result>(),                                       \
                                           ::fluorite::detail::types_of<__VA_ARGS__>(), operands, place)

#define FLUORITE_LIST_(...) {__VA_ARGS__}

#define FLUORITE_EXTERN_1(result, name, t1)                                                                            \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1) {                                                  \
        FLUORITE_EXTERN_CALL_(result, name, FLUORITE_LIST_(a1.expr), a1.location, t1);                                 \
    }

#define FLUORITE_EXTERN_2(result, name, t1, t2)                                                                        \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2) {               \
        FLUORITE_EXTERN_CALL_(result, name, FLUORITE_LIST_(a1.expr, a2.expr), a1.location, t1, t2);                    \
    }

#define FLUORITE_EXTERN_3(result, name, t1, t2, t3)                                                                    \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2,                 \
                                 const ::fluorite::LocatedExpr &a3) {                                                  \
        FLUORITE_EXTERN_CALL_(result, name, FLUORITE_LIST_(a1.expr, a2.expr, a3.expr), a1.location, t1, t2, t3);       \
    }

#define FLUORITE_EXTERN_4(result, name, t1, t2, t3, t4)                                                                \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2,                 \
                                 const ::fluorite::LocatedExpr &a3, const ::fluorite::LocatedExpr &a4) {               \
        FLUORITE_EXTERN_CALL_(result, name, FLUORITE_LIST_(a1.expr, a2.expr, a3.expr, a4.expr), a1.location, t1, t2,   \
                              t3, t4);                                                                                 \
    }

#define FLUORITE_EXTERN_5(result, name, t1, t2, t3, t4, t5)                                                            \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2,                 \
                                 const ::fluorite::LocatedExpr &a3, const ::fluorite::LocatedExpr &a4,                 \
                                 const ::fluorite::LocatedExpr &a5) {                                                  \
        FLUORITE_EXTERN_CALL_(result, name, FLUORITE_LIST_(a1.expr, a2.expr, a3.expr, a4.expr, a5.expr), a1.location,  \
                              t1, t2, t3, t4, t5);                                                                     \
    }

#define FLUORITE_EXTERN_6(result, name, t1, t2, t3, t4, t5, t6)                                                        \
    inline ::fluorite::Expr name(const ::fluorite::LocatedExpr &a1, const ::fluorite::LocatedExpr &a2,                 \
                                 const ::fluorite::LocatedExpr &a3, const ::fluorite::LocatedExpr &a4,                 \
                                 const ::fluorite::LocatedExpr &a5, const ::fluorite::LocatedExpr &a6) {               \
        FLUORITE_EXTERN_CALL_(result, name, FLUORITE_LIST_(a1.expr, a2.expr, a3.expr, a4.expr, a5.expr, a6.expr),      \
                              a1.location, t1, t2, t3, t4, t5, t6);                                                    \
    }
