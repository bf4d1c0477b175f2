// Outlining of kernels.
//
//   gpu_block for y in [0, +h) {
//     let t = y * n
//     gpu_block for x in [a, +w) {
//       allocate tile: float32[16]
//       gpu_thread for u in [0, +16) { tile[u] = in[u + t + in->min[0]] }
//       gpu_thread for u in [0, +16) { out[x * 16 + u] = tile[15 - u] } } }
//   -->
//   gpu_block for y in [0, +h) {
//     gpu_block for x.block in [0, +w) {
//       launch f.kernel.0(a, in, in->min[0], n, out) threads(16) } }
//   kernel f.kernel.0(a, in, in.min.0, n, out) blocks(x.block, y) threads(thread.x) {
//     let t = y * n
//     allocate tile: float32[16] in gpu_shared
//     tile[thread.x] = in[thread.x + t + in.min.0]
//     barrier
//     out[(x.block + a) * 16 + thread.x] = tile[15 - thread.x] }
//
// The loops over blocks remain with the host, as the grid of the launch, and begin at 0. What stands between them
// (lets, conditions, marks) moves into the kernel; a let there is substituted in the extents. The fields of buffers
// that the kernel uses become values of the closure, so that a device has no need of headers. Allocations outside of
// the work of threads are in the memory of the block.
//
// Then place_barriers.cpp and fuse_threads.cpp make one body for all threads of a block. What follows lowers each
// kernel on the machine model of its device.
//
// Relies on: no loop is vectorized or unrolled any more. Does not handle grids whose extents depend on a block, and
// what a device cannot do: calls of the host, assertions, messages, atomic updates; each is refused. Cost: linear.

#include "lowering/device/outline_kernels.h"

#include "ir/expr_traits.h"
#include "ir/text_names.h"
#include "lowering/device/device_loops.h"
#include "lowering/device/fuse_threads.h"
#include "lowering/loops/closure.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace fluorite::lowering {

using namespace ir;

namespace {

[[noreturn]] void refuse(const Symbol &loop, const std::string &what) {
    throw CompileError("gpu-not-possible", concat("the loop ", loop.name(), " over blocks of a device ", what));
}

/// The loops over blocks of a nest, and what stands between them, as a function of the body of the kernel.
class Grid {
  public:
    explicit Grid(const Stmt &outermost) {
        Stmt stmt = outermost;
        HasLoop has_block_loop(is_block_loop);
        while (has_block_loop(stmt)) {
            stmt = step(stmt);
        }
        if (loops.size() > most_dimensions) {
            refuse(loops.front()->var,
                   concat("begins a nest of ", loops.size(),
                          " loops over blocks, and a device has three dimensions; fuse some of the loops"));
        }
        body = stmt;
        for (size_t i = between_.size(); i-- > 0;) {
            body = between_[i](body);
        }
    }

    std::vector<const For *> loops; // the outermost first
    Stmt body;                      // with what stands between the loops
    SymbolMap<Expr> lets;           // the values of lets between the loops, in terms of what is outside

  private:
    std::vector<std::function<Stmt(const Stmt &)>> between_;

    Stmt step(const Stmt &stmt) {
        if (const auto *let = stmt.as<LetStmt>()) {
            lets[let->symbol] = substitute(let->value, lets);
            between_.emplace_back([let](const Stmt &body) { return LetStmt::make(let->symbol, let->value, body); });
            return let->body;
        }
        if (const auto *branch = stmt.as<IfThenElse>(); branch && !branch->else_case.defined()) {
            between_.emplace_back([branch](const Stmt &body) { return IfThenElse::make(branch->condition, body); });
            return branch->then_case;
        }
        if (const auto *mark = stmt.as<ProducerConsumer>()) {
            return mark->body;
        }
        if (is_block_loop(stmt)) {
            loops.push_back(stmt.as<For>());
            return loops.back()->body;
        }
        refuse(loops.front()->var,
               "has loops over blocks inside that something else stands beside; compute what is there "
               "inside of all loops over blocks, or outside");
    }
};

/// Puts what a kernel allocates outside of the work of threads into the memory of the block.
class SharedMemory : public Mutator {
  public:
    explicit SharedMemory(const PassContext &context) : context_(context) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (thread_loops_.is_work(stmt)) {
            return stmt;
        }
        const auto *allocate = stmt.as<Allocate>();
        if (!allocate) {
            return recurse(stmt);
        }
        if (allocate->memory != MemoryType::Auto && allocate->memory != MemoryType::GPUShared) {
            context_.otherwise(allocate->buffer,
                               "is in memory that the threads of a block share, as all of them access it");
        }
        return Allocate::make(allocate->buffer, allocate->type, MemoryType::GPUShared, allocate->extents,
                              mutate(allocate->body));
    }

