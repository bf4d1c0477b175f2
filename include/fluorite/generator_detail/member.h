#pragma once
// What the members of a Generator have in common: each has a name and registers itself with the Generator that is being
// constructed, so that a command line, a caller or a stub finds it by that name.

#include "fluorite/require_cxx17.h"

#include "fluorite/argument.h"
#include "fluorite/func.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fluorite {

class GeneratorBase;

/// What an input or output of a generator is: a number, a Func, or a buffer, whose dimensions can be constrained.
enum class ArgInfoKind { Scalar, Function, Buffer };
/// Whether callers pass it or get it.
enum class ArgInfoDirection { Input, Output };

namespace detail::generators {

/// A member of the Generator whose constructor runs. It stays where it is: the Generator keeps its address.
class Member {
  public:
    Member(const Member &) = delete;
    Member &operator=(const Member &) = delete;
    virtual ~Member() = default;
    /// The name that was given, which no other member of the Generator has.
    const std::string &name() const { return name_; }
    /// Of which class below it is. Generators may be compiled without run-time type information, as Makefiles of
    /// projects do it, so nothing asks C++ for the class of a member.
    enum class Role : uint8_t { Parameter, Input, Output };
    Role role() const { return role_; }

  protected:
    Member(std::string name, Role role);
    /// The Generator whose constructor runs now; null outside of one.
    static GeneratorBase *under_construction();
    /// The Generator to which it belongs, or null.
    GeneratorBase *generator() const { return generator_; }

  private:
    friend class fluorite::GeneratorBase;
    std::string name_;
    Role role_;
    GeneratorBase *generator_ = nullptr;
};

/// An input or output: types, rank and number of elements, each of which the program may leave open. Open ones are set
/// by name (`input.type`, `input.dim`, `input.size`), in configure(), or follow from what is passed.
class Port : public Member {
  public:
    static bool has(Role role) { return role != Role::Parameter; }
    /// Whether it is declared as an array, and its size, which throws CompileError [generator-open] while it is open.
    bool is_array() const { return is_array_; }
    bool array_size_defined() const { return !is_array_ || size_ >= 0; }
    size_t array_size() const;
    /// The type, types of a Tuple, and number of dimensions. They throw CompileError [generator-open] while open.
    Type type() const;
    std::vector<Type> types() const;
    int dimensions() const;
    bool types_defined() const { return !types_.empty(); }
    bool dims_defined() const { return kind_ == ArgInfoKind::Scalar || dimensions_ >= 0; }
    ArgInfoKind kind() const { return kind_; }

    /// Give what is open. They throw CompileError [generator-fixed] for what the declaration says otherwise,
    /// [generator-phase] once generate() runs.
    void set_type(const Type &type);
    void set_types(const std::vector<Type> &types);
    void set_dimensions(int dimensions);
    void set_array_size(int size);

  protected:
    Port(Role role, const std::string &name, ArgInfoKind kind, std::vector<Type> types, int dimensions, bool is_array,
         int size);
    /// What is declared or set; no types, and a rank of -1, where it is open.
    const std::vector<Type> &declared_types() const { return types_; }
    int declared_dimensions() const { return dimensions_; }
    /// The name of an element: that of the port, with `_<index>` for elements of arrays.
    std::string element_name(size_t index) const;
    virtual void make_elements() = 0;
    /// What the values have, for an output whose declaration leaves it open.
    virtual std::vector<Type> types_of_values() const { return {}; }
    virtual int dimensions_of_values() const { return -1; }

  private:
    friend class fluorite::GeneratorBase;
    void check_settable(const char *what, bool is_open) const;

    ArgInfoKind kind_;
    std::vector<Type> types_;
    int dimensions_;
    bool is_array_;
    int size_;
    bool has_open_types_, has_open_dimensions_, has_open_size_;
};

} // namespace detail::generators
} // namespace fluorite
