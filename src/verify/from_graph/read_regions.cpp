#include "verify/from_graph/read_regions.h"

#include "verify/from_graph/written_elements.h"

namespace fluorite::verify {

void ReadRegions::find() {
    for (size_t f = graph_.funcs.size(); f > 0; f--) {
        if (result_.needed[f - 1]) {
            widen_to_promise(f - 1);
            widen_to_tails(f - 1);
            add_regions_read_by(f - 1);
        }
    }
}

void ReadRegions::declare_output(size_t f) {
    const ir::FuncDef &output = graph_.funcs[f];
    const auto given = options_.extents.find(f);
    std::vector<Index> extents;
    for (size_t d = 0; d < output.dimensions(); d++) {
        Index extent = 0;
        if (given != options_.extents.end() && d < given->second.size() && given->second[d] != 0) {
            extent = given->second[d];
        } else {
            std::string name = output_size(word(output.name()), d);
            extent = name;
            result_.facts.push_back(le(1, name));
        }
        extents.push_back(extent);
        for (const Condition &fact : options_.output_facts ? options_.output_facts(f, d, extent) : Facts()) {
            coordinates_.demand(fact);
        }
        regions_[f].push_back({0, simplified(extent - 1)});
    }
    result_.output_extents.push_back(extents);
    result_.needed[f] = true;
}

std::map<std::string, Interval> ReadRegions::environment(size_t f, size_t stage) {
    std::map<std::string, Interval> env;
    const ir::FuncDef &func = graph_.funcs[f];
    for (size_t d = 0; d < func.dimensions(); d++) {
        env.emplace(word(func.args[d].name()), regions_[f][d]);
        // What a scan reads of itself may make its region larger, once its coordinates have their bounds.
        coordinates_.set_range(func.args[d], is_scan(func) ? Interval::unbounded() : regions_[f][d]);
    }
    for (const ir::ReductionVar &r : func.stages[stage].rvars) {
        Index min = coordinates_.index(r.min), extent = coordinates_.index(r.extent);
        std::optional<Interval> low = interval(min, env), high = interval(min + extent - 1, env);
        if (!low || !high) {
            throw Unsupported{"in " + func.name() + ": the bounds of " + r.name + " are no interval"};
        }
        env.insert_or_assign(word(r.var.name()), Interval{low->low, high->high});
    }
    return env;
}

std::optional<Interval> ReadRegions::interval(const Index &index, std::map<std::string, Interval> env) const {
    for (const Coordinates::Named &bound : coordinates_.bound()) {
        env.insert_or_assign(bound.name, Interval::unbounded());
    }
    return interval_of(index, env, result_.facts);
}

void ReadRegions::widen_to_promise(size_t f) {
    for (size_t d = 0; !result_.is_output(f) && d < regions_[f].size(); d++) {
        const auto found = options_.promised.find({f, d});
        if (found == options_.promised.end()) {
            continue;
        }
        const Index min = found->second.min, max = found->second.max;
        Interval &region = regions_[f][d];
        // That sizes are as small as the promise says becomes a fact, as the compiled pipeline checks it at entry.
        Facts facts = result_.facts;
        const auto holds = [&](const Condition &fact) {
            return find_witness(facts, fact) || add_if_possible(fact, facts);
        };
        if (holds(le(min, region.low)) && holds(le(region.high, max))) {
            region = {min, max};
            result_.facts = facts;
        }
    }
}

void ReadRegions::widen_to_tails(size_t f) {
    for (size_t d = 0; options_.widen && !result_.is_output(f) && d < regions_[f].size(); d++) {
        const auto assume = [&](const Condition &fact) { return add_if_possible(fact, result_.facts); };
        const Interval read = regions_[f][d];
        regions_[f][d] = options_.widen(f, d, read, {result_.facts, assume});
        if (!(read.low == regions_[f][d].low) || !(read.high == regions_[f][d].high)) {
            result_.read.emplace(std::pair(f, d), read);
        }
    }
}

void ReadRegions::add_regions_read_by(size_t f) {
    // What an update reads of its own Func, elsewhere than where it writes, is a part of the region; that the
    // region then reads no more is asked of the second time.
    add_regions_read_by_stages(f);
    if (own_reads_.empty()) {
        return;
    }
    if (!result_.is_output(f)) {
        for (const Region &region : own_reads_) {
            unite(regions_[f], region);
        }
    }
    own_reads_.clear();
    add_regions_read_by_stages(f);
    for (const Region &region : own_reads_) {
        for (size_t d = 0; d < region.size(); d++) {
            const Interval &whole = regions_[f][d];
            if (!find_witness(result_.facts, le(whole.low, region[d].low)) ||
                !find_witness(result_.facts, le(region[d].high, whole.high))) {
                throw Unsupported{"in " + graph_.funcs[f].name() + ": an update reads elements of its own Func that " +
                                  "its consumers do not need, from " + to_text(region[d].low) + " to " +
                                  to_text(region[d].high)};
            }
        }
    }
    own_reads_.clear();
}

void ReadRegions::add_regions_read_by_stages(size_t f) {
    const ir::FuncDef &func = graph_.funcs[f];
    for (size_t k = 0; k < func.stages.size(); k++) {
        const ir::Stage &stage = func.stages[k];
        const std::map<std::string, Interval> env = environment(f, k);
        const bool scatters = writes_elsewhere(func, k);
        for (const Expr &value : stage.values) {
            add_reads(func, stage, ir::expand_lets(value), env, scatters);
        }
        if (stage.predicate.defined()) {
            add_reads(func, stage, ir::expand_lets(stage.predicate), env, scatters);
        }
        for (size_t d = 0; scatters && d < stage.args.size(); d++) {
            add_reads(func, stage, ir::expand_lets(stage.args[d]), env, scatters);
        }
    }
}

void ReadRegions::add_reads(const ir::FuncDef &func, const ir::Stage &stage, const Expr &expr,
                            const std::map<std::string, Interval> &env, bool scatters) {
    ir::for_each_node(expr, [&](const Expr &node) {
        bool call = node->kind() == ir::ExprKind::Call;
        if (!call && node->kind() != ir::ExprKind::Image) {
            return;
        }
        const bool is_own = call && node->symbol() == func.symbol;
        if (is_own && (!scatters || is_written_element(node, stage))) {
            return;
        }
        Region region;
        for (const Expr &arg : node->args()) {
            const Index at = coordinates_.index(arg);
            std::optional<Interval> range = interval(at, env);
            if (!range) {
                throw Unsupported{"in " + func.name() + ": no bounds are found for a coordinate of " +
                                  node->symbol().name() + ", " + to_text(at) + coordinates_.meaning(at)};
            }
            region.push_back(*range);
        }
        if (is_own) {
            own_reads_.push_back(region);
            return;
        }
        if (call) {
            size_t callee = node->symbol().owner().func.index();
            if (result_.is_output(callee)) {
                demand_within(regions_[callee], region);
                return;
            }
            result_.needed[callee] = true;
            unite(regions_[callee], region);
        } else {
            unite(input_regions_[node->symbol().owner().input.index()], region);
        }
    });
}

// That the size of an output is as large as what others read of it is checked at entry.
void ReadRegions::demand_within(const Region &all, const Region &region) {
    for (size_t d = 0; d < region.size(); d++) {
        coordinates_.demand(le(all[d].low, region[d].low));
        coordinates_.demand(le(region[d].high, all[d].high));
    }
}

void ReadRegions::unite(Region &all, const Region &region) const {
    if (all.empty()) {
        all = region;
        return;
    }
    for (size_t d = 0; d < region.size(); d++) {
        all[d].low = smaller_of(all[d].low, region[d].low, result_.facts);
        all[d].high = greater_of(all[d].high, region[d].high, result_.facts);
    }
}

} // namespace fluorite::verify
