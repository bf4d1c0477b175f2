#include "verify/certify.h"

#include "ir/extern_stage.h"
#include "schedule/storage_order.h"
#include "support/check.h"
#include "verify/accesses/reads.h"
#include "verify/certificate.h"
#include "verify/loops/new_loops.h"
#include "verify/loops/partial_results.h"
#include "verify/loops/scans.h"
#include "verify/loops/shared_loops.h"
#include "verify/loops/slides.h"
#include "verify/loops/stage_loops.h"
#include "verify/loops/windows.h"
#include "verify/rewrite/reductions.h"
#include "verify/terms/search.h"

#include <algorithm>
#include <set>

namespace fluorite::verify {

namespace {

using Kind = Term::Kind;

// What the schedule says of regions and memory. The extents of the output that it promises count where none is given.
ConvertOptions convert_options(const schedule::ScheduledGraph &pipeline, const CertifyOptions &wanted) {
    ConvertOptions options;
    for (const FuncId output : pipeline.graph.outputs) {
        options.extents.emplace(size_t(output.index()), wanted.extents);
    }
    options.inputs_at_zero = wanted.inputs_at_zero;
    for (const schedule::FuncSchedule &schedule : pipeline.schedule.funcs) {
        for (const schedule::StageSchedule &stage : schedule.stages) {
            for_each_condition(stage, [&](const auto &one) { options.conditions.push_back(one.condition); });
        }
    }
    options.output_facts = [&](size_t output, size_t d, const Index &extent) {
        const schedule::FuncSchedule &schedule = pipeline.schedule.funcs[output];
        const std::string &dim = pipeline.graph.funcs[output].arg_names[d];
        Facts facts;
        for (const schedule::Bound &bound : schedule.bounds) { // what is computed has to be what is stored
            const std::optional<Alignment> alignment = alignment_of(bound);
            if (bound.var == dim && alignment && !extent.is_number()) {
                facts.push_back(eq(extent, extent / alignment->modulus * alignment->modulus));
            }
        }
        if (schedule.stages[0].specializations.empty()) { // else each alternative demands its own
            const Facts more = size_facts(schedule.stages[0], dim, extent);
            facts.insert(facts.end(), more.begin(), more.end());
        }
        return facts;
    };
    options.widen = [&](size_t f, size_t d, const Interval &read, const Assumptions &assumptions) {
        const schedule::FuncSchedule &schedule = pipeline.schedule.funcs[f];
        const ir::FuncDef &func = pipeline.graph.funcs[f];
        // Others have windows, which are widened where they are bound.
        const bool is_whole = schedule.compute.is_root() || schedule.store.is_root();
        return is_whole ? widened(read, schedule, func.arg_names[d], true, assumptions) : read;
    };
    for (size_t f = 0; f < pipeline.graph.funcs.size(); f++) {
        const schedule::FuncSchedule &schedule = pipeline.schedule.funcs[f];
        if (!schedule.storage_order.empty() && !pipeline.graph.is_output(FuncId(int32_t(f)))) {
            options.storage_order.emplace(f, schedule::storage_order_of(pipeline.graph.funcs[f], schedule));
        }
        for (const schedule::Bound &bound : pipeline.schedule.funcs[f].bounds) {
            const std::optional<PromisedRange> promise = promise_of(bound);
            const size_t d = dimension_of(pipeline.graph.funcs[f], bound.var);
            if (!promise) {
                continue;
            }
            options.promised.insert_or_assign({f, d}, *promise);
            if (pipeline.graph.is_output(FuncId(int32_t(f))) && promise->min == 0) {
                std::vector<int64_t> &extents = options.extents.at(f);
                extents.resize(std::max(extents.size(), d + 1));
                if (extents[d] == 0) {
                    extents[d] = promise->max + 1;
                }
            }
        }
    }
    return options;
}

class Certifier {
  public:
    Certifier(const schedule::ScheduledGraph &pipeline, const CertifyOptions &options)
        : Certifier(pipeline, pipeline.graph, {}, options) {}
    /// The certificate begins with the definitions of `written`, from which rfactor has made those of the pipeline.
    Certifier(const schedule::ScheduledGraph &pipeline, const ir::Graph &written,
              const std::vector<FactoredUpdate> &factored, const CertifyOptions &options)
        : graph_(pipeline.graph), schedule_(pipeline.schedule), promises_(convert_options(pipeline, options)),
          conversion_(convert(written, promises_)),
          derivation_(conversion_.program, conversion_.facts, options.keep_programs),
          loops_(graph_, schedule_, conversion_, derivation_, operators_),
          shared_(graph_, schedule_, conversion_, loops_) {
        source_ = conversion_.program;
        for (const FactoredUpdate &one : factored) {
            bind_partial_results(derivation_, pipeline, written, one, conversion_, operators_);
        }
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            if (conversion_.needed[f] && !conversion_.is_body(f)) {
                bound_.push_back(f);
            }
        }
        check_order_of_bindings();
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            for (const Dimension &dim : conversion_.funcs[f].dims) {
                loops_.origins[conversion_.funcs[f].name].mins.push_back(dim.min);
                loops_.origins[conversion_.funcs[f].name].dimensions.push_back(dim.dimension);
            }
            loops_.origins[conversion_.funcs[f].name].func = f;
            align_memory(loops_.origins[conversion_.funcs[f].name]);
        }
    }

