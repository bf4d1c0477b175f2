// Rows of whole vectors in memory.
//
//   realize g over [x0, w] [y0, h] { .. vectorized xv in [0, +16) { g(x + xv, y) = .. } .. g(x + xv, y + 1) .. }
//   -->  realize g over [x0, w rounded up to a multiple of 16] [y0, h] { .. }
// A vector that begins at the same coordinate of several rows is then aligned in all of them if it is in one; else the
// rows of a width that is no multiple begin anywhere, and most vectors of most rows lie across two cache lines.
//
// Method. The innermost dimension of a buffer with several dimensions is rounded up to a multiple of the target's
// vector registers if vectors, of any length, run along it: short ones are merged later (widen_vectorized_loops). What
// a program says of the extent in memory itself is left alone (align_storage, also by 1, and bound_storage), as are
// rows of less than `least_vectors` registers, whose memory would grow by too much, and blocks that would no longer be
// allocated on the stack.
//
// Measured on a Zen 5 with AVX-512: chains of five sweeps as in benchmarks/boundary_chains.cpp, but over 10008^2 or
// 10001^2 floats, took 0.89 to 0.92 of the time, over 500^3 floats 0.88.
//
// One walk finds the buffers: each variable knows the innermost vectorized loop whose lanes it differs between, and
// lanes of loops outside of a Realize do not count.
//
// Relies on: coordinates of vectors contain the loop's variable, or a let of it. Does not do: buffers of the caller;
// buffers whose first column and vectors begin at different coordinates. Cost: linear.

#include "lowering/late_passes.h"

#include "rewrite/simplify.h"
#include "schedule/storage_order.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr int64_t least_vectors = 4; // memory grows by at most a fourth

/// The innermost dimension in memory of a Func, if it has several.
std::optional<size_t> row_of(const Symbol &symbol, const PassContext &context) {
    const FuncDef *func = context.func_of(symbol);
    if (!func || func->dimensions() < 2) {
        return std::nullopt;
    }
    return schedule::storage_order_of(*func, context.pipeline.schedule.func(func->id())).front();
}

/// Finds the Realizes in which lanes of vectorized loops access different coordinates of the innermost dimension.
class VectorsAlongRows : public Visitor {
  public:
    std::unordered_set<const StmtNode *> found;

    VectorsAlongRows(const Stmt &stmt, const PassContext &context) : context_(context) { visit(stmt); }

    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Image) {
                look_at(node->symbol(), node->args());
            }
        });
    }
    void visit(const Stmt &stmt) override {
        const auto *realize = stmt.as<Realize>();
        if (const auto *loop = stmt.as<For>(); loop && loop->for_kind == ForKind::Vectorized) {
            varying_since_[loop->var] = ++place_;
        } else if (const auto *let = stmt.as<LetStmt>()) {
            varying_since_[let->symbol] = varying_since(let->value);
        } else if (const auto *provide = stmt.as<Provide>()) {
            look_at(provide->func, provide->args);
        } else if (realize) {
            realized_[realize->func] = {stmt.get(), row_of(realize->func, context_), ++place_};
        }
        recurse(stmt);
        if (realize) {
            realized_.erase(realize->func);
        }
    }

  private:
    struct Realized {
        const StmtNode *stmt = nullptr;
        std::optional<size_t> row;
        int place = 0;
    };
    const PassContext &context_;
    int place_ = 0; // counts vectorized loops and Realizes: what is further in has a greater one
    SymbolMap<Realized> realized_;
    SymbolMap<int> varying_since_; // the place of the innermost loop between whose lanes the value differs; 0: none

    int varying_since(const Expr &expr) const {
        int place = 0;
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Variable) {
                const auto known = varying_since_.find(node->symbol());
                place = std::max(place, known == varying_since_.end() ? 0 : known->second);
            }
        });
        return place;
    }

    void look_at(const Symbol &buffer, std::span<const Expr> coordinates) {
        const auto at = realized_.find(buffer);
        if (at == realized_.end() || !at->second.row || found.contains(at->second.stmt)) {
            return;
        }
        if (varying_since(coordinates[*at->second.row]) > at->second.place) {
            found.insert(at->second.stmt);
        }
    }
};

/// The extent, or the next multiple if it is not short and that does not overflow.
Expr rounded_up(const Expr &extent, int64_t multiple) {
    const Expr by = int32(multiple);
    const Expr rounded = mul(div(add(extent, sub(by, int32(1))), by), by);
    const Expr is_long = less_equal(int32(least_vectors * multiple), extent);
    const Expr fits = less_equal(extent, sub(int32(std::numeric_limits<int32_t>::max()), by));
    return rewrite::simplify(make_select(logical_and(is_long, fits), rounded, extent));
}

class Padder : public Mutator {
  public:
    Padder(const Stmt &stmt, const PassContext &context) : context_(context), vectors_(stmt, context) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const Stmt result = recurse(stmt);
        return vectors_.found.contains(stmt.get()) ? padded(result, *result.as<Realize>()) : result;
    }

  private:
    const PassContext &context_;
    const VectorsAlongRows vectors_;

    Stmt padded(const Stmt &stmt, const Realize &realize) const {
        const FuncDef *func = context_.func_of(realize.func);
        const size_t row = *row_of(realize.func, context_);
        const schedule::FuncSchedule &schedule = context_.pipeline.schedule.func(func->id());
        const bool is_told = std::any_of(schedule.storage.begin(), schedule.storage.end(), [&](const auto &dim) {
            return dim.var == func->arg_names[row] && (dim.alignment.defined() || dim.bound.defined());
        });
        if (is_told) {
            return stmt;
        }
        const int64_t multiple = context_.machine.vector_bits / std::max(realize.types[0].bits(), 8);
        std::vector<Range> bounds = realize.bounds;
        bounds[row].extent = rounded_up(bounds[row].extent, multiple);
        if (equal(bounds[row].extent, realize.bounds[row].extent) || leaves_stack(realize, bounds)) {
            return stmt;
        }
        context_.beyond(realize.func, concat("its rows along ", func->arg_names[row], " are multiples of ", multiple,
                                             " in memory (align_storage(", func->arg_names[row], ", 1))"));
        return Realize::make(realize.func, realize.types, realize.memory, std::move(bounds), realize.body);
    }

    /// Whether a block of constant size would become too large for the stack.
    bool leaves_stack(const Realize &realize, const std::vector<Range> &bounds) const {
        const auto is_small = [&](const std::vector<Range> &box) {
            int64_t bytes = realize.types[0].bytes();
            for (const Range &range : box) {
                int64_t extent = 0;
                if (!is_const_int(range.extent, &extent) || bytes > context_.machine.stack_block_bytes) {
                    return false;
                }
                bytes *= std::max<int64_t>(extent, 1);
            }
            return bytes <= context_.machine.stack_block_bytes;
        };
        return is_small(realize.bounds) && !is_small(bounds);
    }
};

} // namespace

Stmt pad_rows(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Padder(stmt, context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
