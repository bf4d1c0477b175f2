// Compiles a Generator to files: one lowering, of which all files are made.

#include "generator/execute.h"

#include "driver/compiled.h"
#include "driver/header.h"
#include "driver/lowered_file.h"
#include "fluorite/schedule.h"
#include "generator/refuse.h"
#include "generator/state.h"
#include "generator/texts.h"
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
    if (request.targets.size() != 1) {
        throw CompileError("not-built",
                           concat("in generator ", request.generator, ": target= names ", request.targets.size(),
                                  " targets; this build compiles for one; name one"));
    }
    const AbstractGeneratorPtr generator = created(request, request.targets[0]);
    Compiled compiled;
    compiled.function = function;
    compiled.pipeline = finished_pipeline(*generator);
    compiled.target = generator->context().target();
    compiled.args = generator->input_arguments();
    compiled.module =
        driver::lowered_file(*compiled.pipeline.contents(), compiled.args, compiled.function, compiled.target);
    for (const FileKind kind : of_code) {
        const std::string extension(row_of(kind).extension);
        paths.push_back(prefix + extension);
        write(compiled, kind, paths.back(), base_name + extension);
    }
    return paths;
}

} // namespace generators
} // namespace fluorite
