// Marks for the profiler: which Func a thread computes, and what memory Funcs have.
//
//   task f.produce.0(...) {
//     produce g { S }
//     consume g { allocate h: int32[n] in heap; T; free h } }
//   -->
//   task f.produce.0(...) {
//     let profile = fluorite_profile_block()
//     { profile.set(profile, 5); profile.add(profile, 224, 1)        where g is number 5
//       produce g { S }
//       profile.set(profile, 4) }                                    where the task was launched for number 4
//     consume g {
//       allocate h: int32[n] in heap
//       fluorite_profile_allocate(profile, 6, n * 4); T; fluorite_profile_free_bytes(profile, 6, n * 4); free h } }
// In code with time stamps, calls of the runtime take the place of `profile.set`.
//
// The marks come last, when functions are final, so that they change no decision of an earlier pass: what is measured
// is the code that a target without the feature has. In vectors over several productions of a Func, one mark stands for
// all of them.
//
// Method: one walk of each function, in the order of the module, so that the Func around a Launch is known before the
// function that it launches. A function that was launched from several Funcs belongs to the first of them; the runtime
// gives the tasks of loops the Func of their launch.
//
// Relies on: the marks ProducerConsumer, which passes keep; each allocation has one Free, in straight-line code. Code
// that leaves a function on an error leaves its marks, too: the runtime restores what was before (runtime/profile).
// Does not mark kernels. Cost: linear.

#include "lowering/profile/profile.h"

#include "fluorite/runtime/profile.h"
#include "ir/memory.h"
#include "lowering/pass_context.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

int ProfiledFuncs::number_of(const std::string &name) {
    const auto [at, is_new] = numbers_.try_emplace(name, fluorite_profile_first_func + static_cast<int>(funcs_.size()));
    if (is_new) {
        funcs_.push_back({name});
    }
    return at->second;
}

void ProfiledFuncs::note_stack(int number, int64_t bytes) {
    int64_t &most = funcs_.at(static_cast<size_t>(number - fluorite_profile_first_func)).stack;
    most = std::max(most, bytes);
}

bool ProfiledFuncs::note_points(int number, int64_t points) {
    std::optional<int64_t> &noted = funcs_.at(static_cast<size_t>(number - fluorite_profile_first_func)).points;
    const bool is_same = !noted || *noted == points;
    noted = is_same ? points : unknown;
    return is_same;
}

std::string ProfiledFuncs::lines() const {
    std::string text;
    for (const Func &func : funcs_) {
        std::string name = func.name;
        std::replace(name.begin(), name.end(), '\n', ' ');
        text += concat("\n", func.stack, " ", func.points.value_or(counted), " ", name);
    }
    return text;
}

namespace {

class Marker : public Mutator {
  public:
    Marker(const Graph &graph, ProfiledFuncs &funcs, std::map<std::string, int> &launched)
        : graph_(graph), funcs_(funcs), launched_(launched) {}

    Stmt mark(const Stmt &body, int around) {
        const Expr value = make_extern(Handle(), "fluorite_profile_block", {});
        const Symbol symbol = SymbolSource().fresh_let("profile", value);
        block_ = make_var(Handle(), symbol);
        current_ = around;
        const Stmt marked = mutate(body);
        return has_marks_ ? LetStmt::make(symbol, value, marked) : marked;
    }

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        switch (stmt.kind()) {
        case StmtKind::ProducerConsumer:
            return mark_production(*stmt.as<ProducerConsumer>());
        case StmtKind::Allocate:
            return mark_allocation(*stmt.as<Allocate>());
        case StmtKind::Free:
            return mark_free(stmt);
        case StmtKind::Evaluate:
            return mark_count(stmt);
        case StmtKind::Launch:
            launched_.try_emplace(stmt.as<Launch>()->task, current_);
            return stmt;
        default: // other statements are parts of a Func
            return recurse(stmt);
        }
    }

  private:
    const Graph &graph_;
    ProfiledFuncs &funcs_;
    std::map<std::string, int> &launched_; // the Func around the first Launch of each function
    Expr block_;
    int current_ = fluorite_profile_overhead;
    bool has_marks_ = false;
    SymbolMap<std::pair<int, Expr>> on_heap_; // open allocations: the Func, and the bytes
    std::map<int, int64_t> on_stack_;         // bytes of open allocations of each Func

    std::string name_of(const Symbol &buffer) const {
        const FuncId func = buffer.owner().func;
        return func.valid() && func.index() < graph_.funcs.size() ? graph_.func(func).user_name() : buffer.name();
    }

