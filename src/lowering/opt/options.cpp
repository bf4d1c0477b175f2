// The command line of fluorite_opt.
//
// The options are a table with their pages of help: the parser and --help read the same rows, so that neither can lack
// one. An option with a value is written `--name=value` or `--name value`; names of passes are checked when the passes
// are looked up. Cost: none to speak of.

#include "lowering/opt/options.h"

#include "fluorite/errors.h"
#include "lowering/pass_table.h"
#include "support/command_line.h"

#include <optional>

namespace fluorite::lowering::opt {

namespace {

using View = OptOptions::View;

[[noreturn]] void refuse_words(const std::string &text) {
    throw CompileError("opt-option", "in the command line, " + text);
}

CommandOption view_option(const char *name, const char *help, OptOptions &options, View view) {
    return {name, "", help, [&options, view](const std::string &) { options.view = view; }};
}

std::vector<CommandOption> rows_of(OptOptions &options) {
    const auto names = [](std::vector<std::string> &target) {
        return [&target](const std::string &value) { target = split_text(value, ','); };
    };
    const auto set = [](auto &target) { return [&target](const std::string &value) { target = value; }; };
    return {
        {"--pass", "NAMES", "run these passes, in this order, with commas in between; `simplify` runs in any phase",
         names(options.passes)},
        {"--from", "NAME", "run the passes of the table from this one on", set(options.from)},
        {"--to", "NAME", "run the passes of the table up to this one", set(options.to)},
        {"--print-after", "NAMES", "print after these passes, too; `all`: after every pass that changes something",
         [&options](const std::string &value) {
             options.prints_all = value == "all";
             options.print_after = options.prints_all ? std::vector<std::string>() : split_text(value, ',');
         }},
        flag("--whole", "print graph and schedule before the result, so that it is an input again",
             options.prints_whole),
        view_option("--structure", "print loops, memory and accesses, without expressions", options, View::Structure),
        view_option("--nest", "print the bounded loop nest of graph and schedule, complete", options, View::Nest),
        view_option("--loops", "print its loops, as Func::print_loop_nest does", options, View::Loops),
        {"--bounds", "FUNC", "print which region of FUNC is needed, and why, as explain_bounds does",
         [&options](const std::string &value) {
             options.view = View::Bounds;
             options.func = value;
         }},
        view_option("--schedule", "print the schedule in its normal form", options, View::Schedule),
        {"--verify", "[PHASE]", "verify the statement in this phase, or say in which phases its rules hold",
         [&options](const std::string &value) {
             options.view = View::Phases;
             options.phase = value.empty() ? std::nullopt : std::optional(value);
         }},
        {"--no-verify", "", "do not verify before and after each pass",
         [&options](const std::string &) { options.verifies = false; }},
        {"--target", "TARGET", "what code is made for, and what is left out; without it, that of a line `// target:`",
         set(options.target)},
        {"--name", "NAME", "what the entry of the module is called; pipeline without it", set(options.name)},
        view_option("--list", "print the table of passes", options, View::List),
        view_option("--help", "print this page", options, View::Help),
    };
}

void check_options(const OptOptions &options) {
    const bool needs_no_file = options.view == View::List || options.view == View::Help;
    if (options.file.empty() && !needs_no_file) {
        refuse_words("no file is named; a text is read from a file; name one, or - for the standard input");
    }
    if (!options.passes.empty() && (options.from || options.to)) {
        refuse_words(
            "--pass and a range are given; passes are named or are a range of the table; leave one of both out");
    }
}

} // namespace

OptOptions parse_opt_options(const std::vector<std::string> &words) {
    OptOptions options;
    try {
        parse_command_line(words, rows_of(options), [&](const std::string &word) {
            std::string &file = options.file.empty() ? options.file : options.schedule_file;
            if (!file.empty()) {
                refuse_words("'" + word +
                             "' is a third file; a text, and a schedule for its graph, are at most two; leave it out");
            }
            file = word;
        });
    } catch (const BadCommandLine &error) {
        refuse_words(error.what());
    }
    check_options(options);
    return options;
}

std::string opt_help() {
    std::string text = "usage: fluorite_opt [options] FILE [SCHEDULE]\n\n"
                       "Runs passes of lowering on the text in FILE, and prints the result. FILE is - for the standard "
                       "input, and has\n"
                       "a graph, a graph and a schedule, or a statement or module, with the graph it belongs to or "
                       "without. Without\n"
                       "--pass and --from, a graph goes through all passes, and a statement through those of a line "
                       "`// pass: NAMES`.\n"
                       "docs/guides/passes_on_texts.md describes texts and use.\n\n";
    OptOptions options;
    text += options_help(rows_of(options));
    return text + "\nExit code: 0; 1 where a pass refuses the program, or the statement breaks a rule; 2 for unusable "
                  "arguments and texts;\n3 where a pass breaks a rule.\n";
}

} // namespace fluorite::lowering::opt
