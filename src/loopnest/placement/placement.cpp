// Placement: from the LoopLevels of a schedule to sites in the loop nest.
//
// Consumers are placed first; schedule/placement_rules.h defines which sites are legal. A level names a loop of some
// stages of its Func: the first stage for which the site is legal is chosen.
//
// Refuses, listing the legal sites: unknown loops, levels that do not enclose every use, storage sites inside the
// compute site, storage shared between parallel iterations, and placement of outputs. Cost: Funcs x consumers x depth.

#include "loopnest/placement/placement.h"
#include "loopnest/placement/fused_loops.h"
#include "loopnest/user_text.h"
#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/placement_rules.h"
#include "support/loop_name.h"

#include <algorithm>
#include <map>

namespace fluorite::loopnest {

using namespace ir;
using schedule::LoopDim;
using schedule::LoopLevel;
using schedule::StageSchedule;

namespace {

const StageSchedule &stage_schedule(const LoweringGraph &graph, FuncId func, int stage) {
    return graph.schedule(func).stages[static_cast<size_t>(stage)];
}

std::string func_stage_text(const LoweringGraph &graph, FuncId func, int stage) {
    std::string text = graph.func(func).name();
    const Variant variant = graph.variant(func, stage);
    text += variant.definition == 0 ? "" : ".update(" + std::to_string(variant.definition - 1) + ")";
    const auto [first, end] = graph.alternatives(func, stage);
    return end - first > 1 && variant.condition.defined()
               ? concat(text, " where ", text_for_user(variant.condition, graph.pipeline.graph))
               : text;
}

class Placer {
  public:
    Placer(const LoweringGraph &graph, const std::vector<std::vector<Consumer>> &consumers)
        : graph_(graph), placement_{{}, {}, find_fused(graph), {}},
          rules_(graph.pipeline.schedule, nests_of(graph, consumers), &placement_.fused) {
        size_t count = graph.pipeline.graph.funcs.size();
        placement_.compute.resize(count);
        placement_.store.resize(count);
        placement_.hoist.resize(count);
    }

    Placement run() {
        for (size_t i = graph_.order.size(); i-- > 0;) {
            place_func(graph_.order[i]);
        }
        for (const auto &[stage, fusion] : placement_.fused) {
            check_alone(stage.func, fusion.parent.func);
            check_alone(fusion.parent.func, stage.func);
            const Site &ours = placement_.compute[stage.func.index()];
            const Site &theirs = placement_.compute[fusion.parent.func.index()];
            if (ours != theirs) {
                refuse(stage.func, "compute-with-levels-differ",
                       "it is computed at " + describe(graph_, ours) + ", and " +
                           graph_.func(fusion.parent.func).name() + ", which it is computed with, at " +
                           describe(graph_, theirs) +
                           "; shared loops are at one place; give both the same compute level",
                       fusion.location);
            }
        }
        return placement_;
    }

  private:
    const LoweringGraph &graph_;
    Placement placement_;
    schedule::PlacementRules rules_;

    static schedule::PlacementRules::Nests nests_of(const LoweringGraph &graph,
                                                    const std::vector<std::vector<Consumer>> &consumers) {
        schedule::PlacementRules::Nests nests{graph.order, consumers, {}};
        nests.has_updates.resize(graph.pipeline.graph.funcs.size());
        for (const FuncId id : graph.order) {
            nests.has_updates[id.index()] = graph.has_updates(id);
        }
        return nests;
    }

    [[noreturn]] void refuse(FuncId id, const char *slug, const std::string &text, Location location) {
        throw CompileError(slug, "in " + graph_.func(id).name() + ": " + with_dotted_loops(text), location);
    }

    std::string list(const std::vector<Site> &sites) {
        std::string text;
        for (const Site &site : sites) {
            text += (text.empty() ? "" : ", ") + describe(graph_, site);
        }
        return text;
    }

