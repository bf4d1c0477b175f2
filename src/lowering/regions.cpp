// Bounds inference over the sites of the loop nest.
//
// Consumers come first. What a Func g must provide at its compute site L is the union, over every call of g in every stage
// (c, s) of its consumers, of the box that the call's coordinates cover while the loops inside L run:
//   - (c, s) owns L (g is computed inside one of its loops): the loops further in range, the others stand still;
//   - c is computed at L too: c's whole region at L, in c's region symbols;
//   - c is computed further in: c's region there is lifted to L, site by site, by letting the loops between range.
// Stage k of g must also provide what stage k + 1 reads of g itself. Tails count: a region rounded up is read rounded up.
//
// Each region side becomes a symbol (owner: func, stage, dim, side) bound at L. Beside each symbol its exact value is kept,
// expanded down to loop variables, so that extents such as (yo*32 + 33) - (yo*32 - 1) + 1 become constants. A value that
// would expand to too much stays a symbol: seen from further out it ranges over its own bounds there, which are sound and,
// where sides depend on each other, wider.
//
// Storage is the box of everything written or read, lifted to the store site. Input boxes are lifted to root.
// Refuses: coordinates without bounds (data-dependent and not clamped). Cost: calls x dimensions x simplifications; values
// refer to consumers through symbols, so chains stay linear.

#include "lowering/regions.h"

#include "analysis/bounds_where.h"
#include "lowering/fused_loops.h"
#include "lowering/sliding.h"
#include "lowering/specialize.h"
#include "lowering/user_text.h"
#include "rewrite/simplify.h"
#include "schedule/directive_common.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fluorite::lowering {

using namespace ir;
using analysis::Box;
using analysis::Interval;
using analysis::Scope;
using rewrite::simplify;

namespace {

constexpr size_t small_expr = 24;    // nodes: region values at root that are worth expanding
constexpr size_t largest_expr = 120; // nodes: region values further in that are expanded

Expr int32(int64_t value) { return make_int(Int(32), value); }

// A call of a Func or a read of an input, and where in the stage.
struct Access {
    Symbol symbol;
    std::vector<Expr> args;
    Expr condition; // under which it happens; undefined: always
};

struct StageAccesses {
    std::vector<Access> calls, images;
    std::vector<std::pair<Symbol, Expr>> lets; // outermost first
};

StageAccesses find_accesses(const Stage &stage) {
    StageAccesses found;
    ExprMap<bool> seen;
    // What the predicate itself reads is read anyhow; it comes first, so that what both read counts as read anyhow.
    std::vector<Expr> exprs = stage_exprs(stage);
    const size_t guarded = stage.values.size() + stage.args.size();
    std::rotate(exprs.begin(), exprs.begin() + static_cast<long>(guarded), exprs.end());
    for (size_t i = 0; i < exprs.size(); i++) {
        const Expr &expr = exprs[i];
        const Expr condition = i + guarded >= exprs.size() ? stage.predicate : Expr();
        std::vector<std::pair<Symbol, Expr>> lets;
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Let) {
                lets.emplace_back(node->symbol(), node->arg(0));
            }
            if ((node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) || seen.count(node)) {
                return;
            }
            seen[node] = true;
            Access access{node->symbol(), {node->args().begin(), node->args().end()}, condition};
            (node->kind() == ExprKind::Call ? found.calls : found.images).push_back(access);
        });
        found.lets.insert(found.lets.end(), lets.rbegin(), lets.rend());
    }
    return found;
}

class Inference {
  public:
    Inference(const Working &working, const Placement &placement, const PassContext &context)
        : working_(working), placement_(placement), context_(context), consumers_(find_consumers(working)) {
        size_t funcs = working.pipeline.graph.funcs.size();
        out_.nests.resize(funcs);
        out_.regions.resize(funcs);
        out_.storage.resize(funcs);
        out_.folds.resize(funcs);
        out_.extents.resize(funcs);
        out_.ahead.resize(funcs);
        out_.reasons.resize(funcs);
        accesses_.resize(funcs);
        for (FuncId id : working.order) {
            out_.computed[placement.compute[id.index()]].push_back(id);
            out_.stored[placement.store[id.index()]].push_back(id);
            if (placement.hoist[id.index()] != placement.store[id.index()]) {
                out_.hoisted[placement.hoist[id.index()]].push_back(id);
            }
            for (const Stage &stage : working.func(id).stages) {
                accesses_[id.index()].push_back(find_accesses(stage));
            }
        }
    }

    Regions run() {
        for (size_t i = working_.order.size(); i-- > 0;) {
            infer(working_.order[i]);
            share_loops(i);
        }
        infer_inputs();
        infer_prefetches();
        return std::move(out_);
    }

  private:
    // A region value that stays a symbol.
    struct Kept {
        Expr value;
        Site site;
        mutable std::vector<std::pair<Site, Interval>> lifted; // by target
    };

    const Working &working_;
    const Placement &placement_;
    const PassContext &context_;
    std::vector<std::vector<Consumer>> consumers_;
    std::vector<std::vector<StageAccesses>> accesses_;
    SymbolMap<Expr> exact_; // region symbol -> expanded value
    SymbolMap<Kept> kept_;  // region symbols that are not expanded
    Regions out_;

    const StageNest &nest(FuncId func, int stage) const {
        return *out_.nests[func.index()][static_cast<size_t>(stage)];
    }

    // ---- Seeing a consumer's variables from a site.

    Expr expand(const Expr &expr) const { return expr.defined() ? simplify(substitute(expr, exact_)) : expr; }

    // An interval in terms of what is known at `from` becomes one in terms of what is known at `to`, further out.
    Interval lift(Interval interval, Site from, const Site &to) const {
        while (from != to) {
            check(!from.is_root(), "a lift goes outward");
            FuncId owner(from.func);
            const StageNest &loops = nest(owner, from.stage);
            bool same_nest = to.func == from.func && to.stage == from.stage;
            // From a stage's own loops into those that it shares: what is shared is the parent's.
            const Fusion *fusion = placement_.fusion(from.func, from.stage);
            const bool leaves_own = fusion && from.loop < fusion->loop && !(same_nest && to.loop < fusion->loop);
            Scope scope = loops.loops_at(leaves_own  ? fusion->loop
                                         : same_nest ? to.loop
                                                     : static_cast<int>(loops.loops().size()) + 1);
            Site next = leaves_own ? fusion->parent : same_nest ? to : placement_.compute[owner.index()];
            interval.min = expand(interval.min);
            interval.max = expand(interval.max);
            add_inner_symbols(interval.min, next, scope);
            add_inner_symbols(interval.max, next, scope);
            interval.min = interval.min.defined() ? analysis::bounds_of(interval.min, scope).min : Expr();
            interval.max = interval.max.defined() ? analysis::bounds_of(interval.max, scope).max : Expr();
            if (leaves_own) {
                interval = {loops.in_shared(interval.min), loops.in_shared(interval.max)};
            }
            from = next;
        }
        return interval;
    }

