// Schedules for the Funcs of iterations that the program left alone.
//
// What: loops over strips of rows (of a cube: blocks of rows through all planes) for threads, vectors along rows, and
// windows for the steps before the last; or tiles of the extents that the program gives.
//
// Which Funcs of a body are computed in rows of their own, like a step: those that compute (more than selecting among
// values they read) and are read at several points. The others are inlined; a Func without dimensions is computed at
// root, and then a step needs all of the step before, so that no tile has several steps.
//
// The vectors of a row end with one that is moved inwards, where rows are known to fill a vector. Where their length is
// known at run time only, tiles are made for rows that do, and the body itself, with masks, serves shorter rows.
//
// Several rows (planes) are computed together, which share what they read: four by a single step without such
// Funcs; otherwise two, by all Funcs of a tile alike.
//
// Relies on: the domain, which the outputs promise; schedule::apply_directives. Does not do: choose how many steps a
// tile has, or wavefronts and diamonds (plan_time_tiles.cpp). Cost: linear in the graph.

#include "autoschedule/time_tiling/schedule_tile.h"

#include "analysis/periodic_coordinate.h"
#include "autoschedule/time_tiling/unroll_steps.h"
#include "loopnest/lowering_graph.h"
#include "machine/cache_model.h"
#include "machine/time_tile_model.h"
#include "rewrite/simplify.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>
#include <map>
#include <string>

