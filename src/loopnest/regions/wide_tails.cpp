// Tails that reach beyond a region.
//
// What: the split by which a stage touches more of a dimension than its region, for messages: a split under RoundUp
// whose factor does not divide the extent computes points behind the region, one under ShiftInwards points before a
// region that is shorter than its factor. A stage whose region is rounded up by those of its consumers has none of its
// own, so consumers are searched, along the variables of the coordinates at which they read.
//
// Whether the tail matters in a run is a condition, where the extent is known at entry.
// Cost: linear in the accesses of all stages, each of which is searched once.

#include "loopnest/regions/wide_tails.h"

#include "loopnest/regions/accesses.h"
#include "loopnest/user_text.h"
#include "schedule/directives/table.h"
#include "support/loop_name.h"

namespace fluorite::loopnest {

using namespace ir;

std::optional<WideSplit> StageNest::wide_split(const Symbol &variable, AccessKind access) const {
    for (const auto &[symbol, node] : variables_) {
        if (symbol == variable) {
            return wide_split_of(node, access);
        }
    }
    return std::nullopt;
}

std::optional<WideSplit> StageNest::wide_split_of(int index, AccessKind access) const {
    const Node &node = node_at(index);
    switch (node.kind) {
    case Node::Kind::Leaf:
        return std::nullopt;
    case Node::Kind::Fuse:
        return wide_split_of(node.fused, access);
    case Node::Kind::Skew:
        return wide_split_of(node.outer, access);
    case Node::Kind::Split:
        break;
    }
    if (!node.exact) { // one that clips ends what the splits of its parts access
        return node.clips(access) ? std::nullopt
                                  : std::optional(WideSplit{node.name, node.factor, node.tail,
                                                            node.varies_with.empty() ? node.extent : Expr()});
    }
    const std::optional<WideSplit> outer = wide_split_of(node.outer, access);
    return outer ? outer : wide_split_of(node.inner, access);
}

WideTails::WideTails(const BoundedLoopNest &nest)
    : graph_(nest.graph), placement_(nest.placement), regions_(nest.regions) {
    for (const FuncId func : graph_.order) {
        const FuncDef &def = graph_.func(func);
        for (size_t k = 0; k < def.stages.size(); k++) {
            StageAccesses accesses = find_accesses(def.stages[k]);
            for (std::vector<Access> *kind : {&accesses.calls, &accesses.images}) {
                for (Access &read : *kind) {
                    if (!(read.symbol == def.symbol)) {
                        reads_[read.symbol].push_back({{func, k}, std::move(read.args)});
                    }
                }
            }
        }
    }
}

WideTail WideTails::of_input(const Symbol &input, size_t dimension) { return of_reads(input, dimension); }

WideTail WideTails::of_output(FuncId output, size_t dimension) {
    const FuncDef &func = graph_.func(output);
    for (size_t k = 0; k < func.stages.size(); k++) {
        WideTail found = of_coordinate({output, k}, func.stages[k].args[dimension], AccessKind::Write);
        if (!found.text.empty()) {
            return found;
        }
    }
    return {};
}

WideTail WideTails::of_coordinate(StageId stage, const Expr &coordinate, AccessKind access) {
    WideTail found;
    for_each_node(coordinate, [&](const Expr &node) {
        if (found.text.empty() && is_kind(node, ExprKind::Variable)) {
            found = of_variable(stage, node->symbol(), access);
        }
    });
    return found;
}

WideTail WideTails::of_variable(StageId stage, const Symbol &variable, AccessKind access) {
    const StageNest &nest = regions_.nest(stage);
    if (const std::optional<WideSplit> split = nest.wide_split(variable, access)) {
        return of_split(stage.func, *split);
    }
    const std::vector<Symbol> &args = graph_.func(stage.func).args;
    for (size_t d = 0; d < args.size(); d++) {
        if (args[d] == variable) {
            return of_region(stage.func, d);
        }
    }
    return {};
}

WideTail WideTails::of_split(FuncId func, const WideSplit &split) const {
    const bool shifts = split.tail == TailStrategy::ShiftInwards || split.tail == TailStrategy::ShiftInwardsAndBlend;
    // realize() has enlarged an output already.
    const bool is_known =
        placement_.compute[func.index()].is_root() && split.extent.defined() && !graph_.pipeline.graph.is_output(func);
    if (shifts && !is_known) {
        return {};
    }
    const Expr matters = shifts ? less(split.extent, split.factor)
                                : make_binary(ExprKind::NE, mod(split.extent, split.factor), int32(0));
    return {concat("loop ", with_dotted_loops(split.loop), " of ", graph_.func(func).user_name(), " is split by ",
                   text_for_user(split.factor, graph_.pipeline.graph),
                   " with TailStrategy::", schedule::tail_word(split.tail)),
            is_known ? matters : Expr()};
}

const WideTail &WideTails::of_region(FuncId func, size_t d) {
    const auto [known, is_new] = of_regions_.try_emplace({func, d});
    if (!is_new) {
        return known->second;
    }
    const FuncDef &def = graph_.func(func);
    for (const schedule::Bound &bound : graph_.schedule(func).bounds) {
        if (bound.modulus.defined() && bound.var == def.arg_names[d]) {
            known->second = {concat("align_bounds() rounds up ", bound.var, " of ", def.user_name()), Expr()};
            return known->second;
        }
    }
    known->second = of_reads(def.symbol, d);
    return known->second;
}

WideTail WideTails::of_reads(const Symbol &read, size_t d) {
    const auto reads = reads_.find(read);
    if (reads == reads_.end()) {
        return {};
    }
    for (const Read &one : reads->second) {
        WideTail found = d < one.args.size() ? of_coordinate(one.reader, one.args[d], AccessKind::Read) : WideTail();
        if (!found.text.empty()) {
            return found;
        }
    }
    return {};
}

} // namespace fluorite::loopnest
