// Values between blocks, in memory.
//
//   entry:  ...                                     entry:  %a = alloca, %b = alloca; store the argument n in %a
//   check1: %v = add %n, 1; br ..., check2    -->   check1: %n1 = load %a; %v = add %n1, 1; store %v, %b; br ..., check2
//   check2: icmp slt %v, %n                         check2: %v1 = load %b; %n2 = load %a; icmp slt %v1, %n2
// The entry of a pipeline with a thousand arguments is a chain of thousands of blocks, a check in each, and the values
// that bounds inference needs of each argument live from its check to the launch of work. LLVM's allocator of registers
// (liveness, reaching definitions, the splitting of live ranges) visits for each value all blocks in which it lives, so
// its time is the product of both. Of values that are in memory between blocks, each block is its own problem.
//
// Method: arguments by hand, everything else by LLVM's reg2mem, which also replaces the phis.
// Relies on: the function runs once, so that loads from its frame cost nothing. Cost: linear in instructions and uses.

#include "backends/llvm/values_in_memory.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/Reg2Mem.h>

namespace fluorite::backends {

namespace {

/// Blocks above which values are kept in memory. Measured on an Intel Xeon (Sapphire Rapids), seconds to compile a sum
/// of n inputs times n Params, in registers and in memory: n = 32 (some 800 blocks) 0.114 and 0.120, 64 0.276 and
/// 0.260, 500 8.2 and 3.7.
constexpr size_t most_blocks = 1000;

/// Stores an argument in the entry block, and loads it again for each use.
void keep_argument(llvm::Argument &argument) {
    llvm::Function &function = *argument.getParent();
    llvm::SmallVector<llvm::Use *, 16> uses;
    for (llvm::Use &use : argument.uses()) {
        uses.push_back(&use);
    }
    if (uses.empty()) {
        return;
    }
    llvm::BasicBlock &entry = function.getEntryBlock();
    llvm::IRBuilder<> b(&entry, entry.begin());
    llvm::AllocaInst *place = b.CreateAlloca(argument.getType());
    b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    b.CreateStore(&argument, place);
    for (llvm::Use *use : uses) {
        auto *user = llvm::cast<llvm::Instruction>(use->getUser());
        auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
        b.SetInsertPoint(phi ? phi->getIncomingBlock(*use)->getTerminator() : user);
        use->set(b.CreateLoad(argument.getType(), place));
    }
}

} // namespace

bool has_many_blocks(const llvm::Function &function) { return function.size() > most_blocks; }

void keep_values_in_memory(llvm::Function &function) {
    for (llvm::Argument &argument : function.args()) {
        keep_argument(argument);
    }
    llvm::FunctionAnalysisManager analyses;
    llvm::PassBuilder().registerFunctionAnalyses(analyses);
    llvm::RegToMemPass().run(function, analyses);
}

} // namespace fluorite::backends
