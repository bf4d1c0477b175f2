/* Calls pipelines that were compiled ahead of time for ranks: `programs.h`, which generate.cpp has written, lists them
 * with their objects' functions, arguments and expected results. Each rank makes its parts of the images, and compares
 * its part of each output with what one rank has computed, bit for bit. What images hold beyond the parts, and all other
 * memory, is filled with a pattern before. The program links neither the compiler nor its library.
 *
 *     caller FOLDER [PROGRAM]
 *
 * With RANKS_OF_MPI it is a program of MPI; otherwise ranks are threads, in many numbers. */

#include "elements.h"
#include "fluorite/runtime_ranks.h"
#include "program_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs.h"

#ifdef RANKS_OF_MPI
#include <mpi.h>
#endif

enum { most_dimensions = 4 };

static const char *folder = ".", *only = NULL;

/* A header over dense memory of an argument's sizes. */
struct whole {
    fluorite_buffer_t buffer;
    fluorite_dimension_t dim[most_dimensions];
    int64_t count; /* of elements */
};

static void describe(struct whole *whole, const struct listed_argument *argument, int variant) {
    memset(whole, 0, sizeof(*whole));
    whole->count = 1;
    for (int d = 0; d < argument->dimensions; d++) {
        whole->dim[d].min = argument->mins[d];
        whole->dim[d].extent = argument->sizes[variant][d];
        whole->dim[d].stride = (int32_t)whole->count;
        whole->count *= whole->dim[d].extent;
    }
    whole->buffer.type.code = (fluorite_type_code_t)argument->type_code;
    whole->buffer.type.bits = (uint8_t)argument->bits;
    whole->buffer.type.lanes = 1;
    whole->buffer.dimensions = argument->dimensions;
    whole->buffer.dim = whole->dim;
}

static size_t bytes_of(const struct listed_argument *argument) { return ((size_t)argument->bits + 7) / 8; }

static void *elements_of(const struct listed_argument *argument, const struct whole *whole) {
    char *memory = malloc((size_t)whole->count * bytes_of(argument) + 1);
    for (int64_t i = 0; i < whole->count; i++) {
        set_element(memory, i, argument->type_code == fluorite_type_float, argument->bits, argument->base,
                    argument->spread);
    }
    return memory;
}

