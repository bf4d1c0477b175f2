// Grids.
//
//   gpu_block y in [0, +h) {                   gpu_block y in [0, +h) {
//     let t = y * 2                              gpu_block x.block in [0, +h * 2) {      the greatest of all rows
//     gpu_block x in [a, +t) { S } }     -->       let t = y * 2
//                                                  if x.block < t { S[x -> x.block + a] } } }
//
// A grid is a box that begins at 0. What stands between its loops (lets, conditions, checks, marks) moves into the
// kernel, and a let there is substituted in the extents. An extent that depends on a block of an outer loop is replaced
// by its greatest value (analysis/interval.h), and the blocks beyond are guarded; all threads of a block agree about
// such a guard, so barriers may be inside.
//
// Does not handle statements beside an inner loop over blocks. Cost: linear, and a bound for each such extent.

#include "lowering/device/grid.h"

#include "analysis/interval.h"
#include "lowering/device/device_loops.h"
#include "rewrite/simplify.h"
#include "support/check.h"
#include "support/loop_name.h"

#include <algorithm>
#include <functional>

namespace fluorite::lowering {

using namespace ir;

void refuse_kernel(const Symbol &loop, const std::string &what) {
    throw CompileError("gpu-not-possible",
                       with_dotted_loops(concat("the loop ", loop.name(), " over blocks of a device ", what)));
}

namespace {

class GridFinder {
  public:
    explicit GridFinder(const PassContext &context) : context_(context) {}

    Grid find(const Stmt &outermost) {
        Stmt stmt = outermost;
        HasLoop has_block_loop(is_block_loop);
        while (has_block_loop(stmt)) {
            stmt = step(stmt);
        }
        if (grid_.blocks.size() > most_dimensions) {
            refuse_kernel(grid_.loop,
                          concat("begins a nest of ", grid_.blocks.size(),
                                 " loops over blocks, and a device has three dimensions; fuse some of the loops"));
        }
        for (size_t i = around_.size(); i-- > 0;) {
            stmt = around_[i](stmt);
        }
        grid_.body = stmt;
        std::reverse(grid_.blocks.begin(), grid_.blocks.end());
        std::reverse(grid_.extents.begin(), grid_.extents.end());
        return std::move(grid_);
    }

  private:
    const PassContext &context_;
    Grid grid_;
    std::vector<std::function<Stmt(const Stmt &)>> around_; // what the body is put into, the outermost first
    SymbolMap<Expr> lets_;                                  // in terms of what is outside, and of loops of the grid
    analysis::Scope loops_;                                 // of the grid

    /// Goes past the outermost statement.
    Stmt step(const Stmt &stmt) {
        if (const auto *let = stmt.as<LetStmt>()) {
            lets_[let->symbol] = substitute(let->value, lets_);
            around_.emplace_back([let](const Stmt &body) { return LetStmt::make(let->symbol, let->value, body); });
            return let->body;
        }
        if (const auto *branch = stmt.as<IfThenElse>(); branch && !branch->else_case.defined()) {
            around_.emplace_back([branch](const Stmt &body) { return IfThenElse::make(branch->condition, body); });
            return branch->then_case;
        }
        if (const auto *mark = stmt.as<ProducerConsumer>()) {
            return mark->body;
        }
        if (is_block_loop(stmt)) {
            return dimension(*stmt.as<For>());
        }
        if (const auto *block = stmt.as<Block>(); block && checks_before_last(*block)) {
            around_.emplace_back([block](const Stmt &body) {
                std::vector<Stmt> stmts = block->stmts;
                stmts.back() = body;
                return Block::make(std::move(stmts));
            });
            return block->stmts.back();
        }
        refuse_kernel(grid_.loop,
                      "has loops over blocks inside that something else stands beside; compute what is there "
                      "inside of all loops over blocks, or outside");
    }

    /// Whether nothing but checks stands before the last statement.
    static bool checks_before_last(const Block &block) {
        return std::all_of(block.stmts.begin(), block.stmts.end() - 1,
                           [](const Stmt &stmt) { return stmt.kind() == StmtKind::Assert; });
    }

    Stmt dimension(const For &loop) {
        grid_.loop = grid_.loop.defined() ? grid_.loop : loop.var;
        const Expr min = substitute(loop.min, lets_);
        const Expr own_extent = rewrite::simplify(substitute(loop.extent, lets_));
        const bool depends = std::any_of(loops_.begin(), loops_.end(),
                                         [&](const auto &around) { return uses_symbol(own_extent, around.first); });
        grid_.extents.push_back(depends ? greatest(own_extent, loop) : own_extent);
        const Symbol block =
            is_zero(loop.min) ? loop.var : context_.symbols.fresh(SymbolKind::Loop, loop.var.name() + ".block");
        grid_.blocks.push_back(block);
        around_.emplace_back([&loop, block, depends](const Stmt &body) {
            const Expr index = make_var(Int(32), block);
            const Stmt moved = block == loop.var ? body : substitute(body, loop.var, add(loop.min, index));
            return depends ? IfThenElse::make(less(index, loop.extent), moved) : moved;
        });
        const analysis::Interval first = analysis::bounds_of(min, loops_);
        const analysis::Interval last = analysis::bounds_of(sub(add(min, own_extent), int32(1)), loops_);
        loops_.emplace(loop.var, analysis::Interval{first.min, last.max});
        return loop.body;
    }

    Expr greatest(const Expr &extent, const For &loop) const {
        const analysis::Interval range = analysis::bounds_of(extent, loops_);
        if (!range.max.defined()) {
            refuse_kernel(loop.var, "has an extent that depends on blocks of an outer loop, and no bound that is known "
                                    "before the kernel runs; bound the Func, or mark one of the loops only");
        }
        return rewrite::simplify(range.max);
    }
};

} // namespace

Grid grid_of(const Stmt &outermost, const PassContext &context) { return GridFinder(context).find(outermost); }

} // namespace fluorite::lowering
