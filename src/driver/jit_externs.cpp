// Extern functions of pipelines that run as they are compiled.
//
// A JITExtern that is a C function is passed to the back end as an address. One that is a pipeline is compiled for the
// same target, and becomes a C function by a closure of libffi, whose arguments are those of infer_arguments() and then
// the outputs: it makes a list of pointers of them and runs the code, whichever back end made it.
//
// Relies on: the low bytes of an argument come first, so that the address of an argument is that of its value. Does not
// do: arguments of 16-bit floats, which C passes in no agreed way. Cost: some 100 ns for each call of a pipeline; none
// for a C function.

#include "driver/jit_externs.h"

#include "ir/c_abi.h"
#include "ir/extern_stage.h"
#include "ir/parameter.h"
#include "ir/stmt.h"
#include "support/check.h"
#include "support/place.h"

#include <ffi.h>
#include <ostream>
#include <set>

namespace fluorite {

namespace {
[[noreturn]] void refuse(const std::string &where, const std::string &text, const Location &location) {
    throw CompileError("jit-extern", concat("in ", where, ": ", text), location);
}
} // namespace

ExternSignature::ExternSignature(const Type &result, bool is_void_return, const std::vector<Type> &arguments,
                                 const Location &location)
    : result_(result), is_void_return_(is_void_return), arguments_(arguments) {
    if (is_void_return && !result.is_void()) {
        refuse("an ExternSignature",
               concat("the function returns nothing, and ", result,
                      " is given for its result; a result has one type or none; give Type() or false"),
               location);
    }
}

const Type &ExternSignature::ret_type(const Location &location) const {
    if (is_void_return_) {
        refuse("an ExternSignature",
               "the type of its result is asked for, and the function returns nothing; ask is_void_return() first",
               location);
    }
    return result_;
}

std::ostream &operator<<(std::ostream &stream, const ExternSignature &signature) {
    signature.is_void_return() ? stream << "void" : stream << signature.ret_type();
    stream << " (*)(";
    const char *separator = "";
    for (const Type &type : signature.arg_types()) {
        stream << std::exchange(separator, ", ") << type;
    }
    return stream << ")";
}

namespace {

/// Whether the pipeline is among the others, or called by one of them.
bool calls(const std::map<std::string, JITExtern> &externs, const PipelineContents *contents) {
    return std::any_of(externs.begin(), externs.end(), [&](const auto &each) {
        const PipelineContents *other = each.second.pipeline().contents().get();
        return other && (other == contents || calls(other->jit_externs, contents));
    });
}

} // namespace

void Pipeline::set_jit_externs(const std::map<std::string, JITExtern> &externs, const Location &location) {
    PipelineContents &contents = needed(location);
    for (const auto &[name, function] : externs) {
        if (!function.pipeline().defined() && !function.extern_c_function().address()) {
            refuse(driver::function_name(contents),
                   concat("the extern function '", name,
                          "' is an undefined pipeline or a null address; it is called when the pipeline runs; give a "
                          "function"),
                   location);
        }
    }
    if (calls(externs, &contents)) {
        refuse(driver::function_name(contents),
               "an extern function of the pipeline is the pipeline itself, or calls it; a pipeline is computed from "
               "others; give another one",
               location);
    }
    contents.jit_externs = externs;
}

const std::map<std::string, JITExtern> &Pipeline::get_jit_externs(const Location &location) const {
    return needed(location).jit_externs;
}

void Func::set_jit_externs(const std::map<std::string, JITExtern> &externs, const Location &location) {
    pipeline(location).set_jit_externs(externs, location);
}
const std::map<std::string, JITExtern> &Func::get_jit_externs(const Location &location) const {
    return pipeline(location).get_jit_externs(location);
}

namespace driver {

namespace {

ffi_type *ffi_type_of(Type type) {
    if (type.is_handle()) {
        return &ffi_type_pointer;
    }
    if (type.is_float()) {
        return type.bits() == 64 ? &ffi_type_double : &ffi_type_float;
    }
    static ffi_type *const of_int[] = {&ffi_type_sint8, &ffi_type_sint16, &ffi_type_sint32, &ffi_type_sint64};
    static ffi_type *const of_uint[] = {&ffi_type_uint8, &ffi_type_uint16, &ffi_type_uint32, &ffi_type_uint64};
    const int width = type.bytes() == 1 ? 0 : type.bytes() == 2 ? 1 : type.bytes() == 4 ? 2 : 3;
    return (type.is_int() ? of_int : of_uint)[width];
}

/// A pipeline as a C function. Where a context follows the inputs, its handlers are those of the call.
class PipelineFunction {
  public:
    PipelineFunction(std::shared_ptr<const CompiledPipeline> pipeline, const std::vector<Argument> &arguments,
                     const ExternSignature &signature, bool has_context)
        : pipeline_(std::move(pipeline)), context_(has_context ? static_cast<int>(arguments.size()) : -1) {
        for (const Type &type : signature.arg_types()) {
            types_.push_back(ffi_type_of(type));
        }
        size_t output = arguments.size() + (has_context ? 1 : 0);
        for (size_t i = 0; i < pipeline_->args.size(); i++) {
            const ir::Parameter *parameter = pipeline_->parameters[i];
            if (pipeline_->args[i].kind == ir::LoweredArg::Kind::OutputBuffer) {
                places_.push_back(static_cast<int>(output++));
                continue;
            }
            const auto listed = std::find_if(arguments.begin(), arguments.end(), [&](const Argument &argument) {
                return parameter && argument.parameter.get() == parameter;
            });
            places_.push_back(listed == arguments.end() ? -1 : static_cast<int>(listed - arguments.begin()));
        }
        closure_ = static_cast<ffi_closure *>(ffi_closure_alloc(sizeof(ffi_closure), &address_));
        check(closure_ != nullptr, "there is memory for a closure");
        const bool is_made = ffi_prep_cif(&interface_, FFI_DEFAULT_ABI, static_cast<unsigned>(types_.size()),
                                          &ffi_type_sint32, types_.data()) == FFI_OK &&
                             ffi_prep_closure_loc(closure_, &interface_, &run, this, address_) == FFI_OK;
        check(is_made, "libffi knows the types of a pipeline's arguments");
    }
    ~PipelineFunction() { ffi_closure_free(closure_); }
    PipelineFunction(const PipelineFunction &) = delete;
    PipelineFunction &operator=(const PipelineFunction &) = delete;

