// Flattening: boxes of values become linear memory.
//
// For a buffer g realized over x in [a, a + w), y in [b, b + h):
//   realize g {t} over [a, w] [b, h] { S }   -->   allocate g[t * w * h] { S }
//   g(x, y) = v                              -->   store g[(x - a) * 1 + (y - b) * w] = v
//   image g(x, y)                            -->   load g[...]
// Arguments (inputs, outputs) are addressed likewise, with the mins and strides of the caller's buffer. Their innermost
// dimension (0, unless reorder_storage of an output says otherwise) has stride 1 unless the program constrains it. A
// min or stride that the program constrains to a constant is replaced by that constant, which the checks at entry
// enforce. So is one that a condition around the access equates with a constant, as specialize(in.dim(0).stride() == 1)
// does: there, loads and stores are dense. Dimensions of internal buffers are in the order of the schedule's
// reorder_storage, the innermost with stride 1, without padding beyond the realized extents.
//
// Coordinates have 32 bits, addresses 64: each x - min is extended to 64 bits before it is multiplied. Only
// allocations, and Buffers bound by the program, whose size is known to be below 2^31 elements are indexed in 32 bits.
//
// Relies on: split_tuples; storage_layout.cpp, after which boxes are those in memory and folds are applied. A let
// around the body binds the stride of each outer dimension, so an index stays a short sum. Cost: linear.

#include "lowering/late_passes.h"

#include "loopnest/inline/specialize.h"
#include "lowering/access/vector_algebra.h"
#include "lowering/from_nest/memoize.h"
#include "lowering/storage/fused_coordinates.h"
#include "schedule/storage_order.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The translation of a coordinate to an index: for each dimension its min (Int32) and stride (of type `index`).
struct Layout {
    std::vector<Expr> min, stride;
    Type index = Int(64);
    bool is_argument = false;
};

class Flattener : public Mutator {
  public:
    explicit Flattener(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override {
        auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second.second;
        }
        Expr result = recurse(expr);
        if (result->kind() == ExprKind::Image) {
            result = make_load(result.type(), result->symbol(), index_of(result->symbol(), result->args()));
        }
        if (result->kind() == ExprKind::Extern && result->text() == "memory.prefetch") {
            result = hint_at(result->arg(0));
        }
        if (result->kind() == ExprKind::Extern && result->text() == "extern.address") {
            result = address_of(result->arg(0));
        }
        if (result->kind() == ExprKind::Extern && result->text() == "extern.offset") {
            result = offset_of(result->arg(0));
        }
        check(result->kind() != ExprKind::Call, "flattening comes after the splitting of tuples");
        done_.emplace(expr.get(), std::pair(expr, result));
        return result;
    }

    Stmt mutate(const Stmt &stmt) override {
        if (const Realize *realize = stmt.as<Realize>()) {
            return flatten_realize(*realize);
        }
        if (const Provide *provide = stmt.as<Provide>()) {
            check(provide->values.size() == 1, "flattening comes after the splitting of tuples");
            const Expr value = mutate(provide->values[0]);
            return Store::make(provide->func, value, index_of(provide->func, mutate_all(provide->args)),
                               mutate(provide->predicate));
        }
        if (const Evaluate *evaluate = stmt.as<Evaluate>()) {
            const bool is_blocks =
                is_kind(evaluate->value, ExprKind::Extern) && evaluate->value->text() == memoization_blocks;
            return is_blocks ? blocks_of(FuncId(static_cast<int32_t>(evaluate->value->arg(0)->int_value())))
                             : recurse(stmt);
        }
        if (const LetStmt *let = stmt.as<LetStmt>()) {
            fused_.learn(let->symbol, let->value);
        }
        if (const IfThenElse *choice = stmt.as<IfThenElse>()) {
            return flatten_choice(*choice);
        }
        check(stmt.kind() != StmtKind::Prefetch, "flattening comes after the lowering of prefetches");
        return recurse(stmt);
    }

  private:
    const PassContext &context_;
    SymbolMap<Layout> layouts_;
    SymbolMap<std::vector<Expr>> extents_; // of the buffers whose Realize encloses the current statement
    FusedCoordinates fused_;
    ExprMap<Expr> facts_; // fields of arguments that conditions around the statement make constant
    // The key's expression is kept alive, so that its address is not reused.
    std::unordered_map<const ExprNode *, std::pair<Expr, Expr>> done_;

    Expr index_of(const Symbol &buffer, std::span<const Expr> given) {
        const Layout &layout = layout_of(buffer, given.size());
        check(layout.min.size() == given.size(), "an access has as many coordinates as its buffer dimensions");
        const std::vector<Expr> coordinates = fused_.joined(given, layout.stride);
        // A coordinate that depends on memory is assumed to wrap in 32 bits, so the index of an argument is computed in
        // 64 bits instead.
        const bool is_known = std::none_of(coordinates.begin(), coordinates.end(),
                                           [](const Expr &coordinate) { return coordinate->reads_memory(); });
        const Type type = layout.is_argument && !is_known ? Int(64) : layout.index;
        Expr index = make_zero(type);
        for (size_t d = 0; d < coordinates.size(); d++) {
            const Expr offset =
                vector_cast(type, index_binary(ExprKind::Sub, coordinates[d], layout.min[d]), Use::Index);
            const Expr stride = vector_cast(type, layout.stride[d], Use::Index);
            index = index_binary(ExprKind::Add, index, index_binary(ExprKind::Mul, offset, stride));
        }
        return index;
    }

