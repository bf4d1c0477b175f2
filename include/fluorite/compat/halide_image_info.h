#pragma once
// Halide::Tools::info, dump and stats: what is in a buffer, printed to standard output for people. They take
// Halide::Buffer and Halide::Runtime::Buffer.

#include "fluorite/require_cxx17.h"

#include "HalideRuntime.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace Halide {
namespace Tools {

namespace image_info {

/// Numbers of 8 bits as numbers, not as characters.
template <typename T> auto printable(T value) {
    if constexpr (sizeof(T) == 1) {
        return static_cast<int>(value);
    } else {
        return value;
    }
}

/// The tag, or `Buffer` without one.
inline std::string name_of(const char *tag) { return tag && *tag ? tag : "Buffer"; }

/// `x0`, `x1`, ... with a number.
inline std::string coordinate(int dimension, int value) {
    return "x" + std::to_string(dimension) + "=" + std::to_string(value);
}

} // namespace image_info

/// Prints the coordinate of one dimension.
inline void print_dimid(int dimension, int value) { std::cout << image_info::coordinate(dimension, value); }

/// Prints the coordinates from a dimension on, in parentheses.
inline void print_loc(const std::vector<int32_t> &place, int dimension, const halide_buffer_t *buffer) {
    std::cout << "(";
    for (int i = dimension; i < buffer->dimensions; i++) {
        std::cout << (i > dimension ? ", " : "") << image_info::coordinate(i, place[static_cast<size_t>(i)]);
    }
    std::cout << ")";
}

/// Prints the greatest power of two, of 4096 at most, that divides an address.
inline void print_memalign(intptr_t address) {
    intptr_t alignment = 1;
    while (alignment < 4096 && address % (alignment * 2) == 0) {
        alignment *= 2;
    }
    std::cout << "aligned to " << alignment << " bytes";
}

/// Prints type, bytes, address, and min, extent and stride of each dimension.
template <typename Buffer> void info(Buffer &buffer, const char *tag = "Buffer") {
    const halide_buffer_t *raw = buffer.raw_buffer();
    const halide_type_t type = raw->type;
    std::cout << "\n"
              << image_info::name_of(tag) << ": " << raw->dimensions << " dimensions, type code "
              << static_cast<int>(type.code) << ", " << static_cast<int>(type.bits) << " bits, "
              << static_cast<const void *>(raw->host) << ", ";
    print_memalign(reinterpret_cast<intptr_t>(raw->host)); // NOLINT(*-reinterpret-cast)
    std::cout << "\n";
    for (int i = 0; i < raw->dimensions; i++) {
        std::cout << "  x" << i << ": min " << raw->dim[i].min << ", extent " << raw->dim[i].extent << ", stride "
                  << raw->dim[i].stride << "\n";
    }
}

/// Prints all values, a line for each row of dimension 0.
template <typename Buffer> void dump(Buffer &buffer, const char *tag = "Buffer") {
    info(buffer, tag);
    const halide_buffer_t *raw = buffer.raw_buffer();
    buffer.for_each_element([&](const int *at) {
        if (raw->dimensions > 0 && at[0] == raw->dim[0].min) {
            std::cout << "\n";
            print_loc(std::vector<int32_t>(at, at + raw->dimensions), 1, raw);
            std::cout << ":";
        }
        std::cout << " " << image_info::printable(buffer(at));
    });
    std::cout << "\n";
}

/// Prints number, least and greatest value with their places, sum, mean and standard deviation.
template <typename Buffer> void stats(Buffer &buffer, const char *tag = "Buffer") {
    info(buffer, tag);
    const halide_buffer_t *raw = buffer.raw_buffer();
    double count = 0, sum = 0, squares = 0, least = 0, greatest = 0;
    std::vector<int32_t> place_of_least, place_of_greatest;
    buffer.for_each_element([&](const int *at) {
        const auto value = static_cast<double>(buffer(at));
        if (count == 0 || value < least) {
            least = value;
            place_of_least.assign(at, at + raw->dimensions);
        }
        if (count == 0 || value > greatest) {
            greatest = value;
            place_of_greatest.assign(at, at + raw->dimensions);
        }
        count++;
        sum += value;
        squares += value * value;
    });
    if (count == 0) {
        std::cout << "  no values\n";
        return;
    }
    const double mean = sum / count;
    std::cout << "  " << count << " values, sum " << sum << ", mean " << mean << ", standard deviation "
              << std::sqrt(std::max(0.0, squares / count - mean * mean)) << "\n  least " << least << " at ";
    print_loc(place_of_least, 0, raw);
    std::cout << "\n  greatest " << greatest << " at ";
    print_loc(place_of_greatest, 0, raw);
    std::cout << "\n";
}

} // namespace Tools
} // namespace Halide