  private:
    const PassContext &context_;
    ThreadLoops thread_loops_;
};

/// Makes loops of tasks in a kernel serial.
class WithoutTasks : public Mutator {
  public:
    explicit WithoutTasks(const PassContext &context) : context_(context) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const auto *loop = stmt.as<For>();
        if (!loop || loop->for_kind != ForKind::Parallel) {
            return recurse(stmt);
        }
        context_.otherwise(loop->var, "runs without tasks; it stands in a kernel, and a device starts none");
        return mutate(For::make(loop->var, loop->min, loop->extent, ForKind::Serial, loop->body, loop->partition));
    }

  private:
    const PassContext &context_;
};

/// Refuses what a device cannot do.
class DeviceCheck : public Visitor {
  public:
    explicit DeviceCheck(const Symbol &loop) : loop_(loop) {}

    using Visitor::visit;
    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Extern) {
                refuse(loop_, "contains a call of " + node->text() + ", and only the host can do that");
            }
            if (node->kind() == ExprKind::Print || node->kind() == ExprKind::Require) {
                refuse(loop_, "prints or checks values, and only the host can do that");
            }
        });
    }
    void visit(const Stmt &stmt) override {
        if (stmt.kind() == StmtKind::Assert) {
            refuse(loop_, "contains a check that can fail, and only the host can do that");
        }
        if (stmt.kind() == StmtKind::Atomic) {
            refuse(loop_, "contains an atomic update, which is not built for devices");
        }
        if (const auto *loop = stmt.as<For>(); loop && loop->for_kind == ForKind::Forked) {
            refuse(loop_, "contains an async Func, and only the host can do that");
        }
        recurse(stmt);
    }

  private:
    const Symbol &loop_;
};

