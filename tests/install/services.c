/* A program that replaces services of the runtime by defining them. Its allocator fails at each request in turn: the
 * filter then returns the code of that failure, and all memory is given back. */
#include "two_stages.h"

#include <HalideRuntime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int requests, live, fails_at, fails_task, loops, tasks, errors;
static char text[512];

void *halide_malloc(void *context, size_t bytes) {
    char *block;
    (void)context;
    if (++requests == fails_at || (block = aligned_alloc(64, (bytes + 63) / 64 * 64)) == NULL) {
        return NULL;
    }
    live++;
    return block;
}
void halide_free(void *context, void *pointer) {
    (void)context;
    live -= pointer != NULL;
    free(pointer);
}
void halide_error(void *context, const char *message) {
    (void)context;
    errors++;
    strncpy(text, message, sizeof(text) - 1);
}
int halide_do_par_for(void *context, halide_task_t task, int min, int size, uint8_t *closure) {
    int i, code = 0;
    loops++;
    for (i = min; i < min + size && code == 0; i++) {
        code = halide_do_task(context, task, i, closure);
    }
    return code;
}
int halide_do_task(void *context, halide_task_t task, int index, uint8_t *closure) {
    return ++tasks == fails_task ? halide_error_code_generic_error : task(context, index, closure);
}

static uint8_t in[40 * 30], out[40 * 30], expected[40 * 30];

static int run(void) {
    struct halide_dimension_t shape[2] = {{0, 40, 1, 0}, {0, 30, 40, 0}};
    struct halide_buffer_t input, output;
    memset(&input, 0, sizeof(input));
    input.type.code = halide_type_uint;
    input.type.bits = 8;
    input.type.lanes = 1;
    input.dimensions = 2;
    input.dim = shape;
    output = input;
    input.host = in;
    output.host = out;
    requests = tasks = errors = 0;
    return two_stages(&input, &output);
}

static int fail(const char *what, int n) {
    printf("%s, at %d: %s\n", what, n, text);
    return 1;
}

int main(void) {
    int n, all_requests, all_tasks;
    for (n = 0; n < (int)sizeof(in); n++) {
        in[n] = (uint8_t)(n * 37 + n / 40);
    }
    if (run() != 0 || requests == 0 || loops == 0 || tasks == 0 || live != 0) {
        return fail("the services were not called", requests);
    }
    memcpy(expected, out, sizeof(out));
    all_requests = requests, all_tasks = tasks;
    for (n = 1; n <= all_requests; n++) {
        fails_at = n;
        if (run() != halide_error_code_out_of_memory || errors != 1 || strstr(text, "[out-of-memory]") == NULL) {
            return fail("a request without memory", n);
        }
        if (live != 0) {
            return fail("memory is lost", n);
        }
    }
    fails_at = 0;
    for (n = 1; n <= all_tasks; n++) {
        fails_task = n;
        if (run() != halide_error_code_generic_error || live != 0) {
            return fail("a task that fails", n);
        }
    }
    fails_task = 0;
    return run() != 0 || memcmp(expected, out, sizeof(out)) != 0 ? fail("values after failures", 0) : 0;
}
