#pragma once
// The same product by OpenBLAS, with as many threads as generated code gets.

#include "apps/common/library.h"

#include <cblas.h>

namespace apps {

inline int measure_openblas(const char *name, int side) {
    const auto a = random_image<float>(side, side), b = random_image<float>(side, side, 1, 2u);
    Image<float> out(side, side);
    openblas_set_num_threads(threads());
    return measure_library(name, [&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1, a.values.data(), side,
                    b.values.data(), side, 0, out.values.data(), side);
    });
}

} // namespace apps
