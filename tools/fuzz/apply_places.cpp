// Where Funcs are computed and stored, and the Funcs that directives make: wrappers, clones, partial results. Tame
// placements are legal in the model of sites.h.

#include "applier.h"

#include <algorithm>

namespace fluorite::fuzz {

LoopLevel Applier::level(const Site &site) {
    return site.is_root() ? LoopLevel::root() : LoopLevel(sites_.func(site.node), var(outermost(site)), site.stage);
}

std::string Applier::text(const Site &site) {
    return site.is_root()
               ? "LoopLevel::root()"
               : "LoopLevel(" + node_name(site.node) + ", " + quoted(outermost(site)) + ", " + number(site.stage) + ")";
}

int64_t Applier::nested_copies(int node) const {
    int64_t own = 1;
    for (const auto &[stage, count] : copies_) {
        own = stage.first == node ? std::max<int64_t>(own, count) : own;
    }
    const auto around = copies_around_.find(node);
    return own * (around == copies_around_.end() ? 1 : around->second);
}

void Applier::place(const Directive &d) {
    using Op = Directive::Op;
    const bool output = is_output();
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
    std::vector<Site> legal = store                         ? sites_.store_sites(node_)
                              : d.op == Op::ComputeInStages ? sites_.stage_sites(node_)
                                                            : sites_.compute_sites(node_);
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
        const int64_t own = nested_copies(node_);
        if (!site.is_root() && own * nested_copies(site.node) > most_nested_copies) {
            site = legal[0];
        }
        copies_around_[node_] = site.is_root() ? 1 : nested_copies(site.node);
        func_.compute_at(level(site));
        sites_.place(node_, site);
        note(name_ + ".compute_at(" + text(site) + ");");
    }
}

void Applier::place_wild(const Directive &d, bool store) {
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
    const int named = d.op == Directive::Op::ComputeInStages ? -1 : static_cast<int>(stage);
    Site site{d.consumer, named, at == loops ? "" : stages[stage].dims[at].var, false, false};
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

void Applier::wrap(const Directive &d) {
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

void Applier::rfactor(const Directive &d) {
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

} // namespace fluorite::fuzz
