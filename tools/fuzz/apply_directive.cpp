// Each directive of a genome becomes calls of the public API, on the loops and places that there are at that moment. A tame
// directive takes the nearest legal meaning of its numbers; a wild one takes them as they are.

#include "apply_directive.h"

#include "language/function.h"
#include "schedule/directive_common.h"
#include "schedule/directive_table.h"
#include "sites.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

namespace fluorite::fuzz {

namespace {

std::string quoted(const std::string &name) { return "Var(\"" + name + "\")"; }
std::string number(int value) { return std::to_string(value); }

class Applier {
  public:
    Applier(const Genome &genome, Program &program) : genome_(genome), program_(program), sites_(genome, program) {
        program_.wrappers.resize(program_.funcs.size());
    }

    void run() {
        for (const Directive &directive : genome_.schedule) {
            Refusal refusal;
            size_t before = program_.schedule_text.size();
            try {
                apply(directive);
            } catch (const CompileError &error) {
                refusal = {error.slug(), error.what()};
            }
            program_.accepted.push_back(refusal.slug.empty() && program_.schedule_text.size() > before);
            program_.refusals.push_back(refusal);
        }
    }

  private:
    const Genome &genome_;
    Program &program_;
    SiteModel sites_;
    int fresh_ = 0;

    // What a directive is about.
    int node_ = 0;
    Func func_;
    std::string name_, on_; // the Func and the stage as C++
    std::vector<schedule::LoopDim> loops_;
    int rank_ = 0;
    // How often the body of a stage is written out or in how many lanes it runs, so that code stays small.
    std::map<std::pair<int, int>, int> copies_;
    static constexpr int most_copies = 64;
    std::set<int> bounded_; // outputs whose size is promised

    void note(const std::string &text) { program_.schedule_text.push_back(text); }

    // Sets the members above; false where the Func or stage is not there.
    bool select(const Directive &d) {
        if (d.func < 0 || d.func >= static_cast<int>(genome_.funcs.size())) {
            return false;
        }
        node_ = d.func;
        if (d.wrapper >= 0) {
            node_ = sites_.node_of_wrapper(d.func, d.wrapper);
            if (node_ < 0) {
                return false;
            }
        }
        func_ = sites_.func(node_);
        name_ = node_name(node_);
        on_ = d.stage == 0 ? name_ : name_ + ".update(" + number(d.stage - 1) + ")";
        const auto &stages = func_.function()->schedule.stages;
        if (static_cast<size_t>(d.stage) >= stages.size()) {
            return false;
        }
        loops_ = stages[static_cast<size_t>(d.stage)].dims;
        rank_ = func_.dimensions();
        return true;
    }

    std::map<int, std::string> wrapper_text_;
    std::string node_name(int node) {
        size_t index = static_cast<size_t>(node);
        return index < genome_.funcs.size() ? genome_.funcs[index].name : wrapper_text_[node];
    }

    Stage stage(const Directive &d) { return d.stage == 0 ? Stage(func_.function(), 0) : func_.update(d.stage - 1); }
    static VarOrRVar var(const std::string &name) { return {name, false}; }
    std::string dimension(int i) { return func_.args()[static_cast<size_t>(i % rank_)].name(); }

    // A loop that is not marked yet and, for what runs iterations at once, whose iterations are independent.
    std::string loop(const Directive &d, int draw, bool at_once = false) {
        const schedule::StageSchedule &stage = func_.function()->schedule.stages[static_cast<size_t>(d.stage)];
        const bool atomic = stage.atomic;
        const std::set<std::string> around_blends = schedule::loops_around_blends(stage);
        const bool has_blends = !around_blends.empty();
        std::vector<std::string> fit, all;
        for (const schedule::LoopDim &dim : loops_) {
            all.push_back(dim.var);
            const bool parallel = d.op == Directive::Op::Parallel || d.op == Directive::Op::ParallelTasks;
            bool independent = !dim.is_rvar || dim.reorderable || (atomic && !parallel);
            independent = independent && around_blends.count(dim.var) == 0 && !(parallel && dim.is_rvar && has_blends);
            if (dim.for_type == ForType::Serial && (!at_once || independent)) {
                fit.push_back(dim.var);
            }
        }
        const std::vector<std::string> &from = d.wild ? all : fit;
        return from.empty() ? "" : from[static_cast<size_t>(draw) % from.size()];
    }

