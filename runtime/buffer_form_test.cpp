// The order in which a buffer is checked; error_messages_test.cpp has the texts.
#include "fluorite/runtime/buffer_form.h"

#include <gtest/gtest.h>

namespace fluorite_runtime::buffer_form_test {
namespace {

constexpr fluorite_type_t bytes{fluorite_type_uint, 8}, floats{fluorite_type_float, 32};

std::string fault_of(const fluorite_buffer_t *buffer, HostMemory memory = HostMemory::Needed) {
    const std::optional<BufferFault> fault = find_buffer_fault(buffer, bytes, 2, memory);
    return fault ? fault->slug + (" " + fault->text("in")) : "";
}

TEST(BufferForm, TheFirstFaultIsReported) {
    uint8_t element = 0;
    fluorite_dimension_t dims[] = {{0, 1, 1}, {0, 1, 1}};
    fluorite_buffer_t buffer{};
    EXPECT_EQ(fault_of(nullptr), "buffer-is-null in in: the buffer argument is null; every buffer argument must point "
                                 "at a buffer; pass a buffer, or one without host memory to ask for its bounds");
    buffer.type = floats;
    buffer.dimensions = 1;
    EXPECT_EQ(fault_of(&buffer), "wrong-buffer-type in in: the buffer has elements of type float32; the pipeline was "
                                 "compiled for uint8; pass a buffer of uint8, or compile the pipeline for float32");
    buffer.type = bytes;
    EXPECT_EQ(fault_of(&buffer), "wrong-buffer-rank in in: the buffer has 1 dimension; the pipeline was compiled for "
                                 "2; slice or embed the buffer to 2 dimensions");
    buffer.dimensions = 2;
    EXPECT_EQ(fault_of(&buffer).substr(0, 25), "buffer-is-null in in.dim:");
    buffer.dim = dims;
    dims[1].extent = -1;
    buffer.set_device_dirty();
    EXPECT_EQ(fault_of(&buffer), "negative-extent in in: the extent of dimension 1 is -1; an extent is 0 or more; pass "
                                 "a buffer with a size of 0 or more");
    dims[1].extent = 1;
    EXPECT_EQ(fault_of(&buffer).substr(0, 12), "device-dirty");
    buffer.set_device_dirty(false);
    EXPECT_EQ(fault_of(&buffer), "host-is-null in in: the buffer has no host memory; code that runs on the host reads "
                                 "and writes host memory; allocate the buffer before the call");
    EXPECT_EQ(fault_of(&buffer, HostMemory::Optional), "") << "a question for its bounds";
    dims[0].extent = 0;
    EXPECT_EQ(fault_of(&buffer), "") << "a buffer without elements needs no memory";
    dims[0].extent = 1;
    buffer.host = &element;
    EXPECT_EQ(fault_of(&buffer), "");
}

} // namespace
} // namespace fluorite_runtime::buffer_form_test
