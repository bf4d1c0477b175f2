// What is wrong with a buffer that a pipeline is given.
//
// What: one order of checks and one text for each fault. Compiled code has the checks inline, where they are simplified
// with what is known of the buffer, and calls fluorite_error_bad_type and its neighbours, which take their texts from
// here; whoever runs a pipeline otherwise (ranks, the interpreter, code from certificates) calls find_buffer_fault.
// It does not check regions, strides or promises, which differ between pipelines.
//
// Cost: some comparisons for each dimension; texts only where something is wrong.

#include "fluorite/runtime/buffer_form.h"

#include "runtime/text.h"

namespace fluorite_runtime {

std::string BufferFault::text(const std::string &name) const {
    return "in " + name + part + ": " + seen + "; " + rule + "; " + fix;
}

BufferFault buffer_is_null(const char *part) {
    return {fluorite_error_code_buffer_argument_is_null,
            "buffer-is-null",
            "the buffer argument is null",
            "every buffer argument must point at a buffer",
            "pass a buffer, or one without host memory to ask for its bounds",
            part};
}

BufferFault wrong_buffer_type(fluorite_type_t given, fluorite_type_t expected) {
    const std::string seen = to_text(given), wanted = to_text(expected);
    return {fluorite_error_code_bad_type, "wrong-buffer-type", "the buffer has elements of type " + seen,
            "the pipeline was compiled for " + wanted,
            "pass a buffer of " + wanted + ", or compile the pipeline for " + seen};
}

BufferFault wrong_buffer_rank(int32_t given, int32_t expected) {
    const std::string seen = to_text(int64_t{given}), wanted = to_text(int64_t{expected});
    return {fluorite_error_code_bad_dimensions, "wrong-buffer-rank",
            "the buffer has " + seen + " dimension" + (given == 1 ? "" : "s"),
            "the pipeline was compiled for " + wanted,
            "slice or embed the buffer to " + wanted + (expected == 1 ? " dimension" : " dimensions")};
}

BufferFault negative_extent(int32_t dim, int32_t extent) {
    return {fluorite_error_code_buffer_extents_negative, "negative-extent",
            "the extent of dimension " + to_text(int64_t{dim}) + " is " + to_text(int64_t{extent}),
            "an extent is 0 or more", "pass a buffer with a size of 0 or more"};
}

BufferFault newest_copy_on_device() {
    return {fluorite_error_code_device_dirty_with_no_device_support, "device-dirty",
            "the newest copy of the buffer is in device memory", "a pipeline compiled without a device cannot reach it",
            "call copy_to_host() on the buffer first"};
}

BufferFault no_host_memory() {
    return {fluorite_error_code_host_is_null, "host-is-null", "the buffer has no host memory",
            "code that runs on the host reads and writes host memory", "allocate the buffer before the call"};
}

std::optional<BufferFault> find_buffer_fault(const fluorite_buffer_t *buffer, fluorite_type_t type, int32_t dimensions,
                                             HostMemory memory) {
    if (buffer == nullptr) {
        return buffer_is_null();
    }
    if (!(buffer->type == type)) {
        return wrong_buffer_type(buffer->type, type);
    }
    if (buffer->dimensions != dimensions) {
        return wrong_buffer_rank(buffer->dimensions, dimensions);
    }
    if (dimensions > 0 && buffer->dim == nullptr) {
        return buffer_is_null(".dim");
    }
    for (int32_t d = 0; d < dimensions; d++) {
        if (buffer->dim[d].extent < 0) {
            return negative_extent(d, buffer->dim[d].extent);
        }
    }
    if (buffer->device_dirty()) {
        return newest_copy_on_device();
    }
    if (memory == HostMemory::Needed && buffer->host == nullptr && !buffer->is_empty()) {
        return no_host_memory();
    }
    return std::nullopt;
}

} // namespace fluorite_runtime