    // Whether a split of the loop makes an output be written beyond its edge, whatever its size: loops inside of a split, and
    // fused ones, have no region that could grow.
    bool overhangs(const Directive &d, const std::string &loop, int factor) {
        const bool stays = d.tail == TailStrategy::GuardWithIf || d.tail == TailStrategy::Predicate ||
                           d.tail == TailStrategy::PredicateStores;
        if (!output_of(d) || stays) {
            return false;
        }
        if (bounded_.count(node_)) {
            return true;
        }
        std::map<std::string, std::optional<int>> inside; // and their extents, where constant
        for (const schedule::Split &split : func_.function()->schedule.stages[static_cast<size_t>(d.stage)].splits) {
            auto old = inside.find(split.old_var);
            std::optional<int> extent = old == inside.end() ? std::nullopt : old->second;
            bool was_inside = old != inside.end();
            int64_t by = 0;
            switch (split.kind) {
            case schedule::Split::Kind::Split:
                inside.erase(split.old_var);
                if (was_inside) {
                    inside[split.outer] = std::nullopt;
                }
                inside[split.inner] =
                    ir::is_const_int(split.factor, &by) ? std::optional(static_cast<int>(by)) : std::nullopt;
                break;
            case schedule::Split::Kind::Fuse:
                inside[split.old_var] = std::nullopt;
                break;
            case schedule::Split::Kind::Rename:
                inside.erase(split.old_var);
                if (was_inside) {
                    inside[split.outer] = extent;
                }
                break;
            }
        }
        auto found = inside.find(loop);
        if (found == inside.end()) {
            return false;
        }
        return !found->second || (d.tail == TailStrategy::ShiftInwards ||
                                          d.tail == TailStrategy::ShiftInwardsAndBlend || d.tail == TailStrategy::Auto
                                      ? *found->second < factor
                                      : *found->second % factor != 0);
    }

    TailStrategy tail(const Directive &d, const std::string &loop, int factor) {
        if (d.wild) {
            return d.tail;
        }
        bool exact =
            d.tail == TailStrategy::GuardWithIf || d.tail == TailStrategy::Predicate || d.tail == TailStrategy::Auto;
        bool is_rvar = false;
        for (const schedule::LoopDim &dim : loops_) {
            is_rvar |= dim.var == loop && dim.is_rvar;
        }
        const schedule::StageSchedule &stage = func_.function()->schedule.stages[static_cast<size_t>(d.stage)];
        const bool at_once = std::any_of(loops_.begin(), loops_.end(), [](const schedule::LoopDim &dim) {
            return dim.for_type == ForType::Parallel || dim.for_type == ForType::Vectorized;
        });
        const bool races = schedule::is_blended(d.tail) && (at_once || d.op == Directive::Op::ParallelTasks);
        const bool in_piece = d.tail == TailStrategy::PredicateLoads && schedule::is_part_of_split(stage, loop);
        bool bad = (is_rvar && !exact) || (d.stage > 0 && d.tail == TailStrategy::ShiftInwards) || races || in_piece ||
                   overhangs(d, loop, factor);
        return bad ? TailStrategy::GuardWithIf : d.tail;
    }
    static std::string text(TailStrategy tail) { return std::string("TailStrategy::") + schedule::tail_word(tail); }

    void apply(const Directive &d) {
        if (!select(d)) {
            return;
        }
        using Op = Directive::Op;
        switch (d.op) {
        case Op::ComputeRoot:
        case Op::ComputeAt:
        case Op::StoreRoot:
        case Op::StoreAt:
        case Op::ComputeInline:
            place(d);
            return;
        case Op::In:
        case Op::CloneIn:
            wrap(d);
            return;
        case Op::RFactor:
            rfactor(d);
            return;
        case Op::Specialize:
            specialize(d);
            return;
        case Op::ComputeWith:
            compute_with(d);
            return;
        case Op::FoldStorage:
            fold(d);
            return;
        case Op::HoistStorage:
            hoist(d);
            return;
        case Op::Prefetch:
            prefetch(d);
            return;
        case Op::StreamStores:
            stream(d);
            return;
        case Op::Memoize:
            if (d.wild || (is_stored_whole(d) && !reads_inputs(*func_.function()))) {
                func_.memoize();
                note(name_ + ".memoize();");
            }
            return;
        case Op::Async:
            if (d.wild || (is_outside_of_lanes(d) && reads_no_siblings(d) &&
                           func_.function()->schedule.hoist.is_inlined() && has_few_copies())) {
                func_.async();
                note(name_ + ".async();");
            }
            return;
        case Op::ReorderStorage:
        case Op::StoreIn:
        case Op::AlignStorage:
        case Op::BoundStorage:
        case Op::Bound:
        case Op::BoundExtent:
        case Op::AlignBounds:
        case Op::AlignExtent:
        case Op::SetEstimate:
            apply_to_func(d);
            return;
        case Op::Atomic:
            if (d.stage > 0 && (d.wild || commutes(d))) {
                stage(d).atomic();
                note(on_ + ".atomic();");
            }
            return;
        case Op::PartitionAll:
            if (d.other % 2) {
                stage(d).never_partition_all();
                note(on_ + ".never_partition_all();");
            } else {
                stage(d).always_partition_all();
                note(on_ + ".always_partition_all();");
            }
            return;
        default:
            if (!loops_.empty()) {
                apply_to_loop(d);
            }
        }
    }

    // ---- Shared loops.

    static bool needs(const language::Function &function, const language::Function *other,
                      std::set<const language::Function *> &seen) {
        if (&function == other) {
            return true;
        }
        return seen.insert(&function).second &&
               std::any_of(function.callees.begin(), function.callees.end(),
                           [&](const language::Function *callee) { return needs(*callee, other, seen); });
    }

