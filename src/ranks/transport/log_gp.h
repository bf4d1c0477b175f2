#pragma once
// The parameters of a network and its processors, after the LogGP model (Alexandrov, Ionescu, Schauser and Scheiman,
// 1995).

#include <cstdint>
#include <string>

namespace fluorite::distribute {

/// Times in seconds. A message of k bytes from one idle rank to another takes
/// overhead + (k - 1) * seconds_per_byte + latency + overhead.
struct LogGP {
    double latency = 2e-6;              // L: of the network, from the last byte sent to the last byte there
    double overhead = 0.5e-6;           // o: of the processor, for each message that it sends or receives
    double gap = 0.5e-6;                // g: between the end of one message and the begin of the next at one port
    double seconds_per_byte = 1e-10;    // G: of one port, each direction by itself
    double seconds_per_point = 1e-9;    // of the processor, for a point of unit cost
    double seconds_per_packed_byte = 0; // of the processor, on each side
    double seconds_per_row = 0;         // of the processor, for each row of a box, beside its points

    double port_time(int64_t bytes) const { return bytes > 1 ? static_cast<double>(bytes - 1) * seconds_per_byte : 0; }
    /// Throws RuntimeError [bad-replay] where a time is negative or no number.
    void validate() const;
};

/// One line with all parameters.
std::string to_string(const LogGP &model);

} // namespace fluorite::distribute
