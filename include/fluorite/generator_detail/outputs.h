#pragma once
// GeneratorOutput, which Generators call Output: a Func that callers get, or an array of them. It is declared with
// types and rank, defined as any Func, or assigned one, and takes all directives. Output<Buffer> also has the
// dimensions of the buffer, before it is defined, too.

#include "fluorite/require_cxx17.h"

#include "fluorite/generator_detail/inputs.h"

#include <string>
#include <type_traits>
#include <vector>

namespace fluorite {
namespace detail::generators {

/// An element of an Output: a Func with the dimensions of its buffer.
class OutputFunc : public Func {
  public:
    OutputFunc() = default;
    /// Takes another Func as the output.
    OutputFunc &operator=(const Func &func) {
        Func::operator=(func);
        return *this;
    }

    /// Those of the output's buffer, as of an OutputImageParam.
    Dimension dim(Integer index, const Location &location = Location::current()) const {
        return output_buffer(location).dim(index, location);
    }
    Expr left(const Location &location = Location::current()) const { return dim(0, location).min(); }
    Expr right(const Location &location = Location::current()) const { return dim(0, location).max(); }
    Expr top(const Location &location = Location::current()) const { return dim(1, location).min(); }
    Expr bottom(const Location &location = Location::current()) const { return dim(1, location).max(); }
    Expr width(const Location &location = Location::current()) const { return dim(0, location).extent(); }
    Expr height(const Location &location = Location::current()) const { return dim(1, location).extent(); }
    Expr channels() const { return output_buffer().channels(); }
    int host_alignment(const Location &location = Location::current()) const {
        return output_buffer(location).host_alignment(location);
    }
    OutputFunc &set_host_alignment(Integer bytes, const Location &location = Location::current()) {
        output_buffer(location).set_host_alignment(bytes, location);
        return *this;
    }
    /// The output's buffer.
    operator OutputImageParam() const { return output_buffer(); } // NOLINT(google-explicit-constructor)

    /// For the library: an undefined Func that is declared so; -1 and no types leave them open.
    void make(const std::string &name, const std::vector<Type> &types, int dimensions);
};

/// An Output of any kind.
class OutputMember : public Port {
  public:
    static bool has(Role role) { return role == Role::Output; }

  protected:
    OutputMember(const std::string &name, ArgInfoKind kind, const std::vector<Type> &types, int dimensions,
                 bool is_array, int size)
        : Port(Role::Output, name, kind, types, dimensions, is_array, size) {}
    /// The Funcs, one for each element.
    virtual std::vector<Func> funcs() const = 0;
    std::vector<Type> types_of_values() const override;
    int dimensions_of_values() const override;

  private:
    friend class fluorite::GeneratorBase;
};

template <typename T> struct OutputTraits {
    static constexpr ArgInfoKind kind = ArgInfoKind::Scalar;
    static constexpr int dimensions = 0;
    static std::vector<Type> types() { return {type_of<T>()}; }
};
template <typename T, int Dims> struct OutputTraits<Buffer<T, Dims>> : BufferTraits<Buffer<T, Dims>> {
    static constexpr ArgInfoKind kind = ArgInfoKind::Buffer;
};
template <> struct OutputTraits<Func> : BufferTraits<Func> {
    static constexpr ArgInfoKind kind = ArgInfoKind::Function;
};

/// The class of Output<T>; T is the type without the array.
template <typename T, bool IsArray, int Size>
class OutputOf : public OutputMember, public Elements<OutputFunc, IsArray> {
    using Traits = OutputTraits<T>;

  public:
    /// With what the type leaves open. Types of several values are those of a Tuple.
    explicit OutputOf(const std::string &name) : OutputOf(Tag(), Size, name, Traits::types(), Traits::dimensions) {}
    OutputOf(const std::string &name, const Type &type, int dimensions = Traits::dimensions)
        : OutputOf(Tag(), Size, name, std::vector<Type>{type}, dimensions) {}
    OutputOf(const std::string &name, const std::vector<Type> &types, int dimensions = Traits::dimensions)
        : OutputOf(Tag(), Size, name, types, dimensions) {}
    OutputOf(const std::string &name, int dimensions) : OutputOf(Tag(), Size, name, Traits::types(), dimensions) {}
    /// An array of a size that the type does not say.
    OutputOf(size_t count, const std::string &name, const Type &type, int dimensions)
        : OutputOf(Tag(), static_cast<int>(count), name, std::vector<Type>{type}, dimensions) {}
    OutputOf(size_t count, const std::string &name, const std::vector<Type> &types, int dimensions)
        : OutputOf(Tag(), static_cast<int>(count), name, types, dimensions) {}
    OutputOf(size_t count, const std::string &name, int dimensions)
        : OutputOf(Tag(), static_cast<int>(count), name, Traits::types(), dimensions) {}
    OutputOf(size_t count, const std::string &name)
        : OutputOf(Tag(), static_cast<int>(count), name, Traits::types(), Traits::dimensions) {}

    // Known before there is a definition.
    using OutputMember::name;
    using Port::dimensions;
    using Port::type;
    using Port::types;

    /// Gives an array of open size its elements, in generate().
    template <bool array = IsArray, std::enable_if_t<array> * = nullptr> void resize(size_t count) {
        set_array_size(static_cast<int>(count));
        make_elements();
    }

  protected:
    void make_elements() override {
        const size_t count = IsArray ? array_size() : 1;
        this->resize_elements(count);
        for (size_t i = 0; i < count; i++) {
            this->element(i).make(element_name(i), declared_types(), declared_dimensions());
        }
    }
    std::vector<Func> funcs() const override {
        std::vector<Func> all;
        for (size_t i = 0; i < this->count(); i++) {
            all.push_back(this->element(i));
        }
        return all;
    }

  private:
    OutputOf(Tag, int count, const std::string &name, const std::vector<Type> &types, int dimensions)
        : OutputMember(name, Traits::kind, types, dimensions, IsArray, count) {}
};

template <typename T>
using OutputClass = OutputOf<std::remove_all_extents_t<T>, std::is_array_v<T>, size_of_array<T>()>;

} // namespace detail::generators

/// T is Buffer<type, rank> with either open or not, Func, a number (a buffer without dimensions), or an array of them.
template <typename T> class GeneratorOutput : public detail::generators::OutputClass<T> {
    using Base = detail::generators::OutputClass<T>;

  public:
    using Base::Base;
    /// Takes a Func, or the pixels of a buffer, as the output.
    template <typename Source, bool array = std::is_array_v<T>, std::enable_if_t<!array> * = nullptr>
    GeneratorOutput &operator=(const Source &source) {
        detail::generators::OutputFunc::operator=(Func(source));
        return *this;
    }
    GeneratorOutput &operator=(const GeneratorOutput &other) {
        static_assert(!std::is_array_v<T>, "assign the elements of an Output of an array");
        detail::generators::OutputFunc::operator=(static_cast<const Func &>(other));
        return *this;
    }
};

} // namespace fluorite
