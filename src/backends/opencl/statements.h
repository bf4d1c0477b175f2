#pragma once
// Statements of kernels as statements of OpenCL C.

#include "backends/opencl/expressions.h"
#include "ir/device_code.h"

namespace fluorite::backends::opencl {

/// What a thread does when a check fails, besides noting it.
enum class AfterFailure : uint8_t {
    Returns,
    OnlyWaits, // the others of its block would wait for it at the next barrier forever
};

class Statements {
  public:
    struct Context {
        std::string kernel; // its name in messages
        const ir::SharedLayout &shared;
        std::string shared_memory; // the names of what device.h lists; empty where there is none
        std::string failure_word;
        AfterFailure after_failure = AfterFailure::Returns;
    };
    Statements(Expressions &expressions, Context context)
        : e_(expressions), f_(expressions.function()), context_(std::move(context)) {}

    void write(const ir::Stmt &stmt);
    /// The texts of the checks that were written, in the order of their numbers.
    const std::vector<std::string> &failures() const { return failures_; }

    /// The variable that is false after a check has failed in the thread (OnlyWaits).
    static constexpr const char *goes_on = "goes_on";

  private:
    void leaf(const ir::Stmt &stmt);
    void block(const ir::Block &node);
    void loop(const ir::For &node);
    void branch(const ir::IfThenElse &node);
    void allocate(const ir::Allocate &node);
    void store(const ir::Store &node);
    void dense_store(const ir::Store &node, const Expr &first);
    void assertion(const ir::Assert &node);

    Expressions &e_;
    FunctionText &f_;
    Context context_;
    std::vector<std::string> failures_;
};

/// Whether the statement, or one in it, is of the kind.
bool contains(const ir::Stmt &stmt, ir::StmtKind kind);

} // namespace fluorite::backends::opencl
