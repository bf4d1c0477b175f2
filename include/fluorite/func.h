#pragma once
// Func: a stage of a pipeline, a function from integer coordinates to one or several values.

#include "fluorite/require_cxx20.h"

#include "fluorite/argument.h"
#include "fluorite/func_ref.h"
#include "fluorite/handlers.h"
#include "fluorite/jit.h"
#include "fluorite/loop_level.h"
#include "fluorite/memoize.h"
#include "fluorite/rdom.h"
#include "fluorite/stage.h"
#include "fluorite/target.h"
#include "fluorite/tuple.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fluorite {

class Callable;
class OutputImageParam;
template <typename T, int Dims> class Buffer;
class Pipeline;
class Realization;
class RealizationArg;
struct PipelineContents;

namespace detail {
/// Extents given as plain numbers; a braced list is a vector of them.
template <typename T>
concept Size = Whole<T>;
/// A coordinate: an operand that is neither a truth value nor a character of C++.
template <typename T>
concept Coordinate = std::convertible_to<const T &, LocatedExpr> && !std::same_as<T, bool> && !Character<T>;
/// The first of them, with the place of the call.
class FirstCoordinate {
  public:
    template <Coordinate T>
    FirstCoordinate(const T &value, // NOLINT(google-explicit-constructor)
                    const std::source_location &place = std::source_location::current())
        : expr(LocatedExpr(value, place).expr), location(place) {}
    Expr expr;
    Location location;
};
} // namespace detail

/// How compile_to_lowered_stmt writes.
enum StmtOutputFormat { Text, HTML };

/// A handle to a function; copies share it. `f(x, y) = e` defines it, `f(x, y) += e` and other assignments add updates.
/// Its directives schedule it; compile_ and realize make it run.
class Func : public detail::LoopDirectives<Func> {
  public:
    // ---- Making one.
    Func();
    explicit Func(const std::string &name);
    explicit Func(const char *name) : Func(std::string(name)) {}
    Func(std::nullptr_t) = delete;
    /// Declares type(s) and rank; dimensions -1 leaves the rank open. A definition that does not fit throws
    /// CompileError.
    explicit Func(const Type &type, int dimensions = -1, const std::string &name = "",
                  const Location &location = std::source_location::current());
    explicit Func(const std::vector<Type> &types, int dimensions = -1, const std::string &name = "",
                  const Location &location = std::source_location::current());
    /// `f(_) = value`.
    explicit Func(const Expr &value, const Location &location = std::source_location::current());
    /// The Func whose values are the pixels.
    template <typename T, int Dims>
    explicit Func(const Buffer<T, Dims> &image, const Location &location = std::source_location::current()) : Func("") {
        (*this)(std::vector<Expr>{Expr(_)}, location) =
            image(typename Buffer<T, Dims>::FirstCoordinate(Expr(_), location));
    }
    explicit Func(const detail::Ref<language::Function> &function);

    // ---- Calls and definitions.
    template <detail::Coordinate... Rest>
    FuncRef operator()(const detail::FirstCoordinate &first, const Rest &...rest) const {
        return FuncRef(function(), {first.expr, LocatedExpr(rest).expr...}, first.location);
    }
    FuncRef operator()(const Location &location = std::source_location::current()) const {
        return FuncRef(function(), {}, location);
    }
    FuncRef operator()(const std::vector<Expr> &args,
                       const Location &location = std::source_location::current()) const {
        return FuncRef(function(), args, location);
    }
    FuncRef operator()(const std::vector<Var> &args, const Location &location = std::source_location::current()) const {
        return FuncRef(function(), std::vector<Expr>(args.begin(), args.end()), location);
    }

    // ---- What it is.
    std::string name() const;
    bool defined() const;
    /// Pure Vars, dimension 0 first.
    std::vector<Var> args() const;
    int dimensions() const;
    /// The value of the pure definition (which must be single), or all of them.
    Expr value(const Location &location = std::source_location::current()) const;
    Tuple values(const Location &location = std::source_location::current()) const;
    Type type(const Location &location = std::source_location::current()) const;
    std::vector<Type> types() const;
    Type output_type(const Location &location = std::source_location::current()) const { return type(location); }
    std::vector<Type> output_types() const { return types(); }
    /// Number of values.
    int outputs() const;
    bool is_tuple() const { return outputs() > 1; }