    /// The distance in bytes of an element from the begin of its buffer.
    static Expr offset_of(const Expr &load) {
        const Expr index = vector_cast(Int(64), load->arg(0), Use::Index);
        return index_binary(ExprKind::Mul, index, make_int(Int(64), load.type().bytes()));
    }

    static Expr address_of(const Expr &load) {
        const std::array<Expr, 1> buffer = {make_var(Handle(), load->symbol())};
        const Expr begin = make_reinterpret(UInt(64), make_extern(Handle(), "memory.address", buffer));
        return make_reinterpret(Handle(), add(begin, make_cast(UInt(64), offset_of(load))));
    }

    /// Turns the element to prefetch into the offset of its first byte.
    static Expr hint_at(const Expr &load) {
        const std::array<Expr, 2> args = {make_var(Handle(), load->symbol()), offset_of(load)};
        return make_extern(Int(32), "memory.prefetch", args);
    }

    const Layout &layout_of(const Symbol &buffer, size_t dimensions) {
        auto known = layouts_.find(buffer);
        if (known == layouts_.end()) {
            known = layouts_.emplace(buffer, argument_layout(buffer, dimensions)).first;
        }
        return known->second;
    }

    /// The layout of a buffer that no Realize encloses, which is an argument.
    Layout argument_layout(const Symbol &buffer, size_t dimensions) const {
        Layout layout;
        layout.index = argument_index_type(buffer);
        layout.is_argument = true;
        const size_t dense = dimensions == 0 ? 0 : storage_order(buffer, dimensions)[0];
        for (size_t d = 0; d < dimensions; d++) {
            const DimConstraint constraint = constraint_of(buffer, d);
            const int dim = static_cast<int>(d);
            layout.min.push_back(fixed(constraint.min, known(make_field(buffer, Field::Min, dim))));
            const Expr given = known(make_field(buffer, Field::Stride, dim));
            const Expr unconstrained = d == dense && !constraint.stride.defined() ? make_one(Int(32)) : given;
            layout.stride.push_back(vector_cast(layout.index, fixed(constraint.stride, unconstrained), Use::Index));
        }
        return layout;
    }

    Expr known(const Expr &field) const {
        const auto fact = facts_.find(field);
        return fact == facts_.end() ? field : fact->second;
    }

    /// Where a condition equates fields of arguments with constants, their layouts have these constants.
    Stmt flatten_choice(const IfThenElse &choice) {
        const Expr condition = mutate(choice.condition);
        ExprMap<Expr> facts;
        loopnest::find_facts(condition, facts);
        std::erase_if(facts, [](const auto &fact) { return !is_kind(fact.first, ExprKind::BufferField); });
        const Stmt then_case = facts.empty() ? mutate(choice.then_case) : flatten_under(facts, choice.then_case);
        return IfThenElse::make(condition, then_case,
                                choice.else_case.defined() ? mutate(choice.else_case) : choice.else_case);
    }

    Stmt flatten_under(ExprMap<Expr> &facts, const Stmt &stmt) {
        const ExprMap<Expr> facts_around = facts_;
        const SymbolMap<Layout> layouts_around = layouts_;
        facts_.merge(facts);
        std::erase_if(layouts_, [](const auto &layout) { return layout.second.is_argument; });
        done_.clear();
        const Stmt result = mutate(stmt);
        facts_ = facts_around, layouts_ = layouts_around;
        done_.clear();
        return result;
    }

    /// Indices of an argument have 64 bits, except for a Buffer bound by the program that is known to be small: then a
    /// vector holds twice as many.
    static Type argument_index_type(const Symbol &buffer) {
        const ir::Parameter *parameter = parameter_of(buffer);
        if (!parameter || !parameter->is_bound_buffer || !parameter->buffer) {
            return Int(64);
        }
        int64_t span = 1;
        for (int32_t d = 0; d < parameter->buffer->dimensions; d++) {
            const fluorite_dimension_t &dim = parameter->buffer->dim[d];
            span += std::max<int64_t>(dim.extent - int64_t{1}, 0) * std::abs(int64_t{dim.stride});
            if (span > std::numeric_limits<int32_t>::max()) {
                return Int(64);
            }
        }
        return Int(32);
    }

