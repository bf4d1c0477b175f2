#pragma once
// What the functions of an LLVM module share: functions, texts, data, locks and alias tags. Each is created once.

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

    /// Creates a function, which the caller fills; a public one is called from C.
    llvm::Function *new_function(const std::string &name, llvm::FunctionType *type, bool is_public);
    /// Declares a C function that is defined elsewhere, unless that has been done.
    llvm::FunctionCallee declare(const std::string &name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> params);
    llvm::Constant *text(const std::string &text);
    /// The header of a buffer whose elements are copied into the module, for a Parameter that no argument passes.
    llvm::Constant *embedded_buffer(const ir::Parameter &parameter);
    /// The lock of a Func: 0 if free, else 1.
    llvm::GlobalVariable *lock(const std::string &func);
    /// Accesses with tags of different names do not alias.
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
