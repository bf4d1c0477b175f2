#pragma once
// Stores of scalars and vectors. Knows which instructions store a vector with a given index, and past the caches.

#include "backends/llvm/emit/memory/access_checks.h"
#include "backends/llvm/emit/memory/addresses.h"
#include "backends/llvm/emit/memory/lane_accesses.h"
#include "backends/llvm/emit/memory/prefix_accesses.h"

namespace fluorite::backends {

class Stores {
  public:
    /// The parts that stores are made of.
    struct Parts {
        FunctionFrame &frame;
        ValueCache &values;
        Buffers &buffers;
        Addresses &addresses;
        LaneAccesses &lanes;
        PrefixAccesses &prefixes;
        AccessChecks *checks; // null where accesses are not checked
    };
    Stores(const ModuleContext &m, Expressions &expressions, const Parts &parts)
        : m_(m), b_(m.b), arith_(m.arith), expressions_(expressions), frame_(parts.frame), values_(parts.values),
          buffers_(parts.buffers), addresses_(parts.addresses), lanes_(parts.lanes), prefixes_(parts.prefixes),
          checks_(parts.checks) {}

    void store(const ir::Store &node);
    /// Whether the function has stores past the caches, which must be ordered before it returns.
    bool has_streamed() const { return has_streamed_; }

  private:
    void store_vector(Type type, const ir::Store &node, llvm::Value *stored, llvm::Value *mask);
    void store_dense(Type type, const ir::Symbol &symbol, const LinearIndex &first, llvm::Value *stored,
                     llvm::Value *mask);
    bool store_ramp_of_vectors(Type type, const ir::Store &node, llvm::Value *stored);
    void store_scattered(Type type, const ir::Store &node, llvm::Value *stored, llvm::Value *mask);
    void store_each(Type type, const ir::Store &node, const std::optional<RampIndex> &ramp, llvm::Value *stored);
    bool store_parts(llvm::Value *stored, llvm::Value *at, const ir::Symbol &symbol);
    bool stream(const ir::Symbol &symbol, llvm::Value *stored, llvm::Value *at, llvm::Align alignment);
    void store_lane(Type type, llvm::Value *lane, llvm::Value *address, const ir::Symbol &symbol);

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
    AccessChecks *checks_;
    bool has_streamed_ = false;
};

/// Orders stores past the caches before all later stores, as seen by other threads.
void order_streams(const ModuleContext &m);

} // namespace fluorite::backends
