#include "apps/common/program.h"
#include "apps/max_filter/max_filter.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"max_filter",
                    "Spreads the brightest pixels of a picture over squares.",
                    Channels::Gray,
                    Halide::UInt(8),
                    1,
                    32};
    program.parameters = {{"radius", 5, 1, 200, "half the side of a square, in pixels", true}};
    return run_program(with_one_input(program,
                                      [](const Request &request) {
                                          return std::make_unique<MaxFilter>(request.schedule,
                                                                             request.integer("radius"));
                                      }),
                       argc, argv);
}
