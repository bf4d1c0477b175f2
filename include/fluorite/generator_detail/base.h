#pragma once
// GeneratorBase: what a Generator is without its type. It holds the members, runs the phases, and gives the pipeline
// with its arguments. AbstractGenerator is what command lines, stubs and callables need of it, and what a program that
// makes pipelines in another way implements.

#include "fluorite/require_cxx17.h"

#include "fluorite/auto_schedule.h"
#include "fluorite/concise_casts.h"
#include "fluorite/extern_func_argument.h"
#include "fluorite/generator_detail/inputs.h"
#include "fluorite/generator_detail/outputs.h"
#include "fluorite/generator_detail/params.h"
#include "fluorite/jit_extern.h"
#include "fluorite/module.h"
#include "fluorite/ops.h"
#include "fluorite/parameter.h"
#include "fluorite/pipeline.h"
#include "fluorite/realization.h"

#include <initializer_list>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fluorite {

using GeneratorParamsMap = std::map<std::string, std::string>;

/// What a Generator makes its pipeline for: the target, and the autoscheduler, whose name is empty where there is none.
class GeneratorContext {
  public:
    GeneratorContext() = default;
    /// For a target, without and with an autoscheduler; and what they are.
    explicit GeneratorContext(const Target &target) : target_(target) {}
    GeneratorContext(const Target &target, const AutoschedulerParams &autoscheduler)
        : target_(target), autoscheduler_(autoscheduler) {}
    const Target &target() const { return target_; }
    const AutoschedulerParams &autoscheduler_params() const { return autoscheduler_; }
    /// A copy for another target.
    GeneratorContext with_target(const Target &target) const { return {target, autoscheduler_}; }
    /// A Generator of class T in this context; apply() also gives it its inputs and runs it.
    template <typename T> std::unique_ptr<T> create() const { return T::create(*this); }
    template <typename T, typename... Args> std::unique_ptr<T> apply(const Args &...args) const {
        auto made = create<T>();
        made->apply(args...);
        return made;
    }

  private:
    Target target_;
    AutoschedulerParams autoscheduler_;
};

/// Something that makes one pipeline, once: set parameters and bind inputs, then build_pipeline().
class AbstractGenerator {
  public:
    /// What bind_input takes: Funcs, buffers, numbers, or vectors of them.
    using Given = detail::generators::Given;
    /// An input or output. Several types are those of a Tuple. The elements of an array are called `<name>_<index>`.
    struct ArgInfo {
        std::string name;
        ArgInfoDirection dir = ArgInfoDirection::Input;
        ArgInfoKind kind = ArgInfoKind::Scalar;
        std::vector<Type> types = {};
        int dimensions = 0;
        bool is_array = false;
    };

    virtual ~AbstractGenerator() = default;
    /// The name under which it is registered.
    virtual std::string name() = 0;
    /// What it was created with.
    virtual GeneratorContext context() const = 0;
    /// Inputs and outputs in the order of their declarations; those that configure() has added are last.
    virtual std::vector<ArgInfo> arginfos() = 0;
    /// Sets a parameter, before build_pipeline(). Throws CompileError [generator-param] for a name that it does not
    /// have, [generator-param-value] for a text that is no value of it.
    virtual void set_generatorparam_value(const std::string &name, const std::string &value) = 0;
    virtual void set_generatorparam_value(const std::string &name, const LoopLevel &level) = 0;
    /// The same for several.
    void set_generatorparam_values(const GeneratorParamsMap &values);
    /// The pipeline, scheduled.
    virtual Pipeline build_pipeline() = 0;
    /// After build_pipeline(): the arguments of the inputs in order, one for each element of an array.
    virtual std::vector<Argument> input_arguments() = 0;
    /// After build_pipeline(): the Funcs of an output, one for each element of an array.
    virtual std::vector<Func> output_func(const std::string &name) = 0;
    /// Takes Funcs, buffers or numbers in place of an argument, before build_pipeline().
    virtual void bind_input(const std::string &name, const detail::generators::Given &given) = 0;
    /// Writes a stub, if it has one; returns whether it has.
    virtual bool emit_cpp_stub(const std::string &path) = 0;
};

using AbstractGeneratorPtr = std::unique_ptr<AbstractGenerator>;

