#pragma once
// What the pipelines of this folder have in common. They are algorithms alone, without a directive, and compile against
// Fluorite and against the peer: each side's automatic scheduler sees the same program and the same estimates.

#include "benchmarks/compare/compare.h"

#include <Halide.h>

#include <functional>
#include <string>
#include <vector>

namespace held_out {

using Halide::Buffer;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Tuple;
using Halide::Var;

/// An algorithm whose inputs have their elements.
struct Made {
    Func output;
    std::vector<ImageParam> inputs;
    std::vector<int> extents;     // of the output
    bool is_interleaved = false;  // the output's channels lie together
    double relative_error = 1e-5; // of floats: sides may add and round in another order
    int most_off_by = 0;          // of integers that were rounded from floats
};

struct Named {
    std::string name;
    std::function<Made()> make;
};

/// Pseudo-random elements from `least` to `most`, the same on every run and on both sides.
template <typename T> Buffer<T> elements(const std::vector<int> &extents, T least, T most, unsigned seed) {
    Buffer<T> buffer(extents);
    unsigned state = seed * 2654435761u + 12345u;
    T *const values = buffer.data();
    for (size_t i = 0; i < buffer.number_of_elements(); i++) {
        state = state * 1664525u + 1013904223u;
        const double part = static_cast<double>(state >> 8) / static_cast<double>(1u << 24);
        values[i] = static_cast<T>(static_cast<double>(least) + part * static_cast<double>(most - least));
    }
    return buffer;
}

inline Buffer<uint8_t> bytes(const std::vector<int> &extents, unsigned seed) {
    return elements<uint8_t>(extents, 0, 255, seed);
}
inline Buffer<float> floats(const std::vector<int> &extents, unsigned seed) {
    return elements<float>(extents, 0.0f, 1.0f, seed);
}

/// An input of the program over these elements.
template <typename T> ImageParam input_of(const std::string &name, Buffer<T> buffer) {
    ImageParam input(Halide::type_of<T>(), buffer.dimensions(), name);
    input.set(buffer);
    return input;
}

/// The same whose three channels lie together.
inline ImageParam interleaved_input(const std::string &name, int width, int height, unsigned seed) {
    Buffer<uint8_t> buffer = Buffer<uint8_t>::make_interleaved(width, height, 3);
    const Buffer<uint8_t> values = bytes({3 * width * height}, seed);
    std::copy(values.data(), values.data() + values.number_of_elements(), buffer.data());
    ImageParam input(Halide::UInt(8), 3, name);
    input.dim(0).set_stride(3);
    input.dim(2).set_stride(1).set_bounds(0, 3);
    input.set(buffer);
    return input;
}

} // namespace held_out
