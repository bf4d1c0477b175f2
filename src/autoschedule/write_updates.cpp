// Updates: sums that stay in registers while their RVars run, in blocks of points; scans over bands of vectors; and all
// others, whose pure loops are vectors and tasks around the reduction.

#include "autoschedule/costs.h"
#include "autoschedule/from_graph/stage_work.h"
#include "autoschedule/from_graph/work.h"
#include "autoschedule/group_writer.h"
#include "loopnest/regions/accesses.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <numeric>

namespace fluorite::autoschedule {

using schedule::Directive;

namespace {

/// Whether the points of an update along a loop load something in common, beside the Func's own values.
bool shares_loads(const ir::FuncDef &definition, const ir::Stage &update, size_t loop) {
    const loopnest::StageAccesses accesses = loopnest::find_accesses(update);
    const auto is_shared = [&](const loopnest::Access &access) {
        return !(access.symbol == definition.symbol) &&
               std::none_of(access.args.begin(), access.args.end(),
                            [&](const Expr &arg) { return ir::uses_symbol(arg, definition.args[loop]); });
    };
    return std::any_of(accesses.calls.begin(), accesses.calls.end(), is_shared) ||
           std::any_of(accesses.images.begin(), accesses.images.end(), is_shared);
}

} // namespace

void GroupWriter::write_in_registers(size_t stage) {
    TilePlan block = group_.plan;
    block.tile = block_sizes();
    const size_t along = cost_.vector_loop(group_.plan.last, group_.plan.tile);
    block.tile[along] *= lanes_along(group_.plan.last, group_.plan.tile[along]);
    const std::vector<int64_t> widths = cost_.widths(group_.stages, block)[stage];
    add(stage, "compute_at", {{func(group_.plan.last).name()}, {block_level_}});
    const size_t vector = cost_.vector_loop(stage, widths);
    const std::vector<std::string> &args = func(stage).arg_names;
    const int64_t lanes = lanes_along(stage, widths[vector]);
    std::vector<std::string> order = vectorize_along(stage, vector, widths[vector]);
    bool is_whole = true;
    for (size_t loop = 0; loop < group_.plan.tile.size(); ++loop) {
        const bool is_exact = graph_.stages[group_.plan.last].loops[loop].is_exact;
        is_whole = is_whole && (is_specialized() || !is_exact || unit_of_block(loop) == 1);
    }
    const bool is_steady = autoschedule::is_steady(graph_, group_.stages, group_.plan.last, stage, block_sizes());
    const bool unrolls = is_whole && is_steady;
    // A block that is cut at the end of a row is as high as all others.
    const std::vector<int64_t> sizes = block_sizes();
    const bool unrolls_rows =
        is_steady && std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size == 1; });
    for (const bool is_vector : {false, true}) {
        for (size_t loop = 0; loop < args.size(); ++loop) {
            if ((loop == vector) == is_vector) {
                order.push_back(args[loop]);
                const int64_t vectors = is_vector ? (widths[loop] + lanes - 1) / lanes : widths[loop];
                const bool is_constant = is_vector ? unrolls && lanes >= costs::least_lanes : unrolls || unrolls_rows;
                if (is_constant && vectors > 1) {
                    add(stage, "unroll", {{args[loop]}});
                }
            }
        }
    }
    if (order.size() > 1) {
        add(stage, "reorder", {order});
    }
    store_along(stage, vector);
    for (size_t k = 1; k < func(stage).stages.size(); ++k) {
        const std::vector<int64_t> block = graph_.stages[stage].innermost ? cost_.sum_plan(stage, widths, false).block
                                           : unrolls                      ? widths
                                                                          : std::vector<int64_t>(widths.size(), 1);
        write_sums(stage, k, widths, block, false);
    }
}

