// Modules: lowered functions as values, and the compile_to functions that make several files of one lowering.

#include "fluorite/module.h"

#include "driver/c_names.h"
#include "driver/compiled.h"
#include "driver/lowered_file.h"
#include "fluorite/schedule.h"
#include "generator/compiled_files.h"
#include "generator/dispatch.h"
#include "generator/runtime_alone.h"
#include "ir/print.h"
#include "support/check.h"
#include "support/place.h"

#include <algorithm>
#include <ostream>

namespace fluorite {

using generators::Compiled;
using generators::CompiledRef;
using generators::Files;

namespace {

[[noreturn]] void refuse_module(const std::string &name, const std::string &text) {
    throw CompileError("module", concat("in Module ", name, ": ", text));
}

CompiledRef lowered(const Pipeline &pipeline, const std::vector<Argument> &args, const std::string &name,
                    const Target &target) {
    if (!pipeline.defined()) {
        pipeline.infer_arguments(Location()); // says that there are no outputs
    }
    auto compiled = std::make_shared<Compiled>();
    compiled->target = target;
    compiled->pipeline = pipeline;
    compiled->module = driver::lowered_file(*pipeline.contents(), args, name, target);
    compiled->function = compiled->module.entry().name;
    compiled->loop_nest = pipeline.loop_nest(Location());
    compiled->schedule = pipeline.schedule(Location()).text();
    return compiled;
}

std::string underscored(std::string text) {
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
}

} // namespace

// ---- Module.

Module::Module(const std::string &name, const Target &target) : name_(name), target_(target) {}
Module::Module(const CompiledRef &function)
    : name_(function->function), target_(function->target), functions_{function} {}

std::vector<std::string> Module::function_names() const {
    std::vector<std::string> names;
    for (const CompiledRef &function : functions_) {
        names.push_back(function->function);
    }
    return names;
}

void Module::append(const Module &module) {
    if (module.target_ != target_) {
        refuse_module(name_, concat("functions for ", module.target_, " are added to those for ", target_,
                                    "; a Module has one target; compile them for the same"));
    }
    const std::vector<std::string> names = function_names();
    for (const std::string &name : module.function_names()) {
        if (std::count(names.begin(), names.end(), name) > 0) {
            refuse_module(name_, concat("a second function ", name,
                                        " is added; a linker takes one of each name; compile one under another name"));
        }
    }
    functions_.insert(functions_.end(), module.functions_.begin(), module.functions_.end());
}

void Module::compile(const std::map<OutputFileType, std::string> &files) const {
    if (functions_.empty()) {
        refuse_module(name_, "it is compiled and has no functions; there is nothing to write; append a Module that "
                             "compile_to_module made");
    }
    if (files.count(OutputFileType::cpp_stub) != 0) {
        refuse_module(name_, "cpp_stub is asked for; a stub is written of a Generator; leave it out");
    }
    generators::write_files(functions_, Files(files.begin(), files.end()));
}

std::ostream &operator<<(std::ostream &stream, const Module &module) {
    for (const CompiledRef &function : module.functions()) {
        stream << ir::to_text(ir::with_tasks_in_place(function->module));
    }
    return stream;
}

Module link_modules(const std::string &name, const std::vector<Module> &modules) {
    if (modules.empty()) {
        refuse_module(name, "link_modules of no Modules; the target is theirs; give one or more");
    }
    Module all(name, modules[0].target());
    for (const Module &module : modules) {
        all.append(module);
    }
    return all;
}

// ---- Several targets.

namespace {

CompiledRef only_function(const Module &module, const std::string &name, const Target &target) {
    if (module.function_names() != std::vector<std::string>{name} || module.target() != target) {
        refuse_module(module.name(), concat("a factory was asked for the function ", name, " for ", target,
                                            " and made something else; each call makes a Module with that function "
                                            "for that target; pass both on to compile_to_module"));
    }
    return module.functions()[0];
}

} // namespace

void compile_multitarget(const std::string &name, const std::map<OutputFileType, std::string> &files,
                         const std::vector<Target> &targets, const std::vector<std::string> &suffixes,
                         const ModuleFactory &factory) {
    const std::string where = concat("in ", name, ": compile_multitarget");
    if (targets.empty() || (!suffixes.empty() && suffixes.size() != targets.size())) {
        throw CompileError("generator-targets",
                           concat(where, " names ", targets.size(), " targets and ", suffixes.size(),
                                  " suffixes; there are one or more targets, and no suffixes or one for each; change "
                                  "the lists"));
    }
    if (files.count(OutputFileType::cpp_stub) != 0) {
        refuse_module(name, "cpp_stub is asked for; a stub is written of a Generator; leave it out");
    }
    generators::check_targets(where, targets);
    const Files all(files.begin(), files.end());
    if (targets.size() == 1) {
        generators::write_files({only_function(factory(name, targets[0]), name, targets[0])}, all);
        return;
    }
    std::vector<CompiledRef> variants;
    std::vector<std::string> used = suffixes;
    for (const Target &target : targets) {
        const std::string variant = name + "_" + driver::c_identifier(target.to_string());
        variants.push_back(only_function(factory(variant, target), variant, target));
        if (suffixes.empty()) {
            used.push_back("-" + underscored(target.to_string()));
        }
    }
    generators::write_variants(name, variants, used, all);
}

// ---- The runtime.

std::map<OutputFileType, std::string> compile_standalone_runtime(const std::map<OutputFileType, std::string> &files,
                                                                 const Target &target) {
    const auto library = files.find(OutputFileType::static_library);
    const auto object = files.find(OutputFileType::object);
    if (object != files.end()) {
        compile_standalone_runtime(object->second, target);
    }
    if (library == files.end()) {
        return {};
    }
    compile_standalone_runtime(library->second, target);
    return {*library};
}

void compile_standalone_runtime(const std::string &path, const Target &) { generators::write_runtime_to(path); }

// ---- Members of Pipeline and Func.

Module Pipeline::compile_to_module(const std::vector<Argument> &args, const std::string &fn_name, const Target &target,
                                   const Location &location) const {
    return with_place(location, [&] { return Module(lowered(*this, args, fn_name, target)); });
}

Module Pipeline::compile_to_module(const std::vector<Argument> &args, const std::string &fn_name, const Target &target,
                                   LinkageType linkage, const Location &location) const {
    if (linkage == LinkageType::Internal) {
        throw CompileError("module",
                           concat("in Module ", fn_name,
                                  ": its function has the linkage Internal; compiled functions "
                                  "are called from C; use ExternalPlusMetadata"),
                           location);
    }
    return compile_to_module(args, fn_name, target, location);
}

void Pipeline::compile_to(const std::map<OutputFileType, std::string> &files, const std::vector<Argument> &args,
                          const std::string &fn_name, const Target &target, const Location &location) const {
    with_place(location, [&] { compile_to_module(args, fn_name, target, location).compile(files); });
}

void Pipeline::compile_to_conceptual_stmt(const std::string &filename, const std::vector<Argument> &,
                                          StmtOutputFormat format, const Target &, const Location &location) const {
    with_place(location, [&] {
        const std::string text = loop_nest(location);
        driver::write_text_file(filename,
                                format == HTML ? driver::page_of(driver::function_name(*contents_), text) : text);
    });
}

static ModuleFactory factory_of(const Pipeline &pipeline, const std::vector<Argument> &args) {
    return [pipeline, args](const std::string &name, const Target &target) {
        return pipeline.compile_to_module(args, name, target, Location());
    };
}

static std::string name_of_file(const std::string &prefix) {
    const size_t slash = prefix.rfind('/');
    return slash == std::string::npos ? prefix : prefix.substr(slash + 1);
}

void Pipeline::compile_to_multitarget_static_library(const std::string &filename_prefix,
                                                     const std::vector<Argument> &args,
                                                     const std::vector<Target> &targets,
                                                     const Location &location) const {
    with_place(location, [&] {
        compile_multitarget(name_of_file(filename_prefix),
                            {{OutputFileType::static_library, filename_prefix + ".a"},
                             {OutputFileType::c_header, filename_prefix + ".h"}},
                            targets, {}, factory_of(*this, args));
    });
}

void Pipeline::compile_to_multitarget_object_files(const std::string &filename_prefix,
                                                   const std::vector<Argument> &args,
                                                   const std::vector<Target> &targets,
                                                   const std::vector<std::string> &suffixes,
                                                   const Location &location) const {
    with_place(location, [&] {
        compile_multitarget(
            name_of_file(filename_prefix),
            {{OutputFileType::object, filename_prefix + ".o"}, {OutputFileType::c_header, filename_prefix + ".h"}},
            targets, suffixes, factory_of(*this, args));
    });
}

Module Func::compile_to_module(const std::vector<Argument> &args, const std::string &fn_name, const Target &target,
                               const Location &location) const {
    return pipeline(location).compile_to_module(args, fn_name, target, location);
}
void Func::compile_to(const std::map<OutputFileType, std::string> &files, const std::vector<Argument> &args,
                      const std::string &fn_name, const Target &target, const Location &location) const {
    pipeline(location).compile_to(files, args, fn_name, target, location);
}
void Func::compile_to_conceptual_stmt(const std::string &filename, const std::vector<Argument> &args,
                                      StmtOutputFormat format, const Target &target, const Location &location) const {
    pipeline(location).compile_to_conceptual_stmt(filename, args, format, target, location);
}
void Func::compile_to_multitarget_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                                 const std::vector<Target> &targets, const Location &location) const {
    pipeline(location).compile_to_multitarget_static_library(filename_prefix, args, targets, location);
}
void Func::compile_to_multitarget_object_files(const std::string &filename_prefix, const std::vector<Argument> &args,
                                               const std::vector<Target> &targets,
                                               const std::vector<std::string> &suffixes,
                                               const Location &location) const {
    pipeline(location).compile_to_multitarget_object_files(filename_prefix, args, targets, suffixes, location);
}

} // namespace fluorite
