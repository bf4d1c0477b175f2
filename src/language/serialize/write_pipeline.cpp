// Writing pipelines (pipeline_file.h).
//
// Functions are written in topological order, each with the objects that its definitions mention, which are written
// where they are first needed. An update that rfactor has rewritten is written as the program stated it. Random numbers
// get the variables of their definition as operands when they are defined, so these are left out.

#include "language/serialize/pipeline_file.h"

#include "fluorite/buffer.h"
#include "fluorite/schedule.h"
#include "ir/expr_traits.h"
#include "ir/extern_stage.h"
#include "language/freeze.h"
#include "language/iteration.h"
#include "language/serialize/directive_places.h"
#include "language/serialize/reachable.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace fluorite::language {

using ir::ExprKind;
using ir::ExprNode;
using ir::Symbol;
using ir::SymbolKind;

namespace {

/// Numbers objects in the order in which they are written.
template <typename Key> class Numbers {
  public:
    bool has(const Key &key) const { return numbers_.find(key) != numbers_.end(); }
    size_t of(const Key &key) const { return numbers_.at(key); }
    void add(const Key &key) { numbers_.emplace(key, next_++); }

  private:
    std::map<Key, size_t> numbers_;
    size_t next_ = 0;
};

class PipelineWriter {
  public:
    PipelineWriter(const PipelineContents &pipeline, const SerializeOptions &options, const Location &location,
                   NumberedParameters *written)
        : pipeline_(pipeline), options_(options), location_(location), written_(written), reachable_(pipeline) {}

    Bytes run() {
        std::vector<const Function *> outputs;
        for (const RefPtr<Function> &output : pipeline_.outputs) {
            outputs.push_back(output.get());
        }
        functions(outputs);
        image_wrappers();
        for (const Expr &requirement : pipeline_.requirements) {
            const size_t number = expression(requirement);
            begin(Entry::Requirement);
            out_.number(number);
        }
        for (const Function *output : outputs) {
            begin(Entry::Output);
            out_.number(functions_.of(output));
        }
        if (pipeline_.trace_pipeline) {
            begin(Entry::TracePipeline);
        }
        schedules();
        begin(Entry::End);
        return out_.take();
    }

  private:
    const PipelineContents &pipeline_;
    const SerializeOptions &options_;
    const Location &location_;
    NumberedParameters *written_;
    const Reachable reachable_;
    ByteWriter out_;
    Numbers<std::string> words_, names_, files_;
    Numbers<Symbol> random_;
    Numbers<const ExprNode *> exprs_;
    Numbers<const ir::Parameter *> parameters_;
    Numbers<const ReductionDomain *> domains_;
    std::unordered_set<const ReductionDomain *> predicates_;
    Numbers<const Function *> functions_;
    std::unordered_set<const Function *> defined_;
    Numbers<const Iteration *> iterations_;
    std::vector<const Iteration *> in_order_;
    std::vector<Expr> kept_; // whose addresses exprs_ has

    void begin(Entry entry) { out_.number(static_cast<uint64_t>(entry)); }
    [[noreturn]] void refuse(const std::string &what, const std::string &text) const {
        fail("not-serializable", what, text, location_);
    }

    // ---- Words, names, places.

    size_t word(const std::string &text) {
        if (!words_.has(text)) {
            begin(Entry::Word);
            out_.text(text);
            words_.add(text);
        }
        return words_.of(text);
    }

    size_t name(const std::string &text) {
        if (!names_.has(text)) {
            begin(Entry::Name);
            out_.flag(is_anonymous(text));
            out_.text(shown_name(text));
            names_.add(text);
        }
        return names_.of(text);
    }

    size_t place(const Location &place) {
        const std::string key = concat(place.file, ":", place.line, ":", place.column);
        if (!files_.has(key)) {
            begin(Entry::Place);
            out_.text(place.file);
            out_.number(place.line);
            out_.number(place.column);
            files_.add(key);
        }
        return files_.of(key);
    }

    void type(Type type) {
        check(type.is_scalar(), "a graph has no vectors");
        out_.number(static_cast<uint64_t>(type.code()));
        out_.number(static_cast<uint64_t>(type.bits()));
    }

    // ---- Expressions.

