// Printing and parsing schedules.
//
//   fluorite schedule 1                       the version of the grammar
//   blur_y.split(x, xo, xi, 16)               Func, or Func.update(k); directive; arguments
//   blur_y.update(0).tile({x, y}, {xo, yo}, {xi, yi}, {8, 8}, GuardWithIf)
//   end                                       its absence shows that a file is truncated
//
// Names that are not plain words are in single quotes, with \ before a quote or a \. A comment begins with //. The
// parser checks the shape of each line against the directive's row; names are looked up when the schedule is applied.

#include "schedule/text/schedule_text.h"

#include "ir/parse.h"
#include "ir/print.h"
#include "support/reporting.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace fluorite::schedule {

namespace {

bool is_plain(const std::string &name) {
    auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '$' || c == '.';
    });
}

std::string name_text(const std::string &name) {
    if (is_plain(name)) {
        return name;
    }
    std::string text = "'";
    for (char c : name) {
        if (c == '\n') {
            text += "\\n";
            continue;
        }
        text += c == '\'' || c == '\\' ? "\\" : "";
        text += c;
    }
    return text + "'";
}

bool is_name(ArgKind kind) {
    return kind == ArgKind::Loop || kind == ArgKind::NewLoop || kind == ArgKind::Dimension || kind == ArgKind::Func ||
           kind == ArgKind::Source;
}

std::string quoted_text(const std::string &text) {
    std::string quoted = "\"";
    for (char c : text) {
        quoted += c == '"' || c == '\\' ? "\\" : "";
        quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return quoted + "\"";
}

std::string arg_text(ArgKind kind, const std::string &arg) {
    return is_name(kind) ? name_text(arg) : kind == ArgKind::Text ? quoted_text(arg) : arg;
}

std::string args_text(const ArgSpec &spec, const std::vector<std::string> &args) {
    std::string text;
    for (const std::string &arg : args) {
        text += (text.empty() ? "" : ", ") + arg_text(spec.kind, arg);
    }
    const bool is_list = spec.arity == Arity::List || spec.arity == Arity::Lists || spec.arity == Arity::OptionalList;
    return is_list ? "{" + text + "}" : text;
}

} // namespace

std::string stage_text(const std::string &func, int stage) {
    return stage == 0 ? func : func + ".update(" + std::to_string(stage - 1) + ")";
}

std::string to_text(const Directive &directive) {
    const DirectiveRow *row = find_directive(directive.name);
    std::string text;
    for (size_t i = 0; i < directive.args.size(); i++) {
        const ArgSpec &spec = row->args[std::min(i, row->args.size() - 1)];
        text += (i == 0 ? "" : ", ") + args_text(spec, directive.args[i]);
    }
    std::string stage = stage_text(name_text(directive.func), directive.stage);
    for (const int index : directive.variant) {
        stage += ".specialized(" + std::to_string(index) + ")";
    }
    return stage + "." + directive.name + "(" + text + ")";
}

std::string to_text(std::span<const Directive> directives) {
    std::string text = "fluorite schedule " + std::to_string(text_version) + "\n";
    for (const Directive &directive : directives) {
        text += to_text(directive) + "\n";
    }
    return text + "end\n";
}

std::string expression_text(const Expr &expr) {
    const std::string text = ir::to_text(expr);
    std::string result;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == '\'' || text[i] == '"') { // quoted names and texts are kept
            const size_t end = std::min(text.find(text[i], i + 1), text.size() - 1);
            result += text.substr(i, end - i + 1);
            i = end;
        } else if (text[i] == '@') {
            while (i + 1 < text.size() && text[i + 1] >= 'a' && text[i + 1] <= 'z') {
                i++;
            }
            if (i + 1 < text.size() && text[i + 1] == '{') {
                i = std::min(text.find('}', i), text.size() - 1);
            }
        } else {
            result += text[i];
        }
    }
    return result;
}

namespace {

constexpr int most_integer = 2'000'000'000; // above all extents of tiles that are of use

struct Line {
    std::string text;
    int number = 0;
};

/// One text: its source, and how its errors are reported.
struct Source {
    std::string name;
    Location location;

