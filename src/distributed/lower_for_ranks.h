#pragma once
// From pipelines to the functions that ranks call, and a description of them.

#include "distributed/distribution.h"
#include "fluorite/target.h"
#include "ir/lowered.h"
#include "ranks/compiled/description.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::distributed {

/// A function of a pipeline for ranks, before it is compiled.
struct RankFunction {
    ir::LoweredModule module;
    std::shared_ptr<const schedule::ScheduledGraph> pipeline; // which it was lowered from
};

/// A pipeline for ranks, before its functions are compiled. All but the functions' code is the same whether it will run
/// in this process or become a file.
struct RankPipeline {
    distribute::ProgramDescription description;
    std::vector<RankFunction> functions;   // as the description lists them
    std::vector<ir::LoweredArg> arguments; // as description.arguments
    std::vector<std::string> reports;      // of the functions, if asked for
};

/// Lowers one function; its report goes to `report`, unless that is null.
using LowerFunction = std::function<ir::LoweredModule(const schedule::ScheduledGraph &pipeline, const Target &target,
                                                      const std::string &name, std::string *report)>;

/// Cuts the pipeline into segments and lowers each of them by `lower`; names of functions begin with `name`. Throws
/// CompileError [distributed-func] if a Func with a placement is not computed at root, if a name is none of the
/// pipeline, or if the body of an iteration iterates.
RankPipeline lower_for_ranks(const schedule::ScheduledGraph &pipeline, const Target &target,
                             const Distribution &distribution, const std::string &name, const Location &location,
                             const LowerFunction &lower, bool with_reports = false);

/// The functions as one module, for a file: its entry takes the arguments and calls fluorite_distributed_run.
ir::LoweredModule module_for_ranks(RankPipeline pipeline, const std::string &name);

} // namespace fluorite::distributed
