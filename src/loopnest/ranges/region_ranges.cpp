// Checks that regions and coordinates fit.
//
// Regions and coordinates are 32-bit integers, and the simplifier assumes that arithmetic on them does not overflow.
// This file writes a program for the abstract machine of fluorite/runtime/ranges.h that checks the assumption for given
// arguments:
//   - the buffers that the pipeline is called with: min + extent - 1;
//   - the box of each Func that is computed, as seen from root, and its extents, including what tails may add;
//   - the loops at root, whose extents may be products (fuse), and the ranges of skewed loops;
//   - the coordinates at which each stage reads and writes, and its domain, as the program writes them, before
//     simplification, over the ranges of the stage's variables;
//   - the boxes of inputs that are read;
//   - comparisons that decide what is likely, of which partitioning makes ends of loops.
// Values from memory wrap and are not checked, nor are functions whose range is not known (exp, C functions). If a
// stage has a condition, its variables range over the points where it may hold.
//
// Regions at root are computed exactly. Further in, a variable ranges over its box as seen from root, for which bounds
// inference provides symbolic intervals; so the numeric intervals remain narrow however deeply stages are nested.
// Running the program over intervals of arguments tells whether any check can fail. Compiled code only compares its
// arguments with the largest power of two below which none can (RangeProgram::limit).
//
// Cost: linear in the accesses of all stages.

#include "loopnest/ranges/region_ranges.h"

#include "analysis/bounds_where.h"
#include "analysis/hints.h"
#include "analysis/periodic_coordinate.h"
#include "loopnest/buffer_table.h"
#include "loopnest/user_text.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"
#include "support/loop_name.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Box;
using analysis::Interval;

namespace {

constexpr int64_t most_slack = int64_t{1} << 40;

/// How far the splits of a stage can extend a dimension beyond its ends, as a bound by products of constant factors;
/// loops with symbolic factors are checked separately (check_loops).
class Slack {
  public:
    Slack(const Stage &stage, const schedule::StageSchedule &schedule) : stage_(stage) {
        for (const schedule::Split &split : schedule.splits) {
            switch (split.kind) {
            case schedule::Split::Kind::Split:
                add(split);
                break;
            case schedule::Split::Kind::Rename:
                pieces_[split.outer] = piece(split.old_var);
                break;
            case schedule::Split::Kind::Fuse:
            case schedule::Split::Kind::Skew:
                break;
            }
        }
    }
    /// For a dimension of the Func or an RVar, by name.
    int64_t of(const std::string &dimension) const {
        const auto found = slack_.find(dimension);
        return found == slack_.end() ? 0 : found->second;
    }
    /// Whether the last piece may begin at the last point and be as long as the whole dimension.
    bool doubles(const std::string &dimension) const { return doubled_.contains(dimension); }

  private:
    struct Piece {
        std::string dimension;
        int64_t unit = 1; // points of the dimension that one iteration advances
    };
    const Stage &stage_;
    std::map<std::string, Piece> pieces_;
    std::set<std::string> doubled_;
    std::map<std::string, int64_t> slack_;

    Piece piece(const std::string &name) const {
        const auto found = pieces_.find(name);
        return found == pieces_.end() ? Piece{name, 1} : found->second;
    }

    void add(const schedule::Split &split) {
        const Piece old = piece(split.old_var);
        int64_t factor = 1, moved = 0;
        if (!is_const_int(split.factor, &factor)) {
            factor = 1;
        }
        if (__builtin_mul_overflow(old.unit, factor, &moved)) {
            moved = most_slack;
        }
        moved = std::min(moved, most_slack);
        pieces_[split.outer] = {old.dimension, moved};
        pieces_[split.inner] = old;
        // A guarded loop of that length ends with what was split (StageNest).
        const bool is_rvar = std::any_of(stage_.rvars.begin(), stage_.rvars.end(),
                                         [&](const ReductionVar &rvar) { return rvar.name == old.dimension; });
        const bool is_guarded = split.tail == TailStrategy::GuardWithIf || split.tail == TailStrategy::Predicate ||
                                (is_rvar && split.tail == TailStrategy::Auto);
        if (is_guarded && factor > most_idle_iterations && old.unit == 1) {
            doubled_.insert(old.dimension);
        } else {
            slack_[old.dimension] = std::min(slack_[old.dimension] + moved, most_slack);
        }
    }
};

/// Whether a stage has loops whose extents do not follow from constant factors: products of extents, and splits by
/// symbolic factors.
bool has_unknown_loops(const schedule::StageSchedule &schedule) {
    return std::any_of(schedule.splits.begin(), schedule.splits.end(), [](const schedule::Split &split) {
        return split.kind == schedule::Split::Kind::Fuse || split.kind == schedule::Split::Kind::Skew ||
               (split.kind == schedule::Split::Kind::Split && !is_const(split.factor));
    });
}

class RangeFinder {
  public:
    RangeFinder(const SiteViews &views, const Regions &regions)
        : views_(views), graph_(views.graph()), placement_(views.placement()), regions_(regions) {}