    size_t expression(const Expr &root) {
        kept_.push_back(root);
        std::vector<const ExprNode *> stack{root.get()};
        while (!stack.empty()) {
            const ExprNode *node = stack.back();
            if (exprs_.has(node)) {
                stack.pop_back();
                continue;
            }
            const size_t before = stack.size();
            for (size_t i = node->arg_count(); i-- > 0;) {
                if (!exprs_.has(node->arg(i).get())) {
                    stack.push_back(node->arg(i).get());
                }
            }
            if (stack.size() == before) {
                stack.pop_back();
                this->node(*node);
                exprs_.add(node);
            }
        }
        return exprs_.of(root.get());
    }

    /// The number of an expression and 1, or 0 for an undefined one.
    uint64_t optional(const Expr &expr) { return expr.defined() ? expression(expr) + 1 : 0; }

    void node(const ExprNode &node) {
        const size_t kind = word(ir::kind_name(node.kind()));
        const auto payload = prepared(node);
        begin(Entry::Expression);
        out_.number(kind);
        type(node.type());
        payload();
        out_.number(node.arg_count());
        for (const Expr &arg : node.args()) {
            out_.number(exprs_.of(arg.get()));
        }
    }

    /// Writes the objects that the payload mentions, and returns what writes the payload.
    std::function<void()> prepared(const ExprNode &node) {
        switch (ir::traits_of(node.kind()).payload) {
        case ir::PayloadTrait::None:
            return [] {};
        case ir::PayloadTrait::Int:
            return [&] { out_.signed_number(node.int_value()); };
        case ir::PayloadTrait::UInt:
            return [&] { out_.number(node.uint_value()); };
        case ir::PayloadTrait::Float:
            return [&] { out_.fixed(std::bit_cast<uint64_t>(node.float_value())); };
        case ir::PayloadTrait::Text:
            return [&] { out_.text(node.text()); };
        case ir::PayloadTrait::Math:
            return [this, number = word(ir::math_name(node.math_op()))] { out_.number(number); };
        case ir::PayloadTrait::Symbol:
            return symbol(node.symbol());
        case ir::PayloadTrait::Member:
            return [this, &node, object = symbol(node.symbol())] {
                object();
                out_.signed_number(node.member().index);
                out_.number(static_cast<uint64_t>(node.member().field));
            };
        case ir::PayloadTrait::Reduce:
        case ir::PayloadTrait::Indices:
            break;
        }
        unreachable("a graph has no vectors");
    }

    std::function<void()> symbol(const Symbol &symbol) {
        const auto numbered = [this, kind = symbol.kind()](size_t number) {
            return [this, kind, number] {
                out_.number(static_cast<uint64_t>(kind));
                out_.number(number);
            };
        };
        switch (symbol.kind()) {
        case SymbolKind::Var:
            return numbered(name(symbol.name()));
        case SymbolKind::Let:
            return numbered(random(symbol));
        case SymbolKind::Param:
        case SymbolKind::Buffer:
            return numbered(parameter(*ir::parameter_of(symbol)));
        case SymbolKind::Func:
            check(functions_.has(function_of(symbol)), "callees come before their callers");
            return numbered(functions_.of(function_of(symbol)));
        case SymbolKind::RVar: {
            const auto &its = dynamic_cast<const ReductionDomain &>(*symbol.object());
            return [this, number = domain(its), dim = symbol.owner().dim.index()] {
                out_.number(static_cast<uint64_t>(SymbolKind::RVar));
                out_.number(number);
                out_.number(dim);
            };
        }
        case SymbolKind::Loop:
        case SymbolKind::Bound:
            break;
        }
        unreachable("definitions have no loops");
    }

    size_t random(const Symbol &symbol) {
        if (!random_.has(symbol)) {
            begin(Entry::Random);
            random_.add(symbol);
        }
        return random_.of(symbol);
    }

    // ---- Parameters.

    size_t parameter(const ir::Parameter &its) {
        if (parameters_.has(&its)) {
            return parameters_.of(&its);
        }
        if (its.distributed) {
            refuse(shown_name(its.name), "a DistributedImage has its elements, of which each rank holds a part; a file "
                                         "holds what one process has; use another ImageParam");
        }
        if (const Function *function = reachable_.function_of_output(its)) {
            output_buffers(*function);
        } else if (const IterationResult *result = result_of(its)) {
            iteration(*result->iteration);
            const size_t name = this->name(its.name);
            begin(Entry::Result);
            out_.number(iterations_.of(result->iteration.get()));
            out_.number(result->field);
            out_.number(name);
            parameters_.add(&its);
            constrain(its);
        } else if (its.is_bound_buffer) {
            image(its);
        } else {
            declare(its);
        }
        return parameters_.of(&its);
    }

