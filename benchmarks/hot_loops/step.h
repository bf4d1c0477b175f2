#pragma once
// Counts how often each instruction of a call runs, by single steps: x86-64 Linux raises SIGTRAP after every
// instruction while the trap flag is set. Only the calling thread is counted. About 20 microseconds an instruction.

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <ucontext.h>
#include <vector>

namespace hot_loops {

/// Pairs of addresses and how often each came; open addressing in memory that is there before the first step, for a
/// handler may allocate nothing.
class Counts {
  public:
    struct Entry {
        std::uint64_t first = 0, second = 0, count = 0;
    };
    void add(std::uint64_t first, std::uint64_t second) {
        std::size_t at = (first * 0x9E3779B97F4A7C15U ^ second * 0xC2B2AE3D27D4EB4FU) >> 32;
        while (entries_[at %= entries_.size()].count != 0 &&
               (entries_[at].first != first || entries_[at].second != second)) {
            at++;
        }
        entries_[at] = {first, second, entries_[at].count + 1};
    }
    const std::vector<Entry> &entries() const { return entries_; }

  private:
    std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << 21);
};

struct Recording {
    Counts instructions, jumps_back;
    std::uint64_t last = 0;

    void step(std::uint64_t at) {
        instructions.add(at, 0);
        if (at <= last && is_jump(last)) {
            jumps_back.add(last, at);
        }
        last = at;
    }

  private:
    static bool is_jump(std::uint64_t at) {
        const auto *code = reinterpret_cast<const unsigned char *>(at);
        const bool is_short = (code[0] & 0xF0) == 0x70 || code[0] == 0xEB;
        return is_short || code[0] == 0xE9 || (code[0] == 0x0F && (code[1] & 0xF0) == 0x80);
    }
};

inline Recording *recording = nullptr;

/// Runs `work` by single steps into `recording`.
inline void record(const std::function<void()> &work) {
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int, siginfo_t *, void *context) {
        recording->step(static_cast<std::uint64_t>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]));
    };
    sigaction(SIGTRAP, &action, nullptr);
    asm volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" ::: "memory", "cc");
    work();
    asm volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" ::: "memory", "cc");
}

/// Prints what benchmarks/hot_loops.py reads: each instruction's count, and each jump back with the bytes between.
inline void print() {
    std::uint64_t total = 0;
    for (const Counts::Entry &entry : recording->instructions.entries()) {
        total += entry.count;
    }
    std::printf("total %lu\n", total);
    for (const Counts::Entry &jump : recording->jumps_back.entries()) {
        constexpr std::uint64_t longest = 1 << 16;
        const std::uint64_t length = jump.first - jump.second;
        // What ran less than a thousandth of the time is no inner loop of interest.
        if (jump.count == 0 || length > longest || jump.count * length < total / 1000) {
            continue;
        }
        std::printf("loop %lx %lx %lu ", jump.second, jump.first, jump.count);
        for (std::uint64_t at = jump.second; at < jump.first + 6; at++) {
            std::printf("%02x", *reinterpret_cast<const unsigned char *>(at));
        }
        std::printf("\n");
    }
    for (const Counts::Entry &entry : recording->instructions.entries()) {
        if (entry.count != 0) {
            std::printf("at %lx %lu\n", entry.first, entry.count);
        }
    }
}

} // namespace hot_loops
