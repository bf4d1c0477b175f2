// The passes of lowering, as a table.
//
// Each row is a pass: its name, the phase that it takes, the phase that it leaves, and a summary. Every pass leaves a
// phase of its own, and a check at compile time demands that adjacent rows agree, so rows cannot be swapped unnoticed.
// The runner times each pass, hands the statement to the observer of LowerOptions, and on request runs the IR verifier
// after each pass; an InternalError names the pass that raised it.

#include "ir/verify.h"
#include "loopnest/fault.h"
#include "loopnest/inline/inline.h"
#include "lowering/device/outline_kernels.h"
#include "lowering/free_symbols.h"
#include "lowering/from_nest/build_loops.h"
#include "lowering/from_nest/entry_checks.h"
#include "lowering/iterate/lower_iterations.h"
#include "lowering/late_passes.h"
#include "lowering/loops/fork_async.h"
#include "lowering/loops/outline_tasks.h"
#include "lowering/lower.h"
#include "lowering/module_parts.h"
#include "lowering/pass_table.h"
#include "lowering/statement_budget.h"
#include "lowering/storage/storage_layout.h"
#include "lowering/verify_simplified.h"
#include "rewrite/simplify.h"
#include "support/large_stack.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

/// What holds of the state between two passes. A pass takes exactly one phase, so no two rows can be swapped.
enum class Phase : uint8_t {
    Written,      // definitions and schedules, as the program states them
    Graph,        // inlined Funcs are gone
    Placed,       // compute and storage sites are known
    Bounded,      // regions are known
    Checked,      // the checks of the arguments are known
    Loops,        // Realize, Provide, Call, Image
    Split,        // one value per Provide; Buffers in place of Funcs
    Traced,       // trace events stand beside the accesses that they report
    Hinted,       // prefetches are hints of single cache lines
    Laid,         // boxes are those in memory
    LaidPlain,    // bounds are folded; unused lets are gone
    Padded,       // rows of memory are whole vectors
    Flat,         // Allocate, Store, Load
    Forked,       // tasks in place of async Funcs
    FlatPlain,    // addresses are folded
    Unrolled,     // no unrolled loops
    Vectors,      // no vectorized loops
    VectorsPlain, // ramps and masks are folded
    Kernels,      // what devices run is in functions of its own
    Cut,          // loops are partitioned into boundary and interior; no hints
    Wide,         // vectors of the target's width
    Summed,       // sums over lanes are computed after their loops
    Live,         // no memory without readers
    LivePlain,    // folded what partitioning made constant
    Strided,      // gathers at quotients are strided loads
    Dense,        // interleaved accesses are dense ones
    Shared,       // iterations reuse values of the previous one
    Transposed,   // accesses of rows in place of columns
    Registers,    // accumulators in registers
    Ahead,        // hints at what is read later
    Hoisted,      // invariant lets are outside of loops
    Ended,        // memory ends after its last use
    Done,         // tasks are functions of the module
};

// The state that passes hand on.
struct State {
    State(const schedule::ScheduledGraph &pipeline, const LowerOptions &options)
        : pipeline(pipeline), options(options) {}

    const schedule::ScheduledGraph &pipeline;
    const LowerOptions &options;
    BoundedLoopNest nest;
    EntryChecks checks;
    Stmt stmt;                        // of the whole pipeline; after the last pass, of the module's entry
    std::vector<LoweredFunc> kernels; // that were taken out of it
    LoweredModule module;             // after the last pass
    SymbolSource symbols;
    std::optional<PassContext> context; // for functions of the host
    std::vector<Remark> remarks;
    Target::Feature running = Target::FeatureEnd; // the feature that turns off the running pass
    Stmt counted;                                 // the statement whose size was checked last
    Stmt verified;                                // the statement verified last, and in which phase
    std::optional<ir::Phase> verified_phase;
    // Of a statement that was not made here: the module that it comes from, if any, and that it may use what the
    // pipeline lacks.
    LoweredModule given;
    bool has_free_symbols = false;
};

