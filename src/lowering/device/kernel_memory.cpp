// Where the memory of a kernel is, and how much there is of it.
//
//   allocated                    memory                              size
//   outside of threads' work     shared by the block's threads       an argument, or a constant
//     ... in heap                a part of the device's memory for   arguments: the host allocates the parts of all
//                                each block                          blocks around the grid
//   in the work of a thread      private                             a constant
//     ... in heap, or larger,    a part of the device's memory for   arguments, likewise for all threads
//     or of no constant size     each thread
//
// Memory of a device is allocated before a kernel runs, and is the same for all of its blocks and threads. So a size
// that depends on the block, the thread or a loop is replaced by its greatest value (analysis/interval.h), which the
// host computes: the kernel has it as an argument. Of a size that is monotone in them this is the exact maximum.
//
//   kernel f(...) { allocate own: int32[n] { own[i] = ... } }
//   -->
//   allocate own: int32[n, 16, w]                                    16 threads, w blocks
//   kernel f(..., own, own.step) { own[i * own.step + (block * 16 + thread)] = ... }      own.step = 16 * w
// The parts of threads are interleaved, so that threads that access the same element of theirs access neighbours. The
// parts of blocks are contiguous, as the threads of a block access neighbours.
//
// Relies on: symbols of lets and loops mean the same wherever they are bound. The number of elements of all parts is
// checked to fit an index before the launch. Cost: linear, and bounds for each allocation of no constant size, and for
// each let and loop around one.

#include "lowering/device/kernel_memory.h"

#include "analysis/interval.h"
#include "analysis/sum_bound.h"
#include "ir/device_code.h"
#include "ir/memory.h"
#include "lowering/access/vector_algebra.h"
#include "lowering/device/device_loops.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The product, in the order of the factors.
Expr product(const std::vector<Expr> &factors) {
    Expr result = int32(1);
    for (const Expr &factor : factors) {
        result = mul(result, factor);
    }
    return rewrite::simplify(result);
}

enum class Level : uint8_t { Block, Thread };

class MemorySizes : public Mutator {
  public:
    MemorySizes(Level level, const KernelIndices &indices, const PassContext &context, KernelMemory &memory)
        : level_(level), indices_(indices), context_(context), memory_(memory) {
        add_ranges(indices.blocks, indices.block_extents);
        add_ranges(indices.threads, indices.thread_extents);
    }

