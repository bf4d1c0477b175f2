#pragma once
// What pipelines call under the names of extern functions when they run as they are compiled (fluorite/jit_extern.h).

#include "backends/backend.h"
#include "driver/compiled.h"
#include "fluorite/jit_extern.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite::driver {

/// The functions of a pipeline's JITExterns, and what they need to live.
class JitExterns {
  public:
    /// None.
    JitExterns() = default;
    /// Compiles the pipelines among them for the target. Throws CompileError [jit-extern] for a pipeline that
    /// runs on ranks.
    JitExterns(const PipelineContents &contents, const Target &target, const Location &location);

    bool empty() const { return externs_.empty(); }
    /// Changes where the functions do.
    void add_fingerprint(std::vector<uint64_t> &prints) const;
    /// The functions that a module calls, by name, for Backend::load. Throws CompileError [jit-extern] where a
    /// call has other types.
    std::vector<backends::ExternSymbol> symbols_of(const ir::LoweredModule &module);
    /// What the addresses of symbols_of are valid for.
    std::vector<std::shared_ptr<const void>> owned() const { return owned_; }

  private:
    struct Named {
        std::string name;
        ExternCFunction function;
        std::shared_ptr<const CompiledPipeline> pipeline; // of a JITExtern that is one
        std::vector<Argument> arguments;                  // of the pipeline
    };
    std::vector<Named> externs_;
    std::vector<std::shared_ptr<const void>> owned_;
    Location location_;
};

} // namespace fluorite::driver
