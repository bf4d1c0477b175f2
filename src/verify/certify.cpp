#include "verify/certify.h"

#include "schedule/storage_order.h"
#include "support/check.h"
#include "verify/certificate.h"
#include "verify/new_loops.h"
#include "verify/partial_results.h"
#include "verify/reads.h"
#include "verify/reductions.h"
#include "verify/scans.h"
#include "verify/search.h"
#include "verify/slides.h"
#include "verify/update_loops.h"
#include "verify/windows.h"

#include <algorithm>
#include <set>

namespace fluorite::verify {

namespace {

using Kind = Term::Kind;

// ---- Promises of `bound`.

std::optional<PromisedRange> promise_of(const schedule::Bound &bound) {
    int64_t min, extent;
    if (!bound.min.defined() || !bound.extent.defined() || !ir::is_const_int(bound.min, &min) ||
        !ir::is_const_int(bound.extent, &extent)) {
        return std::nullopt;
    }
    return PromisedRange{min, min + extent - 1};
}
size_t dimension_of(const ir::FuncDef &func, const std::string &var) {
    return size_t(std::ranges::find(func.arg_names, var) - func.arg_names.begin());
}
// Visits the specializations of a stage in the order in which their conditions are asked.
template <typename Visit> void for_each_condition(const schedule::StageSchedule &stage, const Visit &visit) {
    for (const schedule::Specialization &one : stage.specializations) {
        if (!one.fails()) {
            visit(one);
            for_each_condition(one.schedule, visit);
        }
    }
}
bool is_scan(const ir::FuncDef &func) {
    for (size_t k = 1; k < func.stages.size(); k++) {
        if (reads_other_elements(func, k)) {
            return true;
        }
    }
    return false;
}
// What the schedule says of regions and memory. The extents of the output that it promises count where none is given.
ConvertOptions convert_options(const schedule::ScheduledGraph &pipeline, const std::vector<int64_t> &extents) {
    ConvertOptions options{extents, {}};
    for (const schedule::FuncSchedule &schedule : pipeline.schedule.funcs) {
        for (const schedule::StageSchedule &stage : schedule.stages) {
            for_each_condition(stage, [&](const auto &one) { options.conditions.push_back(one.condition); });
        }
    }
    options.output_facts = [&](size_t d, const Index &extent) {
        const FuncId output = pipeline.graph.outputs[0];
        if (!pipeline.schedule.func(output).stages[0].specializations.empty()) {
            return Facts(); // each alternative demands its own
        }
        return size_facts(pipeline.schedule.func(output).stages[0], pipeline.graph.func(output).arg_names[d], extent);
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
                options.extents.resize(std::max(options.extents.size(), d + 1));
                if (options.extents[d] == 0) {
                    options.extents[d] = promise->max + 1;
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
        : graph_(pipeline.graph), schedule_(pipeline.schedule), promises_(convert_options(pipeline, options.extents)),
          conversion_(convert(written, promises_)),
          derivation_(conversion_.program, conversion_.facts, options.keep_programs) {
        source_ = conversion_.program;
        for (const FactoredUpdate &one : factored) {
            bind_partial_results(derivation_, pipeline, written, one, conversion_, operators_);
        }
        size_t condition = 0;
        for (const schedule::FuncSchedule &schedule : schedule_.funcs) {
            for (const schedule::StageSchedule &stage : schedule.stages) {
                for_each_condition(stage, [&](const schedule::Specialization &one) {
                    conditions_.emplace(&one, conversion_.conditions[condition++]);
                });
            }
        }
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            if (conversion_.needed[f] && !graph_.is_output(FuncId(int32_t(f)))) {
                bound_.push_back(f);
            }
        }
        check_order_of_bindings();
        output_ = size_t(graph_.outputs[0].index());
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            for (const Dimension &dim : conversion_.funcs[f].dims) {
                origins_[conversion_.funcs[f].name].mins.push_back(dim.min);
                origins_[conversion_.funcs[f].name].dimensions.push_back(dim.dimension);
            }
            origins_[conversion_.funcs[f].name].func = f;
        }
    }

    void run(Certified &result) {
        schedule_loops(Path(bound_.size(), 1), output_, conversion_.funcs[output_].name, true, result);
        for (size_t i = bound_.size(); i > 0; i--) {
            place(i - 1, result);
        }
        join_loops(result);
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
            note_joined(stores, parts, result);
            note_slides(plan_slides(parts.facts, parts.target, stores, slides_), parts, result);
            note_scans(parts, result);
            if (result.reads) {
                result.target = ScheduledTerm{conversion_, parts.facts, parts.target, std::move(stores),
                                              origins_,    joined_,     scan_plans_};
            }
        } catch (const Unsupported &unsupported) {
            result.no_stores = unsupported.reason;
            for (const JoinedBindings &group : joined_) {
                note_group(group, unsupported.reason, result);
            }
        }
        result.text = to_text(parts);
    }

