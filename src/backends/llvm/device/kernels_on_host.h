#pragma once
// Kernels, emitted and optimized as for CUDA, as code of the host: what PTX computes, without a device. For tests.

#include "fluorite/target.h"
#include "ir/device_code.h"

#include <array>
#include <memory>
#include <span>

namespace fluorite::backends {

class KernelsOnHost {
  public:
    KernelsOnHost(const ir::LoweredModule &module, const Target &target);
    ~KernelsOnHost();
    KernelsOnHost(const KernelsOnHost &) = delete;

    const std::vector<ir::DeviceKernel> &kernels() const;
    /// Runs all threads of all blocks, the threads of a block in turns from barrier to barrier. `parameters` point to
    /// the values of the function's parameters. Not for several threads of the host at once.
    void run(size_t kernel, std::span<void *const> parameters, const std::array<int32_t, 3> &blocks,
             const std::array<int32_t, 3> &threads) const;

  private:
    struct Code;
    std::unique_ptr<Code> code_;
};

} // namespace fluorite::backends