/// Names that generators use without qualification.
class NamesInterface {
  protected:
    using Argument = fluorite::Argument;
    using EvictionKey = fluorite::EvictionKey;
    using Expr = fluorite::Expr;
    using ExternFuncArgument = fluorite::ExternFuncArgument;
    using Func = fluorite::Func;
    using GeneratorContext = fluorite::GeneratorContext;
    using ImageParam = fluorite::ImageParam;
    using LoopLevel = fluorite::LoopLevel;
    using MemoryType = fluorite::MemoryType;
    using NameMangling = fluorite::NameMangling;
    using Partition = fluorite::Partition;
    using Pipeline = fluorite::Pipeline;
    using PrefetchBoundStrategy = fluorite::PrefetchBoundStrategy;
    using RDom = fluorite::RDom;
    using RVar = fluorite::RVar;
    using TailStrategy = fluorite::TailStrategy;
    using Target = fluorite::Target;
    using Tuple = fluorite::Tuple;
    using Type = fluorite::Type;
    using Var = fluorite::Var;
    template <typename T> using GeneratorParam = fluorite::GeneratorParam<T>;
    template <typename T> using ScheduleParam = fluorite::GeneratorParam<T>;
    template <typename T = void, int Dims = -1> using Buffer = fluorite::Buffer<T, Dims>;
    template <typename T = void> using Param = fluorite::Param<T>;
    template <typename T> using Input = GeneratorInput<T>;
    template <typename T> using Output = GeneratorOutput<T>;
    /// Those of the namespace.
    template <typename T> static Expr cast(const Expr &value) { return fluorite::cast<T>(value); }
    static Expr cast(const Type &type, const Expr &value) { return fluorite::cast(type, value); }
    static Type Bool(int lanes = 1) { return fluorite::Bool(lanes); }
    static Type Float(int bits, int lanes = 1) { return fluorite::Float(bits, lanes); }
    static Type Int(int bits, int lanes = 1) { return fluorite::Int(bits, lanes); }
    static Type UInt(int bits, int lanes = 1) { return fluorite::UInt(bits, lanes); }
};

class GeneratorBase : public NamesInterface, public AbstractGenerator {
    struct State;
    std::unique_ptr<State> state_; // before all members that register themselves

  public:
    GeneratorBase(const GeneratorBase &) = delete;
    GeneratorBase &operator=(const GeneratorBase &) = delete;
    ~GeneratorBase() override;

    /// As those of AbstractGenerator.
    std::string name() override;
    GeneratorContext context() const override;
    std::vector<ArgInfo> arginfos() override;
    void set_generatorparam_value(const std::string &name, const std::string &value) override;
    void set_generatorparam_value(const std::string &name, const LoopLevel &level) override;
    Pipeline build_pipeline() override;
    std::vector<Argument> input_arguments() override;
    std::vector<Func> output_func(const std::string &name) override;
    void bind_input(const std::string &name, const detail::generators::Given &given) override;
    void bind_input(const std::string &name, std::initializer_list<Func> funcs) {
        bind_input(name, detail::generators::Given(std::vector<Func>(funcs)));
    }
    void bind_input(const std::string &name, std::initializer_list<Expr> numbers) {
        bind_input(name, detail::generators::Given(std::vector<Expr>(numbers)));
    }
    /// By handles to inputs: buffers, or scalars.
    void bind_input(const std::string &name, const std::vector<Parameter> &parameters);
    /// After generate(): the handles of an input, one for each element of an array. Throws CompileError
    /// [generator-inputs] for a name that no argument has.
    std::vector<Parameter> input_parameter(const std::string &name);
    /// Halide asks a Generator whether it may declare inputs after outputs. Here it may, whatever this says: arguments
    /// are in the order of declarations, inputs first.
    virtual bool allow_out_of_order_inputs_and_outputs() const { return false; }
    /// The pipeline as a module of one function, whose name is that of the Generator unless one is given.
    Module build_module(const std::string &function_name = "");
    /// The pipeline as a function object, with handlers and extern functions for its runs.
    Callable compile_to_callable(const JITHandlers *handlers = nullptr,
                                 const std::map<std::string, JITExtern> *externs = nullptr);
    bool emit_cpp_stub(const std::string &path) override;

