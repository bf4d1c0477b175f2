// Chains of stages with a boundary condition each, computed in the loops of the next one: what is bound at the sites
// from which regions are seen stays short in a chain of any length, results for several schedules share it, and values
// are those of the interpreter.
#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "loopnest/loop_nest.h"
#include "loopnest/loop_nests.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace fluorite::boundary_chains_test {
namespace {

enum class Rule : uint8_t { RepeatEdge, Constant, MirrorImage, MirrorInterior, RepeatImage };
constexpr Rule all_rules[] = {Rule::RepeatEdge, Rule::Constant, Rule::MirrorImage, Rule::MirrorInterior,
                              Rule::RepeatImage};

Func continued(const Func &stage, Rule rule, const Region &box) {
    switch (rule) {
    case Rule::Constant:
        return BoundaryConditions::constant_exterior(stage, cast(stage.type(), 7), box);
    case Rule::MirrorImage:
        return BoundaryConditions::mirror_image(stage, box);
    case Rule::MirrorInterior:
        return BoundaryConditions::mirror_interior(stage, box);
    case Rule::RepeatImage:
        return BoundaryConditions::repeat_image(stage, box);
    case Rule::RepeatEdge:
        break;
    }
    return BoundaryConditions::repeat_edge(stage, box);
}

enum class Place : uint8_t { Root, Rows, Pixels, Strips, Tiles, Hoisted };

enum class Updates : uint8_t { None, EveryThird };

/// Stages of three points each over a picture of width x height.
struct Chain {
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Param<int> width{"width"}, height{"height"};
    std::vector<Func> stages;

    Chain(int length, Rule rule, Updates updates = Updates::None, Type type = Int(32)) {
        const Region box = {{0, width}, {0, height}};
        Func source("source");
        source(x, y) = cast(type, x * 3 + y * y * 7);
        Func before = source;
        for (int s = 0; s < length; s++) {
            const Func f = continued(before, rule, box);
            Func stage("stage" + std::to_string(s));
            stage(x, y) = f(x - 1, y - 1) + f(x, y) * 3 + f(x + 1, y + 1);
            if (updates == Updates::EveryThird && s % 3 == 2 && s + 1 < length) {
                stage(x, y) += f(x + 2, y);
            }
            stages.push_back(stage);
            before = stage;
        }
    }

    Func &last() { return stages.back(); }

