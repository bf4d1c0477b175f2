#pragma once
// The late passes, in the order in which the pipeline runs them (with simplification between them). Each lives in the .cpp
// of its name, whose header says what it does. An undefined statement stays undefined.

#include "ir/verify.h"
#include "lowering/pass_context.h"

#include <optional>
#include <string_view>

namespace fluorite::lowering {

using StatementPass = ir::Stmt (*)(const ir::Stmt &, const PassContext &);

/// A row of the compiler's table that takes a statement to a statement, and the rules that hold before and after it.
struct NamedPass {
    StatementPass run;
    ir::Phase from, to;
};
/// Nothing where the table has no such row.
std::optional<NamedPass> find_statement_pass(std::string_view name);

// From Funcs to one buffer for each value.

/// Gives each tuple element a buffer of its own: from here on Realize, Provide and Image name Buffer symbols, each Provide
/// has one value, and no Call and no Undef is left.
ir::Stmt split_tuples(const ir::Stmt &stmt, const PassContext &context);
/// Adds trace events for Funcs and inputs that ask for them.
ir::Stmt inject_tracing(const ir::Stmt &stmt, const PassContext &context);

/// Prefetches of boxes become loops of hints; what is hinted at is an Image that is not read.
ir::Stmt lower_prefetches(const ir::Stmt &stmt, const PassContext &context);

// From buffers over boxes to linear memory.

/// Realize, Provide and Image of buffers become Allocate, Store and Load with one-dimensional indices.
ir::Stmt flatten(const ir::Stmt &stmt, const PassContext &context);

// On flat IR.

/// Replaces loops marked Unrolled by copies of their bodies; CompileError [unroll-non-constant-extent].
ir::Stmt unroll_loops(const ir::Stmt &stmt, const PassContext &context);
/// Replaces loops marked Vectorized by vector code; CompileError [vectorize-non-constant-extent].
ir::Stmt vectorize_loops(const ir::Stmt &stmt, const PassContext &context);
/// Splits loops into prologue, steady state and epilogue along likely conditions; removes every hint.
ir::Stmt partition_loops(const ir::Stmt &stmt, const PassContext &context);
/// Makes strided loads of those at quotients and remainders of neighbouring coordinates.
ir::Stmt split_strided_gathers(const ir::Stmt &stmt, const PassContext &context);
/// Makes dense accesses of strided ones that interleave.
ir::Stmt interleaved_accesses(const ir::Stmt &stmt, const PassContext &context);
/// Makes one iteration of several of an innermost loop over vectors that are narrower than the target's.
ir::Stmt widen_vectorized_loops(const ir::Stmt &stmt, const PassContext &context);
/// Computes once what shifted copies of an expression share between iterations of an innermost loop over vectors.
ir::Stmt predictive_commoning(const ir::Stmt &stmt, const PassContext &context);
/// Accesses rows of matrices in place of columns, with a transpose in registers.
ir::Stmt register_transpose(const ir::Stmt &stmt, const PassContext &context);
/// Places that a loop accumulates in stay in registers while it runs.
ir::Stmt scalar_replacement(const ir::Stmt &stmt, const PassContext &context);
/// Sums over lanes that a serial loop adds to one place are made once, after the loop.
ir::Stmt hoist_vector_reductions(const ir::Stmt &stmt, const PassContext &context);
/// Moves lets that do not depend on a loop out of it.
ir::Stmt hoist_invariants(const ir::Stmt &stmt, const PassContext &context);
/// Drops allocations that nothing reads, with their stores.
ir::Stmt remove_dead_allocations(const ir::Stmt &stmt, const PassContext &context);
/// Frees buffers after their last use, where that comes before the end of their scope.
ir::Stmt free_early(const ir::Stmt &stmt, const PassContext &context);
/// Removes hints, which tell partition_loops about steady states.
ir::Stmt remove_hints(const ir::Stmt &stmt, const PassContext &context);

} // namespace fluorite::lowering
