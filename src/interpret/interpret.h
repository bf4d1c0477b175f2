#pragma once
// The reference interpreter: evaluates every pipeline from its definitions, whatever the schedule.
//
// Values are computed on demand, and once: a pure definition point by point, an update for each point of its pure Vars
// with all its RVars in order. Hence the interpreter reads, prints and requires only what the outputs need. A Select
// evaluates only the chosen value, every other operator all its operands. There are no trace events, because they
// describe a schedule.

#include "ir/graph.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::interpret {

/// A box of coordinates to evaluate: one (min, extent) per dimension. The box is empty if an extent is not positive.
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
/// from the graph's Parameter objects. Throws RuntimeError for a read outside an input, a failed require or an unset
/// parameter. Elements that the definitions leave undefined keep the destination's value, which updates that read them
/// also see.
void evaluate(const ir::Graph &graph, size_t output, const Region &region,
              const std::vector<fluorite_buffer_t *> &destination);

/// Evaluates one point. Returns the bits in memory of each tuple element, zero-extended (for tests and tools).
std::vector<uint64_t> evaluate_point(const ir::Graph &graph, size_t output, const std::vector<int32_t> &point);

/// What replaces the Parameters of a graph: results and states of iterations, and the index of a step.
struct Replaced;

/// An interpreter that keeps values between calls, so inputs and parameters must not change. After an exception the
/// object must not be used.
class Interpreter {
  public:
    /// Runs the graph's iterations.
    explicit Interpreter(const ir::Graph &graph, std::vector<ExternFunction> externs = {});
    Interpreter(const ir::Graph &graph, std::vector<ExternFunction> externs, const Replaced &outer);
    ~Interpreter();
    Interpreter(const Interpreter &) = delete;
    Interpreter &operator=(const Interpreter &) = delete;

    void evaluate(size_t output, const Region &region, const std::vector<fluorite_buffer_t *> &destination);
    std::vector<uint64_t> evaluate_point(size_t output, const std::vector<int32_t> &point);

    /// The bounding box of all points of input `input` (index into graph.inputs) read so far. Its extents are 0 where
    /// there are none; reads of an input without dimensions are not recorded.
    Region accessed(size_t input) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace fluorite::interpret
