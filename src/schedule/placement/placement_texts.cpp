// The refusals of placement: a slug and a text for each rule of placement/resolver.h, with the legal alternatives.
//
// A text is `in <Func>: <what was seen>; <the rule>; <the fix>`, with the user's names. The resolver itself makes no
// texts, so that a search does not pay for any.

#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/placement/resolver.h"
#include "support/loop_name.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

using Rule = BrokenPlacement::Rule;
using Level = BrokenPlacement::Level;

/// What a level does, the rule about its site, and the slug of a refusal of one that is out of scope.
struct LevelWords {
    const char *verb, *slug, *rule;
};
LevelWords words_of(Level level) {
    switch (level) {
    case Level::Compute:
        return {"computed at", "compute-at-outside-consumer",
                "a Func is computed inside loops that enclose every use of it, or that every stage with a use has"};
    case Level::Store:
        return {"stored at", "store-at-inside-compute-at", "a Func is stored where it is computed or further out"};
    case Level::Hoist:
        return {"its memory is taken at", "hoist-storage-inside-store",
                "memory is taken where the Func is stored or further out"};
    }
    unreachable("a Func has three levels");
}

class PlacementTexts {
  public:
    PlacementTexts(const PlacementResolver &resolver, const ir::Graph &graph, const Schedule &schedule,
                   const BrokenPlacement &broken, const StageNames &names)
        : resolver_(resolver), graph_(graph), schedule_(schedule), broken_(broken), names_(names) {}

    Refusal run() const {
        Refusal refusal = body();
        refusal.message = "in " + name(broken_.func) + ": " + with_dotted_loops(refusal.message);
        refusal.location = broken_.location;
        return refusal;
    }

  private:
    const PlacementResolver &resolver_;
    const ir::Graph &graph_;
    const Schedule &schedule_;
    const BrokenPlacement &broken_;
    const StageNames &names_;

    const FuncSchedule &own() const { return schedule_.func(broken_.func); }
    const std::string &name(FuncId func) const { return graph_.func(func).name(); }
    std::string text(const Site &site) const { return site_text(schedule_, site, names_); }
    std::string adjective() const {
        return std::string(type_word(resolver_.rules().loop_at(broken_.loop)->for_type)) + " ";
    }
    std::vector<std::string> texts(std::span<const Site> sites) const {
        std::vector<std::string> found;
        for (const Site &site : sites) {
            found.push_back(text(site));
        }
        return found;
    }

    Refusal body() const {
        switch (broken_.rule) {
        case Rule::NoSuchStage:
        case Rule::NoSuchLoop:
            return unknown_level();
        case Rule::OutOfScope:
            return out_of_scope();
        case Rule::AtOnce:
            return at_once();
        case Rule::OutputPlaced:
        case Rule::OutputStorage:
        case Rule::OutputMemoized:
        case Rule::OutputAsync:
            return output();
        case Rule::StreamOfScalars:
            return {
                "stream-stores-of-scalars",
                "stream_stores is applied, but none of its loops is vectorized; whole vectors are what bypasses the "
                "caches; call vectorize on the loop over " +
                    (graph_.func(broken_.func).arg_names.empty() ? "a dimension"
                                                                 : graph_.func(broken_.func).arg_names[0]) +
                    " too",
                {}};
        case Rule::MemoizedApart:
            return {"memoize-placement",
                    "memoize of a Func that is stored at " + text(resolver_.store(broken_.func)) + " and computed at " +
                        text(resolver_.compute(broken_.func)) + "; what is kept is all that is stored; remove store_at",
                    {}};
        case Rule::MemoizedReshaped:
            return {"memoize-placement",
                    "memoize of a Func whose memory has another shape or place than its region; what is kept is the "
                    "region; remove fold_storage, align_storage, bound_storage and hoist_storage",
                    {}};
        case Rule::MemoizedInLanes:
            return in_lanes("memoize-placement", "memoize", "lanes do not ask the cache one by one");
        case Rule::AsyncInLanes:
            return in_lanes("async-placement", "async", "lanes start no tasks");
        case Rule::MemoizedWithOther:
            return with_other("memoize-placement", "memoize");
        case Rule::AsyncWithOther:
            return with_other("async-placement", "async");
        case Rule::RingNotHoisted:
            return ring();
        case Rule::ApartFromOther:
            return {"compute-with-levels-differ",
                    "it is computed at " + text(resolver_.compute(broken_.func)) + ", and " + name(broken_.other) +
                        ", which it is computed with, at " + text(resolver_.compute(broken_.other)) +
                        "; shared loops are at one place; give both the same compute level",
                    {}};
        }
        unreachable("every rule of placement has a text");
    }

    // ---- Levels.

    const LoopLevel &level() const {
        return broken_.level == Level::Compute ? own().compute
               : broken_.level == Level::Store ? own().store
                                               : own().hoist;
    }

