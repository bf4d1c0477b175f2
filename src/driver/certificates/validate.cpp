// Validation of one program: its loops beside the target of its certificate.
//
// Method. The pipeline is compiled a second time so that it reports each store; the target is compiled from its term,
// and its loops are run for the places of their stores (verify/terms/evaluate.h), which needs no values. At random
// sizes that satisfy the facts, on random inputs: the outputs agree bit for bit; and each Func is stored at the same
// points, but for those that nobody reads. The target computes the box of all that is read: where one stage reads every
// second row of another whose window slides, rows between the windows are in the box only. Which points the pipeline
// reads is asked of it where it matters, by a run that reports loads.
//
// Relies on: what is compiled from the term shares no step with what is compiled from the schedule before the statement
// is in linear memory; passes behind are common to both. Does not do: order and number of stores of one point, values
// of Funcs that do not reach the output. Cost: a call for each store.

#include "driver/asked_target.h"
#include "driver/certificates/certified.h"

#include "driver/traced_points.h"
#include "ir/parameter.h"
#include "support/check.h"
#include "support/place.h"
#include "support/reporting.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <set>

namespace fluorite {

namespace {

using driver::Accesses;
using driver::CompiledPipeline;
using driver::Point;
using driver::Points;
using driver::to_text;
using driver::without;

constexpr size_t most_reports = 20;

class Validation {
  public:
    Validation(const Pipeline &pipeline, const ValidateOptions &options, const Target &target, const Location &location)
        : options_(options), location_(location), random_(options.seed) {
        check(options.runs, "runs");
        check(options.largest, "largest");
        const PipelineContents &contents = driver::contents_of(pipeline, location);
        CertifyOptions certify; // runs compare with the term, whatever the checker says of the derivation
        certify.extents = options.extents;
        certify.check = CertificateCheck::Never;
        certified_ = driver::make_certified(pipeline, certify, target, location);
        compile_traced_ = [contents, target](Target::Feature traces) {
            const Target traced = target.with_feature(traces).with_feature(Target::JIT);
            const schedule::ScheduledGraph frozen = driver::freeze_for(contents, traced);
            return driver::load_code(driver::lower_frozen(frozen, traced, "traced"), frozen, traced);
        };
        ordinary_ = compile_traced_(Target::TraceStores);
    }

    ScheduleValidation run() {
        constexpr int most_attempts = 50; // for each run: sizes that the facts exclude
        for (int attempt = 0; attempt < most_attempts * options_.runs && result_.runs < options_.runs; attempt++) {
            const int failed = attempt - result_.runs; // pieces that move inwards ask for sizes of a piece at least
            run_once(options_.largest + int64_t{failed} * options_.largest / 4);
        }
        if (result_.runs < options_.runs) {
            result_.differences.push_back(concat("only ", result_.runs, " of ", options_.runs,
                                                 " runs found sizes that the certificate and the pipeline allow"));
        }
        return std::move(result_);
    }

  private:
    void check(int64_t value, const char *option) const {
        constexpr int64_t most = 65536; // more than memory has room for in two dimensions
        if (value < 1 || value > most) {
            throw CompileError("certify-option",
                               concat("in validate_schedule: `", option, "` is ", value, "; it is from 1 to ", most,
                                      "; give such a number"),
                               location_);
        }
    }

    const ValidateOptions &options_;
    const Location &location_;
    std::mt19937_64 random_;
    std::shared_ptr<const CertifiedPipeline::Contents> certified_;
    std::function<std::shared_ptr<const CompiledPipeline>(Target::Feature)> compile_traced_;
    std::shared_ptr<const CompiledPipeline> ordinary_, with_loads_; // the latter where it is needed
    ScheduleValidation result_;
    std::vector<Buffer<>> buffers_; // of one run
    std::vector<uint64_t> scalars_;

    int64_t draw(int64_t low, int64_t high) {
        return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
    }

