/* The speed of this machine's memory: copies 256 MiB with as many threads as the argument says and prints the best of
 * five in bytes per second, reads and writes both counted. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { max_threads = 256 };
static const size_t total = (size_t)256 << 20;

struct part {
    char *to;
    const char *from;
    size_t size;
};

static void *copy_part(void *argument) {
    const struct part *part = argument;
    memcpy(part->to, part->from, part->size);
    return NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char **arguments) {
    int threads = count > 1 ? atoi(arguments[1]) : 1;
    char *from = malloc(total), *to = malloc(total);
    double best = 1e30;
    if (threads < 1 || threads > max_threads || !from || !to)
        return 1;
    memset(from, 1, total);
    memset(to, 2, total);
    for (int round = 0; round < 5; ++round) {
        pthread_t ids[max_threads];
        struct part parts[max_threads];
        const size_t size = total / (size_t)threads;
        const double start = now();
        for (int i = 0; i < threads; ++i) {
            parts[i] = (struct part){to + size * (size_t)i, from + size * (size_t)i, size};
            if (pthread_create(&ids[i], NULL, copy_part, &parts[i]))
                return 1;
        }
        for (int i = 0; i < threads; ++i)
            pthread_join(ids[i], NULL);
        const double taken = now() - start;
        if (taken < best)
            best = taken;
    }
    printf("%.0f\n", 2.0 * (double)total / best);
    free(from);
    free(to);
    return 0;
}
