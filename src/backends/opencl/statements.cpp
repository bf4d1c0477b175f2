// Statements.
//
//   let          the value is what the variable denotes
//   for          a loop that counts from 0, so that no sum exceeds its type
//   allocate     a part of the block's memory, or an array of the thread
//   store        each lane whose predicate holds, in the order of the lanes; neighbours at once
//   barrier      orders the accesses of the block to its own and to global memory
//   assert       the number of the check is stored to the failure word, unless the kernel has stored one; the thread
//                goes on, as the others of its block wait for it at the next barrier
//   atomic       an atomic function, or a loop that compares and exchanges the bits: of 8 and 16, the word around them

#include "backends/opencl/statements.h"

#include "backends/c_text/c_text.h"
#include "backends/c_text/statement_text.h"
#include "ir/expr_traits.h"
#include "ir/memory.h"
#include "lowering/access/access_shape.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/access/element_update.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::backends::opencl {

using ir::Stmt;
using ir::StmtKind;

namespace {

class CoordinateLets : public ir::Visitor {
  public:
    ir::SymbolMap<bool> found;

    using Visitor::visit;
    void visit(const Expr &expr) override {
        ir::for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ir::ExprKind::Load) {
                note(node->arg(0));
            }
        });
    }
    /// A let is noted after its body, so that those that its value is computed of are noted, too.
    void visit(const Stmt &stmt) override {
        recurse(stmt);
        if (const auto *store = stmt.as<ir::Store>()) {
            note(store->index);
        } else if (const auto *loop = stmt.as<ir::For>()) {
            note(loop->min);
        } else if (const auto *let = stmt.as<ir::LetStmt>(); let && found.contains(let->symbol)) {
            note(let->value);
        }
    }

  private:
    void note(const Expr &expr) {
        ir::for_each_free_symbol(expr, [&](const ir::Symbol &symbol) { found[symbol] = true; });
    }
};

[[noreturn]] void refuse_atomic(const std::string &kernel, const ir::Symbol &func) {
    throw CompileError("not-built",
                       concat("in ", kernel, ": the updates of ", func.name(),
                              " are atomic; OpenCL kernels update single values atomically, by an operation on the old "
                              "value; remove atomic(), or update outside of the loops over "
                              "blocks"));
}

/// The function of OpenCL that updates an integer of 32 bits by the operation; null if there is none.
const char *update_function(ir::ReduceOp op) {
    switch (op) {
    case ir::ReduceOp::Add:
        return "atomic_add";
    case ir::ReduceOp::Min:
        return "atomic_min";
    case ir::ReduceOp::Max:
        return "atomic_max";
    case ir::ReduceOp::And:
    case ir::ReduceOp::BitAnd:
        return "atomic_and";
    case ir::ReduceOp::Or:
    case ir::ReduceOp::BitOr:
        return "atomic_or";
    case ir::ReduceOp::BitXor:
        return "atomic_xor";
    case ir::ReduceOp::Mul:
    case ir::ReduceOp::SaturatingAdd:
        return nullptr;
    }
    unreachable("a reduction of no kind");
}

} // namespace

ir::SymbolMap<bool> lets_of_coordinates(const Stmt &body) {
    CoordinateLets lets;
    lets.visit(body);
    return std::move(lets.found);
}

/// The value wraps; where it is part of coordinates, in which nothing overflows, there is a second variable.
void Statements::let(const ir::LetStmt &node) {
    f_.bind(node.symbol, e_.value(node.value));
    if (ir::is_index_arithmetic(node.value) && context_.coordinates.contains(node.symbol)) {
        f_.bind_coordinate(node.symbol, e_.coordinate(node.value));
    }
}

void Statements::write(const Stmt &stmt) {
    c_text::write_in_lets(
        f_, stmt, [&](const ir::LetStmt &node) { let(node); }, [&](const Stmt &inside) { leaf(inside); });
}

void Statements::loop(const ir::For &node) {
    check(node.for_kind == ir::ForKind::Serial, "the loops of a kernel are serial");
    const std::string min = e_.coordinate(node.min).lane(0), extent = e_.coordinate(node.extent).lane(0);
    const std::string count = f_.fresh();
    f_.open(concat("for (int ", count, " = 0; ", count, " < ", extent, "; ", count, "++)"));
    f_.bind(node.var, Value{Int(32), {f_.define("int", concat(min, " + ", count), node.var.name())}});
    write(node.body);
    f_.close();
}

