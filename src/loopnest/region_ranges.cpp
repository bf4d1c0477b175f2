// Ranges of regions and coordinates.
//
// What: regions and coordinates are integers of 32 bits whose arithmetic the simplifier takes not to overflow. Here is
// written down, for a machine that computes in more (fluorite/runtime_ranges.h), what has to fit so that this holds:
//   - the buffers that the pipeline is called with: min + extent - 1;
//   - the box of each Func that is computed, at root or seen from there, and its extents; with what tails may add to
//     it;
//   - the loops at root, which products of extents may be (fuse);
//   - the coordinates of what each stage reads and writes, and its domain: as the program writes them, before anything
//     is simplified, over the ranges of the stage's variables;
//   - the boxes of inputs that are read.
// Values that stem from memory wrap and are left alone, and so is what comes of functions whose range is not known
// (exp, C functions). Where a stage has a condition, its variables range over the points where it may hold.
//
// Method: values of regions at root are computed exactly. Further in, a variable ranges over its box at root, which the
// symbolic intervals of bounds inference give; so intervals of numbers stay narrow however deep stages are nested. A
// rounded sum such as m + (n - m + 7) / 8 * 8 lies within 7 of n + 7, which its interval over m and n alone would not
// say. The limit: over intervals of arguments, the program says whether anything can fail at all. Compiled code only
// compares its arguments with the largest power of two for which nothing can.
//
// Cost: linear in the accesses of all stages.

#include "loopnest/region_ranges.h"

#include "analysis/bounds_where.h"
#include "fluorite/runtime_ranges.h"
#include "loopnest/bounds_inference.h"
#include "loopnest/user_text.h"
#include "rewrite/linear.h"
#include "support/loop_name.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Box;
using analysis::Interval;
using fluorite_runtime::RangeInterval;
using fluorite_runtime::RangeMachine;

