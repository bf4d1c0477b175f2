// Bounds inference over the sites of the loop nest.
//
// Consumers come first. What a Func g must provide at its compute site L is the union, over every call of g in every
// stage (c, s) of its consumers, of the box that the call's coordinates cover while the loops inside L run:
//   - (c, s) owns L (g is computed inside one of its loops): the loops further in range, the others stand still;
//   - c is computed at L too: c's whole region at L, in c's region symbols;
//   - c is computed further in: c's region there is lifted to L, site by site, by letting the loops between range.
// Stage k of g must also provide what stage k + 1 reads of g itself. Tails count: a region rounded up is read rounded
// up.
//
// Each region side becomes a symbol (owner: func, stage, dim, side) bound at L. Beside each symbol its exact value is
// kept, expanded down to loop variables, so that extents such as (yo*32 + 33) - (yo*32 - 1) + 1 become constants. A
// value that would expand to too much stays a symbol: seen from further out it ranges over its own bounds there, which
// are sound and, where sides depend on each other, wider.
//
// Storage is the box of everything written or read, lifted to the store site. Input boxes are lifted to root.
// Refuses: coordinates without bounds (data-dependent and not clamped). Cost: calls x dimensions x simplifications;
// values refer to consumers through symbols, so chains stay linear.

#include "loopnest/bounds_inference.h"

#include "analysis/hints.h"
#include "loopnest/fault.h"
#include "loopnest/fused_loops.h"
#include "loopnest/specialize.h"
#include "loopnest/user_text.h"
#include "rewrite/simplify.h"
#include "support/loop_name.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Box;
using analysis::Interval;
using analysis::Scope;
using analysis::strip_hints;
using rewrite::simplify;

namespace {

constexpr size_t small_expr = 24;    // nodes: region values at root that are worth expanding
constexpr size_t largest_expr = 120; // nodes: region values further in that are expanded

StageAccesses find_accesses(const Stage &stage) {
    StageAccesses found;
    ExprMap<bool> seen;
    // What the predicate itself reads is read anyhow; it comes first, so that what both read counts as read anyhow.
    std::vector<Expr> exprs = stage_exprs(stage);
    const size_t guarded = stage.values.size() + stage.args.size();
    std::rotate(exprs.begin(), exprs.begin() + static_cast<long>(guarded), exprs.end());
    for (size_t i = 0; i < exprs.size(); i++) {
        const Expr &expr = exprs[i];
        const Expr condition = i + guarded >= exprs.size() ? stage.predicate : Expr();
        std::vector<std::pair<Symbol, Expr>> lets;
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Let) {
                lets.emplace_back(node->symbol(), node->arg(0));
            }
            if ((node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) || seen.count(node)) {
                return;
            }
            seen[node] = true;
            Access access{node->symbol(), {node->args().begin(), node->args().end()}, condition};
            (node->kind() == ExprKind::Call ? found.calls : found.images).push_back(access);
        });
        found.lets.insert(found.lets.end(), lets.rbegin(), lets.rend());
    }
    return found;
}

Access write_of(const FuncDef &func, size_t stage) {
    return {func.symbol, func.stages[stage].args, func.stages[stage].predicate};
}

// What asks nothing of its operands' values.
bool is_arithmetic(ExprKind kind) {
    switch (kind) {
    case ExprKind::Let:
    case ExprKind::Call:
    case ExprKind::Image:
    case ExprKind::Load:
    case ExprKind::Extern:
    case ExprKind::Random:
    case ExprKind::Undef:
    case ExprKind::Require:
    case ExprKind::Print:
    case ExprKind::MemoizeTag:
        return false;
    default:
        return true;
    }
}

