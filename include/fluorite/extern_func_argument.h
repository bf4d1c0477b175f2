#pragma once
// The arguments of C functions that compute Funcs (Func::define_extern).

#include "fluorite/require_cxx17.h"

#include "fluorite/expr.h"
#include "fluorite/ref.h"
#include "fluorite/type.h"

#include <string>
#include <type_traits>
#include <vector>

namespace fluorite {

class Func;
class OutputImageParam;
template <typename T, int Dims> class Buffer;
namespace detail {
class ParamBase;
}

/// How the name of an extern function becomes that of a symbol: as in C, or as in C++ with the types of the arguments.
enum class NameMangling { Default, C, CPlusPlus };

/// An argument of an extern function: a value, which is passed as it is, or what is passed as a buffer.
class ExternFuncArgument {
  public:
    /// No argument; define_extern refuses it.
    ExternFuncArgument() = default;
    /// A value, without Vars of the Func that is defined: numbers, Params, handles.
    ExternFuncArgument(const Expr &value) : value_(value) {} // NOLINT(google-explicit-constructor)
    ExternFuncArgument(int value);                           // NOLINT(google-explicit-constructor)
    ExternFuncArgument(float value);                         // NOLINT(google-explicit-constructor)
    /// The value of a Param.
    template <typename Parameter, std::enable_if_t<std::is_base_of_v<detail::ParamBase, Parameter>, int> = 0>
    ExternFuncArgument(const Parameter &param)
        : value_(static_cast<Expr>(param)) {} // NOLINT(google-explicit-constructor)
    /// The values of a Func, one buffer each. In a bounds query the function asks for the boxes that it reads.
    ExternFuncArgument(const Func &func); // NOLINT(google-explicit-constructor)
    /// The buffer of an ImageParam. In a bounds query the function asks for the box that it reads.
    ExternFuncArgument(const OutputImageParam &image); // NOLINT(google-explicit-constructor)
    /// A Buffer, which is passed as it is, in bounds queries, too.
    template <typename T, int Dims>
    ExternFuncArgument(const Buffer<T, Dims> &buffer) // NOLINT(google-explicit-constructor)
        : value_(buffer(std::vector<Expr>(static_cast<size_t>(buffer.dimensions()), Expr(0)))), is_buffer_(true) {}

    /// For the library: the operands of the call (ir/extern_stage.h) from operand `first` on; none if there is no
    /// argument.
    std::vector<Expr> operands(int first) const;
    /// For the library: the Func, or null.
    const detail::Ref<language::Function> &function() const { return function_; }

  private:
    Expr value_; // of a buffer: any element of it
    detail::Ref<language::Function> function_;
    bool is_buffer_ = false;
};

} // namespace fluorite
