#include "verify/certify.h"

#include "support/check.h"
#include "verify/certificate.h"
#include "verify/new_loops.h"
#include "verify/reads.h"

#include <algorithm>
#include <set>

namespace fluorite::verify {

namespace {

using Kind = Term::Kind;

// ---- Searching programs.

// The path of the loop of this name.
std::optional<Path> find_loop(const Term &term, const std::string &name) {
    if (term.kind() == Kind::Gen && term.name() == name) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_loop(term.operand(k), name)) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

const size_t most_added_nodes = 4000; // that inlining one binding may add; beyond it, each step takes a millisecond

const size_t most_steps = 1200; // of inlining, in all; unsharp without directives takes 1067, and six seconds

size_t count_nodes(const Term &term) {
    size_t count = 1;
    for (const Term &operand : term.operands()) {
        count += count_nodes(operand);
    }
    return count;
}

// An access of something that is no name.
std::optional<Path> find_access(const Term &term) {
    if (term.kind() == Kind::Get && term.operand(0).kind() != Kind::Get && term.operand(0).kind() != Kind::Var) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_access(term.operand(k))) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

struct Read {
    Path path;
    std::vector<Index> indices;
    std::map<std::string, Interval> env; // of the loops between the program's root and the read
};
using Intervals = std::map<std::string, Interval>;

void collect_reads(const Term &term, const std::string &tensor, const Path &path, const Intervals &env,
                   const Facts &facts, std::vector<Read> &reads) {
    if (term.kind() == Kind::Get) {
        std::vector<Index> indices;
        const Term *base = &term;
        for (; base->kind() == Kind::Get; base = &base->operand(0)) {
            indices.insert(indices.begin(), base->index());
        }
        if (base->kind() == Kind::Var && base->name() == tensor) {
            reads.push_back({path, indices, env});
            return;
        }
    }
    if (term.kind() == Kind::Var && term.name() == tensor) {
        reads.push_back({path, {}, env});
        return;
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        Intervals below = env;
        if (term.kind() == Kind::Gen || term.kind() == Kind::Fold || (term.kind() == Kind::Iter && k == 1)) {
            std::optional<Interval> extent = interval_of(term.index(), env, facts);
            below.erase(term.name());
            if (extent) {
                below.emplace(term.name(), Interval{0, simplified(extent->high - 1)});
            }
        }
        collect_reads(term.operand(k), tensor, path + Path{k}, below, facts, reads);
    }
}

// Inner loops' names must not be left in bounds.
bool mentions_any(const Index &index, const Intervals &env) {
    return std::ranges::any_of(env, [&](const auto &entry) { return occurs(entry.first, index); });
}

class Certifier {
  public:
    Certifier(const schedule::ScheduledGraph &pipeline, const CertifyOptions &options)
        : graph_(pipeline.graph), schedule_(pipeline.schedule), options_(options),
          conversion_(convert(graph_, options.extents)), derivation_(conversion_.program, conversion_.facts) {
        source_ = conversion_.program;
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            if (conversion_.needed[f] && !graph_.is_output(FuncId(int32_t(f)))) {
                bound_.push_back(f);
            }
        }
        output_ = size_t(graph_.outputs[0].index());
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            for (const Dimension &dim : conversion_.funcs[f].dims) {
                origins_[conversion_.funcs[f].name].mins.push_back(dim.min);
            }
            origins_[conversion_.funcs[f].name].func = f;
        }
        keep();
    }

    void run(Certified &result) {
        find_size_facts();
        schedule_loops(Path(bound_.size(), 1), output_, conversion_.funcs[output_].name, true, result);
        for (size_t i = bound_.size(); i > 0; i--) {
            place(i - 1, result);
        }
        result.steps = derivation_.steps().size();
        result.stages = bound_.size() + 1;
        finish(result);
        result.programs = std::move(programs_);
    }

  private:
    // What the certificate says of the target's reads and stores, and its text.
    void finish(Certified &result) {
        CertificateParts parts{
            derivation_.facts(), conversion_.inputs, source_, derivation_.program(), derivation_.steps(), {}, {}, {}};
        try {
            parts.reads = witnesses_of_reads(parts.facts, parts.inputs, parts.target);
            result.reads = true;
        } catch (const Unsupported &unsupported) {
            result.no_reads = unsupported.reason;
        }
        try {
            std::vector<StorePlan> stores = plan_stores(parts.facts, parts.target, derivation_.positions());
            parts.stores = texts_of(stores);
            if (result.reads) {
                result.target = ScheduledTerm{conversion_, parts.facts, parts.target, std::move(stores), origins_};
            }
        } catch (const Unsupported &unsupported) {
            result.no_stores = unsupported.reason;
        }
        result.text = to_text(parts);
    }

    const schedule::FuncSchedule &schedule_of(size_t f) const { return schedule_.funcs[f]; }

