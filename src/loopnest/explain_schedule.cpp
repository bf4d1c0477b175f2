// What a schedule costs, Func by Func, as text for people.
//
// Method: makes the bounded loop nest (inlining, placement, regions). Sizes of outputs become values of the fields of their
// buffers; every other symbol is worked out from the lets of its site and the defs of its nest, when it is asked for. What a
// Func computes is summed over the iterations of the loops around it: loops that the size of a piece does not depend on are
// not run through but multiplied. What is needed of it is what it would compute were every Func computed at root. Storage is
// that of the largest corner (the first or last iteration of each loop around).
//
// Does not count: iterations that tails add (RoundUp, ShiftInwards) beyond the region that is asked for. Where a size depends
// on an input that is not bound or a Param without value, or too many iterations would have to be run through, it says so.
// Cost: twice that of making a loop nest, and at most `most_iterations` evaluations a Func.

#include "loopnest/explain_schedule.h"
#include "loopnest/loop_nest.h"
#include "loopnest/user_text.h"

#include "rewrite/simplify.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace fluorite::loopnest {

using namespace ir;

namespace {

constexpr int most_iterations = 5'000;

/// Every Func that is not inlined at root: what is needed of each, computed once.
schedule::ScheduledGraph all_at_root(schedule::ScheduledGraph pipeline) {
    for (schedule::FuncSchedule &func : pipeline.schedule.funcs) {
        if (!func.compute.is_inlined()) {
            func.compute = schedule::LoopLevel::root();
        }
        // How and when it is stored is about the place that it has.
        func.store = func.hoist = schedule::LoopLevel::inlined();
        func.storage.clear();
        func.ring_buffer = func.memoize = func.async = {};
        for (schedule::StageSchedule &stage : func.stages) {
            schedule::for_each_variant(stage, [](schedule::StageSchedule &variant) { variant.prefetches.clear(); });
        }
    }
    return pipeline;
}

using Number = std::optional<int64_t>;

/// Values of symbols: of outputs, inputs, Params and loops as given, of lets and defs as their expressions say.
class Values {
  public:
    Values(const BoundedLoopNest &loop_nest, const std::vector<int32_t> &sizes) : nest_(loop_nest) {
        for (const auto &[site, lets] : loop_nest.regions.lets) {
            for (const SiteLet &let : lets) {
                if (let.symbol.defined()) {
                    definitions_[let.symbol] = let.value;
                }
            }
        }
        for (const auto &nests : loop_nest.regions.nests) {
            for (const std::unique_ptr<StageNest> &nest : nests) {
                for (size_t i = 0; nest && i < nest->defs().size(); i++) {
                    definitions_[nest->defs()[i].symbol] = nest->defs()[i].value;
                }
            }
        }
        for (FuncId output : loop_nest.graph.pipeline.graph.outputs) {
            set_output(output, sizes);
        }
    }

    bool know_outputs() const { return know_outputs_; }

    void set_loop(const Symbol &loop, int64_t value) {
        loops_[loop] = value;
        known_.clear();
    }

    Number operator()(const Expr &expr) {
        bool is_known = true;
        const Expr flat = transform(expr, [&](const Expr &node) {
            Number value;
            if (node->kind() == ExprKind::Variable) {
                value = of_symbol(node);
            } else if (node->kind() == ExprKind::BufferField) {
                value = of_field(node);
            } else {
                return node;
            }
            is_known = is_known && value.has_value();
            return value ? make_int(node.type(), *value) : node;
        });
        return is_known ? rewrite::constant_value(flat) : std::nullopt;
    }

    /// The expression with lets of root worked in, as far as it stays short.
    Expr expanded(const Expr &expr) const {
        Expr result = expr;
        for (int round = 0; round < 8; round++) {
            bool changed = false;
            const Expr next = transform(result, [&](const Expr &node) {
                const auto found =
                    node->kind() == ExprKind::Variable ? definitions_.find(node->symbol()) : definitions_.end();
                changed = changed || found != definitions_.end();
                return found == definitions_.end() ? node : found->second;
            });
            if (!changed) {
                break;
            }
            result = next;
        }
        return rewrite::simplify(result);
    }

