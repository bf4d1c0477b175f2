#pragma once
/* The C interface of the checks with which compiled code validates its arguments and, in checked code, its accesses.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checks whether the regions and coordinates that follow from the arguments fit 32 bits. Returns 0, or the code of the
 * error that it reports. `program` has the form that runtime/ranges.h describes. */
int fluorite_check_ranges(void *context, const char *program, const double *arguments, int32_t count);
/* Checks that no output shares memory with another argument. Returns 0, or the code of the error that it reports, of the
 * first pair in the order of the buffers: an input, or an output, with each output after it. `buffers` are the inputs,
 * then the outputs. `names` consists of lines: the number of inputs; that of outputs; the name of each output; and for
 * each input its name, why no output may share its memory, and how many outputs are exceptions, each with three lines:
 * its number, 1 if elements at equal coordinates may share memory, otherwise 0, and why nothing else may. */
int fluorite_check_sharing(void *context, const char *names, void **buffers);
/* The context itself, for code that passes it on to functions of the program. */
void *fluorite_user_context(void *context);
/* Writes the indices of the first and the last element of a buffer, relative to its host pointer. The last precedes the
 * first if the buffer is empty. */
void fluorite_element_range(const fluorite_buffer_t *buffer, int64_t *range);
/* Whether two elements of a buffer share memory, as far as pairs of its dimensions reveal it: 1 or 0. */
int fluorite_buffer_overlaps_itself(const fluorite_buffer_t *buffer);
/* In checked code: an access to element `index` of a buffer whose elements are `first` to `last`. */
int fluorite_error_bad_access(void *context, const char *buffer, int64_t index, int64_t first, int64_t last);
/* Writes the elements of a buffer of the host to a file, in the form that the end of the path says (Func::debug_to_file).
 * Calls halide_debug_to_file, which a program may define. Returns 0, or the code of the error that it reports. */
int fluorite_debug_to_file(void *context, const char *path, const fluorite_buffer_t *buffer);
/* Prints, once in a process, each variable of the environment that begins with FLUORITE_ or HL_ and that nothing
 * reads. */
void fluorite_mention_unknown_variables(void *context);
/* The same through another function; whichever is called first in a process tells. */
void fluorite_tell_unknown_variables(void *context, fluorite_print_t tell);

#ifdef __cplusplus
} /* extern "C" */
#endif
