// Adjoints as Funcs: schedules by hand and automatic ones compute the bits of the interpreter.
#include "driver/test_interpreted.h"
#include "fluorite/auto_schedule.h"
#include "fluorite/boundary_conditions.h"
#include "tests/derivative/gradients.h"

namespace fluorite::schedules_test {
namespace {

const Var x("x"), y("y"), c("c");

/// A layer: a convolution, a bias, and a rectifier; and the sum of squares of its differences to a target.
struct Layer {
    Buffer<float> in, kernel, bias, target;
    Func conv{"conv"}, rectified{"rectified"}, loss{"loss"};

    Layer(int width, int height) {
        in = numbers<float>({width + 2, height + 2, 3}, 1);
        kernel = numbers<float>({3, 3, 3, 4}, 2);
        bias = numbers<float>({4}, 3);
        target = numbers<float>({width, height, 4}, 4);
        RDom r(0, 3, 0, 3, 0, 3, "r"), p(0, width, 0, height, 0, 4, "p");
        conv(x, y, c) = bias(c);
        conv(x, y, c) += in(x + r.x, y + r.y, r.z) * kernel(r.x, r.y, r.z, c);
        rectified(x, y, c) = max(conv(x, y, c), 0.0f);
        const Expr apart = rectified(p.x, p.y, p.z) - target(p.x, p.y, p.z);
        loss() = 0.0f;
        loss() += apart * apart;
        conv.compute_root();
    }
};

TEST(DerivativeSchedules, AtRoot) {
    Layer layer(13, 9);
    const Derivative d = propagate_adjoints(layer.loss);
    d.compute_root();
    expect_interpreted(d(layer.kernel), {3, 3, 3, 4}, "kernel");
    expect_interpreted(d(layer.bias), {4}, "bias");
    expect_interpreted(d(layer.in), {15, 11, 3}, "in");
}

TEST(DerivativeSchedules, ByHand) {
    Layer layer(21, 9);
    const Derivative d = propagate_adjoints(layer.loss);
    Func d_kernel = d(layer.kernel), d_in = d(layer.in), d_conv = d(layer.conv);
    layer.conv.vectorize(x, 8, TailStrategy::GuardWithIf)
        .update()
        .reorder(x, y)
        .vectorize(x, 8, TailStrategy::GuardWithIf)
        .parallel(y);
    d_conv.compute_root().parallel(y).vectorize(x, 8, TailStrategy::GuardWithIf);
    Var w = d_kernel.args()[3];
    Stage sum = d_kernel.update();
    sum.parallel(w);
    Stage gather = d_in.update();
    gather.vectorize(d_in.args()[0], 8).parallel(d_in.args()[1]);
    expect_interpreted(d_kernel, {3, 3, 3, 4}, "kernel");
    expect_interpreted(d_in, {23, 11, 3}, "in");
}

TEST(DerivativeSchedules, Automatic) {
    Layer layer(32, 24);
    const Derivative d = propagate_adjoints(layer.loss);
    const std::vector<std::pair<Func, std::vector<int>>> gradients = {{d(layer.kernel), {3, 3, 3, 4}},
                                                                      {d(layer.in), {34, 26, 3}}};
    for (const auto &[gradient, sizes] : gradients) {
        AutoScheduleOptions options;
        options.sizes.assign(sizes.begin(), sizes.end());
        options.parallelism = 4;
        options.from_scratch = true;
        const AutoSchedule found = Pipeline(gradient).auto_schedule(options);
        EXPECT_NE(found.schedule.text().find("parallel"), std::string::npos) << found.explanation;
        expect_interpreted(gradient, sizes, gradient.name());
    }
}

TEST(DerivativeSchedules, ScansAndStates) {
    const Buffer<float> a = numbers<float>({9, 7}, 1, 0.5, 1.5);
    RDom r(1, 8, "r"), q(0, 9, "q");
    Func scan("scan"), product("product"), loss("loss");
    scan(x, y) = a(x, y);
    scan(r, y) = scan(r - 1, y) * 0.5f + scan(r, y) * a(r, y);
    product(y) = 1.0f;
    product(y) *= scan(q, y);
    RDom p(0, 7, "p");
    loss() = 0.0f;
    loss() += product(p) * product(p);
    scan.compute_root();
    product.compute_root();
    const Derivative d = propagate_adjoints(loss);
    d.compute_root();
    for (Func func : d.funcs()) {
        if (func.dimensions() > 0) {
            func.parallel(func.args().front());
        }
    }
    expect_interpreted(d(a), {9, 7});
}

TEST(DerivativeSchedules, ScattersWithAtomicUpdates) {
    const Buffer<float> a = numbers<float>({16}, 1);
    Buffer<uint8_t> index(101);
    for (int i = 0; i < 101; i++) {
        index(i) = static_cast<uint8_t>(i * 37 % 16);
    }
    Func f("f");
    f(x) = a(clamp(cast<int>(index(x)), 0, 15)) * 0.5f;
    Buffer<float> weights(101);
    weights.fill(2); // sums are exact, so that their order does not matter
    Func d_a = propagate_adjoints(f, weights)(a);
    d_a.update().atomic(true).parallel(d_a.rvars(0)[0], 8);
    expect_interpreted(d_a, {16});
}

TEST(DerivativeSchedules, SumsAreReassociatedIfTheFuncsAre) {
    const Buffer<float> a = numbers<float>({31}, 1), k = numbers<float>({3}, 2);
    for (const bool allowed : {false, true}) {
        RDom r(0, 3, "r");
        Func f("f");
        f(x) = 0.0f;
        f(x) += a(x + r) * k(r);
        if (allowed) {
            f.allow_reassociation();
        }
        Func d_k = propagate_adjoints(f, numbers<float>({29}, 3))(k);
        const auto vectorize = [&] { d_k.update().atomic().vectorize(d_k.rvars(0)[0], 4); };
        if (allowed) {
            vectorize();
            const Buffer<float> seen = Func(d_k).realize({3});
            EXPECT_NE(seen(1), 0.0f);
        } else {
            EXPECT_THROW(vectorize(), CompileError);
        }
    }
}

TEST(DerivativeSchedules, ManyStages) {
    const Buffer<float> a = numbers<float>({40}, 1, -0.5, 0.5);
    constexpr int stages = 200;
    const auto nodes_of_chain = [&](int count) {
        const Func source = BoundaryConditions::repeat_edge(a);
        std::vector<Func> chain = {source};
        for (int i = 0; i < count; i++) {
            Func next(concat("f", i));
            next(x) = (chain.back()(x - 1) + chain.back()(x) * chain.back()(x + 1)) * 0.5f;
            next.compute_root();
            chain.push_back(next);
        }
        const Derivative d = propagate_adjoints(chain.back(), numbers<float>({40}, 2));
        d.compute_root();
        size_t nodes = 0;
        for (const Func &func : d.funcs()) {
            nodes += ir::node_count(func.value());
        }
        if (count == stages) {
            expect_interpreted(d(a), {40});
        }
        return nodes;
    };
    const size_t few = nodes_of_chain(20), many = nodes_of_chain(stages);
    EXPECT_LT(many, few * 11);
}

TEST(DerivativeSchedules, ManyUpdates) {
    const Buffer<float> a = numbers<float>({10}, 1, -0.5, 0.5);
    Func f("f");
    f(x) = a(x);
    for (int i = 0; i < 40; i++) {
        f(x) = sin(f(x)) * 0.9f;
    }
    f.compute_root();
    const Derivative d = propagate_adjoints(f, numbers<float>({10}, 2));
    d.compute_root();
    EXPECT_LE(d.funcs().size(), 85u);
    expect_interpreted(d(a), {10});
}

TEST(DerivativeSchedules, SecondDerivatives) {
    const Buffer<double> a = numbers<double>({6}, 1);
    RDom r(0, 6, "r");
    Func f("f"), norm("norm");
    f() = cast<double>(0);
    f() += sin(a(r)) * a(5 - r);
    const Func gradient = propagate_adjoints(f)(a);
    norm() = cast<double>(0);
    norm() += gradient(r) * gradient(r);
    expect_gradients<double>(norm, {a}, {{}});
}

} // namespace
} // namespace fluorite::schedules_test
