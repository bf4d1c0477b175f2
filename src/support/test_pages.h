#pragma once
// For tests: memory that detects accesses beside it.

#include <cstdint>
#include <gtest/gtest.h>
#include <sys/mman.h>

namespace fluorite {

/// A page between two inaccessible ones.
class GuardedPage {
  public:
    GuardedPage() {
        space_ = static_cast<uint8_t *>(mmap(nullptr, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        EXPECT_NE(space_, MAP_FAILED);
        EXPECT_EQ(mprotect(begin(), page, PROT_READ | PROT_WRITE), 0);
        for (size_t i = 0; i < page; i++) {
            begin()[i] = static_cast<uint8_t>(i * 7 + i / 256);
        }
    }
    ~GuardedPage() { munmap(space_, 3 * page); }
    GuardedPage(const GuardedPage &) = delete;
    GuardedPage &operator=(const GuardedPage &) = delete;

    static constexpr size_t page = 4096;
    uint8_t *begin() const { return space_ + page; }
    uint8_t *end() const { return begin() + page; }

  private:
    uint8_t *space_ = nullptr;
};

} // namespace fluorite