    void run_once(int64_t largest) {
        const std::vector<std::vector<int32_t>> sizes = draw_sizes(largest);
        std::vector<void *> args = make_arguments(sizes);
        const verify::Values values = driver::index_values(*certified_, args);
        Points wanted;
        try {
            if (driver::false_fact(*certified_, values)) {
                return;
            }
            wanted = expected(values);
        } catch (const verify::Unsupported &) { // an index has no value at these sizes
            return;
        }
        Accesses stores(fluorite_trace_store);
        const size_t outputs = ordinary_->outputs.size();
        const std::vector<Buffer<>> theirs(buffers_.end() - std::ptrdiff_t(outputs), buffers_.end());
        std::vector<Buffer<>> mine;
        std::ranges::transform(theirs, std::back_inserter(mine), [](const Buffer<> &one) { return one.copy(); });
        try {
            const NoReports guard;
            driver::run_with(*ordinary_, args, driver::RunContext(&stores, {}, location_), location_);
            for (size_t i = 0; i < outputs; i++) {
                args[args.size() - outputs + i] = mine[i].raw_buffer();
            }
            driver::run(*certified_, args, location_);
        } catch (const RuntimeError &error) {
            if (!is_about_sizes(error.slug())) {
                report_error(error);
                throw;
            }
            return;
        }
        result_.runs++;
        std::string where = " at size";
        for (const std::vector<int32_t> &one : sizes) {
            where += " " + to_text(Point(one.begin(), one.end()));
        }
        for (size_t i = 0; i < outputs; i++) {
            compare_values(mine[i], theirs[i], ordinary_->outputs[i].name, where);
        }
        std::vector<void *> again = args;
        for (size_t i = 0; i < outputs; i++) {
            again[args.size() - outputs + i] = mine[i].raw_buffer(); // whose values are compared already
        }
        compare_points(wanted, of_funcs(stores.points), values, where, again);
    }
    // The points that the pipeline reads.
    Points loads(std::vector<void *> &args) {
        if (!with_loads_) {
            with_loads_ = compile_traced_(Target::TraceLoads);
        }
        Accesses loads(fluorite_trace_load);
        driver::run_with(*with_loads_, args, driver::RunContext(&loads, {}, location_), location_);
        return of_funcs(loads.points);
    }
    // Sizes that the pipeline, or the certificate, refuses.
    static bool is_about_sizes(const std::string &slug) {
        return slug == "output-too-small" || slug == "input-too-small" || slug == "bound-too-small" ||
               slug == "certificate-fact";
    }

    // Of each output. Every second time, all have the same ones, as far as they go: outputs may read each other.
    std::vector<std::vector<int32_t>> draw_sizes(int64_t largest) {
        std::vector<std::vector<int32_t>> sizes;
        std::vector<int64_t> common;
        const bool are_equal = draw(0, 1) == 0;
        for (size_t o = 0; o < tensors().outputs.size(); o++) {
            std::vector<int64_t> drawn;
            for (size_t d = 0; d < tensors().output_extents[o].size(); d++) {
                const bool is_drawn = are_equal && d < common.size();
                drawn.push_back(is_drawn ? common[d] : draw(1, largest));
            }
            common = common.size() < drawn.size() ? drawn : common;
            sizes.push_back(sizes_of_output(o, drawn));
        }
        return sizes;
    }
    std::vector<int32_t> sizes_of_output(size_t o, const std::vector<int64_t> &drawn) const {
        const ir::FuncDef &output = certified_->frozen.graph.funcs[tensors().outputs[o]];
        std::vector<int32_t> sizes;
        for (size_t d = 0; d < drawn.size(); d++) {
            const verify::Index &extent = tensors().output_extents[o][d];
            sizes.push_back(static_cast<int32_t>(extent.is_number() ? extent.value() : drawn[d]));
        }
        for (const schedule::Bound &bound : certified_->frozen.schedule.func(output.id()).bounds) {
            int64_t extent; // no other size is accepted
            const auto d = std::ranges::find(output.arg_names, bound.var) - output.arg_names.begin();
            if (bound.extent.defined() && ir::is_const_int(bound.extent, &extent)) {
                sizes[size_t(d)] = static_cast<int32_t>(extent);
            }
        }
        round_up(tensors().output_extents[o], sizes);
        return sizes;
    }

    // Sizes of which the certificate asks that they are multiples, which random ones are seldom.
    void round_up(const std::vector<verify::Index> &extents, std::vector<int32_t> &sizes) const {
        for (const verify::Condition &fact : certified_->term.facts) {
            if (fact.kind != verify::Condition::Kind::Eq || fact.indices[1].kind() != verify::Index::Kind::Mul ||
                !fact.indices[1].b().is_number()) {
                continue;
            }
            const auto d = std::ranges::find(extents, fact.indices[0]);
            if (d != extents.end()) {
                int32_t &size = sizes[size_t(d - extents.begin())];
                const auto factor = static_cast<int32_t>(fact.indices[1].b().value());
                size = (size + factor - 1) / factor * factor;
            }
        }
    }