    void run(Certified &result) {
        if (const size_t output = conversion_.outputs[0]; conversion_.is_body(output)) {
            loops_.schedule(Path(bound_.size(), 1), output, conversion_.funcs[output].name, true, result);
        }
        for (size_t i = bound_.size(); i > 0; i--) {
            place(i - 1, result);
        }
        shared_.bring_together(derivation_, windows_, slides_, result);
        result.reordered = operators_;
        result.reassociates = std::ranges::any_of(operators_, [&](const std::string &op) { return rounds(op); });
        result.steps = derivation_.steps().size();
        result.stages = bound_.size() + 1;
        finish(result);
        result.programs = derivation_.programs();
    }

  private:
    // Paths of bindings count them in the order of the graph.
    void check_order_of_bindings() const {
        Term here = derivation_.program();
        for (const size_t f : bound_) {
            if (here.kind() != Kind::Let || here.name() != conversion_.funcs[f].name) {
                throw Unsupported{"partial results are bound elsewhere than the pipeline computes them"};
            }
            here = Term(here.operand(1));
        }
    }
    // Whether another order of operands may give another element.
    bool rounds(const std::string &word) const {
        const std::optional<analysis::Contribution> found = reduction_by(conversion_.operators.at(word));
        return !found || found->split != analysis::Law::Exact || found->commute != analysis::Law::Exact;
    }
    // What the certificate says of the target's reads and stores, and its text.
    void finish(Certified &result) {
        CertificateParts parts{derivation_.facts(),   conversion_.inputs,  source_,
                               derivation_.program(), derivation_.steps(), {}};
        try {
            parts.reads = witnesses_of_reads(parts.facts, parts.inputs, parts.target);
            result.reads = true;
        } catch (const Unsupported &unsupported) {
            result.no_reads = unsupported.reason;
        }
        try {
            std::vector<StorePlan> stores = plan_stores(parts.facts, parts.target, derivation_.positions());
            parts.stores = texts_of(stores);
            shared_.note_fused_bindings(stores, parts, result);
            const SlidePlans slides = plan_slides(parts.facts, parts.target, stores, slides_);
            note_slides(slides, parts, result);
            note_folds(slides.results, result);
            shared_.note_fused_windows(stores, slides.results, parts, result);
            note_scans(parts, result);
            if (result.reads) {
                result.target = ScheduledTerm{conversion_,       parts.facts,    parts.target,
                                              std::move(stores), loops_.origins, shared_.fused_bindings(),
                                              scan_plans_};
            }
        } catch (const Unsupported &unsupported) {
            result.no_stores = unsupported.reason;
            note_folds({}, result);
            shared_.note_none(unsupported.reason, result);
        }
        result.asks_for_mins = std::ranges::any_of(conversion_.names, [](const auto &name) {
            return name.second->kind() == ir::ExprKind::BufferField && name.second->member().field == ir::Field::Min;
        });
        result.text = to_text(parts);
    }