void GroupWriter::write_sums(size_t stage, size_t k, const std::vector<int64_t> &widths, std::vector<int64_t> block,
                             bool is_root) {
    const ir::FuncDef &definition = func(stage);
    const bool is_by_steps = group_.plan.by_steps.contains(stage);
    const size_t vector = cost_.vector_loop(stage, widths);
    const int64_t lanes = lanes_along(stage, widths[vector]);
    const std::vector<std::string> &args = definition.arg_names;
    std::vector<std::string> taken = args, rvars, inside, outside;
    for (const ir::ReductionVar &rvar : definition.stages[k].rvars) {
        taken.push_back(rvar.name);
        rvars.push_back(rvar.name);
    }
    LoopNames names(taken);
    std::vector<Directive> lines;
    const auto add_line = [&](const char *name, std::vector<std::vector<std::string>> line_args) {
        lines.push_back(line(definition.name(), static_cast<int>(k), name, std::move(line_args)));
    };
    const auto split = [&](const std::string &loop, const std::string &part, int64_t size, const char *tail) {
        add_line("split", {{loop}, {loop}, {part}, {std::to_string(size)}, {tail}});
    };
    // Under conditions, sums pass through memory. Values beyond the end may be computed where no input limits them.
    const StageNode &node = graph_.stages[stage];
    std::vector<std::string> unrolled;
    std::vector<size_t> loops(args.size());
    std::iota(loops.begin(), loops.end(), size_t(0));
    if (!is_in_registers(stage) && !is_by_steps) {
        loops = cost_.sum_loops(group_.stages, group_.plan, stage, widths);
    }
    for (const size_t loop : loops) {
        const LoopExtent &extent = graph_.stages[stage].loops[loop];
        const char *tail = group_.is_plain || extent.is_exact || node.is_output ? tile_tail : "RoundUp";
        const bool is_constant = loop != vector && extent.is_constant && block[loop] == extent.extent;
        const bool is_whole = (is_in_registers(stage) && block == widths) || is_constant;
        if (is_constant && block[loop] > 1 && !is_in_registers(stage)) {
            promise_extent(stage, loop, extent.extent);
        }
        if (loop == vector && lanes >= costs::least_lanes) {
            const std::string part = names.fresh(args[loop] + "v");
            const int64_t vectors = is_whole ? (widths[loop] + lanes - 1) / lanes : block[loop];
            if (!is_whole && vectors > 1) {
                const std::string row = names.fresh(args[loop] + "u");
                split(args[loop], row, vectors * lanes, tail);
                split(row, part, lanes, tile_tail);
                unrolled.insert(unrolled.begin(), row);
                outside.push_back(args[loop]);
            } else {
                split(args[loop], part, lanes, tail);
                (is_whole && vectors > 1 ? unrolled : outside).push_back(args[loop]);
            }
            inside.push_back(part);
        } else if (block[loop] > 1 && !is_whole) {
            const std::string row = names.fresh(args[loop] + "u");
            split(args[loop], row, block[loop], tail);
            unrolled.push_back(row);
            outside.push_back(args[loop]);
        } else {
            (block[loop] > 1 && is_whole ? unrolled : outside).push_back(args[loop]);
        }
    }
    if (!inside.empty()) {
        add_line("vectorize", {{inside[0]}});
    }
    for (const std::string &name : unrolled) {
        add_line("unroll", {{name}});
        inside.push_back(name);
    }
    if (!is_by_steps && !group_.is_plain) {
        for (const std::string &name : few_steps(stage, k, widths, block)) {
            add_line("unroll", {{name}});
        }
    }
    const int64_t together = node.sums.size() >= k ? node.sums[k - 1].steps_together : 1;
    const bool is_transposed =
        !is_by_steps && !group_.is_plain && together > 1 && lanes >= costs::least_lanes &&
        static_cast<double>(together) * cost_.code_of(stage, block) <= costs::most_nodes_of_steps;
    if (is_transposed) {
        const std::string part = names.fresh(rvars[0] + "u");
        split(rvars[0], part, together, tile_tail);
        add_line("unroll", {{part}});
        inside.push_back(part);
    }
    std::vector<std::string> order = inside;
    order.insert(order.end(), is_by_steps ? outside.begin() : rvars.begin(), is_by_steps ? outside.end() : rvars.end());
    order.insert(order.end(), is_by_steps ? rvars.begin() : outside.begin(), is_by_steps ? rvars.end() : outside.end());
    if (order.size() > 1) {
        add_line("reorder", {order});
    }
    result_.lines.insert(result_.lines.end(), lines.begin(), lines.end());
    if (is_root && threads_ > 1 && !outside.empty()) {
        result_.optional_lines.push_back(
            {line(definition.name(), static_cast<int>(k), "parallel", {{outside.back()}})});
    }
}

std::vector<std::string> GroupWriter::few_steps(size_t stage, size_t k, const std::vector<int64_t> &widths,
                                                std::vector<int64_t> block) const {
    const size_t vector = cost_.vector_loop(stage, widths);
    if (is_in_registers(stage) && block == widths) {
        block[vector] = (widths[vector] + cost_.lanes(stage) - 1) / cost_.lanes(stage);
    }
    double steps = 1;
    std::vector<std::string> names;
    for (const ir::ReductionVar &rvar : func(stage).stages[k].rvars) {
        steps *= static_cast<double>(rewrite::constant_value(rvar.extent).value_or(costs::most_steps_unrolled + 1));
        if (steps > costs::most_steps_unrolled || steps * cost_.code_of(stage, block) > costs::most_nodes_of_steps) {
            break;
        }
        names.push_back(rvar.name);
    }
    return names;
}

int64_t GroupWriter::band_of_scan(size_t stage, size_t k, const std::vector<size_t> &loops, size_t vector,
                                  const std::vector<int64_t> &widths, bool is_root) const {
    const int64_t lanes = lanes_along(stage, widths[vector]), vectors = (widths[vector] + lanes - 1) / lanes;
    if (!is_scan(func(stage), func(stage).stages[k]) || vectors < 2) {
        return 0;
    }
    const bool has_tasks = !is_root || threads_ == 1 || std::any_of(loops.begin(), loops.end(), [&](size_t loop) {
        return loop != vector && widths[loop] >= threads_;
    });
    return has_tasks ? vectors : std::max((vectors + threads_ - 1) / threads_, cost_.vectors_of_scan());
}

