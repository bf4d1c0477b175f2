#pragma once
// The address spaces of NVPTX.

namespace fluorite::backends {

constexpr unsigned global_space = 1, shared_space = 3;

} // namespace fluorite::backends
