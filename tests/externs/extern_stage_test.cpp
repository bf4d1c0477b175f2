// define_extern(): Funcs that C functions compute, at the start, in the middle and at the end of a pipeline.

#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {
std::atomic<int> calls{0}, queries{0};
std::atomic<int> fail_at{-1}; // the call that fails, counted from 0; -1: none

/// Counts a call; returns its result.
int enter(bool is_query) {
    const int number = calls++;
    queries += is_query ? 1 : 0;
    return number == fail_at ? 77 : 0;
}

/// out(p) = 2 * in(p) + in(p + (1, 0, ...)) + add, for any rank.
template <typename T> int weigh(fluorite_buffer_t *in, T add, fluorite_buffer_t *out) {
    const bool is_query = in->host == nullptr || out->host == nullptr;
    if (const int code = enter(is_query); code != 0) {
        return code;
    }
    const int rank = out->dimensions;
    if (in->host == nullptr) {
        for (int d = 0; d < rank; d++) {
            in->dim[d].min = out->dim[d].min;
            in->dim[d].extent = out->dim[d].extent + (d == 0 ? 1 : 0);
        }
    }
    if (is_query) {
        return 0;
    }
    std::vector<int> at(static_cast<size_t>(rank));
    for (int d = 0; d < rank; d++) {
        at[static_cast<size_t>(d)] = out->dim[d].min;
    }
    for (bool more = true; more;) {
        const T one = *reinterpret_cast<const T *>(in->address_of(at.data()));
        if (rank > 0) {
            at[0]++;
        }
        const T other = *reinterpret_cast<const T *>(in->address_of(at.data()));
        if (rank > 0) {
            at[0]--;
        }
        *reinterpret_cast<T *>(out->address_of(at.data())) = static_cast<T>(2 * one + other + add);
        more = false;
        for (int d = 0; d < rank && !more; d++) {
            int &coordinate = at[static_cast<size_t>(d)];
            more = ++coordinate < out->dim[d].min + out->dim[d].extent;
            coordinate = more ? coordinate : out->dim[d].min;
        }
    }
    return 0;
}
} // namespace

extern "C" int externs_test_weigh32(fluorite_buffer_t *in, int32_t add, fluorite_buffer_t *out) {
    return weigh<int32_t>(in, add, out);
}
extern "C" int externs_test_weigh8(fluorite_buffer_t *in, uint8_t add, fluorite_buffer_t *out) {
    return weigh<uint8_t>(in, add, out);
}
extern "C" int externs_test_weighf(fluorite_buffer_t *in, float add, fluorite_buffer_t *out) {
    return weigh<float>(in, add, out);
}
extern "C" int externs_test_weigh64(fluorite_buffer_t *in, double add, fluorite_buffer_t *out) {
    return weigh<double>(in, add, out);
}

/// Copies the first value plus 100, and halves the second one.
extern "C" int externs_test_both(fluorite_buffer_t *a, fluorite_buffer_t *b, fluorite_buffer_t *sum,
                                 fluorite_buffer_t *half) {
    if (a->host == nullptr || b->host == nullptr) {
        for (int d = 0; d < 2; d++) {
            a->dim[d] = sum->dim[d];
            b->dim[d] = half->dim[d];
        }
        return 0;
    }
    for (int y = sum->dim[1].min; y < sum->dim[1].min + sum->dim[1].extent; y++) {
        for (int x = sum->dim[0].min; x < sum->dim[0].min + sum->dim[0].extent; x++) {
            const int at[] = {x, y};
            *reinterpret_cast<int *>(sum->address_of(at)) = *reinterpret_cast<const int *>(a->address_of(at)) + 100;
            *reinterpret_cast<float *>(half->address_of(at)) =
                0.5F * *reinterpret_cast<const float *>(b->address_of(at));
        }
    }
    return 0;
}
extern "C" int externs_test_handle(void *number, fluorite_buffer_t *out) {
    for (int i = 0; out->host != nullptr && i < out->dim[0].extent; i++) {
        reinterpret_cast<int *>(out->host)[i] = *static_cast<const int *>(number) + out->dim[0].min + i;
    }
    return 0;
}
namespace externs_test {
int in_cxx(fluorite_buffer_t *in, int add, float factor, fluorite_buffer_t *out);
int in_cxx(fluorite_buffer_t *in, int add, float factor, fluorite_buffer_t *out) {
    return weigh<int32_t>(in, static_cast<int>(static_cast<float>(add) * factor * 0) - 1, out);
}
} // namespace externs_test

