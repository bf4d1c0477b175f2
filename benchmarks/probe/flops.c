/* The arithmetic speed of this machine: multiplies and adds vectors of floats in registers with as many threads as the argument
 * says and prints the best of five in operations per second, a product and a sum counted as two. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "team.h"

/* The machine's own vectors: two for one would need more registers than there are. */
#if defined(__AVX512F__)
enum { lanes = 16 };
#elif defined(__AVX__)
enum { lanes = 8 };
#else
enum { lanes = 4 };
#endif
enum { chains = 12, steps = 4000000 };
typedef float vector __attribute__((vector_size(lanes * sizeof(float))));

/* Enough independent chains to hide the latency of each step; `volatile` keeps the compiler from knowing their values. */
static void *compute(void *argument) {
    volatile float seed = 0.5f;
    const vector factor = (vector){0} + seed, offset = factor;
    vector sums[chains];
    for (int i = 0; i < chains; ++i)
        sums[i] = factor * (float)i;
    for (int step = 0; step < steps; ++step)
        for (int i = 0; i < chains; ++i)
            sums[i] = sums[i] * factor + offset;
    vector total = {0};
    for (int i = 0; i < chains; ++i)
        total += sums[i];
    *(float *)argument = total[0] + total[lanes - 1];
    return NULL;
}

int main(int count, char **arguments) {
    int threads = count > 1 ? atoi(arguments[1]) : 1;
    float results[max_threads];
    if (threads < 1 || threads > max_threads)
        return 1;
    const double best = best_of_five(threads, compute, results, sizeof *results);
    if (best <= 0)
        return 1;
    printf("%.0f\n", 2.0 * lanes * chains * (double)steps * threads / best);
    return 0;
}
