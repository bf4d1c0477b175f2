#pragma once
// Counting what a compile has grown to, and refusing more than its budget (lower.h).

#include "ir/stmt.h"
#include "lowering/pass_context.h"
#include "lowering/site.h"

#include <map>
#include <vector>

namespace fluorite::lowering {

/// Distinct nodes of an expression, and how deep it is.
struct ExprSize {
    size_t nodes = 0;
    size_t levels = 0;
};
ExprSize size_of(const Expr &expr);

/// The nodes of a statement as the budget counts them; stops counting once they are more than `most`.
size_t count_nodes(const ir::Stmt &stmt, size_t most);

/// Counts what inlining makes of each Func, and refuses what grows too large.
class InlineBudget {
  public:
    explicit InlineBudget(const Working &working) : working_(working) {}

    /// The expressions of a stage, as the program wrote them, before anything walks them by recursion.
    void check_written(FuncId func, size_t stage) const;
    /// A call of `callee` has been expanded in `caller`, by walking so many nodes.
    void note_expanded(FuncId caller, size_t stage, FuncId callee, size_t nodes);
    /// The same with what was inlined.
    void check_expanded(FuncId func, size_t stage);

  private:
    const Working &working_;
    size_t walked_ = 0;
    std::map<int32_t, size_t> sizes_;                    // nodes of a Func that is done
    std::map<int32_t, std::map<int32_t, double>> calls_; // distinct calls, by caller and callee

    std::vector<std::pair<double, int32_t>> inlined_in(FuncId func) const;
    [[noreturn]] void refuse(FuncId func, size_t stage, const std::string &seen) const;
};

/// Refuses more Funcs than are compiled; `copied` is the one that was copied last.
void check_funcs(const Working &working, FuncId copied);

/// Refuses a statement that has grown too large, and says where.
void check_statement(const ir::Stmt &stmt, const PassContext &context);
/// Refuses so many copies of a body.
void check_copies(const ir::For &loop, int64_t copies, const ir::Stmt &body, const PassContext &context);

} // namespace fluorite::lowering