void Statements::allocate(const ir::Allocate &node) {
    const std::string element = memory_type(node.type), name = f_.fresh(node.buffer.name());
    if (node.memory == ir::MemoryType::GPUShared) {
        const ir::SharedLayout::Part *part = context_.shared.find(node.buffer);
        check(part != nullptr, concat("the layout of shared memory has '", node.buffer.name(), "'"));
        const std::string offset = e_.value(part->offset).lane(0);
        f_.line(concat("local ", element, " *const ", name, " = (local ", element, " *)(", context_.shared_memory,
                       " + ", offset, ");"));
    } else {
        const std::optional<int64_t> elements = ir::constant_elements(node);
        if (!elements) {
            throw CompileError(
                "not-built", concat("in ", context_.kernel, ": the memory of ", node.buffer.name(),
                                    " is private to a thread and has a size that is no constant; OpenCL gives a thread "
                                    "memory of constant size; bound it with bound_extent, or compute it outside of the "
                                    "loops over threads"));
        }
        f_.line(concat(element, " ", name, "[", std::max<int64_t>(*elements, 1), "];"));
    }
    f_.bind(node.buffer, Array{name, node.type, node.memory == ir::MemoryType::GPUShared ? "local" : ""});
    write(node.body);
}

void Statements::dense_store(const ir::Store &node, const Expr &first) {
    const Array &array = f_.array(node.buffer);
    const std::string index = e_.coordinate(first).lane(0), element = memory_type(array.type);
    const Value value = e_.value(node.value);
    const int lanes = node.value.type().lanes(), width = lanes_at_once(lanes);
    for (int i = 0; i < lanes; i += width) {
        std::string vector;
        for (int k = 0; k < width; k++) {
            vector += (k > 0 ? ", " : "") + value.lane(static_cast<size_t>(i + k));
        }
        const std::string at = i == 0 ? index : concat(index, " + ", i);
        f_.line(concat("vstore", width, "((", element, width, ")(", vector, "), 0, ", array.name, " + (", at, "));"));
    }
}

void Statements::store(const ir::Store &node) {
    const bool is_always = c_text::stores_all_lanes(node);
    if (const Expr first = lowering::first_of_dense(node.index);
        is_always && first.defined() && node.value.type().is_vector() && lanes_at_once(node.value.type().lanes()) > 1) {
        return dense_store(node, first);
    }
    const Value index = e_.coordinate(node.index), value = e_.value(node.value);
    const Value predicate = is_always ? Value{} : e_.value(node.predicate);
    const std::string &array = f_.array(node.buffer).name;
    c_text::write_lanes(
        f_, node, [&](int i) { return concat(array, "[", index.lane(static_cast<size_t>(i)), "]"); },
        [&](int i) { return value.lane(static_cast<size_t>(i)); },
        [&](int i) { return predicate.lane(static_cast<size_t>(i)); });
}

void Statements::assertion(const ir::Assert &node) {
    const std::vector<std::string> &texts = context_.failures;
    const auto number = std::find(texts.begin(), texts.end(), ir::failure_text(node)) - texts.begin() + 1;
    f_.open(concat("if (!", e_.value(node.condition).lane(0), ")"));
    f_.line(concat("atomic_cmpxchg(", context_.failure_word, ", 0, ", number, ");"));
    f_.close();
}

// ---- Atomic updates.

void Statements::atomic(const ir::Atomic &node) {
    Stmt at = node.body;
    std::vector<const ir::LetStmt *> lets;
    for (const ir::LetStmt *let = at.as<ir::LetStmt>(); let != nullptr; let = at.as<ir::LetStmt>()) {
        lets.push_back(let);
        at = let->body;
    }
    const auto *store = at.as<ir::Store>();
    for (const ir::LetStmt *let : lets) {
        if (store != nullptr && lowering::reads_buffer(let->value, store->buffer)) {
            store = nullptr;
            break;
        }
        f_.bind(let->symbol, e_.value(let->value));
    }
    if (store == nullptr) {
        refuse_atomic(context_.kernel, node.func);
    }
    return f_.array(store->buffer).space.empty() ? this->store(*store)
                                                 : update(*store); // memory of a thread is its own
}

/// Updates each lane by itself, as lanes may be of one element.
void Statements::update(const ir::Store &node) {
    const auto update = lowering::find_element_update(node);
    if (!update) {
        refuse_atomic(context_.kernel, node.buffer);
    }
    const Type type = node.value.type().element_of();
    if (!update->operand.defined()) { // nothing changes
        return;
    }
    const bool is_always = c_text::stores_all_lanes(node);
    const Value index = e_.coordinate(node.index), operand = e_.value(update->operand);
    const Value predicate = is_always ? Value{} : e_.value(node.predicate);
    const Array &array = f_.array(node.buffer);
    for (size_t i = 0; i < static_cast<size_t>(node.value.type().lanes()); i++) {
        if (!is_always) {
            f_.open(concat("if (", predicate.lane(i), ")"));
        }
        if (type.bytes() < 4) {
            update_part(*update, array, index.lane(i), operand.lane(i));
        } else {
            update_lane(*update, array, index.lane(i), operand.lane(i));
        }
        if (!is_always) {
            f_.close();
        }
    }
}

