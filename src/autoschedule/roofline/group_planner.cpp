// Tiles of a group.
//
// Method: one tile of the last stage asks for a box of every other stage and of what the group reads, found from the
// last stage back; offsets add up along paths, so boxes are as wide as those of the loop nest. A tile takes the cycles
// of its operations, in whole vectors, and of what its stages hand to each other through the cache that holds them;
// meanwhile the boxes that come from outside, and the results, pass through memory or the last cache. The slower of the
// two counts. Tiles share the threads; what is left over in the last round idles.
//
// With a sliding loop, stages are computed a row at a time and keep a window, so only windows have to stay in a cache.
//
// Blocks and stages in registers: group_blocks.cpp.
//
// The best tile is found by descent, one loop after the other, from two tiles: a whole and a square one. That is no
// optimum, but costs of a loop have one or two valleys.
//
// Cost: some hundred evaluations, each linear in the reads of the group.
#include "autoschedule/roofline/group_planner.h"

#include "autoschedule/costs.h"
#include "rewrite/fold.h"

#include <algorithm>
#include <cmath>

namespace fluorite::autoschedule {

namespace {

int64_t floor_of(int64_t value, const Rational &scale) {
    return rewrite::euclidean_div(value * scale.numerator, scale.denominator);
}

/// How many pieces of memory a box of an array has: rows that are whole continue each other.
double pieces_of(const std::vector<int64_t> &widths, const std::vector<int64_t> &extents) {
    double pieces = 1;
    bool is_whole = true;
    for (size_t dim = 0; dim < widths.size(); ++dim) {
        pieces *= is_whole ? 1 : static_cast<double>(widths[dim]);
        is_whole = is_whole && widths[dim] >= extents[dim];
    }
    return pieces;
}

std::vector<int64_t> extents_of(const StageNode &stage) {
    std::vector<int64_t> extents;
    for (const LoopExtent &loop : stage.loops) {
        extents.push_back(loop.extent);
    }
    return extents;
}

} // namespace

GroupPlanner::GroupPlanner(const RooflineCost &cost, const StageSet &group, size_t last)
    : cost_(cost), graph_(cost.graph_), machine_(cost.machine_), group_(group), last_(last),
      last_extents_(extents_of(graph_.stages[last])), place_(graph_.stages.size()) {
    for (const size_t stage : group) {
        place_[stage] = members_.size();
        members_.push_back(stage);
        needed_ += static_cast<double>(graph_.stages[stage].points());
        for (const Read &read : graph_.stages[stage].reads) {
            if (!read.is_input && group.contains(read.source)) {
                slots_.push_back(0);
                continue;
            }
            const auto known = std::find_if(sources_.begin(), sources_.end(), [&](const Source &source) {
                return source.is_input == read.is_input && source.index == read.source;
            });
            slots_.push_back(static_cast<size_t>(known - sources_.begin()));
            if (known == sources_.end()) {
                sources_.push_back({read.is_input, read.source});
                sources_.back().extents =
                    read.is_input ? graph_.inputs[read.source].extents : extents_of(graph_.stages[read.source]);
                sources_.back().bytes_of_point = static_cast<double>(read.is_input ? graph_.inputs[read.source].bytes
                                                                                   : graph_.stages[read.source].bytes);
            }
            Source &source = sources_[slots_.back()];
            source.is_gathered = source.is_gathered || read.is_gathered();
        }
    }
    readers_.resize(members_.size());
    for (const size_t stage : members_) {
        for (const Read &read : graph_.stages[stage].reads) {
            if (!read.is_input && group.contains(read.source)) {
                readers_[place_[read.source]].insert(stage);
            }
        }
    }
    spans_.resize(members_.size());
    tile_widths_.resize(members_.size());
    row_widths_.resize(members_.size());
    find_owners();
}

void GroupPlanner::widen(std::vector<Span> &into, const std::vector<Footprint> &read, const std::vector<Span> &consumer,
                         bool is_step) const {
    into.resize(read.size());
    for (size_t dim = 0; dim < read.size(); ++dim) {
        const Footprint &footprint = read[dim];
        Span &span = into[dim];
        if (is_step && footprint.kind == Footprint::Kind::Constant) {
            const bool is_first = span.low > span.high;
            span.low = is_first ? footprint.min : std::min(span.low, footprint.min);
            span.high = is_first ? footprint.max : std::max(span.high, footprint.max);
            continue;
        }
        if (footprint.kind != Footprint::Kind::Affine || consumer[footprint.loop].is_whole) {
            span.is_whole = true;
            continue;
        }
        const Span &from = consumer[footprint.loop];
        const int64_t low = floor_of(from.low, footprint.scale) + footprint.min;
        const int64_t high = floor_of(from.high, footprint.scale) + footprint.max;
        const bool is_first = span.low > span.high;
        span.low = is_first ? low : std::min(span.low, low);
        span.high = is_first ? high : std::max(span.high, high);
    }
}

std::vector<int64_t> GroupPlanner::measured(const std::vector<Span> &spans, size_t stage) const {
    std::vector<int64_t> widths;
    for (size_t loop = 0; loop < graph_.stages[stage].loops.size(); ++loop) {
        const int64_t extent = graph_.stages[stage].loops[loop].extent;
        const bool is_whole = loop >= spans.size() || !spans[loop].is_known() || spans[loop].is_whole ||
                              graph_.stages[stage].loops[loop].is_whole;
        widths.push_back(is_whole ? extent : std::min(extent, spans[loop].high - spans[loop].low + 1));
    }
    return widths;
}

void GroupPlanner::spread(const std::vector<int64_t> &tile) {
    for (std::vector<Span> &spans : spans_) {
        spans.clear();
    }
    for (Source &source : sources_) {
        source.spans.clear();
        source.most = 0;
    }
    // What is computed for each step of a reduction has the spans of one step, what it reads those of all steps.
    const bool has_steps = !steps_.empty();
    std::vector<std::vector<Span>> wholes(has_steps ? members_.size() : 0);
    std::vector<Span> &last = spans_[place_[last_]];
    for (const int64_t extent : tile) {
        last.push_back({0, extent - 1, false});
    }
    if (has_steps) {
        wholes[place_[last_]] = last;
    }
    size_t slot = slots_.size();
    for (size_t member = members_.size(); member-- > 0;) {
        const std::vector<Read> &reads = graph_.stages[members_[member]].reads;
        const std::vector<LoopExtent> &loops = graph_.stages[members_[member]].loops;
        if (has_steps && !owner_of(members_[member])) {
            spans_[member] = wholes[member];
        }
        for (std::vector<Span> *spans : {&spans_[member], has_steps ? &wholes[member] : nullptr}) {
            for (size_t loop = 0; spans && loop < loops.size(); ++loop) {
                spans->resize(loops.size());
                (*spans)[loop].is_whole = (*spans)[loop].is_whole || loops[loop].is_whole;
            }
        }
        const std::vector<Span> &all = has_steps ? wholes[member] : spans_[member];
        slot -= reads.size();
        for (size_t i = 0; i < reads.size(); ++i) {
            const Read &read = reads[i];
            if (!read.is_input && group_.contains(read.source)) {
                const bool is_step = owner_of(read.source) == members_[member] && !read.step.empty();
                widen(spans_[place_[read.source]], is_step ? read.step : read.footprint, spans_[member], is_step);
                if (has_steps) {
                    widen(wholes[place_[read.source]], read.footprint, all, false);
                }
                continue;
            }
            Source &source = sources_[slots_[slot + i]];
            widen(source.spans, read.footprint, all, false);
            source.most += source.is_gathered ? most_bytes(read, members_[member], all) : 0;
        }
    }
}

double GroupPlanner::source_bytes() {
    double total = 0;
    source_rows_ = 0;
    for (Source &source : sources_) {
        double points = 1;
        source.widths.resize(source.spans.size());
        for (size_t dim = 0; dim < source.spans.size(); ++dim) {
            const Span &span = source.spans[dim];
            const int64_t extent = source.extents[dim];
            source.widths[dim] = span.is_whole ? extent : std::min(extent, span.high - span.low + 1);
            points *= static_cast<double>(source.widths[dim]);
        }
        source.pieces = pieces_of(source.widths, source.extents);
        if (!source.spans.empty()) {
            const Span &row = source.spans[0];
            source_rows_ +=
                row.is_whole || row.high == row.low ? 1 : points / static_cast<double>(row.high - row.low + 1);
        }
        source.bytes = points * source.bytes_of_point;
        source.bytes = source.is_gathered ? std::min(source.bytes, source.most) : source.bytes;
        total += source.bytes;
    }
    return total;
}

std::vector<bool> GroupPlanner::task_loops(const TilePlan &plan) const {
    std::vector<bool> are_tasks(plan.tile.size(), false);
    int64_t tasks = 1;
    for (size_t loop = plan.tile.size(); loop-- > 0 && tasks < costs::tasks_of_a_thread * machine_.threads;) {
        are_tasks[loop] = true;
        tasks *= ceiling(graph_.stages[last_].loops[loop].extent, plan.tile[loop]);
    }
    return are_tasks;
}

double GroupPlanner::fetch_sources(const TilePlan &plan, double held) {
    const StageNode &last = graph_.stages[last_];
    const auto second_cache = static_cast<double>(machine_.caches.l2_bytes);
    const std::vector<bool> are_tasks = task_loops(plan);
    const size_t vector = cost_.vector_loop(last_, plan.tile);
    double bytes = 0, asked = 0, fetched = 0;
    std::vector<std::pair<double, double>> before; // by source: bytes and pieces of the box
    for (Source &source : sources_) {
        source.fetched = source.bytes;
        source.begun = source.pieces;
        before.emplace_back(source.bytes, source.pieces);
        bytes += source.bytes;
        asked += source.bytes;
    }
    const double besides = held - bytes;
    std::vector<int64_t> box = plan.tile;
    bool is_held = true;
    for (size_t loop = 0; loop < box.size(); ++loop) {
        const auto count = static_cast<double>(ceiling(last.loops[loop].extent, plan.tile[loop]));
        if (count == 1) {
            continue;
        }
        asked *= count;
        is_held = is_held && !are_tasks[loop] && (besides + bytes) / costs::usable_cache_part <= second_cache;
        if (is_held) {
            box[loop] = last.loops[loop].extent;
            spread(box);
            bytes = source_bytes();
        }
        for (size_t i = 0; i < sources_.size(); ++i) {
            Source &source = sources_[i];
            const auto &[old_bytes, old_pieces] = before[i];
            source.fetched *= is_held ? std::min(count, source.bytes / old_bytes) : count;
            // Rows that go on in the next tile are begun again.
            source.begun *= is_held && loop != vector ? std::min(count, source.pieces / old_pieces) : count;
            before[i] = {source.bytes, source.pieces};
        }
    }
    for (const Source &source : sources_) {
        fetched += source.fetched;
    }
    return std::max(0.0, asked - fetched);
}

std::optional<size_t> GroupPlanner::step_owner(const TilePlan &plan, size_t stage) {
    steps_ = plan.by_steps;
    return owner_of(stage);
}

std::vector<std::vector<int64_t>> GroupPlanner::widths(const TilePlan &plan) {
    steps_ = plan.by_steps;
    spread(plan.tile);
    std::vector<std::vector<int64_t>> result(graph_.stages.size());
    for (size_t member = 0; member < members_.size(); ++member) {
        result[members_[member]] = measured(spans_[member], members_[member]);
    }
    return result;
}

RooflineCost::TileTouches GroupPlanner::touched(const std::vector<int64_t> &tile) {
    steps_ = {};
    spread(tile);
    RooflineCost::TileTouches touches;
    for (size_t member = 0; member < members_.size(); ++member) {
        const double points = product_of(measured(spans_[member], members_[member]));
        touches.points.emplace_back(members_[member], points);
        touches.bytes += points * static_cast<double>(graph_.stages[members_[member]].bytes);
    }
    touches.loaded_bytes = source_bytes();
    touches.bytes += touches.loaded_bytes;
    return touches;
}

bool GroupPlanner::may_slide(size_t loop) const {
    // Every stage moves with the loop, at a whole number of its rows for each of the last stage's.
    std::vector<std::optional<size_t>> follows(members_.size());
    follows[place_[last_]] = loop;
    for (size_t member = members_.size(); member-- > 0;) {
        if (!follows[member] || *follows[member] == 0) {
            return false;
        }
        const StageNode &stage = graph_.stages[members_[member]];
        if (stage.updates > 0) {
            return false;
        }
        for (const Read &read : stage.reads) {
            if (read.is_input || !group_.contains(read.source)) {
                continue;
            }
            for (size_t dim = 0; dim < read.footprint.size(); ++dim) {
                const Footprint &footprint = read.footprint[dim];
                if (footprint.kind == Footprint::Kind::Affine && footprint.loop == *follows[member]) {
                    std::optional<size_t> &place = follows[place_[read.source]];
                    if (footprint.scale.denominator != 1 || (place && *place != dim)) {
                        return false;
                    }
                    place = dim;
                }
            }
        }
    }
    return members_.size() > 1;
}

std::optional<size_t> GroupPlanner::outermost_step(const TilePlan &plan) const {
    const size_t vector = cost_.vector_loop(last_, plan.tile);
    const std::vector<int64_t> sizes = cost_.block_sizes(plan);
    for (size_t loop = plan.tile.size(); loop-- > 0;) {
        if (loop != vector && plan.tile[loop] > sizes[loop]) {
            return loop;
        }
    }
    return {};
}

void GroupPlanner::settle(TilePlan &plan) {
    round_to_blocks(plan);
    // A loop of one iteration in a tile hands nothing on.
    const std::vector<int64_t> sizes = cost_.block_sizes(plan);
    plan.sliding.reset();
    plan.along.reset();
    evaluate(plan);
    if (const std::optional<size_t> columns = column_loop(plan.tile);
        columns && plan.tile[*columns] > sizes[*columns]) {
        TilePlan turned = plan;
        turned.along = columns;
        evaluate(turned);
        if (turned.cycles < plan.cycles) {
            plan = turned;
        }
    }
    // Of stages in registers there are no windows.
    const bool has_windows = plan.in_registers.size() + 1 < members_.size();
    for (const size_t loop : slides_) {
        if (has_windows && plan.tile[loop] > sizes[loop] && !(slides_by_rows_ && sizes[loop] > 1)) {
            TilePlan slid = plan;
            slid.along.reset();
            slid.sliding = loop;
            evaluate(slid);
            if (slid.cycles < plan.cycles) {
                plan = slid;
            }
        }
    }
}

bool GroupPlanner::has_room_to_stream(const TilePlan &plan) const {
    const std::vector<int64_t> sizes = cost_.block_sizes(plan), points = block_points(plan);
    if (points.empty()) {
        return true;
    }
    const size_t vector = cost_.vector_loop(last_, plan.tile);
    const StageNode &last = graph_.stages[last_];
    const bool is_whole = points[vector] * last.bytes >= machine_.caches.line_bytes;
    // Values that are narrowed to be stored are stored in parts of a vector, between parts of other rows.
    const bool is_narrowed = std::any_of(last.blocks.begin(), last.blocks.end(), [&](const BlockWork &block) {
        return block.widest * 4 > static_cast<double>(last.bytes);
    });
    const double rows = product_of(sizes) / static_cast<double>(sizes[vector]);
    const bool are_few = rows <= static_cast<double>(machine_.caches.streamed_rows);
    return is_narrowed ? is_whole && are_few : is_whole || rows <= 1;
}

void GroupPlanner::evaluate(TilePlan &plan) {
    const machine::CacheModel &caches = machine_.caches;
    const StageNode &last = graph_.stages[last_];
    const double threads = machine_.threads;
    steps_ = plan.by_steps;
    // What comes from outside is read row by row; so is what slides.
    std::vector<int64_t> row = plan.tile;
    const std::optional<size_t> steps = plan.sliding ? plan.sliding : outermost_step(plan);
    if (steps) {
        row[*steps] = cost_.block_sizes(plan)[*steps];
    }
    // What sums load again is counted by traffic_of_sums().
    const bool has_sums =
        std::any_of(members_.begin(), members_.end(), [&](size_t member) { return graph_.stages[member].updates > 0; });
    const bool is_steady = steps && !has_sums && (plan.sliding || plan.in_registers.size() + 1 == members_.size());
    const StepTouches step = is_steady ? touches_of_step(plan, row, *steps) : StepTouches();
    spread(row);
    double bytes_between_uses = source_bytes();
    for (size_t member = 0; plan.sliding && member < members_.size(); ++member) {
        row_widths_[member] = measured(spans_[member], members_[member]);
    }
    spread(plan.tile);
    const double live_in = source_bytes();

    plan.tiles = 1;
    int64_t tasks = 1;
    for (size_t loop = last.loops.size(); loop-- > 0;) {
        const int64_t count = ceiling(last.loops[loop].extent, plan.tile[loop]);
        tasks *= tasks < costs::tasks_of_a_thread * machine_.threads ? count : 1;
        plan.tiles *= count;
    }

    double cycles = source_rows_ * caches.row_cycles, handed = 0, computed = 0, touched = live_in;
    for (size_t member = 0; member < members_.size(); ++member) {
        tile_widths_[member] = measured(spans_[member], members_[member]);
        touched += plan.in_registers.contains(members_[member])
                       ? 0
                       : product_of(tile_widths_[member]) * static_cast<double>(graph_.stages[members_[member]].bytes);
    }
    const double shared = fetch_sources(plan, touched);
    for (size_t member = 0; member < members_.size(); ++member) {
        const StageNode &stage = graph_.stages[members_[member]];
        const std::vector<int64_t> &widths = tile_widths_[member];
        const double points = product_of(widths);
        computed += points;
        const double bytes = points * static_cast<double>(stage.bytes);
        if (members_[member] == last_) {
            bytes_between_uses += product_of(row) * static_cast<double>(stage.bytes);
            continue;
        }
        if (plan.in_registers.contains(members_[member])) {
            continue;
        }
        const std::optional<size_t> owner = owner_of(members_[member]);
        const double times = owner ? graph_.stages[*owner].sums[0].steps() : 1;
        const size_t vector = cost_.vector_loop(members_[member], plan.sliding ? row_widths_[member] : widths);
        const int64_t lanes = cost_.lanes(members_[member]);
        const double rows = widths.empty() ? 1 : points / static_cast<double>(widths[vector]);
        const double vectors = widths.empty() ? 1 : rows * static_cast<double>(ceiling(widths[vector], lanes));
        const bool is_sum = !stage.sums.empty();
        const double work = (is_sum ? stage.initial : work_of(members_[member], plan, &widths) - stage.serial) +
                            costs::store_operations * static_cast<double>(stage.bytes) / 4 + stage.turning;
        double own = cycles_of(vectors * static_cast<double>(lanes) * work) + vectors * costs::iteration_cycles +
                     rows * caches.row_cycles;
        const bool is_by_steps = plan.by_steps.contains(members_[member]);
        own += is_sum ? cost_.sum_plan(members_[member], widths, is_by_steps).cycles
                      : points * stage.serial / caches.vector_operations;
        cycles += own * times;
        computed += points * (times - 1);
        handed += 2 * bytes * (is_by_steps ? stage.sums[0].steps() : times);
        bytes_between_uses += plan.sliding ? product_of(row_widths_[member]) * static_cast<double>(stage.bytes) : bytes;
        cycles += plan.tiles > 1 ? caches.allocation_cycles : 0;
    }
    const bool has_own_sums = !last.sums.empty();
    if (has_own_sums) {
        const double points = product_of(plan.tile);
        cycles += cycles_of(points * (last.initial + costs::store_operations * static_cast<double>(last.bytes) / 4));
        const SumPlan sums = cost_.sum_plan(last_, plan.tile, false, true);
        cycles += sums.cycles + points * stored_apart(plan.tile, sums.block);
        // Its loops are tasks, in no tiles.
        const bool is_by_rows = sum_loops(last_, plan.tile).front() == cost_.vector_loop(last_, plan.tile);
        const int64_t outer = is_by_rows ? cost_.tasks_around(last_, plan.tile, sums.block)
                                         : plan.tile[sum_loops(last_, plan.tile).back()];
        tasks = std::min(outer, costs::tasks_of_a_thread * machine_.threads);
    } else {
        cycles += block_cycles(plan);
        tasks =
            last.updates > 0 ? std::min(cost_.update_tasks(last_), costs::tasks_of_a_thread * machine_.threads) : tasks;
    }
    const double tiles = static_cast<double>(plan.tiles);
    plan.tile_bytes = static_cast<int64_t>(is_steady ? step.held : bytes_between_uses);
    plan.recomputed = std::max(0.0, computed * tiles / needed_ - 1);
    plan.arithmetic = cycles * tiles;

    const double last_cache = static_cast<double>(caches.llc_bytes);
    double held = bytes_between_uses / costs::usable_cache_part, handed_all = handed + live_in;
    if (is_steady) { // what a step loads is loaded again by the next one
        held = step.held / costs::usable_cache_part;
        handed_all = handed / 2 + step.loaded * static_cast<double>(ceiling(plan.tile[*steps], row[*steps]));
    }
    const double hand_rate = held <= static_cast<double>(caches.l1_bytes)   ? 0
                             : held <= static_cast<double>(caches.l2_bytes) ? caches.l2_rate
                             : held * threads <= last_cache                 ? caches.llc_rate
                                                                            : caches.memory_rate;
    plan.caches = hand_rate > 0 ? handed_all * tiles / hand_rate : 0;
    const Traffic again = traffic_of_sums(plan);
    const Traffic columns = column_traffic(plan);
    const Traffic turned = turned_traffic(plan);
    plan.caches += (again.caches + columns.caches + turned.caches) * tiles;
    plan.caches += hand_rate > 0 ? 0 : shared / caches.l2_rate;
    plan.arithmetic += (again.pages + columns.pages + turned.pages) * tiles;
    plan.memory = 0;
    for (const Source &source : sources_) {
        const double whole = source.is_input ? cost_.input_bytes_[source.index] : cost_.stage_bytes_[source.index];
        const double asked =
            source.is_gathered ? std::min(source.fetched, caches.gathered_lines * whole) : source.fetched;
        const double once = std::min(asked, whole);
        const double rate = whole > last_cache / 2 ? caches.memory_rate : caches.llc_rate;
        plan.memory += once / rate + (asked - once) / caches.llc_rate;
        plan.memory += whole > last_cache / 2 && !source.is_gathered ? source.begun * caches.stream_cycles : 0;
    }
    const double result = cost_.stage_bytes_[last_];
    plan.streams = cost_.may_stream(last_) && has_room_to_stream(plan);
    // Without streaming, a line is read before it is written.
    plan.memory += (plan.streams ? 1 : 2) * result / (result > last_cache / 2 ? caches.memory_rate : caches.llc_rate);
    // Along columns, each block begins lines of its own; streamed, these wait for nothing.
    plan.memory += result > last_cache / 2 && !(plan.along && plan.streams)
                       ? pieces_of(plan.tile, last_extents_) * tiles * caches.stream_cycles
                       : 0;
    const bool is_fresh = !last.is_output && result > static_cast<double>(caches.kept_bytes);
    plan.fresh = is_fresh ? result * caches.fresh_byte_cycles : 0;
    plan.arithmetic += plan.fresh;

    const double inside =
        std::max(plan.arithmetic, plan.caches) + costs::unhidden_across_loops * std::min(plan.arithmetic, plan.caches);
    const bool is_one_loop = plan.in_registers.size() + 1 == members_.size();
    const double all =
        std::max(inside, plan.memory) +
        (is_one_loop ? costs::unhidden_in_one_loop : costs::unhidden_across_loops) * std::min(inside, plan.memory);
    const double rounds = static_cast<double>(ceiling(tasks, machine_.threads));
    plan.cycles = all * (rounds + (tasks > 1 ? costs::last_task_excess : 0)) / static_cast<double>(tasks);
    plan.cycles += tasks > 1 ? caches.task_cycles * (1 + rounds) : 0;
}

std::vector<int64_t> GroupPlanner::candidates(size_t loop, size_t vector) const {
    const int64_t extent = graph_.stages[last_].loops[loop].extent;
    std::vector<int64_t> result{extent};
    const auto add = [&](int64_t size) {
        if (size < extent && std::find(result.begin(), result.end(), size) == result.end()) {
            result.push_back(size);
        }
    };
    if (loop == vector) {
        for (const int64_t vectors : costs::tile_vectors) {
            add(vectors * cost_.lanes(last_));
        }
        return result;
    }
    add(1);
    if (extent > costs::longest_small_loop) {
        for (const int64_t size : costs::tile_rows) {
            add(size);
        }
        for (const int64_t share : costs::tile_shares) {
            add(ceiling(extent, machine_.threads * share));
        }
    }
    return result;
}

std::map<std::vector<int64_t>, double> &GroupPlanner::settled_with(const TilePlan &plan) {
    const auto is_alike = [&](const Settled &known) {
        return known.block == plan.block && known.in_registers == plan.in_registers && known.by_steps == plan.by_steps;
    };
    const auto known = std::find_if(settled_.begin(), settled_.end(), is_alike);
    if (known != settled_.end()) {
        return known->cycles;
    }
    settled_.push_back({plan.block, plan.in_registers, plan.by_steps, {}});
    return settled_.back().cycles;
}

void GroupPlanner::descend(TilePlan &best, const std::vector<std::vector<int64_t>> &choices) {
    choose_block(best);
    for (int round = 0; round < costs::most_descents; ++round) {
        const double before = best.cycles;
        std::map<std::vector<int64_t>, double> &settled = settled_with(best);
        for (size_t loop = choices.size(); loop-- > 0;) {
            for (const int64_t size : choices[loop]) {
                if (size == best.tile[loop]) {
                    continue;
                }
                TilePlan other = best;
                other.tile[loop] = size;
                round_to_blocks(other);
                const auto [known, is_new] = settled.try_emplace(other.tile);
                if (!is_new && known->second >= best.cycles) {
                    continue;
                }
                settle(other);
                known->second = other.cycles;
                if (other.cycles < best.cycles) {
                    best = other;
                }
            }
        }
        if (best.cycles >= before) {
            break;
        }
        choose_block(best);
    }
}

TilePlan GroupPlanner::best(Slides most) {
    const StageNode &last = graph_.stages[last_];
    std::vector<int64_t> whole;
    for (const LoopExtent &loop : last.loops) {
        whole.push_back(loop.extent);
    }
    const size_t vector = cost_.vector_loop(last_, whole);
    std::vector<std::vector<int64_t>> choices;
    slides_.clear();
    slides_by_rows_ = most == Slides::Rows;
    for (size_t loop = 0; loop < whole.size(); ++loop) {
        choices.push_back(candidates(loop, vector));
        if (most != Slides::None && loop != vector && may_slide(loop)) {
            slides_.push_back(loop);
        }
    }
    TilePlan plan;
    plan.last = last_;
    plan.tile = whole;
    if (last.updates > 0) { // each of its stages has loops of its own
        evaluate(plan);
        return plan;
    }
    const bool has_steps = !stepped_.empty();
    TilePlan square = plan, steps = plan;
    for (size_t loop = 0; loop < whole.size(); ++loop) {
        square.tile[loop] = std::min<int64_t>(
            whole[loop], loop == vector ? costs::first_tile_vectors * cost_.lanes(last_) : costs::first_tile_rows);
    }
    steps = square;
    steps.by_steps = stepped_;
    descend(plan, choices);
    descend(square, choices);
    plan = square.cycles < plan.cycles ? square : plan;
    if (has_steps) {
        descend(steps, choices);
        plan = steps.cycles < plan.cycles ? steps : plan;
    }
    return plan;
}

} // namespace fluorite::autoschedule
