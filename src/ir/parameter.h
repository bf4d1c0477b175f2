#pragma once
// The objects behind Param, ImageParam and Buffer inputs: what a run binds and what compilation may rely on.

#include "fluorite/runtime_abi.h"
#include "fluorite/schedule_types.h"
#include "ir/expr_node.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::ir {

/// What the program promises about one dimension of a buffer. An undefined Expr promises nothing, except that the
/// innermost dimension is dense. A stride that equals the buffer's own field allows any stride.
struct DimConstraint {
    Expr min, extent, stride;
    Expr min_estimate, extent_estimate;

    bool allows_any_stride() const {
        return stride.defined() && stride->kind() == ExprKind::BufferField && stride->member().field == Field::Stride;
    }
};

/// A scalar parameter or an input buffer. The mutable state is what the user sets between runs.
struct Parameter : RefCounted {
    std::string name;
    Type type;
    bool is_buffer = false;
    bool is_bound_buffer = false; // a Buffer used directly in an expression, not an ImageParam
    int dimensions = 0;
    Location location;

    // Scalars: the current value as bits, and optional limits that are checked when a pipeline runs.
    uint64_t value_bits = 0;
    bool has_value = false;
    Expr min_value, max_value, estimate;
    Expr default_value; // of callers of compiled functions, for their metadata

    // Buffers: the current binding (kept alive by `keep_alive`), and constraints; the stride of dimension 0 is 1 unless
    // set otherwise.
    fluorite_buffer_t *buffer = nullptr;
    std::shared_ptr<void> keep_alive;
    std::vector<DimConstraint> dims;
    int host_alignment = 0;
    MemoryType memory = MemoryType::Auto; // as the program has named it; elements are where the buffer is
    bool trace_loads = false;
    std::vector<std::string> trace_tags;
    RefPtr<const RefCounted> function;  // the language's: the Func that represents the buffer's elements where in() was
                                        // called
    RefPtr<const RefCounted> iteration; // the language's: the Iteration whose result the buffer holds, if any
    RefPtr<const RefCounted> distributed; // the driver's: the domain of a DistributedImage and this rank's part of it
};

/// The Parameter behind a Param or Buffer symbol of the user.
inline Parameter *parameter_of(const Symbol &symbol) {
    return const_cast<Parameter *>(dynamic_cast<const Parameter *>(symbol.object()));
}

} // namespace fluorite::ir
