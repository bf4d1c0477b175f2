#include "backends/opencl/helpers.h"

namespace fluorite::backends::opencl {

const std::string &Helpers::with(const std::string &name, const std::function<std::string()> &text) {
    if (const auto known = names_.find(name); known != names_.end()) {
        return *known;
    }
    const std::string made = text();
    text_ += made + "\n";
    return *names_.insert(name).first;
}

} // namespace fluorite::backends::opencl
