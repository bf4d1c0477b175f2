/* The arithmetic speed of this machine: multiplies and adds vectors of floats in registers with as many threads as the argument
 * says and prints the best of five in operations per second, a product and a sum counted as two. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { max_threads = 256, lanes = 16, chains = 12, steps = 4000000 };
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

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char **arguments) {
    int threads = count > 1 ? atoi(arguments[1]) : 1;
    double best = 1e30;
    if (threads < 1 || threads > max_threads)
        return 1;
    for (int round = 0; round < 5; ++round) {
        pthread_t ids[max_threads];
        float results[max_threads];
        const double start = now();
        for (int i = 0; i < threads; ++i)
            if (pthread_create(&ids[i], NULL, compute, &results[i]))
                return 1;
        for (int i = 0; i < threads; ++i)
            pthread_join(ids[i], NULL);
        const double taken = now() - start;
        if (taken < best)
            best = taken;
    }
    printf("%.0f\n", 2.0 * lanes * chains * (double)steps * threads / best);
    return 0;
}