    void note_slides(const SlidePlans &plans, CertificateParts &parts, Certified &result) const {
        if (!plans.texts.empty()) {
            parts.slides = plans.texts;
        }
        for (const SlideResult &slide : plans.results) {
            const std::string func = conversion_.funcs[loops_.origins.at(slide.tensor).func].name;
            const std::string kept = "the whole of it is computed where it is stored: ";
            result.directives.push_back({func, "store_at", slide.reason.empty() ? "" : kept + slide.reason});
        }
    }
    void note_scans(CertificateParts &parts, Certified &result) {
        std::vector<std::string> texts;
        for (const ScanLoops &loops : loops_.scans()) {
            std::string reason;
            try {
                scan_plans_.push_back(plan_scan(parts.facts, parts.target, loops));
                texts.push_back(scan_plans_.back().text);
            } catch (const Unsupported &unsupported) {
                reason = unsupported.reason;
            }
            for (const Coverage &coverage : loops.directives) {
                result.directives.push_back(
                    {coverage.func, coverage.directive, coverage.covered() ? reason : coverage.reason});
            }
        }
        if (!texts.empty()) {
            parts.scans = texts;
        }
    }
    bool scans(size_t f) const { return is_scan(graph_.funcs[f]); }
    const schedule::FuncSchedule &schedule_of(size_t f) const { return schedule_.funcs[f]; }

    // ---- One Func.

    void place(size_t i, Certified &result) {
        size_t f = bound_[i];
        const schedule::FuncSchedule &schedule = schedule_of(f);
        const std::string &name = conversion_.funcs[f].name;
        Path binding(i, 1);
        if (conversion_.is_output(f)) { // one of several
            loops_.schedule(binding + Path{0}, f, name, true, result);
            return;
        }
        if (schedule.compute.is_root()) {
            result.directives.push_back({name, "compute_root", ""});
            loops_.schedule(binding + Path{0}, f, name, false, result);
            return;
        }
        if (scans(f)) { // a binding at root, whatever the schedule says
            result.directives.push_back({name, schedule.compute.is_inlined() ? "compute_inline" : "compute_at",
                                         "an update reads other elements than the one that it writes"});
            loops_.schedule(binding + Path{0}, f, name, false, result);
            return;
        }
        if (schedule.compute.is_inlined()) {
            if (const std::string reason = why_not_inlined(derivation_, binding, name); !reason.empty()) {
                result.directives.push_back({name, "compute_inline", reason});
                loops_.schedule(binding + Path{0}, f, name, false, result);
                return;
            }
            // Lowering computes a Func with updates in the innermost loop around its reads, each element once.
            const bool has_updates = graph_.funcs[f].stages.size() > 1;
            const Term scope = derivation_.subterm(binding + Path{1});
            const bool is_read_once = !has_updates || reads_of(scope, name, derivation_.facts()).size() == 1;
            result.directives.push_back(
                {name, "compute_inline",
                 is_read_once ? "" : "it has updates, and several reads of it, for each of which it is computed"});
            inline_binding(derivation_, binding, name);
            return;
        }
        size_t consumer = schedule.compute.func.owner().func.index();
        int stage =
            schedule.compute.stage >= 0 ? schedule.compute.stage : int(graph_.funcs[consumer].stages.size()) - 1;
        const std::vector<std::string> loops =
            loops_.words_of_loop(schedule.compute.func.name(), stage, schedule.compute.var);
        std::string directive = "compute_at(" + schedule.compute.func.name() + ", " + schedule.compute.var + ")";
        if (slides_from(schedule)) {
            return place_sliding(i, f, loops, directive, result);
        }
        if (is_outermost(schedule.compute) ? bind_outside(f, binding, consumer, directive, result)
                                           : bind_windows(f, loops, directive, result)) {
            schedule_windows(binding, f, result);
        }
    }
    static bool is_outermost(const schedule::LoopLevel &level) {
        return level.is_at() && (level.var.empty() || level.var == "__outermost");
    }
    // A window around the loops of each nest of the consumer.
    bool bind_outside(size_t f, const Path &binding, size_t consumer, const std::string &directive, Certified &result) {
        std::vector<std::string> nests;
        for (const auto &[tensor, origin] : loops_.origins) {
            if (origin.func == consumer && !conversion_.is_body(consumer) &&
                find_binding(derivation_.program(), tensor)) {
                nests.push_back(tensor);
            }
        }
        std::string reason = "its consumer is not in the term";
        bool done = conversion_.is_body(consumer) && bind_window(binding + Path{1}, f, reason);
        for (const std::string &nest : nests) {
            done = bind_window(*find_binding(derivation_.program(), nest), f, reason);
            if (!done) {
                break;
            }
        }
        result.directives.push_back({conversion_.funcs[f].name, directive, done ? "" : reason});
        return done;
    }
    // A window in each loop of the names; false, and the reason is noted, if one cannot be bound.
    bool bind_windows(size_t f, const std::vector<std::string> &loops, const std::string &directive,
                      Certified &result) {
        std::string reason = "the loop is not in the term";
        size_t count = 0;
        for (const std::string &loop : loops) {
            const size_t alternatives = find_loop_bodies(derivation_.program(), loop).size();
            for (size_t a = 0; a < alternatives; a++, count++) {
                if (!bind_window(find_loop_bodies(derivation_.program(), loop)[a], f, reason)) {
                    result.directives.push_back({conversion_.funcs[f].name, directive, reason});
                    return false;
                }
            }
        }
        result.directives.push_back({conversion_.funcs[f].name, directive, count > 0 ? "" : reason});
        return count > 0;
    }
    void schedule_windows(const Path &binding, size_t f, Certified &result) {
        inline_binding(derivation_, binding, conversion_.funcs[f].name);
        const std::vector<std::string> windows = windows_[f];
        for (size_t w = 0; w < windows.size(); w++) {
            std::optional<Path> at = find_binding(derivation_.program(), windows[w]);
            check(at.has_value(), "the window was just bound");
            loops_.schedule(*at + Path{0}, f, windows[w], false, result, w == 0 ? "" : ".w" + std::to_string(w));
        }
    }

