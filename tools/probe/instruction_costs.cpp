// Costs of instructions that move lanes.
//
// Method: independent chains of one operation in registers, of which as many steps run as take some ten microseconds.
// The least time of many runs counts, over that of additions. The same code stands in a namespace for each width,
// compiled for the features of that width only, so a machine with more features measures what code for fewer ones costs
// on it.
//
// What an operation is:
//   words, bytes   lanes 1 to n of two vectors that lie behind each other (predictive_commoning)
//   gathered       n floats at indices from memory, all in the first cache, by one gather
//   one by one     the same by scalar loads, put together in a register

#include "instruction_costs.h"

#if defined(__x86_64__)

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <immintrin.h>
#include <utility>

namespace probe {
namespace {

constexpr int chains = 10, steps = 2000, runs = 300, table_size = 1024;

struct Times {
    double float_sum, byte_sum, words, bytes, gathered, one_by_one;
};

alignas(64) float table[table_size];
alignas(64) int32_t places[table_size];

double least_seconds(void (*work)()) {
    double least = 1;
    for (int run = 0; run < runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return least / (static_cast<double>(chains) * steps);
}

// Keeps a value in a register, and the compiler from knowing it.
#define FLUORITE_KEEP(value) asm volatile("" : "+v"(value))
#define FLUORITE_CHAINS(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7) step(8) step(9)
#define FLUORITE_ADD(i)                                                                                                \
    value[i] += other;                                                                                                 \
    FLUORITE_KEEP(value[i]);
#define FLUORITE_SHIFT(i)                                                                                              \
    value[i] = shifted(value[i], other, std::make_index_sequence<sizeof other / sizeof other[0]>());                   \
    FLUORITE_KEEP(value[i]);

#define FLUORITE_FUNCTION(features) __attribute__((target(features), noinline)) void

#define FLUORITE_CHAIN(features, name, type, step)                                                                     \
    FLUORITE_FUNCTION(features) name() {                                                                               \
        type value[chains] = {}, other = {};                                                                           \
        FLUORITE_KEEP(other);                                                                                          \
        for (int i = 0; i < steps; ++i) {                                                                              \
            FLUORITE_CHAINS(step)                                                                                      \
        }                                                                                                              \
    }

#define FLUORITE_SHIFTED(features, type)                                                                               \
    template <size_t... i>                                                                                             \
    __attribute__((target(features), always_inline)) inline type shifted(const type &a, const type &b,                 \
                                                                         std::index_sequence<i...>) {                  \
        return __builtin_shufflevector(a, b, (i + 1)...);                                                              \
    }

#define FLUORITE_LOADS(features, name, load)                                                                           \
    FLUORITE_FUNCTION(features) name() {                                                                               \
        for (int step = 0; step < steps * chains; ++step) {                                                            \
            const int32_t *at = places + step % (table_size / 16) * 16;                                                \
            Floats value = {};                                                                                         \
            load;                                                                                                      \
            asm volatile("" : "+r"(at));                                                                               \
            FLUORITE_KEEP(value);                                                                                      \
        }                                                                                                              \
    }

#define FLUORITE_ONE(i) value[i] = table[at[i]];

/// Functions over vectors of `width` bytes; `gather` and `each` load a vector by one gather and one by one.
#define FLUORITE_WIDTH(name, features, width, gather, each)                                                            \
    namespace name {                                                                                                   \
    typedef float Floats __attribute__((vector_size(width)));                                                          \
    typedef uint8_t Bytes __attribute__((vector_size(width)));                                                         \
    FLUORITE_SHIFTED(features, Floats)                                                                                 \
    FLUORITE_SHIFTED(features, Bytes)                                                                                  \
    FLUORITE_CHAIN(features, add_floats, Floats, FLUORITE_ADD)                                                         \
    FLUORITE_CHAIN(features, add_bytes, Bytes, FLUORITE_ADD)                                                           \
    FLUORITE_CHAIN(features, shift_floats, Floats, FLUORITE_SHIFT)                                                     \
    FLUORITE_CHAIN(features, shift_bytes, Bytes, FLUORITE_SHIFT)                                                       \
    FLUORITE_LOADS(features, load_gathered, gather)                                                                    \
    FLUORITE_LOADS(features, load_one_by_one, each)                                                                    \
    Times measure() {                                                                                                  \
        return {least_seconds(add_floats),  least_seconds(add_bytes),     least_seconds(shift_floats),                 \
                least_seconds(shift_bytes), least_seconds(load_gathered), least_seconds(load_one_by_one)};             \
    }                                                                                                                  \
    }

#define FLUORITE_FOUR(step, i) step(i) step(i + 1) step(i + 2) step(i + 3)

FLUORITE_WIDTH(sse41, "sse4.1", 16, {}, FLUORITE_FOUR(FLUORITE_ONE, 0))
FLUORITE_WIDTH(avx2, "avx2,fma", 32,
               value = (Floats)_mm256_i32gather_ps(table, _mm256_load_si256(reinterpret_cast<const __m256i *>(at)), 4),
               FLUORITE_FOUR(FLUORITE_ONE, 0) FLUORITE_FOUR(FLUORITE_ONE, 4))
FLUORITE_WIDTH(avx512, "avx512f,avx512bw,avx512vl,avx512dq", 64,
               value = (Floats)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, _mm512_load_si512(at), table, 4),
               FLUORITE_FOUR(FLUORITE_ONE, 0) FLUORITE_FOUR(FLUORITE_ONE, 4) FLUORITE_FOUR(FLUORITE_ONE, 8)
                   FLUORITE_FOUR(FLUORITE_ONE, 12))

std::string row(const char *name, const Times &times, bool has_gather) {
    char text[200];
    const auto in_sums = [&](double seconds) { return seconds / times.float_sum; };
    std::snprintf(text, sizeof text, "%-8s %8.2f %8.2f %10.2f %12.2f\n", name, in_sums(times.words),
                  times.bytes / times.byte_sum, has_gather ? in_sums(times.gathered) : 0.0, in_sums(times.one_by_one));
    return text;
}

} // namespace

std::string instruction_costs() {
    for (int i = 0; i < table_size; ++i) {
        places[i] = i * 389 % table_size;
    }
    std::string text = "in additions of whole vectors; 0: no such instruction\n"
                       "             words    bytes   gathered   one by one\n";
    text += __builtin_cpu_supports("sse4.1") ? row("sse41", sse41::measure(), false) : "";
    text += __builtin_cpu_supports("avx2") ? row("avx2", avx2::measure(), true) : "";
    text += __builtin_cpu_supports("avx512bw") ? row("avx512", avx512::measure(), true) : "";
    return text;
}

} // namespace probe

#else

namespace probe {
std::string instruction_costs() { return ""; }
} // namespace probe

#endif
