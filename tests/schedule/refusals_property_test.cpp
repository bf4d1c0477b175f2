// A refused call changes nothing: random calls of directives by the methods of Func and Stage, legal or not. The test
// also ensures that the comparison sees what each directive writes: some call of it must be accepted, and change the
// contents of the schedules. every_directive_test.cpp draws lines of every directive.
#include "schedule_contents.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace fluorite::refusals_property_test {
namespace {

/// f, an input with an update over a reduction, and its consumers g and h; directives apply to stages of f and g.
class Program {
  public:
    explicit Program(std::mt19937 &random) : random_(random) {
        f(x, y) = x + y;
        f(x, y) += r.x * r.y + r.z;
        g(x, y) = f(x, y) + f(x + 1, y) + input(x, y);
        h(x, y) = f(y, x) * 2;
        out(x, y) = g(x, y) + h(x, y);
    }

    std::string contents() const {
        return ScheduleContents::of(f) + ScheduleContents::of(g) + ScheduleContents::of(h) + ScheduleContents::of(out);
    }

    /// Directives by name; a call chooses its arguments at random.
    const std::map<std::string, std::function<void()>> &directives() const { return directives_; }

  private:
    std::mt19937 &random_;
    Var x{"x"}, y{"y"}, a{"a"}, b{"b"}, c{"c"};
    RDom r{0, 4, 0, 5, 0, 3, "r"};
    ImageParam input{Int(32), 2, "input"};
    Param<int> p{"p"};
    Func f{"f"}, g{"g"}, h{"h"}, out{"out"};

    unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
    VarOrRVar var() {
        const std::vector<VarOrRVar> all = {x, y, x, y, a, b, r.x, r.y, r.z};
        return all[pick(9)];
    }
    Var pure() { return std::vector<Var>{x, y, a, b}[pick(4)]; }
    Expr factor() { return Expr(static_cast<int>(pick(6)) - 1); }
    TailStrategy tail() { return static_cast<TailStrategy>(pick(9)); }
    Func &func() { return pick(3) == 0 ? g : f; }
    Stage stage() {
        switch (pick(3)) {
        case 0:
            return g;
        case 1:
            return f;
        default:
            return f.update(0);
        }
    }
    Partition policy() { return static_cast<Partition>(pick(3)); }
    Func &consumer() { return pick(3) == 0 ? out : pick(2) == 0 ? g : h; }

    void split_and_mark(Stage of, bool vector) {
        switch (pick(3)) {
        case 0:
            vector ? of.vectorize(var()) : of.unroll(var());
            break;
        case 1:
            vector ? of.vectorize(var(), factor(), tail()) : of.unroll(var(), factor(), tail());
            break;
        default:
            vector ? of.vectorize(var(), var(), factor(), tail()) : of.unroll(var(), var(), factor(), tail());
        }
    }
    void distribute(Stage of) {
        switch (pick(3)) {
        case 0:
            of.distribute(var());
            break;
        case 1:
            of.distribute(var(), var(), factor(), factor());
            break;
        default:
            of.distribute({var(), var()});
        }
    }
    void tile() {
        if (pick(2) == 0) {
            stage().tile(var(), var(), a, b, c, var(), factor(), factor(), tail());
        } else {
            stage().tile({var(), var()}, {a, b}, {var(), var()}, {factor(), factor()}, tail());
        }
    }
    void prefetch() {
        const Expr offset = pick(3) == 0 ? Expr(1 << 20) : factor();
        const auto strategy = static_cast<PrefetchBoundStrategy>(pick(3));
        pick(2) == 0 ? stage().prefetch(f, var(), var(), offset, strategy)
                     : stage().prefetch(input, var(), var(), offset, strategy);
    }
    void memory() { func().store_in(static_cast<MemoryType>(pick(4))); }
    void memoize() { pick(2) == 0 ? func().memoize() : func().memoize(EvictionKey(p)); }
    void wrap() {
        switch (pick(3)) {
        case 0:
            f.in();
            break;
        case 1:
            f.in(consumer());
            break;
        default:
            f.in({g, consumer()});
        }
    }