namespace {

constexpr int64_t largest_limit = int64_t{1} << 30;
constexpr int64_t least_limit = 16; // smaller images than that are not worth a comparison

std::string number_text(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

/// Without what separates the parts of a line.
std::string in_line(std::string text) {
    for (char &c : text) {
        c = c == '|' || c == '\n' ? ' ' : c;
    }
    return text;
}

/// What an argument may be where it is no further from 0 than the limit.
RangeInterval range_of(const Expr &argument, int64_t limit) {
    const Type type = argument.type();
    const auto far = static_cast<double>(limit);
    const bool is_extent = argument->kind() == ExprKind::BufferField && argument->member().field == Field::Extent;
    if (type.is_float()) {
        return {-far, far};
    }
    const bool is_signed = type.is_int() && !is_extent;
    const double most = std::ldexp(1.0, type.bits() - (type.is_int() ? 1 : 0)) - 1;
    return {is_signed ? std::max(-far, -most - 1) : 0, std::min(far, most)};
}

/// Whether the arithmetic of a node is that of coordinates.
bool is_index(const Expr &expr) { return expr.type().is_int() && expr.type().bits() >= 32 && !expr->reads_memory(); }

bool fails(const RangeProgram &program, int64_t limit) {
    std::vector<RangeInterval> arguments;
    for (size_t i = 0; i < program.arguments.size(); i++) {
        arguments.push_back(range_of(program.arguments[i], limit));
        arguments.back().least = program.divisors.contains(static_cast<int>(i)) ? 1.0 / static_cast<double>(limit) : 0;
    }
    return RangeMachine(program.text.c_str(), arguments.data()).run().found;
}

} // namespace

std::optional<int64_t> RangeProgram::limit() const {
    if (!fails(*this, int64_t{1} << 32)) {
        return std::nullopt;
    }
    int64_t limit = largest_limit;
    while (limit >= least_limit && fails(*this, limit)) {
        limit /= 2;
    }
    return limit >= least_limit && !arguments.empty() ? limit : 0;
}

// ---- Writing.

void RangeWriter::learn(const Symbol &symbol, const Expr &value) {
    const int index = node(value);
    const auto [known, is_new] = known_.emplace(symbol, index);
    if (!is_new && known->second != index) {
        known->second = index;
        memo_.clear();
        parts_.clear();
    }
}

void RangeWriter::learn(const Symbol &symbol, const Expr &min, const Expr &max) {
    const int low = node(min), high = node(max);
    const int index = low == high ? low : line('v', low, high);
    const auto [known, is_new] = known_.emplace(symbol, index);
    if (!is_new && known->second != index) {
        known->second = index;
        memo_.clear();
        parts_.clear();
    }
}

void RangeWriter::narrow_by(std::function<Interval(const Expr &)> narrow) {
    narrow_ = std::move(narrow);
    memo_.clear();
    parts_.clear();
}

void RangeWriter::check_region(const Expr &min, const Expr &max, int64_t slack, const std::string &who,
                               const std::string &what) {
    int low = node(min), high = node(max);
    if (slack > 0) {
        const int more = constant(static_cast<double>(slack));
        low = line('-', low, more);
        high = line('+', high, more);
    }
    check(concat("C ", low, " ", high), who, what);
    later_.emplace_back(concat("D ", low, " ", high), who, what);
}

RangeProgram RangeWriter::finish() {
    for (const auto &[line, who, what] : later_) {
        check(line, who, what);
    }
    return std::move(program_);
}

void RangeWriter::check_value(const Expr &value, const std::string &who, const std::string &what) {
    if (value->arg_count() > 0) {
        check(concat("E ", node(value)), who, what);
    }
}

void RangeWriter::check(const std::string &line, const std::string &who, const std::string &what) {
    if (lines_.emplace(line, -1).second) {
        program_.text += line + "|" + in_line(who) + "|" + in_line(what) + "\n";
    }
}

int RangeWriter::line(const std::string &text) {
    const auto [known, is_new] = lines_.emplace(text, count_);
    if (is_new) {
        program_.text += text + "\n";
        count_++;
    }
    return known->second;
}

int RangeWriter::line(char operation, int a, int b) { return line(concat(std::string(1, operation), " ", a, " ", b)); }

int RangeWriter::constant(double value) {
    return std::isfinite(value) ? line("k " + number_text(value)) : line(std::string("u"));
}

int RangeWriter::argument(const Expr &expr) {
    const auto [known, is_new] = arguments_.emplace(expr, static_cast<int>(program_.arguments.size()));
    if (is_new) {
        program_.arguments.push_back(expr);
    }
    return line(concat("r ", known->second));
}

/// Any value of the type.
int RangeWriter::anything(Type type) {
    if (type.is_bool()) {
        return line('v', constant(0), constant(1));
    }
    const int value = line(std::string("u"));
    return type.is_int_or_uint() ? line(concat("t ", type.is_int() ? -type.bits() : type.bits(), " ", value)) : value;
}

/// The result of arithmetic: that of coordinates must not overflow, all other wraps.
int RangeWriter::typed(const Expr &expr, int value) {
    const Type type = expr.type();
    if (!type.is_int_or_uint() || type.is_bool()) {
        return value;
    }
    const bool checks = is_index(expr);
    return line(concat(checks ? "o " : "t ", type.is_int() && !checks ? -type.bits() : type.bits(), " ", value));
}

int RangeWriter::node(const Expr &expr) {
    const auto found = memo_.find(expr);
    if (found != memo_.end()) {
        return found->second;
    }
    const int result = made(expr);
    memo_.emplace(expr, result);
    return result;
}

int RangeWriter::variable(const Expr &expr) {
    const auto found = known_.find(expr->symbol());
    if (found != known_.end()) {
        return found->second;
    }
    const bool is_number = expr.type().is_int_or_uint() || expr.type().is_float();
    return expr->symbol().kind() == SymbolKind::Param && is_number ? argument(expr) : anything(expr.type());
}

/// Sums and products by constants: only the whole must fit, as partial sums that wrap give the same bits.
int RangeWriter::part_of_sum(const Expr &expr) {
    if (!is_index(expr)) {
        return node(expr);
    }
    const auto known = parts_.find(expr);
    if (known != parts_.end()) {
        return known->second;
    }
    int result = 0;
    if (expr->kind() == ExprKind::Add || expr->kind() == ExprKind::Sub) {
        const char operation = expr->kind() == ExprKind::Add ? '+' : '-';
        result = narrowed(expr, line(operation, part_of_sum(expr->arg(0)), part_of_sum(expr->arg(1))));
    } else if (expr->kind() == ExprKind::Mul && (is_const(expr->arg(0)) || is_const(expr->arg(1)))) {
        result = line('*', part_of_sum(expr->arg(0)), part_of_sum(expr->arg(1)));
    } else {
        result = node(expr);
    }
    parts_.emplace(expr, result);
    return result;
}

int RangeWriter::sum(const Expr &expr) {
    int value = part_of_sum(expr);
    const Interval known = narrow_ ? narrow_(expr) : Interval();
    if (known.is_bounded()) {
        const auto narrow = std::exchange(narrow_, nullptr); // the sides are not of the points that it is about
        value = line('^', value, line('v', node(known.min), node(known.max)));
        narrow_ = narrow;
    }
    return typed(expr, value);
}

/// The value of a sum, and where it holds a rounded term, that of the sum that is rounded less the remainder: the
/// narrower of both.
int RangeWriter::narrowed(const Expr &expr, int value) {
    std::optional<rewrite::Linear> form = rewrite::linear_form(expr);
    Expr remainder;
    int64_t times = 0;
    for (size_t i = 0; form && i < form->terms.size() && !remainder.defined(); i++) {
        const auto [term, coefficient] = form->terms[i];
        int64_t divisor = 0;
        if (term->kind() == ExprKind::Div && is_const_int(term->arg(1), &divisor) && divisor > 0 &&
            coefficient % divisor == 0) {
            const std::optional<rewrite::Linear> rounded = rewrite::linear_form(term->arg(0));
            form->terms.erase(form->terms.begin() + static_cast<long>(i));
            times = coefficient / divisor;
            form = rounded ? rewrite::add_scaled(*form, *rounded, times) : std::nullopt;
            remainder = mod(term->arg(0), term->arg(1));
        }
    }
    if (!form || !remainder.defined()) {
        return value;
    }
    int other = constant(static_cast<double>(form->constant));
    const auto add_term = [&](const Expr &term, int64_t factor, char operation) {
        other = line(operation, other, line('*', constant(static_cast<double>(factor)), node(term)));
    };
    for (const auto &[term, coefficient] : form->terms) {
        add_term(term, coefficient, '+');
    }
    add_term(remainder, times, '-');
    return line('^', value, other);
}

int RangeWriter::binary(char operation, const Expr &expr) {
    return typed(expr, line(operation, node(expr->arg(0)), node(expr->arg(1))));
}

int RangeWriter::convert(const Expr &expr) {
    const Type to = expr.type(), from = expr->arg(0).type();
    int value = node(expr->arg(0));
    if (to.is_bool()) {
        return line(concat("~ ", line('=', value, constant(0))));
    }
    if (!to.is_int_or_uint()) {
        return value;
    }
    if (from.is_float()) {
        value = line(concat("i ", value));
    }
    if (from.is_float() || expr->kind() == ExprKind::SaturatingCast) {
        return line(concat("S ", to.is_int() ? -to.bits() : to.bits(), " ", value));
    }
    return typed(expr, value);
}

/// A quotient of floats; that a Param divides is noted, as its range around 0 counts then.
int RangeWriter::ratio(const Expr &expr) {
    const int above = node(expr->arg(0)), below = node(expr->arg(1));
    const auto argument = arguments_.find(expr->arg(1));
    if (argument != arguments_.end()) {
        program_.divisors.insert(argument->second);
    }
    return line('q', above, below);
}

int RangeWriter::math(const Expr &expr) {
    const auto unary = [&](char operation) { return line(concat(std::string(1, operation), " ", node(expr->arg(0)))); };
    switch (expr->math_op()) {
    case MathOp::Floor:
        return unary('f');
    case MathOp::Ceil:
        return unary('c');
    case MathOp::Round:
        return unary('n');
    case MathOp::Trunc:
        return unary('i');
    case MathOp::Sqrt:
        return unary('s');
    case MathOp::Sin:
    case MathOp::Cos:
    case MathOp::Tanh:
    case MathOp::Erf:
        return line('v', constant(-1), constant(1));
    default:
        return anything(expr.type());
    }
}

int RangeWriter::made(const Expr &expr) {
    const Type type = expr.type();
    int64_t whole = 0;
    double real = 0;
    if (is_const_int(expr, &whole)) {
        return constant(static_cast<double>(whole));
    }
    if (is_const_float(expr, &real)) {
        return constant(real);
    }
    const auto arg = [&](size_t i) { return node(expr->arg(i)); };
    switch (expr->kind()) {
    case ExprKind::Variable:
        return variable(expr);
    case ExprKind::BufferField:
        if (expr->member().field == Field::Max) {
            const auto field = [&](Field which) { return make_field(expr->symbol(), which, expr->member().index); };
            return node(sub(add(field(Field::Min), field(Field::Extent)), int32(1)));
        }
        return argument(expr);
    case ExprKind::Let:
        known_[expr->symbol()] = arg(0);
        return arg(1);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::MemoizeTag:
        return arg(0);
    case ExprKind::Print:
    case ExprKind::Require:
        return arg(1);
    case ExprKind::Add:
        return is_index(expr) ? sum(expr) : binary('+', expr);
    case ExprKind::Sub:
        return is_index(expr) ? sum(expr) : binary('-', expr);
    case ExprKind::Mul:
        return is_index(expr) && (is_const(expr->arg(0)) || is_const(expr->arg(1))) ? sum(expr) : binary('*', expr);
    case ExprKind::Div:
        return type.is_float() ? ratio(expr) : binary('/', expr);
    case ExprKind::Mod:
        return type.is_float() ? anything(type) : line('%', arg(0), arg(1));
    case ExprKind::Fma:
        return line('+', line('*', arg(0), arg(1)), arg(2));
    case ExprKind::Min:
        return line('m', arg(0), arg(1));
    case ExprKind::Max:
        return line('M', arg(0), arg(1));
    case ExprKind::AbsDiff:
        return line(concat("a ", line('-', arg(0), arg(1))));
    case ExprKind::Abs:
        return line(concat("a ", arg(0)));
    case ExprKind::LT:
        return line('<', arg(0), arg(1));
    case ExprKind::LE:
        return line('l', arg(0), arg(1));
    case ExprKind::GT:
        return line('<', arg(1), arg(0));
    case ExprKind::GE:
        return line('l', arg(1), arg(0));
    case ExprKind::EQ:
        return line('=', arg(0), arg(1));
    case ExprKind::NE:
        return line(concat("~ ", line('=', arg(0), arg(1))));
    case ExprKind::And:
        return line('&', arg(0), arg(1));
    case ExprKind::Or:
        return line('|', arg(0), arg(1));
    case ExprKind::Not:
        return line(concat("~ ", arg(0)));
    case ExprKind::Select:
        return line(concat("? ", arg(0), " ", arg(1), " ", arg(2)));
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
        return convert(expr);
    case ExprKind::ShiftLeft:
        return typed(expr, line('L', arg(0), arg(1)));
    case ExprKind::ShiftRight:
        return typed(expr, line('L', arg(0), line('-', constant(0), arg(1))));
    case ExprKind::BitAnd:
        return type.is_bool() ? anything(type) : line('B', arg(0), arg(1));
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return type.is_bool() ? anything(type) : line('b', arg(0), arg(1));
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
        return line('v', constant(0), constant(type.bits()));
    case ExprKind::Math:
        return math(expr);
    default:
        return anything(type);
    }
}

// ---- What is checked.

namespace {

constexpr int64_t most_slack = int64_t{1} << 40;

/// What the splits of a stage add to the ends of a dimension, which a product of factors bounds; symbolic factors are
/// checked with the loops.
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
                break;
            }
        }
    }
    /// Of the dimensions of the Func and of the RVars, by name.
    int64_t of(const std::string &dimension) const {
        const auto found = slack_.find(dimension);
        return found == slack_.end() ? 0 : found->second;
    }
    /// Whether the last piece may begin at the last point, and be as long as the whole.
    bool doubles(const std::string &dimension) const { return doubled_.contains(dimension); }

  private:
    struct Piece {
        std::string dimension;
        int64_t unit = 1; // points of the dimension that one iteration moves by
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
        // A guarded loop as long as that ends with what is split (StageNest).
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

/// Whether a stage has loops whose extents do not follow from factors: products of extents, and what factors that are
/// not known before make.
bool has_unknown_loops(const schedule::StageSchedule &schedule) {
    return std::any_of(schedule.splits.begin(), schedule.splits.end(), [](const schedule::Split &split) {
        return split.kind == schedule::Split::Kind::Fuse ||
               (split.kind == schedule::Split::Kind::Split && !is_const(split.factor));
    });
}

} // namespace

