#pragma once
// Whether the iterations of a loop may run side by side, as lanes of a vector.

#include "analysis/reduction.h"
#include "lowering/pass_context.h"

#include <string>

namespace fluorite::lowering {

/// How a store that accumulates into one place over the lanes is made.
enum class Accumulation : uint8_t {
    Ordered, // lane after lane, as in the loop
    Free,    // in any order: integers, or the program said atomic() or allow_reassociation()
};

struct VectorizationLegality {
    /// The body depends on the order of its iterations in a way that only the serial loop gives.
    bool must_be_serial() const { return !serial_because.empty(); }
    /// Why, in the words of a message; empty where lanes are legal.
    std::string serial_because;
    /// Buffers that the body accumulates into, each by one store whose place is the same in all lanes.
    ir::SymbolMap<Accumulation> accumulators;
};

/// Whether the expression loads from the buffer or names its memory; fields of it do not count.
bool reads_buffer(const Expr &expr, const ir::Symbol &buffer);

/// A store as old value op contribution, where its operator is known and its old value is read once, at the store's
/// place.
std::optional<analysis::Contribution> find_contribution(const ir::Store &store);

/// Looks at the body of a loop that is to become `lanes` lanes.
VectorizationLegality find_lane_order(const ir::For &loop, const ir::Stmt &body, int lanes, const PassContext &context);

} // namespace fluorite::lowering