    void *address() const { return address_; }

  private:
    static void run(ffi_cif *, void *result, void **arguments, void *self) {
        *static_cast<ffi_sarg *>(result) = static_cast<const PipelineFunction *>(self)->run_with(arguments);
    }
    int32_t run_with(void **arguments) const {
        void *context = context_ >= 0 ? *static_cast<void **>(arguments[context_]) : nullptr;
        std::vector<void *> list;
        for (size_t i = 0; i < places_.size(); i++) {
            const bool is_scalar = pipeline_->args[i].kind == ir::LoweredArg::Kind::Scalar;
            if (places_[i] >= 0) {
                void *passed = arguments[places_[i]];
                list.push_back(is_scalar ? passed : *static_cast<void **>(passed));
            } else if (is_scalar) {
                list.push_back(&context);
            } else { // a Buffer of the program
                list.push_back(pipeline_->parameters[i]->buffer);
            }
        }
        return pipeline_->code->run(list.data());
    }

    std::shared_ptr<const CompiledPipeline> pipeline_;
    int context_;             // the index of that argument, or -1
    std::vector<int> places_; // for each argument of the code, that of the function; -1: not passed
    std::vector<ffi_type *> types_;
    ffi_cif interface_ = {};
    ffi_closure *closure_ = nullptr;
    void *address_ = nullptr;
};

ExternSignature signature_of(const CompiledPipeline &pipeline, const std::vector<Argument> &arguments) {
    std::vector<Type> types;
    for (const Argument &argument : arguments) {
        types.push_back(argument.is_buffer() ? Handle() : argument.type);
    }
    types.resize(types.size() + pipeline.outputs.size(), Handle());
    return {Int(32), false, types};
}

/// With a context after the inputs.
ExternSignature with_context(const ExternSignature &signature, size_t inputs) {
    std::vector<Type> types = signature.arg_types();
    types.insert(types.begin() + static_cast<std::ptrdiff_t>(inputs), Handle());
    return {signature.ret_type(), false, types};
}

/// The calls of functions by their names.
class Calls : public ir::Visitor {
  public:
    /// Those of these names.
    Calls(const ir::LoweredModule &module, std::map<std::string, std::vector<Expr>> of) : by_name(std::move(of)) {
        for (const ir::LoweredFunc &func : module.funcs) {
            if (func.body.defined()) {
                visit(func.body);
            }
        }
    }
    using Visitor::visit;
    void visit(const Expr &expr) override {
        ir::for_each_node(expr, [&](const Expr &node) {
            if (node->kind() != ir::ExprKind::Extern) {
                return;
            }
            const auto named = by_name.find(ir::called_function(*node));
            if (named != by_name.end()) {
                named->second.push_back(node);
            }
        });
    }

