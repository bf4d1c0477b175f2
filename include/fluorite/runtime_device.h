#pragma once
/* The C interface of devices (GPUs) for programs that call compiled pipelines: where buffers have device memory, which
 * copy is the newest, and which device is used.
 *
 * A buffer that has device memory has a `device` handle and a `device_interface`; the handle belongs to the runtime and
 * means nothing to others. The flags host_dirty and device_dirty say that one copy is newer than the other; at most one
 * of them is set. Pipelines that run on a device copy what is needed and set the flags; programs copy results back with
 * fluorite_copy_to_host.
 *
 * Every function returns 0 or a negative fluorite_error_code, after it has passed a text to the error handler, and leaves
 * the buffer as it was if it fails. All are thread-safe for distinct buffers unless they say otherwise. `context` is the
 * caller's user context: it selects the device context through the hooks below, or all calls use one device.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- buffers -------------------------------------------------------------------------------------------------- */

/* Allocates device memory for the buffer, of its shape and strides; nothing if it has memory on this device. A buffer
 * that has memory on another device is refused. The elements are undefined. */
int fluorite_device_malloc(void *context, fluorite_buffer_t *buffer, const fluorite_device_interface_t *device);
/* Frees the buffer's device memory, which running kernels may still use; data that only the device has is lost. Memory
 * that fluorite_device_wrap_native lent is given back, that of a crop is released. */
int fluorite_device_free(void *context, fluorite_buffer_t *buffer);
/* Copies the elements to host memory if the device has newer ones, and waits for them. Bytes between the elements of
 * strided buffers stay as they are. */
int fluorite_copy_to_host(void *context, fluorite_buffer_t *buffer);
/* Copies the elements to the device if it has no memory for them yet, which is then allocated, or older ones. With a
 * null interface, the buffer's own is used. The host's elements may be changed after the call. */
int fluorite_copy_to_device(void *context, fluorite_buffer_t *buffer, const fluorite_device_interface_t *device);
/* Waits until all work on the buffer's device, or on the given one, has ended, and reports failures of kernels. */
int fluorite_device_sync(void *context, fluorite_buffer_t *buffer);
int fluorite_device_sync_global(void *context, const fluorite_device_interface_t *device);
/* Frees what the runtime keeps on the device: unused memory, compiled kernels, and the device's context as soon as no
 * buffer has memory there. A later call starts anew. No pipeline may be running. */
void fluorite_device_release(void *context, const fluorite_device_interface_t *device);
/* Host and device memory in one call; fluorite_device_and_host_free frees both. */
int fluorite_device_and_host_malloc(void *context, fluorite_buffer_t *buffer,
                                    const fluorite_device_interface_t *device);
int fluorite_device_and_host_free(void *context, fluorite_buffer_t *buffer);
/* Copies the elements at the target's coordinates from the source, which must hold all of them, to the target's memory
 * on `device`, or on the host if it is null. Both have the same element type and rank; strides may differ. The newest
 * copy of the source is read, the host's if both are valid. Between devices, the elements pass through the host. */
int fluorite_buffer_copy(void *context, fluorite_buffer_t *source, const fluorite_device_interface_t *device,
                         fluorite_buffer_t *target);
/* Gives the target, whose shape lies inside the source's and which has the source's strides, the device memory of its
 * elements in the source. The memory is shared, and lives until both are freed; the flags are not shared, the target
 * gets those of the source. A slice has one dimension less: `position` along dimension `dimension` of the source. */
int fluorite_device_crop(void *context, const fluorite_buffer_t *source, fluorite_buffer_t *target);
int fluorite_device_slice(void *context, const fluorite_buffer_t *source, int dimension, int position,
                          fluorite_buffer_t *target);
int fluorite_device_release_crop(void *context, fluorite_buffer_t *buffer);
/* Uses memory that the program has allocated on the device: an OpenCL cl_mem, a CUDA device pointer. It must be large
 * enough for the buffer's shape and strides, and is never freed by the runtime. */
