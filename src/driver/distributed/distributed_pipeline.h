#pragma once
// Pipelines compiled for ranks: segments of machine code as a distributed program.

#include "distribute/execute/program.h"
#include "driver/compiled.h"
#include "driver/distributed/cut.h"

#include <map>
#include <string>

namespace fluorite::driver {

/// Which ranks compute what, by the names of Funcs and inputs. Funcs without an entry are computed where a consumer
/// needs them, within the consumer's segment; outputs have one.
struct Distribution {
    std::map<std::string, distribute::Placement> funcs, inputs;
};

/// Compiles a pipeline and describes it to distribute::plan_rank. The segments are shared by all ranks of a process;
/// inputs that all ranks have are read where they are bound.
class DistributedPipeline {
  public:
    /// Throws CompileError [distributed-func] if a Func with a placement is not computed at root, if a name is none of
    /// the pipeline, or if a stage is factored (rfactor).
    DistributedPipeline(const schedule::ScheduledGraph &pipeline, const Target &target,
                        const Distribution &distribution, const Location &location);

    const distribute::DistributedProgram &program() const { return program_; }
    /// The array of an input or of a value of an output.
    size_t array_of_input(const std::string &name) const;
    size_t array_of_output(size_t value) const { return outputs_.at(value); }
    const std::vector<size_t> &outputs() const { return outputs_; }
    /// As program().arrays.
    const std::vector<CutArray> &arrays() const { return cut_.arrays; }
    /// The array of the first value of the Func whose value the array is.
    size_t first_value(size_t array) const;
    /// The whole of a distributed input or of an output, for its fields in definitions. To be set before plans are
    /// made.
    void set_domain(size_t array, const distribute::Box &domain);

  private:
    Location location_;
    CutPipeline cut_;
    distribute::DistributedProgram program_;
    std::vector<size_t> outputs_;
};

} // namespace fluorite::driver
