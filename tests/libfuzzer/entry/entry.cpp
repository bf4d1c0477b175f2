// The entry point of libFuzzer for one target, whose name is FLUORITE_FUZZ_TARGET.
#include "tests/libfuzzer/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fluorite::libfuzzer::FLUORITE_FUZZ_TARGET({reinterpret_cast<const char *>(data), size});
    return 0;
}
