// Reading pipelines (pipeline_file.h).
//
// Each entry is checked where it is read, so that what is called afterwards gets operands as from a program. Errors of
// these calls, and broken invariants that only freezing detects, say that the file is damaged. Objects of a file that
// is refused are taken apart, because an incomplete definition may own itself.

#include "language/serialize/pipeline_file.h"

#include "fluorite/buffer.h"
#include "fluorite/schedule.h"
#include "ir/extern_stage.h"
#include "ir/verify.h"
#include "language/apply_schedule.h"
#include "language/freeze.h"
#include "language/new_parameters.h"
#include "language/serialize/directive_places.h"
#include "language/serialize/read_expression.h"
#include "language/thaw.h"
#include "schedule/directives/common.h"
#include "support/check.h"
#include "support/reporting.h"

#include <map>
#include <mutex>
#include <set>

namespace fluorite::language {

using ir::ExprKind;

namespace {

/// Locations refer to names of files that outlive all objects.
const char *lasting(const std::string &text) {
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::lock_guard lock(mutex);
    return texts.insert(text).first->c_str();
}

class PipelineReader {
  public:
    PipelineReader(ByteReader &in, const ExternalParameters &given, const NumberedParameters &numbered)
        : in_(in), given_(given), numbered_(numbered) {}
    PipelineReader(const PipelineReader &) = delete;
    PipelineReader &operator=(const PipelineReader &) = delete;
    ~PipelineReader() {
        if (!is_complete_) {
            take_apart();
        }
    }

    ReadPipeline run() {
        while (const size_t entry = in_.index(entry_count, "an entry")) {
            (this->*readers[entry])();
        }
        require(in_.at_end(), "bytes follow the last entry");
        require(!contents_.outputs.empty(), "the pipeline has no outputs");
        check_graph();
        apply_schedules();
        is_complete_ = true;
        return {std::move(contents_), external()};
    }

  private:
    using Reader = void (PipelineReader::*)();
    static const Reader readers[entry_count];

    ByteReader &in_;
    const ExternalParameters &given_;
    const NumberedParameters &numbered_;
    ReadObjects objects_;
    struct ScheduleText {
        std::shared_ptr<PipelineContents> of; // null: the pipeline
        std::map<std::string, Location> places;
        std::vector<std::pair<RefPtr<ir::Parameter>, std::string>> parameters; // with the names of scalars in the text
        std::string text;
    };
    std::vector<ScheduleText> schedules_;
    PipelineContents contents_;
    const RefPtr<const RefCounted> local_{new IterationLocal};
    std::set<const ir::Parameter *> replaced_, output_buffers_;
    bool is_complete_ = false;

    void require(bool holds, const char *seen) const {
        if (!holds) {
            in_.fail(seen);
        }
    }

    void take_apart() {
        for (const RefPtr<ReductionDomain> &domain : objects_.domains) {
            domain->predicate = Expr();
        }
        for (const RefPtr<ir::Parameter> &parameter : objects_.parameters) {
            if (!replaced_.contains(parameter.get())) {
                parameter->dims.assign(parameter->dims.size(), {});
                parameter->min_value = parameter->max_value = parameter->estimate = Expr();
            }
        }
    }

    // ---- Lists and words.

    template <typename T> const T &one_of(const std::vector<T> &list, const char *what) {
        return read_one_of(in_, list, what);
    }
    std::string name() { return one_of(objects_.names, "a name"); }
    Location place() { return one_of(objects_.places, "a place"); }
    Expr expr() { return one_of(objects_.exprs, "an expression"); }
    Expr optional() {
        const size_t number = in_.index(objects_.exprs.size() + 1, "an expression");
        return number == 0 ? Expr() : objects_.exprs[number - 1];
    }
    template <typename Read> auto list(const char *what, const Read &read) {
        std::vector<decltype(read())> all;
        for (size_t left = in_.count(what); left > 0; left--) {
            all.push_back(read());
        }
        return all;
    }
    std::vector<Expr> exprs() {
        return list("expressions", [&] { return expr(); });
    }
    RefPtr<Function> function() { return one_of(objects_.functions, "a Func"); }
    RefPtr<ir::Parameter> parameter() { return one_of(objects_.parameters, "a parameter"); }

