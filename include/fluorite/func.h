#pragma once
// Func: a stage of a pipeline, a function from integer coordinates to one or several values.

#include "fluorite/require_cxx17.h"

#include "fluorite/argument.h"
#include "fluorite/extern_func_argument.h"
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
class JITExtern;
class Module;
class OutputImageParam;
enum class OutputFileType : uint8_t; // fluorite/module.h
template <typename T, int Dims> class Buffer;
class Pipeline;
class Realization;
class RealizationArg;
struct PipelineContents;

namespace detail {
/// Extents as plain numbers, as opposed to a braced list, which is a vector of them.
template <typename T> inline constexpr bool is_size = is_whole<T>;
template <typename... T> inline constexpr bool all_sizes = (is_size<T> && ...);
/// A coordinate: an operand that is neither a C++ bool nor a C++ character.
template <typename T>
inline constexpr bool is_coordinate =
    std::is_convertible_v<const T &, LocatedExpr> && !std::is_same_v<T, bool> && !is_character<T>;
template <typename... T> inline constexpr bool all_coordinates = (is_coordinate<T> && ...);
/// The first coordinate, which also records the location of the call.
class FirstCoordinate {
  public:
    template <typename T, std::enable_if_t<is_coordinate<T>, int> = 0>
    FirstCoordinate(const T &value, // NOLINT(google-explicit-constructor)
                    const Location &place = Location::current())
        : expr(LocatedExpr(value, place).expr), location(place) {}
    Expr expr;
    Location location;
};
} // namespace detail

/// The output format of compile_to_lowered_stmt.
enum StmtOutputFormat { Text, HTML };

/// A handle to a function; copies share it. `f(x, y) = e` defines it; `f(x, y) += e` and other assignments add updates.
/// Its directives schedule it; compile_ functions and realize compile and run it.
class Func : public detail::LoopDirectives<Func> {
  public:
    // ---- Construction.
    Func();
    /// An undefined Func. The name appears in errors, printed loops and schedules, and is that of the compiled C
    /// function; Funcs of equal names are different Funcs. Without a name, one is made.
    explicit Func(const std::string &name);
    explicit Func(const char *name) : Func(std::string(name)) {}
    Func(std::nullptr_t) = delete;
    Func(const Func &) = default;
    Func &operator=(const Func &) = default;
    /// Declares type(s) and rank; dimensions = -1 leaves the rank open. A definition that does not match throws
    /// CompileError.
    explicit Func(const Type &type, int dimensions = -1, const std::string &name = "",
                  const Location &location = Location::current());
    explicit Func(const std::vector<Type> &types, int dimensions = -1, const std::string &name = "",
                  const Location &location = Location::current());
    /// Defines `f(_) = value`.
    explicit Func(const Expr &value, const Location &location = Location::current());
    /// A Func whose values are the pixels of the buffer.
    template <typename T, int Dims>
    explicit Func(const Buffer<T, Dims> &image, const Location &location = Location::current()) : Func("") {
        (*this)(std::vector<Expr>{Expr(_)}, location) =
            image(typename Buffer<T, Dims>::FirstCoordinate(Expr(_), location));
    }
    explicit Func(const detail::Ref<language::Function> &function);

    // ---- Calls and definitions.
    /// The Func at these coordinates, one for each dimension, dimension 0 first: a value where it is read, a definition
    /// or an update where it is assigned to. `_` stands for all dimensions that are not named. Coordinates are
    /// integers; others are errors of the call.
    template <typename... Rest, std::enable_if_t<detail::all_coordinates<Rest...>, int> = 0>
    FuncRef operator()(const detail::FirstCoordinate &first, const Rest &...rest) const {
        return FuncRef(function(), {first.expr, LocatedExpr(rest).expr...}, first.location);
    }
    FuncRef operator()(const Location &location = Location::current()) const {
        return FuncRef(function(), {}, location);
    }
    FuncRef operator()(const std::vector<Expr> &args, const Location &location = Location::current()) const {
        return FuncRef(function(), args, location);
    }
    FuncRef operator()(const std::vector<Var> &args, const Location &location = Location::current()) const {
        return FuncRef(function(), std::vector<Expr>(args.begin(), args.end()), location);
    }

