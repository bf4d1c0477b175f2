#include "apps/common/program.h"
#include "apps/stencil_chain/stencil_chain.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{
        "stencil_chain", "Blurs a picture by a chain of stencils.", Channels::Gray, Halide::UInt(16), 1, 32};
    program.parameters = {{"stages", 32, 1, 64, "of the chain", true}};
    const auto make = [](const Request &request) {
        return std::make_unique<StencilChain>(request.schedule, request.integer("stages"));
    };
    return run_program(with_one_input(program, make), argc, argv);
}
