// From a planned group to directives.
//
// The last stage: loops are split into vectors and unrolled blocks, then into tiles of these, and ordered with the
// vector innermost, then the block, the rest of the tile, the sliding loop outermost in it, and the loops over tiles.
// The outermost of these, joined until there are tasks for all threads, run in parallel. Stages in registers are
// computed for each block, the other stages in the innermost loop over tiles, or, sliding, stored there and computed in
// the sliding loop. Every stage has its vectors along the first dimension that is wide enough, which is then the
// innermost in memory too. Loops of constant extent are unrolled where that saves work; the extent is promised.
//
// Estimates promise nothing: tiles end with conditions, so that no size of the output asks for more of an input than
// its values need. Vectors and blocks may compute beyond the end where all reads of inputs are clamped (RoundUp, and
// PredicateStores for outputs): then all have one extent, and what is computed for them has constant extents too. Where
// such a value asks for several of another stage, the last block moves back inside instead.
#include "autoschedule/group_writer.h"

#include "autoschedule/costs.h"
#include <algorithm>

namespace fluorite::autoschedule {

using schedule::Directive;

Directive GroupWriter::line(const std::string &func, int stage, const char *name,
                            std::vector<std::vector<std::string>> args) {
    Directive directive;
    directive.func = func;
    directive.stage = stage;
    directive.name = name;
    directive.args = std::move(args);
    return directive;
}

void GroupWriter::add(size_t stage, const char *name, std::vector<std::vector<std::string>> args) {
    result_.lines.push_back(line(func(stage).name(), 0, name, std::move(args)));
    result_.lines.back().variant = variant_;
}

void GroupWriter::promise_extent(size_t stage, size_t loop, int64_t extent) {
    const LoopExtent &of_loop = graph_.stages[stage].loops[loop];
    if (!of_loop.is_promised && promised_.insert({stage, loop}).second) {
        add(stage, "bound", {{func(stage).arg_names[loop]}, {std::to_string(of_loop.min)}, {std::to_string(extent)}});
    }
}

GroupLines GroupWriter::run() {
    write_last();
    write_joined();
    TilePlan step = group_.plan; // what one iteration around the other stages computes
    if (step.sliding) {
        step.tile[*step.sliding] = block_sizes()[*step.sliding];
    }
    const std::vector<std::vector<int64_t>> widths = cost_.widths(group_.stages, step);
    for (const size_t stage : group_.stages) {
        if (stage == group_.plan.last) {
            continue;
        }
        if (is_in_registers(stage)) {
            write_in_registers(stage);
        } else if (const std::optional<size_t> owner = cost_.step_owner(group_.stages, group_.plan, stage)) {
            const ir::FuncDef &sums = func(*owner);
            add(stage, "compute_at", {{sums.name()}, {sums.stages[1].rvars[0].name}});
            write_loops(stage, widths[stage], false);
        } else {
            place(stage);
            write_loops(stage, widths[stage], false);
        }
    }
    return std::move(result_);
}

double GroupWriter::asked_of_others(size_t stage, size_t loop) {
    const auto [known, is_new] = asked_.try_emplace({stage, loop}, 0);
    if (!is_new) {
        return known->second;
    }
    double most = 0;
    for (const Read &read : graph_.stages[stage].reads) {
        for (size_t d = 0; !read.is_input && d < read.footprint.size(); ++d) {
            const Footprint &footprint = read.footprint[d];
            if (footprint.kind == Footprint::Kind::Affine && footprint.loop == loop) {
                most = std::max(most, footprint.scale.value() * std::max(1.0, asked_of_others(read.source, d)));
            }
        }
    }
    return asked_[{stage, loop}] = most;
}

const char *GroupWriter::tail_of(size_t stage, size_t loop) {
    const StageNode &node = graph_.stages[stage];
    if (stage == group_.plan.last && node.loops[loop].is_exact && is_specialized() &&
        (!variant_.empty() || is_long_enough(loop))) {
        return "ShiftInwards";
    }
    if (group_.is_plain || node.loops[loop].is_exact || node.updates > 0) {
        return "GuardWithIf";
    }
    const bool widens = asked_of_others(stage, loop) > 1;
    if (node.is_output) {
        return widens && group_.plan.in_registers.empty() ? "GuardWithIf" : "PredicateStores";
    }
    return widens && !is_in_registers(stage) ? "ShiftInwards" : "RoundUp";
}

int64_t GroupWriter::lanes_along(size_t stage, int64_t width) const {
    int64_t lanes = cost_.lanes(stage);
    while (lanes > width) {
        lanes /= 2;
    }
    return lanes;
}

std::vector<std::string> GroupWriter::vectorize_along(size_t stage, size_t loop, int64_t width) {
    const int64_t lanes = lanes_along(stage, width);
    if (lanes < costs::least_lanes) {
        return {};
    }
    const std::vector<std::string> &args = func(stage).arg_names;
    const std::string lane = LoopNames(args).fresh(args[loop] + "v");
    add(stage, "split", {{args[loop]}, {args[loop]}, {lane}, {std::to_string(lanes)}, {tail_of(stage, loop)}});
    add(stage, "vectorize", {{lane}});
    return {lane};
}

void GroupWriter::place(size_t stage) {
    const std::string &last = func(group_.plan.last).name();
    if (!slide_level_.empty()) {
        // What the next step does not read is stored where it is computed.
        const bool is_kept = cost_.has_window(group_.stages, group_.plan, stage);
        if (is_kept && tile_level_.empty()) {
            add(stage, "store_root");
        } else if (is_kept) {
            add(stage, "store_at", {{last}, {tile_level_}});
        }
        add(stage, "compute_at", {{last}, {slide_level_}});
    } else if (!tile_level_.empty()) {
        add(stage, "compute_at", {{last}, {tile_level_}});
    } else {
        add(stage, "compute_root");
    }
}

void GroupWriter::store_along(size_t stage, size_t vector) {
    vector = graph_.stages[stage].innermost.value_or(vector);
    if (vector == 0 || graph_.stages[stage].is_output) {
        return;
    }
    std::vector<std::string> order{func(stage).arg_names[vector]};
    for (size_t loop = 0; loop < func(stage).arg_names.size(); ++loop) {
        if (loop != vector) {
            order.push_back(func(stage).arg_names[loop]);
        }
    }
    add(stage, "reorder_storage", {order});
}

std::vector<std::string> GroupWriter::unroll_constants(size_t stage, const std::vector<int64_t> &widths) {
    std::vector<std::string> unrolled;
    const StageNode &node = graph_.stages[stage];
    if (group_.is_plain || node.constant_block >= node.blocks.size()) {
        return unrolled;
    }
    const std::vector<int64_t> &sizes = node.blocks[node.constant_block].sizes;
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
        const std::string &name = func(stage).arg_names[loop];
        if (sizes[loop] > 1 && widths[loop] == sizes[loop]) {
            promise_extent(stage, loop, sizes[loop]);
            add(stage, "unroll", {{name}});
            unrolled.push_back(name);
        }
    }
    return unrolled;
}

