#pragma once
// Compiles a Generator to files.

#include "fluorite/generator.h"
#include "generator/file_kinds.h"

#include <functional>
#include <string>
#include <vector>

namespace fluorite::generators {

struct Request {
    std::string generator; // its registered name
    std::string function;  // of the compiled code; the generator's name if it is empty
    std::string base_name; // of the files; the function's name if it is empty
    std::string folder;    // where they go
    std::vector<OutputFileType> kinds;
    std::vector<Target> targets;            // the last one is that of every processor on which the code shall run
    std::vector<std::string> suffixes = {}; // one for each of several targets; `-target0`, ... without them
    GeneratorParamsMap params;
    /// Makes the Generator; GeneratorRegistry::create if it is empty.
    std::function<AbstractGeneratorPtr(const std::string &name, const GeneratorContext &context)> create = {};
};

/// Compiles, and returns the paths of the files. Throws CompileError.
std::vector<std::string> execute(const Request &request);

/// Builds the pipeline, schedules it if the context names an autoscheduler, and gives the outputs their declared names.
Pipeline finished_pipeline(AbstractGenerator &generator);

} // namespace fluorite::generators