struct PassRow {
    const char *name;
    Phase from, to;
    const char *summary;
    void (*run)(State &);
    StatementPass statement = nullptr;        // set where the pass takes a statement to a statement
    Target::Feature off = Target::FeatureEnd; // the feature that omits the pass
    bool on_kernels = false;                  // whether it runs on kernels, too

    /// The row for functions of every machine.
    constexpr PassRow everywhere() const {
        PassRow row = *this;
        row.on_kernels = true;
        return row;
    }
};

template <StatementPass pass> void run_statement(State &state) { state.stmt = pass(state.stmt, *state.context); }

template <StatementPass pass>
constexpr PassRow statement_pass(const char *name, Phase from, Phase to, const char *summary,
                                 Target::Feature off = Target::FeatureEnd) {
    return {name, from, to, summary, run_statement<pass>, pass, off};
}

Stmt simplify_statement(const Stmt &stmt, const PassContext &) { return rewrite::simplify(stmt); }

void run_inline(State &state) {
    state.nest.graph = inline_funcs(state.pipeline, state.options.budget);
    state.context.emplace(state.nest.graph.pipeline, state.options, state.symbols);
    if (state.options.report) {
        state.context->on_remark = [&state](Remark remark) {
            remark.off = remark.off == Target::FeatureEnd ? state.running : remark.off;
            state.remarks.push_back(std::move(remark));
        };
    }
}
void run_place(State &state) { state.nest.placement = place(state.nest.graph); }
void run_regions(State &state) {
    const LowerOptions &options = state.options;
    state.nest.regions = infer_regions(
        state.nest.graph, state.nest.placement,
        {options.asserts, {!options.leaves_out(Target::NoSliding), !options.leaves_out(Target::NoFolding)}});
    if (options.report) {
        state.remarks = remarks_of(state.nest);
    }
}
void run_checks(State &state) { state.checks = make_entry_checks(state.nest, *state.context); }
void run_build(State &state) { state.stmt = build_loops(state.nest, state.checks, *state.context); }
void run_fork(State &state) { state.stmt = fork_async(state.stmt, state.nest, *state.context); }
void run_layout(State &state) { state.stmt = lay_out_storage(state.stmt, state.nest, *state.context); }

/// Arguments and outputs, and what else a statement that was not made here uses.
Surroundings surroundings_of(const State &state) {
    const Graph &graph = state.nest.graph.pipeline.graph;
    Surroundings around = Surroundings::of(graph);
    around.args = !state.given.funcs.empty() ? Surroundings::of(state.given.entry(), state.given).args
                  : graph.funcs.empty()      ? std::vector<LoweredArg>()
                                             : arguments_of(graph, *state.context);
    if (!state.has_free_symbols) {
        return around;
    }
    for (const LoweredFunc &kernel : state.kernels) { // which know more of their buffers than the launch shows
        std::copy_if(
            kernel.args.begin(), kernel.args.end(), std::back_inserter(around.args), [&](const LoweredArg &arg) {
                const bool is_argument =
                    arg.kind == LoweredArg::Kind::InputBuffer || arg.kind == LoweredArg::Kind::OutputBuffer;
                return is_argument && std::none_of(around.args.begin(), around.args.end(),
                                                   [&](const LoweredArg &known) { return known.symbol == arg.symbol; });
            });
    }
    return with_free_symbols(state.stmt, std::move(around));
}

void run_outline_kernels(State &state) {
    state.stmt = outline_kernels(state.stmt, surroundings_of(state).args, *state.context, state.kernels);
}

