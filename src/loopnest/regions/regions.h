#pragma once
// Bounds inference: which region of every Func, at the place where it is computed, its consumers need.

#include "ir/stmt.h"
#include "loopnest/ranges/range_writer.h"
#include "loopnest/regions/region_memo.h"

#include <map>
#include <memory>
#include <optional>

namespace fluorite::loopnest {

/// A box of a Func or an input that is read soon.
struct PrefetchBox {
    ir::Symbol source;
    std::vector<ir::Range> box;
};

/// Everything that building the loops needs to know.
struct Regions {
    /// By FuncId and stage; null for Funcs that are not computed.
    std::vector<std::vector<std::shared_ptr<const StageNest>>> nests;
    std::vector<std::vector<Region>> regions;
    /// By FuncId: all that is written or read of it, valid where it is computed.
    std::vector<analysis::Box> touched;
    /// By FuncId: min and extent of the storage, valid at the Func's store site.
    std::vector<std::vector<ir::Range>> storage;
    /// By FuncId and dimension: the size of the circular buffer that the dimension is folded into; undefined: not
    /// folded.
    std::vector<std::vector<Expr>> folds;
    /// By FuncId: the windows that slide.
    std::vector<std::vector<SlidWindow>> slides;
    /// By FuncId and dimension: the extent in memory, valid where memory is taken, where it is not the above.
    std::vector<std::vector<Expr>> extents;
    /// Funcs whose memory is taken at each site, further out than they are stored.
    std::map<Site, std::vector<FuncId>> hoisted;
    /// What to ask for at each site.
    std::map<Site, std::vector<PrefetchBox>> prefetches;
    /// By FuncId, of Funcs with ring_buffer: how many iterations have memory of their own, and whose turn it is, valid
    /// where memory is taken and where the Func is stored.
    std::vector<std::optional<Ring>> rings;
    /// By FuncId, of async Funcs: how many iterations of its loops the producer may begin before the first is consumed;
    /// undefined: any number, as nothing is overwritten that is still read.
    std::vector<Expr> ahead;
    /// What to bind at each site, in order.
    std::map<Site, std::vector<SiteLet>> lets;
    /// Funcs computed at and stored at each site, producers first.
    std::map<Site, std::vector<FuncId>> computed, stored;
    /// By InputId: the box read of each input, and by output position the box computed of it, both at root. An input
    /// that is not read has an empty box of its rank's sides undefined.
    std::vector<analysis::Box> input_boxes;
    std::vector<bool> input_read;
    std::vector<analysis::Box> output_boxes;
    /// Why: for each Func, which consumer asks for what.
    std::vector<std::vector<Reason>> reasons;
    /// What has to fit 32 bits.
    RangeProgram ranges;
};

struct InferenceOptions {
    bool find_ranges = true; // Regions::ranges
    WindowOptions windows = {};
};
/// `memo` is of schedules of the same pipeline; null: nothing is remembered.
Regions infer_regions(const LoweringGraph &graph, const Placement &placement, const InferenceOptions &options,
                      RegionMemo *memo = nullptr);

} // namespace fluorite::loopnest
