#pragma once
// The values of expressions: the interface through which all parts of the emitter recurse into expressions. Knows which
// part emits which node.

#include "backends/llvm/emit/module_context.h"
#include "backends/llvm/emit/value_cache.h"

#include <unordered_map>

namespace fluorite::backends {

class Buffers;
class FunctionFrame;
class Loads;
class MathCalls;

/// What the cache of values keeps of a let's value: itself if it is a vector of 32-bit integers, else nothing.
Expr definition_of_lanes(const Expr &value);

/// Emits what differs from machine to machine: fields of buffers, texts, calls by name and messages.
class MachineExpressions {
  public:
    virtual llvm::Value *value(const ir::ExprNode &node) = 0;

  protected:
    ~MachineExpressions() = default;
};

class Expressions {
  public:
    /// The parts that emit nodes which are more than arithmetic.
    struct Parts {
        FunctionFrame &frame;
        Buffers &buffers;
        Loads &loads;
        MathCalls &math;
        MachineExpressions &machine;
    };
    Expressions(const ModuleContext &m, ValueCache &values, const Parts &parts)
        : m_(m), b_(m.b), arith_(m.arith), values_(values), parts_(parts) {}

    /// The value at the insertion point.
    llvm::Value *value(const Expr &expr);
    /// The value of an Int32 or Int64 scalar, sign-extended. Equal values have equal extensions.
    llvm::Value *scalar_i64(const Expr &expr);
    /// The value of an argument of the node.
    llvm::Value *operand(const ir::ExprNode &node, size_t i);

  private:
    llvm::Value *node_value(const ir::ExprNode &node);
    llvm::Value *variable(const ir::ExprNode &node);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    Arith &arith_;
    ValueCache &values_;
    const Parts parts_;
    std::unordered_map<llvm::Value *, llvm::Value *> widened_; // sign extensions, each placed right after the value
};

} // namespace fluorite::backends
