// Checks and atomic updates in kernels.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "tests/device/on_device.h"

#include <gtest/gtest.h>

namespace fluorite::device_checks_test {
namespace {

class DeviceChecks : public OnDevice {
  protected:
    Var x{"x"}, y{"y"}, bx{"bx"}, tx{"tx"};
    Func f{"f"}, g{"g"};
    Param<int> n{"n"};
};

TEST_F(DeviceChecks, OfEachPoint) {
    f(x, y) = require(x < n, x + y, "x is", x);
    f.gpu_blocks(y).gpu_threads(x);
    n.set(9);
    expect_interpreted(f, {9, 3});
    n.set(8);
    expect_error<RuntimeError>([&] { (void)f.realize({9, 3}); }, "requirement-failed",
                               "in require(x < n): x is ...; the condition must hold for every point that is computed; "
                               "pass inputs and parameters that meet it");
}

TEST_F(DeviceChecks, OfStagesInABlock) {
    f(x, y) = require(x * y < n, x + y, "too far");
    g(x, y) = f(x, y) + f(x + 1, y);
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).gpu_threads(x);
    n.set(100);
    expect_interpreted(g, {9, 3});
    n.set(8);
    expect_error<RuntimeError>([&] { (void)g.realize({9, 3}); }, "requirement-failed",
                               "in require(x * y < n): too far; the condition must hold for every point that is "
                               "computed; pass inputs and parameters that meet it");
}

TEST_F(DeviceChecks, OfBoundsOfStorage) {
    f(x) = x * 7;
    g(x, y) = f(x) + f(x + n);
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).bound_storage(x, 16).gpu_threads(x);
    n.set(7);
    expect_interpreted(g, {9, 3});
    n.set(8); // known to the host, which makes the check
    expect_error<RuntimeError>([&] { (void)g.realize({9, 3}); }, "storage-bound-too-small",
                               "in f: bound_storage() gives x 16 elements, but 17 are needed; a storage bound covers "
                               "what is needed; give it 17 or more");
}

TEST_F(DeviceChecks, OfBoundsOfStorageThatDependOnTheBlock) {
    f(x) = x * 7;
    g(x, y) = f(x) + f(x + y);
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).bound_storage(x, 16).gpu_threads(x);
    expect_interpreted(g, {9, 8});
    expect_error<RuntimeError>([&] { (void)g.realize({9, 9}); }, "storage-bound-too-small",
                               "in f: bound_storage() gives x fewer elements than are needed; a storage bound covers "
                               "what is needed; give it more");
}

TEST_F(DeviceChecks, OfBounds) {
    f(x) = x * 7;
    g(x, y) = f(x) + f(x + y);
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).bound(x, 0, 16).gpu_threads(x);
    expect_interpreted(g, {9, 8});
    EXPECT_THROW((void)g.realize({9, 9}), RuntimeError);
}

TEST_F(DeviceChecks, OfNoBlocks) {
    f(x) = x * 7;
    g(x, y) = f(x) + f(x + n);
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).bound_storage(x, 16).gpu_threads(x);
    n.set(100);
    EXPECT_NO_THROW((void)g.realize({9, 0})); // nothing runs, so nothing fails
}

// ---- Atomic updates.

template <typename T> void expect_histogram(const Var &x) {
    Buffer<uint8_t> in(200);
    for (int i = 0; i < 200; i++) {
        in(i) = static_cast<uint8_t>((i * 37 + i * i) % 11);
    }
    Func counts("counts");
    RDom r(0, 200, "r");
    RVar outer("outer"), inner("inner");
    counts(x) = cast<T>(0);
    counts(clamp(in(r), 0, 10)) += cast<T>(r % 3);
    counts.gpu_tile(x, Var("bx"), Var("tx"), 4);
    counts.update().atomic().split(r, outer, inner, 16).gpu_blocks(outer).gpu_threads(inner);
    expect_interpreted(counts, {11}, concat(type_of<T>()));
}

TEST_F(DeviceChecks, AtomicUpdatesOfBlocks) {
    expect_histogram<int32_t>(x);
    expect_histogram<uint32_t>(x);
    expect_histogram<int64_t>(x);
    expect_histogram<uint64_t>(x);
}

