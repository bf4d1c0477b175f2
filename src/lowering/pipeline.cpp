// The passes of lowering, as a table.
//
// Each row is a pass: its name, what it needs and establishes (pass_order.h), a summary, and the feature of targets
// that leaves it out. A check at compile time demands that every pass gets what it needs whatever is left out, and that
// no two neighbours could be exchanged unnoticed. The runner times each pass, hands the statement to the observer of
// LowerOptions, and on request verifies after each pass the rules of the phase and what it establishes; an
// InternalError names the pass that raised it.

#include "ir/verify.h"
#include "loopnest/inline/inline.h"
#include "lowering/device/outline_kernels.h"
#include "lowering/device/place_copies.h"
#include "lowering/free_symbols.h"
#include "lowering/from_nest/build_loops.h"
#include "lowering/from_nest/entry_checks.h"
#include "lowering/iterate/lower_iterations.h"
#include "lowering/late_passes.h"
#include "lowering/loops/fork_async.h"
#include "lowering/loops/outline_tasks.h"
#include "lowering/lower.h"
#include "lowering/module_parts.h"
#include "lowering/pass_order.h"
#include "lowering/pass_table.h"
#include "lowering/profile/count_points.h"
#include "lowering/profile/profile.h"
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
    Contract contract;
    const char *summary;
    void (*run)(State &);
    Target::Feature off = Target::FeatureEnd; // the feature that omits the pass
    StatementPass on_kernels = nullptr;       // set where it runs on kernels, too
};

template <StatementPass pass> void run_statement(State &state) { state.stmt = pass(state.stmt, *state.context); }

template <StatementPass pass>
constexpr PassRow statement_pass(const char *name, Contract contract, const char *summary,
                                 Target::Feature off = Target::FeatureEnd) {
    return {name, contract, summary, run_statement<pass>, off};
}

/// A pass for the functions of every machine.
template <StatementPass pass>
constexpr PassRow pass_everywhere(const char *name, Contract contract, const char *summary,
                                  Target::Feature off = Target::FeatureEnd) {
    return {name, contract, summary, run_statement<pass>, off, pass};
}

Stmt simplify_statement(const Stmt &stmt, const PassContext &) { return rewrite::simplify(stmt); }

void run_inline(State &state) {
    state.nest.graph = inline_funcs(state.pipeline, state.options.budget).or_raise();
    state.context.emplace(state.nest.graph.pipeline, state.options, state.symbols);
    if (state.options.report) {
        state.context->on_remark = [&state](Remark remark) {
            remark.off = remark.off == Target::FeatureEnd ? state.running : remark.off;
            state.remarks.push_back(std::move(remark));
        };
    }
}
void run_place(State &state) { state.nest.placement = place(state.nest.graph).or_raise(); }
void run_regions(State &state) {
    const LowerOptions &options = state.options;
    const WindowOptions windows{!options.leaves_out(Target::NoSliding), !options.leaves_out(Target::NoFolding)};
    state.nest.regions = infer_regions(state.nest.graph, state.nest.placement, {options.asserts, windows}).or_raise();
    if (options.report) {
        state.remarks = remarks_of(state.nest);
    }
}
void run_checks(State &state) {
    state.checks = make_entry_checks(state.nest, *state.context);
    if (state.options.profiled) {
        for (const FuncId func : state.nest.graph.order) { // reports list producers first
            state.options.profiled->number_of(state.nest.graph.func(func).user_name());
        }
        const schedule::ScheduledGraph &pipeline =
            state.pipeline.rewritten ? *state.pipeline.rewritten : state.pipeline;
        state.checks.before_bounds.push_back(count_needed_points(pipeline, state.options));
    }
}
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

void run_place_copies(State &state) {
    state.stmt = place_copies(state.stmt, state.kernels, surroundings_of(state).args, *state.context);
    std::erase_if(state.kernels, [](const LoweredFunc &kernel) { return !kernel.body.defined(); }); // launched no more
}

