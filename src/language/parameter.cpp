// Parameter: the handle to ir::Parameter whose kind and type are known at run time. What it sets, it sets through the
// handles of one kind, so that all have the same checks.

#include "fluorite/parameter.h"

#include "fluorite/buffer.h"
#include "fluorite/image_param.h"
#include "fluorite/param.h"
#include "ir/c_abi.h"
#include "ir/parameter.h"
#include "ir/parameter_value.h"
#include "language/function.h"
#include "language/operands.h"

#include <algorithm>

namespace fluorite {

using namespace language;

namespace {

[[noreturn]] void refuse(const std::string &name, const std::string &text, const Location &location) {
    fail("parameter-kind", name, text, location);
}

/// A Param of a type that is known at run time.
class ScalarParam : public detail::ParamBase {
  public:
    ScalarParam(const Type &type, const std::string &name, const Location &location)
        : ParamBase(type, name, location) {}
};

detail::Ref<ir::Parameter> make_parameter(const Type &type, bool is_buffer, int dimensions, const std::string &name,
                                          const Location &location) {
    if (is_buffer) {
        return ImageParam(type, dimensions, name, location).parameter().contents();
    }
    const std::string shown = name.empty() ? "a Parameter" : shown_name(name);
    if (dimensions != 0) {
        refuse(shown,
               concat("a scalar is given ", dimensions,
                      " dimensions; only buffers have some; give it 0, or make it a buffer"),
               location);
    }
    if (type != Handle()) {
        check_element_type(type, shown, location);
    }
    return ScalarParam(type, name, location).parameter().contents();
}

} // namespace

Parameter::Parameter(const Type &type, bool is_buffer, detail::Integer dimensions, const std::string &name,
                     const Location &location)
    : contents_(make_parameter(type, is_buffer, dimensions, name, location)) {}

ir::Parameter &Parameter::needed(const char *seen, const Location &location) const {
    if (!contents_) {
        refuse("an undefined Parameter",
               concat(seen, "; an input has a kind and a type; construct it as Parameter(type, is_buffer, dimensions)"),
               location);
    }
    return *contents_;
}
ir::Parameter &Parameter::scalar_needed(const char *seen, const Location &location) const {
    ir::Parameter &parameter = needed(seen, location);
    if (parameter.is_buffer) {
        refuse(shown_name(parameter.name),
               concat(seen, ", and it is a buffer; only scalars have one; use the function for buffers"), location);
    }
    return parameter;
}
ir::Parameter &Parameter::buffer_needed(const char *seen, const Location &location) const {
    ir::Parameter &parameter = needed(seen, location);
    if (!parameter.is_buffer) {
        refuse(shown_name(parameter.name),
               concat(seen, ", and it is a scalar; only buffers have one; use the function for scalars"), location);
    }
    return parameter;
}

Type Parameter::type(const Location &location) const { return needed("its type is asked for", location).type; }
int Parameter::dimensions(const Location &location) const {
    return needed("its rank is asked for", location).dimensions;
}
const std::string &Parameter::name(const Location &location) const {
    return needed("its name is asked for", location).name;
}
bool Parameter::is_buffer(const Location &location) const {
    return needed("its kind is asked for", location).is_buffer;
}

// ---- Scalars.

namespace {
void check_scalar_type(const ir::Parameter &parameter, const Type &type, const char *seen, const Location &location) {
    if (type != parameter.type) {
        refuse(shown_name(parameter.name),
               concat("its value is ", seen, " as ", type, ", and its type is ", parameter.type,
                      "; a Parameter converts nothing; use its type"),
               location);
    }
}
} // namespace

uint64_t Parameter::scalar_bits(const Type &type, const Location &location) const {
    const ir::Parameter &parameter = scalar_needed("its value is asked for", location);
    check_scalar_type(parameter, type, "asked for", location);
    if (!parameter.has_value) {
        throw RuntimeError("unset-param",
                           concat("in ", shown_name(parameter.name),
                                  ": its value is asked for; it has none before set_scalar() is called; set one"),
                           location);
    }
    return parameter.value_bits;
}

void Parameter::set_scalar_bits(const Type &type, uint64_t bits, const Location &location) {
    ir::Parameter &parameter = scalar_needed("its value is set", location);
    check_scalar_type(parameter, type, "set", location);
    parameter.value_bits = bits;
    parameter.has_value = true;
}

void Parameter::set_scalar(const Type &type, fluorite_scalar_value_t value, const Location &location) {
    const int bits = 8 * type.bytes();
    set_scalar_bits(type, bits < 64 ? value.u.u64 & ((uint64_t{1} << bits) - 1) : value.u.u64, location);
}

Expr Parameter::scalar_expr(const Location &location) const {
    const ir::Parameter &parameter = scalar_needed("its value is asked for", location);
    if (parameter.type.is_handle()) {
        refuse(shown_name(parameter.name),
               "its value is asked for as an Expr, and it is a pointer; expressions have no constant pointers; use "
               "scalar<void *>()",
               location);
    }
    scalar_bits(parameter.type, location);
    return ir::value_of(parameter);
}

bool Parameter::has_scalar_value() const { return contents_ && !contents_->is_buffer && contents_->has_value; }

void Parameter::set_min_value(const LocatedExpr &min) {
    scalar_needed("its least value is set", min.location);
    Param<>(*this).set_min_value(min);
}
void Parameter::set_max_value(const LocatedExpr &max) {
    scalar_needed("its greatest value is set", max.location);
    Param<>(*this).set_max_value(max);
}
Expr Parameter::min_value(const Location &location) const {
    return scalar_needed("its least value is asked for", location).min_value;
}
Expr Parameter::max_value(const Location &location) const {
    return scalar_needed("its greatest value is asked for", location).max_value;
}

namespace {
/// A constant of the parameter's type; undefined for an undefined operand.
Expr constant_for(const ir::Parameter &parameter, const char *what, const LocatedExpr &value) {
    if (!value.expr.defined()) {
        return value.expr;
    }
    const Site site{"Parameter", value.location};
    const Expr constant =
        value.is_literal ? literal_as(site, parameter.type, value) : convert(parameter.type, checked(site, value));
    if (!ir::is_const(constant)) {
        refuse(shown_name(parameter.name),
               concat(what, " is to be ", user_text(value.expr), "; metadata have numbers; give a constant"),
               value.location);
    }
    return constant;
}
} // namespace

void Parameter::set_estimate(const LocatedExpr &value) {
    ir::Parameter &parameter = scalar_needed("its estimate is set", value.location);
    parameter.estimate = constant_for(parameter, "its estimate", value);
}
Expr Parameter::estimate(const Location &location) const {
    return scalar_needed("its estimate is asked for", location).estimate;
}
void Parameter::set_default_value(const LocatedExpr &value) {
    ir::Parameter &parameter = scalar_needed("its default value is set", value.location);
    parameter.default_value = constant_for(parameter, "its default value", value);
}
Expr Parameter::default_value(const Location &location) const {
    return scalar_needed("its default value is asked for", location).default_value;
}

// ---- Buffers.

Buffer<void, -1> Parameter::buffer(const Location &location) const {
    buffer_needed("its buffer is asked for", location);
    return ImageParam(*this, location).get();
}
void Parameter::set_buffer(const Buffer<void, -1> &buffer, const Location &location) {
    buffer_needed("a buffer is set", location);
    ImageParam(*this, location).set(buffer, location);
}

void Parameter::set_min_constraint(int dimension, const LocatedExpr &min) {
    buffer_needed("a least coordinate is set", min.location);
    ImageParam(*this, min.location).dim(dimension, min.location).set_min(min);
}
void Parameter::set_extent_constraint(int dimension, const LocatedExpr &extent) {
    buffer_needed("an extent is set", extent.location);
    ImageParam(*this, extent.location).dim(dimension, extent.location).set_extent(extent);
}
void Parameter::set_stride_constraint(int dimension, const LocatedExpr &stride) {
    buffer_needed("a stride is set", stride.location);
    ImageParam(*this, stride.location).dim(dimension, stride.location).set_stride(stride);
}
void Parameter::set_min_constraint_estimate(int dimension, const LocatedExpr &min) {
    buffer_needed("the estimate of a least coordinate is set", min.location);
    ImageParam(*this, min.location).dim(dimension, min.location).set_min_estimate(min);
}
void Parameter::set_extent_constraint_estimate(int dimension, const LocatedExpr &extent) {
    buffer_needed("the estimate of an extent is set", extent.location);
    ImageParam(*this, extent.location).dim(dimension, extent.location).set_extent_estimate(extent);
}

namespace {
BufferConstraint described_constraint(const ir::Parameter &parameter, size_t dimension) {
    const ir::DimConstraint &dim = parameter.dims[dimension];
    BufferConstraint result{dim.min, dim.extent, dim.stride, dim.min_estimate, dim.extent_estimate};
    if (dim.allows_any_stride()) {
        result.stride = Expr();
    } else if (!dim.stride.defined() && dimension == 0) {
        result.stride = Expr(1);
    }
    return result;
}

BufferConstraint constraint_at(const Parameter &parameter, int dimension, const Location &location) {
    ImageParam(parameter, location).dim(dimension, location); // which checks the dimension
    return described_constraint(*parameter.contents(), static_cast<size_t>(dimension));
}
} // namespace

Expr Parameter::min_constraint(int dimension, const Location &location) const {
    buffer_needed("a least coordinate is asked for", location);
    return constraint_at(*this, dimension, location).min;
}
Expr Parameter::extent_constraint(int dimension, const Location &location) const {
    buffer_needed("an extent is asked for", location);
    return constraint_at(*this, dimension, location).extent;
}
Expr Parameter::stride_constraint(int dimension, const Location &location) const {
    buffer_needed("a stride is asked for", location);
    return constraint_at(*this, dimension, location).stride;
}
Expr Parameter::min_constraint_estimate(int dimension, const Location &location) const {
    buffer_needed("the estimate of a least coordinate is asked for", location);
    return constraint_at(*this, dimension, location).min_estimate;
}
Expr Parameter::extent_constraint_estimate(int dimension, const Location &location) const {
    buffer_needed("the estimate of an extent is asked for", location);
    return constraint_at(*this, dimension, location).extent_estimate;
}

std::vector<BufferConstraint> Parameter::buffer_constraints(const Location &location) const {
    const ir::Parameter &parameter = buffer_needed("its constraints are asked for", location);
    std::vector<BufferConstraint> all;
    for (size_t d = 0; d < parameter.dims.size(); d++) {
        all.push_back(described_constraint(parameter, d));
    }
    return all;
}

void Parameter::set_host_alignment(int bytes, const Location &location) {
    buffer_needed("an alignment is set", location);
    ImageParam(*this, location).set_host_alignment(bytes, location);
}
int Parameter::host_alignment(const Location &location) const {
    return buffer_needed("its alignment is asked for", location).host_alignment;
}
void Parameter::store_in(MemoryType memory, const Location &location) {
    buffer_needed("its memory is chosen", location);
    ImageParam(*this, location).store_in(memory, location);
}
MemoryType Parameter::memory_type(const Location &location) const {
    return buffer_needed("its memory is asked for", location).memory;
}
void Parameter::trace_loads(const Location &location) {
    buffer_needed("its loads are to be traced", location);
    ImageParam(*this, location).trace_loads(location);
}
bool Parameter::is_tracing_loads(const Location &location) const {
    return buffer_needed("whether its loads are traced is asked for", location).trace_loads;
}

// ---- What metadata say.

ArgumentEstimates Parameter::get_argument_estimates(const Location &location) const {
    const ir::Parameter &parameter = needed("its estimates are asked for", location);
    ArgumentEstimates estimates;
    if (!parameter.is_buffer) {
        const Expr &given = parameter.default_value;
        estimates = {given.defined() ? given : ir::value_of(parameter),
                     parameter.min_value,
                     parameter.max_value,
                     parameter.estimate,
                     {}};
        return estimates;
    }
    for (const ir::DimConstraint &dim : parameter.dims) {
        estimates.buffer_estimates.emplace_back(ir::min_estimate_of(dim), ir::extent_estimate_of(dim));
    }
    const auto is_undefined = [](const Range &range) { return !range.min.defined() && !range.extent.defined(); };
    if (std::all_of(estimates.buffer_estimates.begin(), estimates.buffer_estimates.end(), is_undefined)) {
        estimates.buffer_estimates.clear();
    }
    return estimates;
}

bool ArgumentEstimates::operator==(const ArgumentEstimates &other) const {
    return ir::equal(scalar_def, other.scalar_def) && ir::equal(scalar_min, other.scalar_min) &&
           ir::equal(scalar_max, other.scalar_max) && ir::equal(scalar_estimate, other.scalar_estimate) &&
           std::equal(buffer_estimates.begin(), buffer_estimates.end(), other.buffer_estimates.begin(),
                      other.buffer_estimates.end(), [](const Range &a, const Range &b) {
                          return ir::equal(a.min, b.min) && ir::equal(a.extent, b.extent);
                      });
}

} // namespace fluorite