// Whether values of the stage's own Func are more than operands of arithmetic: parts of coordinates, conditions of the
// domain, of requirements and arguments of C functions. Then all of them have to be defined.
bool decides_by_own_values(const Stage &stage, const Symbol &own) {
    const auto uses = [&](const Expr &expr) {
        bool found = false;
        for_each_node(expr, [&](const Expr &node) {
            found = found || (node->kind() == ExprKind::Call && node->symbol() == own);
        });
        return found;
    };
    bool found = stage.predicate.defined() && uses(stage.predicate);
    for (const Expr &arg : stage.args) {
        found = found || uses(arg);
    }
    std::unordered_set<const ExprNode *> users; // operands come before what they are operands of
    for (const Expr &value : stage.values) {
        for_each_node(value, [&](const Expr &node) {
            const bool has_users = std::any_of(node->args().begin(), node->args().end(),
                                               [&](const Expr &arg) { return users.contains(arg.get()); });
            found = found || (has_users && !is_arithmetic(node->kind()));
            if (has_users || (node->kind() == ExprKind::Call && node->symbol() == own)) {
                users.insert(node.get());
            }
        });
    }
    return found;
}

// Sizes that the condition of a specialization fixes are known in its loops.
void assume_condition(Region &region, const Expr &condition) {
    ExprMap<Expr> facts;
    if (condition.defined()) {
        find_facts(condition, facts);
    }
    for (std::vector<Expr> *sides : {&region.exact_min, &region.exact_max}) {
        for (Expr &side : *sides) {
            side = facts.empty() ? side : simplify(assume(side, facts));
        }
    }
}

// What is added to the shared loop's variable to have the stage's own.
Expr shift_of(LoopAlignStrategy how, const NestLoop &loop, const NestLoop &theirs) {
    switch (how) {
    case LoopAlignStrategy::AlignStart:
        return simplify(sub(loop.min, theirs.min));
    case LoopAlignStrategy::AlignEnd:
        return simplify(sub(add(loop.min, loop.extent), add(theirs.min, theirs.extent)));
    case LoopAlignStrategy::NoAlign:
    case LoopAlignStrategy::Auto:
        return int32(0);
    }
    return int32(0);
}

Box symbols_of(const Region &region) {
    Box box;
    for (size_t d = 0; d < region.min.size(); d++) {
        box.push_back({region.min[d], region.max[d]});
    }
    return box;
}

// `one` where the condition holds.
Box either(const Expr &condition, const Box &one, const Box &other) {
    Box box;
    for (size_t d = 0; d < one.size(); d++) {
        const auto side = [&](const Expr &a, const Expr &b) {
            return a.defined() && b.defined() ? simplify(make_select(condition, a, b)) : Expr();
        };
        box.push_back({side(one[d].min, other[d].min), side(one[d].max, other[d].max)});
    }
    return box;
}

} // namespace

// What stages touch, merged. Of stages that are alternatives (specializations), with all that is computed inside of
// them, one runs: seen from root, where the program's own buffers are, the box is that of this one, so that a
// specialization for large images asks nothing of small ones. Further in it is that of all, because extents have to
// stay constants.
class BoundsInference::AccessUnion {
  public:
    AccessUnion(const BoundsInference &inference, const Site &site) : inference_(inference), site_(site) {}

    void add(FuncId func, int stage, const Box &box) {
        analysis::merge(parts_[site_.is_root() ? alternative(func, stage) : std::pair(func, stage)], box);
    }

    void merge_into(Box &total) const {
        for (auto part = parts_.rbegin(); part != parts_.rend();) {
            const FuncId func = part->first.first;
            const int definition = variant_of(part->first).definition;
            Box box = part->second;
            while (++part != parts_.rend() && part->first.first == func &&
                   variant_of(part->first).definition == definition) {
                const Expr condition = variant_of(part->first).condition;
                if (site_.is_root() && condition.defined()) {
                    box = either(condition, part->second, box);
                } else {
                    analysis::merge(box, part->second);
                }
            }
            analysis::merge(total, box);
        }
    }