    /// Defines the Func by a C function, which computes a box of it at a time:
    ///   int function(arguments..., fluorite_buffer_t *output...)    one output for each type
    /// A Func is passed as one fluorite_buffer_t * for each value, an ImageParam or Buffer as one, a value as it is.
    /// There are two kinds of calls.
    /// In a bounds query, `host` of the outputs and of the buffers of Funcs and ImageParams is null: the function
    /// writes into min and extent of the latter what it reads for the box of the outputs; a larger box must need no
    /// less. Otherwise it computes the outputs, for boxes that a query has asked for. A result other than 0 ends the
    /// run, with that code. Values must depend on their coordinates only, not on the box. Several threads may call the
    /// function at once. Vars are given, or made for a number of dimensions. Throws CompileError [extern-argument] for
    /// an argument that is no such thing, and as a definition does.
    void define_extern(const std::string &function, const std::vector<ExternFuncArgument> &arguments,
                       const std::vector<Type> &types, const std::vector<Var> &vars,
                       NameMangling mangling = NameMangling::Default, DeviceAPI device = DeviceAPI::Host,
                       const Location &location = Location::current());
    void define_extern(const std::string &function, const std::vector<ExternFuncArgument> &arguments, Type type,
                       const std::vector<Var> &vars, NameMangling mangling = NameMangling::Default,
                       DeviceAPI device = DeviceAPI::Host, const Location &location = Location::current()) {
        define_extern(function, arguments, std::vector<Type>{type}, vars, mangling, device, location);
    }
    void define_extern(const std::string &function, const std::vector<ExternFuncArgument> &arguments,
                       const std::vector<Type> &types, int dimensions, NameMangling mangling = NameMangling::Default,
                       DeviceAPI device = DeviceAPI::Host, const Location &location = Location::current());
    void define_extern(const std::string &function, const std::vector<ExternFuncArgument> &arguments, Type type,
                       int dimensions, NameMangling mangling = NameMangling::Default,
                       DeviceAPI device = DeviceAPI::Host, const Location &location = Location::current()) {
        define_extern(function, arguments, std::vector<Type>{type}, dimensions, mangling, device, location);
    }

    // ---- Queries.
    /// Whether a C function defines it, and the name of its symbol; empty if none does.
    bool is_extern() const;
    std::string extern_function_name() const;
    /// The name that was given or made.
    std::string name() const;
    /// Whether there is a pure definition.
    bool defined() const;
    /// The pure Vars, dimension 0 first.
    std::vector<Var> args() const;
    /// The number of dimensions; 0 for an undefined Func of no declared rank.
    int dimensions() const;
    /// The value of the pure definition (which must be single), or all its values.
    Expr value(const Location &location = Location::current()) const;
    Tuple values(const Location &location = Location::current()) const;
    /// The type of its single value, and those of all values in their order. Throws CompileError [tuple-size] for the
    /// type of a Func of several, [undefined-func] for a Func without definition or declared type.
    Type type(const Location &location = Location::current()) const;
    std::vector<Type> types() const;
    Type output_type(const Location &location = Location::current()) const { return type(location); }
    std::vector<Type> output_types() const { return types(); }
    /// The number of values.
    int outputs() const;
    bool is_tuple() const { return outputs() > 1; }

    /// The number of updates, and whether there are any.
    bool has_update_definition() const { return num_update_definitions() > 0; }
    int num_update_definitions() const;
    /// The coordinates, value or values, and reduction variables of the update with this index, counted from 0. Throws
    /// CompileError where there is no such update, and [tuple-size] for the single value of a Func of several.
    const std::vector<Expr> update_args(int index = 0, const Location &location = Location::current()) const;
    Expr update_value(int index = 0, const Location &location = Location::current()) const;
    Tuple update_values(int index = 0, const Location &location = Location::current()) const;
    std::vector<RVar> rvars(int index = 0, const Location &location = Location::current()) const;
    /// Names of the 2014 API for the above.
    bool has_pure_definition() const { return defined(); }
    std::vector<RVar> reduction_domain(int index = 0, const Location &location = Location::current()) const {
        return rvars(index, location);
    }