    /// The target of the pipeline, and the lanes of its widest vectors.
    Target get_target() const { return target; }
    int natural_vector_size(const Type &type) const { return get_target().natural_vector_size(type); }
    template <typename T> int natural_vector_size() const { return get_target().template natural_vector_size<T>(); }
    /// Whether an automatic schedule follows, so that schedule() has none to write.
    bool using_autoscheduler() const;
    bool get_auto_schedule() const { return using_autoscheduler(); }

    /// Gives all inputs, in their order, in place of arguments. Throws CompileError [generator-inputs].
    template <typename... Args> void set_inputs(const Args &...args) {
        set_inputs_list({detail::generators::Given(args)...});
    }
    void set_inputs_list(const std::vector<detail::generators::Given> &given);

    /// The pipeline of the outputs, after generate().
    Pipeline get_pipeline();
    /// Runs it, as Pipeline::realize does, for the target of the context.
    Realization realize(const std::vector<int32_t> &sizes) { return get_pipeline().realize(sizes, get_target()); }
    template <typename... Sizes, std::enable_if_t<std::conjunction_v<std::is_integral<Sizes>...>> * = nullptr>
    Realization realize(Sizes... sizes) {
        return realize(std::vector<int32_t>{static_cast<int32_t>(sizes)...});
    }
    void realize(const RealizationArg &outputs) { get_pipeline().realize(outputs, get_target()); }
    /// As those of Pipeline.
    void add_requirement(const Expr &condition, const std::vector<Expr> &parts) {
        add_requirement_of(condition, parts);
    }
    template <typename... Parts, std::enable_if_t<(std::is_convertible_v<const Parts &, Expr> && ...), int> = 0>
    void add_requirement(const Expr &condition, const Parts &...parts) {
        add_requirement_of(condition, {Expr(parts)...});
    }
    void trace_pipeline();

    /// In configure(): adds an input or output behind those that are declared, with what its type leaves open.
    template <typename T, typename... Args> GeneratorInput<T> *add_input(const std::string &name, const Args &...args) {
        check_configuring(name);
        if constexpr (std::is_same_v<T, Expr>) {
            auto made = std::make_unique<GeneratorInput<T>>(name);
            made->set_types({args...});
            return static_cast<GeneratorInput<T> *>(own_input(std::move(made)));
        } else {
            return static_cast<GeneratorInput<T> *>(own_input(std::make_unique<GeneratorInput<T>>(name, args...)));
        }
    }
    template <typename T, typename... Args>
    GeneratorOutput<T> *add_output(const std::string &name, const Args &...args) {
        check_configuring(name);
        return static_cast<GeneratorOutput<T> *>(own_output(std::make_unique<GeneratorOutput<T>>(name, args...)));
    }

    /// The target and whether there is an automatic schedule, as parameters.
    GeneratorParam<Target> target;
    GeneratorParam<bool> auto_schedule;

    /// For registration: the names of the Generator and of its stub, which may be in namespaces.
    void set_generator_names(const std::string &registered_name, const std::string &stub_name);

  protected:
    GeneratorBase();
    /// Takes target and autoscheduler; a Generator that changes them for itself overrides it.
    virtual void init_from_context(const GeneratorContext &context);

    /// What the class does in each phase; false where it has no such function.
    virtual bool run_configure() = 0;
    virtual void run_generate() = 0;
    virtual bool run_schedule() = 0;
    /// The phases in their order, each once: inputs and outputs get their elements between the first and the second.
    void call_configure();
    void call_generate();
    void call_schedule();
    /// The Funcs that build(), the form of before 2016, has returned.
    void set_built(const Pipeline &pipeline);

  private:
    friend class detail::generators::Member;
    friend class detail::generators::Port;
    friend class detail::generators::ParamMember;
    template <typename T> friend class Generator;

    void add(detail::generators::Member *member);
    void check_configuring(const std::string &name) const;
    detail::generators::InputMember *own_input(std::unique_ptr<detail::generators::InputMember> made);
    detail::generators::OutputMember *own_output(std::unique_ptr<detail::generators::OutputMember> made);
    void add_requirement_of(const Expr &condition, const std::vector<Expr> &parts);
    void end_construction();
    bool set_open(const std::string &name, const std::string &value);
    bool set_autoscheduler(const std::string &name, const std::string &value);
    void check_outputs();
    std::string stub_text();
};

} // namespace fluorite
