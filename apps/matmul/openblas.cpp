#include "apps/common/library.h"

#include <cblas.h>

int main() {
    constexpr int side = 1024;
    const auto a = apps::random_image<float>(side, side), b = apps::random_image<float>(side, side, 1, 2u);
    apps::Image<float> out(side, side);
    openblas_set_num_threads(apps::threads());
    return apps::measure_library("matmul", [&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1, a.values.data(), side,
                    b.values.data(), side, 0, out.values.data(), side);
    });
}