    /// The pure definition, for scheduling.
    operator Stage() const { return {function(), 0}; } // NOLINT(google-explicit-constructor)
    /// As Stage::get_schedule() of the pure definition.
    StageSchedule get_schedule() const { return Stage(*this).get_schedule(); }
    /// The update with this index, for scheduling.
    Stage update(detail::Integer index = 0, const Location &location = Location::current());

    // ---- Compute and store levels.
    /// Computes all that its consumers read of this Func before them, once, in memory of its own.
    ///
    ///     for y, x: f(x, y) = g(x, y) + g(x, y + 1)   -->   for y, x: g(x, y) = ...
    ///                                                       for y, x: f(x, y) = g(x, y) + g(x, y + 1)
    ///
    /// The region is the smallest box that contains every read. Outputs are at root without it.
    Func &compute_root(const Location &location = Location::current());
    /// Like compute_root, but in a distributed run each rank computes what its own consumers need, without
    /// communication of this Func's values. See docs/directives/compute_rank.md.
    Func &compute_rank(const Location &location = Location::current());
    /// Leaves the parts of a distributed Func to so many ranks at most, spread over all. See
    /// docs/directives/agglomerate.md.
    Func &agglomerate(const LocatedExpr &ranks);
    /// Computes in each iteration of the consumer's loop over `var` what the loops inside of it read: a tile, a row, a
    /// vector. Points that several iterations read are computed in each of them, unless the Func is stored further out
    /// (store_at). The region is inferred from the reads, in symbols, so it is right for every size. After
    /// g.compute_at(f, y):
    ///
    ///     for y, x: f(x, y) = g(x, y) + g(x, y + 1)   -->   for y:
    ///                                                           for x, both rows: g(x, y) = ...
    ///                                                           for x: f(x, y) = g(x, y) + g(x, y + 1)
    ///
    /// The loop is one that the consumer has now, after its splits, and all uses of the Func are inside of it. Throws
    /// CompileError [unknown-loop-level], [compute-at-outside-consumer] or [output-computed-at], some when the pipeline
    /// is compiled, which names Func, loop and the legal levels. See docs/directives/compute_at.md.
    Func &compute_at(const Func &consumer, const VarOrRVar &var);
    Func &compute_at(const LoopLevel &level, const Location &location = Location::current());
    /// Substitutes the definition for each call; the default. A Func with updates is then computed inside of the
    /// innermost loop of each consumer.
    Func &compute_inline(const Location &location = Location::current());
    /// store_at outside of all loops: with compute_at in a serial loop, a window slides over the whole loop.
    Func &store_root(const Location &location = Location::current());
    /// Keeps the values for all iterations of the loops between this level and the compute level, which is inside of
    /// it. Where such a loop is serial and moves the region of a pure Func in one dimension, each iteration computes
    /// only what earlier ones have not: a sliding window, in a circular buffer of the rows that are still needed.
    ///
    ///     g.store_at(f, yo).compute_at(f, yi):   for yo:
    ///                                                allocate rows of g
    ///                                                for yi: the new row of g, then the row of f
    ///
    /// Throws CompileError [store-at-inside-compute-at], [store-outside-parallel] for a parallel loop in between,
    /// [store-of-inlined-func], and as compute_at. See docs/directives/store_at.md.
    Func &store_at(const Func &consumer, const VarOrRVar &var);
    Func &store_at(const LoopLevel &level, const Location &location = Location::current());
    /// Says in which memory the values are: MemoryType::Heap, Stack, Register, or Auto, which leaves it to the compiler
    /// and is the default. The stack takes constant sizes of up to 512 KB; others go to the heap, and compile_report()
    /// says so. Registers take a small constant size, else compiling throws CompileError
    /// [register-needs-constant-size].
    Func &store_in(MemoryType memory, const Location &location = Location::current());
    /// Say that a Func which is a copy of another Func or of an image, as in() makes it, moves the values to the
    /// device, or to the host. Values move by themselves where they are accessed, once, so these only check. Throw
    /// CompileError [not-a-copy] where the Func computes something.
    Func &copy_to_device(DeviceAPI api = DeviceAPI::Default_GPU, const Location &location = Location::current());
    Func &copy_to_host(const Location &location = Location::current());
    /// Orders the named dimensions in memory, innermost first, at the positions that they have; loops and values stay.
    /// Of an output it says which dimension of its buffer is dense. Throws CompileError [unknown-dimension] or
    /// [reorder-repeats-loop].
    Func &reorder_storage(const std::vector<Var> &vars, const Location &location = Location::current());
    template <typename... Rest, std::enable_if_t<(std::is_convertible_v<Rest, Var> && ...), int> = 0>
    Func &reorder_storage(const VarOrRVar &first, const Var &second, const Rest &...rest) {
        return reorder_storage({Var(first.name()), second, Var(rest)...}, first.location());
    }
    /// Allocates the memory at a level further out than the storage, once for all iterations of the loops between.
    Func &hoist_storage(const Func &consumer, const VarOrRVar &var);
    Func &hoist_storage(const LoopLevel &level, const Location &location = Location::current());
    Func &hoist_storage_root(const Location &location = Location::current());
    /// Keeps `extent` values of the dimension in a circular buffer. The pipeline checks that it holds all live values.
    template <typename Flag = bool, std::enable_if_t<std::is_same_v<Flag, bool>, int> = 0>
    Func &fold_storage(const VarOrRVar &var, const LocatedExpr &extent, Flag fold_forward = true) {
        return fold_storage_in(var, extent, fold_forward);
    }
    /// Makes the extent in memory a multiple of `alignment`.
    Func &align_storage(const VarOrRVar &var, const Expr &alignment);
    /// Makes the extent in memory `extent`. The pipeline checks that it is large enough.
    Func &bound_storage(const VarOrRVar &var, const Expr &extent);
    /// Stores vectors past the caches, for values that are not read soon.
    Func &stream_stores(const Location &location = Location::current());

