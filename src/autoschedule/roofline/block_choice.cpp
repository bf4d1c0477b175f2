// Blocks of the last stage, and stages whose values stay in registers.
//
// The last stage may compute a block of points around each vector, by unrolled loops, which share operands and loads
// (StageNode::blocks): channels and rows. Members that only the last stage and others in registers read may be computed
// for each block: they are neither stored nor loaded, but what several blocks need of them is computed for each.
// A block and its stages in registers are chosen for given tiles, one stage after the other from the last one back.
//
// Cost: some evaluations of the group for each block that may be unrolled.
#include "autoschedule/roofline/block_choice.h"

#include "autoschedule/costs.h"
#include "autoschedule/from_graph/stage_work.h"
#include "autoschedule/roofline/compute_cost.h"

#include <algorithm>
#include <limits>

namespace fluorite::autoschedule {

namespace {

/// Whether all blocks of these sizes are whole: where values beyond the end may not be computed, blocks of rows end
/// with conditions, and what is computed for them has no constant extents.
bool is_whole_block(const StageNode &last, const std::vector<int64_t> &sizes) {
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
        if (sizes[loop] > 1 && !last.loops[loop].is_constant && last.loops[loop].is_exact) {
            return false;
        }
    }
    return true;
}

/// Whether blocks of sums of one size can be computed: where values beyond the end may not be, an output does so if it
/// is large enough, by a specialization.
bool may_keep_sums(const StageNode &last, const std::vector<int64_t> &points) {
    for (size_t loop = 0; loop < points.size(); ++loop) {
        const LoopExtent &extent = last.loops[loop];
        if (points[loop] > 1 && extent.is_exact && !extent.is_constant && !extent.is_testable && !last.is_output) {
            return false;
        }
    }
    return true;
}

/// Lanes have to stay lanes: a value that is read in another lane goes through memory, and waits for its store.
bool is_read_in_its_lanes(const Group &group, size_t stage) {
    return std::all_of(group.members.begin(), group.members.end(), [&](size_t reader) {
        const std::vector<Read> &reads = group.node(reader).reads;
        return std::all_of(reads.begin(), reads.end(), [&](const Read &read) {
            const bool is_other = read.is_input || read.source != stage;
            return is_other || (!read.footprint.empty() && read.footprint[0] == Footprint::affine(0));
        });
    });
}

double most_nodes(bool has_reductions) {
    return has_reductions ? costs::most_block_nodes : costs::most_plain_block_nodes * costs::clamped_loop_parts;
}

/// Whether a member may join those in registers under a plan.
bool may_join(const GroupModel &model, const TilePlan &plan, size_t stage, bool is_block_for_sums) {
    const Group &group = model.group;
    const bool is_sum = !group.node(stage).sums.empty();
    if ((is_block_for_sums && !is_sum) || plan.by_steps.contains(stage) || step_reader(group, stage, plan.by_steps) ||
        (is_sum ? !may_keep_sums(group.last_node(), model.block_points(plan))
                : !is_whole_block(group.last_node(), plan.block)) ||
        !may_stay_in_registers(group, stage, plan.in_registers)) {
        return false;
    }
    // Blocks of sums have one size in each block of the last stage.
    if (is_sum && !is_steady(group.graph, group.stages, group.last, stage, model.cost.block_sizes(plan))) {
        return false;
    }
    const std::optional<size_t> rows = transposed_rows(group, stage);
    return !rows || (!plan.block.empty() && plan.block[*rows] == model.cost.lanes(stage));
}

/// Adds members to those in registers while that costs less; a block for sums has the first of them in any case.
/// Returns whether some have sums.
bool keep_in_registers(const GroupModel &model, const TileSearch &search, TilePlan &plan, bool is_block_for_sums,
                       double most_code) {
    bool has_sums = false;
    for (size_t member = model.group.members.size(); member-- > 0;) {
        const size_t stage = model.group.members[member];
        if (!may_join(model, plan, stage, is_block_for_sums)) {
            continue;
        }
        TilePlan with = plan;
        with.in_registers.insert(stage);
        if (code_of_block(model, with) > most_code) {
            continue;
        }
        search.complete(with);
        if ((is_block_for_sums && !has_sums) || with.cycles < plan.cycles) {
            has_sums = has_sums || !model.group.node(stage).sums.empty();
            plan = with;
        }
    }
    return has_sums;
}

} // namespace

std::optional<size_t> transposed_rows(const Group &group, size_t stage) {
    const StageNode &node = group.node(stage);
    const StageSet &readers = group.readers[group.place[stage]];
    if (!node.innermost || node.sums.empty() || stage == group.last || readers.size() != 1 ||
        !readers.contains(group.last)) {
        return {};
    }
    std::optional<size_t> rows;
    for (const Read &read : group.last_node().reads) {
        if (read.is_input || read.source != stage) {
            continue;
        }
        for (const Footprint &f : read.footprint) {
            if (f.kind != Footprint::Kind::Affine || !(f.scale == Rational()) || f.width() != 1) {
                return {};
            }
        }
        const size_t loop = read.footprint[*node.innermost].loop;
        if ((rows && *rows != loop) || loop == StageWork::vector_loop(group.last_node().loops)) {
            return {};
        }
        rows = loop;
    }
    return rows;
}

