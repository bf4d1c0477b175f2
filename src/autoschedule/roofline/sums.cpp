// Sums of stages with updates.
//
// A block of points, some vectors wide and some points along another loop, stays in registers while RVars run; what
// follows one of its loops only is loaded once for all points along the others. A step of the RVars takes what is
// slowest: the operations, the loads, or the additions that wait for the ones before. Beyond the registers, sums are
// spilled. Where RVars run around the pure loops instead, sums are loaded and stored at each step, and what only they
// read is computed at each step, for all points of a tile.
//
// Blocks follow each other along rows, or down columns where that keeps what they read in a cache. Rows that come from
// memory are then read a part at a time: if a column has more rows than a prefetcher follows, each part is waited for.
//
// What a block reads comes from the cache that holds it until it is read again. For each loop around the blocks, what
// one iteration touches is compared with the caches: if it fits, what the loop's iterations share is not loaded again.
// Rows of a block that lie on pages of their own need an address each.
//
// Cost: blocks times the parts of the updates.
#include "autoschedule/costs.h"
#include "autoschedule/from_graph/stage_work.h"
#include "autoschedule/roofline/cache_lines.h"
#include "autoschedule/roofline/group_planner.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

/// How often values are computed that follow these loops only, in a block.
double times_in(const std::vector<int64_t> &block, uint64_t loops) {
    double times = 1;
    for (size_t loop = 0; loop < block.size(); ++loop) {
        times *= loop >= 64 || (loops >> loop & 1) != 0 ? static_cast<double>(block[loop]) : 1;
    }
    return times;
}

} // namespace

double RooflineCost::code_of(size_t stage, const std::vector<int64_t> &points) const {
    const StageNode &node = graph_.stages[stage];
    double code = node.code;
    for (const UpdateWork &update : node.sums) {
        code += update.code;
    }
    const bool is_clamped =
        std::any_of(node.loops.begin(), node.loops.end(), [](const LoopExtent &loop) { return !loop.is_exact; });
    return code * product_of(points) * (is_clamped ? costs::clamped_loop_parts : 1);
}

RooflineCost::Rows RooflineCost::rows_of_step(size_t stage, const std::vector<int64_t> &points) const {
    const machine::CacheModel &caches = machine_.caches;
    Rows rows;
    for (const Read &read : graph_.stages[stage].reads) {
        if (read.is_initial || read.step.empty()) {
            continue;
        }
        const auto extent = [&](size_t dim) {
            return read.is_input ? graph_.inputs[read.source].extents[dim]
                                 : graph_.stages[read.source].loops[dim].extent;
        };
        double apart = 1;
        for (size_t dim = 1; dim < read.step.size(); ++dim) {
            const Footprint &step = read.step[dim];
            apart *= step.kind != Footprint::Kind::Affine
                         ? 1
                         : static_cast<double>(std::min(points[step.loop] + step.width() - 1, extent(dim)));
        }
        rows.all += apart;
        const int64_t bytes = read.is_input ? graph_.inputs[read.source].bytes : graph_.stages[read.source].bytes;
        const bool is_again = !(read.step[0] == read.footprint[0]); // the next step reads on in the same lines
        const Footprint &first = read.step[0];
        const double row_bytes = static_cast<double>(
            bytes * (first.kind == Footprint::Kind::Affine ? points[first.loop] + first.width() - 1 : 1));
        const double held = lines_held(caches.l1_bytes, caches.l1_ways, extent(0) * bytes, row_bytes, caches);
        rows.displaced += is_again && apart > held ? apart : 0;
    }
    return rows;
}

