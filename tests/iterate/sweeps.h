#pragma once
// What the tests of iterations share: sweeps of a mean, and comparison with the interpreter.

#include "fluorite/iterate.h"

#include "driver/test_interpreter.h"
#include "fluorite/stencil.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace fluorite::iterate_support {

/// Whether compiled code contracts products and sums.
inline bool contracts() { return get_jit_target_from_environment().has_feature(Target::FMA); }

enum class Rule : uint8_t { Edge, Zero, Constant, Wrap, Mirror, MirrorInterior };
constexpr Rule rules[] = {Rule::Edge, Rule::Zero, Rule::Constant, Rule::Wrap, Rule::Mirror, Rule::MirrorInterior};

inline StencilBoundary boundary_of(Rule rule, Type type) {
    switch (rule) {
    case Rule::Edge:
        return StencilBoundary::edge();
    case Rule::Zero:
        return StencilBoundary::zero();
    case Rule::Constant:
        return StencilBoundary::constant(cast(type, 3));
    case Rule::Wrap:
        return StencilBoundary::wrap();
    case Rule::Mirror:
        return StencilBoundary::mirror();
    case Rule::MirrorInterior:
        return StencilBoundary::mirror_interior();
    }
    return StencilBoundary::edge();
}

/// The origin, and the neighbours on both sides along each dimension.
inline std::vector<std::vector<int>> star(int dimensions) {
    std::vector<std::vector<int>> offsets = {std::vector<int>(static_cast<size_t>(dimensions), 0)};
    for (int d = 0; d < dimensions; d++) {
        for (int side : {-1, 1}) {
            offsets.push_back(offsets[0]);
            offsets.back()[static_cast<size_t>(d)] = side;
        }
    }
    return offsets;
}

inline Expr mean(const std::vector<Expr> &a) {
    Expr sum = a[0];
    for (size_t i = 1; i < a.size(); i++) {
        sum += a[i];
    }
    return sum / cast(sum.type(), static_cast<int>(a.size()));
}

/// Over the given domain, or, if there is none, that of the image.
inline Iterated sweeps(const ImageParam &image, const Expr &steps, Rule rule, Region domain = {}) {
    const int rank = image.dimensions();
    domain = domain.empty() ? BoundaryConditions::detail::region_of(image) : domain;
    return iterate(steps, domain, image, [&](const IterationStep &step) {
        return stencil(star(rank), mean, step.field(), boundary_of(rule, image.type()));
    });
}

/// The results of single sweeps, each a run of a pipeline that is compiled once.
template <typename T> class Looped {
  public:
    Looped(const Buffer<T> &from, Rule rule)
        : from_(from), now_(from.copy()), image_(from.type(), from.dimensions()),
          sweep_(stencil(star(from.dimensions()), mean, image_, boundary_of(rule, from.type()))) {}

    /// The result of so many sweeps, no fewer than before.
    Buffer<T> after(int steps) {
        for (; done_ < steps; done_++) {
            Buffer<T> next = from_.copy();
            image_.set(now_);
            sweep_.realize(next);
            now_ = next;
        }
        EXPECT_EQ(done_, steps);
        return now_;
    }

  private:
    const Buffer<T> from_;
    Buffer<T> now_;
    ImageParam image_;
    Func sweep_;
    int done_ = 0;
};

template <typename T> void expect_same(const Buffer<T> &a, const Buffer<T> &b, const std::string &what) {
    int differing = 0;
    a.for_each_element([&](const int *at) { differing += std::memcmp(&a(at), &b(at), sizeof(T)) != 0; });
    EXPECT_EQ(differing, 0) << what;
}

/// Compares compiled code with the interpreter.
template <typename T> void expect_meaning(Func f, const std::vector<int> &sizes, const std::string &what) {
    Buffer<T> result(sizes), meaning(sizes);
    f.realize(result);
    interpret_into(f, {meaning.raw_buffer()}, contracts());
    expect_same(result, meaning, what);
}

} // namespace fluorite::iterate_support
