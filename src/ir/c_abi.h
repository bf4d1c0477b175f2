#pragma once
// How functions of a module and C functions call each other: what an entry is beside its body, and what an Extern node
// passes. Every back end follows this, whatever it makes of it.

#include "fluorite/runtime_abi.h"
#include "fluorite/target.h"
#include "ir/lowered.h"
#include "ir/operations.h"
#include "ir/parameter.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::ir {

// ---- Functions that C calls.

/// The form `int32 <name>_argv(void **args)` of an entry or callee. For a buffer, an element of args is the
/// fluorite_buffer_t * itself; for a scalar, it is the address of the value, in which a Bool is a byte.
std::string argv_name(const std::string &func);
/// `const fluorite_filter_metadata_t *<name>_metadata()`, for functions that are compiled ahead of time.
std::string metadata_name(const std::string &func);
/// The number of the argument that is the context of the user, which the runtime gets; nothing if there is none.
std::optional<size_t> context_argument(const LoweredFunc &func);

/// What the metadata of an entry says, in the terms of fluorite_filter_metadata_t.
struct FilterMetadata {
    struct Argument {
        std::string name;
        int32_t kind = 0; // a fluorite_argument_kind_t
        int32_t dimensions = 0;
        fluorite_type_t type;
        /// Of scalars, as bits of the type: the value and the limits that the program has given, and the estimate.
        std::optional<uint64_t> value = {}, min = {}, max = {}, estimate = {};
        /// Of buffers: the estimated min and extent of each dimension; empty where there is none.
        std::vector<std::optional<int64_t>> estimates = {};
    };
    int32_t version = fluorite_filter_metadata_version;
    std::string name, target;
    std::vector<Argument> arguments;
};
FilterMetadata filter_metadata(const LoweredFunc &entry, const Target &target);
/// The estimates of a dimension: those that are set, or else the constraints if they are constants. May be undefined.
Expr min_estimate_of(const DimConstraint &dim);
Expr extent_estimate_of(const DimConstraint &dim);
/// The estimates of dimensions that are constants, as LoweredArg and FilterMetadata have them.
std::vector<std::optional<int64_t>> constant_estimates(const std::vector<DimConstraint> &dims);

// ---- Functions that an Extern node names.

/// How a function gets its operands, after the context of the user if its operation takes that.
enum class Passing : uint8_t {
    Each,     // one by one; a function of a vector is called once for each lane
    Doubles,  // the first; then an array of the others as doubles, and their number
    Pointers, // the first; then an array of pointers to the others, in which a Handle is the pointer itself
};
Passing passing_of(std::string_view function);
/// The type as which operand i is passed one by one; `operation` is null for a function of the program.
Type passed_type(const Operation *operation, size_t i, Type given);
/// Whether the function belongs to the C program. Such a function may report a failure; the function of the module that
/// calls it returns that at its end (fluorite_extern_function_status).
bool is_of_program(std::string_view function);

} // namespace fluorite::ir
