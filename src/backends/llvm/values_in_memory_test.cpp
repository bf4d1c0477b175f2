#include "backends/llvm/values_in_memory.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

namespace fluorite::backends::values_in_memory_test {

namespace {

/// Checks of two arguments, each with a way to the one exit.
constexpr const char *text = R"(
define i32 @f(i32 %a, ptr %p) {
entry:
  %v = add i32 %a, 1
  %c = icmp slt i32 %v, 7
  br i1 %c, label %holds, label %exit
holds:
  %w = load i32, ptr %p
  %d = icmp slt i32 %w, %v
  br i1 %d, label %last, label %exit
last:
  %s = add i32 %w, %a
  br label %exit
exit:
  %code = phi i32 [ -1, %entry ], [ %v, %holds ], [ %s, %last ]
  ret i32 %code
}
)";

TEST(ValuesInMemory, NoValueLivesInTwoBlocks) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
    ASSERT_TRUE(module) << problem.getMessage().str();
    llvm::Function &function = *module->getFunction("f");
    keep_values_in_memory(function);
    EXPECT_FALSE(llvm::verifyModule(*module));
    int places = 0;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        EXPECT_FALSE(llvm::isa<llvm::PHINode>(instruction));
        if (llvm::isa<llvm::AllocaInst>(instruction)) {
            places++;
            continue;
        }
        for (const llvm::User *user : instruction.users()) {
            EXPECT_EQ(llvm::cast<llvm::Instruction>(user)->getParent(), instruction.getParent());
        }
    }
    EXPECT_GE(places, 5); // of a, p, v, w and code
    for (const llvm::Argument &argument : function.args()) {
        for (const llvm::User *user : argument.users()) {
            EXPECT_EQ(llvm::cast<llvm::Instruction>(user)->getParent(), &function.getEntryBlock());
        }
    }
}

} // namespace

} // namespace fluorite::backends::values_in_memory_test
