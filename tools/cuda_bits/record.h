#pragma once
// What cases must compute, as files for a machine with a device.

#include "cases.h"
#include "fluorite/target.h"
#include "tools/cuda_bits/recording.h"

#include <map>
#include <memory>

namespace fluorite::cuda_bits {

struct Counts {
    size_t cases = 0;
    size_t different = 0;                  // cases
    std::map<std::string, size_t> refused; // by the text of the refusal, without the kernel's name
};

class Recorder {
  public:
    Recorder();
    ~Recorder();
    Recorder(const Recorder &) = delete;

    /// The bytes of the inputs, in the order of all_types().
    std::vector<std::string> inputs() const;
    /// Compiles the cases as one module and runs them in the executor. Cases that are refused are left out.
    RecordedModule record(std::vector<Case> cases, const Target &target, Counts &counts);
    /// The same; then it runs the code, translated for this machine instead of a device, and compares the bits.
    void run_on_host(const std::vector<Case> &cases, const Target &target, Counts &counts);

  private:
    RecordedModule record_kept(std::vector<Case> &cases, const Target &target, Counts &counts);

    struct Inputs;
    std::unique_ptr<Inputs> inputs_;
};

} // namespace fluorite::cuda_bits
