// Statements of kernels.
//
//   allocate in gpu_shared   a part of the one array that the launch sizes (ir::shared_layout)
//   other allocations        memory of the thread, of constant size: registers, as far as all indices are constants,
//                            else the device's local memory
//   barrier                  bar.sync, which also orders the accesses of the block's threads to all memory
//   assert                   the number of the text, plus one, is stored to the failure word; the thread goes on

#include "backends/llvm/device/kernel_statements.h"

#include "backends/llvm/device/address_spaces.h"
#include "backends/llvm/emit/expressions.h"
#include "ir/memory.h"
#include "support/check.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>

namespace fluorite::backends {

using ir::StmtKind;
using llvm::Value;

namespace {

/// The array of a block's memory, which a launch sizes.
llvm::GlobalVariable *shared_array(const ModuleContext &m) {
    const char *name = "fluorite_shared";
    if (llvm::GlobalVariable *known = m.module.getNamedGlobal(name)) {
        return known;
    }
    auto *made = new llvm::GlobalVariable(m.module, llvm::ArrayType::get(m.i8, 0), /*isConstant=*/false,
                                          llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                          llvm::GlobalValue::NotThreadLocal, shared_space);
    made->setAlignment(llvm::Align(ir::SharedLayout::alignment));
    return made;
}

} // namespace

void KernelStatements::emit(const ir::Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::Allocate:
        return allocate(*stmt.as<ir::Allocate>());
    case StmtKind::Barrier:
        return barrier();
    case StmtKind::Assert:
        return report(*stmt.as<ir::Assert>());
    default: // Free, Launch, and loops that are not serial
        unreachable("not a statement of a kernel");
    }
}

void KernelStatements::barrier() {
    values_.forget_memory();
    b_.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
}

Value *KernelStatements::in_block(const ir::SharedLayout::Part &part) {
    Value *at = m_.b.CreateGEP(m_.i8, shared_array(m_), expressions_.value(part.offset));
    return b_.CreateAddrSpaceCast(at, m_.ptr, part.buffer.name());
}

llvm::AllocaInst *KernelStatements::in_thread(const ir::Allocate &node) {
    const std::optional<int64_t> elements = ir::constant_elements(node);
    check(elements.has_value(), concat("the memory of ", node.buffer.name(), " of a thread has a constant size"));
    const auto count = static_cast<uint64_t>(std::max<int64_t>(*elements, 1));
    llvm::AllocaInst *block =
        frame_.entry_alloca(memory_type(m_.context, node.type), count, 16, node.buffer.name().c_str());
    b_.CreateLifetimeStart(block);
    return block;
}

void KernelStatements::report(const ir::Assert &check) {
    const auto at = std::find(failures_.begin(), failures_.end(), ir::failure_text(check));
    fluorite::check(at != failures_.end() && failure_word_, "the texts of a kernel's checks are known");
    frame_.report_unless(expressions_.value(check.condition), failure_word_,
                         static_cast<uint32_t>(at - failures_.begin()) + 1);
}

void KernelStatements::allocate(const ir::Allocate &node) {
    values_.forget_memory();
    const ir::SharedLayout::Part *part = node.memory == ir::MemoryType::GPUShared ? shared_.find(node.buffer) : nullptr;
    Buffer made;
    llvm::AllocaInst *own = part ? nullptr : in_thread(node);
    made.host = part ? in_block(*part) : own;
    const std::optional<Buffer> outer = buffers_.bind(node.buffer, made);
    statements_.emit(node.body);
    buffers_.restore(node.buffer, outer);
    if (own) {
        b_.CreateLifetimeEnd(own);
    }
    values_.forget_memory();
}

} // namespace fluorite::backends
