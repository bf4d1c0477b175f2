#include "apps/common/program.h"
#include "apps/stencils/stencils.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"stencils",
                    "Two substances react and diffuse, seeded by the bright parts of the picture.",
                    Channels::Gray,
                    Halide::Float(32),
                    1,
                    1};
    program.parameters = {{"steps", 40, 0, 100000, "in time, each time the program runs", true},
                          runs_parameter(50),
                          {"feed", 0.055, 0, 0.1, "of the first substance"},
                          {"kill", 0.062, 0, 0.1, "of the second one"},
                          {"bright", 0.7, 0, 1, "from which the second substance is there"}};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        const Halide::Buffer<float> seeds = picture;
        const std::vector<int> extents = {seeds.width(), seeds.height()};
        Halide::Buffer<float> first(extents), second(extents), next_first(extents), next_second(extents);
        first.fill(1.0f);
        const auto bright = static_cast<float>(request.number("bright"));
        second.for_each_element([&](int x, int y) { second(x, y) = seeds(x, y) > bright ? 0.5f : 0.0f; });
        Halide::ImageParam a(Halide::Float(32), 2, "a"), b(Halide::Float(32), 2, "b");
        Halide::Param<int> steps("steps");
        Halide::Func reaction = stencils::reaction(a, b, steps, static_cast<float>(request.number("feed")),
                                                   static_cast<float>(request.number("kill")));
        steps.set(request.integer("steps"));
        a.set(first);
        b.set(second);
        request.scheduled(reaction, extents);
        repeat_runs(request, [&] {
            a.set(first);
            b.set(second);
            reaction.realize({next_first, next_second});
            std::swap(first, next_first);
            std::swap(second, next_second);
        });
        second.for_each_value([](float &value) { value = std::min(3 * value, 1.0f); });
        return second;
    };
    program.print_loop_nest = [](const Request &) {
        const Halide::ImageParam a(Halide::Float(32), 2, "a"), b(Halide::Float(32), 2, "b");
        stencils::reaction(a, b, 40).print_loop_nest();
    };
    return run_program(program, argc, argv);
}
