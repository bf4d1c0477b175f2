// Compiles a Generator to files: one lowering, of which all files are made.

#include "generator/execute.h"

#include "driver/c_names.h"
#include "driver/choose_backend.h"
#include "driver/compiled.h"
#include "driver/header.h"
#include "driver/lowered_file.h"
#include "fluorite/schedule.h"
#include "generator/dispatch.h"
#include "generator/refuse.h"
#include "generator/state.h"
#include "generator/texts.h"
#include "ir/c_abi.h"
#include "ir/print.h"
#include "language/function.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite {

using generators::FileKind;

bool GeneratorBase::emit_cpp_stub(const std::string &path) {
    driver::write_text_file(path, stub_text());
    return true;
}

std::string GeneratorBase::stub_text() {
    using namespace detail::generators;
    std::vector<generators::StubParam> params;
    for (ParamMember *param : state_->all<ParamMember>()) {
        if (!param->cpp_type().empty() && param != &auto_schedule) {
            params.push_back({param->name(), param->cpp_type(), param->cpp_value()});
        }
    }
    return generators::stub_text(state_->name, state_->stub.empty() ? state_->name : state_->stub, arginfos(), params);
}

namespace generators {

namespace {

/// What a compiled generator is, for the files that are made of it.
struct Compiled {
    std::string function;
    Target target;
    Pipeline pipeline;
    std::vector<Argument> args;
    ir::LoweredModule module;
};

std::string statement_text(const Compiled &compiled) { return ir::to_text(ir::with_tasks_in_place(compiled.module)); }

void write(const Compiled &compiled, FileKind kind, const std::string &path, const std::string &file_name) {
    using backends::OutputKind;
    const auto make = [&](OutputKind output) {
        driver::write_compiled(compiled.module, compiled.target, output, path);
    };
    const auto text = [&](const std::string &contents) { driver::write_text_file(path, contents); };
    switch (kind) {
    case FileKind::Assembly:
        return make(OutputKind::Assembly);
    case FileKind::Bitcode:
        return make(OutputKind::Bitcode);
    case FileKind::LlvmAssembly:
        return make(OutputKind::LlvmText);
    case FileKind::Object:
        return make(OutputKind::Object);
    case FileKind::StaticLibrary:
        return make(OutputKind::StaticLibrary);
    case FileKind::Header:
        return text(driver::header_text(compiled.module.entry(), file_name));
    case FileKind::Source:
        return compiled.pipeline.compile_to_c(path, compiled.args, compiled.function, compiled.target, Location());
    case FileKind::CompilerLog:
        return text(compiled.pipeline.compile_report(compiled.target, Location()));
    case FileKind::LoopNest:
        return text(compiled.pipeline.loop_nest(Location()));
    case FileKind::LoopNestPage:
        return text(driver::page_of(compiled.function, compiled.pipeline.loop_nest(Location())));
    case FileKind::FunctionInfo:
        return text(function_info_text(compiled.module.entry()));
    case FileKind::Registration:
        return text(registration_text(compiled.function));
    case FileKind::Schedule:
        return text(schedule_text(compiled.function, compiled.target.to_string(),
                                  compiled.pipeline.schedule(Location()).text()));
    case FileKind::Statement:
        return text(statement_text(compiled));
    case FileKind::StatementPage:
        return text(driver::page_of(compiled.function, statement_text(compiled)));
    default:
        unreachable("a kind of file that is made");
    }
}

AbstractGeneratorPtr created(const Request &request, const Target &target) {
    AutoschedulerParams autoscheduler;
    GeneratorParamsMap others;
    const std::string prefix = "autoscheduler.";
    for (const auto &[name, value] : request.params) {
        if (name == "autoscheduler") {
            autoscheduler.name = value;
        } else if (name.rfind(prefix, 0) == 0) {
            autoscheduler.extra[name.substr(prefix.size())] = value;
        } else {
            others[name] = value;
        }
    }
    AbstractGeneratorPtr generator =
        GeneratorRegistry::create(request.generator, GeneratorContext(target, autoscheduler));
    generator->set_generatorparam_values(others);
    return generator;
}

} // namespace

Pipeline finished_pipeline(AbstractGenerator &generator) {
    Pipeline pipeline = generator.build_pipeline();
    // The names of the declarations are those of the arguments, also where an output was assigned a Func.
    for (const AbstractGenerator::ArgInfo &arg : generator.arginfos()) {
        if (arg.dir == ArgInfoDirection::Input) {
            continue;
        }
        const std::vector<Func> funcs = generator.output_func(arg.name);
        for (size_t i = 0; i < funcs.size(); i++) {
            funcs[i].function()->name = arg.is_array ? concat(arg.name, "_", i) : arg.name;
        }
    }
    const GeneratorContext context = generator.context();
    if (!context.autoscheduler_params().name.empty()) {
        pipeline.apply_autoscheduler(context.target(), context.autoscheduler_params());
    }
    return pipeline;
}

namespace {

Compiled compile(const Request &request, const std::string &function, const Target &target) {
    const AbstractGeneratorPtr generator = created(request, target);
    Compiled compiled;
    compiled.function = function;
    compiled.pipeline = finished_pipeline(*generator);
    compiled.target = generator->context().target();
    compiled.args = generator->input_arguments();
    compiled.module =
        driver::lowered_file(*compiled.pipeline.contents(), compiled.args, compiled.function, compiled.target);
    return compiled;
}

std::vector<std::string> write_one(const Request &request, const std::string &function, const std::string &prefix,
                                   const std::string &base_name, const std::vector<FileKind> &kinds) {
    const Compiled compiled = compile(request, function, request.targets[0]);
    std::vector<std::string> paths;
    for (const FileKind kind : kinds) {
        const std::string extension(row_of(kind).extension);
        paths.push_back(prefix + extension);
        write(compiled, kind, paths.back(), base_name + extension);
    }
    return paths;
}

ArchiveMember object_of(const Compiled &compiled) {
    using backends::OutputKind;
    const backends::Backend &backend = driver::backend_for(compiled.target, OutputKind::Object);
    return {compiled.function + ".o",
            backend.file(compiled.module, compiled.target, OutputKind::Object),
            {compiled.function, ir::argv_name(compiled.function), ir::metadata_name(compiled.function)}};
}

/// Files of the function that chooses, and files of each variant, which are called `<name>-target<i>`. A library has
/// the objects of all.
std::vector<std::string> write_several(const Request &request, const std::string &function, const std::string &prefix,
                                       const std::string &base_name, const std::vector<FileKind> &kinds) {
    check_targets(request.generator, request.targets);
    std::vector<Compiled> compiled;
    std::vector<Variant> variants;
    for (const Target &target : request.targets) {
        variants.push_back({function + "_" + driver::c_identifier(target.to_string()), target});
        compiled.push_back(compile(request, variants.back().function, target));
    }
    Compiled chooser = compiled.back();
    chooser.function = function;
    driver::check_function_name(function, "");
    chooser.module = dispatching_module(function, compiled.back().module.entry(), variants);
    std::vector<std::string> paths;
    for (const FileKind kind : kinds) {
        const std::string extension(row_of(kind).extension);
        if (kind == FileKind::StaticLibrary) {
            std::vector<ArchiveMember> members = {object_of(chooser)};
            std::transform(compiled.begin(), compiled.end(), std::back_inserter(members), object_of);
            paths.push_back(prefix + extension);
            driver::write_text_file(paths.back(), archive_of(members));
            continue;
        }
        const bool is_of_chooser = kind == FileKind::Object || kind == FileKind::Header ||
                                   kind == FileKind::Registration || kind == FileKind::FunctionInfo;
        const bool is_of_each = !is_of_chooser || kind == FileKind::Object;
        if (is_of_chooser) {
            paths.push_back(prefix + extension);
            write(chooser, kind, paths.back(), base_name + extension);
        }
        for (size_t i = 0; i < compiled.size() && is_of_each; i++) {
            const std::string suffix = concat("-target", i, extension);
            paths.push_back(prefix + suffix);
            write(compiled[i], kind, paths.back(), base_name + suffix);
        }
    }
    return paths;
}

} // namespace

std::vector<std::string> execute(const Request &request) {
    const std::string function = request.function.empty() ? request.generator : request.function;
    const std::string base_name = request.base_name.empty() ? function : request.base_name;
    const std::string prefix = request.folder.empty() ? base_name : request.folder + "/" + base_name;
    std::vector<std::string> paths;
    std::vector<FileKind> of_code;
    for (const FileKind kind : request.kinds) {
        if (kind != FileKind::Stub) {
            of_code.push_back(kind);
            continue;
        }
        paths.push_back(prefix + std::string(row_of(kind).extension));
        GeneratorRegistry::create(request.generator, GeneratorContext())->emit_cpp_stub(paths.back());
    }
    if (of_code.empty()) {
        return paths;
    }
    const std::vector<std::string> more = request.targets.size() == 1
                                              ? write_one(request, function, prefix, base_name, of_code)
                                              : write_several(request, function, prefix, base_name, of_code);
    paths.insert(paths.end(), more.begin(), more.end());
    return paths;
}

} // namespace generators
} // namespace fluorite
