// Memory that other processes can read: this process opens its own as a peer does.
#include "ranks/transport/shared_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace fluorite::distribute::shared_memory_test {

namespace {

TEST(SharedMemory, IsReadByOtherProcesses) {
    open_shared_memory();
    const MemoryBlock block(size_t{1} << 20, Readers::Peers);
    std::memset(block.data(), 42, size_t{1} << 20);
    const std::optional<uint64_t> offset = offset_in_shared_memory(block.data() + 12345);
    ASSERT_TRUE(offset);
    const SharedMemoryKey key = shared_memory_key();
    const pid_t child = fork();
    if (child == 0) {
        const auto peer = PeerMemory::open(key);
        _exit(peer && peer->at(*offset)[-12345] == 42 && *peer->at(*offset + 1000000) == 42 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(SharedMemory, IsUsedAgain) {
    open_shared_memory();
    const size_t megabyte = size_t{1} << 20;
    const auto offset_of = [](const MemoryBlock &block) { return *offset_in_shared_memory(block.data()); };
    MemoryBlock first(megabyte, Readers::Peers), second(megabyte, Readers::Peers), third(megabyte, Readers::Peers);
    const uint64_t begin = offset_of(first);
    EXPECT_EQ(offset_of(second), begin + megabyte);
    EXPECT_EQ(offset_of(third), begin + 2 * megabyte);
    second = MemoryBlock();
    first = MemoryBlock(); // both are one range now
    MemoryBlock both(2 * megabyte - 1, Readers::Peers);
    EXPECT_EQ(offset_of(both), begin);
    EXPECT_EQ(both.data()[5], 0) << "pages are given back";
    third = MemoryBlock();
    EXPECT_EQ(offset_of(MemoryBlock(megabyte, Readers::Peers)), begin + 2 * megabyte);
    EXPECT_FALSE(offset_in_shared_memory(MemoryBlock(100, Readers::Peers).data())) << "short allocations are ordinary";
    const std::shared_ptr<void> image = allocate_shared(100);
    EXPECT_TRUE(offset_in_shared_memory(static_cast<const char *>(image.get())));
}

TEST(SharedMemory, IsLeftToWhatPeersRead) {
    open_shared_memory();
    for (const size_t bytes : {size_t{1} << 17, size_t{3} << 20}) { // in small pages, in large ones
        MemoryBlock own(bytes, Readers::Own);
        std::memset(own.data(), 1, bytes);
        EXPECT_FALSE(offset_in_shared_memory(own.data()));
        EXPECT_EQ(reinterpret_cast<uintptr_t>(own.data()) % 128, 0U);
        const MemoryBlock moved = std::move(own);
        EXPECT_EQ(moved.data()[bytes - 1], 1);
    }
    EXPECT_FALSE(allocate_large_pages(1000)) << "few small pages do";
}

TEST(SharedMemory, OfOthersIsRefused) {
    open_shared_memory();
    const SharedMemoryKey key = shared_memory_key();
    EXPECT_TRUE(PeerMemory::open(key));
    SharedMemoryKey other = key;
    other.proof++; // a number that the system has given to another process since
    EXPECT_FALSE(PeerMemory::open(other));
    other = key, other.machine++;
    EXPECT_FALSE(PeerMemory::open(other));
    other = key, other.file += 1000; // no such descriptor
    EXPECT_FALSE(PeerMemory::open(other));
    EXPECT_FALSE(PeerMemory::open({})) << "a process without shared memory";
}

} // namespace

} // namespace fluorite::distribute::shared_memory_test