double RooflineCost::sum_cycles(size_t stage, const std::vector<int64_t> &widths, const std::vector<int64_t> &block,
                                bool by_steps) const {
    const StageNode &node = graph_.stages[stage];
    const machine::CacheModel &caches = machine_.caches;
    const size_t vector = vector_loop(stage, widths);
    double blocks = 1;
    for (size_t loop = 0; loop < widths.size(); ++loop) {
        blocks *= static_cast<double>(ceiling(widths[loop], block[loop] * (loop == vector ? lanes(stage) : 1)));
    }
    // In vectors of 32-bit lanes.
    const double whole = static_cast<double>(lanes(stage)) * 32 / machine_.model.vector_bits;
    const double sums = product_of(block);
    std::vector<int64_t> points = block;
    if (!points.empty()) {
        points[vector] *= lanes(stage);
    }
    const Rows rows = rows_of_step(stage, points);
    // The first and the last block of a row are at its edges.
    const double at_edges =
        widths.empty()
            ? 0
            : std::min(1.0, 2.0 * static_cast<double>(points[vector]) / static_cast<double>(node.loops[vector].extent));
    double cycles = 0;
    for (const UpdateWork &update : node.sums) {
        double operations = 0, loads = 0, addresses = 0, held = costs::operand_registers, edges = 0;
        for (const UpdateWork::Part &part : update.parts) {
            const bool is_vector = vector >= 64 || (part.loops >> vector & 1) != 0;
            const double times =
                times_in(block, part.loops) * (is_vector ? std::max(whole, costs::least_vector_part) : 1);
            operations += times * part.operations;
            loads += times * part.loads;
            edges += times * part.edges;
            addresses += is_vector ? 0 : times * part.addresses;
            held += is_vector && times < sums ? times * std::min(1.0, part.operations + part.loads) : 0;
        }
        double registers = 0; // of one vector of a tuple's values
        for (const int64_t bits : update.bits) {
            registers += std::max(1.0, static_cast<double>(lanes(stage) * bits) / machine_.model.vector_bits);
        }
        const double spilled = std::max(0.0, sums * std::max({whole, registers, 1.0}) + held -
                                                 static_cast<double>(caches.vector_registers));
        const double chain = by_steps ? 0 : update.chain * caches.sum_cycles;
        const double reloaded = std::max(0.0, rows.all - costs::address_registers);
        loads += reloaded;
        double step = std::max(
            {operations / caches.vector_operations, loads / caches.loads, addresses / caches.scalar_operations, chain});
        step += rows.displaced * static_cast<double>(caches.line_bytes) / caches.l2_rate;
        step += at_edges * edges * costs::clamped_edge_cycles;
        step += reloaded * costs::address_reload_cycles +
                (by_steps ? costs::iteration_cycles + sums * costs::spill_cycles : spilled * costs::spill_cycles);
        cycles +=
            blocks * (update.steps() * step + (by_steps ? 0 : sums * costs::spill_cycles + costs::sum_block_cycles));
    }
    return cycles;
}

int64_t RooflineCost::tasks_around(size_t stage, const std::vector<int64_t> &widths,
                                   const std::vector<int64_t> &block) const {
    const size_t vector = vector_loop(stage, widths);
    for (size_t loop = widths.size(); loop-- > 0;) {
        const LoopExtent &extent = graph_.stages[stage].loops[loop];
        if (loop != vector && !(extent.is_constant && block[loop] == extent.extent)) {
            return ceiling(widths[loop], block[loop]);
        }
    }
    return widths.empty() ? 1 : ceiling(widths[vector], block[vector] * lanes(stage));
}

const SumPlan &RooflineCost::sum_plan(size_t stage, const std::vector<int64_t> &widths, bool by_steps,
                                      bool at_root) const {
    std::vector<int64_t> key = widths;
    key.push_back(static_cast<int64_t>(stage) * 4 + (by_steps ? 2 : 0) + (at_root ? 1 : 0));
    const auto [known, is_new] = sum_plans_.try_emplace(std::move(key));
    if (is_new) {
        known->second = find_sum_plan(stage, widths, by_steps, at_root);
    }
    return known->second;
}