    /// Whether the value depends on the loop, through whatever lets and defs.
    bool depends(const Expr &expr, const Symbol &loop) const {
        bool found = false;
        for_each_node(expr, [&](const Expr &node) {
            if (found || node->kind() != ExprKind::Variable) {
                return;
            }
            const auto definition = definitions_.find(node->symbol());
            found = node->symbol() == loop || (definition != definitions_.end() && depends(definition->second, loop));
        });
        return found;
    }

  private:
    const BoundedLoopNest &nest_;
    SymbolMap<Expr> definitions_;
    SymbolMap<int64_t> loops_;
    SymbolMap<Number> known_;
    std::vector<std::pair<FuncId, std::vector<int64_t>>> extents_;
    bool know_outputs_ = true;

    void set_output(FuncId output, const std::vector<int32_t> &sizes) {
        const FuncDef &func = nest_.graph.func(output);
        std::vector<int64_t> extents;
        for (size_t d = 0; d < func.dimensions(); d++) {
            int64_t extent = d < sizes.size() ? sizes[d] : -1;
            for (const schedule::Bound &estimate : nest_.graph.schedule(output).estimates) {
                if (sizes.empty() && estimate.var == func.arg_names[d] && estimate.extent.defined()) {
                    extent = rewrite::constant_value(estimate.extent).value_or(-1);
                }
            }
            know_outputs_ = know_outputs_ && extent >= 0;
            extents.push_back(extent);
        }
        if (know_outputs_) {
            extents_.emplace_back(output, extents);
        }
    }

    Number of_symbol(const Expr &variable) {
        const Symbol &symbol = variable->symbol();
        const auto loop = loops_.find(symbol);
        if (loop != loops_.end()) {
            return loop->second;
        }
        const auto known = known_.find(symbol);
        if (known != known_.end()) {
            return known->second;
        }
        Number value;
        const auto definition = definitions_.find(symbol);
        if (definition != definitions_.end()) {
            value = (*this)(definition->second);
        } else if (const Parameter *param = parameter_of(symbol); param && param->has_value) {
            const bool is_plain = variable.type().is_int_or_uint() && variable.type().bits() <= 32;
            value = is_plain ? Number(variable.type().is_int()
                                          ? static_cast<int64_t>(static_cast<int32_t>(param->value_bits))
                                          : static_cast<int64_t>(param->value_bits))
                             : std::nullopt;
        }
        known_[symbol] = value;
        return value;
    }

    Number of_field(const Expr &node) const {
        const size_t d = static_cast<size_t>(node->member().index);
        for (const auto &[output, extents] : extents_) {
            if (node->symbol().owner().func == output.value && d < extents.size()) {
                return node->member().field == Field::Min      ? Number(0)
                       : node->member().field == Field::Extent ? Number(extents[d])
                       : node->member().field == Field::Max    ? Number(extents[d] - 1)
                                                               : std::nullopt;
            }
        }
        const Parameter *input = parameter_of(node->symbol());
        if (!input || !input->buffer || static_cast<int32_t>(d) >= input->buffer->dimensions) {
            return std::nullopt;
        }
        const fluorite_dimension_t &dim = input->buffer->dim[d];
        return node->member().field == Field::Min      ? Number(dim.min)
               : node->member().field == Field::Extent ? Number(dim.extent)
               : node->member().field == Field::Max    ? Number(dim.min + dim.extent - 1)
                                                       : Number(dim.stride);
    }
};

/// The loops around the place where a Func is computed, outermost first.
struct Around {
    std::vector<const NestLoop *> loops;
    std::vector<std::string> stages; // of each loop
    std::vector<const NestGuard *> guards;
};

class Explainer {
  public:
    Explainer(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes)
        : original_(pipeline), nest_(make_loop_nest(pipeline)), values_(nest_, sizes),
          at_root_(make_loop_nest(all_at_root(pipeline))), values_at_root_(at_root_, sizes) {}

