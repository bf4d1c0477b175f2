#pragma once
// Loops over blocks and threads of a device, before their loops are gone. The work of threads is a nest of loops over
// them, or a statement without such a loop, which one thread executes. All threads execute what is around the work
// alike.

#include "ir/stmt.h"

#include <unordered_map>

namespace fluorite::lowering {

constexpr size_t most_dimensions = 3; // of a grid, and of a block

inline bool is_block_loop(const ir::Stmt &stmt) {
    const auto *loop = stmt.as<ir::For>();
    return loop && loop->for_kind == ir::ForKind::GPUBlock;
}

inline bool is_thread_loop(const ir::Stmt &stmt) {
    const auto *loop = stmt.as<ir::For>();
    return loop && (loop->for_kind == ir::ForKind::GPUThread || loop->for_kind == ir::ForKind::GPULane);
}

/// Which statements are or contain a loop of a kind. Each statement is visited once, however often it is asked about;
/// the caller keeps what it asks about alive.
class HasLoop {
  public:
    explicit HasLoop(bool (*is_wanted)(const ir::Stmt &)) : is_wanted_(is_wanted) {}

    bool operator()(const ir::Stmt &stmt) {
        if (const auto known = known_.find(stmt.get()); known != known_.end()) {
            return known->second;
        }
        bool found = is_wanted_(stmt);
        ir::for_each_child_stmt(stmt, [&](const ir::Stmt &child) { found = (*this)(child) || found; });
        known_.emplace(stmt.get(), found);
        return found;
    }

  private:
    bool (*is_wanted_)(const ir::Stmt &);
    std::unordered_map<const ir::StmtNode *, bool> known_;
};

/// The same for loops over threads, and which statements are their work.
class ThreadLoops {
  public:
    bool in(const ir::Stmt &stmt) { return has_loop_(stmt); }
    bool is_work(const ir::Stmt &stmt) { return is_thread_loop(stmt) || !in(stmt); }
    /// Work, or conditions around nothing but one piece of it.
    bool is_guarded_work(const ir::Stmt &stmt) {
        const auto *branch = stmt.as<ir::IfThenElse>();
        return is_work(stmt) || (branch && !branch->else_case.defined() && is_guarded_work(branch->then_case));
    }

  private:
    HasLoop has_loop_{is_thread_loop};
};

} // namespace fluorite::lowering
