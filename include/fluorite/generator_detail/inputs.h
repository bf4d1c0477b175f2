#pragma once
// GeneratorInput, which Generators call Input: a buffer, a Func or a number that a pipeline takes, or an array of them.
//
// Each element stands for an argument of the compiled function, or, where another Generator or a program applies this
// one, for what is passed: a buffer is an ImageParam, a Func is a Func, a number converts to Expr.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"
#include "fluorite/extern_func_argument.h"
#include "fluorite/generator_detail/member.h"
#include "fluorite/image_param.h"
#include "fluorite/param.h"

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace fluorite {

/// A base in the namespace of the operators, so that argument-dependent lookup finds them.
struct UsesOperators {};

namespace detail::generators {

class InputImage;
class InputFunc;
class InputNumber;

/// What is passed for an input where a Generator is applied: Funcs, buffers or numbers, several for an array.
class Given {
  public:
    Given() = default;
    /// From whatever an input takes.
    Given(const Func &func) : funcs_{func} {}                         // NOLINT(google-explicit-constructor)
    Given(const std::vector<Func> &funcs) : funcs_(funcs) {}          // NOLINT(google-explicit-constructor)
    Given(const ImageParam &image) : images_{image} {}                // NOLINT(google-explicit-constructor)
    Given(const std::vector<ImageParam> &images) : images_(images) {} // NOLINT(google-explicit-constructor)
    Given(const InputImage &image);                                   // NOLINT(google-explicit-constructor)
    Given(const InputFunc &func);                                     // NOLINT(google-explicit-constructor)
    Given(const std::vector<Expr> &numbers) : numbers_(numbers) {}    // NOLINT(google-explicit-constructor)
    template <typename T, int Dims>
    Given(const Buffer<T, Dims> &image) : images_{image_of(image)} {} // NOLINT(google-explicit-constructor)
    template <typename T, int Dims> Given(const std::vector<Buffer<T, Dims>> &images) { // NOLINT
        for (const Buffer<T, Dims> &image : images) {
            images_.push_back(image_of(image));
        }
    }
    template <typename T, std::enable_if_t<std::is_arithmetic_v<T>> * = nullptr>
    Given(const T &number) : numbers_{Expr(number)}, is_literal_(true) {} // NOLINT(google-explicit-constructor)
    template <typename T, std::enable_if_t<std::is_convertible_v<const T &, Expr> && !std::is_arithmetic_v<T> &&
                                           !std::is_convertible_v<const T &, Func> &&
                                           !std::is_convertible_v<const T &, ImageParam>> * = nullptr>
    Given(const T &number) : numbers_{Expr(number)} {} // NOLINT(google-explicit-constructor)

    const std::vector<Func> &funcs() const { return funcs_; }
    const std::vector<ImageParam> &images() const { return images_; }
    const std::vector<Expr> &numbers() const { return numbers_; }
    size_t size() const { return funcs_.size() + images_.size() + numbers_.size(); }
    /// Whether it is a C++ number, which takes the type of the input.
    bool is_literal() const { return is_literal_; }

  private:
    /// An input whose elements are those of the buffer, which becomes data of the code.
    static ImageParam image_of(const Buffer<void, -1> &image);

    std::vector<Func> funcs_;
    std::vector<ImageParam> images_;
    std::vector<Expr> numbers_;
    bool is_literal_ = false;
};

/// An Input of any kind.
class InputMember : public Port {
  public:
    static bool has(Role role) { return role == Role::Input; }
    /// What to take in place of an argument. Throws CompileError [generator-inputs] for what does not fit.
    void bind(const Given &given);

  protected:
    InputMember(const std::string &name, ArgInfoKind kind, const std::vector<Type> &types, int dimensions,
                bool is_array, int size)
        : Port(Role::Input, name, kind, types, dimensions, is_array, size) {}
    /// The type of the elements where the numbers that are given have it.
    const Given *given() const { return given_.empty() ? nullptr : &given_[0]; }
    /// The arguments of the compiled function, one for each element.
    virtual std::vector<Argument> arguments() const = 0;

  private:
    friend class fluorite::GeneratorBase;
    std::vector<Given> given_; // none or one
};

/// An element of Input<Buffer>: an ImageParam. If a Func is passed for it, calls are calls of that Func, and it has no
/// dimensions that could be asked for or constrained.
class InputImage : public ImageParam {
  public:
    InputImage() = default;
    /// As ImageParam's.
    template <typename... Rest> Expr operator()(const FirstCoordinate &first, const Rest &...rest) const {
        return call({first.expr, LocatedExpr(rest).expr...}, first.location);
    }
    Expr operator()(const Location &location = Location::current()) const { return call({}, location); }
    Expr operator()(const std::vector<Expr> &args, const Location &location = Location::current()) const {
        return call(args, location);
    }
    Expr operator()(const std::vector<Var> &args, const Location &location = Location::current()) const {
        return call(std::vector<Expr>(args.begin(), args.end()), location);
    }
    operator Func() const; // NOLINT(google-explicit-constructor)
    /// As ImageParam's. They throw CompileError [generator-inputs] where a Func is passed, which has no buffer.
    Dimension dim(Integer index, const Location &location = Location::current()) const;
    Expr left(const Location &location = Location::current()) const { return dim(0, location).min(); }
    Expr right(const Location &location = Location::current()) const { return dim(0, location).max(); }
    Expr top(const Location &location = Location::current()) const { return dim(1, location).min(); }
    Expr bottom(const Location &location = Location::current()) const { return dim(1, location).max(); }
    Expr width(const Location &location = Location::current()) const { return dim(0, location).extent(); }
    Expr height(const Location &location = Location::current()) const { return dim(1, location).extent(); }
    Expr channels(const Location &location = Location::current()) const {
        return dimensions() > 2 ? dim(2, location).extent() : Expr(1);
    }
    /// A Func with the pixels, to be scheduled, that these consumers read instead (all consumers, if none is named).
    Func in(const Func &consumer, const Location &location = Location::current());
    Func in(const std::vector<Func> &consumers, const Location &location = Location::current());
    Func in(const Location &location = Location::current());
    /// The Func that was passed; it is not defined where there is none.
    const std::vector<Func> &source() const { return source_; }

    /// For the library: makes it an argument, or takes what is passed.
    void make(const std::string &name, Type type, int dimensions);
    void take(const Given &given, size_t index);

  private:
    Expr call(const std::vector<Expr> &args, const Location &location) const;
    std::vector<Func> source_; // none or one
};

/// An element of Input<Func>: a Func whose values are the pixels of an argument, or the Func that is passed.
class InputFunc : public Func {
  public:
    InputFunc() = default;
    /// What automatic scheduling assumes of the argument; it promises nothing.
    InputFunc &set_estimate(const VarOrRVar &var, const Expr &min, const Expr &extent);
    InputFunc &set_estimates(const Region &estimates, const Location &location = Location::current());

    /// For the library: makes it an argument, or takes what is passed.
    void make(const std::string &name, const std::vector<Type> &types, int dimensions);
    void take(const Given &given, size_t index);
    const std::vector<ImageParam> &images() const { return images_; }

  private:
    std::vector<ImageParam> images_; // one for each value; none where a Func is passed
};

/// An element of Input<number>: converts to Expr.
class InputNumber {
  public:
    InputNumber() = default;
    /// The value, in definitions.
    operator Expr() const { return value_; } // NOLINT(google-explicit-constructor)
    /// The same as an argument of a stage in C.
    operator ExternFuncArgument() const { return value_; } // NOLINT(google-explicit-constructor)
    /// The argument of compiled functions. Throws CompileError [undefined-input] where a value is passed for it.
    operator Argument() const { return Argument(parameter_); } // NOLINT(google-explicit-constructor)
    Type type() const { return value_.type(); }
    /// Limits that runs check, as those of a Param.
    void set_min_value(const LocatedExpr &min);
    void set_max_value(const LocatedExpr &max);
    void set_range(const LocatedExpr &min, const LocatedExpr &max);
    /// The value that automatic scheduling may assume, of the type of the input.
    void set_estimate_expr(const Expr &value);

    /// For the library: makes it an argument, or takes what is passed.
    void make(const std::string &name, Type type);
    void set_default(uint64_t bits);
    void take(const std::string &name, Type type, const Given &given, size_t index);
    const Ref<ir::Parameter> &parameter() const { return parameter_; }

  private:
    Expr value_;
    Ref<ir::Parameter> parameter_; // null where a value is passed
};

/// An element of Input<T> of a number T.
template <typename T> class InputNumberOf : public InputNumber, public UsesOperators {
  public:
    /// The value that automatic scheduling may assume.
    template <typename U> void set_estimate(const U &value) {
        if constexpr (std::is_same_v<T, Expr>) {
            set_estimate_expr(Expr(value));
        } else {
            set_estimate_expr(Expr(static_cast<T>(value)));
        }
    }
};

/// Where elements are: an array has a vector of them, all others are their element.
template <typename Element, bool IsArray> class Elements : public Element {
  protected:
    void resize_elements(size_t) {}
    Element &element(size_t) { return *this; }
    const Element &element(size_t) const { return *this; }
    size_t count() const { return 1; }
};
template <typename Element> class Elements<Element, true> {
  public:
    /// The elements, by index and in order.
    Element &operator[](size_t index) { return at(index); }
    const Element &operator[](size_t index) const { return at(index); }
    Element &at(size_t index) { return elements_.at(index); }
    const Element &at(size_t index) const { return elements_.at(index); }
    size_t size() const { return elements_.size(); }
    typename std::vector<Element>::iterator begin() { return elements_.begin(); }
    typename std::vector<Element>::iterator end() { return elements_.end(); }
    typename std::vector<Element>::const_iterator begin() const { return elements_.begin(); }
    typename std::vector<Element>::const_iterator end() const { return elements_.end(); }

  protected:
    void resize_elements(size_t count) { elements_.resize(count); }
    Element &element(size_t index) { return elements_[index]; }
    const Element &element(size_t index) const { return elements_[index]; }
    size_t count() const { return elements_.size(); }

  private:
    std::vector<Element> elements_;
};

/// Distinguishes the constructor to which the others delegate.
struct Tag {};

/// The declared size of an array type; -1 where it is open.
template <typename T> constexpr int size_of_array() {
    return std::is_array_v<T> && std::extent_v<T> > 0 ? static_cast<int>(std::extent_v<T>) : -1;
}

/// The type and rank of a buffer type, which may leave them open.
template <typename T> struct BufferTraits {
    static constexpr bool is_buffer = false;
};
template <typename T, int Dims> struct BufferTraits<Buffer<T, Dims>> {
    static constexpr bool is_buffer = true;
    static constexpr int dimensions = Dims;
    static std::vector<Type> types() {
        if constexpr (std::is_void_v<T>) {
            return {};
        } else {
            return {type_of<T>()};
        }
    }
};
template <> struct BufferTraits<Func> {
    static constexpr bool is_buffer = false;
    static constexpr int dimensions = -1;
    static std::vector<Type> types() { return {}; }
};

/// Input<Buffer<...>>, Input<Func> and arrays of them. T is the type without the array.
template <typename T, typename Element, bool IsArray, int Size>
class BufferInput : public InputMember, public Elements<Element, IsArray> {
    using Traits = BufferTraits<T>;
    static constexpr ArgInfoKind its_kind = Traits::is_buffer ? ArgInfoKind::Buffer : ArgInfoKind::Function;

  public:
    /// With what the type leaves open. Types of several values are those of a Func that is a Tuple.
    explicit BufferInput(const std::string &name)
        : BufferInput(Tag(), Size, name, Traits::types(), Traits::dimensions) {}
    BufferInput(const std::string &name, const Type &type, int dimensions = Traits::dimensions)
        : BufferInput(Tag(), Size, name, std::vector<Type>{type}, dimensions) {}
    BufferInput(const std::string &name, const std::vector<Type> &types, int dimensions = Traits::dimensions)
        : BufferInput(Tag(), Size, name, types, dimensions) {}
    BufferInput(const std::string &name, int dimensions)
        : BufferInput(Tag(), Size, name, Traits::types(), dimensions) {}
    /// An array of a size that the type does not say.
    BufferInput(size_t count, const std::string &name, const Type &type, int dimensions)
        : BufferInput(Tag(), static_cast<int>(count), name, std::vector<Type>{type}, dimensions) {}
    BufferInput(size_t count, const std::string &name, int dimensions)
        : BufferInput(Tag(), static_cast<int>(count), name, Traits::types(), dimensions) {}
    BufferInput(size_t count, const std::string &name)
        : BufferInput(Tag(), static_cast<int>(count), name, Traits::types(), Traits::dimensions) {}

    // Known before the elements are.
    using InputMember::name;
    using Port::dimensions;
    using Port::type;
    using Port::types;

  protected:
    void make_elements() override;
    std::vector<Argument> arguments() const override;

  private:
    BufferInput(Tag, int count, const std::string &name, const std::vector<Type> &types, int dimensions)
        : InputMember(name, its_kind, types, dimensions, IsArray, count) {}
};

/// Input<T> of a number T, and arrays of them.
template <typename T, bool IsArray, int Size>
class NumberInput : public InputMember, public Elements<InputNumberOf<T>, IsArray> {
    static std::vector<Type> its_types() {
        if constexpr (std::is_same_v<T, Expr>) {
            return {};
        } else {
            return {type_of<T>()};
        }
    }
    using Number = std::conditional_t<std::is_same_v<T, Expr>, int, T>;

  public:
    /// With the value that callers without one pass, and the limits that runs check.
    explicit NumberInput(const std::string &name)
        : InputMember(name, ArgInfoKind::Scalar, its_types(), 0, IsArray, Size) {}
    NumberInput(const std::string &name, const Number &value) : NumberInput(name) { set_default(value); }
    NumberInput(const std::string &name, const Number &value, const Number &min, const Number &max)
        : NumberInput(name, value) {
        set_limits(min, max);
    }
    /// An array of a size that the type does not say.
    NumberInput(size_t count, const std::string &name)
        : InputMember(name, ArgInfoKind::Scalar, its_types(), 0, IsArray, static_cast<int>(count)) {}
    NumberInput(size_t count, const std::string &name, const Number &value) : NumberInput(count, name) {
        set_default(value);
    }
    NumberInput(size_t count, const std::string &name, const Number &value, const Number &min, const Number &max)
        : NumberInput(count, name, value) {
        set_limits(min, max);
    }

    using InputMember::name;
    using Port::type;

    /// What automatic scheduling may assume of an element of an array, and of all.
    template <typename U, bool array = IsArray, std::enable_if_t<array> * = nullptr>
    void set_estimate(size_t index, const U &value) {
        this->at(index).set_estimate(value);
    }
    template <typename U, bool array = IsArray, std::enable_if_t<!array> * = nullptr>
    void set_estimate(const U &value) {
        InputNumberOf<T>::set_estimate(value);
    }

  protected:
    void make_elements() override;
    std::vector<Argument> arguments() const override;

  private:
    void set_default(const Number &value) {
        defaults_ = [value](InputNumber &number) {
            uint64_t bits = 0;
            static_assert(sizeof(Number) <= sizeof(bits));
            std::memcpy(&bits, &value, sizeof(Number));
            number.set_default(bits);
        };
    }
    void set_limits(const Number &min, const Number &max) {
        if constexpr (std::is_arithmetic_v<Number>) {
            limits_ = [min, max](InputNumber &number) {
                number.set_range(LocatedExpr(Expr(min), Location()), LocatedExpr(Expr(max), Location()));
            };
        }
    }
    std::function<void(InputNumber &)> defaults_, limits_;
};

template <typename T, typename Element, bool IsArray, int Size>
void BufferInput<T, Element, IsArray, Size>::make_elements() {
    const size_t count = IsArray ? array_size() : 1;
    this->resize_elements(count);
    for (size_t i = 0; i < count; i++) {
        if (given()) {
            this->element(i).take(*given(), i);
        } else if constexpr (Traits::is_buffer) {
            this->element(i).make(element_name(i), Port::type(), Port::dimensions());
        } else {
            this->element(i).make(element_name(i), Port::types(), Port::dimensions());
        }
    }
}

template <typename T, typename Element, bool IsArray, int Size>
std::vector<Argument> BufferInput<T, Element, IsArray, Size>::arguments() const {
    std::vector<Argument> all;
    for (size_t i = 0; i < this->count(); i++) {
        if constexpr (Traits::is_buffer) {
            all.push_back(static_cast<const OutputImageParam &>(this->element(i)));
        } else {
            for (const ImageParam &image : this->element(i).images()) {
                all.push_back(image);
            }
        }
    }
    return all;
}

template <typename T, bool IsArray, int Size> void NumberInput<T, IsArray, Size>::make_elements() {
    const size_t count = IsArray ? array_size() : 1;
    this->resize_elements(count);
    for (size_t i = 0; i < count; i++) {
        InputNumber &number = this->element(i);
        if (given()) {
            number.take(name(), Port::type(), *given(), i);
            continue;
        }
        number.make(element_name(i), Port::type());
        if (limits_) {
            limits_(number);
        }
        if (defaults_) {
            defaults_(number);
        }
    }
}

template <typename T, bool IsArray, int Size> std::vector<Argument> NumberInput<T, IsArray, Size>::arguments() const {
    std::vector<Argument> all;
    for (size_t i = 0; i < this->count(); i++) {
        all.push_back(this->element(i));
    }
    return all;
}

/// The class of Input<T>.
template <typename T> struct InputClass {
    using Plain = std::remove_all_extents_t<T>;
    static constexpr bool IsArray = std::is_array_v<T>;
    static constexpr int Size = size_of_array<T>();
    template <typename P, bool is_buffer> struct Choose {
        using type = NumberInput<P, IsArray, Size>;
    };
    template <typename P> struct Choose<P, true> {
        using type = BufferInput<P, InputImage, IsArray, Size>;
    };
    template <bool is_buffer> struct Choose<Func, is_buffer> {
        using type = BufferInput<Func, InputFunc, IsArray, Size>;
    };
    using type = typename Choose<Plain, BufferTraits<Plain>::is_buffer>::type;
};

} // namespace detail::generators

/// T is Buffer<type, rank> with either open or not, Func, a number, or an array of them with a size or without.
template <typename T> class GeneratorInput : public detail::generators::InputClass<T>::type {
    using Base = typename detail::generators::InputClass<T>::type;

  public:
    using Base::Base;
};

} // namespace fluorite