int fluorite_device_wrap_native(void *context, fluorite_buffer_t *buffer, uint64_t handle,
                                const fluorite_device_interface_t *device);
int fluorite_device_detach_native(void *context, fluorite_buffer_t *buffer);
/* The native handle of the buffer's memory, and the offset in bytes of its lowest addressed element; 0 if the buffer has
 * no device memory. */
uint64_t fluorite_device_native_handle(void *context, const fluorite_buffer_t *buffer);
uint64_t fluorite_device_native_offset(void *context, const fluorite_buffer_t *buffer);

/* ---- which device --------------------------------------------------------------------------------------------- */

/* The device that is used, counted from 0; -1 is the last one. Without a call: FLUORITE_GPU_DEVICE, else HL_GPU_DEVICE,
 * else the first device. Takes effect for the next pipeline; buffers stay on their device. */
void fluorite_set_gpu_device(int index);
int fluorite_get_gpu_device(void *context);

/* The program's own context and queue (a CUDA context and stream, an OpenCL context and command queue) for calls with a
 * user context. `acquire` is called at the begin of each call of the runtime that needs the device and sets both
 * handles; a null queue means one of the runtime's own. Null handles mean the default device. `release`, which may be
 * null, is called at its end. Both may be called by several threads. */
typedef struct fluorite_device_context_hooks_t {
    int (*acquire)(void *context, const fluorite_device_interface_t *device, void **native_context,
                   void **native_queue);
    void (*release)(void *context, const fluorite_device_interface_t *device);
} fluorite_device_context_hooks_t;
/* Sets the hooks of a device interface; a null `acquire` removes them. Precondition: no call is using the device. */
void fluorite_set_device_context_hooks(const fluorite_device_interface_t *device,
                                       fluorite_device_context_hooks_t hooks);

/* ---- memory that is kept -------------------------------------------------------------------------------------- */

/* Sets whether freed device memory is kept for later allocations (it is unless this is called): at most 32 blocks and a
 * quarter of the device's memory for each context. With 0, what is kept is freed. Returns 0. */
int fluorite_reuse_device_allocations(void *context, int on);
int fluorite_can_reuse_device_allocations(void *context);
/* Frees the unused device memory that is kept, of one device interface or, with null, of all. */
int fluorite_release_unused_device_allocations(void *context, const fluorite_device_interface_t *device);

/* ---- OpenCL --------------------------------------------------------------------------------------------------- */

/* Never null; the first call that needs a device loads the OpenCL library, or says what is missing. */
const fluorite_device_interface_t *fluorite_opencl_device_interface(void);
/* The platform whose name contains the text; the type of the device ("cpu", "gpu" or "acc"); options for building
 * kernels. Null or "" means any. Without a call, the variables FLUORITE_OPENCL_PLATFORM, FLUORITE_OPENCL_DEVICE_TYPE and
 * FLUORITE_OPENCL_BUILD_OPTIONS, or HL_OCL_PLATFORM_NAME, HL_OCL_DEVICE_TYPE and HL_OCL_BUILD_OPTIONS. The texts are
 * copied; they take effect when a device is first used, or used again after fluorite_device_release. */
void fluorite_opencl_set_platform_name(const char *name);
void fluorite_opencl_set_device_type(const char *type);
void fluorite_opencl_set_build_options(const char *options);
/* The text in effect; valid until the next call that sets it. */
const char *fluorite_opencl_get_platform_name(void *context);
const char *fluorite_opencl_get_device_type(void *context);
const char *fluorite_opencl_get_build_options(void *context);

/* ---- CUDA ----------------------------------------------------------------------------------------------------- */

/* Never null; the first call that needs a device loads the CUDA driver, or says what is missing. */
const fluorite_device_interface_t *fluorite_cuda_device_interface(void);

#ifdef __cplusplus
} /* extern "C" */
#endif