Interval BoundsInference::at_root(const Interval &side, const Site &site) const {
    return site.is_root() ? side : lift(side, site, Site::root());
}

RangeProgram BoundsInference::find_ranges() const {
    RangeWriter writer;
    const Graph &graph = working_.pipeline.graph;
    const auto check_buffer = [&](const Symbol &buffer, int dimensions, const std::vector<std::string> *names) {
        for (int d = 0; d < dimensions; d++) {
            const Expr min = make_field(buffer, Field::Min, d);
            const std::string name = names ? " (" + (*names)[static_cast<size_t>(d)] + ")" : "";
            writer.check_region(min, sub(add(min, make_field(buffer, Field::Extent, d)), int32(1)), 0, buffer.name(),
                                concat("what the buffer holds along dimension ", d, name));
        }
    };
    for (FuncId id : graph.outputs) {
        const FuncDef &func = graph.func(id);
        check_buffer(buffers_.of(id, 0), static_cast<int>(func.dimensions()), &func.arg_names);
    }
    for (const InputDef &input : graph.inputs) {
        check_buffer(input.symbol, input.dimensions, nullptr);
    }
    const auto lets = out_.lets.find(Site::root());
    if (lets != out_.lets.end()) {
        for (const SiteLet &let : lets->second) {
            if (let.symbol.defined() && let.value.type().is_int_or_uint()) {
                writer.learn(let.symbol, let.value);
            }
        }
    }
    for (size_t i = working_.order.size(); i-- > 0;) {
        check_func(writer, working_.order[i]);
    }
    for (size_t i = 0; i < graph.inputs.size(); i++) {
        for (size_t d = 0; out_.input_read[i] && d < out_.input_boxes[i].size(); d++) {
            const Interval &side = out_.input_boxes[i][d];
            writer.check_region(side.min, side.max, 0, graph.inputs[i].symbol.name(),
                                concat("what is read along dimension ", d));
        }
    }
    for (const auto check : {&BoundsInference::check_stage, &BoundsInference::check_loops}) {
        for (size_t i = working_.order.size(); i-- > 0;) {
            for (size_t k = 0; k < working_.func(working_.order[i]).stages.size(); k++) {
                (this->*check)(writer, working_.order[i], static_cast<int>(k));
            }
        }
    }
    return writer.finish();
}

