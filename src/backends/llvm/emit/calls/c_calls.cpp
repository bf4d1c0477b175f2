#include "backends/llvm/emit/calls/c_calls.h"

namespace fluorite::backends {

using llvm::Value;

Value *call_runtime(const ModuleContext &m, const char *name, llvm::Type *result, llvm::ArrayRef<Value *> args) {
    std::vector<llvm::Type *> params;
    for (Value *arg : args) {
        params.push_back(arg->getType());
    }
    return m.b.CreateCall(m.globals.declare(name, result, params), args);
}

Value *call_lanes(const ModuleContext &m, llvm::FunctionCallee callee, llvm::ArrayRef<Value *> args, int lanes) {
    if (lanes == 1) {
        return m.b.CreateCall(callee, args);
    }
    llvm::Type *element = callee.getFunctionType()->getReturnType();
    Value *result = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes)));
    for (int i = 0; i < lanes; i++) {
        std::vector<Value *> scalars;
        for (Value *arg : args) {
            scalars.push_back(arg->getType()->isVectorTy() ? m.b.CreateExtractElement(arg, static_cast<uint64_t>(i))
                                                           : arg);
        }
        result = m.b.CreateInsertElement(result, m.b.CreateCall(callee, scalars), static_cast<uint64_t>(i));
    }
    return result;
}

} // namespace fluorite::backends