void run_outline(State &state) {
    const LoweringGraph &graph = state.nest.graph;
    if (state.options.report) {
        const std::vector<Remark> of_memory = remarks_of(state.stmt, state.options.machine);
        state.remarks.insert(state.remarks.end(), of_memory.begin(), of_memory.end());
    }
    LoweredModule whole = state.given;
    if (whole.funcs.empty()) {
        whole = module_before_outlining(graph, *state.context);
        whole.funcs = {{state.options.name, surroundings_of(state).args, {}}};
    }
    whole.entry().body = state.stmt;
    whole.funcs.resize(1);
    std::move(state.kernels.begin(), state.kernels.end(), std::back_inserter(whole.funcs));
    state.kernels.clear();
    state.module = outline_tasks(std::move(whole));
    state.stmt = state.module.entry().body;
}

constexpr std::array passes = {
    PassRow{"inline", Phase::Written, Phase::Graph, "definitions in place of calls of inlined Funcs", run_inline},
    PassRow{"place", Phase::Graph, Phase::Placed, "resolve and check compute and store levels", run_place},
    PassRow{"infer_regions", Phase::Placed, Phase::Bounded,
            "regions, sliding windows and folds of every stage at its site", run_regions},
    PassRow{"entry_checks", Phase::Bounded, Phase::Checked, "what to verify of the arguments", run_checks},
    PassRow{"build_loops", Phase::Checked, Phase::Loops, "the loop nest over the regions", run_build},
    statement_pass<split_tuples>("split_tuples", Phase::Loops, Phase::Split, "one buffer an element"),
    statement_pass<inject_tracing>("inject_tracing", Phase::Split, Phase::Traced, "trace events, where asked for"),
    statement_pass<lower_prefetches>("lower_prefetches", Phase::Traced, Phase::Hinted, "one hint a cache line"),
    PassRow{"lay_out_storage", Phase::Hinted, Phase::Laid, "circular buffers, memory taken further out", run_layout},
    statement_pass<simplify_statement>("simplify_loops", Phase::Laid, Phase::LaidPlain,
                                       "fold bounds, drop dead lets and loops"),
    statement_pass<pad_rows>("pad_rows", Phase::LaidPlain, Phase::Padded, "rows of whole vectors in memory"),
    statement_pass<flatten>("flatten", Phase::Padded, Phase::Flat, "one-dimensional memory"),
    PassRow{"fork_async", Phase::Flat, Phase::Forked, "tasks for async Funcs", run_fork},
    statement_pass<simplify_statement>("simplify_flat", Phase::Forked, Phase::FlatPlain, "fold addresses"),
    statement_pass<unroll_loops>("unroll_loops", Phase::FlatPlain, Phase::Unrolled,
                                 "copies in place of unrolled loops"),
    statement_pass<vectorize_loops>("vectorize_loops", Phase::Unrolled, Phase::Vectors,
                                    "vectors in place of vectorized loops"),
    statement_pass<simplify_statement>("simplify_vectors", Phase::Vectors, Phase::VectorsPlain, "fold ramps and masks"),
    PassRow{"outline_kernels", Phase::VectorsPlain, Phase::Kernels, "functions of their own for kernels of devices",
            run_outline_kernels},
    statement_pass<partition_loops>("partition_loops", Phase::Kernels, Phase::Cut, "boundary and interior")
        .everywhere(),
    statement_pass<widen_vectorized_loops>("widen_vectorized_loops", Phase::Cut, Phase::Wide,
                                           "vectors of the target's width", Target::NoWidening),
    statement_pass<hoist_vector_reductions>("hoist_vector_reductions", Phase::Wide, Phase::Summed,
                                            "sums over lanes once, after the loop", Target::NoLaneSums),
    statement_pass<remove_dead_allocations>("remove_dead_allocations", Phase::Summed, Phase::Live,
                                            "drop memory that nothing reads", Target::NoDropping)
        .everywhere(),
    statement_pass<simplify_statement>("simplify_last", Phase::Live, Phase::LivePlain,
                                       "what partitioning made constant")
        .everywhere(),
    statement_pass<split_strided_gathers>("split_strided_gathers", Phase::LivePlain, Phase::Strided,
                                          "gathers at quotients as strided loads", Target::NoGatherSplitting),
    statement_pass<interleaved_accesses>("interleaved_accesses", Phase::Strided, Phase::Dense,
                                         "interleaved accesses as dense ones", Target::NoInterleaving),
    statement_pass<predictive_commoning>("predictive_commoning", Phase::Dense, Phase::Shared,
                                         "values of the iteration before", Target::NoCommoning),
    statement_pass<register_transpose>("register_transpose", Phase::Shared, Phase::Transposed,
                                       "rows in place of columns", Target::NoTransposes),
    statement_pass<scalar_replacement>("scalar_replacement", Phase::Transposed, Phase::Registers,
                                       "accumulators in registers", Target::NoScalarReplacement)
        .everywhere(),
    statement_pass<hint_streams>("hint_streams", Phase::Registers, Phase::Ahead, "hints at what is read later"),
    statement_pass<hoist_invariants>("hoist_invariants", Phase::Ahead, Phase::Hoisted, "lets out of loops",
                                     Target::NoHoisting)
        .everywhere(),
    statement_pass<free_early>("free_early", Phase::Hoisted, Phase::Ended, "memory ends with its last use",
                               Target::NoEarlyFrees),
    PassRow{"outline_tasks", Phase::Ended, Phase::Done, "functions of their own for tasks", run_outline},
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

/// The rules that hold in a phase; none before there is a statement.
constexpr std::optional<ir::Phase> rules_of(Phase phase) {
    return phase < Phase::Loops     ? std::nullopt
           : phase < Phase::Split   ? std::optional(ir::Phase::Loops)
           : phase < Phase::Laid    ? std::optional(ir::Phase::Split)
           : phase < Phase::Flat    ? std::optional(ir::Phase::Laid)
           : phase < Phase::Vectors ? std::optional(ir::Phase::Flat)
           : phase < Phase::Cut     ? std::optional(ir::Phase::Plain)
           : phase < Phase::Done    ? std::optional(ir::Phase::Lowered)
                                    : std::optional(ir::Phase::Outlined);
}

/// Whether the pass reads the loop nest beside the statement.
constexpr bool needs_nest(const PassRow &pass) {
    return rules_of(pass.from) && (pass.run == run_layout || pass.run == run_fork);
}

/// The row that makes the statement: build_loops.
constexpr size_t first_statement = [] {
    size_t row = 0;
    while (passes[row].to != Phase::Loops) {
        row++;
    }
    return row;
}();

/// Verifies what a pass left, unless the same statement has been verified in the same phase.
void verify_after(const PassRow &pass, State &state) {
    const std::optional<ir::Phase> phase = rules_of(pass.to);
    for (const LoweredFunc &kernel : state.kernels) {
        verify(kernel, *phase);
    }
    const bool is_known = phase == state.verified_phase && state.stmt.same_as(state.verified);
    if (!phase || is_known) {
        return;
    }
    if (phase == ir::Phase::Outlined) {
        return verify(state.module);
    }
    verify(state.stmt, *phase, surroundings_of(state));
    state.verified = state.stmt;
    state.verified_phase = phase;
}

void run_on_kernels(const PassRow &pass, State &state) {
    if (!pass.on_kernels || state.kernels.empty()) {
        return;
    }
    const PassContext context(*state.context, state.options.device);
    for (LoweredFunc &kernel : state.kernels) {
        kernel.body = pass.statement(kernel.body, context);
    }
}

void run_pass(const PassRow &pass, State &state) {
    const LowerOptions &options = state.options;
    auto seconds = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    const double start = seconds();
    try {
        state.running = pass.off;
        if (!options.leaves_out(pass.off)) {
            pass.run(state);
            run_on_kernels(pass, state);
        }
        if (state.stmt.defined() && !state.stmt.same_as(state.counted)) {
            check_statement(state.stmt, *state.context);
            state.counted = state.stmt;
        }
        if (options.verify) {
            verify_after(pass, state);
            if (pass.statement == simplify_statement) {
                verify_simplified(state.stmt);
            }
        }
    } catch (const InternalError &error) {
        throw InternalError("in pass " + std::string(pass.name) + ": " + error.what());
    }
    if (options.on_pass) {
        options.on_pass(pass.name, seconds() - start, state.stmt);
    }
}

LoweredModule run_passes(const schedule::ScheduledGraph &pipeline, const LowerOptions &options) {
    if (options.verify) {
        verify_graph(pipeline.graph);
    }
    State state(pipeline, options);
    for (const PassRow &pass : passes) {
        run_pass(pass, state);
    }
    if (options.report) {
        *options.report = report_text(state.remarks, state.nest.graph);
    }
    return std::move(state.module);
}

LoweredModule run_late_passes(const schedule::ScheduledGraph &pipeline, const ir::Stmt &stmt,
                              const LowerOptions &options) {
    State state(pipeline, options);
    state.nest.graph.pipeline = pipeline;
    state.context.emplace(state.nest.graph.pipeline, options, state.symbols);
    state.stmt = stmt;
    bool is_late = false;
    for (const PassRow &pass : passes) {
        // Tasks of async Funcs are made from the nest, which a statement alone does not have; it has no such tasks.
        if (is_late && pass.run != run_fork) {
            run_pass(pass, state);
        }
        is_late = is_late || pass.to == Phase::Laid;
    }
    return std::move(state.module);
}

} // namespace

