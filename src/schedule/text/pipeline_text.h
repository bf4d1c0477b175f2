#pragma once
// A frozen pipeline as text: its graph and its schedule. For tests, and for tools that run passes on texts.

#include "schedule/schedule.h"

#include <string>
#include <string_view>

namespace fluorite::schedule {

/// A graph as ir/print.h describes it, and a schedule as schedule_text.h does. Names of the graph may stand without
/// owners (ir::ParseOptions::numbers_graph), and a schedule without its first and last line: only directives, one a
/// line. An empty schedule is the default one. Throws CompileError: [bad-ir-text], those of schedules and directives,
/// and [opt-text] for a directive that makes Funcs or concerns an iteration: a graph has those Funcs already, and no
/// text form has iterations. The names precede positions in messages.
ScheduledGraph parse_pipeline(std::string_view graph, std::string_view schedule, const std::string &name = "text",
                              const std::string &schedule_name = "text");

/// The directives of the schedule, in the text form of schedules.
std::string schedule_text(const ScheduledGraph &pipeline);

} // namespace fluorite::schedule
