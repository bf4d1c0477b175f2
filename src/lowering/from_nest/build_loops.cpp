// Loop synthesis: the loop nest of the whole pipeline, from sites and regions.
//
//   inside every loop:  lets of the stage, guards of its splits, lets of regions, then for each Func computed there
//                       realize g { produce g { loops of each stage } consume g { ... } }
// The Funcs computed at one site stand in topological order: the consumers of each are inside its consume body. A
// realize encloses the sites further in where the Func is computed. The caller owns the storage of outputs, which are
// not realized.
// After: phase Loops of ir/verify.h (Realize, Provide, Call, Image). Cost: linear in the nest.

#include "lowering/from_nest/build_loops.h"
#include "loopnest/placement/fused_loops.h"

#include "ir/extern_stage.h"
#include "ir/print.h"
#include "ir/stmt.h"
#include "loopnest/user_text.h"
#include "lowering/from_nest/build_extern.h"
#include "lowering/from_nest/debug_files.h"
#include "lowering/from_nest/memoize.h"
#include "lowering/from_nest/overflow_checks.h"
#include "lowering/from_nest/skip_stages.h"
#include "lowering/profile/count_points.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

class Builder {
  public:
    /// With a non-empty identity, memoized Funcs look up the cache.
    Builder(const BoundedLoopNest &nest, const EntryChecks &checks, const LowerOptions &options,
            const std::vector<Expr> &needs, std::string identity)
        : nest_(nest), graph_(nest.graph), placement_(nest.placement), regions_(nest.regions), checks_(checks),
          options_(options), needs_(needs), identity_(std::move(identity)) {}

    Stmt run() {
        std::vector<Stmt> whole = checks_.before_bounds;
        whole.push_back(wrap_site(Site::root(), Stmt()));
        return Block::make(whole);
    }

  private:
    const BoundedLoopNest &nest_;
    const LoweringGraph &graph_;
    const Placement &placement_;
    const Regions &regions_;
    const EntryChecks &checks_;
    const LowerOptions &options_;
    const std::vector<Expr> &needs_; // by FuncId: the Func is computed only if this holds
    const std::string identity_;

    template <typename Map> static const std::vector<FuncId> &at(const Map &map, const Site &site) {
        static const std::vector<FuncId> none;
        auto found = map.find(site);
        return found == map.end() ? none : found->second;
    }

    // Wraps what is computed, stored and bound at a site around its core.
    Stmt wrap_site(const Site &site, const Stmt &core) {
        Stmt body = core;
        const std::vector<FuncId> &computed = at(regions_.computed, site), &stored = at(regions_.stored, site);
        for (size_t i = computed.size(); i > 0;) {
            // Fused Funcs (compute_with) are adjacent, and one produce holds the stages of all.
            const std::vector<FuncId> group = fused_group(graph_, placement_, computed[i - 1]);
            check(group.size() <= i && group.front() == computed[i - group.size()], "fused Funcs stand together");
            i -= group.size();
            const bool is_cached =
                !identity_.empty() && graph_.schedule(group.front()).marks.has(schedule::DirectiveName::memoize);
            const Expr first = in_first_iterations(group);
            Stmt produce = build_funcs(group);
            for (size_t k = group.size(); options_.profiled && k-- > 0;) {
                const bool always = !first.defined() && !is_cached;
                produce = Block::make({count_points(nest_, group[k], always, *options_.profiled), produce});
            }
            if (is_cached) {
                produce = memoized(produce, nest_, group.front(), identity_);
            }
            if (first.defined()) {
                produce = IfThenElse::make(first, produce);
            }
            Stmt consume = body;
            for (const FuncId id : group) {
                const Symbol &symbol = graph_.func(id).symbol;
                produce = ProducerConsumer::make(symbol, true, produce);
                consume = consume.defined() ? ProducerConsumer::make(symbol, false, consume) : Stmt();
            }
            if (const Expr &need = needs_[group.front().index()]; group.size() == 1 && need.defined()) {
                produce = IfThenElse::make(need, produce);
            }
            body = Block::make({produce, consume});
            for (const FuncId id : group) {
                if (placement_.store[id.index()] == site) {
                    body = realize(id, body);
                }
            }
        }
        for (size_t i = stored.size(); i-- > 0;) {
            if (placement_.compute[stored[i].index()] != site) {
                body = realize(stored[i], body);
            }
        }
        // A second realize around that of a Func says where its memory is allocated: storage_layout.cpp.
        for (FuncId id : at(regions_.hoisted, site)) {
            body = realize(id, body, [&](size_t d) { return Range{make_int(Int(32), 0), memory_extent(id, d)}; });
        }
        auto found = regions_.lets.find(site);
        static const std::vector<SiteLet> none;
        const std::vector<SiteLet> &lets = found == regions_.lets.end() ? none : found->second;
        body = Block::make({assertions(lets), bounds_fit(site, lets), prefetched(site, body)});
        if (site.is_root()) {
            body = enter(body);
        }
        for (size_t i = lets.size(); i-- > 0;) {
            if (lets[i].symbol.defined()) {
                body = LetStmt::make(lets[i].symbol, lets[i].value, body);
            } else if (lets[i].in_order) {
                body = Block::make({Assert::make(lets[i].value, lets[i].error), body});
            }
        }
        return body;
    }

