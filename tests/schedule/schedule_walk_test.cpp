// Random walks through the schedules of random programs: every legal tree compiles, and gives the interpreter's bits.
#include "fluorite/fluorite.h"
#include "interpret/interpret.h"
#include "language/freeze.h"
#include "schedule/tree/tree.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>

namespace fluorite::schedule_walk_test {
namespace {

// A few two-dimensional Funcs, each of which reads some earlier ones: stencils, up- and downsampling, reductions,
// scans, histograms.
class RandomProgram {
  public:
    explicit RandomProgram(uint64_t seed) : random_(seed), image_(64, 64) {
        image_.for_each_element([&](int x, int y) { image_(x, y) = static_cast<uint16_t>(x * 7919 + y * 104729); });
        input_(x_, y_) = cast<int>(image_(clamp(x_, 0, 63), clamp(y_, 0, 63)));
        funcs_.push_back(input_);
        const int count = 2 + below(3);
        for (int i = 0; i < count; i++) {
            funcs_.push_back(make(i + 1 == count ? "out" : "f" + std::to_string(i)));
        }
    }
    Func output() const { return funcs_.back(); }

  private:
    std::mt19937_64 random_;
    Buffer<uint16_t> image_;
    Var x_{"x"}, y_{"y"};
    Func input_{"input"};
    std::vector<Func> funcs_;

    int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
    Expr shifted(const Expr &e) { return e + (below(5) - 2); }

    Expr read(const Expr &x, const Expr &y) {
        const Func &from = funcs_[static_cast<size_t>(std::max(0, static_cast<int>(funcs_.size()) - 1 - below(3)))];
        switch (below(8)) {
        case 0:
            return from(shifted(x) / 2, y);
        case 1:
            return from(x, y * 2);
        case 2:
            return from(clamp(cast<int>(from(x, y)) % 16, 0, 15), y);
        default:
            return from(shifted(x), shifted(y));
        }
    }
    Expr value(const Expr &x, const Expr &y) {
        const Expr a = read(x, y), b = read(x, y);
        switch (below(4)) {
        case 0:
            return max(a, b) - x;
        case 1:
            return a * 3 - b;
        case 2:
            return select(a < b, a + y, b);
        default:
            return a ^ (b >> 1);
        }
    }

    Func make(const std::string &name) {
        Func f(name);
        f(x_, y_) = value(x_, y_);
        RDom r(0, 2 + below(3), "r"), s(1, 5 + below(4), "s"), both(0, 2, 0, 3, "b");
        switch (name == "out" ? 2 * below(3) : below(6)) { // an output is written only within the requested region
        case 0:
            f(x_, y_) += read(x_ + r, y_);
            break;
        case 1: // a scan, whose iterations depend on each other
            f(s, y_) = f(s - 1, y_) + read(s, y_);
            break;
        case 2:
            f(x_, y_) = max(f(x_, y_), read(x_ + both.x, y_ + both.y) - both.x * both.y);
            break;
        case 3: // a histogram along y
            f(x_, clamp(read(x_, r) % 8, 0, 7)) += 1;
            break;
        default:
            break;
        }
        return f;
    }
};

Buffer<int> interpreted(const Func &func, const std::vector<int> &size) {
    Buffer<int> result(size);
    const schedule::ScheduledGraph frozen = language::freeze({func});
    interpret::evaluate(frozen.graph, 0, {{0, 0}, {size[0], size[1]}}, {result.raw_buffer()});
    return result;
}

ScheduleTree walk(const Pipeline &pipeline, uint64_t seed, int steps) {
    const schedule::ScheduledGraph frozen = language::freeze(*pipeline.contents());
    const auto start = schedule::tree_of(std::make_shared<const ir::Graph>(frozen.graph), frozen.schedule, {});
    std::mt19937_64 engine(seed);
    const schedule::RandomBelow below = [&](uint32_t n) { return static_cast<uint32_t>(engine() % n); };
    schedule::WalkOptions options;
    options.may_grow_inputs = true; // the image of these programs is clamped
    return ScheduleTree(std::make_shared<const schedule::Tree>(schedule::random_walk(start, below, steps, options)));
}

class ScheduleWalks : public testing::TestWithParam<int> {};

TEST_P(ScheduleWalks, CompileToTheInterpretersBits) {
    static const std::vector<std::vector<int>> sizes = {{1, 1}, {7, 5}, {16, 8}, {23, 13}};
    int scheduled = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t seed = static_cast<uint64_t>(GetParam() * 4 + i);
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Func output = RandomProgram(seed).output(), plain = RandomProgram(seed).output();
        Pipeline pipeline(output);
        const ScheduleTree tree = walk(pipeline, seed, 8 + static_cast<int>(seed % 5) * 6);
        pipeline.apply(tree.schedule());
        EXPECT_EQ(pipeline.schedule(), tree.schedule());
        EXPECT_TRUE(pipeline.schedule_tree() == tree);
        EXPECT_EQ(Schedule::parse(tree.schedule().text()), tree.schedule());
        scheduled += tree.schedule().empty() ? 0 : 1;
        const std::vector<int> &size = sizes[seed % sizes.size()];
        const Buffer<int> expected = interpreted(plain, size), seen = pipeline.realize({size[0], size[1]});
        int wrong = 0;
        seen.for_each_element([&](int x, int y) { wrong += seen(x, y) != expected(x, y); });
        ASSERT_EQ(wrong, 0) << "of " << size[0] << " x " << size[1] << "\n" << tree.text() << tree.schedule();
    }
    EXPECT_EQ(scheduled, 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScheduleWalks, testing::Range(0, 10));

} // namespace
} // namespace fluorite::schedule_walk_test
