#pragma once
// The table of passes, for tools and tests that run some of them; lower() runs them all.

#include "loopnest/loop_nest.h"
#include "lowering/lower.h"
#include "lowering/pass_order.h"

#include <memory>
#include <optional>
#include <vector>

namespace fluorite::lowering {

/// A row of the table.
struct PassInfo {
    const char *name, *summary;
    Contract contract;
    bool needs_nest; // it reads the loop nest beside the statement
};
std::vector<PassInfo> pass_table();
/// The position of a name in the table.
std::optional<size_t> find_pass(std::string_view name);

/// Runs passes of the table one at a time, on a pipeline or on a statement.
class PassRunner {
  public:
    /// A pipeline without a statement: build_loops and the passes before it make one. The pipeline must not iterate.
    PassRunner(schedule::ScheduledGraph pipeline, LowerOptions options);
    /// A statement in any phase. The pipeline may be empty; if not, it is the one from which the statement was made:
    /// its symbols are those of the statement. What the statement uses otherwise and does not bind becomes an argument,
    /// or an open Func.
    PassRunner(schedule::ScheduledGraph pipeline, ir::Stmt stmt, LowerOptions options);
    /// The body of the module's entry, with its tasks in place. Throws CompileError [opt-pass] for a module with
    /// callees, which are entries of their own.
    PassRunner(schedule::ScheduledGraph pipeline, const ir::LoweredModule &module, LowerOptions options);
    ~PassRunner();
    PassRunner(const PassRunner &) = delete;
    PassRunner &operator=(const PassRunner &) = delete;

    /// Runs the pass at this position, and before it those that compute what it needs of the pipeline and that have not
    /// run yet. If the options verify, the statement is verified before and after. Throws CompileError: [opt-pass] for
    /// a pass that cannot run here, or a statement that is not in the phase that it takes, and what the pass refuses;
    /// InternalError with the name of the pass for what it breaks.
    void run(size_t row);
    /// Runs the simplifier, in whatever phase the statement is.
    void simplify();

    const ir::Stmt &stmt() const;
    const ir::LoweredModule *module() const; // null until outline_tasks has run
    /// Null until the regions are known.
    const loopnest::BoundedLoopNest *nest() const;
    /// The graph after inlining; null until then.
    const ir::Graph *graph() const;
    /// The first rule of the phase that the statement breaks.
    std::optional<std::string> violation(ir::Phase phase) const;

  private:
    struct Contents;
    std::unique_ptr<Contents> contents_;
};

} // namespace fluorite::lowering
