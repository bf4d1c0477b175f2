// Alignment, padding, reuse and refusal of the allocator.

#include "fluorite/runtime_abi.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace memory_test {

namespace {

TEST(Memory, BlocksAreAlignedPaddedAndDistinct) {
    std::mt19937 random(1);
    struct Block {
        uint8_t *data;
        size_t bytes;
        uint8_t value;
    };
    std::vector<Block> blocks;
    for (int step = 0; step < 2000; step++) {
        if (blocks.size() < 40 && random() % 2 == 0) {
            const size_t bytes = random() % (1U << (random() % 18));
            auto *data = static_cast<uint8_t *>(fluorite_malloc(nullptr, bytes));
            ASSERT_NE(data, nullptr);
            ASSERT_EQ(reinterpret_cast<uintptr_t>(data) % fluorite_malloc_alignment, 0U);
            volatile uint8_t sink = 0;
            for (size_t i = 0; i < 128; i++) {
                sink = sink + data[bytes + i]; // readable past the end
            }
            blocks.push_back({data, bytes, static_cast<uint8_t>(random())});
            std::memset(data, blocks.back().value, bytes);
        } else if (!blocks.empty()) {
            const size_t pick = random() % blocks.size();
            const Block block = blocks[pick];
            for (size_t i = 0; i < block.bytes; i++) {
                ASSERT_EQ(block.data[i], block.value);
            }
            fluorite_free(nullptr, block.data);
            blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(pick));
        }
    }
    for (const Block &block : blocks) {
        fluorite_free(nullptr, block.data);
    }
    fluorite_release_kept_memory();
}

TEST(Memory, LargeBlocksAreReusedAndStayDistinct) {
    constexpr size_t mib = size_t{1} << 20;
    std::mt19937 random(2);
    std::vector<std::pair<uint8_t *, size_t>> blocks;
    for (int step = 0; step < 300; step++) {
        if (blocks.size() < 5 && random() % 2 == 0) {
            const size_t bytes = mib / 2 + random() % (random() % 10 == 0 ? 300 * mib : 5 * mib);
            auto *data = static_cast<uint8_t *>(fluorite_malloc(nullptr, bytes));
            ASSERT_NE(data, nullptr);
            ASSERT_EQ(reinterpret_cast<uintptr_t>(data) % fluorite_malloc_alignment, 0U);
            data[0] = data[bytes / 2] = data[bytes - 1] = static_cast<uint8_t>(step);
            data[1] = static_cast<uint8_t>(step);
            volatile uint8_t past_the_end = data[bytes + 127];
            static_cast<void>(past_the_end);
            blocks.emplace_back(data, bytes);
        } else if (!blocks.empty()) {
            const auto [data, bytes] = blocks.front();
            ASSERT_EQ(data[0], data[1]);
            ASSERT_EQ(data[bytes / 2], data[1]);
            ASSERT_EQ(data[bytes - 1], data[1]);
            fluorite_free(nullptr, data);
            blocks.erase(blocks.begin());
        }
    }
    for (const auto &[data, bytes] : blocks) {
        fluorite_free(nullptr, data);
    }
    fluorite_release_kept_memory();
    void *first = fluorite_malloc(nullptr, 3 * mib);
    fluorite_free(nullptr, first);
    void *second = fluorite_malloc(nullptr, 3 * mib - 5000);
    fluorite_free(nullptr, second);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_EQ(first, second);
#endif
    fluorite_release_kept_memory();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Memory, LargeBlocksBeginAtDifferentPlacesOfAPage) {
    for (const size_t bytes : {size_t{256} << 10, size_t{4} << 20}) {
        fluorite_release_kept_memory();
        void *blocks[4];
        std::set<uintptr_t> places;
        for (void *&block : blocks) {
            block = fluorite_malloc(nullptr, bytes);
            std::memset(block, 1, bytes);
            places.insert(reinterpret_cast<uintptr_t>(block) % 4096);
        }
        EXPECT_EQ(places.size(), std::size(blocks)) << bytes;
        for (void *block : blocks) {
            fluorite_free(nullptr, block);
        }
        fluorite_release_kept_memory();
    }
}
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Whether a block of `bytes`, once freed, serves a request of `wanted`.
bool is_reused(size_t bytes, size_t wanted) {
    fluorite_release_kept_memory();
    void *first = fluorite_malloc(nullptr, bytes);
    void *other = fluorite_malloc(nullptr, wanted); // so that the system has no reason to give the first one again
    fluorite_free(nullptr, first);
    void *second = fluorite_malloc(nullptr, wanted);
    fluorite_free(nullptr, other);
    fluorite_free(nullptr, second);
    fluorite_release_kept_memory();
    return first == second;
}

