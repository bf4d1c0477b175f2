#pragma once
// Param: a scalar input of a pipeline that may change between runs. Param<> is one whose type is known at run time.

#include "fluorite/require_cxx17.h"

#include "fluorite/argument.h"
#include "fluorite/float16.h"
#include "fluorite/located.h"
#include "fluorite/parameter.h"
#include "fluorite/ref.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fluorite {

namespace detail {

/// The type-independent part of a Param.
class ParamBase {
  public:
    // Copies only: what is moved from is a handle to the same parameter still.
    ParamBase(const ParamBase &) = default;
    ParamBase &operator=(const ParamBase &) = default;

    /// The name, which is that of the argument of compiled functions, and the type.
    const std::string &name() const;
    fluorite::Type type() const;

    /// The least and greatest value that a run accepts; undefined if not set. A run with another value throws
    /// RuntimeError. Constant limits with min > max throw CompileError [reversed-limits].
    Expr min_value() const;
    Expr max_value() const;
    void set_min_value(const LocatedExpr &min);
    void set_max_value(const LocatedExpr &max);
    void set_range(const LocatedExpr &min, const LocatedExpr &max);

    /// The value, in definitions; the argument of compiled functions.
    operator Expr() const;                                                // NOLINT(google-explicit-constructor)
    operator Argument() const { return Argument(parameter_.contents()); } // NOLINT(google-explicit-constructor)
    /// The handle without a static type.
    const Parameter &parameter() const { return parameter_; }
    Parameter &parameter() { return parameter_; }

  protected:
    ParamBase(fluorite::Type type, const std::string &name, const Location &location);
    explicit ParamBase(Parameter parameter) : parameter_(std::move(parameter)) {}
    /// Throws CompileError [parameter-kind] unless the type is this one.
    void check_type(fluorite::Type wanted, const Location &location) const;
    uint64_t value_bits(const Location &location) const;
    void set_value_bits(uint64_t bits);
    void set_estimate_expr(const Expr &value);
    Expr estimate_expr() const;

  private:
    void set_limits(const Expr &min, const Expr &max, const Location &location);
    ir::Parameter &contents() const { return *parameter_.contents(); }

    Parameter parameter_;
};

/// Calls `use` with a value of the C++ type for a type of scalars; a pointer is a void *.
template <typename Use> void with_scalar_type(fluorite::Type type, const Use &use) {
    const auto choose = [&](auto narrow, auto half, auto single, auto wide) {
        type.bits() == 8 ? use(narrow) : type.bits() == 16 ? use(half) : type.bits() == 32 ? use(single) : use(wide);
    };
    switch (type.code()) {
    case TypeCode::Int:
        return choose(int8_t(), int16_t(), int32_t(), int64_t());
    case TypeCode::UInt:
        return type.is_bool() ? use(false) : choose(uint8_t(), uint16_t(), uint32_t(), uint64_t());
    case TypeCode::Float:
        return choose(float(), float16_t(), float(), double());
    case TypeCode::BFloat:
        return use(bfloat16_t());
    case TypeCode::Handle:
        return use(static_cast<void *>(nullptr));
    }
}

} // namespace detail

