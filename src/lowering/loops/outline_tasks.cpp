// Outlining of tasks into functions of their own.
//
//   func f(out: output int32[2]) {
//     let t = a * b
//     parallel for y in [0, +h) { out[y] = y + t } }
//   -->
//   func f(out: output int32[2]) {
//     let t = a * b
//     parallel for y in [0, +h) { launch f.par_for.y.0(out, t) } }
//   task f.par_for.y.0(out: output int32[2], t: scalar int32) of y { out[y] = y + t }
// What becomes a task:
//   - the body of a parallel or forked loop, which threads run;
//   - in the entry, each outermost loop, allocation, store or atomic: the entry only checks its arguments and launches
//     work. It runs once, so a back end may compile it fast rather than well. An allocation around many loop nests, or
//     around an enormous one, stays, and each nest becomes a task, as the time to compile a function grows faster than
//     its size. An allocation that contains the Free of an outer one stays too;
//   - loops and allocations inside of an enormous task, in pieces of a size that compiles in reasonable time;
//   - in a nest of more loops than LLVM's passes handle well, the loops at a certain depth.
//
// The closure of a task consists of the free symbols of its body: values, buffer arguments, and memory that the
// launching function has allocated. Symbols stay the same on both sides. A constant of the module passes through
// closures like an argument.
//
// Method: one walk from the outermost statement inwards, with the allocations in scope. A task is numbered when it is
// met, before the tasks inside of it. Its free symbols are those that it mentions and does not bind, as no symbol is
// bound in two nested scopes; they are sought when the tasks inside of it are launches, so each statement is searched
// for those of one task.
//
// Finally, keep_memory states which memory each function keeps for its loops.
//
// Relies on: no loop and no branch between a Free and its Allocate, so that no parallel loop frees memory from outside.
// Does not outline inside of an Atomic. Cost: linear in statements and in the arguments of tasks.

#include "lowering/loops/outline_tasks.h"

#include "lowering/loops/closure.h"
#include "lowering/map_children.h"
#include "lowering/storage/keep_memory.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr int most_nests_together = 6; // loop nests that are compiled as one function
// In nodes: in a function above the first size, loops and allocations between the given sizes of pieces become tasks;
// smaller ones do in a gigantic function.
constexpr size_t enormous_function = 6000, gigantic_function = 30'000;
constexpr size_t least_piece = 500, least_piece_of_gigantic = 100, largest_piece = 3000;
// Loops inside each other in one function. The time of LLVM's passes on loops grows with more than the square of the
// depth: a nest of 32 compiles in 0.5 s, of 64 in 3.4, of 128 in 13. Deeper nests are cut where so many loops are
// around a loop.
constexpr int most_depth = 16, depth_of_cut = 8;

bool is_made_of_tasks(const Stmt &stmt) {
    const auto *loop = stmt.as<For>();
    return loop && (loop->for_kind == ForKind::Parallel || loop->for_kind == ForKind::Forked);
}

/// Whether the loop is a dimension of the grid of a kernel, which was outlined before.
bool is_grid(const Stmt &stmt) {
    const auto *loop = stmt.as<For>();
    return loop && loop->for_kind == ForKind::GPUBlock;
}

/// Counts the outermost loops in a statement, until there are more than `most`.
void count_nests(const Stmt &stmt, int most, int &nests) {
    if (nests > most) {
        return;
    }
    if (stmt.kind() == StmtKind::For) {
        nests++;
        return;
    }
    for_each_child_stmt(stmt, [&](const Stmt &child) { count_nests(child, most, nests); });
}

bool holds_many_nests(const Stmt &stmt) {
    int nests = 0;
    count_nests(stmt, most_nests_together, nests);
    return nests > most_nests_together;
}

/// Whether the statement frees a buffer that is allocated outside of it.
class FreesOuter : public Visitor {
  public:
    bool found = false;

    explicit FreesOuter(const Stmt &stmt) { visit(stmt); }
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        if (const auto *allocate = stmt.as<Allocate>()) {
            inner_.insert(allocate->buffer);
        } else if (const auto *free = stmt.as<Free>()) {
            found = found || !inner_.contains(free->buffer);
        }
        recurse(stmt);
    }

  private:
    std::set<Symbol> inner_;
};

class Outliner {
  public:
    explicit Outliner(LoweredModule module) : module_(std::move(module)), name_(module_.entry().name) {
        for (const auto *list : {&module_.entry().args, &module_.constants}) {
            for (const LoweredArg &arg : *list) {
                buffers_[arg.symbol] = arg;
            }
        }
    }

    LoweredModule run() {
        const Stmt whole = module_.entry().body; // by value: the walk adds functions
        std::vector<LoweredFunc> kernels(std::make_move_iterator(module_.funcs.begin() + 1),
                                         std::make_move_iterator(module_.funcs.end()));
        module_.funcs.resize(1);
        if (whole.defined()) {
            const Stmt entry = in_entry(whole);
            module_.entry().body = entry;
        }
        std::move(kernels.begin(), kernels.end(), std::back_inserter(module_.funcs)); // after what launches them
        return std::move(module_);
    }

