#pragma once
// Files of kernels, what they are given, and what they must compute. fluorite_cuda_bits writes one, and
// fluorite_cuda_run runs it on a machine with a device, where there is no compiler. Numbers are in the order of bytes
// of x86-64.

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace fluorite::cuda_bits {

struct RecordedArgument {
    enum Kind : uint64_t { Scalar, Input, Output } kind = Scalar;
    uint64_t bytes = 0; // of a scalar
    uint64_t value = 0; // its bits, or the number of the input
};

struct RecordedCase {
    std::string name, text; // for messages
    uint64_t bits = 0;      // of the elements of the output
    uint64_t mantissa = 0;  // the explicit bits of it; 0 unless they are floats
    std::array<uint64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    uint64_t shared = 0;
    std::vector<RecordedArgument> arguments;
    std::string initial, expected; // the bytes of the output before and after
};

/// A module, whose kernel number k is that of case k.
struct RecordedModule {
    std::string ptx;
    std::vector<std::string> names;
    std::vector<uint64_t> flags; // fluorite_device_kernel_flags
    std::vector<RecordedCase> cases;
};

/// Where the bytes of the output are not those that are expected, with the text of the case; empty if they are. NaNs
/// are equal, whatever their bits.
std::string difference(const RecordedCase &each, const std::string &seen);

void write_inputs(std::ostream &file, const std::vector<std::string> &inputs);
void write_module(std::ostream &file, const RecordedModule &module);
/// Throws std::runtime_error if the file is none of these.
std::vector<std::string> read_inputs(std::istream &file);
/// False at the end of the file.
bool read_module(std::istream &file, RecordedModule &module);

} // namespace fluorite::cuda_bits
