#pragma once
// A compiled function, and the files that are made of it.

#include "fluorite/module.h"
#include "fluorite/pipeline.h"
#include "ir/lowered.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::generators {

/// A pipeline that is lowered for a target, and what texts about it need.
struct Compiled {
    std::string function;
    std::string cpp_name; ///< with namespaces, as in `a::b::f`, or what `function` is
    Target target;
    Pipeline pipeline;
    ir::LoweredModule module;
    /// Where the pipeline may be scheduled otherwise after it was lowered: what they were then.
    std::optional<std::string> loop_nest = {}, schedule = {};
};
using CompiledRef = std::shared_ptr<const Compiled>;

/// Kinds and paths of files, in the order in which they are written.
using Files = std::vector<std::pair<OutputFileType, std::string>>;

/// Writes files of one function, or a static library and a header of several. Returns their paths. Throws CompileError
/// [module] for other files of several functions, [cannot-write], and what the back ends throw.
std::vector<std::string> write_files(const std::vector<CompiledRef> &functions, const Files &files);

/// Writes the files of a function that chooses among variants for several targets. A library has the objects of all;
/// of what describes each variant there is a file for each, with one of the suffixes before the extension.
std::vector<std::string> write_variants(const std::string &cpp_name, const std::vector<CompiledRef> &variants,
                                        const std::vector<std::string> &suffixes, const Files &files);

} // namespace fluorite::generators