void Statements::update_lane(const lowering::ElementUpdate &update, const Array &array, const std::string &index,
                             const std::string &operand) {
    const Type type = array.type;
    const auto pointer_to = [&](Type element) {
        return concat("volatile ", array.space, " ", value_type(element), " *");
    };
    const Type bits = UInt(type.bits());
    const char *words = type.bits() == 64 ? "atom" : "atomic"; // that names of functions begin with
    if (update.kind == lowering::ElementUpdate::Kind::Replaces) {
        return f_.line(concat(words, "_xchg((", pointer_to(bits), ")(", array.name, " + ", index, "), ",
                              e_.operators().reinterpret(type, bits, operand), ");"));
    }
    const char *function = update_function(update.op);
    if (type.is_int_or_uint() && type.bits() == 32 && function != nullptr) {
        return f_.line(concat(function, "((", pointer_to(type), ")(", array.name, " + ", index, "), ", operand, ");"));
    }
    const std::string at = f_.fresh(), seen = f_.fresh(), was = f_.fresh(), pointer = pointer_to(bits);
    f_.line(concat(pointer, "const ", at, " = (", pointer, ")(", array.name, " + ", index, ");"));
    f_.line(concat(value_type(bits), " ", seen, " = *", at, ", ", was, ";"));
    f_.open("do");
    f_.line(concat(was, " = ", seen, ";"));
    const std::string old = f_.define(value_type(type), e_.operators().reinterpret(bits, type, was));
    const std::string changed = f_.define(value_type(type), e_.joined(update.op, type, old, operand));
    f_.line(concat(seen, " = ", words, "_cmpxchg(", at, ", ", was, ", ",
                   e_.operators().reinterpret(type, bits, changed), ");"));
    f_.close(concat("} while (", seen, " != ", was, ");"));
}

/// Updates a value of 8 or 16 bits, of which devices have no atomic functions, as a part of a word.
void Statements::update_part(const lowering::ElementUpdate &update, const Array &array, const std::string &index,
                             const std::string &operand) {
    const Type type = array.type;
    const std::string place = f_.fresh(), at = f_.fresh(), shift = f_.fresh(), seen = f_.fresh(), was = f_.fresh();
    const std::string pointer = concat("volatile ", array.space, " uint *");
    f_.line(concat("const uintptr_t ", place, " = (uintptr_t)(", array.name, " + ", index, ");"));
    f_.line(concat(pointer, "const ", at, " = (", pointer, ")(", place, " & ~(uintptr_t)3);"));
    f_.line(concat("const uint ", shift, " = (uint)(", place, " & 3) * 8;"));
    f_.line(concat("uint ", seen, " = *", at, ", ", was, ";"));
    f_.open("do");
    f_.line(concat(was, " = ", seen, ";"));
    std::string changed = operand;
    if (update.kind == lowering::ElementUpdate::Kind::Combines) {
        const std::string bits = concat("(", was, " >> ", shift, ")");
        const std::string old = f_.define(value_type(type), e_.operators().from_bits(type, bits));
        changed = f_.define(value_type(type), e_.joined(update.op, type, old, operand));
    }
    f_.line(concat(seen, " = atomic_cmpxchg(", at, ", ", was, ", (", was, " & ~(",
                   type.bytes() == 1 ? "0xffU" : "0xffffU", " << ", shift, ")) | ((uint)(",
                   e_.operators().bits_of(type, changed), ") << ", shift, "));"));
    f_.close(concat("} while (", seen, " != ", was, ");"));
}

/// Writes a statement that is neither a LetStmt nor a ProducerConsumer.
void Statements::leaf(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::Assert:
        return assertion(*stmt.as<ir::Assert>());
    case StmtKind::For:
        return loop(*stmt.as<ir::For>());
    case StmtKind::Block:
        for (const Stmt &part : stmt.as<ir::Block>()->stmts) {
            write(part);
        }
        return;
    case StmtKind::IfThenElse: {
        const auto &node = *stmt.as<ir::IfThenElse>();
        return c_text::write_branch(f_, e_.value(node.condition).lane(0), node, [&](const Stmt &part) { write(part); });
    }
    case StmtKind::Allocate:
        return allocate(*stmt.as<ir::Allocate>());
    case StmtKind::Free: // memory of a kernel ends with its scope
        return;
    case StmtKind::Store:
        return store(*stmt.as<ir::Store>());
    case StmtKind::Evaluate:
        e_.value(stmt.as<ir::Evaluate>()->value);
        return;
    case StmtKind::Barrier:
        return f_.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    case StmtKind::Atomic:
        return atomic(*stmt.as<ir::Atomic>());
    case StmtKind::Launch:
    case StmtKind::LetStmt:
    case StmtKind::ProducerConsumer:
    case StmtKind::Provide:
    case StmtKind::Realize:
    case StmtKind::Prefetch:
        break;
    }
    unreachable("the statement does not occur in a kernel");
}

} // namespace fluorite::backends::opencl
