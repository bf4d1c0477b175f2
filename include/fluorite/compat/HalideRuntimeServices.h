#pragma once
/* The services of the runtime under Halide's names, for C99 and C++11; HalideRuntime.h includes it.
 *
 * Compiled functions reach memory, threads, errors, texts and traces through the functions of this header that have a
 * `_default_` twin. Each is defined weakly, so a program replaces it by defining a function of that name itself, or by
 * the setter; the setters take null for the default and return the former function. The defaults stay callable under
 * the names of the twins. `context` is the caller's user context. Pipelines that are compiled in the process have the
 * same services in JITHandlers, and neither see nor change these. Services that can fail return 0 or a
 * negative halide_error_code_t. */

#include "HalideRuntimeTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- texts, errors ------------------------------------------------------------------------------------------------ */

/* Writes a text unchanged, by default to standard error. */
void halide_print(void *context, const char *text);
void halide_default_print(void *context, const char *text);
typedef fluorite_print_t halide_print_t;
halide_print_t halide_set_custom_print(halide_print_t function);

/* Is told of each failure, and must return: the function that failed then returns the code. The default prints the
 * text and keeps it for fluorite_last_error_message(); unlike Halide's, it does not end the process. */
void halide_error(void *context, const char *text);
void halide_default_error(void *context, const char *text);
typedef void (*halide_error_handler_t)(void *context, const char *text);
halide_error_handler_t halide_set_error_handler(halide_error_handler_t function);

/* ---- memory ------------------------------------------------------------------------------------------------------- */

/* Memory for the allocations of compiled functions; null on failure. A replacement aligns it to 64 bytes. It is asked
 * for 128 bytes more than are used, which vectors may read past the end. */
void *halide_malloc(void *context, size_t bytes);
void halide_free(void *context, void *pointer);
void *halide_default_malloc(void *context, size_t bytes);
void halide_default_free(void *context, void *pointer);
typedef fluorite_malloc_t halide_malloc_t;
typedef fluorite_free_t halide_free_t;
/* Install both while no memory is in use. */
halide_malloc_t halide_set_custom_malloc(halide_malloc_t function);
halide_free_t halide_set_custom_free(halide_free_t function);

/* ---- parallel loops ----------------------------------------------------------------------------------------------- */

/* Runs task(context, i, closure) for i in [min, min + size), in any order, and returns 0 or the result of one that
 * failed. */
typedef fluorite_task_t halide_task_t;
int halide_do_par_for(void *context, halide_task_t task, int min, int size, uint8_t *closure);
int halide_default_do_par_for(void *context, halide_task_t task, int min, int size, uint8_t *closure);
typedef int (*halide_do_par_for_t)(void *context, halide_task_t task, int min, int size, uint8_t *closure);
halide_do_par_for_t halide_set_custom_do_par_for(halide_do_par_for_t function);

/* Runs one iteration of a loop, for the default halide_do_par_for. */
int halide_do_task(void *context, halide_task_t task, int index, uint8_t *closure);
int halide_default_do_task(void *context, halide_task_t task, int index, uint8_t *closure);
typedef int (*halide_do_task_t)(void *context, halide_task_t task, int index, uint8_t *closure);
halide_do_task_t halide_set_custom_do_task(halide_do_task_t function);

/* See fluorite_set_num_threads, fluorite_get_num_threads and fluorite_shutdown_thread_pool. */
int halide_set_num_threads(int n);
int halide_get_num_threads(void);
void halide_shutdown_thread_pool(void);

/* ---- tasks that wait for each other ------------------------------------------------------------------------------- */

/* A counter that tasks wait for. */
struct halide_semaphore_t {
    uint64_t _private[2];
};
int halide_semaphore_init(struct halide_semaphore_t *semaphore, int n);
/* Adds n, and returns the sum. */
int halide_semaphore_release(struct halide_semaphore_t *semaphore, int n);
/* Subtracts n and returns true, unless the counter is less. */
bool halide_semaphore_try_acquire(struct halide_semaphore_t *semaphore, int n);
int halide_default_semaphore_init(struct halide_semaphore_t *semaphore, int n);
int halide_default_semaphore_release(struct halide_semaphore_t *semaphore, int n);
bool halide_default_semaphore_try_acquire(struct halide_semaphore_t *semaphore, int n);
typedef int (*halide_semaphore_init_t)(struct halide_semaphore_t *semaphore, int n);
typedef int (*halide_semaphore_release_t)(struct halide_semaphore_t *semaphore, int n);
typedef bool (*halide_semaphore_try_acquire_t)(struct halide_semaphore_t *semaphore, int n);

struct halide_semaphore_acquire_t {
    struct halide_semaphore_t *semaphore;
    int count;
};

