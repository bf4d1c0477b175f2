// Printing statements, lowered functions and modules. See print.h for the syntax.
//
// Each statement starts on its own line. A let or an allocation extends to the end of the enclosing braces; if it is
// not last in its block, it gets its own braces.

#include "ir/printer.h"

#include <algorithm>
#include <ostream>

namespace fluorite::ir {

void Printer::new_line() {
    if (!out_.empty()) {
        out_ += '\n';
    }
    out_.append(static_cast<size_t>(indent_) * 2, ' ');
}

void Printer::braces(const Stmt &body) {
    text(" {");
    indent_++;
    if (body.defined()) {
        stmt(body);
    }
    indent_--;
    new_line();
    text("}");
}

void Printer::ranges(const std::vector<Range> &bounds) {
    for (size_t i = 0; i < bounds.size(); i++) {
        text(i > 0 ? ", [" : "[");
        expr(bounds[i].min);
        text(", +");
        expr(bounds[i].extent);
        text(")");
    }
}

void Printer::memory(MemoryType memory) {
    if (memory != MemoryType::Auto) {
        text(concat(" in ", to_word(memory)));
    }
}

void Printer::comma_separated(const std::vector<Expr> &exprs) {
    for (size_t i = 0; i < exprs.size(); i++) {
        text(i > 0 ? ", " : "");
        expr(exprs[i]);
    }
}

void Printer::types(const std::vector<Type> &types) {
    for (size_t i = 0; i < types.size(); i++) {
        text(concat(i > 0 ? ", " : "", types[i]));
    }
}

void Printer::let_stmt(const LetStmt &let) {
    text("let ");
    let_head(let.symbol, let.value);
    stmt(let.body);
}

void Printer::for_stmt(const For &loop) {
    text(loop.for_kind == ForKind::Serial ? "for " : concat(to_word(loop.for_kind), " for "));
    symbol(loop.var, SymbolKind::Loop, Position::Binder);
    text(" in ");
    ranges({{loop.min, loop.extent}});
    if (loop.partition != Partition::Auto) {
        text(concat(" partition ", to_word(loop.partition)));
    }
    braces(loop.body);
}

void Printer::provide(const Provide &provide) {
    symbol(provide.func, SymbolKind::Func);
    operands(provide.args);
    const bool single = provide.values.size() == 1;
    text(single ? " = " : " = {");
    comma_separated(provide.values);
    text(single ? "" : "}");
    if (provide.stage != 0) {
        text(concat(" stage ", provide.stage));
    }
    int lanes = 1;
    for (const Expr &arg : provide.args) {
        lanes = std::max(lanes, arg.type().lanes());
    }
    for (const Expr &value : provide.values) {
        lanes = std::max(lanes, value.type().lanes());
    }
    where(provide.predicate, lanes);
}

void Printer::realize(const Realize &realize) {
    text("realize ");
    KnownSymbol &known = symbol(realize.func, SymbolKind::Func, Position::Binder);
    for (size_t i = 0; i < realize.types.size(); i++) {
        known.types[static_cast<int>(i)] = realize.types[i].element_of();
    }
    text(": ");
    types(realize.types);
    memory(realize.memory);
    text(realize.bounds.empty() ? "" : " over ");
    ranges(realize.bounds);
    braces(realize.body);
}

void Printer::allocate(const Allocate &allocate) {
    text("allocate ");
    KnownSymbol &known = symbol(allocate.buffer, SymbolKind::Buffer, Position::Binder);
    known.types[0] = allocate.type;
    text(concat(": ", allocate.type, "["));
    comma_separated(allocate.extents);
    text("]");
    memory(allocate.memory);
    text(allocate.slot == Allocate::no_slot ? "" : concat(" slot ", allocate.slot));
    stmt(allocate.body);
}

void Printer::store(const Store &store) {
    symbol(store.buffer, SymbolKind::Buffer);
    text("[");
    expr(store.index);
    text("] = ");
    expr(store.value);
    where(store.predicate, store.value.type().lanes());
}

void Printer::block(const Block &block) {
    for (size_t i = 0; i < block.stmts.size(); i++) {
        const Stmt &each = block.stmts[i];
        const bool reaches_on = each.as<LetStmt>() || each.as<Allocate>() || each.as<Prefetch>() || each.as<Block>();
        if (reaches_on && i + 1 < block.stmts.size()) {
            new_line();
            text("{");
            indent_++;
            stmt(each);
            indent_--;
            new_line();
            text("}");
        } else {
            stmt(each);
        }
    }
}

void Printer::if_stmt(const IfThenElse &branch) {
    text("if ");
    expr(branch.condition);
    braces(branch.then_case);
    if (!branch.else_case.defined()) {
        return;
    }
    text(" else");
    if (const IfThenElse *chained = branch.else_case.as<IfThenElse>()) {
        text(" ");
        if_stmt(*chained);
    } else {
        braces(branch.else_case);
    }
}

void Printer::stmt(const Stmt &stmt) {
    if (const Block *many = stmt.as<Block>()) {
        block(*many);
        return;
    }
    new_line();
    if (!stmt.defined()) {
        text("(undefined)");
        return;
    }
    if (!spend()) {
        return;
    }
    switch (stmt.kind()) {
    case StmtKind::LetStmt:
        let_stmt(*stmt.as<LetStmt>());
        break;
    case StmtKind::Assert:
        text("assert ");
        expr(stmt.as<Assert>()->condition);
        text(" else ");
        expr(stmt.as<Assert>()->error);
        break;
    case StmtKind::ProducerConsumer:
        text(stmt.as<ProducerConsumer>()->is_producer ? "produce " : "consume ");
        symbol(stmt.as<ProducerConsumer>()->func, SymbolKind::Func);
        braces(stmt.as<ProducerConsumer>()->body);
        break;
    case StmtKind::For:
        for_stmt(*stmt.as<For>());
        break;
    case StmtKind::Provide:
        provide(*stmt.as<Provide>());
        break;
    case StmtKind::Realize:
        realize(*stmt.as<Realize>());
        break;
    case StmtKind::Allocate:
        allocate(*stmt.as<Allocate>());
        break;
    case StmtKind::Free:
        text("free ");
        symbol(stmt.as<Free>()->buffer, SymbolKind::Buffer);
        break;
    case StmtKind::Store:
        store(*stmt.as<Store>());
        break;
    case StmtKind::Block:
        break;
    case StmtKind::IfThenElse:
        if_stmt(*stmt.as<IfThenElse>());
        break;
    case StmtKind::Evaluate:
        text("evaluate ");
        expr(stmt.as<Evaluate>()->value);
        break;
    case StmtKind::Prefetch:
        text("prefetch ");
        symbol(stmt.as<Prefetch>()->func, SymbolKind::Func);
        text(stmt.as<Prefetch>()->bounds.empty() ? "" : " over ");
        ranges(stmt.as<Prefetch>()->bounds);
        this->stmt(stmt.as<Prefetch>()->body);
        break;
    case StmtKind::Atomic:
        text("atomic ");
        symbol(stmt.as<Atomic>()->func, SymbolKind::Func);
        braces(stmt.as<Atomic>()->body);
        break;
    case StmtKind::Launch:
        text("launch " + quoted_name(stmt.as<Launch>()->task) + "(");
        comma_separated(stmt.as<Launch>()->args);
        text(")");
        if (const std::vector<Expr> &threads = stmt.as<Launch>()->threads; !threads.empty()) {
            text(" threads(");
            comma_separated(threads);
            text(")");
        }
        break;
    case StmtKind::Barrier:
        text("barrier");
        break;
    }
}

void Printer::lowered_arg(const LoweredArg &arg) {
    if (arg.kind == LoweredArg::Kind::Scalar) {
        symbol(arg.symbol, SymbolKind::Param, Position::Binder).types[KnownSymbol::as_variable] = arg.type;
        text(concat(": scalar ", arg.type));
        return;
    }
    symbol(arg.symbol, SymbolKind::Buffer, Position::Binder).types[0] = arg.type.element_of();
    if (arg.kind == LoweredArg::Kind::Allocation) {
        text(concat(": allocation ", arg.type));
        return;
    }
    text(arg.kind == LoweredArg::Kind::InputBuffer ? ": input " : ": output ");
    text(concat(arg.type, "[", arg.dimensions, "]"));
}

void Printer::lowered(const LoweredFunc &func) {
    text(to_word(func.kind) + std::string(" ") + quoted_name(func.name) + "(");
    for (size_t i = 0; i < func.args.size(); i++) {
        text(i > 0 ? ", " : "");
        lowered_arg(func.args[i]);
    }
    text(")");
    if (func.index.defined()) {
        text(" of ");
        index(func.index);
    }
    indices("blocks", func.blocks);
    indices("threads", func.threads);
    braces(func.body);
    text("\n");
}

void Printer::index(const Symbol &index) {
    symbol(index, SymbolKind::Loop, Position::Binder).types[KnownSymbol::as_variable] = Int(32);
}

void Printer::indices(const char *word, const std::vector<Symbol> &indices) {
    if (indices.empty()) {
        return;
    }
    text(concat(" ", word, "("));
    for (size_t i = 0; i < indices.size(); i++) {
        text(i > 0 ? ", " : "");
        index(indices[i]);
    }
    text(")");
}

void Printer::module(const LoweredModule &module) {
    for (const LoweredArg &constant : module.constants) {
        text("constant ");
        lowered_arg(constant);
        text("\n");
    }
    for (const Symbol &buffer : module.streams) {
        text("streams ");
        symbol(buffer, SymbolKind::Buffer);
        text("\n");
    }
    for (const LoweredFunc &func : module.funcs) {
        lowered(func);
    }
}

std::string to_text(const Stmt &stmt, const PrintOptions &options) {
    Printer printer(options);
    printer.stmt(stmt);
    return printer.take() + "\n";
}

std::string to_text(const LoweredFunc &func, const PrintOptions &options) {
    Printer printer(options);
    printer.lowered(func);
    return printer.take();
}

std::string to_text(const LoweredModule &module, const PrintOptions &options) {
    Printer printer(options);
    printer.module(module);
    return printer.take();
}

std::ostream &operator<<(std::ostream &stream, const Stmt &stmt) { return stream << to_text(stmt); }
std::ostream &operator<<(std::ostream &stream, const LoweredFunc &func) { return stream << to_text(func); }
std::ostream &operator<<(std::ostream &stream, const LoweredModule &module) { return stream << to_text(module); }

} // namespace fluorite::ir