    static bool slides_from(const schedule::FuncSchedule &schedule) {
        return !schedule.store.is_inlined() && !(schedule.store == schedule.compute);
    }
    // Bound where it is stored; that the loop inside computes it row by row is a part of the certificate of its own.
    void place_sliding(size_t i, size_t f, const std::vector<std::string> &loops, const std::string &directive,
                       Certified &result) {
        const schedule::FuncSchedule &schedule = schedule_of(f);
        const std::string &name = conversion_.funcs[f].name;
        const Path binding(i, 1);
        if (schedule.store.is_root()) {
            result.directives.push_back({name, directive, ""});
            note_slide(name, derivation_.program(), loops, result);
            return loops_.schedule(binding + Path{0}, f, name, false, result);
        }
        const size_t owner = schedule.store.func.owner().func.index();
        const int stage = schedule.store.stage >= 0 ? schedule.store.stage : int(graph_.funcs[owner].stages.size()) - 1;
        if (!(is_outermost(schedule.store)
                  ? bind_outside(f, binding, owner, directive, result)
                  : bind_windows(f, loops_.words_of_loop(schedule.store.func.name(), stage, schedule.store.var),
                                 directive, result))) {
            return;
        }
        for (const std::string &window : windows_[f]) {
            const std::optional<Path> at = find_binding(derivation_.program(), window);
            check(at.has_value(), "the window was just bound");
            note_slide(window, derivation_.subterm(*at), loops, result);
        }
        schedule_windows(binding, f, result);
    }
    // The extents of circular buffers that the schedule asks for, by the index of the dimension.
    std::map<size_t, int64_t> folds_of(const std::string &tensor) const {
        const Origin &origin = loops_.origins.at(tensor);
        std::map<size_t, int64_t> folds;
        for (const schedule::StorageDim &dim : schedule_of(origin.func).storage) {
            const size_t d = dimension_of(graph_.funcs[origin.func], dim.var);
            const auto index = size_t(std::ranges::find(origin.dimensions, d) - origin.dimensions.begin());
            int64_t extent = 0;
            if (dim.fold.defined() && dim.fold_forward && ir::is_const_int(dim.fold, &extent)) {
                folds.emplace(index, extent);
            }
        }
        return folds;
    }
    // Whether a circular buffer that the schedule asks for is that of the certificate.
    void note_folds(const std::vector<SlideResult> &slides, Certified &result) const {
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            for (const schedule::StorageDim &dim : schedule_of(f).storage) {
                if (dim.fold.defined() && conversion_.needed[f]) {
                    result.directives.push_back(
                        {conversion_.funcs[f].name, "fold_storage(" + dim.var + ")", why_not_folded(f, dim, slides)});
                }
            }
        }
    }
    std::string why_not_folded(size_t f, const schedule::StorageDim &dim,
                               const std::vector<SlideResult> &slides) const {
        bool is_there = false;
        for (const SlideResult &slide : slides) {
            const Origin &origin = loops_.origins.at(slide.tensor);
            if (origin.func != f) {
                continue;
            }
            is_there = true;
            if (!slide.reason.empty()) {
                return "its rows are not added in a loop: " + slide.reason;
            }
            const std::map<size_t, int64_t> folds = folds_of(slide.tensor);
            const auto asked = folds.find(slide.dimension);
            if (asked == folds.end()) {
                return dim.fold_forward ? "another dimension is the one whose rows the loop adds, or the extent is no "
                                          "constant"
                                        : "rows of a window that slides are added in ascending order";
            }
            if (!(slide.rows == Index(asked->second))) {
                return "nothing shows that " + std::to_string(asked->second) +
                       " rows are enough; the certificate has memory for " + to_text(slide.rows);
            }
        }
        return is_there ? "" : "it is stored and computed at one loop, and the whole of it is there";
    }
    // That the rows of the tensor are computed in a loop of the scope.
    void note_slide(const std::string &tensor, const Term &scope, const std::vector<std::string> &loops,
                    Certified &result) {
        std::vector<std::string> found;
        for (const std::string &loop : loops) {
            const size_t count = find_loop_bodies(scope, loop).size();
            found.insert(found.end(), count, loop);
        }
        if (found.size() == 1) {
            slides_.push_back({tensor, found[0], folds_of(tensor)});
            return;
        }
        result.directives.push_back(
            {conversion_.funcs[loops_.origins.at(tensor).func].name, "store_at",
             found.empty() ? "the whole of it is computed where it is stored: the loop is not in the term"
                           : "the whole of it is computed where it is stored: the loop that computes its rows is "
                             "specialized"});
    }

    // Binds what the reads of the Func below the site need.
    bool bind_window(const Path &site, size_t f, std::string &reason) {
        const Tensor &tensor = conversion_.funcs[f];
        std::vector<std::string> &windows = windows_[f];
        const std::string name = tensor.name + ".tile" + (windows.empty() ? "" : "." + std::to_string(windows.size()));
        const auto widen = [&](const Path &path, std::vector<Interval> &region) {
            widen_to_promises(path, f, region);
            widen_to_tails(path, f, region, facts_at(derivation_, path));
        };
        const std::optional<std::vector<Interval>> region =
            fluorite::verify::bind_window(derivation_, site, tensor, name, widen, reason);
        if (!region) {
            return false;
        }
        windows.push_back(name);
        Origin &origin = loops_.origins[name];
        origin = {f, {}, {}};
        for (size_t d = 0; d < region->size(); d++) {
            origin.dimensions.push_back(tensor.dims[d].dimension);
            origin.mins.push_back(simplified((*region)[d].low + tensor.dims[d].min));
        }
        align_memory(origin);
        return true;
    }
    void align_memory(Origin &origin) const {
        for (const schedule::StorageDim &dim : schedule_of(origin.func).storage) {
            const size_t d = dimension_of(graph_.funcs[origin.func], dim.var);
            int64_t alignment = 0;
            const auto found = std::ranges::find(origin.dimensions, d);
            if (dim.alignment.defined() && ir::is_const_int(dim.alignment, &alignment) &&
                found != origin.dimensions.end()) {
                origin.alignments.resize(origin.dimensions.size(), 1);
                origin.alignments[size_t(found - origin.dimensions.begin())] = alignment;
            }
        }
    }
    void widen_to_promises(const Path &site, size_t f, std::vector<Interval> &region) {
        const std::vector<Dimension> &dims = conversion_.funcs[f].dims;
        const auto holds = [&](const Condition &fact) {
            const bool is_about_sizes = std::ranges::none_of(
                fact.indices, [&](const Index &index) { return varies(derivation_, site, index); });
            return find_witness(facts_at(derivation_, site), fact) || (is_about_sizes && derivation_.assume(fact));
        };
        for (size_t i = 0; i < region.size(); i++) {
            const auto found = promises_.promised.find({f, dims[i].dimension});
            if (found == promises_.promised.end()) {
                continue;
            }
            const Index low = simplified(found->second.min - dims[i].min),
                        high = simplified(found->second.max - dims[i].min);
            if (holds(le(low, region[i].low)) && holds(le(region[i].high, high))) {
                region[i] = {low, high};
            }
        }
    }
    // What the tails of the window compute beyond what is read.
    void widen_to_tails(const Path &site, size_t f, std::vector<Interval> &region, const Facts &facts) {
        const std::vector<Dimension> &dims = conversion_.funcs[f].dims;
        const auto assume = [&](const Condition &fact) {
            const bool is_about_sizes = std::ranges::none_of(
                fact.indices, [&](const Index &index) { return varies(derivation_, site, index); });
            return is_about_sizes && derivation_.assume(fact);
        };
        bool is_steady = true;
        for (const Interval &range : region) {
            is_steady = is_steady && !varies(derivation_, site, simplified(range.high - range.low + 1));
        }
        for (size_t i = 0; i < region.size(); i++) {
            const Index &min = dims[i].min; // indices of the term begin at 0, and promises speak of coordinates
            const Interval range =
                widened({simplified(region[i].low + min), simplified(region[i].high + min)}, schedule_of(f),
                        graph_.funcs[f].arg_names[dims[i].dimension], is_steady, {facts, assume});
            region[i] = {simplified(range.low - min), simplified(range.high - min)};
        }
    }

    const ir::Graph &graph_;
    const schedule::Schedule &schedule_;
    const ConvertOptions promises_;
    Conversion conversion_;
    Derivation derivation_;
    std::set<std::string> operators_; // that steps take for associative and commutative
    FuncLoops loops_;
    SharedLoops shared_;
    Term source_ = Term::number(0);
    std::vector<size_t> bound_; // Funcs with bindings, outermost first; those after a placed one are settled
    std::map<size_t, std::vector<std::string>> windows_; // of Funcs that are computed inside of loops
    std::vector<ScanPlan> scan_plans_;                   // of those that keep the order
    std::vector<SlideRequest> slides_;                   // in the order of placing
};

} // namespace

