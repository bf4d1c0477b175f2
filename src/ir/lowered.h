#pragma once
// What lowering hands to a back end: a module of functions whose bodies are flat loop IR.

#include "ir/stmt.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::ir {

struct LoweredArg {
    enum class Kind : uint8_t {
        InputBuffer,  // a fluorite_buffer_t *: fields, and elements that are only read
        OutputBuffer, // a fluorite_buffer_t *
        Scalar,       // a value; tasks may also take vectors
        Allocation,   // only of a task: the memory of an Allocate in the launching function; no fields
    };
    Kind kind = Kind::Scalar;
    Symbol symbol; // as the body refers to it
    Type type;     // of the value, or of an element
    int dimensions = 0;
    /// Of an output of the entry: the estimated min and extent of each dimension, as far as there are some; or empty.
    std::vector<std::optional<int64_t>> estimates = {};
};

/// An Extern node of the body names an operation of operations.def or a C function of the program.
struct LoweredFunc {
    enum class Kind : uint8_t {
        /// A C function int32 name(args...): buffers as fluorite_buffer_t *, scalars by value; the result is 0 or an
        /// error code. A scalar of type Handle named "__user_context" is passed to runtime functions as the context
        /// (null if there is none).
        Entry,
        /// A function that a Launch runs, with the context of the launching function. `args` are its closure: exactly
        /// the free symbols of the body, in the order of their names.
        Task,
        /// Like an entry, but called by others of the module only, through its form `_argv` (function.address).
        Callee,
        /// A function that a device runs: all threads of all blocks of a grid execute the body. It has a closure like a
        /// task. Its allocations are in the memory of a thread, or, in MemoryType::GPUShared, in that of a block.
        Kernel,
    };
    std::string name;
    std::vector<LoweredArg> args;
    Stmt body;
    Kind kind = Kind::Entry;
    /// Of a task that a loop launches: the loop variable, an Int32, which is not part of the closure. Else undefined.
    Symbol index = {};
    /// Of a kernel: the indices of the block and of the thread, Int32 from 0 on, one for each dimension, the innermost
    /// first. The grid is the nest of loops around the Launch, which also says how many threads there are.
    std::vector<Symbol> blocks = {}, threads = {};

    /// Whether it runs where the entry does.
    bool is_of_host() const { return kind != Kind::Kernel; }
};
/// The word before the name of a function in its text form.
const char *to_word(LoweredFunc::Kind kind);

struct LoweredModule {
    /// The entry, then its tasks and the callees with theirs, and the kernels; a Launch names a later function.
    std::vector<LoweredFunc> funcs;
    /// Input buffers that no caller passes: the Parameters behind their symbols hold the elements, which become data in
    /// the code. They are in scope in the entry, as its arguments are.
    std::vector<LoweredArg> constants = {};
    /// Buffers whose vector stores bypass the caches.
    std::vector<Symbol> streams = {};
    /// What a back end of a device has made of the kernels; null if there are none, or nothing is to run them.
    std::shared_ptr<const struct DeviceCode> device_code = {};

    const LoweredFunc &entry() const { return funcs.front(); }
    LoweredFunc &entry() { return funcs.front(); }
    /// Null if there is no function of that name.
    const LoweredFunc *find(std::string_view name) const;
};

/// The module before its tasks were outlined: the entry, in which the body of each task replaces its Launch, and the
/// kernels. Slots, which are numbers in a function, and the Free at the end of an allocation's body are gone.
LoweredModule with_tasks_in_place(const LoweredModule &module);

} // namespace fluorite::ir
