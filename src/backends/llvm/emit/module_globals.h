#pragma once
// What a module of LLVM has once, whichever of its functions asks: functions, texts, data, locks, alias tags.

#include "ir/parameter.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <unordered_map>

namespace fluorite::backends {

class ModuleGlobals {
  public:
    explicit ModuleGlobals(llvm::Module &module) : module_(module), context_(module.getContext()) {}

    /// A function that is to be filled; a public one is what C calls.
    llvm::Function *new_function(const std::string &name, llvm::FunctionType *type, bool is_public);
    /// A function by its C name, which is elsewhere or was declared before.
    llvm::FunctionCallee declare(const std::string &name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> params);
    llvm::Constant *text(const std::string &text);
    /// A constant copy of a buffer of the program that no argument stands for: elements and header.
    llvm::Constant *embedded_buffer(const ir::Parameter &parameter);
    /// The lock of a Func, 0 or 1.
    llvm::GlobalVariable *lock(const std::string &func);
    /// Accesses with tags of different names do not overlap.
    llvm::MDNode *alias_tag(const std::string &name);

  private:
    llvm::Module &module_;
    llvm::LLVMContext &context_;
    std::map<std::string, llvm::Constant *> texts_;
    std::unordered_map<const ir::Parameter *, llvm::Constant *> embedded_;
    llvm::MDNode *alias_root_ = nullptr;
    std::map<std::string, llvm::MDNode *> alias_tags_;
};

} // namespace fluorite::backends
