#pragma once
// Execution of kernels: the blocks of a grid one after the other, the threads of a block in turns.
//
// A thread runs until it comes to a barrier or ends; then the next one runs. The order of the threads is another one
// after each barrier, so that a kernel with a missing barrier is likely to show it. Whatever the order, two accesses to
// the same byte that no barrier and no end of the launch separates, of which one is a store of another value, are a
// data race, which ends the launch with an error. Atomic updates do not race with each other.
//
// Allocations that a block shares are where the layout of the kernel puts them (ir/device_code.h), so that those that
// take bytes of each other too early are found. Blocks that no device of CUDA launches are refused, as their launches
// are: the executor stands for all devices.

#include "backends/executor/program.h"

#include <array>
#include <optional>
#include <utility>

namespace fluorite::backends::executor {

/// The accesses to the memory that the threads of a launch share.
class ShadowMemory {
  public:
    struct Access {
        const uint8_t *at;
        size_t bytes;
        bool is_store;
        int64_t block;
        int thread;
        size_t epoch; // the number of barriers before it
        bool is_atomic;
    };
    /// The thread with which the access, which is about to happen, races: its block and number. `value` is what is
    /// stored; two threads may store the same.
    std::optional<std::pair<int64_t, int>> note(const Access &access, const uint8_t *value);
    /// The memory ends; what uses its addresses later is other memory.
    void forget(const uint8_t *block, uint64_t bytes);

  private:
    /// Who has accessed a byte. Between two barriers all of one block matter, else only whether there was one.
    struct Byte {
        int64_t block = -1;
        size_t epoch = 0;
        std::vector<int> writers, readers, updaters;                    // in that epoch of that block
        std::optional<std::pair<int64_t, int>> stored, loaded, loaded2; // by blocks, of two different ones
        std::optional<std::pair<int64_t, int>> updated, updated2;       // atomically, likewise
    };
    std::optional<std::pair<int64_t, int>> note_byte(Byte &byte, const Access &access, bool changes);
    static std::optional<std::pair<int64_t, int>> note_update(Byte &byte, const Access &access);

    std::unordered_map<const uint8_t *, Byte> bytes_;
};

/// What the threads of a block have in common.
class BlockOfThreads {
  public:
    BlockOfThreads(const std::string &kernel, ShadowMemory &shadow, void *context, int64_t number)
        : kernel_(kernel), shadow_(shadow), context_(context), number_(number) {}
    ~BlockOfThreads();
    BlockOfThreads(const BlockOfThreads &) = delete;
    BlockOfThreads &operator=(const BlockOfThreads &) = delete;

    /// The memory that the threads share, poisoned, of as many bytes in each call. Throws Failed if there is none,
    /// or more than any device has.
    uint8_t *shared(const char *name, uint64_t bytes);
    ShadowMemory &shadow() { return shadow_; }
    int64_t number() const { return number_; }

  private:
    const std::string &kernel_;
    ShadowMemory &shadow_;
    void *context_;
    int64_t number_;
    uint8_t *memory_ = nullptr;
    uint64_t bytes_ = 0;
};

/// A thread of a block, which a frame belongs to.
struct KernelThread {
    BlockOfThreads *block;
    int number;
    size_t epoch = 0;
};

/// The extents of a grid or a block, the innermost first.
using Extents = std::array<int64_t, 3>;

/// Runs the kernel; `set_up` gives a new frame its closure. Returns 0 or an error code.
int32_t run_kernel(const Function &kernel, void *context, const Extents &blocks, const Extents &threads,
                   const std::function<void(Frame &)> &set_up);

} // namespace fluorite::backends::executor
