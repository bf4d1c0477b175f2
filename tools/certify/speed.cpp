// fluorite_certify --speed: code from schedules beside code from their certificates. Both run in turn, the least time
// of each counts, so that other work on the machine counts little.

#include "speed.h"

#include "fluorite/certify.h"
#include "fluorite/fluorite.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace fluorite::certify_tool {

namespace {

constexpr int width = 2048, height = 1536;

struct Blur {
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func across{"across"}, down{"down"};
    Blur() {
        across(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y);
        down(x, y) = (across(x, y) + across(x, y + 1) + across(x, y + 2)) / 9;
    }
};

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

double milliseconds(const std::function<void()> &run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
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
    for (int i = 0; i < 30; i++) {
        least_ordinary = std::min(least_ordinary, milliseconds(run_ordinary));
        least_certified = std::min(least_certified, milliseconds(run_certified));
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
    bool same = true;
    for (const Example &example : examples) {
        same &= measure(example, image);
    }
    return same ? 0 : 1;
}

} // namespace fluorite::certify_tool
