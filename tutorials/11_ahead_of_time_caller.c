/* Lesson 11, second half: a C program that calls what 11_ahead_of_time.cpp compiled.
 *
 * It knows two headers: brighten.h, which was written with the library, and fluorite/runtime_abi.h, which has the buffer
 * that all compiled functions take. A function returns 0, or a negative code. What went wrong is printed to standard
 * error by the runtime's error handler, unless the program installs another one. */

#include "brighten.h"
#include "fluorite/runtime_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int holds, const char *what) {
    printf("  %s: %s\n", holds ? "ok" : "FAILED", what);
    failures += holds ? 0 : 1;
}

/* A header over width x height x channels bytes that lie row by row, plane by plane. Strides count elements. */
static void describe(fluorite_buffer_t *buffer, fluorite_dimension_t dim[3], uint8_t *pixels, int width, int height,
                     int channels) {
    const int extents[3] = {width, height, channels};
    const int strides[3] = {1, width, width * height};
    memset(buffer, 0, sizeof(*buffer));
    memset(dim, 0, 3 * sizeof(*dim));
    for (int d = 0; d < 3; d++) {
        dim[d].extent = extents[d];
        dim[d].stride = strides[d];
    }
    buffer->host = pixels;
    buffer->type.code = fluorite_type_uint;
    buffer->type.bits = 8;
    buffer->type.lanes = 1;
    buffer->dimensions = 3;
    buffer->dim = dim;
}

/* A handler of the program's own. It must return: the function that failed then returns the code. */
static int handled_code = 0;
static char handled_text[512];
static void handle(void *context, int code, const char *message) {
    (void)context;
    handled_code = code;
    snprintf(handled_text, sizeof(handled_text), "%s", message);
}

int main(void) {
    enum { width = 37, height = 23, channels = 3, count = width * height * channels };
    uint8_t *in = malloc(count), *out = calloc(count, 1);
    fluorite_buffer_t input, output;
    fluorite_dimension_t input_dim[3], output_dim[3];
    if (in == NULL || out == NULL) {
        return 2;
    }
    for (int i = 0; i < count; i++) {
        in[i] = (uint8_t)(i * 7 + i / 256);
    }
    describe(&input, input_dim, in, width, height, channels);
    describe(&output, output_dim, out, width, height, channels);

    printf("a call\n");
    check(brighten(&input, 384, &output) == 0, "it returns 0");
    int right = 1;
    for (int i = 0; i < count; i++) {
        const int wanted = in[i] * 384 / 256;
        right = right && out[i] == (wanted > 255 ? 255 : wanted);
    }
    check(right, "every pixel is what C computes");

    printf("how large an input has to be: without memory, a buffer is a question\n");
    fluorite_buffer_t question;
    fluorite_dimension_t question_dim[3];
    describe(&question, question_dim, NULL, 0, 0, 0);
    check(brighten(&question, 384, &output) == 0, "the question is answered");
    check(question_dim[0].extent == width && question_dim[1].extent == height && question_dim[2].extent == channels,
          "it needs as many pixels as there are results");

    printf("mistakes; the default handler prints to standard error\n");
    check(brighten(&input, 5000, &output) == fluorite_error_code_param_too_large, "a gain out of its range");
    input_dim[0].extent = width - 1;
    const int code = brighten(&input, 384, &output);
    check(code == fluorite_error_code_access_out_of_bounds, "an input that is too small");
    check(fluorite_last_error_code() == code, "code and text are kept for the thread");
    check(strstr(fluorite_last_error_message(), "[input-too-small]") != NULL, "the text ends in a slug of docs/errors.md");

    printf("the same with a handler of our own: nothing is printed\n");
    fluorite_set_error_handler(handle);
    check(brighten(&input, 384, &output) == code && handled_code == code, "the handler gets the code");
    printf("  the message: %s\n", handled_text);
    fluorite_set_error_handler(NULL);

    free(in);
    free(out);
    return failures == 0 ? 0 : 1;
}
