// The functions of a module that C calls: the entry, its variant for callers that know the types only at run time, and
// its metadata. For an entry `f`:
//
//   int32 f(args...)                  buffers as pointers to fluorite_buffer_t, scalars by value (16-bit floats as
//                                     uint16)
//   int32 f_argv(void **args)         args[i] is the buffer pointer itself, or a pointer to the scalar
//   f_metadata()                      a fluorite_filter_metadata_t; omitted if the target has the feature JIT
//
// Callees have the first two forms too, visible in the module only.
//
// An argument of type Handle named __user_context is the context that runtime functions receive.

#include "backends/llvm/emit/emit_module.h"

#include "backends/llvm/emit/function_emitter.h"
#include "fluorite/runtime_abi.h"
#include "ir/c_abi.h"
#include "ir/stmt.h"

#include <string>

namespace fluorite::backends {

using ir::LoweredArg;
using llvm::Value;

namespace {

/// An entry checks arguments and starts work, and runs once: it is compiled fast instead of well.
void compile_fast(llvm::Function *function) {
    function->addFnAttr(llvm::Attribute::OptimizeNone);
    function->addFnAttr(llvm::Attribute::NoInline);
}

/// Looks for loops of the host, and for grids of kernels.
class LoopFinder : public ir::Visitor {
  public:
    bool has_loops = false, has_grids = false;

    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const ir::Stmt &stmt) override {
        if (const auto *loop = stmt.as<ir::For>()) {
            (loop->for_kind == ir::ForKind::GPUBlock ? has_grids : has_loops) = true;
        }
        recurse(stmt);
    }
};

/// Whether a task does nothing but launch kernels. It stores their arguments, one after the other in one block, where
/// LLVM's scheduler compares each store with those before it.
bool only_launches_kernels(const ir::LoweredFunc &task) {
    LoopFinder finder;
    finder.visit(task.body);
    return finder.has_grids && !finder.has_loops;
}

bool is_buffer(const LoweredArg &arg) { return arg.kind != LoweredArg::Kind::Scalar; }

/// A function in the C ABI, which C or the module only can call.
llvm::Function *new_c_function(const ModuleContext &m, const ir::LoweredFunc &func, const std::string &name,
                               llvm::FunctionType *type) {
    llvm::Function *function = m.globals.new_function(name, type, func.kind == ir::LoweredFunc::Kind::Entry);
    compile_fast(function);
    return function;
}

llvm::Function *declare_entry(const ModuleContext &m, const ir::LoweredFunc &func) {
    std::vector<llvm::Type *> params;
    for (const LoweredArg &arg : func.args) {
        params.push_back(is_buffer(arg) ? m.ptr : value_type(m.context, arg.type));
    }
    return new_c_function(m, func, func.name, llvm::FunctionType::get(m.i32, params, false));
}

llvm::Function *declare_argv(const ModuleContext &m, const ir::LoweredFunc &func) {
    return new_c_function(m, func, ir::argv_name(func.name), llvm::FunctionType::get(m.i32, {m.ptr}, false));
}

void fill_argv(const ModuleContext &m, const ir::LoweredFunc &func) {
    llvm::Function *function = m.module.getFunction(func.name), *entry = m.module.getFunction(ir::argv_name(func.name));
    m.b.SetInsertPoint(llvm::BasicBlock::Create(m.context, "entry", entry));
    std::vector<Value *> args;
    for (unsigned i = 0; i < func.args.size(); i++) {
        const Type type = func.args[i].type;
        Value *given = m.b.CreateLoad(m.ptr, m.b.CreateConstInBoundsGEP1_64(m.ptr, entry->getArg(0), i));
        if (!is_buffer(func.args[i])) {
            llvm::Type *stored = memory_type(m.context, type);
            given = m.arith.from_memory(
                type, m.b.CreateAlignedLoad(stored, given, llvm::Align(static_cast<uint64_t>(type.bytes()))));
        }
        args.push_back(given);
    }
    m.b.CreateRet(m.b.CreateCall(function, args));
}

/// A constant of its own in the module.
llvm::GlobalVariable *data(const ModuleContext &m, llvm::Constant *value, const char *name) {
    auto *made =
        new llvm::GlobalVariable(m.module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
    made->setAlignment(llvm::Align(16));
    return made;
}

/// Pointers to 64 bits, or null where there is no value.
llvm::Constant *pointer_to(const ModuleContext &m, std::optional<uint64_t> bits) {
    return bits ? static_cast<llvm::Constant *>(data(m, m.b.getInt64(*bits), "value"))
                : llvm::Constant::getNullValue(m.ptr);
}
llvm::Constant *pointers_to(const ModuleContext &m, const std::vector<std::optional<int64_t>> &values) {
    if (values.empty()) {
        return llvm::Constant::getNullValue(m.ptr);
    }
    std::vector<llvm::Constant *> pointers;
    for (const std::optional<int64_t> &value : values) {
        pointers.push_back(
            pointer_to(m, value ? std::optional<uint64_t>(static_cast<uint64_t>(*value)) : std::nullopt));
    }
    return data(m, llvm::ConstantArray::get(llvm::ArrayType::get(m.ptr, pointers.size()), pointers), "estimates");
}

/// A constant in the layout of fluorite_filter_argument_t.
llvm::Constant *argument_metadata(const ModuleContext &m, const ir::FilterMetadata::Argument &arg,
                                  llvm::Constant *name) {
    static_assert(sizeof(fluorite_filter_argument_t) == 64);
    return llvm::ConstantStruct::getAnon(
        {name, m.b.getInt32(static_cast<uint32_t>(arg.kind)), m.b.getInt32(static_cast<uint32_t>(arg.dimensions)),
         m.b.getInt32(arg.type.as_u32()), m.b.getInt32(0), pointer_to(m, arg.value), pointer_to(m, arg.min),
         pointer_to(m, arg.max), pointer_to(m, arg.estimate), pointers_to(m, arg.estimates)});
}

void emit_metadata(const ModuleContext &m, const ir::LoweredFunc &func) {
    // Constants in the layout of fluorite/runtime_abi.h.
    const ir::FilterMetadata metadata = ir::filter_metadata(func, m.target);
    const auto text = [&](const std::string &t) { return m.b.CreateGlobalString(t, "name", 0, &m.module); };
    std::vector<llvm::Constant *> entries;
    for (const ir::FilterMetadata::Argument &arg : metadata.arguments) {
        entries.push_back(argument_metadata(m, arg, text(arg.name)));
    }
    llvm::Constant *list = llvm::Constant::getNullValue(m.ptr);
    if (!entries.empty()) {
        list = data(m, llvm::ConstantArray::get(llvm::ArrayType::get(entries[0]->getType(), entries.size()), entries),
                    "args");
    }
    llvm::Constant *all = llvm::ConstantStruct::getAnon({m.b.getInt32(static_cast<uint32_t>(metadata.version)),
                                                         m.b.getInt32(static_cast<uint32_t>(entries.size())), list,
                                                         text(metadata.target), text(metadata.name)});
    llvm::Function *entry =
        m.globals.new_function(ir::metadata_name(func.name), llvm::FunctionType::get(m.ptr, {}, false), true);
    m.b.SetInsertPoint(llvm::BasicBlock::Create(m.context, "entry", entry));
    m.b.CreateRet(data(m, all, "metadata"));
}

} // namespace

void emit_module(llvm::Module &module, const ir::LoweredModule &program, const Target &target) {
    const machine::MachineModel machine = machine::machine_model(target);
    llvm::IRBuilder<> b(module.getContext());
    Lanes lanes(b, machine);
    Arith arith(b, lanes, machine);
    ModuleGlobals globals(module);
    const ModuleContext m{module, program, target, machine, b, lanes, arith, globals};
    Tasks tasks;
    for (const ir::LoweredFunc &func : program.funcs) {
        if (func.kind == ir::LoweredFunc::Kind::Task) {
            tasks.declare(m, func);
        } else if (func.is_of_host()) {
            declare_entry(m, func);
            declare_argv(m, func);
        }
    }
    for (const ir::LoweredFunc &func : program.funcs) {
        if (func.kind == ir::LoweredFunc::Kind::Task) {
            const Task &task = tasks.at(func.name);
            FunctionEmitter(m, tasks, task.function).emit_task(func, task);
            if (only_launches_kernels(func)) {
                compile_fast(task.function);
            }
        } else if (func.is_of_host()) {
            FunctionEmitter(m, tasks, module.getFunction(func.name)).emit_entry(func);
            fill_argv(m, func);
        }
    }
    if (!target.has_feature(Target::JIT)) {
        emit_metadata(m, program.entry());
    }
}

} // namespace fluorite::backends
