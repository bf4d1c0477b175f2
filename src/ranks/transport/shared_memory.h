#pragma once
// Memory of this process that other processes of the machine can read, and memory in large pages, that they cannot.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace fluorite::distribute {

/// What another process needs to find the shared memory of this one.
struct SharedMemoryKey {
    uint64_t machine = 0; // the same for processes that can find each other's files; 0: there is no memory
    uint64_t file = 0;    // the process and its descriptor
    uint64_t proof = 0;   // a random number at the begin of the memory
};

/// Takes allocations from shared memory from now on. Without effect where the system offers none, or if called before.
void open_shared_memory();
SharedMemoryKey shared_memory_key();
/// Where the memory of an allocation lies in the shared memory; none if it does not.
std::optional<uint64_t> offset_in_shared_memory(const char *memory);

/// Shared memory, aligned for vectors; null where there is none.
std::shared_ptr<void> allocate_shared(size_t bytes);
/// Memory in large pages, aligned for vectors; null where a few small ones do, or nothing is left.
std::shared_ptr<void> allocate_large_pages(size_t bytes);

/// Who reads memory: other ranks, too, or its process alone.
enum class Readers : uint8_t { Peers, Own };

/// Memory, aligned for vectors, its contents undefined. Large blocks that peers read are in shared memory if it is
/// open, others in large pages.
class MemoryBlock {
  public:
    MemoryBlock() = default;
    /// Throws std::bad_alloc.
    MemoryBlock(size_t bytes, Readers readers);
    MemoryBlock(MemoryBlock &&) = default;
    MemoryBlock &operator=(MemoryBlock &&) = default;
    char *data() const { return static_cast<char *>(memory_.get()); }

  private:
    std::shared_ptr<void> memory_; // of one block only
};

/// The shared memory of another process, as long as this object lives, even if the process ends.
class PeerMemory {
  public:
    /// None if this process cannot read it.
    static std::unique_ptr<PeerMemory> open(const SharedMemoryKey &key);
    ~PeerMemory();
    PeerMemory(const PeerMemory &) = delete;
    PeerMemory &operator=(const PeerMemory &) = delete;

    const char *at(uint64_t place) const { return memory_ + place; }

  private:
    explicit PeerMemory(const char *memory) : memory_(memory) {}
    const char *memory_;
};

} // namespace fluorite::distribute