void run_outline(State &state) {
    const LoweringGraph &graph = state.nest.graph;
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

void run_mark_profile(State &state) {
    if (state.options.profiled) {
        state.module = mark_profile(std::move(state.module), state.nest.graph.pipeline.graph, *state.options.profiled);
        state.stmt = state.module.entry().body;
    }
}

constexpr auto passes = [] {
    using enum Property;
    using enum ir::Phase;
    return std::array{
        PassRow{"inline", without_statement().establishing(Inlined), "definitions in place of calls of inlined Funcs",
                run_inline},
        PassRow{"place", without_statement().needing(Inlined).establishing(Placed),
                "resolve and check compute and store levels", run_place},
        PassRow{"infer_regions", without_statement().needing(Placed).establishing(Bounded),
                "regions, sliding windows and folds of every stage at its site", run_regions},
        PassRow{"entry_checks", without_statement().needing(Bounded).establishing(Checked),
                "what to verify of the arguments", run_checks},
        PassRow{"build_loops", from_to(std::nullopt, Loops).needing(Checked), "the loop nest over the regions",
                run_build},
        statement_pass<split_tuples>("split_tuples", from_to(Loops, Split), "one buffer an element"),
        statement_pass<inject_tracing>("inject_tracing", in(Split).establishing(Traced),
                                       "trace events, where asked for"),
        // A hint is no load, and has no event.
        statement_pass<lower_prefetches>("lower_prefetches", in(Split).needing(Traced).establishing(NoPrefetches),
                                         "one hint a cache line"),
        PassRow{"lay_out_storage", from_to(Split, Laid).needing(NoPrefetches),
                "circular buffers, memory taken further out", run_layout},
        statement_pass<simplify_statement>("simplify_loops", in(Laid).establishing(FoldedAddresses),
                                           "fold bounds, drop dead lets and loops"),
        // Whether a buffer stays on the stack is known where its extents are folded.
        statement_pass<pad_rows>("pad_rows", in(Laid).needing(FoldedAddresses).establishing(PaddedRows),
                                 "rows of whole vectors in memory"),
        statement_pass<flatten>("flatten", from_to(Laid, Flat).following(PaddedRows).breaking(FoldedAddresses),
                                "one-dimensional memory"),
        PassRow{"fork_async", in(Flat).breaking(FoldedAddresses), "tasks for async Funcs", run_fork},
        statement_pass<simplify_statement>("simplify_flat", in(Flat).establishing(FoldedAddresses), "fold addresses"),
        // Extents are known to be constant where they are folded.
        statement_pass<unroll_loops>(
            "unroll_loops", in(Flat).needing(FoldedAddresses).establishing(NoUnrolledLoops).breaking(FoldedAddresses),
            "copies in place of unrolled loops"),
        statement_pass<vectorize_loops>("vectorize_loops", from_to(Flat, Plain).needing(NoUnrolledLoops),
                                        "vectors in place of vectorized loops"),
        statement_pass<simplify_statement>("simplify_vectors", in(Plain).establishing(FoldedAddresses),
                                           "fold ramps and masks"),
        // What follows depends on the machine.
        PassRow{"outline_kernels", in(Plain).needing(FoldedAddresses).establishing(OutlinedKernels),
                "functions of their own for kernels of devices", run_outline_kernels},
        pass_everywhere<partition_loops>(
            "partition_loops",
            from_to(Plain, Lowered).needing(FoldedAddresses | OutlinedKernels).breaking(FoldedAddresses),
            "boundary and interior"),
        statement_pass<widen_vectorized_loops>("widen_vectorized_loops",
                                               in(Lowered).establishing(WholeVectors).breaking(FoldedAddresses),
                                               "vectors of the target's width", Target::NoWidening),
        // The accumulators have as many lanes as the vectors.
        statement_pass<hoist_vector_reductions>(
            "hoist_vector_reductions",
            in(Lowered).following(WholeVectors).establishing(HoistedReductions).breaking(FoldedAddresses),
            "sums over lanes once, after the loop", Target::NoLaneSums),
        // A sum that nothing reads is dropped with its accumulator.
        pass_everywhere<remove_dead_allocations>("remove_dead_allocations",
                                                 in(Lowered).following(HoistedReductions).establishing(NoDeadMemory),
                                                 "drop memory that nothing reads", Target::NoDropping),
        // Lets and loops that only served dead memory are dead, too.
        pass_everywhere<simplify_statement>("simplify_last",
                                            in(Lowered).following(NoDeadMemory).establishing(FoldedAddresses),
                                            "what partitioning made constant"),
        statement_pass<split_strided_gathers>("split_strided_gathers",
                                              in(Lowered).needing(FoldedAddresses).establishing(StridedLoads),
                                              "gathers at quotients as strided loads", Target::NoGatherSplitting),
        statement_pass<interleaved_accesses>(
            "interleaved_accesses",
            in(Lowered).needing(FoldedAddresses).following(StridedLoads).establishing(DenseAccesses),
            "interleaved accesses as dense ones", Target::NoInterleaving),
        // Only dense loads are known to move on by whole vectors.
        statement_pass<predictive_commoning>(
            "predictive_commoning",
            in(Lowered).needing(FoldedAddresses).following(DenseAccesses).establishing(CarriedValues),
            "values of the iteration before", Target::NoCommoning),
        // Names of rows would hide which values recur.
        statement_pass<register_transpose>(
            "register_transpose",
            in(Lowered).needing(FoldedAddresses).following(CarriedValues).establishing(TransposedColumns),
            "rows in place of columns", Target::NoTransposes),
        // Rows are dense, and elements of columns are not.
        pass_everywhere<scalar_replacement>(
            "scalar_replacement",
            in(Lowered).needing(FoldedAddresses).following(TransposedColumns).establishing(KeptAccumulators),
            "accumulators in registers", Target::NoScalarReplacement),
        // The passes before it work on bodies that only store.
        statement_pass<hint_streams>(
            "hint_streams", in(Lowered).needing(FoldedAddresses).following(KeptAccumulators).establishing(StreamHints),
            "hints at what is read later"),
        // hint_streams knows what moves from the lets of a body.
        pass_everywhere<hoist_invariants>("hoist_invariants",
                                          in(Lowered).following(StreamHints).establishing(HoistedInvariants),
                                          "lets out of loops", Target::NoHoisting),
        // Lets that are moved are uses at another place.
        PassRow{"place_copies", in(Lowered).following(HoistedInvariants).establishing(PlacedCopies),
                "memory of devices, and what is copied", run_place_copies},
        // Copies are uses, too.
        statement_pass<free_early>("free_early", in(Lowered).following(PlacedCopies).establishing(EarlyFrees),
                                   "memory ends with its last use", Target::NoEarlyFrees),
        // What memory is left, and how large it is, is known last.
        pass_everywhere<place_memory>("place_memory",
                                      in(Lowered).following(EarlyFrees | NoDeadMemory).establishing(PlacedMemory),
                                      "memory on the stack or on the heap"),
        PassRow{"outline_tasks", from_to(Lowered, Outlined).needing(PlacedMemory), "functions of their own for tasks",
                run_outline},
        // What is measured is the code that there is without marks.
        PassRow{"mark_profile", in(Outlined), "for the profiler: which Func is computed, where asked for",
                run_mark_profile},
    };
}();

constexpr auto contracts = [] {
    std::array<OrderedPass, passes.size()> contracts;
    for (size_t i = 0; i < passes.size(); i++) {
        contracts[i] = {passes[i].contract, passes[i].off != Target::FeatureEnd};
    }
    return contracts;
}();
static_assert(is_in_order(contracts), "each pass gets the phase and the properties that it needs");
static_assert(!has_loose_neighbours(contracts), "each pass says why it does not stand before the one before it");

/// Whether the pass reads the loop nest beside the statement.
constexpr bool needs_nest(const PassRow &pass) { return pass.run == run_layout || pass.run == run_fork; }

/// The row that makes the statement: build_loops.
constexpr size_t first_statement = [] {
    size_t row = 0;
    while (passes[row].contract.leaves != ir::Phase::Loops) {
        row++;
    }
    return row;
}();

/// Verifies what a pass left, unless the same statement has been verified in the same phase. A pass that is left out
/// leaves the phase that it took, which is the same, and establishes nothing.
void verify_after(const PassRow &pass, State &state) {
    const std::optional<ir::Phase> phase = pass.contract.leaves;
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
        kernel.body = pass.on_kernels(kernel.body, context);
    }
}

