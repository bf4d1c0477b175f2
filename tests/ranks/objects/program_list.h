#pragma once
/* How generate.cpp lists compiled programs for caller.c. C99 and C++. */

#include <stdint.h>

enum listed_kind { listed_input, listed_scalar, listed_output };
enum { listed_variants = 2, /* sets of sizes */ listed_most_arguments = 16 };

struct listed_argument {
    enum listed_kind kind;
    const char *name;
    int32_t type_code, bits, dimensions;
    int32_t mins[4], sizes[listed_variants][4];
    int32_t is_image, cuts, cut_dimensions[3], has_tiles, tiles[3]; /* of buffers */
    union {
        uint64_t bits;
    } value;              /* of scalars */
    double base, spread;  /* of inputs: floats lie between base and base + spread */
    const char *expected; /* of outputs: the name of the file with dense elements, and `.variant` */
    int32_t next;         /* of outputs of a step: the input that gets its values */
};

struct listed_program {
    const char *name;
    int (*call)(void **args);
    /* 0: it is called once. Else it is run so many times: what outputs get is what their inputs hold next. */
    int64_t steps, steps_per_exchange;
    int32_t argument_count;
    struct listed_argument arguments[listed_most_arguments];
};
