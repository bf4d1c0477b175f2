// Kernels as functions of LLVM IR.
//
// A kernel has the parameters that fluorite/runtime/device.h lists: its arguments, the failure word, and three numbers
// of blocks to add to the index of the block. Memory is a pointer to global memory. It is noalias if the kernel only
// reads it, and then loads go through the cache for constants (ld.global.nc). Memory that it writes is noalias only in
// a kernel without barriers and atomic updates: the promise would be that nothing but this thread changes it, across
// the barrier, too, and LLVM would keep elements in registers that other threads have stored meanwhile. The alias tags
// of buffers, which make no such promise, tell their accesses apart everywhere.
//
// The indices of the thread are special registers, with the range that a known size of the block gives.

#include "backends/llvm/device/kernel_emitter.h"

#include "backends/llvm/device/address_spaces.h"
#include "ir/expr_traits.h"
#include "support/check.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>

namespace fluorite::backends {

using ir::LoweredArg;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// What a kernel does with memory.
class MemoryUses : public ir::Visitor {
  public:
    explicit MemoryUses(const ir::Stmt &body) { visit(body); }
    std::vector<ir::Symbol> stored;
    bool shares = false; // what it stores, with other threads, at barriers or by atomic updates

    bool stores(const ir::Symbol &symbol) const {
        return std::find(stored.begin(), stored.end(), symbol) != stored.end();
    }

  private:
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const ir::Stmt &stmt) override {
        if (const auto *store = stmt.as<ir::Store>(); store && !stores(store->buffer)) {
            stored.push_back(store->buffer);
        }
        shares = shares || stmt.kind() == ir::StmtKind::Barrier || stmt.kind() == ir::StmtKind::Atomic;
        recurse(stmt);
    }
};

} // namespace

Value *KernelExpressions::value(const ir::ExprNode &node) {
    internal_error(concat("'", kind_name(node.kind()), "' is left in a kernel"), {});
}

std::vector<KernelEmitter::Parameter> KernelEmitter::parameters(const ModuleContext &m, const KernelToEmit &kernel) {
    llvm::Type *memory = llvm::PointerType::get(m.context, global_space);
    std::vector<Parameter> result;
    for (const LoweredArg &arg : kernel.func.args) {
        const bool is_scalar = arg.kind == LoweredArg::Kind::Scalar;
        check(!is_scalar || arg.type.is_scalar(), "the closure of a kernel has no vectors");
        result.push_back({is_scalar ? memory_type(m.context, arg.type) : memory, &arg});
    }
    if (!kernel.device.failures.empty()) {
        result.push_back({memory});
    }
    result.insert(result.end(), 3, {m.i32});
    return result;
}

llvm::Function *KernelEmitter::declare(const ModuleContext &m, const KernelToEmit &kernel,
                                       const std::vector<Parameter> &parameters) {
    std::vector<llvm::Type *> types;
    if (kernel.device.packs_scalars) {
        types.push_back(llvm::PointerType::get(m.context, global_space));
    } else {
        std::transform(parameters.begin(), parameters.end(), std::back_inserter(types),
                       [](const Parameter &parameter) { return parameter.type; });
    }
    auto *type = llvm::FunctionType::get(m.none, types, false);
    auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kernel.device.name, m.module);
    function->setCallingConv(llvm::CallingConv::PTX_Kernel);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    return function;
}

KernelEmitter::KernelEmitter(const ModuleContext &m, const KernelToEmit &kernel)
    : m_(m), kernel_(kernel), parameters_(parameters(m, kernel)), function_(declare(m, kernel, parameters_)),
      shared_(ir::shared_layout(kernel.func)), frame_(m, values_, function_), buffers_(m, frame_, values_),
      accesses_(m, frame_, values_, buffers_, expressions_, nullptr),
      atomics_(m, frame_, values_, buffers_, accesses_.addresses(), nullptr, expressions_, statements_),
      math_(m, frame_, expressions_),
      by_kernel_(m, frame_, values_, buffers_, expressions_, statements_, shared_, kernel.device.failures),
      expressions_(m, values_, {frame_, buffers_, accesses_.loads(), math_, of_kernel_}),
      statements_(m, frame_, values_, buffers_, accesses_.addresses(), expressions_,
                  {atomics_, accesses_.stores(), by_kernel_}) {}

void KernelEmitter::emit() {
    annotate();
    bind();
    statements_.emit(kernel_.func.body);
    frame_.finish();
}

