// The phases of a Generator.
//
// A Generator is constructed, its parameters are set, configure() may add inputs and outputs, inputs are bound or
// become arguments, generate() defines the outputs, schedule() schedules them. Members register themselves while the
// constructor runs: the Generator is known to this thread until Generator::create() has it.

#include "generator/state.h"
#include "language/new_parameters.h"
#include "support/check.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace fluorite {

namespace generators {
GeneratorBase *&under_construction();
} // namespace generators

using detail::generators::Given;
using detail::generators::InputMember;
using detail::generators::Member;
using detail::generators::OutputMember;
using detail::generators::ParamMember;
using detail::generators::Port;
using generators::refuse;
using generators::word_list;

void AbstractGenerator::set_generatorparam_values(const GeneratorParamsMap &values) {
    for (const auto &[name, value] : values) {
        set_generatorparam_value(name, value);
    }
}

// ---- Construction.

namespace {

/// State of a Generator whose members are about to be constructed.
template <typename State> std::unique_ptr<State> begin_construction(GeneratorBase *generator) {
    auto state = std::make_unique<State>();
    state->outer = std::exchange(generators::under_construction(), generator);
    state->outer_parameters = std::exchange(language::new_parameters(), &state->parameters);
    return state;
}

bool is_identifier(const std::string &name) {
    const auto is_word = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
    return !name.empty() && std::all_of(name.begin(), name.end(), is_word) && name[0] != '_' &&
           std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}

} // namespace

GeneratorBase::GeneratorBase()
    : state_(begin_construction<State>(this)), target("target", Target()), auto_schedule("auto_schedule", false) {}

GeneratorBase::~GeneratorBase() {
    if (generators::under_construction() == this) { // its constructor threw, or nothing has used it
        generators::under_construction() = state_->outer;
        language::new_parameters() = state_->outer_parameters;
    }
}

void GeneratorBase::add(Member *member) { state_->members.push_back(member); }

void GeneratorBase::end_construction() {
    if (state_->phase != State::Phase::Constructing) {
        return;
    }
    state_->phase = State::Phase::Created;
    generators::under_construction() = state_->outer;
    language::new_parameters() = state_->outer_parameters;
    std::set<std::string> taken;
    for (const std::string &each : state_->names()) {
        if (!is_identifier(each)) {
            refuse("generator-member-name", state_->name,
                   concat("a parameter, input or output is called '", each,
                          "'; its name is that of an argument in C: letters, digits and underscores, a letter first; "
                          "give it another name"));
        }
        if (!taken.insert(each).second) {
            refuse("generator-member-name", state_->name,
                   concat("two of its parameters, inputs and outputs are called ", each,
                          "; callers find them by name, and each has its own; give one of them another name"));
        }
    }
}

void GeneratorBase::set_generator_names(const std::string &registered_name, const std::string &stub_name) {
    state_->name = registered_name;
    state_->stub = stub_name;
}

void GeneratorBase::init_from_context(const GeneratorContext &context) {
    end_construction();
    target.set(context.target());
    state_->autoscheduler = context.autoscheduler_params();
}

std::string GeneratorBase::name() { return state_->name; }
GeneratorContext GeneratorBase::context() const {
    AutoschedulerParams params = state_->autoscheduler;
    params.name = params.name.empty() && auto_schedule ? "Fluorite" : params.name;
    return {target, params};
}
bool GeneratorBase::using_autoscheduler() const { return auto_schedule || !state_->autoscheduler.name.empty(); }

// ---- Parameters.

bool GeneratorBase::set_autoscheduler(const std::string &name, const std::string &value) {
    const std::string prefix = "autoscheduler.";
    if (name == "autoscheduler") {
        state_->autoscheduler.name = value;
    } else if (name.rfind(prefix, 0) == 0) {
        state_->autoscheduler.extra[name.substr(prefix.size())] = value;
    } else {
        return false;
    }
    return true;
}