// From the definitions as written; nothing, and why, where the steps of rfactor have none.
static std::optional<Certified> certify_as_written(const schedule::ScheduledGraph &pipeline,
                                                   const CertifyOptions &options, std::string &reason) {
    try {
        const std::vector<FactoredUpdate> factored = factored_updates(pipeline);
        Certified result;
        for (const FactoredUpdate &one : factored) {
            result.directives.push_back({pipeline.rewritten->graph.funcs[one.func].name(), "rfactor", ""});
        }
        Certifier(*pipeline.rewritten, as_written(pipeline, factored), factored, options).run(result);
        return result;
    } catch (const Unsupported &unsupported) {
        reason = unsupported.reason;
        return std::nullopt;
    }
}

Certified certify(const schedule::ScheduledGraph &pipeline, const CertifyOptions &options) {
    Certified result;
    if (!pipeline.graph.iterations.empty()) {
        result.reason = "it reads the result of the iteration " + pipeline.graph.iterations[0]->name +
                        ", and terms have no steps; certify the Func that a step defines, with its fields as inputs";
        return result;
    }
    for (const ir::FuncDef &func : pipeline.graph.funcs) {
        if (const ir::ExprNode *stage = ir::find_extern_stage(func)) {
            result.reason = "the C function " + ir::extern_function(*stage) + " computes " + func.name() +
                            ", and terms say nothing of it; certify the pipelines before and after it, with an input "
                            "in its place";
            return result;
        }
    }
    if (pipeline.rewritten) {
        std::string reason;
        if (const std::optional<Certified> found = certify_as_written(pipeline, options, reason)) {
            return *found;
        }
        result = certify(*pipeline.rewritten, options);
        result.directives.insert(result.directives.begin(),
                                 {pipeline.graph.func(pipeline.graph.outputs[0]).name(), "rfactor",
                                  "the certificate begins with the definitions that it makes: " + reason});
        return result;
    }
    try {
        Certifier(pipeline, options).run(result);
    } catch (const Unsupported &unsupported) {
        result.text.clear();
        result.reason = unsupported.reason;
    }
    if (!result.no_reads.empty() && result.asks_for_mins && !options.inputs_at_zero) {
        CertifyOptions more = options;
        more.inputs_at_zero = true;
        if (Certified again = certify(pipeline, more); again.reads) {
            return again;
        }
    }
    return result;
}

} // namespace fluorite::verify
