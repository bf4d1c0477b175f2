#pragma once
// Pipeline: one or several output Funcs, compiled and run together.

#include "fluorite/require_cxx17.h"

#include "fluorite/func.h"

#include <functional>

namespace fluorite {

class JITExtern;
class Schedule;
class ScheduleTree;
enum class LinkageType : uint8_t; // fluorite/module.h
struct AutoSchedule;
struct AutoScheduleOptions;
struct AutoschedulerParams;
struct AutoSchedulerResults;
class Pipeline;
/// A scheduler of a program's own (Pipeline::add_autoscheduler).
using AutoSchedulerFn = std::function<void(const Pipeline &pipeline, const Target &target,
                                           const AutoschedulerParams &params, AutoSchedulerResults *results)>;

/// A handle; copies share the compiled code. Outputs of one pipeline may have different ranks and sizes when they are
/// realized into buffers; realize by sizes requires equal ranks.
class Pipeline {
  public:
    using RealizationArg = fluorite::RealizationArg;

    Pipeline();
    /// Of one output.
    Pipeline(const Func &output, const Location &location = Location::current()); // NOLINT
    /// The outputs, one or several; they may read each other. Throws CompileError [no-outputs] for none.
    Pipeline(const std::vector<Func> &outputs, const Location &location = Location::current());
    Pipeline(std::nullptr_t) = delete;
    /// Of contents that the library has made.
    explicit Pipeline(std::shared_ptr<PipelineContents> contents) : contents_(std::move(contents)) {}

    /// Whether there are outputs.
    bool defined() const { return static_cast<bool>(contents_); }
    /// The outputs, in the order that was given.
    std::vector<Func> outputs() const;
    /// A Func of the pipeline by its number: each comes after those that it calls, which come in the order of their
    /// names, so that the outputs are last. Images count, too, as Halide counts them. Throws CompileError [no-outputs]
    /// where there is no such Func, and where the number is that of an image.
    Func get_func(const LocatedIndex &index) const;

    /// A requirement that is checked when the pipeline runs: if the condition (over Params and buffer sizes) is false,
    /// realize throws RuntimeError with the concatenated parts as text.
    void add_requirement(const LocatedExpr &condition, const std::vector<Expr> &parts = {});
    template <typename... Parts,
              std::enable_if_t<(sizeof...(Parts) > 0 && (std::is_convertible_v<Parts, Expr> && ...)), int> = 0>
    void add_requirement(const LocatedExpr &condition, const Parts &...parts) {
        add_requirement(condition, std::vector<Expr>{Expr(parts)...});
    }
    /// Reports begin and end of each run to the trace handler.
    Pipeline &trace_pipeline(const Location &location = Location::current());

    // ---- As for Func.
    /// New buffers, one for each value of each output, in order; or the caller's buffers. Outputs of different ranks or
    /// sizes are realized into buffers. As Func::realize.
    Realization realize(const std::vector<int32_t> &sizes = {}, const Target &target = Target(),
                        const Location &location = Location::current()) const;
    void realize(const RealizationArg &outputs, const Target &target = Target(),
                 const Location &location = Location::current()) const;
    /// As above with up to four sizes as numbers.
    template <typename X, std::enable_if_t<detail::is_size<X>, int> = 0>
    Realization realize(X x, const Target &target = Target(), const Location &location = Location::current()) const;
    template <typename X, typename Y, std::enable_if_t<detail::all_sizes<X, Y>, int> = 0>
    Realization realize(X x, Y y, const Target &target = Target(),
                        const Location &location = Location::current()) const;
    template <typename X, typename Y, typename Z, std::enable_if_t<detail::all_sizes<X, Y, Z>, int> = 0>
    Realization realize(X x, Y y, Z z, const Target &target = Target(),
                        const Location &location = Location::current()) const;
    template <typename X, typename Y, typename Z, typename W, std::enable_if_t<detail::all_sizes<X, Y, Z, W>, int> = 0>
    Realization realize(X x, Y y, Z z, W w, const Target &target = Target(),
                        const Location &location = Location::current()) const;

