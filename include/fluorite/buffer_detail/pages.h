#pragma once
// Memory for the elements of buffers. For use through fluorite/buffer.h.

#include "fluorite/require_cxx17.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace fluorite::buffer_detail {

#ifdef __linux__
/// Whole pages from the system, aligned to 2 MiB and advised to be huge pages, which makes first touches several times
/// cheaper; null if they cannot be allocated.
inline std::shared_ptr<void> map_pages(size_t bytes) {
    constexpr size_t huge_page = size_t{2} << 20;
    // Rounds up to whole huge pages, because hundreds of small page faults would serve a partial one at the end.
    const size_t size = (bytes + huge_page - 1) / huge_page * huge_page + huge_page;
    void *space = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED) {
        return nullptr;
    }
    const size_t before = (huge_page - reinterpret_cast<uintptr_t>(space) % huge_page) % huge_page;
    void *first = static_cast<uint8_t *>(space) + before;
    madvise(first, size - before, MADV_HUGEPAGE); // advisory; if refused, the pages are small
    return {first, [space, size](void *) { munmap(space, size); }};
}
#endif

/// Uninitialized memory aligned to 128 bytes with 128 readable bytes after its end; null if it cannot be allocated.
inline std::shared_ptr<void> allocate_elements(size_t bytes) {
    constexpr std::align_val_t alignment{128};
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
    if (bytes >= size_t{4} << 20) {
        return map_pages(bytes + 128);
    }
#endif
    void *block = ::operator new(bytes + 128, alignment, std::nothrow);
    if (block == nullptr) {
        return nullptr;
    }
    return {block, [](void *p) { ::operator delete(p, std::align_val_t{128}); }};
}

} // namespace fluorite::buffer_detail
