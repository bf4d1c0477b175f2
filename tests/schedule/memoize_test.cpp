// memoize(): computed once for each key, always with the right values.

#include "fluorite/fluorite.h"
#include "fluorite/runtime_memoization.h"
#include "support/test_errors.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {
std::atomic<int> calls{0};
} // namespace

extern "C" int memoize_test_counted(int x) {
    calls++;
    return x * 3;
}
FLUORITE_EXTERN_1(int, memoize_test_counted, int)

namespace fluorite::memoize_test {
namespace {

class Memoize : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xi{"xi"};
    Param<int> p{"p", 1};

    void SetUp() override {
        JITSharedRuntime::release_all();
        calls = 0;
    }
    void TearDown() override {
        JITSharedRuntime::release_all();
        JITSharedRuntime::memoization_cache_set_size(0);
    }

    // out(x) = g(x) + g(x + 1), g(x) = counted(x) + p, scheduled by the caller.
    Func pipeline(const std::function<void(Func &, Func &)> &schedule) {
        Func g("g"), out("out");
        g(x) = memoize_test_counted(x) + p;
        out(x) = g(x) + g(x + 1);
        g.compute_root();
        schedule(g, out);
        return out;
    }

    // The number of calls in a run, whose values are checked.
    int calls_of(const Func &out, int size) {
        calls = 0;
        const Buffer<int> result = out.realize({size});
        for (int i = 0; i < size; i++) {
            EXPECT_EQ(result(i), 6 * i + 3 + 2 * p.get());
        }
        return calls;
    }