/* Runs the iterations [min, min + extent) of a task; `parent` is passed on to tasks that it runs itself. */
typedef int (*halide_loop_task_t)(void *context, int min, int extent, uint8_t *closure, void *parent);

/* Iterations [min, min + extent) of `fn`, each of which starts when the semaphores have been acquired; in order and one
 * at a time if `serial`. `min_threads` threads are needed for it to end. */
struct halide_parallel_task_t {
    halide_loop_task_t fn;
    uint8_t *closure;
    const char *name;
    struct halide_semaphore_acquire_t *semaphores;
    int num_semaphores;
    int min, extent;
    int min_threads;
    bool serial;
};

/* Runs tasks that may wait for each other, and returns when all have ended: 0, or the result of one that failed. It is
 * there for the program's own tasks: the stages of async() have threads and semaphores of their own. */
int halide_do_parallel_tasks(void *context, int count, struct halide_parallel_task_t *tasks, void *parent);
int halide_default_do_parallel_tasks(void *context, int count, struct halide_parallel_task_t *tasks, void *parent);
typedef int (*halide_do_parallel_tasks_t)(void *context, int count, struct halide_parallel_task_t *tasks, void *parent);

/* Runs iterations of a task, for halide_default_do_parallel_tasks. */
int halide_do_loop_task(void *context, halide_loop_task_t task, int min, int extent, uint8_t *closure, void *parent);
int halide_default_do_loop_task(void *context, halide_loop_task_t task, int min, int extent, uint8_t *closure,
                                void *parent);
typedef int (*halide_do_loop_task_t)(void *context, halide_loop_task_t task, int min, int extent, uint8_t *closure,
                                     void *parent);
halide_do_loop_task_t halide_set_custom_do_loop_task(halide_do_loop_task_t function);

/* All at once; null stands for the default. */
void halide_set_custom_parallel_runtime(halide_do_par_for_t do_par_for, halide_do_task_t do_task,
                                        halide_do_loop_task_t do_loop_task,
                                        halide_do_parallel_tasks_t do_parallel_tasks,
                                        halide_semaphore_init_t semaphore_init,
                                        halide_semaphore_try_acquire_t semaphore_try_acquire,
                                        halide_semaphore_release_t semaphore_release);

/* ---- threads and locks -------------------------------------------------------------------------------------------- */

/* Starts a thread, which has to be joined; null on failure. */
struct halide_thread;
struct halide_thread *halide_spawn_thread(void (*function)(void *closure), void *closure);
void halide_join_thread(struct halide_thread *thread);

/* Both begin as zeros, and need not be destroyed. */
struct halide_mutex {
    uintptr_t _private[1];
};
struct halide_cond {
    uintptr_t _private[1];
};
void halide_mutex_lock(struct halide_mutex *mutex);
void halide_mutex_unlock(struct halide_mutex *mutex);
/* A wait may end without a signal. */
void halide_cond_wait(struct halide_cond *condition, struct halide_mutex *mutex);
void halide_cond_signal(struct halide_cond *condition);
void halide_cond_broadcast(struct halide_cond *condition);

/* An array of mutexes; null where there is no memory. */
struct halide_mutex_array;
struct halide_mutex_array *halide_mutex_array_create(uint64_t size);
void halide_mutex_array_destroy(void *context, void *array);
int halide_mutex_array_lock(struct halide_mutex_array *array, int entry);
int halide_mutex_array_unlock(struct halide_mutex_array *array, int entry);

/* ---- traces ------------------------------------------------------------------------------------------------------- */

/* Is told of each event of a traced Func, and returns its positive id, the parent_id of events inside it. */
int32_t halide_trace(void *context, const halide_trace_event_t *event);
/* Writes the elements of a buffer to a file, for Func::debug_to_file. A program may define it. */
int32_t halide_debug_to_file(void *context, const char *path, struct halide_buffer_t *buffer);
int32_t halide_default_trace(void *context, const halide_trace_event_t *event);
typedef fluorite_trace_t halide_trace_t;
halide_trace_t halide_set_custom_trace(halide_trace_t function);

/* Where the default halide_trace writes events as packets; 0: it prints lines. At first it is the file that the
 * environment variable HL_TRACE_FILE names. */
void halide_set_trace_file(int file);
int halide_get_trace_file(void *context);
/* Closes the file that the variable named. Returns 0 or an error code. */
int halide_shutdown_trace(void);

/* What precedes the coordinates, the value, the name of the Func and the tag of an event in a file. The texts end with
 * zeros, and more zeros fill the packet to a multiple of 4 bytes. */