    // The condition under which one of the Funcs has to be computed: in the first iterations of loops along which its
    // region is invariant. Undefined: always. It is inside of the production, which async Funcs signal in each
    // iteration.
    Expr in_first_iterations(const std::vector<FuncId> &group) const {
        Expr any;
        for (const FuncId id : group) {
            Expr all;
            for (const InvariantLoop &invariant : regions_.func(id).invariant_loops) {
                all = all.defined() ? logical_and(invariant.is_first, all) : invariant.is_first;
            }
            if (!all.defined()) {
                return {};
            }
            any = any.defined() ? make_binary(ExprKind::Or, any, all) : all;
        }
        return any;
    }

    static Stmt assertions(const std::vector<SiteLet> &lets) {
        std::vector<Stmt> all;
        for (const SiteLet &let : lets) {
            if (!let.symbol.defined() && !let.in_order) {
                all.push_back(Assert::make(let.value, let.error));
            }
        }
        return Block::make(all);
    }

    // In checked code: asserts that region arithmetic does not overflow. The entry checks establish this for root.
    Stmt bounds_fit(const Site &site, const std::vector<SiteLet> &lets) const {
        std::vector<Stmt> all;
        for (const SiteLet &let : lets) {
            if (!site.is_root() && let.symbol.defined()) {
                all.push_back(fits(let.value, stage_name(site.stage), "the bound " + let.symbol.name()));
            }
        }
        return Block::make(all);
    }

    std::string stage_name(StageId id) const {
        return concat(graph_.func(id.func).name(), ", stage ", graph_.variant(id).definition);
    }

    Stmt fits(const Expr &value, const std::string &who, const std::string &what) const {
        const Expr condition = options_.checked ? does_not_overflow(value) : Expr();
        return condition.defined() && !is_true(condition) ? assert_no_overflow(condition, who, what) : Stmt();
    }

    // A loop; in checked code, with an assertion that its range does not overflow.
    Stmt make_loop(const Consumer &stage, const NestLoop &loop, const Stmt &body) const {
        const Stmt made = For::make(loop.var, loop.min, loop.extent, loop.for_type, body, loop.partition);
        return Block::make(
            {fits(add(loop.min, loop.extent), stage_name(stage), "the range of loop " + loop.name), made});
    }

    // In checked code: asserts that the coordinates of a definition do not overflow.
    Stmt coordinates_fit(StageId id, const StageNest &nest) const {
        std::vector<Stmt> all;
        if (options_.checked) {
            for (const IndexUse &use : index_uses(graph_.stage(id))) {
                all.push_back(assert_no_overflow(substitute(use.condition, nest.values()), stage_name(id),
                                                 text_for_user(use.index, graph_.pipeline.graph)));
            }
        }
        return Block::make(all);
    }

    Stmt predicate_fits(StageId id, const Expr &predicate, const Expr &substituted) const {
        return fits(substituted, stage_name(id), text_for_user(predicate, graph_.pipeline.graph));
    }

