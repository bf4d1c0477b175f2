#include "apps/matmul/measure_matmul.h"

int main(int argc, char **argv) { return apps::measure_matmul("matmul_2048", {argc, argv}, 2048); }
