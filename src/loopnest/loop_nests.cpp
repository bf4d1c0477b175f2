// The loop nests of one pipeline under many schedules.
//
// The steps are those of make_loop_nest and use the same functions, which receive tables of earlier results: the
// definitions of each Func after inlining (inline/inline_memo.h), and its regions, loops and storage
// (regions/region_memo.h). Placement takes only microseconds and is repeated.
//
// Requires that the graph does not change. Cost: copies of the graph and of the schedule, a comparison for each Func,
// and inference for the Funcs that a change affects.

#include "loopnest/loop_nests.h"

#include "loopnest/inline/inline.h"

#include <utility>

namespace fluorite::loopnest {

struct LoopNests::Memo {
    InlineMemo inlining;
    RegionMemo regions;
};

LoopNests::LoopNests(ir::Graph graph, NestOptions options)
    : graph_(std::move(graph)), options_(options), memo_(std::make_unique<Memo>()) {}

LoopNests::~LoopNests() = default;

Result<BoundedLoopNest> LoopNests::make(const schedule::Schedule &schedule) {
    return bound_loop_nest(inline_funcs({graph_, schedule, nullptr, {}}, options_.budget, &memo_->inlining), options_,
                           &memo_->regions);
}

} // namespace fluorite::loopnest
