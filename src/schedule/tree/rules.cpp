// What makes a tree legal: the table of its rules, in the order in which they are checked.
//
// The first rules are of shape (rules/shape.cpp); the others read storage, order and loops off a tree of this shape
// (rules/placement.cpp, rules/loops.cpp), so they are not checked without it.

#include "schedule/tree/rules/rules.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace fluorite::schedule {

namespace {

constexpr std::array rules = {
    TreeRule{"steps", "splits and fuses are legal for the loops that they are given", steps_apply, true},
    TreeRule{"nodes",
             "a computed Func has one store node, one stage node for each definition with one loop node for "
             "each loop and one compute node; an output has no store node",
             nodes_exist, true},
    TreeRule{"stages", "the stages of a Func stand side by side, in order", stages_follow, true},
    TreeRule{"inlined", "an inlined Func stands below the compute node of each caller, and has no other node",
             inlined_below_callers, true},
    TreeRule{"outputs", "outputs are computed at root", outputs_at_root, false},
    TreeRule{"before", "a Func is computed before it is read", computed_before_read, false},
    TreeRule{"scope", "a Func is computed and read below its store node", storage_in_scope, false},
    TreeRule{"scope", "the loop that a Func is computed in holds all its uses", computed_around_uses, false},
    TreeRule{"shared",
             "no parallel loop lies between the storage of a Func and its computation, nor, where it has "
             "updates, a vectorized one",
             storage_not_shared, false},
    TreeRule{"width", "vectorized and unrolled loops have extents that splits, bounds or definitions make constant",
             widths_constant, false},
    TreeRule{"reductions", "loops over RVars keep their order and run one after the other, unless proved independent",
             loops_keep_dependences, false},
};

} // namespace

std::span<const TreeRule> tree_rules() { return rules; }

std::vector<Objection> objections(const Tree &tree) {
    Objections found;
    for (const TreeRule &rule : rules) {
        if (!rule.of_shape && !found.empty()) {
            const bool shape = std::any_of(found.begin(), found.end(), [](const Objection &objection) {
                return std::any_of(rules.begin(), rules.end(), [&](const TreeRule &other) {
                    return other.of_shape && std::string_view(other.name) == objection.rule;
                });
            });
            if (shape) {
                break;
            }
        }
        rule.check(tree, found);
        if (rule.of_shape && std::string_view(rule.name) == "steps" && !found.empty()) {
            break; // the next rule replays the steps
        }
    }
    return found;
}

std::optional<int64_t> constant_extent(const ir::FuncDef &func, const FuncSchedule &schedule, int stage,
                                       const std::string &loop) {
    std::map<std::string, std::optional<int64_t>> extents;
    for (const ir::ReductionVar &rvar : func.stages[static_cast<size_t>(stage)].rvars) {
        extents[rvar.name] = rewrite::constant_value(rvar.extent);
    }
    for (const Bound &bound : schedule.bounds) {
        extents[bound.var] = bound.extent.defined() ? rewrite::constant_value(bound.extent) : std::nullopt;
    }
    for (const Split &step : schedule.stages[static_cast<size_t>(stage)].splits) {
        const std::optional<int64_t> old = extents[step.kind == Split::Kind::Fuse ? step.outer : step.old_var];
        if (step.kind == Split::Kind::Fuse) {
            const std::optional<int64_t> inner = extents[step.inner];
            extents[step.old_var] = old && inner ? std::optional(*old * *inner) : std::nullopt;
        } else if (step.kind == Split::Kind::Rename) {
            extents[step.outer] = old;
        } else if (step.kind == Split::Kind::Skew) {
            extents[step.outer] = extents[step.inner] = std::nullopt; // depend on which of them is the outer loop
        } else {
            const std::optional<int64_t> factor = rewrite::constant_value(step.factor);
            extents[step.outer] =
                old && factor ? std::optional((*old + *factor - 1) / *factor) : std::optional<int64_t>();
            extents[step.inner] = factor;
        }
    }
    const auto found = extents.find(loop);
    return found == extents.end() ? std::nullopt : found->second;
}

} // namespace fluorite::schedule
