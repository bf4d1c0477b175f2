// Runs a case on several ranks. Each rank's memory is poisoned, has its own part of the distributed inputs only, and
// its part of the results is compared bit for bit.

#include "ranks.h"

#include "distributed/run_parts.h"
#include "driver/on_ranks/load_for_ranks.h"
#include "interpret/compare.h"
#include "ir/parameter.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/transport/thread_transport.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <random>

namespace fluorite::fuzz {

namespace {

using distribute::ArrayView;
using distribute::Placement;
using distribute::view_of;

constexpr unsigned most_ranks = 6;

/// Compares a box of two arrays. All NaNs are equal.
bool same_bits(const ArrayView &a, const ArrayView &b, const distribute::Box &box, fluorite_type_t type) {
    if (empty(box)) {
        return true;
    }
    std::vector<fluorite_dimension_t> dims;
    int64_t stride = 1;
    for (const distribute::Span &span : box) {
        dims.emplace_back(static_cast<int32_t>(span.begin), static_cast<int32_t>(span.extent()),
                          static_cast<int32_t>(stride));
        stride *= span.extent();
    }
    std::vector<char> packed[2];
    fluorite_buffer_t headers[2] = {};
    for (size_t side = 0; side < 2; side++) {
        packed[side].resize(static_cast<size_t>(volume(box) * a.bytes));
        distribute::pack(side == 0 ? a : b, box, packed[side].data());
        headers[side].type = type;
        headers[side].dimensions = static_cast<int32_t>(dims.size());
        headers[side].dim = dims.data();
        headers[side].host = reinterpret_cast<uint8_t *>(packed[side].data()); // NOLINT
    }
    return interpret::compare_bits(headers[0], headers[1]).differing == 0;
}

class Draw {
  public:
    explicit Draw(uint64_t seed) : random_(seed) {}
    unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
    bool one_in(unsigned count) { return below(count) == 0; }

    Placement placement(size_t dimensions, bool is_output) {
        Placement placement;
        if (dimensions == 0 || one_in(5)) {
            return placement; // everywhere
        }
        if (!is_output && one_in(4)) {
            placement.kind = Placement::Kind::Rank;
            return placement;
        }
        placement.kind = Placement::Kind::Blocks;
        for (size_t d = 0; d < dimensions; d++) {
            if (one_in(2)) {
                placement.dimensions.push_back(d);
            }
        }
        if (placement.dimensions.empty()) {
            placement.dimensions.push_back(below(static_cast<unsigned>(dimensions)));
        }
        if (one_in(4)) {
            placement.most_ranks = 1 + below(most_ranks);
        }
        if (one_in(4)) {
            for (size_t d = 0; d < dimensions; d++) {
                placement.tiles.push_back(1 + below(5));
            }
        }
        return placement;
    }

  private:
    std::mt19937_64 random_;
};

distributed::Distribution draw_distribution(const schedule::ScheduledGraph &pipeline, Draw &draw) {
    const schedule::ScheduledGraph &used = distributed::computed(pipeline);
    distributed::Distribution distribution;
    for (const ir::FuncDef &func : used.graph.funcs) {
        const bool is_output = used.graph.is_output(func.id());
        if (is_output || (used.schedule.func(func.id()).compute.is_root() && !draw.one_in(3))) {
            distribution.funcs[func.name()] = draw.placement(func.dimensions(), is_output);
        }
    }
    for (const ir::InputDef &input : used.graph.inputs) {
        if (input.dimensions > 0 && input.parameter->buffer && !draw.one_in(3)) {
            Placement placement = draw.placement(static_cast<size_t>(input.dimensions), true);
            distribution.inputs[input.symbol.name()] = placement;
        }
    }
    return distribution;
}

} // namespace

RanksOutcome run_on_ranks(const schedule::ScheduledGraph &pipeline, const Target &target,
                          const std::vector<fluorite_buffer_t *> &expected, uint64_t seed) {
    Draw draw(seed);
    const distributed::Distribution distribution = draw_distribution(pipeline, draw);
    const int64_t ranks = 1 + draw.below(most_ranks);
    RanksOutcome outcome;
    try {
        distributed::RankPipeline lowered = driver::lowered_for_ranks(pipeline, target, distribution, "fuzzed", {});
        lowered.description.poisons = true;
        const auto distributed = driver::load_for_ranks(std::move(lowered), target, {});
        std::mutex mutex;
        distribute::ThreadRanks threads(ranks);
        if (draw.one_in(2)) {
            threads.read_in_place(1);
        }
        threads.run([&](distribute::Transport &transport) {
            const distributed::RankParts parts =
                distributed::run_parts(*distributed, distribution, {expected.begin(), expected.end()}, transport);
            const std::lock_guard lock(mutex);
            for (size_t k = 0; k < expected.size(); k++) {
                const ArrayView part = view_of(*parts.outputs[k].raw_buffer());
                if (!same_bits(part, view_of(*expected[k]), part.box, expected[k]->type)) {
                    outcome.difference = "value " + std::to_string(k) + ": rank " + std::to_string(transport.rank()) +
                                         " of " + std::to_string(ranks) + " differs in " + to_string(part.box);
                }
            }
        });
        outcome.ran = true;
    } catch (const Error &error) {
        outcome.difference = error.slug();
        outcome.error = error.what();
    }
    return outcome;
}

} // namespace fluorite::fuzz
