// Memory for the allocations of generated code.
//
// What: blocks aligned to 128 bytes (two cache lines, the widest vector twice) with 128 readable bytes after the end,
// so that vector loads may run past the last element. A block is preceded by one header line that holds its capacity.
//
// Method: tiles allocate the same scratch sizes again and again, so each thread keeps a few blocks that it freed and
// hands them out again: no lock, no system call, warm pages. Kept are blocks of at most 1 MiB, at most 16 of them and
// 4 MiB together; a kept block serves a request that fills at least half of it. Larger blocks go straight to the
// system allocator. A thread gives its blocks back when it ends. Under sanitizers nothing is kept, so that
// uses after free are seen.
//
// Relies on: aligned_alloc. Does not do: accounting, limits, zeroing. Cost: some 20 ns for a kept block.

#include "fluorite/runtime_abi.h"

#include <atomic>
#include <cstdlib>

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

struct Block {
    size_t capacity; // bytes that a user may ask for in this block
};

// Plain data, so that frees that come after the thread's destructors still work.
struct KeptBlocks {
    Block *blocks[most_kept_blocks];
    int count;
    size_t bytes;
    bool closed;
};
thread_local KeptBlocks kept;

void release_kept() {
    for (int i = 0; i < kept.count; i++) {
        std::free(kept.blocks[i]);
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
    if (!keeps_blocks || kept.closed || block->capacity > largest_kept_block || kept.count == most_kept_blocks ||
        kept.bytes + block->capacity > most_kept_bytes) {
        return false;
    }
    release_at_thread_end.armed = true;
    kept.blocks[kept.count++] = block;
    kept.bytes += block->capacity;
    return true;
}

void *default_malloc(void *, size_t bytes) {
    if (bytes > largest_request) {
        return nullptr;
    }
    Block *block = take_kept(bytes);
    if (block == nullptr) {
        const size_t capacity = (bytes + alignment - 1) / alignment * alignment;
        block = static_cast<Block *>(std::aligned_alloc(alignment, header_bytes + capacity + padding_bytes));
        if (block == nullptr) {
            return nullptr;
        }
        block->capacity = capacity;
    }
    return reinterpret_cast<uint8_t *>(block) + header_bytes;
}

void default_free(void *, void *pointer) {
    if (pointer == nullptr) {
        return;
    }
    auto *block = reinterpret_cast<Block *>(static_cast<uint8_t *>(pointer) - header_bytes);
    if (!keep(block)) {
        std::free(block);
    }
}

std::atomic<fluorite_malloc_t> malloc_function{default_malloc};
std::atomic<fluorite_free_t> free_function{default_free};

} // namespace

extern "C" {

void *fluorite_malloc(void *context, size_t bytes) {
    return malloc_function.load(std::memory_order_relaxed)(context, bytes);
}

void fluorite_free(void *context, void *pointer) { free_function.load(std::memory_order_relaxed)(context, pointer); }

void fluorite_release_kept_memory(void) { release_kept(); }

fluorite_malloc_t fluorite_set_custom_malloc(fluorite_malloc_t function) {
    return malloc_function.exchange(function != nullptr ? function : default_malloc);
}

fluorite_free_t fluorite_set_custom_free(fluorite_free_t function) {
    return free_function.exchange(function != nullptr ? function : default_free);
}
}
