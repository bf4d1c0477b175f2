#include "apps/fft/measure_fft.h"

int main(int argc, char **argv) { return apps::measure_fft("fft_real", {argc, argv}, 256, apps::Domain::Real); }
