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
// The loops over blocks remain with the host, as the grid of the launch (grid.cpp). Checks go where they can be made
// (kernel_checks.cpp), and memory gets its place and size (kernel_memory.cpp); nest_threads.cpp, guard_work.cpp,
// place_barriers.cpp and fuse_threads.cpp make one body for all threads of a block. cut_interior.cpp adds a second one
// for blocks of the interior, and unmask_lanes.cpp branches around masks. The fields of buffers that the kernel uses
// become values of the closure, so that a device has no need of headers. What follows lowers each kernel on the machine
// model of its device.
//
// Relies on: no loop is vectorized or unrolled any more. Cost: linear.

#include "lowering/device/outline_kernels.h"

#include "ir/expr_traits.h"
#include "ir/text_names.h"
#include "lowering/device/cut_interior.h"
#include "lowering/device/device_loops.h"
#include "lowering/device/fuse_threads.h"
#include "lowering/device/grid.h"
#include "lowering/device/kernel_checks.h"
#include "lowering/device/kernel_memory.h"
#include "lowering/device/unmask_lanes.h"
#include "lowering/loops/closure.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace fluorite::lowering {

using namespace ir;

namespace {

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
            return launched(stmt);
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

    Stmt launched(const Stmt &nest) {
        const Grid grid = grid_of(nest, context_);
        LoweredFunc kernel;
        kernel.kind = LoweredFunc::Kind::Kernel;
        kernel.name = concat(context_.options.name, ".kernel.", grid.loop.name(), ".", kernels_.size());
        kernel.blocks = grid.blocks;
        const CheckedKernel checked = place_checks(grid, context_);
        if (!checked.body.defined()) {
            return Block::make(checked.before);
        }
        KernelIndices indices{grid.blocks, grid.extents};
        KernelMemory memory;
        const Stmt sized = size_block_memory(WithoutTasks(context_).mutate(checked.body), indices, context_, memory);
        FusedThreads fused = fuse_threads(place_barriers(guard_work(nest_threads(sized), context_)), grid.blocks,
                                          grid.extents, context_);
        if (fused.extents.empty()) { // a grid of single threads
            fused.threads.push_back(context_.symbols.fresh(SymbolKind::Loop, "thread.x"));
            fused.extents.push_back(int32(1));
        }
        kernel.threads = indices.threads = fused.threads;
        indices.thread_extents = fused.extents;
        kernel.body = cut_interior(size_thread_memory(fused.body, indices, context_, memory), indices, context_);
        Stmt result = Launch::make(kernel.name, set_arguments(kernel, memory), fused.extents);
        for (size_t i = 0; i < kernel.blocks.size(); i++) {
            result = For::make(kernel.blocks[i], int32(0), grid.extents[i], ForKind::GPUBlock, result);
        }
        kernels_.push_back(std::move(kernel));
        std::vector<Stmt> parts = checked.before;
        parts.push_back(with_parts(result, memory));
        return Block::make(std::move(parts));
    }

    /// By buffer, field and dimension: the argument, and the field of the host. In an order that is that of names.
    using Fields = std::map<std::tuple<Symbol, Field, int>, std::pair<Symbol, Expr>>;

    /// Replaces fields of buffers in the body by arguments of the kernel, and sets all its arguments. Returns what the
    /// launch passes for them.
    std::vector<Expr> set_arguments(LoweredFunc &kernel, const KernelMemory &memory) {
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
        kernel.body = Replacer(fields, context_).mutate(kernel.body);
        std::vector<Symbol> indices = kernel.blocks;
        indices.insert(indices.end(), kernel.threads.begin(), kernel.threads.end());
        SymbolMap<LoweredArg> buffers = buffers_;
        for (const KernelMemory::Parts &parts : memory.parts) {
            buffers[parts.buffer] = {LoweredArg::Kind::Allocation, parts.buffer, parts.type, 0};
        }
        kernel.body = rewrite::simplify(unmask_lanes(kernel.body));
        kernel.args = closure_of(kernel.body, indices, buffers);
        std::vector<Expr> given = values_of(kernel.args);
        const auto give = [&](const Symbol &symbol, const Expr &value) {
            const auto arg = std::find_if(kernel.args.begin(), kernel.args.end(),
                                          [&](const LoweredArg &arg) { return arg.symbol == symbol; });
            if (arg != kernel.args.end()) {
                given[position_in(kernel.args, arg)] = value;
            }
        };
        for (const auto &[key, field] : fields) {
            give(field.first, field.second);
        }
        for (const auto &[symbol, value] : memory.values) {
            give(symbol, value);
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
