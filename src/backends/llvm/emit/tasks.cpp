// Tasks: functions of the module beside the entry, and the code that runs them.
//
//   launched by a loop     int32(context, index, closure), run by fluorite_do_par_for or fluorite_do_fork, which return
//                          an error code or 0
//   launched once          int32(context, closure), called directly
// The closure is a struct on the stack of the launching function, filled anew for each launch. It holds the value of a
// scalar (as 64 bits for a loop variable), the host pointer and header of a buffer argument, and the host pointer of an
// allocation; in checked code, also the allocation's last element.
//
// Relies on a failing task leaving its error with the runtime, which passes it to the thread that runs the loop. The
// closure is not modified while tasks read it.

#include "backends/llvm/emit/tasks.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/memory/stores.h"
#include "support/check.h"

namespace fluorite::backends {

using ir::LoweredArg;
using ir::LoweredFunc;
using llvm::Value;
using Part = Task::Field::Part;

namespace {

/// The fields of a task's closure, in order.
std::vector<Task::Field> fields_of(const ModuleContext &m, const LoweredFunc &task) {
    std::vector<Task::Field> fields;
    for (size_t i = 0; i < task.args.size(); i++) {
        const LoweredArg &arg = task.args[i];
        switch (arg.kind) {
        case LoweredArg::Kind::Scalar:
            if (arg.symbol.kind() == ir::SymbolKind::Loop) {
                fields.push_back({i, Part::Wide, m.i64});
            } else {
                fields.push_back({i, Part::Value, value_type(m.context, arg.type)});
            }
            break;
        case LoweredArg::Kind::Allocation:
            fields.push_back({i, Part::Host, m.ptr});
            if (m.is_checked) {
                fields.push_back({i, Part::Last, m.i64});
            }
            break;
        case LoweredArg::Kind::InputBuffer:
        case LoweredArg::Kind::OutputBuffer:
            fields.push_back({i, Part::Host, m.ptr});
            fields.push_back({i, Part::Header, m.ptr});
            break;
        }
    }
    return fields;
}

} // namespace

void Tasks::declare(const ModuleContext &m, const LoweredFunc &func) {
    Task &task = tasks_[func.name];
    task.fields = fields_of(m, func);
    std::vector<llvm::Type *> types;
    for (const Task::Field &field : task.fields) {
        types.push_back(field.type);
    }
    task.closure = llvm::StructType::get(m.context, types);
    auto *type = func.index.defined() ? llvm::FunctionType::get(m.i32, {m.ptr, m.i32, m.ptr}, false)
                                      : llvm::FunctionType::get(m.i32, {m.ptr, m.ptr}, false);
    task.function = m.globals.new_function(func.name, type, false);
}

void open_closure(const ModuleContext &m, const Task &task, const LoweredFunc &func, ValueCache &values,
                  Buffers &buffers) {
    task.memory()->addAttr(llvm::Attribute::NoAlias);
    task.memory()->addAttr(llvm::Attribute::ReadOnly);
    for (unsigned i = 0; i < task.fields.size(); i++) {
        const Task::Field &field = task.fields[i];
        const ir::Symbol &symbol = func.args[field.arg].symbol;
        auto *loaded = m.b.CreateLoad(field.type, m.b.CreateStructGEP(task.closure, task.memory(), i), symbol.name());
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
            values.bind(symbol, {loaded, nullptr, 0});
            break;
        case Part::Wide:
            values.bind(symbol, {m.b.CreateTrunc(loaded, m.i32), loaded, 0});
            break;
        }
    }
    buffers.find_elements_of_arguments();
}

/// Fills a closure on the stack with the arguments of a launch.
Value *Launches::make_closure(const ir::Launch &launch) {
    const Task &task = tasks_.at(launch.task);
    const auto value_of = [&](const Task::Field &field) {
        const Expr &arg = launch.args[field.arg];
        switch (field.part) {
        case Part::Host:
            return buffers_.host(arg->symbol());
        case Part::Header:
            return buffers_.header(arg->symbol());
        case Part::Last:
            return buffers_.elements(arg->symbol()).second;
        case Part::Value:
            return expressions_.value(arg);
        case Part::Wide:
            break;
        }
        const ValueCache::Binding *bound =
            ir::is_kind(arg, ir::ExprKind::Variable) ? values_.binding(arg->symbol()) : nullptr;
        return bound && bound->wide ? bound->wide : expressions_.scalar_i64(arg);
    };
    std::vector<Value *> values;
    for (const Task::Field &field : task.fields) {
        values.push_back(value_of(field));
    }
    Value *memory = frame_.entry_alloca(task.closure, 1, 64, "closure");
    for (unsigned i = 0; i < values.size(); i++) {
        b_.CreateStore(values[i], b_.CreateStructGEP(task.closure, memory, i));
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
