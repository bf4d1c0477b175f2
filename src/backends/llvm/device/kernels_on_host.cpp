// Kernels for CUDA as code of the host.
//
// A test without a device cannot execute PTX, but nearly everything that makes it: the emitter on the machine model of
// devices and LLVM's passes for NVIDIA's devices. What remains is LLVM's instruction selection. The optimized module is
// changed as little as x86 requires:
//   the indices of block and thread   loads from the array fluorite_index, which is set before a thread goes on
//   bar.sync                          fluorite_barrier, which lets the next thread run
//   the array of shared memory        memory of the host; kinds of memory are ignored there
// A function of its own for each kernel passes the parameters from an array of pointers.
//
// The threads of a block are contexts (ucontext.h) with stacks of their own. Cost: a few microseconds for each thread.

#include "backends/llvm/device/kernels_on_host.h"

#include "backends/llvm/device/emit_kernels.h"
#include "backends/llvm/device/nvptx_machine.h"
#include "backends/llvm/machine.h"
#include "support/check.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <ucontext.h>

#include <vector>

namespace fluorite::backends {

namespace {

constexpr size_t stack_bytes = 64 * 1024;
constexpr size_t most_shared_bytes = 256 * 1024;

using Kernel = void (*)(void *const *parameters);

/// The block that is being run. One at a time, as code of the host finds it by its address.
struct RunningBlock {
    struct Thread {
        ucontext_t context;
        std::vector<uint8_t> stack;
        std::array<int32_t, 3> index;
        bool has_ended = false;
    };
    std::array<int32_t, 6> index{}; // of the block, then of the thread
    alignas(16) std::array<uint8_t, most_shared_bytes> shared;
    ucontext_t scheduler;
    std::vector<Thread> threads;
    Thread *current = nullptr;
    Kernel kernel = nullptr;
    void *const *parameters = nullptr;
};
RunningBlock running;

void wait_for_others() {
    RunningBlock::Thread *self = running.current;
    swapcontext(&self->context, &running.scheduler);
}

void run_thread() {
    running.kernel(running.parameters);
    running.current->has_ended = true;
}

void run_block() {
    for (RunningBlock::Thread &thread : running.threads) {
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.data();
        thread.context.uc_stack.ss_size = thread.stack.size();
        thread.context.uc_link = &running.scheduler;
        thread.has_ended = false;
        makecontext(&thread.context, run_thread, 0);
    }
    for (bool is_done = false; !is_done;) {
        is_done = true;
        for (RunningBlock::Thread &thread : running.threads) {
            if (!thread.has_ended) {
                running.current = &thread;
                std::copy(thread.index.begin(), thread.index.end(), running.index.begin() + 3);
                swapcontext(&running.scheduler, &thread.context);
                is_done = is_done && thread.has_ended;
            }
        }
    }
}

/// The place of an index in RunningBlock::index; -1 for other intrinsics.
int place_of_index(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
        return 0;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
        return 1;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
        return 2;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
        return 3;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
        return 4;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
        return 5;
    default: // those that the host has, too, and the barrier
        return -1;
    }
}

void replace_intrinsics(llvm::Module &module) {
    llvm::IRBuilder<> b(module.getContext());
    auto *index = new llvm::GlobalVariable(module, llvm::ArrayType::get(b.getInt32Ty(), 6), /*isConstant=*/false,
                                           llvm::GlobalValue::ExternalLinkage, nullptr, "fluorite_index");
    llvm::FunctionCallee barrier = module.getOrInsertFunction("fluorite_barrier", b.getVoidTy());
    std::vector<llvm::IntrinsicInst *> replaced;
    for (llvm::Function &function : module) {
        for (llvm::Instruction &instruction : llvm::instructions(function)) {
            auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            const bool is_barrier = call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0;
            if (is_barrier || (call && place_of_index(call->getIntrinsicID()) >= 0)) {
                replaced.push_back(call);
            }
        }
    }
    for (llvm::IntrinsicInst *call : replaced) {
        b.SetInsertPoint(call);
        const int place = place_of_index(call->getIntrinsicID());
        if (place < 0) {
            b.CreateCall(barrier);
        } else {
            llvm::Value *at = b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), index, static_cast<uint64_t>(place));
            call->replaceAllUsesWith(b.CreateLoad(b.getInt32Ty(), at, /*isVolatile=*/true));
        }
        call->eraseFromParent();
    }
}

