#include "apps/jacobi/measure_star.h"

int main(int argc, char **argv) { return apps::measure_star("jacobi_plane5", {argc, argv}, {2, 1}); }
