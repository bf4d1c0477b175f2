#include "apps/matmul/multiply_openblas.h"

int main() { return apps::measure_openblas("matmul", 1024); }