    void keep() {
        if (options_.keep_programs) {
            programs_.push_back(pretty(to_text(derivation_.program())));
        }
    }
    void require(const Path &path, const Rule &rule, const std::string &what) {
        if (!derivation_.apply(path, rule)) {
            throw Unsupported{what};
        }
        keep();
    }

    // What the schedule demands of symbolic sizes.
    void find_size_facts() {
        Facts facts = derivation_.facts();
        const Tensor &output = conversion_.funcs[output_];
        std::vector<std::string> names;
        while (names.size() < output.dims.size()) {
            names.push_back(graph_.funcs[output_].arg_names[output.dims.size() - 1 - names.size()]);
        }
        for (const Condition &fact : size_facts(schedule_of(output_).stages[0], output, names)) {
            if (!find_witness(facts, fact)) {
                facts.push_back(fact);
            }
        }
        derivation_ = Derivation(derivation_.program(), facts);
    }

    // ---- One Func.

    void place(size_t i, Certified &result) {
        size_t f = bound_[i];
        const schedule::FuncSchedule &schedule = schedule_of(f);
        const std::string &name = conversion_.funcs[f].name;
        Path binding(i, 1);
        if (schedule.compute.is_root()) {
            result.directives.push_back({name, "compute_root", ""});
            note_storage(f, result);
            schedule_loops(binding + Path{0}, f, name, false, result);
            return;
        }
        if (schedule.compute.is_inlined()) {
            if (graph_.funcs[f].stages.size() > 1) {
                result.directives.push_back({name, "compute_inline", "it has updates"});
            } else {
                result.directives.push_back({name, "compute_inline", ""});
            }
            inline_binding(binding, name);
            return;
        }
        size_t consumer = size_t(schedule.compute.func.owner().func);
        int stage =
            schedule.compute.stage >= 0 ? schedule.compute.stage : int(graph_.funcs[consumer].stages.size()) - 1;
        std::string loop = loop_word(schedule.compute.func.name(), stage, schedule.compute.var);
        std::string directive = "compute_at(" + schedule.compute.func.name() + ", " + schedule.compute.var + ")";
        std::optional<Path> site = find_loop(derivation_.program(), loop);
        std::string reason;
        if (stage != 0) {
            reason = "the loop belongs to an update, whose loops have no certificate";
        } else if (!site) {
            reason = "the loop is not in the term";
        }
        std::optional<std::string> window;
        if (reason.empty()) {
            window = bind_window(*site + Path{0}, f, reason);
        }
        if (!window) {
            result.directives.push_back({name, directive, reason});
            return;
        }
        result.directives.push_back({name, directive, ""});
        note_storage(f, result);
        inline_binding(binding, name);
        std::optional<Path> at = find_binding(derivation_.program(), *window);
        check(at.has_value(), "the window was just bound");
        schedule_loops(*at + Path{0}, f, *window, false, result);
    }

    static std::optional<Path> find_binding(const Term &term, const std::string &name) {
        if (term.kind() == Kind::Let && term.name() == name) {
            return Path{};
        }
        for (size_t k = 0; k < term.operands().size(); k++) {
            if (std::optional<Path> path = find_binding(term.operand(k), name)) {
                path->insert(path->begin(), k);
                return path;
            }
        }
        return std::nullopt;
    }

    // The binding disappears; accesses of its loops become elements, behind a guard where they may leave them.
    void inline_binding(const Path &binding, const std::string &name) {
        size_t before = count_nodes(derivation_.program());
        require(binding, let_inline(), "inlining " + name + " would capture a name");
        if (count_nodes(derivation_.program()) > before + most_added_nodes) {
            throw Unsupported{"inlining " + name + " adds more than " + std::to_string(most_added_nodes) +
                              " nodes to the program"};
        }
        for (;;) {
            Term below = derivation_.subterm(binding);
            std::optional<Path> access = find_access(below);
            if (!access) {
                return;
            }
            if (derivation_.steps().size() > most_steps) {
                throw Unsupported{"inlining " + name + " is step " + std::to_string(most_steps) +
                                  "; longer derivations are "
                                  "given up"};
            }
            Path path = binding + *access;
            bool done = derivation_.apply(path, get_gen()) || derivation_.apply(path, get_gen_guard()) ||
                        derivation_.apply(path, get_if()) || derivation_.apply(path, get_op());
            if (!done) {
                throw Unsupported{"an access of " + name + " would capture a name"};
            }
            keep();
        }
    }

