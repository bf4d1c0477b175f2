// The functions of a module that C calls: the entry, its variant for callers that know the types only at run time, and
// its metadata. For an entry `f`:
//
//   int32 f(args...)                  buffers as pointers to fluorite_buffer_t, scalars by value (16-bit floats as
//   uint16)
//   int32 f_argv(void **args)         args[i] is the buffer pointer itself, or a pointer to the scalar
//   f_metadata()                      a fluorite_filter_metadata_t; omitted if the target has the feature JIT
//
// An argument of type Handle named __user_context is the context that runtime functions receive.

#include "backends/llvm/emit/emitter.h"

#include "support/check.h"

#include <span>

namespace fluorite::backends {

using ir::LoweredArg;
using llvm::Value;

Emitter::Emitter(llvm::Module &module, const Target &target)
    : module_(module), context_(module.getContext()), target_(target), machine_(machine::machine_model(target)),
      b_(context_), arith_(b_, machine_), globals_(module), metadata_(context_), i8_(b_.getInt8Ty()),
      i16_(b_.getInt16Ty()), i32_(b_.getInt32Ty()), i64_(b_.getInt64Ty()), ptr_(b_.getPtrTy()), void_(b_.getVoidTy()) {}

namespace {

bool is_buffer(const LoweredArg &arg) { return arg.kind != LoweredArg::Kind::Scalar; }

bool is_user_context(const LoweredArg &arg) {
    return !is_buffer(arg) && arg.type.is_handle() && arg.symbol.name() == "__user_context";
}

} // namespace

void Emitter::emit(const ir::LoweredModule &module) {
    const ir::LoweredFunc &entry = module.entry();
    name_ = entry.name;
    storage_places_ = module.storage_places;
    for (const ir::Symbol &buffer : module.streams) {
        streams_[buffer] = true;
    }
    for (const LoweredArg &constant : module.constants) {
        constants_[constant.symbol] = true;
    }
    llvm::Function *function = declare_entry(entry);
    const std::span tasks = std::span(module.funcs).subspan(1);
    for (const ir::LoweredFunc &task : tasks) {
        declare_task(task);
    }
    fill_entry(entry, function);
    for (const ir::LoweredFunc &task : tasks) {
        fill_task(task);
    }
    emit_argv(entry, function);
    if (!target_.has_feature(Target::JIT)) {
        emit_metadata(entry);
    }
}

llvm::Function *Emitter::declare_entry(const ir::LoweredFunc &func) {
    std::vector<llvm::Type *> params;
    for (const LoweredArg &arg : func.args) {
        params.push_back(is_buffer(arg) ? ptr_ : value_type(context_, arg.type));
    }
    // An entry checks arguments and starts work, and runs once: it is compiled fast instead of well.
    llvm::Function *function = globals_.new_function(func.name, llvm::FunctionType::get(i32_, params, false), true);
    function->addFnAttr(llvm::Attribute::OptimizeNone);
    function->addFnAttr(llvm::Attribute::NoInline);
    return function;
}

void Emitter::fill_entry(const ir::LoweredFunc &func, llvm::Function *function) {
    begin_frame(function);
    for (unsigned i = 0; i < func.args.size(); i++) {
        const LoweredArg &arg = func.args[i];
        llvm::Argument *given = function->getArg(i);
        given->setName(arg.symbol.name());
        if (is_buffer(arg)) {
            Buffer made;
            made.header = given;
            frame_.buffers[arg.symbol] = made;
            continue;
        }
        if (arg.type.is_int_or_uint() && arg.type.bits() < 32) {
            function->addParamAttr(i, arg.type.is_int() ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
        }
        if (is_user_context(arg)) {
            frame_.context = given;
        }
        frame_.values.bind(arg.symbol, {given, nullptr, 0});
    }
    stmt(func.body);
    end_frame();
}

void Emitter::emit_argv(const ir::LoweredFunc &func, llvm::Function *function) {
    llvm::Function *entry =
        globals_.new_function(func.name + "_argv", llvm::FunctionType::get(i32_, {ptr_}, false), true);
    entry->addFnAttr(llvm::Attribute::OptimizeNone);
    entry->addFnAttr(llvm::Attribute::NoInline);
    b_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", entry));
    std::vector<Value *> args;
    for (unsigned i = 0; i < func.args.size(); i++) {
        const Type type = func.args[i].type;
        Value *given = b_.CreateLoad(ptr_, b_.CreateConstInBoundsGEP1_64(ptr_, entry->getArg(0), i));
        if (!is_buffer(func.args[i])) {
            llvm::Type *stored = memory_type(context_, type);
            given = arith_.from_memory(
                type, b_.CreateAlignedLoad(stored, given, llvm::Align(static_cast<uint64_t>(type.bytes()))));
        }
        args.push_back(given);
    }
    b_.CreateRet(b_.CreateCall(function, args));
}

void Emitter::emit_metadata(const ir::LoweredFunc &func) {
    // Constants in the layout of fluorite/runtime_abi.h.
    const auto global = [&](llvm::Constant *value, const char *name) {
        auto *made =
            new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
        made->setAlignment(llvm::Align(16));
        return made;
    };
    const auto text = [&](const std::string &t) { return b_.CreateGlobalString(t, "name", 0, &module_); };
    llvm::Constant *null = llvm::Constant::getNullValue(ptr_);
    std::vector<llvm::Constant *> entries;
    for (const LoweredArg &arg : func.args) {
        const int kind = !is_buffer(arg)                             ? fluorite_argument_kind_input_scalar
                         : arg.kind == LoweredArg::Kind::InputBuffer ? fluorite_argument_kind_input_buffer
                                                                     : fluorite_argument_kind_output_buffer;
        const auto code = static_cast<fluorite_type_code_t>(arg.type.code());
        const fluorite_type_t type(code, static_cast<uint8_t>(arg.type.bits()), 1);
        entries.push_back(
            llvm::ConstantStruct::getAnon({text(arg.symbol.name()), b_.getInt32(static_cast<uint32_t>(kind)),
                                           b_.getInt32(static_cast<uint32_t>(arg.dimensions)),
                                           b_.getInt32(type.as_u32()), b_.getInt32(0), null, null, null, null, null}));
    }
    static_assert(sizeof(fluorite_filter_argument_t) == 64);
    llvm::Constant *list = null;
    if (!entries.empty()) {
        list = global(llvm::ConstantArray::get(llvm::ArrayType::get(entries[0]->getType(), entries.size()), entries),
                      "args");
    }
    llvm::Constant *all = llvm::ConstantStruct::getAnon({b_.getInt32(fluorite_filter_metadata_version),
                                                         b_.getInt32(static_cast<uint32_t>(func.args.size())), list,
                                                         text(target_.to_string()), text(func.name)});
    llvm::Function *entry =
        globals_.new_function(func.name + "_metadata", llvm::FunctionType::get(ptr_, {}, false), true);
    b_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", entry));
    b_.CreateRet(global(all, "metadata"));
}

} // namespace fluorite::backends
