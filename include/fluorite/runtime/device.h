#pragma once
/* The C interface between generated host code and the runtime of devices: modules of kernels, launches, and memory that
 * no buffer describes.
 *
 * Generated code keeps for each module of kernels one constant fluorite_device_module_t and one pointer, the slot, which
 * is null at first. A function that launches kernels calls fluorite_device_load_module before its first launch, and
 * passes the slot's value to fluorite_device_launch.
 *
 * Every function returns 0 or a negative code after it has reported the error. All are thread-safe. Launches and copies
 * of one thread happen in the order of the calls; a launch returns before its kernel has ended.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kernels -------------------------------------------------------------------------------------------------- */

enum fluorite_device_kernel_flags {
    /* All scalar parameters are fields of one block of constant memory, for closures above the limit of parameters. */
    fluorite_device_kernel_packs_scalars = 1,
    /* The kernel stores k + 1 to its failure word, by an atomic exchange with 0, where check k of `failures` fails. */
    fluorite_device_kernel_reports_failures = 2,
    /* OpenCL: the last parameter is a pointer to local memory, of the launch's shared bytes. */
    fluorite_device_kernel_uses_shared = 4
};

/* The parameters of the function in the module are, in this order:
 * 1. for each argument: a scalar as it is; of memory, on CUDA a pointer to the argument's byte `offset`, on OpenCL the
 *    memory object (`global uchar *`) followed by a `long`, the number of bytes to add;
 * 2. the failure word (int32), in the same form as memory, with fluorite_device_kernel_reports_failures;
 * 3. three int32: the numbers of blocks in x, y and z to add to the block's index. They are not 0 only where a grid is
 *    larger than what the device launches at once;
 * 4. on OpenCL the local memory, with fluorite_device_kernel_uses_shared; CUDA kernels declare an extern shared array.
 * With fluorite_device_kernel_packs_scalars, all of 1 to 3 except memory objects are fields of a struct of C layout, each
 * aligned to its size; a pointer to it (`global const uchar *` on OpenCL) is the first parameter, the memory objects
 * follow in their order, then 4. */
typedef struct fluorite_device_kernel_t {
    const char *name;            /* of the function in the module */
    const char *func;            /* the Func that it computes, for messages */
    uint32_t flags;              /* fluorite_device_kernel_flags */
    int32_t failure_count;       /* entries of `failures` */
    const char *const *failures; /* the whole texts of the kernel's checks: `in f: ...; ...; ... [slug]` */
} fluorite_device_kernel_t;

/* Constant data; must live until fluorite_device_unload_module. */
typedef struct fluorite_device_module_t {
    const void *bytes; /* the text or binary that the device's driver builds */
    uint64_t size;
    const char *options; /* for the build; optional */
    const fluorite_device_kernel_t *kernels;
    int32_t kernel_count;
} fluorite_device_module_t;

/* Every kernel may count on so many bytes of parameters: the least that an OpenCL device of the full profile offers. A
 * memory argument takes 16 bytes on OpenCL and 8 on CUDA, the numbers of blocks take 12. */
enum { fluorite_device_least_parameter_bytes = 1024 };

/* Builds the module for the device context that the user context selects; does nothing if that has been done. */
int fluorite_device_load_module(void *context, const fluorite_device_interface_t *device, void **slot,
                                const fluorite_device_module_t *module);
/* Frees the module in all device contexts and clears the slot, before its code is unloaded. Precondition: no function of
 * the code is running. */
int fluorite_device_unload_module(void **slot);

enum fluorite_device_argument_kind {
    fluorite_device_argument_scalar = 0, /* `bytes` bytes of `value`, from its first byte on; at most 8 */
    fluorite_device_argument_memory = 1, /* `value` is a device handle; `offset` counts from the start of its memory */
    fluorite_device_argument_buffer = 2  /* `value` is a fluorite_buffer_t *; `offset` counts from the address of the
                                          * element whose every coordinate is its min, as `host` does */
};

typedef struct fluorite_device_argument_t {
    int32_t kind;  /* a fluorite_device_argument_kind */
    int32_t bytes; /* of scalars */
    uint64_t value;
    int64_t offset; /* of memory, in bytes */
} fluorite_device_argument_t;

