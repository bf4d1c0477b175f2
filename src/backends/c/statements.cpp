// Statements.
//
//   let          the value is what the variable denotes; coordinates are variables of 64 bits
//   for          a loop over a counter of 64 bits; a parallel or forked one is a call of the runtime, which runs a task
//   allocate     an array of the function, or a block of fluorite_malloc, of which the function knows the pointer
//   assert       `code = ...; goto done;`, where the function frees what it holds
//   store        neighbours at once; otherwise each lane whose predicate holds, in the order of the lanes
//   atomic       the body under a lock of its Func
//
// A function declares the pointers to its blocks on the heap at its beginning, null, so that one end serves all exits:
// it frees those that are not null.

#include "backends/c/statements.h"

#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "backends/c_text/statement_text.h"
#include "ir/expr_traits.h"
#include "ir/memory.h"
#include "lowering/access/access_shape.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::backends::c {

using ir::Stmt;
using ir::StmtKind;
using Part = ir::ClosureField::Part;

void Statements::leave(const std::string &code) {
    f_.line(concat("code = ", code, ";"));
    if (!lock_.empty()) {
        f_.line(concat("fluorite_release_lock(&", lock_, ");"));
    }
    f_.line("goto done;");
    leaves_ = true;
}

void Statements::leave_unless_zero(const std::string &code) {
    f_.open(concat("if (", code, " != 0)"));
    leave(code);
    f_.close();
}

void Statements::let(const ir::LetStmt &node) {
    const Type type = node.value.type();
    if (type == Int(32) && ir::is_index_arithmetic(node.value)) {
        const std::string wide = f_.define("int64_t", e_.coordinate(node.value), node.symbol.name());
        f_.line(concat("(void)", wide, ";"));
        f_.bind(node.symbol, c_text::Value{Int(32), {concat("(int32_t)", wide)}});
        f_.bind_coordinate(node.symbol, c_text::Value{Int(64), {wide}});
        return;
    }
    c_text::Value value = e_.value(node.value);
    const std::string held = type.is_vector() ? e_.vectors().type_name(value.type) : scalar_type(type);
    value.lanes[0] = f_.define(held, value.lanes[0], node.symbol.name());
    f_.line(concat("(void)", value.lanes[0], ";"));
    f_.bind(node.symbol, value);
}

void Statements::write(const Stmt &stmt) {
    c_text::write_in_lets(
        f_, stmt, [&](const ir::LetStmt &node) { let(node); }, [&](const Stmt &inside) { leaf(inside); });
}

void Statements::loop(const ir::For &node) {
    const std::string min = e_.coordinate(node.min), extent = e_.coordinate(node.extent);
    const std::string at = f_.fresh(node.var.name()), end = f_.define("int64_t", concat(min, " + ", extent));
    f_.open(concat("for (int64_t ", at, " = ", min, "; ", at, " < ", end, "; ", at, "++)"));
    f_.bind(node.var, c_text::Value{Int(32), {concat("(int32_t)", at)}});
    f_.bind_coordinate(node.var, c_text::Value{Int(64), {at}});
    write(node.body);
    f_.close();
}

// ---- Memory.

std::string Statements::bytes_of(const ir::Allocate &node) {
    const std::string bytes = f_.fresh(), fits = f_.fresh();
    f_.line(concat("uint64_t ", bytes, " = ", node.type.bytes(), ";"));
    f_.line(concat("bool ", fits, " = true;"));
    for (const Expr &extent : node.extents) {
        const std::string count = f_.define("int64_t", e_.coordinate(extent));
        f_.line(concat(fits, " = !__builtin_mul_overflow(", bytes, ", (uint64_t)(", count, " > 0 ? ", count, " : 0), &",
                       bytes, ") && ", fits, ";"));
    }
    f_.open(concat("if (!", fits, " || ", bytes, " > INT64_MAX)"));
    leave(concat("fluorite_error_buffer_allocation_too_large(", e_.context, ", ", c_string(node.buffer.name()), ", ",
                 bytes, ", INT64_MAX)"));
    f_.close();
    return bytes;
}

void Statements::new_block(const ir::Allocate &node, const std::string &pointer, const std::string &bytes) {
    f_.line(concat(pointer, " = fluorite_malloc(", e_.context, ", (size_t)", bytes, ");"));
    f_.open(concat("if (!", pointer, ")"));
    leave(concat("fluorite_error_out_of_memory(", e_.context, ", ", c_string(node.buffer.name()), ", ", bytes, ")"));
    f_.close();
}

