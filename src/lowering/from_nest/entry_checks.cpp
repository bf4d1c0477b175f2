// What a pipeline checks of its arguments.
//
// In order: no buffer is null; types and ranks are as compiled; extents are not negative; factors of splits and moduli
// of alignments are positive; regions and coordinates fit 32 bits (region_ranges.cpp); constraints on dimensions
// (set_min, set_extent, set_stride; the innermost dimension is dense unless said otherwise) and on the alignment of
// host pointers hold; the buffers of the values of a Tuple agree in their regions; parameters are in range;
// requirements hold. Then for each buffer: every region that is read or written is inside; its memory is there; an
// input is not newer on a device, and no output overlaps itself. At last, no output shares memory with another
// argument, except where it may be computed in place.
//
// Where a buffer has no memory and bounds queries are compiled in, the required regions are written into it instead,
// and the pipeline returns success. Empty regions access nothing and always fit. Without asserts, only requirements are
// checked. Cost: a few dozen comparisons per run.

#include "lowering/from_nest/entry_checks.h"

#include "loopnest/regions/wide_tails.h"
#include "loopnest/user_text.h"
#include "lowering/from_nest/sharing_checks.h"
#include "rewrite/simplify.h"
#include "schedule/storage_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;
using analysis::Box;
using rewrite::simplify;

Expr buffer_pointer(const Symbol &buffer) { return make_var(Handle(), buffer); }

Expr type_bits(Type type) {
    uint32_t bits = static_cast<uint32_t>(type.code()) | static_cast<uint32_t>(type.bits()) << 8 | 1u << 16;
    return make_uint(UInt(32), bits);
}

namespace {

Expr null_pointer() { return make_reinterpret(Handle(), make_uint(UInt(64), 0)); }

Expr error(const std::string &name, const std::vector<Expr> &args) {
    return make_extern(Int(32), "fluorite_error_" + name, args);
}
Expr operation(Type type, const std::string &name, const std::vector<Expr> &args) {
    return make_extern(type, "buffer." + name, args);
}
Expr negate(const Expr &condition) { return make_unary(ExprKind::Not, condition); }

// A buffer argument.
struct Buffer {
    Symbol symbol;
    std::string name;
    Type type;
    int dimensions = 0;
    std::vector<DimConstraint> constraints; // may have fewer entries than the rank
    int host_alignment = 0;
    Box box; // the box that is accessed
    bool used = true;
    bool is_output = false;
    FuncId func;     // of an output
    int element = 0; // which of its values
    std::vector<std::string> dim_names;
    std::vector<size_t> storage_order; // innermost first

    /// The stride is 1 unless the program says otherwise.
    bool is_dense(int d) const { return static_cast<size_t>(d) == storage_order[0]; }
};

class Checker {
  public:
    Checker(const BoundedLoopNest &nest, const PassContext &context)
        : graph_(nest.graph), regions_(nest.regions), context_(context), readers_(nest.graph), tails_(nest) {
        collect();
    }

    EntryChecks run() {
        if (context_.options.asserts) {
            for (const Buffer &buffer : buffers_) {
                check_form(buffer);
            }
            for (FuncId id : graph_.order) {
                check_factors(id);
            }
            check_ranges();
        }
        if (context_.options.bounds_query) {
            answer_queries();
        }
        if (context_.options.asserts) {
            for (const Buffer &buffer : buffers_) {
                check_constraints(buffer);
            }
            check_tuples();
            check_params();
            check_requirements();
            for (const Buffer &buffer : buffers_) {
                check_region(buffer);
                check_memory(buffer);
            }
            check_sharing();
        } else {
            check_requirements();
        }
        return std::move(out_);
    }

  private:
    const LoweringGraph &graph_;
    const Regions &regions_;
    const PassContext &context_;
    const InputReaders readers_;
    WideTails tails_;
    std::vector<Buffer> buffers_;
    EntryChecks out_;

