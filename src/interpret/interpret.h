#pragma once
// The reference interpreter: the meaning of every pipeline, straight from the definitions, whatever the schedule.
//
// A value is computed when something needs it, and once: a pure definition point by point, an update for each point of
// its pure Vars with all its RVars in order. So only what the outputs need is ever read, printed or required. Of a
// Select, only the chosen value is needed; of every other operator, all operands. Trace events are not raised: they
// tell of a schedule.

#include "ir/graph.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::interpret {

/// A box of coordinates to evaluate: one (min, extent) per dimension. Nothing is evaluated where an extent is not
/// positive.
struct Region {
    std::vector<int32_t> min, extent;
};

/// The address of an extern C function that the process's dynamic linker does not know.
struct ExternFunction {
    std::string name;
    void *address = nullptr;
};

/// Evaluates output `output` (index into graph.outputs) over the region and writes each tuple element k into
/// `destination[k]` (its dims must cover the region; element type as in the graph). Inputs and parameters are taken
/// from the graph's Parameter objects. Throws RuntimeError for reads outside an input, a failed require, an unset
/// parameter. Elements that the definitions leave undefined keep what the destination holds, which is also what an
/// update that reads them sees.
void evaluate(const ir::Graph &graph, size_t output, const Region &region,
              const std::vector<fluorite_buffer_t *> &destination);

/// One point, as the bits in memory of each tuple element, zero-extended (for tests and tools).
std::vector<uint64_t> evaluate_point(const ir::Graph &graph, size_t output, const std::vector<int32_t> &point);

/// The same with memory: values are kept between calls, so inputs and parameters must not change. After an exception
/// the object is of no more use.
class Interpreter {
  public:
    explicit Interpreter(const ir::Graph &graph, std::vector<ExternFunction> externs = {});
    ~Interpreter();
    Interpreter(const Interpreter &) = delete;
    Interpreter &operator=(const Interpreter &) = delete;

    void evaluate(size_t output, const Region &region, const std::vector<fluorite_buffer_t *> &destination);
    std::vector<uint64_t> evaluate_point(size_t output, const std::vector<int32_t> &point);

    /// The least box that holds all points of input `input` (index into graph.inputs) that have been read so far; its
    /// extents are 0 where none has, and nothing is known of an input without dimensions.
    Region touched(size_t input) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace fluorite::interpret
