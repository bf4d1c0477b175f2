// Statements.
//
//   let          the value is what the variable denotes
//   for          a loop that counts from 0, so that no sum exceeds its type
//   allocate     a part of the block's memory, or an array of the thread
//   store        each lane whose predicate holds, in the order of the lanes; neighbours at once
//   barrier      orders the accesses of the block to its own and to global memory
//   assert       the number of the check is stored to the failure word, unless the kernel has stored one, and the thread
//                ends; in a kernel with barriers, which all threads of a block have to reach, it runs no other statement
//
// Bodies nest deeply where lets do, so those are written iteratively.

#include "backends/opencl/statements.h"

#include "backends/opencl/c_text.h"
#include "ir/memory.h"
#include "ir/print.h"
#include "lowering/access/access_shape.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::backends::opencl {

using ir::Stmt;
using ir::StmtKind;

namespace {

class KindSearch : public ir::Visitor {
  public:
    explicit KindSearch(StmtKind kind) : kind_(kind) {}
    bool found = false;
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        found = found || stmt.kind() == kind_;
        if (!found) {
            recurse(stmt);
        }
    }

  private:
    StmtKind kind_;
};

/// What the runtime reports when the check fails: the text of the error call, if it is a constant.
std::string failure_text(const std::string &kernel, const ir::Assert &node) {
    if (node.error->kind() == ir::ExprKind::Extern) {
        for (const Expr &arg : node.error->args()) {
            if (arg->kind() == ir::ExprKind::StringImm && arg->text().ends_with("]")) {
                return arg->text();
            }
        }
    }
    return concat("in ", kernel, ": the check ", node.condition,
                  " fails; it must hold for every point that is computed; pass inputs and parameters that meet it "
                  "[requirement-failed]");
}

} // namespace

bool contains(const Stmt &stmt, StmtKind kind) {
    KindSearch search(kind);
    search.visit(stmt);
    return search.found;
}

void Statements::write(const Stmt &stmt) {
    Stmt at = stmt;
    while (at.defined()) {
        if (const auto *let = at.as<ir::LetStmt>()) {
            f_.open_statement();
            f_.bind(let->symbol, e_.value(let->value));
            f_.close_scope();
            at = let->body;
        } else if (const auto *produce = at.as<ir::ProducerConsumer>()) {
            at = produce->body;
        } else {
            f_.open_statement();
            leaf(at);
            f_.close_scope();
            return;
        }
    }
}

void Statements::block(const ir::Block &node) {
    for (const Stmt &part : node.stmts) {
        const bool is_guarded = context_.after_failure == AfterFailure::OnlyWaits && !contains(part, StmtKind::Barrier);
        if (is_guarded) {
            f_.open(concat("if (", goes_on, ")"));
        }
        write(part);
        if (is_guarded) {
            f_.close();
        }
    }
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

void Statements::branch(const ir::IfThenElse &node) {
    f_.open(concat("if (", e_.value(node.condition).lane(0), ")"));
    write(node.then_case);
    if (node.else_case.defined()) {
        f_.close();
        f_.open("else");
        write(node.else_case);
    }
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
    f_.bind(node.buffer, Array{name, node.type});
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
    const bool is_always = !node.predicate.defined() || ir::is_true(node.predicate);
    if (const Expr first = lowering::first_of_dense(node.index);
        is_always && first.defined() && node.value.type().is_vector() && lanes_at_once(node.value.type().lanes()) > 1) {
        return dense_store(node, first);
    }
    const Value index = e_.coordinate(node.index), value = e_.value(node.value);
    const Value predicate = is_always ? Value{} : e_.value(node.predicate);
    const std::string &array = f_.array(node.buffer).name;
    for (size_t i = 0; i < static_cast<size_t>(node.value.type().lanes()); i++) {
        const std::string stored = concat(array, "[", index.lane(i), "] = ", value.lane(i), ";");
        if (is_always) {
            f_.line(stored);
            continue;
        }
        f_.open(concat("if (", predicate.lane(i), ")"));
        f_.line(stored);
        f_.close();
    }
}

void Statements::assertion(const ir::Assert &node) {
    check(!context_.failure_word.empty(), "a kernel with checks has a failure word");
    failures_.push_back(failure_text(context_.kernel, node));
    f_.open(concat("if (!", e_.value(node.condition).lane(0), ")"));
    f_.line(concat("atomic_cmpxchg(", context_.failure_word, ", 0, ", failures_.size(), ");"));
    f_.line(context_.after_failure == AfterFailure::Returns ? "return;" : concat(goes_on, " = false;"));
    f_.close();
}

/// Writes a statement that is neither a LetStmt nor a ProducerConsumer.
void Statements::leaf(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::Assert:
        return assertion(*stmt.as<ir::Assert>());
    case StmtKind::For:
        return loop(*stmt.as<ir::For>());
    case StmtKind::Block:
        return block(*stmt.as<ir::Block>());
    case StmtKind::IfThenElse:
        return branch(*stmt.as<ir::IfThenElse>());
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
        throw CompileError("not-built",
                           concat("in ", context_.kernel, ": the updates of ", stmt.as<ir::Atomic>()->func.name(),
                                  " are atomic; OpenCL kernels have no locks; remove atomic(), or update "
                                  "outside of the loops over blocks"));
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
