// Kernels of devices, as the functions of the host see them (fluorite/runtime/device.h).
//
//   gpu_block for y in [0, +h) { gpu_block for x in [0, +w) { launch k(n, in, f) threads(16, 4) } }
//   -->
//   fluorite_device_load_module(context, device, &slot, &module)
//   fluorite_device_launch(context, device, slot, number of k, {w, h, 1}, {16, 4, 1}, shared bytes,
//                          {scalar n, buffer in, memory f}, 3)
// `module` is constant data: the bytes that the back end of the device has made, and a description of each kernel.
//
// The memory of a Func on the device is a fluorite_device_mirror_t on the stack of the function that allocates it; its
// address is what tasks get.
//
// Each call of the runtime returns a code; one that is not 0 leaves the function. Cost: the runtime looks up the module
// at each launch.

#include "backends/llvm/emit/kernel_calls.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/host_frame.h"
#include "fluorite/runtime/device.h"
#include "ir/device_code.h"
#include "ir/operations.h"
#include "support/check.h"

#include <cstddef>

namespace fluorite::backends {

using ir::LoweredFunc;
using llvm::Value;

namespace {

constexpr size_t most_dimensions = 3;

// ---- Constant data.

llvm::GlobalVariable *constant_data(const ModuleContext &m, llvm::Constant *value, const char *name) {
    auto *made =
        new llvm::GlobalVariable(m.module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
    made->setAlignment(llvm::Align(16));
    return made;
}

llvm::Constant *array_or_null(const ModuleContext &m, const std::vector<llvm::Constant *> &elements, const char *name) {
    if (elements.empty()) {
        return llvm::Constant::getNullValue(m.ptr);
    }
    return constant_data(
        m, llvm::ConstantArray::get(llvm::ArrayType::get(elements[0]->getType(), elements.size()), elements), name);
}

/// A fluorite_device_kernel_t.
llvm::Constant *kernel_data(const ModuleContext &m, const LoweredFunc &kernel, const ir::DeviceKernel &code) {
    std::vector<llvm::Constant *> failures;
    for (const std::string &text : code.failures) {
        failures.push_back(m.globals.text(text));
    }
    uint32_t flags = code.packs_scalars ? fluorite_device_kernel_packs_scalars : 0;
    flags |= failures.empty() ? 0 : fluorite_device_kernel_reports_failures;
    flags |= code.uses_shared ? fluorite_device_kernel_uses_shared : 0;
    static_assert(sizeof(fluorite_device_kernel_t) == 32);
    return llvm::ConstantStruct::getAnon({m.globals.text(code.name), m.globals.text(kernel.name), m.b.getInt32(flags),
                                          m.b.getInt32(static_cast<uint32_t>(failures.size())),
                                          array_or_null(m, failures, "failures")});
}

/// The kernels of the module, in their order.
std::vector<const LoweredFunc *> kernels_of(const ModuleContext &m) {
    std::vector<const LoweredFunc *> kernels;
    for (const LoweredFunc &func : m.program.funcs) {
        if (func.kind == LoweredFunc::Kind::Kernel) {
            kernels.push_back(&func);
        }
    }
    return kernels;
}

/// The fluorite_device_module_t.
llvm::Constant *module_data(const ModuleContext &m) {
    constexpr const char *name = "fluorite.kernels";
    if (llvm::GlobalVariable *known = m.module.getNamedGlobal(name)) {
        return known;
    }
    const ir::DeviceCode &code = *m.program.device_code;
    const std::vector<const LoweredFunc *> kernels = kernels_of(m);
    check(kernels.size() == code.kernels.size(), "the code of a device has each kernel of the module");
    std::vector<llvm::Constant *> descriptions;
    for (size_t i = 0; i < kernels.size(); i++) {
        descriptions.push_back(kernel_data(m, *kernels[i], code.kernels[i]));
    }
    llvm::Constant *bytes = constant_data(m, llvm::ConstantDataArray::getString(m.context, code.bytes), "device_code");
    static_assert(sizeof(fluorite_device_module_t) == 40);
    llvm::GlobalVariable *made = constant_data(
        m,
        llvm::ConstantStruct::getAnon({bytes, m.b.getInt64(code.bytes.size()), m.globals.text(code.options),
                                       array_or_null(m, descriptions, "kernels"),
                                       m.b.getInt32(static_cast<uint32_t>(kernels.size())), m.b.getInt32(0)}),
        name);
    return made;
}

llvm::GlobalVariable *slot_of(const ModuleContext &m) {
    const std::string name = kernels_slot(m.program.entry().name);
    if (llvm::GlobalVariable *known = m.module.getNamedGlobal(name)) {
        return known;
    }
    // Code in memory is unloaded, and the one who does that looks the pointer up.
    const auto linkage =
        m.target.has_feature(Target::JIT) ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage;
    auto *slot = new llvm::GlobalVariable(m.module, m.ptr, false, linkage, llvm::Constant::getNullValue(m.ptr), name);
    slot->setDSOLocal(true);
    return slot;
}

} // namespace

std::string kernels_slot(const std::string &entry) { return entry + ".kernels"; }

// ---- Calls.

Value *KernelCalls::device_interface() {
    const bool is_cuda = m_.program.device_code->api == DeviceAPI::CUDA;
    return call_runtime(m_, is_cuda ? "fluorite_cuda_device_interface" : "fluorite_opencl_device_interface", m_.ptr,
                        {});
}

void KernelCalls::require_success(Value *code) {
    frame_.require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

/// The values as an array on the stack.
Value *KernelCalls::list(const std::vector<Value *> &values, llvm::Type *type, const char *name) {
    Value *memory = frame_.entry_alloca(type, std::max<size_t>(values.size(), 1), 16, name);
    for (size_t i = 0; i < values.size(); i++) {
        b_.CreateStore(values[i], b_.CreateConstInBoundsGEP1_64(type, memory, i));
    }
    return memory;
}

/// The fields of a fluorite_device_argument_t: kind and bytes in one word, value, offset.
std::vector<Value *> KernelCalls::argument(const ir::LoweredArg &wanted, const Expr &given) {
    const auto words = [&](uint64_t kind, uint64_t bytes, Value *value) {
        return std::vector<Value *>{b_.getInt64(kind | bytes << 32), value, b_.getInt64(0)};
    };
    static_assert(sizeof(fluorite_device_argument_t) == 24);
    if (wanted.kind == ir::LoweredArg::Kind::Scalar) {
        check(wanted.type.is_scalar(), concat("'", wanted.symbol.name(), "' is one value"));
        Value *value = m_.arith.to_memory(wanted.type, expressions_.value(given));
        const auto bytes = static_cast<uint64_t>(wanted.type.bytes());
        value = value->getType()->isPointerTy()
                    ? b_.CreatePtrToInt(value, m_.i64)
                    : b_.CreateBitCast(value, b_.getIntNTy(static_cast<unsigned>(8 * bytes)));
        return words(fluorite_device_argument_scalar, bytes, b_.CreateZExt(value, m_.i64));
    }
    const ir::Symbol &symbol = given->symbol();
    if (buffers_.is_argument(symbol)) {
        return words(fluorite_device_argument_buffer, 0, b_.CreatePtrToInt(buffers_.header(symbol), m_.i64));
    }
    Value *mirror = buffers_.host(symbol);
    Value *memory =
        b_.CreateLoad(m_.i64, b_.CreateConstInBoundsGEP1_64(m_.i8, mirror, offsetof(fluorite_device_mirror_t, memory)));
    return words(fluorite_device_argument_memory, 0, memory);
}

Value *KernelCalls::arguments(const LoweredFunc &kernel, const ir::Launch &launch) {
    std::vector<Value *> words;
    for (size_t i = 0; i < launch.args.size(); i++) {
        const std::vector<Value *> fields = argument(kernel.args[i], launch.args[i]);
        words.insert(words.end(), fields.begin(), fields.end());
    }
    return list(words, m_.i64, "arguments");
}

Value *KernelCalls::shared_bytes(const LoweredFunc &kernel, const ir::Launch &launch) {
    ir::SymbolMap<Expr> given;
    for (size_t i = 0; i < launch.args.size(); i++) {
        given[kernel.args[i].symbol] = launch.args[i];
    }
    return expressions_.value(ir::substitute(ir::shared_layout(kernel).bytes, given));
}

void KernelCalls::launch(const ir::For &grid) {
    check(m_.program.device_code != nullptr, "kernels are made before the functions that launch them");
    std::vector<Value *> blocks, threads;
    ir::Stmt at = &grid;
    while (const auto *loop = at.as<ir::For>()) {
        blocks.insert(blocks.begin(), expressions_.scalar_i64(loop->extent)); // the innermost first
        at = loop->body;
    }
    const auto *launch = at.as<ir::Launch>();
    check(launch != nullptr, "the body of a grid is a launch");
    const std::vector<const LoweredFunc *> kernels = kernels_of(m_);
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const LoweredFunc *func) { return func->name == launch->task; });
    check(kernel != kernels.end(), "the module has the kernel");
    for (const Expr &count : launch->threads) {
        threads.push_back(expressions_.value(count));
    }
    blocks.resize(most_dimensions, b_.getInt64(1));
    threads.resize(most_dimensions, b_.getInt32(1));
    Value *device = device_interface(), *slot = slot_of(m_);
    require_success(
        call_runtime(m_, "fluorite_device_load_module", m_.i32, {frame_.context(), device, slot, module_data(m_)}));
    const auto number = static_cast<uint32_t>(kernel - kernels.begin());
    Value *shared = shared_bytes(**kernel, *launch), *given = arguments(**kernel, *launch);
    require_success(call_runtime(m_, "fluorite_device_launch", m_.i32,
                                 {frame_.context(), device, b_.CreateLoad(m_.ptr, slot), b_.getInt32(number),
                                  list(blocks, m_.i64, "blocks"), list(threads, m_.i32, "threads"), shared, given,
                                  b_.getInt32(static_cast<uint32_t>(launch->args.size()))}));
    values_.forget_memory();
}

Value *KernelCalls::begin_memory(const ir::Symbol &buffer, Value *bytes) {
    Value *mirror = frame_.entry_alloca(m_.i8, sizeof(fluorite_device_mirror_t), 16, buffer.name().c_str());
    require_success(
        call_runtime(m_, "fluorite_device_mirror_begin", m_.i32,
                     {frame_.context(), device_interface(), mirror, m_.globals.text(buffer.name()), bytes}));
    return mirror;
}

// ---- Operations.

Value *KernelCalls::operation(const ir::ExprNode &node) {
    const ir::Symbol &buffer = node.arg(0)->symbol();
    Value *code = buffers_.is_argument(buffer) ? operation_of_argument(node, buffers_.header(buffer))
                                               : operation_of_memory(node, buffers_.host(buffer));
    require_success(code);
    return b_.getInt32(0);
}

Value *KernelCalls::operation_of_argument(const ir::ExprNode &node, Value *header) {
    const std::string &name = node.text();
    Value *text = m_.globals.text(node.arg(0)->symbol().name());
    if (name == "device.need") {
        const auto use = static_cast<ir::DeviceUse>(node.arg(1)->int_value());
        if (use == ir::DeviceUse::Read) {
            return call_runtime(m_, "fluorite_device_need_input", m_.i32,
                                {frame_.context(), device_interface(), text, header});
        }
        Value *keeps = b_.getInt32(use == ir::DeviceUse::WritePart ? 1 : 0);
        return call_runtime(m_, "fluorite_device_need_output", m_.i32,
                            {frame_.context(), device_interface(), text, header, keeps});
    }
    if (name == "device.need_host") {
        return call_runtime(m_, "fluorite_device_need_host", m_.i32, {frame_.context(), text, header});
    }
    const bool on_device = name == "device.wrote";
    check(on_device || name == "device.host_wrote", concat("'", name, "' is an operation on a buffer argument"));
    return call_runtime(m_, on_device ? "fluorite_device_mark_written" : "fluorite_device_mark_host_written", m_.i32,
                        {header});
}

Value *KernelCalls::operation_of_memory(const ir::ExprNode &node, Value *mirror) {
    const std::string &name = node.text();
    if (name == "device.attach") {
        return call_runtime(m_, "fluorite_device_mirror_attach", m_.i32,
                            {mirror, buffers_.host(node.arg(1)->symbol())});
    }
    if (name == "device.need" || name == "device.need_host") {
        return call_runtime(m_,
                            name == "device.need" ? "fluorite_device_mirror_need" : "fluorite_device_mirror_need_host",
                            m_.i32, {frame_.context(), mirror});
    }
    const bool on_device = name == "device.wrote";
    check(on_device || name == "device.host_wrote", concat("'", name, "' is an operation of operations.def"));
    return call_runtime(m_, "fluorite_device_mirror_wrote", m_.i32, {mirror, b_.getInt32(on_device ? 1 : 0)});
}

} // namespace fluorite::backends
