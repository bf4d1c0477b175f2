#include "apps/matmul/multiply_openblas.h"

int main() { return apps::measure_openblas("matmul_2048", 2048); }
