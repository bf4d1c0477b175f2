// One Func during bounds inference.
//
// The views receive its loops before they are complete, because stages depend on the region symbols of later stages.
// Lets and assertions are kept in one list, in order: values refer to earlier symbols.
//
// Cost: constant for each let.

#include "loopnest/regions/func_regions.h"

#include "rewrite/simplify.h"
#include "support/loop_name.h"

namespace fluorite::loopnest {

using namespace ir;

FuncInProgress::FuncInProgress(SiteViews &all, FuncId func, const WindowOptions &options)
    : views(all), id(func), windows(options), loops(std::make_shared<FuncLoops>()) {
    loops->compute = compute();
    for (const Stage &stage : this->func().stages) {
        loops->accesses.push_back(find_accesses(stage));
    }
    loops->nests.resize(loops->accesses.size());
    loops->reads.resize(loops->accesses.size());
    loops->regions.resize(loops->accesses.size());
    regions.loops = loops;
    all.set_loops(id, loops);
}

void FuncInProgress::bind_seen() {
    for (auto &let : views.take_lets()) {
        regions.lets.push_back(std::move(let));
    }
}

void FuncInProgress::bind(const Site &site, const Symbol &symbol, const Expr &value) {
    bind_seen();
    regions.lets.push_back({site, {symbol, value, {}}});
}

void FuncInProgress::require_at(const Site &site, const Expr &condition, const char *error,
                                const std::vector<Expr> &args) {
    const Expr simple = rewrite::simplify(condition);
    if (!is_true(simple)) {
        bind_seen();
        regions.lets.push_back({site, {Symbol(), simple, make_extern(Int(32), error, args)}});
    }
}

void FuncInProgress::refuse(const char *slug, const std::string &text, const Location &location) {
    refuse({slug, "in " + func().name() + ": " + with_dotted_loops(text), location});
}

void FuncInProgress::refuse(Refusal refusal) {
    if (verdict_) {
        verdict_ = std::move(refusal);
    }
}

} // namespace fluorite::loopnest