    [[noreturn]] void fail(const char *slug, int line, const std::string &text) const {
        throw CompileError(slug, "in " + name + ", line " + std::to_string(line) + ": " + text, location);
    }
    [[noreturn]] void fail_syntax(int line, const std::string &seen, const std::string &rule,
                                  const std::string &fix) const {
        fail("schedule-syntax", line, seen + "; " + rule + "; " + fix);
    }
};

/// A part of a text in quotes: without control characters, and no more than its beginning.
std::string excerpt(const std::string &text) {
    constexpr size_t longest = 80;
    std::string shown = "'";
    for (const char c : text.substr(0, longest)) {
        shown += c == '\t' || (c >= 0 && c < ' ') || c == 127 ? '?' : c;
    }
    return shown + (text.size() > longest ? "...'" : "'");
}

class LineParser {
  public:
    LineParser(const Source &source, const Line &line) : source_(source), line_(line), text_(line.text) {}

    Directive run() {
        Directive directive;
        directive.line = line_.number;
        directive.func = name("the name of a Func");
        expect('.');
        directive.name = name("a directive");
        if (directive.name == "update" && peek() == '(') {
            expect('(');
            directive.stage = 1 + integer();
            expect(')');
            expect('.');
            directive.name = name("a directive");
        }
        while (directive.name == "specialized" && peek() == '(') {
            expect('(');
            directive.variant.push_back(integer());
            expect(')');
            expect('.');
            directive.name = name("a directive");
        }
        row_ = find_directive(directive.name);
        if (!row_) {
            std::string names;
            for (const DirectiveRow &row : directive_rows()) {
                names += (names.empty() ? "" : ", ") + std::string(row.name);
            }
            source_.fail_syntax(line_.number, excerpt(directive.name) + " is no directive",
                                "the directives are " + names, "write one of these, or remove the line");
        }
        if (!row_->on_stage && directive.stage > 0) {
            source_.fail_syntax(line_.number,
                                directive.name + " is given to update(" + std::to_string(directive.stage - 1) +
                                    ") of " + directive.func,
                                "it is a directive on whole Funcs", "write " + directive.func + "." + directive.name);
        }
        if ((!row_->on_stage || !row_->apply) && !directive.variant.empty()) {
            source_.fail_syntax(line_.number, directive.name + " is given to a specialization of " + directive.func,
                                "a specialization has loops of its own and nothing else",
                                "write it without .specialized(...)");
        }
        expect('(');
        arguments(directive);
        expect(')');
        if (peek() != '\0') {
            unexpected("the end of the line");
        }
        return directive;
    }

  private:
    const Source &source_;
    const Line &line_;
    const std::string &text_;
    size_t at_ = 0;
    const DirectiveRow *row_ = nullptr;

    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
            at_++;
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    [[noreturn]] void unexpected(const std::string &wanted) {
        peek();
        const std::string rest = text_.substr(at_);
        const std::string seen = rest.empty() ? "the line ends" : excerpt(rest) + " stands";
        source_.fail_syntax(line_.number, seen + " where " + wanted + " is expected",
                            "a line is func.directive(arguments) or func.update(k).directive(arguments)",
                            "repair the line, or remove it");
    }

    void expect(char c) {
        if (peek() != c) {
            unexpected(std::string("'") + c + "'");
        }
        at_++;
    }

    bool accept(char c) {
        const bool found = peek() == c;
        at_ += found ? 1 : 0;
        return found;
    }

    // Only names of loops contain dots: in `f.split`, the dot ends the name.
    std::string name(const std::string &wanted, bool with_dots = false) {
        if (peek() == '\'') {
            return quoted(wanted);
        }
        const size_t begin = at_;
        auto is_part = [&](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
                   (with_dots && c == '.') || (at_ > begin && c >= '0' && c <= '9');
        };
        while (at_ < text_.size() && is_part(text_[at_])) {
            at_++;
        }
        if (at_ == begin) {
            unexpected(wanted);
        }
        return text_.substr(begin, at_ - begin);
    }

    std::string quoted(const std::string &wanted) {
        std::string result;
        const char quote = peek();
        for (size_t i = at_ + 1; i < text_.size(); i++) {
            if (text_[i] == quote) {
                at_ = i + 1;
                return result;
            }
            if (text_[i] == '\\' && i + 1 < text_.size()) {
                i++;
                result += text_[i] == 'n' ? '\n' : text_[i];
            } else {
                result += text_[i];
            }
        }
        unexpected(wanted + ", in quotes that are closed,");
    }

    int integer() {
        peek();
        int value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc() || value < 0 || value > most_integer) {
            unexpected("a number of 0 or more");
        }
        at_ = static_cast<size_t>(end - text_.data());
        return value;
    }

