// Functions that are made of blocks and exits alone.

#include "backends/llvm/emit/host_frame.h"

#include <gtest/gtest.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>

#include <string>
#include <vector>

namespace fluorite::backends::host_frame_test {
namespace {

class Frames : public testing::Test {
  protected:
    llvm::LLVMContext context_;
    llvm::Module module_{"test", context_};
    const ir::LoweredModule program_{};
    const Target target_{Target::Linux, Target::X86, 64};
    const machine::MachineModel machine_ = machine::machine_model(target_);
    llvm::IRBuilder<> b_{context_};
    Lanes lanes_{b_, machine_};
    Arith arith_{b_, lanes_, machine_};
    ModuleGlobals globals_{module_};
    const ModuleContext m_{module_, program_, target_, machine_, b_, lanes_, arith_, globals_};
    ValueCache values_;
    llvm::Function *const function_ =
        globals_.new_function("f", llvm::FunctionType::get(m_.i32, {m_.ptr, m_.ptr, b_.getInt1Ty()}, false), true);
    HostFrame frame_{m_, values_, function_};
    const ir::Symbol outer_{ir::SymbolKind::Buffer, "outer"}, inner_{ir::SymbolKind::Buffer, "inner"};

    void finish() {
        frame_.finish(b_.getInt32(0));
        EXPECT_FALSE(llvm::verifyFunction(*function_, &llvm::errs()));
    }
    llvm::Value *arg(unsigned i) { return function_->getArg(i); }
    void fail_unless_arg_2(uint32_t code) {
        frame_.require(arg(2), [&] { return b_.getInt32(code); });
    }
    /// What the way out of a failing require does: the arguments that it frees, and "unlock".
    std::vector<std::string> way_out() {
        std::vector<std::string> done;
        llvm::BasicBlock *at = nullptr;
        for (llvm::BasicBlock &block : *function_) {
            at = block.getName() == "failed" ? &block : at;
        }
        for (; at; at = at->getSingleSuccessor()) {
            for (llvm::Instruction &instruction : *at) {
                if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
                    llvm::Value *freed = call->getArgOperand(1);
                    done.push_back(freed == arg(0) ? "outer" : freed == arg(1) ? "inner" : "kept");
                } else if (llvm::isa<llvm::StoreInst>(&instruction)) {
                    done.push_back("unlock");
                }
            }
        }
        return done;
    }
    using Steps = std::vector<std::string>;
};

TEST_F(Frames, ExitsFreeWhatIsOpenFromTheInnermostOutward) {
    frame_.open_block(outer_, arg(0));
    frame_.open_block(inner_, arg(1));
    fail_unless_arg_2(1);
    frame_.close_block(inner_);
    frame_.close_block(outer_);
    finish();
    EXPECT_EQ(way_out(), (Steps{"inner", "outer"}));
}

TEST_F(Frames, ExitsDoNotFreeWhatHasBeenFreed) {
    frame_.open_block(outer_, arg(0));
    frame_.open_block(inner_, arg(1));
    frame_.close_block(outer_); // ends before the inner one
    fail_unless_arg_2(1);
    frame_.close_block(inner_);
    finish();
    EXPECT_EQ(way_out(), (Steps{"inner"}));
}

TEST_F(Frames, ExitsReleaseTheLockThatIsHeld) {
    frame_.hold_lock(globals_.lock("f"));
    fail_unless_arg_2(1);
    frame_.release_lock();
    finish();
    EXPECT_EQ(way_out(), (Steps{"unlock"}));
}

TEST_F(Frames, ExitsFreeWhatWasKeptForLoops) {
    llvm::AllocaInst *kept = frame_.entry_alloca(m_.ptr, 1, 8, "kept");
    frame_.free_at_exit(kept);
    fail_unless_arg_2(1);
    finish();
    EXPECT_EQ(way_out(), (Steps{"kept"}));
}

TEST_F(Frames, WhatIsTrueNeedsNoExit) {
    frame_.require(b_.getTrue(), [&]() -> llvm::Value * { return b_.getInt32(1); });
    finish();
    EXPECT_EQ(function_->size(), 3U); // entry, body, exit
}

TEST_F(Frames, LoopsKnowTheirControlScopes) {
    EXPECT_FALSE(frame_.is_in_loop());
    EXPECT_EQ(frame_.loop_depth(), 0);
    values_.open_scope(); // of a branch
    values_.open_scope();
    frame_.enter_loop();
    EXPECT_TRUE(frame_.is_in_loop());
    EXPECT_EQ(frame_.loop_depth(), 2);
    frame_.leave_loop();
    EXPECT_FALSE(frame_.is_in_loop());
    finish();
}

} // namespace
} // namespace fluorite::backends::host_frame_test