std::vector<PassInfo> pass_table() {
    std::vector<PassInfo> table;
    for (const PassRow &pass : passes) {
        table.push_back({pass.name, pass.summary, rules_of(pass.from), rules_of(pass.to), needs_nest(pass)});
    }
    return table;
}

std::optional<size_t> find_pass(std::string_view name) {
    const auto row = std::find_if(passes.begin(), passes.end(), [&](const PassRow &pass) { return name == pass.name; });
    return row == passes.end() ? std::nullopt : std::optional(static_cast<size_t>(row - passes.begin()));
}

struct PassRunner::Contents {
    const schedule::ScheduledGraph pipeline;
    const LowerOptions options;
    State state;
    size_t done = 0; // of the rows that need no statement, those that have run

    Contents(schedule::ScheduledGraph given, LowerOptions with)
        : pipeline(std::move(given)), options(std::move(with)), state(pipeline, options) {}

    [[noreturn]] static void refuse(const PassRow &pass, const std::string &text) {
        throw CompileError("opt-pass", "the pass " + std::string(pass.name) + " " + text);
    }

    void run_up_to(size_t end) {
        for (; done < end; done++) {
            run_pass(passes[done], state);
        }
    }

    void check(const PassRow &pass) {
        const std::optional<ir::Phase> takes = rules_of(pass.from);
        if (!state.stmt.defined()) {
            refuse(pass, "takes a statement, which build_loops makes, and it has not run; begin at build_loops or "
                         "before it, or give a statement");
        }
        if (!state.module.funcs.empty()) {
            refuse(pass, "takes a statement, and outline_tasks has made a module of it; let outline_tasks be the last");
        }
        const std::optional<std::string> violation =
            options.verify && takes ? find_violation(state.stmt, *takes, surroundings_of(state)) : std::nullopt;
        if (violation) {
            refuse(pass, "takes a statement in phase " + std::string(to_word(*takes)) +
                             ", and this one is not: " + *violation + "; run the passes before it, or repair the text");
        }
    }

