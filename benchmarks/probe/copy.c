/* The speed of this machine's memory: copies 256 MiB with as many threads as the argument says and prints the best of
 * five in bytes per second, reads and writes both counted. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team.h"

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

int main(int count, char **arguments) {
    int threads = count > 1 ? atoi(arguments[1]) : 1;
    char *from = malloc(total), *to = malloc(total);
    struct part parts[max_threads];
    if (threads < 1 || threads > max_threads || !from || !to)
        return 1;
    memset(from, 1, total);
    memset(to, 2, total);
    const size_t size = total / (size_t)threads;
    for (int i = 0; i < threads; ++i)
        parts[i] = (struct part){to + size * (size_t)i, from + size * (size_t)i, size};
    const double best = best_of_five(threads, copy_part, parts, sizeof *parts);
    if (best <= 0)
        return 1;
    printf("%.0f\n", 2.0 * (double)total / best);
    free(from);
    free(to);
    return 0;
}