bool GeneratorBase::set_open(const std::string &name, const std::string &value) {
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos) {
        return false;
    }
    const std::string field = name.substr(dot + 1);
    for (Port *port : state_->all<Port>()) {
        if (port->name() != name.substr(0, dot)) {
            continue;
        }
        bool is_valid = true;
        const auto number = [&] { return static_cast<int>(detail::generators::parse_int(value, 0, 1024, &is_valid)); };
        if (field == "type") {
            std::vector<fluorite::Type> types;
            for (size_t begin = 0; begin <= value.size() && is_valid;) {
                const size_t end = std::min(value.find(',', begin), value.size());
                types.push_back(detail::generators::parse_type(value.substr(begin, end - begin), &is_valid));
                begin = end + 1;
            }
            if (is_valid) {
                port->set_types(types);
            }
        } else if (field == "dim") {
            const int dimensions = number();
            if (is_valid) {
                port->set_dimensions(dimensions);
            }
        } else if (field == "size") {
            const int size = number();
            if (is_valid) {
                port->set_array_size(size);
            }
        } else {
            return false;
        }
        if (!is_valid) {
            refuse("generator-param-value", state_->name,
                   concat("the parameter ", name, " is set to '", value, "'; ",
                          field == "type" ? "it is a type as uint8, int16, float32, bfloat16 or bool"
                                          : "it is an integer from 0 to 1024",
                          "; give such a value"));
        }
        return true;
    }
    return false;
}

void GeneratorBase::set_generatorparam_value(const std::string &name, const std::string &value) {
    end_construction();
    std::vector<std::string> known;
    for (ParamMember *param : state_->all<ParamMember>()) {
        if (param->name() == name) {
            param->set_text(value);
            return;
        }
        known.push_back(param->name());
    }
    if (!set_autoscheduler(name, value) && !set_open(name, value)) {
        refuse("generator-param", state_->name,
               concat("the parameter '", name, "' is set, which it does not have; it has ", word_list(known),
                      ", and type, dim and size of inputs and outputs that leave them open; give one of these names"));
    }
}

void GeneratorBase::set_generatorparam_value(const std::string &name, const LoopLevel &level) {
    end_construction();
    for (ParamMember *param : state_->all<ParamMember>()) {
        if (param->name() == name) {
            param->set_level(level);
            return;
        }
    }
    set_generatorparam_value(name, std::string()); // refused
}

// ---- Inputs and outputs.

std::vector<AbstractGenerator::ArgInfo> GeneratorBase::arginfos() {
    call_configure();
    std::vector<ArgInfo> all;
    for (Port *port : state_->all<Port>()) {
        const bool is_input = InputMember::has(port->role());
        all.push_back({port->name(), is_input ? ArgInfoDirection::Input : ArgInfoDirection::Output, port->kind(),
                       port->declared_types(), port->declared_dimensions(), port->is_array()});
    }
    return all;
}

void GeneratorBase::check_configuring(const std::string &name) const {
    const std::vector<std::string> names = state_->names();
    if (state_->phase != State::Phase::Configuring) {
        refuse("generator-phase", state_->name,
               concat("the input or output ", name,
                      " is added outside of configure(); callers know all inputs and outputs before generate() runs; "
                      "add it in configure()"));
    }
    if (!is_identifier(name) || std::find(names.begin(), names.end(), name) != names.end()) {
        refuse("generator-member-name", state_->name,
               concat("an input or output '", name, "' is added in configure(), and ",
                      is_identifier(name) ? "there is one" : "that is no name in C",
                      "; callers find them by name, and each has its own; give it another name"));
    }
}

InputMember *GeneratorBase::own_input(std::unique_ptr<InputMember> made) {
    InputMember *member = made.get();
    member->generator_ = this;
    add(member);
    state_->added.push_back(std::move(made));
    return member;
}

OutputMember *GeneratorBase::own_output(std::unique_ptr<OutputMember> made) {
    OutputMember *member = made.get();
    member->generator_ = this;
    add(member);
    state_->added.push_back(std::move(made));
    return member;
}

void GeneratorBase::bind_input(const std::string &name, const Given &given) {
    call_configure();
    std::vector<std::string> known;
    for (InputMember *input : state_->all<InputMember>()) {
        if (input->name() == name) {
            input->bind(given);
            return;
        }
        known.push_back(input->name());
    }
    refuse("generator-inputs", state_->name,
           concat("the input '", name, "' is given, which it does not have; it has ", word_list(known),
                  "; give one of these names"));
}

void GeneratorBase::set_inputs_list(const std::vector<Given> &given) {
    call_configure();
    const std::vector<InputMember *> inputs = state_->all<InputMember>();
    if (given.size() != inputs.size()) {
        refuse("generator-inputs", state_->name,
               concat("it is given ", given.size(), " inputs and has ", inputs.size(),
                      "; each input is given once, in the order of the declarations; pass them all"));
    }
    for (size_t i = 0; i < given.size(); i++) {
        inputs[i]->bind(given[i]);
    }
}

// ---- Phases.

void GeneratorBase::call_configure() {
    end_construction();
    if (state_->phase == State::Phase::Created) {
        state_->phase = State::Phase::Configuring;
        run_configure();
        state_->phase = State::Phase::Configured;
    }
}

