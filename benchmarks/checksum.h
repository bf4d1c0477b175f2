#pragma once
// A checksum of an output, by which two programs that never meet can be seen to compute the same bits. Nothing of the
// compiler: programs for devices include it, too.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace benchmarks {

/// 16 hexadecimal digits: FNV-1a of 64 bits over words of 8 bytes and then the bytes that are left, with the upper half
/// of the hash mixed into the lower one after each, since products carry upwards only.
inline std::string checksum(const void *data, std::size_t bytes) {
    constexpr std::uint64_t prime = 0x100000001b3;
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto *at = static_cast<const unsigned char *>(data);
    for (; bytes >= sizeof(std::uint64_t); bytes -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 32;
    }
    for (; bytes > 0; bytes--, at++) {
        hash = (hash ^ *at) * prime;
        hash ^= hash >> 32;
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

} // namespace benchmarks