    /// With a Func at the same place that has an outer loop of the same name; only one each, so that no orders cross.
    void compute_with(const Directive &d) {
        language::Function &function = *func_.function();
        const auto &own = function.schedule.stages[static_cast<size_t>(d.stage)];
        if (!function.wrappers.empty() || shares_.count(&function) || !own.specializations.empty() || loops_.empty()) {
            return;
        }
        const size_t count = program_.funcs.size();
        for (size_t k = 0; k < count; k++) {
            Func &other = program_.funcs[(k + static_cast<size_t>(d.other)) % count];
            language::Function &theirs = *other.function();
            const size_t stage = static_cast<size_t>(d.consumer_stage) % theirs.schedule.stages.size();
            const auto &their = theirs.schedule.stages[stage];
            std::set<const language::Function *> seen, seen_too;
            const bool same_place = is_output(theirs) ? is_output(function) || function.schedule.compute.is_root()
                                                      : function.schedule.compute == theirs.schedule.compute ||
                                                            (is_output(function) && theirs.schedule.compute.is_root());
            const bool is_inlined = (theirs.schedule.compute.is_inlined() && !is_output(theirs)) ||
                                    (function.schedule.compute.is_inlined() && !is_output(function));
            if (&theirs == &function || shares_.count(&theirs) || !theirs.wrappers.empty() || is_inlined ||
                !same_place || !their.specializations.empty() || needs(function, &theirs, seen) ||
                needs(theirs, &function, seen_too)) {
                continue;
            }
            size_t depth = 0;
            const size_t most = std::min(own.dims.size(), their.dims.size());
            while (depth < most &&
                   own.dims[own.dims.size() - 1 - depth].var == their.dims[their.dims.size() - 1 - depth].var &&
                   own.dims[own.dims.size() - 1 - depth].for_type ==
                       their.dims[their.dims.size() - 1 - depth].for_type) {
                depth++;
            }
            if (depth == 0) {
                continue;
            }
            const std::string at = own.dims[own.dims.size() - 1 - static_cast<size_t>(d.loop) % depth].var;
            static const LoopAlignStrategy aligns[] = {LoopAlignStrategy::Auto, LoopAlignStrategy::AlignStart,
                                                       LoopAlignStrategy::AlignEnd};
            const LoopAlignStrategy align = aligns[d.factor % 3];
            const Stage with = stage == 0 ? Stage(other.function(), 0) : other.update(static_cast<int>(stage) - 1);
            this->stage(d).compute_with(with, Var(at), align);
            shares_.insert(&function);
            shares_.insert(&theirs);
            const std::string name = genome_.funcs[(k + static_cast<size_t>(d.other)) % count].name;
            note(on_ + ".compute_with(" +
                 (stage == 0 ? name : name + ".update(" + number(static_cast<int>(stage) - 1) + ")") + ", " +
                 quoted(at) + ", LoopAlignStrategy::" + schedule::align_word(align) + ");");
            return;
        }
    }
    std::set<const language::Function *> shares_;
    bool is_output(const language::Function &function) const {
        return std::any_of(program_.outputs.begin(), program_.outputs.end(),
                           [&](const Func &output) { return output.function().get() == &function; });
    }

    // ---- Specializations: loops that keep the names that others are computed at.

    std::pair<Expr, std::string> condition(const Directive &d) {
        const size_t params = genome_.params.size();
        if (params > 0 && d.other % 3 != 0) {
            const size_t i = static_cast<size_t>(d.loop) % params;
            const Expr &param = program_.params[i];
            const std::string value =
                "cast(" + genome_.params[i].name + ".type(), " + number(genome_.params[i].value) + ")";
            const Expr same = cast(param.type(), genome_.params[i].value);
            return d.other % 3 == 1 ? std::pair(param == same, genome_.params[i].name + " == " + value)
                                    : std::pair(param < same, genome_.params[i].name + " < " + value);
        }
        const Func &output = program_.outputs[static_cast<size_t>(d.loop) % program_.outputs.size()];
        const std::string name =
            genome_
                .funcs[static_cast<size_t>(genome_.outputs[static_cast<size_t>(d.loop) % program_.outputs.size()].func)]
                .name;
        if (output.dimensions() == 0) {
            return {};
        }
        const int dim = d.consumer_stage % output.dimensions();
        // Of a Func with several values, the first one's buffer.
        const Expr extent = Func(output).output_buffers()[0].dim(dim).extent();
        const std::string text = name + ".output_buffers()[0].dim(" + number(dim) + ").extent()";
        return d.other % 2 ? std::pair(extent >= d.factor, text + " >= " + number(d.factor))
                           : std::pair(extent % d.factor == 0, text + " % " + number(d.factor) + " == 0");
    }

    void specialize(const Directive &d) {
        const auto [when, when_text] = condition(d);
        if (!when.defined()) {
            return;
        }
        if (func_.function()->schedule.stages[static_cast<size_t>(d.stage)].with ||
            shares_.count(func_.function().get())) {
            return;
        }
        Stage on = stage(d).specialize(when);
        const std::string text = on_ + ".specialize(" + when_text + ")";
        note(text + ";");
        if (loops_.empty()) {
            return;
        }
        // What it begins with is what the stage has now.
        const bool lanes = d.factor2 % 2 == 0;
        const std::string a = loop(d, d.consumer_stage + d.loop, lanes);
        int &count = copies_.try_emplace({node_, d.stage}, 1).first->second;
        if (a.empty() || count * d.factor > most_copies || on.loops().size() != loops_.size()) {
            return; // the same condition again gives the same specialization, with loops of its own
        }
        count *= d.factor;
        const TailStrategy how = TailStrategy::GuardWithIf;
        lanes ? on.vectorize(var(a), d.factor, how) : on.unroll(var(a), d.factor, how);
        note(text + (lanes ? ".vectorize(" : ".unroll(") + quoted(a) + ", " + number(d.factor) + ", " +
             this->text(how) + ");");
    }

