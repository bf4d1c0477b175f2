// Compiles a Generator to files: one lowering, of which all files are made.

#include "generator/execute.h"

#include "driver/c_names.h"
#include "driver/lowered_file.h"
#include "generator/compiled_files.h"
#include "generator/dispatch.h"
#include "generator/refuse.h"
#include "generator/state.h"
#include "generator/texts.h"
#include "language/function.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite {

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

AbstractGeneratorPtr made(const Request &request, const GeneratorContext &context) {
    return request.create ? request.create(request.generator, context)
                          : GeneratorRegistry::create(request.generator, context);
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
    AbstractGeneratorPtr generator = made(request, GeneratorContext(target, autoscheduler));
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
    compiled.function = driver::c_function_of(function);
    compiled.cpp_name = function;
    compiled.pipeline = finished_pipeline(*generator);
    compiled.target = generator->context().target();
    compiled.module = driver::lowered_file(*compiled.pipeline.contents(), generator->input_arguments(),
                                           compiled.function, compiled.target);
    return compiled;
}

/// Files of the function that chooses, and files of each variant, which are called `<name>-target<i>`.
std::vector<std::string> write_several(const Request &request, const std::string &function, const Files &files) {
    check_targets(concat("in generator ", request.generator, ": target="), request.targets);
    std::vector<CompiledRef> variants;
    std::vector<std::string> suffixes = request.suffixes;
    for (const Target &target : request.targets) {
        const std::string name = function + "_" + driver::c_identifier(target.to_string());
        variants.push_back(std::make_shared<const Compiled>(compile(request, name, target)));
        if (request.suffixes.empty()) {
            suffixes.push_back(concat("-target", suffixes.size()));
        }
    }
    return write_variants(function, variants, suffixes, files);
}

} // namespace

std::vector<std::string> execute(const Request &request) {
    const std::string function = request.function.empty() ? request.generator : request.function;
    const size_t last_part = function.rfind("::");
    const std::string in_namespace = last_part == std::string::npos ? function : function.substr(last_part + 2);
    const std::string base_name = request.base_name.empty() ? in_namespace : request.base_name;
    const std::string prefix = request.folder.empty() ? base_name : request.folder + "/" + base_name;
    std::vector<std::string> paths;
    Files of_code;
    for (const OutputFileType kind : request.kinds) {
        const std::string path = prefix + std::string(row_of(kind).extension);
        if (kind != OutputFileType::cpp_stub) {
            of_code.emplace_back(kind, path);
            continue;
        }
        paths.push_back(path);
        made(request, GeneratorContext())->emit_cpp_stub(path);
    }
    if (of_code.empty()) {
        return paths;
    }
    const std::vector<std::string> more =
        request.targets.size() == 1
            ? write_files({std::make_shared<const Compiled>(compile(request, function, request.targets[0]))}, of_code)
            : write_several(request, function, of_code);
    paths.insert(paths.end(), more.begin(), more.end());
    return paths;
}

} // namespace generators
} // namespace fluorite