/// " for g and h": the Funcs that call another.
std::string BoundsInference::callers_text(FuncId id) const {
    std::string text;
    FuncId last;
    for (const Consumer &consumer : consumers_[id.index()]) {
        if (text.empty() || consumer.func != last) {
            text += (text.empty() ? " for " : " and ") + working_.func(consumer.func).name();
        }
        last = consumer.func;
    }
    return text;
}

void BoundsInference::check_func(RangeWriter &writer, FuncId id) const {
    const FuncDef &func = working_.func(id);
    const Box &box = touched_[id.index()];
    for (size_t d = 0; d < box.size(); d++) {
        const Interval side = at_root(box[d], placement_.compute[id.index()]);
        if (side.is_bounded()) {
            const std::string what = "the region along " + func.arg_names[d] + " that is computed" + callers_text(id);
            writer.check_region(side.min, side.max, 0, func.name(), what);
            int64_t slack = 0;
            bool doubles = false;
            for (size_t k = 0; k < func.stages.size(); k++) {
                const Slack splits(func.stages[k], working_.schedule(id).stages[k]);
                slack = std::max(slack, splits.of(func.arg_names[d]));
                doubles = doubles || splits.doubles(func.arg_names[d]);
            }
            if (slack > 0 || doubles) {
                writer.check_region(side.min, doubles ? add(side.max, sub(side.max, side.min)) : side.max, slack,
                                    func.name(), what + ", with the ends of its splits,");
            }
        }
    }
}

