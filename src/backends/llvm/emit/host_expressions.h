#pragma once
// The expressions that a function of the host has of its own: fields of buffers, texts, calls by name and messages.

#include "backends/llvm/emit/expressions.h"

namespace fluorite::backends {

class Calls;
class Messages;

class HostExpressions : public MachineExpressions {
  public:
    HostExpressions(const ModuleContext &m, Buffers &buffers, Calls &calls, Messages &messages)
        : m_(m), buffers_(buffers), calls_(calls), messages_(messages) {}

    llvm::Value *value(const ir::ExprNode &node) override;

  private:
    const ModuleContext &m_;
    Buffers &buffers_;
    Calls &calls_;
    Messages &messages_;
};

} // namespace fluorite::backends
