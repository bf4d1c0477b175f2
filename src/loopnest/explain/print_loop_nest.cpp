// The loop nest and the bounds of a pipeline as text for users.
//
// Makes the bounded loop nest (inlining, placement, regions) and traverses its sites in the order of lowering's
// build_loops, but writes lines instead of building statements. Loops with a single iteration are printed too: the text
// shows the schedule, not the code.
// Cost: that of making the loop nest.

#include "loopnest/explain/print_loop_nest.h"
#include "loopnest/loop_nest.h"
#include "loopnest/placement/fused_loops.h"
#include "loopnest/user_text.h"
#include "rewrite/simplify.h"
#include "schedule/directives/table.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace fluorite::loopnest {

using namespace ir;
using schedule::DirectiveName;

namespace {

class NestPrinter {
  public:
    explicit NestPrinter(const BoundedLoopNest &loop_nest) : nest_(loop_nest) {}

    std::string run() {
        print_site(Site::root(), 0, [] {});
        return out_.str();
    }

  private:
    const BoundedLoopNest &nest_;
    std::ostringstream out_;

    void line(int depth, const std::string &text) {
        out_ << std::string(static_cast<size_t>(depth) * 2, ' ') << text << "\n";
    }

    static std::vector<FuncId> find(const std::map<Site, std::vector<FuncId>> &map, const Site &site) {
        auto found = map.find(site);
        return found == map.end() ? std::vector<FuncId>() : found->second;
    }

    template <typename Core> void print_site(const Site &site, int depth, const Core &core) {
        for (FuncId id : find(nest_.regions.hoisted, site)) {
            const std::optional<Ring> &ring = nest_.regions.func(id).ring;
            const std::string in_ring =
                ring ? " in a ring of " +
                           schedule::expression_text(nest_.graph.schedule(id).marks.value(DirectiveName::ring_buffer))
                     : "";
            line(depth++, "allocate " + nest_.graph.func(id).name() + in_ring + ":");
        }
        for (FuncId id : find(nest_.regions.stored, site)) {
            if (nest_.placement.compute[id.index()] != site) {
                line(depth++, "store " + nest_.graph.func(id).name() + ":");
            }
        }
        std::vector<FuncId> computed = find(nest_.regions.computed, site);
        for (size_t i = 0; i < computed.size();) {
            const std::vector<FuncId> group = fused_group(nest_.graph, nest_.placement, computed[i]);
            i += group.size();
            std::string names;
            for (const FuncId id : group) {
                names += (names.empty() ? "" : ", ") + nest_.graph.func(id).name();
            }
            const schedule::Marks &marks = nest_.graph.schedule(group.front()).marks;
            const std::string few =
                marks.has(DirectiveName::agglomerate)
                    ? " on " + schedule::expression_text(marks.value(DirectiveName::agglomerate)) + " ranks at most"
                    : "";
            line(depth, "produce " + names + few + (marks.has(DirectiveName::async) ? ", async" : "") +
                            (marks.has(DirectiveName::memoize) ? ", unless memoized:" : ":"));
            for (const std::vector<Consumer> &together : order_stages(nest_.graph, nest_.placement, group)) {
                if (together.size() > 1) {
                    const StageNest &owner = nest_of(together[0]);
                    print_shared(together, owner, LoopId(owner.loops().size()), depth + 1);
                } else {
                    print_choice(together[0], depth + 1);
                }
            }
            if (i < computed.size() || !site.is_root()) {
                line(depth++, "consume " + names + ":");
            }
        }
        core_at(depth, core);
    }

    template <typename Core> void core_at(int depth, const Core &core) {
        if constexpr (std::is_invocable_v<Core, int>) {
            core(depth);
        } else {
            core();
        }
    }

    const StageNest &nest_of(const Consumer &stage) const { return nest_.regions.nest(stage); }

    // The loops that the stages share, from `level` inward, and the stages inside the innermost shared loop.
    void print_shared(const std::vector<Consumer> &together, const StageNest &owner, LoopId level, int depth) {
        print_site({together[0], level}, depth, [&](int inner) {
            if (level.value > owner.first_shared()) {
                const NestLoop &loop = owner.loop(outward(level, -1));
                line(inner, loop_text(loop));
                print_shared(together, owner, outward(level, -1), inner + 1);
                return;
            }
            for (const Consumer &one : together) {
                print_inside(one, nest_of(one), LoopId(nest_of(one).first_shared()), inner);
            }
        });
    }

