#include "apps/jacobi/measure_star.h"

int main(int argc, char **argv) { return apps::measure_star("jacobi_space13", {argc, argv}, {3, 2}); }