// The threads of a block share a histogram.
TEST_F(DeviceChecks, AtomicUpdatesInABlock) {
    RDom r(0, 64, "r");
    f(x, y) = 0;
    f((r * r + y) % 7, y) += r;
    g(x, y) = f(x, y) + f(6 - x, y);
    g.bound(x, 0, 7).gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).gpu_threads(x);
    f.update().atomic().gpu_threads(r);
    expect_interpreted(g, {7, 4});
}

TEST_F(DeviceChecks, AtomicUpdatesOfMaxima) {
    RDom r(0, 64, "r");
    f(x) = -1;
    f((r * r) % 7) = max(f((r * r) % 7), r);
    f.update().atomic().gpu_blocks(r);
    expect_interpreted(f, {7});
}

// Each lane updates an element of its own, where it has one: 5 rows are two vectors and a part of one.
template <typename T> void expect_columns_of_maxima(const Var &x, const Var &y) {
    Buffer<int32_t> in(3, 5);
    for (int i = 0; i < 15; i++) {
        in.data()[i] = (i * 7) % 11;
    }
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::Predicate}) {
        Func most("most");
        RDom r(0, 3, "r");
        Var yo("yo"), yi("yi");
        most(x, y) = cast<T>(1);
        most(x, y) = max(most(x, y), cast<T>(select(in(r, y) > 4, in(r, y), 2)));
        most.gpu_blocks(y, x);
        most.update()
            .split(y, yo, yi, 2, tail)
            .reorder(yi, x, r, yo)
            .atomic()
            .vectorize(yi)
            .gpu_blocks(yo)
            .gpu_blocks(r);
        expect_interpreted(most, {4, 5}, concat(type_of<T>(), " ", static_cast<int>(tail)));
    }
}

TEST_F(DeviceChecks, AtomicUpdatesOfLanesThatHaveAnElement) {
    expect_columns_of_maxima<int32_t>(x, y);
    expect_columns_of_maxima<uint32_t>(x, y);
    expect_columns_of_maxima<int64_t>(x, y);
    expect_columns_of_maxima<uint64_t>(x, y);
}

TEST_F(DeviceChecks, AtomicUpdatesOfTheValuesOfATuple) {
    RDom r(0, 40, "r");
    f(x) = {0, cast<uint64_t>(7)};
    f(r % 7) = {f(r % 7)[0] + r, min(f(r % 7)[1], cast<uint64_t>(r % 5))};
    f.update().atomic().gpu_blocks(r);
    expect_interpreted(f, {7});
}

// Memory of one thread is updated by it alone, so that any type and operation is possible.
TEST_F(DeviceChecks, AtomicUpdatesOfAThreadsOwnMemory) {
    RDom r(0, 9, "r");
    f(x) = cast<uint8_t>(x);
    f(x) = f(x) * 3 + cast<uint8_t>(r);
    g(x) = f(x) + f(x + 1);
    g.gpu_tile(x, Var("bx"), Var("tx"), 4);
    f.compute_at(g, Var("tx")).update().atomic(true).parallel(r);
    expect_interpreted(g, {9});
}

TEST_F(DeviceChecks, AtomicUpdatesThatADeviceLacks) {
    RDom r(0, 64, "r");
    f(x) = 1;
    f(r % 7) = f(r % 7) * 3 + r;
    f.update().atomic(true).gpu_blocks(r);
    expect_error(
        [&] { (void)f.realize({7}); }, "gpu-not-possible",
        "the loop f.s1.r.x over blocks of a device contains an atomic update of f that is no sum, product, minimum, "
        "maximum or other operation on the old value; leave atomic() out and keep the loop serial");
}

TEST_F(DeviceChecks, HintsAreLeftOut) {
    Buffer<int> in(64, 8);
    in.fill(3);
    Func clamped = BoundaryConditions::repeat_edge(in);
    f(x, y) = clamped(x, y) + clamped(x + 1, y);
    Var o("o"), i("i");
    f.split(x, o, i, 8).gpu_blocks(y).prefetch(clamped, o, o, 2);
    clamped.compute_root();
    expect_interpreted(f, {60, 8});
    const std::string report = Pipeline(f).compile_report();
    EXPECT_NE(report.find("has no prefetches; they stand in a kernel, and a device takes no hints"), std::string::npos)
        << report;
}

} // namespace
} // namespace fluorite::device_checks_test
