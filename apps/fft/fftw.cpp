#include "apps/common/library.h"

#include <fftw3.h>

// One thread: so small a transform gains nothing by more.
int main() {
    constexpr int side = 256;
    const auto input = apps::random_image<float>(side, side, 2);
    fftwf_iodim dims[2] = {{side, side, side}, {side, 1, 1}};
    apps::Image<float> out(side, side, 2), in = input;
    float *re = in.values.data(), *im = re + side * side, *out_re = out.values.data(), *out_im = out_re + side * side;
    const fftwf_plan plan = fftwf_plan_guru_split_dft(2, dims, 0, nullptr, re, im, out_re, out_im, FFTW_MEASURE);
    in = input; // planning wrote over it
    re = in.values.data();
    return apps::measure_library("fft", [&] { fftwf_execute_split_dft(plan, re, re + side * side, out_re, out_im); });
}