namespace fluorite::extern_stage_test {
namespace {

template <typename Run> std::string error_of(const Run &run) {
    try {
        run();
    } catch (const Error &error) {
        return error.slug() + ": " + error.message();
    }
    return "";
}

struct Pipeline3 {
    Var x{"x"}, y{"y"};
    Func source{"source"}, stage{"stage"}, result{"result"};
    Pipeline3() {
        source(x, y) = x * 3 + y * 100;
        stage.define_extern("externs_test_weigh32", {source, 5}, Int(32), {x, y});
        result(x, y) = stage(x, y) - stage(x, y + 1);
    }
    static int at(int x, int y) {
        const auto source = [](int sx, int sy) { return sx * 3 + sy * 100; };
        const auto stage = [&](int sx, int sy) { return 2 * source(sx, sy) + source(sx + 1, sy) + 5; };
        return stage(x, y) - stage(x, y + 1);
    }
    void expect(int width, int height) {
        Buffer<int> out = result.realize({width, height});
        for (int j = 0; j < height; j++) {
            for (int i = 0; i < width; i++) {
                ASSERT_EQ(out(i, j), at(i, j)) << i << ", " << j;
            }
        }
    }
};

TEST(ExternStage, InTheMiddleAtRoot) {
    Pipeline3 p;
    EXPECT_TRUE(p.stage.is_extern());
    EXPECT_EQ(p.stage.extern_function_name(), "externs_test_weigh32");
    p.source.compute_root();
    p.stage.compute_root();
    p.expect(17, 5);
}

TEST(ExternStage, WithoutASchedule) {
    Pipeline3 p;
    p.expect(9, 7);
    expect_same<int>(p.result, {9, 7});
}

TEST(ExternStage, TiledInsideOfItsConsumer) {
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards}) {
        Pipeline3 p;
        Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
        p.result.tile(p.x, p.y, xo, yo, xi, yi, 4, 3, tail).parallel(yo);
        p.stage.compute_at(p.result, xo);
        p.source.compute_at(p.result, xo);
        p.expect(18, 10);
        p.source.compute_root();
        p.expect(18, 10);
        p.stage.compute_at(p.result, yo);
        p.expect(17, 11);
    }
}

TEST(ExternStage, SlidesWhereItIsStoredFurtherOut) {
    Pipeline3 p;
    p.stage.store_root().compute_at(p.result, p.y);
    p.source.store_root().compute_at(p.result, p.y);
    p.expect(12, 9);
    p.source.compute_root();
    p.expect(12, 9);
}

TEST(ExternStage, StorageOfAnyOrder) {
    Pipeline3 p;
    p.source.compute_root().reorder_storage(p.y, p.x).align_storage(p.y, 16);
    p.stage.compute_root().reorder_storage(p.y, p.x);
    p.expect(11, 6);
    p.stage.compute_at(p.result, p.y).hoist_storage_root();
    p.expect(11, 6);
    p.stage.store_in(MemoryType::Heap);
    p.expect(11, 6);
}

TEST(ExternStage, Async) {
    Pipeline3 p;
    p.source.compute_root().async();
    p.stage.compute_at(p.result, p.y).async();
    p.expect(13, 8);
}

TEST(ExternStage, SpecializedConsumer) {
    Pipeline3 p;
    p.result.specialize(p.result.output_buffer().width() > 10).vectorize(p.x, 4);
    p.stage.compute_at(p.result, p.y);
    p.expect(9, 4);
    p.expect(14, 4);
}