    void run(size_t row) {
        const PassRow &pass = passes.at(row);
        if (row <= first_statement) {
            if (state.has_free_symbols) {
                refuse(pass, "takes a graph and its schedule, and the text has a statement, which comes later; leave "
                             "out the statement");
            }
            return run_up_to(row + 1);
        }
        if (needs_nest(pass) && pipeline.graph.funcs.empty()) {
            refuse(pass, "reads the loop nest beside the statement, and the text has none; give graph and schedule");
        }
        if (state.has_free_symbols && !pipeline.graph.funcs.empty()) {
            run_up_to(needs_nest(pass) ? first_statement : 1);
        }
        check(pass);
        run_pass(pass, state);
    }
};

PassRunner::PassRunner(schedule::ScheduledGraph pipeline, LowerOptions options)
    : contents_(std::make_unique<Contents>(std::move(pipeline), std::move(options))) {}
PassRunner::PassRunner(schedule::ScheduledGraph pipeline, ir::Stmt stmt, LowerOptions options)
    : PassRunner(std::move(pipeline), std::move(options)) {
    State &state = contents_->state;
    state.stmt = std::move(stmt);
    state.symbols.reserve(names_in(state.stmt));
    state.has_free_symbols = true;
    state.context.emplace(contents_->pipeline, contents_->options, state.symbols);
}
PassRunner::PassRunner(schedule::ScheduledGraph pipeline, const LoweredModule &module, LowerOptions options)
    : PassRunner(std::move(pipeline), with_tasks_in_place(module).entry().body, std::move(options)) {
    for (const LoweredFunc &func : module.funcs) {
        if (func.kind == LoweredFunc::Kind::Callee) {
            throw CompileError("opt-pass", "the module has the callee " + func.name +
                                               ", as modules of iterations have; passes run on the entry alone; give "
                                               "the pipeline of the callee");
        }
    }
    contents_->state.given = with_tasks_in_place(module);
    std::copy_if(module.funcs.begin(), module.funcs.end(), std::back_inserter(contents_->state.kernels),
                 [](const LoweredFunc &func) { return func.kind == LoweredFunc::Kind::Kernel; });
}
PassRunner::~PassRunner() = default;

