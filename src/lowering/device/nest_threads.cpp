// Loops over threads directly inside each other.
//
//   gpu_thread for y in [0, +8) {               for k in [0, +4) {
//     let t = y * 2                               gpu_thread for y in [0, +8) { let t = y * 2
//     for k in [0, +4) {                   -->      gpu_thread for x in [0, +8) { S } } }
//       gpu_thread for x in [0, +8) { S } }       gpu_thread for y in [0, +8) { let t = y * 2
//     gpu_thread for x in [0, +4) { T } }           gpu_thread for x in [0, +4) { T } }
//
// The threads of a block are nests of loops with barriers around them. A loop over threads around several statements of
// which one has such loops is cut into one for each, and serial loops move around it. Iterations of loops over threads
// are independent, so the values are the same, and place_barriers sees what one nest stores and the next one loads.
//
// What a loop around stores in memory of its own threads stays together, as do statements under a value that is loaded
// from memory, which one of them may change; these and serial loops whose bounds depend on the thread are refused
// (fuse_threads.cpp). Cost: linear in the size times the depth of nests.

#include "lowering/device/device_loops.h"
#include "lowering/device/fuse_threads.h"
#include "lowering/map_children.h"

#include <algorithm>
#include <vector>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// A let or a condition between a loop over threads and a statement.
struct Between {
    const LetStmt *let = nullptr;
    const IfThenElse *branch = nullptr;

    const Expr &value() const { return let ? let->value : branch->condition; }
    Stmt around(const Stmt &body) const {
        return let ? LetStmt::make(let->symbol, let->value, body) : IfThenElse::make(branch->condition, body);
    }
};

class ThreadNests {
  public:
    Stmt nest(const Stmt &stmt) {
        const Stmt made = map_child_stmts(stmt, [this](const Stmt &child) { return nest(child); });
        kept_.push_back(made);
        const auto *loop = made.as<For>();
        if (!is_thread_loop(made) || is_thread_loop(loop->body) || !threads_.in(loop->body)) {
            return made;
        }
        between_.clear();
        return inside(*loop, loop->body);
    }

  private:
    std::vector<Stmt> kept_; // alive as long as threads_ is asked
    ThreadLoops threads_;
    std::vector<Between> between_; // the outermost first

    /// The loop around the statement, which is inside of what stands in between_.
    Stmt inside(const For &loop, const Stmt &stmt) {
        if (threads_.in(stmt) && !is_thread_loop(stmt)) {
            if (const auto *mark = stmt.as<ProducerConsumer>()) {
                return inside(loop, mark->body);
            }
            if (const auto *let = stmt.as<LetStmt>()) {
                return past(loop, {let, nullptr}, let->body);
            }
            if (const auto *branch = stmt.as<IfThenElse>(); branch && !branch->else_case.defined()) {
                return past(loop, {nullptr, branch}, branch->then_case);
            }
            if (const auto *block = stmt.as<Block>(); block && reads_nothing()) {
                std::vector<Stmt> parts;
                for (const Stmt &part : block->stmts) {
                    parts.push_back(inside(loop, part));
                }
                return Block::make(std::move(parts));
            }
            if (const auto *serial = stmt.as<For>(); serial && reads_nothing() && is_alike(loop, *serial)) {
                return For::make(serial->var, serial->min, serial->extent, serial->for_kind, inside(loop, serial->body),
                                 serial->partition);
            }
        }
        Stmt body = stmt;
        for (size_t i = between_.size(); i-- > 0;) {
            body = between_[i].around(body);
        }
        return For::make(loop.var, loop.min, loop.extent, loop.for_kind, body, loop.partition);
    }

    Stmt past(const For &loop, const Between &one, const Stmt &body) {
        between_.push_back(one);
        const Stmt result = inside(loop, body);
        between_.pop_back();
        return result;
    }

    bool reads_nothing() const {
        return std::none_of(between_.begin(), between_.end(),
                            [](const Between &one) { return one.value()->reads_memory(); });
    }

    /// Whether the serial loop has the same bounds in all threads.
    bool is_alike(const For &loop, const For &serial) const {
        const auto uses = [&](const Symbol &symbol) {
            return uses_symbol(serial.min, symbol) || uses_symbol(serial.extent, symbol);
        };
        return !uses(loop.var) && std::none_of(between_.begin(), between_.end(),
                                               [&](const Between &one) { return one.let && uses(one.let->symbol); });
    }
};

} // namespace

Stmt nest_threads(const Stmt &body) { return ThreadNests().nest(body); }

} // namespace fluorite::lowering