    // The candidate sites of a level: one for each stage of its Func (or the stage it names) that has the loop.
    std::vector<Site> candidates(FuncId id, const LoopLevel &level, const char *directive) {
        if (level.is_root()) {
            return {Site::root()};
        }
        FuncId target(level.func.owner().func);
        std::vector<Site> sites;
        std::vector<std::string> loops;
        const schedule::FuncSchedule &target_schedule = graph_.schedule(target);
        for (size_t k = 0; k < target_schedule.stages.size(); k++) {
            if (level.stage >= 0 && static_cast<size_t>(level.stage) != k) {
                continue;
            }
            const StageSchedule &stage = target_schedule.stages[k];
            const auto at = [&](size_t loop) { return Site{target, static_cast<int32_t>(k), LoopId(loop)}; };
            if (level.var == "__innermost") {
                sites.push_back(at(0));
            } else if (level.var == "__outermost" || level.var.empty()) {
                sites.push_back(at(stage.dims.size()));
            } else if (auto found = schedule::find_loop(stage, level.var)) {
                sites.push_back(at(*found));
            }
            for (const std::string &name : schedule::loop_names(stage)) {
                loops.push_back(name);
            }
        }
        for (Site &site : sites) { // shared loops belong to the parent
            const Fusion *fusion = placement_.fusion(site.func, site.stage);
            site = fusion && site.loop >= fusion->loop ? fusion->shared(site.loop) : site;
        }
        if (level.stage >= static_cast<int>(target_schedule.stages.size())) {
            refuse(id, "unknown-loop-level",
                   std::string(directive) + " loop " + level.var + " of stage " + std::to_string(level.stage) + " of " +
                       graph_.func(target).name() + ", which has " + std::to_string(target_schedule.stages.size()) +
                       ", numbered from 0; a level names a stage and a loop of the consumer; name one of them",
                   level.location);
        }
        if (sites.empty()) {
            refuse(id, "unknown-loop-level",
                   std::string(directive) + " loop " + level.var + " of " + graph_.func(target).name() +
                       "; a level names a loop of the consumer; its loops are " + schedule::join(loops),
                   level.location);
        }
        return sites;
    }

    Site choose(FuncId id, const LoopLevel &level, const std::vector<Site> &legal, const char *directive,
                const char *slug, const char *rule) {
        std::vector<Site> sites = candidates(id, level, directive);
        for (const Site &site : sites) {
            if (std::find(legal.begin(), legal.end(), site) != legal.end()) {
                return site;
            }
        }
        refuse(id, slug,
               std::string(directive) + " " + describe(graph_, sites.front()) + "; " + rule + "; legal are " +
                   list(legal),
               level.location);
    }

    // The loops inside `outer` that enclose `inner`, outermost first.
    std::vector<Site> loops_between(const std::vector<Site> &legal, const Site &outer, const Site &inner) const {
        std::vector<Site> loops;
        bool inside = false;
        for (const Site &site : legal) {
            if (inside && loop_at(site)) {
                loops.push_back(site);
            }
            if (site == inner) {
                break;
            }
            inside = inside || site == outer;
        }
        return loops;
    }

    const LoopDim *loop_at(const Site &site) const { return rules_.loop_at(site); }

    void check_storage(FuncId id, const Site &store, const Site &compute, Location location) {
        const schedule::PlacementVerdict verdict = rules_.store_at(id, compute, store);
        if (!verdict) {
            refuse(id, "store-outside-parallel",
                   "stored at " + describe(graph_, store) + " but computed inside the " +
                       adjective(loop_at(verdict.loop)->for_type) + describe(graph_, verdict.loop) +
                       "; iterations that run at once must not share storage; store it inside that loop",
                   location);
        }
    }

    // Memory that is allocated further out is reused by consecutive iterations.
    void check_memory(FuncId id, const Site &hoist, const Site &store, Location location) {
        const schedule::PlacementVerdict verdict = rules_.hoist_at(id, store, hoist);
        if (!verdict) {
            refuse(id, "hoist-outside-parallel",
                   "its memory is taken at " + describe(graph_, hoist) + " but used inside the " +
                       adjective(loop_at(verdict.loop)->for_type) + describe(graph_, verdict.loop) +
                       "; iterations that run at once each need memory of their own; hoist it no further than that "
                       "loop",
                   location);
        }
    }

    static std::string adjective(ForType type) { return std::string(schedule::type_word(type)) + " "; }