SumPlan RooflineCost::find_sum_plan(size_t stage, const std::vector<int64_t> &widths, bool by_steps,
                                    bool at_root) const {
    const StageNode &node = graph_.stages[stage];
    const size_t vector = vector_loop(stage, widths);
    std::vector<std::vector<int64_t>> starts{std::vector<int64_t>(widths.size(), 1)};
    std::vector<int64_t> constants = StageWork::constant_sizes(node.loops);
    constants[vector] = 1;
    if (constants != starts[0]) {
        starts.push_back(constants);
    }
    SumPlan best;
    double least = 0; // of one thread
    const auto consider = [&](const std::vector<int64_t> &block) {
        if (product_of(block) > static_cast<double>(machine_.caches.vector_registers) ||
            (product_of(block) > 1 && code_of(stage, block) > costs::most_block_nodes)) {
            return;
        }
        for (size_t loop = 0; loop < block.size(); ++loop) {
            const int64_t size = block[loop] * (loop == vector ? lanes(stage) : 1);
            if (block[loop] > 1 && widths[loop] % size != 0 && widths[loop] < costs::least_whole_blocks * size) {
                return;
            }
        }
        const double cycles = sum_cycles(stage, widths, block, by_steps);
        const int64_t tasks = at_root ? std::min<int64_t>(tasks_around(stage, widths, block), machine_.threads) : 1;
        const double shared = cycles / static_cast<double>(tasks);
        if (best.block.empty() || shared < least) {
            best = {block, cycles};
            least = shared;
        }
    };
    for (const std::vector<int64_t> &start : starts) {
        consider(start);
        for (const int64_t vectors : costs::sum_vectors) {
            if (by_steps || (vectors > 1 && vectors * lanes(stage) > widths[vector])) {
                continue;
            }
            for (size_t loop = 0; loop < widths.size(); ++loop) {
                for (const int64_t rows : costs::sum_rows) {
                    if (rows > widths[loop] || (loop == vector ? rows > 1 : start[loop] > 1)) {
                        continue;
                    }
                    std::vector<int64_t> block = start;
                    block[vector] = vectors;
                    block[loop] = loop == vector ? vectors : rows;
                    consider(block);
                }
            }
        }
    }
    return best;
}

double GroupPlanner::read_bytes(const Read &read, const std::vector<int64_t> &widths) const {
    double points = 1;
    for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
        const Footprint &footprint = read.footprint[dim];
        const int64_t extent =
            read.is_input ? graph_.inputs[read.source].extents[dim] : graph_.stages[read.source].loops[dim].extent;
        int64_t width = extent;
        if (footprint.kind == Footprint::Kind::Affine) {
            const Rational &scale = footprint.scale;
            width = (widths[footprint.loop] - 1) * scale.numerator / scale.denominator + footprint.width();
        } else if (footprint.kind == Footprint::Kind::Constant) {
            width = footprint.width();
        }
        points *= static_cast<double>(std::min(width, extent));
    }
    return points *
           static_cast<double>(read.is_input ? graph_.inputs[read.source].bytes : graph_.stages[read.source].bytes);
}

double GroupPlanner::read_pages(const Read &read, const std::vector<int64_t> &widths) const {
    const machine::CacheModel &caches = machine_.caches;
    double row_bytes =
        static_cast<double>(read.is_input ? graph_.inputs[read.source].bytes : graph_.stages[read.source].bytes);
    const auto extent_of = [&](size_t dim) {
        return static_cast<double>(read.is_input ? graph_.inputs[read.source].extents[dim]
                                                 : graph_.stages[read.source].loops[dim].extent);
    };
    // Rows are as far apart as the array's are long; those of a stage of the group, as its tile's.
    const bool is_member = !read.is_input && group_.contains(read.source);
    double pages = 1;
    for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
        const Footprint &footprint = read.footprint[dim];
        const double width = footprint.kind == Footprint::Kind::Unbounded ? extent_of(dim)
                             : footprint.kind == Footprint::Kind::Constant
                                 ? static_cast<double>(footprint.width())
                                 : static_cast<double>(widths[footprint.loop]);
        const double apart = row_bytes / static_cast<double>(caches.page_bytes);
        pages *= std::max(1.0, std::min(width, extent_of(dim)) * std::min(1.0, apart));
        row_bytes *= is_member && !tile_widths_[place_[read.source]].empty()
                         ? static_cast<double>(tile_widths_[place_[read.source]][dim])
                         : extent_of(dim);
    }
    return pages;
}

