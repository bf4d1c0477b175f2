// The cache behind memoize(): results of Funcs that are kept between runs.
//
// What: a key (a text that is compared as a whole, and a list of 64-bit parts) maps to the blocks of bytes that were
// stored under it. A lookup copies the blocks out, a store copies them in, so no caller ever holds a pointer into the
// cache.
//
// Method: one list of entries in LRU order and a hash table into it, under one mutex. The bytes of an entry are
// reference-counted: a reader takes a reference under the mutex and copies after releasing it, so an entry that is
// evicted meanwhile lives until the copy is done. Texts are long and few, so entries share them too. The key under
// construction belongs to the thread; its memory is kept for the next key.
//
// Two threads that miss concurrently both compute and both store: the second one finds the entry and keeps it. Equal
// keys imply equal bytes.
//
// Does not do: wait for a result that another thread is computing. Cost: a copy of the result, some 100 ns of overhead,
// and one comparison of the text.

#include "fluorite/runtime_memoization.h"

#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr int64_t default_size = 1 << 20;

struct Block {
    uint8_t *host;
    size_t bytes;
};

// The key under construction, and where its result is.
struct Request {
    const char *identity = "";
    uint64_t hash = 0;
    std::vector<uint64_t> parts;
    std::vector<Block> blocks;

    uint64_t whole_hash() const {
        uint64_t all = hash;
        for (const uint64_t part : parts) {
            all = (all ^ part) * 0x9E3779B97F4A7C15U;
            all ^= all >> 29;
        }
        return all;
    }
    int64_t bytes() const {
        int64_t all = 0;
        for (const Block &block : blocks) {
            all += static_cast<int64_t>(block.bytes);
        }
        return all;
    }
};

thread_local Request request;

struct Entry {
    std::shared_ptr<const std::string> identity;
    std::vector<uint64_t> parts;
    uint64_t hash = 0;
    bool has_eviction_key = false;
    uint64_t eviction_key = 0;
    int64_t bytes = 0;
    std::shared_ptr<const std::vector<uint8_t>> values;
};

class Cache {
  public:
    bool find(const Request &wanted) {
        std::shared_ptr<const std::vector<uint8_t>> values;
        {
            const std::lock_guard lock(mutex_);
            const auto at = entry_of(wanted);
            if (at == entries_.end()) {
                return false;
            }
            entries_.splice(entries_.begin(), entries_, at);
            values = at->values;
        }
        const uint8_t *from = values->data();
        for (const Block &block : wanted.blocks) {
            if (block.bytes > 0) {
                std::memcpy(block.host, from, block.bytes);
                from += block.bytes;
            }
        }
        return true;
    }

    void store(const Request &made, bool has_eviction_key, uint64_t eviction_key) {
        const int64_t bytes = made.bytes();
        {
            const std::lock_guard lock(mutex_);
            if (bytes > size_) {
                return;
            }
        }
        auto values = std::make_shared<std::vector<uint8_t>>(static_cast<size_t>(bytes));
        uint8_t *to = values->data();
        for (const Block &block : made.blocks) {
            if (block.bytes > 0) {
                std::memcpy(to, block.host, block.bytes);
                to += block.bytes;
            }
        }
        const std::lock_guard lock(mutex_);
        if (entry_of(made) != entries_.end()) {
            return;
        }
        entries_.push_front(
            {text_of(made), made.parts, made.whole_hash(), has_eviction_key, eviction_key, bytes, std::move(values)});
        by_hash_.emplace(entries_.front().hash, entries_.begin());
        used_ += bytes;
        shrink();
    }

    void set_size(int64_t bytes) {
        const std::lock_guard lock(mutex_);
        size_ = bytes > 0 ? bytes : default_size;
        shrink();
    }

    void evict(uint64_t eviction_key) {
        const std::lock_guard lock(mutex_);
        for (auto at = entries_.begin(); at != entries_.end();) {
            const auto next = std::next(at);
            if (at->has_eviction_key && at->eviction_key == eviction_key) {
                drop(at);
            }
            at = next;
        }
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        entries_.clear();
        by_hash_.clear();
        used_ = 0;
    }

    int64_t count() {
        const std::lock_guard lock(mutex_);
        return static_cast<int64_t>(entries_.size());
    }
    int64_t bytes() {
        const std::lock_guard lock(mutex_);
        return used_;
    }

  private:
    using Entries = std::list<Entry>;
    std::mutex mutex_;
    Entries entries_; // most recently used first
    std::unordered_multimap<uint64_t, Entries::iterator> by_hash_;
    int64_t used_ = 0, size_ = default_size;

    Entries::iterator entry_of(const Request &wanted) {
        const auto [first, last] = by_hash_.equal_range(wanted.whole_hash());
        for (auto at = first; at != last; ++at) {
            const Entry &entry = *at->second;
            if (entry.parts == wanted.parts && entry.bytes == wanted.bytes() && *entry.identity == wanted.identity) {
                return at->second;
            }
        }
        return entries_.end();
    }

    std::shared_ptr<const std::string> text_of(const Request &made) const {
        for (const Entry &entry : entries_) {
            if (*entry.identity == made.identity) {
                return entry.identity;
            }
        }
        return std::make_shared<const std::string>(made.identity);
    }

    void drop(Entries::iterator entry) {
        const auto [first, last] = by_hash_.equal_range(entry->hash);
        for (auto at = first; at != last; ++at) {
            if (at->second == entry) {
                by_hash_.erase(at);
                break;
            }
        }
        used_ -= entry->bytes;
        entries_.erase(entry);
    }

    void shrink() {
        while (used_ > size_) {
            drop(std::prev(entries_.end()));
        }
    }
};

Cache &cache() {
    static Cache *the = new Cache; // threads may still use it during process exit
    return *the;
}

} // namespace

extern "C" {

int fluorite_memoization_begin(const char *identity, uint64_t hash) {
    request.identity = identity;
    request.hash = hash;
    request.parts.clear();
    request.blocks.clear();
    return 0;
}

int fluorite_memoization_key(uint64_t part) {
    request.parts.push_back(part);
    return 0;
}

int fluorite_memoization_block(void *host, int64_t bytes) {
    request.blocks.push_back({static_cast<uint8_t *>(host), bytes > 0 ? static_cast<size_t>(bytes) : 0});
    return 0;
}

int fluorite_memoization_lookup(void) { return cache().find(request) ? 1 : 0; }

int fluorite_memoization_store(int32_t has_eviction_key, uint64_t eviction_key) {
#if defined(__cpp_exceptions)
    try {
        cache().store(request, has_eviction_key != 0, eviction_key);
    } catch (const std::bad_alloc &) {
        // Without memory, the result is not cached.
    }
#else
    cache().store(request, has_eviction_key != 0, eviction_key);
#endif
    return 0;
}

void fluorite_memoization_cache_set_size(int64_t bytes) { cache().set_size(bytes); }
void fluorite_memoization_cache_evict(uint64_t eviction_key) { cache().evict(eviction_key); }
void fluorite_memoization_cache_cleanup(void) { cache().clear(); }
int64_t fluorite_memoization_cache_entries(void) { return cache().count(); }
int64_t fluorite_memoization_cache_bytes(void) { return cache().bytes(); }
}