/// A scalar of C++ type T (any integer, bool, float16_t, bfloat16_t, float, double, or a pointer). Copies share the
/// value.
template <typename T = void> class Param : public detail::ParamBase {
  public:
    using Scalar = T;
    /// Whether T says the type, and the type that it says.
    static constexpr bool has_static_type = true;
    static fluorite::Type static_type() { return type_of<T>(); }

    /// With a name, which compiled functions have for the argument (one is made without it), a value, and limits: a run
    /// with a value outside of min .. max throws RuntimeError. Values are checked as by set().
    Param(const Location &location = Location::current()) // NOLINT(google-explicit-constructor)
        : ParamBase(type_of<T>(), "", location) {}
    explicit Param(const std::string &name, const Location &location = Location::current())
        : ParamBase(type_of<T>(), name, location) {}
    explicit Param(const char *name, const Location &location = Location::current())
        : ParamBase(type_of<T>(), name, location) {}
    template <typename U = T, std::enable_if_t<!std::is_pointer_v<U>, int> = 0> Param(std::nullptr_t) = delete;
    template <typename U, std::enable_if_t<detail::can_set<U, T>, int> = 0>
    explicit Param(U value, const Location &location = Location::current()) : ParamBase(type_of<T>(), "", location) {
        set(value, location);
    }
    template <typename U, std::enable_if_t<detail::can_set<U, T>, int> = 0>
    Param(const std::string &name, U value, const Location &location = Location::current())
        : ParamBase(type_of<T>(), name, location) {
        set(value, location);
    }
    template <typename U, std::enable_if_t<detail::can_set<U, T>, int> = 0>
    Param(U value, const LocatedExpr &min, const LocatedExpr &max) : ParamBase(type_of<T>(), "", min.location) {
        set_range(min, max);
        set(value, min.location);
    }
    template <typename U, std::enable_if_t<detail::can_set<U, T>, int> = 0>
    Param(const std::string &name, U value, const LocatedExpr &min, const LocatedExpr &max)
        : ParamBase(type_of<T>(), name, min.location) {
        set_range(min, max);
        set(value, min.location);
    }

    /// Another handle to the same parameter. Throws CompileError [parameter-kind] if it has another type.
    Param(const Param<void> &other, const Location &location = Location::current()); // NOLINT

    /// The current value. Throws RuntimeError [unset-param] if none was set, as a run does.
    T get(const Location &location = Location::current()) const {
        const uint64_t bits = value_bits(location);
        T value;
        std::memcpy(&value, &bits, sizeof(T));
        return value;
    }
    template <typename U> U get(const Location &location = Location::current()) const {
        return static_cast<U>(get(location));
    }
    /// Throws RuntimeError [literal-out-of-range] if T cannot represent the value; floats may round.
    template <typename U, std::enable_if_t<detail::can_set<U, T>, int> = 0>
    void set(const U &value, const Location &location = Location::current()) {
        const T own = detail::exact_value<T>(value, name(), location);
        uint64_t bits = 0;
        std::memcpy(&bits, &own, sizeof(T));
        set_value_bits(bits);
    }
    /// The value that autoschedulers may assume.
    template <typename U, std::enable_if_t<detail::can_set<U, T>, int> = 0>
    void set_estimate(const U &value, const Location &location = Location::current()) {
        set_estimate_expr(Expr(detail::exact_value<T>(value, name(), location)));
    }
    Expr get_estimate() const { return estimate_expr(); }
};

/// A scalar whose type is known when the program runs. Any Param converts to it, and it to a Param of its type.
template <> class Param<void> : public detail::ParamBase {
  public:
    using Scalar = void;
    /// Nothing says the type; that of no bits stands for it.
    static constexpr bool has_static_type = false;
    static fluorite::Type static_type() { return fluorite::Type(); }

    /// Of this type; without a name, one is made.
    explicit Param(fluorite::Type type, const Location &location = Location::current()) : Param(type, "", location) {}
    Param(fluorite::Type type, const std::string &name, const Location &location = Location::current())
        : ParamBase(Parameter(type, false, 0, name, location)) {}
    /// A handle to a scalar. Throws CompileError [parameter-kind] for an undefined Parameter and for a buffer.
    explicit Param(const Parameter &parameter, const Location &location = Location::current());
    /// Another handle to the same parameter.
    template <typename T> Param(const Param<T> &other) : ParamBase(other.parameter()) {} // NOLINT

    /// The current value. Throws RuntimeError [unset-param] if none was set, CompileError [parameter-kind] if its type
    /// is not that of T.
    template <typename T> T get(const Location &location = Location::current()) const {
        return parameter().template scalar<T>(location);
    }
    /// Throws RuntimeError [literal-out-of-range] if the type cannot represent the value; floats may round. Throws
    /// CompileError [parameter-kind] for a number where the type is that of pointers, and for a pointer where it is
    /// not.
    template <typename U> void set(const U &value, const Location &location = Location::current()) {
        as_own_type(value, location, [&](auto own) { parameter().set_scalar(own, location); });
    }
    /// The value that autoschedulers may assume; errors as of set().
    template <typename U> void set_estimate(const U &value, const Location &location = Location::current()) {
        as_own_type(value, location, [&](auto own) {
            if constexpr (!std::is_pointer_v<decltype(own)>) {
                set_estimate_expr(Expr(own));
            }
        });
    }
    Expr get_estimate() const { return estimate_expr(); }

  private:
    template <typename U, typename Use> void as_own_type(const U &value, const Location &location, const Use &use) {
        if constexpr (std::is_convertible_v<const U &, const volatile void *>) {
            check_type(Handle(), location);
            use(const_cast<void *>(static_cast<const volatile void *>(value)));
        } else if constexpr (std::is_same_v<U, float16_t> || std::is_same_v<U, bfloat16_t>) {
            as_own_type(static_cast<double>(value), location, use); // which is exact
        } else {
            detail::with_scalar_type(type(), [&](auto zero) {
                if constexpr (std::is_pointer_v<decltype(zero)>) {
                    check_type(type_of<U>(), location);
                } else {
                    use(detail::exact_value<decltype(zero)>(value, name(), location));
                }
            });
        }
    }
};

template <typename T>
Param<T>::Param(const Param<void> &other, const Location &location) : ParamBase(other.parameter()) {
    check_type(type_of<T>(), location);
}

} // namespace fluorite
