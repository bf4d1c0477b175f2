// The structure of loop IR as a short text, for tests and for readers who look for a loop, a buffer or a gather.
//
// A text of a whole program is long, and most of it is expressions: of sizes, coordinates and messages. What most
// passes change is the structure: which loops there are, which memory, how wide and how dense accesses are, and how
// often each occurs. The accesses and operations of a statement are counted over its distinct expression nodes, as a
// node with many uses is computed once.
//
// Does not show values, bounds that are not constant, or order within an expression. Cost: linear in the nodes, and
// quadratic in the depth of nested blocks for the comparison of neighbours.

#include "lowering/opt/structure.h"

#include "ir/print.h"
#include "ir/text_names.h"
#include "lowering/access/access_shape.h"

#include <map>
#include <optional>
#include <set>

namespace fluorite::lowering::opt {

using namespace ir;

namespace {

/// `dense` for a vector of neighbours, and so on; empty for a scalar.
std::string shape_of(const Expr &index) {
    const AccessShape shape = access_shape(index);
    switch (shape.kind) {
    case AccessShape::Kind::Scalar:
        return "";
    case AccessShape::Kind::Uniform:
        return " at one place";
    case AccessShape::Kind::Strided: {
        const std::optional<int64_t> stride = shape.constant_stride();
        return shape.is_dense() ? " dense" : stride ? concat(" by ", *stride) : " strided";
    }
    case AccessShape::Kind::Blocks:
        return shape.stride.defined() ? " strided" : " at one place";
    case AccessShape::Kind::Other:
        return " at any places";
    }
    return "";
}

std::string access_text(const Type type, const Expr &index, const Expr &predicate) {
    const bool is_masked =
        predicate.defined() && predicate->kind() != ExprKind::UIntImm &&
        !(predicate->kind() == ExprKind::Broadcast && predicate->arg(0)->kind() == ExprKind::UIntImm);
    return concat(to_string(type), shape_of(index), is_masked ? " masked" : "");
}

/// What expressions load, call and do to lanes, with how often.
class Uses {
  public:
    void add(const Expr &expr) {
        for_each_node(expr, [&](const Expr &node) {
            if (!seen_.insert(node.get()).second) {
                return;
            }
            switch (node->kind()) {
            case ExprKind::Load:
                counts_["load " + node->symbol().name() + ": "]
                       [access_text(node.type(), node->arg(0), node->arg_count() > 1 ? node->arg(1) : Expr())]++;
                return;
            case ExprKind::Image:
            case ExprKind::Call:
                counts_["read " + node->symbol().name() + ": "][to_string(node.type())]++;
                return;
            case ExprKind::Extern:
                counts_["call "][node->text()]++;
                return;
            case ExprKind::Shuffle:
                counts_[""]["shuffle"]++;
                return;
            case ExprKind::VectorReduce:
                counts_[""][concat("vector_reduce<", to_word(node->reduce_op()), ">")]++;
                return;
            default: // arithmetic has no structure of its own
                return;
            }
        });
    }

    /// `load a: 2 of uint8x16 dense, uint8; call sin; shuffle`, each part after the separator.
    std::string text(const std::string &separator) const {
        std::string result;
        for (const auto &[what, kinds] : counts_) {
            std::string part;
            for (const auto &[kind, count] : kinds) {
                part += concat(part.empty() ? "" : ", ", count > 1 ? concat(count, " of ") : "", kind);
            }
            result += (result.empty() ? separator : "; ") + what + part;
        }
        return result;
    }

  private:
    std::map<std::string, std::map<std::string, int>> counts_;
    std::set<const ExprNode *> seen_;
};

std::string uses_text(std::initializer_list<Expr> exprs, const std::string &separator = "; ") {
    Uses uses;
    for (const Expr &expr : exprs) {
        if (expr.defined()) {
            uses.add(expr);
        }
    }
    return uses.text(separator);
}

std::string indented(const std::string &text) {
    std::string result;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = text.find('\n', begin) + 1;
        result += "  " + text.substr(begin, end - begin);
        begin = end;
    }
    return result;
}

/// Texts of statements in order; a sequence of equal ones becomes one with its length.
class Lines {
  public:
    void add(const std::string &text) {
        if (text.empty()) {
            return;
        }
        if (text != last_) {
            flush();
            last_ = text;
        }
        count_++;
    }
    std::string take() {
        flush();
        return std::move(result_);
    }

  private:
    std::string result_, last_;
    int count_ = 0;

