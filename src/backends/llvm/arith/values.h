#pragma once
// How values of the language are represented in LLVM's types.
//
// In registers, a Bool is an i1, a 16-bit float is its bits in an i16, a handle is a ptr; every other type is LLVM's
// type of the same name.

#include "fluorite/type.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

namespace fluorite::backends {

/// The LLVM type of a value in a register, and in memory (where a Bool takes a byte).
llvm::Type *value_type(llvm::LLVMContext &context, Type type);
llvm::Type *memory_type(llvm::LLVMContext &context, Type type);
/// The value, in each lane.
llvm::Constant *constant_of(llvm::LLVMContext &context, Type type, int64_t value);
/// The number of lanes of a value; 1 for a scalar.
inline int lanes_of(const llvm::Value *value) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return vector ? static_cast<int>(vector->getNumElements()) : 1;
}
/// Whether the type is a 16-bit float.
inline bool is_short_float(Type type) { return type.is_float() && type.bits() == 16; }

} // namespace fluorite::backends