    void note_slides(const SlidePlans &plans, CertificateParts &parts, Certified &result) const {
        if (!plans.texts.empty()) {
            parts.slides = plans.texts;
        }
        for (const SlideResult &slide : plans.results) {
            const std::string func = conversion_.funcs[origins_.at(slide.tensor).func].name;
            const std::string kept = "the whole of it is computed where it is stored: ";
            result.directives.push_back({func, "store_at", slide.reason.empty() ? "" : kept + slide.reason});
        }
    }
    void note_scans(CertificateParts &parts, Certified &result) {
        std::vector<std::string> texts;
        for (const ScanLoops &loops : scans_) {
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
    // Brings the bindings together whose Funcs share loops.
    void join_loops(Certified &result) {
        std::map<size_t, JoinedBindings> groups; // by the Func whose loops they are
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            if (!conversion_.needed[f] || !schedule_of(f).stages[0].with) {
                continue;
            }
            if (windows_.contains(f) && windows_.at(f).size() > 1) {
                result.directives.push_back({conversion_.funcs[f].name, "compute_with",
                                             "the loop around it is specialized, and each alternative has its own"});
                continue;
            }
            const schedule::LoopLevel &level = schedule_of(f).stages[0].with->level;
            const size_t other = size_t(level.func.owner().func);
            const std::vector<schedule::LoopDim> &dims = schedule_of(other).stages[size_t(level.stage)].dims;
            const auto at = std::ranges::find_if(dims, [&](const auto &dim) { return dim.var == level.var; });
            JoinedBindings &group = groups[other];
            if (group.tensors.empty()) {
                group = {{binding_of(other)}, size_t(dims.end() - at)};
            }
            group.loops = std::min(group.loops, size_t(dims.end() - at));
            group.tensors.push_back(binding_of(f));
        }
        for (auto &[other, group] : groups) {
            const std::string reason = bring_together(derivation_, group);
            if (reason.empty()) {
                joined_.push_back(group);
            } else {
                note_group(group, reason, result);
            }
        }
    }
    std::string binding_of(size_t f) const {
        const auto found = windows_.find(f);
        return found == windows_.end() ? conversion_.funcs[f].name : found->second[0];
    }
    void note_group(const JoinedBindings &group, const std::string &reason, Certified &result) const {
        for (const std::string &tensor : group.tensors) {
            const size_t f = origins_.at(tensor).func;
            if (schedule_of(f).stages[0].with) {
                result.directives.push_back({tensor, "compute_with", reason});
            }
        }
    }
    void note_joined(const std::vector<StorePlan> &stores, CertificateParts &parts, Certified &result) {
        std::vector<std::string> texts;
        std::vector<JoinedBindings> right;
        for (const JoinedBindings &group : joined_) {
            try {
                texts.push_back(plan_joined(parts.target, stores, group));
                right.push_back(group);
                note_group(group, "", result);
            } catch (const Unsupported &unsupported) {
                note_group(group, unsupported.reason, result);
            }
        }
        joined_ = right;
        if (!texts.empty()) {
            parts.joined = texts;
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
        if (schedule.compute.is_root()) {
            result.directives.push_back({name, "compute_root", ""});
            schedule_loops(binding + Path{0}, f, name, false, result);
            return;
        }
        if (scans(f)) { // a binding at root, whatever the schedule says
            result.directives.push_back({name, schedule.compute.is_inlined() ? "compute_inline" : "compute_at",
                                         "an update reads other elements than the one that it writes"});
            schedule_loops(binding + Path{0}, f, name, false, result);
            return;
        }
        if (schedule.compute.is_inlined()) {
            if (graph_.funcs[f].stages.size() > 1) {
                result.directives.push_back({name, "compute_inline", "it has updates"});
            } else {
                result.directives.push_back({name, "compute_inline", ""});
            }
            inline_binding(derivation_, binding, name);
            return;
        }
        size_t consumer = size_t(schedule.compute.func.owner().func);
        int stage =
            schedule.compute.stage >= 0 ? schedule.compute.stage : int(graph_.funcs[consumer].stages.size()) - 1;
        const std::vector<std::string> loops = words_of_loop(schedule.compute.func.name(), stage, schedule.compute.var);
        std::string directive = "compute_at(" + schedule.compute.func.name() + ", " + schedule.compute.var + ")";
        if (slides_from(schedule)) {
            return place_sliding(i, f, loops, directive, result);
        }
        if (bind_windows(f, loops, directive, result)) {
            schedule_windows(binding, f, result);
        }
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
            schedule_loops(*at + Path{0}, f, windows[w], false, result, w == 0 ? "" : ".w" + std::to_string(w));
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
            return schedule_loops(binding + Path{0}, f, name, false, result);
        }
        const size_t owner = size_t(schedule.store.func.owner().func);
        const int stage = schedule.store.stage >= 0 ? schedule.store.stage : int(graph_.funcs[owner].stages.size()) - 1;
        if (!bind_windows(f, words_of_loop(schedule.store.func.name(), stage, schedule.store.var), directive, result)) {
            return;
        }
        for (const std::string &window : windows_[f]) {
            const std::optional<Path> at = find_binding(derivation_.program(), window);
            check(at.has_value(), "the window was just bound");
            note_slide(window, derivation_.subterm(*at), loops, result);
        }
        schedule_windows(binding, f, result);
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
            slides_.push_back({tensor, found[0]});
            return;
        }
        result.directives.push_back(
            {conversion_.funcs[origins_.at(tensor).func].name, "store_at",
             found.empty() ? "the whole of it is computed where it is stored: the loop is not in the term"
                           : "the whole of it is computed where it is stored: the loop that computes its rows is "
                             "specialized"});
    }