    void declare(const ir::Parameter &its) {
        const size_t name = this->name(its.name), place = this->place(its.location);
        begin(Entry::Parameter);
        out_.number(name);
        out_.number(place);
        type(its.type);
        out_.flag(its.is_buffer);
        out_.number(static_cast<uint64_t>(its.dimensions));
        out_.flag(is_iteration_local(its));
        out_.flag(its.trace_loads);
        out_.flag(!its.is_buffer && its.has_value && !its.type.is_handle());
        if (!its.is_buffer && its.has_value && !its.type.is_handle()) {
            out_.fixed(its.value_bits);
        }
        add_of_program(its);
        constrain(its);
        if (its.is_buffer && its.buffer && options_.bound_images) {
            begin(Entry::Bind);
            out_.number(parameters_.of(&its));
            elements(its);
        }
    }

    void image(const ir::Parameter &its) {
        const size_t name = this->name(its.name);
        begin(Entry::Image);
        out_.number(name);
        out_.flag(its.trace_loads);
        elements(its);
        add_of_program(its);
    }

    void add_of_program(const ir::Parameter &its) {
        parameters_.add(&its);
        if (written_ && !its.iteration) {
            (*written_)[parameters_.of(&its)] = RefPtr<ir::Parameter>(const_cast<ir::Parameter *>(&its));
        }
    }

    /// The shape, and the bytes from the first element in memory to the last.
    void elements(const ir::Parameter &its) {
        Buffer<> buffer(std::static_pointer_cast<buffer_detail::Contents>(its.keep_alive));
        buffer.copy_to_host();
        const fluorite_buffer_t &raw = *buffer.raw_buffer();
        type(its.type);
        out_.number(static_cast<uint64_t>(raw.dimensions));
        for (int d = 0; d < raw.dimensions; d++) {
            out_.signed_number(raw.dim[d].min);
            out_.signed_number(raw.dim[d].extent);
            out_.signed_number(raw.dim[d].stride);
        }
        const int64_t size = raw.is_empty() ? 0 : raw.end_offset() - raw.begin_offset(), bytes = its.type.bytes();
        out_.flag(raw.host != nullptr);
        if (raw.host != nullptr) {
            out_.raw({raw.host + raw.begin_offset() * bytes, static_cast<size_t>(size * bytes)});
        }
    }

    void constrain(const ir::Parameter &its) {
        std::vector<uint64_t> numbers;
        for (const ir::DimConstraint &dim : its.dims) {
            for (const Expr &expr : {dim.min, dim.extent, dim.stride, dim.min_estimate, dim.extent_estimate}) {
                numbers.push_back(optional(expr));
            }
        }
        for (const Expr &expr : {its.min_value, its.max_value, its.estimate}) {
            numbers.push_back(optional(expr));
        }
        if (its.host_alignment == 0 && std::all_of(numbers.begin(), numbers.end(), [](uint64_t n) { return n == 0; })) {
            return;
        }
        begin(Entry::Constrain);
        out_.number(parameters_.of(&its));
        out_.number(static_cast<uint64_t>(its.host_alignment));
        for (const uint64_t number : numbers) {
            out_.number(number);
        }
    }

    // ---- Reduction domains.

    size_t domain(const ReductionDomain &its) {
        if (domains_.has(&its)) {
            return domains_.of(&its);
        }
        std::vector<size_t> numbers;
        for (const ReductionDomain::Dim &dim : its.dims) {
            numbers.push_back(expression(dim.min));
            numbers.push_back(expression(dim.extent));
            numbers.push_back(name(dim.name));
        }
        const size_t name = this->name(its.name), place = this->place(its.location);
        begin(Entry::Domain);
        out_.number(name);
        out_.number(place);
        out_.number(its.dims.size());
        for (const size_t number : numbers) {
            out_.number(number);
        }
        domains_.add(&its);
        return domains_.of(&its);
    }