    void collect() {
        const Graph &graph = graph_.pipeline.graph;
        for (size_t i = 0; i < graph.inputs.size(); i++) {
            const InputDef &input = graph.inputs[i];
            Buffer buffer;
            buffer.symbol = input.symbol;
            buffer.name = input.symbol.name();
            buffer.type = input.type;
            buffer.dimensions = input.dimensions;
            buffer.constraints = input.constraints;
            buffer.host_alignment = input.parameter ? input.parameter->host_alignment : 0;
            buffer.box = regions_.input_boxes[i];
            buffer.used = regions_.input_read[i];
            buffer.storage_order.resize(static_cast<size_t>(buffer.dimensions));
            std::iota(buffer.storage_order.begin(), buffer.storage_order.end(), size_t{0});
            buffers_.push_back(buffer);
        }
        for (size_t i = 0; i < graph.outputs.size(); i++) {
            const FuncDef &func = graph.func(graph.outputs[i]);
            for (size_t k = 0; k < func.types.size(); k++) {
                Buffer buffer;
                buffer.symbol = context_.buffers.of(func.id(), k);
                buffer.name = buffer.symbol.name();
                buffer.type = func.types[k];
                buffer.dimensions = static_cast<int>(func.dimensions());
                buffer.box = regions_.output_boxes[i];
                if (k < func.output_buffers.size()) {
                    buffer.constraints = func.output_buffers[k].dims;
                    buffer.host_alignment = func.output_buffers[k].host_alignment;
                }
                buffer.is_output = true;
                buffer.func = func.id();
                buffer.element = static_cast<int>(k);
                buffer.dim_names = func.arg_names;
                buffer.storage_order = schedule::storage_order_of(func, graph_.schedule(func.id()));
                buffers_.push_back(buffer);
            }
        }
    }

    void require_before(const Expr &condition, const Expr &failure) {
        out_.before_bounds.push_back(Assert::make(condition, failure));
    }
    void require(const Expr &condition, const Expr &failure) {
        Expr simple = simplify(condition);
        if (!is_true(simple)) {
            out_.after_bounds.push_back(Assert::make(simple, failure));
        }
    }

    void check_form(const Buffer &buffer) {
        Expr pointer = buffer_pointer(buffer.symbol), name = make_string(buffer.name);
        require_before(negate(operation(Bool(), "is_null", {pointer})), error("buffer_argument_is_null", {name}));
        Expr given_type = operation(UInt(32), "type", {pointer}),
             given_rank = operation(Int(32), "dimensions", {pointer});
        Expr fits_type = equals(given_type, type_bits(buffer.type)),
             fits_rank = equals(given_rank, int32(buffer.dimensions));
        if (context_.options.bounds_query) {
            // A buffer that queries its region also receives its type.
            Expr query = operation(Bool(), "is_query", {pointer});
            fits_type = make_binary(ExprKind::Or, query, fits_type);
        }
        require_before(fits_type, error("bad_type", {name, given_type, type_bits(buffer.type)}));
        require_before(fits_rank, error("bad_dimensions", {name, given_rank, int32(buffer.dimensions)}));
        if (buffer.dimensions > 0) {
            require_before(operation(Bool(), "has_dims", {pointer}),
                           error("buffer_argument_is_null", {make_string(buffer.name + ".dim")}));
        }
        for (int d = 0; d < buffer.dimensions; d++) {
            Expr extent = make_field(buffer.symbol, Field::Extent, d);
            require_before(less_equal(int32(0), extent), error("buffer_extents_negative", {name, int32(d), extent}));
        }
    }

    // Checks factors and moduli that are known only at run time, before regions are computed with them.
    void check_factors(FuncId id) {
        const std::string &name = graph_.func(id).name();
        const schedule::FuncSchedule &schedule = graph_.schedule(id);
        for (const schedule::StageSchedule &stage : schedule.stages) {
            for (const schedule::Split &split : stage.splits) {
                if (split.kind == schedule::Split::Kind::Split && !is_const(split.factor)) {
                    require_before(
                        less(int32(0), split.factor),
                        error("split_factor_not_positive",
                              {make_string(name), make_string(split.old_var),
                               make_string(text_for_user(split.factor, graph_.pipeline.graph)), split.factor}));
                }
            }
        }
        for (const schedule::Bound &bound : schedule.bounds) {
            check_modulus(name, bound.var, bound.modulus);
        }
        for (const schedule::StorageDim &dim : schedule.storage) {
            check_modulus(name, dim.var, dim.alignment);
        }
    }

    void check_modulus(const std::string &name, const std::string &var, const Expr &modulus) {
        if (modulus.defined() && !is_const(modulus)) {
            require_before(
                less(int32(0), modulus),
                error("alignment_not_positive", {make_string(name), make_string(var),
                                                 make_string(text_for_user(modulus, graph_.pipeline.graph)), modulus}));
        }
    }

