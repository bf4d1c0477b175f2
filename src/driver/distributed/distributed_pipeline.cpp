// Pipelines compiled for ranks.
//
// Each segment of the cut pipeline is compiled like any pipeline. Which boxes it reads and writes for given ones is its
// own answer to a bounds query: headers without memory, which the code fills in; asked again until nothing changes,
// because the region of one input may depend on the fields of another. So whatever inference knows holds for what ranks
// exchange: sliding windows, tails that round up, pyramids.
//
// Segments have no state of their own and may run on several threads at once.

#include "driver/distributed/distributed_pipeline.h"

#include "driver/arguments.h"
#include "driver/choose_backend.h"
#include "driver/distributed/run_scope.h"
#include "driver/user_context.h"
#include "fluorite/errors.h"
#include "ir/parameter.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"
#include "support/numeric.h"

#include <algorithm>
#include <sstream>

namespace fluorite::driver {

using distribute::Array;
using distribute::ArrayView;
using distribute::Box;
using distribute::Placement;
using distribute::SegmentBoxes;

namespace {

/// A header over a box, with or without memory.
class Header {
  public:
    Header(Type type, const Box &box, char *data = nullptr, const std::vector<int64_t> &strides = {})
        : dims_(box.size()) {
        int64_t stride = 1;
        for (size_t d = 0; d < box.size(); d++) {
            dims_[d].min = static_cast<int32_t>(box[d].begin);
            dims_[d].extent = static_cast<int32_t>(box[d].extent());
            dims_[d].stride = static_cast<int32_t>(strides.empty() ? stride : strides[d]);
            stride *= box[d].extent();
        }
        header_.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        header_.dimensions = static_cast<int32_t>(dims_.size());
        header_.dim = dims_.data();
        header_.host = reinterpret_cast<uint8_t *>(data); // NOLINT
    }
    Header(const Header &) = delete;
    Header &operator=(const Header &) = delete;

    fluorite_buffer_t *get() { return &header_; }
    Box box() const {
        Box box;
        for (const fluorite_dimension_t &dim : dims_) {
            box.push_back({dim.min, int64_t{dim.min} + dim.extent});
        }
        return box;
    }

  private:
    std::vector<fluorite_dimension_t> dims_;
    fluorite_buffer_t header_{};
};

/// A segment as machine code.
class CompiledSegment {
  public:
    CompiledSegment(std::shared_ptr<const CompiledPipeline> code, const CutPipeline &cut, const CutSegment &segment,
                    std::vector<size_t> managed, const Location &location)
        : code_(std::move(code)), location_(location) {
        const size_t own_inputs = segment.pipeline.graph.inputs.size() - segment.reads.size();
        size_t input = 0, output = 0;
        for (size_t i = 0; i < code_->args.size(); i++) {
            if (code_->args[i].kind == ir::LoweredArg::Kind::InputBuffer) {
                const size_t array = input < own_inputs ? input : segment.reads[input - own_inputs];
                const auto found = std::find(managed.begin(), managed.end(), array);
                const std::vector<size_t> &used = segment.inputs_read;
                if (found != managed.end()) {
                    reads_.push_back({i, static_cast<size_t>(found - managed.begin()), cut.arrays[array].type});
                } else if (std::find(used.begin(), used.end(), array) == used.end()) {
                    unused_.push_back({i, 0, cut.arrays[array].type});
                }
                input++;
            } else if (code_->args[i].kind == ir::LoweredArg::Kind::OutputBuffer) {
                writes_.push_back({i, output, cut.arrays[segment.writes[output]].type});
                output++;
            }
        }
        read_count_ = managed.size();
    }

    SegmentBoxes boxes(const std::vector<Box> &writes) const {
        SegmentBoxes found{std::vector<Box>(read_count_), writes};
        std::vector<std::unique_ptr<Header>> headers(code_->args.size());
        for (const Operand &write : writes_) {
            headers[write.arg] = std::make_unique<Header>(write.type, writes[write.index]);
        }
        for (const Operand &read : reads_) {
            headers[read.arg] =
                std::make_unique<Header>(read.type, Box(static_cast<size_t>(code_->args[read.arg].dimensions)));
        }
        const auto ask = [&] {
            call(headers, true);
            return true;
        };
        const auto regions = [&] {
            std::vector<Box> all;
            for (const std::unique_ptr<Header> &header : headers) {
                all.push_back(header ? header->box() : Box());
            }
            return all;
        };
        settle(code_->outputs[0].name, ask, regions, location_);
        for (const Operand &read : reads_) {
            found.reads[read.index] = headers[read.arg]->box();
        }
        for (const Operand &write : writes_) {
            found.writes[write.index] = headers[write.arg]->box();
        }
        return found;
    }

