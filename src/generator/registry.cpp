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
