// Results of inlining that are shared by schedules of one pipeline.
//
// The expansion of a Func depends only on the definitions in the program, which do not change, and on which of the
// Funcs that it calls, directly or through substituted calls, are inlined. The later transformations of an expression
// depend on the expression alone.
//
// Cost: a table lookup. Tables that have grown large are cleared, because a search may try very many schedules.

#include "loopnest/inline/inline_memo.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;

namespace {

constexpr size_t most_expansions = 16; // of one Func
constexpr size_t most_expressions = 20'000;

} // namespace

const InlineMemo::Expansion *InlineMemo::find_expansion(FuncId func,
                                                        const std::function<bool(FuncId)> &is_substituted) const {
    const auto known = expansions_.find(func);
    if (known == expansions_.end()) {
        return nullptr;
    }
    const auto found = std::find_if(known->second.begin(), known->second.end(), [&](const Expansion &one) {
        return std::all_of(one.callees.begin(), one.callees.end(),
                           [&](const auto &callee) { return is_substituted(callee.first) == callee.second; });
    });
    return found == known->second.end() ? nullptr : &*found;
}

void InlineMemo::keep_expansion(FuncId func, Expansion expansion) {
    std::vector<Expansion> &known = expansions_[func];
    if (known.size() == most_expansions) {
        known.erase(known.begin());
    }
    known.push_back(std::move(expansion));
}

const std::vector<FuncId> &InlineMemo::callees(const Expr &expr) {
    if (const auto known = callees_.find(expr); known != callees_.end()) {
        return known->second;
    }
    std::vector<FuncId> found;
    for_each_node(expr, [&](const Expr &node) {
        if (node->kind() == ExprKind::Call) {
            found.push_back(node->symbol().owner().func);
        }
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (callees_.size() > most_expressions) {
        callees_.clear();
    }
    return callees_.emplace(expr, std::move(found)).first->second;
}

Expr InlineMemo::applied(const std::string &function, const Expr &expr,
                         const std::function<Expr(const Expr &)> &apply) {
    const auto results = applied_.find(function);
    if (results != applied_.end()) {
        if (const auto known = results->second.find(expr); known != results->second.end()) {
            return known->second;
        }
    }
    if (applied_count_++ > most_expressions) {
        applied_.clear();
        applied_count_ = 0;
    }
    const Expr result = apply(expr);
    applied_[function].emplace(expr, result);
    return result;
}

} // namespace fluorite::loopnest
