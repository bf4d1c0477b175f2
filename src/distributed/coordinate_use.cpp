// Whether the values of a segment depend on where they are.
//
// Before: out(x, y) = in.repeated(x, y - 1) + in(x, y) * 2     ignores y, if `in` is repeated in y
//         out(x, y) = in.repeated(x, y - 1) * y                does not
//
// Method: for one dimension d, the argument d of the output moves; all else is still. A call or read may have an
// argument `v + e`, where v moves and e is still: then the argument of the callee moves, which must be so in all calls
// of it, or the read is of dimension d of an array that is repeated there, or computed by another segment. Any other
// use of what moves is a dependence on the coordinate. An update moves along the same arguments as the definition.
//
// Does not do: dimensions that change their place between the arrays, as by a transposition.
// Cost: a walk over the definitions of the segment for each repeated dimension.

#include "distributed/coordinate_use.h"

#include "loopnest/inline/clone.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace fluorite::distributed {

using namespace ir;
using rewrite::simplify;

namespace {

class Uses {
  public:
    Uses(const SegmentedPipeline &segmented, const PipelineSegment &segment, int dimension)
        : segmented_(segmented), segment_(segment), graph_(segment.pipeline.graph),
          dimension_(static_cast<size_t>(dimension)) {}

    bool ignores() {
        for (const FuncId id : graph_.outputs) {
            std::vector<bool> moves(graph_.func(id).args.size(), false);
            if (dimension_ < moves.size()) {
                moves[dimension_] = true;
            }
            meet(id, moves);
        }
        for (size_t i = 0; i < open_.size() && ignores_; i++) { // grows while Funcs are met
            check_func(graph_.func(open_[i]));
        }
        return ignores_;
    }

  private:
    const SegmentedPipeline &segmented_;
    const PipelineSegment &segment_;
    const Graph &graph_;
    size_t dimension_;
    std::map<FuncId, std::vector<bool>> moves_; // by argument
    std::vector<FuncId> open_;
    bool ignores_ = true;

    void meet(FuncId func, const std::vector<bool> &moves) {
        const auto [known, is_new] = moves_.try_emplace(func, moves);
        if (is_new) {
            open_.push_back(func);
        }
        ignores_ = ignores_ && known->second == moves;
    }

    static bool uses_any(const Expr &expr, const std::vector<Symbol> &symbols) {
        return std::any_of(symbols.begin(), symbols.end(),
                           [&](const Symbol &symbol) { return uses_symbol(expr, symbol); });
    }

    void check_func(const FuncDef &func) {
        const std::vector<bool> moves = moves_.at(func.id());
        std::vector<Symbol> moving;
        for (size_t d = 0; d < moves.size(); d++) {
            if (moves[d]) {
                moving.push_back(func.args[d]);
            }
        }
        for (size_t k = 0; k < func.stages.size(); k++) {
            const ir::Stage &stage = func.stages[k];
            for (size_t d = 0; d < stage.args.size() && k > 0; d++) {
                const Expr &arg = stage.args[d];
                const bool is_same = arg->kind() == ExprKind::Variable && arg->symbol() == func.args[d];
                ignores_ = ignores_ && (moves[d] ? is_same : !uses_any(arg, moving));
            }
            std::unordered_set<const ExprNode *> seen;
            for (const Expr &value : stage.values) {
                check_expr(value, moving, seen);
            }
            if (stage.predicate.defined()) {
                check_expr(stage.predicate, moving, seen);
            }
            for (const ReductionVar &rvar : stage.rvars) {
                ignores_ = ignores_ && !uses_any(rvar.min, moving) && !uses_any(rvar.extent, moving);
            }
        }
    }

    void check_expr(const Expr &expr, const std::vector<Symbol> &moving, std::unordered_set<const ExprNode *> &seen) {
        if (!ignores_ || !seen.insert(expr.get()).second) {
            return;
        }
        const bool is_call = expr->kind() == ExprKind::Call, is_read = expr->kind() == ExprKind::Image;
        if (expr->kind() == ExprKind::Variable || expr->kind() == ExprKind::Let) {
            ignores_ = !uses_any(expr, moving);
        }
        std::vector<bool> moves;
        for (size_t i = 0; i < expr->arg_count(); i++) {
            const bool may_move = (is_call || is_read) && uses_any(expr->arg(i), moving);
            moves.push_back(may_move);
            if (may_move) {
                ignores_ = ignores_ && is_moved(expr->arg(i), moving);
            } else {
                check_expr(expr->arg(i), moving, seen);
            }
        }
        if (is_call) {
            meet(expr->symbol().owner().func, moves);
        } else if (is_read) {
            check_read(expr->symbol(), moves);
        }
    }

    /// Whether a coordinate is one of the moving variables plus something that is still.
    static bool is_moved(const Expr &coordinate, const std::vector<Symbol> &moving) {
        return coordinate.type() == Int(32) && std::any_of(moving.begin(), moving.end(), [&](const Symbol &symbol) {
                   return !uses_any(simplify(sub(coordinate, make_var(Int(32), symbol))), moving);
               });
    }

    void check_read(const Symbol &symbol, const std::vector<bool> &moves) {
        const auto input = symbol.owner().input.index();
        const size_t own_inputs = graph_.inputs.size() - segment_.reads.size();
        const size_t read = input < own_inputs ? input : segment_.reads[input - own_inputs];
        for (size_t d = 0; d < moves.size(); d++) {
            ignores_ = ignores_ && (!moves[d] || (d == dimension_ && continues_beyond_edges(read)));
        }
    }

    /// Whether the array has values beyond the edges of this dimension: it is repeated, or computed there, too.
    bool continues_beyond_edges(size_t read) const {
        const size_t array =
            read < segmented_.arrays.size() ? read : segmented_.views[read - segmented_.arrays.size()].array;
        return segmented_.arrays[array].func.valid() ||
               std::any_of(segmented_.views.begin(), segmented_.views.end(), [&](const SegmentView &view) {
                   return view.array == array &&
                          std::any_of(view.edges.begin(), view.edges.end(), [&](const SegmentView::Edges &edges) {
                              return static_cast<size_t>(edges.dimension) == dimension_;
                          });
               });
    }
};

} // namespace

bool ignores_coordinates(const SegmentedPipeline &segmented, const PipelineSegment &segment) {
    std::set<int> dimensions;
    for (const SegmentView &view : segmented.views) {
        for (const SegmentView::Edges &edges : view.edges) {
            dimensions.insert(edges.dimension);
        }
    }
    return std::all_of(dimensions.begin(), dimensions.end(),
                       [&](int dimension) { return Uses(segmented, segment, dimension).ignores(); });
}

} // namespace fluorite::distributed
