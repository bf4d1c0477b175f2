// Atomic updates of kernels: every operation on every type that a device updates, in lanes, under predicates, in memory
// of a block and of the device.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "tests/device/on_device.h"

#include <gtest/gtest.h>
#include <type_traits>

namespace fluorite::device_atomics_test {
namespace {

class DeviceAtomics : public OnDevice {
  protected:
    Var x{"x"}, bx{"bx"}, tx{"tx"};
    Func f{"f"};
};

constexpr int width = 11, rounds = 6;

/// Small values, so that sums and products of floats are exact.
Buffer<int32_t> values() {
    Buffer<int32_t> result(width, rounds);
    for (int i = 0; i < width * rounds; i++) {
        result.data()[i] = 1 + (i * 7 + i * i) % 3;
    }
    return result;
}

/// All operations that a device has on the type.
template <typename T> std::vector<Expr> updated(const FuncRef &old, const Expr &e) {
    const auto at = [&](int i) { return Expr(old[i]); };
    std::vector<Expr> results{at(0) + e,     at(1) - e,     at(2) * e,
                              min(at(3), e), max(at(4), e), select(e == 2, at(5) + e, at(5))};
    if constexpr (std::is_integral_v<T>) {
        results.insert(results.end(), {at(6) & e, at(7) | e, at(8) ^ e});
    }
    if constexpr (std::is_unsigned_v<T>) {
        results.push_back(saturating_add(at(9), e));
    }
    return results;
}

template <typename T> void define(Func &f, const Var &x, const RDom &r) {
    const Buffer<int32_t> in = values();
    const int initial[] = {1, 100, 1, 2, 2, 0, 7, 1, 5, 3};
    const int count = 6 + (std::is_integral_v<T> ? 3 : 0) + (std::is_unsigned_v<T> ? 1 : 0);
    std::vector<Expr> start;
    for (int i = 0; i < count; i++) {
        start.push_back(cast<T>(initial[i]));
    }
    f(x) = Tuple(start);
    f(x) = Tuple(updated<T>(f(x), cast<T>(in(clamp(x, 0, width - 1), r))));
    f.allow_reassociation();
}

/// Of one type for each representation, since drivers take their time for code.
template <typename Check> void for_each_type(const Check &check) {
    check(uint32_t{});
    check(int64_t{});
    check(float{});
    check(int8_t{});
}

template <typename T> void lanes_of_points(const Var &x, TailStrategy tail) {
    Func most("most");
    Var xo("xo"), xi("xi"), bx("bx"), tx("tx");
    RDom r(0, rounds, "r");
    define<T>(most, x, r);
    most.gpu_tile(x, bx, tx, 4);
    most.update().split(x, xo, xi, 4, tail).reorder(xi, xo, r).atomic().vectorize(xi).gpu_threads(xo).gpu_blocks(r);
    expect_interpreted(most, {width}, concat(type_of<T>(), " ", static_cast<int>(tail)));
}

TEST_F(DeviceAtomics, OfLanesUnderEveryTail) {
    for_each_type([&](auto zero) { lanes_of_points<decltype(zero)>(x, TailStrategy::GuardWithIf); });
    lanes_of_points<uint16_t>(x, TailStrategy::Predicate);
}

TEST_F(DeviceAtomics, OfTheOtherTypes) {
    const auto check = [&](auto zero) {
        using T = decltype(zero);
        Func most("most");
        RDom r(0, rounds, "r");
        define<T>(most, x, r);
        most.gpu_tile(x, bx, tx, 4);
        most.update().atomic().reorder(x, r).gpu_threads(x).gpu_blocks(r);
        expect_interpreted(most, {width}, concat(type_of<T>()));
    };
    check(int32_t{});
    check(uint64_t{});
    check(double{});
    check(uint8_t{}); // four of a word
    check(int16_t{});
    check(float16_t{});
}

TEST_F(DeviceAtomics, OfBools) {
    RDom r(0, rounds, "r");
    const Buffer<int32_t> in = values();
    const Expr e = in(clamp(x, 0, width - 1), r) == 2;
    f(x) = {cast<bool>(false), cast<bool>(true), x % 2 == 0};
    f(x) = {f(x)[0] || e, f(x)[1] && e, f(x)[2] ^ e};
    f.gpu_tile(x, bx, tx, 4);
    f.update().atomic().reorder(x, r).gpu_threads(x).gpu_blocks(r);
    expect_interpreted(f, {width});
}

TEST_F(DeviceAtomics, OfReducedLanesUnderAPredicate) {
    for_each_type([&](auto zero) {
        using T = decltype(zero);
        Func most("most");
        RDom r(0, rounds, "r");
        r.where(r != 3 && r <= x);
        define<T>(most, x, r);
        RVar ro("ro"), ri("ri");
        most.gpu_tile(x, bx, tx, 4);
        most.update().split(r, ro, ri, 4).reorder(ri, x, ro).atomic().vectorize(ri).gpu_threads(x).gpu_blocks(ro);
        expect_interpreted(most, {width}, concat(type_of<T>()));
    });
}

TEST_F(DeviceAtomics, InMemoryOfABlock) {
    for_each_type([&](auto zero) {
        using T = decltype(zero);
        Func most("most"), sum("sum");
        RDom r(0, rounds, "r");
        define<T>(most, x, r);
        Expr all = cast<T>(0);
        for (int i = 0; i < 6; i++) {
            all = all * 3 + most(x + 1)[i];
        }
        sum(x) = all;
        sum.gpu_tile(x, bx, tx, 4);
        most.compute_at(sum, bx).gpu_threads(x);
        most.update().atomic().reorder(x, r).gpu_threads(r);
        expect_interpreted(sum, {width}, concat(type_of<T>()));
    });
}

// Simplification leaves no operation on the old value.
TEST_F(DeviceAtomics, ThatStoreWhatTheyWouldHave) {
    RDom r(0, 9, "r");
    f(x) = {cast<uint32_t>(x + 7), cast<uint64_t>(x), cast<uint32_t>(x)};
    f(r / 2) = {min(f(r / 2)[0], cast<uint32_t>(0)), max(f(r / 2)[1], cast<uint64_t>(0)), f(r / 2)[2]};
    f.update().atomic().gpu_blocks(r);
    expect_interpreted(f, {7});
}

TEST_F(DeviceAtomics, AreRefusedOfValuesThatReadEachOther) {
    RDom r(0, 9, "r");
    f(x) = {0, 0};
    f(r % 4) = {select(f(r % 4)[0] < r, r, f(r % 4)[0]), select(f(r % 4)[0] < r, r * 2, f(r % 4)[1])};
    f.update().atomic(true).gpu_blocks(r);
    expect_error(
        [&] { (void)f.realize({4}); }, "gpu-not-possible",
        "the loop f.s1.r.x over blocks of a device contains an atomic update of f.0 of several values, which a "
        "device cannot update at once; leave atomic() out and keep the loop serial");
}

} // namespace
} // namespace fluorite::device_atomics_test
