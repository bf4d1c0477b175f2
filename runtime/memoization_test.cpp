#include "fluorite/runtime_memoization.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace memoization_test {

namespace {

constexpr uint64_t some_hash = 17;

void ask(const char *identity, uint64_t part, std::string &block) {
    fluorite_memoization_begin(identity, some_hash);
    fluorite_memoization_key(part);
    fluorite_memoization_block(block.data(), static_cast<int64_t>(block.size()));
}

bool finds(const char *identity, uint64_t part, std::string &block) {
    ask(identity, part, block);
    return fluorite_memoization_lookup() == 1;
}

void keep(const char *identity, uint64_t part, std::string block, int has_key = 0, uint64_t key = 0) {
    ask(identity, part, block);
    fluorite_memoization_store(has_key, key);
}

class Memoization : public testing::Test {
  protected:
    void SetUp() override { fluorite_memoization_cache_cleanup(); }
    void TearDown() override {
        fluorite_memoization_cache_cleanup();
        fluorite_memoization_cache_set_size(0);
    }
};

TEST_F(Memoization, FindsWhatWasStoredUnderTheWholeKey) {
    std::string block = "....";
    EXPECT_FALSE(finds("p", 1, block));
    keep("p", 1, "abcd");
    EXPECT_TRUE(finds("p", 1, block));
    EXPECT_EQ(block, "abcd");
    EXPECT_FALSE(finds("p", 2, block));
    EXPECT_FALSE(finds("q", 1, block)); // its text has the same hash
    std::string longer = ".....";
    EXPECT_FALSE(finds("p", 1, longer));
}

TEST_F(Memoization, TheLeastRecentlyUsedGoesFirst) {
    fluorite_memoization_cache_set_size(8);
    keep("p", 1, "aaaa");
    keep("p", 2, "bbbb");
    std::string block = "....";
    EXPECT_TRUE(finds("p", 1, block));
    keep("p", 3, "cccc");
    EXPECT_TRUE(finds("p", 1, block));
    EXPECT_FALSE(finds("p", 2, block));
    EXPECT_EQ(fluorite_memoization_cache_entries(), 2);
    EXPECT_EQ(fluorite_memoization_cache_bytes(), 8);
    keep("p", 4, "larger than all");
    EXPECT_EQ(fluorite_memoization_cache_entries(), 2);
    fluorite_memoization_cache_set_size(4);
    EXPECT_EQ(fluorite_memoization_cache_bytes(), 4);
    keep("p", 5, "full"); // as large as the whole cache
    EXPECT_TRUE(finds("p", 5, block));
    EXPECT_EQ(block, "full");
}

TEST_F(Memoization, EvictsByKey) {
    keep("p", 1, "aaaa", 1, 7);
    keep("p", 2, "bbbb", 1, 0);
    keep("p", 3, "cccc");
    std::string block = "....";
    fluorite_memoization_cache_evict(7);
    EXPECT_FALSE(finds("p", 1, block));
    fluorite_memoization_cache_evict(0); // an entry without an eviction key does not match key 0
    EXPECT_FALSE(finds("p", 2, block));
    EXPECT_TRUE(finds("p", 3, block));
}

TEST_F(Memoization, ManyThreadsSeeWholeResults) {
    fluorite_memoization_cache_set_size(4096);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
        threads.emplace_back([&, t] {
            for (uint64_t i = 0; i < 400; i++) {
                const uint64_t part = (i * 7 + static_cast<uint64_t>(t)) % 13;
                std::string block(1000, '.');
                const std::string expected(1000, static_cast<char>('a' + part));
                if (!finds("p", part, block)) {
                    keep("p", part, expected, 1, part);
                } else {
                    wrong += block != expected;
                }
                if (i % 50 == 0) {
                    fluorite_memoization_cache_evict(part);
                }
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_LE(fluorite_memoization_cache_bytes(), 4096);
}

} // namespace

} // namespace memoization_test