    void check_storage_of_output(FuncId id) {
        const schedule::FuncSchedule &schedule = graph_.schedule(id);
        const char *directive = schedule.ring_buffer                      ? "ring_buffer"
                                : !schedule.hoist.is_inlined()            ? "hoist_storage"
                                : schedule.memory != MemoryType::Auto     ? "store_in"
                                : schedule.storage.empty()                ? nullptr
                                : schedule.storage[0].fold.defined()      ? "fold_storage"
                                : schedule.storage[0].alignment.defined() ? "align_storage"
                                : schedule.storage[0].bound.defined()     ? "bound_storage"
                                                                          : "a directive on storage";
        if (directive) {
            refuse(id, "storage-of-output",
                   std::string(directive) +
                       " is applied to an output of the pipeline; the memory of an output is the caller's; apply it to "
                       "a Func that the output reads, or to the wrapper that in() gives",
                   schedule.on_storage.location);
        }
    }

    // Only vector stores can bypass the caches.
    void check_streams(FuncId id) {
        const schedule::FuncSchedule &schedule = graph_.schedule(id);
        bool has_vectors = !schedule.streams;
        for (const StageSchedule &stage : schedule.stages) {
            schedule::for_each_variant(stage, [&](const StageSchedule &variant) {
                for (const LoopDim &dim : variant.dims) {
                    has_vectors = has_vectors || dim.for_type == ForType::Vectorized;
                }
            });
        }
        if (has_vectors) {
            return;
        }
        refuse(id, "stream-stores-of-scalars",
               "stream_stores is applied, but none of its loops is vectorized; whole vectors are what bypasses the "
               "caches; call vectorize on the loop over " +
                   (graph_.func(id).arg_names.empty() ? "a dimension" : graph_.func(id).arg_names[0]) + " too",
               schedule.on_storage.location);
    }

    void place_output(FuncId id) {
        const schedule::FuncSchedule &schedule = graph_.schedule(id);
        check_storage_of_output(id);
        if (schedule.compute.is_at() || schedule.store.is_at()) {
            const LoopLevel &level = schedule.compute.is_at() ? schedule.compute : schedule.store;
            refuse(
                id, "output-computed-at",
                "compute_at or store_at on an output of the pipeline; an output is computed at root into the caller's "
                "buffer; remove the directive, or use in() or a wrapper Func",
                level.location);
        }
        if (schedule.memoize) {
            refuse(id, "memoize-placement",
                   "memoize of an output of the pipeline; outputs are computed into the caller's buffer; make it a "
                   "copy of a "
                   "Func that is memoized",
                   schedule.memoize.location);
        }
        if (schedule.async) {
            refuse(id, "async-placement",
                   "async of an output of the pipeline; nothing waits for an output; make it a copy of a Func that is "
                   "async",
                   schedule.async.location);
        }
        placement_.compute[id.index()] = placement_.store[id.index()] = placement_.hoist[id.index()] = Site::root();
    }

    void place_func(FuncId id) {
        check_streams(id);
        if (graph_.pipeline.graph.is_output(id)) {
            place_output(id);
            return;
        }
        const schedule::FuncSchedule &schedule = graph_.schedule(id);
        const std::span<const Site> visible = rules_.legal(id);
        const std::vector<Site> legal(visible.begin(), visible.end());
        Site compute =
            choose(id, schedule.compute, legal, "computed at", "compute-at-outside-consumer",
                   "a Func is computed inside loops that enclose every use of it, or that every stage with a "
                   "use has");
        Site store = compute;
        if (!schedule.store.is_inlined()) {
            size_t depth = static_cast<size_t>(std::find(legal.begin(), legal.end(), compute) - legal.begin());
            std::vector<Site> outward(legal.begin(), legal.begin() + static_cast<long>(depth) + 1);
            store = choose(id, schedule.store, outward, "stored at", "store-at-inside-compute-at",
                           "a Func is stored where it is computed or further out");
            check_storage(id, store, compute, schedule.store.location);
        }
        Site hoist = store;
        if (!schedule.hoist.is_inlined()) {
            size_t depth = static_cast<size_t>(std::find(legal.begin(), legal.end(), store) - legal.begin());
            std::vector<Site> outward(legal.begin(), legal.begin() + static_cast<long>(depth) + 1);
            hoist = choose(id, schedule.hoist, outward, "its memory is taken at", "hoist-storage-inside-store",
                           "memory is taken where the Func is stored or further out");
            check_memory(id, hoist, store, schedule.hoist.location);
        }
        if (schedule.memoize) {
            check_memoize(id, legal, store, compute);
        }
        if (schedule.ring_buffer) {
            check_ring(id, legal, hoist, store);
        }
        if (schedule.async) {
            refuse_lanes(id, legal, compute, "async-placement", "async", "lanes start no tasks",
                         schedule.async.location);
        }
        rules_.move(id, compute);
        placement_.compute[id.index()] = compute;
        placement_.store[id.index()] = store;
        placement_.hoist[id.index()] = hoist;
    }

