// Text building, printing, trace lines and the symbol table.

#include "fluorite/float16.h"
#include "fluorite/runtime_abi.h"
#include "runtime/environment.h"
#include "runtime/text.h"
#include "runtime/thread_count.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace text_test {

namespace {

std::string printed;
void capture(void *, const char *text) { printed += text; }

TEST(Text, AppendsNumbersAndCutsAtTheEnd) {
    char text[256];
    char *end = text + sizeof(text);
    char *at = fluorite_append_text(text, end, "i ");
    at = fluorite_append_int64(at, end, INT64_MIN);
    at = fluorite_append_text(at, end, " u ");
    at = fluorite_append_uint64(at, end, UINT64_MAX);
    at = fluorite_append_text(at, end, " f ");
    at = fluorite_append_float(at, end, 0.1F);
    at = fluorite_append_text(at, end, " d ");
    at = fluorite_append_double(at, end, 1.0);
    at = fluorite_append_text(at, end, " ");
    at = fluorite_append_double(at, end, -std::numeric_limits<double>::infinity());
    at = fluorite_append_text(at, end, " ");
    at = fluorite_append_double(at, end, -std::nan(""));
    at = fluorite_append_text(at, end, " b ");
    at = fluorite_append_bool(at, end, 1);
    at = fluorite_append_text(at, end, " ");
    at = fluorite_append_bool(at, end, 0);
    at = fluorite_append_text(at, end, " p ");
    at = fluorite_append_pointer(at, end, reinterpret_cast<void *>(0xABC0));
    EXPECT_STREQ(
        text,
        "i -9223372036854775808 u 18446744073709551615 f 0.100000 d 1.000000e+00 -inf -nan b true false p 0xabc0");
    EXPECT_EQ(*at, 0);

    char small[6];
    at = fluorite_append_text(small, small + sizeof(small), "abc");
    at = fluorite_append_int64(at, small + sizeof(small), 12345);
    EXPECT_STREQ(small, "abc12");
    EXPECT_EQ(fluorite_append_text(at, small + sizeof(small), "x"), at);
    EXPECT_STREQ(small, "abc12");
}

std::string line(fluorite_trace_event_t event) {
    char text[200];
    const size_t length = fluorite_format_trace_event(&event, text, sizeof(text));
    EXPECT_EQ(length, std::strlen(text));
    return text;
}

TEST(Trace, Lines) {
    int32_t at[] = {3, -2};
    int32_t value = 17;
    const fluorite_type_t int32_type(fluorite_type_int, 32);
    EXPECT_EQ(line({"f", &value, at, nullptr, int32_type, fluorite_trace_store, 1, 0, 2}), "Store f.0(3, -2) = 17");
    int32_t lanes_at[] = {0, 1, 5, 5};
    fluorite::float16_t halves[] = {fluorite::float16_t(0.5), fluorite::float16_t(2)};
    EXPECT_EQ(line({"f", halves, lanes_at, nullptr, {fluorite_type_float, 16, 2}, fluorite_trace_load, 1, 1, 4}),
              "Load f.1(<0, 1>, <5, 5>) = <0.5, 2.0>");
    int32_t box[] = {0, 8, -1, 4};
    EXPECT_EQ(line({"g", nullptr, box, nullptr, int32_type, fluorite_trace_begin_realization, 1, 0, 4}),
              "Begin realization g.0(0, 8, -1, 4)");
    EXPECT_EQ(line({"p", nullptr, nullptr, nullptr, {}, fluorite_trace_end_pipeline, 1, 0, 0}), "End pipeline p.0()");
    EXPECT_EQ(line({"p", nullptr, nullptr, "hi", {}, fluorite_trace_tag, 1, 0, 0}), "Tag p.0() tag = \"hi\"");
    const bool truth = true;
    EXPECT_EQ(
        line({"f", const_cast<bool *>(&truth), at, nullptr, {fluorite_type_uint, 1}, fluorite_trace_store, 1, 0, 1}),
        "Store f.0(3) = true");
}

TEST(Trace, DefaultPrintsOneLineAndCountsIds) {
    printed.clear();
    const auto previous = fluorite_set_custom_print(capture);
    const fluorite_trace_event_t event{"p", nullptr, nullptr, nullptr, {}, fluorite_trace_begin_pipeline, 0, 0, 0};
    const int32_t first = fluorite_trace(nullptr, &event);
    EXPECT_GT(first, 0);
    EXPECT_EQ(fluorite_trace(nullptr, &event), first + 1);
    fluorite_set_custom_print(previous);
    EXPECT_EQ(printed, "Begin pipeline p.0()\nBegin pipeline p.0()\n");
}

TEST(Trace, CustomHook) {
    fluorite_set_custom_trace([](void *, const fluorite_trace_event_t *event) { return event->parent_id + 100; });
    const fluorite_trace_event_t event{"p", nullptr, nullptr, nullptr, {}, fluorite_trace_produce, 7, 0, 0};
    EXPECT_EQ(fluorite_trace(nullptr, &event), 107);
    fluorite_set_custom_trace(nullptr);
}

TEST(Symbols, NameEveryFunctionOnce) {
    size_t count = 0;
    const fluorite_symbol_t *symbols = fluorite_runtime_symbols(&count);
    ASSERT_GT(count, 50U);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        EXPECT_NE(symbols[i].address, nullptr);
        EXPECT_EQ(std::strncmp(symbols[i].name, "fluorite_", 9), 0);
        found |= std::string(symbols[i].name) == "fluorite_do_par_for" &&
                 symbols[i].address == reinterpret_cast<void *>(fluorite_do_par_for);
    }
    EXPECT_TRUE(found);
}