    Stmt size(const Stmt &body) {
        const Stmt sized = mutate(body);
        return position_.defined() ? LetStmt::make(position_, number_of_part(), sized) : sized;
    }

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        return parts_.empty() ? expr : transform(expr, [this](const Expr &node) { return loaded(node); });
    }
    Stmt mutate(const Stmt &stmt) override {
        if (level_ == Level::Block && !is_in_work_ && thread_loops_.is_work(stmt)) {
            is_in_work_ = true;
            Stmt work = inside(stmt);
            is_in_work_ = false;
            return work;
        }
        return inside(stmt);
    }

  private:
    /// The part of a block or thread: its element i is at i * step + first of the buffer.
    struct Part {
        Symbol buffer;
        Expr step, first;
    };

    const Level level_;
    const KernelIndices &indices_;
    const PassContext &context_;
    KernelMemory &memory_;
    std::vector<Stmt> around_; // lets and loops around the statement
    SymbolMap<Part> parts_;
    ThreadLoops thread_loops_;
    bool is_in_work_ = false;
    Symbol position_; // the number of the part, if one is used

    void add_ranges(const std::vector<Symbol> &symbols, const std::vector<Expr> &extents) {
        for (size_t d = 0; d < symbols.size(); d++) {
            const Expr last = rewrite::simplify(sub(extents[d], int32(1)));
            known_.ranges.emplace(symbols[d], analysis::Interval{int32(0), last});
        }
    }

    Stmt inside(const Stmt &stmt) {
        if (const auto *store = stmt.as<Store>()) {
            return stored(*store);
        }
        if (const auto *allocate = stmt.as<Allocate>()) {
            return allocation(*allocate);
        }
        const bool is_binder = stmt.as<LetStmt>() || stmt.as<For>();
        if (is_binder) {
            around_.push_back(stmt);
        }
        Stmt result = recurse(stmt);
        if (is_binder) {
            leave();
        }
        return result;
    }

    // ---- Sizes.

    /// The expression with the maxima of all lanes as maxima of scalars: what lanes share memory has the size of the
    /// largest.
    static Expr of_lanes(const Expr &expr) {
        return transform(expr, [](const Expr &node) {
            if (node->kind() != ExprKind::VectorReduce || node->reduce_op() != ReduceOp::Max ||
                !node.type().is_scalar()) {
                return node;
            }
            Expr most = extract_lane(node->arg(0), 0);
            for (int lane = 1; lane < node->arg(0).type().lanes(); lane++) {
                most = max_of(most, extract_lane(node->arg(0), lane));
            }
            return most;
        });
    }

    /// What the indices, lets and loops around the statement range over, and the lets in terms of indices and loops.
    struct Around {
        analysis::Scope ranges;
        SymbolMap<Expr> lets;

        analysis::Interval range(const Expr &expr) const { return analysis::bounds_of(expr, ranges); }
        /// The greatest value. In terms of the indices, differences of lets that depend on the same index are exact.
        Expr greatest(const Expr &expr) const {
            const Expr most = range(rewrite::simplify(of_lanes(substitute(expr, lets)))).max;
            const Expr other = most.defined() && is_const(most) ? most : range(expr).max;
            const Expr best = !most.defined() || (other.defined() && is_const(other)) ? other : most;
            return best.defined() ? rewrite::simplify(best) : best;
        }
        /// A constant that is at least the value, if one is known.
        std::optional<int64_t> constant(const Expr &expr) const {
            return analysis::constant_above(of_lanes(substitute(expr, lets)));
        }
    };

    Around known_;           // of the indices, and of the first of the lets and loops around the statement
    size_t known_count_ = 0; // of those

    /// Adds the lets and loops around the statement that are not known yet. Allocations inside each other have most of
    /// them in common.
    const Around &around() {
        for (; known_count_ < around_.size(); known_count_++) {
            const Stmt &stmt = around_[known_count_];
            if (const auto *let = stmt.as<LetStmt>()) {
                const analysis::Interval range = known_.range(let->value);
                known_.ranges.insert_or_assign(let->symbol, range);
                known_.lets.insert_or_assign(let->symbol, substitute(let->value, known_.lets));
                continue;
            }
            const auto &loop = *stmt.as<For>();
            const Expr last = sub(add(loop.min, loop.extent), int32(1));
            const Expr min = known_.range(substitute(loop.min, known_.lets)).min;
            const Expr max = known_.range(substitute(last, known_.lets)).max;
            known_.ranges.insert_or_assign(loop.var, analysis::Interval{min, max});
        }
        return known_;
    }

    /// Ends the innermost let or loop.
    void leave() {
        if (known_count_ == around_.size()) {
            const auto *let = around_.back().as<LetStmt>();
            const Symbol &symbol = let ? let->symbol : around_.back().as<For>()->var;
            known_.ranges.erase(symbol);
            known_.lets.erase(symbol);
            known_count_--;
        }
        around_.pop_back();
    }

    /// The greatest value of an extent. A constant, if one is known and small: so are the strides then.
    static Expr bounded(const Around &around, const Expr &extent, Type type) {
        const Expr most = around.greatest(extent);
        const std::optional<int64_t> constant =
            most.defined() && is_const(most) ? std::nullopt : around.constant(extent);
        if (!constant || *constant < 0 || *constant > std::numeric_limits<int32_t>::max()) {
            return most;
        }
        const bool is_small = !most.defined() || *constant * type.bytes() <= usual_shared_bytes;
        const Expr least = int32(static_cast<int32_t>(*constant));
        return is_small ? least : rewrite::simplify(min_of(most, least));
    }

    /// The greatest extents, in terms of what is outside of the kernel; undefined where there is no bound.
    std::vector<Expr> greatest(const Allocate &allocate) {
        std::vector<Expr> extents;
        for (const Expr &extent : allocate.extents) {
            extents.push_back(is_const(extent) ? extent : bounded(around(), extent, allocate.type));
        }
        return extents;
    }

    std::vector<Expr> required(const Allocate &allocate) {
        std::vector<Expr> extents = greatest(allocate);
        if (std::all_of(extents.begin(), extents.end(), [](const Expr &extent) { return extent.defined(); })) {
            return extents;
        }
        throw CompileError("gpu-memory-size",
                           concat("in ", allocate.buffer.name(),
                                  ": stored in a kernel, with a size that depends on values which are computed there; "
                                  "memory of a device is allocated before a kernel runs; give its dimensions a "
                                  "bound_storage, or compute it outside of the loops over blocks"));
    }

    /// A value of the host: a constant, or an argument of the kernel.
    Expr argument(const Expr &value, const std::string &name) {
        if (is_const(value)) {
            return value;
        }
        for (const auto &[symbol, known] : memory_.values) {
            if (equal(known, value)) {
                return make_var(Int(32), symbol);
            }
        }
        memory_.values.emplace_back(context_.symbols.fresh_let(name, value), value);
        return make_var(Int(32), memory_.values.back().first);
    }

    // ---- Allocations.

    Stmt allocation(const Allocate &node) {
        if (level_ == Level::Thread) {
            return node.memory == MemoryType::GPUShared ? recurse(Stmt(&node))
                   : node.memory == MemoryType::Heap    ? part_of(node)
                                                        : private_memory(node);
        }
        if (!is_in_work_) {
            return node.memory == MemoryType::Heap ? part_of(node) : shared(node);
        }
        if (node.memory != MemoryType::GPUShared) {
            return recurse(Stmt(&node));
        }
        context_.otherwise(node.buffer, "is not in memory that the threads of a block share, as one of them computes "
                                        "and reads it alone");
        return Allocate::make(node.buffer, node.type, MemoryType::Auto, node.extents, mutate(node.body));
    }

    Stmt shared(const Allocate &node) {
        if (node.memory != MemoryType::Auto && node.memory != MemoryType::GPUShared) {
            context_.otherwise(node.buffer, "is in memory that the threads of a block share, as all of them access it");
        }
        std::vector<Expr> extents;
        for (const Expr &extent : required(node)) {
            extents.push_back(argument(extent, node.buffer.name() + ".extent"));
        }
        return Allocate::make(node.buffer, node.type, MemoryType::GPUShared, std::move(extents), mutate(node.body));
    }

    /// A constant that is at least the value, if there is one; else the value.
    static Expr constant_bound(const Expr &value) {
        if (!value.defined() || is_const(value)) {
            return value;
        }
        analysis::Scope anything;
        for_each_node(value, [&](const Expr &node) {
            if (node->kind() == ExprKind::Variable) {
                anything.emplace(node->symbol(), analysis::Interval::everything());
            }
        });
        const Expr most = analysis::bounds_of(value, anything).max;
        const Expr simple = most.defined() ? rewrite::simplify(most) : most;
        return simple.defined() && is_const(simple) ? simple : value;
    }

    Stmt private_memory(const Allocate &node) {
        std::vector<Expr> extents = greatest(node);
        std::transform(extents.begin(), extents.end(), extents.begin(), constant_bound);
        const bool is_constant = std::all_of(extents.begin(), extents.end(),
                                             [](const Expr &extent) { return extent.defined() && is_const(extent); });
        if (node.memory == MemoryType::Register && !is_constant) {
            return recurse(Stmt(&node)); // place_memory refuses it
        }
        if (!is_constant) {
            return part_of(node);
        }
        const Stmt allocate = Allocate::make(node.buffer, node.type, node.memory, extents, node.body);
        const std::optional<int64_t> elements = constant_elements(*allocate.as<Allocate>());
        const machine::MachineModel &device = context_.options.device;
        const int64_t most =
            node.memory == MemoryType::Auto ? device.stack_block_bytes : device.wanted_stack_block_bytes;
        if (!elements || *elements > most / node.type.bytes()) {
            return part_of(node);
        }
        return Allocate::make(node.buffer, node.type, node.memory, extents, mutate(node.body));
    }

    /// Memory of the device in place of that of the block or thread.
    Stmt part_of(const Allocate &node) {
        const std::vector<Expr> extents = required(node);
        const bool is_new = std::none_of(memory_.parts.begin(), memory_.parts.end(),
                                         [&](const auto &known) { return known.buffer == node.buffer; });
        const Symbol &name = node.buffer;
        Part part{is_new ? name : context_.symbols.fresh(name.kind(), name.name(), name.owner()), {}, {}};
        KernelMemory::Parts all{part.buffer, node.type, extents};
        std::vector<Expr> count = indices_.thread_extents;
        count.insert(count.end(), indices_.block_extents.begin(), indices_.block_extents.end());
        all.extents.insert(all.extents.end(), count.begin(), count.end());
        memory_.parts.push_back(std::move(all));
        if (!position_.defined()) {
            const char *const hint = level_ == Level::Block ? "block.number" : "thread.number";
            position_ = context_.symbols.fresh_let(hint, int32(0));
        }
        const Expr position = make_var(Int(32), position_);
        if (level_ == Level::Block) {
            part.step = int32(1);
            part.first = mul(position, argument(product(extents), name.name() + ".size"));
        } else {
            part.step = argument(product(count), "threads");
            part.first = position;
        }
        parts_.insert_or_assign(name, part);
        const Stmt body = mutate(node.body);
        parts_.erase(name);
        return body;
    }

    /// Blocks, and the threads in them, in the order of their indices.
    Expr number_of_part() {
        std::vector<Symbol> symbols = indices_.threads;
        symbols.insert(symbols.end(), indices_.blocks.begin(), indices_.blocks.end());
        std::vector<Expr> extents = indices_.thread_extents;
        extents.insert(extents.end(), indices_.block_extents.begin(), indices_.block_extents.end());
        Expr number = int32(0);
        for (size_t d = symbols.size(); d-- > 0;) {
            const Expr index = make_var(Int(32), symbols[d]);
            number = is_zero(number) ? index : add(mul(number, argument(extents[d], "extent")), index);
        }
        return number;
    }

    // ---- Accesses.

    static Expr moved(const Part &part, const Expr &index) {
        const Type type = index.type().element_of();
        const auto typed = [&](const Expr &value) { return type == Int(32) ? value : make_cast(type, value); };
        const Expr scaled = is_one(part.step) ? index : mul(index, typed(part.step));
        return add(scaled, typed(part.first));
    }

    Expr loaded(const Expr &node) const {
        const auto part = node->kind() == ExprKind::Load ? parts_.find(node->symbol()) : parts_.end();
        return part == parts_.end() ? node
                                    : make_load(node.type(), part->second.buffer, moved(part->second, node->arg(0)),
                                                node->arg_count() > 1 ? node->arg(1) : Expr());
    }

    Stmt stored(const Store &store) {
        const auto part = parts_.find(store.buffer);
        if (part == parts_.end()) {
            return recurse(Stmt(&store));
        }
        return Store::make(part->second.buffer, mutate(store.value), moved(part->second, mutate(store.index)),
                           store.predicate.defined() ? mutate(store.predicate) : Expr());
    }
};

} // namespace

