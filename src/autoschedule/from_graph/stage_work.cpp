// Costs of points and blocks.
//
// Method: operations and distinct loads (work.h), and for each load a cost by how its address moves with the lanes of a
// vector: not at all, by one element, by several, along another dimension, or by data.
//
// Cost: linear in the distinct nodes of a definition for one point, and in those of all points of a block.
#include "autoschedule/from_graph/stage_work.h"

#include "autoschedule/costs.h"
#include "autoschedule/from_graph/footprints.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::autoschedule {

using namespace ir;

namespace {

/// In how many rows lanes along a Var take turns, as x % 2 says; none: they lie in rows of their own.
std::optional<int64_t> turns_of(const Expr &coordinate, const Symbol &var) {
    if (coordinate->kind() == ExprKind::Variable) {
        return coordinate->symbol() == var ? std::nullopt : std::optional<int64_t>(1);
    }
    if (coordinate->kind() == ExprKind::Mod && uses_symbol(coordinate->arg(0), var)) {
        const std::optional<int64_t> period = rewrite::constant_value(coordinate->arg(1));
        return period && *period > 0 && *period <= costs::most_rotated_rows ? period : std::nullopt;
    }
    std::optional<int64_t> turns = 1;
    for (const Expr &arg : coordinate->args()) {
        const std::optional<int64_t> own = turns_of(arg, var);
        turns = turns && own ? std::optional(std::max(*turns, *own)) : std::nullopt;
    }
    return turns;
}

/// Whether a coordinate is clamped along a Var, so that vectors at edges are put together of what lies inside.
bool is_clamped_along(const Expr &load, const Symbol &var) {
    bool is_found = false;
    for (const Expr &coordinate : load->args()) {
        for_each_node(coordinate, [&](const Expr &node) {
            const bool is_bound = node->kind() == ExprKind::Min || node->kind() == ExprKind::Max;
            is_found = is_found || (is_bound && uses_symbol(node, var));
        });
    }
    return is_found;
}

/// Whether one load of the same source is where the other one is, moved by so many elements in all lanes.
bool lies_at_constant_distance(const Expr &load, const Expr &other) {
    return load->symbol() == other->symbol() && load->kind() == other->kind() &&
           std::equal(load->args().begin(), load->args().end(), other->args().begin(), other->args().end(),
                      [](const Expr &a, const Expr &b) {
                          const auto of_a = rewrite::linear_form(a), of_b = rewrite::linear_form(b);
                          const auto apart = of_a && of_b ? rewrite::subtract(*of_a, *of_b) : std::nullopt;
                          return apart && apart->is_constant();
                      });
}

} // namespace

bool is_scan(const FuncDef &definition, const Stage &update) {
    bool is_found = false;
    for (const Expr &value : update.values) {
        for_each_node(value, [&](const Expr &node) {
            is_found =
                is_found || (node->kind() == ExprKind::Call && node->symbol() == definition.symbol &&
                             !std::equal(update.args.begin(), update.args.end(), node->args().begin(), ExprEqual()));
        });
    }
    return is_found;
}

size_t StageWork::vector_loop(const std::vector<LoopExtent> &loops) {
    size_t longest = 0;
    for (size_t loop = 0; loop < loops.size(); ++loop) {
        if (loops[loop].is_lanes) {
            return loop;
        }
    }
    for (size_t loop = 0; loop < loops.size(); ++loop) {
        if (loops[loop].extent >= costs::long_loop) {
            return loop;
        }
        longest = loops[loop].extent > loops[longest].extent ? loop : longest;
    }
    return longest;
}

std::vector<int64_t> StageWork::constant_sizes(const std::vector<LoopExtent> &loops) {
    std::vector<int64_t> sizes(loops.size(), 1);
    int64_t points = 1;
    for (size_t loop = 0; loop < loops.size(); ++loop) {
        const int64_t extent = loops[loop].extent;
        if (loop != vector_loop(loops) && loops[loop].is_constant && extent <= costs::longest_unrolled &&
            points * extent <= costs::most_block_points) {
            sizes[loop] = extent;
            points *= extent;
        }
    }
    return sizes;
}