    std::string run() {
        std::vector<bool> computed(nest_.graph.pipeline.graph.funcs.size());
        for (FuncId id : nest_.graph.order) {
            computed[id.index()] = true;
        }
        for (const FuncDef &func : original_.graph.funcs) {
            if (!computed[func.id().index()] || is_inline(func.id())) {
                describe_inlined(func);
            }
            for (FuncId id : nest_.graph.order) {
                if (id == func.id() || (!is_inline(func.id()) && is_in_further_stage(id, func))) {
                    describe(id);
                }
            }
        }
        return out_.str();
    }

  private:
    const schedule::ScheduledGraph &original_;
    BoundedLoopNest nest_;
    Values values_;
    BoundedLoopNest at_root_;
    Values values_at_root_;
    std::ostringstream out_;

    /// Clones for further stages of the consumer are f$1, f$2...
    bool is_in_further_stage(FuncId id, const FuncDef &func) const {
        const std::string &name = nest_.graph.func(id).name(), prefix = func.name() + "$";
        return name.starts_with(prefix) && name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    }

    bool is_inline(FuncId id) const {
        return id.index() < original_.graph.funcs.size() && !original_.graph.is_output(id) &&
               original_.schedule.func(id).compute.is_inlined();
    }

    void describe_inlined(const FuncDef &func) {
        std::string callers;
        for (const FuncDef &other : original_.graph.funcs) {
            bool calls = false;
            for (const Stage &stage : other.stages) {
                for (const Expr &expr : stage_exprs(stage)) {
                    for_each_node(expr, [&](const Expr &node) {
                        calls = calls || (node->kind() == ExprKind::Call && node->symbol() == func.symbol);
                    });
                }
            }
            if (calls && other.id() != func.id()) {
                callers += (callers.empty() ? "" : ", ") + other.name();
            }
        }
        out_ << func.name() << ": computed inline in " << callers << "\n";
        if (func.stages.size() > 1) {
            out_ << "  with its updates, once for each value that is read\n";
        }
    }

    void describe(FuncId id) {
        const FuncDef &func = nest_.graph.func(id);
        if (!is_inline(id)) {
            out_ << func.name() << ": " << place_text(id) << "\n";
        }
        describe_storage(id);
        if (nest_.graph.schedule(id).streams) {
            out_ << "  stores: past the caches\n";
        }
        describe_work(id);
        for (size_t k = 0; k < func.stages.size(); k++) {
            describe_loops(id, static_cast<int>(k));
            describe_prefetches(id, k);
        }
    }

    void describe_prefetches(FuncId id, size_t k) {
        for (const schedule::Prefetch &prefetch : nest_.graph.schedule(id).stages[k].prefetches) {
            out_ << "  prefetch: in each iteration of " << prefetch.at << ", of " << prefetch.source.name() << " for "
                 << prefetch.from << " + " << schedule::expression_text(prefetch.offset) << "\n";
        }
    }

    std::string place_text(FuncId id) const {
        if (nest_.graph.pipeline.graph.is_output(id)) {
            return "output, computed at root, stored by the caller";
        }
        const Site &compute = nest_.placement.compute[id.index()], &store = nest_.placement.store[id.index()];
        const bool is_memoized = static_cast<bool>(nest_.graph.schedule(id).memoize);
        const bool is_async = static_cast<bool>(nest_.graph.schedule(id).async);
        const std::string task = is_async ? " by a task of its own" + ahead_text(nest_.regions.ahead[id.index()]) : "";
        return "computed at " + describe_site(compute) + task + (is_memoized ? " unless memoized" : "") + ", stored " +
               (store == compute ? "there" : "at " + describe_site(store));
    }
    static std::string ahead_text(const Expr &ahead) {
        int64_t count = 0;
        if (!ahead.defined()) {
            return "";
        }
        if (!is_const_int(ahead, &count)) {
            return ", up to " + schedule::expression_text(ahead) + " iterations at once";
        }
        return count == 1   ? ", in step"
               : count == 2 ? ", an iteration ahead"
                            : ", " + std::to_string(count - 1) + " iterations ahead";
    }
    std::string describe_site(const Site &site) const { return loopnest::describe(nest_.graph, site); }