void GeneratorBase::call_generate() {
    call_configure();
    if (state_->phase != State::Phase::Configured) {
        refuse("generator-phase", state_->name,
               "generate() is to run a second time; a Generator makes one pipeline; create another Generator");
    }
    state_->phase = State::Phase::Generating;
    for (Port *port : state_->all<Port>()) {
        const bool is_output = OutputMember::has(port->role());
        if (!is_output || port->array_size_defined()) { // outputs may be resized in generate()
            port->make_elements();
        }
    }
    run_generate();
    check_outputs();
    state_->phase = State::Phase::Generated;
}

void GeneratorBase::check_outputs() {
    for (OutputMember *output : state_->all<OutputMember>()) {
        output->array_size(); // which is not open any more
        for (const Func &func : output->funcs()) {
            if (!func.defined()) {
                refuse("generator-output", state_->name,
                       concat("the output ", output->name(),
                              " is not defined after generate(); callers get the values of each output; define it"));
            }
            const bool types_fit = output->declared_types().empty() || output->declared_types() == func.types();
            const bool rank_fits =
                output->declared_dimensions() < 0 || output->declared_dimensions() == func.dimensions();
            if (!types_fit || !rank_fits) {
                const auto text = [](const std::vector<fluorite::Type> &types, int dimensions) {
                    std::vector<std::string> list;
                    std::transform(types.begin(), types.end(), std::back_inserter(list),
                                   [](fluorite::Type type) { return to_string(type); });
                    return concat(list.empty() ? "any type" : word_list(list), " with ",
                                  dimensions < 0 ? "any number of" : std::to_string(dimensions), " dimensions");
                };
                refuse("generator-output", state_->name,
                       concat("the output ", output->name(), " is declared as ",
                              text(output->declared_types(), output->declared_dimensions()), " and is ",
                              text(func.types(), func.dimensions()),
                              "; callers rely on the declaration; change it or the definition"));
            }
        }
    }
    if (state_->all<OutputMember>().empty() && !state_->pipeline.defined()) {
        refuse("generator-output", state_->name,
               "it has no outputs; callers get the values of outputs; declare an Output");
    }
}

void GeneratorBase::call_schedule() {
    if (state_->phase == State::Phase::Generated) {
        state_->phase = State::Phase::Scheduled;
        run_schedule();
    }
}

void GeneratorBase::set_built(const Pipeline &pipeline) { state_->pipeline = pipeline; }

Pipeline GeneratorBase::get_pipeline() {
    if (state_->phase < State::Phase::Generating) {
        refuse("generator-phase", state_->name,
               "its pipeline is asked for before generate() has run, which makes it; call apply() or build_pipeline() "
               "first");
    }
    if (!state_->pipeline.defined()) {
        std::vector<Func> funcs;
        for (OutputMember *output : state_->all<OutputMember>()) {
            const std::vector<Func> its = output->funcs();
            funcs.insert(funcs.end(), its.begin(), its.end());
        }
        Pipeline pipeline(funcs);
        for (const State::Requirement &requirement : state_->requirements) {
            pipeline.add_requirement({requirement.condition, Location()}, requirement.parts);
        }
        if (state_->trace_pipeline) {
            pipeline.trace_pipeline();
        }
        state_->pipeline = pipeline;
    }
    return state_->pipeline;
}

void GeneratorBase::add_requirement_of(const Expr &condition, const std::vector<Expr> &parts) {
    if (state_->pipeline.defined()) {
        state_->pipeline.add_requirement({condition, Location()}, parts);
    } else {
        state_->requirements.push_back({condition, parts});
    }
}

void GeneratorBase::trace_pipeline() { state_->trace_pipeline = true; }

Pipeline GeneratorBase::build_pipeline() {
    call_generate();
    call_schedule();
    return get_pipeline();
}

std::vector<Argument> GeneratorBase::input_arguments() {
    std::vector<Argument> all;
    for (InputMember *input : state_->all<InputMember>()) {
        if (!input->given()) {
            const std::vector<Argument> its = input->arguments();
            all.insert(all.end(), its.begin(), its.end());
        }
    }
    for (const detail::Ref<ir::Parameter> &parameter : state_->parameters) {
        all.emplace_back(parameter);
    }
    return all;
}

std::vector<Func> GeneratorBase::output_func(const std::string &name) {
    std::vector<std::string> known;
    for (OutputMember *output : state_->all<OutputMember>()) {
        if (output->name() == name) {
            return output->funcs();
        }
        known.push_back(output->name());
    }
    refuse("generator-output", state_->name,
           concat("the output '", name, "' is asked for, which it does not have; it has ", word_list(known),
                  "; ask for one of these"));
}

} // namespace fluorite
