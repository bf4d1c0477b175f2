#pragma once
// The state behind a Func: its definitions and its schedule. Directives edit the schedule, assignments edit the
// definitions, and freezing (language/freeze.h) reads both.
//
// Ownership: a Call in a definition owns the Function that it calls, except for self-calls, whose Symbol is weak. So
// Functions form an acyclic graph, and each is freed with its last user. Symbols of Functions are equal when they name
// the same object, weak or not.

#include "fluorite/func.h"
#include "ir/graph.h"
#include "schedule/directives/directives.h"
#include "schedule/schedule.h"
#include "support/ref_counted.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::language {

/// The box and predicate of an RDom. Its Exprs refer to its RVars by weak symbols.
struct ReductionDomain : RefCounted {
    struct Dim {
        std::string name;
        Expr min, extent;
    };
    std::string name;
    std::vector<Dim> dims; // innermost first
    Expr predicate;        // undefined means all points
    bool used = false;     // by a definition; where() is then refused
    bool orphaned = false; // its predicate called a Func that no longer exists
    Location location;

    /// The symbol of an RVar. It keeps the domain alive unless it is weak.
    ir::Symbol symbol(int dim, bool weak = false) const;
};

struct Function;

enum class WrapperKind : uint8_t {
    Copy, // in(): calls the wrapped Func
    Clone // clone_in(): copies its definitions
};

/// A Func between a Func and some of its consumers (an empty list means all). The wrapped Function owns the wrapper, so
/// the wrapper's call of it is weak.
struct Wrapper {
    WrapperKind kind = WrapperKind::Copy;
    std::vector<ir::Symbol> consumers; // weak
    /// The consumers that had no definition when they were named; what is pointed to is null when they are gone.
    std::vector<std::shared_ptr<const Function *>> undefined;
    RefPtr<Function> function;
};

/// The state that copies of a LoopLevel share. It owns no Func, because a callee must not own its consumer.
struct LevelState {
    std::optional<schedule::LoopLevel> level; // none: not set yet
    bool is_rvar = false;                     // the loop is named by an RVar
    uint64_t edits = 0;
};

/// Bounds inference is quadratic in the dimensions: 80 of them take two seconds.
inline constexpr size_t most_dimensions = 64;

/// The definitions and schedule of a Func.
struct Function : RefCounted {
    std::string name; // anonymous names hold a '$'
    ir::FuncDef def;  // symbol is weak; no stages: not defined yet
    schedule::FuncSchedule schedule;
    std::shared_ptr<const LevelState> compute_level, store_level, hoist_level; // as scheduled; null if not scheduled

    // Declared types and rank, not yet checked against a definition.
    std::vector<Type> declared_types;
    int declared_dimensions = -1;

    bool is_image = false;    // stands for an ImageParam
    bool used = false;        // called by another definition, so it takes no further definitions
    bool is_resolved = false; // of a scratch pipeline: it calls the wrappers of what it reads already
    /// What made it where its values are those of another Func, as "in() of f"; such a Func takes no definitions.
    std::string stands_for;
    /// The updates as the program wrote them, by stage, where a directive (rfactor) has rewritten them in `def`.
    std::map<size_t, ir::Stage> algorithm;
    /// The rfactor applications in order: the loops of the stage before, and the loops that were kept.
    struct Factored {
        size_t stage;
        schedule::StageSchedule before;
        std::vector<std::string> rvars, vars;
        Function *partial;
    };
    std::vector<Factored> factored;
    /// The Function whose partial results this one computes, or null. `is_partial` remains true when that one is freed.
    Function *partial_of = nullptr;
    bool is_partial = false;
    uint64_t edits = 0; // counts definitions and directives, so that a cache detects that it is stale
    std::vector<RefPtr<ir::Parameter>> output_parameters; // made by output_buffer(), one per value
    /// The same, made now if they are not. The Function is defined.
    const std::vector<RefPtr<ir::Parameter>> &needed_output_parameters();
    std::vector<Function *> callees; // distinct other Functions that the definitions call and own
    std::vector<Wrapper> wrappers;
    std::vector<ir::Parameter *> images;               // distinct ImageParams that the definitions read, and so own
    std::vector<RefPtr<ReductionDomain>> self_domains; // their predicates call this Function, weakly
    std::shared_ptr<const Function *> self;            // what wrappers hold of it, until it is gone