    void word_entry() { objects_.words.push_back(in_.text()); }
    void name_entry() {
        const bool is_numbered = in_.flag();
        const std::string text = in_.text();
        require(is_numbered || !is_anonymous(text), "a name has a number of another process");
        objects_.names.push_back(is_numbered ? anonymous_name(text) : text);
    }
    void place_entry() {
        const std::string file = in_.text();
        const auto line = static_cast<unsigned>(in_.number()), column = static_cast<unsigned>(in_.number());
        objects_.places.emplace_back(lasting(file), line, column);
    }
    void expression_entry() { objects_.exprs.push_back(read_expression(in_, objects_)); }
    void random_entry() { objects_.random.emplace_back(ir::SymbolKind::Let, anonymous_name("random")); }

    // ---- Parameters.

    void parameter_entry() {
        RefPtr<ir::Parameter> made(new ir::Parameter);
        made->name = name();
        made->location = place();
        made->type = read_type(in_);
        made->is_buffer = in_.flag();
        made->dimensions = static_cast<int>(in_.index(most_dimensions + 1, "a rank"));
        require(made->is_buffer || made->dimensions == 0, "a Param has dimensions");
        made->dims.resize(static_cast<size_t>(made->dimensions));
        const bool is_local = in_.flag();
        made->iteration = is_local ? local_ : RefPtr<const RefCounted>();
        made->trace_loads = in_.flag();
        made->has_value = in_.flag();
        require(!made->has_value || !made->is_buffer, "an image has a number as its value");
        made->value_bits = made->has_value ? in_.fixed() : 0;
        const auto found = given_.find(made->name);
        if (found != given_.end() && !is_local) {
            made = given(*found, *made);
        }
        add_parameter(made);
    }

    void add_parameter(RefPtr<ir::Parameter> made) {
        const auto numbered = numbered_.find(objects_.parameters.size());
        if (numbered != numbered_.end()) {
            made = numbered->second;
            replaced_.insert(made.get());
        }
        objects_.parameters.push_back(std::move(made));
    }

    /// The caller's parameter in place of one of the file.
    RefPtr<ir::Parameter> given(const ExternalParameters::value_type &named, const ir::Parameter &declared) {
        const auto shown = [](const ir::Parameter &its) {
            return its.is_buffer ? concat("an image of ", its.type, " with ", its.dimensions, " dimensions")
                                 : concat("a scalar of type ", its.type);
        };
        const ir::Parameter *its = named.second.contents().get();
        if (!its || its->is_buffer != declared.is_buffer || its->type != declared.type ||
            its->dimensions != declared.dimensions) {
            throw CompileError("serialized-parameter",
                               concat("in ", in_.name(), ": the parameter '", named.first, "' that is given is ",
                                      its ? shown(*its) : "undefined", ", and the pipeline reads ", shown(declared),
                                      "; a parameter is replaced by one like it; give such a one, or none"),
                               in_.location());
        }
        replaced_.insert(its);
        return RefPtr<ir::Parameter>(named.second.contents().get());
    }

    void constrain_entry() {
        const RefPtr<ir::Parameter> its = parameter();
        const uint64_t alignment = in_.number();
        require(alignment <= 4096 && (alignment & (alignment - 1)) == 0, "an alignment is no power of two");
        ir::Parameter read;
        read.dims.resize(its->dims.size());
        for (ir::DimConstraint &dim : read.dims) {
            for (Expr *promise : {&dim.min, &dim.extent, &dim.stride, &dim.min_estimate, &dim.extent_estimate}) {
                *promise = this->promise(*its, Int(32));
            }
        }
        for (Expr *limit : {&read.min_value, &read.max_value, &read.estimate}) {
            *limit = promise(*its, its->type);
        }
        if (!replaced_.contains(its.get())) {
            its->host_alignment = static_cast<int>(alignment);
            its->dims = read.dims;
            its->min_value = read.min_value;
            its->max_value = read.max_value;
            its->estimate = read.estimate;
        }
    }

