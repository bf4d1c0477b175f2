// Memory for the allocations of generated code.
//
// What: blocks aligned to 128 bytes (two cache lines, twice the widest vector) with 128 readable bytes after the end,
// so that vector loads may run past the last element. A header line that holds the block's capacity precedes it.
//
// Method: pipelines allocate the same sizes repeatedly, and fresh pages are expensive (a page fault for each 4 KiB can
// cost more than computing the values), so freed blocks are reused.
// - Up to 1 MiB: each thread keeps at most 16 blocks and 4 MiB, with no lock, no system call, and warm pages. It
//   returns them when it ends.
// - Above: the process keeps at most 32 blocks and 256 MiB under a lock, evicts the oldest first, and marks their pages
//   so that the system may reclaim them under memory pressure (MADV_FREE). Blocks of 2 MiB and more are mapped at
//   multiples of 2 MiB and request huge pages, which makes first touches several times cheaper.
// A kept block serves a request that fills at least half of it (two thirds above 1 MiB). Under sanitizers nothing is
// kept and the system allocator serves all sizes, so that uses after free are detected.
//
// Consecutive large blocks begin at different offsets within a page: buffers that are accessed in lockstep would
// otherwise map to the same lines of the first-level cache, and loads would wait for stores with the same low address
// bits.
//
// A program replaces the functions by setters, or by defining halide_malloc and halide_free. The latter, and what
// halide_set_custom_malloc installs, need not know of vectors that read past the end, and are asked for more bytes.
//
// A block holds its previous contents. In tests this would hide reads of elements that nothing computed, so blocks can
// be poisoned on request.
//
// Relies on: aligned_alloc, mmap. Does not do: accounting, limits, zeroing. Cost: some 20 ns for a kept small block, a
// microsecond for a kept large one.

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime_ranks.h"
#include "runtime/catcher.h"
#include "runtime/profile/profile.h"
#include "runtime/replaceable.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>

namespace {

constexpr size_t alignment = fluorite_malloc_alignment;
constexpr size_t header_bytes = alignment;
constexpr size_t padding_bytes = alignment;
constexpr size_t largest_kept_block = size_t{1} << 20;
constexpr size_t most_kept_bytes = size_t{4} << 20;
constexpr int most_kept_blocks = 16;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif
constexpr bool keeps_blocks = !sanitized;
// No machine has more; sanitizers abort on requests that they cannot serve instead of refusing them.
constexpr size_t largest_request = size_t{1} << (sanitized ? 38 : 46);

constexpr size_t huge_page = size_t{2} << 20;
constexpr size_t most_kept_large_bytes = size_t{256} << 20;
constexpr int most_kept_large_blocks = 32;

struct Block {
    size_t capacity; // bytes that the caller may request in this block
    size_t mapped;   // bytes that were mapped for it; 0 if the system allocator provided it
    size_t before;   // bytes between the start of the system's memory and this block
};

constexpr size_t least_shifted_block = size_t{64} << 10;
constexpr unsigned shifts = 8;
constexpr size_t shift_bytes = 9 * alignment; // spreads the offsets of consecutive blocks within a page

/// The offset of the next large block.
size_t next_shift() {
    static std::atomic<unsigned> count{0};
    return count.fetch_add(1, std::memory_order_relaxed) % shifts * shift_bytes;
}

Block *map_block(size_t bytes, size_t shift) {
    bytes += shift;
    const size_t unit = bytes >= 2 * huge_page ? huge_page : size_t{4096};
    const size_t size = (bytes + unit - 1) / unit * unit;
    void *space = mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED) {
        return nullptr;
    }
    auto *start = static_cast<uint8_t *>(space);
    const size_t before = (huge_page - reinterpret_cast<uintptr_t>(start) % huge_page) % huge_page;
    if (before > 0) {
        munmap(start, before);
    }
    if (before < huge_page) {
        munmap(start + before + size, huge_page - before);
    }
    madvise(start + before, size, MADV_HUGEPAGE); // a hint; without it the pages are small
    auto *block = reinterpret_cast<Block *>(start + before + shift);
    *block = {size - shift - header_bytes - padding_bytes, size, shift};
    return block;
}

Block *new_block(size_t bytes) {
    const size_t capacity = (bytes + alignment - 1) / alignment * alignment;
    const size_t total = header_bytes + capacity + padding_bytes;
    const size_t shift = !sanitized && total >= least_shifted_block ? next_shift() : 0;
    if (!sanitized && total >= huge_page) {
        return map_block(total, shift);
    }
    auto *space = static_cast<uint8_t *>(std::aligned_alloc(alignment, shift + total));
    if (space == nullptr) {
        return nullptr;
    }
    auto *block = reinterpret_cast<Block *>(space + shift);
    *block = {capacity, 0, shift};
    return block;
}