    ~Function() override;

    bool defined() const { return !def.stages.empty(); }
    /// The wrapper that `consumer` calls instead of this Function, or null.
    const Wrapper *wrapper_before(const Function &consumer) const;
    /// The Function that a call of this one in `consumer` resolves to: itself, a wrapper, or a wrapper's wrapper.
    const Function *as_called_by(const Function &consumer) const;
    /// The definition of a stage as the program wrote it.
    const ir::Stage &algorithm_of(size_t stage) const;
    /// Distinct other Functions that the program's definitions call.
    std::vector<Function *> algorithm_callees() const;
    /// A symbol that keeps the Function alive, for Calls in other Functions.
    ir::Symbol strong_symbol() const;

    /// Targets of directives; stage 0 is the pure definition. Throw CompileError [undefined-func] without a definition.
    schedule::StageRef stage_ref(int stage, const Location &location);
    schedule::FuncRef func_ref(const Location &location);
    /// The same for where it is computed and stored, which can be said before it is defined.
    schedule::FuncRef level_ref();
};

/// `RDom r and RDom s`; if both have the same name, the text adds where they were made.
std::string both_names(const ReductionDomain &a, const ReductionDomain &b);

/// A fresh undefined Function; an empty name makes an anonymous one.
RefPtr<Function> make_function(const std::string &name);
/// The setting of set_default_reassociation().
std::atomic<bool> &default_reassociation();
/// The Function behind a Func symbol, or null for a symbol of a frozen graph.
Function *function_of(const ir::Symbol &symbol);

/// The wrapper for these consumers (empty: all), created if absent. Throws if another wrapper lists some of them.
RefPtr<Function> wrapper_for(Function &function, const std::vector<Function *> &consumers, WrapperKind kind,
                             const Location &location);
/// Throws CompileError [wrapper-unused] where a wrapper lists one of these Functions that does not call the wrapped
/// Func.
void check_wrappers(const std::vector<Function *> &functions);
/// The Function that represents the pixels of an ImageParam, so that it can have wrappers. The parameter owns it; null
/// if none was created.
const Function *image_function(const ir::Parameter &parameter);
/// The same, created now if absent.
Function &needed_image_function(ir::Parameter &parameter, const Location &location);
/// The Function that `consumer` reads instead of an ImageParam: a wrapper, or null for the input itself.
const Function *image_as_read_by(const ir::Parameter &parameter, const Function &consumer);

/// The first definition. `args` are distinct Vars.
void define_pure(Function &function, const std::vector<Expr> &args, std::vector<Expr> values, const Location &location);
/// Adds an update; returns its index among the stages.
int define_update(Function &function, std::vector<Expr> args, std::vector<Expr> values, const Location &location);

/// Distinct Functions that a stage calls, the caller excepted, in order of first mention.
std::vector<Function *> callees_of(const ir::Stage &stage, const Function &caller);
/// Splits an update into partial results along the RVar loops `rvars`, each of which becomes the dimension at the same
/// index in `vars`; returns the Function of the partial results. See rfactor.cpp.
RefPtr<Function> rfactor(Function &function, int stage, const std::vector<std::string> &rvars,
                         const std::vector<std::string> &vars, const Location &location);

// ---- Names.

/// A unique name for an anonymous object. It contains a '$', which users' names cannot.
std::string anonymous_name(const std::string &prefix);
bool is_anonymous(const std::string &name);
/// The name as messages show it: an anonymous one without its number.
std::string shown_name(const std::string &name);
/// The expression in the user's spelling: symbols by name, r.x for RVars.
std::string shown(const Expr &expr);
/// As shown(), without types, with fields of buffers in API spelling (`in.dim(0).extent()`), and truncated to 200
/// characters.
std::string user_text(const Expr &expr);
/// A user's name with everything but letters, digits and underscores replaced by underscores.
std::string clean_name(const std::string &name);

// ---- Errors.

/// Throws CompileError: `in <func>, stage <k>: <seen>; <rule>; <fix>`. A negative stage is omitted.
[[noreturn]] void fail(const char *slug, const Function &function, int stage, const std::string &text,
                       const Location &location);
/// The same without a Func: `in <what>: ...`.
[[noreturn]] void fail(const char *slug, const std::string &what, const std::string &text, const Location &location);

} // namespace fluorite::language