template <typename T, size_t rank> void expect_of_type(const char *function) {
    std::vector<Var> vars;
    std::vector<int> sizes;
    std::vector<Expr> args;
    Expr sum = 1;
    for (size_t d = 0; d < rank; d++) {
        vars.emplace_back("v" + std::to_string(d));
        sizes.push_back(static_cast<int>(5 - d));
        args.push_back(vars[d]);
        sum = sum * 3 + vars[d];
    }
    Func source("source"), stage("stage"), result("result");
    source(vars) = cast<T>(sum);
    stage.define_extern(function, {source, Expr(cast<T>(3))}, type_of<T>(), vars);
    result(vars) = stage(vars) + cast<T>(1);
    source.compute_root();
    stage.compute_root();
    expect_same<T>(result, sizes, function);
    stage.compute_at(result, vars.back());
    expect_same<T>(result, sizes, function);
    expect_same<T>(stage, sizes, "as the output");
}

TEST(ExternStage, RanksAndTypes) {
    expect_of_type<int32_t, 1>("externs_test_weigh32");
    expect_of_type<uint8_t, 2>("externs_test_weigh8");
    expect_of_type<float, 3>("externs_test_weighf");
    expect_of_type<double, 4>("externs_test_weigh64");
    expect_of_type<uint8_t, 4>("externs_test_weigh8");
}

TEST(ExternStage, AtTheStartItReadsAnImage) {
    ImageParam image(Int(32), 2, "image");
    Var x("x"), y("y");
    Param<int> add("add");
    Func stage("stage"), result("result");
    stage.define_extern("externs_test_weigh32", {image, add}, Int(32), {x, y});
    result(x, y) = stage(x + 2, y) * 2;
    add.set(7);
    Buffer<int> in(9, 4);
    in.for_each_element([&](int i, int j) { in(i, j) = i * i + 10 * j; });
    image.set(in);
    Buffer<int> out = result.realize({6, 4});
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 6; i++) {
            EXPECT_EQ(out(i, j), 2 * (2 * in(i + 2, j) + in(i + 3, j) + 7));
        }
    }
    expect_same<int>(result, {6, 4});
    image.reset();
    result.infer_input_bounds({5, 3});
    Buffer<int> asked = image.get();
    EXPECT_EQ(asked.dim(0).min(), 2);
    EXPECT_EQ(asked.dim(0).extent(), 6);
    EXPECT_EQ(asked.dim(1).extent(), 3);
}

TEST(ExternStage, ABufferIsPassedAsItIs) {
    Buffer<int> in(8, 3);
    in.for_each_element([&](int i, int j) { in(i, j) = i - 5 * j; });
    Var x("x"), y("y");
    Func stage("stage");
    stage.define_extern("externs_test_weigh32", {in, 1}, Int(32), {x, y});
    Buffer<int> out = stage.realize({7, 3});
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 7; i++) {
            EXPECT_EQ(out(i, j), 2 * in(i, j) + in(i + 1, j) + 1);
        }
    }
}

TEST(ExternStage, ChainsOfTwo) {
    Var x("x"), y("y"), yo("yo"), yi("yi");
    Func source("source"), first("first"), between("between"), second("second"), result("result");
    source(x, y) = x * x - y;
    first.define_extern("externs_test_weigh32", {source, 1}, Int(32), {x, y});
    between(x, y) = first(x, y) + first(x, y - 1);
    second.define_extern("externs_test_weigh32", {between, 2}, Int(32), {x, y});
    result(x, y) = second(x, y);
    source.compute_root();
    first.compute_root();
    between.compute_root();
    second.compute_root();
    expect_same<int>(result, {10, 7});
    result.split(y, yo, yi, 3, TailStrategy::GuardWithIf);
    for (Func *func : {&source, &first, &between, &second}) {
        func->compute_at(result, yo);
    }
    expect_same<int>(result, {10, 7});
    first.store_root();
    source.store_root();
    expect_same<int>(result, {10, 7});
}

