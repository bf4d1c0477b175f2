#pragma once
// Loads of scalars and vectors. Knows which instructions load a vector with a given index.

#include "backends/llvm/emit/memory/access_checks.h"
#include "backends/llvm/emit/memory/addresses.h"
#include "backends/llvm/emit/memory/gathers.h"
#include "backends/llvm/emit/memory/lane_spans.h"
#include "backends/llvm/emit/memory/prefix_accesses.h"

#include <functional>

namespace fluorite::backends {

class Loads {
  public:
    /// The parts that loads are made of.
    struct Parts {
        FunctionFrame &frame;
        ValueCache &values;
        Buffers &buffers;
        Addresses &addresses;
        LaneAccesses &lanes;
        PrefixAccesses &prefixes;
        LaneSpans &spans;
        Gathers &gathers;
        AccessChecks *checks; // null where accesses are not checked
    };
    Loads(const ModuleContext &m, Expressions &expressions, const Parts &parts)
        : m_(m), b_(m.b), arith_(m.arith), expressions_(expressions), frame_(parts.frame), values_(parts.values),
          buffers_(parts.buffers), addresses_(parts.addresses), lanes_(parts.lanes), prefixes_(parts.prefixes),
          spans_(parts.spans), gathers_(parts.gathers), checks_(parts.checks) {}

    /// The value of a Load; inactive lanes are zero.
    llvm::Value *load(const ir::ExprNode &node);

  private:
    llvm::Value *load_where(llvm::Value *condition, Type type, const std::function<llvm::Value *()> &load);
    llvm::Value *load_ramp(Type type, const ir::Symbol &symbol, const RampIndex &index, llvm::Value *mask);
    llvm::Value *load_dense(Type type, const ir::Symbol &symbol, const LinearIndex &base, llvm::Value *mask);
    llvm::Value *load_strided(Type type, const ir::Symbol &symbol, const RampIndex &index);
    bool has_wide_strides(Type type, int64_t stride) const;
    llvm::Value *load_by_segments(Type type, const ir::Symbol &symbol, const RampIndex &index);
    llvm::Value *load_scattered(Type type, const ir::Symbol &symbol, const Expr &index, llvm::Value *mask);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    Arith &arith_;
    Expressions &expressions_;
    FunctionFrame &frame_;
    ValueCache &values_;
    Buffers &buffers_;
    Addresses &addresses_;
    LaneAccesses &lanes_;
    PrefixAccesses &prefixes_;
    LaneSpans &spans_;
    Gathers &gathers_;
    AccessChecks *checks_;
};

} // namespace fluorite::backends
