// Memory of Funcs: the values under each directive compared with those without a schedule, the lowered code, and the
// checks when a pipeline runs.
#include "driver/compiled.h"
#include "driver/test_assembly.h"
#include "fluorite/fluorite.h"
#include "ir/print.h"
#include "language/pipeline_contents.h"
#include "support/test_errors.h"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite::storage_test {
namespace {

// A producer g and its consumer f, created for each schedule.
struct Pair {
    Func g{"g"}, f{"f"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Param<int> p{"p", 4};
    ImageParam input{UInt(8), 2, "input"};
};

void stencil(Pair &c) {
    c.g(c.x, c.y) = c.x * 3 + c.y * c.y;
    c.f(c.x, c.y) = c.g(c.x - 1, c.y - 1) + c.g(c.x, c.y) * 5 + c.g(c.x + 1, c.y + 2) * 7;
}

// The required rows of g move down as y grows.
void upside_down(Pair &c) {
    c.g(c.x, c.y) = c.x * 3 + c.y * c.y;
    c.f(c.x, c.y) = c.g(c.x, 50 - c.y) + c.g(c.x + 1, 52 - c.y) * 7;
}

void updated(Pair &c) {
    c.g(c.x, c.y) = c.x - c.y;
    c.g(c.x, c.y) += c.x * c.y;
    c.f(c.x, c.y) = c.g(c.x, c.y) + c.g(c.x + 2, c.y + 1) * 7;
}

using Step = std::function<void(Pair &)>;

void expect_same(const Step &define, const Step &schedule, int width = 37, int height = 29) {
    Pair plain, scheduled;
    define(plain);
    define(scheduled);
    plain.g.compute_root();
    schedule(scheduled);
    const Buffer<int> expected = plain.f.realize({width, height}), seen = scheduled.f.realize({width, height});
    int wrong = 0;
    expected.for_each_element([&](int x, int y) { wrong += expected(x, y) != seen(x, y); });
    EXPECT_EQ(wrong, 0);
}

std::string lowered(Func f) {
    std::ostringstream text;
    text << ir::with_tasks_in_place(driver::lower_for(*Pipeline(f).contents(), get_jit_target_from_environment(), "f"));
    return text.str();
}

std::string memory_of_g(const std::string &text) {
    const size_t at = text.find("allocate g"), begin = text.find(": ", at) + 2;
    return at == std::string::npos ? "" : text.substr(begin, text.find(']', begin) + 1 - begin);
}

// ---- fold_storage.

TEST(FoldStorage, keeps_the_values_of_windows_that_move_either_way) {
    for (int factor : {4, 5, 7, 8}) {
        expect_same(stencil, [&](Pair &c) { c.g.store_root().compute_at(c.f, c.y).fold_storage(c.y, factor); });
        expect_same(upside_down,
                    [&](Pair &c) { c.g.store_root().compute_at(c.f, c.y).fold_storage(c.y, factor, false); });
        expect_same(updated, [&](Pair &c) { c.g.store_root().compute_at(c.f, c.y).fold_storage(c.y, factor); });
    }
}

TEST(FoldStorage, meets_splits_vectors_tasks_and_the_innermost_dimension) {
    expect_same(stencil, [](Pair &c) {
        c.f.split(c.y, c.yo, c.yi, 8).parallel(c.yo).vectorize(c.x, 8);
        c.g.store_at(c.f, c.yo).compute_at(c.f, c.yi).vectorize(c.x, 4).fold_storage(c.y, 5);
    });
    expect_same(stencil, [](Pair &c) {
        c.f.reorder(c.y, c.x);
        c.g.store_root().compute_at(c.f, c.x).fold_storage(c.x, 3).vectorize(c.x, 4, TailStrategy::GuardWithIf);
    });
    expect_same(stencil, [](Pair &c) {
        c.f.tile(c.x, c.y, c.xo, c.yo, c.xi, c.yi, 8, 8, TailStrategy::GuardWithIf);
        c.g.compute_at(c.f, c.xo).fold_storage(c.x, 11).fold_storage(c.y, 12);
    });
    expect_same(stencil, [](Pair &c) { c.g.compute_root().fold_storage(c.x, 39).fold_storage(c.y, c.p * 8); });
}

TEST(FoldStorage, allocates_the_circular_buffer) {
    Pair c;
    stencil(c);
    c.f.bound(c.x, 0, 64);
    c.g.store_root().compute_at(c.f, c.y).fold_storage(c.y, 5);
    EXPECT_EQ(memory_of_g(lowered(c.f)), "int32[66, 5]");
    EXPECT_NE(c.f.pipeline().explain_schedule({64, 32}).find("storage: 66 x 5 int32, 1320 bytes, y folded into 5"),
              std::string::npos)
        << c.f.pipeline().explain_schedule({64, 32});
}

TEST(FoldStorage, is_checked_when_the_pipeline_runs) {
    Pair c;
    stencil(c);
    c.g.store_root().compute_at(c.f, c.y).fold_storage(c.y, c.p);
    EXPECT_NO_THROW(c.f.realize({20, 20}));
    c.p.set(3);
    expect_error<RuntimeError>(
        [&] { c.f.realize({20, 20}); }, "fold-factor-too-small",
        "in g: storage is folded by 3 along y, but one step of the loop over y needs 4; a fold factor covers "
        "all values that are live at once; fold by 4 or more");
    Pair d;
    stencil(d);
    d.g.store_root().compute_at(d.f, d.y).fold_storage(d.x, 20);
    EXPECT_NO_THROW(d.f.realize({18, 20}));
    expect_error<RuntimeError>(
        [&] { d.f.realize({19, 20}); }, "fold-factor-too-small",
        "in g: storage is folded by 20 along x, but all 21 values along it are live at once; a fold factor "
        "covers all values that are live at once; fold by 21 or more");
    Pair e;
    e.g(e.x, e.y) = e.x + e.y;
    e.f(e.x, e.y) = e.g(e.x, e.y);
    e.g.compute_root().fold_storage(e.x, e.p);
    e.p.set(0);
    expect_error<RuntimeError>(
        [&] { e.f.realize({0, 3}); }, "fold-factor-too-small",
        "in g: storage is folded by 0 along x, but all 1 values along it are live at once; a fold factor covers all "
        "values that are live at once; fold by 1 or more");
}

// ---- align_storage, bound_storage.

TEST(AlignStorage, rounds_the_strides_of_what_follows) {
    Pair c;
    stencil(c);
    c.f.bound(c.x, 0, 60).bound(c.y, 0, 20);
    c.g.compute_root().align_storage(c.x, 16);
    EXPECT_EQ(memory_of_g(lowered(c.f)), "int32[64, 23]");
    for (int alignment : {1, 3, 16, 100}) {
        expect_same(stencil, [&](Pair &d) { d.g.compute_at(d.f, d.y).align_storage(d.x, alignment); });
        expect_same(stencil, [&](Pair &d) {
            d.g.store_root().compute_at(d.f, d.y).fold_storage(d.y, 5).align_storage(d.y, alignment);
        });
        expect_same(updated, [&](Pair &d) { d.g.compute_root().reorder_storage(d.y, d.x).align_storage(d.y, d.p); });
    }
}

TEST(BoundStorage, makes_extents_constant) {
    Pair c;
    stencil(c);
    c.g.compute_at(c.f, c.y).bound_storage(c.x, 50);
    EXPECT_EQ(memory_of_g(lowered(c.f)), "int32[50, 4]");
    EXPECT_NO_THROW(c.f.realize({48, 10}));
    expect_error<RuntimeError>(
        [&] { c.f.realize({49, 10}); }, "storage-bound-too-small",
        "in g: bound_storage() gives x 50 elements, but 51 are needed; a storage bound covers what is "
        "needed; give it 51 or more");
    expect_same(stencil, [](Pair &d) {
        d.g.compute_at(d.f, d.y).bound_storage(d.x, 64).align_storage(d.x, 48).store_in(MemoryType::Stack);
    });
    expect_same(updated, [](Pair &d) {
        d.f.tile(d.x, d.y, d.xi, d.yi, 8, 4).vectorize(d.xi);
        d.g.compute_at(d.f, d.x).bound_storage(d.x, 12).bound_storage(d.y, 8).store_in(MemoryType::Register);
    });
}

// ---- hoist_storage.

TEST(HoistStorage, takes_memory_once_for_all_iterations) {
    Pair c;
    stencil(c);
    c.f.tile(c.x, c.y, c.xo, c.yo, c.xi, c.yi, 8, 8);
    c.g.compute_at(c.f, c.xo).hoist_storage_root();
    const std::string text = lowered(c.f);
    EXPECT_LT(text.find("allocate g"), text.find("for f.s0.yo")) << text;
    EXPECT_EQ(memory_of_g(text), "int32[10, 11]");
}

TEST(HoistStorage, keeps_the_values) {
    const Step all[] = {stencil, upside_down, updated};
    for (const Step &define : all) {
        expect_same(define, [](Pair &c) { c.g.compute_at(c.f, c.x).hoist_storage_root(); });
        expect_same(define, [](Pair &c) { c.g.compute_at(c.f, c.x).hoist_storage(c.f, c.y); });
        expect_same(define, [](Pair &c) {
            c.f.tile(c.x, c.y, c.xo, c.yo, c.xi, c.yi, 8, 5).parallel(c.yo).vectorize(c.xi, 4);
            c.g.store_at(c.f, c.xo).compute_at(c.f, c.yi).hoist_storage(c.f, c.yo).align_storage(c.x, 16);
        });
        const bool up = &define != &all[1];
        expect_same(define, [&](Pair &c) {
            c.f.split(c.y, c.yo, c.yi, 8, TailStrategy::GuardWithIf);
            c.g.store_at(c.f, c.yo).compute_at(c.f, c.yi).fold_storage(c.y, 9, up).hoist_storage_root();
        });
    }
    expect_same(stencil, [](Pair &c) { c.g.compute_at(c.f, c.y).hoist_storage(LoopLevel(c.f, c.y)); });
}

TEST(HoistStorage, of_tuples_and_points) {
    Func g("g"), h("h"), f("f");
    Var x("x"), y("y");
    g(x, y) = Tuple(x + y, x * y);
    h() = 7;
    f(x, y) = g(x, y)[0] + g(x + 1, y)[1] * h();
    g.compute_at(f, x).hoist_storage_root();
    h.compute_at(f, x).hoist_storage(f, y);
    Buffer<int> seen = f.realize({13, 11});
    int wrong = 0;
    seen.for_each_element([&](int i, int j) { wrong += seen(i, j) != i + j + (i + 1) * j * 7; });
    EXPECT_EQ(wrong, 0);
}

TEST(HoistStorage, is_seen_in_traces_as_where_it_is_stored) {
    Func g("g"), f("f");
    Var x("x"), y("y");
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_at(f, y).hoist_storage_root().trace_realizations();
    static int realizations;
    realizations = 0;
    f.jit_handlers().custom_trace = [](JITUserContext *, const fluorite_trace_event_t *event) {
        realizations += event->event == fluorite_trace_begin_realization;
        return 1;
    };
    f.realize({4, 6});
    EXPECT_EQ(realizations, 6);
}

// ---- prefetch.

TEST(RingBuffer, gives_iterations_memory_in_turn) {
    Pair c;
    stencil(c);
    c.g.compute_at(c.f, c.y).hoist_storage_root().ring_buffer(3);
    const std::string text = lowered(c.f);
    EXPECT_NE(text.find("let g.turn"), std::string::npos) << text;
    EXPECT_NE(text.find("% 3:int64"), std::string::npos) << text;
    EXPECT_NE(text.find(", 4, 3]"), std::string::npos) << text; // three boxes of 4 rows
}

TEST(RingBuffer, keeps_the_values) {
    for (const auto &define : {stencil, upside_down, updated}) {
        expect_same(define, [](Pair &c) { c.g.compute_at(c.f, c.y).hoist_storage_root().ring_buffer(2); });
        expect_same(define, [](Pair &c) {
            c.f.tile(c.x, c.y, c.xo, c.yo, c.xi, c.yi, 8, 5).vectorize(c.xi, 4).parallel(c.yo);
            c.g.compute_at(c.f, c.xo).hoist_storage(c.f, c.yo).ring_buffer(c.p).vectorize(c.x, 8);
        });
        expect_same(define, [](Pair &c) {
            c.f.split(c.y, c.yo, c.yi, 4, TailStrategy::GuardWithIf);
            c.g.store_at(c.f, c.yo).compute_at(c.f, c.yi).hoist_storage_root().ring_buffer(3);
            c.g.reorder_storage({c.y, c.x}).align_storage(c.y, 8);
        });
    }
}

TEST(RingBuffer, is_checked_when_the_pipeline_runs) {
    Pair c;
    stencil(c);
    c.g.compute_at(c.f, c.y).hoist_storage_root().ring_buffer(c.p);
    c.p.set(0);
    try {
        (void)c.f.realize({4, 4});
        ADD_FAILURE() << "accepted";
    } catch (const RuntimeError &error) {
        EXPECT_NE(std::string(error.what()).find("the ring_buffer of g has 1 or more places"), std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("it has 0"), std::string::npos) << error.what();
    }
}

TEST(Prefetch, asks_for_each_line_of_what_a_later_iteration_reads) {
    Pair c;
    c.f(c.x, c.y) = c.input(c.x, c.y) + c.input(c.x, c.y + 1);
    c.f.prefetch(c.input, c.y, c.y, 2);
    const std::string text = lowered(c.f);
    EXPECT_EQ(count(text, "memory.prefetch"), 1u) << text;
    EXPECT_GE(count(assembly(c.f, get_host_target().to_string()), "prefetcht0"), 1u);
}

TEST(Prefetch, changes_no_value) {
    for (PrefetchBoundStrategy strategy :
         {PrefetchBoundStrategy::Clamp, PrefetchBoundStrategy::GuardWithIf, PrefetchBoundStrategy::NonFaulting}) {
        for (int offset : {-3, 0, 1, 40}) {
            expect_same(stencil, [&](Pair &c) {
                c.g.compute_root();
                c.f.prefetch(c.g, c.y, c.y, offset, strategy).prefetch(c.g, c.x, c.y, offset, strategy);
            });
            expect_same(stencil, [&](Pair &c) {
                c.f.tile(c.x, c.y, c.xo, c.yo, c.xi, c.yi, 8, 4).parallel(c.yo).vectorize(c.xi, 4).unroll(c.yi);
                c.g.store_root().compute_root().vectorize(c.x, 8);
                c.f.prefetch(c.g, c.xo, c.yo, c.p * offset, strategy);
            });
            expect_same(stencil, [&](Pair &c) {
                c.f.vectorize(c.x, 8).prefetch(c.g, c.y, c.y, offset, strategy);
                c.g.store_root().compute_at(c.f, c.y);
                c.f.prefetch(c.g, VarOrRVar("xv", false), c.y, offset, strategy);
            });
            expect_same(updated, [&](Pair &c) {
                c.g.compute_root();
                c.g.update().prefetch(c.g, c.x, c.y, offset, strategy);
            });
        }
    }
}

TEST(Prefetch, counts_what_is_computed_inside) {
    Pair c;
    c.g(c.x, c.y) = c.input(c.x, c.y);
    c.f(c.x, c.y) = c.g(c.x, c.y) + c.g(c.x, c.y + 3);
    c.g.compute_at(c.f, c.y);
    c.f.prefetch(c.input, c.y, c.y, 1, PrefetchBoundStrategy::Clamp);
    EXPECT_EQ(count(lowered(c.f), "memory.prefetch"), 1u);
    Buffer<uint8_t> image(20, 30);
    image.fill(3);
    c.input.set(image);
    Buffer<uint8_t> seen = c.f.realize({20, 27});
    EXPECT_EQ(seen(19, 26), 6);
}

TEST(Storage, goes_with_specializations) {
    for (int value : {1, 3, 4}) {
        expect_same(stencil, [&](Pair &c) {
            c.p.set(value);
            c.f.prefetch(c.g, c.x, c.y, 1, PrefetchBoundStrategy::Clamp).specialize(c.p == 3).vectorize(c.x, 8);
            c.f.specialize(c.p > 3).unroll(c.x, 2);
            c.g.store_root().compute_at(c.f, c.y).fold_storage(c.y, 5).align_storage(c.x, 16);
        });
        expect_same(updated, [&](Pair &c) {
            c.p.set(value);
            c.f.specialize(c.p == 3).vectorize(c.x, 8);
            c.g.compute_at(c.f, c.y).hoist_storage(c.f, Var::outermost()).bound_storage(c.y, 4);
            c.f.stream_stores();
        });
    }
}

// ---- Reuse of blocks.

std::atomic<int> blocks{0};
void *count_malloc(JITUserContext *, size_t bytes) {
    blocks++;
    return std::aligned_alloc(128, (bytes + 127) / 128 * 128);
}
void count_free(JITUserContext *, void *block) { std::free(block); }

std::atomic<int> live{0}, most_live{0};

void *count_live_malloc(JITUserContext *, size_t bytes) {
    most_live = std::max(most_live.load(), ++live);
    return std::aligned_alloc(128, (bytes + 255) / 128 * 128);
}

void count_live_free(JITUserContext *, void *block) {
    live--;
    std::free(block);
}

// A chain of any length has two stages in memory at a time, also if back ends compile the first ones separately.
TEST(Scratch, ChainsAtRootHoldTwoStages) {
    Var x("x"), y("y");
    for (size_t length : {3, 7, 8, 12}) {
        std::vector<Func> chain(length);
        chain[0](x, y) = x + y;
        for (size_t i = 1; i < length; i++) {
            chain[i](x, y) = chain[i - 1](x, y) * 3 + chain[i - 1](x + 1, y);
            chain[i - 1].compute_root();
        }
        chain.back().jit_handlers().custom_malloc = count_live_malloc;
        chain.back().jit_handlers().custom_free = count_live_free;
        most_live = 0;
        chain.back().realize({100, 90});
        EXPECT_EQ(most_live, 2) << length << " stages";
        EXPECT_EQ(live, 0);
        chain.back().jit_handlers() = JITHandlers();
    }
}

// A chain of five rows in each iteration: two of them are in memory at a time, in blocks that the iterations share.
TEST(Scratch, BlocksOfALoopAreUsedAgain) {
    Var x("x"), y("y");
    std::vector<Func> chain(6);
    chain[0](x, y) = x + y;
    for (size_t i = 1; i < chain.size(); i++) {
        chain[i](x, y) = chain[i - 1](x, y) * 3 + chain[i - 1](x + 1, y);
    }
    for (size_t i = 0; i + 1 < chain.size(); i++) {
        chain[i].compute_at(chain.back(), y).vectorize(x, 8);
    }
    chain.back().jit_handlers().custom_malloc = count_malloc;
    chain.back().jit_handlers().custom_free = count_free;
    blocks = 0;
    const Buffer<int> result = chain.back().realize({500, 20});
    EXPECT_EQ(blocks, 2) << "the longest rows come first, so that no block grows";
    chain.back().jit_handlers() = JITHandlers();
    Func plain;
    Expr value[7];
    for (int i = 0; i < 6; i++) {
        value[i] = x + i + y;
    }
    for (int depth = 1; depth < 6; depth++) {
        for (int i = 0; i + depth < 6; i++) {
            value[i] = value[i] * 3 + value[i + 1];
        }
    }
    plain(x, y) = value[0];
    const Buffer<int> expected = plain.realize({500, 20});
    int wrong = 0;
    result.for_each_element([&](int i, int j) { wrong += result(i, j) != expected(i, j); });
    EXPECT_EQ(wrong, 0);
}

// ---- stream_stores.

TEST(StreamStores, stores_vectors_past_the_caches_and_orders_them) {
    Pair c;
    c.f(c.x, c.y) = cast<uint8_t>(c.x + c.y);
    c.f.vectorize(c.x, 32).parallel(c.y).stream_stores();
    const std::string text = assembly(c.f, get_host_target().to_string());
    EXPECT_GE(count(text, "movnt"), 1u);
    EXPECT_GE(count(text, "sfence"), 1u);
}

TEST(StreamStores, changes_no_value) {
    for (int width : {37, 64, 67}) {
        expect_same(
            stencil,
            [](Pair &c) {
                c.g.compute_root().vectorize(c.x, 8).parallel(c.y).stream_stores();
                c.f.vectorize(c.x, 16).stream_stores();
            },
            width);
        expect_same(
            updated,
            [](Pair &c) {
                c.g.compute_root().vectorize(c.x, 8).stream_stores().update().vectorize(c.x, 4);
                c.f.parallel(c.y).vectorize(c.x, 8, TailStrategy::GuardWithIf).stream_stores();
            },
            width);
    }
}

} // namespace
} // namespace fluorite::storage_test