void delete_block(Block *block) {
    uint8_t *space = reinterpret_cast<uint8_t *>(block) - block->before;
    block->mapped > 0 ? static_cast<void>(munmap(space, block->mapped)) : std::free(space);
}

// The large blocks that the process keeps, oldest first.
class LargeBlocks {
  public:
    Block *take(size_t bytes) {
        std::lock_guard guard(mutex_);
        int best = -1;
        for (int i = 0; i < count_; i++) {
            const size_t capacity = blocks_[i]->capacity;
            const bool fits = capacity >= bytes && capacity / 3 * 2 <= bytes;
            best = fits && (best < 0 || capacity < blocks_[best]->capacity) ? i : best;
        }
        return best < 0 ? nullptr : remove(best);
    }

    bool keep(Block *block) {
        if (block->capacity > most_kept_large_bytes) {
            return false;
        }
        // The first huge page holds the header and stays; freeing the rest of it would split it.
        if (block->mapped > 2 * huge_page) {
            uint8_t *space = reinterpret_cast<uint8_t *>(block) - block->before;
            madvise(space + huge_page, block->mapped - huge_page, MADV_FREE);
        }
        std::lock_guard guard(mutex_);
        while (count_ == most_kept_large_blocks || bytes_ + block->capacity > most_kept_large_bytes) {
            delete_block(remove(0));
        }
        blocks_[count_++] = block;
        bytes_ += block->capacity;
        return true;
    }

    void release() {
        std::lock_guard guard(mutex_);
        while (count_ > 0) {
            delete_block(remove(count_ - 1));
        }
    }

  private:
    Block *remove(int index) {
        Block *block = blocks_[index];
        for (int i = index + 1; i < count_; i++) {
            blocks_[i - 1] = blocks_[i];
        }
        count_--;
        bytes_ -= block->capacity;
        return block;
    }

    std::mutex mutex_;
    Block *blocks_[most_kept_large_blocks];
    int count_ = 0;
    size_t bytes_ = 0;
};

// Never destroyed, because blocks may be freed after the library's destructors; the object below releases its blocks.
LargeBlocks &large_blocks() {
    alignas(LargeBlocks) static unsigned char storage[sizeof(LargeBlocks)];
    static auto *blocks = new (storage) LargeBlocks;
    return *blocks;
}
struct ReleaseAtEnd {
    ~ReleaseAtEnd() { large_blocks().release(); }
} release_at_end;

// Plain data, so that frees after the thread's destructors still work.
struct KeptBlocks {
    Block *blocks[most_kept_blocks];
    int count;
    size_t bytes;
    bool closed;
};
thread_local KeptBlocks kept;

void release_kept() {
    for (int i = 0; i < kept.count; i++) {
        delete_block(kept.blocks[i]);
    }
    kept.count = 0;
    kept.bytes = 0;
}

struct ReleaseAtThreadEnd {
    bool armed = false;
    ~ReleaseAtThreadEnd() {
        kept.closed = true;
        release_kept();
    }
};
thread_local ReleaseAtThreadEnd release_at_thread_end;

Block *take_kept(size_t bytes) {
    for (int i = kept.count - 1; i >= 0; i--) {
        Block *block = kept.blocks[i];
        if (block->capacity >= bytes && block->capacity / 2 <= bytes + alignment) {
            kept.blocks[i] = kept.blocks[--kept.count];
            kept.bytes -= block->capacity;
            return block;
        }
    }
    return nullptr;
}

bool keep(Block *block) {
    if (kept.closed || kept.count == most_kept_blocks || kept.bytes + block->capacity > most_kept_bytes) {
        return false;
    }
    release_at_thread_end.armed = true;
    kept.blocks[kept.count++] = block;
    kept.bytes += block->capacity;
    return true;
}

bool poison_is_asked_for() {
    const char *value = std::getenv("FLUORITE_POISON");
    return value != nullptr && std::strcmp(value, "1") == 0;
}
std::atomic<bool> poisons{poison_is_asked_for()};

void *default_malloc(void *, size_t bytes) {
    if (bytes > largest_request) {
        return nullptr;
    }
    Block *block = bytes <= largest_kept_block ? take_kept(bytes) : large_blocks().take(bytes);
    if (block == nullptr) {
        fluorite_mention_unknown_variables(nullptr);
        block = new_block(bytes);
    }
    if (block == nullptr) {
        return nullptr;
    }
    void *data = reinterpret_cast<uint8_t *>(block) + header_bytes;
    if (poisons.load(std::memory_order_relaxed)) {
        std::memset(data, 0xA5, bytes);
    }
    return data;
}