    // Region symbols of sites further in than `to` that were not expanded range over their own bounds at `to`.
    void add_inner_symbols(const Expr &expr, const Site &to, Scope &scope) const {
        if (!expr.defined()) {
            return;
        }
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() != ExprKind::Variable || scope.count(node->symbol())) {
                return;
            }
            auto found = kept_.find(node->symbol());
            if (found != kept_.end() && is_inside(found->second.site, to)) {
                scope[node->symbol()] = lifted(found->second, to);
            }
        });
    }

    const Interval &lifted(const Kept &kept, const Site &to) const {
        for (const auto &[site, interval] : kept.lifted) {
            if (site == to) {
                return interval;
            }
        }
        Interval result = lift(Interval::point(kept.value), kept.site, to);
        kept.lifted.emplace_back(to, result);
        return kept.lifted.back().second;
    }

    // Whether `site` lies strictly inside `outer`.
    bool is_inside(Site site, const Site &outer) const {
        if (site == outer) {
            return false;
        }
        while (!site.is_root()) {
            if (outer.func == site.func && outer.stage == site.stage) {
                return site.loop < outer.loop;
            }
            site = placement_.around(site);
            if (site == outer) {
                return true;
            }
        }
        return false;
    }

    // The variables of stage (c, s) as intervals, seen from site L that encloses its reads.
    Scope consumer_scope(FuncId c, int s, const Site &site, Touch touch = Touch::Read) const {
        const StageNest &loops = nest(c, s);
        const Fusion *fusion = placement_.fusion(c.value, s);
        if (fusion && site.func == fusion->parent.func && site.stage == fusion->parent.stage &&
            site.loop >= fusion->parent.loop) {
            Scope scope = loops.vars_at(fusion->loop, touch);
            for (auto &[symbol, interval] : scope) {
                interval = lift(interval, fusion->parent, site);
            }
            return with_lets(c, s, scope);
        }
        if (site.func == c.value && site.stage == s) {
            return with_lets(c, s, loops.vars_at(site.loop, touch));
        }
        Scope scope = loops.vars_at(static_cast<int>(loops.loops().size()) + 1, touch);
        for (auto &[symbol, interval] : scope) {
            interval = lift(interval, placement_.compute[c.index()], site);
        }
        return with_lets(c, s, scope);
    }

    Scope with_lets(FuncId c, int s, Scope scope) const {
        for (const auto &[symbol, value] : accesses_[c.index()][static_cast<size_t>(s)].lets) {
            if (value.type().is_int_or_uint() || value.type().is_float()) {
                scope[symbol] = analysis::bounds_of(value, scope);
            }
        }
        return scope;
    }

    Box box_of(const Access &access, const Scope &scope) const {
        Box box;
        for (const Expr &coordinate : access.args) {
            box.push_back(analysis::bounds_where(coordinate, access.condition, scope));
        }
        return box;
    }

    static Access write_of(const FuncDef &func, size_t stage) {
        return {func.symbol, func.stages[stage].args, func.stages[stage].predicate};
    }

    // ---- One Func.

    void infer(FuncId id) {
        const FuncDef &func = working_.func(id);
        const Site &site = placement_.compute[id.index()];
        Box need = working_.pipeline.graph.is_output(id) ? output_region(id) : Box();
        for (const Consumer &consumer : consumers_[id.index()]) {
            Scope scope = consumer_scope(consumer.func, consumer.stage, site);
            for (const Access &call : accesses_[consumer.func.index()][static_cast<size_t>(consumer.stage)].calls) {
                if (call.symbol == func.symbol) {
                    Box box = box_of(call, scope);
                    check_bounded(id, box, working_.func(consumer.func), consumer.stage, call);
                    note(id, working_.func(consumer.func), consumer.stage, call, box);
                    analysis::merge(need, box);
                }
            }
        }
        size_t stages = func.stages.size();
        out_.nests[id.index()].resize(stages);
        out_.regions[id.index()].resize(stages);
        Box storage;
        std::optional<WindowLoops> loops;
        std::vector<Slide> slides;
        for (size_t end = stages; end > 0;) {
            const size_t last = end - 1;
            const size_t first = static_cast<size_t>(working_.alternatives(id, static_cast<int>(last)).first);
            // A promise or alignment is about the Func: it holds for every stage.
            Box region = promised(id, need, end == stages);
            if (end == stages) {
                loops = window_loops(id, region, site);
            }
            if (loops && end == stages && first == 0) {
                slides = slide(*loops, region);
            }
            bind_region(id, static_cast<int>(last), region, site);
            need = symbols_of(out_.regions[id.index()][last]);
            if (end == stages) {
                storage = need;
            }
            for (size_t k = first; k < end; k++) {
                out_.regions[id.index()][k] = out_.regions[id.index()][last];
            }
            for (size_t k = end; k-- > first;) {
                add_stage(id, k, need, storage);
            }
            end = first;
        }
        const std::vector<Expr> extents = set_storage(id, storage, site);
        fold_storage(id, loops, slides, storage, extents);
        if (working_.schedule(id).async) {
            let_run_ahead(id, loops, storage);
        }
        set_extents(id, extents);
    }

    // How far the producer of an async Func may run ahead. Values that are stored twice are the same where the Func is pure, so
    // without a fold nothing is lost; a fold is made large enough for the next iteration where its window is known.
    void let_run_ahead(FuncId id, const std::optional<WindowLoops> &loops, const Box &touched) {
        if (placement_.store[id.index()] == placement_.compute[id.index()]) {
            return;
        }
        int &ahead = out_.ahead[id.index()];
        std::vector<Expr> &folds = out_.folds[id.index()];
        const auto folded = std::find_if(folds.begin(), folds.end(), [](const Expr &fold) { return fold.defined(); });
        const bool is_pure = !working_.has_updates(id);
        if (folded == folds.end()) {
            ahead = is_pure ? 0 : 1;
            return;
        }
        ahead = 1;
        if (!working_.schedule(id).storage.empty()) {
            return; // the program's fold is the size that it says
        }
        const size_t d = static_cast<size_t>(folded - folds.begin());
        const Region &region = out_.regions[id.index()].back();
        const bool stays_inside = touched[d].min.same_as(region.min[d]) && touched[d].max.same_as(region.max[d]);
        if (!is_pure || !stays_inside || !loops || loops->end != loops->site + 1) {
            return;
        }
        const Symbol &var = loops->nest->loops()[static_cast<size_t>(loops->site)].var;
        const Expr next = substitute(loops->region[d].max, var, add(make_var(Int(32), var), int32(1)));
        const Expr extent = simplify(add(sub(next, loops->region[d].min), int32(1)));
        const Interval most =
            lift(Interval::point(extent), placement_.compute[id.index()], placement_.store[id.index()]);
        int64_t needed = 0;
        if (most.max.defined() && is_const_int(simplify(most.max), &needed) && needed > 0 && needed < (1 << 20)) {
            *folded = int32(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(needed))));
            ahead = 2;
        }
    }

    /// The loops of a stage over its region; what it writes, and reads of its own Func, is stored and needed.
    void add_stage(FuncId id, size_t k, Box &need, Box &storage) {
        const FuncDef &func = working_.func(id);
        const int stage = static_cast<int>(k);
        assume_condition(out_.regions[id.index()][k], working_.variant(id, stage).condition);
        const bool is_apart = placement_.store[id.index()] != placement_.compute[id.index()];
        out_.nests[id.index()][k] =
            std::make_unique<StageNest>(working_, id, stage, out_.regions[id.index()][k],
                                        is_apart ? StageNest::Storage::Shared : StageNest::Storage::Own);
        const StageNest &loops = nest(id, stage);
        const int outside = static_cast<int>(loops.loops().size()) + 1;
        const Scope scope = with_lets(id, stage, loops.vars_at(outside, Touch::Read));
        const Box written = box_of(write_of(func, k), with_lets(id, stage, loops.vars_at(outside, Touch::Write)));
        check_bounded(id, written, func, stage, write_of(func, k));
        analysis::merge(storage, written);
        for (const Access &call : accesses_[id.index()][k].calls) {
            if (call.symbol == func.symbol) {
                const Box box = box_of(call, scope);
                check_bounded(id, box, func, stage, call);
                analysis::merge(need, box);
                analysis::merge(storage, box);
            }
        }
    }

    /// Sizes that the condition of a specialization fixes are known in its loops.
    static void assume_condition(Region &region, const Expr &condition) {
        ExprMap<Expr> facts;
        if (condition.defined()) {
            find_facts(condition, facts);
        }
        for (std::vector<Expr> *sides : {&region.exact_min, &region.exact_max}) {
            for (Expr &side : *sides) {
                side = facts.empty() ? side : simplify(assume(side, facts));
            }
        }
    }

    // ---- Shared loops.

    /// When all Funcs of a group have their regions: the loops that their stages share.
    void share_loops(size_t position) {
        if (placement_.fused.empty()) {
            return;
        }
        const std::vector<FuncId> group = fused_group(working_, placement_, working_.order[position]);
        if (group.size() < 2 || group.front() != working_.order[position]) {
            return;
        }
        for (const auto &[stage, fusion] : placement_.fused) {
            const bool owns = fusion.parent.func == stage.first && fusion.parent.stage == stage.second;
            if (owns && std::find(group.begin(), group.end(), FuncId(stage.first)) != group.end()) {
                share_loops(fusion.parent);
            }
        }
    }

    void share_loops(const Site &parent) {
        struct Member {
            StageNest *nest;
            const Fusion *fusion;
        };
        std::vector<Member> members;
        for (const auto &[stage, fusion] : placement_.fused) {
            if (fusion.parent == parent) {
                StageNest *its = out_.nests[static_cast<size_t>(stage.first)][static_cast<size_t>(stage.second)].get();
                members.push_back({its, &fusion});
            }
        }
        const StageNest &owner = nest(FuncId(parent.func), parent.stage);
        const size_t count = owner.loops().size() - static_cast<size_t>(parent.loop);
        std::vector<std::vector<SharedLoop>> shared(members.size());
        for (size_t t = 0; t < count; t++) { // innermost first
            const NestLoop &theirs = owner.loops()[static_cast<size_t>(parent.loop) + t];
            Expr min, max;
            std::vector<Expr> shifts;
            for (const Member &member : members) {
                const NestLoop &loop = member.nest->loops()[static_cast<size_t>(member.fusion->loop) + t];
                const std::vector<LoopAlignStrategy> &align = member.fusion->align;
                const LoopAlignStrategy how =
                    count - 1 - t < align.size() ? align[count - 1 - t] : LoopAlignStrategy::NoAlign;
                shifts.push_back(shift_of(how, loop, theirs));
                const Expr first = simplify(sub(loop.min, shifts.back()));
                const Expr last = simplify(sub(add(first, loop.extent), int32(1)));
                min = min.defined() ? simplify(min_of(min, first)) : first;
                max = max.defined() ? simplify(max_of(max, last)) : last;
            }
            const Symbol var(SymbolKind::Loop, theirs.var.name() + ".shared", theirs.var.owner());
            const Expr extent = simplify(add(sub(max, min), int32(1)));
            for (size_t m = 0; m < members.size(); m++) {
                shared[m].push_back({var, min, extent, simplify(add(make_var(Int(32), var), shifts[m]))});
            }
        }
        for (size_t m = 0; m < members.size(); m++) {
            members[m].nest->fuse(members[m].fusion->loop, shared[m]);
        }
    }

    /// What is added to the shared loop's variable to have the stage's own.
    static Expr shift_of(LoopAlignStrategy how, const NestLoop &loop, const NestLoop &theirs) {
        switch (how) {
        case LoopAlignStrategy::AlignStart:
            return simplify(sub(loop.min, theirs.min));
        case LoopAlignStrategy::AlignEnd:
            return simplify(sub(add(loop.min, loop.extent), add(theirs.min, theirs.extent)));
        case LoopAlignStrategy::NoAlign:
        case LoopAlignStrategy::Auto:
            return int32(0);
        }
        return int32(0);
    }

    // ---- Sliding windows and folded storage.

    // The loops between the store and the compute site; nothing where a side depends on them through a symbol.
    std::optional<WindowLoops> window_loops(FuncId id, const Box &region, const Site &site) const {
        const Site &store = placement_.store[id.index()];
        if (site == store || working_.pipeline.graph.is_output(id)) {
            return std::nullopt;
        }
        const StageNest &owner = nest(FuncId(site.func), site.stage);
        const bool store_in_nest = store.func == site.func && store.stage == site.stage;
        int end = store_in_nest ? store.loop : static_cast<int>(owner.loops().size());
        if (site.loop < owner.first_shared()) { // windows do not move along loops that others share
            end = std::min(end, owner.first_shared());
        }
        WindowLoops loops{&owner, site.loop, end, {}};
        for (const Interval &side : region) {
            loops.region.push_back({in_loops(owner, side.min), in_loops(owner, side.max)});
            if (hides_loops(loops.region.back().min, store) || hides_loops(loops.region.back().max, store)) {
                return std::nullopt;
            }
        }
        return loops;
    }

    // Makes later iterations compute only what is new; gives what was done.
    static std::vector<Slide> slide(const WindowLoops &loops, Box &region) {
        std::vector<Slide> slides = find_slides(loops);
        for (const Slide &each : slides) {
            leave_out(loops, each, region[each.dimension]);
        }
        return slides;
    }

    // Circular buffers: those that the schedule asks for, else where the window of one iteration has a constant bound and the
    // storage is, or may be, larger.
    void fold_storage(FuncId id, const std::optional<WindowLoops> &loops, const std::vector<Slide> &slides,
                      const Box &touched, const std::vector<Expr> &extents) {
        out_.folds[id.index()].resize(touched.size());
        bool is_asked_for = false;
        for (const schedule::StorageDim &dim : working_.schedule(id).storage) {
            if (dim.fold.defined()) {
                is_asked_for = true;
                fold_as_asked(id, dim, loops, slides, touched, extents);
            }
        }
        if (loops && !is_asked_for && !has_lanes_around(id)) {
            fold_by_itself(id, *loops, slides, touched);
        }
    }

    void fold_by_itself(FuncId id, const WindowLoops &loops, const std::vector<Slide> &slides, const Box &touched) {
        const Site &site = placement_.compute[id.index()], &store = placement_.store[id.index()];
        for (size_t d = touched.size(); d-- > 0;) {
            if (!may_fold(slides, d) || is_innermost(id, d) || !moves_in_order(loops, d) ||
                (slide_along(slides, d) && !stays_in_region(id, touched, d))) {
                continue;
            }
            const Expr extent = live_extent(id, loops, slides, touched, d);
            const Interval most = lift(Interval::point(extent), site, store);
            int64_t needed = 0;
            if (most.max.defined() && is_const_int(simplify(most.max), &needed) && needed > 0 && needed < (1 << 20)) {
                out_.folds[id.index()][d] = int32(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(needed))));
                return; // one dimension is enough: the rest is small then
            }
        }
    }

    static const Slide *slide_along(const std::vector<Slide> &slides, size_t d) {
        const auto at = std::find_if(slides.begin(), slides.end(), [&](const Slide &s) { return s.dimension == d; });
        return at == slides.end() ? nullptr : &*at;
    }

    // Whether no tail reaches outside of the region.
    bool stays_in_region(FuncId id, const Box &touched, size_t d) const {
        const Region &region = out_.regions[id.index()][0];
        return touched[d].min.same_as(region.min[d]) && touched[d].max.same_as(region.max[d]);
    }

    // How many coordinates one iteration of the compute site touches, or needs of earlier ones.
    Expr live_extent(FuncId id, const WindowLoops &loops, const std::vector<Slide> &slides, const Box &touched,
                     size_t d) const {
        Interval live{expand(touched[d].min), expand(touched[d].max)};
        if (slide_along(slides, d)) {
            const Interval &window = loops.region[d];
            live = stays_in_region(id, touched, d)
                       ? window
                       : Interval{min_of(live.min, window.min), max_of(live.max, window.max)};
        }
        return simplify(add(sub(live.max, live.min), int32(1)));
    }

    // The circle has to hold what is live at once: all that is stored, or less where the dimension folds.
    void fold_as_asked(FuncId id, const schedule::StorageDim &dim, const std::optional<WindowLoops> &loops,
                       const std::vector<Slide> &slides, const Box &touched, const std::vector<Expr> &extents) {
        const size_t d = dimension_of(id, dim.var);
        out_.folds[id.index()][d] = dim.fold;
        const bool folds = loops && !has_lanes_around(id) && may_fold(slides, d) && moves_in_order(*loops, d);
        if (const Slide *slide = folds ? slide_along(slides, d) : nullptr; slide && slide->down == dim.fold_forward) {
            const std::string loop = loops->nest->loops()[static_cast<size_t>(slide->loop)].name;
            refuse(id, "bad-fold",
                   "fold_storage of " + dim.var + (slide->down ? " upwards" : " downwards") + ", but the loop over " +
                       loop + " moves " + (slide->down ? "down" : "up") +
                       " through it; a circle keeps the newest values; call fold_storage(" + dim.var + ", " +
                       text_for_user(dim.fold, working_.pipeline.graph) + ", " + (slide->down ? "false" : "true") + ")",
                   dim.location);
        }
        const Range &stored = out_.storage[id.index()][d];
        const Expr live = folds ? live_extent(id, *loops, slides, touched, d) : extents[d];
        const Site &site = folds ? placement_.compute[id.index()] : placement_.store[id.index()];
        int64_t needed = 0, given = 0;
        if (is_const_int(dim.fold, &given) && is_const_int(live, &needed) && given < needed) {
            const std::string number = std::to_string(needed);
            refuse(id, "fold-factor-too-small",
                   "storage is folded by " + std::to_string(given) + " along " + dim.var + ", but " + number +
                       " values along it are live at once" + (folds ? "" : ", as no loop moves a window through them") +
                       "; a fold factor covers all values that are live at once; fold by " + number + " or more",
                   dim.location);
        }
        const Expr required = folds ? live : stored.extent;
        const Expr at_least_one = is_const(required) ? required : max_of(required, int32(1));
        require_at(site, less_equal(at_least_one, dim.fold), "fluorite_error_fold_factor_too_small",
                   {make_string(working_.func(id).name()), make_string(dim.var), dim.fold,
                    make_string(folds ? loop_name(site) : ""), required});
    }

    std::string loop_name(const Site &site) const {
        const std::vector<NestLoop> &loops = nest(FuncId(site.func), site.stage).loops();
        return site.loop < static_cast<int>(loops.size()) ? loops[static_cast<size_t>(site.loop)].name : "";
    }

    size_t dimension_of(FuncId id, const std::string &var) const {
        const std::vector<std::string> &names = working_.func(id).arg_names;
        const size_t d = static_cast<size_t>(std::find(names.begin(), names.end(), var) - names.begin());
        check(d < names.size(), "a directive names a dimension");
        return d;
    }

    /// Asserts at a site, unless it is known to hold.
    void require_at(const Site &site, const Expr &condition, const char *error, const std::vector<Expr> &args) {
        const Expr simple = simplify(condition);
        if (!is_true(simple)) {
            out_.lets[site].push_back({Symbol(), simple, make_extern(Int(32), error, args)});
        }
    }

    [[noreturn]] void refuse(FuncId id, const char *slug, const std::string &text, const Location &location) const {
        throw CompileError(slug, "in " + working_.func(id).name() + ": " + text, location);
    }

    // ---- Extents in memory: bound_storage, align_storage, hoist_storage.

    void set_extents(FuncId id, const std::vector<Expr> &exact) {
        std::vector<Expr> &extents = out_.extents[id.index()];
        extents.resize(exact.size());
        const Site &store = placement_.store[id.index()], &hoist = placement_.hoist[id.index()];
        for (size_t d = 0; d < exact.size(); d++) {
            const schedule::StorageDim *dim = storage_dim(id, d);
            const Expr &fold = out_.folds[id.index()][d];
            if (dim && dim->bound.defined()) {
                require_bound(id, *dim, fold.defined() ? fold : exact[d],
                              fold.defined() ? fold : out_.storage[id.index()][d].extent);
                extents[d] = dim->bound;
            } else if (!fold.defined() && hoist != store) {
                extents[d] = hoisted_extent(id, d, exact[d]);
            }
            if (dim && dim->alignment.defined()) {
                const Expr extent = extents[d].defined() ? extents[d]
                                    : fold.defined()     ? fold
                                                         : out_.storage[id.index()][d].extent;
                extents[d] = rounded_up(extent, dim->alignment);
            }
        }
    }

    const schedule::StorageDim *storage_dim(FuncId id, size_t d) const {
        for (const schedule::StorageDim &dim : working_.schedule(id).storage) {
            if (dim.var == working_.func(id).arg_names[d]) {
                return &dim;
            }
        }
        return nullptr;
    }

    void require_bound(FuncId id, const schedule::StorageDim &dim, const Expr &exact, const Expr &required) {
        int64_t needed = 0, given = 0;
        if (is_const_int(exact, &needed) && is_const_int(dim.bound, &given) && given < needed) {
            const std::string number = std::to_string(needed);
            refuse(id, "storage-bound-too-small",
                   "bound_storage() gives " + dim.var + " " + std::to_string(given) + " elements, but " + number +
                       " are needed; a storage bound covers what is needed; give it " + number + " or more",
                   dim.location);
        }
        require_at(placement_.store[id.index()], less_equal(required, dim.bound),
                   "fluorite_error_storage_bound_too_small",
                   {make_string(working_.func(id).name()), make_string(dim.var), dim.bound, required});
    }

    // The most that any iteration of the loops between the sites stores.
    Expr hoisted_extent(FuncId id, size_t d, const Expr &exact) {
        const Site &store = placement_.store[id.index()], &hoist = placement_.hoist[id.index()];
        const Expr most = lift(Interval::point(exact), store, hoist).max;
        if (!most.defined()) {
            const std::string &var = working_.func(id).arg_names[d];
            refuse(id, "hoist-storage-unbounded",
                   "hoist_storage to " + describe(working_, hoist) + ", but what is stored of " + var +
                       " has no bound there; memory is taken once for all iterations; call bound_storage(" + var +
                       ", extent) too, or hoist less far",
                   working_.schedule(id).hoist.location);
        }
        return bind_storage(id, d, ".hoisted_extent", simplify(most), hoist);
    }

    // The next multiple, unless that is no int32.
    static Expr rounded_up(const Expr &extent, const Expr &alignment) {
        const Expr multiple = mul(div(add(extent, sub(alignment, int32(1))), alignment), alignment);
        const Expr fits = less_equal(extent, sub(int32(std::numeric_limits<int32_t>::max()), alignment));
        return simplify(make_select(fits, multiple, extent));
    }

    // Whether the nest of the site stands in a vectorized loop, inside of the store site: all lanes hold their windows at
    // the same time.
    bool has_lanes_around(FuncId id) const {
        const Site &store = placement_.store[id.index()];
        Site at = placement_.compute[id.index()];
        while (!(at.func == store.func && at.stage == store.stage)) {
            at = placement_.around(at);
            if (at.is_root()) {
                return false;
            }
            const StageNest &owner = nest(FuncId(at.func), at.stage);
            const bool is_last = at.func == store.func && at.stage == store.stage;
            const int end = is_last ? store.loop : static_cast<int>(owner.loops().size());
            for (int v = at.loop; v < end; v++) {
                if (owner.loops()[static_cast<size_t>(v)].for_type == ForType::Vectorized) {
                    return true;
                }
            }
        }
        return false;
    }

    // Whether the loops between the sites move the dimension at all (else its storage is the window already), and one
    // iteration after the other: lanes of a vector hold their windows at the same time.
    static bool moves_in_order(const WindowLoops &loops, size_t d) {
        bool moves = false;
        for (int v = loops.site; v < loops.end; v++) {
            const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(v)];
            if (uses_symbol(loops.region[d].min, loop.var) || uses_symbol(loops.region[d].max, loop.var)) {
                if (loop.for_type != ForType::Serial && loop.for_type != ForType::Unrolled) {
                    return false;
                }
                moves = true;
            }
        }
        return moves;
    }

    // The dimension whose elements lie side by side: vectors along it would not stay dense.
    bool is_innermost(FuncId id, size_t d) const {
        const std::vector<std::string> &order = working_.schedule(id).storage_order;
        return order.empty() ? d == 0 : working_.func(id).arg_names[d] == order.front();
    }

    // A value over the loops of a nest: region symbols of its site and the nest's defs expanded.
    Expr in_loops(const StageNest &owner, const Expr &value) const {
        Expr result = expand(value);
        SymbolMap<Expr> defs;
        for (const NestDef &def : owner.defs()) {
            defs[def.symbol] = defs.empty() ? def.value : substitute(def.value, defs);
        }
        return defs.empty() ? result : simplify(substitute(result, defs));
    }

    // Whether a symbol stands for a value that loops inside `site` may move.
    bool hides_loops(const Expr &expr, const Site &site) const {
        bool hides = false;
        for_each_node(expr, [&](const Expr &node) {
            auto found = node->kind() == ExprKind::Variable ? kept_.find(node->symbol()) : kept_.end();
            hides = hides || (found != kept_.end() && is_inside(found->second.site, site));
        });
        return hides;
    }

    static Box symbols_of(const Region &region) {
        Box box;
        for (size_t d = 0; d < region.min.size(); d++) {
            box.push_back({region.min[d], region.max[d]});
        }
        return box;
    }

    Box output_region(FuncId id) {
        Box box;
        const FuncDef &func = working_.func(id);
        const Symbol &buffer = context_.buffers.of(id, 0);
        for (size_t d = 0; d < func.dimensions(); d++) {
            Expr min = make_field(buffer, Field::Min, static_cast<int>(d));
            Expr extent = make_field(buffer, Field::Extent, static_cast<int>(d));
            // Promises that are constants are as good as known: they are checked before anything is computed.
            if (!func.output_buffers.empty() && d < func.output_buffers[0].dims.size()) {
                const DimConstraint &promise = func.output_buffers[0].dims[d];
                min = promise.min.defined() && is_const(promise.min) ? promise.min : min;
                extent = promise.extent.defined() && is_const(promise.extent) ? promise.extent : extent;
            }
            box.push_back({min, sub(add(min, extent), int32(1))});
        }
        return box;
    }

    Box promised(FuncId id, const Box &need, bool check_promise) {
        Box box = need;
        const FuncDef &func = working_.func(id);
        for (const schedule::Bound &bound : working_.schedule(id).bounds) {
            size_t d = 0;
            while (d < func.arg_names.size() && func.arg_names[d] != bound.var) {
                d++;
            }
            check(d < box.size(), "a bound names a dimension");
            Interval &side = box[d];
            if (bound.modulus.defined()) {
                Expr remainder = bound.remainder.defined() ? bound.remainder : int32(0);
                Expr low = add(mul(div(sub(side.min, remainder), bound.modulus), bound.modulus), remainder);
                Expr extent = add(sub(side.max, low), int32(1));
                Expr pieces = div(add(extent, sub(bound.modulus, int32(1))), bound.modulus);
                side = {simplify(low), simplify(sub(add(low, mul(pieces, bound.modulus)), int32(1)))};
            }
            if (bound.extent.defined()) {
                Expr low = bound.min.defined() ? bound.min : side.min;
                Interval promise{simplify(low), simplify(sub(add(low, bound.extent), int32(1)))};
                if (check_promise) {
                    assert_inside(id, d, side, promise);
                }
                side = promise;
            } else if (bound.min.defined()) {
                if (check_promise) {
                    assert_inside(id, d, side, {bound.min, side.max});
                }
                side.min = bound.min;
            }
        }
        return box;
    }

    void assert_inside(FuncId id, size_t d, const Interval &need, const Interval &promise) {
        Expr inside = simplify(logical_and(less_equal(promise.min, need.min), less_equal(need.max, promise.max)));
        if (is_true(inside)) {
            return;
        }
        const FuncDef &func = working_.func(id);
        std::vector<Expr> args = {
            make_string(func.name()), make_string(func.arg_names[d]), promise.min, promise.max, need.min, need.max};
        out_.lets[placement_.compute[id.index()]].push_back(
            {Symbol(), inside, make_extern(Int(32), "fluorite_error_explicit_bounds_too_small", args)});
    }

    void bind_region(FuncId id, int stage, const Box &box, const Site &site) {
        const FuncDef &func = working_.func(id);
        Region region;
        for (size_t d = 0; d < box.size(); d++) {
            for (Side side : {Side::Min, Side::Max}) {
                const Expr &value = side == Side::Min ? box[d].min : box[d].max;
                std::vector<Expr> &symbolic = side == Side::Min ? region.min : region.max;
                std::vector<Expr> &exact = side == Side::Min ? region.exact_min : region.exact_max;
                if (is_const(value)) {
                    symbolic.push_back(value);
                    exact.push_back(value);
                    continue;
                }
                if (is_kind(value, ExprKind::Variable) && value->symbol().kind() == SymbolKind::Bound) {
                    symbolic.push_back(value); // the same as another stage's
                    auto found = exact_.find(value->symbol());
                    exact.push_back(found == exact_.end() ? value : found->second);
                    continue;
                }
                SymbolOwner owner;
                owner.func = id.value, owner.stage = stage, owner.dim = static_cast<int>(d), owner.side = side;
                Symbol symbol(SymbolKind::Bound,
                              func.name() + ".s" + std::to_string(stage) + "." + func.arg_names[d] +
                                  (side == Side::Min ? ".min" : ".max"),
                              owner);
                out_.lets[site].push_back({symbol, value, {}});
                symbolic.push_back(make_var(Int(32), symbol));
                Expr expanded = expand(value);
                bool keep = node_count(expanded) > (site.is_root() ? small_expr : largest_expr);
                exact.push_back(keep ? symbolic.back() : expanded);
                if (keep) {
                    kept_[symbol] = {value, site, {}};
                } else {
                    exact_[symbol] = expanded;
                }
            }
        }
        out_.regions[id.index()].resize(func.stages.size());
        out_.regions[id.index()][static_cast<size_t>(stage)] = region;
    }

    // Gives the extents, expanded as far as that makes them constants.
    std::vector<Expr> set_storage(FuncId id, const Box &box, const Site &site) {
        const Site &store = placement_.store[id.index()];
        const FuncDef &func = working_.func(id);
        std::vector<Expr> extents;
        if (working_.pipeline.graph.is_output(id)) {
            return extents; // checked against the caller's buffer
        }
        for (size_t d = 0; d < box.size(); d++) {
            Interval exact{expand(box[d].min), expand(box[d].max)};
            Interval side = box[d];
            if (store != site) {
                side = lift(exact, site, store);
                exact = {expand(side.min), expand(side.max)};
            }
            check(side.is_bounded(), "storage of " + func.name() + " has bounds");
            Expr extent = simplify(add(sub(exact.max, exact.min), int32(1)));
            extents.push_back(extent);
            if (!is_const(extent)) {
                extent = simplify(add(sub(side.max, side.min), int32(1)));
            }
            out_.storage[id.index()].push_back({bind_storage(id, d, ".stored_min", side.min, store),
                                                bind_storage(id, d, ".stored_extent", extent, store)});
        }
        return extents;
    }

    Expr bind_storage(FuncId id, size_t d, const char *what, const Expr &value, const Site &store) {
        if (is_const(value) || value->kind() == ExprKind::Variable) {
            return value;
        }
        Symbol symbol(SymbolKind::Let, working_.func(id).name() + "." + working_.func(id).arg_names[d] + what);
        out_.lets[store].push_back({symbol, value, {}});
        return make_var(Int(32), symbol);
    }

    // ---- Refusals and explanations.

    void check_bounded(FuncId id, const Box &box, const FuncDef &reader, int stage, const Access &call) const {
        for (size_t d = 0; d < box.size(); d++) {
            if (box[d].is_bounded()) {
                continue;
            }
            const FuncDef &func = working_.func(id);
            throw CompileError("unbounded-access",
                               "in " + reader.name() + ", stage " + std::to_string(stage) + ": coordinate " +
                                   std::to_string(d) + " of " + func.name() + " is " +
                                   text_for_user(call.args[d], working_.pipeline.graph) +
                                   ", which has no known bounds; a Func is computed over a finite region; wrap the "
                                   "coordinate in clamp(..., min, max)",
                               reader.stages[static_cast<size_t>(stage)].location);
        }
    }

    void note(FuncId id, const FuncDef &reader, int stage, const Access &call, const Box &box) {
        std::vector<std::string> &lines = out_.reasons[id.index()];
        if (lines.size() > 64) {
            return;
        }
        std::string text = reader.name() + ", stage " + std::to_string(stage) + " reads (";
        for (size_t d = 0; d < call.args.size(); d++) {
            text += (d ? ", " : "") + text_for_user(call.args[d], working_.pipeline.graph);
        }
        text += "), so it needs";
        for (size_t d = 0; d < box.size(); d++) {
            text +=
                " " + working_.func(id).arg_names[d] + " in [" + concat(box[d].min) + ", " + concat(box[d].max) + "]";
        }
        lines.push_back(text);
    }

    // ---- What is asked for early.

    void infer_prefetches() {
        for (FuncId id : working_.order) {
            const schedule::FuncSchedule &schedule = working_.schedule(id);
            for (size_t k = 0; k < schedule.stages.size(); k++) {
                for (const schedule::Prefetch &prefetch : schedule.stages[k].prefetches) {
                    infer_prefetch(id, static_cast<int>(k), prefetch);
                }
            }
        }
    }

    void infer_prefetch(FuncId id, int stage, const schedule::Prefetch &prefetch) {
        const StageNest &owner = nest(id, stage);
        const int at = position_of(owner, prefetch.at), from = position_of(owner, prefetch.from);
        const Site site{id.value, stage, at};
        check_prefetch(id, stage, prefetch, site, from);
        Box box = read_inside(prefetch.source, site);
        if (box.empty() && !is_read_inside(prefetch.source, site)) {
            refuse_prefetch(id, stage, "prefetch-of-unread", prefetch,
                            "; nothing in that loop reads it; what is prefetched is what the loop reads; name a loop "
                            "that reads it, or remove the directive");
        }
        const Symbol &loop = owner.loops()[static_cast<size_t>(from)].var;
        const Expr ahead = add(make_var(Int(32), loop), offset_of(prefetch));
        for (Interval &side : box) {
            for (Expr *end : {&side.min, &side.max}) {
                *end = simplify(substitute(in_all_loops(owner, *end, {id.value, stage, from + 1}), loop, ahead));
            }
        }
        out_.prefetches[site].push_back({prefetch.source, to_ranges(box, memory_of(prefetch), prefetch.strategy)});
    }

    static int position_of(const StageNest &owner, const std::string &name) {
        for (size_t i = 0; i < owner.loops().size(); i++) {
            if (owner.loops()[i].name == name) {
                return static_cast<int>(i);
            }
        }
        internal_error("a prefetch names loops of its stage: " + name, {});
    }

    [[noreturn]] void refuse_prefetch(FuncId id, int stage, const char *slug, const schedule::Prefetch &prefetch,
                                      const std::string &text) const {
        throw CompileError(slug,
                           "in " + working_.func(id).name() + ", stage " +
                               std::to_string(working_.variant(id, stage).definition) + ": prefetch of " +
                               prefetch.source.name() + " in loop " + prefetch.at + text,
                           prefetch.location);
    }

    void check_prefetch(FuncId id, int stage, const schedule::Prefetch &prefetch, const Site &site, int from) const {
        if (from < site.loop) {
            std::string around;
            for (size_t i = static_cast<size_t>(site.loop); i < nest(id, stage).loops().size(); i++) {
                around += (around.empty() ? "" : ", ") + nest(id, stage).loops()[i].name;
            }
            refuse_prefetch(id, stage, "prefetch-from-inside", prefetch,
                            " from loop " + prefetch.from +
                                ", which is inside of it; the loop that moves on is the "
                                "one of the prefetch or one around it; legal are " +
                                around);
        }
        const Fusion *fusion = placement_.fusion(id.value, stage);
        if (fusion && from >= fusion->loop) {
            const std::string inner = fusion->loop > 0 ? nest(id, stage).loops()[0].name : "none";
            refuse_prefetch(id, stage, "prefetch-in-shared-loop", prefetch,
                            " from loop " + prefetch.from +
                                ", which is shared by compute_with; an iteration of it is one of several stages; look "
                                "ahead along a loop of its own, such as " +
                                inner + ", or take compute_with away");
        }
        if (prefetch.source.kind() != SymbolKind::Func) {
            return;
        }
        const FuncId source(prefetch.source.owner().func);
        if (std::find(working_.order.begin(), working_.order.end(), source) == working_.order.end()) {
            refuse_prefetch(id, stage, "prefetch-of-unread", prefetch,
                            ", which is computed inline and lies nowhere; what is prefetched is memory; prefetch what "
                            "it reads, or give it a compute level");
        }
        if (!is_inside(site, placement_.store[source.index()])) {
            refuse_prefetch(id, stage, "prefetch-stored-inside", prefetch,
                            ", which is stored at " + describe(working_, placement_.store[source.index()]) +
                                "; what is prefetched is there before the loop begins; store it outside of that loop");
        }
    }

    static Expr offset_of(const schedule::Prefetch &prefetch) {
        const Expr limit = int32(schedule::max_prefetch_offset);
        return is_const(prefetch.offset)
                   ? prefetch.offset
                   : max_of(min_of(prefetch.offset, limit), int32(-schedule::max_prefetch_offset));
    }

    // The stages inside of a site, with the variables of each as seen from there.
    template <typename Visit> void for_each_read(const Symbol &source, const Site &site, const Visit &visit) const {
        for (FuncId id : working_.order) {
            for (size_t k = 0; k < working_.func(id).stages.size(); k++) {
                const StageAccesses &accesses = accesses_[id.index()][k];
                const std::vector<Access> &reads = source.kind() == SymbolKind::Func ? accesses.calls : accesses.images;
                const bool reads_it =
                    std::any_of(reads.begin(), reads.end(), [&](const Access &read) { return read.symbol == source; });
                if (!reads_it) {
                    continue;
                }
                const std::vector<Site> path = placement_.path_of(working_, id, static_cast<int>(k));
                if (std::find(path.begin(), path.end(), site) == path.end()) {
                    continue;
                }
                const Scope scope = consumer_scope(id, static_cast<int>(k), site);
                for (const Access &read : reads) {
                    if (read.symbol == source) {
                        visit(read, scope);
                    }
                }
            }
        }
    }

    Box read_inside(const Symbol &source, const Site &site) const {
        Box box;
        for_each_read(source, site,
                      [&](const Access &read, const Scope &scope) { analysis::merge(box, box_of(read, scope)); });
        return box;
    }

    bool is_read_inside(const Symbol &source, const Site &site) const {
        bool found = false;
        for_each_read(source, site, [&](const Access &, const Scope &) { found = true; });
        return found;
    }

    // As in_loops, and with region values expanded that depend on loops inside of `site`, as far as they stay short.
    Expr in_all_loops(const StageNest &owner, const Expr &value, const Site &site) const {
        constexpr size_t largest = 2000;
        Expr result = in_loops(owner, value);
        while (hides_loops(result, site)) {
            SymbolMap<Expr> values;
            for_each_node(result, [&](const Expr &node) {
                const auto found = node->kind() == ExprKind::Variable ? kept_.find(node->symbol()) : kept_.end();
                if (found != kept_.end() && is_inside(found->second.site, site)) {
                    values[node->symbol()] = found->second.value;
                }
            });
            const Expr next = in_loops(owner, substitute(result, values));
            if (node_count(next) > largest) {
                break; // a hint of what this iteration reads
            }
            result = next;
        }
        return result;
    }

    // The part of the source that is in memory; sides of folded dimensions are undefined.
    Box memory_of(const schedule::Prefetch &prefetch) {
        Box memory;
        if (prefetch.source.kind() != SymbolKind::Func) {
            const InputDef &input = working_.pipeline.graph.inputs[static_cast<size_t>(prefetch.source.owner().input)];
            for (int d = 0; d < input.dimensions; d++) {
                memory.push_back({make_field(input.symbol, Field::Min, d), make_field(input.symbol, Field::Max, d)});
            }
            return memory;
        }
        const FuncId id(prefetch.source.owner().func);
        if (working_.pipeline.graph.is_output(id)) {
            return output_region(id);
        }
        for (size_t d = 0; d < out_.storage[id.index()].size(); d++) {
            const Range &stored = out_.storage[id.index()][d];
            const bool folded = out_.folds[id.index()][d].defined();
            memory.push_back(folded ? Interval() : Interval{stored.min, sub(add(stored.min, stored.extent), int32(1))});
        }
        return memory;
    }

    static std::vector<Range> to_ranges(const Box &box, const Box &memory, PrefetchBoundStrategy strategy) {
        std::vector<Range> ranges;
        Expr inside = make_bool(true);
        for (size_t d = 0; d < box.size(); d++) {
            Interval side = box[d];
            if (memory[d].is_bounded() && strategy == PrefetchBoundStrategy::Clamp) {
                side = {max_of(side.min, memory[d].min), min_of(side.max, memory[d].max)};
            } else if (memory[d].is_bounded() && strategy == PrefetchBoundStrategy::GuardWithIf) {
                inside = logical_and(
                    inside, logical_and(less_equal(memory[d].min, side.min), less_equal(side.max, memory[d].max)));
            }
            ranges.push_back({simplify(side.min), simplify(add(sub(side.max, side.min), int32(1)))});
        }
        if (!ranges.empty()) {
            ranges.back().extent = simplify(make_select(inside, ranges.back().extent, int32(0)));
        }
        return ranges;
    }

    // ---- Inputs and outputs at root.

    void infer_inputs() {
        const Graph &graph = working_.pipeline.graph;
        out_.input_boxes.resize(graph.inputs.size());
        out_.input_read.resize(graph.inputs.size());
        for (FuncId id : working_.order) {
            const FuncDef &func = working_.func(id);
            for (size_t k = 0; k < func.stages.size(); k++) {
                const StageAccesses &accesses = accesses_[id.index()][k];
                if (accesses.images.empty()) {
                    continue;
                }
                Scope scope = consumer_scope(id, static_cast<int>(k), Site::root());
                for (const Access &image : accesses.images) {
                    size_t input = static_cast<size_t>(image.symbol.owner().input);
                    Box box = box_of(image, scope);
                    check_input_bounded(box, func, k, image);
                    out_.input_read[input] = true;
                    analysis::merge(out_.input_boxes[input], box);
                }
            }
        }
        for (FuncId id : graph.outputs) {
            const FuncDef &func = working_.func(id);
            Box box;
            for (size_t k = 0; k < func.stages.size(); k++) {
                const Scope written = consumer_scope(id, static_cast<int>(k), Site::root(), Touch::Write);
                analysis::merge(box, box_of(write_of(func, k), written));
                const Scope scope = consumer_scope(id, static_cast<int>(k), Site::root());
                for (const Access &call : accesses_[id.index()][k].calls) {
                    if (call.symbol == func.symbol) {
                        analysis::merge(box, box_of(call, scope));
                    }
                }
            }
            analysis::merge(box, symbols_of(out_.regions[id.index()].back()));
            out_.output_boxes.push_back(box);
        }
    }

    void check_input_bounded(const Box &box, const FuncDef &func, size_t stage, const Access &image) const {
        for (size_t d = 0; d < box.size(); d++) {
            if (!box[d].is_bounded()) {
                throw CompileError("unbounded-access",
                                   "in " + func.name() + ", stage " + std::to_string(stage) + ": coordinate " +
                                       std::to_string(d) + " of input " + image.symbol.name() + " is " +
                                       text_for_user(image.args[d], working_.pipeline.graph) +
                                       ", which has no known bounds; an input is read over a finite region; wrap the "
                                       "coordinate in clamp(..., min, max)",
                                   func.stages[stage].location);
            }
        }
    }
};

} // namespace

Regions infer_regions(const Working &working, const Placement &placement, const PassContext &context) {
    return Inference(working, placement, context).run();
}

} // namespace fluorite::lowering