    template <typename T> std::string word(const char *wanted, const char *(*text_of)(T), T last) {
        const size_t begin = at_;
        const std::string seen = name(wanted);
        for (int i = 0; i <= static_cast<int>(last); i++) {
            if (seen == text_of(static_cast<T>(i))) {
                return seen;
            }
        }
        at_ = begin;
        unexpected(wanted);
    }

    // Reads up to the comma or bracket that ends the expression.
    std::string expression() {
        peek();
        const size_t begin = at_;
        for (int depth = 0; at_ < text_.size(); at_++) {
            const char c = text_[at_];
            if (depth == 0 && (c == ',' || c == ')' || c == '}')) {
                break;
            }
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        }
        const std::string seen = text_.substr(begin, at_ - begin);
        try {
            const NoReports guard;
            return expression_text(ir::parse_expr(seen));
        } catch (const CompileError &error) {
            source_.fail_syntax(line_.number, excerpt(seen) + " is no expression (" + error.message() + ")",
                                "factors and bounds are numbers, or integer expressions of Params and sizes of inputs",
                                "repair the expression");
        }
    }

    std::string argument(ArgKind kind) {
        switch (kind) {
        case ArgKind::Loop:
        case ArgKind::NewLoop:
            return name("the name of a loop", true);
        case ArgKind::Dimension:
            return name("the name of a dimension", true);
        case ArgKind::Func:
            return name("the name of a Func");
        case ArgKind::Source:
            return name("the name of a Func or an input");
        case ArgKind::Promise:
            if (peek() == 'n' && text_.compare(at_, 4, "none") == 0) {
                at_ += 4;
                return "none";
            }
            return expression();
        case ArgKind::Expression:
            return expression();
        case ArgKind::Integer:
            return std::to_string(integer());
        case ArgKind::Tail:
            return word("a TailStrategy", tail_word, TailStrategy::Auto);
        case ArgKind::Partition:
            return word("Auto, Never or Always", partition_word, Partition::Always);
        case ArgKind::Memory:
            return word("Auto, Heap, Stack, Register or GPUShared", memory_word, MemoryType::GPUShared);
        case ArgKind::Align:
            return word("AlignStart, AlignEnd or NoAlign", align_word, LoopAlignStrategy::Auto);
        case ArgKind::Text:
            if (peek() != '"') {
                unexpected("a text in double quotes");
            }
            return quoted("a text");
        case ArgKind::Outside:
            return word("Clamp, GuardWithIf or NonFaulting", outside_word, PrefetchBoundStrategy::NonFaulting);
        case ArgKind::Shape:
            return word("Overlapped, Wavefront or Diamond", shape_word, TimeTileShape::Diamond);
        }
        unexpected("an argument");
    }

    std::vector<std::string> braced(ArgKind kind, bool may_be_empty = false) {
        expect('{');
        std::vector<std::string> items;
        if (may_be_empty && accept('}')) {
            return items;
        }
        do {
            items.push_back(argument(kind));
        } while (accept(','));
        expect('}');
        return items;
    }

    std::vector<std::string> rest(ArgKind kind) {
        std::vector<std::string> items;
        while (peek() != ')') {
            items.push_back(argument(kind));
            if (!accept(',')) {
                break;
            }
        }
        return items;
    }

    void arguments(Directive &directive) {
        for (size_t i = 0; i < row_->args.size(); i++) {
            const ArgSpec &spec = row_->args[i];
            if (spec.arity == Arity::Rest) {
                if (i > 0 && !accept(',')) {
                    return;
                }
                directive.args.push_back(rest(spec.kind));
                return;
            }
            if ((spec.arity == Arity::Optional || spec.arity == Arity::OptionalList) && peek() == ')') {
                return;
            }
            if (i > 0) {
                expect(',');
            }
            if (spec.arity == Arity::Lists) {
                do {
                    directive.args.push_back(braced(spec.kind));
                } while (accept(','));
                return;
            }
            if (spec.arity == Arity::List || spec.arity == Arity::OptionalList) {
                directive.args.push_back(braced(spec.kind, spec.arity == Arity::OptionalList));
            } else {
                directive.args.push_back({argument(spec.kind)});
            }
        }
    }
};