std::pair<size_t, int64_t> GroupWriter::rows_to_transpose(size_t stage, const std::vector<int64_t> &widths) const {
    const StageNode &node = graph_.stages[stage];
    const size_t vector = cost_.vector_loop(stage, widths);
    if (node.innermost) {
        const bool is_wide = lanes_along(stage, widths[*node.innermost]) >= costs::least_lanes;
        return {*node.innermost, is_wide ? cost_.lanes(stage) : 1};
    }
    if (cost_.reads_columns(stage, widths)) {
        const std::vector<int64_t> &constants = node.blocks[node.constant_block].sizes,
                                   &sizes = node.blocks[*node.column_block].sizes;
        for (size_t loop = 0; loop < sizes.size(); ++loop) {
            if (sizes[loop] > constants[loop]) {
                return {loop, sizes[loop]};
            }
        }
    }
    return {vector, 1};
}

void GroupWriter::write_loops(size_t stage, const std::vector<int64_t> &widths, bool is_root) {
    if (widths.empty()) {
        for (size_t k = 1; k < func(stage).stages.size(); ++k) {
            write_update(stage, k, {}, is_root);
        }
        return;
    }
    const size_t vector = cost_.vector_loop(stage, widths);
    const std::vector<std::string> &args = func(stage).arg_names;
    std::vector<std::string> order = vectorize_along(stage, vector, widths[vector]);
    const std::vector<std::string> unrolled = unroll_constants(stage, widths);
    order.insert(order.end(), unrolled.begin(), unrolled.end());
    const auto [rows, count] = rows_to_transpose(stage, widths);
    if (rows != vector && !group_.is_plain && !order.empty() && count >= costs::least_lanes &&
        std::find(unrolled.begin(), unrolled.end(), args[rows]) == unrolled.end()) {
        std::vector<std::string> taken = args;
        taken.insert(taken.end(), order.begin(), order.end());
        const std::string row = LoopNames(taken).fresh(args[rows] + "u");
        add(stage, "split", {{args[rows]}, {args[rows]}, {row}, {std::to_string(count)}, {tail_of(stage, rows)}});
        add(stage, "unroll", {{row}});
        order.push_back(row);
    }
    order.push_back(args[vector]);
    for (size_t loop = 0; loop < args.size(); ++loop) {
        if (loop != vector && std::find(unrolled.begin(), unrolled.end(), args[loop]) == unrolled.end()) {
            order.push_back(args[loop]);
        }
    }
    if (order.size() > 1) {
        add(stage, "reorder", {order});
    }
    store_along(stage, vector);
    if (is_root && threads_ > 1 && args.size() > 1 && widths[vector == args.size() - 1 ? 0 : args.size() - 1] > 1 &&
        graph_.stages[stage].points() > 4096) {
        add(stage, "parallel", {{order.back()}});
    }
    const bool has_blocks = !group_.is_plain && !graph_.stages[stage].sums.empty();
    for (size_t k = 1; k < func(stage).stages.size(); ++k) {
        if (has_blocks) {
            const bool is_by_steps = group_.plan.by_steps.contains(stage);
            write_sums(stage, k, widths, cost_.sum_plan(stage, widths, is_by_steps, is_root).block, is_root);
        } else {
            write_update(stage, k, widths, is_root);
        }
    }
}

GroupLines lines_of(const DescribedPipeline &pipeline, const RooflineCost &cost, const PlannedGroup &group,
                    int threads) {
    return GroupWriter(pipeline, cost, group, threads).run();
}

} // namespace fluorite::autoschedule