    void compute(const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) const {
        std::vector<std::unique_ptr<Header>> headers(code_->args.size());
        const auto header_of = [](const Operand &operand, const ArrayView &view) {
            return std::make_unique<Header>(operand.type, view.box, view.data, view.strides);
        };
        for (const Operand &read : reads_) {
            headers[read.arg] = header_of(read, reads[read.index]);
        }
        for (const Operand &write : writes_) {
            headers[write.arg] = header_of(write, writes[write.index]);
        }
        call(headers, false);
    }

  private:
    struct Operand {
        size_t arg;   // of the code
        size_t index; // in the segment's reads or writes
        Type type;
    };
    std::shared_ptr<const CompiledPipeline> code_;
    Location location_;
    std::vector<Operand> reads_, writes_, unused_;
    size_t read_count_ = 0;

    void call(std::vector<std::unique_ptr<Header>> &headers, bool is_query) const {
        static char nothing[128];
        for (const Operand &unused : unused_) { // inputs of other segments
            const size_t dimensions = static_cast<size_t>(code_->args[unused.arg].dimensions);
            headers[unused.arg] = std::make_unique<Header>(unused.type, Box(dimensions), nothing);
        }
        std::vector<void *> args(code_->args.size(), nullptr);
        for (size_t i = 0; i < args.size(); i++) {
            const ir::Parameter *parameter = code_->parameters[i];
            if (headers[i]) {
                args[i] = headers[i]->get();
            } else if (parameter && parameter->is_buffer) {
                args[i] = bound_buffer(*parameter, location_);
            } else if (parameter) {
                args[i] = bound_value(*parameter, location_);
            }
        }
        if (const RunContext *context = RunScope::current()) {
            run_in(*context, std::move(args), is_query);
        } else {
            const JITHandlers handlers;
            run_in(RunContext(nullptr, handlers, location_), std::move(args), is_query);
        }
    }

