// The texts that fluorite_opt reads: their sections, and what is in them.
//
// A section keeps the number of its lines: what comes before it becomes blank lines, so that the messages of all
// parsers name lines of the file. The symbols of the graph are given to the parser of the statement, which are then the
// same objects, with the inputs and parameters behind them. Cost: linear in the text.

#include "lowering/opt/text.h"

#include "fluorite/errors.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "schedule/text/pipeline_text.h"

#include <sstream>

namespace fluorite::lowering::opt {

using namespace ir;

namespace {

struct Sections {
    std::string passes, target, graph, schedule, input;
};

bool is_blank(const std::string &text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

/// The first word that is not in a comment.
std::string first_word(const std::string &text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        if (words >> word && !word.starts_with("//")) {
            return word;
        }
    }
    return "";
}

/// The section that a text without the lines that begin sections is.
std::string &only_section(Sections &sections, const std::string &text) {
    const std::string word = first_word(text);
    return word == "graph" ? sections.graph : word == "fluorite" ? sections.schedule : sections.input;
}

Sections sections_of(const std::string &text) {
    Sections sections;
    std::string whole, blank;
    std::string *section = nullptr;
    bool has_marks = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::string *const begun = line.starts_with("// graph:")      ? &sections.graph
                                   : line.starts_with("// schedule:") ? &sections.schedule
                                   : line.starts_with("// input:")    ? &sections.input
                                                                      : nullptr;
        blank += '\n';
        whole += line + "\n";
        if (line.starts_with("// expect") || line.starts_with("// error:")) {
            break;
        }
        if (line.starts_with("// pass:")) {
            sections.passes = line.substr(8);
        } else if (line.starts_with("// target:")) {
            sections.target = line.substr(10);
        } else if (begun) {
            section = begun;
            *section = blank;
            has_marks = true;
        } else if (section) {
            *section += line + "\n";
        }
    }
    if (!has_marks) {
        only_section(sections, whole) = whole;
    }
    return sections;
}

std::vector<std::string> names_of(const std::string &list) {
    std::vector<std::string> names;
    std::istringstream parts(list);
    for (std::string name; std::getline(parts, name, ',');) {
        const size_t begin = name.find_first_not_of(" \t\r");
        if (begin != std::string::npos) {
            names.push_back(name.substr(begin, name.find_last_not_of(" \t\r") - begin + 1));
        }
    }
    return names;
}

/// The symbols of the graph that a statement may use.
std::vector<Symbol> symbols_of(const Graph &graph) {
    std::vector<Symbol> symbols;
    for (const InputDef &input : graph.inputs) {
        symbols.push_back(input.symbol);
    }
    for (const ParamDef &param : graph.params) {
        symbols.push_back(param.symbol);
    }
    for (const FuncDef &func : graph.funcs) {
        symbols.push_back(func.symbol);
    }
    return symbols;
}

[[noreturn]] void refuse_text(const std::string &name, const std::string &text) {
    throw CompileError("opt-text", "in " + name + ": " + text);
}

void parse_input(const std::string &input, const std::string &name, OptText &result) {
    ParseOptions options;
    options.file = name;
    options.symbols = symbols_of(result.pipeline.graph);
    const std::string word = first_word(input);
    if (word == "func" || word == "task" || word == "callee" || word == "constant" || word == "streams") {
        result.module = parse_module(input, options);
        if (const std::optional<std::string> violation = find_violation(result.module)) {
            throw CompileError("bad-ir-text",
                               "in " + name + ": the module breaks a rule of modules (src/ir/verify.h): " + *violation +
                                   "; repair it");
        }
    } else {
        result.stmt = parse_stmt(input, options);
    }
}

} // namespace

OptText parse_opt_text(const std::string &text, const std::string &name, const std::string &schedule,
                       const std::string &schedule_name) {
    Sections sections = sections_of(text);
    const bool has_second = !schedule_name.empty();
    if (has_second && !is_blank(sections.schedule)) {
        refuse_text(name, "it has a schedule, and " + schedule_name +
                              " is another one; a graph has one schedule; leave one of both out");
    }
    if (is_blank(sections.graph) && (has_second || !is_blank(sections.schedule))) {
        refuse_text(name, "it has a schedule and no graph; a schedule is applied to a graph; add the graph");
    }
    if (is_blank(sections.graph) && first_word(sections.input).empty()) {
        refuse_text(name, "it has neither a graph nor a statement; passes run on one of both; give one");
    }
    OptText result;
    result.passes = names_of(sections.passes);
    const std::vector<std::string> targets = names_of(sections.target);
    result.target = targets.empty() ? "" : targets.front();
    result.has_pipeline = !is_blank(sections.graph);
    if (result.has_pipeline) {
        result.pipeline = has_second ? schedule::parse_pipeline(sections.graph, schedule, name, schedule_name)
                                     : schedule::parse_pipeline(sections.graph, sections.schedule, name, name);
    }
    if (!first_word(sections.input).empty()) {
        parse_input(sections.input, name, result);
    }
    return result;
}

std::string whole_text(const schedule::ScheduledGraph &pipeline, const std::string &result) {
    return "// graph:\n" + to_text(pipeline.graph) + "// schedule:\n" + schedule::schedule_text(pipeline) +
           (result.empty() ? "" : "// input:\n" + result);
}

} // namespace fluorite::lowering::opt
