#pragma once
// Simulations on ranks: pipelines that compute one step of some fields, and what their schedules need besides the lines
// for one machine.

#include "apps/navier_stokes/navier_stokes.h"
#include "apps/ranks/ranks.h"

namespace apps {

/// One explicit step of the heat equation with seven points; the faces of the cube are insulated.
struct HeatStep {
    fluorite::ImageParam input{fluorite::Float(32), 3, "heat"};
    fluorite::Param<float> rate{"rate", 0.15F}; ///< diffusivity times step over squared spacing; stable up to 1/6
    fluorite::Func output{"heat_step"};

    explicit HeatStep(Schedule schedule) {
        using namespace fluorite;
        Var x("x"), y("y"), z("z");
        const Func at = BoundaryConditions::repeat_edge(input);
        output(x, y, z) =
            at(x, y, z) + rate * ((at(x - 1, y, z) + at(x + 1, y, z)) + (at(x, y - 1, z) + at(x, y + 1, z)) +
                                  (at(x, y, z - 1) + at(x, y, z + 1)) - 6.0F * at(x, y, z));
        if (is_by_hand(schedule)) {
            output.vectorize(x, 16, TailStrategy::GuardWithIf).parallel(z);
        }
    }
};

/// A simulation, ready to run on ranks: what a step writes, value by value, is what the next one reads.
struct Simulation {
    std::shared_ptr<void> app; ///< keeps it alive
    std::vector<fluorite::ImageParam> fields;
    fluorite::Func step;
    std::vector<std::string> lines; ///< what its schedule has besides that for one machine
};

struct RankedSimulation {
    const char *name;
    std::function<Simulation(Schedule schedule)> make;
    std::function<double(int field, double x, double y, double z)> start; ///< at fractions of the box
};

inline std::vector<RankedSimulation> ranked_simulations() {
    const auto wave = [](double turns) { return std::sin(6.283185307179586 * turns); };
    return {{"heat",
             [](Schedule schedule) {
                 auto app = std::make_shared<HeatStep>(schedule);
                 Simulation made{app, {app->input}, app->output, {"heat_step.distribute({x, y, z})"}};
                 add_lines(made.step, made.lines, {});
                 return made;
             },
             [](int, double x, double y, double z) { return x < 0.3 && y > 0.2 && z < 0.7 ? 1.0 : x * y; }},
            {"navier_stokes",
             [](Schedule schedule) {
                 auto app = std::make_shared<NavierStokes>(schedule);
                 Simulation made{app, {app->input.begin(), app->input.end()}, app->output, {}};
                 for (const char *func : {"state1", "divergence1", "stage1", "state2", "divergence2", "stage2",
                                          "state3", "divergence3", "navier_stokes"}) {
                     made.lines.push_back(std::string(func) + ".distribute({x, y, z})");
                 }
                 add_lines(made.step, made.lines, {});
                 return made;
             },
             [wave](int field, double x, double y, double z) {
                 return field == 0   ? 1 + 0.2 * wave(x) * wave(y + 0.25)
                        : field == 4 ? 2.5 + 0.3 * wave(z)
                                     : 0.1 * field * wave(x + field * y - z);
             }}};
}

} // namespace apps