  private:
    const BoundsInference &inference_;
    const Site site_;
    std::map<std::pair<FuncId, int>, Box> parts_; // by Func and stage: alternatives side by side

    Variant variant_of(const std::pair<FuncId, int> &stage) const {
        return inference_.working_.variant(stage.first, stage.second);
    }

    // The outermost stage around this one that has alternatives, or itself.
    std::pair<FuncId, int> alternative(FuncId func, int stage) const {
        std::pair<FuncId, int> found(func, stage);
        while (true) {
            const auto [first, end] = inference_.working_.alternatives(func, stage);
            found = end - first > 1 ? std::pair(func, stage) : found;
            const Site around = inference_.placement_.around({func.value, stage, 0});
            if (around.is_root()) {
                return found;
            }
            func = FuncId(around.func);
            stage = around.stage;
        }
    }
};

BoundsInference::BoundsInference(const LoweringGraph &working, const Placement &placement,
                                 const InferenceOptions &options)
    : working_(working), placement_(placement), buffers_(working.pipeline.graph), options_(options),
      consumers_(find_consumers(working)) {
    size_t funcs = working.pipeline.graph.funcs.size();
    out_.nests.resize(funcs);
    out_.regions.resize(funcs);
    out_.storage.resize(funcs);
    out_.folds.resize(funcs);
    out_.extents.resize(funcs);
    out_.rings.resize(funcs);
    out_.ahead.resize(funcs);
    out_.reasons.resize(funcs);
    accesses_.resize(funcs);
    touched_.resize(funcs);
    for (FuncId id : working.order) {
        out_.computed[placement.compute[id.index()]].push_back(id);
        out_.stored[placement.store[id.index()]].push_back(id);
        if (placement.hoist[id.index()] != placement.store[id.index()]) {
            out_.hoisted[placement.hoist[id.index()]].push_back(id);
        }
        for (const Stage &stage : working.func(id).stages) {
            accesses_[id.index()].push_back(find_accesses(stage));
        }
    }
}

Regions BoundsInference::run() {
    for (size_t i = working_.order.size(); i-- > 0;) {
        infer(working_.order[i]);
        share_loops(i);
    }
    infer_inputs();
    infer_prefetches();
    if (options_.find_ranges) {
        out_.ranges = find_ranges();
    }
    return std::move(out_);
}

void BoundsInference::infer(FuncId id) {
    const FuncDef &func = working_.func(id);
    const Site &site = placement_.compute[id.index()];
    Box need = working_.pipeline.graph.is_output(id) ? output_region(id) : Box();
    AccessUnion wanted(*this, site);
    for (const Consumer &consumer : consumers_[id.index()]) {
        BoundsFinder bounds = consumer_bounds(consumer.func, consumer.stage, site);
        for (const Access &call : accesses_[consumer.func.index()][static_cast<size_t>(consumer.stage)].calls) {
            if (call.symbol == func.symbol) {
                Box box = box_of(call, bounds);
                check_bounded(id, box, working_.func(consumer.func), consumer.stage, call);
                note(id, consumer, call, box);
                wanted.add(consumer.func, consumer.stage, box);
            }
        }
    }
    wanted.merge_into(need);
    size_t stages = func.stages.size();
    out_.nests[id.index()].resize(stages);
    out_.regions[id.index()].resize(stages);
    Box storage;
    std::optional<WindowLoops> loops;
    std::vector<Slide> slides;
    for (size_t end = stages; end > 0;) {
        const size_t last = end - 1;
        const size_t first = static_cast<size_t>(working_.alternatives(id, static_cast<int>(last)).first);
        // A promise or alignment is about the Func: it holds for every stage.
        Box region = promised(id, need, end == stages);
        if (end == stages) {
            loops = window_loops(id, region, site);
        }
        if (loops && end == stages && first == 0) {
            slides = slide(*loops, region);
        }
        bind_region(id, static_cast<int>(last), region, site);
        need = symbols_of(out_.regions[id.index()][last]);
        if (end == stages) {
            storage = need;
        }
        for (size_t k = first; k < end; k++) {
            out_.regions[id.index()][k] = out_.regions[id.index()][last];
        }
        AccessUnion needed(*this, site), stored(*this, site);
        for (size_t k = first; k < end; k++) {
            add_stage(id, k, needed, stored);
        }
        needed.merge_into(need);
        stored.merge_into(storage);
        end = first;
    }
    touched_[id.index()] = storage;
    const std::vector<Expr> extents = set_storage(id, storage, site);
    fold_storage(id, loops, slides, storage, extents);
    set_ring(id);
    if (working_.schedule(id).async) {
        async_lookahead(id, loops, storage);
    }
    set_extents(id, extents);
}

