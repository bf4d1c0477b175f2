// Steps from tree to tree: an operator edits the schedule (operators.cpp), and the resulting tree must obey every rule
// that the tree before obeys. Their texts are here, too.
//
// Cost: building and checking a tree; checking the tree before as well where a rule objects.

#include "schedule/directives/table.h"
#include "schedule/tree/operators.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

// The objection to the result that the original tree does not have: a user's schedule may contain loops whose constant
// extents only lowering can prove.
std::string new_objection(const Tree &tree, const Tree &result) {
    const std::vector<Objection> found = objections(result);
    if (found.empty()) {
        return "";
    }
    const std::vector<Objection> before = objections(tree);
    for (const Objection &objection : found) {
        const bool old = std::any_of(before.begin(), before.end(),
                                     [&](const Objection &other) { return other.reason == objection.reason; });
        if (!old) {
            return objection.reason;
        }
    }
    return "";
}

} // namespace

Result<Tree> try_apply(const Tree &tree, const TreeStep &step, const Location &location) {
    const auto refused = [&](const std::string &reason) {
        return Refusal{"illegal-tree-step", "in a schedule tree, " + to_text(tree, step) + ": " + reason, location};
    };
    const Result<Schedule> schedule = edited(tree, step);
    if (!schedule) {
        return refused(schedule.refusal().message);
    }
    Result<Tree> result = try_tree_of(tree.graph, *schedule, location);
    if (!result) {
        return refused(result.refusal().message);
    }
    result->made = tree.made;
    const std::string reason = new_objection(tree, *result);
    return reason.empty() ? std::move(result) : refused(reason);
}

Tree apply(const Tree &tree, const TreeStep &step, const Location &location) {
    return try_apply(tree, step, location).or_raise();
}

std::string to_text(const Tree &tree, const TreeStep &step) {
    static const char *const names[] = {"split",         "fuse",          "reorder",       "loop_type",
                                        "hoist_compute", "lower_compute", "hoist_storage", "lower_storage",
                                        "inline",        "deinline",      "rename",        "skew"};
    const bool of_stage = is_on_loops(step.op);
    const std::string &name = tree.graph->func(step.stage.func).name();
    std::string text =
        std::string(names[index_of(step.op)]) + "(" + (of_stage ? stage_text(name, step.stage.stage) : name);
    for (const std::string &var : step.vars) {
        text += ", " + var;
    }
    if (step.op == TreeOp::Split && step.factor.defined()) {
        text += ", " + expression_text(step.factor);
        text += step.tail == TailStrategy::Auto ? "" : std::string(", ") + tail_word(step.tail);
    }
    if (step.op == TreeOp::Skew) {
        text += ", " + expression_text(step.factor);
    }
    if (step.op == TreeOp::LoopType) {
        text += std::string(", ") + type_word(step.type);
        text += step.partition == Partition::Auto ? "" : std::string(", ") + partition_word(step.partition);
    }
    return text + ")";
}

} // namespace fluorite::schedule