double GroupPlanner::sum_caches(size_t stage, const std::vector<std::vector<int64_t>> &boxes,
                                const std::vector<double> &counts) const {
    const StageNode &node = graph_.stages[stage];
    const machine::CacheModel &caches = machine_.caches;
    std::vector<double> totals;
    for (const std::vector<int64_t> &box : boxes) {
        double total = product_of(box) * static_cast<double>(node.bytes);
        for (const Read &read : node.reads) {
            total += read.is_initial ? 0 : read_bytes(read, box);
        }
        totals.push_back(total);
    }
    double cycles = 0;
    for (const Read &read : node.reads) {
        if (read.is_initial) {
            continue;
        }
        for (const auto &[capacity, rate] :
             {std::pair(caches.l1_bytes, caches.l2_rate), std::pair(caches.l2_bytes, caches.llc_rate)}) {
            double bytes = read_bytes(read, boxes[0]);
            for (size_t level = 1; level < boxes.size(); ++level) {
                const double grown = read_bytes(read, boxes[level]) / read_bytes(read, boxes[level - 1]);
                bytes *= totals[level - 1] <= costs::usable_cache_part * static_cast<double>(capacity)
                             ? grown
                             : counts[level - 1];
            }
            // What is read once is counted where the tile is.
            cycles += std::max(0.0, bytes - read_bytes(read, boxes.back())) / rate;
        }
    }
    return cycles;
}

double GroupPlanner::sum_streams(size_t stage, const OwnBoxes &around) const {
    const machine::CacheModel &caches = machine_.caches;
    double begun = 0;
    for (const Read &read : graph_.stages[stage].reads) {
        if (read.is_initial || read.footprint.empty() || !is_from_memory(read)) {
            continue;
        }
        Read row = read;
        row.footprint.resize(1);
        const auto rows = [&](const std::vector<int64_t> &box) { return read_bytes(read, box) / read_bytes(row, box); };
        double all = rows(around.boxes[0]);
        for (size_t level = 1; level < around.boxes.size(); ++level) {
            const std::vector<int64_t> &box = around.boxes[level], &inner = around.boxes[level - 1];
            const bool goes_on = rows(box) == rows(inner) && read_bytes(read, box) > read_bytes(read, inner);
            const bool is_followed = rows(inner) <= static_cast<double>(caches.followed_rows);
            all *= goes_on && !is_followed ? around.counts[level - 1] : rows(box) / rows(inner);
        }
        begun += all - rows(around.boxes.back()); // which are counted where the tile is
    }
    return begun * caches.stream_cycles;
}

bool GroupPlanner::is_from_memory(const Read &read) const {
    const double bytes = read.is_input ? cost_.input_bytes_[read.source] : cost_.stage_bytes_[read.source];
    return (read.is_input || !group_.contains(read.source)) &&
           bytes > static_cast<double>(machine_.caches.llc_bytes) / 2;
}

double GroupPlanner::sum_pages(size_t stage, const std::vector<int64_t> &block,
                               const std::vector<double> &counts) const {
    const machine::CacheModel &caches = machine_.caches;
    double pages = 0, blocks = 1;
    for (const double count : counts) {
        blocks *= count;
    }
    for (const Read &read : graph_.stages[stage].reads) {
        pages += read.is_initial ? 0 : read_pages(read, block);
    }
    return pages > static_cast<double>(caches.dtlb_entries) ? blocks * pages * caches.stlb_cycles : 0;
}

GroupPlanner::Traffic GroupPlanner::traffic_of_sums(const TilePlan &plan) {
    Traffic all;
    for (const size_t stage : members_) {
        const StageNode &node = graph_.stages[stage];
        if (node.sums.empty() || plan.by_steps.contains(stage)) {
            continue;
        }
        const std::vector<int64_t> &whole = tile_widths_[place_[stage]];
        Traffic one;
        if (plan.in_registers.contains(stage)) {
            // Blocks of the last stage, and its loops around them.
            std::vector<std::vector<int64_t>> boxes;
            std::vector<double> counts;
            std::vector<int64_t> size = block_points(plan);
            spread(size);
            boxes.push_back(measured(spans_[place_[stage]], stage));
            for (const size_t loop : loops_of_tile(plan)) {
                counts.push_back(static_cast<double>(ceiling(plan.tile[loop], size[loop])));
                size[loop] = plan.tile[loop];
                spread(size);
                boxes.push_back(measured(spans_[place_[stage]], stage));
            }
            one = {sum_caches(stage, boxes, counts), sum_pages(stage, boxes[0], counts)};
        } else {
            const RooflineCost::SumLoops &own = own_loops(stage, whole);
            const OwnBoxes around = own_boxes(stage, whole, own.loops);
            one = {own.caches, sum_pages(stage, around.boxes[0], around.counts)};
        }
        all.caches += one.caches;
        all.pages += one.pages;
    }
    return all;
}

