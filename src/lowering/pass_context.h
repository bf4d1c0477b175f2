#pragma once
// What every pass of lowering is given besides the statement: the frozen pipeline, the options, the symbols of buffers,
// and a source of new symbols.

#include "loopnest/buffer_table.h"
#include "lowering/lower.h"
#include "lowering/report.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fluorite::lowering {

/// Makes symbols that no other symbol of the run equals: `hint.t1`, `hint.t2`, ... The same calls give the same names
/// in every run, as the counts live here and not in a global.
class SymbolSource {
  public:
    ir::Symbol fresh(ir::SymbolKind kind, const std::string &hint, const ir::SymbolOwner &owner = {});
    /// For a let of the value.
    ir::Symbol fresh_let(const std::string &hint, const Expr &value, const ir::SymbolOwner &owner = {});

  private:
    std::string next_name(const std::string &hint);
    std::unordered_map<std::string, int> counts_;
};

/// Everything a pass may read. Passes are `Stmt pass(const Stmt &, const PassContext &)`; all state that outlives one
/// is the counts of `symbols` and the remarks.
struct PassContext {
    const schedule::ScheduledGraph &pipeline;
    const LowerOptions &options;
    SymbolSource &symbols;
    loopnest::BufferTable buffers;
    std::function<void(Remark)> on_remark; // null: nobody listens

    PassContext(const schedule::ScheduledGraph &pipeline, const LowerOptions &options, SymbolSource &symbols)
        : pipeline(pipeline), options(options), symbols(symbols), buffers(pipeline.graph) {}

    /// The Func that a symbol (of a Func, loop or internal buffer) belongs to; null for others.
    const ir::FuncDef *func_of(const ir::Symbol &symbol) const;
    /// The scheduled loop behind a loop symbol; null where the symbol's owner does not say.
    const schedule::LoopDim *loop_dim_of(const ir::Symbol &loop) const;
    /// The schedule of the stage that a loop symbol belongs to; null where the symbol's owner does not say.
    const schedule::StageSchedule *stage_of(const ir::Symbol &loop) const;

    /// Notes in the compile report what a pass does beyond the schedule to a loop, Func or buffer.
    /// `off` turns it off, where not the whole pass is left out.
    void beyond(const ir::Symbol &of, const std::string &text, Target::Feature off = Target::FeatureEnd) const;
    /// The same of what the schedule asks for and the pass does otherwise, with the reason.
    void otherwise(const ir::Symbol &of, const std::string &text) const;
};

} // namespace fluorite::lowering