    // The `if` and `else` around the specializations of a stage.
    void print_choice(StageId id, int depth) {
        const auto [first, end] = nest_.graph.alternatives(id);
        const Variant variant = nest_.graph.variant(id);
        const bool has_choice = end - first > 1 || !variant.failure.empty();
        if (has_choice) {
            const std::string condition =
                variant.condition.defined() ? text_for_user(variant.condition, nest_.graph.pipeline.graph) : "";
            const std::string other = id.index() == first ? "" : "else ";
            line(depth++, condition.empty() ? other.empty() ? "always:" : "else:" : other + "if " + condition + ":");
        }
        variant.failure.empty() ? print_stage(id, depth) : line(depth, "fail \"" + variant.failure + "\"");
    }

    void print_stage(StageId id, int depth) {
        const StageNest &nest = nest_.regions.nest(id);
        print_loop(id, nest, LoopId(nest.loops().size()), depth,
                   nest_.graph.schedule(id).marks.has(DirectiveName::gpu_single_thread));
    }

    // The site `level` of the stage, and everything inside it; `is_single` says that one thread of a device runs it.
    void print_loop(StageId id, const StageNest &nest, LoopId level, int depth, bool is_single = false) {
        for (const schedule::Prefetch &prefetch : nest_.graph.schedule(id).prefetches) {
            if (level.index() < nest.loops().size() && nest.loop(level).name == prefetch.at) {
                line(depth, "prefetch " + prefetch.source.name() + " for " + prefetch.from + " + " +
                                text_for_user(prefetch.offset, nest_.graph.pipeline.graph));
            }
        }
        print_site({id, level}, depth, [&](int inner) {
            if (is_single) {
                line(inner++, "gpu_single_thread:");
            }
            print_inside(id, nest, level, inner);
        });
    }

    void print_inside(StageId id, const StageNest &nest, LoopId level, int depth) {
        if (level == LoopId(0)) {
            line(depth, nest_.graph.func(id.func).name() + "(...) = ...");
            return;
        }
        const NestLoop &loop = nest.loop(outward(level, -1));
        line(depth, loop_text(loop));
        print_loop(id, nest, outward(level, -1), depth + 1);
    }

    static std::string loop_text(const NestLoop &loop) {
        const bool is_serial = loop.for_type == ForType::Serial;
        std::string text = loop.is_distributed ? "distributed " : "";
        text += std::string(is_serial ? "for" : schedule::type_word(loop.for_type)) + " " + loop.name;
        int64_t extent = 0, min = 0;
        if (is_const_int(loop.extent, &extent) && is_const_int(loop.min, &min)) {
            text += " in [" + std::to_string(min) + ", " + std::to_string(min + extent - 1) + "]";
        }
        return text + ":";
    }
};

/// Writes bounds as messages show them. Symbols that lowering binds are replaced by their values; the first point of a
/// piece of a split loop keeps its name, which is explained once.
class BoundsWriter {
  public:
    BoundsWriter(const BoundedLoopNest &loop_nest, std::ostringstream &out) : nest_(loop_nest), out_(out) {
        for (const auto &[site, lets] : loop_nest.regions.lets) {
            for (const SiteLet &let : lets) {
                if (let.symbol.defined()) {
                    lets_[let.symbol] = let.value;
                }
            }
        }
        for (const FuncBounds &func : loop_nest.regions.funcs) {
            for (const std::shared_ptr<const StageNest> &nest : func.nests) {
                for (const NestDef &def : nest->defs()) {
                    pieces_[def.symbol] = def.value;
                }
            }
        }
    }

    std::string text(const Expr &expr) {
        const Expr value = rewrite::simplify(expanded(expr));
        for_each_node(value, [&](const Expr &node) {
            const bool is_piece = node->kind() == ExprKind::Variable && pieces_.count(node->symbol()) > 0;
            if (is_piece && explained_.insert(plain_text(node)).second) {
                new_.push_back(node);
            }
        });
        return plain_text(value);
    }
    std::string range(const Expr &min, const Expr &max) { return "[" + text(min) + ", " + text(max) + "]"; }