    Expr promise(const ir::Parameter &its, Type type) {
        const Expr expr = optional();
        require(!expr.defined() || expr.type() == type, "a promise has another type than what it is about");
        require(!expr.defined() || schedule::unknown_at_entry(expr).empty(),
                "a promise reads what is not known before");
        return without_ownership(its, expr);
    }

    Buffer<> elements(const std::string &name) {
        const Type type = read_type(in_);
        buffer_detail::Dimensions dims(in_.index(most_dimensions + 1, "a rank"));
        for (fluorite_dimension_t &dim : dims) {
            dim.min = in_.int32("a min");
            dim.extent = in_.int32("an extent");
            dim.stride = in_.int32("a stride");
            require(dim.extent >= 0, "an image has a negative extent");
            require(int64_t{dim.min} + dim.extent - 1 <= INT32_MAX, "an image has coordinates beyond 32 bits");
        }
        __int128 bytes = type.bytes();
        bool is_empty = false;
        for (const fluorite_dimension_t &dim : dims) {
            is_empty = is_empty || dim.extent == 0;
        }
        __int128 elements = is_empty ? 0 : 1;
        for (const fluorite_dimension_t &dim : dims) {
            elements += is_empty ? 0 : static_cast<__int128>(std::abs(int64_t{dim.stride})) * (dim.extent - 1);
        }
        bytes *= elements;
        const bool has_memory = in_.flag();
        require(!has_memory || bytes <= static_cast<__int128>(in_.remaining()), "the elements of an image are missing");
        auto contents = std::make_shared<buffer_detail::Contents>(type, dims, name);
        if (has_memory) {
            contents->allocate(in_.location());
            const std::span<const uint8_t> from = in_.raw(static_cast<uint64_t>(bytes));
            std::copy(from.begin(), from.end(), contents->raw().begin());
        }
        return Buffer<>(contents);
    }

    void image_entry() {
        const std::string name = this->name();
        const bool traces = in_.flag();
        const Buffer<> buffer = elements(is_anonymous(name) ? "" : name);
        const detail::Ref<ir::Parameter> its = detail::parameter_of(buffer, in_.location());
        its->trace_loads = traces;
        add_parameter(RefPtr<ir::Parameter>(its.get()));
    }

    void bind_entry() {
        const RefPtr<ir::Parameter> its = parameter();
        const Buffer<> buffer = elements("");
        require(its->is_buffer && !its->is_bound_buffer && !its->iteration && buffer.type() == its->type &&
                    buffer.dimensions() == its->dimensions,
                "elements are those of another image");
        if (!replaced_.contains(its.get())) {
            its->buffer = buffer.raw_buffer();
            its->keep_alive = buffer.contents();
            its->has_value = true;
        }
    }

    // ---- Reduction domains.

    void domain_entry() {
        RefPtr<ReductionDomain> made(new ReductionDomain);
        made->name = name();
        made->location = place();
        const size_t dims = in_.count("dimensions of an RDom");
        require(dims > 0, "an RDom has no dimension");
        for (size_t i = 0; i < dims; i++) {
            const Expr min = expr(), extent = expr();
            require(min.type() == Int(32) && extent.type() == Int(32), "the bounds of an RDom are no int32");
            made->dims.push_back({name(), min, extent});
        }
        objects_.domains.push_back(made);
    }

    void where_entry() {
        const RefPtr<ReductionDomain> its = one_of(objects_.domains, "an RDom");
        const Expr predicate = expr();
        require(predicate.type() == Bool() && !its->predicate.defined() && !its->used,
                "an RDom has a second predicate, or one that is no condition");
        ir::SymbolMap<Expr> weak;
        for (size_t i = 0; i < its->dims.size(); i++) {
            const ir::Symbol symbol = its->symbol(static_cast<int>(i), true);
            weak[symbol] = ir::make_var(Int(32), symbol);
        }
        its->predicate = ir::substitute(predicate, weak);
    }

    // ---- Functions.

