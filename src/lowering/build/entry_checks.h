#pragma once
#include "loopnest/loop_nest.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// What the pipeline verifies of its arguments before it computes anything.
struct EntryChecks {
    /// Null pointers, types and ranks: to run before any field of a buffer is read.
    std::vector<ir::Stmt> before_bounds;
    /// Constraints, parameter ranges, requirements and regions: to run once the regions at root are known.
    std::vector<ir::Stmt> after_bounds;
    /// Whether some buffer only asks for its region (undefined: no such thing here), and the answers.
    Expr is_query;
    std::vector<ir::Stmt> answers;
};

EntryChecks make_entry_checks(const loopnest::BoundedLoopNest &nest, const PassContext &context);

/// A buffer's pointer as a value.
Expr buffer_pointer(const ir::Symbol &buffer);
/// fluorite_type_t::as_u32 of a scalar type.
Expr type_bits(Type type);

} // namespace fluorite::lowering