void Statements::allocate(const ir::Allocate &node) {
    const std::string element = element_type(node.type), name = f_.fresh(node.buffer.name());
    if (node.memory == ir::MemoryType::Device || node.memory == ir::MemoryType::GPUShared) {
        throw CompileError("not-built", concat("in ", node.buffer.name(),
                                               ": it is in the memory of a device; C source has no devices; "
                                               "compile for a target without cuda and opencl"));
    }
    if (node.memory != ir::MemoryType::Heap) {
        const int64_t elements = ir::constant_elements(node).value();
        f_.line(concat(element, " ", name, "[", std::max<int64_t>(elements, 1), "] FLUORITE_ALIGNED(64);"));
        e_.bind_buffer(node.buffer, {"", name});
        return write(node.body);
    }
    const std::string bytes = bytes_of(node);
    std::string pointer;
    if (node.slot == ir::Allocate::no_slot) {
        pointer = concat("block_", blocks_.size());
        blocks_.push_back(pointer);
        pointers_[node.buffer] = pointer;
        new_block(node, pointer, bytes);
    } else {
        pointer = concat("slot_", node.slot);
        f_.open(concat("if (!", pointer, " || slot_bytes_", node.slot, " < ", bytes, ")"));
        f_.open(concat("if (", pointer, ")"));
        f_.line(concat("fluorite_free(", e_.context, ", ", pointer, ");"));
        f_.close();
        new_block(node, pointer, bytes);
        f_.line(concat("slot_bytes_", node.slot, " = ", bytes, ";"));
        f_.close();
    }
    f_.line(concat(element, " *FLUORITE_RESTRICT const ", name, " = (", element, " *)", pointer, ";"));
    f_.line(concat("(void)", name, ";"));
    e_.bind_buffer(node.buffer, {"", name});
    write(node.body);
}

void Statements::store(const ir::Store &node) {
    const Type type = node.value.type();
    const bool is_always = c_text::stores_all_lanes(node);
    const Expr first = type.is_vector() ? lowering::first_of_dense(node.index) : Expr();
    if (is_always && first.defined()) {
        const std::string at = e_.coordinate(first);
        const Vector value = e_.vector(node.value);
        return f_.line(e_.vectors().store(e_.address(node.buffer, at), value) + ";");
    }
    const auto index = e_.lane_indices(node.index);
    const c_text::Value value = e_.value(node.value),
                        predicate = is_always ? c_text::Value{} : e_.value(node.predicate);
    const std::string host = e_.buffer(node.buffer).host;
    c_text::write_lanes(
        f_, node, [&](int i) { return concat(host, "[", index(i), "]"); },
        [&](int i) { return e_.lane_of(value, type, i); },
        [&](int i) { return e_.lane_of(predicate, node.predicate.type(), i); });
}

/// One lane at a time, as lanes may be of one element.
static Stmt of_one_lane(const ir::Store &store, int lane) {
    const auto part = [&](const Expr &expr) {
        return expr.defined() && expr.type().is_vector() ? ir::make_shuffle(std::vector<Expr>{expr}, {lane}) : expr;
    };
    return ir::Store::make(store.buffer, part(store.value), part(store.index), part(store.predicate));
}

void Statements::atomic(const ir::Atomic &node) {
    const std::string func = node.func.name();
    const std::string lock =
        e_.file().locks.try_emplace(func, concat("fluorite_lock_", e_.file().locks.size())).first->second;
    check(lock_.empty(), "updates that are atomic do not nest");
    f_.line(concat("fluorite_take_lock(&", lock, ");"));
    lock_ = lock;
    f_.open("");
    if (const auto *single = node.body.as<ir::Store>(); single != nullptr && single->value.type().is_vector()) {
        for (int lane = 0; lane < single->value.type().lanes(); lane++) {
            write(of_one_lane(*single, lane));
        }
    } else {
        write(node.body);
    }
    f_.close();
    lock_.clear();
    f_.line(concat("fluorite_release_lock(&", lock, ");"));
}

// ---- Tasks.

