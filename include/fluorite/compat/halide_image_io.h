#pragma once
// Image files under the names of Halide's tools.

#include "fluorite/require_cxx17.h"

#include "fluorite/image_io.h"

#include "HalideRuntime.h"

#include <set>
#include <string>
#include <tuple>

namespace fluorite::Tools {

/// A type of elements and a number of dimensions that a file can have.
struct FormatInfo {
    halide_type_t type;
    int dimensions;
    /// An order, for sets.
    bool operator<(const FormatInfo &other) const {
        const auto key = [](const FormatInfo &info) {
            return std::make_tuple(static_cast<int>(info.type.code), static_cast<int>(info.type.bits), info.dimensions);
        };
        return key(*this) < key(other);
    }
};

/// Adds what can be saved under this name without conversion, for 1 to 4 dimensions; false for an unknown extension.
inline bool save_query(const std::string &path, std::set<FormatInfo> *formats) {
    try {
        for (const Type type : {UInt(8), UInt(16), UInt(32), UInt(64), Int(8), Int(16), Int(32), Int(64), Float(16),
                                Float(32), Float(64)}) {
            if (storable_image_type(path, type) != type) {
                continue;
            }
            const bool is_array = path.size() > 4 && path.substr(path.size() - 4) == ".npy";
            for (int dimensions = is_array ? 1 : 2; dimensions <= (is_array ? 4 : 3); dimensions++) {
                formats->insert(
                    {halide_type_t(static_cast<halide_type_code_t>(type.code()), static_cast<uint8_t>(type.bits())),
                     dimensions});
            }
        }
        return true;
    } catch (const RuntimeError &) {
        return false;
    }
}

/// Conversions of images, as fluorite::convert_image does them.
struct ImageTypeConversion {
    /// To the type T, or to a type.
    template <typename T> static Buffer<T> convert_image(const Buffer<const void> &image) {
        return Buffer<T>(fluorite::convert_image(image, type_of<T>()));
    }
    static Buffer<> convert_image(const Buffer<const void> &image, const halide_type_t &type) {
        return fluorite::convert_image(image, Type(static_cast<TypeCode>(type.code), type.bits));
    }
};

} // namespace fluorite::Tools

namespace Halide {
namespace Tools {
using namespace fluorite::Tools;
}
} // namespace Halide
