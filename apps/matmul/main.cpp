#include "apps/common/image.h"
#include "apps/common/program.h"
#include "apps/matmul/matmul.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"matmul",
                    "Multiplies a picture, as a matrix, by its transpose: how alike its rows are.",
                    Channels::Gray,
                    Halide::Float(32),
                    1,
                    128};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        const Halide::Buffer<float> rows = picture;
        Halide::Buffer<float> columns(rows.height(), rows.width());
        columns.for_each_element([&](int x, int y) { columns(x, y) = rows(y, x); });
        Matmul app(request.schedule);
        app.a.set(rows);
        app.b.set(columns);
        Halide::Buffer<float> result =
            request.scheduled(app.output, {rows.height(), rows.height()}).realize({rows.height(), rows.height()});
        float most = 1e-6f;
        result.for_each_value([&](float &value) { most = std::fmax(most, value); });
        result.for_each_value([&](float &value) { value /= most; });
        return result;
    };
    program.print_loop_nest = [](const Request &request) { Matmul(request.schedule).output.print_loop_nest(); };
    return run_program(program, argc, argv);
}