    // Adds the checks that need the regions; a bounds query is answered instead of computing anything.
    Stmt enter(const Stmt &work) {
        std::vector<Stmt> all = checks_.after_bounds;
        all.push_back(work);
        Stmt body = Block::make(all);
        if (checks_.is_query.defined()) {
            body = IfThenElse::make(checks_.is_query, Block::make(checks_.answers), body);
        }
        return body;
    }

    Stmt prefetched(const Site &site, Stmt body) const {
        const auto found = regions_.prefetches.find(site);
        if (found == regions_.prefetches.end() || !body.defined()) {
            return body;
        }
        for (size_t i = found->second.size(); i-- > 0;) {
            body = Prefetch::make(found->second[i].source, found->second[i].box, body);
        }
        return body;
    }

    Stmt realize(FuncId id, const Stmt &body) {
        return realize(id, Block::make({body, write_debug_files(nest_, id)}),
                       [&](size_t d) { return regions_.func(id).storage[d]; });
    }

    template <typename RangeOf> Stmt realize(FuncId id, const Stmt &body, const RangeOf &range_of) {
        const FuncDef &func = graph_.func(id);
        if (graph_.pipeline.graph.is_output(id) || !body.defined()) {
            return body;
        }
        std::vector<Range> bounds;
        for (size_t d = 0; d < func.dimensions(); d++) {
            bounds.push_back(range_of(d));
        }
        return Realize::make(func.symbol, func.types, graph_.schedule(id).memory, bounds, body);
    }

    // The extent in memory where it is allocated further out than the Func is stored.
    Expr memory_extent(FuncId id, size_t d) const {
        const Expr &extent = regions_.func(id).extents[d];
        return extent.defined() ? extent : regions_.func(id).folds[d];
    }

    Stmt build_funcs(const std::vector<FuncId> &funcs) {
        std::vector<Stmt> stages;
        for (const std::vector<Consumer> &together : order_stages(graph_, placement_, funcs)) {
            const auto [first, end] = graph_.alternatives(together[0]);
            if (together.size() > 1) {
                stages.push_back(build_shared(together));
            } else if (together[0].index() == first) {
                stages.push_back(build_alternatives(together[0].func, first, end));
            }
        }
        return Block::make(stages);
    }

    // The fused loops of several stages. The innermost body runs, in order, the stages whose ranges contain the
    // iteration.
    Stmt build_shared(const std::vector<Consumer> &together) {
        const StageNest &owner = regions_.nest(together[0]);
        std::vector<Stmt> parts;
        for (const Consumer &one : together) {
            const StageNest &nest = regions_.nest(one);
            const int shared = nest.first_shared();
            Stmt part = build_up_to(one, nest, shared);
            for (const NestGuard &guard : nest.guards()) {
                const bool is_body = guard.kind == NestGuard::Kind::Body && guard.depth >= shared;
                const bool is_accesses = guard.kind == NestGuard::Kind::Accesses && access_depth(nest, guard) >= shared;
                if (is_body || is_accesses) {
                    part = IfThenElse::make(guard.condition, part);
                }
            }
            for (const Expr &range : nest.own_range()) {
                part = IfThenElse::make(make_unary(ExprKind::Likely, range), part);
            }
            for (size_t d = nest.defs().size(); d-- > 0;) {
                if (nest.defs()[d].depth >= shared) {
                    part = LetStmt::make(nest.defs()[d].symbol, hinted(nest, nest.defs()[d]), part);
                }
            }
            for (const NestDef &var : nest.own_vars()) {
                part = LetStmt::make(var.symbol, var.value, part);
            }
            parts.push_back(part);
        }
        Stmt body = Block::make(parts);
        const int loops = static_cast<int>(owner.loops().size());
        for (int i = owner.first_shared(); i <= loops; i++) {
            body = wrap_site({together[0], LoopId(i)}, body);
            if (i < loops) {
                const NestLoop &loop = owner.loop(LoopId(i));
                body = make_loop(together[0], loop, body);
            }
        }
        return body;
    }