void default_free(void *, void *pointer) {
    if (pointer == nullptr) {
        return;
    }
    auto *block = reinterpret_cast<Block *>(static_cast<uint8_t *>(pointer) - header_bytes);
    const bool is_kept =
        keeps_blocks && (block->capacity > largest_kept_block ? large_blocks().keep(block) : keep(block));
    if (!is_kept) {
        delete_block(block);
    }
}

std::atomic<fluorite_malloc_t> malloc_function{default_malloc};
std::atomic<fluorite_free_t> free_function{default_free};
// Those of Halide's setters, which the former precede.
std::atomic<halide_malloc_t> halide_malloc_function{default_malloc};
std::atomic<halide_free_t> halide_free_function{default_free};

size_t with_padding(size_t bytes) { return bytes + padding_bytes > bytes ? bytes + padding_bytes : bytes; }

// The function that serves a request, and the bytes to ask it for.
struct Allocator {
    fluorite_malloc_t function;
    size_t bytes;
};
Allocator allocator_of(size_t bytes) {
    if (const fluorite_malloc_t function = malloc_function.load(std::memory_order_relaxed);
        function != default_malloc) {
        return {function, bytes};
    }
    if (FLUORITE_IS_REPLACED(halide_malloc)) {
        return {halide_malloc, with_padding(bytes)};
    }
    const halide_malloc_t function = halide_malloc_function.load(std::memory_order_relaxed);
    return {function, function == default_malloc ? bytes : with_padding(bytes)};
}
fluorite_free_t current_free() {
    if (const fluorite_free_t function = free_function.load(std::memory_order_relaxed); function != default_free) {
        return function;
    }
    return FLUORITE_IS_REPLACED(halide_free) ? halide_free : halide_free_function.load(std::memory_order_relaxed);
}

} // namespace

extern "C" {

void *fluorite_malloc(void *context, size_t bytes) {
    const fluorite_runtime::profile::OtherScope here(fluorite_profile_malloc);
    const Allocator allocator = allocator_of(bytes);
    if (allocator.function == default_malloc) {
        return default_malloc(context, bytes);
    }
    return fluorite_runtime::call_hook(static_cast<void *>(nullptr),
                                       [&] { return allocator.function(context, allocator.bytes); });
}

// Memory is freed even if another hook has thrown.
void fluorite_free(void *context, void *pointer) {
    const fluorite_runtime::profile::OtherScope here(fluorite_profile_free);
    const fluorite_free_t function = current_free();
    if (pointer == nullptr || function == default_free) {
        return default_free(context, pointer);
    }
    fluorite_catcher_t *const catcher = fluorite_runtime::current_catcher;
    if (catcher == nullptr) {
        return function(context, pointer);
    }
#if defined(__cpp_exceptions)
    try {
        function(context, pointer);
    } catch (...) {
        fluorite_runtime::catch_current(catcher);
    }
#endif
}

void fluorite_release_kept_memory(void) {
    release_kept();
    large_blocks().release();
}

bool fluorite_set_poison_memory(bool on) { return poisons.exchange(on); }
bool fluorite_poisons_memory() { return poisons.load(std::memory_order_relaxed); }

fluorite_malloc_t fluorite_set_custom_malloc(fluorite_malloc_t function) {
    return malloc_function.exchange(function != nullptr ? function : default_malloc);
}

fluorite_free_t fluorite_set_custom_free(fluorite_free_t function) {
    return free_function.exchange(function != nullptr ? function : default_free);
}

void *fluorite_own_halide_malloc(void *context, size_t bytes) {
    return halide_malloc_function.load(std::memory_order_relaxed)(context, bytes);
}
void fluorite_own_halide_free(void *context, void *pointer) {
    halide_free_function.load(std::memory_order_relaxed)(context, pointer);
}
void *halide_default_malloc(void *context, size_t bytes) { return default_malloc(context, bytes); }
void halide_default_free(void *context, void *pointer) { default_free(context, pointer); }

halide_malloc_t halide_set_custom_malloc(halide_malloc_t function) {
    return halide_malloc_function.exchange(function != nullptr ? function : default_malloc);
}
halide_free_t halide_set_custom_free(halide_free_t function) {
    return halide_free_function.exchange(function != nullptr ? function : default_free);
}
}

FLUORITE_REPLACEABLE(void *, halide_malloc, (void *context, size_t bytes));
FLUORITE_REPLACEABLE(void, halide_free, (void *context, void *pointer));