void BoundsInference::add_stage(FuncId id, size_t k, AccessUnion &needed, AccessUnion &stored) {
    const FuncDef &func = working_.func(id);
    const int stage = static_cast<int>(k);
    assume_condition(out_.regions[id.index()][k], working_.variant(id, stage).condition);
    const Site &site = placement_.compute[id.index()];
    const bool is_apart = placement_.store[id.index()] != site;
    out_.nests[id.index()][k] =
        std::make_unique<StageNest>(working_, id, stage, out_.regions[id.index()][k],
                                    is_apart ? StageNest::Storage::Shared : StageNest::Storage::Own,
                                    has_steady_extents(out_.regions[id.index()][k]));
    const StageNest &loops = nest(id, stage);
    const int outside = static_cast<int>(loops.loops().size()) + 1;
    BoundsFinder reads = with_lets(id, stage, loops.vars_at(outside, Touch::Read));
    BoundsFinder writes = with_lets(id, stage, loops.vars_at(outside, Touch::Write));
    const bool is_alone = !is_apart && !working_.schedule(id).memoize && placement_.fused.empty();
    const bool wants_all = !is_alone || decides_by_own_values(func.stages[k], func.symbol);
    std::optional<BoundsFinder> wanted;
    if (!wants_all) {
        wanted = with_lets(id, stage, loops.vars_at(outside, Touch::Wanted));
    }
    const Box written = box_of(write_of(func, k), writes);
    check_bounded(id, written, func, stage, write_of(func, k));
    stored.add(id, stage, written);
    for (const Access &call : accesses_[id.index()][k].calls) {
        if (call.symbol == func.symbol) {
            const Box box = box_of(call, reads);
            check_bounded(id, box, func, stage, call);
            needed.add(id, stage, wanted ? box_of(call, *wanted) : box);
            stored.add(id, stage, box);
        }
    }
}

bool BoundsInference::has_steady_extents(const Region &region) const {
    bool is_steady = true;
    for (size_t d = 0; d < region.exact_min.size(); d++) {
        for_each_node(simplify(sub(region.exact_max[d], region.exact_min[d])), [&](const Expr &node) {
            if (node->kind() == ExprKind::Variable) {
                const SymbolKind kind = node->symbol().kind();
                const auto kept = unexpanded_.find(node->symbol());
                const bool moves = kind == SymbolKind::Loop || kind == SymbolKind::Let ||
                                   (kept != unexpanded_.end() && !kept->second.site.is_root());
                is_steady = is_steady && !moves;
            }
        });
    }
    return is_steady;
}

void BoundsInference::share_loops(size_t position) {
    if (placement_.fused.empty()) {
        return;
    }
    const std::vector<FuncId> group = fused_group(working_, placement_, working_.order[position]);
    if (group.size() < 2 || group.front() != working_.order[position]) {
        return;
    }
    for (const auto &[stage, fusion] : placement_.fused) {
        const bool owns = fusion.parent.stage_id() == stage;
        if (owns && std::find(group.begin(), group.end(), stage.func) != group.end()) {
            share_loops(fusion.parent);
        }
    }
}