    // The exact ranges are computed at run time only if an argument exceeds the limit below which none can overflow.
    void check_ranges() {
        const std::optional<int64_t> limit = regions_.ranges.limit();
        if (!limit) {
            return;
        }
        std::vector<Expr> call = {make_string(regions_.ranges.text)};
        Expr is_small = make_bool(*limit > 0);
        const std::vector<Expr> &arguments = regions_.ranges.arguments;
        for (size_t i = 0; i < arguments.size(); i++) {
            call.push_back(make_cast(Float(64), arguments[i]));
            if (*limit > 0) {
                is_small = logical_and(is_small, is_within(arguments[i], *limit));
            }
            if (*limit > 0 && regions_.ranges.divisors.contains(static_cast<int>(i))) {
                is_small = logical_and(is_small, is_apart_from_zero(arguments[i], *limit));
            }
        }
        const Expr code = make_extern(Int(32), "fluorite_check_ranges", call);
        out_.before_bounds.push_back(
            IfThenElse::make(simplify(negate(is_small)), Assert::make(equals(code, int32(0)), code)));
    }

    static Expr is_apart_from_zero(const Expr &argument, int64_t limit) {
        if (!argument.type().is_float()) {
            return make_binary(ExprKind::NE, argument, make_zero(argument.type()));
        }
        const Expr near = make_float(argument.type(), 1.0 / static_cast<double>(limit));
        return less_equal(near, make_unary(ExprKind::Abs, argument));
    }

    static Expr is_within(const Expr &argument, int64_t limit) {
        const Type type = argument.type();
        if (type.is_float()) {
            const Expr far = make_float(type, static_cast<double>(limit));
            return less_equal(make_unary(ExprKind::Abs, argument), far);
        }
        const bool is_extent = argument->kind() == ExprKind::BufferField && argument->member().field == Field::Extent;
        Expr result = make_bool(true);
        if (type.can_represent(limit)) {
            result = less_equal(argument, make_int(type, limit));
        }
        if (type.is_int() && !is_extent && type.can_represent(-limit)) {
            result = logical_and(result, less_equal(make_int(type, -limit), argument));
        }
        return result;
    }

    void answer_queries() {
        for (const Buffer &buffer : buffers_) {
            Expr pointer = buffer_pointer(buffer.symbol);
            Expr query = operation(Bool(), "is_query", {pointer});
            out_.is_query = out_.is_query.defined() ? make_binary(ExprKind::Or, out_.is_query, query) : query;
            std::vector<Stmt> answer = {Evaluate::make(
                operation(Int(32), "set_type", {pointer, type_bits(buffer.type), int32(buffer.dimensions)}))};
            // A stride that does not fit int32 becomes the largest int32; memory of this shape cannot be allocated.
            Expr stride = make_int(Int(64), 1);
            for (const size_t at : buffer.storage_order) {
                Expr min = int32(0), extent = int32(0);
                if (buffer.used) {
                    min = buffer.box[at].min;
                    // Reads under conditions that never hold together may give a box whose max is below its min.
                    extent = simplify(max_of(analysis::extent_of(buffer.box[at]), int32(0)));
                }
                if (at < buffer.constraints.size()) {
                    const DimConstraint &constraint = buffer.constraints[at];
                    min = constraint.min.defined() ? constraint.min : min;
                    extent = constraint.extent.defined() ? constraint.extent : extent;
                    if (constraint.stride.defined() && !constraint.allows_any_stride()) {
                        stride = make_cast(Int(64), constraint.stride);
                    }
                }
                const Expr fitting = simplify(min_of(stride, make_int(Int(64), std::numeric_limits<int32_t>::max())));
                answer.push_back(Evaluate::make(operation(
                    Int(32), "set_dim",
                    {pointer, int32(static_cast<int64_t>(at)), min, extent, simplify(make_cast(Int(32), fitting))})));
                stride = simplify(mul(fitting, max_of(make_cast(Int(64), extent), make_int(Int(64), 0))));
            }
            out_.answers.push_back(IfThenElse::make(query, Block::make(answer)));
        }
    }

    void check_constraints(const Buffer &buffer) {
        for (int d = 0; d < buffer.dimensions; d++) {
            DimConstraint constraint;
            if (static_cast<size_t>(d) < buffer.constraints.size()) {
                constraint = buffer.constraints[static_cast<size_t>(d)];
            }
            if (buffer.is_dense(d) && !constraint.stride.defined()) {
                constraint.stride = int32(1);
            }
            demand(buffer, Field::Min, "min", d, constraint.min);
            demand(buffer, Field::Extent, "extent", d, constraint.extent);
            demand(buffer, Field::Stride, "stride", d, constraint.stride);
        }
        if (buffer.host_alignment > 1) {
            Expr address = make_reinterpret(UInt(64), operation(Handle(), "host", {buffer_pointer(buffer.symbol)}));
            Expr rest = mod(address, make_uint(UInt(64), static_cast<uint64_t>(buffer.host_alignment)));
            require(equals(rest, make_uint(UInt(64), 0)),
                    error("unaligned_host_ptr", {make_string(buffer.name), int32(buffer.host_alignment)}));
        }
    }

