// From modules to programs.
//
// Functions refer to each other, so all are declared, with the slots of their arguments, before any body is compiled.

#include "backends/executor/executor.h"

#include "backends/executor/calls.h"
#include "backends/executor/function_builder.h"
#include "ir/c_abi.h"
#include "ir/memory.h"
#include "ir/parameter.h"
#include "ir/print.h"
#include "support/check.h"
#include "support/large_stack.h"

namespace fluorite::backends {

namespace executor {
namespace {

using ir::LoweredArg;
using ir::LoweredFunc;
using ir::LoweredModule;

/// A header of the elements that a parameter holds, of which the code may set the flags.
fluorite_buffer_t *header_of_constant(Program &program, const LoweredArg &constant) {
    const fluorite_buffer_t &source = *ir::parameter_of(constant.symbol)->buffer;
    program.constant_dims.emplace_back(source.dim, source.dim + source.dimensions);
    program.constant_headers.push_back(source);
    fluorite_buffer_t &header = program.constant_headers.back();
    header.device = 0;
    header.device_interface = nullptr;
    header.flags = 0;
    header.dim = program.constant_dims.back().data();
    return &header;
}

void declare_arguments(FunctionBuilder &builder, const LoweredFunc &func) {
    Function &function = builder.function();
    for (const LoweredArg &arg : func.args) {
        Function::Argument &made = function.args.emplace_back(Function::Argument{arg.kind, arg.type, {}, 0});
        if (arg.kind == LoweredArg::Kind::Scalar) {
            made.slot = builder.new_slot(arg.type.lanes());
            builder.bind(arg.symbol, made.slot);
        } else {
            made.buffer = builder.bind_buffer(arg.symbol);
        }
    }
    if (func.index.defined()) {
        function.index = builder.new_slot(1);
        builder.bind(func.index, function.index);
    }
    for (const auto &[symbols, slots] :
         {std::pair(&func.blocks, &function.blocks), std::pair(&func.threads, &function.threads)}) {
        for (const ir::Symbol &index : *symbols) {
            slots->push_back(builder.new_slot(1));
            builder.bind(index, slots->back());
        }
    }
    function.context = ir::context_argument(func);
    if (func.kind == LoweredFunc::Kind::Task || func.kind == LoweredFunc::Kind::Kernel) {
        function.closure = ir::closure_layout(func, /*is_checked=*/true); // as every access is
    }
    if (func.kind == LoweredFunc::Kind::Kernel) {
        function.shared = ir::shared_layout(func);
    }
}

/// A program refers to texts of the module, which therefore lives as long.
std::shared_ptr<Program> make_program(const LoweredModule &module, const std::vector<ExternSymbol> &externs) {
    auto program = std::make_shared<Program>();
    program->externs = externs;
    std::vector<FunctionBuilder> builders;
    for (const LoweredFunc &func : module.funcs) {
        Function &function = program->functions.emplace_back();
        function.program = program.get();
        function.name = func.name;
        function.slot_count = ir::slot_count(func.body);
        program->by_name[func.name] = &function;
        declare_arguments(builders.emplace_back(*program, function), func);
        if (func.kind == LoweredFunc::Kind::Entry || func.kind == LoweredFunc::Kind::Callee) {
            program->argv_forms[func.name] = make_argv_form(*program, function);
        }
    }
    for (const LoweredArg &constant : module.constants) {
        const size_t buffer = builders.front().bind_buffer(constant.symbol);
        program->functions.front().constants.emplace_back(buffer, header_of_constant(*program, constant));
    }
    for (size_t k = 0; k < builders.size(); k++) {
        compile(module.funcs[k].body, builders[k]);
    }
    return program;
}

class ExecutableProgram : public Executable {
  public:
    ExecutableProgram(const LoweredModule &module, const std::vector<ExternSymbol> &externs) : module_(module) {
        on_large_stack([&] { program_ = make_program(module_, externs); });
    }
    int32_t run(void **args) const override {
        return reinterpret_cast<Entry>(program_->argv_forms.at(module_.entry().name))(args);
    }
    size_t code_size() const override {
        size_t size = 0;
        for (const Function &function : program_->functions) {
            size += function.code.size() * sizeof(Instruction);
        }
        return size;
    }

  private:
    LoweredModule module_;
    std::shared_ptr<Program> program_;
};

class ExecutorBackend : public Backend {
  public:
    std::string name() const override { return "executor"; }
    std::unique_ptr<Executable> load(const LoweredModule &module, const Target &,
                                     const std::vector<ExternSymbol> &externs) const override {
        return std::make_unique<ExecutableProgram>(module, externs);
    }
    std::string file(const LoweredModule &module, const Target &, OutputKind kind) const override {
        if (kind != OutputKind::Source) {
            refuse(module, to_word(kind));
        }
        return ir::to_text(module);
    }
};

} // namespace
} // namespace executor

const Backend &executor_backend() {
    static const executor::ExecutorBackend backend;
    return backend;
}

} // namespace fluorite::backends
