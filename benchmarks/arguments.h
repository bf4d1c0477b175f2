#pragma once
// Arguments of programs that measure.

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace auto_cases {

/// The words after a program's name, one by one. Throws std::runtime_error that names the option.
class Arguments {
  public:
    Arguments(int argc, char **argv) : argc_(argc), argv_(argv) {}

    /// Goes to the next word; false after the last one.
    bool next() {
        if (at_ + 1 >= argc_) {
            return false;
        }
        option_ = argv_[++at_];
        return true;
    }
    const std::string &option() const { return option_; }

    /// The word after the option.
    std::string value() {
        if (at_ + 1 >= argc_) {
            throw std::runtime_error(option_ + " needs a value after it");
        }
        return argv_[++at_];
    }
    /// The same, a whole number from 1 on.
    int number() {
        const std::string text = value();
        const bool is_number = text.size() < 9 && text.find_first_not_of("0123456789") == std::string::npos;
        const int number = is_number ? std::atoi(text.c_str()) : 0;
        if (number < 1) {
            throw std::runtime_error(option_ + " " + text + ": give a number from 1 on");
        }
        return number;
    }

  private:
    int argc_, at_ = 0;
    char **argv_;
    std::string option_;
};

} // namespace auto_cases