    void function_entry() {
        RefPtr<Function> made = make_function("");
        made->name = name();
        require(!made->name.empty(), "a Func has no name");
        made->def.symbol = ir::Symbol(ir::SymbolKind::Func, made->name, {}, made.get(), true);
        objects_.functions.push_back(made);
    }

    std::vector<Expr> vars() {
        return list("Vars", [&] { return ir::make_var(Int(32), ir::Symbol(ir::SymbolKind::Var, name())); });
    }

    RefPtr<Function> undefined_function() {
        RefPtr<Function> its = function();
        require(!its->defined(), "a Func has two definitions");
        return its;
    }

    void define_entry() {
        const RefPtr<Function> its = undefined_function();
        const Location location = place();
        const std::vector<Expr> args = vars(), values = exprs();
        require(!values.empty(), "a definition has no value");
        define_pure(*its, args, values, location);
    }

    void extern_entry() {
        const RefPtr<Function> its = undefined_function();
        const Location location = place();
        const std::string symbol = in_.text();
        require(!symbol.empty() && symbol.find_first_of(std::string_view("\0 .\"\\", 5)) == std::string::npos,
                "the name of a C function is none");
        const std::vector<Expr> args = vars();
        const std::vector<Type> types = list("types", [&] { return read_type(in_); });
        std::vector<Expr> operands;
        for (size_t left = in_.count("operands"); left > 0; left--) {
            operands.push_back(extern_operand(static_cast<int>(operands.size())));
        }
        std::vector<Expr> values;
        for (size_t k = 0; k < types.size(); k++) {
            require(!types[k].is_handle(), "a C function computes addresses");
            values.push_back(ir::make_extern_stage(types[k], symbol, static_cast<int>(k), operands));
        }
        require(!values.empty(), "a definition has no value");
        define_pure(*its, args, values, location);
    }

    Expr extern_operand(int number) {
        const auto anywhere = [&](size_t dimensions) {
            std::vector<Expr> coordinates;
            for (size_t d = 0; d < dimensions; d++) {
                coordinates.push_back(ir::make_anywhere(number, static_cast<int>(d)));
            }
            return coordinates;
        };
        switch (in_.index(3, "a kind of operand")) {
        case 0: {
            const Expr value = expr();
            require(schedule::unknown_at_entry(value).empty(),
                    "an operand of a C function is not known before it runs");
            return value;
        }
        case 1: {
            const RefPtr<Function> callee = function();
            require(callee->defined(), "a Func is read before it is defined");
            const size_t value = in_.index(callee->def.types.size(), "a value of a Func");
            return ir::make_address(ir::make_call(callee->def.types[value], callee->strong_symbol(),
                                                  static_cast<int>(value), anywhere(callee->def.args.size())));
        }
        default: {
            const RefPtr<ir::Parameter> image = parameter();
            require(image->is_buffer, "a Param is read as an image");
            const ir::Symbol symbol(ir::SymbolKind::Buffer, image->name, {}, image.get());
            return ir::make_address(
                ir::make_image(image->type, symbol, anywhere(static_cast<size_t>(image->dimensions))));
        }
        }
    }

    void update_entry() {
        const RefPtr<Function> its = function();
        require(its->defined(), "a Func is updated before it is defined");
        const Location location = place();
        const std::vector<Expr> args = exprs(), values = exprs();
        require(args.size() == its->def.args.size(), "an update has another number of coordinates");
        for (const Expr &arg : args) {
            require(arg.type() == Int(32), "a coordinate is no int32");
        }
        define_update(*its, args, values, location);
    }

    void flags_entry() {
        ir::FuncDef &def = function()->def;
        for (bool *flag : {&def.trace_loads, &def.trace_stores, &def.trace_realizations, &def.reassociates}) {
            *flag = in_.flag();
        }
    }

    void buffers_entry() {
        const RefPtr<Function> its = function();
        require(its->output_parameters.empty(), "a Func has output buffers twice");
        const size_t count = in_.count("output buffers"), rank = in_.index(most_dimensions + 1, "a rank");
        require(!its->defined() || count == its->def.types.size(),
                "a Func has more values than output buffers, or less");
        for (size_t i = 0; i < count; i++) {
            its->output_parameters.emplace_back(new ir::Parameter);
            its->output_parameters.back()->is_buffer = true;
            its->output_parameters.back()->name = its->name;
            its->output_parameters.back()->dimensions = static_cast<int>(rank);
            objects_.parameters.push_back(its->output_parameters.back());
            output_buffers_.insert(its->output_parameters.back().get());
        }
        if (its->defined()) {
            its->needed_output_parameters();
        }
    }