struct halide_trace_packet_t {
    uint32_t size; /* of all of it, in bytes */
    int32_t id;
    halide_type_t type;
    halide_trace_event_code_t event;
    int32_t parent_id;
    int32_t value_index;
    int32_t dimensions;
#ifdef __cplusplus
    /* What follows in the file, where the packet lies as it was written; a tag is "" if there is none. */
    const int *coordinates() const { return reinterpret_cast<const int *>(this + 1); }
    int *coordinates() { return reinterpret_cast<int *>(this + 1); }
    const void *value() const { return coordinates() + dimensions; }
    void *value() { return coordinates() + dimensions; }
    const char *func() const { return static_cast<const char *>(value()) + type.lanes * type.bytes(); }
    char *func() { return static_cast<char *>(value()) + type.lanes * type.bytes(); }
    const char *trace_tag() const {
        const char *at = func();
        while (*at++ != 0) {
        }
        return at;
    }
    char *trace_tag() { return const_cast<char *>(static_cast<const halide_trace_packet_t *>(this)->trace_tag()); }
#endif
};

/* ---- libraries ---------------------------------------------------------------------------------------------------- */

/* How the runtime finds drivers of devices: dlsym() in all that is loaded, dlopen() and dlsym(). Null on failure. */
void *halide_get_symbol(const char *name);
void *halide_load_library(const char *name);
void *halide_get_library_symbol(void *library, const char *name);
void *halide_default_get_symbol(const char *name);
void *halide_default_load_library(const char *name);
void *halide_default_get_library_symbol(void *library, const char *name);
typedef void *(*halide_get_symbol_t)(const char *name);
typedef void *(*halide_load_library_t)(const char *name);
typedef void *(*halide_get_library_symbol_t)(void *library, const char *name);
halide_get_symbol_t halide_set_custom_get_symbol(halide_get_symbol_t function);
halide_load_library_t halide_set_custom_load_library(halide_load_library_t function);
halide_get_library_symbol_t halide_set_custom_get_library_symbol(halide_get_library_symbol_t function);

/* ---- the cache of memoize() --------------------------------------------------------------------------------------- */

/* See fluorite/runtime_memoization.h. */
void halide_memoization_cache_set_size(int64_t bytes);
void halide_memoization_cache_evict(void *context, uint64_t eviction_key);
void halide_memoization_cache_cleanup(void);

/* ---- devices ------------------------------------------------------------------------------------------------------ */

/* Each has the contract of the function of fluorite/runtime_device.h that has its name. */
int halide_device_malloc(void *context, halide_buffer_t *buffer, const halide_device_interface_t *device);
int halide_device_free(void *context, halide_buffer_t *buffer);
/* The same in the form of a destructor; of a null buffer it does nothing. */
void halide_device_free_as_destructor(void *context, void *buffer);
int halide_copy_to_host(void *context, halide_buffer_t *buffer);
int halide_copy_to_device(void *context, halide_buffer_t *buffer, const halide_device_interface_t *device);
int halide_device_sync(void *context, halide_buffer_t *buffer);
int halide_device_sync_global(void *context, const halide_device_interface_t *device);
void halide_device_release(void *context, const halide_device_interface_t *device);
int halide_device_and_host_malloc(void *context, halide_buffer_t *buffer, const halide_device_interface_t *device);
int halide_device_and_host_free(void *context, halide_buffer_t *buffer);
int halide_buffer_copy(void *context, halide_buffer_t *source, const halide_device_interface_t *device,
                       halide_buffer_t *target);
int halide_device_crop(void *context, const halide_buffer_t *source, halide_buffer_t *target);
int halide_device_slice(void *context, const halide_buffer_t *source, int dimension, int position,
                        halide_buffer_t *target);
int halide_device_release_crop(void *context, halide_buffer_t *buffer);
int halide_device_wrap_native(void *context, halide_buffer_t *buffer, uint64_t handle,
                              const halide_device_interface_t *device);
int halide_device_detach_native(void *context, halide_buffer_t *buffer);
void halide_set_gpu_device(int index);
int halide_get_gpu_device(void *context);

/* Whether memory of devices that is freed is kept for the next request. */
int halide_reuse_device_allocations(void *context, bool on);
bool halide_can_reuse_device_allocations(void *context);
/* `pool->release_unused` is called when halide_reuse_device_allocations() turns keeping off. The pool lives as long as
 * the process. */
struct halide_device_allocation_pool {
    int (*release_unused)(void *context);
    struct halide_device_allocation_pool *next;
};
void halide_register_device_allocation_pool(struct halide_device_allocation_pool *pool);

/* ---- others ------------------------------------------------------------------------------------------------------- */

/* Halves, from their bits. */
float halide_float16_bits_to_float(uint16_t bits);
double halide_float16_bits_to_double(uint16_t bits);

/* The program defines it, if it links the registrations of compiled functions, each of which calls it before main(). */
void halide_register_argv_and_metadata(int (*call)(void **arguments), const halide_filter_metadata_t *metadata,
                                       const char *const *pairs);

#ifdef __cplusplus
} /* extern "C" */
#endif