    void run_in(const RunContext &context, std::vector<void *> args, bool is_query) const {
        const int code = is_query ? query_with(*code_, std::move(args), context, location_)
                                  : run_with(*code_, std::move(args), context, location_);
        if (code != 0) {
            throw HandledError();
        }
    }
};

template <typename Defs, typename Name>
void check_names(const std::map<std::string, Placement> &placements, const Defs &defs, const Name &name,
                 const char *what, const Location &location) {
    for (const auto &[given, placement] : placements) {
        const bool is_there =
            std::any_of(defs.begin(), defs.end(), [&](const auto &def) { return name(def) == given; });
        if (!is_there) {
            throw CompileError("distributed-func",
                               concat("in ", given, ": it is distributed, but the pipeline has no ", what,
                                      " of this name; what is distributed takes part in the pipeline; use its name"),
                               location);
        }
    }
}

} // namespace

DistributedPipeline::DistributedPipeline(const schedule::ScheduledGraph &pipeline, const Target &target,
                                         const Distribution &distribution, const Location &location)
    : location_(location) {
    const ir::Graph &graph = pipeline.graph;
    const schedule::Schedule &schedule = pipeline.schedule;
    if (!graph.iterations.empty()) {
        throw CompileError("distributed-func",
                           concat("in ", graph.func(graph.outputs[0]).name(),
                                  ": it reads the result of iterate(), and the pipeline is distributed; ranks compute ",
                                  "each Func once; write one step as a pipeline, and call run_steps()"),
                           location);
    }
    if (pipeline.rewritten) {
        throw CompileError(
            "distributed-func",
            concat("in ", graph.func(graph.outputs[0]).name(), ": a stage of its pipeline is factored ",
                   "(rfactor), and the pipeline is distributed; ranks compute stages as they are written; ",
                   "write the partial result as a Func of its own"),
            location);
    }
    check_names(distribution.funcs, graph.funcs, [](const ir::FuncDef &func) { return func.name(); }, "Func", location);
    check_names(
        distribution.inputs, graph.inputs, [](const ir::InputDef &input) { return input.symbol.name(); }, "input",
        location);
    std::vector<FuncId> funcs;
    for (const ir::FuncDef &func : graph.funcs) {
        const bool is_output = graph.is_output(func.id());
        if (distribution.funcs.count(func.name()) == 0 && !is_output) {
            continue;
        }
        if (!is_output && !schedule.func(func.id()).compute.is_root()) {
            throw CompileError("distributed-func",
                               concat("in ", func.name(),
                                      ": it is distributed, but not computed at root; ranks exchange ",
                                      "what is computed as a whole; call compute_root() or compute_rank()"),
                               func.location);
        }
        funcs.push_back(func.id());
    }
    std::vector<InputId> inputs;
    for (size_t i = 0; i < graph.inputs.size(); i++) {
        if (distribution.inputs.count(graph.inputs[i].symbol.name()) > 0) {
            inputs.emplace_back(i);
        }
    }
    cut_ = cut(pipeline, funcs, inputs);
    program_.name = graph.func(graph.outputs[0]).name();
    std::ostringstream text;
    text << graph;
    program_.hash = hash_text(text.str());
    program_.schedule_hash = hash_text(schedule::to_text(schedule::directives_of(graph, schedule)));
    std::vector<bool> is_managed;
    for (const CutArray &array : cut_.arrays) {
        const bool is_input = array.input.valid();
        const auto &placements = is_input ? distribution.inputs : distribution.funcs;
        const auto found = placements.find(is_input ? array.name : graph.func(array.func).name());
        const bool is_output = !is_input && graph.is_output(array.func);
        program_.arrays.push_back({array.name,
                                   is_input    ? Array::Role::Input
                                   : is_output ? Array::Role::Output
                                               : Array::Role::Inner,
                                   static_cast<size_t>(array.dimensions), array.type.bytes(),
                                   found == placements.end() ? Placement() : found->second});
        is_managed.push_back(!is_input || found != placements.end());
    }
    for (const CutSegment &segment : cut_.segments) {
        std::vector<size_t> reads;
        std::copy_if(segment.inputs_read.begin(), segment.inputs_read.end(), std::back_inserter(reads),
                     [&](size_t array) { return is_managed[array]; });
        reads.insert(reads.end(), segment.reads.begin(), segment.reads.end());
        const std::string name = graph.func(segment.pipeline.graph.outputs[0]).name();
        const auto code = std::make_shared<const CompiledSegment>(compile(segment.pipeline, target, name), cut_,
                                                                  segment, reads, location);
        program_.segments.push_back({name, reads, segment.writes,
                                     [code](const std::vector<Box> &writes) { return code->boxes(writes); },
                                     [code](const std::vector<ArrayView> &from, const std::vector<ArrayView> &to) {
                                         code->compute(from, to);
                                     }});
    }
    for (const FuncId output : graph.outputs) {
        for (size_t a = 0; a < cut_.arrays.size(); a++) {
            if (cut_.arrays[a].func.valid() && cut_.arrays[a].func == output) {
                outputs_.push_back(a);
            }
        }
    }
}

size_t DistributedPipeline::first_value(size_t array) const {
    while (array > 0 && cut_.arrays[array - 1].func.valid() && cut_.arrays[array - 1].func == cut_.arrays[array].func) {
        array--;
    }
    return array;
}

size_t DistributedPipeline::array_of_input(const std::string &name) const {
    for (size_t a = 0; a < cut_.arrays.size(); a++) {
        if (cut_.arrays[a].input.valid() && cut_.arrays[a].name == name) {
            return a;
        }
    }
    internal_error("an input of the pipeline: " + name, {});
}

void DistributedPipeline::set_domain(size_t array, const Box &domain) {
    const CutArray &whole = cut_.arrays[array];
    for (const GlobalField &field : cut_.fields) {
        const CutArray &its = cut_.arrays[field.array];
        if (field.array != array && !(whole.func.valid() && its.func == whole.func)) {
            continue;
        }
        const auto dimension = static_cast<size_t>(field.dimension);
        const distribute::Span &span = domain.at(dimension);
        int64_t value = field.field == ir::Field::Min   ? span.begin
                        : field.field == ir::Field::Max ? span.last()
                                                        : span.extent();
        if (field.field == ir::Field::Stride) { // of the whole in one dense memory
            value = 1;
            for (size_t d = 0; d < dimension; d++) {
                value *= domain[d].extent();
            }
        }
        field.parameter->value_bits = static_cast<uint64_t>(static_cast<uint32_t>(value));
        field.parameter->has_value = true;
    }
}

} // namespace fluorite::driver
