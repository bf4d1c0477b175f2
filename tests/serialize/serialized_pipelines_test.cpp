// Pipelines that are written as bytes and read again compute the same bits and have the same schedules.
#include "fluorite/fluorite.h"
#include "fluorite/serialization.h"
#include "ir/parameter.h"
#include "language/pipeline_contents.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <string>

namespace fluorite::serialized_pipelines_test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(const Pipeline &pipeline, const SerializeOptions &options = {}) {
    Bytes bytes;
    serialize_pipeline(pipeline, bytes, options);
    return bytes;
}

/// The pipeline that was written and read, with the parameters of the program.
Pipeline read_again(const Pipeline &pipeline) {
    Bytes bytes;
    ExternalParameters parameters;
    serialize_pipeline(pipeline, bytes, parameters);
    return deserialize_pipeline(bytes, parameters);
}

template <typename T> std::vector<T> values_of(const Pipeline &pipeline, const std::vector<int> &sizes) {
    std::vector<T> values;
    Realization outputs = pipeline.realize(sizes);
    for (size_t i = 0; i < outputs.size(); i++) {
        const Buffer<T> output(outputs[i]);
        output.for_each_value([&](T value) { values.push_back(value); });
    }
    return values;
}

/// Whether both give equal values, schedules and bytes.
template <typename T> void expect_kept(const Pipeline &pipeline, const std::vector<int> &sizes) {
    const Pipeline read = read_again(pipeline);
    EXPECT_EQ(read.schedule().text(), pipeline.schedule().text());
    EXPECT_EQ(bytes_of(read), bytes_of(pipeline));
    EXPECT_EQ(values_of<T>(read, sizes), values_of<T>(pipeline, sizes));
}

template <typename T> Buffer<T> counted(const std::vector<int> &sizes) {
    Buffer<T> buffer(sizes);
    int next = 1;
    buffer.for_each_value([&](T &value) { value = static_cast<T>(next++ * 7 % 101); });
    return buffer;
}

struct Variables {
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, u{"u"};
};

TEST(SerializedPipelines, KeepDefinitionsUpdatesAndTuples) {
    Variables v;
    ImageParam in(Int(32), 2, "in");
    in.set(counted<int32_t>({40, 30}));
    Param<int> gain("gain", 3);
    RDom r(0, 5, 1, 3, "r");
    r.where(r.x + r.y < 6);
    Func f("f"), g("g");
    f(v.x, v.y) = Tuple(in(v.x, v.y) * gain, cast<int>(random_uint()) % 100);
    f(v.x, v.y) = Tuple(f(v.x, v.y)[0] + in(v.x + r.x, v.y + r.y), f(v.x, v.y)[1] ^ r.x);
    f(3, v.y) = Tuple(v.y, f(3, v.y)[1] + 1);
    g(v.x, v.y) = f(v.x, v.y)[0] * 1000 + f(v.x, v.y)[1];
    f.compute_at(g, v.y).split(v.x, v.xo, v.xi, 8, TailStrategy::RoundUp).vectorize(v.xi);
    f.update(0).reorder(v.x, r.y, r.x);
    g.parallel(v.y).specialize(gain == 3).unroll(v.x, 2);
    expect_kept<int32_t>(g, {17, 9});
}

TEST(SerializedPipelines, KeepPredicatesThatReadTheFunc) {
    Variables v;
    Func f("f"), g("g");
    RDom r(1, 9, "r");
    f(v.x) = v.x % 4;
    r.where(f(r - 1) > 1);
    f(r) = f(r - 1) + 10;
    g(v.x) = f(v.x) + 1;
    f.compute_root();
    expect_kept<int32_t>(g, {10});
}

template <typename T> void expect_type_kept() {
    SCOPED_TRACE(to_string(type_of<T>()));
    Variables v;
    ImageParam in(type_of<T>(), 1, "in");
    in.set(counted<T>({50}));
    Param<T> p("p", static_cast<T>(1));
    Func f("f");
    f(v.x) = in(v.x) + p;
    f(v.x) += cast<T>(2);
    f.vectorize(v.x, 4).update().vectorize(v.x, 8);
    expect_kept<T>(f, {37});
}