    /// Writes the predicates of the domains that an update uses; the Functions that they call are written.
    void predicate(const ir::Stage &stage) {
        for (const ir::ReductionVar &rvar : stage.rvars) {
            const auto *its = dynamic_cast<const ReductionDomain *>(rvar.var.object());
            if (!its || !its->predicate.defined() || !predicates_.insert(its).second) {
                continue;
            }
            const size_t number = domain(*its), expr = expression(its->predicate);
            begin(Entry::Where);
            out_.number(number);
            out_.number(expr);
        }
    }

    // ---- Functions.

    /// Writes Functions, each after those that its definitions call.
    void functions(const std::vector<const Function *> &roots) {
        struct Frame {
            const Function *function;
            std::vector<const Function *> callees;
            size_t next = 0;
        };
        for (const Function *root : roots) {
            std::vector<Frame> stack;
            const auto enter = [&](const Function *function) {
                if (!defined_.contains(function)) {
                    stack.push_back({function, reachable_.needed_by(*function)});
                }
            };
            for (enter(root); !stack.empty();) {
                Frame &frame = stack.back();
                if (frame.next < frame.callees.size()) {
                    enter(frame.callees[frame.next++]);
                } else {
                    const Function *function = frame.function;
                    stack.pop_back();
                    define(*function);
                }
            }
        }
    }

    /// The number of a Function that has one already or is to be defined later.
    size_t function(const Function &its) {
        if (!functions_.has(&its)) {
            const size_t name = this->name(its.name);
            begin(Entry::Function);
            out_.number(name);
            functions_.add(&its);
        }
        return functions_.of(&its);
    }

    void define(const Function &its) {
        if (!defined_.insert(&its).second) {
            return;
        }
        if (its.is_partial) {
            refuse(shown_name(its.name), "it holds the partial results of rfactor, and the program calls it by name; a "
                                         "file has such Funcs as lines of the schedule; call rfactor after reading");
        }
        if (const Reachable::Wrapped *wrapped = reachable_.wrapped_by(its)) {
            wrap(its, *wrapped);
        } else {
            if (!its.stands_for.empty()) {
                refuse(shown_name(its.name), "it is what " + its.stands_for +
                                                 " returned, and that Func is not in the pipeline; a file holds what "
                                                 "its outputs reach; call the Func itself");
            }
            plain(its);
        }
        flags(its);
        output_buffers(its);
        for (const RefPtr<ir::Parameter> &buffer : its.output_parameters) {
            constrain(*buffer);
        }
    }

    void plain(const Function &its) {
        function(its);
        ir::find_extern_stage(its.def) ? define_extern(its) : define_pure(its);
        for (size_t k = 1; k < its.def.stages.size(); k++) {
            update(its, its.algorithm_of(k));
        }
    }

    std::vector<size_t> var_names(const Function &its) {
        std::vector<size_t> names;
        for (const std::string &arg : its.def.arg_names) {
            names.push_back(name(arg));
        }
        return names;
    }

    void numbers(const std::vector<size_t> &list) {
        out_.number(list.size());
        for (const size_t number : list) {
            out_.number(number);
        }
    }

    std::vector<size_t> expressions(const std::vector<Expr> &exprs, size_t variables) {
        std::vector<size_t> list;
        for (const Expr &expr : exprs) {
            list.push_back(expression(without_variables(expr, variables)));
        }
        return list;
    }

    /// The expression as it was before its random numbers got the variables of the definition as operands.
    static Expr without_variables(const Expr &expr, size_t variables) {
        return ir::transform(expr, [&](const Expr &node) {
            return node->kind() == ExprKind::Random
                       ? ir::with_args(node, node->args().first(node->arg_count() - variables))
                       : node;
        });
    }

    void define_pure(const Function &its) {
        const ir::Stage &stage = its.def.stages[0];
        const std::vector<size_t> vars = var_names(its), values = expressions(stage.values, stage.args.size());
        const size_t place = this->place(stage.location);
        begin(Entry::Define);
        out_.number(functions_.of(&its));
        out_.number(place);
        numbers(vars);
        numbers(values);
    }

    void update(const Function &its, const ir::Stage &stage) {
        size_t variables = stage.rvars.size();
        for (size_t d = 0; d < stage.args.size(); d++) {
            const Expr &arg = stage.args[d];
            variables += ir::is_kind(arg, ExprKind::Variable) && arg->symbol() == its.def.args[d] ? 1 : 0;
        }
        const std::vector<size_t> args = expressions(stage.args, variables),
                                  values = expressions(stage.values, variables);
        predicate(stage);
        const size_t place = this->place(stage.location);
        begin(Entry::Update);
        out_.number(functions_.of(&its));
        out_.number(place);
        numbers(args);
        numbers(values);
    }

