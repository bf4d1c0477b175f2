// The services of PassContext: new symbols, and the lookup of a loop symbol's schedule.
//
// Symbols carry their owner as indices, so each lookup is a few range checks and an array access. A symbol that a pass
// created, or that was parsed from text, has no owner: the lookup then gives null, and the pass must treat the general
// case.

#include "lowering/pass_context.h"

#include "ir/let_symbol.h"
#include "schedule/carried_dependences.h"
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

std::string SymbolSource::next_name(const std::string &hint) {
    std::string name;
    do {
        name = concat(hint, ".t", ++counts_[hint]);
    } while (reserved_.contains(name));
    return name;
}

const FuncDef *PassContext::func_of(const Symbol &symbol) const {
    const FuncId func = symbol.owner().func;
    return func.is_below(pipeline.graph.funcs.size()) ? &pipeline.graph.func(func) : nullptr;
}

const schedule::StageSchedule *PassContext::stage_of(const Symbol &loop) const {
    const SymbolOwner &owner = loop.owner();
    if (!func_of(loop)) {
        return nullptr;
    }
    const bool known = owner.stage_id().index() < pipeline.schedule.func(owner.func).stages.size();
    return known ? &pipeline.schedule.stage(owner.stage_id()) : nullptr;
}

const schedule::LoopDim *PassContext::loop_dim_of(const Symbol &loop) const {
    const schedule::StageSchedule *stage = stage_of(loop);
    const LoopId id = loop.owner().loop();
    return stage && id.is_below(stage->dims.size()) ? &stage->dims[id.index()] : nullptr;
}

bool PassContext::is_independent(const Symbol &loop) const {
    const FuncDef *func = func_of(loop);
    const schedule::StageSchedule *stage = stage_of(loop);
    return func && loop_dim_of(loop) &&
           schedule::loop_is_independent(pipeline.graph.stage(loop.owner().stage_id()), func->symbol, *stage,
                                         loop.owner().loop().index());
}

void PassContext::beyond(const Symbol &of, const std::string &text, Target::Feature off) const {
    if (on_remark) {
        on_remark({Remark::Kind::Beyond, of, text, off});
    }
}

void PassContext::otherwise(const Symbol &of, const std::string &text) const {
    if (on_remark) {
        on_remark({Remark::Kind::Otherwise, of, text});
    }
}

} // namespace fluorite::lowering