    Refusal unknown_level() const {
        const FuncId target = level().func.owner().func;
        const std::vector<StageSchedule> &stages = schedule_.func(target).stages;
        const std::string seen = std::string(words_of(broken_.level).verb) + " loop " + shown_loop(level().var);
        if (broken_.rule == Rule::NoSuchStage) {
            return {"unknown-loop-level",
                    seen + " of stage " + std::to_string(level().stage) + " of " + name(target) + ", which has " +
                        std::to_string(stages.size()) +
                        ", numbered from 0; a level names a stage and a loop of the consumer; name one of them",
                    {}};
        }
        std::vector<std::string> loops;
        for (size_t k = 0; k < stages.size(); k++) {
            if (level().stage < 0 || static_cast<size_t>(level().stage) == k) {
                const std::vector<std::string> own = loop_names(stages[k]);
                loops.insert(loops.end(), own.begin(), own.end());
            }
        }
        const std::string list = join(loops);
        return {"unknown-loop-level",
                seen + " of " + name(target) + "; a level names a loop of the consumer; its loops are " + list,
                {},
                std::move(loops)};
    }

    Refusal out_of_scope() const {
        const LevelWords words = words_of(broken_.level);
        std::vector<std::string> legal = texts(resolver_.legal(broken_.func, broken_.level));
        const std::string list = join(legal);
        return {words.slug,
                std::string(words.verb) + " " + text(broken_.site) + "; " + words.rule + "; legal are " + list,
                {},
                std::move(legal)};
    }

    Refusal at_once() const {
        if (broken_.level == Level::Store) {
            return {"store-outside-parallel",
                    "stored at " + text(broken_.site) + " but computed inside the " + adjective() + text(broken_.loop) +
                        "; iterations that run at once must not share storage; store it inside that loop",
                    {}};
        }
        return {"hoist-outside-parallel",
                "its memory is taken at " + text(broken_.site) + " but used inside the " + adjective() +
                    text(broken_.loop) +
                    "; iterations that run at once each need memory of their own; hoist it no further than that loop",
                {}};
    }

    // ---- Directives that depend on sites.

    Refusal output() const {
        switch (broken_.rule) {
        case Rule::OutputPlaced:
            return {"output-computed-at",
                    "compute_at or store_at on an output of the pipeline; an output is computed at root into the "
                    "caller's buffer; remove the directive, or use in() or a wrapper Func",
                    {}};
        case Rule::OutputMemoized:
            return {"memoize-placement",
                    "memoize of an output of the pipeline; outputs are computed into the caller's buffer; make it a "
                    "copy of a Func that is memoized",
                    {}};
        case Rule::OutputAsync:
            return {"async-placement",
                    "async of an output of the pipeline; nothing waits for an output; make it a copy of a Func that is "
                    "async",
                    {}};
        default: // OutputStorage
            return {"storage-of-output",
                    std::string(storage_directive()) +
                        " is applied to an output of the pipeline; the memory of an output is the caller's; apply it "
                        "to a Func that the output reads, or to the wrapper that in() gives",
                    {}};
        }
    }

    const char *storage_directive() const {
        const FuncSchedule &schedule = own();
        return schedule.marks.has(DirectiveName::ring_buffer) ? "ring_buffer"
               : !schedule.hoist.is_inlined()                 ? "hoist_storage"
               : schedule.memory != MemoryType::Auto          ? "store_in"
               : schedule.storage[0].fold.defined()           ? "fold_storage"
               : schedule.storage[0].alignment.defined()      ? "align_storage"
               : schedule.storage[0].bound.defined()          ? "bound_storage"
                                                              : "a directive on storage";
    }

    Refusal ring() const {
        const Site &store = resolver_.store(broken_.func);
        const std::span<const Site> legal = resolver_.legal(broken_.func, Level::Hoist);
        std::vector<std::string> further_out = texts(legal.first(legal.size() - 1));
        std::string fix = further_out.empty()
                              ? "compute it inside a loop of its consumer and call hoist_storage_root() too"
                              : "call hoist_storage too; further out are " + join(further_out);
        return {"ring-buffer-not-hoisted",
                "ring_buffer, but its memory is taken at " + text(resolver_.placement().hoist[broken_.func.index()]) +
                    " and it is stored at " + text(store) +
                    ", with no loop between; iterations take turns with memory that is taken outside of their loop; " +
                    fix,
                {},
                std::move(further_out)};
    }

    Refusal in_lanes(const char *slug, const std::string &directive, const std::string &rule) const {
        return {slug,
                directive + " of a Func that is computed inside the vectorized " + text(broken_.loop) + "; " + rule +
                    "; compute it outside of that loop",
                {}};
    }

    Refusal with_other(const char *slug, const std::string &directive) const {
        return {slug,
                directive + " of a Func that is computed with " + name(broken_.other) +
                    "; loops of both run together; remove compute_with",
                {}};
    }
};

} // namespace

std::vector<Site> Placement::path_of(const Schedule &schedule, StageId stage) const {
    std::vector<Site> path;
    find_path(stage, schedule, compute, &fused, path);
    return path;
}

std::string site_text(const Schedule &schedule, const Site &site, const StageNames &names) {
    if (site.is_root()) {
        return "root";
    }
    const std::vector<LoopDim> &dims = schedule.stage(site.stage).dims;
    const std::string where = names(site.stage);
    return site.loop.index() < dims.size() ? "loop " + dims[site.loop.index()].var + " of " + where
                                           : "the outermost level of " + where;
}

Refusal PlacementResolver::refusal_of(const BrokenPlacement &broken, const StageNames &names) const {
    return PlacementTexts(*this, graph_, schedule_, broken, names).run();
}

} // namespace fluorite::schedule
