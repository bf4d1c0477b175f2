// fluorite::Schedule: the value around a list of directives; files and differences.
//
// A difference is shown by Func and stage; within a stage, the longest common subsequence of lines is omitted.

#include "fluorite/schedule.h"

#include "schedule/text/schedule_text.h"
#include "support/numeric.h"
#include "support/write_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <system_error>

namespace fluorite {

namespace schedule {

namespace {

using Lines = std::vector<std::string>;

// The directive without its Func and stage, which the heading names.
std::string tail_text_of(const Directive &directive) {
    const std::string text = to_text(directive);
    Directive bare = directive;
    bare.args.clear();
    const std::string head = to_text(bare); // f.update(0).name()
    return text.substr(head.size() - directive.name.size() - 2);
}

void add_difference(const Lines &from, const Lines &to, std::string &out) {
    std::vector<std::vector<size_t>> common(from.size() + 1, std::vector<size_t>(to.size() + 1));
    for (size_t i = from.size(); i-- > 0;) {
        for (size_t k = to.size(); k-- > 0;) {
            common[i][k] = from[i] == to[k] ? common[i + 1][k + 1] + 1 : std::max(common[i + 1][k], common[i][k + 1]);
        }
    }
    for (size_t i = 0, k = 0; i < from.size() || k < to.size();) {
        if (i < from.size() && k < to.size() && from[i] == to[k]) {
            i++, k++;
        } else if (k == to.size() || (i < from.size() && common[i + 1][k] >= common[i][k + 1])) {
            out += "  - " + from[i++] + "\n";
        } else {
            out += "  + " + to[k++] + "\n";
        }
    }
}

Lines lines_of(std::span<const Directive> directives, const std::string &stage) {
    Lines lines;
    for (const Directive &directive : directives) {
        if (stage_text(directive.func, directive.stage) == stage) {
            lines.push_back(tail_text_of(directive));
        }
    }
    return lines;
}

} // namespace

std::string diff_text(std::span<const Directive> from, std::span<const Directive> to) {
    Lines stages;
    for (std::span<const Directive> side : {from, to}) {
        for (const Directive &directive : side) {
            const std::string stage = stage_text(directive.func, directive.stage);
            if (std::find(stages.begin(), stages.end(), stage) == stages.end()) {
                stages.push_back(stage);
            }
        }
    }
    std::string out;
    for (const std::string &stage : stages) {
        std::string lines;
        add_difference(lines_of(from, stage), lines_of(to, stage), lines);
        out += lines.empty() ? "" : stage + ":\n" + lines;
    }
    return out;
}

} // namespace schedule

using schedule::Directive;

namespace {

[[noreturn]] void fail_file(const std::string &path, const char *seen, const char *rule, const Location &location) {
    throw CompileError("schedule-file", "in a Schedule: " + std::string(seen) + " the file '" + path + "'; " + rule,
                       location);
}

} // namespace

Schedule::Schedule() : Schedule(std::vector<Directive>()) {}
Schedule::Schedule(std::vector<Directive> directives)
    : directives_(std::make_shared<const std::vector<Directive>>(std::move(directives))) {}

Schedule Schedule::parse(std::string_view text, const std::string &name, const Location &location) {
    return Schedule(schedule::parse_directives(text, name, location));
}

Schedule Schedule::load(const std::string &path, const Location &location) {
    std::ifstream file(path, std::ios::binary);
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(path, ignored); // it opens, and throws where it is read
    const std::string text = is_folder ? "" : std::string{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad() || is_folder) {
        fail_file(path, "cannot read", "it must exist and be readable; give the path of a saved schedule", location);
    }
    return parse(text, path, location);
}

void Schedule::save(const std::string &path, const Location &location) const {
    if (!write_file(path, text())) {
        fail_file(path, "cannot write", "its folder must exist and be writable; give another path", location);
    }
}

std::string Schedule::text() const { return schedule::to_text(*directives_); }
std::string Schedule::diff(const Schedule &to) const { return schedule::diff_text(*directives_, *to.directives_); }
size_t Schedule::size() const { return directives_->size(); }

uint64_t Schedule::hash() const {
    uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : text()) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return mix_bits(hash);
}

bool Schedule::operator==(const Schedule &other) const { return *directives_ == *other.directives_; }

std::ostream &operator<<(std::ostream &stream, const Schedule &schedule) { return stream << schedule.text(); }

} // namespace fluorite
