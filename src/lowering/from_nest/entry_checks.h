#pragma once
#include "loopnest/loop_nest.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// What the pipeline checks of its arguments before it computes anything.
struct EntryChecks {
    /// Null pointers, types, ranks, extents, factors, moduli and ranges of coordinates: before regions are computed.
    std::vector<ir::Stmt> before_bounds;
    /// All other checks (constraints, parameters, requirements, regions, memory): after the regions at root are known.
    std::vector<ir::Stmt> after_bounds;
    /// Whether any buffer queries its required region (undefined if queries are not compiled in), and the answers.
    Expr is_query;
    std::vector<ir::Stmt> answers;
};

EntryChecks make_entry_checks(const loopnest::BoundedLoopNest &nest, const PassContext &context);

/// The pointer to a buffer's header as a value.
Expr buffer_pointer(const ir::Symbol &buffer);
/// fluorite_type_t::as_u32 of a scalar type.
Expr type_bits(Type type);

} // namespace fluorite::lowering
