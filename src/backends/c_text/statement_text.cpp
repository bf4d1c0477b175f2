#include "backends/c_text/statement_text.h"

#include "support/check.h"

namespace fluorite::backends::c_text {

void write_in_lets(FunctionText &text, const ir::Stmt &stmt, const std::function<void(const ir::LetStmt &)> &let,
                   const WriteStmt &leaf) {
    ir::Stmt at = stmt;
    while (at.defined()) {
        if (const auto *produce = at.as<ir::ProducerConsumer>()) {
            at = produce->body;
            continue;
        }
        const auto *node = at.as<ir::LetStmt>();
        text.open_statement();
        node ? let(*node) : leaf(at);
        text.close_scope();
        at = node ? node->body : ir::Stmt();
    }
}

void write_branch(FunctionText &text, const std::string &condition, const ir::IfThenElse &node,
                  const WriteStmt &write) {
    text.open(concat("if (", condition, ")"));
    write(node.then_case);
    if (node.else_case.defined()) {
        text.close();
        text.open("else");
        write(node.else_case);
    }
    text.close();
}

bool stores_all_lanes(const ir::Store &node) { return !node.predicate.defined() || ir::is_true(node.predicate); }

void write_lanes(FunctionText &text, const ir::Store &node, const OfLane &place, const OfLane &value,
                 const OfLane &predicate) {
    const bool is_always = stores_all_lanes(node);
    for (int i = 0; i < node.value.type().lanes(); i++) {
        const std::string stored = concat(place(i), " = ", value(i), ";");
        if (is_always) {
            text.line(stored);
            continue;
        }
        text.open(concat("if (", predicate(i), ")"));
        text.line(stored);
        text.close();
    }
}

} // namespace fluorite::backends::c_text