    // ---- Memoization, async.
    /// Caches the results of runs, and reuses them if everything on which they depend is unchanged.
    Func &memoize(const EvictionKey &eviction_key = EvictionKey(), const Location &location = Location::current());
    /// Computes the Func on its own thread, while its consumers wait for the values that they need.
    Func &async(const Location &location = Location::current());
    /// Allocates `extent` copies of its storage, which successive iterations of the loops between the store level and
    /// the compute level use in rotation.
    Func &ring_buffer(const LocatedExpr &extent);

    // ---- Promises about the region computed.
    /// Bounds the region to min .. min + extent - 1.
    Func &bound(const VarOrRVar &var, const Expr &min, const Expr &extent);
    Func &bound_extent(const VarOrRVar &var, const Expr &extent);
    /// Extends the region until min % modulus == remainder and extent % modulus == 0.
    Func &align_bounds(const VarOrRVar &var, const Expr &modulus, const Expr &remainder = 0);
    Func &align_extent(const VarOrRVar &var, const Expr &modulus);
    /// An estimate for schedulers; it promises nothing.
    Func &set_estimate(const VarOrRVar &var, const Expr &min, const Expr &extent);
    Func &estimate(const VarOrRVar &var, const Expr &min, const Expr &extent) { return set_estimate(var, min, extent); }
    /// set_estimate for all dimensions, in their order.
    Func &set_estimates(const Region &estimates, const Location &location = Location::current());

    // ---- Promises about the values.
    /// Lets schedules regroup the float sums, products and extremes of the updates. Results may then differ from those
    /// of the definition by rounding, and where NaNs or zeros of either sign occur. Without it atomic, rfactor and
    /// reorder refuse any change that could affect bits.
    Func &allow_reassociation(const Location &location = Location::current());