    // Binds what the reads of the Func below the site need.
    bool bind_window(const Path &site, size_t f, std::string &reason) {
        const Tensor &tensor = conversion_.funcs[f];
        std::vector<std::string> &windows = windows_[f];
        const std::string name = tensor.name + ".tile" + (windows.empty() ? "" : "." + std::to_string(windows.size()));
        const auto widen = [&](const Path &place, std::vector<Interval> &region) {
            const Facts facts = facts_at(derivation_, place);
            widen_to_promises(f, region, facts);
            widen_to_tails(place, f, region, facts);
        };
        const std::optional<std::vector<Interval>> region =
            fluorite::verify::bind_window(derivation_, site, tensor, name, widen, reason);
        if (!region) {
            return false;
        }
        windows.push_back(name);
        Origin &origin = origins_[name];
        origin = {f, {}, {}};
        for (size_t d = 0; d < region->size(); d++) {
            origin.dimensions.push_back(tensor.dims[d].dimension);
            origin.mins.push_back(simplified((*region)[d].low + tensor.dims[d].min));
        }
        return true;
    }
    void widen_to_promises(size_t f, std::vector<Interval> &region, const Facts &facts) const {
        const std::vector<Dimension> &dims = conversion_.funcs[f].dims;
        for (size_t i = 0; i < region.size(); i++) {
            const auto found = promises_.promised.find({f, dims[i].dimension});
            if (found == promises_.promised.end()) {
                continue;
            }
            const Index low = simplified(found->second.min - dims[i].min),
                        high = simplified(found->second.max - dims[i].min);
            if (find_witness(facts, le(low, region[i].low)) && find_witness(facts, le(region[i].high, high))) {
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
            region[i] = widened(region[i], schedule_of(f), graph_.funcs[f].arg_names[dims[i].dimension], is_steady,
                                {facts, assume});
        }
    }
    // ---- Loops of a stage.

    // The nest of a stage: of the Func, or of a window of it, whose binding has the name. `instance` stands behind the
    // names of its loops.
    struct StageNest {
        size_t func = 0, stage = 0;
        std::string name, instance;
        bool is_output = false;
    };

    // The stages of a Func, each a nest of its own in terms, from the last one to the first.
    void schedule_loops(Path path, size_t f, const std::string &name, bool is_output, Certified &result,
                        const std::string &instance = "") {
        const ir::FuncDef &func = graph_.funcs[f];
        size_t first_scan = func.stages.size();
        for (size_t k = func.stages.size(); k > 1; k--) {
            first_scan = reads_other_elements(func, k - 1) ? k - 1 : first_scan;
        }
        for (size_t k = func.stages.size(); k > 0; k--) {
            if (k > 1 && reads_other_elements(func, k - 1)) {
                schedule_scan(path, {f, k - 1, name, instance, is_output}, result);
                path.push_back(0);
                continue;
            }
            if (k == 1) {
                schedule_stage(path, {f, 0, name, instance, is_output}, schedule_of(f).stages[0], result);
                break;
            }
            const std::string before = name + ".s" + std::to_string(k - 2);
            const bool is_separate = k - 1 > first_scan; // by the definition: a scan is no nest that it could continue
            if (is_separate ? !continue_from(path + Path{1}, func.dimensions())
                            : !separate_update(derivation_, path, func.dimensions(), before)) {
                result.directives.push_back({name, "update(" + std::to_string(k - 2) + ")",
                                             "no witness is found that the stages before it are a nest of their own"});
                break;
            }
            origins_[before] = Origin(origins_.at(name));
            schedule_stage(path + Path{1}, {f, k - 1, name, instance, is_output}, schedule_of(f).stages[k - 1], result);
            path.push_back(0);
        }
        note_other_directives(f, name, result);
    }

    // An update without a reduction reads the element before once or more.
    bool continue_from(const Path &nest, size_t rank) {
        const Path element = nest + Path(rank, 0);
        return derivation_.subterm(element).kind() != Kind::Let || derivation_.apply(element, let_inline());
    }
    // The loops of a scan, of which the certificate speaks once all others are in place.
    void schedule_scan(const Path &path, const StageNest &stage, Certified &result) {
        const schedule::StageSchedule &schedule = schedule_of(stage.func).stages[stage.stage];
        const std::string update = "update(" + std::to_string(stage.stage - 1) + ").";
        std::optional<ScanLoops> loops;
        if (const std::optional<StageLoops> nest = loops_of_scan(path, stage)) {
            note_directives_of_stage(stage, schedule, result);
            const LoopPlan plan = plan_loops(*nest, schedule);
            loops = plan.possible ? scan_loops(derivation_.subterm(path), *nest, plan) : std::nullopt;
        }
        if (!loops || !schedule.specializations.empty()) {
            result.directives.push_back({stage.name, update + "loops",
                                         "an update reads other elements than the one that it writes; its loops are "
                                         "those of the definition"});
            return;
        }
        for (const MarkedLoop &loop : loops->loops) {
            if (loop.mark) {
                loops->directives.push_back({"", update + mark_word(*loop.mark) + "(" + loop.name + ")", ""});
            }
        }
        for (Coverage &coverage : loops->directives) {
            coverage.func = stage.name;
        }
        scans_.push_back(*loops);
    }

    // The alternatives of a stage, each with its own loops.
    void schedule_stage(Path path, const StageNest &stage, const schedule::StageSchedule &schedule, Certified &result) {
        std::vector<Condition> tried;
        for (const schedule::Specialization &one : schedule.specializations) {
            const std::string number = std::to_string(tried.size());
            const std::string update = stage.stage == 0 ? "" : "update(" + std::to_string(stage.stage - 1) + ").";
            if (one.fails()) {
                result.directives.push_back({stage.name, update + "specialize_fail", assume_one_of(path, tried)});
                return;
            }
            const size_t before = result.directives.size();
            StageNest alternative = stage;
            alternative.instance += ".c" + number;
            const Condition condition = with_tails(path, alternative, one);
            if (!derivation_.apply(path, if_introduce(condition))) {
                throw Unsupported{"a nest is specialized and cannot be copied"};
            }
            tried.push_back(conditions_.at(&one));
            schedule_stage(path + Path{0}, alternative, one.schedule, result);
            const std::string directive = update + "specialize(" + number + ")";
            for (size_t d = before; d < result.directives.size(); d++) {
                result.directives[d].directive = directive + "." + result.directives[d].directive;
            }
            result.directives.insert(result.directives.begin() + std::ptrdiff_t(before), {stage.name, directive, ""});
            path.push_back(1);
        }
        schedule_nest(path, stage, schedule, result);
    }
    // The condition of an alternative, with what the tails of its loops demand of sizes: where the condition alone
    // does not say so, that becomes a fact of the certificate.
    Condition with_tails(const Path &path, const StageNest &stage, const schedule::Specialization &one) {
        Condition condition = conditions_.at(&one);
        const std::optional<StageLoops> nest = loops_of(path, stage);
        for (const Condition &fact : nest ? tail_facts(*nest, one.schedule) : Facts()) {
            const Facts facts = fluorite::verify::with(condition, facts_at(derivation_, path));
            const bool is_about_sizes = std::ranges::none_of(
                fact.indices, [&](const Index &index) { return varies(derivation_, path, index); });
            if (!find_witness(facts, fact) && is_about_sizes && derivation_.assume(implied(path, condition, fact))) {
                condition = both(condition, fact);
            }
        }
        return condition;
    }
    // The fact that where the path is reached and the condition holds, another one does.
    Condition implied(const Path &path, const Condition &condition, const Condition &then) const {
        Condition all = condition;
        Term here = derivation_.program();
        for (size_t k : path) {
            if (here.kind() == Kind::If && k < 2 && is_nest(here)) {
                const Condition around = k == 0 ? here.condition() : negation(here.condition());
                all = all.is_true() ? around : both(around, all);
            }
            here = Term(here.operand(k));
        }
        return all.is_true() ? then : Condition{Condition::Kind::Or, {}, {negation(all), then}};
    }
    // That the pipeline does not fail, because one of the conditions holds, becomes a fact.
    std::string assume_one_of(const Path &path, const std::vector<Condition> &conditions) {
        if (conditions.empty()) {
            return "the pipeline always fails";
        }
        Condition any = conditions.back();
        for (size_t i = conditions.size() - 1; i > 0; i--) {
            any = {Condition::Kind::Or, {}, {conditions[i - 1], any}};
        }
        Path outside = path;
        outside.resize(path.size() - conditions.size());
        return derivation_.assume(implied(outside, Condition{}, any)) ? "" : "the pipeline always fails";
    }

    // The loops of the nest at the path, as the definition has them; nothing if it is none.
    std::optional<StageLoops> loops_of(const Path &path, const StageNest &stage) const {
        const size_t f = stage.func;
        const ir::FuncDef &func = graph_.funcs[f];
        StageLoops nest{func.name(), int(stage.stage), {}, {}, {}, {}, stage.is_output, true, {}, stage.instance};
        Term here = derivation_.subterm(path);
        for (size_t d = 0; d < func.dimensions(); d++) {
            if (here.kind() != Kind::Gen) {
                return std::nullopt;
            }
            const size_t dimension = conversion_.funcs[f].dims[d].dimension;
            nest.dims.push_back({here.name(), 0, here.index(), dimension});
            nest.names.push_back(func.arg_names[dimension]);
            nest.is_steady = nest.is_steady && !varies(derivation_, path, here.index());
            here = Term(here.operand(0));
        }
        if (stage.stage > 0) {
            nest.reductions = reduction_loops(derivation_, path, func.dimensions());
        }
        add_names(func, stage.stage, nest);
        check(nest.reductions.size() == nest.reduction_names.size(), "an update has the loops of its reduction");
        return nest;
    }
    // The same of a scan, in whose term the loops of the reduction are outside of those over elements.
    std::optional<StageLoops> loops_of_scan(const Path &path, const StageNest &stage) const {
        const ir::FuncDef &func = graph_.funcs[stage.func];
        const std::optional<ScanTerm> scan = scan_of(derivation_.subterm(path), func.dimensions());
        if (!scan) {
            return std::nullopt;
        }
        StageLoops nest{func.name(), int(stage.stage), {}, {}, {}, {}, stage.is_output, true, {}, stage.instance};
        for (size_t d = 0; d < func.dimensions(); d++) {
            const size_t dimension = conversion_.funcs[stage.func].dims[d].dimension;
            nest.dims.push_back({scan->elements[d].first, 0, scan->elements[d].second, dimension});
            nest.names.push_back(func.arg_names[dimension]);
        }
        for (const Loop &loop : scan->reductions) {
            nest.reductions.push_back({loop.first, 0, loop.second});
        }
        add_names(func, stage.stage, nest);
        return nest;
    }
    // The user's names of the loops of the reduction, and the dimensions over which the stage has no loop.
    static void add_names(const ir::FuncDef &func, size_t stage, StageLoops &nest) {
        const std::vector<ir::ReductionVar> &rvars = func.stages[stage].rvars;
        for (auto r = rvars.rbegin(); r != rvars.rend(); ++r) {
            nest.reduction_names.push_back(r->name);
        }
        for (size_t d = 0; d < func.dimensions(); d++) {
            if (!is_loop(func, stage, d)) {
                nest.written.push_back(func.arg_names[d]);
            }
        }
    }
    void schedule_nest(const Path &path, const StageNest &stage, const schedule::StageSchedule &schedule,
                       Certified &result) {
        const std::optional<StageLoops> nest = loops_of(path, stage);
        if (!nest) {
            result.directives.push_back({stage.name, "loops", "the nest of the Func is not in the term"});
            return;
        }
        shapes_[stage.name].clear();
        for (const Dimension &dim : nest->dims) {
            shapes_[stage.name].push_back(dim.extent);
        }
        LoopPlan plan = plan_loops(*nest, schedule);
        for (const Condition &need : plan.needs) {
            if (varies(derivation_, path, need.indices[1]) || !derivation_.assume(need)) {
                result.directives.push_back({stage.name, "loops", "a fused loop is divided by a size that varies"});
                return;
            }
        }
        for (const Coverage &coverage : plan.directives) {
            result.directives.push_back({stage.name, coverage.directive, coverage.reason});
        }
        note_directives_of_stage(stage, schedule, result);
        if (!plan.possible) {
            return;
        }
        std::string reason;
        std::optional<std::vector<Path>> paths = order_loops(derivation_, path, plan, operators_, reason);
        if (!paths) {
            result.directives.push_back({stage.name, "loops", reason});
            return;
        }
        for (const PlannedLoop &loop : plan.order) {
            std::vector<std::string> &words =
                loop_names_[loop_word(graph_.funcs[stage.func].name(), int(stage.stage), loop.user_name)];
            if (std::ranges::find(words, loop.word) == words.end()) {
                words.push_back(loop.word);
            }
        }
        mark_loops(plan.order, *paths, stage.stage, stage.name, result);
    }
    static std::string mark_word(Term::Mark mark) {
        static const char *const words[] = {"parallel", "vectorize", "unroll"};
        return words[int(mark)];
    }
    // From the innermost loop on, so that paths of outer loops stay as they are.
    void mark_loops(const std::vector<PlannedLoop> &loops, const std::vector<Path> &paths, size_t k,
                    const std::string &name, Certified &result) {
        for (size_t l = loops.size(); l > 0; l--) {
            const PlannedLoop &loop = loops[l - 1];
            if (!loop.mark) {
                continue;
            }
            const std::string update = k == 0 ? "" : "update(" + std::to_string(k - 1) + ").";
            std::string directive = update + mark_word(*loop.mark) + "(" + loop.user_name + ")";
            std::string reason;
            if (loop.is_reduction && *loop.mark != Term::Mark::Unroll) {
                reason = mark_reduction_loop(paths[l - 1], *loop.mark);
            } else if (!derivation_.apply(paths[l - 1], mark_loop(*loop.mark))) {
                reason = "the extent of the loop is no constant in the term";
            }
            result.directives.push_back({name, directive, reason});
        }
    }
    // Iterations that add to one element may do so at once, by the laws of the operator.
    std::string mark_reduction_loop(const Path &path, Term::Mark mark) {
        const Term loop = derivation_.subterm(path);
        const std::optional<std::string> op = gathers(loop.other_name(), loop.operand(1));
        if (!op) {
            return "iterations of a reduction run in order in terms, except where they add to one element";
        }
        if (!derivation_.apply(path, mark_reduction(mark))) {
            return "the extent of the loop is no constant in the term";
        }
        operators_.insert(*op);
        return "";
    }
    // The names in terms of a loop of the schedule: one for each nest that has it.
    std::vector<std::string> words_of_loop(const std::string &func, int stage, const std::string &var) const {
        std::string word = loop_word(func, stage, var);
        auto found = loop_names_.find(word);
        return found == loop_names_.end() ? std::vector{word} : found->second;
    }

    // Whether the tensor of the Func covers what is promised, and no more.
    bool keeps_promise(size_t f, const std::string &name, const schedule::Bound &bound) const {
        const std::optional<PromisedRange> promise = promise_of(bound);
        const size_t d = dimension_of(graph_.funcs[f], bound.var);
        const std::vector<size_t> &dimensions = origins_.at(name).dimensions;
        const auto i = size_t(std::ranges::find(dimensions, d) - dimensions.begin());
        auto extents = shapes_.find(name);
        return promise && extents != shapes_.end() && i < extents->second.size() &&
               equal_up_to_ring(origins_.at(name).mins[i], promise->min) &&
               equal_up_to_ring(extents->second[i], promise->max - promise->min + 1);
    }
    void note_directives_of_stage(const StageNest &nest, const schedule::StageSchedule &stage, Certified &result) {
        const size_t k = nest.stage;
        const std::string update = k == 0 ? "" : "update(" + std::to_string(k - 1) + ").";
        auto note = [&](bool used, const std::string &directive, const std::string &reason) {
            if (used) {
                result.directives.push_back({nest.name, update + directive, reason});
            }
        };
        note(stage.with.has_value() && k > 0, "compute_with", "only loops of pure definitions are joined in terms");
        note(!stage.prefetches.empty(), "prefetch", "terms have no caches");
    }
    void note_other_directives(size_t f, const std::string &name, Certified &result) {
        const schedule::FuncSchedule &schedule = schedule_of(f);
        auto note = [&](bool used, const std::string &directive, const std::string &reason) {
            if (used) {
                result.directives.push_back({name, directive, reason});
            }
        };
        note(!schedule.storage_order.empty(), "reorder_storage", ""); // the order of indices, or the caller's buffer
        for (const schedule::StorageDim &dim : schedule.storage) {
            note(dim.fold.defined(), "fold_storage",
                 "the rows of a window that slides are as many as its reads need, whatever is asked for");
            note(dim.alignment.defined() || dim.bound.defined(), "align_storage", "terms have no layout of memory");
        }
        for (const schedule::Bound &bound : schedule.bounds) {
            note(true, (bound.extent.defined() ? "bound(" : "align_bounds(") + bound.var + ")",
                 keeps_promise(f, name, bound) ? "" : "the region of the term is the one that is needed");
        }
        note(bool(schedule.memoize), "memoize", "terms have no cache of results");
        note(bool(schedule.async), "async", "terms have no time");
        note(bool(schedule.ring_buffer), "ring_buffer", "terms have no time");
        note(!schedule.hoist.is_inlined(), "hoist_storage", "terms have no place of allocation");
    }

    const ir::Graph &graph_;
    const schedule::Schedule &schedule_;
    const ConvertOptions promises_;
    Conversion conversion_;
    Derivation derivation_;
    Term source_ = Term::number(0);
    std::vector<size_t> bound_; // Funcs with bindings, outermost first; those after a placed one are settled
    size_t output_ = 0;
    std::map<std::string, Origin> origins_;
    std::map<std::string, std::vector<Index>> shapes_;   // of the tensors of Funcs, as origins_
    std::map<size_t, std::vector<std::string>> windows_; // of Funcs that are computed inside of loops
    std::vector<JoinedBindings> joined_;
    std::vector<ScanLoops> scans_;
    std::vector<ScanPlan> scan_plans_;                           // of those that keep the order
    std::vector<SlideRequest> slides_;                           // in the order of placing
    std::map<std::string, std::vector<std::string>> loop_names_; // in terms, by the words of loops of the schedule
    std::map<const schedule::Specialization *, Condition> conditions_;
    std::set<std::string> operators_; // that steps take for associative and commutative
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
    return result;
}

} // namespace fluorite::verify
