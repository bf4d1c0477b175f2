#include "apps/matmul/measure_matmul.h"

int main(int argc, char **argv) { return apps::measure_matmul("matmul", {argc, argv}, 1024); }