namespace fluorite::autoschedule::time_tiling {

using namespace ir;
using schedule::Directive;
using schedule::ScheduledGraph;

namespace {

bool is_unscheduled(const ScheduledGraph &pipeline) {
    return !pipeline.rewritten && schedule::directives_of(pipeline.graph, pipeline.schedule).empty();
}

// ---- What the body is like.

/// Whether a value is among those that its definition reads, or a constant.
bool only_selects(const Expr &value) {
    switch (value->kind()) {
    case ExprKind::Call:
    case ExprKind::Image:
        return true;
    case ExprKind::Likely:
        return only_selects(value->arg(0));
    case ExprKind::Select:
        return only_selects(value->arg(1)) && only_selects(value->arg(2));
    default: // other kinds compute
        return is_const(value);
    }
}

/// Notes whether a coordinate is mirrored at edges: it is a remainder, and a selection turns the values beyond the last
/// point of an image around.
void note_mirrors(const Expr &coordinate, BodyShape &shape) {
    bool has_remainder = false, selects = false;
    for_each_node(coordinate, [&](const Expr &node) {
        has_remainder = has_remainder || node->kind() == ExprKind::Mod;
        selects = selects || node->kind() == ExprKind::Select;
    });
    if (has_remainder && selects) {
        const auto periodic = analysis::find_periodic(rewrite::simplify(coordinate));
        shape.has_mirrors = shape.has_mirrors || (periodic && periodic->is_mirrored());
        shape.has_unknown_mirrors = shape.has_unknown_mirrors || !periodic;
    }
}

} // namespace

BodyShape shape_of(const Graph &graph) {
    BodyShape shape;
    std::map<int32_t, std::set<size_t>> points; // hashes of distinct coordinates of calls
    for (const FuncDef &func : graph.funcs) {
        for (const Stage &stage : func.stages) {
            for (const Expr &expr : loopnest::stage_exprs(stage)) {
                for_each_node(expr, [&](const Expr &node) {
                    if (node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) {
                        return;
                    }
                    size_t hash = 0;
                    for (const Expr &arg : node->args()) {
                        hash = hash * 31 + arg->hash();
                        note_mirrors(arg, shape);
                        int64_t offset = 0;
                        const bool is_sum = arg->kind() == ExprKind::Add || arg->kind() == ExprKind::Sub;
                        if (is_sum && is_const_int(arg->arg(1), &offset) && offset > -64 && offset < 64) {
                            shape.reach = std::max(shape.reach, std::abs(offset));
                        }
                    }
                    if (node->kind() == ExprKind::Call) {
                        points[node->symbol().owner().func.value].insert(hash);
                    }
                });
            }
        }
    }
    for (const FuncDef &func : graph.funcs) {
        if (graph.is_output(func.id())) {
            continue;
        }
        const int32_t id = func.id().value;
        const Stage &pure = func.stages[0];
        const bool computes = !std::all_of(pure.values.begin(), pure.values.end(), only_selects);
        if (func.dimensions() == 0) {
            shape.at_root.insert(id);
        } else if (func.stages.size() == 1 && computes && points[id].size() > 1) {
            shape.rows.insert(id);
        }
    }
    return shape;
}

/// The extent of a dimension of the domain if it is a constant, or a guess.
int64_t extent_of(const Iteration &iteration, size_t dim, int64_t guess) {
    const FuncDef &control = iteration.control->func(iteration.control->outputs[0]);
    int64_t extent = 0;
    return is_const_int(control.stages[0].values[2 + 2 * dim], &extent) ? std::max<int64_t>(extent, 1) : guess;
}

// ---- Schedules.

static int lanes_of(const FuncDef &func, const machine::MachineModel &machine) {
    int bytes = 1;
    for (const Type type : func.types) {
        bytes = std::max(bytes, type.bytes());
    }
    return std::max(1, machine.vector_bits / 8 / bytes);
}

/// How many points of a row of the domain the outputs' vectors need if they are moved inwards at its end.
int least_row_of(const Graph &body, const machine::MachineModel &machine) {
    int lanes = 1;
    for (const FuncId output : body.outputs) {
        lanes = std::max(lanes, lanes_of(body.func(output), machine));
    }
    return lanes;
}

namespace {

/// The distinct points that a value reads, if it is computed at so many successive points of a dimension together.
size_t distinct_reads(const FuncDef &func, size_t dimension, int64_t points) {
    std::set<std::vector<size_t>> reads; // hashes of the source and of its coordinates
    for (int64_t k = 0; k < points; k++) {
        const Expr moved = ir::add(make_var(Int(32), func.args[dimension]), int32(k));
        for (const Expr &value : func.stages[0].values) {
            for_each_node(value, [&](const Expr &node) {
                if (node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) {
                    return;
                }
                std::vector<size_t> read = {static_cast<size_t>(node->kind()), node->symbol().hash()};
                for (const Expr &arg : node->args()) {
                    const Expr at = transform(arg, [&](const Expr &part) {
                        return is_kind(part, ExprKind::Variable) && part->symbol() == func.args[dimension] ? moved
                                                                                                           : part;
                    });
                    read.push_back(rewrite::simplify(at)->hash());
                }
                reads.insert(std::move(read));
            });
        }
    }
    return reads.size();
}

/// Clamps a coordinate in the output's definition to the domain, over which alone it is required.
void limit(FuncDef &output, const Symbol &domain, size_t dimension) {
    if (output.stages.size() != 1 || dimension >= output.args.size()) {
        return;
    }
    const Symbol &arg = output.args[dimension];
    const Expr limited = inside(make_var(Int(32), arg), domain, static_cast<int>(dimension));
    for (Expr &value : output.stages[0].values) {
        value = transform(value, [&](const Expr &node) {
            return is_kind(node, ExprKind::Variable) && node->symbol() == arg ? limited : node;
        });
    }
}

} // namespace

/// The dimensions that the loops over a step are cut along: those of the extents, or those that the compiler chooses.
std::vector<size_t> cuts_of(size_t rank, const std::vector<int64_t> &extents) {
    std::vector<size_t> cuts;
    for (size_t d = 0; d < extents.size(); d++) {
        if (extents[d] > 0) {
            cuts.push_back(d);
        }
    }
    if (extents.empty() && rank >= 1 && rank <= 3) {
        cuts = {rank == 1 ? size_t{0} : size_t{1}};
    }
    return cuts;
}

namespace {

class TileScheduler {
  public:
    /// `extents` of tiles; empty: chosen.
    TileScheduler(ScheduledGraph &pipeline, const machine::MachineModel &machine,
                  const std::vector<int64_t> &extents = {})
        : pipeline_(pipeline), graph_(pipeline.graph), machine_(machine), extents_(extents) {}

