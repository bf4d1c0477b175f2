// What fluorite_opt answers.
//
// The text is parsed (text.h), the passes are looked up, and a PassRunner (pass_table.h) runs them one after the other.
// What is printed after a pass is the most that is known then: the graph after inlining, the loop nest, the statement,
// or the module. The views of graph and schedule (loops, bounds, nest) need no pass.
//
// Does not read files or print: tools/opt does. Cost: that of the passes.

#include "lowering/opt/opt.h"

#include "fluorite/errors.h"
#include "ir/print.h"
#include "loopnest/explain/nest_text.h"
#include "loopnest/explain/print_loop_nest.h"
#include "lowering/opt/structure.h"
#include "lowering/opt/text.h"
#include "lowering/pass_table.h"
#include "schedule/text/pipeline_text.h"

#include <algorithm>

namespace fluorite::lowering::opt {

using namespace ir;

namespace {

using View = OptOptions::View;

const std::string simplify_anywhere = "simplify";

[[noreturn]] void refuse_option(const std::string &text) {
    throw CompileError("opt-option", "in the command line, " + text);
}

size_t pass_row(const std::string &name) {
    const std::optional<size_t> row = find_pass(name);
    if (!row) {
        refuse_option("'" + name + "' is no pass; --list prints the passes; name one of them");
    }
    return *row;
}

std::string list_text() {
    std::string text;
    const auto phase = [](const std::optional<Phase> &known) { return known ? to_word(*known) : "-"; };
    const auto column = [](std::string word, size_t width) {
        word.resize(std::max(width, word.size() + 1), ' ');
        return word;
    };
    const auto properties = [](const char *verb, Properties of) {
        return of == Properties() ? "" : std::string("; ") + verb + " " + of.words();
    };
    for (const PassInfo &pass : pass_table()) {
        const Contract &contract = pass.contract;
        text += column(pass.name, 26) + column(phase(contract.takes), 9) + column(phase(contract.leaves), 9) +
                pass.summary + (pass.needs_nest ? "; needs graph and schedule" : "") +
                properties("needs", contract.needs) + properties("follows", contract.follows) +
                properties("establishes", contract.establishes) + properties("breaks", contract.breaks) + "\n";
    }
    return text;
}

LowerOptions lower_options(const OptOptions &options, const OptText &text) {
    const std::string of_text = text.target.empty() ? default_target : text.target;
    return options_for(Target(options.target.value_or(of_text), Location()), options.name);
}

/// The names of the passes to run.
std::vector<std::string> passes_of(const OptOptions &options, const OptText &text) {
    if (!options.passes.empty()) {
        return options.passes;
    }
    const bool is_pipeline = !text.stmt.defined() && text.module.funcs.empty();
    if (!options.from && !options.to && (!text.passes.empty() || !is_pipeline)) {
        return text.passes;
    }
    if (!options.from && !is_pipeline) {
        refuse_option("--to is given without --from, and the text has a statement, which may be in any phase; add "
                      "--from");
    }
    const std::vector<PassInfo> table = pass_table();
    const size_t first = options.from ? pass_row(*options.from) : 0;
    const size_t last = options.to ? pass_row(*options.to) : table.size() - 1;
    if (first > last) {
        refuse_option(*options.to + " comes before " + *options.from +
                      " in the table; a range runs forwards; exchange them, or name the passes with --pass");
    }
    std::vector<std::string> names;
    for (size_t row = first; row <= last; row++) {
        names.emplace_back(table[row].name);
    }
    return names;
}

/// Runs the passes, and collects what is printed.
class Run {
  public:
    Run(const OptOptions &options, const OptText &text)
        : options_(options), text_(text), runner_(make(options, text)) {}

    std::string run(const std::vector<std::string> &names) {
        for (const std::string &name : options_.print_after) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                refuse_option("--print-after names " + name +
                              ", which does not run; the passes that run are named by "
                              "--pass, or by --from and --to; add it there");
            }
        }
        std::string before = shown(), result;
        for (const std::string &name : names) {
            name == simplify_anywhere ? runner_->simplify() : runner_->run(pass_row(name));
            if (is_printed(name)) {
                std::string after = shown();
                result += "// after " + name + (after == before ? ": unchanged\n" : ":\n" + after);
                before = std::move(after);
            }
        }
        const bool is_last_printed = !names.empty() && is_printed(names.back());
        return is_last_printed ? result : result + (result.empty() ? "" : "// in the end:\n") + in_the_end();
    }

