// Func::debug_to_file: every format, type and rank, at every place where a Func is stored; and tags of traces.

#include "fluorite/fluorite.h"
#include "fluorite/image_io.h"
#include "support/test_errors.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <vector>

namespace fluorite::debug_files_test {
namespace {

Var x("x"), y("y"), c("c");

std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <typename T> T value_at(const std::string &bytes, size_t at) {
    T value{};
    EXPECT_LE(at + sizeof(T), bytes.size());
    std::memcpy(&value, bytes.data() + at, std::min(sizeof(T), bytes.size() - std::min(at, bytes.size())));
    return value;
}

TEST(DebugFiles, RawFilesHaveFiveNumbersAndTheElements) {
    Func f("f"), out("out");
    f(x, y, c) = cast<uint16_t>(x + 10 * y + 100 * c);
    out(x, y) = f(x, y, 0) + f(x + 1, y + 1, 2);
    f.compute_root().debug_to_file("f.tmp");
    out.realize({4, 3});
    const std::string bytes = contents("f.tmp");
    ASSERT_EQ(bytes.size(), 20U + 5 * 4 * 3 * 2);
    const int expected[] = {5, 4, 3, 1, 4};
    for (size_t i = 0; i < 5; i++) {
        EXPECT_EQ(value_at<int32_t>(bytes, 4 * i), expected[i]);
    }
    EXPECT_EQ(value_at<uint16_t>(bytes, 20 + 2 * (3 + 5 * (2 + 4 * 1))), 3 + 20 + 100);
}

template <typename T> void check_type(const char *extension, int code) {
    Func f("f"), out("out");
    f(x, y) = cast<T>(x + 3 * y);
    out(x, y) = f(x, y);
    const std::string path = std::string("typed") + extension;
    f.compute_root().debug_to_file(path);
    out.realize({7, 5});
    if (code >= 0) {
        const std::string bytes = contents(path);
        EXPECT_EQ(bytes.size(), 20 + 35 * sizeof(T));
        EXPECT_EQ(value_at<int32_t>(bytes, 16), code);
        EXPECT_EQ(static_cast<double>(value_at<T>(bytes, 20 + 34 * sizeof(T))), 18.0);
        return;
    }
    const Buffer<T, 2> image = load_image(path);
    EXPECT_EQ(image.dim(0).extent(), 7);
    EXPECT_EQ(image.dim(1).extent(), 5);
    EXPECT_EQ(static_cast<double>(image(6, 4)), 18.0);
}

TEST(DebugFiles, EveryTypeHasItsCode) {
    check_type<float>(".tmp", 0);
    check_type<double>(".tmp", 1);
    check_type<uint8_t>(".tmp", 2);
    check_type<int8_t>(".tmp", 3);
    check_type<uint16_t>(".tmp", 4);
    check_type<int16_t>(".tmp", 5);
    check_type<uint32_t>(".tmp", 6);
    check_type<int32_t>(".tmp", 7);
    check_type<uint64_t>(".tmp", 8);
    check_type<int64_t>(".tmp", 9);
}

TEST(DebugFiles, ImageFilesAreReadBack) {
    for (const char *extension : {".npy", ".tif", ".TIFF"}) {
        check_type<float>(extension, -1);
        check_type<double>(extension, -1);
        check_type<uint8_t>(extension, -1);
        check_type<int8_t>(extension, -1);
        check_type<uint16_t>(extension, -1);
        check_type<int16_t>(extension, -1);
        check_type<uint32_t>(extension, -1);
        check_type<int32_t>(extension, -1);
        check_type<uint64_t>(extension, -1);
        check_type<int64_t>(extension, -1);
    }
    check_type<float16_t>(".npy", -1);
    check_type<bfloat16_t>(".npy", -1);
}

TEST(DebugFiles, ChannelsOfTiffFilesAreDimensionsAfterTheSecond) {
    Func out("out");
    out(x, y, c) = cast<uint8_t>(x + 10 * y + 50 * c);
    out.debug_to_file("channels.tif");
    out.realize({6, 5, 3});
    const Buffer<uint8_t, 3> image = load_image("channels.tif");
    EXPECT_EQ(image(5, 4, 2), 145);
    EXPECT_EQ(image(1, 2, 0), 21);
}

TEST(DebugFiles, MatFilesHoldAMatrix) {
    Func out("out");
    out(x, y) = cast<double>(x) + y * 0.5f;
    out.debug_to_file("a matrix.mat");
    out.realize({3, 4});
    const std::string bytes = contents("a matrix.mat");
    ASSERT_GE(bytes.size(), 128U + 8);
    EXPECT_EQ(bytes.substr(0, 19), "MATLAB 5.0 MAT-file");
    EXPECT_EQ(value_at<uint32_t>(bytes, 128), 14U); // a matrix
    EXPECT_EQ(value_at<uint32_t>(bytes, 132), bytes.size() - 136);
    EXPECT_EQ(value_at<uint32_t>(bytes, 144), 6U); // of doubles
    EXPECT_EQ(value_at<int32_t>(bytes, 160), 3);
    EXPECT_EQ(value_at<int32_t>(bytes, 164), 4);
    EXPECT_EQ(bytes.substr(176, 8), "a_matrix");
    EXPECT_EQ(value_at<double>(bytes, bytes.size() - 8), 2 + 3 * 0.5);
}

TEST(DebugFiles, EveryRank) {
    Func zero("zero"), five("five"), out("out");
    Var u("u"), v("v");
    zero() = 42;
    five(x, y, c, u, v) = x + 2 * y + 4 * c + 8 * u + 16 * v;
    out() = zero() + five(1, 1, 1, 1, 1) + five(0, 0, 0, 0, 0);
    zero.compute_root().debug_to_file("zero.tmp");
    five.compute_root().debug_to_file("five.tmp");
    out.realize({});
    const std::string scalar = contents("zero.tmp"), bytes = contents("five.tmp");
    EXPECT_EQ(scalar.size(), 24U);
    EXPECT_EQ(value_at<int32_t>(scalar, 20), 42);
    EXPECT_EQ(bytes.size(), 20U + 32 * 4);
    EXPECT_EQ(value_at<int32_t>(bytes, 12), 4);
    for (int32_t i = 0; i < 32; i++) {
        EXPECT_EQ(value_at<int32_t>(bytes, 20 + 4 * static_cast<size_t>(i)), i);
    }
}

TEST(DebugFiles, UpdatesTuplesAndStorageOrders) {
    Func f("f"), out("out");
    RDom r(0, 4, "r");
    f(x, y) = Tuple(x + y, cast<float>(x));
    f(x, y) = Tuple(f(x, y)[0] + r, f(x, y)[1] * 2);
    out(x, y) = f(x, y)[0] + cast<int>(f(x, y)[1]);
    f.compute_root().reorder_storage(y, x).align_storage(y, 8).debug_to_file("pair.npy");
    out.vectorize(x, 4).realize({8, 5});
    const Buffer<int, 2> first = load_image("pair.0.npy");
    const Buffer<float, 2> second = load_image("pair.1.npy");
    EXPECT_EQ(first(7, 4), 11 + 6);
    EXPECT_EQ(second(7, 4), 7 * 16.0f);
}

TEST(DebugFiles, WindowsThatSlideAreWrittenWhole) {
    for (const bool async : {false, true}) {
        Func f("f"), out("out");
        f(x, y) = x + 100 * y;
        out(x, y) = f(x, y) + f(x, y + 1) + f(x, y + 2);
        f.store_root().compute_at(out, y).debug_to_file("window.npy");
        if (async) {
            f.async();
        }
        out.realize({3, 10});
        const Buffer<int, 2> image = load_image("window.npy");
        ASSERT_EQ(image.dim(1).extent(), 12);
        EXPECT_EQ(image(2, 0), 2);
        EXPECT_EQ(image(1, 11), 1101);
    }
}

TEST(DebugFiles, TheLastOfSeveralProductionsIsInTheFile) {
    Func f("f"), out("out");
    f(x, y) = x + 100 * y;
    out(x, y) = f(x, y) + f(x + 1, y);
    f.compute_at(out, y).debug_to_file("last.tmp");
    out.realize({4, 6});
    const std::string bytes = contents("last.tmp");
    ASSERT_EQ(bytes.size(), 20U + 5 * 4);
    EXPECT_EQ(value_at<int32_t>(bytes, 20), 500);
}

TEST(DebugFiles, ParallelProductionsWriteWholeFiles) {
    Func f("f"), out("out");
    f(x, y) = y;
    out(x, y) = f(x, y) + f(x + 1, y);
    f.compute_at(out, y).debug_to_file("parallel.tmp");
    out.parallel(y).realize({100, 20});
    const std::string bytes = contents("parallel.tmp");
    ASSERT_EQ(bytes.size(), 20U + 101 * 4);
    EXPECT_EQ(value_at<int32_t>(bytes, 20), value_at<int32_t>(bytes, 20 + 4 * 100));
}

TEST(DebugFiles, OutputsAreWrittenAtTheEnd) {
    Func first("first"), second("second");
    first(x) = x;
    second(x) = first(x) * 2;
    first.debug_to_file("first.npy");
    second.debug_to_file("second.npy");
    Buffer<int> a(9), b(9);
    a.set_min(2);
    b.set_min(2);
    Pipeline({first, second}).realize({a, b});
    const Buffer<int, 1> one = load_image("first.npy"), two = load_image("second.npy");
    EXPECT_EQ(one(8), 10);
    EXPECT_EQ(two(8), 20);
}

// ---- Errors.

TEST(DebugFiles, WhatCannotBeWrittenIsAnError) {
    Func f("f");
    f(x) = cast<float16_t>(x);
    f.debug_to_file("half.mat");
    expect_error<RuntimeError>([&] { f.realize({4}); }, "debug-file",
                               "in debug_to_file: 'half.mat' cannot hold float16; each format has its types and sizes, "
                               ".npy all but handles; name another file");
    f.debug_to_file("no/such/folder/f.npy");
    expect_error<RuntimeError>([&] { f.realize({4}); }, "debug-file",
                               "in debug_to_file: 'no/such/folder/f.npy' cannot be written; it is a new file in a "
                               "folder that exists, on a disk with space; name another file");
    f.debug_to_file("");
    f.realize({4});
}

TEST(DebugFiles, WhatIsNotStoredIsRefused) {
    Func f("f"), out("out");
    f(x) = x;
    out(x) = f(x) + f(x + 1);
    f.debug_to_file("f.npy");
    expect_error([&] { out.realize({4}); }, "debug-file",
                 "in f: debug_to_file is called, but it is computed inline and stores nothing; a file has what is "
                 "stored of a Func; call compute_root() or compute_at() on it");
    f.store_root().compute_at(out, x).fold_storage(x, 2);
    expect_error([&] { out.realize({4}); }, "debug-file",
                 "in f: fold_storage of x, but debug_to_file writes what is stored; a circular buffer keeps only the "
                 "newest values; take one of both away");
}

TEST(DebugFiles, VectorsWriteNoFiles) {
    Func f("f"), out("out");
    f(x) = x;
    out(x) = f(x) + f(x + 1);
    f.compute_at(out, x).debug_to_file("f.npy");
    out.bound(x, 0, 8).vectorize(x);
    expect_error([&] { out.realize({8}); }, "debug-file",
                 "in f: debug_to_file writes what is stored inside of loop x, whose iterations are lanes or threads "
                 "of a device; a file is written by one thread of the host; store it further out");
}

TEST(DebugFiles, RanksWriteNoFiles) {
    Func f("f"), out("out");
    f(x) = x;
    out(x) = f(x) + f(x + 1);
    f.compute_root().distribute(x);
    f.debug_to_file("f.npy");
    out.distribute(x);
    expect_error([&] { out.compile_to_object("out.o", {}, "out"); }, "debug-file",
                 "in f: debug_to_file is called, and the pipeline is distributed; each rank stores a part, and all "
                 "would write the same file; run the pipeline on one rank, or make the Func an output");
}

// ---- Tags.

std::vector<std::string> &tags() {
    static std::vector<std::string> seen;
    return seen;
}
int32_t keep_tag(JITUserContext *, const fluorite_trace_event_t *event) {
    if (event->event == fluorite_trace_tag || event->event == fluorite_trace_begin_pipeline) {
        tags().push_back(std::string(event->func) + ":" + event->trace_tag);
    }
    return 1;
}

std::vector<std::string> tags_of(Func out) {
    tags().clear();
    JITUserContext context;
    context.handlers.custom_trace = keep_tag;
    Buffer<int> values(4); // no sizes, for which a query comes first, in which the pipeline begins, too
    out.realize(&context, values);
    return tags();
}

TEST(TraceTags, ComeAtTheBeginForWhatIsTraced) {
    Buffer<int> image(8);
    image.fill(1);
    ImageParam in(Int(32), 1, "in");
    in.set(image);
    in.add_trace_tag("of an input");
    Func inlined("inlined"), f("f"), out("out");
    inlined(x) = x;
    f(x) = inlined(x) + in(x);
    out(x) = f(x) + f(x + 1);
    f.compute_root();
    f.add_trace_tag("one").add_trace_tag("two \"words\"");
    inlined.add_trace_tag("never");
    EXPECT_EQ(tags_of(out), std::vector<std::string>());
    f.trace_stores();
    EXPECT_EQ(tags_of(out), (std::vector<std::string>{"f:one", "f:two \"words\""}));
    in.trace_loads();
    EXPECT_EQ(tags_of(out), (std::vector<std::string>{"in:of an input", "f:one", "f:two \"words\""}));
}

TEST(TraceTags, ComeAfterTheBeginOfATracedPipeline) {
    Func out("out");
    out(x) = x;
    out.add_trace_tag("tagged");
    tags().clear();
    JITUserContext context;
    context.handlers.custom_trace = keep_tag;
    Buffer<int> values(4);
    Pipeline(out).trace_pipeline().realize(&context, values);
    EXPECT_EQ(tags(), (std::vector<std::string>{"out:", "out:tagged"}));
}

} // namespace
} // namespace fluorite::debug_files_test
