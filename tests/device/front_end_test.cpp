// The spellings of GPU programs, of 2014 and of today, through Halide.h and the executor of loop IR.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "tests/device/on_device.h"

#include <Halide.h>

#include <gtest/gtest.h>

namespace fluorite::front_end_test {
namespace {

class GpuSpellings : public OnDevice {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, bx{"bx"}, by{"by"}, tx{"tx"}, ty{"ty"};
    Func f{"f"}, g{"g"};
};

TEST_F(GpuSpellings, TilesWithoutNamesOfThreads) {
    Func one("one"), two("two"), three("three");
    one(x) = x * x;
    two(x, y) = x - 3 * y;
    three(x, y, z) = x + y * z;
    one.gpu_tile(x, 16);
    two.gpu_tile(x, y, 8, 4, TailStrategy::GuardWithIf);
    three.gpu_tile(x, y, z, 4, 2, 2, TailStrategy::Auto, DeviceAPI::CUDA);
    expect_interpreted(one, {21});
    expect_interpreted(two, {21, 11});
    expect_interpreted(three, {9, 5, 3});
    EXPECT_EQ(one.loop_nest(), "produce one:\n"
                               "  gpu_block x:\n"
                               "    gpu_thread x_thread in [0, 15]:\n"
                               "      one(...) = ...\n");
}

TEST_F(GpuSpellings, LevelsOfBlocksAndThreads) {
    Func h("h");
    f(x, y) = x * y + 1;
    h(x, y) = f(x, y) - y;
    g(x, y) = h(x, y) + h(x + 1, y);
    g.gpu_tile(x, y, 8, 4);
    f.compute_at(g, Var::gpu_blocks()).gpu_threads(x, y);
    h.compute_at(g, Var::gpu_threads());
    expect_interpreted(g, {21, 9});
    const std::string nest = g.loop_nest();
    EXPECT_LT(nest.find("gpu_block x"), nest.find("produce f")) << nest;
    EXPECT_LT(nest.find("produce f"), nest.find("gpu_thread x_thread")) << nest;
    EXPECT_LT(nest.find("gpu_thread x_thread"), nest.find("produce h")) << nest;
}

// The outer part of a loop that is cut again keeps its mark.
TEST_F(GpuSpellings, VectorsOfThreadsAndCopiesOfBlocks) {
    f(x, y) = x * 3 + y;
    f.gpu_tile(x, y, tx, ty, 16, 4, TailStrategy::GuardWithIf).vectorize(tx, 4).unroll(ty, 2).unroll(x, 2);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  gpu_block y:\n"
                             "    gpu_block x:\n"
                             "      unrolled xu in [0, 1]:\n"
                             "        gpu_thread ty in [0, 1]:\n"
                             "          unrolled tyu in [0, 1]:\n"
                             "            gpu_thread tx in [0, 3]:\n"
                             "              vectorized txv in [0, 3]:\n"
                             "                f(...) = ...\n");
    Func h("h");
    h(x, y) = x * 3 + y;
    h.gpu_tile(x, y, tx, ty, 16, 4).vectorize(tx, 4).unroll(ty, 2);
    expect_interpreted(h, {37, 11});
    g(x, y) = x - y;
    g.parallel(y, 8).vectorize(y, 4); // the outer part of a parallel loop stays parallel, too
    expect_interpreted(g, {37, 11});
}

TEST_F(GpuSpellings, OneThread) {
    RDom scan(1, 30, "scan"), all(0, 31, "all");
    Func total("total"), scaled("scaled");
    f(x) = x * x % 7;
    f(scan) += f(scan - 1);
    total() = 1;
    total() += f(all) * 3;
    scaled(x) = f(x) * 2;
    g(x) = scaled(x) + total();
    f.compute_root().gpu_tile(x, tx, 8).update().gpu_single_thread();
    total.compute_root().gpu_single_thread(DeviceAPI::Default_GPU).update().gpu_single_thread();
    scaled.compute_root().gpu_single_thread();
    g.gpu_tile(x, tx, 8);
    expect_interpreted(g, {31});
    EXPECT_NE(f.loop_nest().find("  gpu_single_thread:\n    for scan$x in [1, 30]:\n"), std::string::npos)
        << f.loop_nest();
}

// What is computed inside of the loops of a single thread is in its kernel.
TEST_F(GpuSpellings, StagesInsideOfOneThread) {
    Param<bool> is_single;
    f(x, y) = x * y + 1;
    g(x, y) = f(x, y) + f(x + 1, y);
    g.specialize(is_single).gpu_single_thread();
    g.gpu_blocks(y).gpu_threads(x);
    Func h("h");
    h(x, y) = g(x, y) + 1;
    h.gpu_single_thread();
    g.compute_root();
    f.compute_root().gpu_single_thread();
    for (const bool one : {true, false}) {
        is_single.set(one);
        expect_interpreted(h, {9, 5});
    }
    Func inner("inner"), outer("outer");
    inner(x, y) = x - y;
    outer(x, y) = inner(x, y) * inner(x + 1, y);
    outer.gpu_single_thread();
    inner.compute_at(outer, y);
    expect_interpreted(outer, {9, 5});
}

TEST_F(GpuSpellings, CopiesAndTextures) {
    ImageParam im(Int(32), 2, "im");
    f(x, y) = im(x, y) * 2 + y;
    g(x, y) = f(x, y) + f(x, y + 1);
    Func h("h");
    h(x, y) = g(x, y) + g(x + 1, y);
    im.in().compute_root().copy_to_device().store_in(MemoryType::GPUTexture);
    im.store_in(MemoryType::GPUTexture);
    f.compute_root();
    f.in().compute_root().copy_to_device();
    g.compute_root().gpu_tile(x, y, tx, ty, 8, 4).store_in(MemoryType::GPUTexture);
    g.in().compute_root().copy_to_host();
    h.output_buffer().store_in(MemoryType::Auto);
    Buffer<int> pixels(20, 20);
    pixels.for_each_element([&](int i, int j) { pixels(i, j) = i * 7 + j; });
    im.set(pixels);
    expect_interpreted(h, {13, 7});
    expect_error([&] { f.copy_to_device(); }, "not-a-copy",
                 "in f: copy_to_device of a Func that computes something; values are moved by a copy of a Func or an "
                 "image; call it on the copy that in() makes, as in f.in().copy_to_device()");
    Func turned("turned");
    turned(x, y) = f(y, x);
    expect_error([&] { turned.copy_to_host(); }, "not-a-copy",
                 "in turned: copy_to_host of a Func that computes something; values are moved by a copy of a Func or "
                 "an image; call it on the copy that in() makes, as in f.in().copy_to_host()");
    expect_error([&] { im.store_in(MemoryType::GPUShared); }, "image-memory",
                 "in im: store_in names memory that only Funcs are in; a buffer is where the program has put it, or in "
                 "memory of a device; name Auto, Heap or GPUTexture, or store in() of it there");
    expect_error([&] { f.in().copy_to_device(DeviceAPI::Metal); }, "not-built",
                 "in f_global_wrapper, stage 0: copy_to_device names a DeviceAPI that is not built; loops run on the "
                 "devices of CUDA and OpenCL, whichever the target names; leave the argument out, and give the target "
                 "a feature");
}

// The level is looked up when the pipeline is compiled, so the loops may be marked later.
TEST_F(GpuSpellings, LevelsBeforeTheLoopsAreMarked) {
    f(x, y) = x * y + 1;
    g(x, y) = f(x, y) + f(x + 1, y);
    f.compute_at(g, Var::gpu_blocks());
    g.gpu_blocks(y);
    expect_interpreted(g, {13, 5});
    expect_error(
        [&] {
            Var v = Var::gpu_threads();
            Func("e")(v) = v;
        },
        "pure-argument",
        "in e, stage 0: argument 0 of its first definition is Var::gpu_threads(); it names the place of a loop of a "
        "Func, and no dimension; use another Var");
}

TEST_F(GpuSpellings, LevelsThatThereAreNot) {
    f(x, y) = x * y + 1;
    g(x, y) = f(x, y) + f(x + 1, y);
    f.compute_at(g, Var::gpu_blocks());
    expect_error([&] { g.realize({4, 4}); }, "unknown-loop-level",
                 "in f: computed at loop Var::gpu_blocks() of g; a level names a loop of the consumer; its loops "
                 "are x, y");
}

TEST_F(GpuSpellings, OnStagesAndSpecializations) {
    RDom r(0, 3, "r");
    Param<int> n;
    f(x, y) = x;
    f(x, y) += r * y + n;
    f.specialize(n > 2).gpu_tile(x, 16);
    f.gpu_tile(x, y, 8, 4);
    f.update().specialize(n > 2).gpu_tile(x, 16);
    f.update().gpu_tile(x, y, 4, 4);
    for (const int value : {1, 5}) {
        n.set(value);
        expect_interpreted(f, {19, 9}, std::to_string(value));
    }
}

// ---- Devices of targets.

TEST_F(GpuSpellings, MemoryOnTheDeviceOfATarget) {
    const Target host = get_host_target(), opencl = host.with_feature(Target::OpenCL);
    EXPECT_EQ(get_default_device_api_for_target(opencl), DeviceAPI::OpenCL);
    EXPECT_TRUE(opencl.supports_device_api(DeviceAPI::OpenCL) && opencl.supports_device_api(DeviceAPI::Default_GPU));
    EXPECT_TRUE(opencl.supports_device_api(DeviceAPI::Host) && !opencl.supports_device_api(DeviceAPI::CUDA));
    EXPECT_TRUE(opencl.supports_type(Float(64), DeviceAPI::OpenCL) && !opencl.supports_type(Int(8), DeviceAPI::Metal));
    EXPECT_EQ(opencl.get_required_device_api(), DeviceAPI::OpenCL);
    EXPECT_EQ(Target("x86-64-linux").get_required_device_api(), DeviceAPI::None);
    EXPECT_NE(get_device_interface_for_device_api(DeviceAPI::OpenCL, opencl), nullptr);
    EXPECT_EQ(get_device_interface_for_device_api(DeviceAPI::CUDA, opencl), nullptr);
    EXPECT_EQ(get_device_interface_for_device_api(DeviceAPI::Metal, host.with_feature(Target::Metal)), nullptr);
    EXPECT_FALSE(host_supports_target_device(host));
    Buffer<int> pixels(8, 4);
    pixels.fill(7);
    if (host_supports_target_device(opencl)) {
        EXPECT_EQ(pixels.copy_to_device(opencl), 0);
        EXPECT_TRUE(pixels.has_device_allocation());
        EXPECT_EQ(pixels.device_free(), 0);
        EXPECT_EQ(pixels.device_malloc(DeviceAPI::OpenCL, opencl), 0);
        EXPECT_EQ(pixels.device_free(), 0);
    }
    expect_error(
        [&] { pixels.copy_to_device(DeviceAPI::CUDA, Target("x86-64-linux")); }, "bad-target",
        "in a Target: memory of a device is asked for, and x86-64-linux has none of this API; the devices that "
        "are built are those of CUDA and OpenCL; give the target one of these features");
}

// ---- Lesson 12 of the thesis (A.12), with a picture from memory and without clocks. What it computes and its
// schedules are as printed; the target has the feature where code for it can be generated.

using namespace Halide;

Var lesson_x, lesson_y, lesson_c, lesson_i;

class Lesson {
  public:
    Func lut, padded, padded16, sharpen, curved;
    Image<uint8_t> input;

