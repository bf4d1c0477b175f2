#pragma once
// What the threads of a kernel do, before fuse_threads.cpp: the work of threads is a nest of loops over them, or a
// statement without such a loop, which one thread executes. All threads execute what is around the work alike.

#include "ir/stmt.h"

namespace fluorite::lowering {

constexpr size_t most_dimensions = 3; // of a grid, and of a block

inline bool is_thread_loop(const ir::Stmt &stmt) {
    const auto *loop = stmt.as<ir::For>();
    return loop && (loop->for_kind == ir::ForKind::GPUThread || loop->for_kind == ir::ForKind::GPULane);
}

inline bool has_thread_loop(const ir::Stmt &stmt) {
    bool found = is_thread_loop(stmt);
    ir::for_each_child_stmt(stmt, [&](const ir::Stmt &child) { found = found || has_thread_loop(child); });
    return found;
}

inline bool is_threads_work(const ir::Stmt &stmt) { return is_thread_loop(stmt) || !has_thread_loop(stmt); }

} // namespace fluorite::lowering