    void expect_refused(const Func &out, const std::string &slug, const std::string &message) {
        expect_error([&] { (void)out.loop_nest(); }, slug, message, {"memoize_test"});
    }
};

TEST_F(Memoize, ComputesOnceForEachRegion) {
    Func out = pipeline([](Func &g, Func &) { g.memoize(); });
    EXPECT_EQ(calls_of(out, 10), 11);
    EXPECT_EQ(calls_of(out, 10), 0);
    EXPECT_EQ(calls_of(out, 7), 8);
    EXPECT_EQ(calls_of(out, 10), 0);
}

TEST_F(Memoize, ComputesAgainForOtherParams) {
    Func out = pipeline([](Func &g, Func &) { g.memoize(); });
    EXPECT_EQ(calls_of(out, 10), 11);
    p.set(2);
    EXPECT_EQ(calls_of(out, 10), 11);
    p.set(1);
    EXPECT_EQ(calls_of(out, 10), 0);
}

TEST_F(Memoize, SharesNothingWithOtherSchedulesAndPipelines) {
    Func out = pipeline([](Func &g, Func &) { g.memoize(); });
    EXPECT_EQ(calls_of(out, 10), 11);
    Func same = pipeline([](Func &g, Func &) { g.memoize(); });
    EXPECT_EQ(calls_of(same, 10), 0);
    Func other = pipeline([&](Func &g, Func &) { g.memoize().split(x, x, xi, 4, TailStrategy::GuardWithIf); });
    EXPECT_EQ(calls_of(other, 10), 11);
    Func g("g"), changed("out");
    g(x) = memoize_test_counted(x) + p + 1;
    changed(x) = g(x) + g(x + 1) - 2;
    g.compute_root().memoize();
    EXPECT_EQ(calls_of(changed, 10), 11);
}

TEST_F(Memoize, EvictsByKeyAndBySize) {
    Param<int> key("key", 5);
    Func out = pipeline([&](Func &g, Func &) { g.memoize(EvictionKey(key)); });
    EXPECT_EQ(calls_of(out, 10), 11);
    JITSharedRuntime::memoization_cache_evict(6);
    EXPECT_EQ(calls_of(out, 10), 0);
    JITSharedRuntime::memoization_cache_evict(5);
    EXPECT_EQ(calls_of(out, 10), 11);
    JITSharedRuntime::memoization_cache_set_size(8);
    EXPECT_EQ(calls_of(out, 10), 11);
    EXPECT_EQ(calls_of(out, 10), 11); // never fits into the cache
}

TEST_F(Memoize, InsideOfLoops) {
    Func out = pipeline([&](Func &g, Func &f) {
        f.split(x, x, xi, 4).parallel(x);
        g.compute_at(f, x).memoize();
    });
    const int first = calls_of(out, 16);
    EXPECT_GE(first, 20);
    EXPECT_EQ(calls_of(out, 16), 0);
}

TEST_F(Memoize, TuplesAndUpdates) {
    Func g("g"), out("out");
    g(x, y) = Tuple(memoize_test_counted(x), cast<uint8_t>(y));
    g(x, 1) = Tuple(g(x, 1)[0] + p, cast<uint8_t>(g(x, 1)[1] + 9));
    out(x, y) = g(x, y)[0] * 1000 + g(x, y)[1];
    g.compute_root().memoize().reorder_storage(y, x);
    const Buffer<int> first = out.realize({5, 3});
    const int made = calls;
    const Buffer<int> second = out.realize({5, 3});
    EXPECT_EQ(calls, made);
    int wrong = 0;
    second.for_each_element([&](int i, int j) {
        const int expected = (i * 3 + (j == 1 ? 1 : 0)) * 1000 + (j == 1 ? 10 : j);
        wrong += second(i, j) != expected || first(i, j) != expected;
    });
    EXPECT_EQ(wrong, 0);
}

TEST_F(Memoize, TagsStandForWhatTheyAreComputedFrom) {
    Param<float> exact("exact", 0.25F);
    Func g("g"), out("out");
    g(x) = memoize_test_counted(x) + memoize_tag(cast<int>(exact * 4));
    out(x) = g(x) + g(x + 1);
    g.compute_root().memoize();
    EXPECT_EQ(calls_of(out, 4), 5);
    exact.set(0.3F); // the same value after rounding
    EXPECT_EQ(calls_of(out, 4), 0);
    exact.set(0.5F);
    calls = 0;
    (void)out.realize({4});
    EXPECT_EQ(calls, 5);
}

TEST_F(Memoize, TagsLetInputsIn) {
    ImageParam in(Int(32), 1, "in");
    Param<int> digest("digest", 1);
    Func g("g"), out("out");
    g(x) = memoize_tag(in(x), digest) + memoize_test_counted(x);
    out(x) = g(x);
    g.compute_root().memoize();
    Buffer<int> image(4);
    image.fill(5);
    in.set(image);
    Buffer<int> result = out.realize({4});
    EXPECT_EQ(result(2), 11);
    image.fill(6);
    digest.set(2);
    result = out.realize({4});
    EXPECT_EQ(result(2), 12);
    EXPECT_EQ(calls, 8);
    digest.set(1);
    result = out.realize({4});
    EXPECT_EQ(calls, 8);
}

TEST_F(Memoize, ManyThreads) {
    JITSharedRuntime::memoization_cache_set_size(200);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
        Func out = pipeline([](Func &g, Func &) { g.memoize(); });
        out.compile_jit();
        threads.emplace_back([out, &wrong] {
            for (int i = 0; i < 60; i++) {
                const int size = 3 + i * 7 % 11;
                const Buffer<int> result = out.realize({size});
                for (int j = 0; j < size; j++) {
                    wrong += result(j) != 6 * j + 5;
                }
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

// ---- Refusals.

TEST_F(Memoize, RefusesOutputs) {
    Func f("f");
    f(x) = x;
    f.memoize();
    expect_refused(
        f, "memoize-placement",
        "in f: memoize of an output of the pipeline; outputs are computed into the caller's buffer; make it a copy "
        "of a Func that is memoized");
    Func copy("copy");
    copy(x) = f(x);
    f.compute_root();
    EXPECT_EQ(Buffer<int>(copy.realize({3}))(2), 2);
}

TEST_F(Memoize, RefusesStorageFurtherOut) {
    Func g("g"), out("out");
    g(x, y) = x + y;
    out(x, y) = g(x, y) + g(x, y + 1);
    g.store_root().compute_at(out, y).memoize();
    expect_refused(
        out, "memoize-placement",
        "in g: memoize of a Func that is stored at root and computed at loop y of out; what is kept is all that is "
        "stored; remove store_at");
}

TEST_F(Memoize, RefusesMemoryOfAnotherShape) {
    Func g("g"), out("out");
    g(x, y) = x + y;
    out(x, y) = g(x, y) + g(x, y + 1);
    g.compute_root().memoize().align_storage(x, 16);
    expect_refused(out, "memoize-placement",
                   "in g: memoize of a Func whose memory has another shape or place than its region; what is kept is "
                   "the region; remove "
                   "fold_storage, align_storage, bound_storage and hoist_storage");
}

TEST_F(Memoize, RefusesLanes) {
    Func g("g"), out("out");
    g(x, y) = x + y;
    out(x, y) = g(x, y) + g(x, y + 1);
    out.vectorize(x, xi, 4).reorder(y, xi);
    g.compute_at(out, y).memoize();
    expect_refused(
        out, "memoize-placement",
        "in g: memoize of a Func that is computed inside the vectorized loop xi of out; lanes do not ask the cache "
        "one by one; compute it outside of that loop");
    g.compute_root();
    EXPECT_EQ(Buffer<int>(out.realize({3, 3}))(2, 2), 9);
}

TEST_F(Memoize, RefusesSharedLoops) {
    Func g("g"), h("h"), out("out");
    g(x) = x + 1;
    h(x) = x * 2;
    out(x) = g(x) + h(x);
    g.compute_root().memoize();
    h.compute_root().compute_with(g, x);
    expect_refused(out, "memoize-placement",
                   "in g: memoize of a Func that is computed with h; loops of both run together; remove compute_with");
}

TEST_F(Memoize, RefusesInputs) {
    ImageParam in(Int(32), 1, "in");
    Func f("f"), g("g"), out("out");
    f(x) = in(x);
    g(x) = f(x) + 1;
    out(x) = g(x);
    f.compute_root();
    g.compute_root().memoize();
    expect_refused(
        out, "memoize-reads-input",
        "in g: memoize of a Func whose values are computed from input in; the cache does not know what an input "
        "holds; wrap the read in memoize_tag(value, keys...) with keys that change when the input does");
}

TEST_F(Memoize, RefusesKeysThatVary) {
    Func g("g"), out("out");
    g(x) = memoize_tag(x * 2);
    out(x) = g(x);
    g.compute_root().memoize();
    expect_refused(
        out, "memoize-key-varies",
        "in g: memoize, and a memoize_tag whose key is not the same for all points; a key is known before the Func "
        "is computed; pass keys that are made of Params and numbers only");
}

TEST_F(Memoize, RefusesEvictionKeysThatAreNoNumbers) {
    Func g("g");
    g(x) = x;
    const auto refused = [&](const Expr &key, const std::string &seen) {
        try {
            g.memoize(EvictionKey(key));
            ADD_FAILURE() << "accepted";
        } catch (const CompileError &error) {
            EXPECT_EQ(error.slug(), "memoize-eviction-key");
            EXPECT_EQ(error.message(),
                      "in g: memoize with an EvictionKey " + seen +
                          "; results are evicted by one number for all points; pass an integer made of "
                          "Params");
        }
    };
    refused(Expr(1.5F), "of type float32");
    refused(Expr(x), "that is made of Vars, Funcs or inputs");
    g.memoize(EvictionKey(p + 1));
    Func h("h");
    h(x) = x;
    h.memoize(EvictionKey(reinterpret<void *>(cast<uint64_t>(p))));
}

} // namespace
} // namespace fluorite::memoize_test
