#pragma once
// The objects beside Functions that a graph mentions: inputs, parameters, random numbers.

#include "language/function.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fluorite::language {

/// Definitions as the program wrote them, or as directives rewrote them (Function::algorithm).
enum class Form : uint8_t { Algorithm, Rewritten };

/// Lists of objects in order of first mention, each once.
class Objects {
  public:
    /// The parameters that stand for the buffers of a Func's values are not listed, whoever mentions them.
    void exclude_output_parameters(const Function &function);
    /// Notes what its definitions, its schedule and the constraints of its output buffers mention.
    void note_function(const Function &function, Form form);
    /// Notes what the constraints of a buffer, or the range of a parameter, mention.
    void note_constraints(const ir::Parameter &parameter);
    void note(const Expr &expr);
    void note_parameter(ir::Parameter *parameter);

    const std::vector<ir::Parameter *> &inputs() const { return inputs_; }
    const std::vector<ir::Parameter *> &params() const { return params_; }
    /// The position of a parameter in its list.
    size_t index_of(const ir::Parameter *parameter) const { return index_.at(parameter); }
    /// The number of a random number without seed.
    int32_t random_id(const ir::Symbol &symbol) const { return random_ids_.at(symbol); }

  private:
    std::vector<ir::Parameter *> inputs_, params_;
    std::unordered_map<const ir::Parameter *, size_t> index_;
    std::unordered_set<const ir::Parameter *> output_parameters_;
    ir::SymbolMap<int32_t> random_ids_;

    void note_schedule(const schedule::FuncSchedule &schedule);
};

} // namespace fluorite::language
