// Modules of several pipelines, whose entry hands the functions of the others to the runtime.
//
//   func f(in, n, out) {
//     let code = fluorite_iterate("plan", in, n, out, function.address("f_rest"), ...)
//     assert code == 0 else code
//   }
//   callee f_rest(...) ...
//
// Relies on: the back end passes the operands of such operations (operations.def) as an array of pointers. Cost: none.

#include "lowering/compose.h"

#include "lowering/pass_context.h"
#include "support/check.h"

#include <iterator>

namespace fluorite::lowering {

using namespace ir;

void add_callee(LoweredModule &module, LoweredModule part) {
    part.entry().kind = LoweredFunc::Kind::Callee;
    check(part.constants.empty(), "buffers become constants in the entry of a module only");
    std::move(part.funcs.begin(), part.funcs.end(), std::back_inserter(module.funcs));
    module.streams.insert(module.streams.end(), part.streams.begin(), part.streams.end());
}

Expr callee_address(const LoweredFunc &callee) {
    const std::vector<Expr> name = {make_string(callee.name)};
    return make_extern(Handle(), "function.address", name);
}

Expr argument_operand(const LoweredArg &arg) {
    return make_var(arg.kind == LoweredArg::Kind::Scalar ? arg.type : Handle(), arg.symbol);
}

Stmt call_of_runtime(const std::string &function, const std::string &text, const std::vector<Expr> &operands) {
    std::vector<Expr> all = {make_string(text)};
    all.insert(all.end(), operands.begin(), operands.end());
    const Expr run = make_extern(Int(32), function, all);
    const Symbol code = SymbolSource().fresh_let("code", run);
    const Expr result = make_var(Int(32), code);
    return LetStmt::make(code, run, Assert::make(equals(result, make_int(Int(32), 0)), result));
}

} // namespace fluorite::lowering
