#pragma once
/* One call of a compiled pipeline in a process of another processor, as it lies in memory that both processes share: a
 * fluorite_guest_call_t, the arguments behind it, the dimensions of buffers, and the elements. All places are offsets
 * from the beginning of the call; the two processes have it at different addresses.
 *
 * The program that is called (runtime/guest/main.cpp) writes the result, the message of a failure, the fields of
 * buffers and the elements into the same places. */

#include "fluorite/runtime_abi.h"

enum { fluorite_guest_message_bytes = 16384 };

typedef struct fluorite_guest_call_t {
    uint32_t arg_count;
    int32_t num_threads; /* of parallel loops; 0: as many as the environment says */
    int32_t result;
    uint32_t is_done; /* 1 once the pipeline has returned */
    char message[fluorite_guest_message_bytes];
} fluorite_guest_call_t;

enum fluorite_guest_kind { fluorite_guest_null = 0, fluorite_guest_scalar = 1, fluorite_guest_buffer = 2 };

typedef struct fluorite_guest_arg_t {
    uint32_t kind;
    int32_t dimensions;
    uint64_t scalar; /* the bytes of the value, from the first on */
    uint64_t flags;  /* of the buffer */
    uint64_t host;   /* where its first element lies; 0: it has none */
    uint64_t dim;    /* where its dimensions lie */
    fluorite_type_t type;
    uint32_t reserved;
} fluorite_guest_arg_t;
