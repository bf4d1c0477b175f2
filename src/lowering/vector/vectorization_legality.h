#pragma once
// Whether the iterations of a loop may be executed as the lanes of a vector.

#include "analysis/reduction.h"
#include "lowering/pass_context.h"

#include <string>

namespace fluorite::lowering {

/// How a store that accumulates into one address over the lanes is executed.
enum class Accumulation : uint8_t {
    Ordered, // lane after lane, as in the loop
    Free,    // in any order: exact, or allowed by atomic() or allow_reassociation()
};

struct VectorizationLegality {
    /// Whether the body depends on the order of iterations in a way that only the serial loop preserves.
    bool must_be_serial() const { return !serial_because.empty(); }
    /// The reason, as part of a message; empty if vectorization is legal.
    std::string serial_because;
    /// The buffers that the body accumulates into, each by one store whose index is the same in all lanes.
    ir::SymbolMap<Accumulation> accumulators;
};

/// Matches a store against old value op contribution, for a known operator. Loads from the buffer count as the old
/// value, so the caller must know that they are at the store's index.
std::optional<analysis::Contribution> find_contribution(const ir::Store &store);

/// Examines the body of a loop that is to become `lanes` lanes.
VectorizationLegality find_vectorization_legality(const ir::For &loop, const ir::Stmt &body, int lanes,
                                                  const PassContext &context);

} // namespace fluorite::lowering