    void wrap_entry() {
        const bool is_of_image = in_.flag();
        const RefPtr<ir::Parameter> image = is_of_image ? parameter() : RefPtr<ir::Parameter>();
        const RefPtr<Function> of = is_of_image ? RefPtr<Function>() : function();
        const WrapperKind kind = in_.flag() ? WrapperKind::Clone : WrapperKind::Copy;
        const Location location = place();
        std::vector<RefPtr<Function>> consumers = list("consumers", [&] { return function(); });
        require(!is_of_image || (image->is_buffer && kind == WrapperKind::Copy), "a clone is one of an image");
        require(!is_of_image || !output_buffers_.contains(image.get()), "a wrapper is one of an output buffer");
        std::vector<Function *> named;
        for (const RefPtr<Function> &consumer : consumers) {
            named.push_back(consumer.get());
        }
        Function &wrapped = is_of_image ? needed_image_function(*image, location) : *of;
        objects_.functions.push_back(wrapper_for(wrapped, named, kind, location));
    }

    // ---- Iterations.

    void iteration_entry() {
        RefPtr<Iteration> made(new Iteration);
        made->name = name();
        made->location = place();
        made->dimensions = static_cast<int>(in_.index(most_dimensions + 1, "a rank"));
        made->fields = in_.count("fields");
        made->stops = in_.flag();
        made->step = parameter();
        made->control = function();
        made->states = list("fields", [&] { return parameter(); });
        made->before = list("fields", [&] { return parameter(); });
        made->initial = list("Funcs", [&] { return function(); });
        made->body = list("Funcs", [&] { return function(); });
        check_iteration(*made);
        objects_.iterations.push_back(made);
    }

    /// What iterate() guarantees.
    void check_iteration(const Iteration &its) const {
        for (const RefPtr<Function> &part : its.functions()) {
            require(part->defined(), "a part of an iteration is not defined");
        }
        require(its.fields > 0 && its.states.size() == its.fields &&
                    (its.before.empty() || its.before.size() == its.fields),
                "an iteration has other fields than its parts");
        require(its.initial.size() == (its.before.empty() ? 1 : 2) && its.body.size() == (its.stops ? 2 : 1),
                "an iteration has another number of parts");
        const ir::FuncDef &first = its.initial[0]->def;
        require(first.types.size() == its.fields && static_cast<int>(first.args.size()) == its.dimensions,
                "an iteration has other fields than its initial values");
        const auto is_alike = [&](const Function &part) {
            return part.def.types == first.types && part.def.args.size() == first.args.size();
        };
        require(is_alike(*its.body[0]) && is_alike(*its.initial.back()), "the parts of an iteration differ in fields");
        require(its.initial.size() < 2 || its.initial[0].get() != its.initial[1].get(),
                "a part of an iteration is two");
        require(its.body.size() < 2 || its.body[0].get() != its.body[1].get(), "a part of an iteration is two");
        require(!its.stops || (its.body[1]->def.args.empty() && its.body[1]->def.types == std::vector<Type>{Bool()}),
                "the condition of an iteration is none");
        const ir::FuncDef &control = its.control->def;
        require(control.args.empty() && control.stages.size() == 1 &&
                    control.types == std::vector<Type>(1 + 2 * static_cast<size_t>(its.dimensions), Int(32)),
                "the numbers of an iteration are others than its dimensions need");
        for (const Expr &value : control.stages[0].values) {
            require(schedule::unknown_at_entry(value).empty(), "the numbers of an iteration are not known before it");
        }
        require(!its.step->is_buffer && its.step->type == Int(32) && is_iteration_local(*its.step),
                "the step of an iteration is no int32 of its body");
        for (size_t i = 0; i < its.fields; i++) {
            for (const auto *fields : {&its.states, &its.before}) {
                const ir::Parameter *field = fields->empty() ? nullptr : (*fields)[i].get();
                require(!field || (field->is_buffer && is_iteration_local(*field) && field->type == first.types[i] &&
                                   field->dimensions == its.dimensions),
                        "a field of an iteration is no image of its body");
            }
        }
    }

