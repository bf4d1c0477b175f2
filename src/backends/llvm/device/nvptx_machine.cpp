// The target machine for NVIDIA's devices, the passes that run before its code generation, and PTX.
//
// A device computes each lane of a vector alone, and memory has kinds, each with instructions of its own. Beside the
// passes that functions of the host get (../machine.cpp says why each is there):
//   Scalarizer                 vectors become scalars, except in loads and stores, which access 2 or 4 lanes at once
//   InferAlignment             which vectors of shared memory and of Funcs lie at multiples of their size, so that one
//                              instruction accesses them
//   SplitVectors               the others become accesses of fewer lanes, which rows and lanes of a thread share
//   InferAddressSpaces         pointers know their kind of memory: ld.global, ld.shared instead of a load of either
//   wide_accesses.h            a second body where vectors of the program's buffers lie at such multiples, too
// Loops stay loops; the driver's assembler unrolls them where it gains from that. LoopIdiomRecognize does not run, as
// devices have no memcpy.
//
// Requires a module without fast-math flags. FPOpFusion is Strict, so products and sums are mul.rn and add.rn, which
// the assembler does not contract; divisions and square roots are rounded to nearest, and nothing is flushed to zero.

#include "backends/llvm/device/nvptx_machine.h"

#include "backends/llvm/analyses.h"
#include "backends/llvm/device/split_vectors.h"
#include "backends/llvm/device/wide_accesses.h"
#include "backends/llvm/device/wrong_code.h"
#include "support/check.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <mutex>
#include <optional>

namespace fluorite::backends {

namespace {

/// A compute capability and the oldest PTX in which LLVM and drivers know it, but not older than 7.0, that of CUDA 11.
struct Capability {
    Target::Feature feature;
    const char *processor, *ptx;
};
constexpr Capability capabilities[] = {
    {Target::CUDACapability90, "sm_90", "+ptx78"}, {Target::CUDACapability86, "sm_86", "+ptx71"},
    {Target::CUDACapability80, "sm_80", "+ptx70"}, {Target::CUDACapability75, "sm_75", "+ptx70"},
    {Target::CUDACapability70, "sm_70", "+ptx70"}, {Target::CUDACapability61, "sm_61", "+ptx70"},
    {Target::CUDACapability50, "sm_50", "+ptx70"},
};

/// The newest capability that the target names; 7.5, the oldest one that today's assembler knows, if it names none.
Capability capability_of(const Target &target) {
    for (const Capability &row : capabilities) {
        if (target.has_feature(row.feature)) {
            return row;
        }
    }
    return {Target::CUDACapability75, "sm_75", "+ptx70"};
}

/// The 32 bits of which a 64-bit value is the extension, as a signed number; null for other values.
llvm::Value *signed_half(llvm::Value *value) {
    auto *extension = llvm::dyn_cast<llvm::CastInst>(value);
    const bool is_signed = extension && (llvm::isa<llvm::SExtInst>(extension) ||
                                         (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg()));
    return is_signed && extension->getSrcTy()->isIntegerTy(32) ? extension->getOperand(0) : nullptr;
}

/// A factor of 32 bits: a value and a constant, whose sum does not overflow.
struct Factor {
    llvm::Value *value = nullptr;
    int64_t constant = 0;

