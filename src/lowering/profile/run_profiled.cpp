// The entry of a profiled module, which runs the pipeline as an instance of the profiler.
//
//   func f(in, n, out) { S }
//   -->
//   func f(in, n, out) {
//     let code = fluorite_profile_run("f\nsampled\nbsb\n0 -1 g\n0 -1 f", function.address("f_profiled"), in, n, out)
//     assert code == 0 else code }
//   callee f_profiled(in, n, out) { S }
// So the instance ends however S does. Buffers that are constants of the module stay with its entry, which passes them
// to the callee.
//
// Relies on: callees and the passing of operands as pointers, which every back end has for iterated pipelines
// (compose.h). Cost: one call for each run.

#include "ir/c_abi.h"
#include "lowering/compose.h"
#include "lowering/profile/profile.h"
#include "support/check.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The letter of an argument in a description (fluorite/runtime/profile.h).
char letter_of(const LoweredArg &arg, bool is_context) {
    return arg.kind != LoweredArg::Kind::Scalar ? 'b' : is_context ? 'c' : arg.type.is_handle() ? 'h' : 's';
}

} // namespace

LoweredModule run_profiled(LoweredModule module, const ProfiledFuncs &funcs) {
    LoweredModule result;
    result.device_code = module.device_code;
    result.constants = std::move(module.constants);
    module.constants.clear();
    LoweredFunc entry;
    entry.name = module.entry().name;
    entry.args = module.entry().args;
    module.entry().name += "_profiled";
    const std::optional<size_t> context = context_argument(module.entry());
    for (const LoweredArg &constant : result.constants) {
        module.entry().args.push_back(constant);
    }
    std::string letters;
    std::vector<Expr> operands = {callee_address(module.entry())};
    for (size_t i = 0; i < module.entry().args.size(); i++) {
        const LoweredArg &arg = module.entry().args[i];
        letters += letter_of(arg, context == i);
        if (letters.back() != 'c') {
            operands.push_back(argument_operand(arg));
        }
    }
    const char *mode = funcs.profiling == Profiling::ByTimer ? "timed" : "sampled";
    entry.body =
        call_of_runtime("fluorite_profile_run", concat(entry.name, "\n", mode, "\n", letters, funcs.lines()), operands);
    result.funcs.push_back(std::move(entry));
    add_callee(result, std::move(module));
    return result;
}

} // namespace fluorite::lowering
