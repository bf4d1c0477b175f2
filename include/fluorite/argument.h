#pragma once
// Argument: one input or output of an ahead-of-time compiled pipeline.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/rdom.h"
#include "fluorite/ref.h"
#include "fluorite/type.h"

#include <string>
#include <vector>

namespace fluorite {

template <typename T, int Dims> class Buffer;
namespace detail {
/// What stands for a Buffer where an algorithm reads it. Throws CompileError [undefined-input] for an undefined one.
Ref<ir::Parameter> parameter_of(const Buffer<void, -1> &buffer, const Location &location);
} // namespace detail

/// What the metadata of a compiled function say of an argument beside its type. Undefined: nothing.
struct ArgumentEstimates {
    /// Of a scalar: the value that callers may take, the limits that a run accepts, and the value that automatic
    /// schedules assume.
    Expr scalar_def, scalar_min, scalar_max, scalar_estimate;
    /// Of a buffer: the range of each dimension that automatic schedules assume, or none at all.
    Region buffer_estimates;

    /// Whether all are equal expressions.
    bool operator==(const ArgumentEstimates &other) const;
    bool operator!=(const ArgumentEstimates &other) const { return !(*this == other); }
};

/// A scalar or buffer argument of a compiled function. Param, ImageParam and Buffer convert to it.
struct Argument {
    enum Kind { InputScalar = 0, InputBuffer = 1, OutputBuffer = 2 };

    std::string name;
    Kind kind = InputScalar;
    int dimensions = 0;
    Type type;
    detail::Ref<ir::Parameter> parameter; // null where the argument is declared by name only
    /// Those of the parameter. Where an argument is declared by name only and the pipeline reads a parameter of that
    /// name, the metadata have the parameter's.
    ArgumentEstimates argument_estimates;

    Argument() = default;
    /// An argument by name only; for buffers, `type` is that of the elements.
    Argument(const std::string &name, Kind kind, const Type &type, int dimensions,
             const ArgumentEstimates &argument_estimates = {})
        : name(name), kind(kind), dimensions(dimensions), type(type), argument_estimates(argument_estimates) {}
    /// The argument that stands for a Param or ImageParam.
    explicit Argument(const detail::Ref<ir::Parameter> &parameter);
    /// The argument that stands for a Buffer which the algorithm reads: callers pass another one in its place.
    template <typename T, int Dims>
    Argument(const Buffer<T, Dims> &buffer, // NOLINT(google-explicit-constructor)
             const Location &location = Location::current())
        : Argument(detail::parameter_of(buffer, location)) {}

    bool operator==(const Argument &other) const {
        return name == other.name && kind == other.kind && dimensions == other.dimensions && type == other.type &&
               argument_estimates == other.argument_estimates;
    }
    bool operator!=(const Argument &other) const { return !(*this == other); }

    /// What its kind says: one of the first two holds, and one of the last two.
    bool is_buffer() const { return kind != InputScalar; }
    bool is_scalar() const { return kind == InputScalar; }
    bool is_input() const { return kind != OutputBuffer; }
    bool is_output() const { return kind == OutputBuffer; }
};

/// The argument for the user context.
Argument user_context_argument();

} // namespace fluorite
