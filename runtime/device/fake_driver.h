#pragma once
// A driver for tests. Device memory is host memory at other addresses, filled with 0xA5; kernels are C++ functions.
// Launches, copies on the device and the end of freed memory are delayed until someone waits. The call that a test
// chooses fails. Every object is counted, and every misuse is written down: memory used after it was freed, freed
// twice, accesses outside of it.

#include "runtime/device/device.h"

#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fluorite_runtime {

class FakeState;

/// What a kernel of a test gets: its parameters as bytes, and the device's memory.
struct FakeLaunch {
    FakeState &state;
    int64_t blocks[3];
    int32_t threads[3];
    uint64_t shared_bytes;
    std::vector<std::vector<uint8_t>> parameters;

    template <typename T> T scalar(size_t index) const {
        T value{};
        std::memcpy(&value, parameters.at(index).data(), sizeof(T));
        return value;
    }
    /// The memory of parameter `index`, at an offset; an address if the device has them.
    template <typename T> T *pointer(size_t index, int64_t offset = 0) const;
};
using FakeKernel = void (*)(const FakeLaunch &);
struct FakeFunction {
    const char *name;
    FakeKernel run;
};

class FakeState {
  public:
    // ---- what a test sets ---

    int64_t failing_call = 0; ///< counted from 1; 0: none
    bool has_addresses = false;
    DeviceLimits limits = small_limits();

    // ---- what a test reads ---

    int64_t calls = 0, allocations = 0, copies = 0, launches = 0, builds = 0, opened = 0;
    std::vector<std::string> misuses;

    static DeviceLimits small_limits() {
        DeviceLimits limits;
        limits.device = "fake";
        limits.memory_bytes = uint64_t{1} << 20;
        limits.allocation_bytes = uint64_t{1} << 19;
        limits.parameter_bytes = 128;
        limits.shared_bytes = 1024;
        limits.threads_per_block = 64;
        for (size_t axis = 0; axis < 3; axis++) {
            limits.threads[axis] = 64;
            limits.blocks[axis] = axis == 0 ? INT32_MAX : 5;
        }
        limits.major = 1;
        limits.minor = 2;
        return limits;
    }
    /// Contexts, memory, modules and kernels that exist.
    int64_t objects() {
        std::lock_guard guard(mutex_);
        return contexts_ + modules_ + kernels_ + static_cast<int64_t>(blocks_.size());
    }
    uint64_t used_bytes() {
        std::lock_guard guard(mutex_);
        return used_;
    }

    // ---- what the driver does; the lock is held in all of these ---

    std::recursive_mutex &mutex() { return mutex_; }
    bool fails() {
        calls++;
        return calls == failing_call;
    }
    void add_context(int change) { contexts_ += change; }
    void add_module(int change) { modules_ += change; }
    void add_kernel(int change) { kernels_ += change; }

    Status allocate(uint64_t bytes, uint64_t &memory) {
        if (used_ + bytes > limits.memory_bytes) {
            return {Status::Kind::NoMemory, "the fake device is full", {}, {}};
        }
        allocations++;
        used_ += bytes;
        memory = next_address_;
        next_address_ += (bytes / 4096 + 2) * 4096;
        blocks_.emplace(memory, Block{std::vector<uint8_t>(bytes, 0xA5), false});
        return {};
    }
    void mark_freed(uint64_t memory) {
        const auto found = blocks_.find(memory);
        if (found == blocks_.end() || found->second.is_freed) {
            misuses.push_back("memory is freed that is none or was freed");
        } else {
            found->second.is_freed = true;
        }
    }
    void end(uint64_t memory) {
        if (const auto found = blocks_.find(memory); found != blocks_.end()) {
            used_ -= found->second.bytes.size();
            blocks_.erase(found);
        }
    }
    /// The bytes from an address on; null, and written down, if they are not all in one live block.
    uint8_t *find(uint64_t address, uint64_t bytes) {
        auto found = blocks_.upper_bound(address);
        if (found == blocks_.begin()) {
            misuses.push_back("an address is none of the device");
            return nullptr;
        }
        --found;
        const uint64_t offset = address - found->first;
        if (offset + bytes > found->second.bytes.size()) {
            misuses.push_back("an access outside of memory");
            return nullptr;
        }
        return found->second.bytes.data() + offset;
    }

  private:
    struct Block {
        std::vector<uint8_t> bytes;
        bool is_freed;
    };
    std::recursive_mutex mutex_;
    std::map<uint64_t, Block> blocks_;
    uint64_t next_address_ = 4096, used_ = 0;
    int64_t contexts_ = 0, modules_ = 0, kernels_ = 0;
};

template <typename T> T *FakeLaunch::pointer(size_t index, int64_t offset) const {
    return reinterpret_cast<T *>(state.find(scalar<uint64_t>(index) + static_cast<uint64_t>(offset), sizeof(T)));
}

class FakeContext : public DriverContext {
  public:
    FakeContext(FakeState &state, const void *memory_space) : state_(state), memory_space_(memory_space) {
        state_.add_context(1);
    }
    ~FakeContext() override {
        std::lock_guard guard(state_.mutex());
        run_all();
        state_.add_context(-1);
    }
    const DeviceLimits &limits() const override { return state_.limits; }
    const void *memory_space() const override { return memory_space_; }
    bool has_addresses() const override { return state_.has_addresses; }

