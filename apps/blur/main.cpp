#include "apps/blur/blur.h"
#include "apps/common/program.h"

int main(int argc, char **argv) {
    using namespace apps;
    return run_program(
        with_one_input({"blur", "Blurs a picture with a 3x3 box.", Channels::Gray, Halide::UInt(16), 1, 32},
                       [](const Request &request) { return std::make_unique<Blur>(request.schedule); }),
        argc, argv);
}