int64_t StageWork::lane_bytes(const FuncDef &func) {
    int64_t widest = 1;
    for (const Type &type : func.types) {
        widest = std::max<int64_t>(widest, type.bytes());
    }
    // Operations that have wide operands or results count, but loads and coordinates do not.
    std::map<int64_t, double> work; // by bytes of the result
    double all = 0;
    int64_t widest_operand = 1;
    ExprMap<bool> seen;
    for (const Stage &stage : func.stages) {
        for (const Expr &value : stage.values) {
            for_each_node(expand_lets(value), [&](const Expr &node) {
                const bool is_operation = node->kind() != ExprKind::Call && node->kind() != ExprKind::Image &&
                                          !node->args().empty() && node->reads_memory();
                if (is_operation && seen.emplace(node, true).second) {
                    work[node.type().bytes()] += 1;
                    all += 1;
                    for (const Expr &operand : node->args()) {
                        widest_operand = std::max<int64_t>(widest_operand, operand.type().bytes());
                    }
                }
            });
        }
    }
    for (const auto &[bytes, operations] : work) {
        widest = bytes > widest && operations > costs::wide_part * all ? bytes : widest;
        widest_operand = std::max(widest_operand, bytes);
    }
    return widest == 1 && (all == 0 || widest_operand > 1) ? 2 : widest;
}

double StageWork::of_point(const FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops) {
    Stage expanded = func.stages[stage];
    for (Expr &value : expanded.values) {
        value = expand_lets(value);
    }
    return sum_of(func, stage, loops, work_of(expanded));
}

StageWork::Scattered StageWork::of_scattered(const FuncDef &func, size_t stage, std::vector<LoopExtent> loops) {
    const Stage &update = func.stages[stage];
    Stage expanded = update;
    for (Expr &value : expanded.values) {
        value = expand_lets(value);
    }
    const auto is_loop = [&](size_t loop) {
        return update.args[loop]->kind() == ExprKind::Variable && update.args[loop]->symbol() == func.args[loop];
    };
    // Short loops of constant extent are unrolled, so their points share operations and loads.
    std::vector<int64_t> sizes = constant_sizes(loops);
    for (size_t loop = 0; loop < loops.size(); ++loop) {
        sizes[loop] = is_loop(loop) ? sizes[loop] : 1;
    }
    const auto together_in = [&](const std::vector<int64_t> &block) {
        const std::vector<SymbolMap<Expr>> points = points_of(func, loops, block);
        return std::pair(points.size() == 1 ? work_of(expanded) : work_of_update(expanded, points),
                         static_cast<double>(points.size()));
    };
    const auto [shared, count] = together_in(sizes);
    Scattered result;
    result.scalar = (shared.operations + costs::plain_load * static_cast<double>(shared.loads.size())) / count;
    double least = result.scalar * costs_.lanes;
    for (size_t loop = 0; loop < loops.size(); ++loop) {
        double lanes = costs_.lanes;
        while (lanes > static_cast<double>(loops[loop].extent)) {
            lanes /= 2;
        }
        if (!is_loop(loop) || lanes < costs::least_lanes) {
            continue;
        }
        std::vector<int64_t> block = sizes;
        block[loop] = 1;
        const auto [work, points] = together_in(block);
        for (size_t other = 0; other < loops.size(); ++other) {
            loops[other].is_lanes = other == loop;
        }
        // Values are stored as they are loaded: side by side, or one by one.
        const Expr own = make_call(func.types[0], func.symbol, 0, update.args);
        const double stored =
            of_load(func, stage, loops, own) >= costs_.gathered ? costs::scattered_store * costs_.gathered : 0;
        const double together = (sum_of(func, stage, loops, work) / points + stored) * costs_.lanes / lanes;
        if (together < least) {
            least = result.together = together;
            result.lanes = loop;
        }
    }
    return result;
}