    /// `rows` and `at_root` are the Funcs that are computed so; the outputs of all steps but the last are among `rows`.
    void run(const Iteration *iteration, const std::set<int32_t> &rows, const std::set<int32_t> &at_root, int steps,
             const Form &form) {
        stores_ = form.stores;
        if (iteration) {
            row_length_ = iteration->dimensions > 0 && form.part != Part::OfRows ? extent_of(*iteration, 0, 0) : 0;
            if (row_length_ == 0 && form.part != Part::OfRows && form.rows == Rows::FillVectors) {
                row_length_ = least_row_of(graph_, machine_);
            }
            if (form.part == Part::Domain) {
                promise_domain(*iteration);
            }
            for (const size_t cut : cuts_of(static_cast<size_t>(iteration->dimensions), extents_)) {
                if (!rows.empty() && domain_ && reads_unlimited(cut)) {
                    limit(graph_.funcs[graph_.outputs[0].index()], domain_->symbol, cut);
                }
            }
        }
        together_ = iteration && at_root.empty() ? rows_together(rows) : 1;
        for (const FuncId id : graph_.outputs) {
            const FuncDef &output = graph_.func(id);
            if (output.stages.size() == 1 && output.dimensions() > 0) {
                schedule_output(output, steps);
            }
        }
        for (const int32_t id : at_root) {
            add(graph_.funcs[static_cast<size_t>(id)], "compute_root");
        }
        // The last strip may have rows beyond a part of the domain. Where the region is the whole domain, the output
        // does not read beyond it.
        const std::vector<size_t> cuts = cuts_of(graph_.func(graph_.outputs[0]).dimensions(), extents_);
        const bool may_exceed = iteration && form.part != Part::Domain &&
                                std::any_of(cuts.begin(), cuts.end(), [&](size_t cut) { return reads_unlimited(cut); });
        const FuncDef &last = graph_.func(graph_.outputs[0]);
        for (const int32_t id : rows) {
            const FuncDef &func = graph_.funcs[static_cast<size_t>(id)];
            if (last.stages.size() > 1 || strip_.empty() || may_exceed) {
                add(func, "compute_root");
                if (may_exceed && func.dimensions() > 1) {
                    add(func, "parallel", {{func.arg_names.back()}});
                }
            } else {
                if (row_ != strip_) {
                    add(func, "store_at", {{last.name()}, {strip_}});
                }
                add(func, "compute_at", {{last.name()}, {row_}});
                if (together_ > 1 && func.dimensions() == last.dimensions()) {
                    share(func, shared_loops(func, func.arg_names[1]), {});
                    continue;
                }
            }
            vectorize(func);
        }
        schedule::apply_directives(graph_, pipeline_.schedule, lines_, Location()).or_raise();
    }

  private:
    ScheduledGraph &pipeline_;
    Graph &graph_;
    const machine::MachineModel &machine_;
    const machine::TimeTileModel model_ = machine::time_tile_model(machine_);
    const std::vector<int64_t> extents_;
    std::vector<Directive> lines_;
    Stores stores_ = Stores::Cached;
    int64_t together_ = 1;    // rows (of a cube: of one or two planes) that an iteration of the loop over rows computes
    int64_t row_length_ = 0;  // of the domain, at least; 0: nothing is known
    std::string strip_, row_; // loops of the first output: where windows are stored, and computed

    void add(const FuncDef &func, const char *name, std::vector<std::vector<std::string>> args = {}) {
        Directive directive;
        directive.func = func.name();
        directive.name = name;
        directive.args = std::move(args);
        lines_.push_back(std::move(directive));
    }

    std::string fresh(const FuncDef &func, std::string name) const {
        while (std::find(func.arg_names.begin(), func.arg_names.end(), name) != func.arg_names.end()) {
            name += "_";
        }
        return name;
    }

