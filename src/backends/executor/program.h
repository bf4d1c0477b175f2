#pragma once
// A module of loop IR as lists of instructions over the cells of a frame.

#include "backends/backend.h"
#include "fluorite/runtime_abi.h"
#include "interpret/scalar.h"
#include "ir/closure.h"
#include "ir/device_code.h"
#include "ir/lowered.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fluorite::backends::executor {

using interpret::Cell;

constexpr uint8_t poison_byte = 0xA5; // as in checked code: values that nothing has computed become visible

/// A value in a frame: one cell for each lane, from number `first` on.
struct Slot {
    uint32_t first = 0;
    int lanes = 1;
};

/// What a buffer symbol denotes: an argument, which has a header, or an allocation.
struct Memory {
    enum class Owner : uint8_t {
        Other, // a caller or a launching function
        Frame, // a block on the stack, in registers, or in a slot
        Free,  // a block on the heap: the Free of the allocation, or the path of an exit
    };
    fluorite_buffer_t *header = nullptr;
    uint8_t *host = nullptr;
    int64_t first = 0, last = -1; // the elements that exist, relative to host
    Owner owner = Owner::Other;
    bool is_found = true; // whether the address and the elements are known

    /// An argument. Its header is read when it is accessed: before, nothing has checked what the header says.

    static Memory of_argument(fluorite_buffer_t *header);
    void find();
    /// What the address of the buffer is as an operand of a call.
    void *handle() const { return header ? static_cast<void *>(header) : host; }
};

class Frame;
struct KernelThread;
using Instruction = std::function<void(Frame &)>;
struct Program;

/// A function of the module.
struct Function {
    struct Argument {
        ir::LoweredArg::Kind kind;
        Type type;
        Slot slot;         // of a scalar
        size_t buffer = 0; // else
    };
    const Program *program = nullptr;
    std::string name;
    std::vector<Argument> args;
    ir::ClosureLayout closure;         // of a task
    Slot index;                        // of a task that a loop launches
    std::vector<Slot> blocks, threads; // the indices of a kernel
    std::optional<ir::SharedLayout> shared;
    std::optional<size_t> context; // the argument that is the user context
    std::vector<Cell> initial;     // the cells of a new frame: constants in their slots
    size_t buffer_count = 0;
    size_t text_count = 0;                                         // texts that instructions make
    std::vector<std::pair<size_t, fluorite_buffer_t *>> constants; // buffers that no caller passes
    std::vector<Instruction> code;
    std::vector<int> exits;     // of each instruction, the path of an exit from it (ir/memory.h)
    std::vector<size_t> labels; // positions in the code
    /// What an exit frees, by number of the path: a buffer, and the path on which it continues.
    std::vector<std::pair<size_t, int>> paths;
    int slot_count = 0;
    bool calls_the_program = false;
};

/// A C function `int32_t(void **)` that runs a function of the module.
class ArgvForm;

/// The memory of devices, apart from that of the host: what is not copied is not seen on the other side. Buffer
/// arguments are in one memory for both.
class DeviceMemory {
  public:
    /// The memory at this address begins, with values that nothing has stored.
    void begin(uint8_t *memory, uint64_t bytes);
    void attach(const uint8_t *memory, uint8_t *host);
    void copy_in(uint8_t *memory);
    void copy_out(const uint8_t *memory);
    void note_store(const uint8_t *memory, bool by_device);

  private:
    enum class Newest : uint8_t { Neither, Host, Device };
    struct Mirror {
        uint64_t bytes = 0;
        uint8_t *host = nullptr; // null: only kernels access the memory
        Newest newest = Newest::Neither;
    };
    std::mutex mutex_;
    std::unordered_map<const uint8_t *, Mirror> mirrors_;
};

struct Program {
    std::deque<Function> functions;
    std::unordered_map<std::string, Function *> by_name;
    std::unordered_map<std::string, void *> argv_forms; // of the entry and of callees
    std::vector<std::shared_ptr<ArgvForm>> forms;       // owns them
    std::deque<fluorite_buffer_t> constant_headers;     // of data that belongs to the module
    std::deque<std::vector<fluorite_dimension_t>> constant_dims;
    std::vector<ExternSymbol> externs; // functions of the C program
    mutable std::mutex atomics;        // held while an atomic update runs
    mutable DeviceMemory device;
};

/// Thrown where a function returns an error code.
struct Failed {
    int32_t code;
};

/// One run of a function.
class Frame {
  public:
    Frame(const Function &function, void *context);
    ~Frame();
    Frame(const Frame &) = delete;
    Frame &operator=(const Frame &) = delete;

    Cell &cell(Slot slot, int lane = 0) { return cells_[slot.first + static_cast<size_t>(lane)]; }
    Cell *lanes(Slot slot) { return &cells_[slot.first]; }
    Memory &buffer(size_t number) { return buffers_[number]; }
    /// A buffer whose memory is accessed.
    Memory &accessed(size_t number) {
        if (!buffers_[number].is_found) {
            buffers_[number].find();
        }
        return buffers_[number];
    }
    void *context() const { return context_; }
    const Program &program() const { return *function_.program; }

    const std::string &function_name() const { return function_.name; }
    KernelThread *thread = nullptr; // of a kernel

    void jump(size_t label) { next_ = function_.labels[label]; }
    /// Lets `run` return after the running instruction; the next `run` goes on there.
    void pause() { is_paused_ = true; }
    size_t position() const { return next_; }
    bool has_ended() const { return next_ >= function_.code.size(); }
    // ---- Memory of a buffer, until `release`.

    struct Size {
        uint64_t bytes, element;
    };
    void take_from_stack(size_t buffer, Size size);
    void take_from_heap(size_t buffer, const char *name, Size size);
    void take_from_device(size_t buffer, const char *name, Size size);
    /// Takes the block that the slot has kept, or a larger one in place of it.
    void take_slot(size_t buffer, const char *name, Size size, int slot);
    struct SharedPlace {
        uint64_t offset, all; // bytes, in the memory of the block
    };
    /// Takes the memory that all threads of the block have for the buffer.
    void take_shared(size_t buffer, const char *name, Size size, SharedPlace place);
    void release(size_t buffer);
    std::string &text(size_t number) { return texts_[number]; }
    std::unique_lock<std::mutex> &lock() { return lock_; }

    /// Returns 0 or an error code.
    int32_t run();

  private:
    struct Kept {
        uint8_t *block = nullptr;
        uint64_t bytes = 0;
    };
    int32_t execute();
    void leave_by(int path);
    void free_slots();
    uint8_t *heap_block(const char *name, uint64_t bytes);
    void hold(size_t buffer, uint8_t *block, Size size, Memory::Owner owner);

    const Function &function_;
    void *context_;
    std::vector<Cell> cells_;
    std::vector<Memory> buffers_;
    std::vector<std::unique_ptr<uint8_t[]>> stack_; // of each buffer
    std::vector<Kept> slots_;
    std::vector<std::string> texts_;
    std::unique_lock<std::mutex> lock_;
    size_t next_ = 0;
    bool is_paused_ = false;
};

/// Runs a function whose arguments are given as C callers of an `_argv` form give them.
int32_t run_with_arguments(const Function &function, void **args);

} // namespace fluorite::backends::executor