TEST(SerializedPipelines, KeepEveryType) {
    expect_type_kept<int8_t>();
    expect_type_kept<uint8_t>();
    expect_type_kept<int16_t>();
    expect_type_kept<uint16_t>();
    expect_type_kept<int32_t>();
    expect_type_kept<uint32_t>();
    expect_type_kept<int64_t>();
    expect_type_kept<uint64_t>();
    expect_type_kept<float>();
    expect_type_kept<double>();
}

TEST(SerializedPipelines, KeepNumbersBitByBit) {
    const float numbers[] = {
        0.0F, -0.0F, 1e-42F, std::numeric_limits<float>::infinity(), 0.1F, std::numeric_limits<float>::max()};
    Variables v;
    Func f("f");
    Expr value = 0.0F;
    for (int i = 0; i < 6; i++) {
        value = select(v.x == i, numbers[i], value);
    }
    f(v.x) = value;
    const Buffer<float> output = read_again(f).realize({6});
    for (int i = 0; i < 6; i++) {
        const float seen = output(i);
        EXPECT_EQ(std::memcmp(&seen, &numbers[i], sizeof(float)), 0) << i;
    }
}

TEST(SerializedPipelines, KeepSharedExpressions) {
    Func f("f");
    Var x("x");
    Expr sum = x;
    for (int i = 0; i < 60; i++) {
        sum = sum + sum; // 2^60 operands as a text
    }
    f(x) = sum;
    const Bytes bytes = bytes_of(f);
    EXPECT_LT(bytes.size(), 4000U);
    EXPECT_EQ(values_of<int32_t>(deserialize_pipeline(bytes), {3}), values_of<int32_t>(f, {3}));
}

TEST(SerializedPipelines, KeepBuffersOfDefinitions) {
    Variables v;
    Buffer<uint16_t> whole = counted<uint16_t>({20, 10});
    Buffer<uint16_t> part = whole.cropped(0, 3, 9).cropped(1, 2, 7), turned = whole.transposed(0, 1);
    Buffer<uint16_t> pixels = Buffer<uint16_t>::make_interleaved(6, 5, 3, "pixels");
    pixels.fill(9);
    Buffer<uint16_t> one = Buffer<uint16_t>::make_scalar();
    one() = 77;
    turned.set_min(-4, 5);
    Func f("f");
    f(v.x, v.y) = part(clamp(v.x, 3, 11), clamp(v.y, 2, 8)) + turned(clamp(v.x - 4, -4, 5), clamp(v.y + 5, 5, 24)) +
                  pixels(clamp(v.x, 0, 5), 2, 1) + one();
    expect_kept<uint16_t>(f, {15, 12});
}

TEST(SerializedPipelines, KeepWrappersClonesAndPartialResults) {
    Variables v;
    ImageParam in(UInt(8), 2, "in");
    in.set(counted<uint8_t>({70, 40}));
    Func a("a"), b("b"), c("c"), sum("sum"), out("out");
    RDom r(0, 16, 0, 4, "r");
    a(v.x, v.y) = cast<uint32_t>(in(v.x, v.y)) + 1;
    b(v.x, v.y) = a(v.x, v.y) * 2;
    c(v.x, v.y) = a(v.x, v.y) + a.in(b)(v.x + 1, v.y); // a wrapper that another Func calls by its name
    sum(v.x) = cast<uint32_t>(0);
    sum(v.x) += b(v.x + r.x, r.y) * c(v.x, r.y);
    out(v.x, v.y) = sum(v.x) + b(v.x, v.y);
    a.compute_root();
    a.in(b).compute_root().vectorize(v.x, 4);
    a.clone_in(c).compute_root().parallel(v.y);
    in.in(a).compute_root();
    b.compute_root();
    c.compute_root();
    b.in(out).compute_at(out, v.y);
    Func partial = sum.compute_root().update().split(r.x, v.xo, v.xi, 4).rfactor(v.xi, v.u);
    partial.compute_root().vectorize(v.u).update().vectorize(v.u);
    expect_kept<uint32_t>(out, {19, 6});
}

