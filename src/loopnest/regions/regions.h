#pragma once
// Bounds inference: which region of every Func its consumers need at the site where it is computed.

#include "ir/stmt.h"
#include "loopnest/ranges/range_writer.h"
#include "loopnest/regions/region_memo.h"

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
    /// By FuncId and stage; null for Funcs that are not computed.
    std::vector<std::vector<std::shared_ptr<const StageNest>>> nests;
    std::vector<std::vector<Region>> regions;
    /// By FuncId: everything written or read of it, valid at its compute site.
    std::vector<analysis::Box> touched;
    /// By FuncId: min and extent of the storage, valid at the Func's store site.
    std::vector<std::vector<ir::Range>> storage;
    /// By FuncId and dimension: the size of the circular buffer that the dimension is folded into; undefined: not
    /// folded.
    std::vector<std::vector<Expr>> folds;
    /// By FuncId: the windows that slide.
    std::vector<std::vector<SlidWindow>> slides;
    /// By FuncId: the loops along which the region stands still, innermost first. The Func is computed where the
    /// iterations of all are the first.
    std::vector<std::vector<StillLoop>> still;
    /// By FuncId and dimension: the extent in memory, valid where memory is allocated; undefined where `folds` or
    /// `storage` gives it.
    std::vector<std::vector<Expr>> extents;
    /// The Funcs whose memory is allocated at each site, for those that allocate it further out than they are stored.
    std::map<Site, std::vector<FuncId>> hoisted;
    /// The boxes to prefetch at each site.
    std::map<Site, std::vector<PrefetchBox>> prefetches;
    /// By FuncId, for Funcs with ring_buffer: the number of iterations that have their own memory, valid where memory
    /// is allocated, and the number of the current one, valid where the Func is stored.
    std::vector<std::optional<Ring>> rings;
    /// By FuncId, for async Funcs: how many iterations of its loops the producer may begin before the first is
    /// consumed; undefined: any number, because it overwrites nothing that is still read.
    std::vector<Expr> ahead;
    /// Values to bind and conditions to assert at each site, in order.
    std::map<Site, std::vector<SiteLet>> lets;
    /// The Funcs computed and stored at each site, producers first.
    std::map<Site, std::vector<FuncId>> computed, stored;
    /// By InputId, the box that is read of each input, and by output position, the box that is computed of each output,
    /// both at root. An input that is not read has an empty box.
    std::vector<analysis::Box> input_boxes;
    std::vector<bool> input_read;
    std::vector<analysis::Box> output_boxes;
    /// For each Func, which consumers need which boxes.
    std::vector<std::vector<Reason>> reasons;
    /// The checks that regions and coordinates fit into 32 bits.
    RangeProgram ranges;
};

struct InferenceOptions {
    bool find_ranges = true; // whether to compute Regions::ranges
    WindowOptions windows = {};
};
/// `memo` holds results for schedules of the same pipeline; null disables memoization.
Regions infer_regions(const LoweringGraph &graph, const Placement &placement, const InferenceOptions &options,
                      RegionMemo *memo = nullptr);

} // namespace fluorite::loopnest
