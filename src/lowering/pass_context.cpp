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
    const int32_t func = symbol.owner().func;
    const bool known = func >= 0 && static_cast<size_t>(func) < pipeline.graph.funcs.size();
    return known ? &pipeline.graph.funcs[static_cast<size_t>(func)] : nullptr;
}

const schedule::StageSchedule *PassContext::stage_of(const Symbol &loop) const {
    const SymbolOwner &owner = loop.owner();
    if (!func_of(loop)) {
        return nullptr;
    }
    const std::vector<schedule::StageSchedule> &stages = pipeline.schedule.func(FuncId(owner.func)).stages;
    const bool known = owner.stage >= 0 && static_cast<size_t>(owner.stage) < stages.size();
    return known ? &stages[static_cast<size_t>(owner.stage)] : nullptr;
}

const schedule::LoopDim *PassContext::loop_dim_of(const Symbol &loop) const {
    const schedule::StageSchedule *stage = stage_of(loop);
    const int32_t dim = loop.owner().dim;
    const bool known = stage && dim >= 0 && static_cast<size_t>(dim) < stage->dims.size();
    return known ? &stage->dims[static_cast<size_t>(dim)] : nullptr;
}

bool PassContext::is_independent(const Symbol &loop) const {
    const FuncDef *func = func_of(loop);
    const schedule::StageSchedule *stage = stage_of(loop);
    return func && loop_dim_of(loop) &&
           schedule::loop_is_independent(func->stages[static_cast<size_t>(loop.owner().stage)], func->symbol, *stage,
                                         static_cast<size_t>(loop.owner().dim));
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
