// What a stage takes of the memory of a block.
//
// Its extents in memory are expressions of the loops over blocks. Lowering gives them their greatest value over all
// blocks (lowering/device/kernel_memory.cpp), and this does the same: an interval of the extent, evaluated at the sizes
// that the schedule is made for and at others. An extent that is bounded by the tile is the same at both; one that is
// not grows.
//
// Rows may be rounded up to whole turns of threads. Cost: bounds of each extent.
#include "autoschedule/device/block_memory.h"

#include "analysis/interval.h"
#include "autoschedule/costs.h"

#include <algorithm>

namespace fluorite::autoschedule {

std::optional<BlockBytes> bytes_in_blocks(const loopnest::BoundedLoopNest &nest, const std::vector<int32_t> &sizes,
                                          FuncId member, FuncId of) {
    loopnest::NestValues here(nest, sizes), elsewhere(nest, sizes, costs::other_sizes);
    analysis::Scope blocks;
    for (const loopnest::NestLoop &loop : nest.regions.func(of).nests[0]->loops()) {
        if (loop.for_type == ForType::GPUBlock) {
            const Expr min = here.expanded(loop.min);
            blocks.insert_or_assign(
                loop.var, analysis::Interval{min, here.expanded(ir::sub(ir::add(min, loop.extent), ir::int32(1)))});
        }
    }
    const loopnest::FuncBounds &bounds = nest.regions.func(member);
    const ir::FuncDef &func = nest.graph.func(member);
    int64_t bytes = 0;
    bool grows = false;
    for (const Type &type : func.types) {
        bytes += type.bytes();
    }
    for (size_t d = 0; d < func.dimensions(); ++d) {
        const bool has_own = d < bounds.extents.size() && bounds.extents[d].defined();
        const Expr extent = has_own ? bounds.extents[d] : bounds.storage[d].extent;
        const Expr most = analysis::bounds_of(here.expanded(extent), blocks).max;
        const std::optional<int64_t> one = most.defined() ? here(most) : std::nullopt;
        const std::optional<int64_t> other = most.defined() ? elsewhere(most) : std::nullopt;
        if (!one || !other) {
            return {};
        }
        const int64_t size = std::max({*one, *other, int64_t(1)}), warp = d == 0 ? costs::warp_threads : 1;
        bytes *= (size + warp - 1) / warp * warp;
        grows = grows || *other > *one;
    }
    return BlockBytes{bytes, grows};
}

bool has_constant_loops(const loopnest::BoundedLoopNest &nest, const std::vector<int32_t> &sizes, FuncId func) {
    const loopnest::NestValues values(nest, sizes);
    for (const std::shared_ptr<const loopnest::StageNest> &stage : nest.regions.func(func).nests) {
        for (const loopnest::NestLoop &loop : stage->loops()) {
            const bool needs_constant = loop.for_type == ForType::Unrolled || loop.for_type == ForType::Vectorized;
            if (needs_constant && !ir::is_const(values.expanded(loop.extent))) {
                return false;
            }
        }
    }
    return true;
}

} // namespace fluorite::autoschedule