Stmt size_block_memory(const Stmt &body, const KernelIndices &indices, const PassContext &context,
                       KernelMemory &memory) {
    return MemorySizes(Level::Block, indices, context, memory).size(body);
}

Stmt size_thread_memory(const Stmt &body, const KernelIndices &indices, const PassContext &context,
                        KernelMemory &memory) {
    return MemorySizes(Level::Thread, indices, context, memory).size(body);
}

Stmt with_parts(Stmt launch, const KernelMemory &memory) {
    for (size_t i = memory.parts.size(); i-- > 0;) {
        const KernelMemory::Parts &parts = memory.parts[i];
        Expr elements = make_float(Float(64), 1);
        for (const Expr &extent : parts.extents) {
            elements = mul(elements, make_cast(Float(64), max_of(extent, int32(0))));
        }
        const Expr most = make_float(Float(64), std::numeric_limits<int32_t>::max());
        const Expr fits = rewrite::simplify(less_equal(elements, most));
        launch = Allocate::make(parts.buffer, parts.type, MemoryType::Heap, parts.extents, launch);
        if (!is_true(fits)) {
            const std::vector<Expr> said = {make_string(parts.buffer.name()), make_cast(Int(64), elements),
                                            make_int(Int(64), std::numeric_limits<int32_t>::max())};
            const Expr error = make_extern(Int(32), "fluorite_error_buffer_extents_too_large", said);
            launch = Block::make({Assert::make(fits, error), launch});
        }
    }
    return launch;
}

} // namespace fluorite::lowering