    // Iterations take turns with the ring's memory, so it must be allocated outside of a loop.
    void check_ring(FuncId id, const std::vector<Site> &legal, const Site &hoist, const Site &store) {
        if (loops_between(legal, hoist, store).empty()) {
            const std::vector<Site> further_out(legal.begin(), std::find(legal.begin(), legal.end(), store));
            refuse(
                id, "ring-buffer-not-hoisted",
                "ring_buffer, but its memory is taken at " + describe(graph_, hoist) + " and it is stored at " +
                    describe(graph_, store) +
                    ", with no loop between; iterations take turns with memory that is taken outside of their loop; " +
                    (further_out.empty() ? "compute it inside a loop of its consumer and call hoist_storage_root() too"
                                         : "call hoist_storage too; further out are " + list(further_out)),
                graph_.schedule(id).ring_buffer.location);
        }
    }

    void check_memoize(FuncId id, const std::vector<Site> &legal, const Site &store, const Site &compute) {
        const Location &location = graph_.schedule(id).memoize.location;
        if (store != compute) {
            refuse(id, "memoize-placement",
                   "memoize of a Func that is stored at " + describe(graph_, store) + " and computed at " +
                       describe(graph_, compute) + "; what is kept is all that is stored; remove store_at",
                   location);
        }
        const schedule::FuncSchedule &schedule = graph_.schedule(id);
        if (!schedule.storage.empty() || !schedule.hoist.is_inlined()) {
            refuse(id, "memoize-placement",
                   "memoize of a Func whose memory has another shape or place than its region; what is kept is the "
                   "region; "
                   "remove fold_storage, align_storage, bound_storage and hoist_storage",
                   location);
        }
        refuse_lanes(id, legal, compute, "memoize-placement", "memoize", "lanes do not ask the cache one by one",
                     location);
    }

    void refuse_lanes(FuncId id, const std::vector<Site> &legal, const Site &compute, const char *slug,
                      const std::string &directive, const std::string &rule, const Location &location) {
        for (const Site &site : legal) {
            const LoopDim *loop = loop_at(site);
            if (loop && loop->for_type == ForType::Vectorized) {
                refuse(id, slug,
                       directive + " of a Func that is computed inside the vectorized " + describe(graph_, site) +
                           "; " + rule + "; compute it outside of that loop",
                       location);
            }
            if (site == compute) {
                break;
            }
        }
    }

    // A Func that shares its loops with another one is not produced separately.
    void check_alone(FuncId id, FuncId other) {
        const schedule::FuncSchedule &schedule = graph_.schedule(id);
        const std::string rest = " of a Func that is computed with " + graph_.func(other).name() +
                                 "; loops of both run together; remove compute_with";
        if (id != other && schedule.memoize) {
            refuse(id, "memoize-placement", "memoize" + rest, schedule.memoize.location);
        }
        if (id != other && schedule.async) {
            refuse(id, "async-placement", "async" + rest, schedule.async.location);
        }
    }

    const StageSchedule &stage_of(const Site &site) const { return stage_schedule(graph_, site.func, site.stage); }
};

} // namespace

std::vector<Site> Placement::path_of(const LoweringGraph &graph, FuncId func, int stage) const {
    std::vector<Site> path;
    schedule::find_path({func, stage}, graph.pipeline.schedule, compute, &fused, path);
    return path;
}

std::string describe(const LoweringGraph &graph, const Site &site) {
    if (site.is_root()) {
        return "root";
    }
    FuncId func = site.func;
    const StageSchedule &stage = stage_schedule(graph, func, site.stage);
    std::string where = func_stage_text(graph, func, site.stage);
    if (site.loop.index() >= stage.dims.size()) {
        return "the outermost level of " + where;
    }
    return "loop " + stage.dims[site.loop.index()].var + " of " + where;
}

Placement place(const LoweringGraph &graph, const std::vector<std::vector<Consumer>> &consumers) {
    return Placer(graph, consumers).run();
}

} // namespace fluorite::loopnest