TEST(ExternStage, OneReadsTheOther) {
    Var x("x"), y("y");
    Func source("source"), first("first"), second("second");
    source(x, y) = x * x - y;
    first.define_extern("externs_test_weigh32", {source, 1}, Int(32), {x, y});
    second.define_extern("externs_test_weigh32", {first, 3}, Int(32), {x, y});
    expect_same<int>(second, {9, 5});
}

TEST(ExternStage, SeveralValues) {
    Var x("x"), y("y");
    Func source("source"), stage("stage"), result("result");
    source(x, y) = Tuple(x + y, cast<float>(x - y));
    stage.define_extern("externs_test_both", {source}, {Int(32), Float(32)}, {x, y});
    result(x, y) = Tuple(stage(x, y)[0], stage(x + 1, y)[1]);
    source.compute_root();
    stage.compute_at(result, y);
    Realization out = result.realize({6, 5});
    Buffer<int> sums = out[0];
    Buffer<float> scaled = out[1];
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 6; i++) {
            EXPECT_EQ(sums(i, j), i + j + 100);
            EXPECT_EQ(scaled(i, j), 0.5F * static_cast<float>(i + 1 - j));
        }
    }
}

TEST(ExternStage, HandlesPassThrough) {
    Var x("x");
    int number = 11;
    Param<void *> pointer("pointer");
    pointer.set(&number);
    Func stage("stage");
    stage.define_extern("externs_test_handle", {pointer}, Int(32), {x});
    Buffer<int> out = stage.realize({3});
    EXPECT_EQ(out(2), 13);
}

TEST(ExternStage, NamesOfCxxFunctions) {
    Func source("source"), stage("stage");
    Var x("x");
    source(x) = x;
    source.compute_root();
    stage.define_extern("externs_test::in_cxx", {source, 2, 0.5f}, Int(32), {x}, NameMangling::CPlusPlus);
    EXPECT_EQ(stage.extern_function_name(), "_ZN12externs_test6in_cxxEP15halide_buffer_tifS1_");
    Buffer<int> out = stage.realize({4});
    EXPECT_EQ(out(3), 2 * 3 + 4 - 1);
}

/// A call that fails at the n-th call, for every n, ends the run with its code; the next run is whole.
TEST(ExternStage, EveryCallMayFail) {
    Pipeline3 p;
    p.source.compute_at(p.result, p.y);
    p.stage.compute_at(p.result, p.y);
    calls = 0;
    p.expect(6, 3);
    const int all = calls;
    EXPECT_GT(all, 3);
    for (int n = 0; n < all; n++) {
        calls = 0;
        fail_at = n;
        try {
            p.result.realize({6, 3});
            ADD_FAILURE() << "call " << n << " fails";
        } catch (const RuntimeError &error) {
            EXPECT_NE(std::string(error.what()).find("returned 77"), std::string::npos) << error.what();
        }
        EXPECT_EQ(calls, n + 1);
    }
    fail_at = -1;
    p.expect(6, 3);
}

TEST(ExternStage, AsksForMoreThanAnImageHolds) {
    ImageParam image(Int(32), 1, "image");
    Var x("x");
    Func stage("stage");
    stage.define_extern("externs_test_weigh32", {image, 1}, Int(32), {x});
    image.set(Buffer<int>(5));
    EXPECT_EQ(
        error_of([&] { stage.realize({5}); }),
        "input-too-small: in stage: it reads image over [0, 5] along dimension 0, but image holds [0, 4] there; an "
        "input must hold every coordinate that is read; pass a larger image, realize a smaller output, or give image "
        "a boundary condition");
}

