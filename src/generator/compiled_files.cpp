// The files of compiled functions.
//
// Objects, assembly and C source come from the back ends, texts from the loop IR, from the loop nest and from the
// schedule. A static library of several functions has an object for each, so that a linker takes those that are called.

#include "generator/compiled_files.h"

#include "backends/llvm/archives.h"
#include "driver/archive.h"
#include "driver/c_names.h"
#include "driver/choose_backend.h"
#include "driver/header.h"
#include "driver/lowered_file.h"
#include "fluorite/schedule.h"
#include "fluorite/serialization.h"
#include "generator/dispatch.h"
#include "generator/file_kinds.h"
#include "generator/texts.h"
#include "ir/print.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::generators {

namespace {

using backends::OutputKind;

std::string statement_text(const Compiled &compiled) { return ir::to_text(ir::with_tasks_in_place(compiled.module)); }
std::string loop_nest_of(const Compiled &compiled) {
    return compiled.loop_nest ? *compiled.loop_nest : compiled.pipeline.loop_nest(Location());
}
std::string schedule_of(const Compiled &compiled) {
    return compiled.schedule ? *compiled.schedule : compiled.pipeline.schedule(Location()).text();
}

std::string file_name_of(const std::string &path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// The pipeline itself is written, so it is to be the one that was lowered.
void write_serialized(const Compiled &compiled, const std::string &path) {
    if (compiled.schedule && compiled.pipeline.schedule(Location()).text() != *compiled.schedule) {
        throw CompileError("module", concat("in Module ", compiled.function,
                                            ": hlpipe is asked for, and the pipeline was scheduled otherwise after the "
                                            "Module was made; a file has the schedule of the Module; make the Module "
                                            "anew"));
    }
    serialize_pipeline(compiled.pipeline, path, {}, Location());
}

void write(const Compiled &compiled, OutputFileType kind, const std::string &path) {
    const auto make = [&](OutputKind output) {
        driver::write_compiled(compiled.module, compiled.target, output, path);
    };
    const auto text = [&](const std::string &contents) { driver::write_text_file(path, contents); };
    switch (kind) {
    case OutputFileType::assembly:
        return make(OutputKind::Assembly);
    case OutputFileType::bitcode:
        return make(OutputKind::Bitcode);
    case OutputFileType::hlpipe:
        return write_serialized(compiled, path);
    case OutputFileType::llvm_assembly:
        return make(OutputKind::LlvmText);
    case OutputFileType::object:
        return make(OutputKind::Object);
    case OutputFileType::static_library:
        return make(OutputKind::StaticLibrary);
    case OutputFileType::c_source:
        return make(OutputKind::Source);
    case OutputFileType::c_header:
        return text(driver::header_text(compiled.module.entry(), file_name_of(path), compiled.cpp_name));
    case OutputFileType::compiler_log:
        return text(compiled.pipeline.compile_report(compiled.target, Location()));
    case OutputFileType::conceptual_stmt:
        return text(loop_nest_of(compiled));
    case OutputFileType::conceptual_stmt_html:
        return text(driver::page_of(compiled.function, loop_nest_of(compiled)));
    case OutputFileType::function_info_header:
        return text(function_info_text(compiled.module.entry()));
    case OutputFileType::registration:
        return text(registration_text(compiled.function));
    case OutputFileType::schedule:
        return text(schedule_text(compiled.function, compiled.target.to_string(), schedule_of(compiled)));
    case OutputFileType::stmt:
        return text(statement_text(compiled));
    case OutputFileType::stmt_html:
        return text(driver::page_of(compiled.function, statement_text(compiled)));
    default:
        throw CompileError("not-built", concat("in ", compiled.function, ": ", row_of(kind).word,
                                               " is not made: ", row_of(kind).not_built, "; leave it out"));
    }
}

backends::ArchiveMember object_of(const CompiledRef &compiled) {
    const backends::Backend &backend = driver::backend_for(compiled->target, OutputKind::Object);
    return {compiled->function + ".o", backend.file(compiled->module, compiled->target, OutputKind::Object)};
}

void write_library(const std::vector<CompiledRef> &functions, const std::string &path) {
    std::vector<backends::ArchiveMember> members;
    std::transform(functions.begin(), functions.end(), std::back_inserter(members), object_of);
    const Compiled &last = *functions.back();
    driver::write_text_file(
        path, driver::with_runtime(backends::archive_of(members, last.target), last.target, last.function));
}

/// The headers of all functions; each guards itself.
void write_header(const std::vector<CompiledRef> &functions, const std::string &path) {
    std::string text;
    for (const CompiledRef &compiled : functions) {
        text += driver::header_text(compiled->module.entry(), concat(compiled->function, "_", file_name_of(path)),
                                    compiled->cpp_name);
    }
    driver::write_text_file(path, text);
}

} // namespace

std::vector<std::string> write_files(const std::vector<CompiledRef> &functions, const Files &files) {
    std::vector<std::string> paths;
    for (const auto &[kind, path] : files) {
        if (functions.size() == 1) {
            write(*functions[0], kind, path);
        } else if (kind == OutputFileType::static_library) {
            write_library(functions, path);
        } else if (kind == OutputFileType::c_header) {
            write_header(functions, path);
        } else {
            throw CompileError("module", concat("in a Module: it has ", functions.size(), " functions, and ",
                                                row_of(kind).word, " is asked for; a file of that kind describes one; ",
                                                "ask for static_library or c_header, or compile each function"));
        }
        paths.push_back(path);
    }
    return paths;
}

std::vector<std::string> write_variants(const std::string &cpp_name, const std::vector<CompiledRef> &variants,
                                        const std::vector<std::string> &suffixes, const Files &files) {
    const std::string function = driver::c_function_of(cpp_name);
    driver::check_function_name(function, "");
    std::vector<Variant> choices;
    for (const CompiledRef &variant : variants) {
        choices.push_back({variant->function, variant->target});
    }
    const Compiled &last = *variants.back();
    const auto chooser = std::make_shared<const Compiled>(Compiled{
        function, cpp_name, last.target, last.pipeline, dispatching_module(function, last.module.entry(), choices)});
    std::vector<std::string> paths;
    for (const auto &[kind, path] : files) {
        const bool is_of_chooser = kind == OutputFileType::object || kind == OutputFileType::c_header ||
                                   kind == OutputFileType::registration || kind == OutputFileType::function_info_header;
        if (kind == OutputFileType::static_library) {
            std::vector<CompiledRef> all = {chooser};
            all.insert(all.end(), variants.begin(), variants.end());
            write_library(all, path);
            paths.push_back(path);
            continue;
        }
        if (is_of_chooser) {
            write(*chooser, kind, path);
            paths.push_back(path);
        }
        const std::string extension(row_of(kind).extension);
        const bool has_extension = path.size() > extension.size() &&
                                   path.compare(path.size() - extension.size(), extension.size(), extension) == 0;
        const size_t stem = has_extension ? path.size() - extension.size() : std::min(path.rfind('.'), path.size());
        for (size_t i = 0; i < variants.size() && (!is_of_chooser || kind == OutputFileType::object); i++) {
            paths.push_back(path.substr(0, stem) + suffixes[i] + path.substr(stem));
            write(*variants[i], kind, paths.back());
        }
    }
    return paths;
}

} // namespace fluorite::generators