void BoundsInference::check_stage(RangeWriter &writer, FuncId id, int k) const {
    const FuncDef &func = working_.func(id);
    const Stage &stage = func.stages[static_cast<size_t>(k)];
    const std::string who = func.name() + ", stage " + std::to_string(k);
    const auto text = [&](const Expr &expr) { return text_for_user(expr, working_.pipeline.graph); };
    BoundsFinder bounds = consumer_bounds(id, k, Site::root(), Touch::Either);
    learn_variables(writer, id, k, bounds, Expr());
    check_rvars(writer, id, k);
    if (stage.predicate.defined()) {
        writer.check_value(stage.predicate, who, "the condition " + text(stage.predicate));
        check_accesses(writer, id, k, Expr());
        learn_variables(writer, id, k, bounds, stage.predicate);
        writer.narrow_by([&](const Expr &sum) { return analysis::bounds_where(sum, stage.predicate, bounds); });
    }
    for (const Expr &arg : stage.args) {
        writer.check_value(arg, who, "the coordinate " + text(arg));
    }
    check_accesses(writer, id, k, stage.predicate);
    writer.narrow_by(nullptr);
}

/// The variables of a stage range over its points at which the condition may hold.
void BoundsInference::learn_variables(RangeWriter &writer, FuncId id, int k, BoundsFinder &bounds,
                                      const Expr &condition) const {
    for (const auto &[symbol, interval] : bounds.scope()) {
        if (interval.is_bounded()) {
            const bool narrows = condition.defined() && interval.min.type() == Int(32);
            const Interval range =
                narrows ? analysis::bounds_where(make_var(Int(32), symbol), condition, bounds) : interval;
            writer.learn(symbol, range.min, range.max);
        }
    }
    for (const auto &[symbol, value] : accesses_[id.index()][static_cast<size_t>(k)].lets) {
        writer.learn(symbol, value);
    }
}