    explicit Lesson(Image<uint8_t> in) : input(in) {
        const Var &x = lesson_x, &y = lesson_y, &c = lesson_c, &i = lesson_i;
        lut(i) = cast<uint8_t>(clamp(pow(i / 255.0f, 1.2f) * 255.0f, 0, 255));
        padded(x, y, c) = input(clamp(x, 0, input.width() - 1), clamp(y, 0, input.height() - 1), c);
        padded16(x, y, c) = cast<uint16_t>(padded(x, y, c));
        sharpen(x, y, c) =
            (padded16(x, y, c) * 2 -
             (padded16(x - 1, y, c) + padded16(x, y - 1, c) + padded16(x + 1, y, c) + padded16(x, y + 1, c)) / 4);
        curved(x, y, c) = lut(sharpen(x, y, c));
    }

    void schedule_for_cpu() {
        const Var &x = lesson_x, &y = lesson_y, &c = lesson_c;
        lut.compute_root();
        curved.reorder(c, x, y).bound(c, 0, 3).unroll(c);
        Var yo, yi;
        curved.split(y, yo, yi, 16).parallel(yo);
        sharpen.store_at(curved, yo).compute_at(curved, yi);
        sharpen.vectorize(x, 8);
        padded.store_at(curved, yo).compute_at(curved, yi);
        padded.vectorize(x, 16);
        curved.compile_jit();
    }

