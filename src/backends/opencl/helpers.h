#pragma once
// The functions that the kernels of a program call.

#include <functional>
#include <set>
#include <string>

namespace fluorite::backends::opencl {

class Helpers {
  public:
    /// The name, after the function of that name is there. `text` makes it, and may ask for others, which then precede.
    const std::string &with(const std::string &name, const std::function<std::string()> &text);
    /// All of them, each before those that call it.
    const std::string &text() const { return text_; }

  private:
    std::set<std::string> names_;
    std::string text_;
};

} // namespace fluorite::backends::opencl
