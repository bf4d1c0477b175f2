/* The best of five times that a team of threads takes, each with a part of the work. */
#include <pthread.h>
#include <time.h>

enum { max_threads = 256 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds; 0 where a thread cannot be made. `parts` holds one argument of `size` bytes for each thread. */
static double best_of_five(int threads, void *(*work)(void *), void *parts, size_t size) {
    double best = 1e30;
    for (int round = 0; round < 5; ++round) {
        pthread_t ids[max_threads];
        const double start = now();
        for (int i = 0; i < threads; ++i)
            if (pthread_create(&ids[i], NULL, work, (char *)parts + size * (size_t)i))
                return 0;
        for (int i = 0; i < threads; ++i)
            pthread_join(ids[i], NULL);
        const double taken = now() - start;
        if (taken < best)
            best = taken;
    }
    return best;
}