class KernelOutliner : public Mutator {
  public:
    KernelOutliner(const std::vector<LoweredArg> &args, const PassContext &context, std::vector<LoweredFunc> &kernels)
        : context_(context), kernels_(kernels) {
        for (const LoweredArg &arg : args) {
            buffers_[arg.symbol] = arg;
        }
    }

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (is_block_loop(stmt)) {
            return launched(Grid(stmt));
        }
        if (is_thread_loop(stmt)) {
            refuse_threads(stmt.as<For>()->var);
        }
        const auto *allocate = stmt.as<Allocate>();
        if (!allocate) {
            return recurse(stmt);
        }
        if (allocate->memory == MemoryType::GPUShared) {
            throw CompileError(
                "gpu-shared-outside-block",
                concat("the memory of ", allocate->buffer.name(),
                       " is to be shared by the threads of a block, "
                       "and it is in no loop over blocks; compute it at such a loop, or store it elsewhere"));
        }
        buffers_[allocate->buffer] = {LoweredArg::Kind::Allocation, allocate->buffer, allocate->type, 0};
        const Stmt result = recurse(stmt);
        buffers_.erase(allocate->buffer);
        return result;
    }

  private:
    const PassContext &context_;
    std::vector<LoweredFunc> &kernels_;
    SymbolMap<LoweredArg> buffers_;

    [[noreturn]] static void refuse_threads(const Symbol &loop) {
        throw CompileError("gpu-threads-without-blocks",
                           concat("the loop ", loop.name(),
                                  " over threads of a device is in no loop over blocks; mark an "
                                  "outer loop with gpu_blocks"));
    }

    /// The extents of the grid, the innermost first, in terms of what is outside.
    static std::vector<Expr> extents_of(const Grid &grid) {
        std::vector<Expr> extents;
        for (size_t i = grid.loops.size(); i-- > 0;) {
            const Expr extent = rewrite::simplify(substitute(grid.loops[i]->extent, grid.lets));
            for (const For *around : grid.loops) {
                if (uses_symbol(extent, around->var)) {
                    refuse(grid.loops[i]->var, "has an extent that depends on the loop " + around->var.name() +
                                                   " over blocks; a grid is a box");
                }
            }
            extents.push_back(extent);
        }
        return extents;
    }

    Stmt launched(const Grid &grid) {
        const std::vector<Expr> extents = extents_of(grid);
        LoweredFunc kernel;
        kernel.kind = LoweredFunc::Kind::Kernel;
        kernel.name = concat(context_.options.name, ".kernel.", grid.loops.front()->var.name(), ".", kernels_.size());
        Stmt body = grid.body;
        for (size_t i = grid.loops.size(); i-- > 0;) {
            const For &loop = *grid.loops[i];
            if (is_zero(loop.min)) {
                kernel.blocks.push_back(loop.var);
                continue;
            }
            kernel.blocks.push_back(context_.symbols.fresh(SymbolKind::Loop, loop.var.name() + ".block"));
            body = substitute(body, loop.var, add(loop.min, make_var(Int(32), kernel.blocks.back())));
        }
        DeviceCheck(grid.loops.front()->var).visit(body);
        FusedThreads fused =
            fuse_threads(place_barriers(SharedMemory(context_).mutate(WithoutTasks(context_).mutate(body))),
                         kernel.blocks, extents, context_);
        if (fused.extents.empty()) { // a grid of single threads
            fused.threads.push_back(context_.symbols.fresh(SymbolKind::Loop, "thread.x"));
            fused.extents.push_back(int32(1));
        }
        kernel.threads = fused.threads;
        std::vector<Expr> closure = give_fields(fused.body, kernel);
        kernel.body = rewrite::simplify(fused.body);
        Stmt result = Launch::make(kernel.name, std::move(closure), fused.extents);
        for (size_t i = 0; i < kernel.blocks.size(); i++) {
            result = For::make(kernel.blocks[i], int32(0), extents[i], ForKind::GPUBlock, result);
        }
        kernels_.push_back(std::move(kernel));
        return result;
    }

    /// By buffer, field and dimension: the argument, and the field of the host. In an order that is that of names.
    using Fields = std::map<std::tuple<Symbol, Field, int>, std::pair<Symbol, Expr>>;

    /// Replaces fields of buffers in the body by arguments of the kernel, and sets all its arguments. Returns what the
    /// launch passes for them.
    std::vector<Expr> give_fields(Stmt &body, LoweredFunc &kernel) {
        Fields fields;
        struct Replacer : Mutator {
            Replacer(Fields &fields, const PassContext &context) : fields(fields), context(context) {}
            using Mutator::mutate;
            Expr mutate(const Expr &expr) override {
                return transform(expr, [&](const Expr &node) -> Expr {
                    if (node->kind() != ExprKind::BufferField) {
                        return node;
                    }
                    const Field field = node->member().field;
                    const int dimension = node->member().index;
                    auto found = fields.find({node->symbol(), field, dimension});
                    if (found == fields.end()) {
                        const Symbol symbol = context.symbols.fresh_let(
                            concat(node->symbol().name(), ".", to_word(field), ".", dimension), node);
                        found =
                            fields.emplace(std::tuple(node->symbol(), field, dimension), std::pair(symbol, node)).first;
                    }
                    return make_var(node.type(), found->second.first);
                });
            }
            Fields &fields;
            const PassContext &context;
        };
        body = Replacer(fields, context_).mutate(body);
        std::vector<Symbol> indices = kernel.blocks;
        indices.insert(indices.end(), kernel.threads.begin(), kernel.threads.end());
        kernel.args = closure_of(body, indices, buffers_);
        std::vector<Expr> given = values_of(kernel.args);
        for (const auto &[key, field] : fields) {
            const auto arg = std::find_if(kernel.args.begin(), kernel.args.end(),
                                          [&](const LoweredArg &arg) { return arg.symbol == field.first; });
            given[static_cast<size_t>(arg - kernel.args.begin())] = field.second;
        }
        return given;
    }
};

} // namespace

Stmt outline_kernels(const Stmt &stmt, const std::vector<LoweredArg> &args, const PassContext &context,
                     std::vector<LoweredFunc> &kernels) {
    return stmt.defined() ? KernelOutliner(args, context, kernels).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
