#pragma once
// The passes that take a statement to a statement, in the order of the compiler's table (pipeline.cpp), which has
// passes that need more, and the simplifier, between them. Each stands in the .cpp of its name, whose opening comment
// says what it does. An undefined statement stays undefined.

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

/// Gives each tuple element a buffer of its own: from here on Realize, Provide and Image name Buffer symbols, each
/// Provide has one value, and no Call and no Undef is left.
ir::Stmt split_tuples(const ir::Stmt &stmt, const PassContext &context);
/// Adds trace events for Funcs and inputs that ask for them.
ir::Stmt inject_tracing(const ir::Stmt &stmt, const PassContext &context);
/// Prefetches of boxes become loops of hints; what is hinted at is an Image that is not read.
ir::Stmt lower_prefetches(const ir::Stmt &stmt, const PassContext &context);

// From boxes to linear memory.

/// Realize, Provide and Image of buffers become Allocate, Store and Load with one-dimensional indices.
ir::Stmt flatten(const ir::Stmt &stmt, const PassContext &context);

// From marked loops to plain ones.

/// Replaces loops marked Unrolled by copies of their bodies; CompileError [unroll-non-constant-extent].
ir::Stmt unroll_loops(const ir::Stmt &stmt, const PassContext &context);
/// Replaces loops marked Vectorized by vector code; CompileError [vectorize-non-constant-extent].
ir::Stmt vectorize_loops(const ir::Stmt &stmt, const PassContext &context);

// On plain loops, while hints tell steady states.

/// Splits loops into prologue, steady state and epilogue along likely conditions.
ir::Stmt partition_loops(const ir::Stmt &stmt, const PassContext &context);
/// Makes one iteration of several of an innermost loop over vectors that are narrower than the target's.
ir::Stmt widen_vectorized_loops(const ir::Stmt &stmt, const PassContext &context);
/// Sums over lanes that a serial loop adds to one element are made once, after the loop.
ir::Stmt hoist_vector_reductions(const ir::Stmt &stmt, const PassContext &context);
/// Drops allocations that nothing reads, with their stores.
ir::Stmt remove_dead_allocations(const ir::Stmt &stmt, const PassContext &context);
/// Removes every hint: likely(x) becomes x.
ir::Stmt remove_hints(const ir::Stmt &stmt, const PassContext &context);

// On final loops.

/// Makes strided loads of gathers at quotients and remainders of neighbouring coordinates.
ir::Stmt split_strided_gathers(const ir::Stmt &stmt, const PassContext &context);
/// Makes dense accesses and shuffles of strided ones that interleave.
ir::Stmt interleaved_accesses(const ir::Stmt &stmt, const PassContext &context);
/// Computes once what shifted copies of an expression share between iterations of an innermost loop over vectors.
ir::Stmt predictive_commoning(const ir::Stmt &stmt, const PassContext &context);
/// Accesses rows of matrices in place of columns, with a transpose in registers.
ir::Stmt register_transpose(const ir::Stmt &stmt, const PassContext &context);
/// Keeps elements that a loop accumulates in registers while it runs.
ir::Stmt scalar_replacement(const ir::Stmt &stmt, const PassContext &context);
/// Moves lets that do not depend on a loop out of it.
ir::Stmt hoist_invariants(const ir::Stmt &stmt, const PassContext &context);
/// Frees buffers after their last use, where that comes before the end of their scope.
ir::Stmt free_early(const ir::Stmt &stmt, const PassContext &context);

} // namespace fluorite::lowering
