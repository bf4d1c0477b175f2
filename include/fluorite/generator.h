#pragma once
// Generators: pipelines as classes, with named parameters, inputs and outputs. A program that registers some and links
// the usual main (generate_filter_main) compiles each on request, with the parameters of the command line, to the files
// that are asked for. docs/guides/generators.md is the guide.
//
//     class Brighten : public Generator<Brighten> {
//       public:
//         GeneratorParam<int> lanes{"lanes", 16};
//         Input<Buffer<uint8_t, 2>> input{"input"};
//         Input<uint8_t> offset{"offset"};
//         Output<Buffer<uint8_t, 2>> output{"output"};
//         Var x, y;
//         void generate() { output(x, y) = input(x, y) + offset; }
//         void schedule() { output.vectorize(x, lanes); }
//     };
//     HALIDE_REGISTER_GENERATOR(Brighten, brighten)

#include "fluorite/require_cxx17.h"

#include "fluorite/generator_detail/base.h"
#include "fluorite/jit.h"
#include "fluorite/module.h"

#include <functional>
#include <iosfwd>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fluorite {

namespace detail::generators {
/// Whether a class has these member functions, public and without arguments.
template <typename T, typename = void> struct HasConfigure : std::false_type {};
template <typename T>
struct HasConfigure<T, std::void_t<decltype(std::declval<T &>().configure())>> : std::true_type {};
template <typename T, typename = void> struct HasGenerate : std::false_type {};
template <typename T> struct HasGenerate<T, std::void_t<decltype(std::declval<T &>().generate())>> : std::true_type {};
template <typename T, typename = void> struct HasSchedule : std::false_type {};
template <typename T> struct HasSchedule<T, std::void_t<decltype(std::declval<T &>().schedule())>> : std::true_type {};
template <typename T, typename = void> struct HasBuild : std::false_type {};
template <typename T> struct HasBuild<T, std::void_t<decltype(std::declval<T &>().build())>> : std::true_type {};
} // namespace detail::generators

/// The base of a Generator T, which has generate(), and may have configure() before it and schedule() after it.
template <typename T> class Generator : public GeneratorBase {
  public:
    /// One for a context, without and with the names under which it is registered.
    static std::unique_ptr<T> create(const GeneratorContext &context) {
        auto made = std::make_unique<T>();
        made->end_construction();
        made->init_from_context(context);
        return made;
    }
    static std::unique_ptr<T> create(const GeneratorContext &context, const std::string &registered_name,
                                     const std::string &stub_name) {
        auto made = create(context);
        made->set_generator_names(registered_name, stub_name);
        return made;
    }
    /// Another Generator in the same context, without and with its inputs, which are Funcs, buffers and numbers.
    template <typename Other> std::unique_ptr<Other> create() const { return Other::create(context()); }
    template <typename Other, typename... Args> std::unique_ptr<Other> apply(const Args &...args) const {
        auto made = create<Other>();
        made->apply(args...);
        return made;
    }
    /// Takes these inputs in place of arguments, and runs all phases; the outputs are then defined and scheduled.
    template <typename... Args> void apply(const Args &...args) {
        call_configure();
        set_inputs(args...);
        call_generate();
        call_schedule();
    }

  protected:
    Generator() = default;

    bool run_configure() override {
        if constexpr (detail::generators::HasConfigure<T>::value) {
            static_cast<T &>(*this).configure();
        }
        return detail::generators::HasConfigure<T>::value;
    }
    void run_generate() override {
        static_assert(detail::generators::HasGenerate<T>::value || detail::generators::HasBuild<T>::value,
                      "a Generator has a public member function void generate()");
        if constexpr (detail::generators::HasGenerate<T>::value) {
            static_cast<T &>(*this).generate();
        } else {
            set_built(Pipeline(static_cast<T &>(*this).build()));
        }
    }
    bool run_schedule() override {
        if constexpr (detail::generators::HasSchedule<T>::value) {
            static_cast<T &>(*this).schedule();
        }
        return detail::generators::HasSchedule<T>::value;
    }
};

/// Makes a Generator; never null.
using GeneratorFactory = std::function<AbstractGeneratorPtr(const GeneratorContext &context)>;

/// The Generators of this program, by name.
class GeneratorRegistry {
  public:
    /// Adds one. A second one of a name, or a name that is none, is an error of the first use of the registry, as it is
    /// found before main().
    static void register_factory(const std::string &name, GeneratorFactory factory);
    static void unregister_factory(const std::string &name);
    /// Forgets that names were registered twice; the first of each stays.
    static void forget_repeated();
    /// All names, sorted.
    static std::vector<std::string> enumerate();
    /// Throws CompileError [generator-unknown] or [generator-registered-twice].
    static AbstractGeneratorPtr create(const std::string &name, const GeneratorContext &context);
};

/// Registers a Generator for as long as it exists; the macros below make one.
class RegisterGenerator {
  public:
    /// As GeneratorRegistry::register_factory.
    RegisterGenerator(const char *name, GeneratorFactory factory) {
        GeneratorRegistry::register_factory(plain_name(name), std::move(factory));
    }
    /// A name without the quotes that programs of 2017 write around it.
    static std::string plain_name(const std::string &name) {
        return name.size() > 1 && name.front() == '"' ? name.substr(1, name.size() - 2) : name;
    }
};