void verify_established(Properties properties, const Stmt &stmt) {
    if (const std::optional<std::string> lack = find_lack(stmt, properties)) {
        throw InternalError(*lack + " where the pass leaves " + properties.words());
    }
    if (properties.contains(Property::FoldedAddresses)) {
        verify_simplified(stmt);
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
        const bool runs = !options.leaves_out(pass.off);
        if (runs) {
            pass.run(state);
            run_on_kernels(pass, state);
        }
        if (state.stmt.defined() && !state.stmt.same_as(state.counted)) {
            check_statement(state.stmt, *state.context);
            state.counted = state.stmt;
        }
        if (options.verify) {
            verify_after(pass, state);
            if (runs && state.stmt.defined()) {
                verify_established(pass.contract.establishes, state.stmt);
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
        is_late = is_late || pass.contract.leaves == ir::Phase::Laid;
    }
    return std::move(state.module);
}

} // namespace

std::vector<PassInfo> pass_table() {
    std::vector<PassInfo> table;
    for (const PassRow &pass : passes) {
        table.push_back({pass.name, pass.summary, pass.contract, needs_nest(pass)});
    }
    return table;
}

std::optional<size_t> find_pass(std::string_view name) {
    const auto row = std::find_if(passes.begin(), passes.end(), [&](const PassRow &pass) { return name == pass.name; });
    return row == passes.end() ? std::nullopt : std::optional(position_in(passes, row));
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
        const std::optional<ir::Phase> takes = pass.contract.takes;
        if (!state.stmt.defined()) {
            refuse(pass, "takes a statement, which build_loops makes, and it has not "
                         "run; begin at build_loops or "
                         "before it, or give a statement");
        }
        if (!state.module.funcs.empty() && pass.contract.takes == ir::Phase::Outlined) {
            return;
        }
        if (!state.module.funcs.empty()) {
            refuse(pass, "takes a statement, and outline_tasks has made a module of "
                         "it; let outline_tasks be the last");
        }
        const std::optional<std::string> violation =
            options.verify && takes ? find_violation(state.stmt, *takes, surroundings_of(state)) : std::nullopt;
        if (violation) {
            refuse(pass, "takes a statement in phase " + std::string(to_word(*takes)) +
                             ", and this one is not: " + *violation + "; run the passes before it, or repair the text");
        }
        const std::optional<std::string> lack =
            options.verify ? find_lack(state.stmt, pass.contract.needs) : std::nullopt;
        if (lack) {
            refuse(pass, "takes a statement with " + pass.contract.needs.words() + ", and in this one " + *lack +
                             "; run the passes before it, or repair the text");
        }
    }

    void run(size_t row) {
        const PassRow &pass = passes.at(row);
        if (row <= first_statement) {
            if (state.has_free_symbols) {
                refuse(pass, "takes a graph and its schedule, and the text has a "
                             "statement, which comes later; leave "
                             "out the statement");
            }
            return run_up_to(row + 1);
        }
        if (needs_nest(pass) && pipeline.graph.funcs.empty()) {
            refuse(pass, "reads the loop nest beside the statement, and the text has "
                         "none; give graph and schedule");
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
                                               ", as modules of iterations have; "
                                               "passes run on the entry alone; give "
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

LoweredModule lower(const schedule::ScheduledGraph &pipeline, const LowerOptions &given) {
    LoweredModule result;
    LowerOptions options = given;
    const bool profiles = options.profiling != Profiling::Off && !options.profiled; // else a part of what does
    if (profiles) {
        options.profiled = std::make_shared<ProfiledFuncs>(options.profiling);
    }
    on_large_stack([&] {
        result = pipeline.graph.iterations.empty() ? run_passes(pipeline, options)
                                                   : lower_iterations(pipeline, options, run_passes);
        result = profiles ? run_profiled(std::move(result), *options.profiled) : std::move(result);
        if (options.verify && (profiles || !pipeline.graph.iterations.empty())) {
            verify(result);
        }
    });
    return result;
}

LoweredModule lower_statement(const schedule::ScheduledGraph &pipeline, const ir::Stmt &stmt,
                              const LowerOptions &options) {
    LoweredModule result;
    LowerOptions with_funcs = options;
    if (options.profiling != Profiling::Off) {
        with_funcs.profiled = std::make_shared<ProfiledFuncs>(options.profiling);
    }
    on_large_stack([&] {
        result = run_late_passes(pipeline, stmt, with_funcs);
        if (with_funcs.profiled) {
            result = run_profiled(std::move(result), *with_funcs.profiled);
        }
    });
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