GroupPlanner::OwnBoxes GroupPlanner::own_boxes(size_t stage, const std::vector<int64_t> &whole,
                                               const std::vector<size_t> &loops) const {
    OwnBoxes around;
    std::vector<int64_t> size = cost_.sum_plan(stage, whole, false).block;
    size[cost_.vector_loop(stage, whole)] *= cost_.lanes(stage);
    for (size_t loop = 0; loop < size.size(); ++loop) {
        size[loop] = std::min(size[loop], whole[loop]);
    }
    around.boxes.push_back(size);
    for (const size_t loop : loops) {
        around.counts.push_back(static_cast<double>(ceiling(whole[loop], size[loop])));
        size[loop] = whole[loop];
        around.boxes.push_back(size);
    }
    return around;
}

const RooflineCost::SumLoops &GroupPlanner::own_loops(size_t stage, const std::vector<int64_t> &whole) const {
    std::vector<int64_t> key = whole;
    key.push_back(static_cast<int64_t>(stage));
    for (const Read &read : graph_.stages[stage].reads) {
        key.push_back(is_from_memory(read) ? 1 : 0);
    }
    const auto [known, is_new] = cost_.sum_loops_.try_emplace(std::move(key));
    if (is_new) {
        const std::vector<size_t> rows = inner_loops(stage, whole);
        std::vector<size_t> columns(rows.begin() + 1, rows.end());
        columns.push_back(rows[0]);
        const OwnBoxes by_rows = own_boxes(stage, whole, rows), by_columns = own_boxes(stage, whole, columns);
        const double of_rows = sum_caches(stage, by_rows.boxes, by_rows.counts) + sum_streams(stage, by_rows);
        const double of_columns =
            sum_caches(stage, by_columns.boxes, by_columns.counts) + sum_streams(stage, by_columns);
        const bool are_columns =
            of_rows - of_columns > costs::column_order_gain * cost_.sum_plan(stage, whole, false).cycles;
        known->second =
            are_columns ? RooflineCost::SumLoops{columns, of_columns} : RooflineCost::SumLoops{rows, of_rows};
    }
    return known->second;
}

std::vector<size_t> GroupPlanner::sum_loops(size_t stage, const std::vector<int64_t> &whole) const {
    return own_loops(stage, whole).loops;
}

std::vector<size_t> GroupPlanner::inner_loops(size_t stage, const std::vector<int64_t> &widths) const {
    const size_t vector = cost_.vector_loop(stage, widths);
    std::vector<size_t> loops{vector};
    for (size_t loop = 0; loop < widths.size(); ++loop) {
        if (loop != vector) {
            loops.push_back(loop);
        }
    }
    return loops;
}

void GroupPlanner::find_owners() {
    owners_.assign(members_.size(), std::nullopt);
    for (size_t member = members_.size(); member-- > 0;) {
        const size_t stage = members_[member];
        if (stage == last_ || graph_.stages[stage].updates > 0 || graph_.stages[stage].loops.empty()) {
            continue;
        }
        std::optional<size_t> owner;
        bool is_owned = true, is_stepped = false;
        for (const size_t reader : readers_[member]) {
            const StageNode &node = graph_.stages[reader];
            const bool is_sum = node.sums.size() == 1 && node.sums[0].steps() > 1;
            const std::optional<size_t> found = is_sum ? std::optional(reader) : owners_[place_[reader]];
            is_owned = is_owned && found && (!owner || *owner == *found);
            owner = found;
            for (const Read &read : node.reads) {
                if (!read.is_input && read.source == stage) {
                    is_owned = is_owned && !(is_sum && read.is_initial);
                    is_stepped = is_stepped || !is_sum || read.step != read.footprint;
                }
            }
        }
        owners_[member] = is_owned && is_stepped ? owner : std::nullopt;
        if (owners_[member]) {
            stepped_.insert(*owner);
        }
    }
}

std::optional<size_t> GroupPlanner::owner_of(size_t stage) const {
    const std::optional<size_t> &owner = owners_[place_[stage]];
    return owner && steps_.contains(*owner) ? owner : std::nullopt;
}

} // namespace fluorite::autoschedule
