// The bounds queries of extern stages.
//
// What an extern stage e reads for a box of it, only its C function knows. It is called with headers without memory:
// those of its outputs have the box, and into those of the operands it writes what it reads. For an operand g, at some
// site:
//   let e.query0.out0 = extern.header(0, null, ...)(region of e), e.query0.g = extern.header(1, null, ...)(0, 0, 0)
//   let e.query0.code = extern.call("function", e.query0.g, e.query0.out0);  assert e.query0.code == 0
//   let e.query0.g.x.min = extern.dim(e.query0.g, 0, 0), e.query0.g.x.max = ...
// The region of g there is [e.query0.g.x.min, e.query0.g.x.max]. Each site from which the reads of e are seen has a
// query of its own: where g is computed or stored, where a producer of g is, and where e itself is computed.
//
// Relies on: for a box inside of another one, the function asks for a box inside of what it asks for the other; what it
// is handed is checked before it is called (build_extern.cpp). Cost: a call of the function for each run through the
// site.

#include "loopnest/regions/extern_queries.h"

#include "ir/let_symbol.h"
#include "rewrite/simplify.h"

namespace fluorite::loopnest {

using namespace ir;
using analysis::Box;
using rewrite::simplify;

std::vector<HeaderDim> queried_dims(const Box &box) {
    std::vector<HeaderDim> dims;
    Expr stride = make_int(Int(64), 1);
    for (const analysis::Interval &side : box) {
        const Expr extent = simplify(max_of(analysis::extent_of(side), int32(0)));
        dims.push_back({side.min, extent, simplify(make_cast(Int(32), stride))});
        stride = simplify(mul(stride, make_cast(Int(64), extent)));
    }
    return dims;
}

const std::string &name_of_operand(const Expr &access) { return access->symbol().name(); }

bool is_asked_for(const Expr &access) {
    const Parameter *parameter = access->kind() == ExprKind::Image ? parameter_of(access->symbol()) : nullptr;
    return !parameter || !parameter->is_bound_buffer;
}

const std::vector<Box> *ExternQueries::find(FuncId func, const Site &site) const {
    const auto found = boxes_.find({func, site});
    return found == boxes_.end() ? nullptr : &found->second;
}

const RegionValue *ExternQueries::value_of(const Symbol &symbol) const {
    const auto found = values_.find(symbol);
    return found == values_.end() ? nullptr : &found->second;
}

void ExternQueries::bind(const Site &site, const Symbol &symbol, const Expr &value) {
    lets_.push_back({site, {symbol, value, {}}});
}

Expr ExternQueries::bind_named(const Site &site, const std::string &name, const Expr &value) {
    const Symbol symbol = let_symbol(name, value);
    bind(site, symbol, value);
    return make_var(value.type(), symbol);
}

const std::vector<Box> &ExternQueries::ask(const LoweringGraph &graph, FuncId id, const Site &site, const Box &output) {
    const FuncDef &func = graph.func(id);
    const ExprNode &stage = *find_extern_stage(func);
    const std::span<const Expr> operands = extern_operands(stage);
    const int query = counts_[id]++;
    const std::string prefix = concat(func.name(), ".query", query);
    std::vector<Expr> arguments;
    std::vector<Box> boxes(operands.size());
    int number = 0;
    for (size_t i = 0; i < operands.size(); i++) {
        const Expr access = extern_access(operands[i]);
        if (!access.defined()) {
            arguments.push_back(operands[i]);
        } else if (!is_asked_for(access)) {
            arguments.push_back(make_var(Handle(), access->symbol()));
        } else {
            const HeaderDim empty{int32(0), int32(0), int32(0)};
            const Expr header =
                make_header(number++, Expr(), access.type(), std::vector<HeaderDim>(access->arg_count(), empty));
            arguments.push_back(bind_named(site, concat(prefix, ".", i, ".", name_of_operand(access)), header));
        }
    }
    const size_t of_operands = arguments.size();
    for (size_t k = 0; k < func.types.size(); k++) {
        const Expr header = make_header(number++, Expr(), func.types[k], queried_dims(output));
        arguments.push_back(bind_named(site, concat(prefix, ".out", k), header));
    }
    const std::string &function = extern_function(stage);
    const Expr code = bind_named(site, prefix + ".code", make_extern_call(function, arguments));
    const std::vector<Expr> parts = {make_string(func.name()), make_string(function), code};
    lets_.push_back({site,
                     {Symbol(), equals(code, int32(0)),
                      make_extern(Int(32), "fluorite_error_bounds_inference_call_failed", parts), true}});
    for (size_t i = 0; i < of_operands; i++) {
        const Expr access = extern_access(operands[i]);
        if (access.defined() && is_asked_for(access)) {
            boxes[i] = read_answer(func, site, static_cast<int>(i), arguments[i], concat(prefix, ".", i), query);
        } else if (access.defined()) {
            for (size_t d = 0; d < access->arg_count(); d++) {
                const Expr min = make_field(access->symbol(), Field::Min, static_cast<int>(d));
                const Expr extent = make_field(access->symbol(), Field::Extent, static_cast<int>(d));
                boxes[i].push_back({min, sub(add(min, extent), int32(1))});
            }
        }
    }
    return boxes_[{id, site}] = std::move(boxes);
}

/// Binds the ends of the box that the function has written into the header, and asserts that they are moderate.
Box ExternQueries::read_answer(const FuncDef &func, const Site &site, int operand, const Expr &header,
                               const std::string &prefix, int query) {
    const ExprNode &stage = *find_extern_stage(func);
    const Expr access = extern_access(extern_operands(stage)[static_cast<size_t>(operand)]);
    Box box;
    for (int d = 0; d < static_cast<int>(access->arg_count()); d++) {
        const std::string name = concat(prefix, ".", d);
        const Expr extent = bind_named(site, name + ".extent", make_header_extent(header, d));
        const auto bind_end = [&](Side side, const Expr &value) {
            const SymbolOwner owner{func.symbol.owner().func, 0, DimId(d), InputId(operand), query, side};
            const Symbol symbol(SymbolKind::Bound, name + (side == Side::Min ? ".min" : ".max"), owner);
            bind(site, symbol, value);
            values_.emplace(symbol, RegionValue{value, Expr(), site});
            return make_var(Int(32), symbol);
        };
        const Expr min = bind_end(Side::Min, make_header_min(header, d));
        const Expr first = make_cast(Int(64), min), length = make_cast(Int(64), extent);
        const Expr last = sub(add(first, length), make_int(Int(64), 1));
        const Expr most = make_int(Int(64), most_queried);
        const Expr fits = logical_and(logical_and(less_equal(int32(0), extent), less_equal(int32(-most_queried), min)),
                                      less_equal(last, most));
        const std::vector<Expr> parts = {make_string(name_of_operand(access)),
                                         make_string(func.name()),
                                         int32(d),
                                         make_reinterpret(Handle(), make_uint(UInt(64), 0)),
                                         min,
                                         make_cast(Int(32), last),
                                         int32(-most_queried),
                                         int32(most_queried)};
        lets_.push_back(
            {site, {Symbol(), fits, make_extern(Int(32), "fluorite_error_access_out_of_bounds", parts), true}});
        const Expr max = bind_end(Side::Max, sub(add(min, extent), int32(1)));
        box.push_back({min, max});
    }
    return box;
}

} // namespace fluorite::loopnest