    /// The outputs have exactly the box of the state.
    void promise_domain(const Iteration &iteration) {
        const auto state = std::find_if(graph_.inputs.begin(), graph_.inputs.end(), [&](const InputDef &input) {
            return input.parameter.get() == iteration.states[0].get();
        });
        if (state == graph_.inputs.end()) {
            return;
        }
        for (const FuncId id : graph_.outputs) {
            FuncDef &output = graph_.funcs[id.index()];
            if (static_cast<int>(output.dimensions()) != iteration.dimensions) {
                continue;
            }
            output.output_buffers.resize(output.types.size());
            for (OutputBuffer &buffer : output.output_buffers) {
                buffer.dims.resize(output.dimensions());
                for (size_t d = 0; d < output.dimensions(); d++) {
                    const int dim = static_cast<int>(d);
                    const DimConstraint promise =
                        d < state->constraints.size() ? state->constraints[d] : DimConstraint();
                    const auto known = [&](const Expr &constant, Field field) {
                        return constant.defined() && is_const(constant) ? constant
                                                                        : make_field(state->symbol, field, dim);
                    };
                    buffer.dims[d].min = known(promise.min, Field::Min);
                    buffer.dims[d].extent = known(promise.extent, Field::Extent);
                }
            }
            domain_ = &*state;
        }
    }
    const InputDef *domain_ = nullptr;

    /// Whether the Func's value at each point is that of an input there, as that of a field used as a Func is.
    static bool is_input(const FuncDef &func) {
        if (func.stages.size() != 1 || func.stages[0].values.size() != 1) {
            return false;
        }
        const Expr &value = func.stages[0].values[0];
        return value->kind() == ExprKind::Image &&
               std::equal(value->args().begin(), value->args().end(), func.args.begin(), func.args.end(),
                          [](const Expr &coordinate, const Symbol &arg) {
                              return is_kind(coordinate, ExprKind::Variable) && coordinate->symbol() == arg;
                          });
    }

    /// Whether a Func beside the outputs reads an input without a boundary condition along a dimension.
    bool reads_unlimited(size_t dimension) const {
        const auto reads_input = [&](const Expr &node) {
            return node->kind() == ExprKind::Image ||
                   (node->kind() == ExprKind::Call && is_input(graph_.funcs[node->symbol().owner().func.index()]));
        };
        bool found = false;
        for (const FuncDef &func : graph_.funcs) {
            for (const Stage &stage : func.stages) {
                for (const Expr &expr : loopnest::stage_exprs(stage)) {
                    for_each_node(expr, [&](const Expr &node) {
                        found |= reads_input(node) && !graph_.is_output(func.id()) && !is_input(func) &&
                                 dimension < node->args().size() && !is_limited(node->arg(dimension));
                    });
                }
            }
        }
        return found;
    }

    /// Whether whole vectors cover a row, because the last one may be moved inwards. They do in rows of the domain that
    /// fill a vector. Rows of earlier steps have another length where the body clamps coordinates to a part of the
    /// domain, and later steps read what they compute beyond it; so these rows need masks.
    bool fills_vectors(const FuncDef &func, const std::string &loop, int lanes) const {
        const bool cuts_rows = !extents_.empty() && extents_[0] > 0;
        return func.dimensions() > 1 && !cuts_rows && loop == func.arg_names[0] && row_length_ >= lanes &&
               (graph_.is_output(func.id()) || !reads_unlimited(0));
    }

    /// With masks, the vectors at both edges load what is clamped lane by lane. Where rows are short, as in cubes, that
    /// takes a third of the time: 44 ms a step of 512^3 floats, and 35 without (benchmarks/stencils.cpp).
    void vectorize(const FuncDef &func, const std::string &loop) {
        if (const int lanes = lanes_of(func, machine_); lanes > 1) {
            add(func, "vectorize", {{loop}, {std::to_string(lanes)}, {tail_of(func, loop, lanes)}});
        }
    }
    const char *tail_of(const FuncDef &func, const std::string &loop, int lanes) const {
        return fills_vectors(func, loop, lanes) ? "ShiftInwards" : "GuardWithIf";
    }
    void vectorize(const FuncDef &func) { vectorize(func, func.arg_names[0]); }

