#pragma once
// What stands behind a Func: its definitions and its schedule. Directives edit the schedule, assignments the
// definitions, and freezing (language/freeze.h) reads both.
//
// Ownership: a Call in a definition owns the Function that it calls, except for self-calls, whose Symbol is weak. So
// Functions form a graph without cycles and die with their last user. Symbols of Functions are equal when they name the
// same object, weak or not.

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
    Expr predicate;        // undefined: all points
    bool used = false;     // by a definition; where() is then refused
    bool orphaned = false; // its predicate called a Func that is gone
    Location location;

    /// The symbol of an RVar: it keeps the domain alive unless weak.
    ir::Symbol symbol(int dim, bool weak = false) const;
};

struct Function;

enum class WrapperKind : uint8_t {
    Copy, // in(): calls the wrapped Func
    Clone // clone_in(): has its definitions
};

/// A Func that stands between a Func and some of its consumers (none listed: all of them). The wrapped Function owns
/// it, so its call of the wrapped one is weak.
struct Wrapper {
    WrapperKind kind = WrapperKind::Copy;
    std::vector<ir::Symbol> consumers; // weak
    RefPtr<Function> function;
};

/// What copies of a LoopLevel share. It owns no Func: what a consumer calls must not own the consumer.
struct LevelState {
    std::optional<schedule::LoopLevel> level; // none: to be set later
    uint64_t edits = 0;
};

/// The definitions and schedule of a Func.
struct Function : RefCounted {
    std::string name; // anonymous names hold a '$'
    ir::FuncDef def;  // symbol is weak; no stages: not defined yet
    schedule::FuncSchedule schedule;
    std::shared_ptr<const LevelState> compute_level, store_level, hoist_level; // as scheduled; null: none was named

    // Declared, and not yet checked against a definition.
    std::vector<Type> declared_types;
    int declared_dimensions = -1;

    bool is_image = false; // stands for an ImageParam
    bool used = false;     // by another definition: no more definitions of its own
    /// The updates as the program wrote them, by stage, where a directive (rfactor) has rewritten them in `def`.
    std::map<size_t, ir::Stage> algorithm;
    /// How it was cut (rfactor), in order: what the loops of the stage were, and what was kept.
    struct Factored {
        size_t stage;
        schedule::StageSchedule before;
        std::vector<std::string> rvars, vars;
        Function *partial;
    };
    std::vector<Factored> factored;
    /// The Function whose partial results this one holds, or null; `is_partial` stays when that one is gone.
    Function *partial_of = nullptr;
    bool is_partial = false;
    uint64_t edits = 0; // counts definitions and directives, so that a cache can tell that it is stale
    std::vector<RefPtr<ir::Parameter>> output_parameters; // made by output_buffer(), one a value
    std::vector<Function *> callees;                      // distinct others that the definitions call, and so own
    std::vector<Wrapper> wrappers;
    std::vector<ir::Parameter *> images;               // distinct ImageParams that the definitions read, and so own
    std::vector<RefPtr<ReductionDomain>> self_domains; // whose predicates call this Function, weakly

    ~Function() override;

    bool defined() const { return !def.stages.empty(); }
    /// The wrapper that `consumer` calls in place of this Function, or null.
    const Wrapper *wrapper_before(const Function &consumer) const;
    /// What `consumer` calls where its definition says this Function: itself, or a wrapper, or a wrapper's wrapper.
    const Function *as_called_by(const Function &consumer) const;
    /// The definition of a stage as the program wrote it.
    const ir::Stage &algorithm_of(size_t stage) const;
    /// Distinct others that the program's definitions call.
    std::vector<Function *> algorithm_callees() const;
    /// A symbol that keeps the Function alive, for Calls of others.
    ir::Symbol strong_symbol() const;

    /// What directives edit; stage 0 is the pure definition. Throws CompileError [undefined-func] without a definition.
    schedule::StageRef stage_ref(int stage, const Location &location);
    schedule::FuncRef func_ref(const Location &location);
};

/// `RDom r and RDom s`; where both have one name, with the places where they were made.
std::string both_names(const ReductionDomain &a, const ReductionDomain &b);

/// A fresh undefined Function; an empty name makes an anonymous one.
RefPtr<Function> make_function(const std::string &name);
/// What set_default_reassociation() set.
std::atomic<bool> &default_reassociation();
/// The Function behind a Func symbol, or null for a symbol of a frozen graph.
Function *function_of(const ir::Symbol &symbol);

/// The wrapper for these consumers (empty: all), made where there is none. Throws where another one has some of them.
RefPtr<Function> wrapper_for(Function &function, const std::vector<Function *> &consumers, WrapperKind kind,
                             const Location &location);
/// Throws CompileError [wrapper-unused] where a wrapper lists one of these Functions that does not call what is
/// wrapped.
void check_wrappers(const std::vector<Function *> &functions);
/// The Function that stands for the pixels of an ImageParam, to have wrappers; owned by the parameter. Null: none made.
const Function *image_function(const ir::Parameter &parameter);
/// What `consumer` reads in place of an ImageParam: a wrapper, or null for the input itself.
const Function *image_as_read_by(const ir::Parameter &parameter, const Function &consumer);

/// The first definition. `args` are distinct Vars.
void define_pure(Function &function, const std::vector<Expr> &args, std::vector<Expr> values, const Location &location);
/// Adds an update; returns its index among the stages.
int define_update(Function &function, std::vector<Expr> args, std::vector<Expr> values, const Location &location);

/// Distinct Functions that a stage calls, the caller excepted, in order of first mention.
std::vector<Function *> callees_of(const ir::Stage &stage, const Function &caller);
/// Cuts an update into partial results along the RVar loops `rvars`, each kept by a dimension of the same place in
/// `vars`; gives the Function that holds them. See rfactor.cpp.
RefPtr<Function> rfactor(Function &function, int stage, const std::vector<std::string> &rvars,
                         const std::vector<std::string> &vars, const Location &location);

// ---- Names.

/// A name that no other anonymous object has; it contains a '$', which user's names cannot.
std::string anonymous_name(const std::string &prefix);
bool is_anonymous(const std::string &name);
/// The name as messages show it: an anonymous one without its number.
std::string shown_name(const std::string &name);
/// The expression as the user would write it: symbols by their names alone, r.x for RVars.
std::string shown(const Expr &expr);
/// The same without types, fields of buffers as programs write them (`in.dim(0).extent()`), and cut at 200 characters.
std::string user_text(const Expr &expr);
/// A user's name with everything but letters, digits and underscores replaced by underscores.
std::string clean_name(const std::string &name);

// ---- Errors.

/// Throws CompileError: `in <func>, stage <k>: <seen>; <rule>; <fix>`. A negative stage is left out.
[[noreturn]] void fail(const char *slug, const Function &function, int stage, const std::string &text,
                       const Location &location);
/// The same without a Func: `in <what>: ...`.
[[noreturn]] void fail(const char *slug, const std::string &what, const std::string &text, const Location &location);

} // namespace fluorite::language