double StageWork::least_of_point(const FuncDef &func, const std::vector<LoopExtent> &loops) {
    const double once = of_point(func, 0, loops);
    BlockWork block;
    block.sizes = constant_sizes(loops);
    if (func.stages.size() > 1 || block.points() == 1) {
        return once;
    }
    const double together = sum_of(func, 0, loops, of_block(func, loops, block.sizes));
    return std::min(once, together / static_cast<double>(block.points()));
}

double StageWork::sum_of(const FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops, const Work &work) {
    double sum = work.operations;
    for (const double load : of_loads(func, stage, loops, work.loads).each) {
        sum += load;
    }
    return sum;
}

StageWork::LoadsWork StageWork::of_loads(const FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops,
                                         const std::vector<Expr> &loads, const std::vector<int64_t> &sizes) {
    LoadsWork work;
    std::vector<std::pair<Expr, bool>> gathers; // the first of those that share addresses, and whether there are others
    for (const Expr &load : loads) {
        double cost = of_load(func, stage, loops, load, sizes);
        if (cost >= costs_.gathered && std::any_of(load->args().begin(), load->args().end(), is_computed)) {
            const auto before = std::find_if(gathers.begin(), gathers.end(), [&](const auto &gather) {
                return lies_at_constant_distance(load, gather.first);
            });
            if (before == gathers.end()) {
                gathers.emplace_back(load, false);
            } else {
                cost *= costs::shared_addresses;
                work.addresses += std::exchange(before->second, true) ? 0 : costs::address_words;
            }
        }
        work.each.push_back(cost);
    }
    return work;
}

std::vector<SymbolMap<Expr>> StageWork::points_of(const FuncDef &func, const std::vector<LoopExtent> &loops,
                                                  const std::vector<int64_t> &sizes) {
    std::vector<SymbolMap<Expr>> points(1);
    for (size_t loop = 0; loop < loops.size(); ++loop) {
        std::vector<SymbolMap<Expr>> next;
        for (const SymbolMap<Expr> &point : points) {
            for (int64_t i = 0; i < sizes[loop]; ++i) {
                SymbolMap<Expr> one = point;
                if (sizes[loop] > 1) {
                    const Expr var = make_var(Int(32), func.args[loop]);
                    one[func.args[loop]] = loops[loop].is_constant ? int32(loops[loop].min + i) : add(var, int32(i));
                }
                next.push_back(std::move(one));
            }
        }
        points = std::move(next);
    }
    return points;
}

Work StageWork::of_block(const FuncDef &func, const std::vector<LoopExtent> &loops,
                         const std::vector<int64_t> &sizes) const {
    return work_of(func.stages[0], points_of(func, loops, sizes));
}

UpdateWork StageWork::of_update(const FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops) {
    UpdateWork result;
    const size_t vector = vector_loop(loops);
    for (const FollowedWork &followed : work_by_loops(func, func.stages[stage])) {
        UpdateWork::Part part{followed.loops, followed.operations, 0, followed.addresses};
        for (const Expr &load : followed.loads) {
            const bool is_vector = vector < 64 && (followed.loops >> vector & 1) != 0;
            const double cost = is_vector ? of_load(func, stage, loops, load) : costs::plain_load;
            const double words = load.type().bytes() / 4.0;
            if (is_vector && cost >= costs_.gathered && reads_rows_on(func, func.stages[stage], vector, load)) {
                result.steps_together = costs::least_transposed_rows;
                part.loads += words;
                part.operations += costs::transposed_load * words;
            } else {
                part.loads += cost < costs_.gathered ? cost / costs::plain_load : cost;
            }
            part.edges += is_vector && is_clamped_along(load, func.args[vector]) ? load.type().bytes() / 4.0 : 0;
        }
        result.parts.push_back(part);
    }
    for (const ReductionVar &rvar : func.stages[stage].rvars) {
        result.reduction.push_back(std::max<int64_t>(values_(rvar.extent).value_or(1), 1));
    }
    for (const Type &type : func.types) {
        result.bits.push_back(type.bits());
    }
    result.chain = chain_of(func, func.stages[stage]);
    result.code = code_of(func, func.stages[stage]);
    return result;
}

