#pragma once
// The functions, and types, that the text of a program uses.

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace fluorite::backends::c_text {

class Helpers {
  public:
    /// How the words of OpenCL C are written in another language: given a text, returns the text there.
    using Spelling = std::string (*)(std::string_view text);
    explicit Helpers(Spelling spelling = nullptr) : spelling_(spelling) {}

    /// The name, after the function of that name is there. `text` makes it, and may ask for others, which then precede.
    const std::string &with(const std::string &name, const std::function<std::string()> &text);
    /// All of them, each before those that call it.
    const std::string &text() const { return text_; }

  private:
    Spelling spelling_;
    std::set<std::string> names_;
    std::string text_;
};

} // namespace fluorite::backends::c_text
