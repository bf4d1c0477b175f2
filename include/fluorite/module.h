#pragma once
// Module: a pipeline that is lowered for a target under a name, and the files to which it is compiled.

#include "fluorite/require_cxx17.h"

#include "fluorite/argument.h"
#include "fluorite/errors.h"
#include "fluorite/target.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fluorite {

/// The kinds of files. docs/guides/generators.md says what is in each. Those of the second group are not made: asking
/// for one throws CompileError [not-built].
enum class OutputFileType : uint8_t {
    assembly,
    bitcode,
    c_header,
    c_source,
    compiler_log,
    conceptual_stmt,
    conceptual_stmt_html,
    cpp_stub,
    function_info_header,
    hlpipe,
    llvm_assembly,
    object,
    registration,
    schedule,
    static_library,
    stmt,
    stmt_html,

    device_code,
    featurization,
    python_extension,
    pytorch_wrapper,
};

/// Who may call a function of a Module, and whether there is a function of its metadata or one that takes an array of
/// arguments: compiled functions have both, and can be called from C.
enum class LinkageType : uint8_t { External, ExternalPlusMetadata, ExternalPlusArgv, Internal };

namespace generators {
struct Compiled;
}

/// One compiled function, or several with the same target (append, link_modules). Copies share them. What it is
/// compiled from is fixed when it is made: later directives do not change it.
class Module {
  public:
    /// Without functions.
    Module(const std::string &name, const Target &target);

    /// The name, which is that of the function where it was made by compile_to_module; and the target.
    const std::string &name() const { return name_; }
    const Target &target() const { return target_; }
    /// The names of its functions.
    std::vector<std::string> function_names() const;
    /// Adds the functions of another Module. Throws CompileError [module] for one of another target, or with a function
    /// that this one has.
    void append(const Module &module);

    /// Writes these files; paths are used as they are. An object, assembly and other files that describe one function
    /// are made of a Module with one; a static library and a header take several. Throws CompileError [module] for the
    /// others, for a Module without functions and for a stub, which is written from a Generator; [not-built] for a kind
    /// that is not made; [cannot-write].
    void compile(const std::map<OutputFileType, std::string> &files) const;

    /// For the library.
    explicit Module(const std::shared_ptr<const generators::Compiled> &function);
    const std::vector<std::shared_ptr<const generators::Compiled>> &functions() const { return functions_; }

  private:
    std::string name_;
    Target target_;
    std::vector<std::shared_ptr<const generators::Compiled>> functions_;
};

/// Prints the loop IR of its functions.
std::ostream &operator<<(std::ostream &stream, const Module &module);

/// The functions of all as one Module of this name; as Module::append.
Module link_modules(const std::string &name, const std::vector<Module> &modules);

/// Makes the code of a function for a target.
using ModuleFactory = std::function<Module(const std::string &name, const Target &target)>;

/// Compiles a function for several targets that differ in features of the processor: it has one name, behind which the
/// code for the first target that runs on the processor is chosen. The last target is that of every processor on which
/// it shall run. Files that there are one of for each target have a suffix before the extension: `suffixes`, one for
/// each target, or `-` and the text of the target with `_` in place of `-`. Throws CompileError [generator-targets] and
/// as Module::compile.
void compile_multitarget(const std::string &name, const std::map<OutputFileType, std::string> &files,
                         const std::vector<Target> &targets, const std::vector<std::string> &suffixes,
                         const ModuleFactory &factory);

/// Writes the runtime that compiled functions call, as a static library. Throws CompileError [not-built] for an object,
/// [cannot-write].
void compile_standalone_runtime(const std::string &path, const Target &target);
/// The same, and returns which of the files were written: those of other kinds mean nothing for a runtime.
std::map<OutputFileType, std::string> compile_standalone_runtime(const std::map<OutputFileType, std::string> &files,
                                                                 const Target &target);

} // namespace fluorite
