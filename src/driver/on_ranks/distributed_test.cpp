// Pipelines on ranks that are threads: the bits of an ordinary run, for every number of ranks.
#include "distributed/run_parts.h"

#include "driver/compiled.h"
#include "driver/on_ranks/load_for_ranks.h"
#include "fluorite/fluorite.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_errors.h"

#include <cstring>
#include <mutex>
#include <random>

namespace fluorite::driver::distributed_test {
namespace {

using distribute::Placement;
using distribute::RankPlan;

Placement blocks(std::vector<size_t> dimensions, std::vector<int64_t> grid = {}, std::vector<int64_t> tiles = {}) {
    return {Placement::Kind::Blocks, std::move(dimensions), std::move(grid), std::move(tiles)};
}
const Placement everywhere = {Placement::Kind::Everywhere, {}, {}, {}};
const Placement as_needed = {Placement::Kind::Rank, {}, {}, {}};

/// A pipeline with its inputs, which ranks have parts of.
struct Case {
    Func output;
    std::vector<std::pair<ImageParam, Buffer<>>> inputs;
    distributed::Distribution distribution;

    void bind(ImageParam input, const Buffer<> &buffer, const Placement &placement) {
        std::mt19937 random(11);
        auto *bytes = reinterpret_cast<uint8_t *>(buffer.raw_buffer()->host);
        for (size_t i = 0; i < buffer.size_in_bytes(); i++) {
            bytes[i] = static_cast<uint8_t>(random() % 100);
        }
        input.set(buffer);
        inputs.emplace_back(input, buffer);
        distribution.inputs[input.name()] = placement;
    }

    std::vector<Buffer<>> plain(const std::vector<int> &sizes) { return output.realize(sizes).buffers(); }

    /// Runs on ranks, on inputs of which each rank has its part only; returns the plans.
    std::vector<RankPlan> expect_same(const std::vector<Buffer<>> &expected, int64_t ranks) {
        const std::unique_ptr<distributed::PipelineOnRanks> pipeline = compiled();
        std::vector<RankPlan> plans(static_cast<size_t>(ranks));
        std::vector<Buffer<>> results;
        std::vector<const fluorite_buffer_t *> wholes;
        for (const Buffer<> &whole : expected) {
            wholes.push_back(whole.raw_buffer());
            results.push_back(whole.copy());
            distribute::poison(distribute::view_of(*results.back().raw_buffer()));
        }
        std::mutex mutex;
        distribute::ThreadRanks(ranks).run([&](distribute::Transport &transport) {
            const distributed::RankParts parts = distributed::run_parts(*pipeline, distribution, wholes, transport);
            const std::lock_guard lock(mutex);
            plans[static_cast<size_t>(transport.rank())] = parts.plan;
            for (size_t k = 0; k < results.size(); k++) {
                const auto part = distribute::view_of(*parts.outputs[k].raw_buffer());
                distribute::copy_box(part, part.box, distribute::view_of(*results[k].raw_buffer()), part.box);
            }
        });
        for (size_t k = 0; k < results.size(); k++) {
            EXPECT_EQ(
                std::memcmp(results[k].raw_buffer()->host, expected[k].raw_buffer()->host, expected[k].size_in_bytes()),
                0)
                << "value " << k << " on " << ranks << " ranks";
        }
        return plans;
    }

    void expect_same_on_all(const std::vector<int> &sizes) {
        const std::vector<Buffer<>> expected = plain(sizes);
        for (const int64_t ranks : {1, 2, 3, 4, 7, 16}) {
            (void)expect_same(expected, ranks);
        }
    }

    std::unique_ptr<distributed::PipelineOnRanks> compiled() {
        const Target target = get_jit_target_from_environment();
        distributed::RankPipeline lowered =
            lowered_for_ranks(freeze_for(*Pipeline(output).contents(), target), target, distribution,
                              function_name(*Pipeline(output).contents()), {});
        lowered.description.poisons = true;
        return load_for_ranks(std::move(lowered), target, {});
    }
};

class Distributed : public ::testing::Test {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, yo{"yo"}, yi{"yi"};
    ImageParam in{UInt(8), 2, "in"};

