// Statements as instructions.
//
//   let          the slot of the value is what the variable denotes
//   for, if      jumps
//   parallel     tasks that the runtime runs on its threads, as for machine code
//   allocate     memory of the frame, or of the runtime where the memory is on the heap
//   store        each lane whose predicate holds, in the order of the lanes
//   assert       the code of the error call, and the end of the function
//   gpu_block    the kernel that the nest launches, block by block (kernels.h)
//   barrier      the end of the thread's turn
//   atomic       the body under the lock of the module
//
// Bodies nest deeply where lets do, so those are compiled iteratively.

#include "backends/executor/calls.h"
#include "backends/executor/function_builder.h"
#include "backends/executor/kernels.h"
#include "fluorite/runtime/fork.h"
#include "interpret/scalar.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace fluorite::backends::executor {

using ir::Stmt;
using ir::StmtKind;
using Part = ir::ClosureField::Part;

namespace {

/// What a task needs of the function that launches it, in the layout of its closure.
struct Closure {
    const Function *task;
    std::vector<uint8_t> bytes;

    void set_up(Frame &frame) const;
    int32_t run(void *context, const int *index) const;
};

template <typename T> T read(const uint8_t *at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

/// Puts a field into the frame of the task.
void open_field(Frame &frame, const Function::Argument &arg, const ir::ClosureField &field, const uint8_t *at) {
    switch (field.part) {
    case Part::Value:
        for (int i = 0; i < arg.slot.lanes; i++) {
            frame.cell(arg.slot, i) = interpret::find_loader(arg.type.element_of())(at + i * arg.type.bytes());
        }
        return;
    case Part::Wide:
        frame.cell(arg.slot) = interpret::cell_of_int(Int(32), read<int64_t>(at));
        return;
    case Part::Host:
        frame.buffer(arg.buffer).host = read<uint8_t *>(at);
        return;
    case Part::Header:
        frame.buffer(arg.buffer) = Memory::of_argument(read<fluorite_buffer_t *>(at));
        return;
    case Part::Last:
        frame.buffer(arg.buffer).last = read<int64_t>(at);
        return;
    }
    unreachable("a field of no part");
}

void Closure::set_up(Frame &frame) const {
    for (const ir::ClosureField &field : task->closure.fields) {
        open_field(frame, task->args[field.arg], field, &bytes[static_cast<size_t>(field.offset)]);
    }
}

int32_t Closure::run(void *context, const int *index) const {
    Frame frame(*task, context);
    set_up(frame);
    if (index) {
        frame.cell(task->index) = interpret::cell_of_int(Int(32), *index);
    }
    return frame.run();
}

int run_task(void *context, int index, uint8_t *closure) {
    return reinterpret_cast<const Closure *>(closure)->run(context, &index);
}

class StatementCompiler {
  public:
    explicit StatementCompiler(FunctionBuilder &builder) : b_(builder) {}
    void compile_stmt(const Stmt &stmt);

  private:
    /// Code for a statement's own expressions: what they share is computed once.
    template <typename Code> void in_scope(const Code &code) {
        b_.open_scope();
        code();
        b_.close_scope();
    }
    void jump(size_t label) {
        b_.emit([label](Frame &frame) { frame.jump(label); });
    }
    void jump_unless(Slot condition, size_t label) {
        b_.emit([=](Frame &frame) {
            if (!frame.cell(condition)) {
                frame.jump(label);
            }
        });
    }

    void compile_leaf(const Stmt &stmt);
    void compile_assert(const ir::Assert &node);
    void serial_for(const ir::For &loop);
    void task_for(const ir::For &loop);
    void grid(const ir::For &outermost);
    void if_then_else(const ir::IfThenElse &node);
    std::function<Frame::Size(Frame &)> size_of(const ir::Allocate &node);
    void allocate(const ir::Allocate &node);
    void free(const ir::Symbol &buffer);
    void store(const ir::Store &node);
    void atomic(const ir::Atomic &node);
    std::function<void(Frame &, uint8_t *)> field(const ir::ClosureField &field, const Expr &arg);
    std::function<Closure(Frame &)> closure_of(const ir::Launch &launch);
    void launch(const ir::Launch &node);

    FunctionBuilder &b_;
};

void StatementCompiler::compile_stmt(const Stmt &stmt) {
    Stmt at = stmt;
    while (at.defined()) {
        if (const auto *let = at.as<ir::LetStmt>()) {
            in_scope([&] { b_.bind(let->symbol, compile(let->value, b_)); });
            at = let->body;
        } else if (const auto *produce = at.as<ir::ProducerConsumer>()) {
            at = produce->body;
        } else {
            return in_scope([&] { compile_leaf(at); });
        }
    }
}

void StatementCompiler::compile_assert(const ir::Assert &node) {
    const size_t holds = b_.new_label();
    b_.emit([=, condition = compile(node.condition, b_)](Frame &frame) {
        if (frame.cell(condition)) {
            frame.jump(holds);
        }
    });
    in_scope([&] {
        b_.emit(
            [code = compile(node.error, b_)](Frame &frame) { throw Failed{static_cast<int32_t>(frame.cell(code))}; });
    });
    b_.place(holds);
}

void StatementCompiler::serial_for(const ir::For &loop) {
    const Slot min = compile(loop.min, b_), extent = compile(loop.extent, b_);
    const Slot at = b_.new_slot(1), end = b_.new_slot(1);
    const size_t again = b_.new_label(), done = b_.new_label();
    b_.bind(loop.var, at);
    b_.emit([=](Frame &frame) {
        frame.cell(at) = frame.cell(min);
        frame.cell(end) = frame.cell(min) + frame.cell(extent);
    });
    b_.place(again);
    b_.emit([=](Frame &frame) {
        if (static_cast<int64_t>(frame.cell(at)) >= static_cast<int64_t>(frame.cell(end))) {
            frame.jump(done);
        }
    });
    compile_stmt(loop.body);
    b_.emit([=](Frame &frame) {
        frame.cell(at)++;
        frame.jump(again);
    });
    b_.place(done);
}

void StatementCompiler::if_then_else(const ir::IfThenElse &node) {
    const size_t otherwise = b_.new_label(), after = b_.new_label();
    jump_unless(compile(node.condition, b_), otherwise);
    in_scope([&] { compile_stmt(node.then_case); });
    jump(after);
    b_.place(otherwise);
    if (node.else_case.defined()) {
        in_scope([&] { compile_stmt(node.else_case); });
    }
    b_.place(after);
}

/// Extents below zero count as zero; a size beyond the address space is an error.
std::function<Frame::Size(Frame &)> StatementCompiler::size_of(const ir::Allocate &node) {
    std::vector<Slot> extents;
    for (const Expr &extent : node.extents) {
        extents.push_back(compile(extent, b_));
    }
    return [=, name = node.buffer.name(), element = static_cast<uint64_t>(node.type.bytes())](Frame &frame) {
        uint64_t bytes = element;
        bool overflows = false;
        for (const Slot &extent : extents) {
            const auto count = static_cast<uint64_t>(std::max<int64_t>(static_cast<int64_t>(frame.cell(extent)), 0));
            overflows |= __builtin_mul_overflow(bytes, count, &bytes);
        }
        if (overflows || bytes > INT64_MAX) {
            throw Failed{fluorite_error_buffer_allocation_too_large(frame.context(), name.c_str(), bytes, INT64_MAX)};
        }
        return Frame::Size{bytes, element};
    };
}

void StatementCompiler::allocate(const ir::Allocate &node) {
    const auto size = size_of(node);
    const size_t buffer = b_.bind_buffer(node.buffer);
    const std::string &name = node.buffer.name();
    const bool is_kernel = !b_.function().blocks.empty();
    if (node.memory == ir::MemoryType::GPUShared) {
        const ir::SharedLayout &layout = *b_.function().shared;
        const Slot offset = compile(layout.find(node.buffer)->offset, b_), all = compile(layout.bytes, b_);
        b_.emit([=](Frame &frame) {
            frame.take_shared(buffer, name.c_str(), size(frame), {frame.cell(offset), frame.cell(all)});
        });
    } else if (node.memory == ir::MemoryType::Device) {
        b_.emit([=](Frame &frame) { frame.take_from_device(buffer, name.c_str(), size(frame)); });
        b_.open_block(node.buffer);
    } else if (node.memory != ir::MemoryType::Heap || is_kernel) {
        b_.emit([=](Frame &frame) { frame.take_from_stack(buffer, size(frame)); });
    } else if (node.slot != ir::Allocate::no_slot) {
        b_.emit([=, slot = node.slot](Frame &frame) { frame.take_slot(buffer, name.c_str(), size(frame), slot); });
    } else {
        b_.emit([=](Frame &frame) { frame.take_from_heap(buffer, name.c_str(), size(frame)); });
        b_.open_block(node.buffer);
    }
    compile_stmt(node.body);
}

void StatementCompiler::free(const ir::Symbol &buffer) {
    b_.emit([number = b_.buffer(buffer)](Frame &frame) { frame.release(number); });
    b_.close_block(buffer);
}

void StatementCompiler::store(const ir::Store &node) {
    const Slot index = compile(node.index, b_), value = compile(node.value, b_);
    const Slot predicate = node.predicate.defined() ? compile(node.predicate, b_) : b_.constant(1);
    b_.emit([=, buffer = b_.buffer(node.buffer), name = node.buffer.name(),
             element = node.value.type().element_of()](Frame &frame) {
        const Memory &memory = frame.accessed(buffer);
        for (int i = 0; i < value.lanes; i++) {
            if (frame.cell(predicate, predicate.lanes == 1 ? 0 : i)) {
                uint8_t *at = address_of(frame, memory, name, element, frame.cell(index, i));
                std::array<uint8_t, sizeof(Cell)> bytes{};
                interpret::store_element(bytes.data(), element, frame.cell(value, i));
                note_access(frame, memory, name, at, element, bytes.data());
                std::memcpy(at, bytes.data(), static_cast<size_t>(element.bytes()));
            }
        }
    });
}

void StatementCompiler::atomic(const ir::Atomic &node) {
    b_.emit([](Frame &frame) { frame.lock() = std::unique_lock(frame.program().atomics); });
    compile_stmt(node.body);
    b_.emit([](Frame &frame) { frame.lock().unlock(); });
}

/// What writes a field of a closure, for an argument of a launch.
std::function<void(Frame &, uint8_t *)> StatementCompiler::field(const ir::ClosureField &field, const Expr &arg) {
    if (field.part == Part::Value || field.part == Part::Wide) {
        return [value = compile(arg, b_), type = field.type.element_of()](Frame &frame, uint8_t *at) {
            for (int i = 0; i < value.lanes; i++) {
                interpret::store_element(at + i * type.bytes(), type, frame.cell(value, i));
            }
        };
    }
    return [part = field.part, buffer = b_.buffer(arg->symbol())](Frame &frame, uint8_t *at) {
        const Memory &memory = frame.accessed(buffer);
        const Cell value = part == Part::Host     ? reinterpret_cast<Cell>(memory.host)
                           : part == Part::Header ? reinterpret_cast<Cell>(memory.header)
                                                  : static_cast<Cell>(memory.last);
        std::memcpy(at, &value, sizeof(value));
    };
}

/// What makes the closure of a launch.
std::function<Closure(Frame &)> StatementCompiler::closure_of(const ir::Launch &launch) {
    const Function *task = b_.program().by_name.at(launch.task);
    std::vector<std::function<void(Frame &, uint8_t *)>> fields;
    for (const ir::ClosureField &each : task->closure.fields) {
        fields.push_back(field(each, launch.args[each.arg]));
    }
    return [=](Frame &frame) {
        Closure closure{task, std::vector<uint8_t>(static_cast<size_t>(task->closure.size))};
        for (size_t i = 0; i < fields.size(); i++) {
            fields[i](frame, &closure.bytes[static_cast<size_t>(task->closure.fields[i].offset)]);
        }
        return closure;
    };
}

void require_success(int32_t code) {
    if (code != 0) {
        throw Failed{code};
    }
}

void StatementCompiler::launch(const ir::Launch &node) {
    b_.emit([make = closure_of(node)](Frame &frame) { require_success(make(frame).run(frame.context(), nullptr)); });
}

void StatementCompiler::task_for(const ir::For &loop) {
    const auto *launch = loop.body.as<ir::Launch>();
    check(launch != nullptr, concat("the body of the loop '", loop.var.name(), "' is outlined"));
    const Slot min = compile(loop.min, b_), extent = compile(loop.extent, b_);
    const auto run = loop.for_kind == ir::ForKind::Forked ? fluorite_do_fork : fluorite_do_par_for;
    b_.emit([=, make = closure_of(*launch), name = loop.var.name()](Frame &frame) {
        Closure closure = make(frame);
        require_success(run(frame.context(), run_task, static_cast<int>(frame.cell(min)),
                            static_cast<int>(frame.cell(extent)), reinterpret_cast<uint8_t *>(&closure), name.c_str()));
    });
}

/// The loops over blocks and the launch inside of them.
void StatementCompiler::grid(const ir::For &outermost) {
    std::vector<Slot> blocks, threads;
    const ir::For *loop = &outermost;
    for (; loop != nullptr; loop = loop->body.as<ir::For>()) {
        blocks.insert(blocks.begin(), compile(loop->extent, b_));
        if (const auto *launch = loop->body.as<ir::Launch>()) {
            for (const Expr &count : launch->threads) {
                threads.push_back(compile(count, b_));
            }
            b_.emit([=, make = closure_of(*launch)](Frame &frame) {
                const auto extents_of = [&](const std::vector<Slot> &slots) {
                    Extents extents{1, 1, 1};
                    for (size_t d = 0; d < slots.size(); d++) {
                        extents[d] = std::max<int64_t>(static_cast<int64_t>(frame.cell(slots[d])), 0);
                    }
                    return extents;
                };
                const Closure closure = make(frame);
                require_success(run_kernel(*closure.task, frame.context(), extents_of(blocks), extents_of(threads),
                                           [&](Frame &thread) { closure.set_up(thread); }));
            });
        }
    }
}

/// Compiles a statement that is neither a LetStmt nor a ProducerConsumer.
void StatementCompiler::compile_leaf(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::Assert:
        return compile_assert(*stmt.as<ir::Assert>());
    case StmtKind::For: {
        const auto &loop = *stmt.as<ir::For>();
        return loop.for_kind == ir::ForKind::Serial     ? serial_for(loop)
               : loop.for_kind == ir::ForKind::GPUBlock ? grid(loop)
                                                        : task_for(loop);
    }
    case StmtKind::Block:
        for (const Stmt &part : stmt.as<ir::Block>()->stmts) {
            compile_stmt(part);
        }
        return;
    case StmtKind::IfThenElse:
        return if_then_else(*stmt.as<ir::IfThenElse>());
    case StmtKind::Allocate:
        return allocate(*stmt.as<ir::Allocate>());
    case StmtKind::Free:
        return free(stmt.as<ir::Free>()->buffer);
    case StmtKind::Store:
        return store(*stmt.as<ir::Store>());
    case StmtKind::Evaluate:
        compile(stmt.as<ir::Evaluate>()->value, b_);
        return;
    case StmtKind::Atomic:
        return atomic(*stmt.as<ir::Atomic>());
    case StmtKind::Launch:
        return launch(*stmt.as<ir::Launch>());
    case StmtKind::Barrier:
        return b_.emit([](Frame &frame) { frame.pause(); });
    case StmtKind::LetStmt:
    case StmtKind::ProducerConsumer:
    case StmtKind::Provide:
    case StmtKind::Realize:
    case StmtKind::Prefetch:
        break;
    }
    unreachable("the statement does not occur in a lowered module");
}

} // namespace

void compile(const Stmt &stmt, FunctionBuilder &builder) { StatementCompiler(builder).compile_stmt(stmt); }

} // namespace fluorite::backends::executor
