// Our side of `./dev bench --stencils --devito`: many sweeps of the mean of 5, 9 (squares), 7, 13 and 27 points (cubes)
// with zeros outside, from the plain definition without a schedule. stencils_devito.py runs it, and measures the other
// side.
//
//   bench_stencils_peer POINTS SIZE STEPS ROUNDS [THREADS]
//
// Prints a line for each round: its seconds. The last line is the sum of the result, by which the sides are compared.
#include "fluorite/fluorite.h"
#include "fluorite/iterate.h"
#include "fluorite/stencil.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace fluorite;

namespace {

/// Offsets in ascending order, innermost dimension first: a star, or all points around.
std::vector<std::vector<int>> offsets_of(int points) {
    const int rank = points == 5 || points == 9 ? 2 : 3, reach = points == 13 ? 2 : 1;
    const bool is_star = points != 9 && points != 27;
    std::vector<std::vector<int>> offsets;
    for (int z = rank == 3 ? -reach : 0; z <= (rank == 3 ? reach : 0); z++) {
        for (int y = -reach; y <= reach; y++) {
            for (int x = -reach; x <= reach; x++) {
                if (!is_star || (x != 0) + (y != 0) + (z != 0) <= 1) {
                    offsets.push_back(rank == 3 ? std::vector{x, y, z} : std::vector{x, y});
                }
            }
        }
    }
    return offsets;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 5) {
        std::fprintf(stderr, "bench_stencils_peer POINTS SIZE STEPS ROUNDS [THREADS]\n");
        return 2;
    }
    const int points = std::atoi(argv[1]), size = std::atoi(argv[2]), count = std::atoi(argv[3]),
              rounds = std::atoi(argv[4]);
    if (argc > 5) {
        JITSharedRuntime::set_num_threads(std::atoi(argv[5]));
    }
    const std::vector<std::vector<int>> offsets = offsets_of(points);
    const size_t rank = offsets[0].size();
    Buffer<float> in(std::vector<int>(rank, size)), out(std::vector<int>(rank, size));
    for (size_t i = 0; i < in.number_of_elements(); i++) {
        in.data()[i] = static_cast<float>(i % 1021) / 1024;
    }
    ImageParam image(Float(32), static_cast<int>(rank), "image");
    image.set(in);
    Param<int> steps("steps");
    steps.set(count);
    Region domain;
    for (size_t d = 0; d < rank; d++) {
        domain.emplace_back(0, image.dim(static_cast<int>(d)).extent());
    }
    Func sweeps = iterate(steps, domain, image, [&](const IterationStep &s) {
        return stencil(
            offsets,
            [](const std::vector<Expr> &a) {
                Expr sum = a[0];
                for (size_t i = 1; i < a.size(); i++) {
                    sum += a[i];
                }
                return sum / static_cast<float>(a.size());
            },
            s.field(), StencilBoundary::zero());
    });
    sweeps.compile_jit();
    for (int round = 0; round < rounds; round++) {
        const auto start = std::chrono::steady_clock::now();
        sweeps.realize(out);
        std::printf("%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    double sum = 0;
    for (size_t i = 0; i < out.number_of_elements(); i++) {
        sum += out.data()[i];
    }
    std::printf("sum %.9g\n", sum);
    return 0;
}
