// The rows: which arguments each directive takes as text, and the call that it stands for.
//
// A new directive gets a row here. If it adds a member to FuncSchedule or StageSchedule, text/normal_form.cpp must name
// the member, and does not compile until it does.

#include "schedule/directives/table.h"

#include "ir/text_names.h"
#include "schedule/directives/common.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::schedule {

namespace {

using Context = DirectiveContext;
using Row = DirectiveRow;
using Again = DirectiveRow::Again;

// ---- Arguments of a line.

const std::string &text(const Directive &d, size_t i) { return d.args.at(i).at(0); }
bool has(const Directive &d, size_t i) { return i < d.args.size(); }
const std::vector<std::string> &list(const Directive &d, size_t i) { return d.args.at(i); }

template <typename T> T word_of(const std::string &word, const char *(*name)(T), T last) {
    for (int i = 0; i <= static_cast<int>(last); i++) {
        if (word == name(static_cast<T>(i))) {
            return static_cast<T>(i);
        }
    }
    internal_error("a word that was checked when it was read: " + word, {});
}

TailStrategy tail(const Directive &d, size_t i) {
    return has(d, i) ? word_of(text(d, i), tail_word, TailStrategy::Auto) : TailStrategy::Auto;
}
Partition partition(const std::string &word) { return word_of(word, partition_word, Partition::Always); }
MemoryType memory(const std::string &word) { return word_of(word, memory_word, MemoryType::GPUShared); }

PrefetchBoundStrategy outside(const Directive &d, size_t i) {
    return has(d, i) ? word_of(text(d, i), outside_word, PrefetchBoundStrategy::NonFaulting)
                     : PrefetchBoundStrategy::GuardWithIf;
}

template <ForType type> Verdict apply_for_type(Context &context, const Directive &d) {
    return set_for_type(context.stage(d), text(d, 0), type, context.location());
}

using ByFactor = Verdict (*)(const StageRef &, const std::string &, const Expr &, TailStrategy, Location);
template <ForType type, ByFactor by_factor> Verdict apply_factor(Context &context, const Directive &d) {
    return has(d, 1)
               ? by_factor(context.stage(d), text(d, 0), context.expr(d, text(d, 1)), tail(d, 2), context.location())
               : apply_for_type<type>(context, d);
}

template <Partition policy> Verdict apply_partition(Context &context, const Directive &d) {
    const char *name = policy == Partition::Never ? "never_partition" : "always_partition";
    return set_partition(context.stage(d), list(d, 0), policy, name, context.location());
}

std::vector<Expr> exprs(Context &context, const Directive &d, size_t i) {
    std::vector<Expr> result;
    for (const std::string &one : list(d, i)) {
        result.push_back(context.expr(d, one));
    }
    return result;
}

template <ForType type> Verdict apply_for_types(Context &context, const Directive &d) {
    return set_for_types(context.stage(d), list(d, 0), type, context.location());
}

using Tile = Verdict (*)(const StageRef &, const std::vector<std::string> &, const std::vector<std::string> &,
                         const std::vector<std::string> &, const std::vector<Expr> &, TailStrategy, Location);
template <Tile tile_by> Verdict apply_tile(Context &context, const Directive &d) {
    return tile_by(context.stage(d), list(d, 0), list(d, 1), list(d, 2), exprs(context, d, 3), tail(d, 4),
                   context.location());
}

Verdict apply_set_estimates(Context &context, const Directive &d) {
    const FuncRef func = context.func(d);
    if (d.args.size() != func.pure_args.size()) {
        return refused(func, "wrong-arity",
                       "set_estimates gives " + std::to_string(d.args.size()) + " ranges; it has " +
                           std::to_string(func.pure_args.size()) + " dimensions; give one range for each dimension",
                       context.location());
    }
    for (size_t i = 0; i < d.args.size(); i++) {
        if (list(d, i).size() != 2) {
            return refused(func, "wrong-arity",
                           "set_estimates gives a range of " + std::to_string(list(d, i).size()) +
                               " numbers; a range is {min, extent}; give two",
                           context.location());
        }
        const std::vector<Expr> range = exprs(context, d, i);
        if (Verdict legal = set_estimate(func, func.pure_args[i], range[0], range[1], context.location()); !legal) {
            return legal;
        }
    }
    return {};
}

using Region = Verdict (*)(const FuncRef &, const std::string &, const Expr &, const Expr &, Location);
template <Region set> Verdict apply_region(Context &context, const Directive &d) {
    return set(context.func(d), text(d, 0), context.expr(d, text(d, 1)),
               has(d, 2) ? context.expr(d, text(d, 2)) : Expr(), context.location());
}

using Extent = Verdict (*)(const FuncRef &, const std::string &, const Expr &, Location);
template <Extent set> Verdict apply_extent(Context &context, const Directive &d) {
    return set(context.func(d), text(d, 0), context.expr(d, text(d, 1)), context.location());
}

Verdict apply_prefetch(Context &context, const Directive &d) {
    return prefetch(context.stage(d), context.source(d, text(d, 0)), text(d, 1), text(d, 2),
                    has(d, 3) ? context.expr(d, text(d, 3)) : ir::make_int(Int(32), 1), outside(d, 4),
                    context.location());
}

Verdict apply_align_bounds(Context &context, const Directive &d) {
    return align_bounds(context.func(d), text(d, 0), context.expr(d, text(d, 1)),
                        has(d, 2) ? context.expr(d, text(d, 2)) : ir::make_int(Int(32), 0), context.location());
}

Verdict apply_compute_with(Context &context, const Directive &d) {
    std::vector<LoopAlignStrategy> align;
    for (const std::string &seen : has(d, 3) ? list(d, 3) : std::vector<std::string>()) {
        for (const LoopAlignStrategy one : {LoopAlignStrategy::AlignStart, LoopAlignStrategy::AlignEnd,
                                            LoopAlignStrategy::NoAlign, LoopAlignStrategy::Auto}) {
            if (seen == align_word(one)) {
                align.push_back(one);
            }
        }
    }
    return compute_with(context.stage(d), context.level(d), align);
}

std::vector<Row> make_rows() {
    constexpr ArgKind Loop = ArgKind::Loop, NewLoop = ArgKind::NewLoop, Dimension = ArgKind::Dimension,
                      Expression = ArgKind::Expression, Promise = ArgKind::Promise, Tail = ArgKind::Tail;
    const ArgSpec tail_arg{Tail, Arity::Optional}, factor_arg{Expression, Arity::Optional};
    const ArgSpec loops{Loop, Arity::Rest};
    const std::vector<ArgSpec> level{{ArgKind::Func}, {Loop}, {ArgKind::Integer, Arity::Optional}};
    return {
        {"split",
         true,
         Again::Step,
         "",
         {{Loop}, {NewLoop}, {NewLoop}, {Expression}, tail_arg},
         [](Context &c, const Directive &d) {
             return split(c.stage(d), text(d, 0), text(d, 1), text(d, 2), c.expr(d, text(d, 3)), tail(d, 4),
                          c.location());
         }},
        {"fuse",
         true,
         Again::Step,
         "",
         {{Loop}, {Loop}, {NewLoop}},
         [](Context &c, const Directive &d) {
             return fuse(c.stage(d), text(d, 0), text(d, 1), text(d, 2), c.location());
         }},
        {"rename",
         true,
         Again::Step,
         "",
         {{Loop}, {NewLoop}},
         [](Context &c, const Directive &d) { return rename(c.stage(d), text(d, 0), text(d, 1), c.location()); }},
        {"skew",
         true,
         Again::Step,
         "",
         {{Loop}, {Loop}, {NewLoop}, {Expression}},
         [](Context &c, const Directive &d) {
             return skew(c.stage(d), text(d, 0), text(d, 1), text(d, 2), c.expr(d, text(d, 3)), c.location());
         }},
        {"reorder",
         true,
         Again::Step,
         "",
         {loops},
         [](Context &c, const Directive &d) { return reorder(c.stage(d), list(d, 0), c.location()); }},
        {"tile",
         true,
         Again::Step,
         "",
         {{Loop, Arity::List}, {NewLoop, Arity::List}, {NewLoop, Arity::List}, {Expression, Arity::List}, tail_arg},
         apply_tile<tile>},
        {"serial", true, Again::Same, "", {{Loop}}, apply_for_type<ForType::Serial>},
        {"parallel", true, Again::Same, "", {{Loop}, factor_arg, tail_arg}, apply_factor<ForType::Parallel, parallel>},
        {"vectorize",
         true,
         Again::Same,
         "",
         {{Loop}, factor_arg, tail_arg},
         apply_factor<ForType::Vectorized, vectorize>},
        {"unroll", true, Again::Same, "", {{Loop}, factor_arg, tail_arg}, apply_factor<ForType::Unrolled, unroll>},
        {"gpu_blocks", true, Again::Same, "", {loops}, apply_for_types<ForType::GPUBlock>},
        {"gpu_threads", true, Again::Same, "", {loops}, apply_for_types<ForType::GPUThread>},
        {"gpu_lanes", true, Again::Same, "", {{Loop}}, apply_for_type<ForType::GPULane>},
        {"gpu_single_thread",
         true,
         Again::Same,
         "",
         {},
         [](Context &c, const Directive &d) { return gpu_single_thread(c.stage(d), c.location()); }},
        {"gpu_tile",
         true,
         Again::Step,
         "",
         {{Loop, Arity::List}, {NewLoop, Arity::List}, {NewLoop, Arity::List}, {Expression, Arity::List}, tail_arg},
         apply_tile<gpu_tile>},
        {"partition",
         true,
         Again::Same,
         "",
         {{Loop}, {ArgKind::Partition}},
         [](Context &c, const Directive &d) {
             return set_partition(c.stage(d), {text(d, 0)}, partition(text(d, 1)), "partition", c.location());
         }},
        {"never_partition", true, Again::Same, "", {loops}, apply_partition<Partition::Never>},
        {"always_partition", true, Again::Same, "", {loops}, apply_partition<Partition::Always>},
        {"distribute",
         true,
         Again::Same,
         "",
         {{Loop, Arity::List}, {Expression, Arity::Rest}},
         [](Context &c, const Directive &d) {
             return distribute(c.stage(d), list(d, 0), has(d, 1) ? exprs(c, d, 1) : std::vector<Expr>(), c.location());
         }},
        {"allow_race_conditions",
         true,
         Again::Same,
         "",
         {},
         [](Context &c, const Directive &d) { return allow_race_conditions(c.stage(d), c.location()); }},
        {"unscheduled",
         true,
         Again::Same,
         "",
         {},
         [](Context &c, const Directive &d) { return unscheduled(c.stage(d), c.location()); }},
        {"atomic",
         true,
         Again::Same,
         "",
         {{ArgKind::Integer, Arity::Optional}},
         [](Context &c, const Directive &d) {
             return atomic(c.stage(d), has(d, 0) && std::stoi(text(d, 0)) != 0, c.location());
         }},
        {"compute_with",
         true,
         Again::Same,
         "",
         {{ArgKind::Func}, {Loop}, {ArgKind::Integer}, {ArgKind::Align, Arity::Rest}},
         apply_compute_with},
        {"specialize",
         true,
         Again::Same,
         "",
         {{Expression}},
         [](Context &c, const Directive &d) {
             return specialize(c.stage(d), c.expr(d, text(d, 0)), c.location()).verdict();
         }},
        {"specialize_fail",
         true,
         Again::Same,
         "",
         {{ArgKind::Text}},
         [](Context &c, const Directive &d) { return specialize_fail(c.stage(d), text(d, 0), c.location()); }},
        {"prefetch",
         true,
         Again::Same,
         "",
         {{ArgKind::Source}, {Loop}, {Loop}, factor_arg, {ArgKind::Outside, Arity::Optional}},
         apply_prefetch},
        {"rfactor", true, Again::Step, "", {{Loop, Arity::List}, {NewLoop, Arity::List}}, nullptr},
        {"compute_root",
         false,
         Again::Replace,
         "compute level",
         {},
         [](Context &c, const Directive &d) { return compute_at(c.func(d), LoopLevel::root(c.location())); }},
        {"compute_rank",
         false,
         Again::Replace,
         "compute level",
         {},
         [](Context &c, const Directive &d) { return compute_rank(c.func(d), c.location()); }},
        {"agglomerate",
         false,
         Again::Replace,
         "number of ranks",
         {{Expression}},
         [](Context &c, const Directive &d) { return agglomerate(c.func(d), c.expr(d, text(d, 0)), c.location()); }},
        {"compute_at", false, Again::Replace, "compute level", level,
         [](Context &c, const Directive &d) { return compute_at(c.func(d), c.level(d)); }},
        {"compute_inline",
         false,
         Again::Replace,
         "compute level",
         {},
         [](Context &c, const Directive &d) { return compute_at(c.func(d), LoopLevel::inlined()); }},
        {"store_root",
         false,
         Again::Replace,
         "store level",
         {},
         [](Context &c, const Directive &d) { return store_at(c.func(d), LoopLevel::root(c.location())); }},
        {"store_at", false, Again::Replace, "store level", level,
         [](Context &c, const Directive &d) { return store_at(c.func(d), c.level(d)); }},
        {"store_in",
         false,
         Again::Replace,
         "memory",
         {{ArgKind::Memory}},
         [](Context &c, const Directive &d) { return store_in(c.func(d), memory(text(d, 0)), c.location()); }},
        {"reorder_storage",
         false,
         Again::Replace,
         "order in memory",
         {{Dimension, Arity::Rest}},
         [](Context &c, const Directive &d) { return reorder_storage(c.func(d), list(d, 0), c.location()); }},
        {"hoist_storage", false, Again::Replace, "place of memory", level,
         [](Context &c, const Directive &d) { return hoist_storage(c.func(d), c.level(d)); }},
        {"hoist_storage_root",
         false,
         Again::Replace,
         "place of memory",
         {},
         [](Context &c, const Directive &d) { return hoist_storage(c.func(d), LoopLevel::root(c.location())); }},
        {"fold_storage",
         false,
         Again::Same,
         "",
         {{Dimension}, {Expression}, {ArgKind::Integer, Arity::Optional}},
         [](Context &c, const Directive &d) {
             return fold_storage(c.func(d), text(d, 0), c.expr(d, text(d, 1)), !has(d, 2) || std::stoi(text(d, 2)) != 0,
                                 c.location());
         }},
        {"align_storage", false, Again::Same, "", {{Dimension}, {Expression}}, apply_extent<align_storage>},
        {"bound_storage", false, Again::Same, "", {{Dimension}, {Expression}}, apply_extent<bound_storage>},
        {"ring_buffer",
         false,
         Again::Replace,
         "ring buffer",
         {{Expression}},
         [](Context &c, const Directive &d) { return ring_buffer(c.func(d), c.expr(d, text(d, 0)), c.location()); }},
        {"stream_stores",
         false,
         Again::Same,
         "",
         {},
         [](Context &c, const Directive &d) { return stream_stores(c.func(d), c.location()); }},
        {"memoize",
         false,
         Again::Replace,
         "memoize",
         {{Expression, Arity::Optional}},
         [](Context &c, const Directive &d) {
             return memoize(c.func(d), has(d, 0) ? c.expr(d, text(d, 0)) : Expr(), c.location());
         }},
        {"async",
         false,
         Again::Replace,
         "async",
         {},
         [](Context &c, const Directive &d) { return async(c.func(d), c.location()); }},
        {"bound", false, Again::Same, "", {{Dimension}, {Promise}, {Promise}}, apply_region<bound>},
        {"bound_extent",
         false,
         Again::Same,
         "",
         {{Dimension}, {Expression}},
         [](Context &c, const Directive &d) {
             return bound(c.func(d), text(d, 0), Expr(), c.expr(d, text(d, 1)), c.location());
         }},
        {"align_bounds",
         false,
         Again::Same,
         "",
         {{Dimension}, {Expression}, {Expression, Arity::Optional}},
         apply_align_bounds},
        {"align_extent",
         false,
         Again::Same,
         "",
         {{Dimension}, {Expression}},
         [](Context &c, const Directive &d) {
             return align_bounds(c.func(d), text(d, 0), c.expr(d, text(d, 1)), Expr(), c.location());
         }},
        {"set_estimate", false, Again::Same, "", {{Dimension}, {Promise}, {Promise}}, apply_region<set_estimate>},
        {"set_estimates", false, Again::Same, "", {{Expression, Arity::Lists}}, apply_set_estimates},
        {"in", false, Again::Same, "", {{ArgKind::Func, Arity::Rest}}, nullptr},
        {"clone_in", false, Again::Same, "", {{ArgKind::Func, Arity::Rest}}, nullptr},
        {"time_tile",
         false,
         Again::Replace,
         "time tile",
         {{ArgKind::Integer}, {ArgKind::Integer, Arity::OptionalList}, {ArgKind::Shape, Arity::Optional}},
         nullptr},
    };
}

} // namespace