    // ---- When it is computed.

    using Placed = schedule::LoopLevel;
    const schedule::FuncSchedule &schedule_of(const language::Function &function) const { return function.schedule; }

    // Computed at root, or at a level of consumers none of which has vectorized loops.
    bool is_outside_of_lanes(const Directive &d) const {
        if (output_of(d) || shares_.count(&*func_.function()) > 0) {
            return false;
        }
        const language::Function *at = &*func_.function();
        for (Placed level = at->schedule.compute; !level.is_root(); level = at->schedule.compute) {
            if (level.is_inlined()) {
                return false;
            }
            at = language::function_of(level.func);
            if (!at) {
                return false;
            }
            for (const schedule::StageSchedule &stage : at->schedule.stages) {
                for (const schedule::LoopDim &dim : stage.dims) {
                    if (dim.for_type == ForType::Vectorized) {
                        return false;
                    }
                }
            }
            if (genome_is_output(*at)) {
                return true;
            }
        }
        return true;
    }
    bool genome_is_output(const language::Function &function) const {
        for (const OutputGene &output : genome_.outputs) {
            if (&*sites_.func(output.func).function() == &function) {
                return true;
            }
        }
        return false;
    }
    // Each copy of what starts a task is a function of its own.
    bool has_few_copies() const {
        int64_t all = 1;
        for (const auto &[stage, count] : copies_) {
            all = std::min<int64_t>(all * count, 1 << 20);
        }
        return all <= 4 * most_copies;
    }

    bool is_stored_whole(const Directive &d) const {
        const schedule::FuncSchedule &its = func_.function()->schedule;
        return is_outside_of_lanes(d) && its.store.is_inlined() && its.hoist.is_inlined() && its.storage.empty();
    }

    static void for_each_callee(const language::Function &function,
                                const std::function<void(const language::Function &)> &visit) {
        for (const ir::Stage &stage : function.def.stages) {
            for (const language::Function *callee : language::callees_of(stage, function)) {
                visit(*callee);
                for (const language::Wrapper &wrapper : callee->wrappers) {
                    visit(*wrapper.function);
                }
            }
        }
    }
    using Seen = std::set<const language::Function *>; // a wrapper calls what it wraps
    static bool reads_inputs(const language::Function &function, Seen seen = {}) {
        return reads_unseen_inputs(function, seen);
    }
    static bool reads_unseen_inputs(const language::Function &function, Seen &seen) {
        if (!seen.insert(&function).second) {
            return false;
        }
        bool reads = !function.images.empty() || function.is_image;
        for_each_callee(function,
                        [&](const language::Function &callee) { reads = reads_unseen_inputs(callee, seen) || reads; });
        return reads;
    }

    // Everything that it reads is computed at root, inlined from there, or inside of the Func; or it is stored where it is
    // computed, so that there is one iteration.
    bool reads_no_siblings(const Directive &) const {
        const language::Function &function = *func_.function();
        return function.schedule.store.is_inlined() || callees_are_far(function, {&function});
    }
    static bool callees_are_far(const language::Function &function, Seen seen) {
        bool far = true;
        for_each_callee(function, [&](const language::Function &callee) {
            const schedule::FuncSchedule &schedule = callee.schedule;
            const bool is_root = schedule.compute.is_root();
            const bool is_inlined =
                schedule.compute.is_inlined() && (!seen.insert(&callee).second || callees_are_far(callee, seen));
            far = far && (is_root || is_inlined);
        });
        return far;
    }

    bool commutes(const Directive &d) { return schedule::commutes(func_.function()->stage_ref(d.stage, {})); }

    // ---- Loops.

    void split(const Directive &d, const std::string &old, const std::string &outer, const std::string &inner,
               int factor) {
        TailStrategy chosen = tail(d, old, factor);
        stage(d).split(var(old), Var(outer), Var(inner), factor, chosen);
        note(on_ + ".split(" + quoted(old) + ", " + quoted(outer) + ", " + quoted(inner) + ", " + number(factor) +
             ", " + text(chosen) + ");");
    }