void PassRunner::run(size_t row) {
    on_large_stack([&] { contents_->run(row); });
}
void PassRunner::simplify() {
    on_large_stack([&] { contents_->state.stmt = rewrite::simplify(contents_->state.stmt); });
}
const Stmt &PassRunner::stmt() const { return contents_->state.stmt; }
const LoweredModule *PassRunner::module() const {
    return contents_->state.module.funcs.empty() ? nullptr : &contents_->state.module;
}
const BoundedLoopNest *PassRunner::nest() const {
    return contents_->done >= first_statement - 1 ? &contents_->state.nest : nullptr;
}
const Graph *PassRunner::graph() const {
    return contents_->done > 0 ? &contents_->state.nest.graph.pipeline.graph : nullptr;
}
std::optional<std::string> PassRunner::violation(ir::Phase phase) const {
    const State &state = contents_->state;
    return module() ? find_violation(*module()) : find_violation(state.stmt, phase, surroundings_of(state));
}

LoweredModule lower(const schedule::ScheduledGraph &pipeline, const LowerOptions &options) {
    LoweredModule result;
    on_large_stack([&, fault = planted_fault()] {
        const PlantedFault planted(fault);
        result = pipeline.graph.iterations.empty() ? run_passes(pipeline, options)
                                                   : lower_iterations(pipeline, options, run_passes);
        if (options.verify && !pipeline.graph.iterations.empty()) {
            verify(result);
        }
    });
    return result;
}

LoweredModule lower_statement(const schedule::ScheduledGraph &pipeline, const ir::Stmt &stmt,
                              const LowerOptions &options) {
    LoweredModule result;
    on_large_stack([&] { result = run_late_passes(pipeline, stmt, options); });
    return result;
}

std::vector<ir::Symbol> output_buffers(const ir::FuncDef &output) {
    std::vector<ir::Symbol> buffers;
    for (size_t v = 0; v < output.types.size(); v++) {
        buffers.push_back(buffer_of(output, v));
    }
    return buffers;
}

} // namespace fluorite::lowering