    void explain_pieces() {
        while (!new_.empty()) {
            const Expr piece = new_.back();
            new_.pop_back();
            const std::string value = text(pieces_.at(piece->symbol()));
            out_ << "  " << plain_text(piece) << " is " << value << "\n";
        }
    }

  private:
    const BoundedLoopNest &nest_;
    std::ostringstream &out_;
    SymbolMap<Expr> lets_, pieces_;
    std::set<std::string> explained_;
    std::vector<Expr> new_;

    std::string plain_text(const Expr &expr) const { return text_for_user(expr, nest_.graph.pipeline.graph); }
    /// Substitutes lets, which may refer to other lets, and points to which the edges of an image reflect. Bounds of
    /// regions are names that the reader knows, so they stay.
    Expr expanded(const Expr &expr) const {
        constexpr int deepest = 8;
        Expr value = expr;
        for (int i = 0; i < deepest; i++) {
            const Expr next = transform(value, [&](const Expr &node) -> Expr {
                const bool is_variable = node->kind() == ExprKind::Variable;
                const bool is_side =
                    is_variable && node->symbol().kind() == SymbolKind::Bound && node->symbol().owner().dim.valid();
                const auto found = is_variable && !is_side ? lets_.find(node->symbol()) : lets_.end();
                return found == lets_.end() ? node : found->second;
            });
            if (next.same_as(value)) {
                break;
            }
            value = next;
        }
        return value;
    }
};

std::string reason_text(const BoundedLoopNest &loop_nest, const FuncDef &func, const Reason &reason,
                        BoundsWriter &bounds) {
    std::string text =
        concat(loop_nest.graph.func(reason.reader.func).name(), ", stage ", reason.reader.stage, " reads (");
    for (size_t d = 0; d < reason.coordinates.size(); d++) {
        text += (d ? ", " : "") + text_for_user(reason.coordinates[d], loop_nest.graph.pipeline.graph);
    }
    text += "), so it needs";
    for (size_t d = 0; d < reason.box.size(); d++) {
        text += " " + func.arg_names[d] + " in " + bounds.range(reason.box[d].min, reason.box[d].max);
    }
    return text;
}

void describe_func(std::ostringstream &out, const BoundedLoopNest &loop_nest, FuncId id) {
    const FuncDef &func = loop_nest.graph.func(id);
    BoundsWriter bounds(loop_nest, out);
    out << func.name() << " is computed at " << describe(loop_nest.graph, loop_nest.placement.compute[id.index()])
        << ", stored at " << describe(loop_nest.graph, loop_nest.placement.store[id.index()]) << "\n";
    for (const Reason &reason : loop_nest.regions.func(id).reasons) {
        out << "  " << reason_text(loop_nest, func, reason, bounds) << "\n";
    }
    for (size_t k = 0; k < func.stages.size(); k++) {
        const Region &region = loop_nest.regions.func(id).regions[k];
        out << "  stage " << k << " computes";
        for (size_t d = 0; d < region.min.size(); d++) {
            out << " " << func.arg_names[d] << " in " << bounds.range(region.exact_min[d], region.exact_max[d]);
        }
        out << (region.min.empty() ? " one value\n" : "\n");
    }
    const std::vector<Range> &storage = loop_nest.regions.func(id).storage;
    for (size_t d = 0; d < storage.size(); d++) {
        out << "  storage of " << func.arg_names[d] << " has extent " << bounds.text(storage[d].extent) << "\n";
    }
    bounds.explain_pieces();
}

} // namespace

std::string loop_nest_text(const schedule::ScheduledGraph &pipeline) {
    return NestPrinter(make_loop_nest(pipeline)).run();
}

std::string bounds_text(const schedule::ScheduledGraph &pipeline, const std::string &name) {
    const BoundedLoopNest loop_nest = make_loop_nest(pipeline);
    std::ostringstream out;
    for (FuncId id : loop_nest.graph.order) {
        if (loop_nest.graph.func(id).user_name() == name) {
            describe_func(out, loop_nest, id);
        }
    }
    if (!out.str().empty()) {
        return out.str();
    }
    return name + " is computed inline: each consumer computes the values that it reads\n";
}

} // namespace fluorite::loopnest
