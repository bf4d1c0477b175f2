#pragma once
// Statements of kernels as statements of OpenCL C.

#include "backends/opencl/expressions.h"
#include "ir/device_code.h"
#include "lowering/access/element_update.h"

namespace fluorite::backends::opencl {

class Statements {
  public:
    struct Context {
        std::string kernel; // its name in messages
        const ir::SharedLayout &shared;
        std::string shared_memory; // the names of what device.h lists; empty where there is none
        std::string failure_word;
        const std::vector<std::string> &failures; // ir::failure_texts
        ir::SymbolMap<bool> coordinates;          // the lets of which indices and bounds of loops are computed
    };
    Statements(Expressions &expressions, Context context)
        : e_(expressions), f_(expressions.function()), context_(std::move(context)) {}

    void write(const ir::Stmt &stmt);

  private:
    void let(const ir::LetStmt &node);
    void leaf(const ir::Stmt &stmt);
    void block(const ir::Block &node);
    void loop(const ir::For &node);
    void allocate(const ir::Allocate &node);
    void store(const ir::Store &node);
    void dense_store(const ir::Store &node, const Expr &first);
    void assertion(const ir::Assert &node);
    void atomic(const ir::Atomic &node);
    void update(const ir::Store &node);
    void update_lane(const lowering::ElementUpdate &update, const Array &array, const std::string &index,
                     const std::string &operand);
    void update_part(const lowering::ElementUpdate &update, const Array &array, const std::string &index,
                     const std::string &operand);

    Expressions &e_;
    FunctionText &f_;
    Context context_;
};

/// The lets of a kernel of which indices and bounds of loops are computed.
ir::SymbolMap<bool> lets_of_coordinates(const ir::Stmt &body);

} // namespace fluorite::backends::opencl