TEST(SerializedPipelines, KeepParametersThatOnlySchedulesRead) {
    Variables v;
    Param<int> factor("factor", 3), threshold, unused_name;
    threshold.set(5);
    unused_name.set(6);
    ImageParam sizes(Int(32), 1, "sizes");
    sizes.set(counted<int32_t>({4}));
    Func f("f"), g("g");
    f(v.x, v.y) = v.x + v.y;
    g(v.x, v.y) = f(v.x, v.y) + unused_name;
    f.compute_root().split(v.x, v.xo, v.xi, factor, TailStrategy::GuardWithIf).specialize(threshold > 4).parallel(v.y);
    g.bound(v.x, 0, sizes.dim(0).extent());
    expect_kept<int32_t>(g, {4, 5});
}

TEST(SerializedPipelines, KeepPromises) {
    Variables v;
    ImageParam in(UInt(8), 2, "in");
    Param<float> p("p", 1.5F, 0.0F, 2.0F);
    p.set_estimate(1.25F);
    Func f("f");
    f(v.x, v.y) = cast<float>(in(v.x, v.y)) * p;
    in.dim(0).set_bounds(0, 32).set_stride(2);
    in.dim(1).set_min(f.output_buffer().dim(1).min()).set_stride(in.dim(0).extent() * 2).set_estimate(0, 10);
    in.set_host_alignment(32);
    f.output_buffer().dim(0).set_bounds(0, in.dim(0).extent());
    Pipeline pipeline(f);
    pipeline.add_requirement(p > 0.5F, "p is ", p);
    const auto lowered = [](const Pipeline &it) {
        std::ostringstream text;
        text << it.compile_to_module(it.infer_arguments(), "f", Target("x86-64-linux"));
        return text.str();
    };
    EXPECT_EQ(lowered(deserialize_pipeline(bytes_of(pipeline))), lowered(pipeline));
}

TEST(SerializedPipelines, KeepIterations) {
    Variables v;
    ImageParam image(Float(32), 2, "image");
    image.set(counted<float>({24, 18}));
    Param<int> steps("steps", 5);
    Func inner("inner"), next("next");
    Iterated f = iterate(steps, {{0, 24}, {0, 18}}, image, [&](const IterationStep &s) {
        Func u = BoundaryConditions::repeat_edge(s.field());
        inner(v.x, v.y) = u(v.x - 1, v.y) + u(v.x + 1, v.y);
        Iterated nested = iterate(2, {{0, 24}, {0, 18}}, inner, [&](const IterationStep &t) {
            Func w = BoundaryConditions::constant_exterior(t.field(), 0.0F), half("half");
            half(v.x, v.y) = (w(v.x, v.y) + w(v.x, v.y + 1) + s.field()(v.x, v.y)) * 0.25F;
            half.vectorize(v.x, 4);
            return half;
        });
        next(v.x, v.y) = Func(nested)(v.x, v.y) * 0.5F + cast<float>(s.t);
        next.parallel(v.y).vectorize(v.x, 8);
        return next;
    });
    f.time_tile(1);
    expect_kept<float>(Func(f), {24, 18});
}

TEST(SerializedPipelines, KeepSeveralOutputsTracesAndNames) {
    Func f, g("g");
    Var x, y("y");
    f(x) = x * 3;
    g(y) = f(y) + 1;
    f.compute_root().vectorize(x, 4);
    Pipeline pipeline({f, g});
    pipeline.trace_pipeline();
    const Pipeline read = read_again(pipeline);
    EXPECT_EQ(read.schedule().text(), pipeline.schedule().text());
    ASSERT_EQ(read.outputs().size(), 2U);
    EXPECT_EQ(read.outputs()[1].name(), "g");
    EXPECT_TRUE(read.contents()->trace_pipeline);
    EXPECT_EQ(bytes_of(read), bytes_of(pipeline));
}

