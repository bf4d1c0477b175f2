#pragma once
// Directives as data: the arguments of each, and how a line of a schedule becomes a call. table.cpp has one row for
// each entry of directives.def; a test compares the two.

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

struct DirectiveRow {
    /// What a further line of the same directive for the same Func means.
    enum class Again : uint8_t {
        Step,    // one more step, after the first
        Same,    // another one, unless the line is the same, which is an error
        Replace, // an error: a Func has at most one line of the rows with this `slot`
    };

    const char *name;
    bool on_stage;
    Again again;
    const char *slot; // Replace: what a Func can have only one of
    std::vector<ArgSpec> args;
    /// Null if the directive creates Funcs, or is one of an iteration. language/ applies these, in between the others.
    Verdict (*apply)(DirectiveContext &context, const Directive &directive);
};

/// All rows, in the order of directives.def.
std::span<const DirectiveRow> directive_rows();
/// The row of a name, or null.
const DirectiveRow *find_directive(const std::string &name);

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