    /// Places the stages from `first` to `end`, the others at root.
    void place(Place how, size_t first, size_t end) {
        if (how == Place::Strips) {
            last().split(y, yo, yi, 5, TailStrategy::GuardWithIf);
        } else if (how == Place::Tiles) {
            last().tile(x, y, xo, yo, xi, yi, 6, 5, TailStrategy::GuardWithIf);
        }
        for (size_t s = 0; s + 1 < stages.size(); s++) {
            Func &stage = stages[s], &next = stages[s + 1];
            if (how == Place::Root || s < first || s >= end) {
                stage.compute_root();
            } else if (how == Place::Rows) {
                stage.store_root().compute_at(next, y);
            } else if (how == Place::Pixels) {
                stage.store_root().compute_at(next, x);
            } else if (how == Place::Strips) {
                stage.store_at(last(), yo).compute_at(last(), yi);
            } else if (how == Place::Tiles) {
                stage.compute_at(last(), xo);
            } else {
                stage.hoist_storage_root().compute_at(next, y);
            }
        }
    }
    schedule::ScheduledGraph frozen() { return language::freeze({last()}); }
};

/// The nodes of the longest value that is bound at a site.
size_t longest_let(const loopnest::BoundedLoopNest &nest) {
    size_t longest = 0;
    for (const auto &[site, lets] : nest.regions.lets) {
        for (const loopnest::SiteLet &let : lets) {
            longest = std::max(longest, ir::node_count(let.value));
        }
    }
    return longest;
}

/// Whether an end is bound where it is seen from.
bool binds_lifted_ends(const loopnest::BoundedLoopNest &nest) {
    for (const auto &[site, lets] : nest.regions.lets) {
        if (std::any_of(lets.begin(), lets.end(), [](const loopnest::SiteLet &let) { return bool(let.end); })) {
            return true;
        }
    }
    return false;
}

/// What differs first between what two nests bind and check. (Their texts would be long: values share subexpressions.)
std::string difference(const loopnest::BoundedLoopNest &a, const loopnest::BoundedLoopNest &b) {
    if (a.regions.ranges.text != b.regions.ranges.text) {
        return "ranges";
    }
    if (a.regions.lets.size() != b.regions.lets.size()) {
        return "sites";
    }
    for (const auto &[site, lets] : a.regions.lets) {
        const auto others = b.regions.lets.find(site);
        if (others == b.regions.lets.end() || others->second.size() != lets.size()) {
            return "number of lets at a site";
        }
        for (size_t i = 0; i < lets.size(); i++) {
            const loopnest::SiteLet &let = lets[i], &other = others->second[i];
            if (!(let.symbol == other.symbol) || !ir::equal(let.value, other.value)) {
                return let.symbol.defined() ? let.symbol.name() : "an assertion";
            }
        }
    }
    return "";
}

TEST(BoundaryChains, BindShortValuesInChainsOfAnyLength) {
    constexpr size_t most = 250; // 24 stages whose ends are whole values need more
    for (const Rule rule : {Rule::RepeatEdge, Rule::Constant, Rule::MirrorImage}) {
        Chain chain(24, rule);
        chain.place(Place::Rows, 0, 24);
        const loopnest::BoundedLoopNest nest = loopnest::make_loop_nest(chain.frozen(), {{}, false, {}});
        EXPECT_LT(longest_let(nest), most) << "rule " << static_cast<int>(rule);
        EXPECT_TRUE(binds_lifted_ends(nest)) << "rule " << static_cast<int>(rule);
    }
}

TEST(BoundaryChains, ShareWhatIsBoundBetweenSchedules) {
    for (const Rule rule : {Rule::RepeatEdge, Rule::MirrorImage}) {
        Chain first(8, rule);
        const schedule::ScheduledGraph pipeline = first.frozen();
        loopnest::LoopNests nests(pipeline.graph, {{}, true, {}});
        for (const auto &[how, begin, end] : {std::tuple(Place::Rows, 0, 8),
                                              {Place::Rows, 0, 5},
                                              {Place::Rows, 3, 8},
                                              {Place::Strips, 0, 8},
                                              {Place::Strips, 2, 7},
                                              {Place::Rows, 0, 100},
                                              {Place::Tiles, 0, 100},
                                              {Place::Rows, 0, 8}}) {
            Chain chain(8, rule);
            chain.place(how, static_cast<size_t>(begin), static_cast<size_t>(end));
            const schedule::ScheduledGraph scheduled{pipeline.graph, chain.frozen().schedule, nullptr, {}};
            EXPECT_EQ(difference(nests.make(scheduled.schedule).or_raise(),
                                 loopnest::make_loop_nest(scheduled, {{}, true, {}})),
                      "")
                << "rule " << static_cast<int>(rule) << ", place " << static_cast<int>(how) << " of " << begin << " to "
                << end;
        }
    }
}

class BoundaryChainValues : public testing::TestWithParam<int> {};

std::vector<Buffer<>> results_of(Chain &chain, Type type) {
    std::vector<Buffer<>> results;
    for (const auto &[w, h, beyond] : {std::array{1, 1, 0}, {5, 2, 1}, {13, 11, 0}, {4, 16, 3}}) {
        chain.width.set(w);
        chain.height.set(h);
        Buffer<> result(type, {w + 2 * beyond, h + 2 * beyond});
        result.set_min({-beyond, -beyond});
        chain.last().realize(result);
        results.push_back(result);
    }
    return results;
}

TEST_P(BoundaryChainValues, AreThoseOfStagesAtRoot) {
    constexpr int length = 5;
    const Rule rule = all_rules[GetParam()];
    const Type type = GetParam() % 2 == 0 ? Int(32) : UInt(8);
    const Updates updates = GetParam() % 2 == 0 ? Updates::EveryThird : Updates::None;
    Chain reference(length, rule, updates, type);
    reference.place(Place::Root, 0, length);
    const std::vector<Buffer<>> expected = results_of(reference, type);
    constexpr Place places[] = {Place::Hoisted, Place::Tiles, Place::Rows, Place::Pixels, Place::Strips};
    const Place how = places[GetParam()];
    Chain chain(length, rule, updates, type);
    chain.place(how, 0, length);
    const std::vector<Buffer<>> seen = results_of(chain, type);
    for (size_t i = 0; i < seen.size(); i++) {
        EXPECT_EQ(std::memcmp(seen[i].data(), expected[i].data(), expected[i].size_in_bytes()), 0) << "size " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, BoundaryChainValues, testing::Range(0, 5));

} // namespace
} // namespace fluorite::boundary_chains_test
