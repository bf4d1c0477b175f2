// Pipelines of several outputs, and of tuples: their certificates, and what is compiled from them.

#include "certified.h"
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "interpret/compare.h"
#include "language/freeze.h"

#include <gtest/gtest.h>

namespace fluorite::outputs_test {
namespace {

using verify::check;
using verify::gaps;

class CertifyOutputs : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, u{"u"};
    Func shared{"shared"}, low{"low"}, high{"high"};

    void SetUp() override {
        input.set(random_buffer<uint16_t>({120, 100}, 1, {-4, -4}));
        shared(x, y) = input(x, y) + input(x + 1, y);
        low(x, y) = shared(x, y) + shared(x, y + 1);
        high(x, y) = cast<int32_t>(shared(x, y)) - cast<int32_t>(input(x, y + 2));
    }
    // Everything is covered, the checker accepts it, the loops are those of the schedule, and the interpreter's values.
    static std::string whole(const std::vector<Func> &outputs, const std::vector<int32_t> &sizes,
                             const std::vector<int64_t> &extents = {}) {
        const Pipeline pipeline(outputs);
        const ScheduleCertificate certificate = certify(pipeline, {extents, false});
        EXPECT_EQ(certificate.reason, "");
        EXPECT_EQ(gaps(certificate), "");
        EXPECT_EQ(certificate.unproved_store, "");
        const std::string said = check(certificate.text);
        EXPECT_TRUE(said.empty() ||
                    said.starts_with("accepted: equal bit for bit; reads in bounds; each element stored"))
            << said << certificate.text;
        const ScheduleValidation validation = validate_schedule(pipeline, {.extents = extents});
        EXPECT_TRUE(validation.passed());
        for (const std::string &difference : validation.differences) {
            ADD_FAILURE() << difference;
        }
        const Realization seen = compile_certified(pipeline, {extents, false}).realize(sizes);
        const Realization wanted = interpreted_outputs(outputs, sizes);
        EXPECT_EQ(seen.size(), wanted.size());
        for (int i = 0; i < int(wanted.size()); i++) {
            const interpret::Comparison same = interpret::compare_bits(*seen[i].raw_buffer(), *wanted[i].raw_buffer());
            EXPECT_TRUE(same) << "value " << i << ": " << same.text;
        }
        return said;
    }
    static Realization interpreted_outputs(const std::vector<Func> &outputs, const std::vector<int32_t> &sizes) {
        std::vector<Buffer<>> all;
        const schedule::ScheduledGraph frozen = language::freeze({outputs}, language::FreezeOptions());
        for (size_t o = 0; o < outputs.size(); o++) {
            const Func &output = outputs[o];
            std::vector<fluorite_buffer_t *> raw;
            const size_t first = all.size();
            for (const Type &type : output.types()) {
                all.emplace_back(type, sizes);
            }
            for (size_t i = first; i < all.size(); i++) {
                raw.push_back(all[i].raw_buffer());
            }
            interpret::evaluate(frozen.graph, o, region_of(*raw[0]), raw);
        }
        return Realization(all);
    }
};

TEST_F(CertifyOutputs, EachWithItsSchedule) {
    whole({low, high}, {37, 23});
    shared.compute_root().vectorize(x, 8, TailStrategy::GuardWithIf);
    low.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf).vectorize(xi, 8).parallel(yo);
    high.split(x, xo, xi, 8, TailStrategy::ShiftInwards).vectorize(xi);
    whole({low, high}, {37, 23});
    whole({high, low}, {37, 23});
    whole({high, low}, {64, 16}, {64, 16});
}
TEST_F(CertifyOutputs, WithWindowsInOneOfThem) {
    Func own("own"), last("last");
    own(x, y) = shared(x, y) * cast<uint16_t>(3);
    last(x, y) = own(x, y) + own(x, y + 1) + own(x + 1, y + 2);
    shared.compute_root();
    last.split(y, yo, yi, 8, TailStrategy::GuardWithIf).parallel(yo);
    own.store_at(last, yo).compute_at(last, yi).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole({low, last, high}, {41, 19});
}
TEST_F(CertifyOutputs, OneReadsAnother) {
    Func sum("sum");
    sum(x, y) = low(x, y) + low(y % 4, x % 4);
    low.vectorize(x, 4, TailStrategy::GuardWithIf);
    sum.vectorize(x, 8, TailStrategy::GuardWithIf);
    whole({low, sum}, {33, 29});
    whole({sum, low}, {33, 29});
    // A read beyond the other output is refused at these sizes.
    Func beyond("beyond");
    beyond(x, y) = low(x + 3, y);
    const CertifiedPipeline both = compile_certified(Pipeline({low, beyond}));
    try {
        both.realize({16, 16});
        FAIL();
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "certificate-fact") << error.what();
    }
    Buffer<uint16_t> a(19, 16), b(16, 16);
    both.realize({a, b});
    EXPECT_EQ(a(7, 5), b(4, 5));
}
TEST_F(CertifyOutputs, ShareLoops) {
    shared.compute_root();
    for (Func *f : {&low, &high}) {
        f->split(x, xo, xi, 8, TailStrategy::GuardWithIf).vectorize(xi);
    }
    high.compute_with(low, y);
    const std::string said = whole({low, high}, {37, 23});
    EXPECT_TRUE(said.empty() || said.find("a loop is shared") != std::string::npos) << said;
    const std::string loops = compile_certified(Pipeline({low, high})).loops();
    EXPECT_EQ(loops.find("high.L.y"), std::string::npos) << loops;
}
TEST_F(CertifyOutputs, OfDifferentRanks) {
    Func rows("rows");
    RDom r(0, 9, "r");
    rows(y) = cast<uint32_t>(0);
    rows(y) += shared(r, y);
    shared.compute_root();
    rows.vectorize(y, 4, TailStrategy::GuardWithIf).update().vectorize(y, 4, TailStrategy::GuardWithIf);
    const Pipeline pipeline({rows, low});
    EXPECT_EQ(gaps(certify(pipeline)), "");
    const ScheduleValidation validation = validate_schedule(pipeline);
    EXPECT_TRUE(validation.passed()) << validation.differences[0];
    const CertifiedPipeline compiled = compile_certified(pipeline);
    Buffer<uint32_t> sums(11);
    Buffer<uint16_t> image(9, 5), small(3, 3);
    compiled.realize({sums, image});
    EXPECT_EQ(compile_certified(rows).realize({11}).single().as<uint32_t>()(10), sums(10));
    EXPECT_EQ(compile_certified(low).realize({9, 5}).single().as<uint16_t>()(8, 4), image(8, 4));
    const auto slug = [](const std::function<void()> &run) {
        try {
            run();
        } catch (const Error &error) {
            return error.slug();
        }
        return std::string("none");
    };
    EXPECT_EQ(slug([&] { compiled.realize(sums); }), "wrong-output-count");
    EXPECT_EQ(slug([&] { compiled.realize({11}); }), "wrong-rank");
    EXPECT_EQ(slug([&] { compiled.realize({image, sums}); }), "wrong-buffer-type");
    EXPECT_EQ(slug([&] { compiled.realize({Buffer<uint32_t>(11, 1), image}); }), "wrong-buffer-rank");
    EXPECT_EQ(slug([&] { compile_certified(Pipeline({low, low})); }),
              slug([&] { Pipeline({low, low}).compile_jit(); }));
    EXPECT_EQ(slug([&] { compile_certified(Pipeline({low, high})).realize({image, image}); }), "wrong-buffer-type");
    Func other("other");
    other(x, y) = shared(x, y);
    EXPECT_EQ(slug([&] { compile_certified(Pipeline({low, other})).realize({image, image}); }), "buffers-overlap");
    EXPECT_EQ(slug([&] { compile_certified(Pipeline({low, other})).realize({image, small}); }), "none");
}
TEST_F(CertifyOutputs, BoundAndAlternatives) {
    Func colours("colours");
    colours(x, c) = shared(x, c) * cast<uint16_t>(c + 1);
    colours.bound(c, 0, 3).reorder(c, x).unroll(c);
    low.specialize(low.output_buffer().width() >= 16).vectorize(x, 8, TailStrategy::ShiftInwards);
    const Pipeline pipeline({colours, low});
    EXPECT_EQ(gaps(certify(pipeline)), "");
    const ScheduleValidation validation = validate_schedule(pipeline);
    EXPECT_TRUE(validation.passed()) << validation.differences[0];
}
TEST_F(CertifyOutputs, PartialResultsInOneOfThem) {
    Func total("total");
    RDom r(0, 24, "r");
    RVar ro("ro"), ri("ri");
    total(y) = cast<uint16_t>(0);
    total(y) += input(r, y);
    Func partial = total.update().split(r, ro, ri, 8).rfactor(ri, u);
    partial.compute_root().vectorize(u, 8).update().reorder(u, ro, y).vectorize(u, 8);
    const Pipeline pipeline({low, total});
    const ScheduleCertificate certificate = certify(pipeline);
    EXPECT_EQ(certificate.reason + gaps(certificate), "");
    const ScheduleValidation validation = validate_schedule(pipeline);
    EXPECT_TRUE(validation.passed()) << validation.differences[0];
    const std::string said = check(certificate.text);
    EXPECT_TRUE(said.empty() || said.starts_with("accepted: equal up to reassociation (")) << said;
}
TEST_F(CertifyOutputs, WrongOnesAreRejected) {
    shared.compute_root();
    const std::string text = certify(Pipeline({low, high})).text;
    if (check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    // The target gives the outputs in another order.
    const size_t target = text.find("(target");
    std::string wrong = text;
    const size_t at = wrong.find("(= output 0)", target);
    ASSERT_NE(at, std::string::npos) << text;
    wrong.replace(at, 12, "(= output 1)");
    EXPECT_TRUE(check(wrong).starts_with("rejected")) << check(wrong);
    wrong = text;
    const size_t extent = wrong.find("(gen output 2", target);
    ASSERT_NE(extent, std::string::npos) << text;
    wrong.replace(extent, 13, "(gen output 1");
    EXPECT_TRUE(check(wrong).starts_with("rejected")) << check(wrong);
}

// ---- Tuples.

TEST_F(CertifyOutputs, TuplesAsOutputs) {
    Func pair("pair");
    pair(x, y) = Tuple(shared(x, y), cast<float>(input(x, y)) * 0.5f, input(x + 1, y) > 7);
    whole({pair}, {19, 7});
    shared.compute_at(pair, y);
    pair.split(x, xo, xi, 8, TailStrategy::GuardWithIf).vectorize(xi).parallel(y);
    whole({pair}, {19, 7});
    shared.compute_root();
    whole({pair, low}, {19, 7});
}
TEST_F(CertifyOutputs, TuplesInWindows) {
    Func pair("pair"), last("last");
    pair(x, y) = Tuple(input(x, y), cast<int32_t>(shared(x, y)) - 5);
    last(x, y) = cast<int32_t>(pair(x, y)[0]) + pair(x, y + 1)[1] + pair(x + 1, y + 2)[1];
    last.split(y, yo, yi, 8, TailStrategy::GuardWithIf).parallel(yo).vectorize(x, 4, TailStrategy::GuardWithIf);
    pair.store_at(last, yo).compute_at(last, yi).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole({last}, {35, 21});
    pair.store_at(last, yo).compute_at(last, yo);
    whole({last}, {35, 21});
}
TEST_F(CertifyOutputs, TuplesInUpdates) {
    // The second value is computed from the first one before that is stored.
    Func swap("swap"), last("last");
    RDom r(0, 5, "r");
    swap(x, y) = Tuple(input(x, y), input(x + 1, y));
    swap(x, y) = Tuple(swap(x, y)[1] + input(x + r, y), swap(x, y)[0] ^ swap(x, y)[1]);
    last(x, y) = swap(x, y)[0] - swap(x, y)[1];
    swap.compute_root().update().reorder(x, r, y).vectorize(x, 4, TailStrategy::GuardWithIf);
    last.vectorize(x, 4, TailStrategy::GuardWithIf);
    whole({last}, {23, 11});
    whole({swap, last}, {23, 11});
}
TEST_F(CertifyOutputs, TheArgumentOfAMinimum) {
    Func best("best"), last("last");
    RDom r(0, 9, "r");
    best(x, y) = Tuple(input(x, y), 0);
    const Expr better = input(x + r, y) < best(x, y)[0];
    best(x, y) = Tuple(select(better, input(x + r, y), best(x, y)[0]), select(better, r, best(x, y)[1]));
    last(x, y) = best(x, y)[1] * 100 + cast<int32_t>(best(x, y)[0]);
    last.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    best.compute_at(last, xo).vectorize(x, 4).update().reorder(x, r, y).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole({last}, {27, 13});
    Func inlined("inlined");
    inlined(x, y) = argmin(input(x + r, y))[0];
    whole({inlined}, {27, 13});
}
TEST_F(CertifyOutputs, ScansAndScattersOfTuples) {
    Func sums("sums"), bins("bins"), last("last");
    RDom r(1, 15, "r"), s(0, 20, "s");
    sums(x, y) = Tuple(cast<uint32_t>(input(x, y)), cast<uint32_t>(1));
    sums(x, r) = Tuple(sums(x, r - 1)[0] + sums(x, r)[0], sums(x, r - 1)[1] * 3 + sums(x, r)[1]);
    bins(x) = Tuple(cast<uint16_t>(0), cast<uint16_t>(9));
    bins(cast<int>(input(s, 0) % 16)) = Tuple(bins(cast<int>(input(s, 0) % 16))[0] + cast<uint16_t>(1), input(s, 1));
    last(x, y) =
        sums(x, y % 16)[0] + sums(x, y % 16)[1] + cast<uint32_t>(bins(x % 16)[0]) + cast<uint32_t>(bins(y % 16)[1]);
    sums.compute_root().update().vectorize(x, 4, TailStrategy::GuardWithIf);
    bins.compute_root();
    last.vectorize(x, 4, TailStrategy::GuardWithIf);
    whole({last}, {21, 17});
}
TEST_F(CertifyOutputs, TuplesThatShareLoops) {
    Func pair("pair"), last("last");
    pair(x, y) = Tuple(input(x, y), input(x, y + 1) * cast<uint16_t>(3));
    last(x, y) = pair(x, y)[0] + pair(x + 1, y)[1] + shared(x, y) + shared(x, y + 1);
    pair.compute_root();
    shared.compute_root().compute_with(pair, y);
    const std::string said = whole({last}, {21, 17});
    EXPECT_TRUE(said.empty() || said.find("a loop is shared") != std::string::npos) << said;
}

} // namespace
} // namespace fluorite::outputs_test