    void apply_to_loop(const Directive &d) {
        using Op = Directive::Op;
        bool at_once =
            d.op == Op::Vectorize || d.op == Op::VectorizeWhole || d.op == Op::Parallel || d.op == Op::ParallelTasks;
        std::string a = loop(d, d.loop, at_once), b = loop(d, d.other);
        std::string v = "v" + number(++fresh_), w = "w" + number(fresh_);
        if (a.empty() || b.empty()) {
            return;
        }
        bool copies =
            d.op == Op::Vectorize || d.op == Op::VectorizeWhole || d.op == Op::Unroll || d.op == Op::UnrollWhole;
        if (copies && !d.wild) {
            int &count = copies_.try_emplace({node_, d.stage}, 1).first->second;
            if (count * d.factor > most_copies) {
                return;
            }
            count *= d.factor;
        }
        Stage on = stage(d);
        TailStrategy tail_a = tail(d, a, d.factor);
        std::string end = ", " + number(d.factor) + ", " + text(tail_a) + ");";
        switch (d.op) {
        case Op::Split:
            // One of the new loops may keep the name.
            split(d, a, d.other % 4 == 1 ? a : v, d.other % 4 == 2 ? a : w, d.factor);
            return;
        case Op::Fuse:
            fuse(d, a, v);
            return;
        case Op::Rename:
            on.rename(var(a), Var(v));
            note(on_ + ".rename(" + quoted(a) + ", " + quoted(v) + ");");
            return;
        case Op::Reorder:
            reorder(d);
            return;
        case Op::Tile:
            if (a != b) {
                tile(d, a, b, v, w);
            }
            return;
        case Op::Serial:
            on.serial(var(a));
            note(on_ + ".serial(" + quoted(a) + ");");
            return;
        case Op::Vectorize:
            on.vectorize(var(a), d.factor, tail_a);
            note(on_ + ".vectorize(" + quoted(a) + end);
            return;
        case Op::VectorizeWhole:
        case Op::UnrollWhole:
            // Only loops of constant extent can be: an inner loop made by a split.
            split(d, a, v, w, d.factor);
            if (d.op == Op::VectorizeWhole) {
                stage(d).vectorize(Var(w));
                note(on_ + ".vectorize(" + quoted(w) + ");");
            } else {
                stage(d).unroll(Var(w));
                note(on_ + ".unroll(" + quoted(w) + ");");
            }
            return;
        case Op::Unroll:
            on.unroll(var(a), d.factor, tail_a);
            note(on_ + ".unroll(" + quoted(a) + end);
            return;
        case Op::Parallel:
            on.parallel(var(a));
            note(on_ + ".parallel(" + quoted(a) + ");");
            return;
        case Op::ParallelTasks:
            on.parallel(var(a), d.factor, tail_a);
            note(on_ + ".parallel(" + quoted(a) + end);
            return;
        case Op::Partition: {
            Partition policy = d.other % 2 ? Partition::Never : Partition::Always;
            a = loops_[static_cast<size_t>(d.loop) % loops_.size()].var;
            on.partition(var(a), policy);
            note(on_ + ".partition(" + quoted(a) + ", Partition::" + (d.other % 2 ? "Never" : "Always") + ");");
            return;
        }
        default:
            return;
        }
    }

    void fuse(const Directive &d, const std::string &inner, const std::string &fresh) {
        std::string outer;
        for (size_t i = 0; i < loops_.size(); i++) {
            if (d.wild ? i == static_cast<size_t>(d.other) % loops_.size() : i > 0 && loops_[i - 1].var == inner) {
                outer = loops_[i].for_type == ForType::Serial || d.wild ? loops_[i].var : "";
            }
        }
        if (!outer.empty()) {
            stage(d).fuse(var(inner), var(outer), Var(fresh));
            note(on_ + ".fuse(" + quoted(inner) + ", " + quoted(outer) + ", " + quoted(fresh) + ");");
        }
    }

    // Two or more loops; those over dependent RVars keep their order unless the directive is wild.
    void reorder(const Directive &d) {
        if (loops_.size() < 2) {
            return;
        }
        std::vector<std::string> names;
        Random random(static_cast<uint64_t>(d.loop * 16 + d.other));
        std::vector<size_t> order(loops_.size());
        for (size_t i = 0; i < order.size(); i++) {
            order[i] = i;
            std::swap(order[i], order[static_cast<size_t>(random.in(0, static_cast<int>(i)))]);
        }
        if (!d.wild && d.stage > 0 && !commutes(d)) {
            std::vector<size_t> places, kept;
            for (size_t i = 0; i < order.size(); i++) {
                if (loops_[order[i]].is_rvar && !loops_[order[i]].reorderable) {
                    places.push_back(i);
                    kept.push_back(order[i]);
                }
            }
            std::sort(kept.begin(), kept.end());
            for (size_t i = 0; i < places.size(); i++) {
                order[places[i]] = kept[i];
            }
        }
        size_t count = d.factor % 2 ? order.size() : std::max<size_t>(2, order.size() - 1);
        std::vector<VarOrRVar> vars;
        std::string list;
        for (size_t i = 0; i < count; i++) {
            vars.push_back(var(loops_[order[i]].var));
            list += (i ? ", " : "") + quoted(loops_[order[i]].var);
        }
        stage(d).reorder(vars);
        note(on_ + ".reorder({" + list + "});");
    }

