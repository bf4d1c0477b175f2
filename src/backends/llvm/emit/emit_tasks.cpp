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

#include "backends/llvm/emit/emitter.h"

#include "support/check.h"

#include <utility>

namespace fluorite::backends {

using ir::LoweredArg;
using ir::LoweredFunc;
using llvm::Value;

/// The fields of a task's closure, in order.
std::vector<Emitter::Captured> Emitter::captured(const LoweredFunc &task) const {
    using Part = Captured::Part;
    std::vector<Captured> parts;
    for (size_t i = 0; i < task.args.size(); i++) {
        const LoweredArg &arg = task.args[i];
        switch (arg.kind) {
        case LoweredArg::Kind::Scalar:
            if (arg.symbol.kind() == ir::SymbolKind::Loop) {
                parts.push_back({i, Part::Wide, i64_});
            } else {
                parts.push_back({i, Part::Value, value_type(context_, arg.type)});
            }
            break;
        case LoweredArg::Kind::Allocation:
            parts.push_back({i, Part::Host, ptr_});
            if (is_checked()) {
                parts.push_back({i, Part::Last, i64_});
            }
            break;
        case LoweredArg::Kind::InputBuffer:
        case LoweredArg::Kind::OutputBuffer:
            parts.push_back({i, Part::Host, ptr_});
            parts.push_back({i, Part::Header, ptr_});
            break;
        }
    }
    return parts;
}

/// Creates the function of a task, without a body.
void Emitter::declare_task(const LoweredFunc &func) {
    Task &task = tasks_[func.name];
    task.parts = captured(func);
    std::vector<llvm::Type *> fields;
    for (const Captured &part : task.parts) {
        fields.push_back(part.type);
    }
    task.closure = llvm::StructType::get(context_, fields);
    auto *type = func.index.defined() ? llvm::FunctionType::get(i32_, {ptr_, i32_, ptr_}, false)
                                      : llvm::FunctionType::get(i32_, {ptr_, ptr_}, false);
    task.function = globals_.new_function(func.name, type, false);
}

void Emitter::fill_task(const LoweredFunc &func) {
    const Task &task = tasks_.at(func.name);
    begin_frame(task.function);
    frame_.context = task.function->getArg(0);
    if (func.index.defined()) {
        Value *index = task.function->getArg(1);
        frame_.values.bind(func.index, {index, b_.CreateSExt(index, i64_, func.index.name()), 0});
    }
    open_closure(func, task.function->getArg(task.function->arg_size() - 1));
    stmt(func.body);
    end_frame();
}

/// Binds the captured values inside the task.
void Emitter::open_closure(const LoweredFunc &func, llvm::Argument *memory) {
    const Task &task = tasks_.at(func.name);
    memory->addAttr(llvm::Attribute::NoAlias);
    memory->addAttr(llvm::Attribute::ReadOnly);
    for (unsigned i = 0; i < task.parts.size(); i++) {
        const Captured &part = task.parts[i];
        const ir::Symbol &symbol = func.args[part.arg].symbol;
        auto *loaded = b_.CreateLoad(part.type, b_.CreateStructGEP(task.closure, memory, i), symbol.name());
        loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        switch (part.part) {
        case Captured::Part::Host:
            frame_.buffers[symbol].host = loaded;
            break;
        case Captured::Part::Header:
            frame_.buffers[symbol].header = loaded;
            break;
        case Captured::Part::Last:
            frame_.buffers[symbol].first = b_.getInt64(0);
            frame_.buffers[symbol].last = loaded;
            break;
        case Captured::Part::Value:
            frame_.values.bind(symbol, {loaded, nullptr, 0});
            break;
        case Captured::Part::Wide:
            frame_.values.bind(symbol, {b_.CreateTrunc(loaded, i32_), loaded, 0});
            break;
        }
    }
    for (auto &[symbol, found] : frame_.buffers) {
        if (is_checked() && found.header && found.host) {
            find_elements(found);
        }
    }
}

/// Fills a closure on the stack with the arguments of a launch.
Value *Emitter::make_closure(const ir::Launch &launch) {
    const Task &task = tasks_.at(launch.task);
    const auto part_of = [&](const Captured &part) {
        const Expr &arg = launch.args[part.arg];
        switch (part.part) {
        case Captured::Part::Host:
            return host(arg->symbol());
        case Captured::Part::Header:
            return header(arg->symbol());
        case Captured::Part::Last:
            return buffer(arg->symbol()).last;
        case Captured::Part::Value:
            return value(arg);
        case Captured::Part::Wide:
            break;
        }
        const ValueCache::Binding *bound =
            ir::is_kind(arg, ir::ExprKind::Variable) ? frame_.values.binding(arg->symbol()) : nullptr;
        return bound && bound->wide ? bound->wide : scalar_i64(arg);
    };
    std::vector<Value *> values;
    for (const Captured &part : task.parts) {
        values.push_back(part_of(part));
    }
    Value *memory = entry_alloca(task.closure, 1, 64, "closure");
    for (unsigned i = 0; i < values.size(); i++) {
        b_.CreateStore(values[i], b_.CreateStructGEP(task.closure, memory, i));
    }
    return memory;
}

/// Runs a task once.
void Emitter::launch(const ir::Launch &launch) {
    Value *closure = make_closure(launch);
    Value *code = b_.CreateCall(tasks_.at(launch.task).function, {frame_.context, closure});
    frame_.values.forget_memory();
    require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

/// Runs a task for each iteration of a parallel or forked loop.
void Emitter::task_for(const ir::For &loop) {
    const auto *launch = loop.body.as<ir::Launch>();
    check(launch != nullptr, concat("the body of the loop '", loop.var.name(), "' is outlined"));
    Value *min = value(loop.min), *extent = value(loop.extent), *closure = make_closure(*launch);
    if (!streams_.empty()) {
        order_streams(); // tasks may read what was stored before the loop
    }
    const char *run = loop.for_kind == ir::ForKind::Forked ? "fluorite_do_fork" : "fluorite_do_par_for";
    llvm::Function *task = tasks_.at(launch->task).function;
    Value *code = runtime_call(run, i32_, {frame_.context, task, min, extent, closure, globals_.text(loop.var.name())});
    frame_.values.forget_memory();
    require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

} // namespace fluorite::backends