    // ---- Arguments: in the order of the code's, the outputs last.

    std::vector<void *> make_arguments(const std::vector<std::vector<int32_t>> &sizes) {
        const CompiledPipeline &code = *certified_->code;
        buffers_.clear();
        scalars_.assign(code.args.size(), 0);
        verify::Values values;        // of the sizes, which the regions of inputs are made of
        std::vector<int32_t> largest; // of all outputs, by dimension
        for (size_t o = 0; o < sizes.size(); o++) {
            largest.resize(std::max(largest.size(), sizes[o].size()), 1);
            for (size_t d = 0; d < sizes[o].size(); d++) {
                values.emplace(verify::output_size(tensors().funcs[tensors().outputs[o]].name, d), sizes[o][d]);
                largest[d] = std::max(largest[d], sizes[o][d]);
            }
        }
        std::vector<void *> args(code.args.size(), nullptr);
        for (size_t i = 0; i < args.size(); i++) {
            const ir::Parameter *parameter = code.parameters[i];
            if (code.args[i].kind == ir::LoweredArg::Kind::Scalar && parameter) {
                args[i] = scalar(i, *parameter);
                values.emplace(code.args[i].symbol.name(), *static_cast<const int32_t *>(args[i]));
            }
        }
        draw_sizes_of_inputs(values, largest);
        const std::vector<Buffer<>> outputs = make_outputs(args, sizes);
        evaluate_other_names(values, args);
        for (size_t i = 0; i < args.size(); i++) {
            if (code.args[i].kind == ir::LoweredArg::Kind::InputBuffer) {
                args[i] = input(code.args[i], values);
            }
        }
        buffers_.insert(buffers_.end(), outputs.begin(), outputs.end());
        return args;
    }
    // One for each value of each output.
    std::vector<Buffer<>> make_outputs(std::vector<void *> &args, const std::vector<std::vector<int32_t>> &sizes) {
        std::vector<Buffer<>> made;
        size_t next = args.size() - certified_->code->outputs.size(); // behind all inputs
        for (size_t o = 0; o < sizes.size(); o++) {
            const size_t count = certified_->frozen.graph.funcs[tensors().outputs[o]].types.size();
            for (size_t value = 0; value < count; value++) {
                const driver::OutputValue &one = certified_->code->outputs[made.size()];
                made.push_back(Buffer<>(one.type, sizes[o], one.storage_order));
                fill(made.back());
                args[next++] = made.back().raw_buffer();
            }
        }
        return made;
    }
    // Names that stand for more than a size, as bounds of coordinates do.
    void evaluate_other_names(verify::Values &values, const std::vector<void *> &args) const {
        for (const auto &[name, expr] : tensors().names) {
            if (values.contains(name)) {
                continue;
            }
            const Expr of_outputs = ir::transform(expr, [&](const Expr &node) -> Expr {
                for (const auto &[other, field] : tensors().names) {
                    if (node->kind() == ir::ExprKind::BufferField && ir::equal(node, field) && values.contains(other)) {
                        return ir::int32(values.at(other));
                    }
                }
                return node;
            });
            bool is_known = true; // strides of inputs are not, and no region depends on them
            ir::for_each_node(of_outputs, [&](const Expr &node) {
                is_known =
                    is_known && (node->kind() != ir::ExprKind::BufferField || !node->symbol().owner().input.valid());
            });
            if (is_known) {
                values.emplace(name, driver::value_of(*certified_->code, args, of_outputs));
            }
        }
    }
    const verify::Conversion &tensors() const { return certified_->term.conversion; }

