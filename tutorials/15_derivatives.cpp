// Lesson 15: derivatives.
//
// A pipeline that ends in one number, a loss, can be improved step by step: its derivative in each parameter says which
// way. propagate_adjoints() makes the Funcs that compute these derivatives. They are Funcs like all others: they have
// a schedule, and they can be compiled ahead of time.

#include "lesson.h"

#include "fluorite/derivative.h"

using namespace fluorite;
using lesson::check;

static Var x("x"), y("y");

// One number. The derivative of a * a * b in a is 2 * a * b, and a * a in b.
static void one_number() {
    std::printf("One number\n");
    Param<float> a("a", 3.0f), b("b", 5.0f);
    Func f("f");
    f() = a * a * b;
    const Derivative d = propagate_adjoints(f);
    const Buffer<float> in_a = d(a).realize(), in_b = d(b).realize();
    check(in_a() == 30, "the derivative in a is 2 * 3 * 5");
    check(in_b() == 9, "the derivative in b is 3 * 3");
}

// A picture of noise between -1 and 1, which tells neighbours apart.
static Buffer<float> noise_of(int width, int height) {
    Buffer<float> picture(width, height);
    picture.fill([](int i, int j) {
        uint32_t bits = static_cast<uint32_t>(i * 73 + j * 1031) * 2654435761u;
        bits = (bits ^ bits >> 15) * 2246822519u;
        return static_cast<float>(bits >> 8) / static_cast<float>(1 << 23) - 1;
    });
    return picture;
}

// A convolution whose edge is repeated.
static Func convolution(const Func &source, const ImageParam &kernel) {
    Func result("convolution");
    RDom r(-1, 3, -1, 3, "r");
    result(x, y) = 0.0f;
    result(x, y) += source(x + r.x, y + r.y) * kernel(r.x + 1, r.y + 1);
    return result;
}

// Which filter made a picture of another one? The picture is filtered by a kernel that the lesson pretends not to know;
// gradient descent finds it from a flat one.
static void fit_a_kernel() {
    std::printf("A kernel that is found by gradient descent\n");
    constexpr int width = 60, height = 45, steps = 12;
    const Buffer<float> picture = noise_of(width, height);
    const float hidden[3][3] = {{0, -1, 0.5f}, {-1, 3, -1}, {0.5f, -1, 1}};
    ImageParam kernel(Float(32), 2, "kernel"), wanted(Float(32), 2, "wanted");
    const Func filtered = convolution(BoundaryConditions::repeat_edge(picture), kernel);

    Buffer<float> weights(3, 3);
    weights.fill([&](int i, int j) { return hidden[j][i]; });
    kernel.set(weights);
    const Buffer<float> goal = Func(filtered).realize({width, height});
    wanted.set(goal);

    // The loss is the mean of the squared differences.
    RDom p(0, width, 0, height, "p");
    const Expr apart = filtered(p.x, p.y) - wanted(p.x, p.y);
    Func loss("loss");
    loss() = 0.0f;
    loss() += apart * apart / (width * height);

    // The adjoint of the kernel sums over the picture. Its schedule is ours to choose: here each number at root, as is
    // the Func whose adjoint is read.
    const Derivative d = propagate_adjoints(loss);
    Func gradient = d(kernel);
    d.compute_root();
    Func(filtered).compute_root().vectorize(x, 4, TailStrategy::GuardWithIf);
    check(gradient.dimensions() == 2, "the gradient of a kernel of two dimensions has two");

    // Loss and gradient are compiled once and computed in one pass.
    Pipeline step({loss, gradient});
    Buffer<float> loss_now = Buffer<float>::make_scalar(), slope(3, 3);
    weights.fill(1.0f / 9);
    std::vector<float> losses;
    for (int i = 0; i < steps; i++) {
        step.realize({loss_now, slope});
        losses.push_back(loss_now());
        weights.for_each_element([&](int u, int v) { weights(u, v) -= 0.7f * slope(u, v); });
    }
    std::printf("  the loss falls from %.4f over %.4f to %.6f\n", losses.front(), losses[steps / 4], losses.back());
    bool falls = true;
    for (size_t i = 1; i < losses.size(); i++) {
        falls = falls && losses[i] <= losses[i - 1];
    }
    check(falls, "each step makes the loss smaller");
    check(losses.back() < losses.front() / 1000, "a thousandth of the loss is left");
    for (int v = 0; v < 3; v++) {
        std::printf("  %6.2f %6.2f %6.2f   of %6.2f %6.2f %6.2f\n", weights(0, v), weights(1, v), weights(2, v),
                    hidden[v][0], hidden[v][1], hidden[v][2]);
    }
    bool found = true;
    weights.for_each_element([&](int u, int v) { found = found && std::abs(weights(u, v) - hidden[v][u]) < 0.05f; });
    check(found, "the weights are those of the filter");
}

// Reads become gathers where coordinates allow it: the adjoint of a convolution is a convolution, which sums over the
// kernel only, so that all its points can be computed in parallel.
static void gathers() {
    std::printf("Gathers\n");
    const Buffer<float> picture = noise_of(16, 12);
    Buffer<float> kernel(3, 3);
    RDom r(0, 3, 0, 3, "r");
    Func f("f");
    f(x, y) = 0.0f;
    f(x, y) += picture(x + r.x, y + r.y) * kernel(r.x, r.y);
    Buffer<float> adjoint(14, 10);
    adjoint.fill(1.0f);
    const Func d_picture = propagate_adjoints(f, adjoint)(picture);
    check(d_picture.num_update_definitions() == 1 && d_picture.rvars(0).size() == 2, "one sum, over the kernel");
    kernel.fill(1.0f);
    const Buffer<float> seen = Func(d_picture).realize({16, 12});
    check(seen(0, 0) == 1 && seen(1, 0) == 2 && seen(8, 6) == 9, "a pixel counts as often as windows contain it");
}

// What has no derivative is refused.
static void refusals() {
    std::printf("Refusals\n");
    Func counts("counts");
    counts(x) = cast<int>(x) * 2;
    lesson::check_refused("derivative-integer", [&] { propagate_adjoints(counts); });
}

int main() {
    one_number();
    fit_a_kernel();
    gathers();
    refusals();
    return lesson::result();
}