static void *expected_of(const struct listed_argument *argument, const struct whole *whole, int variant) {
    char path[512];
    snprintf(path, sizeof(path), "%s/%s.%d", folder, argument->expected, variant);
    const size_t size = (size_t)whole->count * bytes_of(argument);
    char *memory = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    const size_t have = file != NULL ? fread(memory, 1, size, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    if (have != size) {
        printf("FAILED: %s has %zu bytes of %zu\n", path, have, size);
        exit(1);
    }
    return memory;
}

/* Visits the elements of a part: copies them from dense memory of the whole, or counts those that differ from it. */
static int64_t visit_part(const fluorite_buffer_t *memory, const fluorite_dimension_t *part, const struct whole *whole,
                          void *elements, size_t bytes, int copies) {
    int32_t at[most_dimensions] = {0};
    int64_t wrong = 0;
    for (int32_t d = 0; d < memory->dimensions; d++) {
        if (part[d].extent == 0) {
            return 0;
        }
    }
    while (1) {
        ptrdiff_t here = 0, there = 0;
        for (int32_t d = 0; d < memory->dimensions; d++) {
            const int32_t coordinate = part[d].min + at[d];
            here += (ptrdiff_t)(coordinate - memory->dim[d].min) * memory->dim[d].stride;
            there += (ptrdiff_t)(coordinate - whole->dim[d].min) * whole->dim[d].stride;
        }
        char *mine = (char *)memory->host + here * (ptrdiff_t)bytes, *its = (char *)elements + there * (ptrdiff_t)bytes;
        if (copies) {
            memcpy(mine, its, bytes);
        } else {
            wrong += memcmp(mine, its, bytes) != 0;
        }
        int32_t d = 0;
        for (; d < memory->dimensions && ++at[d] == part[d].extent; d++) {
            at[d] = 0;
        }
        if (d == memory->dimensions) {
            return wrong;
        }
    }
}

/* All of an image's memory, before it is filled. */
static void poison(const fluorite_buffer_t *memory, size_t bytes) {
    size_t count = 1;
    for (int32_t d = 0; d < memory->dimensions; d++) { /* it is dense */
        count *= (size_t)memory->dim[d].extent;
    }
    if (memory->host != NULL) {
        memset(memory->host, 0xA5, count * bytes);
    }
}

/* What one rank binds to an argument. */
struct bound {
    struct whole whole;
    void *elements; /* of the whole: of inputs, and what is expected of outputs */
    void *result;   /* memory of an output that every rank has the whole of */
    fluorite_rank_image_t *image;
};

static int bind(const struct listed_argument *argument, int variant, struct bound *bound, void **arg) {
    memset(bound, 0, sizeof(*bound));
    if (argument->kind == listed_scalar) {
        *arg = (void *)&argument->value;
        return 0;
    }
    const int is_output = argument->kind == listed_output;
    describe(&bound->whole, argument, variant);
    bound->elements = is_output ? expected_of(argument, &bound->whole, variant) : elements_of(argument, &bound->whole);
    if (!argument->is_image) {
        bound->result = is_output ? calloc((size_t)bound->whole.count + 1, bytes_of(argument)) : NULL;
        bound->whole.buffer.host = is_output ? bound->result : bound->elements;
        *arg = &bound->whole.buffer;
        return 0;
    }
    const fluorite_placement_t placement = {argument->cuts, argument->cut_dimensions, NULL,
                                            argument->has_tiles ? argument->tiles : NULL};
    const int code = fluorite_rank_image_new(NULL, argument->name, &bound->whole.buffer, &placement, &bound->image);
    *arg = code == 0 ? fluorite_rank_image_buffer(bound->image) : NULL;
    return code;
}

static int64_t compare(const struct listed_argument *argument, const struct bound *bound, void *expected) {
    if (argument->kind != listed_output) {
        return 0;
    }
    if (bound->image != NULL) {
        return visit_part(fluorite_rank_image_buffer(bound->image), fluorite_rank_image_part(bound->image),
                          &bound->whole, expected, bytes_of(argument), 0);
    }
    return memcmp(bound->result, expected, (size_t)bound->whole.count * bytes_of(argument)) != 0;
}

/* Runs a program on its arguments: once, or in steps. */
static int call(const struct listed_program *program, void **args) {
    if (program->steps == 0) {
        return program->call(args);
    }
    fluorite_step_field_t fields[listed_most_arguments];
    int32_t field_count = 0;
    for (int i = 0; i < program->argument_count; i++) {
        if (program->arguments[i].kind == listed_output) {
            fields[field_count].input = program->arguments[i].next;
            fields[field_count++].output = i;
        }
    }
    const fluorite_step_options_t options = {program->steps, NULL, 100, program->steps_per_exchange};
    return fluorite_run_steps(NULL, program->call, args, fields, field_count, &options);
}

/* Gives images memory, and inputs their elements. */
static int fill(const struct listed_argument *argument, struct bound *bound) {
    const size_t bytes = bytes_of(argument);
    if (bound->image == NULL) {
        return 0;
    }
    const int code = fluorite_rank_image_allocate(NULL, bound->image);
    if (code == 0) {
        poison(fluorite_rank_image_buffer(bound->image), bytes);
    }
    if (code == 0 && argument->kind == listed_input) {
        visit_part(fluorite_rank_image_buffer(bound->image), fluorite_rank_image_part(bound->image), &bound->whole,
                   bound->elements, bytes, 1);
    }
    return code;
}

/* Runs a program on this rank, twice, on images with room for what is received and without. */
static int run_program(const struct listed_program *program, int variant, int has_room) {
    struct bound bound[listed_most_arguments];
    void *args[listed_most_arguments];
    int code = 0;
    for (int i = 0; i < program->argument_count && code == 0; i++) {
        code = bind(&program->arguments[i], variant, &bound[i], &args[i]);
    }
    if (code == 0 && has_room) {
        code = program->call(args); /* a question */
    }
    for (int i = 0; i < program->argument_count && code == 0; i++) {
        code = fill(&program->arguments[i], &bound[i]);
    }
    int64_t wrong = 0;
    for (int run = 0; run < (program->steps > 0 ? 1 : 2) && code == 0; run++) {
        code = call(program, args);
        for (int i = 0; i < program->argument_count && code == 0; i++) {
            const struct listed_argument *argument = &program->arguments[i];
            wrong += compare(argument, &bound[program->steps > 0 ? argument->next : i], bound[i].elements);
        }
    }
    int32_t rank = 0, count = 1;
    if (code != 0 || wrong != 0) {
        fluorite_ranks(NULL, &rank, &count);
        printf("FAILED: %s, variant %d, rank %d of %d: code %d, %lld elements differ\n", program->name, variant, rank,
               count, code, (long long)wrong);
    }
    for (int i = 0; i < program->argument_count; i++) {
        if (program->arguments[i].kind != listed_scalar) {
            fluorite_rank_image_free(bound[i].image);
            free(bound[i].elements);
            free(bound[i].result);
        }
    }
    return code != 0 || wrong != 0 ? -1 : 0;
}

static int run_all(void *data) {
    const int variant = *(const int *)data;
    int code = 0;
    for (size_t p = 0; p < sizeof(listed_programs) / sizeof(listed_programs[0]) && code == 0; p++) {
        if (only == NULL || strcmp(only, listed_programs[p].name) == 0) {
            code = run_program(&listed_programs[p], variant, ((int)p + variant) % 2);
        }
    }
    return code;
}

int main(int argc, char **argv) {
    int failures = 0;
    folder = argc > 1 ? argv[1] : folder;
    only = argc > 2 ? argv[2] : NULL;
    fluorite_set_poison_memory(true);
#ifdef RANKS_OF_MPI
    MPI_Init(&argc, &argv);
    for (int variant = 0; variant < listed_variants; variant++) {
        failures += run_all(&variant) != 0;
    }
    MPI_Finalize();
#else
    static const int32_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64};
    for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        int variant = (int)c % listed_variants;
        failures += fluorite_run_on_ranks(NULL, counts[c], run_all, &variant) != 0;
    }
#endif
    printf("%zu programs, %d failures\n", sizeof(listed_programs) / sizeof(listed_programs[0]), failures);
    return failures != 0;
}