    // ---- Wrappers.
    /// A wrapper: a new Func with this one's values, which the consumer, each of several, or all read in its place. It
    /// is scheduled like any Func, for instance to copy a tile of an input to memory of its own: `f.in(g).compute_at(g,
    /// y)`. Throws CompileError [wrapper-unused] where the consumer does not read this Func, [wrapper-exists] where it
    /// has a wrapper already. See docs/directives/in.md.
    Func in(const Func &consumer, const Location &location = Location::current());
    Func in(const std::vector<Func> &consumers, const Location &location = Location::current());
    Func in(const Location &location = Location::current());
    /// Creates a copy of the Func, definitions and schedule included, that these consumers call instead. It is
    /// scheduled independently.
    Func clone_in(const Func &consumer, const Location &location = Location::current());
    Func clone_in(const std::vector<Func> &consumers, const Location &location = Location::current());

    // ---- Tracing.
    /// Reports each load of its values, each store, or the begin and end of each allocation and production to the trace
    /// handler (set_custom_trace), which by default prints a line for each. An inlined Func has none of these.
    Func &trace_loads(const Location &location = Location::current());
    Func &trace_stores(const Location &location = Location::current());
    Func &trace_realizations(const Location &location = Location::current());
    /// Adds a text that reaches readers of traces, as an event of kind tag at the begin of each run, if the Func or the
    /// pipeline is traced. An inlined Func has no event.
    Func &add_trace_tag(const std::string &tag, const Location &location = Location::current());
    /// Writes its values to a file each time that its storage ends, and those of an output at the end of the run; an
    /// empty path turns it off. The end of the path says in which form: .tif or .tiff, .npy, .mat, or, for all others,
    /// five 32-bit numbers before the elements: four extents, the last one of all further dimensions, and a code of the
    /// type (float32 0, float64 1, then uint8, int8, uint16 and so on from 2). Each element of a tuple has a file, as
    /// `f.0.npy`. Errors: a run fails with [debug-file] where a file cannot be written or lacks the type; compiling
    /// fails with [debug-file] for a Func that is inlined, folded, or stored inside of vectors or loops of a device.
    Func &debug_to_file(const std::string &path, const Location &location = Location::current());
    /// With target feature profile or profile_by_timer, bills its time to the Func around it: for Funcs that do so
    /// little at a time that a mark would be noticed. Its memory is counted as that of others.
    Func &no_profiling(const Location &location = Location::current());

    /// Constraints on the buffer(s) to which the Func is written as an output.
    OutputImageParam output_buffer(const Location &location = Location::current()) const;
    std::vector<OutputImageParam> output_buffers(const Location &location = Location::current()) const;

    // ---- Running. Sizes are extents; mins are 0. CompileError says what is wrong with program or schedule,
    // RuntimeError what is wrong with inputs: sizes, types, Params that are not set, requirements that do not hold.
    /// Compiles for the target (the host, unless FLUORITE_JIT_TARGET says otherwise) where no earlier run did, runs,
    /// and returns a new buffer for each value. `sizes` has an extent for each dimension, dimension 0 first. Costs
    /// milliseconds to compile, and microseconds to call again; a change of the schedule compiles again.
    Realization realize(const std::vector<int32_t> &sizes = {}, const Target &target = Target(),
                        const Location &location = Location::current()) const;
    /// The same into the caller's buffers, one for each value in order: their mins, extents and strides say what is
    /// computed and where it goes.
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

    /// As above with handlers for this run only.
    Realization realize(JITUserContext *context, const std::vector<int32_t> &sizes = {},
                        const Target &target = Target(), const Location &location = Location::current()) const;
    void realize(JITUserContext *context, const RealizationArg &outputs, const Target &target = Target(),
                 const Location &location = Location::current()) const;
    /// Handlers for all runs of this Func; empty slots fall back to those of the process.
    JITHandlers &jit_handlers();

