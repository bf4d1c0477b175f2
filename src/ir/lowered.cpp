#include "ir/lowered.h"

#include <algorithm>

namespace fluorite::ir {

const char *to_word(LoweredFunc::Kind kind) {
    switch (kind) {
    case LoweredFunc::Kind::Entry:
        return "func";
    case LoweredFunc::Kind::Task:
        return "task";
    case LoweredFunc::Kind::Callee:
        return "callee";
    case LoweredFunc::Kind::Kernel:
        return "kernel";
    }
    unreachable("a function of no kind");
}

const LoweredFunc *LoweredModule::find(std::string_view name) const {
    const auto at =
        std::find_if(funcs.begin(), funcs.end(), [&](const LoweredFunc &func) { return func.name == name; });
    return at == funcs.end() ? nullptr : &*at;
}

namespace {

class TasksInPlace : public Mutator {
  public:
    explicit TasksInPlace(const LoweredModule &module) : module_(module) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const auto *allocate = stmt.as<Allocate>()) {
            const Stmt body = without_end(mutate(allocate->body), allocate->buffer);
            return Allocate::make(allocate->buffer, allocate->type, allocate->memory, allocate->extents, body);
        }
        const auto *launch = stmt.as<Launch>();
        if (!launch) {
            return recurse(stmt);
        }
        const LoweredFunc *task = module_.find(launch->task);
        if (task && task->kind == LoweredFunc::Kind::Kernel) {
            return stmt;
        }
        check(task && task->args.size() == launch->args.size(), "a launch names a task, and has its arguments");
        for (size_t i = 0; i < task->args.size(); i++) {
            const Expr &arg = launch->args[i];
            check(is_kind(arg, ExprKind::Variable) && arg->symbol() == task->args[i].symbol,
                  "what a launch hands over has the same symbols inside of the task and outside");
        }
        return mutate(task->body);
    }

  private:
    const LoweredModule &module_;

    static Stmt without_end(const Stmt &body, const Symbol &buffer) {
        const auto *block = body.as<Block>();
        const auto *last = block ? block->stmts.back().as<Free>() : nullptr;
        return last && last->buffer == buffer ? Block::make({block->stmts.begin(), block->stmts.end() - 1}) : body;
    }
};

} // namespace

LoweredModule with_tasks_in_place(const LoweredModule &module) {
    LoweredModule result = module;
    std::erase_if(result.funcs, [](const LoweredFunc &func) {
        return func.kind != LoweredFunc::Kind::Entry && func.kind != LoweredFunc::Kind::Kernel;
    });
    result.entry().body = TasksInPlace(module).mutate(module.entry().body);
    return result;
}

} // namespace fluorite::ir