    Status allocate(uint64_t bytes, uint64_t &memory) override {
        return call("allocate", [&] { return state_.allocate(bytes, memory); });
    }
    Status allocate_filled(const void *bytes, uint64_t size, uint64_t &memory) override {
        return call("allocate_filled", [&] {
            Status status = state_.allocate(size, memory);
            if (!status.failed()) {
                std::memcpy(state_.find(memory, size), bytes, size);
            }
            return status;
        });
    }
    /// What fails to be freed is freed nevertheless, as with real drivers.
    Status free(uint64_t memory) override {
        std::lock_guard guard(state_.mutex());
        state_.mark_freed(memory);
        later_.push_back([this, memory] { state_.end(memory); });
        return call("free", [] { return Status{}; });
    }
    Status write(uint64_t memory, const uint8_t *host, const Box &box) override {
        return call("write", [&] {
            run_all();
            copy_box(box, [&](uint64_t from, uint64_t to) {
                if (uint8_t *target = state_.find(memory + to, box.row_bytes); target != nullptr) {
                    std::memcpy(target, host + static_cast<ptrdiff_t>(from), box.row_bytes);
                }
            });
            return Status{};
        });
    }
    Status read(uint64_t memory, uint8_t *host, const Box &box) override {
        return call("read", [&] {
            run_all();
            copy_box(box, [&](uint64_t from, uint64_t to) {
                if (const uint8_t *source = state_.find(memory + from, box.row_bytes); source != nullptr) {
                    std::memcpy(host + static_cast<ptrdiff_t>(to), source, box.row_bytes);
                }
            });
            return Status{};
        });
    }
    Status copy(uint64_t from, uint64_t to, const Box &box) override {
        return call("copy", [&] {
            later_.push_back([this, from, to, box] {
                copy_box(box, [&](uint64_t from_offset, uint64_t to_offset) {
                    const uint8_t *source = state_.find(from + from_offset, box.row_bytes);
                    uint8_t *target = state_.find(to + to_offset, box.row_bytes);
                    if (source != nullptr && target != nullptr) {
                        std::memmove(target, source, box.row_bytes);
                    }
                });
            });
            return Status{};
        });
    }
    Status build(const fluorite_device_module_t &module, uint64_t &built) override {
        return call("build", [&] {
            state_.builds++;
            state_.add_module(1);
            built = reinterpret_cast<uintptr_t>(module.bytes);
            return Status{};
        });
    }
    Status find_kernel(uint64_t built, const fluorite_device_kernel_t &description, uint64_t &kernel) override {
        return call("find_kernel", [&] {
            const auto *functions = reinterpret_cast<const FakeFunction *>(static_cast<uintptr_t>(built));
            while (functions->name != nullptr && std::strcmp(functions->name, description.name) != 0) {
                functions++;
            }
            if (functions->name == nullptr) {
                return failed("the fake module has no such kernel");
            }
            state_.add_kernel(1);
            kernel = reinterpret_cast<uintptr_t>(functions);
            return Status{};
        });
    }
    void forget_kernel(uint64_t) override {
        std::lock_guard guard(state_.mutex());
        state_.add_kernel(-1);
    }
    Status unload(uint64_t built) override {
        std::lock_guard guard(state_.mutex());
        if (built == 0) {
            return {};
        }
        state_.add_module(-1);
        return call("unload", [] { return Status{}; });
    }
    Status launch(const KernelStart &start) override {
        return call("launch", [&] {
            state_.launches++;
            FakeLaunch launch{state_,
                              {start.blocks[0], start.blocks[1], start.blocks[2]},
                              {start.threads[0], start.threads[1], start.threads[2]},
                              start.shared_bytes,
                              {}};
            for (const KernelParameter &parameter : start.parameters) {
                const auto *bytes = static_cast<const uint8_t *>(parameter.value);
                launch.parameters.emplace_back(bytes, bytes + parameter.bytes);
            }
            const auto *function = reinterpret_cast<const FakeFunction *>(static_cast<uintptr_t>(start.kernel));
            later_.push_back([launch, function] { function->run(launch); });
            return Status{};
        });
    }
    Status wait() override {
        return call("wait", [&] {
            run_all();
            return Status{};
        });
    }

  private:
    template <typename Do> Status call(const char *name, const Do &work) {
        std::lock_guard guard(state_.mutex());
        return state_.fails() ? failed(std::string("the fake driver fails in ") + name) : work();
    }
    template <typename Copy> void copy_box(const Box &box, const Copy &row) {
        state_.copies++;
        for (uint64_t plane = 0; plane < box.planes; plane++) {
            for (uint64_t line = 0; line < box.rows; line++) {
                row(box.from.offset + plane * box.from.plane_pitch + line * box.from.row_pitch,
                    box.to.offset + plane * box.to.plane_pitch + line * box.to.row_pitch);
            }
        }
    }
    void run_all() {
        std::vector<std::function<void()>> work;
        work.swap(later_);
        for (const auto &each : work) {
            each();
        }
    }

    FakeState &state_;
    const void *memory_space_;
    std::vector<std::function<void()>> later_;
};

class FakeDriver : public Driver {
  public:
    explicit FakeDriver(FakeState &state) : state_(state) {}
    const char *name() const override { return "Fake"; }
    Status open(const ContextRequest &request, std::unique_ptr<DriverContext> &context) override {
        std::lock_guard guard(state_.mutex());
        if (state_.fails()) {
            return failed("the fake driver fails in open");
        }
        state_.opened++;
        const void *space = request.native_context != nullptr ? request.native_context : &spaces_[request.device & 3];
        context = std::make_unique<FakeContext>(state_, space);
        return {};
    }

  private:
    FakeState &state_;
    char spaces_[4] = {}; // of the devices' default contexts
};

/// A device of a test, with its state. Nothing may be left when it ends.
struct FakeDevice {
    FakeState state;
    Device device{std::make_unique<FakeDriver>(state),
                  [](void *, int *major, int *minor) { return *major = *minor = 0; }};
    const fluorite_device_interface_t *interface() const { return device.interface(); }
};

} // namespace fluorite_runtime
