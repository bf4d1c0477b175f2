// fluorite_certify --examples: the examples of A. Liu, G. L. Bernstein, A. Chlipala and J. Ragan-Kelley, "Verified
// Tensor-Program Optimization Via High-Level Scheduling Rewrites", POPL 2022, and some more. Those that change the
// definition (a scatter, a separable filter) are derivations by hand, in the language of scripts; the others are
// pipelines with schedules, whose certified loops run beside those of the ordinary path.

#include "examples.h"

#include "apps/matmul/matmul.h"
#include "blur.h"
#include "checker.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"
#include "scripts.h"
#include "verify/rewrite/script.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace fluorite::certify_tool {

namespace {

// ---- Pipelines: with their inputs bound.

struct Example {
    Func output;
    std::vector<int32_t> sizes;
    std::shared_ptr<void> kept = nullptr; // what the Funcs refer to
};

template <typename T> Buffer<T> filled(const std::vector<int32_t> &sizes) {
    Buffer<T> buffer(sizes);
    T *elements = buffer.data();
    for (size_t i = 0; i < buffer.number_of_elements(); i++) {
        elements[i] = static_cast<T>((i * 31 + i / 97) % 251);
    }
    return buffer;
}

constexpr int width = 1536, height = 1024;

/// The blur with an input of its own.
struct FilledBlur : Blur {
    FilledBlur() { input.set(filled<uint16_t>({width + 2, height + 2})); }
    Example example() const { return {down, {width, height}}; }
};
Example fusion() {
    FilledBlur b;
    b.down.vectorize(b.x, 16);
    return b.example();
}
Example tiling() {
    FilledBlur b;
    b.down.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 128, 32, TailStrategy::GuardWithIf).vectorize(b.xi, 16);
    return b.example();
}
Example breadth_first() {
    FilledBlur b;
    b.across.compute_root().vectorize(b.x, 16);
    b.down.vectorize(b.x, 16).parallel(b.y);
    return b.example();
}
Example tiled_blur() {
    FilledBlur b;
    b.down.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 128, 32, TailStrategy::GuardWithIf).vectorize(b.xi, 16);
    b.down.parallel(b.yo);
    b.across.compute_at(b.down, b.xo).vectorize(b.x, 16, TailStrategy::GuardWithIf);
    return b.example();
}

Example sliding_blur() {
    FilledBlur b;
    b.down.split(b.y, b.yo, b.yi, 64, TailStrategy::GuardWithIf).parallel(b.yo).vectorize(b.x, 16);
    b.across.store_at(b.down, b.yo).compute_at(b.down, b.yi).vectorize(b.x, 16);
    return b.example();
}
// Two derivatives, which share their loops.
Example shared_loops() {
    FilledBlur b;
    Func dx("dx"), dy("dy"), sum("sum");
    dx(b.x, b.y) = b.input(b.x + 1, b.y) - b.input(b.x, b.y);
    dy(b.x, b.y) = b.input(b.x, b.y + 1) - b.input(b.x, b.y);
    sum(b.x, b.y) = dx(b.x, b.y) * dx(b.x + 1, b.y) + dy(b.x, b.y) * dy(b.x, b.y + 1);
    dx.compute_root();
    dy.compute_root().compute_with(dx, b.y);
    return {sum, {width, height}};
}
// Rows of a window that slides are computed in the loop of a nest that each iteration computes.
Example shared_sliding() {
    FilledBlur b;
    Func beside("beside"), sum("sum");
    beside(b.x, b.y) = b.input(b.x + 2, b.y) * cast<uint16_t>(3);
    sum(b.x, b.y) = b.across(b.x, b.y) + b.across(b.x, b.y + 2) + beside(b.x, b.y);
    b.across.store_root().compute_at(sum, b.y);
    beside.compute_at(sum, b.y);
    b.across.compute_with(beside, b.x);
    return {sum, {width, height}};
}
// Rows of two windows that slide are computed in one loop.
Example two_sliding() {
    FilledBlur b;
    Func beside("beside"), sum("sum");
    beside(b.x, b.y) = b.input(b.x + 2, b.y) * cast<uint16_t>(3);
    sum(b.x, b.y) = b.across(b.x, b.y) + b.across(b.x, b.y + 2) + beside(b.x, b.y) * beside(b.x, b.y + 1);
    b.across.store_root().compute_at(sum, b.y);
    beside.store_root().compute_at(sum, b.y);
    b.across.compute_with(beside, b.x);
    return {sum, {width, height}};
}
// A sum whose loops run in another order, by laws of its addition.
Example reordered_sum() {
    FilledBlur b;
    Func total("total"), output("output");
    const RDom r(0, 7, 0, 5, "r");
    total(b.x, b.y) = cast<uint16_t>(0);
    total(b.x, b.y) += b.input(b.x + r.x % 3, b.y + r.y % 3);
    output(b.x, b.y) = total(b.x, b.y) * total(b.x, b.y);
    total.compute_root().update().reorder(r.y, b.x, r.x, b.y).vectorize(b.x, 16, TailStrategy::GuardWithIf);
    return {output, {width, height}};
}

