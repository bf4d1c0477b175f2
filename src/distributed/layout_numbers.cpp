// The numbers of layouts: constants are part of the description. Others are Params, or expressions of such; a pipeline
// of one Func, whose value i is number i, becomes one more function of the compiled pipeline.

#include "distributed/layout_numbers.h"

#include "fluorite/func.h"
#include "fluorite/ops.h"
#include "fluorite/pipeline.h"
#include "ir/parameter.h"
#include "language/freeze.h"
#include "rewrite/simplify.h"
#include "schedule/rank_layout.h"
#include "support/check.h"

namespace fluorite::distributed {

using distribute::DimensionPartition;
using distribute::LayoutNumber;

LayoutNumber LayoutNumbers::number_of(const Expr &expr, const std::string &name) {
    const Expr simple = rewrite::simplify(expr);
    if (const std::optional<int64_t> value = rewrite::constant_value(simple)) {
        return {*value, -1};
    }
    ir::for_each_node(simple, [&](const Expr &node) {
        const bool is_param = node->kind() == ir::ExprKind::Variable && ir::parameter_of(node->symbol());
        if (node->arg_count() == 0 && !is_param && !rewrite::constant_value(node)) {
            throw RuntimeError(
                "bad-distribution",
                concat("in ", name, ": a number of ranks or the factor of a distributed loop is ", expr,
                       "; it is 1 or more, and known before the run; give a positive number or a Param"));
        }
    });
    exprs_.push_back(ir::make_cast(Int(32), simple));
    return {1, static_cast<int64_t>(exprs_.size()) - 1};
}

std::vector<DimensionPartition> LayoutNumbers::cuts_of(const schedule::FuncSchedule &schedule,
                                                       const std::vector<std::string> &dimensions,
                                                       const std::string &name) {
    std::vector<DimensionPartition> cuts;
    for (const schedule::RankDimension &dimension : schedule::rank_layout(schedule, dimensions)) {
        DimensionPartition cut;
        cut.dimension = dimension.dimension;
        cut.is_chosen = !dimension.parts.defined();
        cut.parts = cut.is_chosen ? LayoutNumber() : number_of(dimension.parts, name);
        cut.tile = number_of(dimension.tile, name);
        cuts.push_back(cut);
    }
    return cuts;
}

schedule::ScheduledGraph LayoutNumbers::pipeline() const {
    const Var i("i");
    Expr value = exprs_.back();
    for (size_t n = exprs_.size() - 1; n-- > 0;) {
        value = select(i == static_cast<int>(n), exprs_[n], value);
    }
    Func numbers("rank_numbers");
    numbers(i) = value;
    return language::freeze(std::vector<Func>{numbers});
}

} // namespace fluorite::distributed
