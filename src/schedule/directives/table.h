#pragma once
// Directives as data: a row for each entry of directives.def, which stands in the file of the directive (rows.h). From
// the rows derive how a line of a schedule is read, checked, applied and printed, what a certificate says of it, which
// directives ranks refuse, the tables of docs/, and the tests that every directive passes.

#include "schedule/directives/directives.h"

#include <span>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// One line of a schedule: `f.update(0).split(x, xo, xi, 8)`. Arguments are texts: names, words, numbers, expressions.
struct Directive {
    std::string func;
    int stage = 0;            // 0: the pure definition, or the Func as a whole
    std::vector<int> variant; // which specialization, outermost first
    std::string name;
    std::vector<std::vector<std::string>> args; // by the row's specs: one text, or several for a list
    int line = 0;                               // in the text that it was read from; not compared

    bool operator==(const Directive &other) const {
        return func == other.func && stage == other.stage && variant == other.variant && name == other.name &&
               args == other.args;
    }
};

enum class ArgKind : uint8_t {
    Loop,       // a loop that exists
    NewLoop,    // the name of a new loop
    Dimension,  // a pure Var of the Func
    Func,       // a Func of the pipeline
    Source,     // a Func or an input of the pipeline
    Expression, // an integer expression of Params and buffer fields, in the syntax of ir/print.h
    Promise,    // an expression, or the word `none`
    Integer,
    Tail,      // TailStrategy
    Partition, // Auto, Never, Always
    Memory,    // Auto, Heap, Stack, Register
    Text,      // in double quotes
    Align,     // LoopAlignStrategy
    Outside,   // Clamp, GuardWithIf, NonFaulting
    Shape,     // Overlapped, Wavefront, Diamond
};

enum class Arity : uint8_t {
    One,
    Optional,     // only at the end
    List,         // {a, b, c}
    OptionalList, // the same, or {}; only before what is Optional
    Rest,         // all remaining arguments, without braces
    Lists,        // all remaining arguments, each a list
};

struct ArgSpec {
    ArgKind kind;
    Arity arity = Arity::One;
};

class DirectiveContext;

/// What a directive is about.
enum class Subject : uint8_t {
    Loops,     // of a stage: their order, and how they run
    Placement, // where a Func is computed
    Region,    // what is promised or guessed of the region of a Func
    Storage,   // where and how values are stored
    Time,      // when a Func is computed, and how long values are kept
    Ranks,     // which rank has what
    Funcs,     // which Funcs there are
};

/// What a directive means to values, and so to a certificate of the schedule. What certify() makes of a directive it
/// lists itself, as it goes; this is said of the others.
struct Meaning {
    enum class Kind : uint8_t {
        Rewrite,  // it becomes steps of the derivation, or a part of the certificate; the reason says where it is not
        Implied,  // the same, or the term is so anyway: outputs at root, loops in this order
        Nothing,  // values cannot depend on it
        Uncovered // the certificate is about the schedule without it
    };
    Kind kind = Kind::Uncovered;
    const char *reason = "";
};

struct DirectiveRow {
    /// What a further line of the same directive for the same Func means.
    enum class Again : uint8_t {
        Step,    // one more step, after the first
        Same,    // another one, unless the line is the same, which is an error
        Replace, // an error: a Func has at most one line of the rows with this `slot`
    };

    DirectiveName id = {};
    const char *name = "", *summary = ""; // of directives.def, as the id
    bool on_stage = false;
    Again again = Again::Same;
    const char *slot = ""; // Replace: what a Func can have only one of
    std::vector<ArgSpec> args = {};
    /// Null if the directive creates Funcs, or is one of an iteration. language/ applies these, in between the others.
    Verdict (*apply)(DirectiveContext &context, const Directive &directive) = nullptr;
    Subject subject = Subject::Loops;
    Meaning meaning = {};
    /// A line for the tests of every directive. Their pipeline computes blur_x(x, y) from `input`, blur_y(x, y) from
    /// it, and total(x, y), with an update over r; p is a Param.
    const char *example = "";
    /// Whether the line alone leaves nothing in the normal form, as it states a default.
    bool leaves_nothing = false;
    /// Of a directive that is a Mark, what it refuses; the value is as the mark keeps it. Null: nothing.
    Result<Expr> (*check_func)(const FuncRef &func, const Expr &value, Location location) = nullptr;
    Result<Expr> (*check_stage)(const StageRef &stage, const Expr &value, Location location) = nullptr;
};

/// All rows, in the order of directives.def.
std::span<const DirectiveRow> directive_rows();
/// The row of a name, or null.
const DirectiveRow *find_directive(const std::string &name);
const DirectiveRow &row_of(DirectiveName name);
/// The mark as messages name it.
AppliedDirective applied(const Mark &mark);

/// The schedule to which directives are applied. Lines that do not fit the graph throw CompileError
/// [schedule-mismatch]: they are of another pipeline.
class DirectiveContext {
  public:
    DirectiveContext(const ir::Graph &graph, Schedule &schedule, Location location)
        : graph_(graph), schedule_(schedule), location_(location) {}

    StageRef stage(const Directive &directive);
    FuncRef func(const Directive &directive);
    LoopLevel level(const Directive &directive);
    /// The symbol of a Func or an input.
    ir::Symbol source(const Directive &directive, const std::string &name) const;
    /// The text as an expression of the graph's Params and inputs; undefined for `none`.
    Expr expr(const Directive &directive, const std::string &text);
    const Location &location() const { return location_; }

  private:
    const ir::Graph &graph_;
    Schedule &schedule_;
    Location location_;

    const ir::FuncDef &definition(const Directive &directive, const std::string &name) const;
};

/// Applies the directives in order. A refusal has the line of the directive; `schedule` is then partly modified.
Verdict apply_directives(const ir::Graph &graph, Schedule &schedule, std::span<const Directive> directives,
                         const Location &location);
/// The schedule without any directive.
Schedule default_schedule(const ir::Graph &graph);

/// `line 3, f.parallel(y)`; without the line if the directive was not read from a text.
std::string where(const Directive &directive);
[[noreturn]] void refuse_mismatch(const Directive &directive, const std::string &text, const Location &location);

// ---- Words.

const char *tail_word(TailStrategy tail);
const char *partition_word(Partition partition);
/// `serial`, `parallel`, `vectorized`...: how a loop of the kind runs.
const char *type_word(ForType type);
const char *memory_word(MemoryType memory);
const char *align_word(LoopAlignStrategy align);
const char *outside_word(PrefetchBoundStrategy strategy);
const char *shape_word(TimeTileShape shape);

} // namespace fluorite::schedule