    bool is_profiled(const Symbol &buffer) const {
        const FuncId func = buffer.owner().func;
        return !func.valid() || func.index() >= graph_.funcs.size() || graph_.func(func).is_profiled;
    }

    Stmt call(const char *function, const Expr &second, const Expr &third = {}) {
        has_marks_ = true;
        std::vector<Expr> operands = {block_, second};
        if (third.defined()) {
            operands.push_back(third);
        }
        return Evaluate::make(make_extern(Int(32), function, operands));
    }

    std::vector<Stmt> entered(int func) {
        const Expr number = make_int(Int(32), func);
        if (funcs_.profiling == Profiling::ByTimer) {
            return {call("fluorite_profile_enter", number)};
        }
        const int offset = fluorite_profile_counters + func * fluorite_profile_counter_bytes;
        return {call("profile.set", number), call("profile.add", make_int(Int(32), offset), make_int(Int(64), 1))};
    }

    Stmt left(int to) {
        const bool by_timer = funcs_.profiling == Profiling::ByTimer;
        return call(by_timer ? "fluorite_profile_leave" : "profile.set", make_int(Int(32), to));
    }

    /// The marks that count_points has placed.
    Stmt mark_count(const Stmt &stmt) {
        const Expr &value = stmt.as<Evaluate>()->value;
        const bool is_count = is_kind(value, ExprKind::Extern) &&
                              (value->text() == "profile.points" || value->text() == "profile.needed");
        if (!is_count) {
            return stmt;
        }
        const int func = funcs_.number_of(value->arg(0)->text());
        if (value->text() == "profile.needed") {
            return call("fluorite_profile_needed", make_int(Int(32), func), value->arg(1));
        }
        const int offset = fluorite_profile_counters + func * fluorite_profile_counter_bytes + fluorite_profile_points;
        return call("profile.add", make_int(Int(32), offset), value->arg(1));
    }

    Stmt mark_production(const ProducerConsumer &node) {
        if (!node.is_producer || !is_profiled(node.func)) {
            return ProducerConsumer::make(node.func, node.is_producer, mutate(node.body));
        }
        const int outer = current_;
        current_ = funcs_.number_of(name_of(node.func));
        std::vector<Stmt> stmts = entered(current_);
        stmts.push_back(ProducerConsumer::make(node.func, true, mutate(node.body)));
        current_ = outer;
        stmts.push_back(left(outer));
        return Block::make(stmts);
    }

    static Expr bytes_of(const Allocate &allocate) {
        Expr bytes = make_int(Int(64), allocate.type.bytes());
        for (const Expr &extent : allocate.extents) {
            bytes = mul(bytes, make_cast(Int(64), make_binary(ExprKind::Max, extent, make_int(Int(32), 0))));
        }
        return bytes;
    }

    Stmt mark_allocation(const Allocate &allocate) {
        const int func = funcs_.number_of(name_of(allocate.buffer));
        const bool is_on_heap = allocate.memory == MemoryType::Heap;
        const std::optional<int64_t> elements =
            allocate.memory == MemoryType::Stack ? constant_elements(allocate) : std::nullopt;
        const int64_t stack = elements ? *elements * allocate.type.bytes() : 0;
        std::vector<Stmt> stmts;
        if (is_on_heap) {
            const Expr bytes = bytes_of(allocate);
            on_heap_[allocate.buffer] = {func, bytes};
            stmts.push_back(call("fluorite_profile_allocate", make_int(Int(32), func), bytes));
        }
        funcs_.note_stack(func, on_stack_[func] += stack);
        stmts.push_back(mutate(allocate.body));
        on_stack_[func] -= stack;
        return Allocate::make(allocate.buffer, allocate.type, allocate.memory, allocate.extents, Block::make(stmts),
                              allocate.slot);
    }

    Stmt mark_free(const Stmt &stmt) {
        const auto found = on_heap_.find(stmt.as<Free>()->buffer);
        if (found == on_heap_.end()) {
            return stmt;
        }
        const auto &[func, bytes] = found->second;
        return Block::make({call("fluorite_profile_free_bytes", make_int(Int(32), func), bytes), stmt});
    }
};

} // namespace

LoweredModule mark_profile(LoweredModule module, const Graph &graph, ProfiledFuncs &funcs) {
    std::map<std::string, int> launched;
    for (LoweredFunc &func : module.funcs) {
        if (func.is_of_host() && func.body.defined()) {
            const auto found = launched.find(func.name);
            func.body = Marker(graph, funcs, launched)
                            .mark(func.body, found == launched.end() ? fluorite_profile_overhead : found->second);
        }
    }
    return module;
}

} // namespace fluorite::lowering
