#pragma once
// Param: a scalar input of a pipeline that may change between runs.

#include "fluorite/require_cxx17.h"

#include "fluorite/argument.h"
#include "fluorite/float16.h"
#include "fluorite/located.h"
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
    operator Expr() const;                                     // NOLINT(google-explicit-constructor)
    operator Argument() const { return Argument(parameter_); } // NOLINT(google-explicit-constructor)
    /// What the copies share; for the library.
    const Ref<ir::Parameter> &parameter() const { return parameter_; }

  protected:
    ParamBase(fluorite::Type type, const std::string &name, const Location &location);
    uint64_t value_bits(const Location &location) const;
    void set_value_bits(uint64_t bits);
    void set_estimate_expr(const Expr &value);
    Expr estimate_expr() const;

  private:
    void set_limits(const Expr &min, const Expr &max, const Location &location);

    Ref<ir::Parameter> parameter_;
};

} // namespace detail

/// A scalar of C++ type T (any integer, bool, float16_t, bfloat16_t, float, double, or a pointer). Copies share the
/// value.
template <typename T> class Param : public detail::ParamBase {
  public:
    using Scalar = T;

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

} // namespace fluorite