// A convolution with 3x3 weights. `columns` has what a row of the result reads, once for each weight; with it at a loop
// the sum is a product of matrices, and without it the convolution. Both certificates begin with the same program.
Example convolution(bool is_product) {
    constexpr int channels = 32, filters = 64, columns_of = 9 * channels, size = 128;
    ImageParam input(Float(32), 3, "input"), weights(Float(32), 2, "weights");
    const Var x("x"), y("y"), k("k"), q("q"), xi("xi"), ki("ki");
    const RDom r(0, columns_of, "r");
    Func columns("columns"), product("product"), output("output");
    columns(x, q, y) = input(x + q % 3, y + q / 3 % 3, q / 9);
    product(x, k, y) = 0.0f;
    product(x, k, y) += weights(r, k) * columns(x, r, y);
    output(x, k, y) = product(x, k, y);
    const int lanes = get_jit_target_from_environment().natural_vector_size<float>();
    const int rows = lanes < 16 ? 6 : 8;
    output.tile(x, k, xi, ki, 2 * lanes, rows, TailStrategy::ShiftInwards).vectorize(xi, lanes).unroll(xi).unroll(ki);
    output.parallel(y);
    product.compute_at(output, x).vectorize(x, lanes).unroll(x).unroll(k);
    product.update().reorder(x, k, r).vectorize(x, lanes).unroll(x).unroll(k);
    if (is_product) {
        columns.compute_at(output, y).vectorize(x, lanes);
    }
    input.set(filled<float>({size + 2, size + 2, channels}));
    weights.set(filled<float>({columns_of, filters}));
    return {output, {size, filters, size}};
}
Example im2col() { return convolution(true); }
Example direct() { return convolution(false); }

Example matmul() {
    constexpr int n = 512;
    const auto app = std::make_shared<apps::Matmul>(apps::Schedule::Hand);
    app->a.set(filled<float>({n, n}));
    app->b.set(filled<float>({n, n}));
    return {app->output, {n, n}, app};
}

// Eight steps of a stencil in tiles, which compute their margins for themselves.
Example time_tiles() {
    ImageParam input(Float(32), 2, "input");
    const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    constexpr int steps = 8;
    std::vector<Func> u;
    for (int t = 0; t < steps; t++) {
        Func next("u" + std::to_string(t));
        const auto at = [&](const Expr &i, const Expr &j) -> Expr {
            return t == 0 ? Expr(input(i, j)) : u.back()(i, j);
        };
        next(x, y) = (at(x, y) + at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) * 0.2f;
        u.push_back(next);
    }
    u.back().tile(x, y, xo, yo, xi, yi, 128, 64, TailStrategy::GuardWithIf).vectorize(xi, 8).parallel(yo);
    for (int t = 0; t + 1 < steps; t++) {
        u[size_t(t)].compute_at(u.back(), xo).vectorize(x, 8);
    }
    Buffer<float> image = filled<float>({width + 2 * steps, height + 2 * steps});
    image.set_min({-steps, -steps});
    input.set(image);
    return {u.back(), {width, height}};
}

// Sums of rows whose partial sums are elements of a vector.
Example partial_sums() {
    FilledBlur b;
    Func total("total");
    const RDom r(0, 1024, "r");
    const RVar ro("ro"), ri("ri");
    const Var u("u");
    total(b.y) = cast<uint16_t>(0);
    total(b.y) += b.input(r, b.y);
    Func partial = total.update().split(r, ro, ri, 16).rfactor(ri, u);
    partial.compute_at(total, b.y).vectorize(u, 16).update().reorder(u, ro).vectorize(u);
    return {total, {height}};
}
// Loops in vectors for images that are wide enough.
Example alternatives() {
    FilledBlur b;
    b.down.specialize(b.down.output_buffer().width() >= 16).vectorize(b.x, 16, TailStrategy::ShiftInwards);
    return b.example();
}
// Each iteration writes at a place that it computes.
Example histogram() {
    FilledBlur b;
    Func bins("bins"), output("output");
    const RDom r(0, b.input.width() / 4 * 4, 0, b.input.height(), "r");
    const RVar ro("ro"), ri("ri");
    bins(b.x) = cast<uint16_t>(0);
    bins(cast<int>(b.input(r.x, r.y) % 256)) += cast<uint16_t>(1);
    output(b.x) = bins(b.x) + bins(255 - b.x);
    bins.compute_root().vectorize(b.x, 16);
    bins.update().split(r.x, ro, ri, 4).unroll(ri);
    output.bound(b.x, 0, 256);
    return {output, {256}};
}

// Columns at once, each element after the one above.
Example scan() {
    FilledBlur b;
    Func sums("sums"), output("output");
    const RDom down(1, b.input.height() - 1, "down");
    sums(b.x, b.y) = b.input(b.x, b.y);
    sums(b.x, down) += sums(b.x, down - 1);
    output(b.x, b.y) = sums(b.x, b.y);
    sums.compute_root();
    sums.update().split(b.x, b.xo, b.xi, 64, TailStrategy::GuardWithIf).reorder(b.xi, down, b.xo).vectorize(b.xi, 16);
    sums.update().parallel(b.xo);
    return {output, {width, height}};
}

