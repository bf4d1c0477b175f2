#include "support/own_folder.h"

#include <dlfcn.h>

namespace fluorite {

std::filesystem::path own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void *>(&own_folder), &info) == 0 || !info.dli_fname) { // NOLINT: an address
        return {};
    }
    std::error_code ignored;
    return std::filesystem::canonical(info.dli_fname, ignored).parent_path();
}

} // namespace fluorite
