#pragma once
// JITExtern: what a pipeline that runs as it is compiled calls under the name of an extern function: a C function whose
// address is known only then, or another pipeline (Pipeline::set_jit_externs).

#include "fluorite/require_cxx17.h"

#include "fluorite/func.h"
#include "fluorite/pipeline.h"
#include "fluorite/type.h"

#include <iosfwd>
#include <type_traits>
#include <vector>

namespace fluorite {

/// The types of a C function. Pointers, buffers among them, are handles.
class ExternSignature {
  public:
    /// Of no arguments and the type of no bits.
    ExternSignature() = default;
    /// Throws CompileError [jit-extern] for a function that returns nothing and has a type of result.
    ExternSignature(const Type &result, bool is_void_return, const std::vector<Type> &arguments,
                    const Location &location = Location::current());
    /// Of a function; that of its type only, so it may be null.
    template <typename R, typename... A>
    explicit ExternSignature(R (*)(A...)) // NOLINT(readability-named-parameter)
        : result_(type_or_void<R>()), is_void_return_(std::is_void_v<R>), arguments_{type_of<A>()...} {}

    /// The type of the result. Throws CompileError [jit-extern] where there is none.
    const Type &ret_type(const Location &location = Location::current()) const;
    /// Whether the function returns nothing, and the types of its arguments in order.
    bool is_void_return() const { return is_void_return_; }
    const std::vector<Type> &arg_types() const { return arguments_; }

  private:
    template <typename T> static Type type_or_void() {
        if constexpr (std::is_void_v<T>) {
            return Type();
        } else {
            return type_of<T>();
        }
    }
    Type result_;
    bool is_void_return_ = false;
    std::vector<Type> arguments_;
};

/// Prints `int32 (*)(int32, float32)`.
std::ostream &operator<<(std::ostream &stream, const ExternSignature &signature);

/// The address of a C function with its types. The function must not throw: its callers cannot be unwound.
class ExternCFunction {
  public:
    /// No function.
    ExternCFunction() = default;
    /// The types are those of the function at the address, which nothing can check.
    ExternCFunction(void *address, const ExternSignature &signature) : address_(address), signature_(signature) {}
    template <typename R, typename... A>
    ExternCFunction(R (*function)(A...)) // NOLINT(google-explicit-constructor)
        : ExternCFunction(reinterpret_cast<void *>(function), ExternSignature(function)) {}

    /// What it was made of.
    void *address() const { return address_; }
    const ExternSignature &signature() const { return signature_; }

  private:
    void *address_ = nullptr;
    ExternSignature signature_;
};

/// A C function or a pipeline. A pipeline is called as the C function that it would be compiled to: with the arguments
/// of infer_arguments(), then a buffer for each value of each output. It answers bounds queries, so that it may define
/// a Func (Func::define_extern). A call may pass user_context_value() after the inputs; what the pipeline prints,
/// allocates or reports then goes to the handlers of the run that calls it, and else to those of the process.
class JITExtern {
  public:
    /// Of a pipeline, of one with a single output, or of a C function.
    explicit JITExtern(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}
    explicit JITExtern(const Func &func) : pipeline_(func) {}
    explicit JITExtern(const ExternCFunction &function) : function_(function) {}
    template <typename R, typename... A>
    explicit JITExtern(R (*function)(A...)) : JITExtern(ExternCFunction(function)) {}

    /// The one that it is; the other is undefined, or has no address.
    const Pipeline &pipeline() const { return pipeline_; }
    const ExternCFunction &extern_c_function() const { return function_; }

  private:
    Pipeline pipeline_;
    ExternCFunction function_;
};

} // namespace fluorite