    void define_extern(const Function &its) {
        const ExprNode &stage = *ir::find_extern_stage(its.def);
        const std::vector<size_t> vars = var_names(its);
        std::vector<std::function<void()>> operands;
        for (const Expr &operand : ir::extern_operands(stage)) {
            const Expr access = ir::extern_access(operand);
            if (!access.defined()) {
                operands.emplace_back([this, number = expression(operand)] {
                    out_.number(0);
                    out_.number(number);
                });
            } else if (access->kind() == ExprKind::Call) {
                operands.emplace_back([this, access] {
                    out_.number(1);
                    out_.number(functions_.of(function_of(access->symbol())));
                    out_.number(access->member().position());
                });
            } else {
                operands.emplace_back([this, number = parameter(*ir::parameter_of(access->symbol()))] {
                    out_.number(2);
                    out_.number(number);
                });
            }
        }
        const size_t place = this->place(its.def.stages[0].location);
        begin(Entry::Extern);
        out_.number(functions_.of(&its));
        out_.number(place);
        out_.text(ir::extern_function(stage));
        numbers(vars);
        out_.number(its.def.types.size());
        for (const Type each : its.def.types) {
            type(each);
        }
        out_.number(operands.size());
        for (const std::function<void()> &operand : operands) {
            operand();
        }
    }

    void flags(const Function &its) {
        const ir::FuncDef &def = its.def;
        begin(Entry::Flags);
        out_.number(functions_.of(&its));
        for (const bool flag : {def.trace_loads, def.trace_stores, def.trace_realizations, def.reassociates}) {
            out_.flag(flag);
        }
    }

    /// Numbers the Parameters of its output buffers; definitions may mention them before the Function is complete.
    void output_buffers(const Function &its) {
        if (its.output_parameters.empty() || parameters_.has(its.output_parameters[0].get())) {
            return;
        }
        const size_t number = function(its);
        begin(Entry::Buffers);
        out_.number(number);
        out_.number(its.output_parameters.size());
        out_.number(its.def.args.size());
        for (const RefPtr<ir::Parameter> &buffer : its.output_parameters) {
            parameters_.add(buffer.get());
        }
    }

    // ---- Wrappers.

    void wrap(const Function &its, const Reachable::Wrapped &wrapped) {
        const size_t of = wrapped.image ? parameter(*wrapped.image) : functions_.of(wrapped.function);
        std::vector<size_t> consumers;
        for (const Symbol &consumer : wrapped.wrapper->consumers) {
            if (const Function *known = reachable_.find(consumer)) {
                consumers.push_back(function(*known));
            }
        }
        const size_t place = this->place(its.def.location);
        begin(Entry::Wrap);
        out_.flag(wrapped.image != nullptr);
        out_.number(of);
        out_.flag(wrapped.wrapper->kind == WrapperKind::Clone);
        out_.number(place);
        numbers(consumers);
        functions_.add(&its);
    }

    /// Those of images; lines of the schedule make those of Funcs that no definition calls by name.
    void image_wrappers() {
        for (const Function *wrapper : reachable_.image_wrappers()) {
            if (parameters_.has(reachable_.wrapped_by(*wrapper)->image)) {
                functions({wrapper});
            }
        }
    }

    // ---- Iterations.

    void iteration(const Iteration &its) {
        if (iterations_.has(&its)) {
            return;
        }
        std::vector<const Function *> parts;
        for (const RefPtr<Function> &part : its.functions()) {
            parts.push_back(part.get());
        }
        functions(parts);
        const size_t step = parameter(*its.step), name = this->name(its.name), place = this->place(its.location);
        std::vector<size_t> lists[4];
        const std::vector<RefPtr<ir::Parameter>> *fields[] = {&its.states, &its.before};
        const std::vector<RefPtr<Function>> *graphs[] = {&its.initial, &its.body};
        for (size_t i = 0; i < 2; i++) {
            for (const RefPtr<ir::Parameter> &field : *fields[i]) {
                lists[i].push_back(parameter(*field));
            }
            for (const RefPtr<Function> &graph : *graphs[i]) {
                lists[i + 2].push_back(functions_.of(graph.get()));
            }
        }
        begin(Entry::Iteration);
        out_.number(name);
        out_.number(place);
        out_.number(static_cast<uint64_t>(its.dimensions));
        out_.number(its.fields);
        out_.flag(its.stops);
        out_.number(step);
        out_.number(functions_.of(its.control.get()));
        for (const std::vector<size_t> &list : lists) {
            numbers(list);
        }
        iterations_.add(&its);
        in_order_.push_back(&its);
    }

