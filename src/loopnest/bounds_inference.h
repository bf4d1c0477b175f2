#pragma once
// Bounds inference as one object, whose parts lie in regions.cpp (each Func's region), region_sites.cpp (values as seen
// from sites further out), region_windows.cpp (sliding and folding), region_extents.cpp (memory), region_ranges.cpp
// (what has to fit 32 bits) and region_prefetches.cpp.

#include "loopnest/regions.h"
#include "loopnest/sliding.h"

#include <limits>
#include <optional>

namespace fluorite::loopnest {

/// A call of a Func or a read of an input, and where in the stage.
struct Access {
    ir::Symbol symbol;
    std::vector<Expr> args;
    Expr condition; // under which it happens; undefined: always
};

struct StageAccesses {
    std::vector<Access> calls, images;
    std::vector<std::pair<ir::Symbol, Expr>> lets; // outermost first
};

class BoundsInference {
  public:
    BoundsInference(const LoweringGraph &working, const Placement &placement, const InferenceOptions &options);
    Regions run();

  private:
    using Box = analysis::Box;
    using Interval = analysis::Interval;
    using Scope = analysis::Scope;
    using BoundsFinder = analysis::BoundsFinder;

    // A region value that stays a symbol.
    struct UnexpandedBound {
        Expr value;
        Site site;
        mutable std::vector<std::pair<Site, Interval>> lifted; // by target
    };

    const LoweringGraph &working_;
    const Placement &placement_;
    const BufferTable buffers_;
    const InferenceOptions options_;
    std::vector<std::vector<Consumer>> consumers_;
    std::vector<std::vector<StageAccesses>> accesses_;
    ir::SymbolMap<Expr> exact_;                 // region symbol -> expanded value
    ir::SymbolMap<UnexpandedBound> unexpanded_; // region symbols that are not expanded
    std::vector<Box> touched_;                  // by FuncId: all that is written or read of it, where it is computed
    Regions out_;

    const StageNest &nest(FuncId func, int stage) const {
        return *out_.nests[func.index()][static_cast<size_t>(stage)];
    }

    // ---- Regions: regions.cpp

    void infer(FuncId id);
    class AccessUnion;
    /// The loops of a stage over its region; what it writes, and reads of its own Func, is stored and needed.
    void add_stage(FuncId id, size_t k, AccessUnion &needed, AccessUnion &stored);
    /// Whether the extents are known to be the same in all iterations of the loops around.
    bool has_steady_extents(const Region &region) const;
    /// When all Funcs of a group have their regions: the loops that their stages share.
    void share_loops(size_t position);
    void share_loops(const Site &parent);
    /// Asserts at a site, unless it is known to hold.
    void require_at(const Site &site, const Expr &condition, const char *error, const std::vector<Expr> &args);
    [[noreturn]] void refuse(FuncId id, const char *slug, const std::string &text, const Location &location) const;
    Box output_region(FuncId id);
    Box promised(FuncId id, const Box &need, bool check_promise);
    void assert_inside(FuncId id, size_t d, const Interval &need, const Interval &promise);
    void bind_region(FuncId id, int stage, const Box &box, const Site &site);
    void check_bounded(FuncId id, const Box &box, const ir::FuncDef &reader, int stage, const Access &call) const;
    void note(FuncId id, const Consumer &reader, const Access &call, const Box &box);
    void infer_inputs();
    void check_input_bounded(const Box &box, const ir::FuncDef &func, size_t stage, const Access &image) const;

    // ---- Seeing a consumer's variables from a site: region_sites.cpp

    Expr expand(const Expr &expr) const;
    /// An interval in terms of what is known at `from` becomes one in terms of what is known at `to`, further out.
    Interval lift(Interval interval, Site from, const Site &to) const;
    /// Region symbols of sites further in than `to` that were not expanded range over their own bounds at `to`.
    void add_inner_symbols(const Expr &expr, const Site &to, Scope &scope) const;
    const Interval &lifted(const UnexpandedBound &kept, const Site &to) const;
    /// Whether `site` lies strictly inside `outer`.
    bool is_inside(Site site, const Site &outer) const;
    /// The variables of stage (c, s) as intervals, seen from site L that encloses its reads.
    BoundsFinder consumer_bounds(FuncId c, int s, const Site &site, Touch touch = Touch::Read) const;
    BoundsFinder with_lets(FuncId c, int s, Scope scope) const;
    Box box_of(const Access &access, BoundsFinder &bounds) const;
    /// A value over the loops of a nest: region symbols of its site and the nest's defs expanded.
    /// Defs that stand outside of loop `end` stay names.
    Expr in_loops(const StageNest &owner, const Expr &value, int end = std::numeric_limits<int>::max()) const;
    /// Whether a value is known to be the same in all iterations of the loops inside `site`.
    bool stands_still(const Expr &value, const StageNest &owner, const Site &site) const;
    /// Whether a symbol stands for a value that loops inside `site` may move.
    bool hides_loops(const Expr &expr, const Site &site) const;

