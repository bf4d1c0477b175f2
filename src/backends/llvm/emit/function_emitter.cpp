// The parts of the emitter that serve one function.
//
//   values, frame, buffers      the state that parts share: what is known at the insertion point, the blocks and exits
//                               of the function, where its buffers are
//   expressions, statements     traverse the loop IR and hand nodes to the parts, which recurse through them
//   memory/, calls/, tasks      one kind of node each; what one of them remembers, no other sees
//
// Constructors only store references to other parts, so these may be constructed later; the frame, which creates the
// blocks of the function, uses nothing but the module. To read a part, one needs its header, those of the parts that it
// includes, and expressions.h or statements.h for the recursion.

#include "backends/llvm/emit/function_emitter.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "ir/c_abi.h"

namespace fluorite::backends {

using ir::LoweredArg;
using llvm::Value;

FunctionEmitter::FunctionEmitter(const ModuleContext &m, const Tasks &tasks, llvm::Function *function)
    : m_(m), function_(function), frame_(m, values_, function), buffers_(m, frame_, values_),
      checks_(m, frame_, buffers_, expressions_),
      accesses_(m, frame_, values_, buffers_, expressions_, m.is_checked ? &checks_ : nullptr),
      allocations_(m, frame_, values_, buffers_, expressions_, statements_, kernels_),
      atomics_(m, frame_, values_, buffers_, accesses_.addresses(), m.is_checked ? &checks_ : nullptr, expressions_,
               statements_),
      math_(m, frame_, expressions_), messages_(m, frame_, values_, expressions_),
      calls_(m, frame_, buffers_, messages_, kernels_, expressions_),
      launches_(m, tasks, frame_, values_, buffers_, expressions_),
      kernels_(m, frame_, values_, buffers_, expressions_), of_host_(m, buffers_, calls_, messages_),
      by_host_(frame_, values_, expressions_, allocations_, launches_, kernels_),
      expressions_(m, values_, {frame_, buffers_, accesses_.loads(), math_, of_host_}),
      statements_(m, frame_, values_, buffers_, accesses_.addresses(), expressions_,
                  {atomics_, accesses_.stores(), by_host_}) {}

void FunctionEmitter::finish() {
    if (accesses_.stores().has_streamed()) {
        order_streams(m_);
    }
    frame_.finish(calls_.has_called_program() ? call_runtime(m_, "fluorite_extern_function_status", m_.i32, {})
                                              : m_.b.getInt32(0));
}

void FunctionEmitter::emit_entry(const ir::LoweredFunc &entry) {
    for (unsigned i = 0; i < entry.args.size(); i++) {
        const LoweredArg &arg = entry.args[i];
        llvm::Argument *given = function_->getArg(i);
        given->setName(arg.symbol.name());
        if (arg.kind != LoweredArg::Kind::Scalar) {
            buffers_.add_header(arg.symbol, given);
            continue;
        }
        if (arg.type.is_int_or_uint() && arg.type.bits() < 32) {
            function_->addParamAttr(i, arg.type.is_int() ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
        }
        values_.bind(arg.symbol, {given, nullptr, 0});
    }
    if (const std::optional<size_t> context = ir::context_argument(entry)) {
        frame_.set_context(function_->getArg(static_cast<unsigned>(*context)));
    }
    statements_.emit(entry.body);
    finish();
}

void FunctionEmitter::emit_task(const ir::LoweredFunc &func, const Task &task) {
    frame_.set_context(task.context());
    if (task.has_index()) {
        values_.bind(func.index, {task.index(), m_.b.CreateSExt(task.index(), m_.i64, func.index.name()), 0});
    }
    open_closure(m_, task, func, values_, buffers_);
    statements_.emit(func.body);
    finish();
}

} // namespace fluorite::backends
