// Reads of the Funcs of one segment whose coordinates repeat an image beyond its edges.
//
// A coordinate stays near if it is a variable plus a constant, or plus reduction variables of constant ranges, up to
// `most_wrapped_offset` in all. The variable of an inner Func must itself stay near a variable of its callers, up to
// the output: a Func that is called at f(7 * x) computes points that are far apart, and with them the coordinates of
// its own reads.
//
// Why it matters: where the wrapping is left out, a rank holds all points from the first coordinate to the last one
// that it reads. Near coordinates are a halo; others could be many times the image.
//
// Does not do: follow what conditions and clamps say of the arguments of inner Funcs. Such reads keep their wrapping,
// for which inference asks for the whole image. Cost: a simplification for each argument of a call between the members.

#include "distributed/periodic_reads.h"

#include "loopnest/inline/clone.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::distributed {

using namespace ir;
using analysis::PeriodicCoordinate;
using rewrite::simplify;

namespace {

/// The ranges of the stage's reduction variables that are constant.
analysis::Scope constant_ranges(const ir::Stage &stage) {
    analysis::Scope scope;
    for (const ReductionVar &rvar : stage.rvars) {
        const Expr min = simplify(rvar.min), extent = simplify(rvar.extent);
        if (rewrite::constant_value(min) && rewrite::constant_value(extent)) {
            scope[rvar.var] = {min, simplify(sub(add(min, extent), int32(1)))};
        }
    }
    return scope;
}

bool is_within_reach(const Expr &side) {
    const std::optional<int64_t> value = side.defined() ? rewrite::constant_value(simplify(side)) : std::nullopt;
    return value && -analysis::most_wrapped_offset <= *value && *value <= analysis::most_wrapped_offset;
}

} // namespace

std::optional<PeriodicCoordinate> PeriodicReads::find(const Expr &coordinate, FuncId func, const ir::Stage &stage) {
    if (coordinate->kind() != ExprKind::Select || coordinate.type() != Int(32)) {
        return std::nullopt;
    }
    std::optional<PeriodicCoordinate> found = analysis::find_periodic(simplify(coordinate));
    if (!found || found->is_mirrored()) {
        return std::nullopt;
    }
    if (near_.empty()) {
        find_near_arguments();
    }
    return is_near(found->inner, func, stage) ? found : std::nullopt;
}

/// Begins with all arguments, and removes those that a call shows to be none until no more are found.
void PeriodicReads::find_near_arguments() {
    for (const FuncId id : members_) {
        near_[id].assign(graph_.func(id).args.size(), true);
    }
    bool any = true;
    const auto check_call = [&](const Expr &call, FuncId caller, const ir::Stage &stage) {
        const FuncId callee = call->symbol().owner().func;
        const auto known = near_.find(callee);
        const bool is_output = std::find(outputs_.begin(), outputs_.end(), callee) != outputs_.end();
        if (callee == caller || is_output || known == near_.end()) {
            return;
        }
        for (size_t d = 0; d < known->second.size(); d++) {
            if (known->second[d] && !is_near(simplify(call->arg(d)), caller, stage)) {
                known->second[d] = false;
                any = true;
            }
        }
    };
    while (any) {
        any = false;
        for (const FuncId caller : members_) {
            for (const ir::Stage &stage : graph_.func(caller).stages) {
                for (const Expr &expr : loopnest::stage_exprs(stage)) {
                    for_each_node(expr, [&](const Expr &node) {
                        if (node->kind() == ExprKind::Call) {
                            check_call(node, caller, stage);
                        }
                    });
                }
            }
        }
    }
}

bool PeriodicReads::is_near(const Expr &coordinate, FuncId func, const ir::Stage &stage) const {
    const std::vector<Symbol> &args = graph_.func(func).args;
    const std::vector<bool> &near = near_.at(func);
    for (size_t d = 0; d < args.size(); d++) {
        if (!near[d] || !uses_symbol(coordinate, args[d])) {
            continue;
        }
        const Expr offset = simplify(sub(coordinate, make_var(Int(32), args[d])));
        const analysis::Interval range = analysis::bounds_of(offset, constant_ranges(stage));
        if (is_within_reach(range.min) && is_within_reach(range.max)) {
            return true;
        }
    }
    return false;
}

} // namespace fluorite::distributed