    void result_entry() {
        const RefPtr<Iteration> its = one_of(objects_.iterations, "an iteration");
        RefPtr<IterationResult> result(new IterationResult);
        result->iteration = RefPtr<const Iteration>(its.get());
        result->field = in_.index(its->fields, "a field");
        RefPtr<ir::Parameter> made(new ir::Parameter);
        made->name = name();
        made->location = its->location;
        made->type = its->initial[0]->def.types[result->field];
        made->is_buffer = true;
        made->dimensions = its->dimensions;
        made->dims.resize(static_cast<size_t>(its->dimensions));
        made->iteration = RefPtr<const RefCounted>(result.get());
        objects_.parameters.push_back(made);
    }

    // ---- The pipeline.

    void requirement_entry() {
        const Expr requirement = expr();
        require(ir::is_kind(requirement, ExprKind::Require) && schedule::unknown_at_entry(requirement->arg(0)).empty(),
                "a requirement of the pipeline is none");
        contents_.requirements.push_back(requirement);
    }

    void output_entry() {
        RefPtr<Function> output = function();
        require(output->defined(), "an output has no definition");
        for (const RefPtr<Function> &other : contents_.outputs) {
            require(other.get() != output.get(), "an output stands twice");
        }
        contents_.outputs.push_back(output);
    }

    void trace_entry() { contents_.trace_pipeline = true; }

    void part_entry() {
        const RefPtr<Iteration> its = one_of(objects_.iterations, "an iteration");
        const Part part = in_.index(2, "a part of an iteration") == 0 ? Part::Initial : Part::Body;
        schedule_of(AsPipelines::of(*its, part));
    }
    void schedule_entry() { schedule_of(nullptr); }
    void schedule_of(std::shared_ptr<PipelineContents> contents) {
        ScheduleText schedule;
        schedule.of = std::move(contents);
        for (size_t left = in_.count("places"); left > 0; left--) {
            const std::string directive = in_.text();
            schedule.places[directive] = place();
        }
        schedule.parameters = list("parameters", [&] {
            const RefPtr<ir::Parameter> its = parameter();
            return std::pair(its, in_.text());
        });
        schedule.text = in_.text();
        schedules_.push_back(std::move(schedule));
    }

    static void check_graph(const ir::Graph &graph, const ByteReader &in) {
        if (const auto violation = ir::find_violation(graph)) {
            in.fail("the graph of the pipeline breaks a rule: " + *violation);
        }
        for (const std::shared_ptr<const ir::Iteration> &iteration : graph.iterations) {
            for (const auto &part : {iteration->control, iteration->initial, iteration->body}) {
                check_graph(*part, in);
            }
        }
    }
    void check_graph() const { check_graph(freeze(contents_).graph, in_); }

    void apply_schedules() {
        std::vector<std::unique_ptr<AsPipelines>> guards;
        for (const RefPtr<Iteration> &iteration : objects_.iterations) {
            guards.push_back(std::make_unique<AsPipelines>(*iteration));
        }
        for (const ScheduleText &schedule : schedules_) {
            if (schedule.of) {
                apply(*schedule.of, schedule);
            }
        }
        guards.clear();
        for (const ScheduleText &schedule : schedules_) {
            if (!schedule.of) {
                apply(contents_, schedule);
            }
        }
    }