std::string Statements::closure_of(const ir::Launch &launch) {
    const TaskText &task = tasks_.at(launch.task);
    std::vector<std::string> values;
    for (const ir::ClosureField &field : task.layout.fields) {
        const Expr &arg = launch.args[field.arg];
        switch (field.part) {
        case Part::Host:
            values.push_back(e_.buffer(arg->symbol()).host);
            break;
        case Part::Header:
            values.push_back(e_.buffer(arg->symbol()).header);
            break;
        case Part::Wide:
            values.push_back(e_.coordinate(arg));
            break;
        case Part::Value:
            values.push_back(e_.value(arg).lanes[0]);
            if (arg.type().is_vector() && arg.type().is_bool()) { // of one width in closures
                values.back() = e_.vectors().in_lanes(held_as(arg.type()), e_.vector(arg)).text;
            }
            break;
        case Part::Last:
            unreachable("C source does not check accesses");
        }
    }
    const std::string name = f_.fresh("closure");
    f_.line(concat("struct ", task.closure, " ", name, ";"));
    for (size_t i = 0; i < values.size(); i++) {
        const bool is_handle = task.layout.fields[i].part == Part::Value && task.layout.fields[i].type.is_handle();
        f_.line(concat(name, ".f", i, " = ", is_handle ? "(const void *)" : "", values[i], ";"));
    }
    return name;
}

void Statements::launch(const ir::Launch &node) {
    const std::string closure = closure_of(node);
    const std::string code =
        f_.define("int32_t", concat(tasks_.at(node.task).name, "(", e_.context, ", (uint8_t *)&", closure, ")"));
    leave_unless_zero(code);
}

void Statements::task_loop(const ir::For &node) {
    const auto *launch = node.body.as<ir::Launch>();
    check(launch != nullptr, concat("the body of the loop '", node.var.name(), "' is outlined"));
    const std::string min = e_.scalar(node.min), extent = e_.scalar(node.extent), closure = closure_of(*launch);
    const char *run = node.for_kind == ir::ForKind::Forked ? "fluorite_do_fork" : "fluorite_do_par_for";
    const std::string code =
        f_.define("int32_t", concat(run, "(", e_.context, ", ", tasks_.at(launch->task).name, ", ", min, ", ", extent,
                                    ", (uint8_t *)&", closure, ", ", c_string(node.var.name()), ")"));
    leave_unless_zero(code);
}

// ---- All statements.

void Statements::leaf(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::Assert: {
        const auto &node = *stmt.as<ir::Assert>();
        f_.open(concat("if (!FLUORITE_USUALLY(", e_.scalar(node.condition), "))"));
        f_.open_statement();
        leave(e_.scalar(node.error));
        f_.close_scope();
        return f_.close();
    }
    case StmtKind::For: {
        const auto &node = *stmt.as<ir::For>();
        if (node.for_kind == ir::ForKind::GPUBlock) {
            throw CompileError("gpu-target", concat("in ", e_.file().module.entry().name,
                                                    ": loops run as blocks of a GPU; C source has no "
                                                    "devices; use tile, parallel and vectorize"));
        }
        return node.for_kind == ir::ForKind::Serial ? loop(node) : task_loop(node);
    }
    case StmtKind::Block:
        for (const Stmt &part : stmt.as<ir::Block>()->stmts) {
            f_.open("");
            write(part);
            f_.close();
        }
        return;
    case StmtKind::IfThenElse: {
        const auto &node = *stmt.as<ir::IfThenElse>();
        return c_text::write_branch(f_, e_.scalar(node.condition), node, [&](const Stmt &part) { write(part); });
    }
    case StmtKind::Allocate:
        return allocate(*stmt.as<ir::Allocate>());
    case StmtKind::Free: {
        const ir::Symbol &buffer = stmt.as<ir::Free>()->buffer;
        if (const auto found = pointers_.find(buffer); found != pointers_.end()) {
            f_.line(concat("fluorite_free(", e_.context, ", ", found->second, ");"));
            f_.line(concat(found->second, " = NULL;"));
        }
        return;
    }
    case StmtKind::Store:
        return store(*stmt.as<ir::Store>());
    case StmtKind::Evaluate: {
        const std::string value = e_.value(stmt.as<ir::Evaluate>()->value).lanes[0];
        return f_.line(concat("(void)", value, ";"));
    }
    case StmtKind::Atomic:
        return atomic(*stmt.as<ir::Atomic>());
    case StmtKind::Launch:
        return launch(*stmt.as<ir::Launch>());
    case StmtKind::LetStmt:
    case StmtKind::ProducerConsumer:
    case StmtKind::Provide:
    case StmtKind::Realize:
    case StmtKind::Prefetch:
    case StmtKind::Barrier:
        break;
    }
    unreachable("the statement does not occur in a function of the host");
}

} // namespace fluorite::backends::c
