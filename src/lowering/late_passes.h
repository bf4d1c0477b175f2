#pragma once
// The passes from a statement to a statement, in the order of the compiler's table (pipeline.cpp). Between them, the
// table has the simplifier and passes that need more input. Each pass is in the .cpp of its name, whose opening comment
// describes it. An undefined statement stays undefined.

#include "lowering/pass_context.h"

namespace fluorite::lowering {

using StatementPass = ir::Stmt (*)(const ir::Stmt &, const PassContext &);

// From Funcs to one buffer per value.

/// Gives each element of a tuple a buffer of its own. Afterwards, Realize, Provide and Image name Buffer symbols, each
/// Provide has one value, and no Call or Undef is left.
ir::Stmt split_tuples(const ir::Stmt &stmt, const PassContext &context);
/// Adds trace events for Funcs and inputs with tracing, and for a traced pipeline.
ir::Stmt inject_tracing(const ir::Stmt &stmt, const PassContext &context);
/// Replaces prefetches of boxes by loops of hints. The operand of a hint is an Image, which is not read.
ir::Stmt lower_prefetches(const ir::Stmt &stmt, const PassContext &context);

// From boxes to linear memory.

/// Rounds the rows of internal buffers up to whole vectors, where vectors run along them.
ir::Stmt pad_rows(const ir::Stmt &stmt, const PassContext &context);
/// Replaces Realize, Provide and Image of buffers by Allocate, Store and Load with one-dimensional indices.
ir::Stmt flatten(const ir::Stmt &stmt, const PassContext &context);

// From unrolled and vectorized loops to plain loops.

/// Replaces loops marked Unrolled by copies of their bodies; CompileError [unroll-non-constant-extent].
ir::Stmt unroll_loops(const ir::Stmt &stmt, const PassContext &context);
/// Replaces loops marked Vectorized by vector code; CompileError [vectorize-non-constant-extent].
ir::Stmt vectorize_loops(const ir::Stmt &stmt, const PassContext &context);

// On plain loops.

/// Splits loops into prologue, steady state and epilogue along likely conditions, and removes all hints: likely(x)
/// becomes x.
ir::Stmt partition_loops(const ir::Stmt &stmt, const PassContext &context);
/// Combines several iterations of an innermost loop over vectors that are narrower than the target's.
ir::Stmt widen_vectorized_loops(const ir::Stmt &stmt, const PassContext &context);
/// Moves the reduction over lanes out of a serial loop that accumulates into one element.
ir::Stmt hoist_vector_reductions(const ir::Stmt &stmt, const PassContext &context);
/// Removes allocations without loads, and the stores to them.
ir::Stmt remove_dead_allocations(const ir::Stmt &stmt, const PassContext &context);

// On final loops.

/// Splits gathers at quotients and remainders of neighbouring coordinates into strided loads.
ir::Stmt split_strided_gathers(const ir::Stmt &stmt, const PassContext &context);
/// Replaces strided accesses that interleave by dense accesses and shuffles.
ir::Stmt interleaved_accesses(const ir::Stmt &stmt, const PassContext &context);
/// Computes values that an innermost loop over vectors needs in successive iterations once.
ir::Stmt predictive_commoning(const ir::Stmt &stmt, const PassContext &context);
/// Accesses rows of matrices instead of columns, and transposes them in registers.
ir::Stmt register_transpose(const ir::Stmt &stmt, const PassContext &context);
/// Keeps the elements that a loop accumulates into in registers.
ir::Stmt scalar_replacement(const ir::Stmt &stmt, const PassContext &context);
/// Hints at what loops over vectors will read of inputs, where the options ask for it.
ir::Stmt hint_streams(const ir::Stmt &stmt, const PassContext &context);
/// Moves lets that do not depend on a loop out of it.
ir::Stmt hoist_invariants(const ir::Stmt &stmt, const PassContext &context);
/// Frees buffers after their last use if their scope ends later.
ir::Stmt free_early(const ir::Stmt &stmt, const PassContext &context);
/// Decides where memory is: on the stack, in registers or on the heap; CompileError [register-needs-constant-size].
ir::Stmt place_memory(const ir::Stmt &stmt, const PassContext &context);

} // namespace fluorite::lowering
