// The command line of fluorite_opt.
//
// The options are a table with their pages of help: the parser and --help read the same rows, so that neither can lack
// one. An option with a value is written `--name=value` or `--name value`; names of passes are checked when the passes
// are looked up. Cost: none to speak of.

#include "lowering/opt/options.h"

#include "fluorite/errors.h"
#include "lowering/pass_table.h"

#include <algorithm>
#include <functional>

namespace fluorite::lowering::opt {

namespace {

using View = OptOptions::View;

[[noreturn]] void refuse_words(const std::string &text) {
    throw CompileError("opt-option", "in the command line, " + text);
}

struct OptRow {
    const char *name, *value, *help; // value: null if it has none; in brackets if it may be left out
    void (*set)(OptOptions &, const std::string &);
};

std::vector<std::string> names_in(const std::string &list) {
    std::vector<std::string> names(1);
    for (const char c : list) {
        c == ',' ? names.emplace_back() : names.back() += c;
    }
    return names;
}

template <View view> void show(OptOptions &options, const std::string &) { options.view = view; }

const OptRow rows[] = {
    {"--pass", "NAMES", "run these passes, in this order, with commas in between; `simplify` runs in any phase",
     [](OptOptions &options, const std::string &value) { options.passes = names_in(value); }},
    {"--from", "NAME", "run the passes of the table from this one on",
     [](OptOptions &options, const std::string &value) { options.from = value; }},
    {"--to", "NAME", "run the passes of the table up to this one",
     [](OptOptions &options, const std::string &value) { options.to = value; }},
    {"--print-after", "NAMES", "print after these passes, too; `all`: after every pass that changes something",
     [](OptOptions &options, const std::string &value) {
         options.prints_all = value == "all";
         options.print_after = options.prints_all ? std::vector<std::string>() : names_in(value);
     }},
    {"--whole", nullptr, "print graph and schedule before the result, so that it is an input again",
     [](OptOptions &options, const std::string &) { options.prints_whole = true; }},
    {"--structure", nullptr, "print loops, memory and accesses, without expressions", show<View::Structure>},
    {"--nest", nullptr, "print the bounded loop nest of graph and schedule, complete", show<View::Nest>},
    {"--loops", nullptr, "print its loops, as Func::print_loop_nest does", show<View::Loops>},
    {"--bounds", "FUNC", "print which region of FUNC is needed, and why, as explain_bounds does",
     [](OptOptions &options, const std::string &value) {
         options.view = View::Bounds;
         options.func = value;
     }},
    {"--schedule", nullptr, "print the schedule in its normal form", show<View::Schedule>},
    {"--verify", "[PHASE]", "verify the statement in this phase, or say in which phases its rules hold",
     [](OptOptions &options, const std::string &value) {
         options.view = View::Phases;
         options.phase = value.empty() ? std::nullopt : std::optional(value);
     }},
    {"--no-verify", nullptr, "do not verify before and after each pass",
     [](OptOptions &options, const std::string &) { options.verifies = false; }},
    {"--target", "TARGET", "what code is made for, and what is left out; without it, that of a line `// target:`",
     [](OptOptions &options, const std::string &value) { options.target = value; }},
    {"--name", "NAME", "what the entry of the module is called; pipeline without it",
     [](OptOptions &options, const std::string &value) { options.name = value; }},
    {"--list", nullptr, "print the table of passes", show<View::List>},
    {"--help", nullptr, "print this page", show<View::Help>},
};

const OptRow &option_row(const std::string &name) {
    const auto *row =
        std::find_if(std::begin(rows), std::end(rows), [&](const OptRow &each) { return name == each.name; });
    if (row == std::end(rows)) {
        refuse_words("'" + name + "' is not known; --help lists the options; use one of them");
    }
    return *row;
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
    for (size_t i = 0; i < words.size(); i++) {
        if (!words[i].starts_with("--")) {
            std::string &file = options.file.empty() ? options.file : options.schedule_file;
            if (!file.empty()) {
                refuse_words("'" + words[i] +
                             "' is a third file; a text, and a schedule for its graph, are at most two; "
                             "leave it out");
            }
            file = words[i];
            continue;
        }
        const size_t equals = words[i].find('=');
        const OptRow &row = option_row(words[i].substr(0, equals));
        const bool has_value = equals != std::string::npos;
        if (!row.value && has_value) {
            refuse_words(std::string(row.name) + " is given a value; it has none; leave it out");
        }
        const bool may_lack = !row.value || row.value[0] == '[';
        if (!has_value && !may_lack && i + 1 == words.size()) {
            refuse_words(std::string(row.name) + " is given no value; it takes " + row.value + "; add one");
        }
        row.set(options, has_value ? words[i].substr(equals + 1) : may_lack ? "" : words[++i]);
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
    for (const OptRow &row : rows) {
        const std::string value = !row.value ? "" : row.value[0] == '[' ? "[=PHASE]" : std::string("=") + row.value;
        std::string head = "  " + (row.name + value);
        head.resize(std::max(head.size() + 1, size_t(24)), ' ');
        text += head + row.help + "\n";
    }
    return text + "\nExit code: 0; 1 where a pass refuses the program, or the statement breaks a rule; 2 for unusable "
                  "arguments and texts;\n3 where a pass breaks a rule.\n";
}

} // namespace fluorite::lowering::opt