    void *scalar(size_t i, const ir::Parameter &parameter) {
        scalars_[i] = parameter.value_bits;
        if (!parameter.has_value) {
            fill(reinterpret_cast<uint8_t *>(&scalars_[i]), parameter.type, 1);
        }
        return &scalars_[i];
    }
    // Where the program asks how large an input is: any size, or one that holds the output and a margin, or one that
    // begins at zero besides, because the certificate may ask for that and any size seldom does. Where elements are
    // undefined, small inputs may leave them in the output, which nobody can compare.
    void draw_sizes_of_inputs(verify::Values &values, const std::vector<int32_t> &sizes) {
        const int64_t kind = draw(has_undefined() ? 1 : 0, 2);
        const bool is_any = kind == 0;
        for (const auto &[name, field] : tensors().names) {
            if (field->kind() == ir::ExprKind::BufferField) {
                const bool is_min = field->member().field == ir::Field::Min;
                const auto d = field->member().position();
                const int64_t large = (d < sizes.size() ? sizes[d] : 1) + draw(12, 24);
                values.insert_or_assign(name, is_any ? (is_min ? draw(-3, 3) : draw(1, options_.largest + 8))
                                                     : (is_min ? (kind == 1 ? draw(-12, 0) : 0) : large));
            }
        }
    }
    bool has_undefined() const {
        const auto &operators = tensors().operators;
        return std::ranges::any_of(operators,
                                   [](const auto &one) { return one.second->kind() == ir::ExprKind::Undef; });
    }
    void *input(const ir::LoweredArg &arg, const verify::Values &values) {
        const ir::Parameter &parameter = *ir::parameter_of(arg.symbol);
        if (parameter.is_bound_buffer) {
            return parameter.buffer;
        }
        const auto tensor =
            std::ranges::find_if(tensors().inputs, [&](const auto &t) { return t.symbol == arg.symbol; });
        std::vector<int32_t> mins, extents;
        for (int d = 0; d < arg.dimensions; d++) {
            const bool is_read = tensor != tensors().inputs.end();
            auto [min, extent] = is_read ? region(*tensor, size_t(arg.dimensions - 1 - d), values) : std::pair(0, 1);
            if (size_t(d) < parameter.dims.size()) {
                keep_promises(parameter.dims[size_t(d)], min, extent);
            }
            mins.push_back(min);
            extents.push_back(extent);
        }
        Buffer<> buffer(arg.type, extents);
        buffer.set_min(mins);
        fill(buffer);
        buffers_.push_back(buffer);
        return buffer.raw_buffer();
    }
    // What the pipeline is compiled for; whether that holds what is read is asked at entry.
    static void keep_promises(const ir::DimConstraint &promise, int32_t &min, int32_t &extent) {
        int64_t value;
        if (promise.min.defined() && ir::is_const_int(promise.min, &value)) {
            extent = std::max(extent + min - static_cast<int32_t>(value), 1);
            min = static_cast<int32_t>(value);
        }
        if (promise.extent.defined() && ir::is_const_int(promise.extent, &value)) {
            extent = static_cast<int32_t>(value);
        }
    }
    // What is read, and a margin for pieces that the pipeline rounds up; where the program asks for the size, that
    // size.
    std::pair<int32_t, int32_t> region(const verify::Tensor &tensor, size_t i, const verify::Values &values) {
        const verify::Dimension &dim = tensor.dims[i];
        const bool is_asked = dim.min.kind() == verify::Index::Kind::Name && tensors().names.count(dim.min.name()) > 0;
        const size_t rank = tensor.dims.size();
        const int64_t margin = is_asked ? 0 : rank <= 2 ? 64 : rank == 3 ? 16 : 4;
        return {static_cast<int32_t>(verify::evaluate(dim.min, values) - margin),
                static_cast<int32_t>(verify::evaluate(dim.extent, values) + 2 * margin)};
    }

    // ---- Elements: any bits for integers, small numbers for floats.

    void fill(const Buffer<> &buffer) {
        fill(buffer.raw_buffer()->host, buffer.type(), static_cast<size_t>(buffer.number_of_elements()));
    }
    void fill(uint8_t *memory, Type type, size_t count) {
        const auto bytes = static_cast<size_t>(type.bytes());
        for (size_t i = 0; i < count; i++) {
            uint64_t bits = random_();
            if (type.is_bool()) {
                bits &= 1;
            } else if (type.is_float() && type.bits() == 64) {
                const double value = static_cast<double>(draw(-1000, 1000)) / 16;
                std::memcpy(&bits, &value, sizeof(value));
            } else if (type.is_float() && type.bits() == 32) {
                const float value = static_cast<float>(draw(-1000, 1000)) / 16;
                std::memcpy(&bits, &value, sizeof(value));
            } else if (type.is_float()) {
                bits = static_cast<uint64_t>(draw(0x3000, 0x4000)); // 16 bits, of moderate size in both formats
            }
            std::memcpy(memory + i * bytes, &bits, bytes);
        }
    }

    // ---- What is compared.

