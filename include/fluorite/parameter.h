#pragma once
// Parameter: an input of a pipeline, scalar or buffer, whose kind and type are known when the program runs. Param<T>
// and ImageParam are the handles for kinds that are known when it is compiled; all three are handles to one object.

#include "fluorite/require_cxx17.h"

#include "fluorite/argument.h"
#include "fluorite/float16.h"
#include "fluorite/located.h"
#include "fluorite/ref.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/schedule_types.h"

#include <cstring>
#include <string>
#include <vector>

namespace fluorite {

/// What a program has promised about one dimension of a buffer, and what automatic schedules assume of it. Undefined:
/// nothing.
struct BufferConstraint {
    Expr min, extent, stride;
    Expr min_estimate, extent_estimate;
};

/// A handle to an input. Functions of scalars throw CompileError [parameter-kind] for a buffer and those of buffers for
/// a scalar; all but defined() and comparisons throw it for an undefined handle.
class Parameter {
  public:
    /// An undefined handle.
    Parameter() = default;
    /// A new input: a buffer of elements of this type and of this rank, or a scalar, whose rank is 0. The name is that
    /// of the argument of compiled functions; without one, it is made. Throws CompileError as Param and ImageParam.
    Parameter(const Type &type, bool is_buffer, detail::Integer dimensions,
              const Location &location = Location::current())
        : Parameter(type, is_buffer, dimensions, std::string(), location) {}
    Parameter(const Type &type, bool is_buffer, detail::Integer dimensions, const std::string &name,
              const Location &location = Location::current());
    /// Of an object of the library.
    explicit Parameter(detail::Ref<ir::Parameter> contents) : contents_(std::move(contents)) {}

    /// Whether there is an object behind it, and whether both have the same one.
    bool defined() const { return static_cast<bool>(contents_); }
    bool same_as(const Parameter &other) const { return contents_ == other.contents_; }
    /// An order, for keys of containers only.
    bool operator<(const Parameter &other) const { return contents_ < other.contents_; }

    /// The type of the scalar or of the elements, the rank, which is 0 for a scalar, the name, and the kind.
    fluorite::Type type(const Location &location = Location::current()) const;
    int dimensions(const Location &location = Location::current()) const;
    const std::string &name(const Location &location = Location::current()) const;
    bool is_buffer(const Location &location = Location::current()) const;

    // ---- Scalars.
    /// The value. Throws RuntimeError [unset-param] if none is set, [value-type] if T is not the type of the scalar.
    template <typename T> T scalar(const Location &location = Location::current()) const {
        const uint64_t bits = scalar_bits(type_of<T>(), location);
        T value;
        std::memcpy(&value, &bits, sizeof(T));
        return value;
    }
    /// The value as a constant.
    Expr scalar_expr(const Location &location = Location::current()) const;
    /// Whether it is a scalar that has a value.
    bool has_scalar_value() const;
    /// Sets the value. Throws RuntimeError [value-type] if it has not the type of the scalar.
    template <typename T> void set_scalar(T value, const Location &location = Location::current()) {
        uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof(T));
        set_scalar_bits(type_of<T>(), bits, location);
    }
    void set_scalar(const fluorite::Type &type, fluorite_scalar_value_t value,
                    const Location &location = Location::current());
    /// The least and greatest value that a run accepts, and the value that automatic schedules assume; undefined if not
    /// set. As Param::set_min_value.
    void set_min_value(const LocatedExpr &min);
    void set_max_value(const LocatedExpr &max);
    void set_estimate(const LocatedExpr &value);
    Expr min_value(const Location &location = Location::current()) const;
    Expr max_value(const Location &location = Location::current()) const;
    Expr estimate(const Location &location = Location::current()) const;
    /// The value that callers of a compiled function may take, which its metadata have. It is none of JIT runs.
    void set_default_value(const LocatedExpr &value);
    Expr default_value(const Location &location = Location::current()) const;

    // ---- Buffers.
    /// The buffer that runs read; undefined if there is none. As ImageParam::set; an undefined one unbinds it.
    Buffer<void, -1> buffer(const Location &location = Location::current()) const;
    void set_buffer(const Buffer<void, -1> &buffer, const Location &location = Location::current());
    /// As members of Dimension. A stride constraint that was never set is 1 in dimension 0.
    void set_min_constraint(int dimension, const LocatedExpr &min);
    void set_extent_constraint(int dimension, const LocatedExpr &extent);
    void set_stride_constraint(int dimension, const LocatedExpr &stride);
    void set_min_constraint_estimate(int dimension, const LocatedExpr &min);
    void set_extent_constraint_estimate(int dimension, const LocatedExpr &extent);
    Expr min_constraint(int dimension, const Location &location = Location::current()) const;
    Expr extent_constraint(int dimension, const Location &location = Location::current()) const;
    Expr stride_constraint(int dimension, const Location &location = Location::current()) const;
    Expr min_constraint_estimate(int dimension, const Location &location = Location::current()) const;
    Expr extent_constraint_estimate(int dimension, const Location &location = Location::current()) const;
    /// All of them, one for each dimension.
    std::vector<BufferConstraint> buffer_constraints(const Location &location = Location::current()) const;
    /// As ImageParam::set_host_alignment, store_in and trace_loads.
    void set_host_alignment(int bytes, const Location &location = Location::current());
    int host_alignment(const Location &location = Location::current()) const;
    void store_in(MemoryType memory, const Location &location = Location::current());
    MemoryType memory_type(const Location &location = Location::current()) const;
    void trace_loads(const Location &location = Location::current());
    bool is_tracing_loads(const Location &location = Location::current()) const;

    /// What the metadata of a compiled function say of it.
    ArgumentEstimates get_argument_estimates(const Location &location = Location::current()) const;

    /// What the copies share; for the library.
    const detail::Ref<ir::Parameter> &contents() const { return contents_; }

  private:
    ir::Parameter &needed(const char *seen, const Location &location) const;
    ir::Parameter &scalar_needed(const char *seen, const Location &location) const;
    ir::Parameter &buffer_needed(const char *seen, const Location &location) const;
    uint64_t scalar_bits(const fluorite::Type &type, const Location &location) const;
    void set_scalar_bits(const fluorite::Type &type, uint64_t bits, const Location &location);

    detail::Ref<ir::Parameter> contents_;
};

} // namespace fluorite
