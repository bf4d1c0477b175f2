// Automatic schedules for devices: which stages are one kernel, where members are, and that the bits are those of the
// interpreter. The row of the device is named, so the schedules do not depend on the machine.

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>

namespace fluorite::device_schedules_test {
namespace {

const Var x("x"), y("y"), c("c"), i("i");

Target device_target() { return get_host_target().with_feature(Target::OpenCL); }

AutoSchedule schedule_for_device(const Func &func, const std::vector<int32_t> &sizes, const char *device = "h200") {
    AutoScheduleOptions options;
    options.sizes = sizes;
    options.target = device_target();
    options.device = device;
    return Pipeline(func).auto_schedule(options);
}

/// The executor runs kernels, and reports races.
class DeviceSchedules : public testing::Test {
  protected:
    void SetUp() override {
        const char *before = std::getenv("FLUORITE_BACK_END");
        before_ = before ? before : "";
        setenv("FLUORITE_BACK_END", "executor", 1);
    }
    void TearDown() override { setenv("FLUORITE_BACK_END", before_.c_str(), 1); }

    template <typename T> void expect_interpreted(const Func &func, const std::vector<int> &sizes) {
        const Buffer<T> seen = Func(func).realize(sizes);
        Buffer<T> expected(sizes);
        interpret_into(func, {expected.raw_buffer()}, get_jit_target_from_environment().has_feature(Target::FMA));
        EXPECT_EQ(interpret::compare_bits(*seen.raw_buffer(), *expected.raw_buffer()).text, "");
    }

