// Programs with DistributedImages as a user of MPI writes them: MPI_Init, Halide's names, one process for each rank.
// Each compares its part of the result with the same formula in plain loops.

#include <Halide.h>
#include <mpi.h>

#include <cstdio>

namespace {

using namespace Halide;

int failures = 0;

int source_at(int x, int y) { return (x * 13 + y * 37) % 1009; }

template <typename T, typename Formula>
void expect(const char *name, const DistributedImage<T> &image, const Formula &formula) {
    for (int y = 0; y < image.height(); y++) {
        for (int x = 0; x < image.width(); x++) {
            const int global_x = image.global(0, x), global_y = image.global(1, y);
            const T wanted = formula(global_x, global_y);
            if (image(x, y) != wanted && failures++ < 5) {
                std::printf("FAILED: %s(%d, %d) is %g, not %g\n", name, global_x, global_y,
                            static_cast<double>(image(x, y)), static_cast<double>(wanted));
            }
        }
    }
}

void fill(const DistributedImage<int> &image) {
    for (int y = 0; y < image.height(); y++) {
        for (int x = 0; x < image.width(); x++) {
            image(x, y) = source_at(image.global(0, x), image.global(1, y));
        }
    }
}

/// No rank needs anything of another one.
void pointwise() {
    DistributedImage<int> input(70, 45), output(70, 45);
    Func scaled, clamped;
    Var x, y;
    scaled(x, y) = 1.5f * input(x, y);
    clamped(x, y) = clamp(cast<int>(scaled(x, y)), 100, 900);
    clamped.distribute(y);
    input.set_domain(x, y);
    input.placement().distribute(y);
    input.allocate();
    output.set_domain(x, y);
    output.placement().distribute(y);
    output.allocate();
    clamped.compile_jit();
    fill(input);
    clamped.realize(output);
    expect("pointwise", output, [](int px, int py) {
        const int value = static_cast<int>(1.5F * static_cast<float>(source_at(px, py)));
        return std::min(std::max(value, 100), 900);
    });
}

int inside(int x, int y) { return source_at(std::min(std::max(x, 0), 69), std::min(std::max(y, 0), 44)); }
int row_sum(int x, int y) { return inside(x - 1, y) + 2 * inside(x, y) + inside(x + 1, y); }
int smooth_at(int x, int y) { return (row_sum(x, y - 2) + row_sum(x, y) + row_sum(x, y + 1)) / 12; }

enum class First { Exchanged, Recomputed, Inlined };

/// A filter in two stages. Where the first is exchanged, its rows are; otherwise those of the image.
void filter(const char *name, First stage, bool is_grid, bool has_room) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto [p, q] = approx_factors_near_sqrt(ranks);
    DistributedImage<int> input(70, 45), output(70, 45);
    Func edge, rows, smooth;
    Var x, y;
    edge(x, y) = input(clamp(x, 0, input.global_width() - 1), clamp(y, 0, input.global_height() - 1));
    rows(x, y) = edge(x - 1, y) + 2 * edge(x, y) + edge(x + 1, y);
    smooth(x, y) = (rows(x, y - 2) + rows(x, y) + rows(x, y + 1)) / 12;
    const auto place = [&, across = p, down = q](Func &func) {
        is_grid ? func.distribute(x, y, across, down) : func.distribute(y);
    };
    smooth.compute_root().vectorize(x, 8).parallel(y);
    place(smooth);
    if (stage == First::Exchanged) {
        rows.compute_root();
        place(rows);
    } else if (stage == First::Recomputed) {
        rows.compute_rank();
    }
    input.set_domain(x, y);
    place(input.placement());
    has_room ? input.allocate(smooth, output) : input.allocate();
    output.set_domain(x, y);
    place(output.placement());
    output.allocate();
    fill(input);
    for (int run = 0; run < 3; run++) {
        smooth.realize(output);
    }
    expect(name, output, smooth_at);
}

/// From rows to columns: every rank receives from every other one.
void transposed() {
    DistributedImage<int> input(70, 45), output(45, 70);
    Func result;
    Var x, y;
    result(x, y) = input(y, x);
    result.distribute(y);
    for (DistributedImage<int> *image : {&input, &output}) {
        image->set_domain(x, y);
        image->placement().distribute(y);
        image->allocate();
    }
    fill(input);
    result.realize(output);
    expect("transposed", output, [](int px, int py) { return source_at(py, px); });
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    pointwise();
    filter("exchanged", First::Exchanged, false, true);
    filter("recomputed", First::Recomputed, false, true);
    filter("inlined", First::Inlined, false, false);
    filter("exchanged on a grid", First::Exchanged, true, false);
    filter("recomputed on a grid", First::Recomputed, true, true);
    transposed();
    MPI_Finalize();
    return failures;
}
