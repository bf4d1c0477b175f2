// Target machines, the LLVM pass pipeline, and machine code for a module.
//
// Targets are translated to LLVM's (triples.h); target machines are kept in a process-wide pool. The pipeline is
// short, since the schedule has already decided on loops, vectors and unrolling:
//   SROA                  promotes small allocations to registers
//   EarlyCSE              merges equal expressions that were distinct nodes
//   InstCombine, SimplifyCFG
//   LICM                  hoists loop-invariant addresses and bounds, keeps accumulators in registers
//   LoopIdiom, -Deletion  replace scalar loops that fill or copy by calls of memset and memcpy
//   GVN                   reuses loads that neighbouring iterations or expressions share
//   LoopLoadElimination   keeps in a register what an iteration of a scan stores for the next
//   InstCombine           simplifies what the previous passes exposed
//   factor_sums, use_short_products (idioms/), which LLVM has no equal of
// Then LLVM's code generation runs at its highest level, with loop strength reduction. LLVM's vectorizers, unroller and
// inliner do not run. Functions of tens of thousands of instructions get fewer passes (the limits below), because the
// time of LLVM's passes is superlinear in the size of a function; entries, which check arguments and launch work, are
// not optimized at all, and keep their values in memory if they have many blocks.
//
// Requires a module without fast-math flags; FPOpFusion is Strict, so that a*b+c is not contracted.
// Cost: instruction selection and register allocation take about two thirds of a JIT compile.

#include "backends/llvm/machine.h"

#include "backends/llvm/analyses.h"
#include "backends/llvm/emit/emit_module.h"
#include "backends/llvm/idioms/common_factors.h"
#include "backends/llvm/idioms/short_products.h"
#include "backends/llvm/sanitize.h"
#include "backends/llvm/triples.h"
#include "backends/llvm/values_in_memory.h"
#include "backends/llvm/zero_signs.h"
#include "machine/machine_model.h"
#include "support/check.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <map>
#include <mutex>

namespace fluorite::backends {

namespace {

struct Pool {
    std::mutex mutex;
    std::multimap<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
};

Pool &pool() {
    static Pool &shared = *new Pool; // never destroyed: LLVM's own globals may be destroyed first
    return shared;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const LlvmTarget &wanted, bool for_jit, llvm::CodeGenOptLevel level) {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeAArch64TargetInfo();
        LLVMInitializeAArch64Target();
        LLVMInitializeAArch64TargetMC();
        LLVMInitializeAArch64AsmPrinter();
        LLVMInitializeRISCVTargetInfo();
        LLVMInitializeRISCVTarget();
        LLVMInitializeRISCVTargetMC();
        LLVMInitializeRISCVAsmPrinter();
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
    });
    std::string problem;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(wanted.triple, problem);
    check(target != nullptr, problem);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.UnsafeFPMath = false;
    options.MCOptions.ABIName = wanted.abi;
    options.LoopAlignment = 64; // a short loop that straddles two lines of decoded instructions takes twice as long
    std::unique_ptr<llvm::TargetMachine> machine(
        target->createTargetMachine(wanted.triple, wanted.processor, wanted.features, options, llvm::Reloc::PIC_,
                                    llvm::CodeModel::Small, level, for_jit));
    check(machine != nullptr, "LLVM makes a target machine for its own targets");
    return machine;
}

/// The size of the largest function, in instructions, above which loop strength reduction is disabled: its time is
/// superlinear, more than 20 s of some compiles, and code of that size has no single hot inner loop that would profit
/// from it.
constexpr size_t most_for_strength_reduction = 12'000;
/// The depth of a nest of loops above which no pass runs that describes addresses as recurrences of the loops: LLVM
/// tries to extend those of all enclosing loops to 64 bits, in several forms each. One dimension that is split into 16
/// loops compiles in 0.3 s, into 20 in 0.8 s, into 27 in 20 s.
constexpr unsigned most_depth_for_recurrences = 16;
/// The function size above which LLVM runs without optional passes (optnone): vectors stay vectors, but registers are
/// allocated by the fast allocator.
constexpr size_t most_for_optimization = 40'000;
/// The function size above which common subexpression elimination is the only pass of the pipeline.
constexpr size_t most_for_combining = 150'000;