    void flush() {
        const bool is_one_line = last_.find('\n') + 1 == last_.size();
        if (count_ > 1 && is_one_line) {
            result_ += concat(count_, " x ", last_);
        } else if (count_ > 1) {
            result_ += concat(count_, " times\n", indented(last_));
        } else {
            result_ += last_;
        }
        count_ = 0;
        last_.clear();
    }
};

std::string structure_of(const Stmt &stmt);

std::string extent_text(const Expr &extent) {
    return extent->kind() == ExprKind::IntImm ? concat(" in ", extent->int_value()) : "";
}

std::string memory_text(const Allocate &allocate) {
    std::string sizes;
    for (const Expr &extent : allocate.extents) {
        sizes +=
            concat(sizes.empty() ? "" : ", ", extent->kind() == ExprKind::IntImm ? concat(extent->int_value()) : "?");
    }
    const bool is_auto = allocate.memory == MemoryType::Auto;
    return concat("allocate ", allocate.buffer.name(), ": ", to_string(allocate.type), "[", sizes, "]",
                  is_auto ? "" : " in ", is_auto ? "" : to_word(allocate.memory),
                  allocate.slot == Allocate::no_slot ? "" : concat(" slot ", allocate.slot), "\n");
}

/// A line, and below it the bodies.
std::string with_bodies(const std::string &line, std::initializer_list<Stmt> bodies) {
    std::string result = line + "\n";
    bool is_first = true;
    for (const Stmt &body : bodies) {
        if (body.defined()) {
            result += (is_first ? "" : "else\n") + indented(structure_of(body));
        }
        is_first = false;
    }
    return result;
}

/// Adds the lines of a statement to those of the sequence that it is a part of.
struct Writer {
    Lines &lines;

    void put(const Stmt &stmt) const { visit_stmt(stmt, *this); }

    void operator()(const LetStmt &let) const {
        const std::string uses = uses_text({let.value}, "");
        lines.add(uses.empty() ? "" : "let " + uses + "\n");
        put(let.body);
    }
    void operator()(const Assert &) const { lines.add("assert\n"); }
    void operator()(const ProducerConsumer &mark) const { put(mark.body); }
    void operator()(const For &loop) const {
        const std::string kind = loop.for_kind == ForKind::Serial ? "" : concat(to_word(loop.for_kind), " ");
        lines.add(with_bodies(
            concat(kind, "for ", loop.var.name(), extent_text(loop.extent), uses_text({loop.min, loop.extent})),
            {loop.body}));
    }
    void operator()(const Provide &provide) const {
        Uses uses;
        for (const std::vector<Expr> *exprs : {&provide.values, &provide.args}) {
            for (const Expr &expr : *exprs) {
                uses.add(expr);
            }
        }
        lines.add(concat("provide ", provide.func.name(), uses.text("; "), "\n"));
    }
    void operator()(const Realize &realize) const {
        lines.add(concat("realize ", realize.func.name(), "\n"));
        put(realize.body);
    }
    void operator()(const Allocate &allocate) const {
        lines.add(memory_text(allocate));
        put(allocate.body);
    }
    void operator()(const Free &free) const { lines.add(concat("free ", free.buffer.name(), "\n")); }
    void operator()(const Store &store) const {
        lines.add(concat("store ", store.buffer.name(), ": ",
                         access_text(store.value.type(), store.index, store.predicate),
                         uses_text({store.value, store.index, store.predicate}), "\n"));
    }
    void operator()(const Block &block) const {
        for (const Stmt &stmt : block.stmts) {
            put(stmt);
        }
    }
    void operator()(const IfThenElse &branch) const {
        lines.add(with_bodies("if" + uses_text({branch.condition}, " "), {branch.then_case, branch.else_case}));
    }
    void operator()(const Evaluate &evaluate) const { lines.add(uses_text({evaluate.value}, "") + "\n"); }
    void operator()(const Prefetch &prefetch) const {
        lines.add(concat("prefetch ", prefetch.func.name(), "\n"));
        put(prefetch.body);
    }
    void operator()(const Atomic &atomic) const {
        lines.add(with_bodies("atomic " + atomic.func.name(), {atomic.body}));
    }
    void operator()(const Launch &launch) const { lines.add(concat("launch ", launch.task, "\n")); }
    void operator()(const Barrier &) const { lines.add("barrier\n"); }
};

std::string structure_of(const Stmt &stmt) {
    Lines lines;
    Writer{lines}.put(stmt);
    return lines.take();
}

} // namespace

std::string structure_text(const Stmt &stmt) { return stmt.defined() ? structure_of(stmt) : ""; }

std::string structure_text(const LoweredModule &module) {
    std::string result;
    for (const LoweredArg &constant : module.constants) {
        result += concat("constant ", constant.symbol.name(), ": ", to_string(constant.type), "\n");
    }
    for (const Symbol &buffer : module.streams) {
        result += concat("streams ", buffer.name(), "\n");
    }
    for (const LoweredFunc &func : module.funcs) {
        const std::string over = func.index.defined() ? " of " + func.index.name() : "";
        result += concat(to_word(func.kind), " ", func.name, over, "\n") + indented(structure_text(func.body));
    }
    return result;
}

} // namespace fluorite::lowering::opt