    /// Applies a text that may mention parameters which no definition does: requirements mention all meanwhile, and
    /// scalars have the names of the text.
    void apply(const PipelineContents &contents, const ScheduleText &schedule) const {
        PipelineContents mentioning = contents;
        std::vector<std::pair<RefPtr<ir::Parameter>, std::string>> renamed;
        for (const auto &[its, name] : schedule.parameters) {
            if (its->type.is_handle() || (its->is_buffer && its->dimensions == 0)) {
                continue;
            }
            const ir::Symbol symbol(its->is_buffer ? ir::SymbolKind::Buffer : ir::SymbolKind::Param, its->name, {},
                                    its.get());
            const Expr mention =
                its->is_buffer ? ir::make_field(symbol, ir::Field::Min, 0) : ir::make_var(its->type, symbol);
            mentioning.requirements.push_back(
                ir::ExprNode::create(ExprKind::Require, Int(32),
                                     {ir::equals(mention, mention), ir::int32(0), ir::make_string("it is mentioned")}));
            if (!its->is_buffer && !name.empty() && its->name != name) {
                renamed.emplace_back(its, std::exchange(its->name, name));
            }
        }
        const auto rename = [&] {
            for (const auto &[its, name] : renamed) {
                its->name = name;
            }
        };
        try {
            apply_schedule(mentioning, Schedule::parse(schedule.text, in_.name(), in_.location()).directives(),
                           PartialReductions::Keep, in_.location());
        } catch (...) {
            rename();
            throw;
        }
        rename();
        give_places(contents, schedule.places);
    }

    /// Puts the places of the program in place of that of the call that reads.
    static void give_places(const PipelineContents &contents, const std::map<std::string, Location> &places) {
        FrozenPipeline frozen = freeze_with_handles(contents);
        for (size_t i = 0; i < frozen.functions.size(); i++) {
            schedule::FuncSchedule &its = frozen.pipeline.schedule.funcs[i];
            for_each_place(its, [&](const std::string &name, Location &location) {
                const auto found = places.find(frozen.pipeline.graph.funcs[i].name() + "/" + name);
                location = found == places.end() ? Location() : found->second;
            });
            frozen.functions[i]->schedule = Thaw(frozen).run(its);
        }
    }

    ExternalParameters external() const {
        ExternalParameters all;
        for (const RefPtr<ir::Parameter> &parameter : objects_.parameters) {
            if (!parameter->iteration && !parameter->is_bound_buffer && !output_buffers_.contains(parameter.get())) {
                all[parameter->name] = Parameter(detail::Ref<ir::Parameter>(parameter.get()));
            }
        }
        return all;
    }
};

const PipelineReader::Reader PipelineReader::readers[entry_count] = {
    nullptr,
    &PipelineReader::word_entry,
    &PipelineReader::name_entry,
    &PipelineReader::place_entry,
    &PipelineReader::expression_entry,
    &PipelineReader::random_entry,
    &PipelineReader::parameter_entry,
    &PipelineReader::constrain_entry,
    &PipelineReader::image_entry,
    &PipelineReader::bind_entry,
    &PipelineReader::domain_entry,
    &PipelineReader::where_entry,
    &PipelineReader::function_entry,
    &PipelineReader::define_entry,
    &PipelineReader::extern_entry,
    &PipelineReader::update_entry,
    &PipelineReader::flags_entry,
    &PipelineReader::buffers_entry,
    &PipelineReader::wrap_entry,
    &PipelineReader::iteration_entry,
    &PipelineReader::result_entry,
    &PipelineReader::requirement_entry,
    &PipelineReader::output_entry,
    &PipelineReader::trace_entry,
    &PipelineReader::part_entry,
    &PipelineReader::schedule_entry,
};

} // namespace

ReadPipeline read_pipeline(std::span<const uint8_t> content, const std::string &name, const ExternalParameters &given,
                           const Location &location, const NumberedParameters &numbered) {
    ByteReader in(content, name, location);
    const auto damaged = [&](const Error &error) {
        if (error.slug().starts_with("serialized-")) {
            report_error(error);
            throw;
        }
        in.fail("no program has it: " + error.message() + " [" + error.slug() + "]");
    };
    try {
        const NoReports guard;
        return PipelineReader(in, given, numbered).run();
    } catch (const Error &error) {
        damaged(error);
    } catch (const std::logic_error &error) { // an invariant that only freezing checks
        in.fail(std::string("no program has it: ") + error.what());
    }
    unreachable("errors are passed on");
}

} // namespace fluorite::language
