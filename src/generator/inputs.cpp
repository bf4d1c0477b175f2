// Elements of inputs: arguments of the compiled function, or what another Generator or a program passes.

#include "generator/state.h"
#include "ir/parameter.h"
#include "support/check.h"

namespace fluorite::detail::generators {

using fluorite::generators::name_of;
using fluorite::generators::refuse;

// ---- What is passed.

Given::Given(const InputImage &image) {
    if (image.source().empty()) {
        images_.push_back(image);
    } else {
        funcs_ = image.source();
    }
}

Given::Given(const InputFunc &func) : funcs_{func} {}

ImageParam Given::image_of(const Buffer<void, -1> &image) {
    ImageParam input(image.type(), image.dimensions(), image.name());
    input.set(image);
    input.parameter().contents()->is_bound_buffer = true;
    return input;
}

namespace {

std::string text_of(const std::vector<fluorite::Type> &types, int dimensions) {
    std::string list;
    for (const fluorite::Type &type : types) {
        list += (list.empty() ? "" : ", ") + to_string(type);
    }
    return concat(list, " with ", dimensions, dimensions == 1 ? " dimension" : " dimensions");
}

} // namespace

void InputMember::bind(const Given &given) {
    const auto fail = [&](const std::string &seen, const std::string &rule) {
        refuse("generator-inputs", name_of(generator()),
               concat("the input ", name(), " is given ", seen, "; ", rule, "; pass what it is declared as"));
    };
    const bool is_number = !given.numbers().empty();
    if (is_number != (kind() == ArgInfoKind::Scalar) && given.size() > 0) {
        fail(is_number ? "a number" : "a Func or a buffer",
             kind() == ArgInfoKind::Scalar ? "it is a number" : "it is a Func or a buffer");
    }
    if (!is_array() && given.size() != 1) {
        fail(concat(given.size(), " elements"), "it is no array");
    }
    if (is_array() && array_size_defined() && given.size() != array_size()) {
        fail(concat(given.size(), " elements"), concat("it is an array of ", array_size()));
    }
    if (!array_size_defined()) {
        set_array_size(static_cast<int>(given.size()));
    }
    const auto check_element = [&](const std::vector<fluorite::Type> &its_types, int its_dimensions) {
        if (!types_defined()) {
            set_types(its_types);
        }
        if (!dims_defined()) {
            set_dimensions(its_dimensions);
        }
        if (types() != its_types || dimensions() != its_dimensions) {
            fail(text_of(its_types, its_dimensions), "it is declared as " + text_of(types(), dimensions()));
        }
    };
    for (const Func &func : given.funcs()) {
        if (!func.defined()) {
            fail("the Func " + func.name() + ", which is not defined", "a Func that is passed has values");
        }
        check_element(func.types(), func.dimensions());
    }
    for (const ImageParam &image : given.images()) {
        check_element({image.type()}, image.dimensions());
    }
    for (const Expr &number : given.numbers()) {
        if (!types_defined()) {
            set_type(number.type());
        }
        if (!given.is_literal() && number.type() != type()) {
            fail("a value of type " + to_string(number.type()), "it is declared as " + to_string(type()));
        }
    }
    given_ = {given};
}

// ---- Buffers.

void InputImage::make(const std::string &name, fluorite::Type type, int dimensions) {
    ImageParam::operator=(ImageParam(type, dimensions, name));
}

void InputImage::take(const Given &given, size_t index) {
    if (!given.images().empty()) {
        ImageParam::operator=(given.images()[index]);
        return;
    }
    const Func &func = given.funcs()[index];
    ImageParam::operator=(ImageParam(func.types()[0], func.dimensions(), func.name()));
    source_ = {func};
}

Expr InputImage::call(const std::vector<Expr> &args, const Location &location) const {
    return source_.empty() ? ImageParam::operator()(args, location) : Expr(source_[0](args, location));
}

Dimension InputImage::dim(Integer index, const Location &location) const {
    if (!source_.empty()) {
        throw CompileError("generator-inputs",
                           concat("in a generator: dimension ", index,
                                  " of the buffer of an input is asked for, and the "
                                  "Func ",
                                  source_[0].name(),
                                  " is passed for it; a Func has no buffer; pass sizes as inputs, or a buffer"),
                           location);
    }
    return ImageParam::dim(index, location);
}

InputImage::operator Func() const {
    return source_.empty() ? static_cast<const ImageParam &>(*this).operator Func() : source_[0];
}

Func InputImage::in(const Func &consumer, const Location &location) {
    return source_.empty() ? ImageParam::in(consumer, location) : source_[0].in(consumer, location);
}
Func InputImage::in(const std::vector<Func> &consumers, const Location &location) {
    return source_.empty() ? ImageParam::in(consumers, location) : source_[0].in(consumers, location);
}
Func InputImage::in(const Location &location) {
    return source_.empty() ? ImageParam::in(location) : source_[0].in(location);
}

// ---- Funcs.

void InputFunc::make(const std::string &name, const std::vector<fluorite::Type> &types, int dimensions) {
    std::vector<Expr> values;
    for (size_t i = 0; i < types.size(); i++) {
        images_.emplace_back(types[i], dimensions, types.size() > 1 ? concat(name, "_", i) : name);
        values.push_back(images_.back()(_));
    }
    Func func(name + "_im");
    if (values.size() == 1) {
        func(_) = values[0];
    } else {
        func(_) = Tuple(values);
    }
    Func::operator=(func);
}

void InputFunc::take(const Given &given, size_t index) {
    if (given.funcs().empty()) {
        Func::operator=(static_cast<Func>(given.images()[index]));
    } else {
        Func::operator=(given.funcs()[index]);
    }
}

InputFunc &InputFunc::set_estimate(const VarOrRVar &var, const Expr &min, const Expr &extent) {
    const std::vector<Var> vars = args();
    for (size_t d = 0; d < vars.size(); d++) {
        for (ImageParam &image : images_) {
            if (vars[d].name() == var.name()) {
                image.dim(static_cast<int>(d)).set_estimate({min, var.location()}, {extent, var.location()});
            }
        }
    }
    if (images_.empty() ||
        std::none_of(vars.begin(), vars.end(), [&](const Var &v) { return v.name() == var.name(); })) {
        Func::set_estimate(var, min, extent); // of the Func that is passed, or refused for the name
    }
    return *this;
}

InputFunc &InputFunc::set_estimates(const Region &estimates, const Location &location) {
    if (images_.empty()) {
        Func::set_estimates(estimates, location);
    }
    for (ImageParam &image : images_) {
        image.set_estimates(estimates, location);
    }
    return *this;
}

// ---- Numbers.

namespace {
/// A Param of a type that is known at run time.
class NumberParam : public ParamBase {
  public:
    NumberParam(fluorite::Type type, const std::string &name) : ParamBase(type, name, Location()) {}
};
} // namespace

void InputNumber::make(const std::string &name, fluorite::Type type) {
    const NumberParam param(type, name);
    parameter_ = param.parameter().contents();
    value_ = param;
}

void InputNumber::set_default(uint64_t bits) {
    parameter_->value_bits = bits;
    parameter_->has_value = true;
}

void InputNumber::take(const std::string &name, fluorite::Type type, const Given &given, size_t index) {
    const Expr &number = given.numbers()[index];
    (void)name;
    value_ = number.type() == type ? number : fluorite::cast(type, number);
    parameter_ = {};
}

void InputNumber::set_range(const LocatedExpr &min, const LocatedExpr &max) {
    if (parameter_) {
        NumberParam limits(parameter_->type, parameter_->name);
        limits.set_range(min, max);
        parameter_->min_value = limits.min_value();
        parameter_->max_value = limits.max_value();
    }
}
void InputNumber::set_min_value(const LocatedExpr &min) {
    if (parameter_) {
        NumberParam limits(parameter_->type, parameter_->name);
        limits.set_min_value(min);
        parameter_->min_value = limits.min_value();
    }
}
void InputNumber::set_max_value(const LocatedExpr &max) {
    if (parameter_) {
        NumberParam limits(parameter_->type, parameter_->name);
        limits.set_max_value(max);
        parameter_->max_value = limits.max_value();
    }
}
void InputNumber::set_estimate_expr(const Expr &value) {
    if (parameter_) {
        parameter_->estimate = value;
    }
}

} // namespace fluorite::detail::generators