/// The main of a program of Generators: compiles what the command line says, or prints how it is used. Returns the exit
/// status; messages go to `errors`. docs/guides/generators.md lists the options.
int generate_filter_main(int argc, char **argv, std::ostream &errors = std::cerr);

/// What a command line says, as a value: the files of a Generator, or the runtime alone.
struct ExecuteGeneratorArgs {
    std::string output_dir;                // where the files go
    std::set<OutputFileType> output_types; // which
    std::vector<Target> targets;           // as compile_multitarget takes them
    std::vector<std::string> suffixes;     // as compile_multitarget takes them; `-target0`, ... without them
    std::string generator_name;            // as registered; empty if only the runtime is asked for
    std::string function_name;             // that of the Generator if it is empty
    std::string file_base_name;            // that of the function if it is empty
    std::string runtime_name;              // of the runtime alone; none if it is empty
    /// Makes the Generator; GeneratorRegistry::create if it is empty.
    std::function<AbstractGeneratorPtr(const std::string &name, const GeneratorContext &context)> create_generator;
    GeneratorParamsMap generator_params; // `autoscheduler` and `autoscheduler.<option>` among them
};

/// Compiles what the arguments say, and returns the paths of the files. Throws as generate_filter_main reports errors.
std::vector<std::string> execute_generator(const ExecuteGeneratorArgs &args);

/// Loads a shared library, whose static objects may register Generators: a path, or a name that the loader searches,
/// with or without `lib` and `.so`. The libraries of Halide's autoschedulers are accepted and not loaded, as their
/// names mean the scheduler of this library. Throws CompileError [generator-plugin].
void load_plugin(const std::string &name);

/// The pipeline of a registered Generator as a function object, which takes inputs and then outputs, both in the order
/// of their declarations.
Callable create_callable_from_generator(const GeneratorContext &context, const std::string &name,
                                        const GeneratorParamsMap &params = {});
Callable create_callable_from_generator(const Target &target, const std::string &name,
                                        const GeneratorParamsMap &params = {});

} // namespace fluorite

// HALIDE_REGISTER_GENERATOR(class, name) and (class, name, stub), at global scope: `name`, with or without quotes, is
// that of the command line, `stub` that of the class in the stub, with namespaces.
// HALIDE_REGISTER_GENERATOR_ALIAS(name, original, {{"param", "value"}, ...}) registers the original with other values
// of its parameters.
namespace halide_register_generator {
struct halide_global_ns;
}

#define FLUORITE_JOIN_AGAIN(a, b) a##b
#define FLUORITE_JOIN(a, b) FLUORITE_JOIN_AGAIN(a, b)

#define FLUORITE_REGISTER_FACTORY(registered, number, ...)                                                             \
    namespace halide_register_generator {                                                                              \
    struct halide_global_ns;                                                                                           \
    namespace {                                                                                                        \
    const fluorite::RegisterGenerator FLUORITE_JOIN(registered_, number)(#registered, __VA_ARGS__);                    \
    }                                                                                                                  \
    }                                                                                                                  \
    static_assert(std::is_same<::halide_register_generator::halide_global_ns,                                          \
                               halide_register_generator::halide_global_ns>::value,                                    \
                  "HALIDE_REGISTER_GENERATOR stands at global scope");

#define FLUORITE_REGISTER_GENERATOR_AS(cls, registered, stub)                                                          \
    FLUORITE_REGISTER_FACTORY(registered, __COUNTER__,                                                                 \
                              [](const fluorite::GeneratorContext &context) -> fluorite::AbstractGeneratorPtr {        \
                                  using Made = std::remove_pointer_t<decltype(new cls)>;                               \
                                  return Made::create(context, fluorite::RegisterGenerator::plain_name(#registered),   \
                                                      fluorite::RegisterGenerator::plain_name(#stub));                 \
                              })

#define FLUORITE_REGISTER_GENERATOR_2(cls, registered) FLUORITE_REGISTER_GENERATOR_AS(cls, registered, registered)
#define FLUORITE_REGISTER_GENERATOR_3(cls, registered, stub) FLUORITE_REGISTER_GENERATOR_AS(cls, registered, stub)
#define FLUORITE_REGISTER_GENERATOR_CHOOSE(a, b, c, count, ...) FLUORITE_REGISTER_GENERATOR_##count
#define FLUORITE_REGISTER_GENERATOR(...) FLUORITE_REGISTER_GENERATOR_CHOOSE(__VA_ARGS__, 3, 2, 1, 0)(__VA_ARGS__)

#define FLUORITE_REGISTER_GENERATOR_ALIAS(registered, original, ...)                                                   \
    FLUORITE_REGISTER_FACTORY(                                                                                         \
        registered, __COUNTER__, [](const fluorite::GeneratorContext &context) -> fluorite::AbstractGeneratorPtr {     \
            auto made =                                                                                                \
                fluorite::GeneratorRegistry::create(fluorite::RegisterGenerator::plain_name(#original), context);      \
            const fluorite::GeneratorParamsMap values = __VA_ARGS__;                                                   \
            made->set_generatorparam_values(values);                                                                   \
            return made;                                                                                               \
        })

#define HALIDE_REGISTER_GENERATOR FLUORITE_REGISTER_GENERATOR
#define HALIDE_REGISTER_GENERATOR_ALIAS FLUORITE_REGISTER_GENERATOR_ALIAS