    void demand(const Buffer &buffer, Field field, const char *what, int d, const Expr &wanted) {
        if (!wanted.defined()) {
            return;
        }
        Expr given = make_field(buffer.symbol, field, d);
        const std::string dim_name =
            buffer.dim_names.empty() ? "" : " (" + buffer.dim_names[static_cast<size_t>(d)] + ")";
        const std::string property = concat(buffer.name, ": its ", what, " along dimension ", d, dim_name);
        Expr fits = equals(given, wanted);
        if (field == Field::Stride) { // the stride of one element is never used
            fits = make_binary(ExprKind::Or, fits, less_equal(make_field(buffer.symbol, Field::Extent, d), int32(1)));
        }
        require(fits, error("constraint_violated",
                            {make_string(property), make_cast(Int(64), given),
                             make_string(text_for_user(wanted, graph_.pipeline.graph)), make_cast(Int(64), wanted)}));
    }

    // All values of a Tuple are written over the region of the first.
    void check_tuples() {
        for (const Buffer &buffer : buffers_) {
            if (!buffer.is_output || buffer.element == 0) {
                continue;
            }
            const Symbol &first = context_.buffers.of(buffer.func, 0);
            for (int d = 0; d < buffer.dimensions; d++) {
                demand(buffer, Field::Min, "min", d, make_field(first, Field::Min, d));
                demand(buffer, Field::Extent, "extent", d, make_field(first, Field::Extent, d));
            }
        }
    }

    void check_sharing() {
        std::vector<SharedBuffer> shared;
        for (const Buffer &buffer : buffers_) {
            shared.push_back({buffer.symbol, buffer.name, buffer.dimensions, buffer.is_output, buffer.func});
        }
        for (Stmt &check : make_sharing_checks(shared, graph_, readers_)) {
            out_.after_bounds.push_back(std::move(check));
        }
    }

    void check_params() {
        for (const ParamDef &param : graph_.pipeline.graph.params) {
            Expr value = make_var(param.type, param.symbol);
            limit(param, value, param.min_value, "small", ExprKind::GE);
            limit(param, value, param.max_value, "large", ExprKind::LE);
        }
    }

    void limit(const ParamDef &param, const Expr &value, const Expr &bound, const char *what, ExprKind relation) {
        if (!bound.defined()) {
            return;
        }
        Type wide = param.type.is_float() ? Float(64) : param.type.is_int() ? Int(64) : UInt(64);
        const char *suffix = param.type.is_float() ? "_f64" : param.type.is_int() ? "_i64" : "_u64";
        Expr typed = bound.type() == param.type ? bound : make_cast(param.type, bound);
        out_.after_bounds.push_back(
            Assert::make(make_binary(relation, value, typed),
                         error(std::string("param_too_") + what + suffix,
                               {make_string(param.parameter->name), make_cast(wide, value), make_cast(wide, typed)})));
    }

    void check_requirements() {
        for (const Expr &requirement : graph_.pipeline.graph.requirements) {
            std::vector<Expr> parts(requirement->args().begin() + 3, requirement->args().end());
            Expr message = parts.empty() ? null_pointer() : make_extern(Handle(), "text.concat", parts);
            out_.after_bounds.push_back(
                Assert::make(requirement->arg(0), error("requirement_failed", {requirement->arg(2), message})));
        }
    }

