// Where extern stages and what they read are computed and stored, and what reads them.

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

/// out(x, y) = in(x, y - 1) + in(x + 1, y + 2) * 2, of int32.
extern "C" int externs_test_cross(fluorite_buffer_t *in, fluorite_buffer_t *out) {
    if (in->host == nullptr) {
        in->dim[0] = fluorite_dimension_t(out->dim[0].min, out->dim[0].extent + 1, 1);
        in->dim[1] = fluorite_dimension_t(out->dim[1].min - 1, out->dim[1].extent + 3, 1);
        return 0;
    }
    for (int y = out->dim[1].min; y < out->dim[1].min + out->dim[1].extent; y++) {
        for (int x = out->dim[0].min; x < out->dim[0].min + out->dim[0].extent; x++) {
            const int at[] = {x, y}, above[] = {x, y - 1}, below[] = {x + 1, y + 2};
            *reinterpret_cast<int *>(out->address_of(at)) = *reinterpret_cast<const int *>(in->address_of(above)) +
                                                            2 * *reinterpret_cast<const int *>(in->address_of(below));
        }
    }
    return 0;
}
/// out() = in() + 1, of int32 without dimensions.
extern "C" int externs_test_next(fluorite_buffer_t *in, fluorite_buffer_t *out) {
    if (in->host != nullptr && out->host != nullptr) {
        *reinterpret_cast<int *>(out->host) = *reinterpret_cast<const int *>(in->host) + 1;
    }
    return 0;
}

namespace fluorite::extern_placement_test {
namespace {

struct Chain {
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"}, xo{"xo"}, xi{"xi"};
    Func first{"first"}, source{"source"}, stage{"stage"}, result{"result"};
    explicit Chain(bool has_update = false) {
        first(x, y) = x * 5 + y * y;
        source(x, y) = first(x, y) - first(x - 1, y + 1);
        if (has_update) {
            source(x, y) += x;
        }
        stage.define_extern("externs_test_cross", {source}, Int(32), {x, y});
        result(x, y) = stage(x, y) + stage(x, y - 1) + source(x, y);
    }
};

TEST(ExternPlacement, ProducersAtEveryLevel) {
    for (int level = 0; level < 5; level++) {
        Chain c;
        c.result.tile(c.x, c.y, c.xo, c.yo, c.xi, c.yi, 5, 4, TailStrategy::GuardWithIf);
        c.stage.compute_at(c.result, level < 4 ? c.xo : c.yi);
        const Var of_source = level < 2 ? c.yo : level < 4 ? c.xo : c.yi;
        c.source.compute_at(c.result, of_source);
        if (level % 2 == 0) {
            c.first.compute_at(c.result, c.yo);
        } else {
            c.first.compute_root();
        }
        if (level == 3) {
            c.source.store_at(c.result, c.yo);
        }
        expect_same<int>(c.result, {13, 10}, "level " + std::to_string(level));
    }
}

TEST(ExternPlacement, UpdatesAndReductionsAround) {
    Chain c(true);
    RDom r(0, 3, "r");
    Func sums("sums");
    sums(c.x, c.y) = 0;
    sums(c.x, c.y) += c.result(c.x + r, c.y) * c.stage(c.x, c.y + r);
    c.source.compute_root();
    c.stage.compute_at(sums, c.y);
    c.result.compute_at(sums, c.y);
    expect_same<int>(sums, {7, 6});
    c.stage.compute_root();
    sums.update().parallel(c.y).vectorize(c.x, 4);
    expect_same<int>(sums, {7, 6});
}

TEST(ExternPlacement, SeveralOutputs) {
    Chain c;
    c.source.compute_root();
    Buffer<int> of_stage(8, 6), of_result(8, 5);
    of_stage.set_min(0, -1);
    Pipeline({c.stage, c.result}).realize({of_stage, of_result});
    const Buffer<int> expected = interpreted<int>(c.result, {8, 5}), stage = interpreted<int>(c.stage, {8, 6}, {0, -1});
    EXPECT_EQ(interpret::compare_bits(*of_result.raw_buffer(), *expected.raw_buffer()).text, "");
    EXPECT_EQ(interpret::compare_bits(*of_stage.raw_buffer(), *stage.raw_buffer()).text, "");
}

TEST(ExternPlacement, OutputsOfAnyShape) {
    Chain c;
    c.source.compute_root();
    Buffer<int> whole(20, 20);
    whole.fill(-1);
    Buffer<int> part = whole.cropped(0, 3, 7).cropped(1, 4, 5);
    c.stage.realize(part);
    const Buffer<int> expected = interpreted<int>(c.stage, {7, 5}, {3, 4});
    whole.for_each_element([&](int i, int j) {
        const bool is_inside = i >= 3 && i < 10 && j >= 4 && j < 9;
        EXPECT_EQ(whole(i, j), is_inside ? expected(i, j) : -1) << i << ", " << j;
    });
    Func planes("planes");
    planes.define_extern("externs_test_cross", {c.source}, Int(32), {c.x, c.y});
    planes.output_buffer().dim(0).set_stride(3);
    Buffer<int> interleaved = Buffer<int>::make_interleaved(6, 4, 3).sliced(2, 1);
    planes.realize(interleaved);
    EXPECT_EQ(interleaved(5, 3), interpreted<int>(planes, {6, 4})(5, 3));
}

TEST(ExternPlacement, WithoutDimensions) {
    Func source("source"), stage("stage"), result("result");
    Var x("x");
    source() = 41;
    stage.define_extern("externs_test_next", {source}, Int(32), std::vector<Var>());
    result(x) = stage() + x;
    EXPECT_EQ(Buffer<int>(result.realize({2}))(1), 43);
    expect_same<int>(result, {5});
}

TEST(ExternPlacement, WrappersInBetween) {
    Chain c;
    c.source.compute_root();
    c.source.in(c.stage).compute_at(c.result, c.y);
    c.stage.compute_at(c.result, c.y);
    expect_same<int>(c.result, {6, 7});
    ImageParam image(Int(32), 2, "image");
    image.set(random_buffer<int>({12, 12}, 7, {-2, -2}));
    Func read("read"), last("last");
    read.define_extern("externs_test_cross", {image}, Int(32), {c.x, c.y});
    last(c.x, c.y) = read(c.x, c.y) * 3;
    image.in().compute_at(last, c.y);
    read.compute_at(last, c.y);
    expect_same<int>(last, {6, 7});
}

TEST(ExternPlacement, TracesAndMemoization) {
    Chain c;
    c.source.compute_root().trace_loads().trace_stores();
    c.stage.compute_root().trace_loads().trace_stores().trace_realizations();
    Func memoized("memoized");
    memoized.define_extern("externs_test_cross", {c.source}, Int(32), {c.x, c.y});
    memoized.compute_root().memoize();
    Func last("last");
    last(c.x, c.y) = memoized(c.x, c.y) + 1;
    expect_same<int>(last, {5, 4});
    expect_same<int>(last, {5, 4});
}

TEST(ExternPlacement, SharedLoopsAreRefused) {
    Chain c;
    Func other("other"), both("both");
    other(c.x, c.y) = c.x;
    both(c.x, c.y) = other(c.x, c.y) + c.stage(c.x, c.y);
    other.compute_root();
    c.source.compute_root();
    c.stage.compute_root().compute_with(other, c.y);
    expect_error([&] { both.realize({4, 4}); }, "extern-loops",
                 "in stage: compute_with is applied, but its loops are those of the C function externs_test_cross; an "
                 "extern stage is scheduled as a whole; schedule a Func that reads it");
}

} // namespace
} // namespace fluorite::extern_placement_test