    void schedule_for_gpu() {
        const Var &x = lesson_x, &y = lesson_y, &c = lesson_c;
        lut.compute_root();
        Var block, thread;
        lut.split(lesson_i, block, thread, 16);
        lut.gpu_blocks(block).gpu_threads(thread);
        curved.reorder(c, x, y).bound(c, 0, 3).unroll(c);
        curved.gpu_tile(x, y, 8, 8);
        padded.compute_at(curved, Var::gpu_blocks());
        padded.gpu_threads(x, y);
        Target target = get_host_target();
        target.set_feature(Target::OpenCL);
        curved.compile_jit(target.supported() ? target : get_host_target());
    }
};

TEST_F(GpuSpellings, LessonTwelveOfTheThesis) {
    Image<uint8_t> input(31, 17, 3);
    for (int c = 0; c < 3; c++) {
        for (int y = 0; y < 17; y++) {
            for (int x = 0; x < 31; x++) {
                input(x, y, c) = static_cast<uint8_t>(x * 37 + y * 91 + c * 5 + x * y);
            }
        }
    }
    Image<uint8_t> reference_output(input.width(), input.height(), input.channels());
    Lesson p1(input);
    p1.schedule_for_cpu();
    p1.curved.realize(reference_output);
    if (host_supports_target_device(get_host_target().with_feature(Target::OpenCL))) {
        unsetenv("FLUORITE_BACK_END"); // as printed: on the device that compile_jit has named
    }
    Lesson p2(input);
    p2.schedule_for_gpu();
    Buffer<> output(UInt(8), input.width(), input.height(), input.channels());
    p2.curved.realize(output);
    output.copy_to_host();
    Image<uint8_t> shown = output;
    for (int c = 0; c < 3; c++) {
        for (int y = 0; y < 17; y++) {
            for (int x = 0; x < 31; x++) {
                ASSERT_EQ(shown(x, y, c), reference_output(x, y, c)) << x << ' ' << y << ' ' << c;
            }
        }
    }
}

} // namespace
} // namespace fluorite::front_end_test
