#pragma once
// The analysis managers that LLVM's passes ask, connected to each other.

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace fluorite::backends {

/// For passes over the modules of one machine.
struct Analyses {
    llvm::PassBuilder builder;
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graphs;
    llvm::ModuleAnalysisManager modules;

    explicit Analyses(llvm::TargetMachine *machine) : builder(machine) {
        builder.registerModuleAnalyses(modules);
        builder.registerCGSCCAnalyses(graphs);
        builder.registerFunctionAnalyses(functions);
        builder.registerLoopAnalyses(loops);
        builder.crossRegisterProxies(loops, functions, graphs, modules);
    }
    Analyses(const Analyses &) = delete; // they refer to each other
    Analyses &operator=(const Analyses &) = delete;
};

} // namespace fluorite::backends