    // The body of loop `end`, without the lets, guards and Funcs at that site.
    Stmt build_up_to(StageId id, const StageNest &nest, int end) {
        Stmt body = provide(id, nest);
        for (int i = 0; i < end; i++) {
            body = wrap_site({id, LoopId(i)}, body);
            body = wrap_nest(nest, i, body);
            const NestLoop &loop = nest.loop(LoopId(i));
            body = make_loop(id, loop, body);
        }
        return body;
    }

    // A chain of ifs that runs the first specialization whose condition holds.
    Stmt build_alternatives(FuncId func, size_t first, size_t end) {
        Stmt result;
        for (size_t k = end; k-- > first;) {
            const StageId id(func, k);
            const Variant variant = graph_.variant(id);
            const Stmt body = variant.failure.empty() ? build_stage(id) : fail(func, variant.failure);
            result = variant.condition.defined() ? IfThenElse::make(variant.condition, body, result) : body;
        }
        return result;
    }

    Stmt fail(FuncId id, const std::string &message) const {
        const std::vector<Expr> args = {make_string(graph_.func(id).name()), make_string(message)};
        return Assert::make(make_bool(false), make_extern(Int(32), "fluorite_error_specialize_fail", args));
    }

    Stmt build_stage(StageId id) {
        const StageNest &nest = regions_.nest(id);
        const int loops = static_cast<int>(nest.loops().size());
        Stmt body = is_extern(graph_.func(id.func)) ? call_extern_stage(nest_, id.func) : build_up_to(id, nest, loops);
        if (graph_.schedule(id).marks.has(schedule::DirectiveName::gpu_single_thread)) {
            const Symbol block(SymbolKind::Loop, concat(graph_.func(id.func).name(), ".s", id.stage, ".single_thread"));
            body = For::make(block, int32(0), int32(1), ForType::GPUBlock, body);
        }
        body = wrap_site({id, LoopId(loops)}, body);
        return wrap_nest(nest, loops, body);
    }

    // Adds the stage's own lets and guards at loop i. The lets are outside, as guards use them.
    Stmt wrap_nest(const StageNest &nest, int i, Stmt body) const {
        for (const NestGuard &guard : nest.guards()) {
            const bool is_body = guard.kind == NestGuard::Kind::Body && guard.depth == i;
            const bool is_accesses = guard.kind == NestGuard::Kind::Accesses && access_depth(nest, guard) == i;
            if (is_body || is_accesses) {
                body = IfThenElse::make(guard.condition, body);
            }
        }
        for (size_t d = nest.defs().size(); d-- > 0;) {
            const NestDef &def = nest.defs()[d];
            if (def.depth == i) {
                body = LetStmt::make(def.symbol, hinted(nest, def), body);
            }
        }
        return body;
    }

    // The depth of a guard of loads and stores. A Func that is computed or stored inside of the guard's own loop serves
    // these accesses, so the guard stands at the outermost such site. If there is none, it stands in the innermost
    // loop.
    int access_depth(const StageNest &nest, const NestGuard &guard) const {
        for (int i = guard.depth; i > 0; i--) {
            const Site site{nest.id(), LoopId(i)};
            if (!at(regions_.computed, site).empty() || !at(regions_.stored, site).empty()) {
                return i;
            }
        }
        return 0;
    }

    static Expr all_of(const StageNest &nest, NestGuard::Kind kind) {
        Expr all = make_bool(true);
        for (const NestGuard &guard : nest.guards()) {
            if (guard.kind == kind) {
                all = is_true(all) ? guard.condition : logical_and(all, guard.condition);
            }
        }
        return all;
    }

    // Whether tasks of an atomic() stage may update one point concurrently.
    bool meets_itself(StageId id) const {
        const schedule::StageSchedule &stage = graph_.schedule(id);
        return stage.atomic && std::any_of(stage.dims.begin(), stage.dims.end(), [](const schedule::LoopDim &dim) {
                   return schedule::runs_on_threads(dim.for_type) && dim.is_rvar && !dim.reorderable;
               });
    }

