#pragma once
// The steps of compile_to_*, for callers that make several files of one lowering.

#include "backends/backend.h"
#include "fluorite/argument.h"
#include "language/pipeline_contents.h"

#include <string>
#include <vector>

namespace fluorite::driver {

/// The module of a function that C can call by this name, with the arguments in this order. Throws as
/// Pipeline::compile_to_object does.
ir::LoweredModule lowered_file(const PipelineContents &contents, const std::vector<Argument> &args,
                               const std::string &name, const Target &target);
/// Writes a file that a back end makes. Throws CompileError [cannot-write].
void write_compiled(const ir::LoweredModule &module, const Target &target, backends::OutputKind kind,
                    const std::string &path);
/// Writes a text. Throws the same.
void write_text_file(const std::string &path, const std::string &text);
/// A page on which blocks of the text collapse.
std::string page_of(const std::string &name, const std::string &text);

} // namespace fluorite::driver