    std::string phases() const {
        std::string holding, broken;
        for (const Phase phase : {Phase::Loops, Phase::Split, Phase::Laid, Phase::Flat, Phase::Plain, Phase::Lowered}) {
            const std::string word = to_word(phase);
            if (options_.phase && *options_.phase != word) {
                continue;
            }
            const std::optional<std::string> violation = runner_->violation(phase);
            holding += violation ? "" : (holding.empty() ? "" : ", ") + word;
            broken += violation ? word + ": " + *violation + "\n" : "";
        }
        if (holding.empty() && broken.empty()) {
            refuse_option("'" + *options_.phase +
                          "' is no phase of a statement; the phases are loops, split, laid, "
                          "flat, plain and lowered; name one of them");
        }
        if (holding.empty()) {
            throw CompileError("opt-pass", "the statement breaks rules of the phases that were asked for; "
                                           "src/ir/verify.h states them; repair the text:\n" +
                                               broken);
        }
        return holding + "\n" + (options_.phase ? "" : broken);
    }

  private:
    const OptOptions &options_;
    const OptText &text_;
    std::unique_ptr<PassRunner> runner_;

    static std::unique_ptr<PassRunner> make(const OptOptions &options, const OptText &text) {
        LowerOptions lowering = lower_options(options, text);
        lowering.verify = options.verifies;
        if (!text.module.funcs.empty()) {
            return std::make_unique<PassRunner>(text.pipeline, text.module, lowering);
        }
        return text.stmt.defined() ? std::make_unique<PassRunner>(text.pipeline, text.stmt, lowering)
                                   : std::make_unique<PassRunner>(text.pipeline, lowering);
    }

    bool is_printed(const std::string &name) const {
        return options_.prints_all ||
               std::find(options_.print_after.begin(), options_.print_after.end(), name) != options_.print_after.end();
    }

    /// The most that is known of the pipeline.
    std::string shown() const {
        const bool is_structure = options_.view == View::Structure;
        if (const LoweredModule *module = runner_->module()) {
            return is_structure ? structure_text(*module) : to_text(*module);
        }
        if (runner_->stmt().defined()) {
            return is_structure ? structure_text(runner_->stmt()) : to_text(runner_->stmt());
        }
        return runner_->nest() ? to_text(*runner_->nest()) : runner_->graph() ? to_text(*runner_->graph()) : "";
    }

    std::string in_the_end() const {
        const std::string result = shown();
        return options_.prints_whole && text_.has_pipeline ? whole_text(text_.pipeline, result) : result;
    }
};

/// The views that no pass makes.
std::optional<std::string> view_of_pipeline(const OptOptions &options, const OptText &text) {
    const bool is_one = options.view == View::Nest || options.view == View::Loops || options.view == View::Bounds ||
                        options.view == View::Schedule;
    if (!is_one) {
        return std::nullopt;
    }
    if (!text.has_pipeline) {
        throw CompileError("opt-text", "in " + options.file +
                                           ": there is no graph; loop nests and schedules are those of a graph; add a "
                                           "section `// graph:`");
    }
    const LowerOptions lowering = lower_options(options, text);
    switch (options.view) {
    case View::Loops:
        return loopnest::loop_nest_text(text.pipeline);
    case View::Bounds:
        return loopnest::bounds_text(text.pipeline, options.func);
    case View::Schedule:
        return schedule::schedule_text(text.pipeline);
    default:
        return loopnest::to_text(loopnest::make_loop_nest(
            text.pipeline,
            {{}, true, {!lowering.leaves_out(Target::NoSliding), !lowering.leaves_out(Target::NoFolding)}}));
    }
}

} // namespace

std::string run_opt(const OptOptions &options, const std::string &text, const std::string &schedule) {
    if (options.view == View::Help || options.view == View::List) {
        return options.view == View::Help ? opt_help() : list_text();
    }
    const OptText parsed = parse_opt_text(text, options.file, schedule, options.schedule_file);
    if (const std::optional<std::string> view = view_of_pipeline(options, parsed)) {
        return *view;
    }
    const std::vector<std::string> names =
        options.view == View::Phases ? std::vector<std::string>() : passes_of(options, parsed);
    if (options.view != View::Phases && names.empty() && !parsed.module.funcs.empty()) {
        return options.view == View::Structure ? structure_text(parsed.module) : to_text(parsed.module);
    }
    Run run(options, parsed);
    if (options.view == View::Phases) {
        if (!parsed.stmt.defined() && parsed.module.funcs.empty()) {
            throw CompileError("opt-text", "in " + options.file +
                                               ": there is no statement; phases are those of a statement; add a "
                                               "section `// input:`");
        }
        return run.phases();
    }
    return run.run(names);
}

} // namespace fluorite::lowering::opt
