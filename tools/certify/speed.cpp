// fluorite_certify --speed: what certificates cost to produce and to check, and code from schedules beside code from
// their certificates. Of repeated measurements the least counts, so that other work on the machine counts little.

#include "speed.h"

#include "apps/local_laplacian/local_laplacian.h"
#include "blur.h"
#include "checker.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace fluorite::certify_tool {

namespace {

constexpr int width = 2048, height = 1536;

struct Example {
    const char *name;
    std::function<void(Blur &)> schedule;
};

const Example examples[] = {
    {"inlined", [](Blur &b) { b.down.vectorize(b.x, 16, TailStrategy::GuardWithIf); }},
    {"breadth first",
     [](Blur &b) {
         b.across.compute_root().vectorize(b.x, 16, TailStrategy::GuardWithIf);
         b.down.vectorize(b.x, 16, TailStrategy::GuardWithIf);
     }},
    {"tiles",
     [](Blur &b) {
         b.down.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 128, 32, TailStrategy::GuardWithIf).vectorize(b.xi, 16);
         b.across.compute_at(b.down, b.xo).vectorize(b.x, 16, TailStrategy::GuardWithIf);
     }},
    {"tiles, in parallel",
     [](Blur &b) {
         b.down.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 128, 32, TailStrategy::GuardWithIf)
             .vectorize(b.xi, 16)
             .parallel(b.yo);
         b.across.compute_at(b.down, b.xo).vectorize(b.x, 16, TailStrategy::GuardWithIf);
     }},
};

// ---- What certificates cost: processor time. The bounds are those that the project promises.

struct Cost {
    size_t bytes = 0, steps = 0;
    double produced = 1e9, checked = 1e9;
    bool right = true;
};
Cost cost_of(const Func &output, int repeats) {
    Cost cost;
    for (int i = 0; i < repeats; i++) {
        const double begin = processor_milliseconds();
        const ScheduleCertificate certificate = certify(output, {.check = CertificateCheck::Never});
        cost.produced = std::min(cost.produced, processor_milliseconds() - begin);
        const Verdict verdict = check(certificate.text);
        cost.right = cost.right && certificate.defined() && (!verdict.is_there || verdict.accepted);
        cost.checked = verdict.is_there ? std::min(cost.checked, verdict.milliseconds) : 0;
        cost.bytes = certificate.text.size();
        cost.steps = certificate.steps;
    }
    return cost;
}
bool print_cost(const std::string &name, const Func &output, int repeats, double most_produced = 0,
                double most_checked = 0) {
    const Cost cost = cost_of(output, repeats);
    std::printf("%-34s %4zu steps, %8.1f KB, produced in %7.1f ms", name.c_str(), cost.steps, double(cost.bytes) / 1e3,
                cost.produced);
    if (most_produced > 0) {
        std::printf(" (of %.0f)", most_produced);
    }
    std::printf(", checked in %6.2f ms", cost.checked);
    if (most_checked > 0) {
        std::printf(" (of %.0f)", most_checked);
    }
    std::printf("%s\n", cost.right ? "" : ": REJECTED");
    std::fflush(stdout);
    return cost.right;
}
// A chain of stages, each computed for each tile of the last one.
Func chain_of(int stages) {
    const ImageParam input(UInt(16), 2, "input");
    const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    std::vector<Func> chain;
    for (int i = 0; i < stages; i++) {
        Func f("f" + std::to_string(i));
        f(x, y) = i == 0 ? input(x, y) + input(x + 1, y + 1) : chain.back()(x, y) + chain.back()(x + 1, y + 1);
        chain.push_back(f);
    }
    chain.back().tile(x, y, xo, yo, xi, yi, 64, 32, TailStrategy::GuardWithIf);
    for (int i = 0; i + 1 < stages; i++) {
        chain[size_t(i)].compute_at(chain.back(), xo);
    }
    return chain.back();
}
bool print_costs() {
    bool right = true;
    for (const Example &example : examples) {
        Blur blur;
        example.schedule(blur);
        right &= print_cost(std::string("blur, ") + example.name, blur.down, 5, 10, 2);
    }
    for (const int stages : {5, 10, 20, 30, 40}) {
        right &= print_cost("chain of " + std::to_string(stages) + " stages in tiles", chain_of(stages), 3,
                            stages == 30 ? 200 : 0, stages == 30 ? 50 : 0);
    }
    for (const int levels : {2, 4, 6, 8}) {
        const apps::LocalLaplacian app(apps::Schedule::Hand, levels);
        right &= print_cost("local Laplacian, " + std::to_string(levels) + " levels", app.output, 1,
                            levels == 8 ? 5000 : 0, levels == 8 ? 500 : 0);
    }
    return right;
}

bool measure(const Example &example, const Buffer<uint16_t> &image) {
    Blur blur;
    blur.input.set(image);
    example.schedule(blur);
    Buffer<uint16_t> ordinary(width, height), certified(width, height);
    const CertifiedPipeline pipeline = compile_certified(blur.down);
    const auto run_ordinary = [&] { blur.down.realize(ordinary); };
    const auto run_certified = [&] { pipeline.realize(certified); };
    run_ordinary();
    run_certified();
    double least_ordinary = 1e9, least_certified = 1e9;
    constexpr int runs = 200;
    for (int i = 0; i < runs; i++) {
        least_ordinary = std::min(least_ordinary, processor_milliseconds(run_ordinary));
        least_certified = std::min(least_certified, processor_milliseconds(run_certified));
    }
    const bool same = std::memcmp(ordinary.data(), certified.data(), ordinary.size_in_bytes()) == 0;
    std::printf("%-20s ordinary %7.3f ms, from the certificate %7.3f ms, %+6.1f %%%s\n", example.name, least_ordinary,
                least_certified, 100 * (least_certified / least_ordinary - 1), same ? "" : ": VALUES DIFFER");
    std::fflush(stdout);
    return same;
}

} // namespace

int print_speed() {
    Buffer<uint16_t> image(width + 2, height + 2);
    for (int y = 0; y < height + 2; y++) {
        for (int x = 0; x < width + 2; x++) {
            image(x, y) = static_cast<uint16_t>((x * 31 + y * 17) & 0x3ff);
        }
    }
    bool same = print_costs();
    for (const Example &example : examples) {
        same &= measure(example, image);
    }
    return same ? 0 : 1;
}

} // namespace fluorite::certify_tool
