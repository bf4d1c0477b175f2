#pragma once
/* Compiled pipelines on several ranks: the C interface for their callers. A rank is a process of an MPI program, or a
 * thread (fluorite_run_on_ranks).
 *
 * A pipeline whose schedule says `distribute` or `compute_rank` is compiled to the same kind of C function as any other.
 * All ranks call it, in the same order. An argument is either an ordinary buffer, which is the same on all ranks (every
 * rank gets the whole of an output), or the memory of an image of which each rank has a part:
 *
 *     fluorite_rank_image_t *in, *out;                        // sizes of the whole images in in_size and out_size
 *     fluorite_rank_image_new(NULL, "in", &in_size, &rows, &in);
 *     fluorite_rank_image_new(NULL, "out", &out_size, &rows, &out);
 *     blur(fluorite_rank_image_buffer(in), fluorite_rank_image_buffer(out));   // no memory yet: asks for halos
 *     fluorite_rank_image_allocate(NULL, in), fluorite_rank_image_allocate(NULL, out);
 *     ... fill fluorite_rank_image_part(in) of fluorite_rank_image_buffer(in) ...
 *     blur(fluorite_rank_image_buffer(in), fluorite_rank_image_buffer(out));   // collective
 *
 * Programs link the pipeline, the library Fluorite::Ranks and, for MPI, Open MPI or MPICH; they call MPI_Init first. The
 * transport for the MPI library (libfluorite_mpi_openmpi.so or libfluorite_mpi_mpich.so) is loaded when it is needed.
 *
 * Functions return 0, or a code below 0 after the error handler has been given the text (fluorite/runtime_abi.h).
 * `context` is passed to the handler.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which part of an image each rank has. */
typedef struct fluorite_placement_t {
    int32_t cuts;              /* how many dimensions are cut; 0: every rank has the whole image */
    const int32_t *dimensions; /* that are cut, `cuts` of them: those of the grid of ranks, the innermost first */
    const int32_t *grid;       /* parts along each of them; null: chosen so that all ranks take part */
    const int32_t *tiles;      /* parts begin at multiples of it along each of them; null: anywhere */
} fluorite_placement_t;

/* An image of which the calling rank has a part. */
typedef struct fluorite_rank_image_t fluorite_rank_image_t;

/* Makes an image without memory. `whole` has its type, mins and extents; the rest of it is not read. Errors:
 * [bad-distribution], [no-mpi]. */
int fluorite_rank_image_new(void *context, const char *name, const fluorite_buffer_t *whole,
                            const fluorite_placement_t *placement, fluorite_rank_image_t **image);
/* Frees the image and its memory; null is allowed. */
void fluorite_rank_image_free(fluorite_rank_image_t *image);
/* What pipelines are called with: this rank's memory, in coordinates of the whole image. It belongs to the image. Before
 * `allocate` it has no memory and the extents of the part. A caller that has memory of its own sets `host`, mins, extents
 * and strides; they hold at least the part. Its padding and the flags that are there say that it is an image's: they
 * stay, and a copy of the struct is an ordinary buffer. */
fluorite_buffer_t *fluorite_rank_image_buffer(fluorite_rank_image_t *image);
/* The min and extent of what this rank has, by dimension. */
const fluorite_dimension_t *fluorite_rank_image_part(const fluorite_rank_image_t *image);
/* Gives the buffer memory of its mins and extents, dense, the first dimension innermost. Errors: [out-of-memory],
 * [buffer-too-large]; [bad-distribution] if there is memory. */
int fluorite_rank_image_allocate(void *context, fluorite_rank_image_t *image);

/* The calling rank, and how many there are. Errors: [no-mpi]. */
int fluorite_ranks(void *context, int32_t *rank, int32_t *count);
/* Calls body(data) once for each of `count` ranks, which are threads, and returns when all have ended. If a body returns
 * anything but 0, the others' collective calls fail; the result is that of the lowest rank that did not merely wait. */
int fluorite_run_on_ranks(void *context, int32_t count, int (*body)(void *data), void *data);
/* How ranks of MPI talk; without effect after the first collective call. `limit`: seconds without any progress after
 * which a peer counts as lost (60 by default). `library`: the file of the transport; null: that beside the program or
 * library that this code is in, then where the loader looks. */
void fluorite_set_mpi_options(double limit, const char *library);

/* What a step writes and the next one reads. */
typedef struct fluorite_step_field_t {
    int32_t input, output; /* places in `args`, from 0: both hold memory of images */
} fluorite_step_field_t;

typedef struct fluorite_step_options_t {
    int64_t steps;              /* from the beginning, resumed ones included */
    const char *checkpoint;     /* a file that all ranks can write; null: none is written or read */
    int64_t steps_between;      /* two checkpoints */
    int64_t steps_per_exchange; /* more than 1: wider halos; 0: as many as a model of the network finds best */
} fluorite_step_options_t;

/* Collective. Calls the pipeline's form `_argv` once for each step; what a step writes is what the next one reads. The
 * inputs of the fields hold the initial values, and afterwards the result. If the checkpoint exists, it replaces the
 * initial values and the count of steps, on any number of ranks. */
int fluorite_run_steps(void *context, int (*pipeline_argv)(void **args), void **args,
                       const fluorite_step_field_t *fields, int32_t field_count,
                       const fluorite_step_options_t *options);

/* Whether memory is filled with a pattern before it is computed or received, by whatever asked for it last:
 * fluorite_set_poison_memory, or FLUORITE_POISON. The memory of ranks is filled anew before each run. */
bool fluorite_poisons_memory(void);

/* What compiled pipelines call: runs the program of a description (src/ranks/compiled) with the arguments, which the
 * operands begin with, and the functions of the program, which follow. */
int fluorite_distributed_run(void *context, const char *description, void *const *operands);

#ifdef __cplusplus
} /* extern "C" */
#endif
