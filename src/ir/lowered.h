#pragma once
// What lowering hands to a back end: a module of functions whose bodies are flat loop IR.

#include "fluorite/errors.h"
#include "ir/stmt.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fluorite::ir {

struct LoweredArg {
    enum class Kind : uint8_t {
        InputBuffer,  // a fluorite_buffer_t *: fields, and elements that are only read
        OutputBuffer, // a fluorite_buffer_t *
        Scalar,       // a value; of a task also a vector
        Allocation,   // of a task alone: the memory of an Allocate of the function around; elements, and no fields
    };
    Kind kind = Kind::Scalar;
    Symbol symbol; // as the body refers to it
    Type type;     // of the value, or of an element
    int dimensions = 0;
};

/// Extern nodes of the body are the operations of operations.def and C functions of the program.
struct LoweredFunc {
    enum class Kind : uint8_t {
        /// What C calls: int32 name(args...), buffers as fluorite_buffer_t *, scalars by value; 0 or an error code is
        /// returned. A scalar of type Handle named "__user_context" is the context that functions of the runtime get
        /// (else null).
        Entry,
        /// What a Launch runs, with the context of the function around. `args` are its closure: exactly the free
        /// symbols of the body, in the order of their names.
        Task,
    };
    std::string name;
    std::vector<LoweredArg> args;
    Stmt body;
    Kind kind = Kind::Entry;
    /// Of a task that a loop runs: the variable of the iteration, an Int32, which is no part of the closure. Else
    /// undefined.
    Symbol index = {};
};

struct LoweredModule {
    /// The entry, then its tasks; a Launch names a function further down.
    std::vector<LoweredFunc> funcs;
    /// Input buffers that no caller hands over: the Parameters behind their symbols have the elements, which become
    /// data of the code. The entry knows them as it does its arguments.
    std::vector<LoweredArg> constants = {};
    /// Buffers whose vectors are stored past the caches.
    std::vector<Symbol> streams = {};
    /// Where the program asks for the memory of an allocation, for messages.
    std::vector<std::pair<Symbol, Location>> storage_places = {};

    const LoweredFunc &entry() const { return funcs.front(); }
    LoweredFunc &entry() { return funcs.front(); }
    /// Null where there is none of the name.
    const LoweredFunc *find(std::string_view name) const;
};

/// The module as one function, with the body of each task where it is launched: as it was before outlining.
LoweredModule with_tasks_in_place(const LoweredModule &module);

} // namespace fluorite::ir