    RangeProgram run();

  private:
    const SiteViews &views_;
    const LoweringGraph &graph_;
    const Placement &placement_;
    const Regions &regions_;
    RangeWriter writer_;

    std::string stage_text(StageId id) const { return concat(graph_.func(id.func).name(), ", stage ", id.stage); }
    std::string callers_text(FuncId id) const;
    void check_func(FuncId id);
    void check_stage(StageId id);
    void learn_variables(StageId id, BoundsFinder &bounds, const Expr &condition);
    void check_rvars(StageId id);
    void check_accesses(StageId id, const Expr &condition);
    void check_likely(const Stage &stage, const std::string &who);
    void check_loops(StageId id);
    Interval at_root(const Interval &side, const Site &site) {
        const Interval lifted = site.is_root() ? side : views_.lift(side, site, Site::root());
        learn_lifted_ends();
        return lifted;
    }
    void learn_lifted_ends();
};

RangeProgram RangeFinder::run() {
    const Graph &graph = graph_.pipeline.graph;
    const BufferTable buffers(graph);
    const auto check_buffer = [&](const Symbol &buffer, int dimensions, const std::vector<std::string> *names) {
        for (int d = 0; d < dimensions; d++) {
            const Expr min = make_field(buffer, Field::Min, d);
            const std::string name = names ? " (" + names->at(static_cast<size_t>(d)) + ")" : "";
            writer_.check_region(min, sub(add(min, make_field(buffer, Field::Extent, d)), int32(1)), 0, buffer.name(),
                                 concat("what the buffer holds along dimension ", d, name));
        }
    };
    for (FuncId id : graph.outputs) {
        const FuncDef &func = graph.func(id);
        check_buffer(buffers.of(id, 0), static_cast<int>(func.dimensions()), &func.arg_names);
    }
    for (const InputDef &input : graph.inputs) {
        check_buffer(input.symbol, input.dimensions, nullptr);
    }
    const auto lets = regions_.lets.find(Site::root());
    if (lets != regions_.lets.end()) {
        for (const SiteLet &let : lets->second) {
            if (let.symbol.defined() && let.value.type().is_int_or_uint() && !is_queried(let.symbol)) {
                writer_.learn(let.symbol, let.value);
            }
        }
    }
    for (size_t i = graph_.order.size(); i-- > 0;) {
        check_func(graph_.order[i]);
    }
    for (size_t i = 0; i < graph.inputs.size(); i++) {
        for (size_t d = 0; regions_.input_read[i] && d < regions_.input_boxes[i].size(); d++) {
            const Interval &side = regions_.input_boxes[i][d];
            writer_.check_region(side.min, side.max, 0, graph.inputs[i].symbol.name(),
                                 concat("what is read along dimension ", d));
        }
    }
    for (const auto check : {&RangeFinder::check_stage, &RangeFinder::check_loops}) {
        for (size_t i = graph_.order.size(); i-- > 0;) {
            for (size_t k = 0; k < graph_.func(graph_.order[i]).stages.size(); k++) {
                (this->*check)({graph_.order[i], k});
            }
        }
    }
    return writer_.finish();
}

/// Ends that the views have bound to symbols at root since.
void RangeFinder::learn_lifted_ends() {
    for (const auto &[site, let] : views_.take_lets()) {
        if (site.is_root() && let.end) {
            writer_.learn(let.symbol, let.value);
        }
    }
}

/// " for g and h": the Funcs that call another.
std::string RangeFinder::callers_text(FuncId id) const {
    std::string text;
    FuncId last;
    for (const Consumer &consumer : views_.consumers(id)) {
        if (text.empty() || consumer.func != last) {
            text += (text.empty() ? " for " : " and ") + graph_.func(consumer.func).name();
        }
        last = consumer.func;
    }
    return text;
}

void RangeFinder::check_func(FuncId id) {
    const FuncDef &func = graph_.func(id);
    const Box &box = regions_.func(id).touched;
    for (size_t d = 0; d < box.size(); d++) {
        const Interval side = at_root(box[d], placement_.compute[id.index()]);
        if (side.is_bounded()) {
            const std::string what = "the region along " + func.arg_names[d] + " that is computed" + callers_text(id);
            writer_.check_region(side.min, side.max, 0, func.name(), what);
            int64_t slack = 0;
            bool doubles = false;
            for (size_t k = 0; k < func.stages.size(); k++) {
                const Slack splits(func.stages[k], graph_.schedule(id).stages[k]);
                slack = std::max(slack, splits.of(func.arg_names[d]));
                doubles = doubles || splits.doubles(func.arg_names[d]);
            }
            if (slack > 0 || doubles) {
                writer_.check_region(side.min, doubles ? add(side.max, sub(side.max, side.min)) : side.max, slack,
                                     func.name(), what + ", with the ends of its splits,");
            }
        }
    }
}

void RangeFinder::check_stage(StageId id) {
    const Stage &stage = graph_.stage(id);
    const std::string who = stage_text(id);
    const auto text = [&](const Expr &expr) { return text_for_user(expr, graph_.pipeline.graph); };
    BoundsFinder bounds = views_.consumer_bounds(id, Site::root(), AccessKind::Either);
    learn_lifted_ends();
    learn_variables(id, bounds, Expr());
    check_rvars(id);
    if (stage.predicate.defined()) {
        writer_.check_value(stage.predicate, who, "the condition " + text(stage.predicate));
        check_accesses(id, Expr());
        learn_variables(id, bounds, stage.predicate);
        writer_.narrow_by([&](const Expr &sum) { return analysis::bounds_where(sum, stage.predicate, bounds); });
    }
    for (const Expr &arg : stage.args) {
        writer_.check_value(arg, who, "the coordinate " + text(arg));
    }
    check_accesses(id, stage.predicate);
    check_likely(stage, who);
    writer_.narrow_by(nullptr);
}

namespace {

bool moves(const Expr &expr) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) {
        const bool is_variable = node->kind() == ExprKind::Variable;
        found = found || (is_variable &&
                          (node->symbol().kind() == SymbolKind::Var || node->symbol().kind() == SymbolKind::RVar));
    });
    return found;
}