    // Binds what the reads of the Func below the site need; gives the name of the window.
    std::optional<std::string> bind_window(Path site, size_t f, std::string &reason) {
        const Tensor &tensor = conversion_.funcs[f];
        // As deep among the bindings there as all reads are: the step states the program below, and in a chain of
        // stages that is one definition.
        std::vector<Path> values;
        for (Term here = derivation_.subterm(site); here.kind() == Kind::Let;) {
            bool in_value = occurs_tensor(tensor.name, here.operand(0));
            if (in_value && occurs_tensor(tensor.name, here.operand(1))) {
                break;
            }
            if (in_value) {
                values.push_back(site);
            }
            site.push_back(in_value ? 0 : 1);
            here = Term(here.operand(in_value ? 0 : 1));
        }
        Term body = derivation_.subterm(site);
        std::vector<Read> reads;
        Facts facts = facts_at(site);
        collect_reads(body, tensor.name, {}, {}, facts, reads);
        if (reads.empty()) {
            reason = "nothing inside of the loop reads it";
            return std::nullopt;
        }
        std::vector<Interval> region;
        for (const Read &read : reads) {
            for (size_t d = 0; d < read.indices.size(); d++) {
                std::optional<Interval> interval = interval_of(read.indices[d], read.env, facts);
                if (!interval || mentions_any(interval->low, read.env) || mentions_any(interval->high, read.env)) {
                    reason = "no bounds are found for its index " + to_text(read.indices[d]);
                    return std::nullopt;
                }
                if (region.size() <= d) {
                    region.push_back(*interval);
                } else {
                    region[d].low = smaller_of(region[d].low, interval->low, facts);
                    region[d].high = greater_of(region[d].high, interval->high, facts);
                }
            }
        }
        std::string window = tensor.name + ".tile";
        std::vector<Loop> loops;
        std::vector<Index> at;
        for (size_t d = 0; d < region.size(); d++) {
            std::string loop = tensor.dims[d].loop + ".w";
            Index extent = simplified(region[d].high - region[d].low + 1);
            loops.emplace_back(loop, rounded_extent(extent, f, d));
            at.push_back(simplified(region[d].low + Index(loop)));
        }
        Term copy = Term::gens(loops, Term::get(Term::var(tensor.name), at));
        Term moved = body;
        std::vector<Rule> rules = {let_inline()};
        for (const Read &read : reads) {
            std::vector<Index> indices;
            for (size_t d = 0; d < read.indices.size(); d++) {
                indices.push_back(simplified(read.indices[d] - region[d].low));
            }
            moved = replaced(moved, read.path, Term::get(Term::var(window), indices));
            for (size_t d = 0; d < read.indices.size(); d++) {
                rules.push_back(fluorite::verify::at(read.path + Path(read.indices.size() - 1 - d, 0), get_gen()));
            }
        }
        if (!derivation_.apply(site, reversed(sequence(rules), Term::let(window, copy, moved)))) {
            reason = "no witness is found that reads stay in the window";
            return std::nullopt;
        }
        keep();
        Origin &origin = origins_[window];
        origin = {f, {}};
        for (size_t d = 0; d < region.size(); d++) {
            origin.mins.push_back(simplified(region[d].low + tensor.dims[d].min));
        }
        for (auto value = values.rbegin(); value != values.rend(); ++value) {
            require(*value, let_flatten(), "a window leaves the definition that reads it");
        }
        return window;
    }
    static Term replaced(const Term &term, const Path &path, const Term &by, size_t from = 0) {
        return from == path.size()
                   ? by
                   : term.with_operand(path[from], replaced(term.operand(path[from]), path, by, from + 1));
    }
    Facts facts_at(const Path &path) const {
        Facts facts = derivation_.facts();
        Term here = derivation_.program();
        for (size_t k : path) {
            facts = facts_below(here, k, facts);
            here = Term(here.operand(k));
        }
        return facts;
    }

    // A window computes whole pieces where its schedule rounds up.
    Index rounded_extent(const Index &extent, size_t f, size_t d) const {
        const schedule::StageSchedule &stage = schedule_of(f).stages[0];
        const std::string &dim = graph_.funcs[f].arg_names[conversion_.funcs[f].dims.size() - 1 - d];
        Index rounded = extent;
        for (const schedule::Split &split : stage.splits) {
            int64_t factor;
            bool rounds = split.tail == TailStrategy::RoundUp || (split.tail == TailStrategy::Auto && !split.exact);
            if (split.kind == schedule::Split::Kind::Split && split.old_var == dim && rounds &&
                ir::is_const_int(split.factor, &factor) && factor > 1) {
                rounded = rounded.is_number() ? Index((rounded.value() + factor - 1) / factor * factor)
                                              : simplified(rounded + Index(factor - 1)) / Index(factor) * Index(factor);
            }
        }
        return rounded;
    }

    // ---- Loops of a stage.

