// Compares two files of elements as they are in memory:
//
//     fluorite_compare_outputs KIND EXTENTS RELATIVE ABSOLUTE FILE EXPECTED
//
// KIND is f, i or u and the bytes of an element (f4), EXTENTS are innermost first (640x480x3), RELATIVE and ABSOLUTE
// the Tolerance. Prints one line: `equal`, `near COUNT WORST` or `different COUNT WORST BEYOND FIRST IS EXPECTED`. Ends
// with 2 and a reason on standard error where the files cannot be compared.

#include "compare.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace {

std::vector<std::size_t> parse_extents(const std::string &text) {
    std::vector<std::size_t> extents;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('x', at), text.size());
        extents.push_back(std::stoull(text.substr(at, end - at)));
        at = end + 1;
    }
    return extents;
}

template <typename T> std::vector<T> read(const std::string &path, std::size_t count) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) {
        throw std::runtime_error("there is no " + path);
    }
    const auto bytes = static_cast<std::size_t>(file.tellg());
    if (bytes != count * sizeof(T)) {
        throw std::runtime_error(path + " has " + std::to_string(bytes) + " bytes instead of " +
                                 std::to_string(count * sizeof(T)));
    }
    std::vector<T> values(count);
    file.seekg(0);
    if (!file.read(reinterpret_cast<char *>(values.data()), static_cast<std::streamsize>(bytes))) {
        throw std::runtime_error(path + " cannot be read");
    }
    return values;
}

template <typename T>
void compare_files(const std::vector<std::size_t> &extents, const bench::Tolerance &most, const char *const *paths) {
    std::size_t count = 1;
    for (const std::size_t extent : extents) {
        count *= extent;
    }
    if (count == 0) {
        throw std::runtime_error("the outputs are empty");
    }
    const std::vector<T> is = read<T>(paths[0], count), expected = read<T>(paths[1], count);
    const bench::Difference found = bench::compare(is.data(), expected.data(), count, extents, most);
    if (found.count == 0) {
        std::printf("equal\n");
    } else if (found.beyond == 0) {
        std::printf("near %zu %.3g\n", found.count, found.worst);
    } else {
        std::printf("different %zu %.3g %zu %zu %.9g %.9g\n", found.count, found.worst, found.beyond, found.first,
                    static_cast<double>(is[found.first]), static_cast<double>(expected[found.first]));
    }
}

using Compare = void (*)(const std::vector<std::size_t> &, const bench::Tolerance &, const char *const *);

Compare find_compare(const std::string &kind) {
    static const std::pair<const char *, Compare> kinds[] = {
        {"f4", compare_files<float>},         {"f8", compare_files<double>},
        {"i1", compare_files<std::int8_t>},   {"i2", compare_files<std::int16_t>},
        {"i4", compare_files<std::int32_t>},  {"i8", compare_files<std::int64_t>},
        {"u1", compare_files<std::uint8_t>},  {"u2", compare_files<std::uint16_t>},
        {"u4", compare_files<std::uint32_t>}, {"u8", compare_files<std::uint64_t>},
    };
    for (const auto &[name, compare] : kinds) {
        if (kind == name) {
            return compare;
        }
    }
    throw std::runtime_error("elements of the unknown kind " + kind);
}

} // namespace

int main(int argc, char **argv) {
    try {
        if (argc != 7) {
            throw std::runtime_error("six arguments: KIND EXTENTS RELATIVE ABSOLUTE FILE EXPECTED");
        }
        find_compare(argv[1])(parse_extents(argv[2]), {std::stod(argv[3]), std::stod(argv[4])}, argv + 5);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
