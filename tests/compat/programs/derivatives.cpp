// Derivatives: a convolution with a rectifier and a squared loss, a boundary, reads at data, parameters and Tuples,
// each against central differences in double.
#include <Halide.h>

#include <cmath>
#include <functional>
#include <stdio.h>

using namespace Halide;

static Buffer<float> numbers(const std::vector<int> &sizes, int seed) {
    Buffer<float> result(sizes);
    int i = seed;
    result.for_each_value([&](float &value) {
        i = (i * 37 + 11) % 101;
        value = (float)(i - 50) / 40.0f + 0.01f;
    });
    return result;
}

/// Compares the derivative in each element with the difference of the loss.
static bool agrees(const char *name, Func loss, Func derivative, Buffer<float> in) {
    std::vector<int> sizes;
    for (int i = 0; i < in.dimensions(); i++) {
        sizes.push_back(in.dim(i).extent());
    }
    Buffer<float> seen = derivative.realize(sizes);
    std::vector<float> values;
    seen.for_each_value([&](float &value) { values.push_back(value); });
    const auto evaluated = [&] {
        Buffer<float> result = loss.realize();
        return (double)result();
    };
    size_t i = 0;
    bool same = true;
    in.for_each_value([&](float &value) {
        const float kept = value, step = 1e-2f;
        value = kept + step;
        const double above = evaluated();
        value = kept - step;
        const double below = evaluated();
        value = kept;
        const double wanted = (above - below) / (2 * step);
        if (std::fabs(wanted - values[i]) > 0.05 * std::fmax(1.0, std::fabs(wanted))) {
            printf("%s: element %d has derivative %f, not %f\n", name, (int)i, values[i], wanted);
            same = false;
        }
        i++;
    });
    return same;
}

int main() {
    Var x("x"), y("y");
    bool ok = true;
    {
        Buffer<float> in = numbers({8, 7}, 1), kernel = numbers({3, 3}, 2), wanted = numbers({6, 5}, 3);
        RDom r(0, 3, 0, 3), p(0, 6, 0, 5);
        Func conv("conv"), layer("layer"), loss("loss");
        conv(x, y) = 0.25f;
        conv(x, y) += in(x + r.x, y + r.y) * kernel(r.x, r.y);
        layer(x, y) = max(conv(x, y), 0.0f);
        Expr apart = layer(p.x, p.y) - wanted(p.x, p.y);
        loss() = 0.0f;
        loss() += apart * apart;
        Derivative d = propagate_adjoints(loss);
        ok = agrees("kernel", loss, d(kernel), kernel) && agrees("input", loss, d(in), in) && ok;
        Buffer<float> of_conv = d(conv, 0).realize({6, 5}), of_start = d(conv).realize({6, 5});
        of_conv.for_each_element([&](int i, int j) { ok = of_conv(i, j) == of_start(i, j) && ok; });
    }
    {
        Buffer<float> in = numbers({7, 5}, 5);
        Func edge = BoundaryConditions::repeat_edge(in), f("f"), loss("loss");
        f(x, y) = edge(2 * x - 1, y) + edge(x / 2, y + 1) * edge(x, y);
        RDom p(0, 8, 0, 6);
        loss() = 0.0f;
        loss() += sin(f(p.x, p.y)) + exp(f(p.x, p.y) * 0.1f);
        ok = agrees("boundary", loss, propagate_adjoints(loss)(in), in) && ok;
    }
    {
        Buffer<float> in = numbers({6}, 6);
        Buffer<int> index(9);
        for (int i = 0; i < 9; i++) {
            index(i) = i * 5 % 6;
        }
        Param<float> gain("gain");
        gain.set(1.5f);
        Func f("f"), loss("loss");
        f(x) = in(clamp(index(x), 0, 5))*gain * in(clamp(x, 0, 5));
        RDom p(0, 9);
        loss() = 0.0f;
        loss() += f(p) * f(p);
        Derivative d = propagate_adjoints(loss);
        ok = agrees("data", loss, d(in), in) && ok;
        Buffer<float> of_gain = d("gain").realize(), value = loss.realize();
        ok = std::fabs(of_gain() - 2 * value() / 1.5f) < 1e-3f * std::fabs(of_gain()) && ok;
    }
    {
        Buffer<float> in = numbers({7}, 7), weights = numbers({7}, 9);
        Func f("f"), h("h"), loss("loss");
        f(x) = Tuple(in(x)*in(x), select(in(x) > 0, tanh(in(x)), in(x)));
        h(x) = f(x)[0] * f(x)[1];
        h(3) = f(2)[1];
        RDom p(0, 7);
        loss() = 0.0f;
        loss() += h(p) * weights(p);
        ok = agrees("tuple", loss, propagate_adjoints(h, weights)(in), in) && ok;
    }
    printf(ok ? "Success!\n" : "Failure\n");
    return ok ? 0 : 1;
}
