// What groups of stages take on a device.
//
// A group is one kernel. Its last stage is cut into blocks of threads, each of which computes some lanes, rows and
// short loops. A member is computed either by each thread for itself, and then stays in registers, or for the whole
// block, by turns of its threads, in the memory that they share. Of both the sizes have to be bounded whatever the
// sizes of the pipeline are: a member that is needed as a whole, because data says where it is read, is not in a group,
// unless its extent is a constant.
//
// Method: for each shape of a block, members in threads wherever that is possible, or shared wherever, timed as
// kernel_time.cpp says; then, for the best shape, lanes and rows. What a kernel reads passes from the L2 cache once for
// each block and from memory once, or not at all if it is what a kernel before has stored and the cache holds it.
//
// Stages with updates are members whose sums a thread or a block computes, or stand alone: then each update is a kernel
// whose threads are the pure loops, or, where it has none, the points of its RVars. Scans over their own values without
// pure loops, and Funcs without dimensions, run on the host.
//
// Cost: for each group, some 30 footprints.
#include "autoschedule/device/device_cost.h"

#include "autoschedule/costs.h"
#include "autoschedule/from_graph/stage_work.h"

#include <algorithm>
#include <cmath>

namespace fluorite::autoschedule {

namespace {

Cost cost_of(double nanoseconds) {
    return static_cast<Cost>(std::min(nanoseconds / costs::nanoseconds_of_cost * static_cast<double>(cost_unit),
                                      static_cast<double>(greatest_group_cost)));
}

double bytes_of_source(const Group::Source &source) { return product_of(source.extents) * source.point_bytes; }

/// Elements that a read loads for a box of points, each once.
double distinct_loads(const Read &read, const std::vector<int64_t> &together) {
    std::vector<Span> box(read.footprint.size()), consumer;
    for (const int64_t width : together) {
        consumer.push_back({0, width - 1, false});
    }
    widen(box, read.footprint, consumer);
    const double all = static_cast<double>(read.loads) * product_of(together);
    double elements = 1;
    for (const Span &span : box) {
        if (span.is_whole) {
            return all;
        }
        elements *= static_cast<double>(span.high - span.low + 1);
    }
    return std::min(all, elements);
}

/// What one step of an update does for a block of points of a thread.
struct UpdateStep {
    double operations = 0, loads = 0;
};
UpdateStep step_of(const UpdateWork &update, const std::vector<int64_t> &together) {
    UpdateStep step;
    for (const UpdateWork::Part &part : update.parts) {
        double points = 1;
        for (size_t loop = 0; loop < together.size() && loop < 64; ++loop) {
            points *= (part.loops >> loop & 1) != 0 ? static_cast<double>(together[loop]) : 1;
        }
        step.operations += (part.operations + part.addresses) * points;
        step.loads += part.loads * points;
    }
    return step;
}

/// Whether points that are read lie at distances that floats give, which are not always the same.
bool is_rounded(const Read &read) {
    return std::any_of(read.footprint.begin(), read.footprint.end(),
                       [](const Footprint &footprint) { return footprint.is_rounded; });
}

/// Whether all of a box is known to be no larger in any run.
bool is_bounded(const StageNode &node, std::span<const Span> box) {
    for (size_t loop = 0; loop < box.size(); ++loop) {
        if ((box[loop].is_whole || !box[loop].is_known()) && !node.loops[loop].is_constant) {
            return false;
        }
    }
    return true;
}

/// Whether all updates of a stage are sums over RVars, for each point apart.
bool is_plain(const StageNode &node) { return node.updates == 0 || !node.sums.empty(); }

double steps_of(const StageNode &node, size_t update) { return product_of(node.reductions[update]); }

} // namespace

DeviceCost::DeviceCost(const DescribedPipeline &pipeline, const machine::DeviceCosts &device)
    : pipeline_(pipeline), graph_(pipeline.graph), device_(device), consumers_(precedence_of(graph_).consumers) {
    for (size_t stage = 0; stage < graph_.stages.size(); ++stage) {
        if (graph_.stages[stage].loops.empty()) {
            on_host_.insert(stage);
        }
    }
}

void DeviceCost::keep_on_host(size_t stage) {
    on_host_.insert(stage);
    std::erase_if(costs_, [&](const auto &known) { return known.first.contains(stage); });
}

void DeviceCost::keep_out_of_blocks(size_t stage) {
    not_shared_.insert(stage);
    std::erase_if(costs_, [&](const auto &known) { return known.first.contains(stage); });
}

void DeviceCost::keep_out_of_threads(size_t stage) {
    not_in_threads_.insert(stage);
    std::erase_if(costs_, [&](const auto &known) { return known.first.contains(stage); });
}

std::optional<size_t> DeviceCost::last_stage(const StageSet &group) const {
    std::optional<size_t> last;
    for (const size_t stage : group) {
        if ((graph_.stages[stage].is_by_hand || on_host_.contains(stage)) && group.size() > 1) {
            return {};
        }
        if (graph_.stages[stage].is_output || consumers_[stage].empty() || !consumers_[stage].is_subset_of(group)) {
            if (last) {
                return {};
            }
            last = stage;
        }
    }
    return last && (group.size() == 1 || graph_.stages[*last].updates == 0) ? last : std::nullopt;
}

std::optional<Cost> DeviceCost::of(const StageSet &group) const {
    const auto [known, is_new] = costs_.try_emplace(group);
    if (is_new) {
        const std::optional<DevicePlan> best = plan(group);
        known->second = best ? std::optional(cost_of(best->time.total)) : std::nullopt;
    }
    return known->second;
}

std::optional<DevicePlan> DeviceCost::plan(const StageSet &group) const {
    const std::optional<size_t> last = last_stage(group);
    if (!last) {
        return {};
    }
    const Group described = describe_group(graph_, group, *last);
    if (on_host_.contains(*last) || graph_.stages[*last].is_by_hand) {
        return host_plan(described);
    }
    std::optional<DevicePlan> best = search(described);
    if (!best && group.size() == 1) {
        return host_plan(described);
    }
    return best;
}

DevicePlan DeviceCost::host_plan(const Group &group) const {
    DevicePlan plan;
    plan.last = group.last;
    plan.is_on_host = true;
    const StageNode &node = group.last_node();
    double bytes = static_cast<double>(node.points()) * static_cast<double>(node.bytes);
    for (const Group::Source &source : group.sources) {
        bytes += source.is_input ? 0 : bytes_of_source(source);
    }
    plan.time.total = costs::host_visit_time + bytes / costs::host_copy_rate +
                      static_cast<double>(node.points()) * node.arithmetic / costs::host_operation_rate;
    return plan;
}

std::optional<DevicePlan> DeviceCost::search(const Group &group) const {
    const StageNode &last = group.last_node();
    std::optional<DevicePlan> best;
    const auto attempt = [&](DevicePlan plan) {
        for (const bool in_threads : {true, false}) {
            choose_places(group, plan, in_threads);
            const bool is_new = in_threads || !plan.in_threads.empty() || group.members.size() > 1;
            if (is_new && evaluate(group, plan) && (!best || plan.time.total < best->time.total)) {
                best = plan;
            }
        }
    };
    DevicePlan plan;
    plan.last = group.last;
    const std::vector<int64_t> constants = constants_together(last);
    plan.loops = thread_loops(last, group.last_extents, constants);
    plan.together = constants;
    for (size_t i = 0; i < costs::block_rows.size(); ++i) {
        plan.threads_x = costs::block_columns[i];
        plan.threads_y = plan.loops.y ? costs::block_rows[i] : 1;
        if (plan.loops.y || costs::block_rows[i] == 1) {
            attempt(plan);
        }
    }
    if (!best) {
        return {};
    }
    const DevicePlan shape = *best;
    const bool has_sums = std::any_of(group.members.begin(), group.members.end(), [&](size_t stage) {
        return stage != group.last && !group.node(stage).sums.empty();
    });
    for (const int64_t lanes : costs::thread_lanes) {
        for (const int64_t rows : costs::thread_rows) {
            const auto may_have = [&](size_t loop, int64_t count) {
                const LoopExtent &known = last.loops[loop];
                const bool may_shift = has_sums && last.updates == 0 && (last.is_output || known.is_testable);
                return count == 1 || (known.extent >= count && shape.together[loop] == 1 &&
                                      (!known.is_exact || may_shift) && !(last.is_output && last.updates > 0));
            };
            if (lanes * rows == 1 || !may_have(plan.loops.x, lanes) || (rows > 1 && !plan.loops.y) ||
                (plan.loops.y && !may_have(*plan.loops.y, rows)) || !is_plain(last)) {
                continue;
            }
            plan = shape;
            plan.lanes = lanes;
            plan.rows = rows;
            plan.together[plan.loops.x] = lanes;
            if (plan.loops.y) {
                plan.together[*plan.loops.y] = rows;
            }
            attempt(plan);
        }
    }
    return best;
}

bool DeviceCost::may_be_in_threads(const Group &group, const DevicePlan &plan, size_t stage) const {
    const StageSet &readers = group.readers[group.place[stage]];
    if (not_in_threads_.contains(stage)) {
        return false;
    }
    for (const size_t reader : readers) {
        if (reader != group.last && !plan.in_threads.contains(reader)) {
            return false;
        }
        for (const Read &read : group.node(reader).reads) {
            if (!read.is_input && read.source == stage && product_of(plan.together) > 1 && is_rounded(read)) {
                return false;
            }
        }
    }
    return is_plain(group.node(stage)) &&
           autoschedule::is_steady(graph_, group.stages, group.last, stage, plan.together);
}

void DeviceCost::choose_places(const Group &group, DevicePlan &plan, bool in_threads) const {
    plan.in_threads = {};
    const TileFootprint thread = footprint_of(group, plan.together, {});
    for (size_t member = group.members.size(); member-- > 0;) {
        const size_t stage = group.members[member];
        const StageNode &node = group.node(stage);
        if (stage == group.last || !may_be_in_threads(group, plan, stage)) {
            continue;
        }
        const std::vector<int64_t> widths = widths_of(group, thread, stage);
        const double values = product_of(widths) * static_cast<double>(node.bytes) / 4;
        // What no neighbour computes as well is not shared.
        const double points = product_of(plan.together);
        const bool is_own = product_of(widths) <= points && node.updates > 0;
        if ((in_threads || is_own) && is_bounded(node, thread.of_member(group, stage)) &&
            values <= costs::most_thread_values) {
            plan.in_threads.insert(stage);
        }
    }
}

void DeviceCost::add_points(size_t stage, const std::vector<int64_t> &together, double threads,
                            KernelWork &work) const {
    const StageNode &node = graph_.stages[stage];
    const double points = product_of(together);
    if (node.updates > 0 && !node.sums.empty()) {
        work.operations += threads * points * node.initial;
        for (size_t k = 0; k < node.sums.size(); ++k) {
            const UpdateStep step = step_of(node.sums[k], together);
            work.operations += threads * steps_of(node, k) * (step.operations + costs::step_operations);
            work.loads += threads * steps_of(node, k) * step.loads;
        }
        return;
    }
    work.operations += threads * (points * node.arithmetic + costs::thread_operations);
    for (const Read &read : node.reads) {
        work.loads += threads * distinct_loads(read, together);
    }
}

bool DeviceCost::add_member(const Group &group, const DevicePlan &plan, size_t stage,
                            const std::vector<int64_t> &in_block, const std::vector<int64_t> &in_thread,
                            KernelWork &work, double &points) const {
    const StageNode &node = group.node(stage);
    const double threads = work.threads * work.blocks, values = static_cast<double>(node.bytes) / 4;
    if (plan.in_threads.contains(stage)) {
        work.registers += product_of(in_thread) * values;
        points += product_of(in_thread) * threads;
        add_points(stage, in_thread, threads, work);
        work.chain += node.updates * costs::step_cycles;
        return work.registers <= costs::most_registers;
    }
    if (not_shared_.contains(stage)) {
        return false;
    }
    const std::vector<int64_t> together = constants_together(node);
    const ThreadLoops loops = thread_loops(node, in_block, together);
    double turns = 1;
    for (size_t loop = 0; loop < in_block.size(); ++loop) {
        const int64_t size = loop == loops.x ? plan.threads_x : loops.y == loop ? plan.threads_y : together[loop];
        turns *= static_cast<double>(ceiling(in_block[loop], std::max<int64_t>(size, 1)));
    }
    const bool has_sums = is_plain(node);
    const double rounds = has_sums ? turns : product_of(in_block);
    points += product_of(in_block) * work.blocks;
    add_points(stage, together, rounds * (has_sums ? threads : work.blocks), work);
    work.loads += turns * threads; // what is stored, and loaded again
    const double rounded = static_cast<double>(ceiling(in_block[0], costs::warp_threads) * costs::warp_threads);
    work.shared_bytes +=
        product_of(in_block) * (rounded / static_cast<double>(in_block[0])) * static_cast<double>(node.bytes) +
        costs::shared_padding;
    work.chain += device_.latency * device_.clock + costs::barrier_cycles +
                  rounds * (costs::turn_cycles + node.updates * costs::step_cycles);
    return work.shared_bytes <= costs::shared_part * static_cast<double>(machine::limits_of_device.shared_bytes);
}

void DeviceCost::add_memory(const Group &group, const TileFootprint &block, KernelWork &work) const {
    const StageNode &last = group.last_node();
    const TileFootprint whole = footprint_of(group, group.last_extents, {});
    const LiveIn all = live_in_of(group, whole, 1), own = live_in_of(group, block, costs::gathered_sectors);
    const double held = costs::kept_cache_part * static_cast<double>(device_.l2_bytes);
    double loaded = 0;
    // What updates read that are no sums is counted with them.
    const bool is_start = last.updates > 0 && last.sums.empty();
    for (size_t i = 0; i < group.sources.size() && !is_start; ++i) {
        const Group::Source &source = group.sources[i];
        const double row =
            static_cast<double>(source.extents.empty() ? 1 : block.of_source(source)[0].width(source.extents[0])) *
            source.point_bytes;
        const double sectors = std::ceil(row / costs::sector_bytes + 0.5) * costs::sector_bytes / std::max(row, 1.0);
        const double bytes = own.sources[i].bytes * (source.extents.empty() ? 1 : sectors);
        work.cache_bytes += bytes * work.blocks;
        loaded += bytes;
        const bool is_kept = !source.is_input && bytes_of_source(source) <= held;
        work.memory_bytes += is_kept ? 0 : std::min(all.sources[i].bytes, bytes * work.blocks);
    }
    const double stored = static_cast<double>(last.points()) * static_cast<double>(last.bytes);
    work.cache_bytes += stored;
    work.memory_bytes += last.is_output || stored > held ? stored : 0;
    work.in_flight = std::max(4.0, loaded / work.threads);
}

bool DeviceCost::evaluate(const Group &group, DevicePlan &plan) const {
    const StageNode &last = group.last_node();
    const std::vector<int64_t> tile = block_of(plan);
    KernelWork work;
    work.threads = static_cast<double>(plan.threads_x * plan.threads_y);
    for (size_t loop = 0; loop < tile.size(); ++loop) {
        work.blocks *= static_cast<double>(ceiling(last.loops[loop].extent, tile[loop]));
    }
    const double threads = work.threads * work.blocks;
    const double own = product_of(plan.together) * static_cast<double>(last.bytes) / 4;
    work.registers = static_cast<double>(costs::plain_registers);
    work.chain = device_.latency * device_.clock + costs::turn_cycles * product_of(plan.together);
    const TileFootprint block = footprint_of(group, tile, {}), thread = footprint_of(group, plan.together, {});
    double points = 0, needed = 0;
    for (const size_t stage : group.members) {
        needed += stage == group.last ? 0 : static_cast<double>(group.node(stage).points());
        if (stage != group.last && (!is_bounded(group.node(stage), block.of_member(group, stage)) ||
                                    !add_member(group, plan, stage, widths_of(group, block, stage),
                                                widths_of(group, thread, stage), work, points))) {
            return false;
        }
    }
    work.registers = std::max(work.registers + static_cast<double>(plan.lanes), costs::plain_registers + own);
    add_memory(group, block, work);
    if (last.updates == 0 || !last.sums.empty()) {
        add_points(group.last, plan.together, threads, work);
        work.chain += last.updates * costs::step_cycles;
    } else {
        work.operations += threads * product_of(plan.together) * last.initial;
    }
    work.loads += threads * product_of(plan.together) / static_cast<double>(plan.lanes);
    const std::optional<KernelTime> time = time_of(work, device_);
    if (!time) {
        return false;
    }
    plan.time = *time;
    plan.work = work;
    plan.recomputed = needed > 0 ? std::max(0.0, points / needed - 1) : 0;
    return last.updates == 0 || add_updates(group, plan);
}

bool DeviceCost::add_updates(const Group &group, DevicePlan &plan) const {
    const StageNode &last = group.last_node();
    const ir::FuncDef &func = pipeline_.computed[group.last];
    for (size_t k = 1; k < func.stages.size(); ++k) {
        if (!last.sums.empty()) { // as the pure definition, whose kernel it was counted for
            plan.time.total += device_.launch;
            continue;
        }
        double own = 1;
        for (size_t loop = 0; loop < last.loops.size(); ++loop) {
            const Expr &arg = func.stages[k].args[loop];
            const bool is_own = arg->kind() == ir::ExprKind::Variable && arg->symbol() == func.args[loop];
            own *= is_own ? static_cast<double>(last.loops[loop].extent) : 1;
        }
        const double steps = steps_of(last, k - 1);
        const bool waits = is_scan(func, func.stages[k]);
        if (own == 1 && waits) {
            return false; // one thread for all
        }
        const bool is_by_points = own == 1 && !waits;
        KernelWork work;
        work.threads = static_cast<double>(costs::block_columns.back());
        work.blocks = std::ceil((is_by_points ? steps : own) / work.threads);
        work.registers = static_cast<double>(costs::plain_registers);
        const double all = own * steps,
                     share = last.updates > 0 ? all / (last.updates * static_cast<double>(last.points())) : 1;
        work.operations =
            static_cast<double>(last.points()) * last.arithmetic * std::min(1.0, share) + all * costs::step_operations;
        for (const Read &read : last.reads) {
            work.loads += all * static_cast<double>(read.loads);
        }
        for (const Group::Source &source : group.sources) {
            work.memory_bytes += std::min(bytes_of_source(source), all * source.point_bytes);
        }
        work.loads += 2 * all * (is_by_points ? costs::atomic_loads : 1);
        work.cache_bytes = work.memory_bytes + 2 * all * static_cast<double>(last.bytes);
        work.chain = (is_by_points ? 1 : steps) * (waits ? device_.latency * device_.clock / 2 : costs::step_cycles);
        const std::optional<KernelTime> time = time_of(work, device_);
        if (!time) {
            return false;
        }
        plan.time.total += time->total;
        plan.time.memory += time->memory;
        plan.time.arithmetic += time->arithmetic;
    }
    return true;
}

std::vector<std::vector<int64_t>> DeviceCost::widths(const StageSet &group, const DevicePlan &plan,
                                                     bool in_thread) const {
    const Group described = describe_group(graph_, group, plan.last);
    const TileFootprint footprint = footprint_of(described, in_thread ? plan.together : block_of(plan), {});
    std::vector<std::vector<int64_t>> result(graph_.stages.size());
    for (const size_t stage : group) {
        result[stage] = widths_of(described, footprint, stage);
    }
    return result;
}

bool DeviceCost::is_steady(const StageSet &group, const DevicePlan &plan, size_t stage) const {
    return autoschedule::is_steady(graph_, group, plan.last, stage, plan.together);
}

} // namespace fluorite::autoschedule
