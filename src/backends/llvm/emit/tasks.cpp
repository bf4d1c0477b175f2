// Tasks: functions of the module beside the entry, and the code that runs them.
//
//   launched by a loop     int32(context, index, closure), run by fluorite_do_par_for or fluorite_do_fork, which return
//                          an error code or 0
//   launched once          int32(context, closure), called directly
// The closure, whose layout ir/closure.h defines, is on the stack of the launching function and filled anew for each
// launch.
//
// Relies on a failing task leaving its error with the runtime, which passes it to the thread that runs the loop. The
// closure is not modified while tasks read it.

#include "backends/llvm/emit/tasks.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/memory/stores.h"
#include "support/check.h"

namespace fluorite::backends {

using ir::LoweredFunc;
using llvm::Value;
using Part = ir::ClosureField::Part;

namespace {

Value *address_of(const ModuleContext &m, Value *closure, const ir::ClosureField &field) {
    return m.b.CreateConstInBoundsGEP1_64(m.i8, closure, static_cast<uint64_t>(field.offset));
}

llvm::Align alignment_of(const ir::ClosureField &field) {
    return llvm::Align(static_cast<uint64_t>(ir::closure_alignment(field.type)));
}

} // namespace

void Tasks::declare(const ModuleContext &m, const LoweredFunc &func) {
    Task &task = tasks_[func.name];
    task.closure = ir::closure_layout(func, m.is_checked);
    auto *type = func.index.defined() ? llvm::FunctionType::get(m.i32, {m.ptr, m.i32, m.ptr}, false)
                                      : llvm::FunctionType::get(m.i32, {m.ptr, m.ptr}, false);
    task.function = m.globals.new_function(func.name, type, false);
}

void open_closure(const ModuleContext &m, const Task &task, const LoweredFunc &func, ValueCache &values,
                  Buffers &buffers) {
    task.memory()->addAttr(llvm::Attribute::NoAlias);
    task.memory()->addAttr(llvm::Attribute::ReadOnly);
    for (const ir::ClosureField &field : task.closure.fields) {
        const ir::Symbol &symbol = func.args[field.arg].symbol;
        auto *loaded = m.b.CreateAlignedLoad(memory_type(m.context, field.type), address_of(m, task.memory(), field),
                                             alignment_of(field), symbol.name());
        loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(m.context, {}));
        switch (field.part) {
        case Part::Host:
            buffers.add_host(symbol, loaded);
            break;
        case Part::Header:
            buffers.add_header(symbol, loaded);
            break;
        case Part::Last:
            buffers.add_last(symbol, loaded);
            break;
        case Part::Value:
            values.bind(symbol, {m.arith.from_memory(field.type, loaded), nullptr, 0});
            break;
        case Part::Wide:
            values.bind(symbol, {m.b.CreateTrunc(loaded, m.i32), loaded, 0});
            break;
        }
    }
    buffers.find_elements_of_arguments();
}

/// The value of a field, for an argument of a launch.
Value *Launches::field(const ir::ClosureField &field, const Expr &arg) {
    switch (field.part) {
    case Part::Host:
        return buffers_.host(arg->symbol());
    case Part::Header:
        return buffers_.header(arg->symbol());
    case Part::Last:
        return buffers_.elements(arg->symbol()).second;
    case Part::Value:
        return m_.arith.to_memory(field.type, expressions_.value(arg));
    case Part::Wide:
        break;
    }
    const ValueCache::Binding *bound =
        ir::is_kind(arg, ir::ExprKind::Variable) ? values_.binding(arg->symbol()) : nullptr;
    return bound && bound->wide ? bound->wide : expressions_.scalar_i64(arg);
}

/// Fills a closure on the stack with the arguments of a launch.
Value *Launches::make_closure(const ir::Launch &launch) {
    const ir::ClosureLayout &layout = tasks_.at(launch.task).closure;
    std::vector<Value *> values;
    for (const ir::ClosureField &each : layout.fields) {
        values.push_back(field(each, launch.args[each.arg]));
    }
    Value *memory =
        frame_.entry_alloca(m_.i8, static_cast<uint64_t>(layout.size), ir::ClosureLayout::alignment, "closure");
    for (size_t i = 0; i < values.size(); i++) {
        b_.CreateAlignedStore(values[i], address_of(m_, memory, layout.fields[i]), alignment_of(layout.fields[i]));
    }
    return memory;
}

void Launches::launch(const ir::Launch &launch) {
    Value *closure = make_closure(launch);
    Value *code = b_.CreateCall(tasks_.at(launch.task).function, {frame_.context(), closure});
    values_.forget_memory();
    frame_.require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

void Launches::task_for(const ir::For &loop) {
    const auto *launch = loop.body.as<ir::Launch>();
    check(launch != nullptr, concat("the body of the loop '", loop.var.name(), "' is outlined"));
    Value *min = expressions_.value(loop.min), *extent = expressions_.value(loop.extent),
          *closure = make_closure(*launch);
    if (!m_.program.streams.empty()) {
        order_streams(m_); // tasks may read what was stored before the loop
    }
    const char *run = loop.for_kind == ir::ForKind::Forked ? "fluorite_do_fork" : "fluorite_do_par_for";
    llvm::Function *task = tasks_.at(launch->task).function;
    Value *code =
        call_runtime(m_, run, m_.i32, {frame_.context(), task, min, extent, closure, m_.globals.text(loop.var.name())});
    values_.forget_memory();
    frame_.require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

} // namespace fluorite::backends
