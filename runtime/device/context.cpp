// A context of a device with its queue.
//
// What: memory that is kept for later allocations, modules of kernels that are built in the context, and the words to
// which their checks store failures.
//
// Method: a freed block is kept, and serves a request that fills at least two thirds of it; work of the queue that
// still uses it comes before the work of its next owner. Modules are built under a lock, so that several threads build
// one once. Failure words are read after the queue has been waited for, and only those of modules that ran.
//
// Relies on: the driver's queue runs in order. Does not do: handles, user contexts, texts of errors. Cost: some 100 ns
// for a kept block; a driver's allocation takes some 100 us.

#include "runtime/device/context.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fluorite_runtime {

namespace {

// As for memory of the host (memory.cpp): the number of blocks and the part of a block that a request fills. The limit
// of a quarter leaves room for programs that share the device.
constexpr size_t most_kept_blocks = 32;
constexpr uint64_t kept_part_of_memory = 4;

Box line(uint64_t offset, uint64_t bytes) {
    Box box;
    box.row_bytes = box.from.row_pitch = box.to.row_pitch = box.from.plane_pitch = box.to.plane_pitch = bytes;
    box.to.offset = offset;
    return box;
}

/// The first failure stays.
void keep_first(Status &status, Status next) {
    if (!status.failed() && next.failed()) {
        status = std::move(next);
    }
}

} // namespace

Status DeviceContext::allocate(uint64_t bytes, uint64_t &memory, uint64_t &capacity) {
    {
        std::lock_guard guard(kept_mutex_);
        auto best = kept_.end();
        for (auto block = kept_.begin(); block != kept_.end(); ++block) {
            const bool fits = block->capacity >= bytes && block->capacity / 3 * 2 <= bytes;
            best = fits && (best == kept_.end() || block->capacity < best->capacity) ? block : best;
        }
        if (best != kept_.end()) {
            memory = best->memory;
            capacity = best->capacity;
            kept_bytes_ -= capacity;
            kept_.erase(best);
            in_use_ += capacity;
            return {};
        }
    }
    Status status = driver_->allocate(bytes, memory);
    if (!status.failed()) {
        capacity = bytes;
        in_use_ += capacity;
    }
    return status;
}

void DeviceContext::free_oldest_until(uint64_t room, std::vector<Kept> &freed) {
    const uint64_t most_bytes = limits().memory_bytes / kept_part_of_memory;
    while (!kept_.empty() && (kept_.size() >= most_kept_blocks || kept_bytes_ + room > most_bytes)) {
        freed.push_back(kept_.front());
        kept_bytes_ -= kept_.front().capacity;
        kept_.erase(kept_.begin());
    }
}

Status DeviceContext::give_back(uint64_t memory, uint64_t capacity, bool keeps) {
    in_use_ -= capacity;
    std::vector<Kept> freed;
    if (keeps && capacity <= limits().memory_bytes / kept_part_of_memory) {
        std::lock_guard guard(kept_mutex_);
        free_oldest_until(capacity, freed);
        kept_.push_back({memory, capacity});
        kept_bytes_ += capacity;
    } else {
        freed.push_back({memory, capacity});
    }
    Status status;
    for (const Kept &block : freed) {
        keep_first(status, driver_->free(block.memory));
    }
    return status;
}

Status DeviceContext::release_kept() {
    std::vector<Kept> freed;
    {
        std::lock_guard guard(kept_mutex_);
        freed.swap(kept_);
        kept_bytes_ = 0;
    }
    Status status;
    for (const Kept &block : freed) {
        keep_first(status, driver_->free(block.memory));
    }
    return status;
}

Status DeviceContext::build(const fluorite_device_module_t &description, BuiltModule &built) {
    built.description = &description;
    if (Status status = driver_->build(description, built.native); status.failed()) {
        return status;
    }
    bool reports = false;
    Status status;
    for (int32_t k = 0; k < description.kernel_count && !status.failed(); k++) {
        uint64_t kernel = 0;
        status = driver_->find_kernel(built.native, description.kernels[k], kernel);
        if (!status.failed()) {
            built.kernels.push_back(kernel);
        }
        reports = reports || (description.kernels[k].flags & fluorite_device_kernel_reports_failures) != 0;
    }
    if (!status.failed() && reports) {
        const std::vector<int32_t> zeros(built.kernels.size(), 0);
        status = driver_->allocate_filled(zeros.data(), zeros.size() * sizeof(int32_t), built.failure_words);
    }
    if (status.failed()) {
        static_cast<void>(unload(built)); // what failed first is reported
    }
    return status;
}

Status DeviceContext::unload(BuiltModule &built) {
    for (const uint64_t kernel : built.kernels) {
        driver_->forget_kernel(kernel);
    }
    built.kernels.clear();
    Status status;
    if (built.failure_words != 0) {
        status = driver_->free(std::exchange(built.failure_words, 0));
    }
    keep_first(status, driver_->unload(built.native));
    return status;
}

std::shared_ptr<BuiltModule> DeviceContext::built(const DeviceModule &module, Status &status) {
    std::lock_guard guard(modules_mutex_);
    if (const auto found = modules_.find(&module); found != modules_.end()) {
        return found->second;
    }
    auto built = std::make_shared<BuiltModule>();
    status = build(*module.description, *built);
    if (status.failed()) {
        return nullptr;
    }
    modules_.emplace(&module, built);
    return built;
}

Status DeviceContext::drop(const DeviceModule &module) {
    std::lock_guard guard(modules_mutex_);
    const auto found = modules_.find(&module);
    if (found == modules_.end()) {
        return {};
    }
    Status status = driver_->wait(); // a kernel may still run
    keep_first(status, unload(*found->second));
    modules_.erase(found);
    return status;
}

Status DeviceContext::read_failures(std::string &text) {
    std::vector<std::shared_ptr<BuiltModule>> ran;
    {
        std::lock_guard guard(modules_mutex_);
        for (const auto &[module, built] : modules_) {
            if (built->failure_words != 0 && built->has_run.exchange(false)) {
                ran.push_back(built);
            }
        }
    }
    Status status;
    for (const auto &built : ran) {
        std::vector<int32_t> words(built->kernels.size(), 0);
        const Box box = line(0, words.size() * sizeof(int32_t));
        keep_first(status, driver_->read(built->failure_words, reinterpret_cast<uint8_t *>(words.data()), box));
        const auto first = std::find_if(words.begin(), words.end(), [](int32_t word) { return word != 0; });
        if (status.failed() || first == words.end()) {
            continue;
        }
        const fluorite_device_kernel_t &kernel = built->description->kernels[first - words.begin()];
        const int32_t check = *first - 1;
        if (text.empty()) {
            text = check >= 0 && check < kernel.failure_count
                       ? kernel.failures[check]
                       : std::string("in ") + kernel.func +
                             ": a check failed that the kernel does not have; its memory was overwritten; look for "
                             "accesses outside of buffers [device-failed]";
        }
        std::fill(words.begin(), words.end(), 0);
        keep_first(status, driver_->write(built->failure_words, reinterpret_cast<uint8_t *>(words.data()), box));
    }
    return status;
}

Status DeviceContext::release() {
    Status status = driver_->wait();
    {
        std::lock_guard guard(modules_mutex_);
        for (const auto &[module, built] : modules_) {
            keep_first(status, unload(*built));
        }
        modules_.clear();
    }
    keep_first(status, release_kept());
    return status;
}

void DeviceContext::close() {
    static_cast<void>(release()); // nobody is left to be told
}

} // namespace fluorite_runtime