void BoundsInference::share_loops(const Site &parent) {
    struct Member {
        StageNest *nest;
        const Fusion *fusion;
    };
    std::vector<Member> members;
    for (const auto &[stage, fusion] : placement_.fused) {
        if (fusion.parent == parent) {
            StageNest *its = out_.nests[stage.func.index()][static_cast<size_t>(stage.stage)].get();
            members.push_back({its, &fusion});
        }
    }
    const StageNest &owner = nest(FuncId(parent.func), parent.stage);
    const size_t count = owner.loops().size() - static_cast<size_t>(parent.loop);
    std::vector<std::vector<SharedLoop>> shared(members.size());
    for (size_t t = 0; t < count; t++) { // innermost first
        const NestLoop &theirs = owner.loops()[static_cast<size_t>(parent.loop) + t];
        Expr min, max;
        std::vector<Expr> shifts;
        for (const Member &member : members) {
            const NestLoop &loop = member.nest->loops()[static_cast<size_t>(member.fusion->loop) + t];
            const std::vector<LoopAlignStrategy> &align = member.fusion->align;
            const LoopAlignStrategy how =
                count - 1 - t < align.size() ? align[count - 1 - t] : LoopAlignStrategy::NoAlign;
            shifts.push_back(shift_of(how, loop, theirs));
            const Expr first = simplify(sub(loop.min, shifts.back()));
            const Expr last = simplify(sub(add(first, loop.extent), int32(1)));
            min = min.defined() ? simplify(min_of(min, first)) : first;
            const Expr end = is_planted(Fault::Halo) ? sub(last, int32(1)) : last;
            max = max.defined() ? simplify(max_of(max, end)) : last;
        }
        const Symbol var(SymbolKind::Loop, theirs.var.name() + ".shared", theirs.var.owner());
        const Expr extent = simplify(add(sub(max, min), int32(1)));
        for (size_t m = 0; m < members.size(); m++) {
            shared[m].push_back({var, min, extent, simplify(add(make_var(Int(32), var), shifts[m]))});
        }
    }
    for (size_t m = 0; m < members.size(); m++) {
        members[m].nest->fuse(members[m].fusion->loop, shared[m]);
    }
}

void BoundsInference::require_at(const Site &site, const Expr &condition, const char *error,
                                 const std::vector<Expr> &args) {
    const Expr simple = simplify(condition);
    if (!is_true(simple)) {
        out_.lets[site].push_back({Symbol(), simple, make_extern(Int(32), error, args)});
    }
}

void BoundsInference::refuse(FuncId id, const char *slug, const std::string &text, const Location &location) const {
    throw CompileError(slug, "in " + working_.func(id).name() + ": " + with_dotted_loops(text), location);
}

Box BoundsInference::output_region(FuncId id) {
    Box box;
    const FuncDef &func = working_.func(id);
    const Symbol &buffer = buffers_.of(id, 0);
    for (size_t d = 0; d < func.dimensions(); d++) {
        Expr min = make_field(buffer, Field::Min, static_cast<int>(d));
        Expr extent = make_field(buffer, Field::Extent, static_cast<int>(d));
        // Promises that are constants are as good as known: they are checked before anything is computed.
        if (!func.output_buffers.empty() && d < func.output_buffers[0].dims.size()) {
            const DimConstraint &promise = func.output_buffers[0].dims[d];
            min = promise.min.defined() && is_const(promise.min) ? promise.min : min;
            extent = promise.extent.defined() && is_const(promise.extent) ? promise.extent : extent;
        }
        box.push_back({min, sub(add(min, extent), int32(1))});
    }
    return box;
}