    /// A separable blur over a clamped image.
    Case blur(int w, int h, const Placement &rows, const Placement &columns, const Placement &image) {
        Case one;
        Func clamped = BoundaryConditions::repeat_edge(in), wide("wide"), blur_x("blur_x"), blur_y("blur_y");
        wide(x, y) = cast<uint16_t>(clamped(x, y));
        blur_x(x, y) = (wide(x - 1, y) + wide(x, y) + wide(x + 1, y)) / 3;
        blur_y(x, y) = cast<uint8_t>((blur_x(x, y - 2) + blur_x(x, y) + blur_x(x, y + 1)) / 3);
        blur_x.compute_root().vectorize(x, 8).parallel(y, 4);
        blur_y.split(y, yo, yi, 8).vectorize(x, 16).parallel(yo);
        one.output = blur_y;
        one.bind(in, Buffer<uint8_t>(w, h), image);
        one.distribution.funcs = {{"blur_x", rows}, {"blur_y", columns}};
        return one;
    }
};

TEST_F(Distributed, StencilsOnStripsAndGrids) {
    for (const auto &[w, h] : {std::pair(64, 48), {33, 17}, {17, 5}}) {
        blur(w, h, blocks({1}), blocks({1}), blocks({1})).expect_same_on_all({w, h});
        blur(w, h, blocks({0, 1}), blocks({0, 1}), blocks({0, 1})).expect_same_on_all({w, h});
    }
}

TEST_F(Distributed, LayoutsChangeAndStagesAreRecomputed) {
    blur(37, 29, blocks({0}), blocks({1}), blocks({0, 1})).expect_same_on_all({37, 29});
    blur(37, 29, as_needed, blocks({1}), blocks({1})).expect_same_on_all({37, 29});
    blur(37, 29, everywhere, blocks({0}), blocks({1})).expect_same_on_all({37, 29});
    blur(37, 29, blocks({1}, {}, {1, 8}), blocks({1}, {}, {1, 8}), everywhere).expect_same_on_all({37, 29});
}

TEST_F(Distributed, OutputsHaveTheOrderInMemoryThatTheyAreGiven) {
    for (const bool is_inner_too : {false, true}) {
        Case one = blur(37, 29, blocks({1}), blocks({1}), blocks({1}));
        Func turned("turned");
        turned(x, y) = one.output(x, y) * 2;
        turned.reorder_storage(y, x);
        one.output.compute_root();
        if (is_inner_too) {
            one.output.reorder_storage(y, x);
        }
        one.distribution.funcs["turned"] = blocks({0});
        one.output = turned;
        one.expect_same_on_all({37, 29});
    }
}

TEST_F(Distributed, HalosAreWhatIsRead) {
    Case one = blur(64, 64, blocks({1}), blocks({1}), blocks({1}));
    Func rows("rows"), result("result");
    rows(x, y) = cast<uint16_t>(in(x, y)) * 3;
    const Func inside = BoundaryConditions::repeat_edge(rows, {{0, in.width()}, {0, in.height()}});
    result(x, y) = inside(x - 1, y - 2) + inside(x, y) + inside(x, y + 1);
    rows.compute_root().vectorize(x, 8);
    one.output = result;
    one.distribution.funcs = {{"rows", blocks({1})}, {"result", blocks({1})}};
    const std::vector<RankPlan> plans = one.expect_same(one.plain({64, 64}), 4);
    for (const int64_t rank : {0, 1, 3}) {
        const RankPlan &plan = plans[static_cast<size_t>(rank)];
        ASSERT_EQ(plan.exchanges.size(), 2U);
        EXPECT_EQ(plan.exchanges[0].plan.bytes_received(), 0); // rows of the image are its own
        // Two rows above, one below, of uint16.
        EXPECT_EQ(plan.exchanges[1].plan.bytes_received(), (rank == 0 ? 1 : rank == 3 ? 2 : 3) * 64 * 2);
        EXPECT_EQ(plan.exchanges[1].plan.receives.size(), rank == 1 ? 2U : 1U);
    }
}

TEST_F(Distributed, HalosAroundADomainMoveNoCuts) {
    Case one = blur(64, 64, blocks({1}), blocks({1}), blocks({1}));
    const std::vector<RankPlan> plans = one.expect_same(one.plain({64, 64}), 4);
    EXPECT_EQ(to_string(plans[0].owned[1]), "[0, 64) x [-2, 16)"); // of blur_x, which is computed over [-2, 65)
    EXPECT_EQ(to_string(plans[1].owned[1]), "[0, 64) x [16, 32)");
    EXPECT_EQ(to_string(plans[3].owned[1]), "[0, 64) x [48, 65)");
    EXPECT_EQ(plans[1].exchanges[0].plan.bytes_received(), 0);
    EXPECT_EQ(plans[1].exchanges[1].plan.bytes_received(), 3 * 64 * 2);
}

TEST_F(Distributed, WindowsSlideWithinSlices) {
    Case one = blur(40, 50, as_needed, blocks({1}), blocks({1}));
    one.distribution.funcs.erase("blur_x");
    Func wide("w"), sharp("sharp"), result("result");
    Func clamped = BoundaryConditions::mirror_interior(in);
    wide(x, y) = cast<float>(clamped(x, y)) * 0.25F;
    sharp(x, y) = wide(x - 1, y) + wide(x + 1, y + 1) - wide(x, y - 3);
    result(x, y) = sharp(x, y - 1) * 2 + sharp(x, y + 1);
    wide.store_at(result, yo).compute_at(result, yi).vectorize(x, 8);
    sharp.store_at(result, yo).compute_at(result, yi).vectorize(x, 8);
    result.split(y, yo, yi, 6, TailStrategy::GuardWithIf).parallel(yo).vectorize(x, 8, TailStrategy::ShiftInwards);
    one.output = result;
    one.distribution.funcs = {{"result", blocks({1})}};
    one.expect_same_on_all({40, 50});
}

TEST_F(Distributed, PyramidsWithCoarseLevelsEverywhere) {
    for (const auto &[w, h] : {std::pair(64, 64), {45, 31}}) {
        Case one;
        Func level = BoundaryConditions::repeat_edge(in);
        std::vector<Func> down, up;
        for (int l = 0; l < 4; l++) {
            Func f("down" + std::to_string(l));
            f(x, y) = l == 0 ? cast<float>(level(x, y))
                             : (down.back()(2 * x, 2 * y) + down.back()(2 * x + 1, 2 * y - 1)) * 0.5F;
            f.compute_root().vectorize(x, 8);
            one.distribution.funcs[f.name()] = l < 2 ? blocks({1}) : l == 2 ? blocks({0, 1}) : everywhere;
            down.push_back(f);
        }
        Func above = down.back();
        for (int l = 2; l >= 0; l--) {
            Func f("up" + std::to_string(l));
            f(x, y) =
                above(x / 2, y / 2) * 0.75F + above(x / 2 + 1, y / 2 - 1) * 0.25F + down[static_cast<size_t>(l)](x, y);
            f.compute_root().vectorize(x, 8);
            one.distribution.funcs[f.name()] = l == 1 ? as_needed : blocks({1});
            above = f;
        }
        one.output = above;
        one.bind(in, Buffer<uint8_t>(w, h), blocks({1}));
        one.expect_same_on_all({w, h});
    }
}

TEST_F(Distributed, TuplesUpdatesAndReductions) {
    Case one;
    Func total("total"), pair("pair"), result("result");
    RDom r(0, in.width(), 0, in.height(), "r"), k(0, 5, "k");
    total() = cast<int64_t>(0);
    total() += cast<int64_t>(in(r.x, r.y));
    pair(x, y) = Tuple(cast<int32_t>(in(x, y)), cast<double>(x * y));
    pair(x, y) = Tuple(pair(x, y)[0] + k, pair(x, y)[1] * 0.5 + cast<double>(k));
    const Expr above = clamp(y - 1, 0, in.height() - 1);
    result(x, y) = Tuple(pair(x, above)[0] + cast<int32_t>(total() % 1000), pair(in.width() - 1 - x, y)[1]);
    total.compute_root();
    pair.compute_root().update().reorder(x, y, k);
    one.output = result;
    one.distribution.funcs = {{"total", everywhere}, {"pair", blocks({1})}, {"result", blocks({0})}};
    one.bind(in, Buffer<uint8_t>(21, 19), blocks({1}));
    one.expect_same_on_all({21, 19});
}

TEST_F(Distributed, ThreeDimensionsPeriodicEdgesAndParams) {
    Case one;
    ImageParam field(Float(32), 3, "field");
    Param<float> weight("weight");
    weight.set(0.3F);
    Func around = BoundaryConditions::repeat_image(field), first("first"), second("second");
    first(x, y, z) = around(x, y, z) * weight + around(x - 1, y, z) + around(x, y + 1, z) - around(x, y, z - 1);
    Func again =
        BoundaryConditions::repeat_image(first, {{0, field.width()}, {0, field.height()}, {0, field.channels()}});
    second(x, y, z) = again(x + 1, y - 1, z) * 0.5F + again(x, y, z + 1);
    first.compute_root().vectorize(x, 4).parallel(z);
    second.vectorize(x, 4, TailStrategy::GuardWithIf);
    one.output = second;
    one.distribution.funcs = {{"first", blocks({1, 2})}, {"second", blocks({0, 1, 2})}};
    one.bind(field, Buffer<float>(9, 8, 11), blocks({2}));
    one.expect_same_on_all({9, 8, 11});
}

TEST_F(Distributed, PrefetchesOfWhatInlinedFuncsRead) {
    Case one = blur(40, 30, blocks({1}), blocks({1}), blocks({1}));
    Func first("first"), inlined("inlined"), result("result");
    first(x, y) = cast<uint16_t>(in(x, clamp(y, 0, in.height() - 1))) * 3;
    inlined(x, y) = first(x, y + 1) + first(x, y);
    result(x, y) = inlined(x, y) + inlined(x, y + 2);
    first.compute_root();
    result.prefetch(first, y, y, 2);
    one.output = result;
    one.distribution.funcs = {{"first", blocks({1})}, {"result", blocks({1})}};
    one.expect_same_on_all({40, 30});
}

// In the segment that reads them, the coordinates are values of an image; what bounds them is the definition.
TEST_F(Distributed, CoordinatesThatAreValuesOfOtherFuncs) {
    Case one = blur(40, 30, blocks({1}), blocks({1}), blocks({1}));
    Func at("at"), warped("warped"), counts("counts"), result("result");
    RDom r(0, 40, 0, 30);
    at(x, y) = clamp(cast<int>(in(x, y)) % 64, 0, 29);
    warped(x, y) = cast<int>(in(at(x, y), 29 - at(x, y)));
    counts(x) = 0;
    counts(at(r.x, r.y)) += 1;
    result(x, y) = warped(x, y) + counts(at(x, y));
    at.compute_root();
    warped.compute_root();
    counts.compute_root();
    one.output = result;
    one.distribution.funcs = {{"at", blocks({1})}, {"warped", blocks({0})}, {"result", blocks({1})}};
    one.expect_same_on_all({40, 30});
}

TEST_F(Distributed, WhatIsDistributedIsComputedAsAWhole) {
    Case one = blur(16, 16, blocks({1}), blocks({1}), blocks({1}));
    one.distribution.funcs["wide"] = blocks({1});
    expect_error<CompileError>(
        [&] { (void)one.compiled(); }, "distributed-func",
        "in wide: it is distributed, but not computed at root; ranks exchange what is computed as "
        "a whole; call compute_root() or compute_rank()");
    one.distribution.funcs.erase("wide");
    one.distribution.funcs["other"] = blocks({1});
    expect_error<CompileError>([&] { (void)one.compiled(); }, "distributed-func",
                               "in other: it is distributed, but the pipeline has no Func of this name; what is "
                               "distributed takes part in the pipeline; use its name");
}

} // namespace
} // namespace fluorite::driver::distributed_test