int64_t GroupWriter::rows_of_scan(size_t stage, size_t k, const std::vector<size_t> &loops, int64_t lanes,
                                  const std::vector<int64_t> &widths) const {
    const ir::FuncDef &definition = func(stage);
    const ir::Stage &update = definition.stages[k];
    if (group_.is_plain || lanes >= costs::least_lanes || !is_scan(definition, update) ||
        chain_of(definition, update) < costs::least_chain_of_rows) {
        return 1;
    }
    // Nothing is shared by points of a loop that is unrolled as a whole, so its rows are as good as any.
    int64_t rows = costs::rows_of_scan;
    while (rows > 1 && 2 * rows > widths[loops[0]] && rows != widths[loops[0]]) {
        rows /= 2;
    }
    return static_cast<double>(rows) * code_of(definition, update) <= costs::most_nodes_of_steps ? rows : 1;
}

void GroupWriter::write_update(size_t stage, size_t k, const std::vector<int64_t> &widths, bool is_root) {
    const ir::FuncDef &definition = func(stage);
    const ir::Stage &update = definition.stages[k];
    std::vector<size_t> loops;
    for (size_t loop = 0; loop < definition.args.size(); ++loop) {
        if (update.args[loop]->kind() == ir::ExprKind::Variable &&
            update.args[loop]->symbol() == definition.args[loop]) {
            loops.push_back(loop);
        }
    }
    if (loops.empty()) {
        return;
    }
    // Lanes that lie apart in memory are stored one by one, which may take longer than no vector.
    const bool is_scattered = loops.size() < definition.args.size();
    const std::optional<size_t> &own = graph_.stages[stage].update_lanes[k - 1];
    const size_t vector = !is_scattered ? cost_.vector_loop(stage, widths) : own ? *own : loops[0];
    const std::vector<std::string> &args = definition.arg_names;
    std::vector<std::string> taken = args;
    for (const ir::ReductionVar &rvar : update.rvars) {
        taken.push_back(rvar.name);
    }
    LoopNames names(taken);
    const int64_t lanes = is_scattered && !own ? 1 : lanes_along(stage, widths[vector]);
    const int number = static_cast<int>(k);
    std::vector<Directive> lines;
    std::vector<std::string> order;
    const int64_t rows = rows_of_scan(stage, k, loops, lanes, widths);
    if (rows > 1) {
        const std::string row = names.fresh(args[loops[0]] + "u");
        lines.push_back(line(definition.name(), number, "split",
                             {{args[loops[0]]}, {args[loops[0]]}, {row}, {std::to_string(rows)}, {tile_tail}}));
        lines.push_back(line(definition.name(), number, "unroll", {{row}}));
        order.push_back(row);
    }
    if (lanes >= costs::least_lanes) {
        const std::string name = names.fresh(args[vector] + "v");
        lines.push_back(line(definition.name(), number, "split",
                             {{args[vector]}, {args[vector]}, {name}, {std::to_string(lanes)}, {tile_tail}}));
        order.push_back(name);
        if (const int64_t band = band_of_scan(stage, k, loops, vector, widths, is_root); band > 0) {
            if (band * lanes >= widths[vector]) {
                order.push_back(args[vector]);
            } else {
                const std::string inner = names.fresh(args[vector] + "b");
                lines.push_back(line(definition.name(), number, "split",
                                     {{args[vector]}, {args[vector]}, {inner}, {std::to_string(band)}, {tile_tail}}));
                order.push_back(inner);
            }
        }
        lines.push_back(line(definition.name(), number, "vectorize", {{name}}));
    }
    // What points of short loops share, as the place that data asks for, is computed once.
    const std::vector<LoopExtent> &extents = graph_.stages[stage].loops;
    const std::vector<int64_t> constants = StageWork::constant_sizes(extents);
    const auto is_unrolled = [&](size_t loop) {
        return !group_.is_plain && rows == 1 && (loop != vector || lanes < costs::least_lanes) && constants[loop] > 1 &&
               widths[loop] == constants[loop] && shares_loads(definition, update, loop);
    };
    for (const size_t loop : loops) {
        if (is_unrolled(loop)) {
            promise_extent(stage, loop, extents[loop].extent);
            lines.push_back(line(definition.name(), number, "unroll", {{args[loop]}}));
            order.push_back(args[loop]);
        }
    }
    for (const ir::ReductionVar &rvar : update.rvars) {
        order.push_back(rvar.name);
    }
    if (!is_unrolled(vector) && std::find(order.begin(), order.end(), args[vector]) == order.end()) {
        order.push_back(args[vector]);
    }
    for (const size_t loop : loops) {
        if (loop != vector && !is_unrolled(loop)) {
            order.push_back(args[loop]);
        }
    }
    if (order.size() > 1) {
        lines.push_back(line(definition.name(), number, "reorder", {order}));
    }
    result_.optional_lines.push_back(lines);
    const bool is_pure = std::find(args.begin(), args.end(), order.back()) != args.end();
    if (is_root && threads_ > 1 && is_pure) {
        result_.optional_lines.push_back({line(definition.name(), number, "parallel", {{order.back()}})});
    }
}

} // namespace fluorite::autoschedule