    bool has_update_definition() const { return num_update_definitions() > 0; }
    int num_update_definitions() const;
    const std::vector<Expr> update_args(int index = 0,
                                        const Location &location = std::source_location::current()) const;
    Expr update_value(int index = 0, const Location &location = std::source_location::current()) const;
    Tuple update_values(int index = 0, const Location &location = std::source_location::current()) const;
    std::vector<RVar> rvars(int index = 0, const Location &location = std::source_location::current()) const;
    /// 2014 names of the above.
    bool has_pure_definition() const { return defined(); }
    std::vector<RVar> reduction_domain(int index = 0,
                                       const Location &location = std::source_location::current()) const {
        return rvars(index, location);
    }

    /// The pure definition, to schedule it.
    operator Stage() const { return {function(), 0}; } // NOLINT(google-explicit-constructor)
    /// The index-th update, to schedule it.
    Stage update(detail::Integer index = 0, const Location &location = std::source_location::current());

    // ---- Where it is computed and stored.
    Func &compute_root(const Location &location = std::source_location::current());
    Func &compute_at(const Func &consumer, const VarOrRVar &var);
    Func &compute_at(const LoopLevel &level, const Location &location = std::source_location::current());
    Func &compute_inline(const Location &location = std::source_location::current());
    Func &store_root(const Location &location = std::source_location::current());
    Func &store_at(const Func &consumer, const VarOrRVar &var);
    Func &store_at(const LoopLevel &level, const Location &location = std::source_location::current());
    Func &store_in(MemoryType memory, const Location &location = std::source_location::current());
    Func &reorder_storage(const std::vector<Var> &vars, const Location &location = std::source_location::current());
    template <typename... Rest>
        requires(std::convertible_to<Rest, Var> && ...)
    Func &reorder_storage(const VarOrRVar &first, const Var &second, const Rest &...rest) {
        return reorder_storage({Var(first.name()), second, Var(rest)...}, first.location());
    }
    /// Takes the memory further out than it is stored, once for all iterations of the loops between.
    Func &hoist_storage(const Func &consumer, const VarOrRVar &var);
    Func &hoist_storage(const LoopLevel &level, const Location &location = std::source_location::current());
    Func &hoist_storage_root(const Location &location = std::source_location::current());
    /// Keeps `extent` values of the dimension, in a circle; checked to hold all that is live at once.
    template <std::same_as<bool> Flag = bool>
    Func &fold_storage(const VarOrRVar &var, const LocatedExpr &extent, Flag fold_forward = true) {
        return fold_storage_in(var, extent, fold_forward);
    }
    /// The extent in memory is a multiple of `alignment`.
    Func &align_storage(const VarOrRVar &var, const Expr &alignment);
    /// The extent in memory is `extent`; checked to be large enough.
    Func &bound_storage(const VarOrRVar &var, const Expr &extent);
    /// Vectors are stored past the caches, for values that are not read soon.
    Func &stream_stores(const Location &location = std::source_location::current());

    // ---- When it is computed.
    /// Keeps the results of runs in a cache, and takes them from there where everything that they depend on is the
    /// same.
    Func &memoize(const EvictionKey &eviction_key = EvictionKey(),
                  const Location &location = std::source_location::current());
    /// Computes it on a thread of its own while its consumers wait for what they need.
    Func &async(const Location &location = std::source_location::current());
    /// Gives its storage `extent` copies, used in turn by successive iterations of the loops between where it is stored
    /// and where it is computed.
    Func &ring_buffer(const LocatedExpr &extent);

    // ---- What is promised of the region that is computed.
    /// Exactly min .. min + extent - 1.
    Func &bound(const VarOrRVar &var, const Expr &min, const Expr &extent);
    Func &bound_extent(const VarOrRVar &var, const Expr &extent);
    /// The region grows until min % modulus == remainder and extent % modulus == 0.
    Func &align_bounds(const VarOrRVar &var, const Expr &modulus, const Expr &remainder = 0);
    Func &align_extent(const VarOrRVar &var, const Expr &modulus);
    /// A guess for those who choose schedules; promises nothing.
    Func &set_estimate(const VarOrRVar &var, const Expr &min, const Expr &extent);
    Func &estimate(const VarOrRVar &var, const Expr &min, const Expr &extent) { return set_estimate(var, min, extent); }
    Func &set_estimates(const Region &estimates, const Location &location = std::source_location::current());

