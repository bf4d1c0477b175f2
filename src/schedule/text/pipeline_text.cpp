// Frozen pipelines from texts: the graph is parsed, and the directives are applied to its default schedule.
//
// Directives that make Funcs (in, clone_in, rfactor) and those of iterations are refused: language/ applies them to the
// program, and the graph is what comes of that.

#include "schedule/text/pipeline_text.h"

#include "ir/parse.h"
#include "ir/verify.h"
#include "schedule/directives/table.h"
#include "schedule/text/schedule_text.h"

namespace fluorite::schedule {

namespace {

/// The first word that is not in a comment.
std::string_view first_word(std::string_view text) {
    while (true) {
        const size_t begin = text.find_first_not_of(" \t\n\r");
        if (begin == std::string_view::npos) {
            return {};
        }
        text.remove_prefix(begin);
        if (!text.starts_with("//")) {
            return text.substr(0, text.find_first_of(" \t\n\r."));
        }
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
}

std::vector<Directive> directives_in(std::string_view text, const std::string &name) {
    return first_word(text) == "fluorite" ? parse_directives(text, name, {}) : parse_directive_lines(text, name, {});
}

void refuse_makers(const std::vector<Directive> &directives, const std::string &name) {
    for (const Directive &directive : directives) {
        if (!find_directive(directive.name)->apply) {
            throw CompileError("opt-text", "in " + name + ", " + where(directive) +
                                               " makes Funcs or tiles an iteration; the graph in a text is what a "
                                               "program has after that; write the graph with these Funcs, and their "
                                               "schedules");
        }
    }
}

} // namespace

ScheduledGraph parse_pipeline(std::string_view graph, std::string_view schedule, const std::string &name,
                              const std::string &schedule_name) {
    ir::ParseOptions options;
    options.numbers_graph = true;
    options.file = name;
    ScheduledGraph pipeline;
    pipeline.graph = ir::parse_graph(graph, options);
    if (const std::optional<std::string> violation = ir::find_violation(pipeline.graph)) {
        throw CompileError("bad-ir-text", "in " + name + ": the graph breaks a rule of graphs (src/ir/graph.h): " +
                                              *violation + "; repair it");
    }
    pipeline.schedule = default_schedule(pipeline.graph);
    const std::vector<Directive> directives = directives_in(schedule, schedule_name);
    refuse_makers(directives, schedule_name);
    apply_directives(pipeline.graph, pipeline.schedule, directives, {}).or_raise();
    return pipeline;
}

std::string schedule_text(const ScheduledGraph &pipeline) {
    return to_text(directives_of(pipeline.graph, pipeline.schedule));
}

} // namespace fluorite::schedule