    /// What the program specifies about dimension `d` of an argument.
    DimConstraint constraint_of(const Symbol &buffer, size_t d) const {
        const FuncDef *func = context_.func_of(buffer);
        const size_t element = buffer.owner().dim.valid() ? buffer.owner().dim.index() : 0;
        if (func && element < func->output_buffers.size()) {
            const OutputBuffer &output = func->output_buffers[element];
            return d < output.dims.size() ? output.dims[d] : DimConstraint();
        }
        for (const InputDef &input : context_.pipeline.graph.inputs) {
            if (input.symbol == buffer) {
                return d < input.constraints.size() ? input.constraints[d] : DimConstraint();
            }
        }
        const ir::Parameter *parameter = parameter_of(buffer);
        return parameter && d < parameter->dims.size() ? parameter->dims[d] : DimConstraint();
    }

    /// The constraint if it is constant, else `otherwise`.
    static Expr fixed(const Expr &constraint, const Expr &otherwise) {
        int64_t value = 0;
        return constraint.defined() && is_const_int(constraint, &value) ? make_int(Int(32), value) : otherwise;
    }

    /// The dimensions as ordered in memory, innermost first.
    std::vector<size_t> storage_order(const Symbol &buffer, size_t dimensions) const {
        std::vector<size_t> order;
        const FuncDef *func = context_.func_of(buffer);
        if (func && func->id().index() < context_.pipeline.schedule.funcs.size()) {
            order = schedule::storage_order_of(*func, context_.pipeline.schedule.func(func->id()));
        }
        // Other dimensions keep their order: those of an input, or the outermost one, over the boxes of a ring.
        for (size_t d = order.size(); d < dimensions; d++) {
            order.push_back(d);
        }
        return order;
    }

    static Type index_type(const std::vector<Range> &bounds) {
        int64_t size = 1;
        for (const Range &range : bounds) {
            int64_t extent = 0;
            if (!is_const_int(range.extent, &extent) || extent > std::numeric_limits<int32_t>::max()) {
                return Int(64);
            }
            size *= std::max<int64_t>(extent, 1);
            if (size > std::numeric_limits<int32_t>::max()) {
                return Int(64);
            }
        }
        return Int(32);
    }

    Stmt flatten_realize(const Realize &realize) {
        std::vector<Range> bounds;
        for (const Range &range : realize.bounds) {
            bounds.push_back({mutate(range.min), mutate(range.extent)});
        }
        Layout layout;
        layout.index = index_type(bounds);
        layout.stride.resize(bounds.size());
        std::vector<Expr> extents;
        std::vector<std::pair<Symbol, Expr>> lets;
        Expr stride = make_one(layout.index);
        for (const Range &range : bounds) {
            layout.min.push_back(range.min);
        }
        for (size_t d : storage_order(realize.func, bounds.size())) {
            layout.stride[d] = bind_stride(realize.func, d, stride, lets);
            extents.push_back(bounds[d].extent);
            stride =
                index_binary(ExprKind::Mul, layout.stride[d], vector_cast(layout.index, bounds[d].extent, Use::Index));
        }
        layouts_.insert_or_assign(realize.func, std::move(layout));
        extents_[realize.func] = extents;
        done_.clear(); // expressions in another Realize of this buffer have other indices
        Stmt result = mutate(realize.body);
        done_.clear();
        layouts_.erase(realize.func);
        if (!result.defined()) {
            return result;
        }
        extents_.erase(realize.func);
        result = Allocate::make(realize.func, realize.types[0], realize.memory, std::move(extents), result);
        for (size_t i = lets.size(); i-- > 0;) {
            result = LetStmt::make(lets[i].first, lets[i].second, result);
        }
        return result;
    }

    /// Passes the address and the size in bytes of a memoized Func's memory to the runtime.
    Stmt blocks_of(FuncId id) const {
        const FuncDef &func = context_.pipeline.graph.func(id);
        std::vector<Stmt> blocks;
        for (size_t element = 0; element < func.types.size(); element++) {
            const Symbol &buffer = context_.buffers.of(id, element);
            Expr bytes = make_int(Int(64), func.types[element].bytes());
            for (const Expr &extent : extents_.at(buffer)) {
                const Expr count = max_of(extent, make_zero(Int(32)));
                bytes = index_binary(ExprKind::Mul, bytes, vector_cast(Int(64), count, Use::Index));
            }
            const Expr address = make_extern(Handle(), "memory.address", std::vector<Expr>{make_var(Handle(), buffer)});
            blocks.push_back(
                Evaluate::make(make_extern(Int(32), "fluorite_memoization_block", std::vector<Expr>{address, bytes})));
        }
        return Block::make(blocks);
    }

    /// Binds a stride that is not constant to a variable.
    Expr bind_stride(const Symbol &buffer, size_t d, const Expr &stride, std::vector<std::pair<Symbol, Expr>> &lets) {
        if (is_const(stride)) {
            return stride;
        }
        SymbolOwner owner = buffer.owner();
        owner.dim = DimId(d); // owner with Func and dimension: a stride, never zero
        const Symbol symbol = context_.symbols.fresh_let(concat(buffer.name(), ".stride.", d), stride, owner);
        lets.emplace_back(symbol, stride);
        return make_var(stride.type(), symbol);
    }
};

} // namespace

Stmt flatten(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Flattener(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