    // ---- Schedules.

    void schedules() {
        std::vector<std::unique_ptr<AsPipelines>> guards; // for all, as iterations in a body read its fields
        for (const Iteration *its : in_order_) {
            guards.push_back(std::make_unique<AsPipelines>(*its));
        }
        for (size_t i = 0; i < in_order_.size(); i++) { // parameters of schedules may be results of further ones
            for (const Part part : {Part::Initial, Part::Body}) {
                schedule(AsPipelines::of(*in_order_[i], part), [this, i, part] {
                    begin(Entry::SchedulePart);
                    out_.number(i);
                    out_.number(static_cast<uint64_t>(part));
                });
            }
        }
        guards.clear();
        schedule(std::make_shared<PipelineContents>(pipeline_), [this] { begin(Entry::Schedule); });
    }

    /// The places of directives in the program, by Func and by what they are the places of.
    std::vector<std::pair<std::string, size_t>> places(const schedule::ScheduledGraph &frozen) {
        std::map<std::string, Location> sorted; // equal schedules may have their steps in another order
        for (size_t i = 0; i < frozen.graph.funcs.size(); i++) {
            for_each_place(frozen.schedule.funcs[i], [&](const std::string &name, const Location &location) {
                if (location.known()) {
                    sorted[frozen.graph.funcs[i].name() + "/" + name] = location;
                }
            });
        }
        std::vector<std::pair<std::string, size_t>> all;
        for (const auto &[name, location] : sorted) {
            all.emplace_back(name, place(location));
        }
        return all;
    }

    /// The text of a schedule, and what the scalars are called in it: some may be mentioned nowhere else.
    void schedule(const std::shared_ptr<PipelineContents> &contents, const std::function<void()> &head) {
        const Schedule schedule = Pipeline(contents).schedule(location_);
        if (schedule.empty()) {
            return;
        }
        const schedule::ScheduledGraph frozen = freeze_with_handles(*contents).pipeline;
        const ir::Graph &graph = frozen.graph;
        std::vector<std::pair<size_t, std::string>> known;
        for (const ir::InputDef &input : graph.inputs) {
            known.emplace_back(parameter(*input.parameter), "");
        }
        for (const ir::ParamDef &param : graph.params) {
            known.emplace_back(parameter(*param.parameter), param.symbol.name());
        }
        const std::vector<std::pair<std::string, size_t>> directives = places(frozen);
        head();
        out_.number(directives.size());
        for (const auto &[name, number] : directives) {
            out_.text(name);
            out_.number(number);
        }
        out_.number(known.size());
        for (const auto &[number, name] : known) {
            out_.number(number);
            out_.text(name);
        }
        out_.text(schedule.text());
    }
};

} // namespace

AsPipelines::AsPipelines(const Iteration &iteration) {
    std::vector<RefPtr<ir::Parameter>> locals = {iteration.step};
    locals.insert(locals.end(), iteration.states.begin(), iteration.states.end());
    locals.insert(locals.end(), iteration.before.begin(), iteration.before.end());
    for (const RefPtr<ir::Parameter> &local : locals) {
        marks_.emplace_back(local, std::exchange(local->iteration, nullptr));
    }
}

AsPipelines::~AsPipelines() {
    for (const auto &[parameter, mark] : marks_) {
        parameter->iteration = mark;
    }
}

std::shared_ptr<PipelineContents> AsPipelines::of(const Iteration &iteration, Part part) {
    auto contents = std::make_shared<PipelineContents>();
    contents->outputs = part == Part::Initial ? iteration.initial : iteration.body;
    return contents;
}

Bytes write_pipeline(const PipelineContents &pipeline, const SerializeOptions &options, const Location &location,
                     NumberedParameters *written) {
    return PipelineWriter(pipeline, options, location, written).run();
}

} // namespace fluorite::language
