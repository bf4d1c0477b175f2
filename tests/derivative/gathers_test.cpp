// Reads of all kinds of coordinates: which become gathers, and what they compute.
#include "tests/derivative/gradients.h"

#include "fluorite/boundary_conditions.h"
#include "fluorite/image_param.h"

namespace fluorite::gathers_test {
namespace {

using namespace BoundaryConditions;

const Var x("x"), y("y"), z("z"), w("w");

/// The number of updates that add at coordinates which are not the Func's own Vars.
int scatters(const Func &func) {
    int count = 0;
    for (int i = 0; i < func.num_update_definitions(); i++) {
        bool moves = false;
        for (int d = 0; d < func.dimensions(); d++) {
            const Expr arg = func.update_args(i)[static_cast<size_t>(d)];
            moves = moves || !ir::equal(arg, Expr(func.args()[static_cast<size_t>(d)]));
        }
        count += moves ? 1 : 0;
    }
    return count;
}

/// The number of points of the RDoms of all updates, which have constant bounds.
int64_t summed_points(const Func &func) {
    int64_t points = 0;
    for (int i = 0; i < func.num_update_definitions(); i++) {
        int64_t size = 1;
        for (const RVar &r : func.rvars(i)) {
            int64_t extent = 0;
            EXPECT_TRUE(ir::is_const_int(r.extent(), &extent));
            size *= extent;
        }
        points += size;
    }
    return points;
}

Func raw_adjoint(const Func &output, const std::vector<int> &sizes, const Buffer<double> &input) {
    return propagate_adjoints(output, numbers<double>(sizes, 7))(input);
}

TEST(DerivativeGathers, ShiftedReadsNeedNoUpdate) {
    const Buffer<double> a = numbers<double>({9, 5}, 1);
    Func f("f");
    f(x, y) = a(x, y) * a(x + 2, y) + a(x + 1, 4 - y);
    const Func d = raw_adjoint(f, {7, 5}, a);
    EXPECT_EQ(d.num_update_definitions(), 0);
    expect_gradients<double>(f, {a}, {{7, 5}});
}

TEST(DerivativeGathers, ConvolutionSumsOverTheKernelOnly) {
    const Buffer<double> a = numbers<double>({11, 9}, 1), k = numbers<double>({5, 3}, 2);
    RDom r(0, 5, 0, 3, "r");
    Func f("f");
    f(x, y) = cast<double>(0);
    f(x, y) += a(x + r.x, y + r.y) * k(r.x, r.y);
    const Func d = raw_adjoint(f, {7, 7}, a);
    EXPECT_EQ(scatters(d), 0);
    EXPECT_EQ(summed_points(d), 15);
    const Func d_kernel = raw_adjoint(f, {7, 7}, k);
    EXPECT_EQ(scatters(d_kernel), 0);
    EXPECT_EQ(summed_points(d_kernel), 49);
    expect_gradients<double>(f, {a, k}, {{7, 7}});
}

TEST(DerivativeGathers, StridedAndDilatedConvolution) {
    const Buffer<double> a = numbers<double>({24}, 1), k = numbers<double>({3}, 2);
    RDom r(0, 3, "r");
    Func f("f");
    f(x) = cast<double>(0);
    f(x) += a(3 * x + 2 * r.x + 1) * k(2 - r.x);
    EXPECT_EQ(scatters(raw_adjoint(f, {6}, a)), 0);
    EXPECT_EQ(summed_points(raw_adjoint(f, {6}, a)), 3);
    EXPECT_EQ(scatters(raw_adjoint(f, {6}, k)), 0);
    expect_gradients<double>(f, {a, k}, {{6}});
}

TEST(DerivativeGathers, Upsampling) {
    const Buffer<double> a = numbers<double>({6, 4}, 1);
    Func f("f");
    f(x, y) = a(x / 2, (y + 1) >> 1) * 2 + a((2 * x + 1) / 3, y / 3 + 1) * a((x + 1) / 2, y / 4);
    const Func d = raw_adjoint(f, {7, 5}, a);
    EXPECT_EQ(scatters(d), 0);
    expect_gradients<double>(f, {a}, {{7, 5}});
}

TEST(DerivativeGathers, TransposedMatrixProduct) {
    const Buffer<double> a = numbers<double>({4, 6}, 1), b = numbers<double>({6, 5}, 2);
    RDom k(0, 6, "k");
    Func f("f");
    f(x, y) = cast<double>(0);
    f(x, y) += a(y, k) * b(k, x);
    for (const Buffer<double> &input : {a, b}) {
        EXPECT_EQ(scatters(raw_adjoint(f, {5, 4}, input)), 0);
        EXPECT_EQ(raw_adjoint(f, {5, 4}, input).rvars(0).size(), 1u);
    }
    expect_gradients<double>(f, {a, b}, {{5, 4}});
}

TEST(DerivativeGathers, CoordinatesThatShareVariables) {
    const Buffer<double> a = numbers<double>({9, 9}, 1), b = numbers<double>({9, 9, 3}, 2);
    RDom r(0, 3, "r");
    Func f("f");
    f(x) = a(x, x) * a(x, 5) + b(2, x + 1, 0) * b(x, 2 * x, 1);
    f(x) += a(x + r, r) * b(x + r, x - r + 2, r);
    EXPECT_EQ(scatters(raw_adjoint(f, {5}, a)), 0);
    expect_gradients<double>(f, {a, b}, {{5}});
}

TEST(DerivativeGathers, SumOfEverything) {
    const Buffer<double> a = numbers<double>({4, 3, 2}, 1);
    RDom r(a);
    Func f("f");
    f() = cast<double>(0);
    f() += a(r.x, r.y, r.z) * a(r.x, r.y, r.z);
    EXPECT_EQ(raw_adjoint(f, {}, a).num_update_definitions(), 0);
    expect_gradients<double>(f, {a}, {{}});
}

TEST(DerivativeGathers, FourDimensions) {
    const Buffer<double> a = numbers<double>({4, 3, 3, 4}, 1), k = numbers<double>({2, 2, 2, 2}, 2);
    RDom r(0, 2, 0, 2, 0, 2, 0, 2, "r");
    Func f("f");
    f(x, y, z, w) = cast<double>(0);
    f(x, y, z, w) += a(x + r.x, w + r.y, z + r.z, y + r.w) * k(r.w, r.z, r.y, r.x);
    EXPECT_EQ(scatters(raw_adjoint(f, {3, 3, 2, 2}, a)), 0);
    expect_gradients<double>(f, {a, k}, {{3, 3, 2, 2}});
}

TEST(DerivativeGathers, DataDependentReadsAreScattered) {
    const Buffer<double> a = numbers<double>({6, 4}, 1);
    Buffer<uint8_t> index(9);
    for (int i = 0; i < 9; i++) {
        index(i) = static_cast<uint8_t>(i * 5 % 6);
    }
    Func f("f");
    f(x, y) = a(clamp(cast<int>(index(x)), 0, 5), y) * a(x / 2, y);
    EXPECT_GT(scatters(raw_adjoint(f, {9, 4}, a)), 0);
    expect_gradients<double>(f, {a}, {{9, 4}});
}

TEST(DerivativeGathers, ClampedCoordinatesAreGatheredInside) {
    const Buffer<double> a = numbers<double>({9}, 1);
    Func f("f");
    f(x) = a(clamp(x - 3, 0, 8));
    const Func d = raw_adjoint(f, {15}, a);
    EXPECT_EQ(summed_points(d), 4 + 4); // those that are clamped: 0 to 3, and 11 to 14
    expect_gradients<double>(f, {a}, {{15}});
}

TEST(DerivativeGathers, BoundaryConditions) {
    const Buffer<double> a = numbers<double>({5, 4}, 1);
    const Buffer<double> k = numbers<double>({3, 3}, 2);
    RDom r(0, 3, 0, 3, "r");
    const std::vector<Func> bounded = {repeat_edge(a), repeat_image(a), mirror_image(a), mirror_interior(a),
                                       constant_exterior(a, 0.5)};
    for (const Func &source : bounded) {
        Func f("f");
        f(x, y) = source(x, y) * source(x, y);
        f(x, y) += source(x + r.x - 1, y - r.y) * k(r.x, r.y);
        expect_gradients<double>(f, {a, k}, {{9, 8}, {-2, -2}});
    }
}

TEST(DerivativeGathers, ClampInsideOfASum) {
    const Buffer<double> a = numbers<double>({7, 5}, 1), k = numbers<double>({3}, 2);
    RDom r(-1, 3, "r");
    Func f("f");
    f(x, y) = cast<double>(0);
    f(x, y) += a(clamp(x + r, 0, 6), clamp(2 * y - r, 1, 3)) * k(r + 1);
    expect_gradients<double>(f, {a, k}, {{8, 5}, {-1, -1}});
}

TEST(DerivativeGathers, TriangularDomains) {
    const Buffer<double> a = numbers<double>({6}, 1), b = numbers<double>({6}, 2);
    RDom r(0, 6, 0, 6, "r");
    r.where(r.x <= r.y);
    Func f("f");
    f() = cast<double>(0);
    f() += a(r.y - r.x) * b(r.x) * a(r.y);
    expect_gradients<double>(f, {a, b}, {{}});
}

TEST(DerivativeGathers, OddRegions) {
    const Buffer<double> a = numbers<double>({13}, 1);
    Func f("f"), g("g");
    g(x) = a(x + 4) * a(x + 5);
    f(x) = g(2 * x) + g(x + 1) * g(x);
    expect_gradients<double>(f, {a}, {{5}, {-1}});
}

TEST(DerivativeGathers, ChainsOfFuncsWithSeveralConsumers) {
    const Buffer<double> a = numbers<double>({12, 9}, 1);
    Func blur("blur"), sharp("sharp"), down("down"), f("f");
    blur(x, y) = (a(x, y) + a(x + 1, y) + a(x, y + 1)) / 3;
    sharp(x, y) = a(x, y) * 2 - blur(x, y);
    down(x, y) = blur(2 * x, 2 * y) + sharp(2 * x + 1, y);
    f(x, y) = down(x, y) * sharp(x, y) + blur(y, x);
    EXPECT_EQ(scatters(raw_adjoint(f, {5, 4}, a)), 0);
    expect_gradients<double>(f, {a}, {{5, 4}});
}

TEST(DerivativeGathers, AdjointsAreZeroOutside) {
    const Buffer<double> a = numbers<double>({12}, 1);
    Func g("g"), f("f");
    g(x) = a(clamp(x, 0, 11)) * 3;
    f(x) = g(x + 1);
    const Derivative d = propagate_adjoints(f, numbers<double>({5}, 2));
    const Buffer<double> bounded = interpreted<double>(d(g), {12}, {-3});
    const Buffer<double> free = interpreted<double>(d(g, -1, false), {5}, {1});
    for (int i = -3; i < 9; i++) {
        EXPECT_EQ(bounded(i), i >= 1 && i < 6 ? free(i) : 0.0) << i;
        EXPECT_TRUE(i < 1 || i >= 6 || bounded(i) != 0);
    }
}

TEST(DerivativeGathers, SymbolicSizes) {
    ImageParam in(Float(64), 2, "in");
    Param<int> shift("shift");
    Param<double> gain("gain");
    const Func source = repeat_edge(in);
    Func f("f"), loss("loss");
    f(x, y) = source(x + shift, y) * source(x, y) * gain;
    RDom r(in);
    loss() = cast<double>(0);
    loss() += f(r.x, r.y) * f(r.x, r.y);
    const Derivative d = propagate_adjoints(loss);
    const Buffer<double> image = numbers<double>({7, 5}, 1);
    in.set(image);
    shift.set(2);
    gain.set(0.75);
    const Buffer<double> seen = interpreted<double>(d(in), {7, 5});
    const double seen_gain = interpreted<double>(d(gain), {})();
    const auto value = [&] { return interpreted<double>(loss, {})(); };
    gain.set(0.75 + 1e-5);
    const double above = value();
    gain.set(0.75 - 1e-5);
    EXPECT_NEAR(seen_gain, (above - value()) / 2e-5, 1e-4);
    gain.set(0.75);
    image.for_each_element([&](int i, int j) {
        Buffer<double> changed = image;
        const double kept = image(i, j);
        changed(i, j) = kept + 1e-5;
        const double more = value();
        changed(i, j) = kept - 1e-5;
        const double less = value();
        changed(i, j) = kept;
        EXPECT_NEAR(seen(i, j), (more - less) / 2e-5, 1e-4) << i << ", " << j;
    });
    int edges = 0;
    for (const Func &func : d.funcs()) {
        edges += scatters(func);
    }
    EXPECT_EQ(edges, 8); // four sides and four corners of the image
}

} // namespace
} // namespace fluorite::gathers_test