/// Adds the function that calls a kernel with the values that an array of pointers points to.
void add_caller(llvm::Module &module, const std::string &name) {
    llvm::LLVMContext &context = module.getContext();
    llvm::IRBuilder<> b(context);
    llvm::Function *kernel = module.getFunction(name);
    kernel->setCallingConv(llvm::CallingConv::C);
    auto *caller = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                                          llvm::Function::ExternalLinkage, "call_" + name, module);
    b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", caller));
    std::vector<llvm::Value *> given;
    for (llvm::Argument &argument : kernel->args()) {
        llvm::Value *at = b.CreateLoad(
            b.getPtrTy(), b.CreateConstInBoundsGEP1_64(b.getPtrTy(), caller->getArg(0), argument.getArgNo()));
        given.push_back(b.CreateAlignedLoad(argument.getType(), at, llvm::Align(1)));
    }
    b.CreateCall(kernel, given);
    b.CreateRetVoid();
}

template <typename T> T expect(llvm::Expected<T> value) {
    check(static_cast<bool>(value), "code of the host is linked");
    return std::move(*value);
}

} // namespace

struct KernelsOnHost::Code {
    std::vector<ir::DeviceKernel> kernels;
    std::unique_ptr<llvm::orc::LLJIT> jit;
    std::vector<Kernel> callers;
};

KernelsOnHost::KernelsOnHost(const ir::LoweredModule &module, const Target &target) : code_(std::make_unique<Code>()) {
    llvm::LLVMContext context;
    llvm::Module made(module.entry().name, context);
    const NvptxMachine nvptx(target);
    nvptx.prepare(made);
    code_->kernels = emit_kernels(made, module, target);
    nvptx.optimize(made);
    replace_intrinsics(made);
    for (const ir::DeviceKernel &kernel : code_->kernels) {
        add_caller(made, kernel.name);
    }
    const Machine host(target, /*for_jit=*/true);
    host.prepare(made);
    llvm::SmallVector<char, 0> object = host.emit(made, llvm::CodeGenFileType::ObjectFile);
    code_->jit = expect(llvm::orc::LLJITBuilder().create());
    llvm::orc::ExecutionSession &session = code_->jit->getExecutionSession();
    const auto symbol = [](auto *address) {
        return llvm::orc::ExecutorSymbolDef(llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported);
    };
    llvm::orc::SymbolMap symbols;
    symbols[session.intern("fluorite_index")] = symbol(running.index.data());
    symbols[session.intern("fluorite_shared")] = symbol(running.shared.data());
    symbols[session.intern("fluorite_barrier")] = symbol(&wait_for_others);
    llvm::cantFail(code_->jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
    llvm::cantFail(code_->jit->addObjectFile(
        std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object), "kernels", false)));
    for (const ir::DeviceKernel &kernel : code_->kernels) {
        code_->callers.push_back(expect(code_->jit->lookup("call_" + kernel.name)).toPtr<Kernel>());
    }
}

KernelsOnHost::~KernelsOnHost() = default;

const std::vector<ir::DeviceKernel> &KernelsOnHost::kernels() const { return code_->kernels; }

void KernelsOnHost::run(size_t kernel, std::span<void *const> parameters, const std::array<int32_t, 3> &blocks,
                        const std::array<int32_t, 3> &threads) const {
    running.kernel = code_->callers.at(kernel);
    running.parameters = parameters.data();
    running.threads.resize(static_cast<size_t>(threads[0] * threads[1] * threads[2]));
    for (size_t t = 0; t < running.threads.size(); t++) {
        const auto number = static_cast<int32_t>(t);
        running.threads[t].stack.resize(stack_bytes);
        running.threads[t].index = {number % threads[0], number / threads[0] % threads[1],
                                    number / (threads[0] * threads[1])};
    }
    for (int32_t z = 0; z < blocks[2]; z++) {
        for (int32_t y = 0; y < blocks[1]; y++) {
            for (int32_t x = 0; x < blocks[0]; x++) {
                running.index = {x, y, z, 0, 0, 0};
                run_block();
            }
        }
    }
}

} // namespace fluorite::backends
