#pragma once
// The statements that a function of the host has of its own: memory, tasks, and checks that end the function.

#include "backends/llvm/emit/host_frame.h"
#include "backends/llvm/emit/statements.h"

namespace fluorite::backends {

class Allocations;
class KernelCalls;
class Launches;

class HostStatements : public MachineStatements {
  public:
    HostStatements(HostFrame &frame, ValueCache &values, Expressions &expressions, Allocations &allocations,
                   Launches &launches, KernelCalls &kernels)
        : frame_(frame), values_(values), expressions_(expressions), allocations_(allocations), launches_(launches),
          kernels_(kernels) {}

    void emit(const ir::Stmt &stmt) override;

  private:
    HostFrame &frame_;
    ValueCache &values_;
    Expressions &expressions_;
    Allocations &allocations_;
    Launches &launches_;
    KernelCalls &kernels_;
};

} // namespace fluorite::backends