    void tile(const Directive &d, const std::string &a, const std::string &b, const std::string &v,
              const std::string &w) {
        // One tail for both: exact where either needs it.
        TailStrategy chosen = tail(d, a, d.factor) == d.tail ? tail(d, b, d.factor2) : tail(d, a, d.factor);
        std::string end = ", " + number(d.factor) + ", " + number(d.factor2) + ", " + text(chosen) + ");";
        if (d.stage > 0 && !d.wild && !commutes(d)) {
            return; // a tile reorders
        }
        switch (d.consumer_stage + d.factor2 % 3) {
        case 0:
            stage(d).tile(var(a), var(b), Var(v + "o"), Var(w + "o"), Var(v), Var(w), d.factor, d.factor2, chosen);
            note(on_ + ".tile(" + quoted(a) + ", " + quoted(b) + ", " + quoted(v + "o") + ", " + quoted(w + "o") +
                 ", " + quoted(v) + ", " + quoted(w) + end);
            return;
        case 1:
            stage(d).tile(var(a), var(b), Var(v), Var(w), d.factor, d.factor2, chosen);
            note(on_ + ".tile(" + quoted(a) + ", " + quoted(b) + ", " + quoted(v) + ", " + quoted(w) + end);
            return;
        default:
            stage(d).tile({var(a), var(b)}, {var(v), var(w)}, {d.factor, d.factor2}, chosen);
            note(on_ + ".tile({" + quoted(a) + ", " + quoted(b) + "}, {" + quoted(v) + ", " + quoted(w) + "}, {" +
                 number(d.factor) + ", " + number(d.factor2) + "}, " + text(chosen) + ");");
        }
    }

    // ---- Places.

    static std::string outermost(const Site &site) { return site.loop.empty() ? "__outermost" : site.loop; }
    LoopLevel level(const Site &site) {
        return site.is_root() ? LoopLevel::root() : LoopLevel(sites_.func(site.node), var(outermost(site)), site.stage);
    }
    std::string text(const Site &site) {
        return site.is_root() ? "LoopLevel::root()"
                              : "LoopLevel(" + node_name(site.node) + ", " + quoted(outermost(site)) + ", " +
                                    number(site.stage) + ")";
    }

    void place(const Directive &d) {
        using Op = Directive::Op;
        bool output = node_ == d.func && genome_.is_output(d.func);
        if (d.op == Op::ComputeInline) {
            if (output && !d.wild) {
                return;
            }
            func_.compute_inline();
            sites_.place_inline(node_);
            note(name_ + ".compute_inline();");
            return;
        }
        if (d.op == Op::ComputeRoot) {
            func_.compute_root();
            sites_.place(node_, Site());
            note(name_ + ".compute_root();");
            return;
        }
        bool store = d.op == Op::StoreRoot || d.op == Op::StoreAt;
        if (d.wild) {
            place_wild(d, store);
            return;
        }
        if (output || (store && !sites_.is_placed(node_))) {
            return;
        }
        std::vector<Site> legal = store ? sites_.store_sites(node_) : sites_.compute_sites(node_);
        if (legal.empty()) {
            return;
        }
        Site site = legal[static_cast<size_t>(d.loop) % legal.size()];
        if (d.op == Op::StoreRoot) {
            if (!legal[0].is_root()) {
                return;
            }
            func_.store_root();
            sites_.store(node_, Site());
            note(name_ + ".store_root();");
        } else if (store) {
            func_.store_at(level(site));
            sites_.store(node_, site);
            note(name_ + ".store_at(" + text(site) + ");");
        } else {
            func_.compute_at(level(site));
            sites_.place(node_, site);
            note(name_ + ".compute_at(" + text(site) + ");");
        }
    }

    void place_wild(const Directive &d, bool store) {
        if (d.op == Directive::Op::StoreRoot) {
            func_.store_root();
            note(name_ + ".store_root();");
            return;
        }
        if (d.consumer < 0) {
            return;
        }
        Func consumer = sites_.func(d.consumer);
        const auto &stages = consumer.function()->schedule.stages;
        size_t stage = static_cast<size_t>(d.consumer_stage) % stages.size();
        size_t loops = stages[stage].dims.size(), at = static_cast<size_t>(d.loop) % (loops + 1);
        Site site{d.consumer, static_cast<int>(stage), at == loops ? "" : stages[stage].dims[at].var, false, false};
        if (store) {
            func_.store_at(level(site));
        } else {
            func_.compute_at(level(site));
        }
        note(name_ + (store ? ".store_at(" : ".compute_at(") + text(site) + ");");
        if (!store) {
            sites_.place(node_, site);
        }
    }

    // ---- Memory.

    bool is_output() const { return node_ < static_cast<int>(genome_.funcs.size()) && genome_.is_output(node_); }

    // Small circles are refused where they are too small, or right.
    void fold(const Directive &d) {
        if (rank_ == 0 || ((is_output() || !sites_.is_placed(node_)) && !d.wild)) {
            return;
        }
        const std::string x = dimension(d.other);
        const int extent = d.loop % 4 == 0 ? 3 + d.factor : 90 + d.factor;
        const bool forward = d.factor2 % 5 != 0;
        func_.fold_storage(Var(x), extent, forward);
        note(name_ + ".fold_storage(" + quoted(x) + ", " + number(extent) + (forward ? ");" : ", false);"));
    }

