#pragma once
// Directives as data: what each takes, and how a line of a schedule becomes a call of it. One row for each entry of
// directives.def, in directive_table.cpp; a test goes through both.

#include "schedule/directives/directives.h"

#include <span>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// One line of a schedule: `f.update(0).split(x, xo, xi, 8)`. Arguments are texts: names, words, numbers, expressions.
struct Directive {
    std::string func;
    int stage = 0;            // 0: the pure definition, or the Func as a whole
    std::vector<int> variant; // which specialization, from the outermost in
    std::string name;
    std::vector<std::vector<std::string>> args; // as the row says: one text, or several where it takes a list
    int line = 0;                               // of the text that it was read from; not compared

    bool operator==(const Directive &other) const {
        return func == other.func && stage == other.stage && variant == other.variant && name == other.name &&
               args == other.args;
    }
};

enum class ArgKind : uint8_t {
    Loop,       // a loop that exists
    NewLoop,    // the name of a loop to be
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
};

enum class Arity : uint8_t {
    One,
    Optional, // at the end: may be left out
    List,     // {a, b, c}
    Rest,     // all that follow, each one argument in the text
    Lists,    // all that follow, each a list
};

struct ArgSpec {
    ArgKind kind;
    Arity arity = Arity::One;
};

class DirectiveContext;

struct DirectiveRow {
    /// What a second line with the same Func, stage and (where the row says so) first argument means.
    enum class Again : uint8_t {
        Step,    // another step, after the first
        Same,    // an error where it is the same line
        Replace, // an error: only one of the rows with this `slot` may stand for a Func
    };

    const char *name;
    bool on_stage;
    Again again;
    const char *slot; // Replace: what there is one of
    std::vector<ArgSpec> args;
    /// Null where the directive makes Funcs; those are applied by language/, before all others.
    void (*apply)(DirectiveContext &context, const Directive &directive);
};

/// All rows, in the order of directives.def.
std::span<const DirectiveRow> directive_rows();
/// The row of a name, or null.
const DirectiveRow *find_directive(const std::string &name);

/// The schedule that directives are applied to. Directives' own refusals pass through.
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

/// Applies in order. Throws with the line of the directive in the text; `schedule` is then half done.
void apply_directives(const ir::Graph &graph, Schedule &schedule, std::span<const Directive> directives,
                      const Location &location);
/// The schedule without any directive.
Schedule default_schedule(const ir::Graph &graph);

/// `line 3, f.parallel(y)`, or without the line where it came from no text.
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

} // namespace fluorite::schedule