    /// Binds every unset ImageParam to a new buffer that is large enough for outputs of these sizes, or for these
    /// buffers.
    void infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target = Target(),
                            const Location &location = Location::current()) const;
    void infer_input_bounds(const RealizationArg &outputs, const Target &target = Target(),
                            const Location &location = Location::current()) const;
    /// As above with handlers for this call only.
    void infer_input_bounds(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target = Target(),
                            const Location &location = Location::current()) const;
    void infer_input_bounds(JITUserContext *context, const RealizationArg &outputs, const Target &target = Target(),
                            const Location &location = Location::current()) const;

    /// Compiles, and runs nothing; later runs for the same target, and those that name none, use the code.
    void compile_jit(const Target &target = Target(), const Location &location = Location::current()) const;

    /// The functions of Func, for all outputs: an object file and its header; an archive and its header; one of these;
    /// what the code generator makes; the loop IR. compile_to_c writes a file of C99 and C++17 that includes
    /// fluorite/runtime_c.h, is linked with the runtime, and computes the same bits. The C function takes `args`, then
    /// a buffer for each value of each output. An empty `fn_name` means the name of the first output.
    void compile_to_file(const std::string &filename_prefix, const std::vector<Argument> &args,
                         const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                         const Location &location = Location::current()) const;
    void compile_to_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                   const std::string &fn_name = "",
                                   const Target &target = get_target_from_environment(),
                                   const Location &location = Location::current()) const;
    void compile_to_object(const std::string &filename, const std::vector<Argument> &args,
                           const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                           const Location &location = Location::current()) const;
    void compile_to_bitcode(const std::string &filename, const std::vector<Argument> &args,
                            const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                            const Location &location = Location::current()) const;
    void compile_to_llvm_assembly(const std::string &filename, const std::vector<Argument> &args,
                                  const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                                  const Location &location = Location::current()) const;
    void compile_to_assembly(const std::string &filename, const std::vector<Argument> &args,
                             const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                             const Location &location = Location::current()) const;
    void compile_to_header(const std::string &filename, const std::vector<Argument> &args,
                           const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                           const Location &location = Location::current()) const;
    void compile_to_c(const std::string &filename, const std::vector<Argument> &args, const std::string &fn_name = "",
                      const Target &target = get_target_from_environment(),
                      const Location &location = Location::current()) const;
    void compile_to_lowered_stmt(const std::string &filename, const std::vector<Argument> &args,
                                 StmtOutputFormat format = Text, const Target &target = get_target_from_environment(),
                                 const Location &location = Location::current()) const;
    void compile_to_conceptual_stmt(const std::string &filename, const std::vector<Argument> &args,
                                    StmtOutputFormat format = Text,
                                    const Target &target = get_target_from_environment(),
                                    const Location &location = Location::current()) const;
    void compile_to(const std::map<OutputFileType, std::string> &files, const std::vector<Argument> &args,
                    const std::string &fn_name, const Target &target = get_target_from_environment(),
                    const Location &location = Location::current()) const;
    Module compile_to_module(const std::vector<Argument> &args, const std::string &fn_name,
                             const Target &target = get_target_from_environment(),
                             const Location &location = Location::current()) const;
    /// As above; compiled functions have the linkage ExternalPlusMetadata, and Internal is refused: CompileError
    /// [module].
    Module compile_to_module(const std::vector<Argument> &args, const std::string &fn_name, const Target &target,
                             LinkageType linkage, const Location &location = Location::current()) const;
    void compile_to_multitarget_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                               const std::vector<Target> &targets,
                                               const Location &location = Location::current()) const;
    void compile_to_multitarget_object_files(const std::string &filename_prefix, const std::vector<Argument> &args,
                                             const std::vector<Target> &targets,
                                             const std::vector<std::string> &suffixes,
                                             const Location &location = Location::current()) const;
    /// The inputs that the pipeline reads: buffers, then scalars, each sorted by name.
    std::vector<Argument> infer_arguments(const Location &location = Location::current()) const;

    /// As above with handlers for this run only.
    Realization realize(JITUserContext *context, const std::vector<int32_t> &sizes = {},
                        const Target &target = Target(), const Location &location = Location::current()) const;
    void realize(JITUserContext *context, const RealizationArg &outputs, const Target &target = Target(),
                 const Location &location = Location::current()) const;
    /// Handlers for all runs of this pipeline; empty slots fall back to those of the process.
    JITHandlers &jit_handlers(const Location &location = Location::current());
    /// What runs of this pipeline, and function objects that are made from now on, call under the names of extern
    /// functions, in place of functions of the process (fluorite/jit_extern.h). A later edit of a pipeline among them
    /// is seen. Throws CompileError [jit-extern] for an undefined pipeline, a null address, and a pipeline that
    /// would call itself; runs throw it where the types do not fit the calls.
    void set_jit_externs(const std::map<std::string, JITExtern> &externs,
                         const Location &location = Location::current());
    const std::map<std::string, JITExtern> &get_jit_externs(const Location &location = Location::current()) const;
    /// Compiles to a function object, which takes the arguments in order, then the output buffers.
    Callable compile_to_callable(const std::vector<Argument> &args, const Target &target = Target(),
                                 const Location &location = Location::current()) const;
    /// Forces the next run to compile again.
    void invalidate_cache(const Location &location = Location::current());

    /// Prints the loops of all Funcs to standard error in a short form; loop_nest() is its text.
    void print_loop_nest(const Location &location = Location::current()) const;
    std::string loop_nest(const Location &location = Location::current()) const;
    /// Func::explain_bounds, for all Funcs of the pipeline or one of them.
    std::string explain_bounds(const Location &location = Location::current()) const;
    std::string explain_bounds(const Func &func, const Location &location = Location::current()) const;

    // ---- The schedule as a value (fluorite/schedule.h, fluorite/schedule_tree.h).
    /// The current schedule of all Funcs in normal form: pipelines scheduled alike have equal schedules.
    Schedule schedule(const Location &location = Location::current()) const;
    /// Replaces the schedule of all Funcs. If a line does not apply, throws CompileError that names the Func, stage,
    /// dimension or loop, and changes nothing.
    Pipeline &apply(const Schedule &schedule, const Location &location = Location::current());
    /// The tree of the schedule. Throws CompileError [no-schedule-tree] with the reason if the schedule is not legal.
    ScheduleTree schedule_tree(const Location &location = Location::current()) const;
    /// Finds and applies a schedule (fluorite/auto_schedule.h): fuses stages, and tiles, vectorizes and parallelizes
    /// what it fused. It depends on the sizes of the outputs, which the options or the outputs' estimates give. Throws
    /// CompileError for sizes that are not known and for Funcs that are scheduled by hand, and then changes nothing.
    AutoSchedule auto_schedule(const AutoScheduleOptions &options, const Location &location = Location::current());
    AutoSchedule auto_schedule(const Location &location = Location::current());
    /// Halide's name for it.
    AutoSchedulerResults apply_autoscheduler(const Target &target, const AutoschedulerParams &params,
                                             const Location &location = Location::current()) const;
    /// Makes apply_autoscheduler call the function for this name, with what it is given and where the results go: the
    /// function schedules the Funcs of the pipeline and says so in schedule_source. Throws CompileError [auto-schedule]
    /// for a name that has a scheduler and for an empty function.
    static void add_autoscheduler(const std::string &name, const AutoSchedulerFn &scheduler,
                                  const Location &location = Location::current());
    /// Reports for each Func where it is computed and stored, its bytes, how often each point is computed, tasks and
    /// lanes. The outputs have these extents or, without any, their estimates, or symbolic ones.
    std::string explain_schedule(const std::vector<int32_t> &sizes = {},
                                 const Location &location = Location::current()) const;
    /// What code for the target (undefined: as realize() compiles) does otherwise than the schedule says, with the
    /// reason, and what it does beyond it, with the target's feature that turns it off.
    std::string compile_report(const Target &target = Target(), const Location &location = Location::current()) const;

    /// What the copies share; for the library.
    const std::shared_ptr<PipelineContents> &contents() const { return contents_; }

  private:
    /// Throws CompileError [no-outputs] for an undefined Pipeline.
    PipelineContents &needed(const Location &location) const;
    std::shared_ptr<PipelineContents> contents_;
};

} // namespace fluorite