    /// Binds every unset ImageParam to a new buffer that is large enough for outputs of these sizes.
    void infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target = Target(),
                            const Location &location = Location::current()) const;
    void infer_input_bounds(const RealizationArg &outputs, const Target &target = Target(),
                            const Location &location = Location::current()) const;
    /// As above with handlers for this call only.
    void infer_input_bounds(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target = Target(),
                            const Location &location = Location::current()) const;
    void infer_input_bounds(JITUserContext *context, const RealizationArg &outputs, const Target &target = Target(),
                            const Location &location = Location::current()) const;
    template <typename X, std::enable_if_t<detail::is_size<X>, int> = 0>
    void infer_input_bounds(X x, const Location &location = Location::current()) const;
    template <typename X, typename Y, std::enable_if_t<detail::all_sizes<X, Y>, int> = 0>
    void infer_input_bounds(X x, Y y, const Location &location = Location::current()) const;
    template <typename X, typename Y, typename Z, std::enable_if_t<detail::all_sizes<X, Y, Z>, int> = 0>
    void infer_input_bounds(X x, Y y, Z z, const Location &location = Location::current()) const;
    template <typename X, typename Y, typename Z, typename W, std::enable_if_t<detail::all_sizes<X, Y, Z, W>, int> = 0>
    void infer_input_bounds(X x, Y y, Z z, W w, const Location &location = Location::current()) const;

    /// Compiles as realize does, and runs nothing; later runs for the same target use the code.
    void compile_jit(const Target &target = Target(), const Location &location = Location::current()) const;

    // ---- Compiling ahead of time, for the target, which by default FLUORITE_TARGET names, else is the host. `args`
    // are all inputs in the order of the C function; outputs follow. An empty `fn_name` means the Func's name. All
    // throw CompileError for inputs that `args` lacks, for a file that cannot be written, and as compile_jit. See
    // docs/guides/ahead_of_time.md.
    /// `filename_prefix`.o, an object file with the C function, and `filename_prefix`.h, which declares it. A call
    /// takes the arguments in the order of `args`, buffers as fluorite_buffer_t *, and returns 0 or the code of an
    /// error. Programs link the runtime library only.
    void compile_to_file(const std::string &filename_prefix, const std::vector<Argument> &args,
                         const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                         const Location &location = Location::current()) const;
    /// `filename_prefix`.a, an archive of one object, and the header.
    void compile_to_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                   const std::string &fn_name = "",
                                   const Target &target = get_target_from_environment(),
                                   const Location &location = Location::current()) const;
    /// An object file, and no header.
    void compile_to_object(const std::string &filename, const std::vector<Argument> &args,
                           const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                           const Location &location = Location::current()) const;
    void compile_to_object(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                           const Location &location = Location::current()) const {
        compile_to_object(filename, args, "", target, location);
    }
    /// What the code generator makes, as LLVM bitcode, as the text of LLVM IR, and as assembly.
    void compile_to_bitcode(const std::string &filename, const std::vector<Argument> &args,
                            const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                            const Location &location = Location::current()) const;
    void compile_to_llvm_assembly(const std::string &filename, const std::vector<Argument> &args,
                                  const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                                  const Location &location = Location::current()) const;
    void compile_to_assembly(const std::string &filename, const std::vector<Argument> &args,
                             const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                             const Location &location = Location::current()) const;
    void compile_to_bitcode(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                            const Location &location = Location::current()) const {
        compile_to_bitcode(filename, args, "", target, location);
    }
    void compile_to_llvm_assembly(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                                  const Location &location = Location::current()) const {
        compile_to_llvm_assembly(filename, args, "", target, location);
    }
    void compile_to_assembly(const std::string &filename, const std::vector<Argument> &args, const Target &target,
                             const Location &location = Location::current()) const {
        compile_to_assembly(filename, args, "", target, location);
    }
    /// The C header that declares the function.
    void compile_to_header(const std::string &filename, const std::vector<Argument> &args,
                           const std::string &fn_name = "", const Target &target = get_target_from_environment(),
                           const Location &location = Location::current()) const;
    /// Throws CompileError [not-built]: there is no back end for C.
    void compile_to_c(const std::string &filename, const std::vector<Argument> &args, const std::string &fn_name = "",
                      const Target &target = get_target_from_environment(),
                      const Location &location = Location::current()) const;
    /// The loop IR after all passes, as text or as an HTML page: what the schedule has become.
    void compile_to_lowered_stmt(const std::string &filename, const std::vector<Argument> &args,
                                 StmtOutputFormat format = Text, const Target &target = get_target_from_environment(),
                                 const Location &location = Location::current()) const;
    /// The loops as print_loop_nest prints them, as text or as an HTML page: what the schedule says.
    void compile_to_conceptual_stmt(const std::string &filename, const std::vector<Argument> &args,
                                    StmtOutputFormat format = Text,
                                    const Target &target = get_target_from_environment(),
                                    const Location &location = Location::current()) const;
    /// These files, each to its path, of one lowering (fluorite/module.h).
    void compile_to(const std::map<OutputFileType, std::string> &files, const std::vector<Argument> &args,
                    const std::string &fn_name, const Target &target = get_target_from_environment(),
                    const Location &location = Location::current()) const;
    /// The lowered function, of which files are made later.
    Module compile_to_module(const std::vector<Argument> &args, const std::string &fn_name = "",
                             const Target &target = get_target_from_environment(),
                             const Location &location = Location::current()) const;
    /// For several targets, between which the function chooses when it is called (compile_multitarget): a static
    /// library, or an object for each target and one of the function itself; and the header.
    void compile_to_multitarget_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                               const std::vector<Target> &targets,
                                               const Location &location = Location::current()) const;
    void compile_to_multitarget_object_files(const std::string &filename_prefix, const std::vector<Argument> &args,
                                             const std::vector<Target> &targets,
                                             const std::vector<std::string> &suffixes,
                                             const Location &location = Location::current()) const;
    /// The inputs in the argument order of the compile_ functions: buffers, then scalars, each sorted by name.
    std::vector<Argument> infer_arguments(const Location &location = Location::current()) const;

    /// Prints the loop nest to standard error in a short form.
    void print_loop_nest(const Location &location = Location::current()) const;
    /// The text of print_loop_nest.
    std::string loop_nest(const Location &location = Location::current()) const;
    /// Reports for each Func that this one reads where it is computed and stored, which consumer requires which region
    /// of it through which expression, and the region that is computed. `func` selects one of them.
    std::string explain_bounds(const Location &location = Location::current()) const;
    std::string explain_bounds(const Func &func, const Location &location = Location::current()) const;

    /// Compiles to a function object, which takes the arguments in order, then the output buffers.
    Callable compile_to_callable(const std::vector<Argument> &args, const Target &target = Target(),
                                 const Location &location = Location::current()) const;
    /// As those of the Pipeline of this Func alone.
    void set_jit_externs(const std::map<std::string, JITExtern> &externs,
                         const Location &location = Location::current());
    const std::map<std::string, JITExtern> &get_jit_externs(const Location &location = Location::current()) const;
    /// Forces the next run to compile again.
    void invalidate_cache();

    // ---- The 2014 spelling of fluorite/handlers.h: affects all pipelines of the process.
    /// The setters of fluorite/handlers.h as members.
    void set_error_handler(void (*handler)(void *context, const char *text));
    void set_custom_print(fluorite_print_t function) { fluorite::set_custom_print(function); }
    void set_custom_trace(fluorite_trace_t function) { fluorite::set_custom_trace(function); }
    void set_custom_do_par_for(fluorite_do_par_for_t function) { fluorite::set_custom_do_par_for(function); }
    void set_custom_allocator(fluorite_malloc_t allocate, fluorite_free_t release,
                              const Location &location = Location::current()) {
        fluorite::set_custom_allocator(allocate, release, location);
    }

    /// The pipeline with this Func as its only output; keeps the compiled code.
    Pipeline pipeline(const Location &location = Location::current()) const;

    /// Whether both are the same function.
    bool same_as(const Func &other) const { return function() == other.function(); }

  private:
    Func &fold_storage_in(const VarOrRVar &var, const Expr &extent, bool fold_forward);

    std::shared_ptr<PipelineContents> pipeline_;
};

/// Sets whether Funcs created from now on allow_reassociation(); initially false. compat/Halide.h sets it, because
/// Halide may regroup float sums. The setting is global to the process.
void set_default_reassociation(bool allowed);

} // namespace fluorite
