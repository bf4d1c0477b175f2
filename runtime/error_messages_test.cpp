// The exact text and code of every structured error.

#include "fluorite/runtime/iterate.h"
#include "fluorite/runtime_abi.h"

#include <gtest/gtest.h>

namespace error_messages_test {

namespace {

constexpr uint32_t uint8_type = fluorite_type_t(fluorite_type_uint, 8).as_u32();
constexpr uint32_t float_type = fluorite_type_t(fluorite_type_float, 32).as_u32();
constexpr uint32_t bool_vector = fluorite_type_t(fluorite_type_uint, 1, 8).as_u32();
constexpr uint32_t no_type = 0x00010809; // of 8 bits, with a code that no type has

void expect(int code, int expected_code, const char *text) {
    EXPECT_EQ(code, expected_code);
    EXPECT_STREQ(fluorite_last_error_message(), text);
    EXPECT_EQ(fluorite_last_error_code(), expected_code);
    fluorite_clear_error();
}

TEST(ErrorMessages, Buffers) {
    expect(fluorite_error_buffer_argument_is_null(nullptr, "input"), -12,
           "in input: the buffer argument is null; every buffer argument must point at a buffer; pass a buffer, or one "
           "without host memory to ask for its bounds [buffer-is-null]");
    expect(fluorite_error_host_is_null(nullptr, "input"), -34,
           "in input: the buffer has no host memory; code that runs on the host reads and writes host memory; allocate "
           "the buffer before the call [host-is-null]");
    expect(fluorite_error_buffers_overlap(nullptr, "out", "input", "out reads input elsewhere"), -51,
           "in out: it shares memory with input; out reads input elsewhere; give it memory of its own, as in "
           "buffer.copy() "
           "[buffers-overlap]");
    expect(fluorite_error_bad_type(nullptr, "input", uint8_type, float_type), -3,
           "in input: the buffer has elements of type uint8; the pipeline was compiled for float32; pass a buffer of "
           "float32, or compile the pipeline for uint8 [wrong-buffer-type]");
    expect(fluorite_error_bad_type(nullptr, "input", bool_vector, float_type), -3,
           "in input: the buffer has elements of type boolx8; the pipeline was compiled for float32; pass a buffer of "
           "float32, or compile the pipeline for boolx8 [wrong-buffer-type]");
    expect(fluorite_error_bad_type(nullptr, "input", no_type, float_type), -3,
           "in input: the buffer has elements of type type of code 9; the pipeline was compiled for float32; pass a "
           "buffer of float32, or compile the pipeline for type of code 9 [wrong-buffer-type]");
    expect(fluorite_error_bad_dimensions(nullptr, "input", 3, 2), -43,
           "in input: the buffer has 3 dimensions; the pipeline was compiled for 2; slice or embed the buffer to 2 "
           "dimensions [wrong-buffer-rank]");
    expect(fluorite_error_buffer_extents_negative(nullptr, "out", 1, -4), -28,
           "in out: the extent of dimension 1 is -4; an extent is 0 or more; pass a buffer with a size of 0 or more "
           "[negative-extent]");
    expect(fluorite_error_buffer_extents_too_large(nullptr, "out", 5000000000, 2147483647), -6,
           "in out: its extents multiply to 5000000000 elements; at most 2147483647 elements can be addressed; use a "
           "smaller buffer or smaller tiles [buffer-too-large]");
    expect(fluorite_error_buffer_allocation_too_large(nullptr, "f", 18446744073709551615U, 1000), -5,
           "in f: its storage takes 18446744073709551615 bytes; at most 1000 bytes can be addressed; use a smaller "
           "buffer or smaller tiles [allocation-too-large]");
    expect(fluorite_error_unaligned_host_ptr(nullptr, "input", 64), -24,
           "in input: its host pointer is not a multiple of 64 bytes; the pipeline was compiled for that alignment; "
           "allocate the buffer with it, or remove set_host_alignment() [unaligned-host]");
    expect(fluorite_error_device_dirty_with_no_device_support(nullptr, "input"), -44,
           "in input: the newest copy of the buffer is in device memory; a pipeline compiled without a device cannot "
           "reach it; call copy_to_host() on the buffer first [device-dirty]");
}

TEST(ErrorMessages, Bounds) {
    expect(fluorite_error_access_out_of_bounds(nullptr, "input", "blur_x", 0, "x", -1, 640, 0, 639), -4,
           "in blur_x: it reads input over [-1, 640] along dimension 0 (x), but input holds [0, 639] there; an input "
           "must hold every coordinate that is read; pass a larger input, realize a smaller output, or give input a "
           "boundary condition [input-too-small]");
    expect(
        fluorite_error_access_out_of_bounds(nullptr, "out", nullptr, 1, nullptr, 0, 15, 0, -1), -4,
        "in out: the pipeline writes out over [0, 15] along dimension 1, but out holds nothing there; an output must "
        "hold every coordinate that is written; pass a larger output, or a schedule that does not round its extent "
        "up [output-too-small]");
    expect(
        fluorite_error_iterate_outside_domain(nullptr, "field 1", "next", 0, nullptr, -1, 98, 0, 99), -4,
        "in next: it reads field 1 over [-1, 98] along dimension 0, and the domain of the iteration is [0, 99] there; "
        "fields have values in the domain only; give it a boundary condition, enlarge the domain, or read less "
        "[iterate-outside-domain]");
    expect(fluorite_error_constraint_violated(nullptr, "input: its stride along dimension 0", 3, "1", 1), -8,
           "in input: its stride along dimension 0 is 3; the pipeline was compiled for 1; pass a buffer of that shape, "
           "or change the "
           "constraint before compiling [constraint-violated]");
    expect(fluorite_error_constraint_violated(nullptr, "input: its extent along dimension 0", 3, "out.extent.0", 7), -8,
           "in input: its extent along dimension 0 is 3; the pipeline was compiled for out.extent.0 = 7; pass a buffer "
           "of that shape, or "
           "change the constraint before compiling [constraint-violated]");
    expect(fluorite_error_constraints_make_required_region_smaller(nullptr, "input", 0, 0, 7, -1, 8), -7,
           "in input: the pipeline touches [-1, 8] along dimension 0, but the constraints on the buffer leave [0, 7]; "
           "constraints may only enlarge the region that is touched; relax the constraints [constraints-too-small]");
    expect(fluorite_error_explicit_bounds_too_small(nullptr, "f", "x", 0, 9, -1, 10), -2,
           "in f: bound() gives x the range [0, 9], but its consumers need [-1, 10]; an explicit bound must cover what "
           "is needed; widen the bound or remove it [bound-too-small]");
    expect(fluorite_error_bad_fold(nullptr, "f", "y", "yo"), -25,
           "in f: storage is folded along y, but the loop over yo does not move through it in one direction; folding "
           "needs accesses that increase or decrease monotonically; remove fold_storage(), or change the schedule of "
           "the consumer [bad-fold]");
    expect(fluorite_error_fold_factor_too_small(nullptr, "f", "y", 2, "y", 3), -26,
           "in f: storage is folded by 2 along y, but one step of the loop over y needs 3; a fold factor covers all "
           "values that are live at once; fold by 3 or more [fold-factor-too-small]");
    expect(
        fluorite_error_fold_factor_too_small(nullptr, "f", "y", 2, "", 30), -26,
        "in f: storage is folded by 2 along y, but all 30 values along it are live at once; a fold factor covers all "
        "values that are live at once; fold by 30 or more [fold-factor-too-small]");
    expect(
        fluorite_error_storage_bound_too_small(nullptr, "f", "x", 8, 10), -45,
        "in f: bound_storage() gives x 8 elements, but 10 are needed; a storage bound covers what is needed; give it "
        "10 or more [storage-bound-too-small]");
    expect(fluorite_error_extern_function_failed(nullptr, "curve", "no table"), -50,
           "in curve: the C function failed: no table; a C function in an expression gives a value for all arguments; "
           "repair it, or keep the arguments that it cannot take away from it [extern-failed]");
    EXPECT_EQ(fluorite_extern_function_status(), -50);
    EXPECT_EQ(fluorite_extern_function_status(), 0);
    expect(fluorite_error_split_factor_not_positive(nullptr, "f", "x", "p", -2), -46,
           "in f: x is split by p, which is -2; a split factor is 1 or more; pass parameters that make it so "
           "[split-factor-not-positive]");
    expect(fluorite_error_alignment_not_positive(nullptr, "f", "x", "p", 0), -49,
           "in f: x is aligned to p, which is 0; a modulus is 1 or more; pass parameters that make it so "
           "[align-not-positive]");
}

TEST(ErrorMessages, Parameters) {
    expect(fluorite_error_param_too_small_i64(nullptr, "p", -3, 0), -9,
           "in p: the parameter is -3; its range starts at 0; pass a value of 0 or more [param-too-small]");
    expect(fluorite_error_param_too_small_u64(nullptr, "p", 1, 2), -9,
           "in p: the parameter is 1; its range starts at 2; pass a value of 2 or more [param-too-small]");
    expect(fluorite_error_param_too_small_f64(nullptr, "p", 0.1, 1), -9,
           "in p: the parameter is 0.1; its range starts at 1.0; pass a value of 1.0 or more [param-too-small]");
    expect(fluorite_error_param_too_large_i64(nullptr, "p", 3, 2), -10,
           "in p: the parameter is 3; its range ends at 2; pass a value of 2 or less [param-too-large]");
    expect(fluorite_error_param_too_large_u64(nullptr, "p", 18446744073709551615U, 2), -10,
           "in p: the parameter is 18446744073709551615; its range ends at 2; pass a value of 2 or less "
           "[param-too-large]");
    expect(fluorite_error_param_too_large_f64(nullptr, "p", 1e300, -0.5), -10,
           "in p: the parameter is 1e+300; its range ends at -0.5; pass a value of -0.5 or less [param-too-large]");
}

TEST(ErrorMessages, Running) {
    expect(fluorite_error_out_of_memory(nullptr, "f", 1 << 20), -11,
           "in f: an allocation of 1048576 bytes failed; the storage of a Func must fit into memory; compute it in "
           "smaller tiles, or realize a smaller region [out-of-memory]");
    expect(fluorite_error_requirement_failed(nullptr, "p > 0", "p is 0"), -27,
           "in require(p > 0): p is 0; the condition must hold for every point that is computed; pass inputs and "
           "parameters that meet it [requirement-failed]");
    expect(fluorite_error_requirement_failed(nullptr, "p > 0", nullptr), -27,
           "in require(p > 0): the condition is false; the condition must hold for every point that is computed; pass "
           "inputs and parameters that meet it [requirement-failed]");
    expect(fluorite_error_specialize_fail(nullptr, "f", "wide images only"), -31,
           "in f: no specialization applies: wide images only; specialize_fail() refuses every case that no "
           "specialization takes; pass inputs that meet one of the specializations, or add one [specialize-fail]");
    expect(fluorite_error_extern_stage_failed(nullptr, "f", "my_filter", 7), 7,
           "in f: the extern function my_filter returned 7; an extern function returns 0 when it has succeeded; look "
           "for the cause in my_filter [extern-failed]");
    expect(fluorite_error_bounds_inference_call_failed(nullptr, "f", "my_filter", -1), -1,
           "in f: the extern function my_filter returned -1 when it was asked for its bounds; a bounds query returns 0 "
           "when it has succeeded; look for the cause in my_filter [extern-bounds-failed]");
    expect(fluorite_error_integer_overflow(nullptr, "f, stage 0", "x*1000000"), -22,
           "in f, stage 0: x*1000000 overflows; coordinates and bounds are computed without overflow; values are not, "
           "and wrap; "
           "use coordinates that grow less, or compute the value in unsigned integers [integer-overflow]");
    expect(fluorite_error_internal(nullptr, "text"), -22, "text");
    expect(fluorite_set_num_threads(-1), -1,
           "in fluorite_set_num_threads: the count is -1; a thread count is 0 (the default) or more; pass 0 or more "
           "[bad-thread-count]");
}

TEST(ErrorMessages, HandlerSeesContextCodeAndText) {
    struct Seen {
        int code = 0;
        std::string text;
    } seen;
    const auto previous = fluorite_set_error_handler(
        [](void *context, int code, const char *text) { *static_cast<Seen *>(context) = {code, text}; });
    EXPECT_EQ(fluorite_error(&seen, -5, "hello"), -5);
    EXPECT_NE(fluorite_set_error_handler(nullptr), previous);
    EXPECT_EQ(seen.code, -5);
    EXPECT_EQ(seen.text, "hello");
    EXPECT_EQ(fluorite_last_error_code(), 0);
}

} // namespace

} // namespace error_messages_test