/// The size of the largest basic block above which the fast register allocator is used: the time of the other one grows
/// with the number of live values, which in such code is most of them.
constexpr size_t most_for_register_allocation = 20'000;

/// Limits for the module as a whole. Above `most_in_module` instructions, every function of more than `few_statements`
/// gets only common subexpression elimination and fast register allocation. A schedule that unrolls nested loops
/// produces such code; then compiling it at all is what counts.
constexpr size_t most_in_module = 200'000;
constexpr size_t few_statements = 2'000;

/// The module size above which nothing is compiled: even with the least effort, each instruction takes some
/// microseconds and 1 KB of memory.
constexpr size_t most_instructions = 3'000'000;

size_t size_of(const llvm::Module &module) {
    size_t total = 0;
    for (const llvm::Function &function : module) {
        total += function.getInstructionCount();
    }
    return total;
}

size_t largest_function(const llvm::Module &module) {
    size_t largest = 0;
    for (const llvm::Function &function : module) {
        largest = std::max<size_t>(largest, function.hasOptNone() ? 0 : function.getInstructionCount());
    }
    return largest;
}

unsigned depth_of_loops(llvm::Function &function) {
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    unsigned deepest = 0;
    for (const llvm::BasicBlock &block : function) {
        deepest = std::max(deepest, loops.getLoopDepth(&block));
    }
    return deepest;
}

/// Whether loop strength reduction takes acceptable time.
bool may_reduce_strength(llvm::Module &module) {
    return largest_function(module) <= most_for_strength_reduction &&
           std::all_of(module.begin(), module.end(), [](llvm::Function &function) {
               return function.isDeclaration() || function.hasOptNone() ||
                      depth_of_loops(function) <= most_depth_for_recurrences;
           });
}

size_t largest_block(const llvm::Module &module) {
    size_t largest = 0;
    for (const llvm::Function &function : module) {
        for (const llvm::BasicBlock &block : function) {
            largest = std::max<size_t>(largest, block.size());
        }
    }
    return largest;
}

/// Adds LLVM's code generation passes. Strength reduction and register allocation are controlled by process-wide
/// options, which are read while the passes are added; hence the lock.
bool add_passes(llvm::TargetMachine &machine, llvm::legacy::PassManager &passes, llvm::raw_pwrite_stream &stream,
                llvm::CodeGenFileType type, bool reduces_strength, bool sweeps_registers) {
    static std::mutex &mutex = *new std::mutex;
    std::lock_guard lock(mutex);
    auto *strength = static_cast<llvm::cl::opt<bool> *>(llvm::cl::getRegisteredOptions().lookup("disable-lsr"));
    auto *registers = static_cast<llvm::cl::opt<llvm::cl::boolOrDefault> *>(
        llvm::cl::getRegisteredOptions().lookup("optimize-regalloc"));
    check(strength && registers, "LLVM has the options disable-lsr and optimize-regalloc");
    const bool before = strength->getValue();
    const llvm::cl::boolOrDefault registers_before = registers->getValue();
    strength->setValue(before || !reduces_strength);
    if (sweeps_registers) {
        registers->setValue(llvm::cl::BOU_FALSE);
    }
    const bool refused = machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true);
    strength->setValue(before);
    registers->setValue(registers_before);
    return refused;
}

} // namespace

void check_size(const std::string &name, size_t instructions) {
    if (instructions > most_instructions) {
        throw CompileError("program-too-large",
                           concat("in ", name, ": its code has ", instructions, " instructions; at most ",
                                  most_instructions,
                                  " are compiled; unroll and vectorize by smaller factors, above all loops whose body "
                                  "reads at computed coordinates, or compute inlined Funcs at root"));
    }
}

Machine::Machine(const Target &target, bool for_jit) {
    const LlvmTarget wanted = llvm_target_of(target);
    tuning_ = wanted.tuning;
    is_checked_ = target.has_feature(Target::Checked);
    is_x86_ = target.arch == Target::X86;
    short_vector_bits_ = is_x86_ ? machine::machine_model(target).short_vector_bits : 0;
    // A sanitizer looks at accesses, which instruction selection and register allocation leave as they are.
    const bool is_quick =
        is_checked_ || target.has_feature(Target::QuickCode) || sanitizer_of_build() != Sanitizer::None;
    const llvm::CodeGenOptLevel level = is_quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive;
    key_ = wanted.triple + wanted.features + (for_jit ? "j" : "f") + (is_quick ? "q" : "");
    {
        std::lock_guard lock(pool().mutex);
        const auto at = pool().machines.find(key_);
        if (at != pool().machines.end()) {
            machine_ = std::move(at->second);
            pool().machines.erase(at);
        }
    }
    if (!machine_) {
        machine_ = make_machine(wanted, for_jit, level);
    }
}

