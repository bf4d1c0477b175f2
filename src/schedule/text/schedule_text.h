#pragma once
// The text form of schedules, and the normal form of a schedule as directives.

#include "schedule/directives/table.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::schedule {

constexpr int text_version = 1;

/// `f.update(0).split(x, xo, xi, 8)`.
std::string to_text(const Directive &directive);
/// With the version line and the line `end`.
std::string to_text(std::span<const Directive> directives);
/// `f` or `f.update(0)`.
std::string stage_text(const std::string &func, int stage);

/// Reads what to_text wrote, and hand-written texts; drops blank lines and comments. Throws CompileError.
std::vector<Directive> parse_directives(std::string_view text, const std::string &name, const Location &location);

/// Reads directives without a version line and `end`, one a line.
std::vector<Directive> parse_directive_lines(std::string_view text, const std::string &name, const Location &location);

/// The text of an integer expression, with names but without the owners that identify symbols.
std::string expression_text(const Expr &expr);

/// The directives that produce this schedule from the default one: for each Func its levels, storage and promises, then
/// for each stage its steps in order, one reorder, and how its loops run. Defaults are omitted.
std::vector<Directive> directives_of(const ir::Graph &graph, const Schedule &schedule);
/// The same from another base schedule, whose steps are a prefix of the schedule's.
std::vector<Directive> directives_of(const ir::Graph &graph, const Schedule &schedule, const Schedule &base);

/// The directive that makes a wrapper, and the wrapper's name.
struct WrapperLine {
    Directive line;
    std::string made;
};
/// What directives have done beside the schedules of a graph's Funcs: Funcs that they have added, and tiles of
/// iterations.
struct MadeFuncs {
    std::vector<WrapperLine> wrappers;
    std::vector<Directive> cuts;           // lines that end in rfactor
    std::shared_ptr<const Schedule> after; // the schedule after them; null if there are none
    std::vector<Directive> time_tiles;
};
/// Puts the lines for Funcs first, and those for tiles last; omits a wrapper that is not scheduled and that no other
/// line names.
std::vector<Directive> all_lines(const MadeFuncs &made, std::vector<Directive> directives);

/// The differing lines of `from` and `to`, grouped by Func and stage, as Schedule::diff shows them.
std::string diff_text(std::span<const Directive> from, std::span<const Directive> to);

} // namespace fluorite::schedule