    Points expected(const verify::Values &values) {
        Points points;
        verify::for_each_store(certified_->term, values, [&](size_t func, const Point &at) {
            points[certified_->frozen.graph.funcs[func].name()].insert(at);
            result_.stores++;
        });
        return points;
    }
    void compare_values(const Buffer<> &mine, const Buffer<> &theirs, const std::string &name,
                        const std::string &where) {
        const auto bytes = static_cast<size_t>(mine.type().bytes());
        const uint8_t *a = mine.raw_buffer()->host, *b = theirs.raw_buffer()->host;
        size_t count = 0;
        for (size_t i = 0; i < static_cast<size_t>(mine.number_of_elements()); i++) {
            count += std::memcmp(a + i * bytes, b + i * bytes, bytes) != 0;
        }
        if (count > 0) {
            result_.differences.push_back(concat(count, " of ", mine.number_of_elements(), " values of ", name,
                                                 " differ from the certificate's", where));
        }
    }
    // A Func that lowering has copied, as for the alternatives of a consumer, has the names name$1, name$v1 and so on.
    Points of_funcs(const Points &seen) const {
        std::set<std::string> funcs;
        for (const ir::FuncDef &func : certified_->frozen.graph.funcs) {
            funcs.insert(func.name());
        }
        Points points;
        for (const auto &[name, its] : seen) {
            std::string func = name;
            while (!funcs.contains(func) && func.find('$') != std::string::npos) {
                func.resize(func.rfind('$'));
            }
            points[func].insert(its.begin(), its.end());
        }
        return points;
    }
    // Nobody reads the other points: what a stage before an update computes beyond what is read, where the tails of the
    // update do, is in the term and not in the ordinary loops.
    bool is_read(size_t func, const Point &at, const verify::Values &values) const {
        return std::ranges::all_of(tensors().read, [&](const auto &one) {
            const auto &[place, range] = one;
            const auto [f, d] = place;
            return f != func ||
                   (verify::evaluate(range.low, values) <= at[d] && at[d] <= verify::evaluate(range.high, values));
        });
    }
    Points that_are_read(const Points &all, const verify::Values &values) const {
        Points points;
        for (size_t f = 0; f < certified_->frozen.graph.funcs.size(); f++) {
            const std::string &name = certified_->frozen.graph.funcs[f].name();
            for (const Point &at : of(all, name)) {
                if (is_read(f, at, values)) {
                    points[name].insert(at);
                }
            }
        }
        return points;
    }
    // Of a Func that the schedule inlines and the certificate does not.
    bool stays_a_binding(const std::string &func) const {
        return std::ranges::any_of(certified_->certificate.directives, [&](const auto &one) {
            return one.func == func && one.directive == "compute_inline" && !one.covered();
        });
    }
    void compare_points(const Points &wanted, const Points &seen, const verify::Values &values,
                        const std::string &where, std::vector<void *> &args) {
        std::optional<Points> read;
        for (const auto &[func, points] : that_are_read(wanted, values)) {
            if (stays_a_binding(func)) {
                continue;
            }
            std::set<Point> missing = without(points, of(seen, func));
            if (!missing.empty() && !is_output(func)) {
                read = read ? read : loads(args);
                missing = without(missing, without(missing, of(*read, func)));
            }
            report(result_.differences, func, missing, " is not stored", where);
        }
        for (const auto &[func, points] : seen) {
            report(is_output(func) ? result_.differences : result_.beyond, func, without(points, of(wanted, func)),
                   " is stored, and not by the certificate", where);
        }
    }
    bool is_output(const std::string &func) const {
        return std::ranges::any_of(tensors().outputs,
                                   [&](size_t f) { return certified_->frozen.graph.funcs[f].name() == func; });
    }
    static std::set<Point> of(const Points &points, const std::string &func) {
        const auto found = points.find(func);
        return found == points.end() ? std::set<Point>() : found->second;
    }
    static void report(std::vector<std::string> &list, const std::string &func, const std::set<Point> &points,
                       const char *text, const std::string &where) {
        if (!points.empty() && list.size() < most_reports) {
            const std::string more = points.size() > 1 ? concat(" and ", points.size() - 1, " more points") : "";
            list.push_back(concat(func, to_text(*points.begin()), more, text, where));
        }
    }
};

} // namespace

ScheduleValidation validate_schedule(const Pipeline &pipeline, const ValidateOptions &options, const Target &target,
                                     const Location &location) {
    const Target wanted = driver::asked_target(target, location);
    return with_place(location, [&] { return Validation(pipeline, options, wanted, location).run(); });
}

ScheduleValidation validate_schedule(const Func &output, const ValidateOptions &options, const Target &target,
                                     const Location &location) {
    return validate_schedule(Pipeline(output, location), options, target, location);
}

} // namespace fluorite