    void hoist(const Directive &d) {
        if (d.wild && !is_output()) {
            func_.hoist_storage_root();
            note(name_ + ".hoist_storage_root();");
            return;
        }
        if (is_output() || !sites_.is_placed(node_)) {
            return;
        }
        const std::vector<Site> legal = sites_.hoist_sites(node_);
        if (legal.empty()) {
            return;
        }
        const Site &site = legal[static_cast<size_t>(d.loop) % legal.size()];
        func_.hoist_storage(level(site));
        note(name_ + ".hoist_storage(" + text(site) + ");");
    }

    void prefetch(const Directive &d) {
        static const char *names[] = {"Clamp", "GuardWithIf", "NonFaulting"};
        if (loops_.empty() || ((!is_output() && !sites_.is_placed(node_)) && !d.wild)) {
            return;
        }
        const size_t at = static_cast<size_t>(d.loop) % loops_.size();
        const size_t from = at + static_cast<size_t>(d.other) % (loops_.size() - at);
        const std::vector<int> sources = sites_.stored_outside(node_, d.stage, loops_[at].var);
        const std::vector<int> inputs = inputs_of(d);
        if (sources.empty() && inputs.empty()) {
            return;
        }
        const int offset = d.factor2 - 4;
        const auto strategy = static_cast<PrefetchBoundStrategy>(d.factor % 3);
        const size_t which = static_cast<size_t>(d.factor2) % (sources.size() + inputs.size());
        std::string name;
        if (which < sources.size()) {
            name = node_name(sources[which]);
            stage(d).prefetch(sites_.func(sources[which]), var(loops_[at].var), var(loops_[from].var), offset,
                              strategy);
        } else {
            const size_t input = static_cast<size_t>(inputs[which - sources.size()]);
            name = genome_.inputs[input].name;
            stage(d).prefetch(program_.inputs[input], var(loops_[at].var), var(loops_[from].var), offset, strategy);
        }
        note(on_ + ".prefetch(" + name + ", " + quoted(loops_[at].var) + ", " + quoted(loops_[from].var) + ", " +
             number(offset) + ", PrefetchBoundStrategy::" + names[static_cast<int>(strategy)] + ");");
    }

    // The inputs that the stage itself reads.
    std::vector<int> inputs_of(const Directive &d) const {
        std::vector<int> inputs;
        const FuncGene &gene = genome_.funcs[static_cast<size_t>(d.func)];
        const bool is_cut = d.stage > 0 && !func_.function()->factored.empty(); // partial results read them then
        if (d.wrapper >= 0 || gene.kind != FuncGene::Kind::Defined || is_cut) {
            return inputs;
        }
        const auto add = [&](const Term &term, const auto &self) -> void {
            if (term.op == Term::Op::Input) {
                inputs.push_back(term.source);
            }
            for (const Coordinate &c : term.coordinates) {
                for (const Term &data : c.data) {
                    self(data, self);
                }
            }
            for (const Term &arg : term.args) {
                if (!term.is_reduction()) {
                    self(arg, self);
                }
            }
        };
        for (const Term &value : d.stage == 0 ? gene.values : gene.updates[static_cast<size_t>(d.stage) - 1].values) {
            add(value, add);
        }
        return inputs;
    }

    void stream(const Directive &d) {
        bool has_vectors = d.wild;
        for (const schedule::StageSchedule &stage : func_.function()->schedule.stages) {
            for (const schedule::LoopDim &dim : stage.dims) {
                has_vectors = has_vectors || dim.for_type == ForType::Vectorized;
            }
        }
        if (has_vectors && (is_output() || sites_.is_placed(node_) || d.wild)) {
            func_.stream_stores();
            note(name_ + ".stream_stores();");
        }
    }

    // ---- Whole Funcs.

    void wrap(const Directive &d) {
        std::vector<int> consumers;
        std::string list;
        if (d.consumer >= 0) {
            consumers.push_back(d.consumer);
            list = genome_.funcs[static_cast<size_t>(d.consumer)].name;
        }
        if (d.op == Directive::Op::CloneIn) {
            if (consumers.empty() || (!d.wild && !sites_.calls(d.consumer, d.func))) {
                return;
            }
            int node = sites_.add_clone(d.func, d.consumer, func_.clone_in(sites_.func(d.consumer)));
            wrapper_text_[node] = genome_.funcs[static_cast<size_t>(d.func)].name + ".clone_in(" + list + ")";
            note(wrapper_text_[node] + ";");
            return;
        }
        Func wrapper = consumers.empty() ? func_.in() : func_.in(sites_.func(d.consumer));
        int node = sites_.add_wrapper(d.func, consumers, wrapper);
        wrapper_text_[node] = genome_.funcs[static_cast<size_t>(d.func)].name + ".in(" + list + ")";
        note(wrapper_text_[node] + ";");
    }

