#pragma once
// A version of a kernel whose accesses are as wide as the device has them.

namespace llvm {
class Function;
} // namespace llvm

namespace fluorite::backends {

/// Gives the kernel a second body, for buffers and extents that let vectors lie at multiples of their size, if there is
/// any that would gain. To run when nothing is left to combine, before instructions are selected.
void add_wide_version(llvm::Function &kernel);

} // namespace fluorite::backends