bool StageWork::reads_rows_on(const FuncDef &func, const Stage &update, size_t vector, const Expr &load) const {
    if (update.rvars.empty() || values_(update.rvars[0].extent).value_or(1) < 2 * costs::least_transposed_rows) {
        return false;
    }
    const Symbol &step = update.rvars[0].var;
    const size_t inner = innermost(load->symbol());
    for (size_t d = 0; d < load->args().size(); ++d) {
        const Expr &coordinate = load->arg(d);
        const bool moves = uses_symbol(coordinate, step), is_lane = uses_symbol(coordinate, func.args[vector]);
        if (d != inner && !moves) {
            continue;
        }
        if (d != inner || is_lane) {
            return false;
        }
        SymbolMap<Expr> next;
        next[step] = add(make_var(Int(32), step), int32(1));
        const Expr apart = sub(substitute(coordinate, next), coordinate);
        if (rewrite::constant_value(rewrite::simplify(apart)) != 1) {
            return false;
        }
    }
    return true;
}

size_t StageWork::innermost(const Symbol &source) const {
    const auto known = !source.owner().func.valid() ? innermost_.end() : innermost_.find(source.owner().func);
    return known == innermost_.end() ? 0 : known->second;
}

double StageWork::turning(int64_t bytes) { return costs::transposed_load * static_cast<double>(bytes) / 4; }

double StageWork::of_load(const FuncDef &func, size_t stage, const std::vector<LoopExtent> &loops, const Expr &load,
                          const std::vector<int64_t> &sizes) {
    FootprintReader reader(values_, func, func.stages[stage]);
    const size_t vector = vector_loop(loops), inner = innermost(load->symbol());
    bool is_shared = true, is_transposed = false, is_whole_tile = false;
    double steps = 1;
    for (size_t d = 0; d < load->args().size(); ++d) {
        const Expr &arg = load->arg(d);
        const bool is_lane = !func.args.empty() && uses_symbol(arg, func.args[vector]);
        is_shared = is_shared && !is_lane;
        const Footprint footprint = reader.of(arg);
        if (is_lane && (footprint.is_rounded || (footprint.kind == Footprint::Kind::Unbounded && is_computed(arg)))) {
            return costs_.gathered;
        }
        is_whole_tile = is_whole_tile ||
                        (d == inner && footprint.kind == Footprint::Kind::Affine && footprint.loop < sizes.size() &&
                         footprint.loop != vector && sizes[footprint.loop] >= costs::least_transposed_rows);
        const std::optional<int64_t> turns =
            is_lane && d != inner ? turns_of(arg, func.args[vector]) : std::optional<int64_t>(1);
        is_transposed = is_transposed || !turns;
        steps = std::max(steps, static_cast<double>(turns.value_or(1)));
        if (is_lane && footprint.kind == Footprint::Kind::Affine) {
            if (footprint.scale.value() > costs::greatest_stride) {
                return costs_.gathered;
            }
            steps = footprint.scale == Rational()
                        ? steps
                        : std::max({steps, costs::least_strided_load, footprint.scale.value()});
        }
    }
    const double plain = costs::plain_load * load.type().bytes() / 4.0;
    if (is_transposed && !is_shared) {
        return is_whole_tile ? plain + costs::transposed_load * load.type().bytes() / 4.0 : costs_.gathered;
    }
    return is_shared ? plain * costs::shared_load : std::min(plain * steps, costs_.gathered);
}

} // namespace fluorite::autoschedule
