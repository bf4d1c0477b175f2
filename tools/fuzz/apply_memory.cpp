// Memory: storage layout, where memory is allocated and how much, prefetches, and stores that bypass the caches.

#include "applier.h"

#include <algorithm>

namespace fluorite::fuzz {

void Applier::lay_out(const Directive &d) {
    using Op = Directive::Op;
    if (rank_ == 0) {
        return;
    }
    switch (d.op) {
    case Op::ReorderStorage: {
        // The layout of an output is that of the caller's buffer.
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
        if (is_output() && !d.wild) {
            return;
        }
        static const char *names[] = {"Auto", "Heap", "Stack", "Register"};
        const int memory = d.wild ? d.other % 4 : has_few_values() ? 3 : d.other % 3;
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
        const std::string x = dimension(d.loop);
        const int extent = is_bound ? 120 + d.factor2 : 3 * d.factor2 + d.other;
        is_bound ? func_.bound_storage(Var(x), extent) : func_.align_storage(Var(x), extent);
        note(name_ + (is_bound ? ".bound_storage(" : ".align_storage(") + quoted(x) + ", " + number(extent) + ");");
        return;
    }
    default:
        unreachable("Applier::apply passes directives of the layout in memory");
    }
}

bool Applier::has_few_values() const {
    const schedule::FuncSchedule &its = func_.function()->schedule;
    const bool is_apart = (!its.store.is_inlined() && !(its.store == its.compute)) || !its.hoist.is_inlined();
    const language::Function *at = its.compute.is_at() ? language::function_of(its.compute.func) : nullptr;
    if (!at || its.compute.stage < 0 || is_apart || func_.has_update_definition()) {
        return false;
    }
    const std::vector<schedule::LoopDim> &dims = at->schedule.stages[static_cast<size_t>(its.compute.stage)].dims;
    return !dims.empty() && dims[0].var == its.compute.var;
}

void Applier::fold(const Directive &d) {
    if (rank_ == 0 || ((is_output() || !sites_.is_placed(node_)) && !d.wild)) {
        return;
    }
    const std::string x = dimension(d.other);
    const int extent = d.loop % 4 == 0 ? 3 + d.factor : 90 + d.factor;
    const bool forward = d.factor2 % 5 != 0;
    func_.fold_storage(Var(x), extent, forward);
    note(name_ + ".fold_storage(" + quoted(x) + ", " + number(extent) + (forward ? ");" : ", false);"));
}

void Applier::hoist(const Directive &d) {
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

void Applier::use_in_turn(const Directive &d) {
    const schedule::FuncSchedule &its = func_.function()->schedule;
    const bool is_apart = !its.hoist.is_inlined() && !(its.hoist == (its.store.is_inlined() ? its.compute : its.store));
    if (!is_apart && !d.wild) {
        return;
    }
    const int extent = 1 + d.factor2 % 5;
    func_.ring_buffer(extent);
    note(name_ + ".ring_buffer(" + number(extent) + ");");
}

void Applier::prefetch(const Directive &d) {
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
        stage(d).prefetch(sites_.func(sources[which]), var(loops_[at].var), var(loops_[from].var), offset, strategy);
    } else {
        const size_t input = static_cast<size_t>(inputs[which - sources.size()]);
        name = genome_.inputs[input].name;
        stage(d).prefetch(program_.inputs[input], var(loops_[at].var), var(loops_[from].var), offset, strategy);
    }
    note(on_ + ".prefetch(" + name + ", " + quoted(loops_[at].var) + ", " + quoted(loops_[from].var) + ", " +
         number(offset) + ", PrefetchBoundStrategy::" + names[static_cast<int>(strategy)] + ");");
}

std::vector<int> Applier::inputs_of(const Directive &d) const {
    std::vector<int> inputs;
    const FuncGene &gene = genome_.funcs[static_cast<size_t>(d.func)];
    const bool is_cut = d.stage > 0 && !func_.function()->factored.empty(); // then its partial results read the inputs
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

void Applier::stream(const Directive &d) {
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

} // namespace fluorite::fuzz