    /// The rows of a strip: the domain in so many strips, but no fewer rows than repay the overlap. A multiple of
    /// `together`.
    std::string strip_rows(int dim, int steps, int64_t together) const {
        const int64_t least = std::max<int64_t>(8, int64_t{16} * steps);
        if (!domain_) {
            return std::to_string(least);
        }
        const int64_t groups = model_.strips * together;
        const Expr extent = make_field(domain_->symbol, Field::Extent, dim);
        Expr shared = ir::div(ir::add(extent, int32(groups - 1)), int32(groups));
        if (together > 1) {
            shared = ir::mul(shared, int32(together));
        }
        // Of a maximum, each operand would become an end of windows, and limit the interior of their loop.
        return schedule::expression_text(make_select(less(int32(least * model_.strips), extent), shared, int32(least)));
    }

    /// How many rows (planes) are computed together: as many as let all that they read stay in registers. Pairs may
    /// read twice as much, which comes from the first cache then, and not from the second: 25.9 instead of 28.5 ms a
    /// step of 27 points over 400^3 floats, 50 instead of 59 one by one (Sapphire Rapids); with mirrors, such code
    /// takes twice as long to compile. `rows` are the Funcs that are computed in rows beside the outputs.
    int64_t rows_together(const std::set<int32_t> &rows) const {
        const FuncDef &last = graph_.func(graph_.outputs[0]);
        const size_t rank = last.dimensions();
        if (!extents_.empty() || row_length_ == 0 || rank < 2 || rank > 3) {
            return 1;
        }
        std::vector<const FuncDef *> funcs;
        for (const FuncId id : graph_.outputs) {
            funcs.push_back(&graph_.func(id));
        }
        for (const int32_t id : rows) {
            funcs.push_back(&graph_.funcs[static_cast<size_t>(id)]);
        }
        const auto registers = static_cast<size_t>(machine::cache_model(machine_).vector_registers);
        const size_t of_pairs = shape_of(graph_).has_mirrors ? registers : 2 * registers;
        int64_t together = rows.empty() ? model_.most_shared_rows : model_.most_shared_in_windows;
        for (const FuncDef *func : funcs) {
            if (func->stages.size() != 1 || lanes_of(*func, machine_) == 1) {
                return 1;
            }
            while (together > 1 && func->dimensions() == rank &&
                   distinct_reads(*func, rank - 1, together) > (together == 2 ? of_pairs : registers)) {
                together /= 2;
            }
        }
        return together;
    }

    /// A loop over rows or planes, of which so many are computed together.
    struct Shared {
        std::string loop;
        int64_t together;
        std::string name; // of the loop over those
    };

    /// The loops around a row of which several iterations are computed together, from the inside outwards.
    std::vector<Shared> shared_loops(const FuncDef &func, const std::string &row) const {
        const std::vector<std::string> &args = func.arg_names;
        const std::string in_row = fresh(func, args[1] + "_shared");
        if (args.size() == 2) {
            return {{row, together_, in_row}};
        }
        const int64_t planes = std::min(together_, model_.most_shared_planes);
        return {{row, together_ / planes, in_row}, {args[2], planes, fresh(func, args[2] + "_shared")}};
    }

    /// Orders the loops of a Func so that several rows are computed together, vector by vector. `loops` are around a
    /// row, from the inside outwards, and `strip`, if not empty, is around those.
    void share(const FuncDef &func, const std::vector<Shared> &loops, const std::string &strip) {
        const std::string &x = func.arg_names[0];
        const std::string vector = fresh(func, x + "_vector");
        const int lanes = lanes_of(func, machine_);
        add(func, "split", {{x}, {x}, {vector}, {std::to_string(lanes)}, {tail_of(func, x, lanes)}});
        std::vector<std::string> order = {vector}, outer = {x};
        for (const Shared &shared : loops) {
            if (shared.together > 1) {
                add(func, "split",
                    {{shared.loop}, {shared.loop}, {shared.name}, {std::to_string(shared.together)}, {"GuardWithIf"}});
                order.push_back(shared.name);
            }
            outer.push_back(shared.loop);
        }
        const size_t unrolled = order.size();
        order.insert(order.end(), outer.begin(), outer.end());
        if (!strip.empty()) {
            order.push_back(strip);
        }
        add(func, "reorder", {order});
        add(func, "vectorize", {{vector}});
        for (size_t i = 1; i < unrolled; i++) {
            add(func, "unroll", {{order[i]}});
        }
    }