    // ---- What is promised of the values.
    /// Lets schedules regroup the float sums, products and extremes of the updates: results then differ from those of
    /// the definition by rounding, and where NaNs or zeros of either sign take part. Without it atomic, rfactor and
    /// reorder refuse what could change a bit.
    Func &allow_reassociation(const Location &location = std::source_location::current());

    // ---- Wrappers.
    Func in(const Func &consumer, const Location &location = std::source_location::current());
    Func in(const std::vector<Func> &consumers, const Location &location = std::source_location::current());
    Func in(const Location &location = std::source_location::current());
    /// A copy of the Func, definitions and schedule, that these consumers call instead; to be scheduled apart.
    Func clone_in(const Func &consumer, const Location &location = std::source_location::current());
    Func clone_in(const std::vector<Func> &consumers, const Location &location = std::source_location::current());

    // ---- Looking at a run.
    Func &trace_loads(const Location &location = std::source_location::current());
    Func &trace_stores(const Location &location = std::source_location::current());
    Func &trace_realizations(const Location &location = std::source_location::current());

    /// Constraints on the buffer(s) that the Func is written to when it is an output.
    OutputImageParam output_buffer(const Location &location = std::source_location::current()) const;
    std::vector<OutputImageParam> output_buffers(const Location &location = std::source_location::current()) const;

    // ---- Running. Sizes are extents from 0; errors are CompileError (schedule, program) and RuntimeError (inputs).
    Realization realize(const std::vector<int32_t> &sizes = {}, const Target &target = Target(),
                        const Location &location = std::source_location::current()) const;
    void realize(const RealizationArg &outputs, const Target &target = Target(),
                 const Location &location = std::source_location::current()) const;
    /// Sizes as numbers, up to four.
    template <detail::Size X>
    Realization realize(X x, const Target &target = Target(),
                        const Location &location = std::source_location::current()) const;
    template <detail::Size X, detail::Size Y>
    Realization realize(X x, Y y, const Target &target = Target(),
                        const Location &location = std::source_location::current()) const;
    template <detail::Size X, detail::Size Y, detail::Size Z>
    Realization realize(X x, Y y, Z z, const Target &target = Target(),
                        const Location &location = std::source_location::current()) const;
    template <detail::Size X, detail::Size Y, detail::Size Z, detail::Size W>
    Realization realize(X x, Y y, Z z, W w, const Target &target = Target(),
                        const Location &location = std::source_location::current()) const;

    /// With handlers of this run alone.
    Realization realize(JITUserContext *context, const std::vector<int32_t> &sizes = {},
                        const Target &target = Target(),
                        const Location &location = std::source_location::current()) const;
    void realize(JITUserContext *context, const RealizationArg &outputs, const Target &target = Target(),
                 const Location &location = std::source_location::current()) const;
    /// Handlers of all runs of this Func; empty slots leave the process's.
    JITHandlers &jit_handlers();

