#include "backends/executor/kernels.h"

#include "backends/executor/calls.h"
#include "support/check.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>
#include <random>

namespace fluorite::backends::executor {

namespace {

bool is_another(const std::vector<int> &threads, int thread) {
    return std::any_of(threads.begin(), threads.end(), [&](int other) { return other != thread; });
}

int another(const std::vector<int> &threads, int thread) {
    return *std::find_if(threads.begin(), threads.end(), [&](int other) { return other != thread; });
}

/// Reports why blocks are not launched; 0 if nothing is said.
int32_t refuse_launch(void *context, const std::string &refusal) {
    return refusal.empty()
               ? 0
               : fluorite_error(context, fluorite_error_code_device_run_failed, (refusal + " [kernel-launch]").c_str());
}

bool contains(const std::vector<int> &threads, int thread) {
    return std::find(threads.begin(), threads.end(), thread) != threads.end();
}

} // namespace

std::optional<std::pair<int64_t, int>> ShadowMemory::note_byte(Byte &byte, const Access &access, bool changes) {
    if (byte.block != access.block || byte.epoch != access.epoch) {
        byte.block = access.block;
        byte.epoch = access.epoch;
        byte.writers.clear();
        byte.readers.clear();
        byte.updaters.clear();
    }
    if (access.is_atomic) {
        return note_update(byte, access);
    }
    const std::pair<int64_t, int> me{access.block, access.thread};
    const auto is_elsewhere = [&](const auto &other) { return other && other->first != access.block; };
    std::optional<std::pair<int64_t, int>> racing = is_elsewhere(byte.updated)    ? byte.updated
                                                    : is_elsewhere(byte.updated2) ? byte.updated2
                                                    : is_another(byte.updaters, access.thread)
                                                        ? std::pair(access.block, another(byte.updaters, access.thread))
                                                        : std::optional<std::pair<int64_t, int>>();
    if (access.is_store) {
        racing = racing                       ? racing
                 : is_elsewhere(byte.loaded)  ? byte.loaded
                 : is_elsewhere(byte.loaded2) ? byte.loaded2
                 : is_another(byte.readers, access.thread)
                     ? std::pair(access.block, another(byte.readers, access.thread))
                 : is_elsewhere(byte.stored) && changes ? byte.stored
                 : is_another(byte.writers, access.thread) && changes
                     ? std::pair(access.block, another(byte.writers, access.thread))
                     : racing;
        if (!contains(byte.writers, access.thread)) {
            byte.writers.push_back(access.thread);
        }
        byte.stored = me;
        return racing;
    }
    // What a thread has stored itself is what it loads, whoever else has stored the same.
    const bool is_own = contains(byte.writers, access.thread);
    racing = racing || is_own                          ? racing
             : is_elsewhere(byte.stored)               ? byte.stored
             : is_another(byte.writers, access.thread) ? std::pair(access.block, another(byte.writers, access.thread))
                                                       : racing;
    if (!is_own && !contains(byte.readers, access.thread)) {
        byte.readers.push_back(access.thread);
    }
    if (!is_own) {
        if (is_elsewhere(byte.loaded)) {
            byte.loaded2 = byte.loaded;
        }
        byte.loaded = me;
    }
    return racing;
}

/// An atomic update: it races with accesses that are none.
std::optional<std::pair<int64_t, int>> ShadowMemory::note_update(Byte &byte, const Access &access) {
    std::optional<std::pair<int64_t, int>> racing;
    for (const auto *other : {&byte.stored, &byte.loaded, &byte.loaded2}) {
        racing = !racing && *other && (*other)->first != access.block ? *other : racing;
    }
    for (const std::vector<int> *others : {&byte.writers, &byte.readers}) {
        racing = !racing && is_another(*others, access.thread)
                     ? std::optional(std::pair(access.block, another(*others, access.thread)))
                     : racing;
    }
    if (!contains(byte.updaters, access.thread)) {
        byte.updaters.push_back(access.thread);
    }
    if (byte.updated && byte.updated->first != access.block) {
        byte.updated2 = byte.updated;
    }
    byte.updated = std::pair(access.block, access.thread);
    return racing;
}

std::optional<std::pair<int64_t, int>> ShadowMemory::note(const Access &access, const uint8_t *value) {
    std::optional<std::pair<int64_t, int>> racing;
    for (size_t i = 0; i < access.bytes; i++) {
        const bool changes = access.is_store && access.at[i] != value[i];
        const auto with = note_byte(bytes_[access.at + i], access, changes);
        racing = racing ? racing : with;
    }
    return racing;
}

void ShadowMemory::forget(const uint8_t *block, uint64_t bytes) {
    if (bytes < bytes_.size()) { // of a block of threads, while the kernel's accesses to other memory grow
        for (uint64_t i = 0; i < bytes; i++) {
            bytes_.erase(block + i);
        }
        return;
    }
    std::erase_if(bytes_, [&](const auto &byte) { return byte.first >= block && byte.first < block + bytes; });
}

BlockOfThreads::~BlockOfThreads() {
    shadow_.forget(memory_, bytes_);
    fluorite_free(context_, memory_);
}

uint8_t *BlockOfThreads::shared(const char *name, uint64_t bytes) {
    if (memory_ == nullptr) {
        if (const int32_t code = refuse_launch(context_, ir::refusal_of_shared(kernel_, static_cast<int64_t>(bytes)));
            code != 0) {
            throw Failed{code};
        }
        memory_ = static_cast<uint8_t *>(fluorite_malloc(context_, bytes));
        if (memory_ == nullptr) {
            throw Failed{fluorite_error_out_of_memory(context_, name, bytes)};
        }
        bytes_ = bytes;
        std::memset(memory_, poison_byte, bytes);
    }
    return memory_;
}

namespace {

int64_t count_of(const Extents &extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

void set_indices(Frame &frame, const std::vector<Slot> &slots, const Extents &extents, int64_t number) {
    for (size_t d = 0; d < extents.size(); d++) {
        if (d < slots.size()) {
            frame.cell(slots[d]) = interpret::cell_of_int(Int(32), number % extents[d]);
        }
        number /= extents[d];
    }
}

class BlockRun {
  public:
    BlockRun(const Function &kernel, void *context, ShadowMemory &shadow, int64_t number)
        : kernel_(kernel), context_(context), block_(kernel.name, shadow, context, number) {}

    int32_t run(const Extents &blocks, const Extents &threads, const std::function<void(Frame &)> &set_up) {
        const auto count = static_cast<int>(count_of(threads));
        for (int i = 0; i < count; i++) {
            frames_.emplace_back(kernel_, context_);
            threads_.push_back({&block_, i});
            frames_.back().thread = &threads_.back();
            set_up(frames_.back());
            set_indices(frames_.back(), kernel_.blocks, blocks, block_.number());
            set_indices(frames_.back(), kernel_.threads, threads, i);
        }
        int32_t code = 0;
        while (code == 0 && !all_have_ended()) {
            code = run_to_barrier();
        }
        return code;
    }

  private:
    bool all_have_ended() const {
        return std::all_of(frames_.begin(), frames_.end(), [](const Frame &frame) { return frame.has_ended(); });
    }

    /// Lets each thread run to the next barrier, where all have to be.
    int32_t run_to_barrier() {
        std::vector<size_t> order(frames_.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::shuffle(order.begin(), order.end(), order_);
        for (const size_t k : order) {
            if (const int32_t code = frames_[k].run(); code != 0) {
                return code;
            }
            threads_[k].epoch++;
        }
        const size_t first = frames_.front().position();
        const bool is_together =
            std::all_of(frames_.begin(), frames_.end(), [&](const Frame &frame) { return frame.position() == first; });
        if (!is_together) {
            const std::string text = "the threads of a block of " + kernel_.name +
                                     " wait at different barriers, or some "
                                     "have ended while others wait";
            return fluorite_error(context_, fluorite_error_code_device_run_failed, text.c_str());
        }
        return 0;
    }

    const Function &kernel_;
    void *context_;
    BlockOfThreads block_;
    std::deque<Frame> frames_;
    std::deque<KernelThread> threads_;
    std::minstd_rand order_{static_cast<uint32_t>(block_.number()) + 1};
};

} // namespace

int32_t run_kernel(const Function &kernel, void *context, const Extents &blocks, const Extents &threads,
                   const std::function<void(Frame &)> &set_up) {
    ShadowMemory shadow;
    const bool is_empty = std::any_of(threads.begin(), threads.end(), [](int64_t extent) { return extent <= 0; });
    const int64_t count = is_empty ? 0 : count_of(blocks);
    if (const int32_t code = count == 0 ? 0 : refuse_launch(context, ir::refusal_of_block(kernel.name, threads));
        code != 0) {
        return code;
    }
    for (int64_t number = 0; number < count; number++) {
        if (const int32_t code = BlockRun(kernel, context, shadow, number).run(blocks, threads, set_up); code != 0) {
            return code;
        }
    }
    return 0;
}

void note_access(Frame &frame, const Memory &memory, const std::string &name, const uint8_t *at, Type element,
                 const uint8_t *stored) {
    if (frame.thread == nullptr || memory.owner != Memory::Owner::Other) {
        return;
    }
    const KernelThread &thread = *frame.thread;
    const auto racing =
        thread.block->shadow().note({at, static_cast<size_t>(element.bytes()), stored != nullptr,
                                     thread.block->number(), thread.number, thread.epoch, frame.lock().owns_lock()},
                                    stored);
    if (!racing) {
        return;
    }
    const std::string text =
        concat("data race in ", frame.function_name(), ": thread ", thread.number, " of block ", thread.block->number(),
               stored ? " stores to " : " loads from ", name, " what thread ", racing->second, " of block ",
               racing->first, " accesses, with no barrier in between");
    throw Failed{fluorite_error(frame.context(), fluorite_error_code_device_run_failed, text.c_str())};
}

} // namespace fluorite::backends::executor
