#pragma once
// Whether lowering runs the IR verifier.

namespace fluorite::driver {

/// Whether the IR is verified after every pass: FLUORITE_VERIFY decides (0: no; anything else: yes); if it is unset,
/// builds without NDEBUG verify.
bool verifies_passes();

} // namespace fluorite::driver