/// The nonempty lines without comments and surrounding space, with their numbers.
std::vector<Line> split_lines(std::string_view text) {
    std::vector<Line> lines;
    int number = 0;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        std::string line(text.substr(begin, end - begin));
        bool in_quotes = false;
        for (size_t i = 0; i + 1 < line.size(); i++) {
            in_quotes = in_quotes != (line[i] == '\'' && (i == 0 || line[i - 1] != '\\'));
            if (!in_quotes && line[i] == '/' && line[i + 1] == '/') {
                line.resize(i);
            }
        }
        line.erase(line.find_last_not_of(" \t\r") + 1);
        line.erase(0, line.find_first_not_of(" \t"));
        number++;
        if (!line.empty()) {
            lines.push_back({line, number});
        }
        begin = end + 1;
    }
    return lines;
}

void check_version(const Source &source, const Line &line) {
    const std::string head = "fluorite schedule ";
    int version = 0;
    const char *last = line.text.data() + line.text.size();
    const bool begins = line.text.compare(0, head.size(), head) == 0;
    const auto [end, error] =
        std::from_chars(line.text.data() + std::min(head.size(), line.text.size()), last, version);
    if (!begins || error != std::errc() || end != last || version < 1) {
        source.fail_syntax(line.number, excerpt(line.text) + " stands first",
                           "a schedule begins with the line 'fluorite schedule " + std::to_string(text_version) + "'",
                           "is this a schedule? Add the line");
    }
    if (version > text_version) {
        source.fail("schedule-version", line.number,
                    "its version is " + std::to_string(version) + "; this library reads versions up to " +
                        std::to_string(text_version) + "; use a newer library, or write the schedule with this one");
    }
}

/// Refuses lines that repeat or contradict another line.
class Repeats {
  public:
    explicit Repeats(const Source &source) : source_(source) {}

    void check(const Directive &directive) {
        const DirectiveRow &row = *find_directive(directive.name);
        if (row.again == DirectiveRow::Again::Step) {
            return;
        }
        const bool one = row.again == DirectiveRow::Again::Replace;
        const std::string key = one ? directive.func + " " + row.slot : to_text(directive);
        const auto [at, is_new] = lines_.emplace(key, directive.line);
        if (!is_new) {
            const std::string first = std::to_string(at->second);
            source_.fail_syntax(directive.line,
                                to_text(directive) + (one ? " gives a second " + std::string(row.slot) +
                                                                " to the Func, after line " + first
                                                          : " stands twice, first in line " + first),
                                "each line says something new", "remove one of the two");
        }
    }

  private:
    const Source &source_;
    std::map<std::string, int> lines_;
};

} // namespace

namespace {

std::vector<Directive> directives_of_lines(const Source &source, std::span<const Line> lines) {
    std::vector<Directive> directives;
    Repeats repeats(source);
    for (const Line &line : lines) {
        directives.push_back(LineParser(source, line).run());
        repeats.check(directives.back());
    }
    return directives;
}

} // namespace

std::vector<Directive> parse_directive_lines(std::string_view text, const std::string &name, const Location &location) {
    return directives_of_lines(Source{name, location}, split_lines(text));
}

std::vector<Directive> parse_directives(std::string_view text, const std::string &name, const Location &location) {
    const Source source{name, location};
    const std::vector<Line> lines = split_lines(text);
    if (!lines.empty()) {
        check_version(source, lines.front());
    }
    if (lines.size() < 2 || lines.back().text != "end") {
        const bool early = std::any_of(lines.begin(), lines.end(), [](const Line &line) { return line.text == "end"; });
        const int last = lines.empty() ? 1 : lines.back().number;
        if (early) {
            source.fail_syntax(last, excerpt(lines.back().text) + " stands after the line 'end'",
                               "'end' is the last line", "move it to the end");
        }
        source.fail("schedule-truncated", last,
                    "the text ends here without the line 'end'; a schedule that is whole ends with it; read the whole "
                    "file, or write it again");
    }
    const auto end = std::find_if(lines.begin(), lines.end(), [](const Line &line) { return line.text == "end"; });
    const std::span<const Line> inside(lines.data() + 1, position_in(lines, end) - 1);
    std::vector<Directive> directives = directives_of_lines(source, inside);
    if (end + 1 != lines.end()) {
        source.fail_syntax(end[1].number, excerpt(end[1].text) + " stands after the line 'end'",
                           "'end' is the last line", "move it to the end");
    }
    return directives;
}

} // namespace fluorite::schedule
