// Param and ImageParam: handles to ir::Parameter.

#include "fluorite/param.h"

#include "fluorite/buffer.h"
#include "fluorite/image_param.h"
#include "fluorite/ops.h"
#include "ir/c_abi.h"
#include "language/coordinates.h"
#include "language/function.h"
#include "language/iteration.h"
#include "language/new_parameters.h"
#include "language/operands.h"
#include "schedule/directives/common.h"

#include <cmath>

namespace fluorite {

using namespace language;
using ir::ExprKind;
using ir::Symbol;
using ir::SymbolKind;

std::vector<detail::Ref<ir::Parameter>> *&language::new_parameters() {
    static thread_local std::vector<detail::Ref<ir::Parameter>> *list = nullptr;
    return list;
}

namespace {

void list_new(const detail::Ref<ir::Parameter> &parameter) {
    if (std::vector<detail::Ref<ir::Parameter>> *list = new_parameters()) {
        list->push_back(parameter);
    }
}

Symbol symbol_of(const ir::Parameter &parameter, bool weak = false) {
    return {parameter.is_buffer ? SymbolKind::Buffer : SymbolKind::Param, parameter.name, {}, &parameter, weak};
}

} // namespace

Expr language::without_ownership(const ir::Parameter &parameter, const Expr &expr) {
    if (!expr.defined()) {
        return expr;
    }
    return ir::transform(expr, [&](const Expr &node) -> Expr {
        if (node->kind() == ExprKind::BufferField && node->symbol().object() == &parameter) {
            return ir::make_field(symbol_of(parameter, true), node->member().field, node->member().index);
        }
        if (node->kind() == ExprKind::Variable && node->symbol().object() == &parameter) {
            return ir::make_var(node->type(), symbol_of(parameter, true));
        }
        return node;
    });
}

namespace {

[[noreturn]] void fail_undefined(const std::string &seen, const Location &location) {
    fail("undefined-input", "an undefined ImageParam",
         seen + "; an ImageParam has a type and a rank; construct it as ImageParam(type, dimensions)", location);
}

const ir::Parameter &needed(const detail::Ref<ir::Parameter> &parameter, const char *seen, const Location &location) {
    if (!parameter) {
        fail_undefined(seen, location);
    }
    return *parameter;
}

} // namespace

Argument::Argument(const detail::Ref<ir::Parameter> &parameter)
    : name(needed(parameter, "it is an argument", {}).name), kind(parameter->is_buffer ? InputBuffer : InputScalar),
      dimensions(parameter->dimensions), type(parameter->type), parameter(parameter),
      argument_estimates(Parameter(parameter).get_argument_estimates()) {}

Argument user_context_argument() { return {"__user_context", Argument::InputScalar, Handle(), 0}; }

// ---- Param.

namespace detail {

ParamBase::ParamBase(fluorite::Type type, const std::string &name, const Location &location)
    : parameter_(Ref<ir::Parameter>(new ir::Parameter)) {
    contents().name = name.empty() ? anonymous_name("p") : clean_name(name);
    contents().type = type;
    contents().location = location;
    list_new(parameter_.contents());
}

void ParamBase::check_type(fluorite::Type wanted, const Location &location) const {
    if (type() != wanted) {
        fail("parameter-kind", shown_name(name()),
             concat("it is used as a Param of type ", wanted, ", and its type is ", type(),
                    "; a handle converts nothing; use its type, or a Param<>"),
             location);
    }
}

const std::string &ParamBase::name() const { return contents().name; }
fluorite::Type ParamBase::type() const { return contents().type; }
Expr ParamBase::min_value() const { return contents().min_value; }
Expr ParamBase::max_value() const { return contents().max_value; }

namespace {
Expr limit(const ir::Parameter &parameter, const LocatedExpr &value) {
    if (!value.expr.defined()) {
        return value.expr;
    }
    const Site site{"Param range", value.location};
    const Expr operand = checked(site, value);
    const std::string unknown = schedule::unknown_at_entry(operand);
    if (!unknown.empty()) {
        fail_operand(site, "directive-value", "a limit that uses " + unknown + " is given" + schedule::value_rule());
    }
    if (value.is_literal) {
        return literal_as(site, parameter.type, value);
    }
    if (!parameter.type.is_float() && !language::is_value_of(parameter.type, operand)) { // floats may round
        fail_operand(site, "clamp-limit-type",
                     concat("a limit has type ", operand.type(), " and the Param ", parameter.type,
                            "; every value of a limit is one of the Param's type; cast the limit"));
    }
    return without_ownership(parameter, convert(parameter.type, operand));
}
} // namespace

void ParamBase::set_min_value(const LocatedExpr &min) { set_limits(limit(contents(), min), max_value(), min.location); }
void ParamBase::set_max_value(const LocatedExpr &max) { set_limits(min_value(), limit(contents(), max), max.location); }
void ParamBase::set_range(const LocatedExpr &min, const LocatedExpr &max) {
    set_limits(limit(contents(), min), limit(contents(), max), min.location);
}

void ParamBase::set_limits(const Expr &min, const Expr &max, const Location &location) {
    for (const Expr &each : {min, max}) {
        double number = 0;
        if (each.defined() && ir::is_const_float(each, &number) && std::isnan(number)) {
            fail("reversed-limits", shown_name(name()),
                 "a limit of its values is to be NaN; no value is less than it or greater; give a number", location);
        }
    }
    const bool are_known = min.defined() && max.defined() && ir::is_const(min) && ir::is_const(max);
    if (are_known && ir::is_true(binary(ExprKind::LT, max, min))) {
        fail("reversed-limits", shown_name(name()),
             concat("its least value is to be ", min, " and its greatest ", max,
                    "; no value lies between them; give the least one first"),
             location);
    }
    contents().min_value = min;
    contents().max_value = max;
}

ParamBase::operator Expr() const { return ir::make_var(contents().type, symbol_of(contents())); }

uint64_t ParamBase::value_bits(const Location &location) const {
    if (!contents().has_value) {
        throw RuntimeError(
            "unset-param",
            concat("in ", shown_name(name()), ": its value is asked for; it has none before set() is called; set one"),
            location);
    }
    return contents().value_bits;
}
void ParamBase::set_value_bits(uint64_t bits) {
    contents().value_bits = bits;
    contents().has_value = true;
}
void ParamBase::set_estimate_expr(const Expr &value) { contents().estimate = value; }
Expr ParamBase::estimate_expr() const { return contents().estimate; }

} // namespace detail

Param<void>::Param(const Parameter &parameter, const Location &location) : ParamBase(parameter) {
    if (parameter.is_buffer(location)) {
        fail("parameter-kind", shown_name(parameter.name()),
             "it is used as a Param, and it is a buffer; a Param is a scalar; use ImageParam(parameter)", location);
    }
}

// ---- Dimensions of buffers.

namespace {

ir::DimConstraint &constraint_of(ir::Parameter &parameter, int index) {
    return parameter.dims.at(static_cast<size_t>(index));
}

Expr promise(const ir::Parameter &parameter, const char *op, const LocatedExpr &value) {
    if (!value.expr.defined()) {
        return value;
    }
    const Expr integer = checked_integer({op, value.location}, value);
    const std::string unknown = schedule::unknown_at_entry(integer);
    if (!unknown.empty()) {
        fail_operand({op, value.location}, "directive-value",
                     "a number that uses " + unknown + " is given" + schedule::value_rule());
    }
    if (!fits_int32(integer)) {
        fail_operand({op, value.location}, "literal-out-of-range",
                     concat(integer, " is given; coordinates and sizes are integers of 32 bits; give a smaller one"));
    }
    return without_ownership(parameter, nearest_int32(integer));
}

Expr promised_extent(const ir::Parameter &parameter, const char *op, const LocatedExpr &extent) {
    const Expr result = promise(parameter, op, extent);
    int64_t size = 0;
    if (result.defined() && ir::is_const_int(result, &size) && size < 0) {
        fail("bound-negative-extent", shown_name(parameter.name),
             concat(op, " with extent ", size, "; an extent is 0 or more; pass min and extent, not min and max"),
             extent.location);
    }
    return result;
}

} // namespace

Expr Dimension::min() const { return ir::make_field(symbol_of(*parameter_), ir::Field::Min, index_); }
Expr Dimension::max() const { return min() + extent() - 1; }
Expr Dimension::extent() const { return ir::make_field(symbol_of(*parameter_), ir::Field::Extent, index_); }
Expr Dimension::stride() const { return ir::make_field(symbol_of(*parameter_), ir::Field::Stride, index_); }
Expr Dimension::min_estimate() const { return ir::min_estimate_of(constraint_of(*parameter_, index_)); }
Expr Dimension::extent_estimate() const { return ir::extent_estimate_of(constraint_of(*parameter_, index_)); }

Dimension Dimension::set_min(const LocatedExpr &min) {
    constraint_of(*parameter_, index_).min = promise(*parameter_, "set_min", min);
    return *this;
}
Dimension Dimension::set_extent(const LocatedExpr &extent) {
    constraint_of(*parameter_, index_).extent = promised_extent(*parameter_, "set_extent", extent);
    return *this;
}
Dimension Dimension::set_stride(const LocatedExpr &stride) {
    // Without a promise the innermost dimension is dense. Promising that the stride equals itself removes that default.
    constraint_of(*parameter_, index_).stride = promise(
        *parameter_, "set_stride", stride.expr.defined() ? stride : LocatedExpr(this->stride(), stride.location));
    return *this;
}
Dimension Dimension::set_bounds(const LocatedExpr &min, const LocatedExpr &extent) {
    return set_min(min).set_extent(extent);
}
Dimension Dimension::set_min_estimate(const LocatedExpr &min) {
    constraint_of(*parameter_, index_).min_estimate = promise(*parameter_, "set_min_estimate", min);
    return *this;
}
Dimension Dimension::set_extent_estimate(const LocatedExpr &extent) {
    constraint_of(*parameter_, index_).extent_estimate = promised_extent(*parameter_, "set_extent_estimate", extent);
    return *this;
}
Dimension Dimension::set_estimate(const LocatedExpr &min, const LocatedExpr &extent) {
    return set_min_estimate(min).set_extent_estimate(extent);
}
Dimension Dimension::dim(detail::Integer index) const { return OutputImageParam(parameter_).dim(index); }

// ---- Buffer parameters.

const std::string &OutputImageParam::name(const Location &location) const {
    return needed(parameter_, "its name is asked for", location).name;
}
Type OutputImageParam::type(const Location &location) const {
    return needed(parameter_, "its type is asked for", location).type;
}
int OutputImageParam::dimensions() const { return parameter_ ? parameter_->dimensions : 0; }

Dimension OutputImageParam::dim(detail::Integer index, const Location &location) const {
    if (index < 0 || index >= dimensions()) {
        fail("no-such-dimension", parameter_ ? shown_name(parameter_->name) : "an undefined ImageParam",
             concat("dimension ", index, " is named; it has ", dimensions(), "; name one of them, from 0"), location);
    }
    return {parameter_, index};
}

OutputImageParam &OutputImageParam::store_in(MemoryType memory, const Location &location) {
    needed(parameter_, "its memory is chosen", location);
    if (memory != MemoryType::Auto && memory != MemoryType::Heap) {
        fail(
            "image-memory", shown_name(parameter_->name),
            "store_in names memory that only Funcs are in; a buffer is where the program has put it, or in memory of a "
            "device; name Auto, Heap or GPUTexture, or store in() of it there",
            location);
    }
    parameter_->memory = memory;
    return *this;
}

OutputImageParam &OutputImageParam::set_host_alignment(detail::Integer bytes, const Location &location) {
    needed(parameter_, "its alignment is set", location);
    if (bytes < 1 || (bytes & (bytes - 1)) != 0) {
        fail("bad-alignment", shown_name(parameter_->name),
             concat("a host alignment of ", bytes, " bytes; an alignment is a power of two; give one"), location);
    }
    parameter_->host_alignment = bytes;
    return *this;
}
int OutputImageParam::host_alignment(const Location &location) const {
    return needed(parameter_, "its alignment is asked for", location).host_alignment;
}

OutputImageParam &OutputImageParam::set_estimates(const Region &estimates, const Location &location) {
    needed(parameter_, "its estimates are set", location);
    if (static_cast<int>(estimates.size()) != dimensions()) {
        fail("wrong-arity", shown_name(parameter_->name),
             concat("set_estimates gives ", estimates.size(), " ranges; it has ", dimensions(),
                    " dimensions; give one range for each dimension"),
             location);
    }
    for (int i = 0; i < dimensions(); i++) {
        const Range &range = estimates[static_cast<size_t>(i)];
        dim(i).set_estimate({range.min, location}, {range.extent, location});
    }
    return *this;
}

ImageParam::ImageParam(const Type &type, detail::Integer dimensions, const std::string &name, const Location &location)
    : OutputImageParam(detail::Ref<ir::Parameter>(new ir::Parameter)) {
    parameter_->name = name.empty() ? anonymous_name("im") : clean_name(name);
    parameter_->type = type;
    check_element_type(type, shown_name(parameter_->name), location);
    if (dimensions < 0) {
        fail("negative-rank", shown_name(parameter_->name),
             concat("it is given ", dimensions, " dimensions; a rank is 0 or more; give the number of dimensions"),
             location);
    }
    if (static_cast<size_t>(dimensions) > most_dimensions) {
        fail("too-many-dimensions", shown_name(parameter_->name),
             concat("it is given ", dimensions, " dimensions; regions grow with each; at most ", most_dimensions,
                    " are compiled; put several coordinates into one"),
             location);
    }
    parameter_->is_buffer = true;
    parameter_->dimensions = dimensions;
    parameter_->dims.resize(static_cast<size_t>(dimensions));
    parameter_->location = location;
    list_new(parameter_);
}

ImageParam::ImageParam(const Parameter &parameter, const Location &location) : OutputImageParam(parameter.contents()) {
    if (!parameter.is_buffer(location)) {
        fail("parameter-kind", shown_name(parameter.name()),
             "it is used as an ImageParam, and it is a scalar; an ImageParam is a buffer; use Param<>(parameter)",
             location);
    }
}

void ImageParam::check_defined(const char *what, const Location &location) const {
    if (!parameter_) {
        fail_undefined(what, location);
    }
}

Expr ImageParam::load(const std::vector<Expr> &args, const Location &location) const {
    check_defined("it is called", location);
    const std::vector<Expr> coordinates = call_coordinates(args, dimensions(), shown_name(name()), location);
    return ir::make_image(type(), symbol_of(*parameter_), coordinates);
}

void ImageParam::set(const Buffer<void, -1> &image, const Location &location) {
    check_defined("set() is called", location);
    if (!image.defined()) {
        reset();
        return;
    }
    if (image.type() != type() || image.dimensions() != dimensions()) {
        fail("input-type", shown_name(name()),
             concat("it is set to a buffer of type ", image.type(), " with ", image.dimensions(),
                    " dimensions; it was declared with type ", type(), " and ", dimensions(),
                    " dimensions; give a buffer as declared"),
             location);
    }
    if (is_iteration_local(*parameter_)) {
        fail("iterate-field-outside", shown_name(name()),
             "it is set to a buffer, and its elements are those of the step before; the initial Func gives the first "
             "ones; read the buffer through an ImageParam of its own",
             location);
    }
    if (parameter_->distributed) {
        throw RuntimeError("bad-distribution",
                           concat("in ", shown_name(name()),
                                  ": it is set to a buffer, and a DistributedImage has its elements; it has one source "
                                  "of elements; use another ImageParam"),
                           location);
    }
    parameter_->buffer = image.raw_buffer();
    parameter_->keep_alive = image.contents();
    parameter_->has_value = true;
}

Buffer<void, -1> ImageParam::get() const {
    if (!parameter_ || !parameter_->buffer) {
        return {};
    }
    return Buffer<void, -1>(std::static_pointer_cast<buffer_detail::Contents>(parameter_->keep_alive));
}

void ImageParam::reset(const Location &location) {
    check_defined("reset() is called", location);
    parameter_->buffer = nullptr;
    parameter_->keep_alive = nullptr;
    parameter_->has_value = false;
}

ImageParam::operator Func() const {
    Func func(shown_name(name()) + "_func");
    func(_) = (*this)(_);
    return func;
}

ImageParam &ImageParam::trace_loads(const Location &location) {
    check_defined("trace_loads() is called", location);
    parameter_->trace_loads = true;
    return *this;
}

ImageParam &ImageParam::add_trace_tag(const std::string &tag, const Location &location) {
    check_defined("add_trace_tag() is called", location);
    parameter_->trace_tags.push_back(tag);
    return *this;
}

} // namespace fluorite