TEST(SerializedPipelines, KeepPlaces) {
    Func f("f");
    Var x("x");
    f(x) = x;
    const Location place = f.function()->def.location;
    const Pipeline read = deserialize_pipeline(bytes_of(f));
    EXPECT_EQ(read.contents()->outputs[0]->def.location.line, place.line);
    EXPECT_STREQ(read.contents()->outputs[0]->def.location.file, place.file);
}

TEST(SerializedPipelines, KeepPlacesOfDirectives) {
    Variables v;
    Func f("f"), g("g"), h("h");
    f(v.x, v.y) = v.x + v.y;
    g(v.x, v.y) = f(v.x, v.y);
    h(v.x, v.y) = f(v.x, v.y) + g(v.x, v.y);
    g.compute_root();
    const unsigned line = __LINE__ + 1;
    f.compute_at(g, v.y);
    h.parallel(v.y);
    const Pipeline read = deserialize_pipeline(bytes_of(h));
    for (const Pipeline &pipeline : {Pipeline(h), read}) {
        try {
            pipeline.compile_jit();
            ADD_FAILURE() << "a Func is computed inside loops that do not enclose all uses";
        } catch (const CompileError &error) {
            EXPECT_EQ(error.location().line, line) << error.what();
        }
    }
}

TEST(SerializedPipelines, CanBeScheduledAndExtended) {
    Variables v;
    ImageParam in(Int(32), 1, "in");
    in.set(counted<int32_t>({30}));
    Func f("f"), g("g");
    f(v.x) = in(v.x) + in(v.x + 1);
    g(v.x) = f(v.x) * 2;
    const Pipeline read = read_again(g);
    Func again = read.outputs()[0], more("more");
    more(v.x) = again(v.x) + again(v.x + 1);
    again.compute_root().vectorize(v.x, 4);
    const Buffer<int32_t> seen = more.realize({20}), expected = g.realize({21});
    for (int i = 0; i < 20; i++) {
        EXPECT_EQ(seen(i), expected(i) + expected(i + 1));
    }
}

TEST(SerializedParameters, HaveTheirValues) {
    Variables v;
    ImageParam in(UInt(8), 1, "in");
    in.set(counted<uint8_t>({5}));
    Param<double> p("p", 2.5);
    Func f("f");
    f(v.x) = cast<double>(in(v.x)) + p;
    const ExternalParameters without = deserialize_parameters(bytes_of(f)),
                             with = deserialize_parameters(bytes_of(f, {.bound_images = true}));
    ASSERT_EQ(without.size(), 2U);
    EXPECT_EQ(without.at("p").scalar<double>(), 2.5);
    EXPECT_FALSE(without.at("in").buffer().defined());
    ASSERT_TRUE(with.at("in").buffer().defined());
    EXPECT_EQ(with.at("in").buffer().raw_buffer()->host[4], in.get().raw_buffer()->host[4]);
    const Pipeline complete = deserialize_pipeline(bytes_of(f, {.bound_images = true}));
    EXPECT_EQ(values_of<double>(complete, {5}), values_of<double>(f, {5}));
}

TEST(SerializedParameters, GivenOnesReplaceThoseOfTheFile) {
    Variables v;
    Param<int> p("p", 1);
    Func f("f");
    f(v.x) = v.x + p;
    Param<int> other("other", 40);
    const Pipeline read = deserialize_pipeline(bytes_of(f), {{"p", other.parameter()}, {"nobody", p.parameter()}});
    EXPECT_EQ(values_of<int32_t>(read, {2}), (std::vector<int32_t>{40, 41}));
    other.set(50);
    EXPECT_EQ(values_of<int32_t>(read, {2}), (std::vector<int32_t>{50, 51}));
}

} // namespace
} // namespace fluorite::serialized_pipelines_test
