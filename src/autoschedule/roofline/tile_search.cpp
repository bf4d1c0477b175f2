// Descent over tiles.
//
// The best tile is found one loop after the other, from two tiles: a whole and a square one; with reductions for whose
// steps other members can be computed, from the square one once more. That is no optimum, but costs of a loop have one
// or two valleys.
//
// Cost: some hundred evaluations, each linear in the reads of the group.
#include "autoschedule/roofline/tile_search.h"

#include "autoschedule/costs.h"
#include "autoschedule/roofline/block_choice.h"
#include "autoschedule/roofline/column_reads.h"
#include "autoschedule/roofline/sliding.h"
#include "autoschedule/roofline/tile_cost.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

void round_to_blocks(const GroupModel &model, TilePlan &plan) {
    const StageNode &last = model.group.last_node();
    const size_t vector = model.vector_loop(plan.tile);
    for (size_t loop = 0; loop < plan.tile.size(); ++loop) {
        const int64_t extent = last.loops[loop].extent, size = GroupModel::block_size(plan, loop);
        const bool is_whole = last.loops[loop].is_constant && size == extent;
        const int64_t points = size * (loop == vector ? model.cost.lanes(model.group.last) : 1);
        const int64_t unit = size > 1 ? points : 1;
        plan.tile[loop] = is_whole ? extent : std::min(extent, ceiling(plan.tile[loop], unit) * unit);
    }
}

} // namespace

TileSearch::TileSearch(const GroupModel &model, Slides most) : model_(model), most_(most) {
    const StageNode &last = model.group.last_node();
    const size_t vector = model.vector_loop(extents_of(last));
    for (size_t loop = 0; loop < last.loops.size(); ++loop) {
        if (most != Slides::None && loop != vector && may_slide(model.group, loop)) {
            slides_.push_back(loop);
        }
    }
}

void TileSearch::complete(TilePlan &plan) const {
    round_to_blocks(model_, plan);
    plan.sliding.reset();
    plan.along.reset();
    evaluate(model_, plan);
    // A loop of one iteration in a tile hands nothing on.
    const std::optional<size_t> columns = column_loop(model_, plan.tile);
    if (columns && plan.tile[*columns] > GroupModel::block_size(plan, *columns)) {
        TilePlan by_columns = plan;
        by_columns.along = columns;
        evaluate(model_, by_columns);
        if (by_columns.cycles < plan.cycles) {
            plan = by_columns;
        }
    }
    // Stages in registers have no windows.
    for (size_t i = 0; i < slides_.size() && !model_.is_one_loop(plan); ++i) {
        const size_t loop = slides_[i];
        if (plan.tile[loop] > GroupModel::block_size(plan, loop) &&
            !(most_ == Slides::Rows && GroupModel::block_size(plan, loop) > 1)) {
            TilePlan slid = plan;
            slid.along.reset();
            slid.sliding = loop;
            evaluate(model_, slid);
            if (slid.cycles < plan.cycles) {
                plan = slid;
            }
        }
    }
}

std::vector<int64_t> TileSearch::candidates(size_t loop, size_t vector) const {
    const int64_t extent = model_.group.last_node().loops[loop].extent;
    std::vector<int64_t> result{extent};
    const auto add = [&](int64_t size) {
        if (size < extent && std::find(result.begin(), result.end(), size) == result.end()) {
            result.push_back(size);
        }
    };
    if (loop == vector) {
        for (const int64_t vectors : costs::tile_vectors) {
            add(vectors * model_.cost.lanes(model_.group.last));
        }
        return result;
    }
    add(1);
    if (extent > costs::longest_small_loop) {
        for (const int64_t size : costs::tile_rows) {
            add(size);
        }
        for (const int64_t share : costs::tile_shares) {
            add(ceiling(extent, model_.machine().threads * share));
        }
    }
    return result;
}

std::map<std::vector<int64_t>, double> &TileSearch::priced_with(const TilePlan &plan) {
    const auto known = std::find_if(priced_.begin(), priced_.end(), [&](const Priced &other) {
        return other.block == plan.block && other.in_registers == plan.in_registers && other.by_steps == plan.by_steps;
    });
    if (known != priced_.end()) {
        return known->cycles;
    }
    priced_.push_back({plan.block, plan.in_registers, plan.by_steps, {}});
    return priced_.back().cycles;
}

void TileSearch::improve(TilePlan &best, const std::vector<std::vector<int64_t>> &choices) {
    std::map<std::vector<int64_t>, double> &priced = priced_with(best);
    for (size_t loop = choices.size(); loop-- > 0;) {
        for (const int64_t size : choices[loop]) {
            if (size == best.tile[loop]) {
                continue;
            }
            TilePlan other = best;
            other.tile[loop] = size;
            round_to_blocks(model_, other);
            const auto [known, is_new] = priced.try_emplace(other.tile);
            if (!is_new && known->second >= best.cycles) {
                continue;
            }
            complete(other);
            known->second = other.cycles;
            if (other.cycles < best.cycles) {
                best = other;
            }
        }
    }
}

void TileSearch::descend(TilePlan &best, const std::vector<std::vector<int64_t>> &choices) {
    BlockChoices blocks;
    choose_block(model_, *this, blocks, best);
    for (int round = 0; round < costs::most_descents; ++round) {
        const double before = best.cycles;
        improve(best, choices);
        if (best.cycles >= before) {
            break;
        }
        choose_block(model_, *this, blocks, best);
    }
}

TilePlan TileSearch::run() {
    const StageNode &last = model_.group.last_node();
    TilePlan whole;
    whole.last = model_.group.last;
    whole.tile = extents_of(last);
    if (last.updates > 0) { // each of its stages has loops of its own
        evaluate(model_, whole);
        return whole;
    }
    const size_t vector = model_.vector_loop(whole.tile);
    std::vector<std::vector<int64_t>> choices;
    TilePlan square = whole;
    for (size_t loop = 0; loop < whole.tile.size(); ++loop) {
        choices.push_back(candidates(loop, vector));
        const int64_t size =
            loop == vector ? costs::first_tile_vectors * model_.cost.lanes(model_.group.last) : costs::first_tile_rows;
        square.tile[loop] = std::min(whole.tile[loop], size);
    }
    TilePlan by_steps = square;
    by_steps.by_steps = model_.group.step_reductions;
    descend(whole, choices);
    descend(square, choices);
    TilePlan best = square.cycles < whole.cycles ? square : whole;
    if (!by_steps.by_steps.empty()) {
        descend(by_steps, choices);
        best = by_steps.cycles < best.cycles ? by_steps : best;
    }
    return best;
}

} // namespace fluorite::autoschedule
