// The directives of which no part of a certificate speaks.
//
// What certify() makes of a schedule it lists as it goes: levels, loops, marks, promises. Other directives have no
// counterpart in terms. The row of a directive says what that means (schedule::Meaning): that values cannot depend
// on it, so that the certificate holds with it and without it, or that the certificate is about the schedule without
// it. A directive that has a counterpart and is not listed stands on a Func that is not in the term.
//
// Example: for `f.partition(x, Always)`, `f.stream_stores()` and `f.distribute({y})` beside a split, the certificate
// lists the split; this adds that the first two mean nothing to values, and that terms have no ranks.
//
// Relies on: the names under which certify() lists directives (`update(0).split(x, GuardWithIf)`, `loops` for all loops
// of a stage). Cost: quadratic in the directives of a Func.
#include "verify/remaining.h"

#include "schedule/text/schedule_text.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace fluorite::verify {

namespace {

using MeaningKind = schedule::Meaning::Kind;

const schedule::Meaning &meaning_of(const std::string &directive) {
    const schedule::DirectiveRow *row = schedule::find_directive(directive);
    check(row != nullptr, "a line of a schedule is a directive");
    return row->meaning;
}

/// A directive as certify() lists it, taken apart.
struct Listed {
    int stage = 0;
    std::vector<int> variant;
    std::string word, first; // `split` and `x` of split(x, GuardWithIf)
};

/// The number of `word(3).`, which is taken from the front of the text; nothing if it does not begin so.
std::optional<int> take_prefix(std::string_view &text, std::string_view word) {
    const size_t end = text.find(").");
    if (!text.starts_with(word) || text.size() <= word.size() || text[word.size()] != '(' ||
        end == std::string_view::npos) {
        return {};
    }
    const std::string number(text.substr(word.size() + 1, end - word.size() - 1));
    text.remove_prefix(end + 2);
    return std::stoi(number);
}

Listed listed(std::string_view text) {
    Listed result;
    while (true) {
        if (const std::optional<int> update = take_prefix(text, "update")) {
            result.stage = *update + 1;
        } else if (const std::optional<int> variant = take_prefix(text, "specialize")) {
            result.variant.push_back(*variant);
        } else {
            break;
        }
    }
    const size_t open = text.find('(');
    result.word = text.substr(0, open);
    if (open != std::string_view::npos) {
        const std::string_view rest = text.substr(open + 1);
        result.first = rest.substr(0, rest.find_first_of(",)"));
    }
    return result;
}

/// Directives that are listed under the name of another one.
std::string listed_as(const std::string &name) {
    constexpr std::array<std::pair<std::string_view, const char *>, 6> names = {
        {{"store_root", "store_at"},
         {"bound_extent", "bound"},
         {"align_extent", "align_bounds"},
         {"hoist_storage_root", "hoist_storage"},
         {"never_partition", "partition"},
         {"always_partition", "partition"}}};
    for (const auto &[other, word] : names) {
        if (other == name) {
            return word;
        }
    }
    return name;
}

bool is_on_loops(const schedule::Directive &line) {
    const schedule::DirectiveRow *row = schedule::find_directive(line.name);
    return row && row->on_stage && line.name != "rfactor" && line.name != "compute_with";
}

bool is_listed(const schedule::Directive &line, const Coverage &entry) {
    if (line.name == "rfactor" &&
        entry.directive == "rfactor") { // one entry for all of them where they are not covered
        return true;
    }
    if (entry.func != line.func && !entry.func.starts_with(line.func + ".")) {
        return false;
    }
    const Listed there = listed(entry.directive);
    const bool is_same_stage = there.stage == line.stage && there.variant == line.variant;
    if (is_on_loops(line) && there.word == "loops") {
        return is_same_stage;
    }
    if (listed_as(there.word) != listed_as(line.name) || (is_on_loops(line) && !is_same_stage)) {
        return false;
    }
    if (there.first.empty() || line.name == "specialize" || line.args.empty() || line.args[0].empty()) {
        return true;
    }
    return there.first == line.args[0][0];
}

/// What became of the rfactor of a later line that cuts the update whose loops this line splits or orders; null if
/// there is none.
const Coverage *cut_by(std::span<const schedule::Directive> later, const schedule::Directive &line,
                       std::span<const Coverage> entries) {
    const bool is_cut = std::any_of(later.begin(), later.end(), [&](const schedule::Directive &other) {
        return other.name == "rfactor" && other.func == line.func && other.stage == line.stage;
    });
    const auto entry =
        std::find_if(entries.begin(), entries.end(), [](const Coverage &one) { return one.directive == "rfactor"; });
    return is_cut && entry != entries.end() ? &*entry : nullptr;
}

/// What became of the Func of the line: of its level, if the certificate lists that; null if it lists nothing of it.
const Coverage *level_of(const schedule::Directive &line, std::span<const Coverage> entries) {
    const Coverage *found = nullptr;
    for (const Coverage &entry : entries) {
        const bool is_level = entry.directive.starts_with("compute_") && !entry.directive.starts_with("compute_with");
        if (entry.func == line.func && (!found || is_level)) {
            found = &entry;
        }
    }
    return found;
}

/// The line without its Func: `update(0).split(x, xo, xi, 8)`.
std::string text_of(const schedule::Directive &line) {
    const std::string text = schedule::to_text(line);
    schedule::Directive nothing = line;
    nothing.stage = 0, nothing.variant.clear();
    const std::string end = "." + line.name + "(";
    const size_t func = schedule::to_text(nothing).find(end);
    return text.substr(func + 1);
}

} // namespace

void note_remaining(std::span<const schedule::Directive> lines, const ir::Graph &graph, Certified &found) {
    const auto is_output = [&](const std::string &func) {
        return std::any_of(graph.outputs.begin(), graph.outputs.end(),
                           [&](FuncId output) { return graph.func(output).name() == func; });
    };
    const std::vector<Coverage> before = found.directives;
    for (size_t i = 0; i < lines.size(); i++) {
        const schedule::Directive &line = lines[i];
        if (const Coverage *cut = cut_by(lines.subspan(i + 1), line, before)) {
            found.directives.push_back({line.func, text_of(line), cut->reason, ""});
            continue;
        }
        if (std::any_of(before.begin(), before.end(), [&](const Coverage &entry) { return is_listed(line, entry); })) {
            continue;
        }
        const schedule::Meaning &meaning = meaning_of(line.name);
        Coverage entry{line.func, text_of(line), "", ""};
        const Coverage *level = meaning.kind == MeaningKind::Implied ? level_of(line, before) : nullptr;
        if (meaning.kind == MeaningKind::Nothing) {
            entry.means_nothing = meaning.reason;
        } else if (meaning.kind == MeaningKind::Implied && found.reason.empty() && (level || is_output(line.func))) {
            entry.reason = is_on_loops(line) || is_output(line.func) ? "" : level->reason;
        } else {
            entry.reason = found.reason.empty() ? meaning.reason : "there is no certificate: " + found.reason;
        }
        found.directives.push_back(std::move(entry));
    }
}

} // namespace fluorite::verify
