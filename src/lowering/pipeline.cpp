// The passes of lowering, as a table.
//
// Each row is a pass: its name, the phase it takes, the phase it leaves, what it does. Adjacent rows must agree in phase, which
// is checked at compile time. The runner times each pass, hands the statement to whoever asked to look, and where options ask
// for it runs the IR verifier after each, naming the pass that broke an invariant.

#include "ir/verify.h"
#include "loopnest/fault.h"
#include "loopnest/inline.h"
#include "lowering/build/build_loops.h"
#include "lowering/build/entry_checks.h"
#include "lowering/late_passes.h"
#include "lowering/loops/fork_async.h"
#include "lowering/lower.h"
#include "lowering/statement_budget.h"
#include "lowering/storage/storage_layout.h"
#include "rewrite/simplify.h"
#include "support/large_stack.h"

#include <array>
#include <chrono>
#include <optional>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

enum class Phase : uint8_t {
    Written, // definitions and schedules, as the program has them
    Graph,   // without what is inlined
    Placed,  // sites known
    Bounded, // regions known
    Loops,   // Realize, Provide, Call, Image
    Split,   // one value a Provide; buffers in place of Funcs
    Laid,    // boxes as they lie in memory
    Flat,    // Allocate, Store, Load
    Plain,   // no unrolled or vectorized loops
    Done,    // no hints left
};

// All that passes hand on.
struct State {
    const schedule::ScheduledGraph &pipeline;
    const LowerOptions &options;
    BoundedLoopNest nest;
    EntryChecks checks;
    Stmt stmt;
    SymbolSource symbols;
    std::optional<PassContext> context;
    Stmt verified; // the last that was, and in which phase
    std::optional<ir::Phase> verified_phase;
};

struct PassRow {
    const char *name;
    Phase from, to;
    const char *summary;
    void (*run)(State &);
};

template <Stmt (*pass)(const Stmt &, const PassContext &)> void run_pass(State &state) {
    state.stmt = pass(state.stmt, *state.context);
}

void run_inline(State &state) {
    state.nest.graph = inline_funcs(state.pipeline, state.options.budget);
    state.context.emplace(state.nest.graph.pipeline, state.options, state.symbols);
}
void run_place(State &state) { state.nest.placement = place(state.nest.graph); }
void run_regions(State &state) {
    state.nest.regions = infer_regions(state.nest.graph, state.nest.placement, {state.options.asserts});
}
void run_checks(State &state) { state.checks = make_entry_checks(state.nest, *state.context); }
void run_build(State &state) { state.stmt = build_loops(state.nest, state.checks, state.options); }
void run_fork(State &state) { state.stmt = fork_async(state.stmt, state.nest, *state.context); }
void run_layout(State &state) { state.stmt = lay_out_storage(state.stmt, state.nest, *state.context); }
void run_simplify(State &state) { state.stmt = rewrite::simplify(state.stmt); }

constexpr std::array passes = {
    PassRow{"inline", Phase::Written, Phase::Graph, "definitions in place of calls of inlined Funcs", run_inline},
    PassRow{"place", Phase::Graph, Phase::Placed, "resolve and check compute and store levels", run_place},
    PassRow{"infer_regions", Phase::Placed, Phase::Bounded, "bounds of every stage at its site", run_regions},
    PassRow{"entry_checks", Phase::Bounded, Phase::Bounded, "what to verify of the arguments", run_checks},
    PassRow{"build_loops", Phase::Bounded, Phase::Loops, "the loop nest over the regions", run_build},
    PassRow{"split_tuples", Phase::Loops, Phase::Split, "one buffer an element", run_pass<split_tuples>},
    PassRow{"inject_tracing", Phase::Split, Phase::Split, "trace events, where asked for", run_pass<inject_tracing>},
    PassRow{"lower_prefetches", Phase::Split, Phase::Split, "one hint a cache line", run_pass<lower_prefetches>},
    PassRow{"lay_out_storage", Phase::Split, Phase::Laid, "circular buffers, memory taken further out", run_layout},
    PassRow{"simplify_loops", Phase::Laid, Phase::Laid, "fold bounds, drop dead lets and loops", run_simplify},
    PassRow{"flatten", Phase::Laid, Phase::Flat, "one-dimensional memory", run_pass<flatten>},
    PassRow{"fork_async", Phase::Flat, Phase::Flat, "tasks for async Funcs", run_fork},
    PassRow{"simplify_flat", Phase::Flat, Phase::Flat, "fold addresses", run_simplify},
    PassRow{"unroll", Phase::Flat, Phase::Flat, "copies in place of unrolled loops", run_pass<unroll_loops>},
    PassRow{"vectorize", Phase::Flat, Phase::Plain, "vectors in place of vectorized loops", run_pass<vectorize_loops>},
    PassRow{"simplify_vectors", Phase::Plain, Phase::Plain, "fold ramps and masks", run_simplify},
    PassRow{"partition_loops", Phase::Plain, Phase::Plain, "boundary and interior", run_pass<partition_loops>},
    PassRow{"widen_vectorized_loops", Phase::Plain, Phase::Plain, "vectors of the target's width",
            run_pass<widen_vectorized_loops>},
    PassRow{"hoist_vector_reductions", Phase::Plain, Phase::Plain, "sums over lanes once, after the loop",
            run_pass<hoist_vector_reductions>},
    PassRow{"remove_dead_allocations", Phase::Plain, Phase::Plain, "drop memory that nothing reads",
            run_pass<remove_dead_allocations>},
    PassRow{"remove_hints", Phase::Plain, Phase::Done, "what partitioning looked at", run_pass<remove_hints>},
    PassRow{"simplify_last", Phase::Done, Phase::Done, "what partitioning made constant", run_simplify},
    PassRow{"split_strided_gathers", Phase::Done, Phase::Done, "gathers at quotients as strided loads",
            run_pass<split_strided_gathers>},
    PassRow{"interleaved_accesses", Phase::Done, Phase::Done, "interleaved accesses as dense ones",
            run_pass<interleaved_accesses>},
    PassRow{"predictive_commoning", Phase::Done, Phase::Done, "values of the iteration before",
            run_pass<predictive_commoning>},
    PassRow{"register_transpose", Phase::Done, Phase::Done, "rows in place of columns", run_pass<register_transpose>},
    PassRow{"scalar_replacement", Phase::Done, Phase::Done, "accumulators in registers", run_pass<scalar_replacement>},
    PassRow{"hoist_invariants", Phase::Done, Phase::Done, "lets out of loops", run_pass<hoist_invariants>},
    PassRow{"free_early", Phase::Done, Phase::Done, "memory ends with its last use", run_pass<free_early>},
};

