#pragma once
// Bounds inference: which region of every Func its consumers need at the site where it is computed.

#include "ir/stmt.h"
#include "loopnest/ranges/range_writer.h"
#include "loopnest/regions/region_memo.h"
#include "support/refusal.h"

#include <map>
#include <memory>
#include <optional>

namespace fluorite::loopnest {

/// A box of a Func or an input to prefetch.
struct PrefetchBox {
    ir::Symbol source;
    std::vector<ir::Range> box;
};

/// The complete results of bounds inference, from which lowering builds the loops.
struct Regions {
    /// By FuncId; empty for Funcs that are not computed.
    std::vector<FuncBounds> funcs;
    const FuncBounds &func(FuncId id) const { return funcs[id.index()]; }
    const StageNest &nest(StageId id) const { return *func(id.func).nests[id.index()]; }
    /// The Funcs whose memory is allocated at each site, for those that allocate it further out than they are stored.
    std::map<Site, std::vector<FuncId>> hoisted;
    /// The boxes to prefetch at each site.
    std::map<Site, std::vector<PrefetchBox>> prefetches;
    /// Values to bind and conditions to assert at each site, in order.
    std::map<Site, std::vector<SiteLet>> lets;
    /// The Funcs computed and stored at each site, producers first.
    std::map<Site, std::vector<FuncId>> computed, stored;
    /// By InputId, the box that is read of each input, and by output position, the box that is computed of each output,
    /// both at root. An input that is not read has an empty box.
    std::vector<analysis::Box> input_boxes;
    std::vector<bool> input_read;
    std::vector<analysis::Box> output_boxes;
    /// The checks that regions and coordinates fit into 32 bits.
    RangeProgram ranges;
};

struct InferenceOptions {
    bool find_ranges = true; // whether to compute Regions::ranges
    WindowOptions windows = {};
};
/// `memo` holds results for schedules of the same pipeline; null disables memoization. Refuses accesses without bounds,
/// storage that cannot hold what is stored, and prefetches of what is not there.
Result<Regions> infer_regions(const LoweringGraph &graph, const Placement &placement, const InferenceOptions &options,
                              RegionMemo *memo = nullptr);

} // namespace fluorite::loopnest
