// Texts: a text that is read, printed and read again is printed identically.
#include "fluorite/fluorite.h"
#include "fluorite/schedule.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "schedule/text/pipeline_text.h"
#include "targets.h"

#include <cstdio>
#include <cstdlib>

namespace fluorite::libfuzzer {

void found(std::string_view what, std::string_view details) {
    std::fprintf(stderr, "%.*s:\n%.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(details.size()),
                 details.data());
    std::abort();
}

namespace {

/// Reads and prints twice and compares. Input that the first reading refuses is no finding.
template <typename Read, typename Print>
void print_and_read(const Read &read, const Print &print, std::string_view bytes, const char *slug) {
    decltype(read(bytes)) value;
    try {
        value = read(bytes);
    } catch (const CompileError &error) {
        if (!error.slug().starts_with(slug)) {
            found("an error of another kind", error.what());
        }
        return;
    }
    const std::string text = print(value);
    try {
        if (print(read(text)) != text) {
            found("printed in another way when it is read again", text + "\n" + print(read(text)));
        }
    } catch (const CompileError &error) {
        found("what was printed is refused", text + "\n" + error.what());
    }
}

} // namespace

void loop_ir(std::string_view bytes) {
    // An undefined statement is legal, too, and is printed as an empty text here.
    const auto text = [](const auto &value) { return ir::to_text(value); };
    const auto stmt_text = [](const ir::Stmt &stmt) { return stmt.defined() ? ir::to_text(stmt) : ""; };
    print_and_read([](std::string_view t) { return ir::parse_expr(t); }, text, bytes, "bad-ir-text");
    print_and_read([](std::string_view t) { return ir::parse_stmt(t); }, stmt_text, bytes, "bad-ir-text");
    print_and_read([](std::string_view t) { return ir::parse_lowered(t); }, text, bytes, "bad-ir-text");
    print_and_read([](std::string_view t) { return ir::parse_graph(t); }, text, bytes, "bad-ir-text");
}

void target_string(std::string_view bytes) {
    print_and_read([](std::string_view t) { return Target(std::string(t)); },
                   [](const Target &target) { return target.to_string(); }, bytes, "bad-target");
}

// A graph, and a schedule for it after the line `// schedule:`, as fluorite_opt reads them.
void pipeline_text(std::string_view bytes) {
    constexpr std::string_view mark = "// schedule:\n";
    const size_t at = std::min(bytes.find(mark), bytes.size());
    const std::string_view rest = bytes.substr(at);
    try {
        const schedule::ScheduledGraph pipeline =
            schedule::parse_pipeline(bytes.substr(0, at), rest.substr(std::min(mark.size(), rest.size())));
        const std::string graph = ir::to_text(pipeline.graph), text = schedule::schedule_text(pipeline);
        const schedule::ScheduledGraph again = schedule::parse_pipeline(graph, text);
        if (ir::to_text(again.graph) != graph || schedule::schedule_text(again) != text) {
            found("the pipeline is read as another one", graph + text);
        }
    } catch (const CompileError &) {
    }
}

// A schedule that can be read is also applied to a pipeline, which accepts or refuses it.
void schedule_text(std::string_view bytes) {
    print_and_read([](std::string_view t) { return Schedule::parse(t); },
                   [](const Schedule &schedule) { return schedule.text(); }, bytes, "schedule-");
    try {
        const Schedule schedule = Schedule::parse(bytes);
        Var x("x"), y("y");
        RDom r(0, 8, 0, 4, "r");
        Func f("f"), g("g"), h("h");
        ImageParam input(Int(32), 2, "input");
        f(x, y) = input(x, y) + x;
        g(x, y) = f(x, y) + f(x + 1, y);
        g(x, y) += f(x + r.x, y) * r.y;
        h(x, y) = g(x, y) + g(x, y + 1);
        Pipeline pipeline(h);
        pipeline.apply(schedule);
        const std::string text = pipeline.schedule().text();
        if (Schedule::parse(text).text() != text) {
            found("the schedule of a pipeline is read as another one", text);
        }
    } catch (const CompileError &) {
    }
}

} // namespace fluorite::libfuzzer