constexpr bool phases_agree() {
    for (size_t i = 1; i < passes.size(); i++) {
        if (passes[i].from != passes[i - 1].to) {
            return false;
        }
    }
    return passes.front().from == Phase::Written && passes.back().to == Phase::Done;
}
static_assert(phases_agree(), "each pass starts in the phase that the one before it leaves");

std::vector<LoweredArg> arguments_of(const Graph &graph, const PassContext &context) {
    std::vector<LoweredArg> args;
    args.push_back({LoweredArg::Kind::Scalar, Symbol(SymbolKind::Param, "__user_context"), Handle(), 0});
    for (const InputDef &input : graph.inputs) {
        args.push_back({LoweredArg::Kind::InputBuffer, input.symbol, input.type, input.dimensions});
    }
    for (const ParamDef &param : graph.params) {
        args.push_back({LoweredArg::Kind::Scalar, param.symbol, param.type, 0});
    }
    for (FuncId id : graph.outputs) {
        const FuncDef &func = graph.func(id);
        for (size_t k = 0; k < func.types.size(); k++) {
            args.push_back({LoweredArg::Kind::OutputBuffer, context.buffers.of(id, static_cast<int>(k)), func.types[k],
                            static_cast<int>(func.dimensions())});
        }
    }
    return args;
}

std::vector<std::pair<Symbol, Location>> storage_places(const LoweringGraph &working, const PassContext &context) {
    std::vector<std::pair<Symbol, Location>> places;
    for (const FuncDef &func : working.pipeline.graph.funcs) {
        const schedule::AppliedDirective &applied = working.schedule(func.id()).on_storage;
        for (size_t k = 0; applied && k < func.types.size(); k++) {
            places.emplace_back(context.buffers.of(func.id(), static_cast<int>(k)), applied.location);
        }
    }
    return places;
}

std::vector<Symbol> streaming_buffers(const LoweringGraph &working, const PassContext &context) {
    std::vector<Symbol> buffers;
    for (FuncId id : working.order) {
        for (size_t k = 0; working.schedule(id).streams && k < working.func(id).types.size(); k++) {
            buffers.push_back(context.buffers.of(id, static_cast<int>(k)));
        }
    }
    return buffers;
}

/// The rules that hold where a pass left this phase; none before there is a statement.
std::optional<ir::Phase> rules_of(Phase phase) {
    switch (phase) {
    case Phase::Written:
    case Phase::Graph:
    case Phase::Placed:
    case Phase::Bounded:
        return std::nullopt;
    case Phase::Loops:
        return ir::Phase::Loops;
    case Phase::Split:
        return ir::Phase::Split;
    case Phase::Laid:
        return ir::Phase::Laid;
    case Phase::Flat:
        return ir::Phase::Flat;
    case Phase::Plain:
        return ir::Phase::Plain;
    case Phase::Done:
        return ir::Phase::Lowered;
    }
    return std::nullopt;
}

/// What a pass left as it was keeps the rules of its phase.
void verify_after(const PassRow &pass, State &state) {
    const std::optional<ir::Phase> phase = rules_of(pass.to);
    const bool is_known = phase == state.verified_phase && state.stmt.same_as(state.verified);
    if (!phase || is_known) {
        return;
    }
    Surroundings around = Surroundings::of(state.nest.graph.pipeline.graph);
    around.args = arguments_of(state.nest.graph.pipeline.graph, *state.context);
    verify(state.stmt, *phase, around);
    state.verified = state.stmt;
    state.verified_phase = phase;
}

LoweredFunc run_passes(const schedule::ScheduledGraph &pipeline, const LowerOptions &options) {
    State state{pipeline, options};
    auto seconds = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    auto timed = [&](const char *name, auto &&run) {
        double start = seconds();
        try {
            run();
        } catch (const InternalError &error) {
            throw InternalError("in pass " + std::string(name) + ": " + error.what());
        }
        if (options.on_pass) {
            options.on_pass(name, seconds() - start, state.stmt);
        }
    };
    for (const PassRow &pass : passes) {
        timed(pass.name, [&] {
            pass.run(state);
            if (state.stmt.defined()) {
                check_statement(state.stmt, *state.context);
            }
            if (options.verify) {
                verify_after(pass, state);
            }
        });
    }
    return {options.name, arguments_of(state.nest.graph.pipeline.graph, *state.context), state.stmt,
            storage_places(state.nest.graph, *state.context), streaming_buffers(state.nest.graph, *state.context)};
}

} // namespace

LoweredFunc lower(const schedule::ScheduledGraph &pipeline, const LowerOptions &options) {
    LoweredFunc result;
    on_large_stack([&, fault = planted_fault()] {
        const PlantedFault planted(fault);
        result = run_passes(pipeline, options);
    });
    return result;
}

} // namespace fluorite::lowering
