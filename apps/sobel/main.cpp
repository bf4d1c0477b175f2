#include "apps/common/program.h"
#include "apps/sobel/sobel.h"

int main(int argc, char **argv) {
    using namespace apps;
    return run_program(
        with_one_input({"sobel", "Shows the edges of a picture.", Channels::Gray, Halide::UInt(8), 1, 32},
                       [](const Request &request) { return std::make_unique<Sobel>(request.schedule); }),
        argc, argv);
}
