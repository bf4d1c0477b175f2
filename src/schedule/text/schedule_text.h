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

/// Reads what to_text wrote, and hand-written texts: blank lines and comments are dropped. Throws CompileError.
std::vector<Directive> parse_directives(std::string_view text, const std::string &name, const Location &location);

/// An integer expression without what identifies its symbols, as names do.
std::string expression_text(const Expr &expr);

/// The directives that make this schedule of the default one: for each Func its level, storage, promises, then for each
/// stage its steps in order, one reorder, and how its loops run. What the default has anyway is left out.
std::vector<Directive> directives_of(const ir::Graph &graph, const Schedule &schedule);
/// The same from another start, whose steps the schedule begins with.
std::vector<Directive> directives_of(const ir::Graph &graph, const Schedule &schedule, const Schedule &base);

/// A wrapper as the line that makes it, and its name.
struct WrapperLine {
    Directive line;
    std::string made;
};
/// What directives have made of a graph besides its schedule.
struct MadeFuncs {
    std::vector<WrapperLine> wrappers;
    std::vector<Directive> cuts;           // lines that end in rfactor
    std::shared_ptr<const Schedule> after; // the schedule that these leave; null where there are none
};
/// Puts these lines first; a wrapper that is not scheduled, and that no other line names, is left out.
std::vector<Directive> all_lines(const MadeFuncs &made, std::vector<Directive> directives);

/// Lines of `from` and `to` grouped by Func and stage, as Schedule::diff shows them.
std::string diff_text(std::span<const Directive> from, std::span<const Directive> to);

} // namespace fluorite::schedule
