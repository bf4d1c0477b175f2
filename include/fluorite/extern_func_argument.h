#pragma once
// The arguments of C functions that compute Funcs (Func::define_extern).

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"
#include "fluorite/expr.h"
#include "fluorite/parameter.h"
#include "fluorite/ref.h"
#include "fluorite/type.h"

#include <string>
#include <type_traits>
#include <vector>

namespace fluorite {

class Func;
class OutputImageParam;
namespace detail {
class ParamBase;
}

/// How the name of an extern function becomes that of a symbol: as in C, or as in C++ with the types of the arguments.
enum class NameMangling { Default, C, CPlusPlus };

/// An argument of an extern function: a value, which is passed as it is, or what is passed as a buffer.
struct ExternFuncArgument {
    enum ArgType { UndefinedArg = 0, FuncArg, BufferArg, ExprArg, ImageParamArg };

    /// What it is, and the one of these that has it; a Func is in none of them.
    ArgType arg_type = UndefinedArg;
    Buffer<void, -1> buffer;
    Expr expr;
    Parameter image_param;

    /// No argument; define_extern refuses it.
    ExternFuncArgument() = default;
    /// A value, without Vars of the Func that is defined: numbers, Params, handles.
    ExternFuncArgument(const Expr &value) : arg_type(ExprArg), expr(value) {} // NOLINT(google-explicit-constructor)
    ExternFuncArgument(int value) : ExternFuncArgument(Expr(value)) {}        // NOLINT(google-explicit-constructor)
    ExternFuncArgument(float value) : ExternFuncArgument(Expr(value)) {}      // NOLINT(google-explicit-constructor)
    /// The value of a Param.
    template <typename P, std::enable_if_t<std::is_base_of_v<detail::ParamBase, P>, int> = 0>
    ExternFuncArgument(const P &param) // NOLINT(google-explicit-constructor)
        : ExternFuncArgument(static_cast<Expr>(param)) {}
    /// The values of a Func, one buffer each. In a bounds query the function asks for the boxes that it reads.
    ExternFuncArgument(const Func &func); // NOLINT(google-explicit-constructor)
    /// The buffer of an ImageParam. In a bounds query the function asks for the box that it reads.
    ExternFuncArgument(const OutputImageParam &image); // NOLINT(google-explicit-constructor)
    /// The same of a Parameter that is a buffer; the value of one that is a scalar. Throws CompileError
    /// [parameter-kind] for an undefined one.
    ExternFuncArgument(const Parameter &parameter); // NOLINT(google-explicit-constructor)
    /// A Buffer, which is passed as it is, in bounds queries, too.
    template <typename T, int Dims>
    ExternFuncArgument(const Buffer<T, Dims> &its) // NOLINT(google-explicit-constructor)
        : arg_type(BufferArg), buffer(its) {}

    /// What it is.
    bool is_func() const { return arg_type == FuncArg; }
    bool is_expr() const { return arg_type == ExprArg; }
    bool is_buffer() const { return arg_type == BufferArg; }
    bool is_image_param() const { return arg_type == ImageParamArg; }
    bool defined() const { return arg_type != UndefinedArg; }

    /// For the library: the operands of the call (ir/extern_stage.h) from operand `first` on; none if there is no
    /// argument.
    std::vector<Expr> operands(int first) const;
    /// For the library: the Func, or null.
    const detail::Ref<language::Function> &function() const { return function_; }

  private:
    detail::Ref<language::Function> function_;
};

} // namespace fluorite