/// Says what the assembler may count on: with the size of a block it knows how many registers a thread can have. Of a
/// size that only the launch knows this is the largest, or blocks might not be launched for want of registers.
void KernelEmitter::annotate() {
    const bool is_known = kernel_.threads.has_value();
    const std::array<uint32_t, 3> largest{static_cast<uint32_t>(ir::most_threads_of_block), 1, 1}; // as a product
    const std::array<uint32_t, 3> threads = kernel_.threads.value_or(largest);
    llvm::NamedMDNode *annotations = m_.module.getOrInsertNamedMetadata("nvvm.annotations");
    const char axes[] = {'x', 'y', 'z'};
    for (size_t axis = 0; axis < 3; axis++) {
        const std::string name = std::string(is_known ? "reqntid" : "maxntid") + axes[axis];
        llvm::Metadata *parts[] = {llvm::ValueAsMetadata::get(function_), llvm::MDString::get(m_.context, name),
                                   llvm::ConstantAsMetadata::get(m_.b.getInt32(threads[axis]))};
        annotations->addOperand(llvm::MDNode::get(m_.context, parts));
    }
}

/// The values of the parameters. Packed ones are fields of a struct in memory, each aligned to its size.
std::vector<Value *> KernelEmitter::given() {
    std::vector<Value *> result;
    if (!kernel_.device.packs_scalars) {
        for (llvm::Argument &argument : function_->args()) {
            result.push_back(&argument);
        }
        return result;
    }
    llvm::Argument *packed = function_->getArg(0);
    packed->addAttr(llvm::Attribute::NoAlias);
    packed->addAttr(llvm::Attribute::ReadOnly);
    uint64_t at = 0;
    for (const Parameter &parameter : parameters_) {
        const uint64_t bytes = m_.module.getDataLayout().getTypeStoreSize(parameter.type);
        at = llvm::alignTo(at, bytes);
        auto *loaded = m_.b.CreateAlignedLoad(parameter.type, m_.b.CreateConstInBoundsGEP1_64(m_.i8, packed, at),
                                              llvm::Align(bytes));
        loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(m_.context, {}));
        result.push_back(loaded);
        at += bytes;
    }
    return result;
}

void KernelEmitter::bind_index(const ir::Symbol &symbol, Value *index) {
    index->setName(symbol.name());
    values_.bind(symbol, {index, m_.b.CreateSExt(index, m_.i64), 0});
}

void KernelEmitter::bind() {
    const std::vector<Value *> values = given();
    const MemoryUses uses(kernel_.func.body);
    for (size_t i = 0; i < kernel_.func.args.size(); i++) {
        const LoweredArg &arg = kernel_.func.args[i];
        values[i]->setName(arg.symbol.name());
        if (arg.kind == LoweredArg::Kind::Scalar) {
            values_.bind(arg.symbol, {m_.arith.from_memory(arg.type, values[i]), nullptr, 0});
            continue;
        }
        if (auto *parameter = llvm::dyn_cast<llvm::Argument>(values[i])) {
            if (arg.kind == LoweredArg::Kind::Allocation) { // whole blocks, which drivers align to more
                parameter->addAttr(llvm::Attribute::getWithAlignment(m_.context, llvm::Align(16)));
            }
            if (!uses.stores(arg.symbol)) {
                parameter->addAttr(llvm::Attribute::NoAlias);
                parameter->addAttr(llvm::Attribute::ReadOnly);
            } else if (!uses.shares) {
                parameter->addAttr(llvm::Attribute::NoAlias);
            }
        }
        buffers_.add_host(arg.symbol, m_.b.CreateAddrSpaceCast(values[i], m_.ptr));
    }
    size_t next = kernel_.func.args.size();
    if (!kernel_.device.failures.empty()) {
        by_kernel_.set_failure_word(values[next++]);
    }
    constexpr Intrinsic::ID of_block[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                          Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    constexpr Intrinsic::ID of_thread[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                           Intrinsic::nvvm_read_ptx_sreg_tid_z};
    for (size_t axis = 0; axis < kernel_.func.blocks.size(); axis++) {
        Value *index = m_.b.CreateIntrinsic(of_block[axis], {}, {});
        bind_index(kernel_.func.blocks[axis], m_.b.CreateNSWAdd(index, values[next + axis]));
    }
    for (size_t axis = 0; axis < kernel_.func.threads.size(); axis++) {
        llvm::CallInst *index = m_.b.CreateIntrinsic(of_thread[axis], {}, {});
        const uint32_t count = kernel_.threads ? (*kernel_.threads)[axis] : 1024; // no device has more
        index->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, count)));
        bind_index(kernel_.func.threads[axis], index);
    }
}

} // namespace fluorite::backends
