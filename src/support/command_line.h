#pragma once
// Command lines of programs: options as a table, from which the parser and the page of help are made.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fluorite {

/// Words that cannot be used; what() says what was seen, the rule and the fix.
class BadCommandLine : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct CommandOption {
    std::string name; // `--size`
    std::string
        value; // what stands for it in texts, as in `64x64` or `FILE`; empty if it has none; `[PHASE]`: may lack
    std::string help;
    std::function<void(const std::string &value)> set; // may throw BadCommandLine
};

/// Reads the words behind a program's name, from left to right. An option is written `--name value` or `--name=value`,
/// one whose value may lack only `--name` or `--name=value`; `operand` gets all other words and may be empty.
void parse_command_line(const std::vector<std::string> &words, const std::vector<CommandOption> &options,
                        const std::function<void(const std::string &word)> &operand = {});

/// A line for each option, with its help behind column 24. Lines of help that follow are indented as far.
std::string options_help(const std::vector<CommandOption> &options);

// ---- Rows and values.

CommandOption flag(std::string name, std::string help, bool &target);
CommandOption text_option(std::string name, std::string value, std::string help, std::string &target);
/// A whole number in the range.
template <typename Int>
CommandOption number_option(std::string name, std::string value, std::string help, Int &target, int64_t least,
                            int64_t most);

int64_t whole_number(const std::string &option, const std::string &text, int64_t least, int64_t most);
/// A finite number from 0 on.
double decimal_number(const std::string &option, const std::string &text);
/// `64x48`: each is 1 to 2^31 - 1.
std::vector<int64_t> extents_in(const std::string &option, const std::string &text);
std::vector<std::string> split_text(const std::string &text, char at);

template <typename Int>
CommandOption number_option(std::string name, std::string value, std::string help, Int &target, int64_t least,
                            int64_t most) {
    auto set = [name, &target, least, most](const std::string &text) {
        target = static_cast<Int>(whole_number(name, text, least, most));
    };
    return {std::move(name), std::move(value), std::move(help), std::move(set)};
}

} // namespace fluorite