TEST(Memory, KeptBlocksServeWhatFillsMostOfThem) {
    constexpr size_t kib = 1024, mib = 1024 * kib;
    EXPECT_TRUE(is_reused(64 * kib, 64 * kib));
    EXPECT_TRUE(is_reused(64 * kib, 32 * kib));
    EXPECT_FALSE(is_reused(64 * kib, 31 * kib));
    EXPECT_FALSE(is_reused(64 * kib, 64 * kib + 1));
    EXPECT_TRUE(is_reused(mib, mib / 2));       // the largest that a thread keeps
    EXPECT_TRUE(is_reused(12 * mib, 10 * mib)); // of 14, as large blocks are whole pages of 2
    EXPECT_FALSE(is_reused(12 * mib, 9 * mib));
    EXPECT_TRUE(is_reused(250 * mib, 200 * mib));
}

TEST(Memory, TheSmallestLargeBlockServesAndTheOldestIsReturned) {
    constexpr size_t mib = size_t{1} << 20;
    fluorite_release_kept_memory();
    for (const auto &sizes : {std::pair(6 * mib, 8 * mib), std::pair(8 * mib, 6 * mib)}) {
        void *blocks[] = {fluorite_malloc(nullptr, sizes.first), fluorite_malloc(nullptr, sizes.second)};
        fluorite_free(nullptr, blocks[0]);
        fluorite_free(nullptr, blocks[1]);
        void *taken = fluorite_malloc(nullptr, 6 * mib - 5000);
        EXPECT_EQ(taken, blocks[sizes.first < sizes.second ? 0 : 1]);
        fluorite_free(nullptr, taken);
        fluorite_release_kept_memory();
    }
    std::set<void *> blocks; // of which two stay
    void *oldest = fluorite_malloc(nullptr, 100 * mib);
    void *others[] = {fluorite_malloc(nullptr, 100 * mib), fluorite_malloc(nullptr, 100 * mib)};
    fluorite_free(nullptr, oldest);
    for (void *block : others) {
        fluorite_free(nullptr, block);
        blocks.insert(block);
    }
    void *taken[] = {fluorite_malloc(nullptr, 100 * mib), fluorite_malloc(nullptr, 100 * mib)};
    EXPECT_EQ(blocks, std::set<void *>({taken[0], taken[1]}));
    for (void *block : taken) {
        fluorite_free(nullptr, block);
    }
    fluorite_release_kept_memory();
}
#endif

TEST(Memory, PoisonOverwritesWhatWasThere) {
    const bool before = fluorite_set_poison_memory(true);
    for (const size_t bytes : {size_t{100}, size_t{5} << 20}) {
        for (int round = 0; round < 2; round++) {
            auto *data = static_cast<uint8_t *>(fluorite_malloc(nullptr, bytes));
            EXPECT_EQ(data[0], 0xA5);
            EXPECT_EQ(data[bytes - 1], 0xA5);
            std::memset(data, 1, bytes);
            fluorite_free(nullptr, data);
        }
    }
    EXPECT_TRUE(fluorite_set_poison_memory(before));
}

TEST(Memory, RefusesWhatCannotBeHad) {
    EXPECT_EQ(fluorite_malloc(nullptr, SIZE_MAX), nullptr);
    EXPECT_EQ(fluorite_malloc(nullptr, SIZE_MAX / 4), nullptr);
    fluorite_free(nullptr, nullptr);
}

TEST(Memory, BlocksMayBeFreedByAnotherThread) {
    fluorite_release_kept_memory();
    auto *block = static_cast<uint8_t *>(fluorite_malloc(nullptr, 1000));
    std::memset(block, 7, 1000);
    void *taken_there = nullptr;
    std::thread([&] {
        EXPECT_EQ(block[999], 7);
        fluorite_free(nullptr, block);
        taken_there = fluorite_malloc(nullptr, 1000);
        fluorite_free(nullptr, taken_there);
    }).join();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_EQ(taken_there, block); // kept by the thread that freed it, and released when that thread ended
#endif
    auto *next = static_cast<uint8_t *>(fluorite_malloc(nullptr, 1000));
    std::memset(next, 8, 1000);
    EXPECT_EQ(next[0] + next[999], 16);
    fluorite_free(nullptr, next);
}

TEST(Memory, CustomFunctionsAreCalledAndRestored) {
    static int calls = 0;
    static uint8_t storage[64];
    fluorite_set_custom_malloc([](void *, size_t) -> void * { return ++calls, storage; });
    const auto restore = fluorite_set_custom_free([](void *, void *pointer) { calls += pointer == storage ? 10 : 0; });
    void *block = fluorite_malloc(nullptr, 8);
    EXPECT_EQ(block, storage);
    fluorite_free(nullptr, block);
    fluorite_set_custom_malloc(nullptr);
    fluorite_set_custom_free(restore);
    EXPECT_EQ(calls, 11);
    block = fluorite_malloc(nullptr, 8);
    EXPECT_NE(block, storage);
    fluorite_free(nullptr, block);
}

} // namespace

} // namespace memory_test