/// Finds the comparisons that decide whether an operand is what a program or a pass calls likely.
class LikelyComparisons {
  public:
    using Report = std::function<void(const Expr &, const Expr &)>;
    LikelyComparisons(Report report, std::function<void(const Expr &)> coordinate)
        : report_(std::move(report)), coordinate_(std::move(coordinate)) {}

    /// Returns whether the value is computed from a likely one, though not through memory.
    bool visit(const Expr &expr) {
        const auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second;
        }
        std::vector<bool> likely;
        for (const Expr &arg : expr->args()) {
            likely.push_back(visit(arg));
        }
        const bool is_access = expr->kind() == ExprKind::Call || expr->kind() == ExprKind::Image;
        const bool is_extreme = expr->kind() == ExprKind::Min || expr->kind() == ExprKind::Max;
        bool result = !is_access && std::find(likely.begin(), likely.end(), true) != likely.end();
        if (analysis::is_hint(expr) && expr.type().is_bool()) {
            find_in(expr->arg(0));
        } else if (analysis::is_hint(expr)) {
            result = true;
        } else if (is_extreme && likely[0] != likely[1]) {
            report(expr->arg(0), expr->arg(1));
        } else if (expr->kind() == ExprKind::Select && likely[1] != likely[2]) {
            find_in(expr->arg(0));
            coordinate_(expr);
        }
        return done_.emplace(expr.get(), result).first->second;
    }

  private:
    Report report_;
    std::function<void(const Expr &)> coordinate_;
    std::unordered_map<const ExprNode *, bool> done_;

    void find_in(const Expr &condition) const {
        for_each_node(condition, [&](const Expr &node) {
            if (node->kind() == ExprKind::LT || node->kind() == ExprKind::LE || node->kind() == ExprKind::GT ||
                node->kind() == ExprKind::GE) {
                report(node->arg(0), node->arg(1));
            }
        });
    }

    /// Partitioning solves no comparisons that read memory or multiply variables.
    void report(const Expr &a, const Expr &b) const {
        bool may = a.type() == Int(32);
        for (const Expr &side : {a, b}) {
            may = may && !side->reads_memory();
            for_each_node(side, [&](const Expr &node) {
                may = may && !(node->kind() == ExprKind::Mul && moves(node->arg(0)) && moves(node->arg(1)));
            });
        }
        if (may) {
            report_(analysis::strip_hints(a), analysis::strip_hints(b));
        }
    }
};

} // namespace

