// The compile report.
//
// Example, for a loop of 8 lanes on registers of 16, and an inner stage that would have too many lanes:
//   otherwise than the schedule says:
//     g, loop xv: runs one iteration after the other; its body has vectors of 16 lanes ...
//   beyond the schedule:
//     f, loop x: 2 iterations of 8 lanes are one of 16 (no_widening)
//
// Each pass notes what it does when it does it (PassContext::beyond, PassContext::otherwise). A remark that recurs, as
// one on several copies of a loop does, is printed once with its count. Lines come in the order in which the passes
// noted them, so equal programs have equal reports. Cost: linear in the remarks.

#include "lowering/report.h"

#include "loopnest/user_text.h"
#include "schedule/directives/table.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"
#include "support/loop_name.h"

#include <map>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

/// `f.update(0) where p > 0, loop r.x`; a symbol that belongs to no Func is given by its own name.
std::string place_of(const Symbol &symbol, const LoweringGraph &graph) {
    const SymbolOwner &owner = symbol.owner();
    const std::vector<FuncDef> &funcs = graph.pipeline.graph.funcs;
    if (!owner.func.is_below(funcs.size())) {
        return symbol.name();
    }
    const FuncId func = owner.func;
    const bool is_stage = symbol.kind() == SymbolKind::Loop && owner.stage >= 0;
    if (!is_stage) {
        return graph.func(func).name();
    }
    const Variant variant = graph.variant(owner.stage_id());
    std::string text = schedule::stage_text(graph.func(func).name(), variant.definition);
    if (variant.condition.defined()) {
        text += " where " + text_for_user(variant.condition, graph.pipeline.graph);
    }
    const std::vector<schedule::LoopDim> &dims = graph.schedule(owner.stage_id()).dims;
    const bool is_loop = owner.loop().is_below(dims.size());
    return is_loop ? with_dotted_loops(text + ", loop " + dims[owner.loop().index()].var) : text;
}

Symbol stage_symbol(FuncId func, int stage) {
    SymbolOwner owner;
    owner.func = func;
    owner.stage = stage;
    return Symbol(SymbolKind::Loop, "stage", owner);
}

/// The size of a circular buffer, which is a constant, or a symbol that selects between a constant and all of the
/// storage.
std::string fold_extent_text(const BoundedLoopNest &nest, const Expr &fold) {
    for (const auto &[site, lets] : nest.regions.lets) {
        for (const SiteLet &let : lets) {
            if (is_kind(fold, ExprKind::Variable) && let.symbol.defined() && let.symbol == fold->symbol() &&
                is_kind(let.value, ExprKind::Select)) {
                return concat(text_for_user(let.value->arg(1), nest.graph.pipeline.graph),
                              ", or of all that is stored if a run reads further beyond an image than next to it");
            }
        }
    }
    return text_for_user(fold, nest.graph.pipeline.graph);
}

} // namespace

std::vector<Remark> remarks_of(const BoundedLoopNest &nest) {
    std::vector<Remark> remarks;
    for (FuncId id : nest.graph.order) {
        const FuncDef &func = nest.graph.func(id);
        for (size_t k = 0; k < nest.regions.func(id).nests.size(); k++) {
            const StageNest *stage = nest.regions.func(id).nests[k].get();
            for (const ChangedTail &tail : stage ? stage->changed_tails() : std::vector<ChangedTail>()) {
                remarks.push_back({Remark::Kind::Otherwise, stage_symbol(id, static_cast<int>(k)),
                                   concat("the split of ", with_dotted_loops(tail.loop),
                                          " has TailStrategy::", schedule::tail_word(tail.used), " in place of ",
                                          schedule::tail_word(tail.asked), "; ", tail.reason)});
            }
        }
        for (const SlidWindow &window : nest.regions.func(id).slides) {
            remarks.push_back({Remark::Kind::Beyond, func.symbol,
                               concat("iterations of ", describe(nest.graph, window.loop), " compute only the ",
                                      func.arg_names[window.dimension], " that earlier ones have not"),
                               Target::NoSliding});
        }
        for (const InvariantLoop &invariant : nest.regions.func(id).invariant_loops) {
            remarks.push_back({Remark::Kind::Beyond, func.symbol,
                               concat("only the first iteration of ", describe(nest.graph, invariant.loop),
                                      " computes it, as others need the same of it"),
                               Target::NoSliding});
        }
        const std::vector<Expr> &folds = nest.regions.func(id).folds;
        for (size_t d = 0; d < folds.size(); d++) {
            bool is_asked_for = false;
            for (const schedule::StorageDim &dim : nest.graph.schedule(id).storage) {
                is_asked_for = is_asked_for || (dim.fold.defined() && dim.var == func.arg_names[d]);
            }
            if (folds[d].defined() && !is_asked_for) {
                remarks.push_back(
                    {Remark::Kind::Beyond, func.symbol,
                     concat(func.arg_names[d], " is stored in a circular buffer of ", fold_extent_text(nest, folds[d])),
                     Target::NoFolding});
            }
        }
    }
    return remarks;
}

std::string report_text(const std::vector<Remark> &remarks, const LoweringGraph &graph) {
    std::string text;
    for (const auto &[kind, title] : {std::pair(Remark::Kind::Otherwise, "otherwise than the schedule says:\n"),
                                      std::pair(Remark::Kind::Beyond, "beyond the schedule:\n")}) {
        std::vector<std::string> lines;
        std::map<std::string, int> counts;
        for (const Remark &remark : remarks) {
            if (remark.kind != kind) {
                continue;
            }
            const std::string off =
                remark.off == Target::FeatureEnd ? "" : " (" + Target::feature_to_name(remark.off) + ")";
            const std::string line = "  " + place_of(remark.of, graph) + ": " + remark.text + off;
            if (++counts[line] == 1) {
                lines.push_back(line);
            }
        }
        text += lines.empty() ? "" : title;
        for (const std::string &line : lines) {
            text += line + (counts[line] > 1 ? concat(", ", counts[line], " times") : "") + "\n";
        }
    }
    return text.empty() ? "the code does what the schedule says, and nothing beyond\n" : text;
}

} // namespace fluorite::lowering
