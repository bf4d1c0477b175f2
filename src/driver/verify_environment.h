#pragma once
// Whether lowering runs the IR verifier.

namespace fluorite::driver {

/// Whether the IR is verified after every pass: where FLUORITE_VERIFY says so (0: no; anything else: yes); where it is
/// not set, in builds without NDEBUG.
bool verifies_passes();

} // namespace fluorite::driver