    // ---- The loops around.

    Around around(const Site &site) const {
        Around result;
        if (site.is_root()) {
            return result;
        }
        const FuncId owner(site.func);
        result = around(nest_.placement.compute[owner.index()]);
        const StageNest &nest = *nest_.regions.nests[owner.index()][static_cast<size_t>(site.stage)];
        const std::string stage = schedule::stage_text(nest_.graph.func(owner).name(), site.stage);
        for (int i = static_cast<int>(nest.loops().size()); i-- > site.loop;) {
            result.loops.push_back(&nest.loops()[static_cast<size_t>(i)]);
            result.stages.push_back(stage);
        }
        for (const NestGuard &guard : nest.guards()) {
            const bool is_around = guard.kind == NestGuard::Kind::Body || guard.kind == NestGuard::Kind::Accesses;
            if (is_around && guard.depth >= site.loop) {
                result.guards.push_back(&guard);
            }
        }
        return result;
    }

    /// Calls visit with the number of equal iterations it stands for; false where something is not known or it takes too long.
    template <typename Visit>
    bool run_through(const Around &around, const std::vector<Expr> &sizes, size_t at, int64_t times, int &budget,
                     const Visit &visit) {
        if (at == around.loops.size()) {
            return --budget >= 0 && visit(times);
        }
        const NestLoop &loop = *around.loops[at];
        const Number min = values_(loop.min), extent = values_(loop.extent);
        if (!min || !extent) {
            return false;
        }
        bool matters = false;
        for (const Expr &size : sizes) {
            matters = matters || values_.depends(size, loop.var);
        }
        const int64_t iterations = matters ? *extent : std::min<int64_t>(*extent, 1);
        for (int64_t i = 0; i < iterations; i++) {
            values_.set_loop(loop.var, *min + i);
            if (!run_through(around, sizes, at + 1, matters ? times : times * *extent, budget, visit)) {
                return false;
            }
        }
        return true;
    }

    /// The first and last iteration of each loop.
    template <typename Visit> bool visit_corners(const Around &around, size_t at, const Visit &visit) {
        if (at == around.loops.size()) {
            return visit();
        }
        const NestLoop &loop = *around.loops[at];
        const Number min = values_(loop.min), extent = values_(loop.extent);
        if (!min || !extent) {
            return false;
        }
        for (int64_t i : {int64_t(0), *extent - 1}) {
            values_.set_loop(loop.var, *min + std::max<int64_t>(i, 0));
            if (!visit_corners(around, at + 1, visit)) {
                return false;
            }
            if (*extent <= 1) {
                break;
            }
        }
        return true;
    }

    // ---- Storage.

    std::vector<Expr> storage_extents(FuncId id) const {
        std::vector<Expr> extents;
        const std::vector<Range> &storage = nest_.regions.storage[id.index()];
        for (size_t d = 0; d < storage.size(); d++) {
            const Expr &fold = nest_.regions.folds[id.index()][d], &extent = nest_.regions.extents[id.index()][d];
            extents.push_back(extent.defined() ? extent : fold.defined() ? fold : storage[d].extent);
        }
        if (const std::optional<Ring> &ring = nest_.regions.rings[id.index()]) {
            extents.push_back(ring->extent);
        }
        return extents;
    }

    std::string value_text(FuncId id) const {
        std::string text;
        for (const Type &type : nest_.graph.func(id).types) {
            text += (text.empty() ? "" : " and ") + to_string(type);
        }
        return text;
    }

    int64_t value_bytes(FuncId id) const {
        int64_t bytes = 0;
        for (const Type &type : nest_.graph.func(id).types) {
            bytes += type.bytes();
        }
        return bytes;
    }

