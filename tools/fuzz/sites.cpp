// Method: the path of a stage is the path of the site where its Func is computed, followed by its own loops. A Func may
// be computed at any site on the common prefix of the paths of all stages that call it. The callers of an inlined Func
// take its place. A Func that is computed in several stages of a consumer has several nests; its own callees are
// computed outside of them.

#include "sites.h"

#include "language/function.h"

#include <algorithm>

namespace fluorite::fuzz {

namespace {

const std::vector<schedule::LoopDim> &loops_of(const Func &func, int stage) {
    return func.function()->schedule.stages[static_cast<size_t>(stage)].dims;
}

} // namespace

SiteModel::SiteModel(const Genome &genome, const Program &program) : funcs_(program.funcs) {
    computed_.resize(funcs_.size());
    wrappers_.resize(funcs_.size());
    auto add = [&](int node, int stage, const Term &term, bool in_helper, const auto &self) -> void {
        if (term.op == Term::Op::Call) {
            calls_.push_back({node, stage, term.source, term.source, in_helper});
        }
        for (const Coordinate &c : term.coordinates) {
            for (const Term &data : c.data) {
                self(node, stage, data, in_helper, self);
            }
        }
        for (const Term &arg : term.args) {
            self(node, stage, arg, in_helper || term.is_reduction(), self);
        }
    };
    for (size_t f = 0; f < genome.funcs.size(); f++) {
        const FuncGene &gene = genome.funcs[f];
        int node = static_cast<int>(f);
        if (gene.kind != FuncGene::Kind::Defined && !gene.of_input) {
            calls_.push_back({node, 0, gene.source, gene.source, false});
        }
        for (const Term &value : gene.values) {
            add(node, 0, value, false, add);
        }
        for (size_t u = 0; u < gene.updates.size(); u++) {
            int stage = static_cast<int>(u) + 1;
            const Update &update = gene.updates[u];
            for (const std::vector<Term> *terms : {&update.values, &update.predicate, &update.target.data}) {
                for (const Term &term : *terms) {
                    add(node, stage, term, false, add);
                }
            }
        }
        if (genome.is_output(node)) {
            place(node, Site());
        }
    }
}

int SiteModel::add_wrapper(int func, const std::vector<int> &consumers, const Func &wrapper) {
    for (int known : wrappers_[static_cast<size_t>(func)]) {
        if (funcs_[static_cast<size_t>(known)].same_as(wrapper)) {
            return known;
        }
    }
    int node = static_cast<int>(funcs_.size());
    funcs_.push_back(wrapper);
    computed_.emplace_back();
    wrappers_[static_cast<size_t>(func)].push_back(node);
    for (Call &call : calls_) {
        bool is_wrapper = call.node >= static_cast<int>(wrappers_.size());
        bool listed = std::find(consumers.begin(), consumers.end(), call.node) != consumers.end() && !call.in_helper;
        if (call.original == func && !is_wrapper && (consumers.empty() ? call.callee == func : listed)) {
            call.callee = node;
        }
    }
    calls_.push_back({node, 0, func, func, false});
    return node;
}

int SiteModel::add_clone(int func, int consumer, const Func &clone) {
    int node = static_cast<int>(funcs_.size());
    funcs_.push_back(clone);
    computed_.emplace_back();
    wrappers_[static_cast<size_t>(func)].push_back(node);
    std::vector<Call> copies;
    for (Call &call : calls_) {
        if (call.node == consumer && call.original == func && !call.in_helper) {
            call.callee = node;
        }
        if (call.node == func) {
            copies.push_back(call);
            copies.back().node = node;
        }
    }
    calls_.insert(calls_.end(), copies.begin(), copies.end());
    return node;
}

bool SiteModel::calls(int consumer, int func) const {
    return std::any_of(calls_.begin(), calls_.end(), [&](const Call &call) {
        return call.node == consumer && call.original == func && !call.in_helper;
    });
}

int SiteModel::add_partial(int func, int stage, const Func &partial) {
    int node = static_cast<int>(funcs_.size());
    funcs_.push_back(partial);
    computed_.emplace_back();
    wrappers_[static_cast<size_t>(func)].push_back(node);
    for (Call &call : calls_) {
        if (call.node == func && call.stage == stage) {
            call.node = node;
            call.stage = 1;
        }
    }
    calls_.push_back({func, stage, node, node, false});
    return node;
}

int SiteModel::node_of_wrapper(int func, int wrapper) const {
    const std::vector<int> &nodes = wrappers_[static_cast<size_t>(func)];
    return nodes.empty() ? -1 : nodes[static_cast<size_t>(wrapper) % nodes.size()];
}

std::vector<Site> SiteModel::path(int node, int stage) const {
    std::vector<Site> sites;
    const Site &at = computed_[static_cast<size_t>(node)][0];
    if (at.is_root() || !is_placed(at.node)) { // a wild place, in what is inlined
        sites.emplace_back();
    } else {
        for (const Site &site : path(at.node, std::max(at.stage, 0))) {
            if (at.stage < 0 && site.node == at.node) {
                return sites;
            }
            sites.push_back(site);
            if (site == at) {
                break;
            }
        }
    }
    sites.push_back({node, stage, "", false, false});
    const std::vector<schedule::LoopDim> &dims = loops_of(func(node), stage);
    for (size_t i = dims.size(); i-- > 0;) {
        sites.push_back(
            {node, stage, dims[i].var, dims[i].for_type == ForType::Parallel, dims[i].for_type == ForType::Vectorized});
    }
    return sites;
}

std::vector<Site> SiteModel::compute_sites(int node) const {
    std::vector<Site> common;
    bool first = true;
    auto meet = [&](const std::vector<Site> &sites) {
        if (first) {
            common = sites;
            first = false;
            return;
        }
        size_t keep = 0;
        while (keep < common.size() && keep < sites.size() && common[keep] == sites[keep]) {
            keep++;
        }
        common.resize(keep);
    };
    for (const Call &call : calls_) {
        if (call.callee != node) {
            continue;
        }
        if (is_placed(call.node)) {
            meet(path(call.node, call.stage));
        } else {
            std::vector<Site> sites = compute_sites(call.node);
            if (!sites.empty()) {
                meet(sites);
            }
        }
    }
    return common;
}

std::vector<Site> SiteModel::stage_sites(int node) const {
    std::set<int> consumers, stages;
    for (const Call &call : calls_) {
        if (call.callee == node) {
            consumers.insert(is_placed(call.node) ? call.node : -1);
            stages.insert(call.stage);
        }
    }
    std::vector<Site> sites;
    if (consumers.size() != 1 || *consumers.begin() < 0 || stages.size() < 2) {
        return sites;
    }
    const int consumer = *consumers.begin();
    if (computed_[static_cast<size_t>(consumer)][0].stage < 0) {
        return sites;
    }
    for (const schedule::LoopDim &dim : loops_of(func(consumer), *stages.begin())) {
        const bool is_everywhere = std::all_of(stages.begin(), stages.end(), [&](int stage) {
            const std::vector<schedule::LoopDim> &dims = loops_of(func(consumer), stage);
            return std::any_of(dims.begin(), dims.end(), [&](const auto &other) { return other.var == dim.var; });
        });
        if (is_everywhere) {
            sites.push_back({consumer, -1, dim.var, false, false});
        }
    }
    return sites;
}

std::vector<Site> SiteModel::store_sites(int node) const {
    std::vector<Site> legal = compute_sites(node), sites;
    const Site &at = computed_[static_cast<size_t>(node)][0];
    if (at.stage < 0) {
        legal.push_back(at);
    }
    bool updated = funcs_[static_cast<size_t>(node)].has_update_definition();
    for (const Site &site : legal) {
        sites.push_back(site);
        // Iterations that run at once do not share what they write.
        if (site.is_parallel || (site.is_vectorized && updated)) {
            sites = {site};
        }
        if (site == at) {
            break;
        }
    }
    return sites;
}

std::vector<Site> SiteModel::hoist_sites(int node) const {
    const auto stored = stored_.find(node);
    const Site at = stored == stored_.end() ? computed_[static_cast<size_t>(node)][0] : stored->second;
    std::vector<Site> sites;
    for (const Site &site : compute_sites(node)) {
        if (site.is_parallel || site.is_vectorized) {
            sites.clear();
        }
        sites.push_back(site);
        if (site == at) {
            break;
        }
    }
    return sites;
}

std::vector<int> SiteModel::stored_outside(int node, int stage, const std::string &loop) const {
    std::vector<Site> around;
    if (!is_placed(node)) {
        return {};
    }
    for (const Site &site : path(node, stage)) {
        if (site == Site{node, stage, loop, false, false}) {
            break;
        }
        around.push_back(site);
    }
    std::vector<int> nodes;
    for (const Call &call : calls_) {
        if (call.node != node || call.stage != stage || !is_placed(call.callee)) {
            continue;
        }
        const auto stored = stored_.find(call.callee);
        const Site &at = stored == stored_.end() ? computed_[static_cast<size_t>(call.callee)][0] : stored->second;
        if (at.is_root() || std::find(around.begin(), around.end(), at) != around.end()) {
            nodes.push_back(call.callee);
        }
    }
    return nodes;
}

} // namespace fluorite::fuzz