Box BoundsInference::promised(FuncId id, const Box &need, bool check_promise) {
    Box box = need;
    const FuncDef &func = working_.func(id);
    for (const schedule::Bound &bound : working_.schedule(id).bounds) {
        size_t d = 0;
        while (d < func.arg_names.size() && func.arg_names[d] != bound.var) {
            d++;
        }
        check(d < box.size(), "a bound names a dimension");
        Interval &side = box[d];
        if (bound.modulus.defined()) {
            Expr remainder = bound.remainder.defined() ? bound.remainder : int32(0);
            Expr low = add(mul(div(sub(side.min, remainder), bound.modulus), bound.modulus), remainder);
            Expr extent = add(sub(side.max, low), int32(1));
            Expr pieces = div(add(extent, sub(bound.modulus, int32(1))), bound.modulus);
            side = {simplify(low), simplify(sub(add(low, mul(pieces, bound.modulus)), int32(1)))};
        }
        if (bound.extent.defined()) {
            Expr low = bound.min.defined() ? bound.min : side.min;
            Interval promise{simplify(low), simplify(sub(add(low, bound.extent), int32(1)))};
            if (check_promise) {
                assert_inside(id, d, side, promise);
            }
            side = promise;
        } else if (bound.min.defined()) {
            if (check_promise) {
                assert_inside(id, d, side, {bound.min, side.max});
            }
            side.min = bound.min;
        }
    }
    return box;
}

void BoundsInference::assert_inside(FuncId id, size_t d, const Interval &need, const Interval &promise) {
    Expr inside = simplify(logical_and(less_equal(promise.min, need.min), less_equal(need.max, promise.max)));
    if (is_true(inside)) {
        return;
    }
    const FuncDef &func = working_.func(id);
    std::vector<Expr> args = {
        make_string(func.name()), make_string(func.arg_names[d]), promise.min, promise.max, need.min, need.max};
    out_.lets[placement_.compute[id.index()]].push_back(
        {Symbol(), inside, make_extern(Int(32), "fluorite_error_explicit_bounds_too_small", args)});
}

void BoundsInference::bind_region(FuncId id, int stage, const Box &box, const Site &site) {
    const FuncDef &func = working_.func(id);
    Region region;
    for (size_t d = 0; d < box.size(); d++) {
        for (Side side : {Side::Min, Side::Max}) {
            const Expr &value = side == Side::Min ? box[d].min : box[d].max;
            std::vector<Expr> &symbolic = side == Side::Min ? region.min : region.max;
            std::vector<Expr> &exact = side == Side::Min ? region.exact_min : region.exact_max;
            if (is_const(value)) {
                symbolic.push_back(value);
                exact.push_back(value);
                continue;
            }
            if (is_kind(value, ExprKind::Variable) && value->symbol().kind() == SymbolKind::Bound) {
                symbolic.push_back(value); // the same as another stage's
                auto found = exact_.find(value->symbol());
                exact.push_back(found == exact_.end() ? value : found->second);
                continue;
            }
            SymbolOwner owner;
            owner.func = id.value, owner.stage = stage, owner.dim = static_cast<int>(d), owner.side = side;
            Symbol symbol(SymbolKind::Bound,
                          func.name() + ".s" + std::to_string(stage) + "." + func.arg_names[d] +
                              (side == Side::Min ? ".min" : ".max"),
                          owner);
            out_.lets[site].push_back({symbol, value, {}});
            symbolic.push_back(make_var(Int(32), symbol));
            Expr expanded = expand(strip_hints(value));
            bool keep = node_count(expanded) > (site.is_root() ? small_expr : largest_expr);
            exact.push_back(keep ? symbolic.back() : expanded);
            if (keep) {
                unexpanded_[symbol] = {value, site, {}};
            } else {
                exact_[symbol] = expanded;
            }
        }
    }
    out_.regions[id.index()].resize(func.stages.size());
    out_.regions[id.index()][static_cast<size_t>(stage)] = region;
}