/* Starts kernel number `kernel` of the module on blocks[0] x blocks[1] x blocks[2] blocks, each below 2^31, of
 * threads[0] x threads[1] x threads[2] threads. With no blocks it does nothing. The arguments are read during the call.
 * Failures of checks in kernels are reported by the next call that waits for the device. */
int fluorite_device_launch(void *context, const fluorite_device_interface_t *device, void *module, int32_t kernel,
                           const int64_t blocks[3], const int32_t threads[3], int64_t shared_bytes,
                           const fluorite_device_argument_t *arguments, int32_t argument_count);

/* ---- memory of Funcs that are computed on a device --------------------------------------------------------------- */

/* Allocates device memory for a Func, named in messages; the result is a handle as in fluorite_buffer_t::device. Bytes
 * up to a multiple of 128 beyond the end may be read. */
int fluorite_device_allocate(void *context, const fluorite_device_interface_t *device, const char *func, uint64_t bytes,
                             uint64_t *memory);
/* Frees the memory, which running kernels may still use; 0 is ignored. */
int fluorite_device_deallocate(void *context, const fluorite_device_interface_t *device, uint64_t memory);
/* Copy contiguous bytes; return when the host's memory may be changed, or holds the bytes. */
int fluorite_device_write(void *context, const fluorite_device_interface_t *device, uint64_t memory, uint64_t offset,
                          const void *host, uint64_t bytes);
int fluorite_device_read(void *context, const fluorite_device_interface_t *device, uint64_t memory, uint64_t offset,
                         void *host, uint64_t bytes);

/* Memory of the device for a Func, with a copy on the host if the host accesses it too. On the stack of generated code,
 * which calls `begin`, then perhaps `attach`, and `end` on every path. */
typedef struct fluorite_device_mirror_t {
    const fluorite_device_interface_t *device;
    void *host;      /* the copy on the host; null if there is none */
    uint64_t bytes;  /* of both */
    uint64_t memory; /* a handle */
    int32_t newest;  /* 0: both copies are equal, or neither has been stored to; 1: the host's; 2: the device's */
} fluorite_device_mirror_t;
/* Allocates memory for a Func, named in messages. */
int fluorite_device_mirror_begin(void *context, const fluorite_device_interface_t *device,
                                 fluorite_device_mirror_t *mirror, const char *func, uint64_t bytes);
/* Frees the memory, which running kernels may still use. */
int fluorite_device_mirror_end(void *context, fluorite_device_mirror_t *mirror);
int fluorite_device_mirror_attach(fluorite_device_mirror_t *mirror, void *host);
/* Make the device's, or the host's, copy the newest. */
int fluorite_device_mirror_need(void *context, fluorite_device_mirror_t *mirror);
int fluorite_device_mirror_need_host(void *context, fluorite_device_mirror_t *mirror);
/* Notes that kernels (1) or the host (0) have stored to the memory. */
int fluorite_device_mirror_wrote(fluorite_device_mirror_t *mirror, int32_t on_device);

/* ---- buffers that are arguments of pipelines --------------------------------------------------------------------- */

/* Makes the device's copy of a named buffer the newest, as fluorite_copy_to_device does, before kernels read it. */
int fluorite_device_need_input(void *context, const fluorite_device_interface_t *device, const char *name,
                               fluorite_buffer_t *buffer);
/* Gives a named buffer that kernels will write device memory. With `keeps` = 1 its elements are copied first if the
 * host's are newer, because not all of them will be written. */
int fluorite_device_need_output(void *context, const fluorite_device_interface_t *device, const char *name,
                                fluorite_buffer_t *buffer, int32_t keeps);
/* Marks the device's copy as the newest, after a launch that writes it. */
int fluorite_device_mark_written(fluorite_buffer_t *buffer);
/* Marks the host's copy as the newest, after code on the host has written it. */
int fluorite_device_mark_host_written(fluorite_buffer_t *buffer);
/* Makes the host's copy of a named buffer the newest, before code on the host reads it. */
int fluorite_device_need_host(void *context, const char *name, fluorite_buffer_t *buffer);

#ifdef __cplusplus
} /* extern "C" */
#endif