bool may_stay_in_registers(const Group &group, size_t stage, const StageSet &others) {
    const StageNode &node = group.node(stage);
    // What several outputs need of a stage has an extent that depends on the sizes of both.
    if (stage == group.last || group.last_node().results > 1 || node.loops.empty() ||
        (node.blocks.empty() && node.sums.empty())) {
        return false;
    }
    StageSet readers = group.readers[group.place[stage]];
    readers.erase(group.last);
    if (!readers.is_subset_of(others)) {
        return false;
    }
    return node.innermost ? transposed_rows(group, stage).has_value() : is_read_in_its_lanes(group, stage);
}

std::vector<std::vector<int64_t>> blocks_for_sums(const GroupModel &model, const TilePlan &plan) {
    const Group &group = model.group;
    const StageNode &last = group.last_node();
    std::vector<std::vector<int64_t>> blocks;
    const bool has_sums = std::any_of(group.members.begin(), group.members.end(), [&](size_t stage) {
        return stage != group.last && !group.node(stage).sums.empty() && may_stay_in_registers(group, stage, {});
    });
    if (!has_sums || last.updates > 0) {
        return blocks;
    }
    const size_t vector = model.vector_loop(plan.tile);
    const int64_t lanes = model.cost.lanes(group.last);
    std::vector<std::vector<int64_t>> starts{std::vector<int64_t>(plan.tile.size(), 1)};
    std::vector<int64_t> constants = StageWork::constant_sizes(last.loops);
    constants[vector] = 1;
    if (constants != starts[0]) {
        starts.push_back(constants);
    }
    for (const size_t stage : group.members) {
        if (const std::optional<size_t> rows = transposed_rows(group, stage)) {
            std::vector<int64_t> block(plan.tile.size(), 1);
            block[*rows] = model.cost.lanes(stage);
            if (block[*rows] <= last.loops[*rows].extent) {
                blocks.push_back(std::move(block));
            }
        }
    }
    const auto registers = static_cast<double>(model.caches().vector_registers);
    for (const std::vector<int64_t> &start : starts) {
        for (const int64_t vectors : costs::sum_vectors) {
            for (size_t loop = 0; loop < start.size(); ++loop) {
                for (const int64_t rows : costs::sum_rows) {
                    std::vector<int64_t> block = start;
                    block[vector] = vectors;
                    const bool is_new = loop == vector ? rows == 1 : rows > 1 && start[loop] == 1;
                    block[loop] = loop == vector ? vectors : rows;
                    const bool fits = rows <= last.loops[loop].extent &&
                                      vectors * lanes <= std::max(last.loops[vector].extent, lanes);
                    if (is_new && fits && product_of(block) <= registers) {
                        blocks.push_back(std::move(block));
                    }
                }
            }
        }
    }
    return blocks;
}

static BlockChoices all_blocks(const GroupModel &model, const TilePlan &plan) {
    BlockChoices all;
    for (const BlockWork &block : model.group.last_node().blocks) {
        all.choices.push_back({block.sizes, false});
    }
    if (all.choices.empty()) {
        all.choices.emplace_back();
    }
    for (std::vector<int64_t> &block : blocks_for_sums(model, plan)) {
        all.choices.push_back({std::move(block), true});
    }
    return all;
}

void choose_block(const GroupModel &model, const TileSearch &search, BlockChoices &among, TilePlan &plan) {
    if (among.choices.empty()) {
        among = all_blocks(model, plan);
    }
    const bool has_reductions = model.has_reductions();
    TilePlan best = plan;
    for (size_t i = 0; i < among.choices.size(); ++i) {
        BlockChoices::Choice &choice = among.choices[i];
        choice.cycles = std::numeric_limits<double>::infinity();
        TilePlan other = plan;
        other.block = choice.block;
        other.in_registers = {};
        if (i > 0 && !choice.is_for_sums && !has_reductions && code_of_block(model, other) > most_nodes(false)) {
            continue;
        }
        if (!choice.is_for_sums) {
            search.complete(other);
        }
        const bool has_sums = keep_in_registers(model, search, other, choice.is_for_sums, most_nodes(has_reductions));
        if (!choice.is_for_sums || has_sums) {
            choice.cycles = other.cycles;
            best = i == 0 || other.cycles < best.cycles ? other : best;
        }
    }
    // The first one is what others are compared with.
    const auto is_hopeless = [&](const BlockChoices::Choice &choice) {
        return choice.cycles > costs::tried_again * best.cycles;
    };
    among.choices.erase(std::remove_if(among.choices.begin() + 1, among.choices.end(), is_hopeless),
                        among.choices.end());
    plan = best;
}

} // namespace fluorite::autoschedule
