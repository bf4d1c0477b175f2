#include "ranks/compiled/segment_call.h"

#include "support/test_errors.h"

namespace fluorite::distribute::segment_call_test {
namespace {

// Memory of an inner array may have more elements than 32-bit strides reach; a segment would read elsewhere.
TEST(SegmentCall, StridesBeyond32BitsAreRefused) {
    const fluorite_type_t type(fluorite_type_uint, 8);
    ProgramDescription program;
    program.arrays = {{"wide", Array::Role::Inner, type, 3, {}, {}, 0, false, false},
                      {"out", Array::Role::Output, type, 3, {}, {}, 1, false, false}};
    program.segments = {{"out", {0}, {1}, {{DescribedOperand::Kind::Array, 0}, {DescribedOperand::Kind::Array, 1}}}};
    int calls = 0;
    const SegmentFunction function = [&](const std::vector<void *> &args, bool is_query, void *) {
        calls++;
        const fluorite_dimension_t *out = static_cast<fluorite_buffer_t *>(args[1])->dim;
        EXPECT_EQ(out[2].stride, is_query ? INT32_MAX : 7);
        return 0;
    };
    const auto slot = std::make_shared<CallSlot>();
    const SegmentCall segment(program, 0, function, {false, false}, slot);
    const CallValues values;
    const CallScope scope(*slot, values);
    const Box box = {{0, 1 << 17}, {0, 1 << 15}, {0, 2}};
    (void)segment.boxes({box});
    char element = 0;
    const ArrayView out{box, &element, {1, 2, 7}, 1};
    segment.compute({{box, &element, {1, 1 << 17, INT32_MAX}, 1}}, {out});
    const int before = calls;
    expect_error<RuntimeError>(
        [&] { segment.compute({{box, &element, {1, 1 << 17, int64_t{1} << 32}, 1}}, {out}); }, "buffer-too-large",
        "in wide: this rank's memory of [0, 131072) x [0, 32768) x [0, 2) has a stride of 4294967296 elements along "
        "dimension 2; strides are 32-bit; use more ranks, or cut other dimensions");
    EXPECT_EQ(calls, before);
}

} // namespace
} // namespace fluorite::distribute::segment_call_test
