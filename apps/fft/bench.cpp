#include "apps/fft/measure_fft.h"

int main(int argc, char **argv) { return apps::measure_fft("fft", {argc, argv}, 256, apps::Domain::Complex); }