    void schedule_loops(const Path &path, size_t f, const std::string &name, bool is_output, Certified &result) {
        const ir::FuncDef &func = graph_.funcs[f];
        const schedule::FuncSchedule &schedule = schedule_of(f);
        const schedule::StageSchedule &stage = schedule.stages[0];
        Term nest = derivation_.subterm(path);
        std::vector<Dimension> dims;
        std::vector<std::string> names;
        for (size_t d = 0; d < func.dimensions(); d++) {
            if (nest.kind() != Kind::Gen) {
                result.directives.push_back({name, "loops", "the nest of the Func is not in the term"});
                return;
            }
            dims.push_back({nest.name(), 0, nest.index()});
            names.push_back(func.arg_names[func.dimensions() - 1 - d]);
            nest = Term(nest.operand(0));
        }
        LoopPlan plan = plan_loops(func.name(), stage, dims, names, is_output);
        for (const Coverage &coverage : plan.directives) {
            result.directives.push_back({name, coverage.directive, coverage.reason});
        }
        for (size_t k = 1; k < func.stages.size(); k++) {
            if (schedule.stages[k].on_loops) {
                result.directives.push_back(
                    {name, "update(" + std::to_string(k - 1) + ")." + schedule.stages[k].on_loops.name,
                     "updates run inside of the loops of the pure definition, in order"});
            }
        }
        note_other_directives(f, name, result);
        if (!plan.possible) {
            return;
        }
        if (!derivation_.apply(path, reindex(plan.loops))) {
            result.directives.push_back(
                {name, "loops", "no witness is found that the new loops compute every element"});
            return;
        }
        keep();
        // From the innermost loop on, so that paths of outer loops stay as they are.
        for (size_t l = plan.loops.loops.size(); l > 0; l--) {
            const std::optional<Term::Mark> &mark = plan.marks[l - 1];
            if (!mark) {
                continue;
            }
            std::optional<Path> loop = find_loop(derivation_.subterm(path), plan.loops.loops[l - 1].first);
            static const char *const words[] = {"parallel", "vectorize", "unroll"};
            std::string directive = std::string(words[int(*mark)]) + "(" + plan.user_names[l - 1] + ")";
            bool done = loop && derivation_.apply(path + *loop, mark_loop(*mark));
            result.directives.push_back(
                {name, directive, done ? "" : "the extent of the loop is no constant in the term"});
            keep();
        }
    }

    void note_storage(size_t f, Certified &result) {
        const schedule::FuncSchedule &schedule = schedule_of(f);
        const std::string &name = conversion_.funcs[f].name;
        if (!schedule.store.is_inlined() && !(schedule.store == schedule.compute)) {
            result.directives.push_back(
                {name, "store_at", "windows that slide have no certificate; it is stored where it is computed"});
        }
    }
    void note_other_directives(size_t f, const std::string &name, Certified &result) {
        const schedule::FuncSchedule &schedule = schedule_of(f);
        auto note = [&](bool used, const std::string &directive, const std::string &reason) {
            if (used) {
                result.directives.push_back({name, directive, reason});
            }
        };
        const schedule::StageSchedule &stage = schedule.stages[0];
        note(stage.with.has_value(), "compute_with", "loops of two stages are not joined in terms");
        note(!stage.specializations.empty(), "specialize", "the alternatives are not in the term");
        note(!stage.prefetches.empty(), "prefetch", "terms have no caches");
        note(!schedule.storage_order.empty(), "reorder_storage", "terms have no layout of memory");
        for (const schedule::StorageDim &dim : schedule.storage) {
            note(dim.fold.defined(), "fold_storage", "folded storage has no certificate");
            note(dim.alignment.defined() || dim.bound.defined(), "align_storage", "terms have no layout of memory");
        }
        for (const schedule::Bound &bound : schedule.bounds) {
            note(true, "bound(" + bound.var + ")", "the region of the term is the one that is needed");
        }
        note(bool(schedule.memoize), "memoize", "terms have no cache of results");
        note(bool(schedule.async), "async", "terms have no time");
        note(bool(schedule.ring_buffer), "ring_buffer", "terms have no time");
        note(!schedule.hoist.is_inlined(), "hoist_storage", "terms have no place of allocation");
    }

    const ir::Graph &graph_;
    const schedule::Schedule &schedule_;
    const CertifyOptions &options_;
    Conversion conversion_;
    Derivation derivation_;
    Term source_ = Term::number(0);
    std::vector<size_t> bound_; // Funcs with bindings, outermost first; those after a placed one are settled
    size_t output_ = 0;
    std::vector<std::string> programs_;
    std::map<std::string, Origin> origins_;
};

} // namespace

Certified certify(const schedule::ScheduledGraph &pipeline, const CertifyOptions &options) {
    Certified result;
    try {
        Certifier(pipeline, options).run(result);
    } catch (const Unsupported &unsupported) {
        result.text.clear();
        result.reason = unsupported.reason;
    }
    return result;
}

} // namespace fluorite::verify