    void check_region(const Buffer &buffer) {
        if (!buffer.used) {
            return;
        }
        for (int d = 0; d < buffer.dimensions; d++) {
            const analysis::Interval &side = buffer.box[static_cast<size_t>(d)];
            Expr min = make_field(buffer.symbol, Field::Min, d);
            Expr max = sub(add(min, make_field(buffer.symbol, Field::Extent, d)), int32(1));
            Expr inside = logical_and(less_equal(min, side.min), less_equal(side.max, max));
            Expr fits = simplify(inside);
            if (is_true(fits)) {
                continue;
            }
            fits = make_binary(ExprKind::Or, fits, less(side.max, side.min));
            const std::string dim_name = buffer.dim_names.empty() ? "" : buffer.dim_names[static_cast<size_t>(d)];
            const WideTail tail = tail_of(buffer, static_cast<size_t>(d));
            const auto outside = [&](const std::string &said_of_dim) {
                return outside_error(buffer, d, said_of_dim, side, {min, simplify(max)});
            };
            const std::string with_tail = dim_name.empty() ? tail.text : dim_name + "; " + tail.text;
            if (tail.matters.defined()) {
                require(make_binary(ExprKind::Or, fits, negate(tail.matters)), outside(with_tail));
            }
            require(fits, outside(tail.text.empty() || tail.matters.defined() ? dim_name : with_tail));
        }
        out_.after_bounds.push_back(
            Assert::make(memory_is_there(buffer), error("host_is_null", {make_string(buffer.name)})));
    }

    bool is_field(const Buffer &buffer) const {
        return !buffer.is_output && context_.options.fields.contains(parameter_of(buffer.symbol));
    }

    // Of fields of iterations, the error says what one step reads, whatever the loops of a pass are.
    WideTail tail_of(const Buffer &buffer, size_t d) {
        return is_field(buffer)   ? WideTail()
               : buffer.is_output ? tails_.of_output(buffer.func, d)
                                  : tails_.of_input(buffer.symbol, d);
    }

    Expr outside_error(const Buffer &buffer, int d, const std::string &said_of_dim, const analysis::Interval &touched,
                       const analysis::Interval &held) {
        const auto of_step = context_.options.field_boxes.find(parameter_of(buffer.symbol));
        const bool is_known = is_field(buffer) && of_step != context_.options.field_boxes.end();
        const analysis::Interval read = is_known ? of_step->second[static_cast<size_t>(d)] : touched;
        return error(
            is_field(buffer) ? "iterate_outside_domain" : "access_out_of_bounds",
            {make_string(is_field(buffer) ? context_.options.fields.at(parameter_of(buffer.symbol)) : buffer.name),
             reader_of(buffer), int32(d), said_of_dim.empty() ? null_pointer() : make_string(said_of_dim), read.min,
             read.max, held.min, held.max});
    }

    // The newest data of an input is in host memory, and no element of an output overlaps another.
    void check_memory(const Buffer &buffer) {
        const Expr pointer = buffer_pointer(buffer.symbol), name = make_string(buffer.name);
        if (!buffer.is_output) {
            if (!context_.options.has_device) {
                out_.after_bounds.push_back(Assert::make(negate(operation(Bool(), "device_dirty", {pointer})),
                                                         error("device_dirty_with_no_device_support", {name})));
            }
        } else if (buffer.dimensions > 0) {
            const Expr overlap = make_extern(Int(32), "fluorite_buffer_overlaps_itself", std::vector<Expr>{pointer});
            out_.after_bounds.push_back(Assert::make(
                equals(overlap, int32(0)),
                error("buffers_overlap",
                      {name, make_string("itself"), make_string("each element of an output has a place of its own")})));
        }
    }

    // A buffer without elements needs no memory, and one in the memory of a device needs none of the host.
    Expr memory_is_there(const Buffer &buffer) {
        const Expr pointer = buffer_pointer(buffer.symbol);
        Expr host = operation(Handle(), "host", {pointer});
        Expr ok = context_.options.has_device
                      ? negate(operation(Bool(), "is_query", {pointer}))
                      : make_binary(ExprKind::NE, make_reinterpret(UInt(64), host), make_uint(UInt(64), 0));
        for (int d = 0; d < buffer.dimensions; d++) {
            ok = make_binary(ExprKind::Or, ok, less_equal(make_field(buffer.symbol, Field::Extent, d), int32(0)));
        }
        return ok;
    }

    // The names of the Funcs that read an input, as one text.
    Expr reader_of(const Buffer &buffer) {
        if (buffer.is_output) {
            return null_pointer();
        }
        std::string readers;
        std::set<std::string_view> known;
        for (FuncId id : readers_.of(buffer.symbol)) {
            const std::string &name = graph_.func(id).user_name();
            if (known.insert(name).second) {
                readers += (readers.empty() ? "" : ", ") + name;
            }
        }
        return make_string(readers);
    }
};

} // namespace

EntryChecks make_entry_checks(const BoundedLoopNest &nest, const PassContext &context) {
    return Checker(nest, context).run();
}

} // namespace fluorite::lowering