    std::map<std::string, std::vector<Expr>> by_name;
};

/// The types of one lane of a call.
ExternSignature signature_of(const Expr &call) {
    std::vector<Type> types;
    for (const Expr &operand : call->args()) {
        types.push_back(operand.type().element_of());
    }
    if (ir::called_function(*call) != call->text()) { // the name is an operand
        types.erase(types.begin());
    }
    return {call.type().element_of(), false, types};
}

bool fits(const ExternSignature &given, const ExternSignature &called) {
    return !given.is_void_return() && given.ret_type() == called.ret_type() && given.arg_types() == called.arg_types();
}

} // namespace

JitExterns::JitExterns(const PipelineContents &contents, const Target &target, const Location &location)
    : location_(location) {
    for (const auto &[name, function] : contents.jit_externs) {
        Named named{name, function.extern_c_function(), nullptr, {}};
        if (function.pipeline().defined()) {
            named.pipeline = compiled_for(*function.pipeline().contents(), target, location);
            named.arguments = function.pipeline().infer_arguments(location);
            if (named.pipeline->distributed) {
                refuse(named.pipeline->outputs[0].name,
                       concat("it is the extern function '", name,
                              "', and it runs on ranks; a C function is called by one; leave out distribute() and "
                              "compute_rank()"),
                       location);
            }
        }
        externs_.push_back(std::move(named));
    }
}

void JitExterns::add_fingerprint(std::vector<uint64_t> &prints) const {
    for (const Named &named : externs_) {
        prints.push_back(std::hash<std::string>()(named.name));
        const void *address = named.pipeline ? named.pipeline.get() : named.function.address();
        prints.push_back(reinterpret_cast<uintptr_t>(address));
    }
}

std::vector<backends::ExternSymbol> JitExterns::symbols_of(const ir::LoweredModule &module) {
    std::vector<backends::ExternSymbol> symbols;
    std::map<std::string, std::vector<Expr>> names;
    for (const Named &named : externs_) {
        names[named.name];
    }
    const Calls calls(module, std::move(names));
    for (const Named &named : externs_) {
        const std::vector<Expr> &of_name = calls.by_name.at(named.name);
        if (of_name.empty()) {
            continue;
        }
        ExternSignature signature =
            named.pipeline ? signature_of(*named.pipeline, named.arguments) : named.function.signature();
        const bool has_context =
            named.pipeline && signature_of(of_name[0]).arg_types().size() == signature.arg_types().size() + 1;
        if (has_context) {
            signature = with_context(signature, named.arguments.size());
        }
        for (const Expr &call : of_name) {
            const ExternSignature called = signature_of(call);
            if (fits(signature, called)) {
                continue;
            }
            refuse(module.entry().name,
                   concat("the extern function '", named.name, "' is called as ", called,
                          ", and set_jit_externs gives ", signature,
                          "; the types of both are the same; give a function of the types of the call"),
                   location_);
        }
        void *address = named.function.address();
        if (named.pipeline) {
            const auto function =
                std::make_shared<PipelineFunction>(named.pipeline, named.arguments, signature, has_context);
            address = function->address();
            owned_.push_back(function);
        }
        symbols.push_back({named.name, address});
    }
    return symbols;
}

} // namespace driver
} // namespace fluorite
