// The loop nests of one pipeline under many schedules.
//
// The steps are those of make_loop_nest, by the same functions, which are handed tables of what they found before: the
// definitions of each Func after inlining (inline/inline_memo.h), and its regions, loops and memory
// (regions/region_memo.h). Placement is found anew: it is a matter of microseconds.
//
// Relies on: a graph that stays as it is. Cost: copies of the graph and of the schedule, a comparison of each Func, and
// inference of those that a change reaches.

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

BoundedLoopNest LoopNests::make(const schedule::Schedule &schedule) {
    BoundedLoopNest nest;
    nest.graph = inline_funcs({graph_, schedule, nullptr}, options_.budget, &memo_->inlining);
    nest.placement = place(nest.graph);
    nest.regions = infer_regions(nest.graph, nest.placement, {options_.find_ranges, options_.windows}, &memo_->regions);
    return nest;
}

} // namespace fluorite::loopnest