TEST(ExternStage, RefusedArguments) {
    Var x("x"), y("y");
    Func undefined("undefined"), stage("stage"), defined("defined");
    defined(x) = x;
    const std::string rule = "; an argument is a value that is the same for all points, or a buffer: a Func that is "
                             "defined, an ImageParam or a Buffer; ";
    expect_error([&] { stage.define_extern("f", {undefined}, Int(32), {x}); }, "extern-argument",
                 "in stage, stage 0: argument 0 of its extern function is undefined, a Func without a definition" +
                     rule + "define it first");
    expect_error([&] { stage.define_extern("f", {Expr(x) + 1}, Int(32), {x}); }, "extern-argument",
                 "in stage, stage 0: argument 0 of its extern function is x + 1, whose value depends on a Var" + rule +
                     "pass a number or a Param");
    expect_error([&] { stage.define_extern("f", {Expr(defined(0))}, Int(32), {x}); }, "extern-argument",
                 "in stage, stage 0: argument 0 of its extern function is defined(0), whose value depends on elements" +
                     rule + "pass the Func or the image itself");
    expect_error([&] { stage.define_extern("f", {Expr()}, Int(32), {x}); }, "extern-argument",
                 "in stage, stage 0: argument 0 of its extern function is undefined" + rule + "give it a value");
    expect_error([&] { stage.define_extern("f", {}, Handle(), {x}); }, "extern-argument",
                 "in stage, stage 0: type handle is given; an extern function computes numbers, one buffer for each "
                 "type; name their types");
    expect_error([&] { stage.define_extern("f", {}, std::vector<Type>(), {x}); }, "extern-argument",
                 "in stage, stage 0: no type is given; an extern function computes at least one value for each point; "
                 "name its type");
    expect_error([&] { stage.define_extern("f", {}, Int(32), {x}, NameMangling::C, DeviceAPI::CUDA); },
                 "extern-argument",
                 "in stage, stage 0: a device is given; an extern function runs on the host and accesses its memory; "
                 "leave the device out");
    expect_error(
        [&] { defined.define_extern("f", {}, Int(32), {x}); }, "extern-argument",
        "in defined, stage 0: it has a definition, and define_extern gives it another one; a Func has one; use "
        "another Func");
    stage.define_extern("f", {}, Int(32), {x});
    expect_error([&] { stage(x) += 1; }, "extern-update",
                 "in stage, stage 1: an update is added to a Func that the C function f defines; an extern function "
                 "computes all of its Func; update another Func, which reads this one");
}

TEST(ExternStage, RefusedSchedules) {
    Pipeline3 p;
    p.stage.compute_root().vectorize(p.x, 4);
    expect_error([&] { p.result.realize({8, 8}); }, "extern-loops",
                 "in stage: vectorize is applied, but its loops are those of the C function externs_test_weigh32; an "
                 "extern stage is scheduled as a whole; schedule a Func that reads it");
    Pipeline3 q;
    q.source.compute_at(q.stage, q.x);
    q.stage.compute_root();
    expect_error(
        [&] { q.result.realize({8, 8}); }, "extern-loops",
        "in source: it is placed at loop x of stage, a loop of the C function of an extern stage; that function "
        "gets whole boxes of what it reads; place it further out");
    Pipeline3 r;
    Var xi("xi");
    r.result.split(r.x, r.x, xi, 8).vectorize(xi);
    r.stage.compute_at(r.result, xi);
    expect_error(
        [&] { r.result.realize({8, 8}); }, "extern-lanes",
        "in stage: it is computed inside of loop xi of result, whose iterations are lanes or run on a device; "
        "the C function externs_test_weigh32 computes whole boxes on the host; compute it outside of that loop");
    Pipeline3 s;
    s.stage.store_root().compute_at(s.result, s.y).fold_storage(s.y, 4);
    expect_error([&] { s.result.realize({8, 8}); }, "extern-fold",
                 "in stage: fold_storage of y, but an extern stage accesses it; a C function finds elements by their "
                 "strides, which a circular buffer does not have; take fold_storage away");
}

} // namespace
} // namespace fluorite::extern_stage_test
