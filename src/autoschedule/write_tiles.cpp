// The last stage of a group: loops are split into vectors and unrolled blocks, then into tiles of these, and ordered;
// tiles are joined to tasks.
//
// Where values beyond the end may not be computed but sums want blocks of one size, the loops are written twice: for
// outputs as large as a block, whose last blocks move back inside, and for smaller ones.

#include "autoschedule/costs.h"
#include "autoschedule/group_writer.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>

namespace fluorite::autoschedule {

using schedule::Directive;

void GroupWriter::write_last() {
    const size_t stage = group_.plan.last;
    const StageNode &node = graph_.stages[stage];
    if (group_.reader) {
        const Reader &reader = *group_.reader;
        add(stage, "compute_at", {{func(reader.stage).name()}, {func(reader.stage).arg_names[reader.loop]}});
        std::vector<int64_t> slice = group_.plan.tile;
        slice[reader.dimension] = 1;
        write_loops(stage, slice, false);
        return;
    }
    if (!node.is_output) {
        add(stage, "compute_root");
    }
    if (func(stage).stages.size() > 1 || node.loops.empty()) {
        std::vector<int64_t> whole;
        for (const LoopExtent &loop : node.loops) {
            whole.push_back(loop.extent);
        }
        write_loops(stage, whole, true);
        return;
    }
    if (is_specialized()) {
        const std::string condition = size_condition();
        const bool is_base_written = !condition.empty();
        if (is_base_written) {
            add(stage, "specialize", {{condition}});
            write_tiles(stage, Marks::None);
            variant_ = {0};
        }
        write_tiles(stage, Marks::All);
        variant_.clear();
        return;
    }
    write_tiles(stage, Marks::All);
}

void GroupWriter::write_joined() {
    const std::vector<Directive> lines = result_.lines;
    const std::string first = func(group_.plan.last).name();
    const std::vector<std::vector<Directive>> optional_lines = result_.optional_lines;
    for (const std::string &other : pipeline_.fused_outputs[group_.plan.last]) {
        const auto renamed = [&](std::vector<Directive> of_first) {
            for (Directive &one : of_first) {
                one.func = other;
            }
            return of_first;
        };
        for (const Directive &one : renamed(lines)) {
            result_.lines.push_back(one);
        }
        if (!block_level_.empty()) {
            result_.lines.push_back(line(other, 0, "compute_with", {{first}, {block_level_}}));
        }
        for (const std::vector<Directive> &optional : optional_lines) {
            result_.optional_lines.push_back(renamed(optional));
        }
    }
}

bool GroupWriter::is_specialized() const {
    const StageNode &last = graph_.stages[group_.plan.last];
    bool has_sums = false;
    for (const size_t stage : group_.plan.in_registers) {
        has_sums = has_sums || !graph_.stages[stage].sums.empty();
    }
    bool is_limited = false;
    for (size_t loop = 0; loop < last.loops.size(); ++loop) {
        is_limited = is_limited || (last.loops[loop].is_exact && unit_of_block(loop) > 1);
    }
    return !group_.is_plain && is_limited && has_sums;
}

int64_t GroupWriter::unit_of_block(size_t loop) const {
    const size_t stage = group_.plan.last;
    const std::vector<int64_t> &tile = group_.plan.tile;
    const int64_t lanes = loop == cost_.vector_loop(stage, tile) ? lanes_along(stage, tile[loop]) : 1;
    return block_sizes()[loop] * (lanes >= costs::least_lanes ? lanes : 1);
}

bool GroupWriter::is_long_enough(size_t loop) const {
    const LoopExtent &extent = graph_.stages[group_.plan.last].loops[loop];
    return extent.is_constant && extent.extent >= unit_of_block(loop);
}

std::string condition_of_sizes(const DescribedPipeline &pipeline, size_t stage, const std::vector<int64_t> &least) {
    const StageNode &node = pipeline.graph.stages[stage];
    const ir::FuncDef &func = pipeline.computed[stage];
    ir::SymbolOwner owner = func.symbol.owner();
    owner.dim = DimId(0);
    const std::string name = func.types.size() == 1 ? func.name() : func.name() + ".0";
    Expr condition;
    for (size_t loop = 0; loop < node.loops.size(); ++loop) {
        const LoopExtent &known = node.loops[loop];
        if (known.is_exact && least[loop] > 1 && !(known.is_constant && known.extent >= least[loop])) {
            const Expr field =
                ir::make_field({ir::SymbolKind::Buffer, name, owner}, ir::Field::Extent, static_cast<int>(loop));
            const Expr extent = node.is_output ? field : pipeline.extents[stage][loop];
            const Expr is_large = ir::less_equal(ir::int32(static_cast<int32_t>(least[loop])), extent);
            condition = condition.defined() ? ir::logical_and(condition, is_large) : is_large;
        }
    }
    return condition.defined() ? schedule::expression_text(condition) : "";
}

std::string GroupWriter::size_condition() const {
    std::vector<int64_t> least;
    for (size_t loop = 0; loop < group_.plan.tile.size(); ++loop) {
        least.push_back(unit_of_block(loop));
    }
    return condition_of_sizes(pipeline_, group_.plan.last, least);
}

void GroupWriter::write_tiles(size_t stage, Marks marks) {
    const StageNode &node = graph_.stages[stage];
    const std::vector<int64_t> &tile = group_.plan.tile;
    const std::vector<int64_t> block = block_sizes();
    const size_t vector = cost_.vector_loop(stage, tile);
    LoopNames names(func(stage).arg_names);
    std::vector<std::string> inner(tile.size()), outer(tile.size()), order, whole, unrolled;
    for (size_t loop = 0; loop < tile.size(); ++loop) {
        const std::string &name = func(stage).arg_names[loop];
        const int64_t lanes = loop == vector ? lanes_along(stage, tile[loop]) : 1;
        int64_t unit = 1;
        if (block[loop] > 1 && loop != vector && node.loops[loop].is_constant &&
            block[loop] == node.loops[loop].extent) {
            whole.push_back(name);
            continue;
        }
        if (block[loop] > 1 && loop == vector && lanes >= costs::least_lanes) {
            unit = block[loop] * lanes;
            const std::string row = names.fresh(name + "u"), part = names.fresh(name + "v");
            add(stage, "split", {{name}, {name}, {row}, {std::to_string(unit)}, {tail_of(stage, loop)}});
            add(stage, "split", {{row}, {row}, {part}, {std::to_string(lanes)}, {tile_tail}});
            order.push_back(part);
            unrolled.push_back(row);
        } else if (block[loop] > 1 || lanes >= costs::least_lanes) {
            unit = std::max(block[loop], lanes);
            const std::string part = names.fresh(name + (loop == vector ? "v" : "u"));
            add(stage, "split", {{name}, {name}, {part}, {std::to_string(unit)}, {tail_of(stage, loop)}});
            (loop == vector ? order : unrolled).push_back(part);
        }
        const int64_t count = (tile[loop] + unit - 1) / unit;
        if (tile[loop] >= node.loops[loop].extent) {
            inner[loop] = name;
        } else if (count == 1) {
            outer[loop] = name;
        } else {
            inner[loop] = names.fresh(name + "i");
            outer[loop] = names.fresh(name + "o");
            add(stage, "split", {{name}, {outer[loop]}, {inner[loop]}, {std::to_string(count)}, {tile_tail}});
        }
    }
    // Channels that lie side by side are stored one after the other, so that their stores become one.
    unrolled.insert(unrolled.begin(), whole.begin(), whole.end());
    const bool is_vector_split = !order.empty();
    if (is_vector_split && marks == Marks::All) {
        add(stage, "vectorize", {{order[0]}});
    }
    for (const std::string &name : unrolled) {
        if (marks == Marks::All) {
            add(stage, "unroll", {{name}});
        }
        order.push_back(name);
    }
    const size_t in_block = order.size();
    const std::optional<size_t> &sliding = group_.plan.sliding;
    const size_t first = group_.plan.along.value_or(vector);
    const auto add_inner = [&](size_t loop) {
        if (!inner[loop].empty() && loop != sliding) {
            order.push_back(inner[loop]);
        }
    };
    if (!tile.empty()) {
        add_inner(first);
    }
    if (!tile.empty() && vector != first) {
        add_inner(vector);
    }
    for (size_t loop = 0; loop < tile.size(); ++loop) {
        if (loop != first && loop != vector) {
            add_inner(loop);
        }
    }
    if (sliding) {
        slide_level_ = inner[*sliding];
        order.push_back(slide_level_);
    }
    std::vector<size_t> tiles; // innermost first
    for (size_t loop = 0; loop < tile.size(); ++loop) {
        if (!outer[loop].empty()) {
            order.push_back(outer[loop]);
            tiles.push_back(loop);
        }
    }
    if (order.size() > 1) {
        add(stage, "reorder", {order});
    }
    if (is_specialized() && order.size() > in_block) {
        // Conditions around blocks of sums take no time, and parts of loops would multiply their code.
        add(stage, "never_partition", {{order.begin() + static_cast<long>(in_block), order.end()}});
    }
    if (variant_.empty()) {
        store_along(stage, vector);
    }
    const size_t inside = order.size() - tiles.size();
    write_tasks(stage, tiles, outer, names);
    block_level_ = in_block < inside ? order[in_block] : tile_level_;
    if (group_.plan.streams && is_vector_split && variant_.empty()) {
        result_.optional_lines.push_back({line(func(stage).name(), 0, "stream_stores")});
    }
}

void GroupWriter::write_tasks(size_t stage, const std::vector<size_t> &tiles, const std::vector<std::string> &outer,
                              LoopNames &names) {
    if (tiles.empty()) {
        return;
    }
    const auto count = [&](size_t loop) {
        const int64_t extent = graph_.stages[stage].loops[loop].extent, size = group_.plan.tile[loop];
        return (extent + size - 1) / size;
    };
    size_t first = tiles.size() - 1;
    std::string level = outer[tiles[first]];
    int64_t tasks = count(tiles[first]);
    while (first > 0 && tasks < costs::tasks_of_a_thread * threads_) {
        first--;
        const std::string joined = names.fresh("tiles");
        add(stage, "fuse", {{outer[tiles[first]]}, {level}, {joined}});
        level = joined;
        tasks *= count(tiles[first]);
    }
    if (tasks > 1 && threads_ > 1) {
        add(stage, "parallel", {{level}});
    }
    tile_level_ = first == 0 ? level : outer[tiles[0]];
}

} // namespace fluorite::autoschedule
