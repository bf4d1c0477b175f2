#include "apps/common/program.h"
#include "apps/hist_equalize/hist_equalize.h"

int main(int argc, char **argv) {
    using namespace apps;
    return run_program(
        with_one_input({"hist_equalize", "Equalizes the histogram of a colour picture's luminance.", Channels::Color,
                        Halide::UInt(8), 1, 32},
                       [](const Request &request) { return std::make_unique<HistEqualize>(request.schedule); }),
        argc, argv);
}