  private:
    std::string before_;
};

size_t count(const std::string &text, const std::string &part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        found++;
    }
    return found;
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

Func blurred(ImageParam in) {
    const Func source = BoundaryConditions::repeat_edge(in);
    Func across("across"), blur("blur");
    across(x, y) = cast<uint16_t>((cast<uint32_t>(source(x - 1, y)) + source(x, y) + source(x + 1, y)) / 3);
    blur(x, y) = cast<uint16_t>((cast<uint32_t>(across(x, y - 1)) + across(x, y) + across(x, y + 1)) / 3);
    return blur;
}

TEST_F(DeviceSchedules, TwoStagesOfABlurAreOneKernel) {
    ImageParam in(UInt(16), 2, "in");
    in.set(random_buffer<uint16_t>({45, 37}, 1));
    const Func blur = blurred(in);
    const AutoSchedule found = schedule_for_device(blur, {4096, 4096});
    EXPECT_HAS(found.explanation, "automatic schedule for a device, with the costs of NVIDIA H200");
    EXPECT_HAS(found.explanation, "group of blur: across\n");
    EXPECT_HAS(found.schedule.text(), "across.compute_at(blur, thread_x)");
    EXPECT_HAS(found.schedule.text(), "blur.gpu_blocks(");
    expect_interpreted<uint16_t>(blur, {45, 37});
}

TEST_F(DeviceSchedules, StagesThatManyNeighboursReadAreShared) {
    ImageParam in(Float(32), 3, "in");
    in.set(random_buffer<float>({45, 37, 3}, 1));
    const Func source = BoundaryConditions::repeat_edge(in);
    Func gray("gray"), dx("dx"), dy("dy"), sum("sum");
    gray(x, y) = source(x, y, 0) * 0.3f + source(x, y, 1) * 0.6f + source(x, y, 2) * 0.1f;
    dx(x, y) = gray(x + 1, y - 1) - gray(x - 1, y - 1) + gray(x + 1, y) - gray(x - 1, y);
    dy(x, y) = gray(x - 1, y + 1) - gray(x - 1, y - 1) + gray(x, y + 1) - gray(x, y - 1);
    Expr value = 0.0f;
    for (int k = 0; k < 9; k++) {
        value += dx(x + k % 3 - 1, y + k / 3 - 1) * dy(x + k % 3 - 1, y + k / 3 - 1);
    }
    sum(x, y) = value;
    const AutoSchedule found = schedule_for_device(sum, {4096, 4096});
    EXPECT_HAS(found.explanation, "group of sum: gray dx dy\n");
    EXPECT_HAS(found.explanation, "gray shared, dx in registers, dy in registers");
    EXPECT_HAS(found.schedule.text(), "gray.gpu_threads(");
    expect_interpreted<float>(sum, {45, 37});
}

TEST_F(DeviceSchedules, SumsOfAProductStayInRegisters) {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
    a.set(random_buffer<float>({33, 35}, 1));
    b.set(random_buffer<float>({37, 33}, 2));
    for (const int32_t planned : {37, 2048}) {
        RDom k(0, a.width(), "k");
        Func product("product"), out("out");
        product(x, y) = 0.0f;
        product(x, y) += a(k, y) * b(x, k);
        out(x, y) = product(x, y) + 1.0f;
        const AutoSchedule found = schedule_for_device(out, {planned, planned});
        EXPECT_HAS(found.explanation, "product in registers");
        EXPECT_EQ(found.schedule.text().find("out.specialize(") != std::string::npos, planned == 2048);
        expect_interpreted<float>(out, {37, 35});
        expect_interpreted<float>(out, {3, 5});
    }
}

TEST_F(DeviceSchedules, HistogramsCountAtomically) {
    ImageParam in(UInt(8), 2, "in");
    in.set(random_buffer<uint8_t>({45, 37}, 1));
    RDom r(0, in.width(), 0, in.height(), "r");
    Func histogram("histogram"), out("out");
    histogram(i) = 0;
    histogram(cast<int>(in(r.x, r.y))) += 1;
    out(i) = histogram(i) * 2;
    const AutoSchedule found = schedule_for_device(out, {256});
    EXPECT_HAS(found.schedule.text(), "histogram.update(0).atomic()");
    EXPECT_EQ(count(found.explanation, "on the host"), 0U) << found.explanation;
    expect_interpreted<int>(out, {256});
}

TEST_F(DeviceSchedules, ScansRunOverTheirOtherDimension) {
    ImageParam in(Float(32), 2, "in");
    in.set(random_buffer<float>({45, 37}, 1));
    RDom down(1, in.height() - 1, "down");
    Func blur("scan"), out("out");
    blur(x, y) = in(x, y);
    blur(x, down) = 0.5f * blur(x, down - 1) + 0.5f * in(x, down);
    out(x, y) = blur(x, y) + 1.0f;
    const AutoSchedule found = schedule_for_device(out, {45, 37});
    EXPECT_HAS(found.schedule.text(), "scan.update(0).gpu_threads(");
    expect_interpreted<float>(out, {45, 37});
}

TEST_F(DeviceSchedules, WhatADeviceCannotRunStaysOnTheHost) {
    ImageParam in(Float(32), 2, "in");
    in.set(random_buffer<float>({45, 37}, 1));
    Func alone("alone"), sums("sums"), out("out");
    RDom all(0, 45, 0, 37, "all"), r(1, 1999, "r");
    alone() = 0.0f;
    alone() += in(all.x, all.y);
    sums(i) = cast<float>(i);
    sums(r) = sums(r - 1) * 0.5f + 1.0f;
    out(x, y) = in(x, y) * alone() + sums(clamp(x * y, 0, 1999));
    const AutoSchedule found = schedule_for_device(out, {45, 37});
    EXPECT_HAS(found.explanation, "alone: on the host");
    EXPECT_HAS(found.explanation, "sums: on the host");
    EXPECT_HAS(found.explanation, "group of out: alone");
    expect_interpreted<float>(out, {45, 37});
}

TEST_F(DeviceSchedules, WhatCallsTheHostStaysThere) {
    ImageParam in(Float(32), 2, "in");
    in.set(random_buffer<float>({45, 37}, 1));
    Func seen("seen"), out("out");
    seen(x, y) = exp(sin(in(x, y)));
    seen.trace_realizations();
    out(x, y) = seen(x, y) + seen(y, x);
    const AutoSchedule found = schedule_for_device(out, {31, 31});
    EXPECT_HAS(found.explanation, "note: seen runs on the host, as it calls C functions, prints or traces\n");
    EXPECT_EQ(count(found.schedule.text(), "seen.gpu_blocks"), 0U) << found.schedule.text();
}

/// A schedule is made for one size, and right at any other.
TEST_F(DeviceSchedules, SizesAndDevicesDoNotChangeBits) {
    for (const char *device : {"h100", "a100", "rtx4090", "pocl"}) {
        for (const int32_t planned : {16, 300, 5000}) {
            ImageParam in(UInt(16), 2, "in");
            in.set(random_buffer<uint16_t>({71, 19}, 1));
            const Func blur = blurred(in);
            schedule_for_device(blur, {planned, planned}, device);
            expect_interpreted<uint16_t>(blur, {71, 19});
            expect_interpreted<uint16_t>(blur, {1, 3});
        }
    }
}

TEST_F(DeviceSchedules, OptionsOfDevicesAreChecked) {
    ImageParam in(UInt(16), 2, "in");
    const auto expect_refused = [&](const AutoScheduleOptions &options, const std::string &text) {
        expect_error<CompileError>([&] { Pipeline(blurred(in)).auto_schedule(options); }, "auto-schedule-option", text);
    };
    AutoScheduleOptions options;
    options.sizes = {64, 64};
    options.target = Target("x86-64-linux-avx2-opencl");
    options.device = "h300";
    expect_refused(options,
                   "in auto_schedule: the device 'h300' is not known; there are h100, h200, a100, rtx4090, pocl; give "
                   "one of them, or none for one that has the features of the target");
    options.device = "";
    options.model = "polymage";
    expect_refused(options, "in auto_schedule: the model 'polymage' is for processors, and target " +
                                options.target.to_string() +
                                " names a device; schedules for devices have a model of their own; give roofline");
    options.model = "roofline";
    options.target = Target("x86-64-linux-avx2");
    options.device = "a100";
    expect_refused(options, "in auto_schedule: the device 'a100' is given, and target " + options.target.to_string() +
                                " names none; a schedule "
                                "for a device needs a target with cuda or opencl; add the feature, or give no device");
    options.device = "";
    options.target = Target("x86-64-linux-avx2-opencl");
    setenv("FLUORITE_DEVICE_MODEL", "tesla", 1);
    expect_refused(options,
                   "in auto_schedule: the device 'tesla' is not known; there are h100, h200, a100, rtx4090, pocl; give "
                   "one of them, or none for one that has the features of the target, in FLUORITE_DEVICE_MODEL");
    setenv("FLUORITE_DEVICE_MODEL", "a100", 1);
    EXPECT_HAS(Pipeline(blurred(in)).auto_schedule(options).explanation, "NVIDIA A100");
    unsetenv("FLUORITE_DEVICE_MODEL");
    EXPECT_HAS(Pipeline(blurred(in)).auto_schedule(options).explanation, "NVIDIA H100");
}

TEST_F(DeviceSchedules, PartsByHandStay) {
    ImageParam in(UInt(16), 2, "in");
    in.set(random_buffer<uint16_t>({45, 37}, 1));
    const Func blur = blurred(in);
    Func last("last");
    last(x, y) = blur(x, y) + blur(x + 1, y);
    Func(blur).compute_root().parallel(y);
    const AutoSchedule found = schedule_for_device(last, {512, 512});
    EXPECT_HAS(found.explanation, "blur: as it is scheduled by hand\n");
    EXPECT_HAS(found.schedule.text(), "blur.parallel(y)");
    expect_interpreted<uint16_t>(last, {44, 37});
}

} // namespace
} // namespace fluorite::device_schedules_test