/// Loops are cut where likely operands are taken. The comparison is solved for a variable, as a <= b for x in
/// x <= b - (a - x); so both sides, their difference, and what is left of it without a variable, must not overflow,
/// though values wrap.
void RangeFinder::check_likely(const Stage &stage, const std::string &who) {
    const auto text = [&](const Expr &expr) { return text_for_user(expr, graph_.pipeline.graph); };
    // The period of a mirrored image is twice its extent.
    const auto check_period = [&](const Expr &coordinate) {
        const auto found = coordinate.type() == Int(32) && !coordinate->reads_memory()
                               ? analysis::find_periodic(rewrite::simplify(coordinate))
                               : std::nullopt;
        if (found && found->is_mirrored()) {
            const Expr extent = rewrite::simplify(add(sub(found->max, found->min), int32(1)));
            writer_.check_value(make_binary(ExprKind::Mul, extent, int32(2)), who,
                                "the image and its mirror image, twice " + text(extent) + ",");
        }
    };
    LikelyComparisons comparisons(
        [&](const Expr &a, const Expr &b) {
            for (const Expr &side : {a, b}) {
                writer_.check_value(side, who, "what is compared, " + text(side) + ",");
            }
            const std::string what = "the difference of " + text(a) + " and " + text(b) + ", which are compared,";
            const Expr difference = sub(a, b);
            writer_.check_value(difference, who, what);
            const std::optional<rewrite::Linear> form = rewrite::linear_form(difference);
            for (size_t i = 0; form && i < form->terms.size(); i++) {
                if (is_kind(form->terms[i].term, ExprKind::Variable) && moves(form->terms[i].term)) {
                    rewrite::Linear rest = *form;
                    rest.terms.erase(rest.terms.begin() + static_cast<long>(i));
                    const Expr value = rewrite::to_expr(rest, Int(32));
                    if (value.defined()) {
                        writer_.check_value(value, who, what);
                    }
                }
            }
        },
        check_period);
    for (const std::vector<Expr> *exprs : {&stage.args, &stage.values}) {
        for (const Expr &expr : *exprs) {
            comparisons.visit(expr);
        }
    }
}

/// The variables of a stage range over the points at which the condition may hold.
void RangeFinder::learn_variables(StageId id, BoundsFinder &bounds, const Expr &condition) {
    for (const auto &[symbol, interval] : bounds.scope()) {
        if (interval.is_bounded()) {
            const bool narrows = condition.defined() && interval.min.type() == Int(32);
            const Interval range =
                narrows ? analysis::bounds_where(make_var(Int(32), symbol), condition, bounds) : interval;
            writer_.learn(symbol, range.min, range.max);
        }
    }
    for (const auto &[symbol, value] : views_.accesses(id).lets) {
        writer_.learn(symbol, value);
    }
}

void RangeFinder::check_rvars(StageId id) {
    const Stage &stage = graph_.stage(id);
    const Slack slack(stage, graph_.schedule(id));
    const std::string who = stage_text(id);
    for (const ReductionVar &rvar : stage.rvars) {
        const Expr last = sub(add(rvar.min, rvar.extent), int32(1));
        const std::string name = text_for_user(make_var(Int(32), rvar.var), graph_.pipeline.graph);
        writer_.check_value(last, who, "the last point of " + name);
        if (slack.of(rvar.name) > 0 || slack.doubles(rvar.name)) {
            const Expr end = slack.doubles(rvar.name) ? add(last, sub(last, rvar.min)) : last;
            writer_.check_region(rvar.min, end, slack.of(rvar.name), who,
                                 "the range of " + name + ", with the ends of its splits,");
        }
    }
}

/// Checks the coordinates of reads that happen under the given condition, or (if undefined) unconditionally.
void RangeFinder::check_accesses(StageId id, const Expr &condition) {
    const std::string who = stage_text(id);
    const StageAccesses &accesses = views_.accesses(id);
    for (const std::vector<Access> *all : {&accesses.calls, &accesses.images}) {
        for (const Access &access : *all) {
            for (size_t d = 0; d < access.args.size() && access.condition.same_as(condition); d++) {
                if (access.args[d]->arg_count() > 0) {
                    writer_.check_value(access.args[d], who,
                                        concat("the coordinate ", text_for_user(access.args[d], graph_.pipeline.graph),
                                               " of ", access.symbol.name()));
                }
            }
        }
    }
}

// Inside other loops, uses the greatest extent as seen from root.
void RangeFinder::check_loops(StageId id) {
    const Site &site = placement_.compute[id.func.index()];
    if (!site.is_root() && !has_unknown_loops(graph_.schedule(id))) {
        return;
    }
    const std::string who = stage_text(id);
    for (const SkewedRange &range : views_.nest(id).skewed_ranges()) {
        const Interval seen{at_root(Interval::point(range.min), site).min,
                            at_root(Interval::point(range.max), site).max};
        if (seen.is_bounded()) {
            writer_.check_region(seen.min, seen.max, 0, who,
                                 "the range of the skewed loop " + with_dotted_loops(range.name));
        }
    }
    for (const NestLoop &loop : views_.nest(id).loops()) {
        const Expr last = sub(add(loop.min, loop.extent), int32(1));
        const Expr greatest = site.is_root() ? last : at_root(Interval::point(last), site).max;
        if (greatest.defined()) {
            writer_.check_value(greatest, who, "the last iteration of loop " + with_dotted_loops(loop.name));
        }
    }
}

} // namespace

RangeProgram find_ranges(const SiteViews &views, const Regions &regions) { return RangeFinder(views, regions).run(); }

} // namespace fluorite::loopnest
