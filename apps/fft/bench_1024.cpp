#include "apps/fft/measure_fft.h"

int main(int argc, char **argv) { return apps::measure_fft("fft_1024", {argc, argv}, 1024, apps::Domain::Complex); }