    /// Tiles of the extents that the program gives: the loops over tiles, of which the outermost is parallel, are
    /// around those in them. Windows are kept in a tile, and slide along its outermost loop.
    void tile(const FuncDef &output) {
        const std::vector<std::string> &args = output.arg_names;
        std::vector<std::string> order = args, tiles;
        for (size_t d = 0; d < args.size(); d++) {
            if (extents_[d] > 0) {
                tiles.push_back(fresh(output, args[d] + "_tile"));
                order[d] = fresh(output, args[d] + "_point");
                add(output, "split",
                    {{args[d]}, {tiles.back()}, {order[d]}, {std::to_string(extents_[d])}, {"GuardWithIf"}});
            }
        }
        const std::string points = order.front(), row = args.size() == 1 ? tiles.front() : order.back();
        order.insert(order.end(), tiles.begin(), tiles.end());
        if (order.size() > 2) {
            add(output, "reorder", {order});
        }
        vectorize(output, points);
        add(output, "parallel", {{tiles.back()}});
        note(output, tiles.front(), row);
    }

    void note(const FuncDef &output, const std::string &strip, const std::string &row) {
        if (stores_ == Stores::Streamed) {
            add(output, "stream_stores");
        }
        if (output.id() == graph_.outputs[0]) {
            strip_ = strip;
            row_ = row;
        }
    }

    void schedule_output(const FuncDef &output, int steps) {
        const std::vector<std::string> &args = output.arg_names;
        std::string strip, row;
        if (!extents_.empty()) {
            return tile(output);
        }
        if (args.size() == 1) {
            strip = fresh(output, args[0] + "_block");
            const std::string point = fresh(output, args[0] + "_point");
            add(output, "split", {{args[0]}, {strip}, {point}, {std::to_string(model_.line_block)}, {"GuardWithIf"}});
            vectorize(output, point);
            row = strip;
        } else if (args.size() <= 3) {
            const size_t split = 1;
            const bool is_square = args.size() == 2;
            strip = fresh(output, args[split] + "_strip");
            row = fresh(output, args[split] + "_row");
            const std::string rows = is_square ? strip_rows(1, steps, together_) : std::to_string(model_.block_rows);
            add(output, "split", {{args[split]}, {strip}, {row}, {rows}, {"GuardWithIf"}});
            if (together_ > 1) {
                share(output, shared_loops(output, row), strip);
            } else if (!is_square) {
                add(output, "reorder", {{args[0], row, args[2], strip}});
            }
            if (!is_square) {
                row = args[2];
            }
            if (together_ == 1) {
                vectorize(output);
            }
        } else {
            strip = row = args.back();
            vectorize(output);
        }
        add(output, "parallel", {{strip}});
        note(output, strip, row);
    }
};

} // namespace

std::optional<ScheduledGraph> scheduled(const ScheduledGraph &pipeline, const Iteration *iteration,
                                        const machine::MachineModel &machine, const Form &form) {
    if (!is_unscheduled(pipeline)) {
        return std::nullopt;
    }
    ScheduledGraph result = pipeline;
    const BodyShape shape = shape_of(result.graph);
    TileScheduler(result, machine).run(iteration, shape.rows, shape.at_root, 1, form);
    return result;
}

void schedule_unrolled_steps(ScheduledGraph &unrolled, const Iteration &iteration, const std::set<int32_t> &rows,
                             const std::set<int32_t> &at_root, int steps, const std::vector<int64_t> &extents,
                             const machine::MachineModel &machine, const Form &form) {
    TileScheduler(unrolled, machine, extents).run(&iteration, rows, at_root, steps, form);
}

} // namespace fluorite::autoschedule::time_tiling