    void describe_storage(FuncId id) {
        if (nest_.graph.pipeline.graph.is_output(id)) {
            return;
        }
        const std::vector<Expr> extents = storage_extents(id);
        std::vector<int64_t> largest(extents.size(), 0);
        const Around place = around(nest_.placement.hoist[id.index()]);
        const bool known = visit_corners(place, 0, [&] {
            for (size_t d = 0; d < extents.size(); d++) {
                const Number extent = values_(extents[d]);
                if (!extent) {
                    return false;
                }
                largest[d] = std::max(largest[d], *extent);
            }
            return true;
        });
        static const char *const memories[] = {"", " on the heap", " on the stack", " in registers"};
        const std::string memory = memories[static_cast<int>(nest_.graph.schedule(id).memory)];
        out_ << "  storage: ";
        if (known) {
            int64_t bytes = value_bytes(id);
            for (size_t d = 0; d < largest.size(); d++) {
                out_ << (d ? " x " : "") << largest[d];
                bytes *= largest[d];
            }
            out_ << (largest.empty() ? "one " : " ") << value_text(id) << ", " << bytes << " bytes" << memory;
        } else {
            describe_symbolic(id, extents);
            out_ << memory;
        }
        describe_folds(id);
        describe_memory(id);
        out_ << "\n";
    }

    void describe_symbolic(FuncId id, const std::vector<Expr> &extents) {
        Expr bytes = make_int(Int(32), value_bytes(id));
        for (size_t d = 0; d < extents.size(); d++) {
            const Expr extent = values_.expanded(extents[d]);
            out_ << (d ? " x " : "") << "(" << schedule::expression_text(extent) << ")";
            bytes = mul(bytes, extent);
        }
        const Expr all = rewrite::simplify(bytes);
        out_ << " " << value_text(id) << ", ";
        out_ << (node_count(all) > 40 ? std::to_string(value_bytes(id)) + " bytes each"
                                      : schedule::expression_text(all) + " bytes");
    }

    void describe_memory(FuncId id) {
        const Site &store = nest_.placement.store[id.index()], &hoist = nest_.placement.hoist[id.index()];
        if (hoist != store) {
            out_ << ", taken at " << describe_site(hoist);
            if (const std::optional<Ring> &ring = nest_.regions.rings[id.index()]) {
                out_ << " for " << schedule::expression_text(ring->extent) << " iterations";
            }
        }
        for (const schedule::StorageDim &dim : nest_.graph.schedule(id).storage) {
            if (dim.alignment.defined()) {
                out_ << ", " << dim.var << " in multiples of " << schedule::expression_text(dim.alignment);
            }
        }
    }

    void describe_folds(FuncId id) {
        const std::vector<Expr> &folds = nest_.regions.folds[id.index()];
        for (size_t d = 0; d < folds.size(); d++) {
            if (folds[d].defined()) {
                out_ << ", " << nest_.graph.func(id).arg_names[d] << " folded into "
                     << schedule::expression_text(folds[d]);
            }
        }
    }

    // ---- Work.

    void describe_work(FuncId id) {
        if (!values_.know_outputs() || nest_.graph.pipeline.graph.is_output(id) || is_inline(id)) {
            return;
        }
        const Region &region = nest_.regions.regions[id.index()][0];
        const Around place = around(nest_.placement.compute[id.index()]);
        std::vector<Expr> extents, conditions;
        for (size_t d = 0; d < region.min.size(); d++) {
            const Expr extent = add(sub(region.exact_max[d], region.exact_min[d]), make_int(Int(32), 1));
            extents.push_back(rewrite::simplify(extent));
        }
        std::vector<Expr> sizes = extents;
        for (const NestGuard *guard : place.guards) {
            conditions.push_back(make_cast(Int(32), guard->condition));
            sizes.push_back(conditions.back());
        }
        for (const NestLoop *loop : place.loops) {
            sizes.push_back(loop->extent);
        }
        int64_t computed = 0;
        int budget = most_iterations;
        const bool known = run_through(place, sizes, 0, 1, budget, [&](int64_t times) {
            int64_t values = times;
            for (const std::vector<Expr> *list : {&extents, &conditions}) {
                for (const Expr &factor : *list) {
                    const Number number = values_(factor);
                    if (!number) {
                        return false;
                    }
                    values *= std::max<int64_t>(*number, 0);
                }
            }
            computed += values;
            return true;
        });
        const Number needed = values_needed(id);
        if (!known || !needed || *needed == 0) {
            out_ << "  work: "
                 << (budget < 0 ? "too many different pieces to count" : "depends on values not known here") << "\n";
            return;
        }
        char ratio[40];
        std::snprintf(ratio, sizeof ratio, "%.2f", static_cast<double>(computed) / static_cast<double>(*needed));
        out_ << "  work: " << computed << " values computed, " << *needed << " needed: " << ratio << " times each\n";
    }