    /// Sets every unset ImageParam to a fresh buffer that is large enough for outputs of the sizes.
    void infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target = Target(),
                            const Location &location = std::source_location::current()) const;
    void infer_input_bounds(const RealizationArg &outputs, const Target &target = Target(),
                            const Location &location = std::source_location::current()) const;
    template <detail::Size X>
    void infer_input_bounds(X x, const Location &location = std::source_location::current()) const;
    template <detail::Size X, detail::Size Y>
    void infer_input_bounds(X x, Y y, const Location &location = std::source_location::current()) const;
    template <detail::Size X, detail::Size Y, detail::Size Z>
    void infer_input_bounds(X x, Y y, Z z, const Location &location = std::source_location::current()) const;
    template <detail::Size X, detail::Size Y, detail::Size Z, detail::Size W>
    void infer_input_bounds(X x, Y y, Z z, W w, const Location &location = std::source_location::current()) const;

    void compile_jit(const Target &target = Target(), const Location &location = std::source_location::current()) const;

    // ---- Compiling ahead of time: `args` in order of the C function, outputs last. `fn_name` empty: the Func's name.
    void compile_to_file(const std::string &filename_prefix, const std::vector<Argument> &args,
                         const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                         const Location &location = std::source_location::current()) const;
    void compile_to_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                   const std::string &fn_name = "",
                                   const Target &target = get_target_from_environment(),
                                   const Location &location = std::source_location::current()) const;
    void compile_to_object(const std::string &filename, const std::vector<Argument> &args,
                           const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                           const Location &location = std::source_location::current()) const;
    void compile_to_object(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                           const Location &location = std::source_location::current()) const {
        compile_to_object(filename, args, "", target, location);
    }
    void compile_to_bitcode(const std::string &filename, const std::vector<Argument> &args,
                            const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                            const Location &location = std::source_location::current()) const;
    void compile_to_llvm_assembly(const std::string &filename, const std::vector<Argument> &args,
                                  const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                                  const Location &location = std::source_location::current()) const;
    void compile_to_assembly(const std::string &filename, const std::vector<Argument> &args,
                             const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                             const Location &location = std::source_location::current()) const;
    void compile_to_bitcode(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                            const Location &location = std::source_location::current()) const {
        compile_to_bitcode(filename, args, "", target, location);
    }
    void compile_to_llvm_assembly(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                                  const Location &location = std::source_location::current()) const {
        compile_to_llvm_assembly(filename, args, "", target, location);
    }
    void compile_to_assembly(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                             const Location &location = std::source_location::current()) const {
        compile_to_assembly(filename, args, "", target, location);
    }
    void compile_to_header(const std::string &filename, const std::vector<Argument> &args,
                           const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                           const Location &location = std::source_location::current()) const;
    void compile_to_c(const std::string &filename, const std::vector<Argument> &args, const std::string &fn_name = "",
                      const Target &target = get_target_from_environment(),
                      const Location &location = std::source_location::current()) const;
    void compile_to_lowered_stmt(const std::string &filename, const std::vector<Argument> &args,
                                 StmtOutputFormat format = Text, const Target &target = get_target_from_environment(),
                                 const Location &location = std::source_location::current()) const;
    /// The inputs in the order in which compile_ takes them: buffers, then scalars, each by name.
    std::vector<Argument> infer_arguments(const Location &location = std::source_location::current()) const;

    /// Prints the loop nest to standard error in a short form.
    void print_loop_nest(const Location &location = std::source_location::current()) const;
    /// The same text as a string.
    std::string loop_nest(const Location &location = std::source_location::current()) const;
    /// Where each Func that this one reads is computed and stored, which consumer asks for which region of it through
    /// which expression, and what region is computed in the end. `func` chooses one of them.
    std::string explain_bounds(const Location &location = std::source_location::current()) const;
    std::string explain_bounds(const Func &func, const Location &location = std::source_location::current()) const;

    /// Compiles, and gives a function object: it takes the arguments in order, then the output buffers.
    Callable compile_to_callable(const std::vector<Argument> &args, const Target &target = Target(),
                                 const Location &location = std::source_location::current()) const;
    /// The next run compiles again.
    void invalidate_cache();

    // ---- 2014 spelling of fluorite/handlers.h: for all pipelines of the process.
    void set_error_handler(void (*handler)(void *context, const char *text));
    void set_custom_print(fluorite_print_t function) { fluorite::set_custom_print(function); }
    void set_custom_trace(fluorite_trace_t function) { fluorite::set_custom_trace(function); }
    void set_custom_do_par_for(fluorite_do_par_for_t function) { fluorite::set_custom_do_par_for(function); }
    void set_custom_allocator(fluorite_malloc_t allocate, fluorite_free_t release) {
        fluorite::set_custom_allocator(allocate, release);
    }

    /// The pipeline with this Func as its only output; keeps what was compiled.
    Pipeline pipeline(const Location &location = std::source_location::current()) const;

    /// Same function.
    bool same_as(const Func &other) const { return function() == other.function(); }

  private:
    Func &fold_storage_in(const VarOrRVar &var, const Expr &extent, bool fold_forward);

    std::shared_ptr<PipelineContents> pipeline_;
};

/// Whether Funcs made from now on allow_reassociation(); false at first. Halide.h sets it, as Halide's float sums may
/// be regrouped. One for the process.
void set_default_reassociation(bool allowed);

} // namespace fluorite
