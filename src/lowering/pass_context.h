#pragma once
// What every pass of lowering gets besides the statement: the frozen pipeline, the options, the symbols of buffers, and
// a source of new symbols.

#include "loopnest/buffer_table.h"
#include "lowering/lower.h"
#include "lowering/report.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fluorite::lowering {

/// Makes symbols that are unique in the run: `hint.t1`, `hint.t2`, ... The same calls give the same names in every run,
/// as the counts are members and not global.
class SymbolSource {
  public:
    ir::Symbol fresh(ir::SymbolKind kind, const std::string &hint, const ir::SymbolOwner &owner = {});
    /// A symbol for a let of the value.
    ir::Symbol fresh_let(const std::string &hint, const Expr &value, const ir::SymbolOwner &owner = {});
    /// Makes no symbol of these names: those of a statement that passes of another run have made.
    void reserve(std::unordered_set<std::string> names) { reserved_ = std::move(names); }

  private:
    std::string next_name(const std::string &hint);
    std::unordered_map<std::string, int> counts_;
    std::unordered_set<std::string> reserved_;
};

/// Everything that a pass may read. A pass is a function `Stmt pass(const Stmt &, const PassContext &)`; the only state
/// that outlives it are the counts of `symbols` and the remarks.
struct PassContext {
    const schedule::ScheduledGraph &pipeline;
    const LowerOptions &options;
    const machine::MachineModel &machine; // that runs the function of which the statement is
    SymbolSource &symbols;
    loopnest::BufferTable buffers;
    std::function<void(Remark)> on_remark; // null: remarks are dropped

    PassContext(const schedule::ScheduledGraph &pipeline, const LowerOptions &options, SymbolSource &symbols)
        : pipeline(pipeline), options(options), machine(options.machine), symbols(symbols), buffers(pipeline.graph) {}
    /// The same for the functions of another machine.
    PassContext(const PassContext &other, const machine::MachineModel &machine)
        : pipeline(other.pipeline), options(other.options), machine(machine), symbols(other.symbols),
          buffers(other.buffers), on_remark(other.on_remark) {}

    /// The Func of a symbol (of a Func, loop or internal buffer); null for other symbols.
    const ir::FuncDef *func_of(const ir::Symbol &symbol) const;
    /// The scheduled loop of a loop symbol; null if the symbol has no such owner.
    const schedule::LoopDim *loop_dim_of(const ir::Symbol &loop) const;
    /// The schedule of the stage of a loop symbol; null if the symbol has no such owner.
    const schedule::StageSchedule *stage_of(const ir::Symbol &loop) const;
    /// Whether the loops around the loop carry all dependences between iterations of its stage.
    bool is_independent(const ir::Symbol &loop) const;

    /// Notes in the compile report what a pass does to a loop, Func or buffer beyond the schedule. The feature `off`
    /// turns it off; by default, it is the feature that omits the whole pass.
    void beyond(const ir::Symbol &of, const std::string &text, Target::Feature off = Target::FeatureEnd) const;
    /// Notes what a pass does other than the schedule asks for, with the reason.
    void otherwise(const ir::Symbol &of, const std::string &text) const;
};

} // namespace fluorite::lowering
