#include "support/command_line.h"

#include "support/check.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fluorite {

namespace {

constexpr size_t help_column = 24;

bool may_lack_value(const CommandOption &option) { return option.value.empty() || option.value[0] == '['; }

const CommandOption &find_option(const std::vector<CommandOption> &options, const std::string &name) {
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const CommandOption &option) { return option.name == name; });
    if (found == options.end()) {
        throw BadCommandLine(concat("'", name, "' is not known; --help lists the options; use one of them"));
    }
    return *found;
}

/// Reads a whole text as a number; false if it is none.
template <typename Number> bool is_read(const std::string &text, Number &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

} // namespace

void parse_command_line(const std::vector<std::string> &words, const std::vector<CommandOption> &options,
                        const std::function<void(const std::string &word)> &operand) {
    for (size_t i = 0; i < words.size(); i++) {
        const std::string &word = words[i];
        if (operand && (word.size() < 2 || word[0] != '-')) {
            operand(word);
            continue;
        }
        const size_t equals = word.find('=');
        const bool has_value = equals != std::string::npos;
        const CommandOption &option = find_option(options, word == "-h" ? "--help" : word.substr(0, equals));
        if (option.value.empty() && has_value) {
            throw BadCommandLine(concat(option.name, " is given a value; it has none; leave it out"));
        }
        if (!has_value && !may_lack_value(option) && i + 1 == words.size()) {
            throw BadCommandLine(concat(option.name, " is given no value; it takes one, as in `", option.name, " ",
                                        option.value, "`; add it"));
        }
        option.set(has_value ? word.substr(equals + 1) : may_lack_value(option) ? "" : words[++i]);
    }
}

std::string options_help(const std::vector<CommandOption> &options) {
    std::string text;
    for (const CommandOption &option : options) {
        const bool in_brackets = !option.value.empty() && option.value[0] == '[';
        std::string head = "  " + option.name;
        head += option.value.empty() ? "" : in_brackets ? "[=" + option.value.substr(1) : " " + option.value;
        head.resize(std::max(head.size() + 1, help_column), ' ');
        text += head;
        for (const char c : option.help) {
            text += c;
            text += c == '\n' ? std::string(help_column, ' ') : "";
        }
        text += "\n";
    }
    return text;
}

CommandOption flag(std::string name, std::string help, bool &target) {
    return {std::move(name), "", std::move(help), [&target](const std::string &) { target = true; }};
}

CommandOption text_option(std::string name, std::string value, std::string help, std::string &target) {
    return {std::move(name), std::move(value), std::move(help), [&target](const std::string &text) { target = text; }};
}

int64_t whole_number(const std::string &option, const std::string &text, int64_t least, int64_t most) {
    int64_t value = 0;
    if (!is_read(text, value) || value < least || value > most) {
        throw BadCommandLine(
            concat(option, " is '", text, "'; it is a whole number from ", least, " to ", most, "; give one"));
    }
    return value;
}

double decimal_number(const std::string &option, const std::string &text) {
    double value = 0;
    if (!is_read(text, value) || !std::isfinite(value) || value < 0) {
        throw BadCommandLine(concat(option, " is '", text, "'; it is a finite number from 0 on; give one such as 2.5"));
    }
    return value;
}

std::vector<int64_t> extents_in(const std::string &option, const std::string &text) {
    std::vector<int64_t> extents;
    for (const std::string &part : split_text(text, 'x')) {
        extents.push_back(whole_number(option, part, 1, INT32_MAX));
    }
    return extents;
}

std::vector<std::string> split_text(const std::string &text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        c == at ? parts.emplace_back() : parts.back() += c;
    }
    return parts;
}

} // namespace fluorite