    // ---- Sliding windows and folded storage: region_windows.cpp

    /// How far the producer of an async Func may run ahead. Values that are stored twice are the same where the Func is
    /// pure, so without a fold nothing is lost; a fold is made large enough for the next iteration where its window is
    /// known.
    void async_lookahead(FuncId id, const std::optional<WindowLoops> &loops, const Box &touched);
    /// The loops between the store and the compute site; nothing where a side depends on them through a symbol.
    std::optional<WindowLoops> window_loops(FuncId id, const Box &region, const Site &site) const;
    /// Circular buffers: those that the schedule asks for, else where the window of one iteration has a constant bound
    /// and the storage is, or may be, larger.
    void fold_storage(FuncId id, const std::optional<WindowLoops> &loops, const std::vector<Slide> &slides,
                      const Box &touched, const std::vector<Expr> &extents);
    void fold_by_itself(FuncId id, const WindowLoops &loops, const std::vector<Slide> &slides, const Box &touched);
    /// Whether no tail reaches outside of the region.
    bool stays_in_region(FuncId id, const Box &touched, size_t d) const;
    /// How many coordinates one iteration of the compute site touches, or needs of earlier ones.
    Expr live_extent(FuncId id, const WindowLoops &loops, const std::vector<Slide> &slides, const Box &touched,
                     size_t d) const;
    /// The circle has to hold what is live at once: all that is stored, or less where the dimension folds.
    void fold_as_asked(FuncId id, const schedule::StorageDim &dim, const std::optional<WindowLoops> &loops,
                       const std::vector<Slide> &slides, const Box &touched, const std::vector<Expr> &extents);
    std::string loop_name(const Site &site) const;
    /// Whether the nest of the site stands in a vectorized loop, inside of the store site: all lanes hold their windows
    /// at the same time.
    bool has_lanes_around(FuncId id) const;
    /// The dimension whose elements lie side by side: vectors along it would not stay dense.
    bool is_innermost(FuncId id, size_t d) const;

    // ---- Storage and extents in memory: region_extents.cpp

    size_t dimension_of(FuncId id, const std::string &var) const;
    void set_extents(FuncId id, const std::vector<Expr> &exact);
    const schedule::StorageDim *storage_dim(FuncId id, size_t d) const;
    void require_bound(FuncId id, const schedule::StorageDim &dim, const Expr &exact, const Expr &required);
    /// The loop around a loop, or where the Func of the outermost loop is computed.
    Site next_outward(const Site &site) const;
    /// Iterations of the loops between where memory is taken and where the Func is stored take turns.
    void set_ring(FuncId id);
    /// The most that any iteration of the loops between the sites stores.
    Expr hoisted_extent(FuncId id, size_t d, const Expr &exact);
    /// Gives the extents, expanded as far as that makes them constants.
    std::vector<Expr> set_storage(FuncId id, const Box &box, const Site &site);
    Expr bind_storage(FuncId id, size_t d, const char *what, const Expr &value, const Site &store);

    // ---- What has to fit 32 bits: region_ranges.cpp

    RangeProgram find_ranges() const;
    std::string callers_text(FuncId id) const;
    void check_func(RangeWriter &writer, FuncId id) const;
    void check_stage(RangeWriter &writer, FuncId id, int k) const;
    void learn_variables(RangeWriter &writer, FuncId id, int k, BoundsFinder &bounds, const Expr &condition) const;
    void check_rvars(RangeWriter &writer, FuncId id, int k) const;
    void check_accesses(RangeWriter &writer, FuncId id, int k, const Expr &condition) const;
    void check_loops(RangeWriter &writer, FuncId id, int k) const;
    Interval at_root(const Interval &side, const Site &site) const;

    // ---- What is asked for early: region_prefetches.cpp

    void infer_prefetches();
    void infer_prefetch(FuncId id, int stage, const schedule::Prefetch &prefetch);
    [[noreturn]] void refuse_prefetch(FuncId id, int stage, const char *slug, const schedule::Prefetch &prefetch,
                                      const std::string &text) const;
    void check_prefetch(FuncId id, int stage, const schedule::Prefetch &prefetch, const Site &site, int from) const;
    /// The stages inside of a site, with the variables of each as seen from there.
    template <typename Visit> void for_each_read(const ir::Symbol &source, const Site &site, const Visit &visit) const;
    Box read_inside(const ir::Symbol &source, const Site &site) const;
    bool is_read_inside(const ir::Symbol &source, const Site &site) const;
    /// As in_loops, and with region values expanded that depend on loops inside of `site`, as far as they stay short.
    Expr in_all_loops(const StageNest &owner, const Expr &value, const Site &site) const;
    /// The part of the source that is in memory; sides of folded dimensions are undefined.
    Box memory_of(const schedule::Prefetch &prefetch);
};

} // namespace fluorite::loopnest