struct PipelineExample {
    const char *name;
    Example (*make)();
};
const PipelineExample pipelines[] = {
    {"two_stage_fusion", fusion},
    {"tiling", tiling},
    {"blur_breadth_first", breadth_first},
    {"blur_tiled", tiled_blur},
    {"blur_sliding", sliding_blur},
    {"shared_loops", shared_loops},
    {"shared_sliding", shared_sliding},
    {"two_sliding", two_sliding},
    {"reordered_sum", reordered_sum},
    {"convolution", direct},
    {"convolution_im2col", im2col},
    {"matmul_packed", matmul},
    {"time_tiles", time_tiles},
    {"partial_sums", partial_sums},
    {"alternatives", alternatives},
    {"histogram", histogram},
    {"scan", scan},
};

// ---- Derivations by hand.

struct ScriptExample {
    const char *name, *script;
};
const ScriptExample scripts[] = {
    {"im2col", im2col_script},
    {"scatter_to_gather", scatter_to_gather_script},
    {"separable_filter", separable_filter_script},
};

// ---- Printing.

class Printer {
  public:
    Printer(const std::string &folder, int runs) : folder_(folder), runs_(runs) {
        if (!folder.empty()) {
            std::filesystem::create_directories(folder);
        }
    }
    bool passed = true;

    void pipeline(const PipelineExample &named) {
        const Example example = named.make();
        double produced = std::numeric_limits<double>::infinity();
        ScheduleCertificate certificate;
        for (int i = 0; i < std::min(runs_, 3); i++) {
            const double begin = processor_milliseconds();
            certificate = certify(example.output, {.check = CertificateCheck::Never});
            produced = std::min(produced, processor_milliseconds() - begin);
        }
        print(named.name, certificate.text, certificate.steps, produced, certificate.reason);
        for (const auto &directive : certificate.directives) {
            if (!directive.covered()) {
                std::printf("    %s %s: %s\n", directive.func.c_str(), directive.directive.c_str(),
                            directive.reason.c_str());
                passed = false;
            }
        }
        if (certificate.defined()) {
            run(example);
        }
        std::fflush(stdout);
    }
    void script(const ScriptExample &example) {
        double produced = std::numeric_limits<double>::infinity();
        verify::ScriptResult result;
        for (int i = 0; i < std::min(runs_, 3); i++) {
            const double begin = processor_milliseconds();
            result = verify::run_script(example.script);
            produced = std::min(produced, processor_milliseconds() - begin);
        }
        print(example.name, result.certificate, result.programs.empty() ? 0 : result.programs.size() - 1, produced,
              result.error);
        std::fflush(stdout);
    }

  private:
    void print(const char *name, const std::string &text, size_t steps, double produced, const std::string &error) {
        if (text.empty()) {
            std::printf("%-20s %s\n", name, error.c_str());
            passed = false;
            return;
        }
        if (!folder_.empty()) {
            std::ofstream(folder_ + "/" + name + ".cert") << text;
        }
        const Verdict verdict = check(text);
        std::printf("%-20s %3zu steps, %7.1f KB, produced in %6.2f ms, ", name, steps, double(text.size()) / 1e3,
                    produced);
        if (!verdict.is_there) {
            std::printf("not checked\n");
            return;
        }
        passed = passed && verdict.accepted;
        const std::string said = verdict.text.substr(0, verdict.text.find("; reads"));
        std::printf("checked in %5.2f ms: %s\n", verdict.milliseconds, said.c_str());
    }
    // Both in turn, the least time of each.
    void run(const Example &example) {
        const CertifiedPipeline pipeline = compile_certified(example.output);
        Buffer<> certified = pipeline.realize(example.sizes);
        Func output = example.output;
        Buffer<> ordinary = output.realize(example.sizes);
        double least_certified = std::numeric_limits<double>::infinity(), least_ordinary = least_certified;
        for (int i = 0; i < runs_; i++) {
            least_ordinary = std::min(least_ordinary, processor_milliseconds([&] { output.realize(ordinary); }));
            least_certified = std::min(least_certified, processor_milliseconds([&] { pipeline.realize(certified); }));
        }
        const auto bytes = ordinary.size_in_bytes();
        const bool same = std::memcmp(ordinary.raw_buffer()->host, certified.raw_buffer()->host, bytes) == 0;
        passed = passed && same;
        std::printf("%20s runs in %.2f ms, from its schedule in %.2f ms%s\n", "", least_certified, least_ordinary,
                    same ? "" : ": VALUES DIFFER");
    }
    const std::string folder_;
    const int runs_;
};

} // namespace

int print_examples(const std::string &folder, int runs) {
    Printer printer(folder, runs);
    for (const PipelineExample &example : pipelines) {
        printer.pipeline(example);
    }
    for (const ScriptExample &example : scripts) {
        printer.script(example);
    }
    return printer.passed ? 0 : 1;
}

} // namespace fluorite::certify_tool
