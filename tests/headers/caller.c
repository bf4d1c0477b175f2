/* A caller of a filter, in C99 or C++11: the structs have tags, which a generated header declares before
 * HalideRuntime.h is included; enumerators are constants. */
#ifdef __cplusplus
extern "C" {
#endif
struct halide_buffer_t;
struct halide_filter_metadata_t;
int brighten(struct halide_buffer_t *input, struct halide_buffer_t *output);
const struct halide_filter_metadata_t *brighten_metadata(void);
#ifdef __cplusplus
}
#endif

#include "HalideRuntime.h"

static enum halide_trace_event_code_t event = (enum halide_trace_event_code_t)halide_trace_store;
static enum halide_error_code_t code = (enum halide_error_code_t)halide_error_code_success;
static enum halide_type_code_t of_type = (enum halide_type_code_t)halide_type_float;
static enum halide_argument_kind_t kind = (enum halide_argument_kind_t)halide_argument_kind_input_scalar;
static struct halide_scalar_value_t scalar;

static void print_nothing(void *context, const char *text) {
    (void)context;
    (void)text;
}

int main(void) {
    uint8_t pixels[12] = {1};
    struct halide_dimension_t shape[2] = {{0, 4, 1, 0}, {0, 3, 4, 0}};
    struct halide_buffer_t input;
    halide_buffer_t output;
    const struct halide_filter_metadata_t *metadata = brighten_metadata();
    const halide_filter_argument_t *argument = metadata->arguments;
    const struct halide_device_interface_t *device = NULL;
    input.device = 0;
    input.device_interface = device;
    input.host = pixels;
    input.flags = halide_buffer_flag_host_dirty;
    input.type.code = halide_type_uint;
    input.type.bits = 8;
    input.type.lanes = 1;
    input.dimensions = 2;
    input.dim = shape;
    output = input;
    halide_set_custom_print(print_nothing);
    scalar.u.i32 = (int)event + (int)code + (int)of_type + (int)kind;
    if (argument->scalar_def != NULL && argument->scalar_def->u.i32 == scalar.u.i32) {
        return 1;
    }
    halide_set_num_threads(2);
    switch ((int)argument->kind) {
    case halide_argument_kind_input_buffer:
    case halide_argument_kind_output_buffer:
        return brighten(&input, &output) == halide_error_code_success ? 0 : 1;
    default:
        halide_error(NULL, argument->type.code == halide_type_handle ? "a handle" : "a scalar");
        return 1;
    }
}
