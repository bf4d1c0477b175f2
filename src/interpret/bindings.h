#pragma once
// The external inputs of a run: values of parameters, buffers of inputs, addresses of extern C functions.

#include "interpret/interpret.h"
#include "interpret/scalar.h"

#include <algorithm>
#include <map>
#include <vector>

namespace fluorite::interpret {

/// The bounding box of all points of an input that were read.
struct AccessedBox {
    std::vector<int64_t> min, max; // min > max until the first read
    void note(size_t dimension, int64_t coordinate) {
        min[dimension] = std::min(min[dimension], coordinate);
        max[dimension] = std::max(max[dimension], coordinate);
    }
};

/// An input's elements; they are present and of the graph's type and rank.
struct BoundInput {
    const ir::InputDef *def = nullptr;
    const fluorite_buffer_t *buffer = nullptr;
    Loader load = nullptr;
    AccessedBox *accessed = nullptr; // valid as long as the bindings
};

struct Replaced {
    std::map<const ir::Parameter *, const fluorite_buffer_t *> buffers;
    std::map<const ir::Parameter *, int32_t> steps; // values of Int32 parameters
};

/// Throws RuntimeError where a buffer is none of elements of the type in host memory, with as many dimensions.
void check_form(const fluorite_buffer_t *buffer, const std::string &name, Type type, size_t rank,
                const Location &place);

class Bindings {
  public:
    /// The buffers of `replaced` live as long as the bindings.
    Bindings(const ir::Graph &graph, const std::vector<ExternFunction> &externs, Replaced replaced = {});

    const ir::Graph &graph() const { return graph_; }
    /// The current value of a scalar parameter. Throws RuntimeError [unset-param] if it has none.
    Cell param(const ir::Symbol &symbol, Type type) const;
    /// The input of an Image or BufferField. Throws RuntimeError if no suitable buffer is bound.
    const BoundInput &input(const ir::Symbol &symbol);
    const AccessedBox &accessed(size_t input) const { return accessed_[input]; }
    /// A field of a dimension of an input.
    Cell field(const ir::Member &member);
    /// The address of an extern C function in the given table, the runtime or the process. Throws RuntimeError
    /// [missing-extern] if there is none.
    void *extern_address(const std::string &name) const;

  private:
    const ir::Graph &graph_;
    const std::vector<ExternFunction> &externs_;
    Replaced replaced_;
    std::vector<BoundInput> inputs_;    // filled on first use
    std::vector<AccessedBox> accessed_; // by input
};

} // namespace fluorite::interpret