    void rfactor(const Directive &d) {
        std::vector<std::string> fit;
        for (const schedule::LoopDim &dim : loops_) {
            if (dim.is_rvar && (d.wild || dim.for_type == ForType::Serial)) {
                fit.push_back(dim.var);
            }
        }
        if (fit.empty() || d.wrapper >= 0 || (!d.wild && !commutes(d))) {
            return;
        }
        std::string over = fit[static_cast<size_t>(d.loop) % fit.size()], u = "u" + number(++fresh_);
        Func partial = stage(d).rfactor(VarOrRVar(over, true), Var(u));
        int node = sites_.add_partial(d.func, d.stage, partial);
        wrapper_text_[node] = node_name(d.func) + "_" + u;
        note("Func " + wrapper_text_[node] + " = " + on_ + ".rfactor(RVar(\"" + over + "\"), " + quoted(u) + ");");
    }

    const OutputGene *output_of(const Directive &d) const {
        for (const OutputGene &output : genome_.outputs) {
            if (output.func == d.func && d.wrapper < 0) {
                return &output;
            }
        }
        return nullptr;
    }

    void bound(const Directive &d, const std::string &var_name) {
        const OutputGene *output = output_of(d);
        size_t i = static_cast<size_t>(d.loop % rank_);
        // The exact region of the only output; for others one that is larger than what is needed, as a rule.
        if (output && (genome_.outputs.size() > 1 || !genome_.funcs[static_cast<size_t>(d.func)].updates.empty()) &&
            !d.wild) {
            return;
        }
        if (!output && rank_ > 1) {
            return;
        }
        int min = output ? output->min[i] : -40, extent = output ? output->extent[i] : 90;
        if (!output && !d.wild && d.other > 3) {
            return;
        }
        if (output && !d.wild) {
            for (const schedule::StageSchedule &stage : func_.function()->schedule.stages) {
                if (!stage.splits.empty()) {
                    return;
                }
            }
            bounded_.insert(node_);
        }
        if (d.op == Directive::Op::BoundExtent) {
            if (!output) {
                return;
            }
            func_.bound_extent(Var(var_name), extent);
            note(name_ + ".bound_extent(" + quoted(var_name) + ", " + number(extent) + ");");
            return;
        }
        func_.bound(Var(var_name), min, extent);
        note(name_ + ".bound(" + quoted(var_name) + ", " + number(min) + ", " + number(extent) + ");");
    }

    void apply_to_func(const Directive &d) {
        if (rank_ == 0) {
            return;
        }
        using Op = Directive::Op;
        std::string x = dimension(d.loop);
        bool aligns = d.op == Op::AlignBounds || d.op == Op::AlignExtent;
        bool bounds = d.op == Op::Bound || d.op == Op::BoundExtent;
        if (!d.wild && ((aligns && bounded_.count(node_)) || (bounds && !func_.function()->schedule.bounds.empty()))) {
            return; // they would contradict each other
        }
        switch (d.op) {
        case Op::ReorderStorage: {
            // The layout of an output is that of the buffer that it is given.
            if (rank_ < 2 || (output_of(d) && !is_sparse(output_of(d)->layout) && !d.wild)) {
                return;
            }
            std::vector<Var> vars = func_.args();
            std::swap(vars[0], vars[static_cast<size_t>(1 + d.loop % (rank_ - 1))]);
            if (rank_ > 2 && d.other % 2) {
                std::swap(vars[1], vars[2]);
            }
            std::string list;
            for (const Var &v : vars) {
                list += (list.empty() ? "" : ", ") + quoted(v.name());
            }
            func_.reorder_storage(vars);
            note(name_ + ".reorder_storage({" + list + "});");
            return;
        }
        case Op::StoreIn: {
            // Registers need sizes that are small constants.
            static const char *names[] = {"Auto", "Heap", "Stack", "Register"};
            int memory = d.wild ? d.other % 4 : d.other % 3;
            func_.store_in(static_cast<MemoryType>(memory));
            note(name_ + ".store_in(MemoryType::" + names[memory] + ");");
            return;
        }
        case Op::AlignStorage:
        case Op::BoundStorage: {
            if (is_output() && !d.wild) {
                return;
            }
            const bool is_bound = d.op == Op::BoundStorage;
            const int extent = is_bound ? 120 + d.factor2 : 3 * d.factor2 + d.other;
            is_bound ? func_.bound_storage(Var(x), extent) : func_.align_storage(Var(x), extent);
            note(name_ + (is_bound ? ".bound_storage(" : ".align_storage(") + quoted(x) + ", " + number(extent) + ");");
            return;
        }
        case Op::Bound:
        case Op::BoundExtent:
            bound(d, x);
            return;
        case Op::AlignBounds: {
            int remainder = d.other % std::max(d.factor, 1);
            func_.align_bounds(Var(x), d.factor, remainder);
            note(name_ + ".align_bounds(" + quoted(x) + ", " + number(d.factor) + ", " + number(remainder) + ");");
            return;
        }
        case Op::AlignExtent:
            func_.align_extent(Var(x), d.factor);
            note(name_ + ".align_extent(" + quoted(x) + ", " + number(d.factor) + ");");
            return;
        case Op::SetEstimate:
            func_.set_estimate(Var(x), d.loop, d.factor);
            note(name_ + ".set_estimate(" + quoted(x) + ", " + number(d.loop) + ", " + number(d.factor) + ");");
            return;
        default:
            return;
        }
    }
};

} // namespace

void apply_schedule(const Genome &genome, Program &program) { Applier(genome, program).run(); }

} // namespace fluorite::fuzz
