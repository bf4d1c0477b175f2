// The main of a program of generators: compile or link it with the sources that register them.

#include "Halide.h"

int main(int argc, char **argv) { return Halide::Internal::generate_filter_main(argc, argv); }