void BoundsInference::check_bounded(FuncId id, const Box &box, const FuncDef &reader, int stage,
                                    const Access &call) const {
    for (size_t d = 0; d < box.size(); d++) {
        if (box[d].is_bounded()) {
            continue;
        }
        const FuncDef &func = working_.func(id);
        throw CompileError("unbounded-access",
                           "in " + reader.name() + ", stage " + std::to_string(stage) + ": coordinate " +
                               std::to_string(d) + " of " + func.name() + " is " +
                               text_for_user(call.args[d], working_.pipeline.graph) +
                               ", which has no known bounds; a Func is computed over a finite region; wrap the "
                               "coordinate in clamp(..., min, max)",
                           reader.stages[static_cast<size_t>(stage)].location);
    }
}

void BoundsInference::note(FuncId id, const Consumer &reader, const Access &call, const Box &box) {
    constexpr size_t most = 64;
    if (out_.reasons[id.index()].size() <= most) {
        out_.reasons[id.index()].push_back({reader.func, reader.stage, call.args, box});
    }
}

void BoundsInference::infer_inputs() {
    const Graph &graph = working_.pipeline.graph;
    out_.input_boxes.resize(graph.inputs.size());
    out_.input_read.resize(graph.inputs.size());
    std::vector<AccessUnion> read(graph.inputs.size(), AccessUnion(*this, Site::root()));
    for (FuncId id : working_.order) {
        const FuncDef &func = working_.func(id);
        for (size_t k = 0; k < func.stages.size(); k++) {
            const StageAccesses &accesses = accesses_[id.index()][k];
            if (accesses.images.empty()) {
                continue;
            }
            BoundsFinder bounds = consumer_bounds(id, static_cast<int>(k), Site::root());
            for (const Access &image : accesses.images) {
                size_t input = static_cast<size_t>(image.symbol.owner().input);
                Box box = box_of(image, bounds);
                check_input_bounded(box, func, k, image);
                out_.input_read[input] = true;
                read[input].add(id, static_cast<int>(k), box);
            }
        }
    }
    for (size_t input = 0; input < read.size(); input++) {
        Box &box = out_.input_boxes[input];
        read[input].merge_into(box);
        if (is_planted(Fault::Region) && out_.input_read[input] && !box.empty()) {
            box.back().max = simplify(max_of(box.back().min, sub(box.back().max, int32(1))));
        }
    }
    for (FuncId id : graph.outputs) {
        const FuncDef &func = working_.func(id);
        AccessUnion touched(*this, Site::root());
        for (size_t k = 0; k < func.stages.size(); k++) {
            BoundsFinder writes = consumer_bounds(id, static_cast<int>(k), Site::root(), Touch::Write);
            touched.add(id, static_cast<int>(k), box_of(write_of(func, k), writes));
            BoundsFinder reads = consumer_bounds(id, static_cast<int>(k), Site::root());
            for (const Access &call : accesses_[id.index()][k].calls) {
                if (call.symbol == func.symbol) {
                    touched.add(id, static_cast<int>(k), box_of(call, reads));
                }
            }
        }
        Box box;
        touched.merge_into(box);
        analysis::merge(box, symbols_of(out_.regions[id.index()].back()));
        out_.output_boxes.push_back(box);
    }
}

void BoundsInference::check_input_bounded(const Box &box, const FuncDef &func, size_t stage,
                                          const Access &image) const {
    for (size_t d = 0; d < box.size(); d++) {
        if (!box[d].is_bounded()) {
            throw CompileError("unbounded-access",
                               "in " + func.name() + ", stage " + std::to_string(stage) + ": coordinate " +
                                   std::to_string(d) + " of input " + image.symbol.name() + " is " +
                                   text_for_user(image.args[d], working_.pipeline.graph) +
                                   ", which has no known bounds; an input is read over a finite region; wrap the "
                                   "coordinate in clamp(..., min, max)",
                               func.stages[stage].location);
        }
    }
}

Regions infer_regions(const LoweringGraph &working, const Placement &placement, const InferenceOptions &options) {
    return BoundsInference(working, placement, options).run();
}

} // namespace fluorite::loopnest