    Number values_needed(FuncId id) {
        // What is inside of a specialization, or of a further stage, is a copy, which the pipeline at root has not.
        std::string name = nest_.graph.func(id).name();
        name = name.substr(0, name.find('$'));
        for (const FuncId other : at_root_.graph.order) {
            if (at_root_.graph.func(other).name() == name) {
                id = other;
                break;
            }
        }
        if (id.index() >= at_root_.regions.regions.size() || at_root_.regions.regions[id.index()].empty()) {
            return std::nullopt;
        }
        const Region &region = at_root_.regions.regions[id.index()][0];
        int64_t values = 1;
        for (size_t d = 0; d < region.min.size(); d++) {
            const Number min = values_at_root_(region.exact_min[d]), max = values_at_root_(region.exact_max[d]);
            if (!min || !max) {
                return std::nullopt;
            }
            values *= std::max<int64_t>(*max - *min + 1, 0);
        }
        return values;
    }

    // ---- Loops.

    std::string count_text(const Expr &extent) {
        const Number number = values_(extent);
        return number ? std::to_string(*number) : "(" + schedule::expression_text(values_.expanded(extent)) + ")";
    }

    void describe_loops(FuncId id, int k) {
        const FuncDef &func = nest_.graph.func(id);
        const StageNest &nest = *nest_.regions.nests[id.index()][static_cast<size_t>(k)];
        const Around place = around(nest_.placement.compute[id.index()]);
        for (const NestLoop *loop : place.loops) { // as they stand in the first piece
            if (const Number min = values_(loop->min)) {
                values_.set_loop(loop->var, *min);
            }
        }
        std::vector<std::string> parts;
        for (size_t i = nest.loops().size(); i-- > 0;) {
            const NestLoop &loop = nest.loops()[i];
            static const char *const kinds[] = {"", " tasks over ", " lanes over ", " copies of "};
            if (loop.for_type != ForType::Serial) {
                parts.push_back(count_text(loop.extent) + kinds[static_cast<int>(loop.for_type)] + loop.name);
            }
        }
        for (size_t i = 0; i < place.loops.size(); i++) {
            if (place.loops[i]->for_type == ForType::Parallel) {
                parts.push_back("in each of the " + count_text(place.loops[i]->extent) + " tasks of " +
                                place.stages[i] + "." + place.loops[i]->name);
            }
        }
        const Variant variant = nest_.graph.variant(id, k);
        out_ << "  " << (nest_.graph.has_updates(id) ? schedule::stage_text(func.name(), variant.definition) : "loops");
        const auto [first, end] = nest_.graph.alternatives(id, k);
        if (end - first > 1) {
            out_ << (variant.condition.defined()
                         ? " where " + text_for_user(variant.condition, nest_.graph.pipeline.graph)
                         : " otherwise");
        }
        out_ << ": ";
        if (!variant.failure.empty()) {
            out_ << "the pipeline fails: " << variant.failure << "\n";
            return;
        }
        for (size_t i = 0; i < parts.size(); i++) {
            out_ << (i ? ", " : "") << parts[i];
        }
        out_ << (parts.empty() ? "serial" : "") << "\n";
    }
};

} // namespace

std::string explain_schedule_text(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes) {
    return Explainer(pipeline.rewritten ? *pipeline.rewritten : pipeline, sizes).run();
}

} // namespace fluorite::loopnest
