#include "backends/c_text/helpers.h"

namespace fluorite::backends::c_text {

const std::string &Helpers::with(const std::string &name, const std::function<std::string()> &text) {
    if (const auto known = names_.find(name); known != names_.end()) {
        return *known;
    }
    const std::string made = text();
    text_ += (spelling_ ? spelling_(made) : made) + "\n";
    return *names_.insert(name).first;
}

} // namespace fluorite::backends::c_text
