// Extern stages: the call of a C function for a box of its outputs.
//
//   produce e {
//     assert <g holds the box that e has asked for> else ...
//     let e.call.0.g = extern.header(0, address of g at the least point of the box, ...)(min, extent, stride)
//     let e.call.out0 = extern.header(1, address of e at the least point of the region, ...)(region)
//     let e.call.code = extern.call("function", e.call.0.g, e.call.out0)
//     assert e.call.code == 0 else ...
//   }
// Whatever the schedule, the function gets the same boxes for the same region. Strides are differences of the addresses
// of neighbours, so that storage of any order and alignment is described as it is. Inputs are handed on as the caller
// gave them.
//
// Relies on: storage that extern stages access is not folded (loopnest/windows/folds.cpp); boxes of operands are those
// of the bounds query at the site of the stage (loopnest/regions/extern_queries.cpp). Cost: a few dozen instructions a
// call.

#include "lowering/from_nest/build_extern.h"

#include "ir/extern_stage.h"
#include "ir/let_symbol.h"
#include "loopnest/buffer_table.h"
#include "rewrite/simplify.h"

#include <utility>
#include <vector>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;
using analysis::Box;
using rewrite::simplify;

namespace {

std::vector<Expr> mins_of(const Box &box) {
    std::vector<Expr> mins;
    for (const analysis::Interval &side : box) {
        mins.push_back(side.min);
    }
    return mins;
}

class CallBuilder {
  public:
    CallBuilder(const BoundedLoopNest &nest, FuncId id)
        : nest_(nest), func_(nest.graph.func(id)), stage_(*find_extern_stage(func_)), bounds_(nest.regions.func(id)) {}

    Stmt run() {
        const std::span<const Expr> operands = extern_operands(stage_);
        std::vector<Expr> arguments;
        for (size_t i = 0; i < operands.size(); i++) {
            const Expr access = extern_access(operands[i]);
            if (!access.defined()) {
                arguments.push_back(operands[i]);
            } else if (access->kind() == ExprKind::Image) {
                arguments.push_back(make_var(Handle(), access->symbol()));
            } else {
                check_held(access, bounds_.operands[i]);
                arguments.push_back(header(concat(i, ".", access->symbol().name()), access, bounds_.operands[i]));
            }
        }
        const Box region = region_of_func();
        for (size_t k = 0; k < func_.types.size(); k++) {
            const Expr access = make_call(func_.types[k], func_.symbol, static_cast<int>(k),
                                          std::vector<Expr>(region.size(), int32(0)));
            arguments.push_back(header(concat("out", k), access, region));
        }
        const Expr code = bind("code", make_extern_call(extern_function(stage_), arguments));
        const std::vector<Expr> parts = {make_string(func_.user_name()), make_string(extern_function(stage_)), code};
        Stmt body =
            Assert::make(equals(code, int32(0)), make_extern(Int(32), "fluorite_error_extern_stage_failed", parts));
        for (size_t i = lets_.size(); i-- > 0;) {
            body = LetStmt::make(lets_[i].first, lets_[i].second, body);
        }
        checks_.push_back(body);
        const Expr any = is_nonempty(region);
        return is_true(any) ? Block::make(checks_) : IfThenElse::make(any, Block::make(checks_));
    }

  private:
    const BoundedLoopNest &nest_;
    const FuncDef &func_;
    const ExprNode &stage_;
    const FuncBounds &bounds_;
    std::vector<std::pair<Symbol, Expr>> lets_;
    std::vector<Stmt> checks_;
    int headers_ = 0;

    Expr bind(const std::string &what, const Expr &value) {
        const Symbol symbol = let_symbol(concat(func_.name(), ".call.", what), value);
        lets_.emplace_back(symbol, value);
        return make_var(value.type(), symbol);
    }

    Box region_of_func() const {
        const Region &region = bounds_.regions[0];
        Box box;
        for (size_t d = 0; d < region.min.size(); d++) {
            box.push_back({region.min[d], region.max[d]});
        }
        return box;
    }

    static Expr is_nonempty(const Box &box) {
        Expr all = make_bool(true);
        for (const analysis::Interval &side : box) {
            all = logical_and(all, less_equal(side.min, side.max));
        }
        return simplify(all);
    }

    Expr header(const std::string &what, const Expr &access, const Box &box) {
        return bind(what, header_of_box(headers_++, access, box));
    }

    /// Asserts that the storage of a Func contains the box that the function asks for.
    void check_held(const Expr &access, const Box &box) {
        const FuncId producer = access->symbol().owner().func;
        const FuncDef &func = nest_.graph.func(producer);
        for (size_t d = 0; d < box.size(); d++) {
            const auto [min, extent] = held(producer, d);
            const Expr last = sub(add(min, extent), int32(1));
            const Expr fits = make_binary(ExprKind::Or, less(box[d].max, box[d].min),
                                          logical_and(less_equal(min, box[d].min), less_equal(box[d].max, last)));
            const std::vector<Expr> parts = {make_string(func.user_name()),
                                             make_string(func_.user_name()),
                                             int32(static_cast<int64_t>(d)),
                                             make_string(func.arg_names[d]),
                                             box[d].min,
                                             box[d].max,
                                             min,
                                             last};
            if (const Expr simple = simplify(fits); !is_true(simple)) {
                checks_.push_back(
                    Assert::make(simple, make_extern(Int(32), "fluorite_error_access_out_of_bounds", parts)));
            }
        }
    }

    Range held(FuncId producer, size_t d) const {
        if (nest_.graph.pipeline.graph.is_output(producer)) {
            const Symbol buffer = buffer_of(nest_.graph.func(producer), 0);
            const int dim = static_cast<int>(d);
            return {make_field(buffer, Field::Min, dim), make_field(buffer, Field::Extent, dim)};
        }
        return nest_.regions.func(producer).storage[d];
    }
};

} // namespace

Expr header_of_box(int number, const Expr &access, const Box &box) {
    const std::vector<Expr> first = mins_of(box);
    const Expr least = with_args(access, first);
    const Expr bytes = make_int(Int(64), access.type().bytes());
    std::vector<HeaderDim> dims;
    for (size_t d = 0; d < box.size(); d++) {
        std::vector<Expr> next = first;
        next[d] = add(next[d], int32(1));
        const Expr distance = sub(make_offset(with_args(access, next)), make_offset(least));
        dims.push_back({box[d].min, simplify(max_of(analysis::extent_of(box[d]), int32(0))),
                        make_cast(Int(32), div(distance, bytes))});
    }
    return make_header(number, make_address(least), access.type(), dims);
}

Stmt call_extern_stage(const BoundedLoopNest &nest, FuncId func) { return CallBuilder(nest, func).run(); }

} // namespace fluorite::lowering