Machine::~Machine() {
    std::lock_guard lock(pool().mutex);
    pool().machines.emplace(key_, std::move(machine_));
}

void Machine::prepare(llvm::Module &module) const {
    module.setTargetTriple(machine_->getTargetTriple().str());
    module.setDataLayout(machine_->createDataLayout());
    for (llvm::Function &function : module) {
        if (!function.isDeclaration()) {
            function.addFnAttr("tune-cpu", tuning_);
            if (is_x86_ && function.getCallingConv() == llvm::CallingConv::PreserveAll) {
                // LLVM would clear the upper halves of restored registers before the function returns.
                function.addFnAttr("target-features", concat(machine_->getTargetFeatureString().str(), ",-vzeroupper"));
            }
        }
    }
}

void Machine::optimize(llvm::Module &module) const {
    Analyses analyses(machine_.get());

    llvm::FunctionPassManager first;
    first.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    first.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
    const auto make_passes = [](bool has_recurrences) {
        llvm::FunctionPassManager passes;
        passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
        passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
        passes.addPass(llvm::InstCombinePass());
        passes.addPass(llvm::SimplifyCFGPass());
        llvm::LoopPassManager of_loops;
        of_loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
        if (has_recurrences) {
            of_loops.addPass(llvm::LoopIdiomRecognizePass());
            of_loops.addPass(llvm::LoopDeletionPass());
        }
        passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(of_loops), /*UseMemorySSA=*/true));
        passes.addPass(llvm::GVNPass());
        if (has_recurrences) {
            passes.addPass(llvm::LoopLoadEliminationPass());
        }
        passes.addPass(llvm::InstCombinePass());
        return passes;
    };
    llvm::FunctionPassManager passes = make_passes(true), without_recurrences = make_passes(false);
    const bool is_too_much = size_of(module) > most_in_module;
    for (llvm::Function &function : module) {
        if (function.hasOptNone() && has_many_blocks(function)) {
            keep_values_in_memory(function);
        }
        if (!function.isDeclaration() && !function.hasOptNone()) {
            const bool is_part = is_too_much && function.getInstructionCount() > few_statements;
            const bool is_enormous = is_part || function.getInstructionCount() > most_for_combining;
            const bool is_deep = depth_of_loops(function) > most_depth_for_recurrences;
            llvm::FunctionPassManager &chosen = is_deep ? without_recurrences : passes;
            (is_enormous || is_checked_ ? first : chosen).run(function, analyses.functions);
            factor_sums(function);
            use_short_products(function, short_vector_bits_);
            if (!is_x86_) {
                keep_signs_of_zeros(function);
            }
            if (is_part || function.getInstructionCount() > most_for_optimization) {
                function.addFnAttr(llvm::Attribute::NoInline);
                function.addFnAttr(llvm::Attribute::OptimizeNone);
            }
        }
    }
}

llvm::SmallVector<char, 0> Machine::emit(llvm::Module &module, llvm::CodeGenFileType type) const {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    const bool refused = add_passes(*machine_, passes, stream, type, may_reduce_strength(module),
                                    largest_block(module) > most_for_register_allocation);
    check(!refused, "the target machine emits this kind of file");
    passes.run(module);
    return bytes;
}

std::unique_ptr<llvm::Module> make_module(llvm::LLVMContext &context, const ir::LoweredModule &lowered,
                                          const Target &target) {
    const std::string &name = lowered.entry().name;
    auto module = std::make_unique<llvm::Module>(name, context);
    emit_module(*module, lowered, target);
    check_size(name, size_of(*module));
    std::string text;
    llvm::raw_string_ostream stream(text);
    check(!llvm::verifyModule(*module, &stream), concat("LLVM finds the module of '", name, "' broken: ", text));
    return module;
}

} // namespace fluorite::backends
