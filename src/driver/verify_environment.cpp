// Whether FLUORITE_VERIFY enables the IR verifier. Tests, lessons and the fuzzer set it.

#include "driver/verify_environment.h"

#include <cstdlib>
#include <string_view>

namespace fluorite::driver {

bool verifies_passes() {
    const char *text = std::getenv("FLUORITE_VERIFY");
    if (text && *text) {
        return std::string_view(text) != "0";
    }
#ifdef NDEBUG
    return false;
#else
    return true;
#endif
}

} // namespace fluorite::driver