TEST(ThreadCount, Parses) {
    EXPECT_EQ(fluorite_runtime::parse_thread_count("1"), 1);
    EXPECT_EQ(fluorite_runtime::parse_thread_count("256"), 256);
    for (const char *bad : {"", "0", "257", "-1", "2x", " 2", "99999999999999999999", "two"}) {
        EXPECT_EQ(fluorite_runtime::parse_thread_count(bad), 0) << bad;
    }
}

TEST(ThreadCount, SaysWhatIsWrongWithTheVariable) {
    setenv("FLUORITE_NUM_THREADS", "3", 1);
    EXPECT_EQ(fluorite_runtime::default_thread_count(), 3);
    unsetenv("FLUORITE_NUM_THREADS");
    setenv("HL_NUM_THREADS", "5", 1);
    EXPECT_EQ(fluorite_runtime::default_thread_count(), 5);
    setenv("FLUORITE_NUM_THREADS", "many", 1);
    EXPECT_EQ(fluorite_runtime::default_thread_count(), 0);
    EXPECT_EQ(
        fluorite_runtime::bad_thread_count(),
        "in FLUORITE_NUM_THREADS: its value is 'many'; a number of threads is a whole number from 1 to 256; set it "
        "to one, or unset it for the number of cores [bad-thread-count]");
    unsetenv("FLUORITE_NUM_THREADS");
    EXPECT_EQ(fluorite_runtime::bad_thread_count(), "");
    setenv("HL_NUMTHREADS", "7", 1);
    EXPECT_EQ(fluorite_runtime::default_thread_count(), 5) << "the newer spelling takes precedence";
    unsetenv("HL_NUM_THREADS");
    EXPECT_EQ(fluorite_runtime::default_thread_count(), 7);
    setenv("HL_NUMTHREADS", "0", 1);
    EXPECT_EQ(
        fluorite_runtime::bad_thread_count(),
        "in HL_NUMTHREADS: its value is '0'; a number of threads is a whole number from 1 to 256; set it to one, or "
        "unset it for the number of cores [bad-thread-count]");
    unsetenv("HL_NUMTHREADS");
    EXPECT_GE(fluorite_runtime::default_thread_count(), 1);
}

TEST(Printing, WhatTheLibrarySaysGoesToTheErrorStream) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    fluorite_print(nullptr, "of the program\n");
    fluorite_runtime::print_message(nullptr, "of the library\n");
    fluorite_print(nullptr, "again\n");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "of the program\nagain\n");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "of the library\n");
}

TEST(Environment, NamesVariablesThatNothingReads) {
    const char *const set[] = {"FLUORITE_NUM_THREADS=2", "FLUORITE_NUM_THREAD=2", "PATH=/bin",
                               "HL_TARGET=host",         "FLUORITE_SOURCE_DIR=",  "FLUORITE_ELSEWHERE=/opt=here",
                               "HL_DEBUG_CODEGEN=1",     "HL_JIT_TARGT=host",     nullptr};
    EXPECT_EQ(
        fluorite_runtime::unknown_variables(set),
        "note: the environment sets FLUORITE_NUM_THREAD, which nothing reads; did you mean "
        "FLUORITE_NUM_THREADS?\n"
        "note: the environment sets FLUORITE_ELSEWHERE, which nothing reads; docs/environment.md lists the variables "
        "that are read\n"
        "note: the environment sets HL_DEBUG_CODEGEN, which nothing reads; FLUORITE_WRITE_PIPELINES and fluorite_opt "
        "show what passes do\n"
        "note: the environment sets HL_JIT_TARGT, which nothing reads; did you mean HL_JIT_TARGET?\n");
    const char *const right[] = {"FLUORITE_TARGET=host", "FLUORITE=1", nullptr};
    EXPECT_EQ(fluorite_runtime::unknown_variables(right), "");
    EXPECT_EQ(fluorite_runtime::unknown_variables(nullptr), "");
}

} // namespace

} // namespace text_test