  private:
    LoweredModule module_;
    std::string name_;
    SymbolMap<LoweredArg> buffers_; // in scope at the statement: arguments and allocations
    std::unordered_map<const StmtNode *, size_t> sizes_;
    std::unordered_map<const StmtNode *, int> heights_;

    /// Outlines in a statement of the entry.
    Stmt in_entry(const Stmt &stmt) {
        switch (stmt.kind()) {
        case StmtKind::For:
        case StmtKind::Store:
        case StmtKind::Atomic:
            return is_made_of_tasks(stmt) ? launched_by_loop(*stmt.as<For>()) : launched(stmt);
        case StmtKind::Allocate:
            if (!holds_many_nests(stmt) && size_of(stmt) <= enormous_function && !FreesOuter(stmt).found) {
                return launched(stmt);
            }
            break;
        default: // statements whose parts are examined one by one
            break;
        }
        return with_children(stmt, [this](const Stmt &child) { return in_entry(child); });
    }

    /// Outlines in a statement of a task of that size, in which so many loops are around it.
    Stmt in_task(const Stmt &stmt, size_t size, int depth) {
        if (is_grid(stmt)) {
            return stmt;
        }
        if (is_made_of_tasks(stmt)) {
            return launched_by_loop(*stmt.as<For>());
        }
        const bool is_loop = stmt.kind() == StmtKind::For;
        const bool may_be_piece = is_loop || stmt.kind() == StmtKind::Allocate;
        const bool is_too_deep = is_loop && depth >= depth_of_cut && depth + height_of(stmt) > most_depth;
        if (is_too_deep || (may_be_piece && is_piece(stmt, size))) {
            return launched(stmt);
        }
        if (stmt.kind() == StmtKind::Atomic) {
            return stmt;
        }
        return with_children(stmt, [&](const Stmt &child) { return in_task(child, size, depth + (is_loop ? 1 : 0)); });
    }

    template <typename Walk> Stmt with_children(const Stmt &stmt, const Walk &walk) {
        const auto *allocate = stmt.as<Allocate>();
        if (!allocate) {
            return map_child_stmts(stmt, walk);
        }
        buffers_[allocate->buffer] = {LoweredArg::Kind::Allocation, allocate->buffer, allocate->type, 0};
        const Stmt result = map_child_stmts(stmt, walk);
        buffers_.erase(allocate->buffer);
        return result;
    }

    Stmt launched(const Stmt &stmt) { return launch(stmt, ".work.", {}); }

    Stmt launched_by_loop(const For &loop) {
        const Stmt body =
            launch(loop.body, concat(loop.for_kind == ForKind::Forked ? ".fork." : ".par_for.", loop.var.name(), "."),
                   loop.var);
        return For::make(loop.var, loop.min, loop.extent, loop.for_kind, body, loop.partition);
    }

    /// Makes the statement a task, and returns its launch.
    Stmt launch(const Stmt &body, const std::string &role, const Symbol &index) {
        const size_t place = module_.funcs.size();
        const std::vector<Symbol> indices = index.defined() ? std::vector{index} : std::vector<Symbol>();
        module_.funcs.push_back({concat(name_, role, place - 1), {}, {}, LoweredFunc::Kind::Task, index});
        const Stmt inner = in_task(body, size_of(body), 0); // which adds functions
        LoweredFunc &task = module_.funcs[place];
        task.args = closure_of(inner, indices, buffers_); // a launch mentions what the task inside needs
        task.body = inner;
        return Launch::make(task.name, values_of(task.args));
    }

    /// The nodes of a statement; each distinct node of an expression counts once.
    size_t size_of(const Stmt &stmt) {
        const auto known = sizes_.find(stmt.get());
        if (known != sizes_.end()) {
            return known->second;
        }
        size_t size = 1;
        for_each_child_expr(stmt, [&](const Expr &expr) { size += node_count(expr); });
        for_each_child_stmt(stmt, [&](const Stmt &child) { size += size_of(child); });
        sizes_.emplace(stmt.get(), size);
        return size;
    }

    /// How many loops are inside each other in a statement.
    int height_of(const Stmt &stmt) {
        const auto known = heights_.find(stmt.get());
        if (known != heights_.end()) {
            return known->second;
        }
        int height = 0;
        for_each_child_stmt(stmt, [&](const Stmt &child) { height = std::max(height, height_of(child)); });
        height += stmt.kind() == StmtKind::For ? 1 : 0;
        heights_.emplace(stmt.get(), height);
        return height;
    }

    /// Whether a loop or allocation inside a task of that size becomes a task of its own.
    bool is_piece(const Stmt &stmt, size_t of_task) {
        if (of_task <= enormous_function) {
            return false;
        }
        const size_t size = size_of(stmt);
        const size_t least = of_task <= gigantic_function ? least_piece : least_piece_of_gigantic;
        return size >= least && size <= largest_piece && !FreesOuter(stmt).found;
    }
};

} // namespace

LoweredModule outline_tasks(LoweredModule module) { return keep_memory(Outliner(std::move(module)).run()); }

} // namespace fluorite::lowering
