// The Generators of a program, by name. They register themselves before main(), in no defined order, so mistakes are
// kept and reported by the first use.

#include "generator/registry.h"
#include "fluorite/pipeline.h"
#include "generator/execute.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace fluorite {

using generators::refuse;
using generators::word_list;

namespace {

struct Registered {
    std::mutex mutex;
    std::map<std::string, GeneratorFactory> factories;
    std::vector<std::string> repeated;
};

Registered &registered() {
    static Registered all;
    return all;
}

} // namespace

void GeneratorRegistry::register_factory(const std::string &name, GeneratorFactory factory) {
    Registered &all = registered();
    const std::lock_guard<std::mutex> lock(all.mutex);
    if (!all.factories.emplace(name, std::move(factory)).second) {
        all.repeated.push_back(name);
    }
}

void GeneratorRegistry::unregister_factory(const std::string &name) {
    Registered &all = registered();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.factories.erase(name);
    all.repeated.erase(std::remove(all.repeated.begin(), all.repeated.end(), name), all.repeated.end());
}

void GeneratorRegistry::forget_repeated() {
    Registered &all = registered();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.repeated.clear();
}

std::vector<std::string> GeneratorRegistry::enumerate() {
    Registered &all = registered();
    const std::lock_guard<std::mutex> lock(all.mutex);
    std::vector<std::string> names;
    for (const auto &[name, factory] : all.factories) {
        names.push_back(name);
    }
    return names;
}

void generators::check_registry() {
    Registered &all = registered();
    const std::lock_guard<std::mutex> lock(all.mutex);
    if (!all.repeated.empty()) {
        refuse("generator-registered-twice", all.repeated[0],
               "two generators are registered under this name; a command line finds a generator by its name; register "
               "one of them under another");
    }
}

AbstractGeneratorPtr GeneratorRegistry::create(const std::string &name, const GeneratorContext &context) {
    generators::check_registry();
    GeneratorFactory factory;
    {
        Registered &all = registered();
        const std::lock_guard<std::mutex> lock(all.mutex);
        const auto found = all.factories.find(name);
        factory = found == all.factories.end() ? GeneratorFactory() : found->second;
    }
    if (!factory) {
        refuse("generator-unknown", name,
               concat("no generator is registered under this name; there are ", word_list(enumerate()),
                      "; give one of these names"));
    }
    return factory(context);
}

// ---- A Generator as an object of the program.

void GeneratorBase::bind_input(const std::string &name, const std::vector<Parameter> &parameters) {
    if (!parameters.empty() && parameters[0].is_buffer()) {
        bind_input(name, detail::generators::Given(std::vector<ImageParam>(parameters.begin(), parameters.end())));
        return;
    }
    std::vector<Expr> numbers;
    for (const Parameter &parameter : parameters) {
        numbers.push_back(Param<>(parameter));
    }
    bind_input(name, detail::generators::Given(numbers));
}

std::vector<Parameter> GeneratorBase::input_parameter(const std::string &name) {
    std::vector<Parameter> found;
    for (const Argument &argument : input_arguments()) {
        const std::string element = name + "_" + std::to_string(found.size());
        if (argument.name == name || argument.name == element) {
            found.emplace_back(argument.parameter);
        }
    }
    if (found.empty()) {
        refuse("generator-inputs", this->name(),
               concat("the parameter of the input '", name,
                      "' is asked for; no argument has this name; give the name of an input that is none of the "
                      "program's own"));
    }
    return found;
}

Module GeneratorBase::build_module(const std::string &function_name) {
    const Pipeline pipeline = generators::finished_pipeline(*this);
    return pipeline.compile_to_module(input_arguments(), function_name.empty() ? name() : function_name,
                                      context().target());
}

Callable GeneratorBase::compile_to_callable(const JITHandlers *handlers,
                                            const std::map<std::string, JITExtern> *externs) {
    Pipeline pipeline = generators::finished_pipeline(*this);
    if (handlers != nullptr) {
        pipeline.jit_handlers() = *handlers;
    }
    if (externs != nullptr) {
        pipeline.set_jit_externs(*externs);
    }
    return pipeline.compile_to_callable(input_arguments(), context().target());
}

Callable create_callable_from_generator(const GeneratorContext &context, const std::string &name,
                                        const GeneratorParamsMap &params) {
    const AbstractGeneratorPtr generator = GeneratorRegistry::create(name, context);
    generator->set_generatorparam_values(params);
    return generators::finished_pipeline(*generator)
        .compile_to_callable(generator->input_arguments(), context.target());
}

Callable create_callable_from_generator(const Target &target, const std::string &name,
                                        const GeneratorParamsMap &params) {
    return create_callable_from_generator(GeneratorContext(target), name, params);
}

} // namespace fluorite
