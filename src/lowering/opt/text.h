#pragma once
// The texts that fluorite_opt reads.

#include "ir/lowered.h"
#include "schedule/schedule.h"

#include <string>
#include <vector>

namespace fluorite::lowering::opt {

/// A pipeline, a statement or a module, and for a statement the pipeline that it belongs to.
struct OptText {
    std::vector<std::string> passes; // of a line `// pass: NAMES`
    std::string target;              // of a line `// target: TARGET`
    schedule::ScheduledGraph pipeline;
    bool has_pipeline = false;
    ir::Stmt stmt;
    ir::LoweredModule module; // without functions if the text has none
};

/// Sections begin with the lines `// graph:`, `// schedule:` and `// input:`; what follows a line `// expect` is left
/// out, so that golden texts of passes are texts. A text without such lines is one section, known by its first word.
/// `schedule` is the text of another file, or empty. Throws CompileError: [opt-text], [bad-ir-text], and those of
/// schedules; positions are lines of the file.
OptText parse_opt_text(const std::string &text, const std::string &name, const std::string &schedule = "",
                       const std::string &schedule_name = "");

/// The text of the statement with the pipeline that it belongs to.
std::string whole_text(const schedule::ScheduledGraph &pipeline, const std::string &result);

} // namespace fluorite::lowering::opt
