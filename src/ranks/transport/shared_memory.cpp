// Memory that other processes of the machine can read.
//
// A process has one file in memory, mapped at full length from the begin on: pages exist once they are touched. Large
// allocations are ranges of it, found first fit, and their pages are given back when they are freed. Others open the
// file under /proc, which needs the same user and no permission beyond that, and map all of it, so that an offset is
// enough to find any allocation, now or later. Nothing has a name in a file system that would outlive the process.
//
// What is read there is as consistent as the reader's and the owner's messages make it; this file knows nothing of
// that.
//
// Shared memory has small pages on most systems, so what no peer reads is elsewhere, in large ones.
//
// Relies on: memfd_create and /proc (Linux). Where they fail, or a limit forbids the mapping, allocations are ordinary.

#include "ranks/transport/shared_memory.h"

#include "fluorite/buffer_detail/pages.h"
#include "support/numeric.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fluorite::distribute {

namespace {

constexpr size_t alignment = 128;
constexpr size_t page = 4096;
constexpr size_t smallest = size_t{1} << 16; // shared allocations: shorter ones are copied into messages anyway
constexpr size_t length = size_t{1} << 38;   // of the mapping
// A rank's part of 3 MB in small pages cost blur and Sobel 4 to 7 % (Sapphire Rapids).
constexpr size_t least_in_large_pages = size_t{2} << 20;

/// A number for a file's identity.
uint64_t identity_of(const char *path) {
    struct stat file{};
    return stat(path, &file) == 0 ? combine_hash(file.st_dev, file.st_ino) : 0;
}

/// The kernel that runs, and the processes that can be found under /proc.
uint64_t machine_number() {
    char boot[64] = "";
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC); // NOLINT
    if (file < 0) {
        return 0;
    }
    const ssize_t count = ::read(file, boot, sizeof boot);
    close(file);
    if (count <= 0) {
        return 0;
    }
    return combine_hash(hash_text({boot, static_cast<size_t>(count)}), identity_of("/proc/self/ns/pid")) | 1;
}

class SharedMemory {
  public:
    SharedMemory() {
        file_ = memfd_create("fluorite", MFD_CLOEXEC);
        if (file_ < 0 || ftruncate(file_, static_cast<off_t>(length)) != 0) {
            return;
        }
        void *memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0); // NOLINT
        if (memory == MAP_FAILED) {
            return;
        }
        memory_ = static_cast<char *>(memory);
        key_.proof = (uint64_t{std::random_device()()} << 32) | std::random_device()();
        std::memcpy(memory_, &key_.proof, sizeof key_.proof);
        key_.file = (static_cast<uint64_t>(getpid()) << 32) | static_cast<uint32_t>(file_);
        key_.machine = machine_number();
        free_[page] = length - page;
    }

    const SharedMemoryKey &key() const { return key_; }
    bool contains(const char *memory) const { return memory_ && memory >= memory_ && memory < memory_ + length; }
    uint64_t offset_of(const char *memory) const { return static_cast<uint64_t>(memory - memory_); }

    /// Null where nothing is left.
    char *allocate(size_t bytes) {
        const size_t size = (bytes + page - 1) / page * page;
        const std::lock_guard lock(mutex_);
        const auto found =
            std::find_if(free_.begin(), free_.end(), [&](const auto &range) { return range.second >= size; });
        if (!memory_ || found == free_.end()) {
            return nullptr;
        }
        const auto [begin, left] = *found;
        free_.erase(found);
        if (left > size) {
            free_[begin + size] = left - size;
        }
        used_[begin] = size;
        return memory_ + begin;
    }

    void free(char *memory) {
        const std::lock_guard lock(mutex_);
        const auto found = used_.find(offset_of(memory));
        uint64_t begin = found->first, size = found->second;
        used_.erase(found);
        // If the pages cannot be given back, they are kept for the next allocation.
        (void)fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                        static_cast<off_t>(size));
        const auto next = free_.lower_bound(begin);
        if (next != free_.begin()) {
            const auto before = std::prev(next);
            if (before->first + before->second == begin) {
                begin = before->first, size += before->second;
                free_.erase(before);
            }
        }
        if (next != free_.end() && begin + size == next->first) {
            size += next->second;
            free_.erase(next);
        }
        free_[begin] = size;
    }

  private:
    int file_ = -1;
    char *memory_ = nullptr;
    SharedMemoryKey key_;
    std::mutex mutex_;
    std::map<uint64_t, uint64_t> free_, used_; // begin and size of ranges
};

/// Never destroyed, as images may live until the process ends.
SharedMemory *shared = nullptr; // NOLINT
std::once_flag opened;          // NOLINT

} // namespace

void open_shared_memory() {
    std::call_once(opened, [] { shared = new SharedMemory; }); // NOLINT
}

SharedMemoryKey shared_memory_key() { return shared ? shared->key() : SharedMemoryKey(); }

std::optional<uint64_t> offset_in_shared_memory(const char *memory) {
    return shared && shared->contains(memory) ? std::optional(shared->offset_of(memory)) : std::nullopt;
}

std::shared_ptr<void> allocate_shared(size_t bytes) {
    char *memory = shared ? shared->allocate(std::max<size_t>(bytes, 1)) : nullptr;
    return memory ? std::shared_ptr<void>(memory, [](void *block) { shared->free(static_cast<char *>(block)); })
                  : nullptr;
}

std::shared_ptr<void> allocate_large_pages(size_t bytes) {
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
    return bytes >= least_in_large_pages ? buffer_detail::map_pages(bytes) : nullptr;
#else
    (void)bytes;
    return nullptr;
#endif
}

MemoryBlock::MemoryBlock(size_t bytes, Readers readers) {
    if (readers == Readers::Peers && bytes >= smallest) {
        memory_ = allocate_shared(bytes);
    }
    memory_ = memory_ ? memory_ : allocate_large_pages(bytes);
    if (!memory_) {
        const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
        memory_.reset(std::aligned_alloc(alignment, std::max(rounded, alignment)), std::free);
    }
    if (!memory_) {
        throw std::bad_alloc();
    }
}

std::unique_ptr<PeerMemory> PeerMemory::open(const SharedMemoryKey &key) {
    if (key.machine == 0 || key.machine != shared_memory_key().machine) {
        return nullptr;
    }
    const std::string path =
        "/proc/" + std::to_string(key.file >> 32) + "/fd/" + std::to_string(static_cast<uint32_t>(key.file));
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); // NOLINT
    if (file < 0) {
        return nullptr;
    }
    struct stat status{};
    void *memory = MAP_FAILED; // NOLINT
    if (fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(length)) {
        memory = mmap(nullptr, length, PROT_READ, MAP_SHARED | MAP_NORESERVE, file, 0); // NOLINT
    }
    close(file);
    if (memory == MAP_FAILED) { // NOLINT
        return nullptr;
    }
    (void)madvise(memory, length, MADV_DONTDUMP); // a core file has what is this process's own
    std::unique_ptr<PeerMemory> peer(new PeerMemory(static_cast<const char *>(memory)));
    uint64_t proof = 0;
    std::memcpy(&proof, peer->memory_, sizeof proof);
    return proof == key.proof ? std::move(peer) : nullptr;
}

PeerMemory::~PeerMemory() { munmap(const_cast<char *>(memory_), length); } // NOLINT: only read

} // namespace fluorite::distribute
