// The services of PassContext: new symbols, buffers of Funcs, and the way back from a loop symbol to its schedule.
//
// Symbols carry their owner as indices, so each answer is a few range checks and an array access. A symbol that a pass
// made itself, or that was parsed from text, has no owner: the answer is then null, and passes must do what is right for
// the general case.

#include "lowering/pass_context.h"

#include "ir/let_symbol.h"
#include "support/check.h"

namespace fluorite::lowering {

using namespace ir;

Symbol SymbolSource::fresh(SymbolKind kind, const std::string &hint, const SymbolOwner &owner) {
    check(kind != SymbolKind::Let, "symbols of lets are made from their values");
    return Symbol(kind, next_name(hint), owner);
}

Symbol SymbolSource::fresh_let(const std::string &hint, const Expr &value, const SymbolOwner &owner) {
    return let_symbol(next_name(hint), value, owner);
}

std::string SymbolSource::next_name(const std::string &hint) { return concat(hint, ".t", ++counts_[hint]); }

BufferTable::BufferTable(const Graph &graph) {
    for (const FuncDef &func : graph.funcs) {
        std::vector<Symbol> buffers;
        for (size_t element = 0; element < func.types.size(); element++) {
            SymbolOwner owner;
            owner.func = func.symbol.owner().func;
            owner.dim = static_cast<int32_t>(element);
            const std::string name = func.types.size() == 1 ? func.name() : concat(func.name(), ".", element);
            buffers.emplace_back(SymbolKind::Buffer, name, owner);
        }
        funcs_.push_back(std::move(buffers));
    }
}

const Symbol &BufferTable::of(FuncId func, int element) const {
    check(func.valid() && func.index() < funcs_.size(), "a buffer is asked for a Func that the pipeline does not have");
    const std::vector<Symbol> &buffers = funcs_[func.index()];
    check(element >= 0 && static_cast<size_t>(element) < buffers.size(), "a Func has no such value");
    return buffers[static_cast<size_t>(element)];
}

const FuncDef *PassContext::func_of(const Symbol &symbol) const {
    const int32_t func = symbol.owner().func;
    const bool known = func >= 0 && static_cast<size_t>(func) < pipeline.graph.funcs.size();
    return known ? &pipeline.graph.funcs[static_cast<size_t>(func)] : nullptr;
}

const schedule::StageSchedule *PassContext::stage_of(const Symbol &loop) const {
    const SymbolOwner &owner = loop.owner();
    if (!func_of(loop) || static_cast<size_t>(owner.func) >= pipeline.schedule.funcs.size()) {
        return nullptr;
    }
    const std::vector<schedule::StageSchedule> &stages =
        pipeline.schedule.funcs[static_cast<size_t>(owner.func)].stages;
    const bool known = owner.stage >= 0 && static_cast<size_t>(owner.stage) < stages.size();
    return known ? &stages[static_cast<size_t>(owner.stage)] : nullptr;
}

const schedule::LoopDim *PassContext::loop_dim_of(const Symbol &loop) const {
    const schedule::StageSchedule *stage = stage_of(loop);
    const int32_t dim = loop.owner().dim;
    const bool known = stage && dim >= 0 && static_cast<size_t>(dim) < stage->dims.size();
    return known ? &stage->dims[static_cast<size_t>(dim)] : nullptr;
}

} // namespace fluorite::lowering