    // The base of a split with TailStrategy::ShiftInwards is a min that takes effect in the last iteration only; a hint
    // marks the operand that varies.
    static Expr hinted(const StageNest &nest, const NestDef &def) {
        const bool shifts = def.value->kind() == ExprKind::Min && def.depth < static_cast<int>(nest.loops().size());
        if (!shifts) {
            return def.value;
        }
        const Symbol &loop = nest.loop(LoopId(def.depth)).own;
        const bool first = uses_symbol(def.value->arg(0), loop), second = uses_symbol(def.value->arg(1), loop);
        if (first == second) {
            return def.value;
        }
        const Expr moving = make_unary(ExprKind::LikelyIfInnermost, def.value->arg(first ? 0 : 1));
        return make_binary(ExprKind::Min, moving, def.value->arg(first ? 1 : 0));
    }

    Stmt provide(StageId id, const StageNest &nest) {
        const FuncDef &func = graph_.func(id.func);
        const Stage &stage = graph_.stage(id);
        std::vector<Expr> values, args;
        for (const Expr &value : stage.values) {
            values.push_back(substitute(value, nest.values()));
        }
        for (const Expr &arg : stage.args) {
            args.push_back(substitute(arg, nest.values()));
        }
        const Expr blended = all_of(nest, NestGuard::Kind::Blend), loaded = all_of(nest, NestGuard::Kind::Loads);
        Expr stored = all_of(nest, NestGuard::Kind::Stores);
        if (!is_true(blended) && !is_true(stored)) {
            // There may be no memory where another loop's tail does not store, so that no old value can be loaded.
            stored = logical_and(stored, blended);
        } else if (!is_true(blended)) {
            for (size_t v = 0; v < values.size(); v++) {
                const Expr old = make_call(func.types[v], func.symbol, static_cast<int>(v), args);
                values[v] = make_select(blended, values[v], old);
            }
        }
        Stmt body = Provide::make(func.symbol, graph_.variant(id).definition, values, args, stored);
        const bool is_atomic = meets_itself(id);
        if (is_atomic) {
            body = Atomic::make(func.symbol, body);
        }
        if (options_.checked) {
            body = Block::make({coordinates_fit(id, nest), body});
        }
        if (stage.predicate.defined()) {
            Expr predicate = substitute(stage.predicate, nest.values());
            body = Block::make({predicate_fits(id, stage.predicate, predicate), IfThenElse::make(predicate, body)});
        }
        return is_true(loaded) ? body : load_where(loaded, body, is_atomic || stage.predicate.defined());
    }

    // Where the condition fails, nothing is loaded and zeros are stored, as all lanes of a vector are stored together.
    // If what decides whether and where to store may load too, nothing is stored either.
    static Stmt load_where(const Expr &condition, const Stmt &body, bool whole) {
        const auto *provide = body.as<Provide>();
        const bool loads = whole || !provide ||
                           std::any_of(provide->args.begin(), provide->args.end(),
                                       [](const Expr &arg) { return arg->reads_memory(); });
        if (loads) {
            return IfThenElse::make(condition, body);
        }
        std::vector<Expr> zeros;
        for (const Expr &value : provide->values) {
            zeros.push_back(value.type().is_handle() ? value : make_zero(value.type()));
        }
        return IfThenElse::make(condition, body,
                                Provide::make(provide->func, provide->stage, zeros, provide->args, provide->predicate));
    }
};

} // namespace

Stmt build_loops(const BoundedLoopNest &nest, const EntryChecks &checks, const PassContext &context) {
    const LowerOptions &options = context.options;
    const std::vector<Expr> needs =
        options.leaves_out(Target::NoSkipping) ? std::vector<Expr>(nest.regions.funcs.size()) : find_needs(nest);
    for (FuncId id : nest.graph.order) {
        if (needs[id.index()].defined()) {
            context.beyond(nest.graph.func(id).symbol, "computed only where a value of it is selected",
                           Target::NoSkipping);
        }
    }
    if (nest.graph.memoize_keys.empty()) {
        return Builder(nest, checks, options, needs, "").run();
    }
    std::string identity = options.target + "\n";
    for (const FuncDef &func : nest.graph.pipeline.graph.funcs) {
        for (const std::string &dimension : nest.graph.schedule(func.id()).storage_order) {
            identity += func.name() + " " + dimension + "\n";
        }
    }
    identity += to_text(Builder(nest, checks, options, needs, "").run());
    return Builder(nest, checks, options, needs, identity).run();
}

} // namespace fluorite::lowering
