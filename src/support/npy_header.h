#pragma once
// The header of an NPY file, NumPy's format of arrays: versions 1 to 3.
//
// A file is a magic text, a version, the length of a Python dictionary, the dictionary with element, order and shape,
// and the elements. Element a[i, j, k] is (k, j, i) of our arrays.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fluorite::npy {

constexpr std::string_view magic("\x93NUMPY", 6);

struct Header {
    char order = '|'; // of the bytes of an element: <, >, = (the machine's) or | (it has one)
    char kind = 'f';  // NumPy's letter: b, i, u, f, c, V
    int64_t bytes = 4;
    bool fortran_order = false;
    std::vector<int64_t> shape; // as in the file: the last one is the innermost dimension, unless fortran_order

    /// Of this machine's byte order, in C order.
    static Header native(char kind, int64_t bytes, std::vector<int64_t> shape);
    /// Whether the bytes of elements are in another order than this machine's.
    bool is_swapped() const;
    std::string dtype() const;      // `<f4`
    std::string shape_text() const; // `(2, 3)`, `(4,)`
};

/// How many bytes to read at first, of which a shorter file has fewer.
constexpr size_t prefix_bytes = 12;
struct Prefix {
    enum class Verdict : uint8_t { Known, NoNpy, UnknownVersion };
    Verdict verdict = Verdict::NoNpy;
    int version = 0;
    size_t begin = 0;   // of the dictionary
    int64_t length = 0; // of the dictionary
};
Prefix read_prefix(std::string_view bytes);

/// What is wrong with a dictionary.
struct Refusal {
    enum class Kind : uint8_t { NoDictionary, Records, UnknownElement };
    Kind kind;
    std::string dtype; // of an element that is not known
};
std::variant<Header, Refusal> parse_dictionary(std::string_view text);

/// All bytes in front of the elements, which begin at a multiple of 64.
std::string written(const Header &header);

} // namespace fluorite::npy
