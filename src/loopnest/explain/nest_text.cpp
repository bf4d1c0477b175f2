// A bounded loop nest as text, complete.
//
// First come the Funcs in their order, with definitions, sites, loops and their ranges, regions, storage and windows.
// Then follow the lets and assertions of each site, the Funcs that are computed, stored and hoisted there, its
// prefetches, and the boxes of inputs and outputs. Expressions are written in the text form of the IR.
//
// Cost: linear in the expressions, counted as trees.

#include "loopnest/explain/nest_text.h"

#include <map>
#include <sstream>
#include <string>

namespace fluorite::loopnest {

using namespace ir;

namespace {

class NestWriter {
  public:
    explicit NestWriter(const BoundedLoopNest &nest)
        : graph_(nest.graph), placement_(nest.placement), regions_(nest.regions) {}

    std::string run() {
        for (const FuncId func : graph_.order) {
            put_func(func);
        }
        for (const auto &[site, lets] : regions_.lets) {
            for (const SiteLet &let : lets) {
                put("at ", site, let.symbol.defined() ? " let " + let.symbol.name() + " = " : " require ", let.value,
                    " ", let.error, "\n");
            }
        }
        put_sites("computed", regions_.computed);
        put_sites("stored", regions_.stored);
        put_sites("hoisted", regions_.hoisted);
        for (const auto &[site, boxes] : regions_.prefetches) {
            for (const PrefetchBox &one : boxes) {
                put("at ", site, " prefetch ", one.source.name(), one.box, "\n");
            }
        }
        for (size_t i = 0; i < regions_.input_boxes.size(); i++) {
            put("input ", i, regions_.input_read[i] ? " read" : " unread", regions_.input_boxes[i], "\n");
        }
        for (const analysis::Box &box : regions_.output_boxes) {
            put("output", box, "\n");
        }
        put(regions_.ranges.text);
        if (const std::optional<int64_t> limit = regions_.ranges.limit()) {
            put("checked beyond ", *limit, "\n");
        }
        return out_.str();
    }

  private:
    const LoweringGraph &graph_;
    const Placement &placement_;
    const Regions &regions_;
    std::ostringstream out_;

    template <typename... Parts> void put(const Parts &...parts) { (write(parts), ...); }
    template <typename T> void write(const T &value) { out_ << value; }
    template <typename Tag> void write(const TypedId<Tag> &id) { out_ << id.value; }
    void write(const Expr &expr) {
        expr.defined() ? out_ << expr : out_ << "-";
        // Symbols of one name may belong to different Funcs.
        for_each_free_symbol(expr, [&](const Symbol &symbol) { out_ << " #" << symbol.owner().func.value; });
    }
    void write(StageId stage) { put(stage.func, ".", stage.stage); }
    void write(const Site &site) { site.is_root() ? put("root") : put(site.stage, ".", site.loop); }
    void write(const std::vector<Expr> &exprs) {
        for (const Expr &expr : exprs) {
            put(" [", expr, "]");
        }
    }
    void write(const analysis::Box &box) {
        for (const analysis::Interval &side : box) {
            put(" [", side.min, ", ", side.max, "]");
        }
    }
    void write(const std::vector<Range> &box) {
        for (const Range &side : box) {
            put(" [", side.min, " + ", side.extent, ")");
        }
    }
    void put_sites(const char *what, const std::map<Site, std::vector<FuncId>> &sites) {
        for (const auto &[site, funcs] : sites) {
            put("at ", site, " ", what);
            for (const FuncId func : funcs) {
                put(" ", func.value);
            }
            put("\n");
        }
    }

    void put_func(FuncId func) {
        const FuncDef &def = graph_.func(func);
        const size_t i = func.index();
        put("func ", func.value, " ", def.name(), " computed ", placement_.compute[i], " stored ", placement_.store[i],
            " hoisted ", placement_.hoist[i], "\n");
        for (const Consumer &consumer : graph_.consumers[i]) {
            put("  read by ", consumer, "\n");
        }
        if (const auto key = graph_.memoize_keys.find(func.value); key != graph_.memoize_keys.end()) {
            put("  memoized by", key->second, "\n");
        }
        for (size_t k = 0; k < def.stages.size(); k++) {
            put_stage({func, k});
        }
        const FuncBounds &own = regions_.func(func);
        for (const SlidWindow &window : own.slides) {
            put("  slides ", window.dimension, " along ", window.loop, "\n");
        }
        for (const InvariantLoop &invariant : own.invariant_loops) {
            put("  is invariant along ", invariant.loop, "\n");
        }
        put("  touches", own.touched, "\n  stores", own.storage, "\n  folds", own.folds, "\n  extents", own.extents,
            "\n  ahead ", own.ahead, "\n");
        if (const std::optional<Ring> &ring = own.ring) {
            put("  ring ", ring->extent, " ", ring->index, ring->is_in_turn ? " in turn\n" : "\n");
        }
        for (const Reason &reason : own.reasons) {
            put("  because ", reason.reader, reason.coordinates, " needs", reason.box, "\n");
        }
    }

    void put_stage(StageId stage) {
        const Stage &definition = graph_.stage(stage);
        const Variant variant = graph_.variant(stage);
        put("  stage ", stage.stage, " of ", variant.definition, " where ", variant.condition, " ", variant.failure,
            ":", definition.args, " =", definition.values, " if ", definition.predicate, "\n");
        for (const ReductionVar &rvar : definition.rvars) {
            put("    over ", rvar.var.name(), " [", rvar.min, " + ", rvar.extent, ")\n");
        }
        if (const Fusion *fusion = placement_.fusion(stage)) {
            put("    shares ", fusion->parent, " from ", fusion->loop, "\n");
        }
        const Region &region = regions_.func(stage.func).regions[stage.index()];
        put("    region", region.min, " to", region.max, " exactly", region.exact_min, " to", region.exact_max, "\n");
        put_nest(regions_.nest(stage));
    }

    void put_nest(const StageNest &nest) {
        for (const NestLoop &loop : nest.loops()) {
            put("    loop ", loop.name, " ", loop.var.name(), " own ", loop.own.name(), " kind ",
                index_of(loop.for_type), " partition ", index_of(loop.partition), " [", loop.min, " + ", loop.extent,
                ")\n");
        }
        for (const NestDef &def : nest.defs()) {
            put("    let ", def.symbol.name(), " = ", def.value, " at ", def.depth, "\n");
        }
        for (const NestDef &def : nest.own_vars()) {
            put("    own ", def.symbol.name(), " = ", def.value, " at ", def.depth, "\n");
        }
        put("    runs where", nest.own_range(), "\n");
        for (const NestGuard &guard : nest.guards()) {
            put("    guard ", index_of(guard.kind), " at ", guard.depth, " ", guard.condition, "\n");
        }
        std::map<std::string, Expr> values;
        for (const auto &[symbol, value] : nest.values()) {
            values.emplace(symbol.name(), value);
        }
        for (const auto &[name, value] : values) {
            put("    ", name, " = ", value, "\n");
        }
    }
};

} // namespace

std::string to_text(const BoundedLoopNest &nest) { return NestWriter(nest).run(); }

} // namespace fluorite::loopnest