std::span<const DirectiveRow> directive_rows() {
    static const std::vector<DirectiveRow> rows = make_rows();
    return rows;
}

const DirectiveRow *find_directive(const std::string &name) {
    for (const DirectiveRow &row : directive_rows()) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

const char *tail_word(TailStrategy tail) {
    static const char *const words[] = {"RoundUp",
                                        "GuardWithIf",
                                        "Predicate",
                                        "PredicateLoads",
                                        "PredicateStores",
                                        "ShiftInwards",
                                        "ShiftInwardsAndBlend",
                                        "RoundUpAndBlend",
                                        "Auto"};
    return words[index_of(tail)];
}

const char *partition_word(Partition partition) {
    static const char *const words[] = {"Auto", "Never", "Always"};
    return words[index_of(partition)];
}

const char *type_word(ForType type) { return ir::to_word(type); }

const char *outside_word(PrefetchBoundStrategy strategy) {
    static const char *const words[] = {"Clamp", "GuardWithIf", "NonFaulting"};
    return words[index_of(strategy)];
}

const char *memory_word(MemoryType memory) {
    static const char *const words[] = {"Auto", "Heap", "Stack", "Register", "GPUShared", "Device"};
    return words[index_of(memory)];
}

const char *align_word(LoopAlignStrategy align) {
    static const char *const words[] = {"AlignStart", "AlignEnd", "NoAlign", "Auto"};
    return words[index_of(align)];
}

const char *shape_word(TimeTileShape shape) {
    static const char *const words[] = {"Overlapped", "Wavefront", "Diamond"};
    return words[index_of(shape)];
}

} // namespace fluorite::schedule