    // NOLINTBEGIN(modernize-use-trailing-return-type): one line a directive
    std::map<std::string, std::function<void()>> directives_ = {
        {"split", [this] { stage().split(var(), var(), var(), factor(), tail()); }},
        {"fuse", [this] { stage().fuse(var(), var(), var()); }},
        {"skew", [this] { stage().skew(var(), var(), var(), pick(4) - 1); }},
        {"rename", [this] { stage().rename(var(), var()); }},
        {"reorder", [this] { stage().reorder({var(), var(), var()}); }},
        {"tile", [this] { tile(); }},
        {"serial", [this] { stage().serial(var()); }},
        {"parallel", [this] { pick(2) == 0 ? stage().parallel(var()) : stage().parallel(var(), factor(), tail()); }},
        {"vectorize", [this] { split_and_mark(stage(), true); }},
        {"unroll", [this] { split_and_mark(stage(), false); }},
        {"gpu_blocks", [this] { stage().gpu_blocks(var(), var()); }},
        {"gpu_threads", [this] { stage().gpu_threads(var(), var()); }},
        {"gpu_lanes", [this] { stage().gpu_lanes(var()); }},
        {"gpu_single_thread", [this] { stage().gpu_single_thread(); }},
        {"gpu_tile", [this] { stage().gpu_tile(var(), a, b, factor(), tail()); }},
        {"partition", [this] { stage().partition(var(), policy()); }},
        {"never_partition", [this] { stage().never_partition({var(), var()}); }},
        {"always_partition", [this] { stage().always_partition({var(), var()}); }},
        {"distribute", [this] { distribute(stage()); }},
        {"allow_race_conditions", [this] { stage().allow_race_conditions(); }},
        {"atomic", [this] { stage().atomic(pick(2) == 0); }},
        {"compute_with", [this] { stage().compute_with(Stage(consumer()), var()); }},
        {"specialize", [this] { stage().specialize(pick(3) == 0 ? Expr(x) > 0 : p > factor()); }},
        {"specialize_fail", [this] { stage().specialize_fail("none"); }},
        {"prefetch", [this] { prefetch(); }},
        {"rfactor", [this] { stage().rfactor(var(), pure()); }},
        {"agglomerate", [this] { func().agglomerate(factor()); }},
        {"compute_root", [this] { func().compute_root(); }},
        {"compute_rank", [this] { func().compute_rank(); }},
        {"compute_at", [this] { func().compute_at(consumer(), var()); }},
        {"compute_inline", [this] { func().compute_inline(); }},
        {"store_root", [this] { func().store_root(); }},
        {"store_at", [this] { func().store_at(consumer(), var()); }},
        {"store_in", [this] { memory(); }},
        {"reorder_storage", [this] { func().reorder_storage({pure(), pure()}); }},
        {"hoist_storage", [this] { func().hoist_storage(consumer(), var()); }},
        {"hoist_storage_root", [this] { func().hoist_storage_root(); }},
        {"fold_storage", [this] { func().fold_storage(pure(), factor(), pick(2) == 0); }},
        {"align_storage", [this] { func().align_storage(pure(), factor()); }},
        {"bound_storage", [this] { func().bound_storage(pure(), factor()); }},
        {"ring_buffer", [this] { func().ring_buffer(factor()); }},
        {"stream_stores", [this] { func().stream_stores(); }},
        {"memoize", [this] { memoize(); }},
        {"async", [this] { func().async(); }},
        {"bound", [this] { func().bound(pure(), factor(), factor()); }},
        {"bound_extent", [this] { func().bound_extent(pure(), factor()); }},
        {"align_bounds", [this] { func().align_bounds(pure(), factor(), factor()); }},
        {"align_extent", [this] { func().align_extent(pure(), factor()); }},
        {"set_estimate", [this] { func().set_estimate(pure(), factor(), factor()); }},
        {"set_estimates", [this] { func().set_estimates(Region(1 + pick(2), Range(0, factor()))); }},
        {"in", [this] { wrap(); }},
        {"clone_in", [this] { f.clone_in(consumer()); }},
        {"unscheduled", [this] { stage().unscheduled(); }},
    };
    // NOLINTEND(modernize-use-trailing-return-type)
};

struct Count {
    int accepted = 0, changed = 0, refused = 0;
};

/// Directives of which no call above is refused.
const std::set<std::string> never_refused = {"async",        "compute_at",    "compute_inline",     "compute_rank",
                                             "compute_root", "hoist_storage", "hoist_storage_root", "memoize",
                                             "store_at",     "store_in",      "store_root",         "stream_stores"};

TEST(ScheduleRefusalsProperty, ARefusedDirectiveChangesNothing) {
    std::mt19937 random(1);
    std::map<std::string, Count> counts;
    for (int round = 0; round < 300; round++) {
        Program program(random);
        std::string before = program.contents();
        for (int k = 0; k < 14; k++) {
            auto at = program.directives().begin();
            std::advance(at, random() % program.directives().size());
            Count &count = counts[at->first];
            try {
                at->second();
                const std::string after = program.contents();
                count.accepted++;
                count.changed += before != after;
                before = after;
            } catch (const CompileError &error) {
                count.refused++;
                ASSERT_EQ(program.contents(), before) << at->first << ": " << error.what();
            }
        }
    }
    for (const auto &[name, count] : counts) {
        EXPECT_GT(count.changed, 0) << name << " changes nothing that is compared; " << count.accepted << " accepted";
        EXPECT_EQ(count.refused == 0, never_refused.contains(name)) << name << ": " << count.refused << " refused";
    }
}

} // namespace
} // namespace fluorite::refusals_property_test