    llvm::Value *make(llvm::IRBuilder<> &b) const {
        return constant == 0 ? value : b.CreateNSWAdd(value, b.getInt32(static_cast<uint32_t>(constant)));
    }
};

/// A 64-bit value as such a factor. LLVM adds constants in 64 bits where it can: max(row, 1) - 1 for max(row - 1, 0).
std::optional<Factor> factor_of(llvm::Value *value) {
    namespace match = llvm::PatternMatch;
    if (llvm::Value *half = signed_half(value)) {
        return Factor{half};
    }
    llvm::Value *extended = nullptr;
    const llvm::APInt *constant = nullptr;
    if (!match::match(value, match::m_Add(match::m_Value(extended), match::m_APInt(constant))) ||
        !constant->isSignedIntN(32)) {
        return std::nullopt;
    }
    llvm::Value *half = signed_half(extended);
    const bool fits = half && llvm::computeConstantRange(half, /*ForSigned=*/true)
                                      .signedAddMayOverflow(llvm::ConstantRange(constant->trunc(32))) ==
                                  llvm::ConstantRange::OverflowResult::NeverOverflows;
    return fits ? std::optional(Factor{half, constant->getSExtValue()}) : std::nullopt;
}

/// Products of two 32-bit numbers as one instruction. LLVM selects it only if both are extended alike, and extends what
/// is known not to be negative with zeros: a clamped row times a stride is a product of 64 bits then, which takes four.
void widen_products(llvm::Function &function) {
    struct Product {
        llvm::BinaryOperator *wide;
        Factor a, b;
    };
    std::vector<Product> products;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        auto *product = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (!product || product->getOpcode() != llvm::Instruction::Mul || !product->getType()->isIntegerTy(64)) {
            continue;
        }
        const std::optional<Factor> a = factor_of(product->getOperand(0)), b = factor_of(product->getOperand(1));
        if (a && b) {
            products.push_back({product, *a, *b});
        }
    }
    for (const Product &product : products) {
        llvm::IRBuilder<> b(product.wide);
        auto *type = llvm::FunctionType::get(b.getInt64Ty(), {b.getInt32Ty(), b.getInt32Ty()}, false);
        llvm::CallInst *wide =
            b.CreateCall(llvm::InlineAsm::get(type, "mul.wide.s32 $0, $1, $2;", "=l,r,r", /*hasSideEffects=*/false),
                         {product.a.make(b), product.b.make(b)});
        wide->setDoesNotAccessMemory();
        wide->setDoesNotThrow();
        wide->addFnAttr(llvm::Attribute::WillReturn);
        product.wide->replaceAllUsesWith(wide);
        product.wide->eraseFromParent();
    }
}

} // namespace

NvptxMachine::NvptxMachine(const Target &target) {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    });
    const char *triple = "nvptx64-nvidia-cuda";
    std::string problem;
    const llvm::Target *known = llvm::TargetRegistry::lookupTarget(triple, problem);
    check(known != nullptr, problem);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.UnsafeFPMath = false;
    const Capability capability = capability_of(target);
    machine_.reset(known->createTargetMachine(triple, capability.processor, capability.ptx, options, llvm::Reloc::PIC_,
                                              std::nullopt, llvm::CodeGenOptLevel::Aggressive));
    check(machine_ != nullptr, "LLVM makes a target machine for NVIDIA's devices");
}

void NvptxMachine::prepare(llvm::Module &module) const {
    module.setTargetTriple(machine_->getTargetTriple().str());
    module.setDataLayout(machine_->createDataLayout());
}

void NvptxMachine::optimize(llvm::Module &module) const {
    Analyses analyses(machine_.get());

    llvm::AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, analyses.modules);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    llvm::ScalarizerPassOptions lanes;
    lanes.ScalarizeLoadStore = false;
    passes.addPass(llvm::ScalarizerPass(lanes));
    passes.addPass(llvm::InferAddressSpacesPass());
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    llvm::LoopPassManager of_loops;
    of_loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(of_loops), /*UseMemorySSA=*/true));
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::InferAlignmentPass());
    llvm::FunctionPassManager of_parts;
    of_parts.addPass(SplitVectorsPass());
    of_parts.addPass(llvm::InstCombinePass());
    of_parts.addPass(llvm::GVNPass());
    of_parts.addPass(llvm::InstCombinePass());
    for (llvm::Function &function : module) {
        if (!function.isDeclaration()) {
            passes.run(function, analyses.functions);
            add_wide_version(function);
            analyses.functions.invalidate(function, llvm::PreservedAnalyses::none());
            of_parts.run(function, analyses.functions);
        }
    }
}

std::string NvptxMachine::ptx(llvm::Module &module) const {
    for (llvm::Function &function : module) {
        widen_products(function);
        avoid_wrong_code(function);
    }
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    const bool refused = machine_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                                       /*DisableVerify=*/true);
    check(!refused, "the target machine emits PTX");
    passes.run(module);
    return {bytes.begin(), bytes.end()};
}

} // namespace fluorite::backends