void BoundsInference::check_rvars(RangeWriter &writer, FuncId id, int k) const {
    const FuncDef &func = working_.func(id);
    const Stage &stage = func.stages[static_cast<size_t>(k)];
    const Slack slack(stage, working_.schedule(id).stages[static_cast<size_t>(k)]);
    const std::string who = func.name() + ", stage " + std::to_string(k);
    for (const ReductionVar &rvar : stage.rvars) {
        const Expr last = sub(add(rvar.min, rvar.extent), int32(1));
        const std::string name = text_for_user(make_var(Int(32), rvar.var), working_.pipeline.graph);
        writer.check_value(last, who, "the last point of " + name);
        if (slack.of(rvar.name) > 0 || slack.doubles(rvar.name)) {
            const Expr end = slack.doubles(rvar.name) ? add(last, sub(last, rvar.min)) : last;
            writer.check_region(rvar.min, end, slack.of(rvar.name), who,
                                "the range of " + name + ", with the ends of its splits,");
        }
    }
}

/// The coordinates of what is read under the condition, or (undefined) anyhow.
void BoundsInference::check_accesses(RangeWriter &writer, FuncId id, int k, const Expr &condition) const {
    const std::string who = working_.func(id).name() + ", stage " + std::to_string(k);
    const StageAccesses &accesses = accesses_[id.index()][static_cast<size_t>(k)];
    for (const std::vector<Access> *all : {&accesses.calls, &accesses.images}) {
        for (const Access &access : *all) {
            for (size_t d = 0; d < access.args.size() && access.condition.same_as(condition); d++) {
                if (access.args[d]->arg_count() > 0) {
                    writer.check_value(access.args[d], who,
                                       concat("the coordinate ", text_for_user(access.args[d], working_.pipeline.graph),
                                              " of ", access.symbol.name()));
                }
            }
        }
    }
}

// Further in, loops have their greatest extents as seen from root.
void BoundsInference::check_loops(RangeWriter &writer, FuncId id, int k) const {
    const FuncDef &func = working_.func(id);
    const Site &site = placement_.compute[id.index()];
    if (!site.is_root() && !has_unknown_loops(working_.schedule(id).stages[static_cast<size_t>(k)])) {
        return;
    }
    for (const NestLoop &loop : nest(id, k).loops()) {
        const std::string who = func.name() + ", stage " + std::to_string(k);
        const Expr last = sub(add(loop.min, loop.extent), int32(1));
        const Expr greatest = site.is_root() ? last : at_root(Interval::point(last), site).max;
        if (greatest.defined()) {
            writer.check_value(greatest, who, "the last iteration of loop " + with_dotted_loops(loop.name));
        }
    }
}

} // namespace fluorite::loopnest
