// Storage layout: the boxes of values in memory.
//
// For a Func g folded by 4 along y, with rows in multiples of 16:
//   realize g over [x0, w] [y0, h] { .. g(x, y) = g(x, y - 1) .. }
//   -->  realize g over [x0, w rounded up] [0, 4] { .. g(x, y % 4) = g(x, (y - 1) % 4) .. }
// For a Func whose memory is allocated further out, where it needs at most w1 x h1:
//   realize g over [0, w1] [0, h1] { for i { realize g over [x0(i), w(i)] [y0(i), h(i)] { .. g(x, y) .. } } }
//   -->  realize g over [0, w1] [0, h1] { for i { .. g(x - x0(i), y - y0(i)) .. } }
// With ring_buffer(n), memory has one more dimension, [0, n), and g(x, y) becomes g(x - x0(i), y - y0(i), i % n).
// Folds, and the proof that they keep every value until its last use, come from sliding.cpp and folds.cpp of
// loopnest/windows; extents come from loopnest/regions/storage.cpp.
//
// Comes after tracing, whose events report the coordinates of the program. The whole fold is allocated even if the full
// extent turns out to be smaller, as coordinates are taken modulo the fold. Cost: linear.

#include "lowering/storage/storage_layout.h"

#include <algorithm>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

/// How the coordinates of a buffer change, by dimension; an undefined entry leaves the coordinate as it is.
struct Change {
    std::vector<Expr> fold, min; // taken modulo the fold; made relative to the min
    Expr ring_index;             // the additional coordinate of a ring
};

class LayOut : public Mutator {
  public:
    LayOut(const BoundedLoopNest &nest, const PassContext &context)
        : placement_(nest.placement), regions_(nest.regions), context_(context) {}

    Expr mutate(const Expr &expr) override {
        const auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second.second;
        }
        Expr result = recurse(expr);
        if (const Change *change = result->kind() == ExprKind::Image ? change_of(result->symbol()) : nullptr) {
            result = with_args(result, changed(*change, {result->args().begin(), result->args().end()}));
        }
        done_.emplace(expr.get(), std::pair(expr, result));
        return result;
    }

    Stmt mutate(const Stmt &stmt) override {
        if (const auto *provide = stmt.as<Provide>()) {
            if (const Change *change = change_of(provide->func)) {
                return Provide::make(provide->func, provide->stage, mutate_all(provide->values),
                                     changed(*change, mutate_all(provide->args)), mutate(provide->predicate));
            }
        }
        if (const auto *realize = stmt.as<Realize>()) {
            return lay_out(*realize);
        }
        return recurse(stmt);
    }

  private:
    const Placement &placement_;
    const Regions &regions_;
    const PassContext &context_;
    SymbolMap<Change> changes_;                                        // by buffer, of enclosing Realizes
    SymbolMap<bool> taken_;                                            // whose memory an enclosing Realize allocates
    std::unordered_map<const ExprNode *, std::pair<Expr, Expr>> done_; // keeps the key's expression alive

    const Change *change_of(const Symbol &buffer) const {
        const auto found = changes_.find(buffer);
        return found == changes_.end() ? nullptr : &found->second;
    }

    static std::vector<Expr> changed(const Change &change, std::vector<Expr> args) {
        for (size_t d = 0; d < args.size(); d++) {
            if (change.fold[d].defined()) {
                args[d] = mod(args[d], change.fold[d]);
            } else if (change.min[d].defined()) {
                args[d] = sub(args[d], change.min[d]);
            }
        }
        if (change.ring_index.defined()) {
            args.push_back(change.ring_index);
        }
        return args;
    }

    /// In checked code: fills memory that an earlier iteration has used, as the back end does with each allocation. Of
    /// a folded dimension all coordinates of the circular buffer are filled, of a ring the box at index `ring_index`.
    Stmt poison(const Realize &realize, const std::vector<Expr> &folds, const Expr &ring_index) const {
        const Type type = realize.types[0];
        if (type.is_handle() || type.is_bool()) {
            return {};
        }
        const uint64_t bits = 0xA5A5A5A5A5A5A5A5U >> (64 - type.bits());
        std::vector<Expr> coordinates;
        std::vector<Symbol> vars;
        for (size_t d = 0; d < realize.bounds.size(); d++) {
            vars.push_back(context_.symbols.fresh(SymbolKind::Loop, realize.func.name() + ".poison"));
            coordinates.push_back(make_var(Int(32), vars.back()));
        }
        if (ring_index.defined()) {
            coordinates.push_back(ring_index);
        }
        Stmt body = Provide::make(realize.func, 0, {make_reinterpret(type, make_uint(UInt(type.bits()), bits))},
                                  coordinates, make_bool(true));
        for (size_t d = 0; d < vars.size(); d++) {
            const Expr &extent = folds[d].defined() ? folds[d] : realize.bounds[d].extent;
            body = For::make(vars[d], make_int(Int(32), 0), extent, ForKind::Serial, body);
        }
        return body;
    }

    /// The producer of an async Func becomes a task, which may fill memory only after its consumers have released it:
    /// at the beginning of the production. If an iteration produces several times (the Func is stored further out than
    /// it is computed), only the first production could do so, and memory is left as it is.
    Stmt poison_in_task(FuncId func, const Stmt &poisoned, const Stmt &body) const {
        if (placement_.store[func.index()] != placement_.compute[func.index()]) {
            return body;
        }
        class IntoProduction : public Mutator {
          public:
            IntoProduction(const Symbol &mark, const Stmt &poisoned) : mark_(mark), poisoned_(poisoned) {}
            using Mutator::mutate;
            Expr mutate(const Expr &expr) override { return expr; }
            Stmt mutate(const Stmt &stmt) override {
                const auto *node = stmt.as<ProducerConsumer>();
                return node && node->is_producer && node->func == mark_
                           ? ProducerConsumer::make(mark_, true, Block::make({poisoned_, node->body}))
                           : recurse(stmt);
            }

          private:
            const Symbol &mark_;
            const Stmt &poisoned_;
        };
        return IntoProduction(context_.buffers.of(func, 0), poisoned).mutate(body);
    }

    Stmt lay_out(const Realize &realize) {
        const FuncDef &func = *context_.func_of(realize.func);
        const std::optional<Ring> &ring = regions_.func(func.id()).ring;
        if (only_takes_memory(realize, context_)) {
            taken_[realize.func] = true;
            const Stmt body = mutate(realize.body);
            taken_.erase(realize.func);
            std::vector<Range> memory = realize.bounds;
            if (ring) {
                memory.push_back({make_int(Int(32), 0), ring->extent});
            }
            return body.defined() ? Realize::make(realize.func, realize.types, realize.memory, memory, body) : body;
        }
        const std::vector<Expr> &folds = regions_.func(func.id()).folds;
        const std::vector<Expr> &extents = regions_.func(func.id()).extents;
        const bool is_taken = taken_.contains(realize.func);
        Change change;
        std::vector<Range> bounds;
        bool any = false;
        for (size_t d = 0; d < realize.bounds.size(); d++) {
            const Expr &fold = folds[d];
            change.fold.push_back(fold);
            change.min.push_back(is_taken ? realize.bounds[d].min : Expr());
            any = any || fold.defined() || is_taken;
            bounds.push_back({fold.defined() ? make_int(Int(32), 0) : realize.bounds[d].min,
                              extents[d].defined() ? extents[d]
                              : fold.defined()     ? fold
                                                   : realize.bounds[d].extent});
        }
        change.ring_index = ring ? ring->index : Expr();
        any = any || ring.has_value();
        if (any) {
            changes_[realize.func] = std::move(change);
            done_.clear(); // expressions in another Realize of this buffer have other coordinates
        }
        const Stmt body = mutate(realize.body);
        if (any) {
            changes_.erase(realize.func);
            done_.clear();
        }
        if (is_taken || !body.defined()) {
            const Stmt poisoned = context_.options.checked && is_taken && body.defined()
                                      ? poison(realize, folds, ring ? ring->index : Expr())
                                      : Stmt();
            if (!poisoned.defined()) {
                return body;
            }
            return context_.pipeline.schedule.func(func.id()).marks.has(schedule::DirectiveName::async)
                       ? poison_in_task(func.id(), poisoned, body)
                       : Block::make({poisoned, body});
        }
        return Realize::make(realize.func, realize.types, realize.memory, std::move(bounds), body);
    }
};

/// Whether a statement contains a Realize of a buffer.
class Realizes : public Visitor {
  public:
    bool found = false;

    Realizes(const Stmt &stmt, const Symbol &buffer) : buffer_(buffer) { visit(stmt); }
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        const auto *realize = stmt.as<Realize>();
        found = found || (realize && realize->func == buffer_);
        if (!found) {
            recurse(stmt);
        }
    }

  private:
    const Symbol &buffer_;
};

} // namespace

bool only_takes_memory(const Realize &realize, const PassContext &context) {
    const FuncDef *func = context.func_of(realize.func);
    const bool may = func && !context.pipeline.schedule.func(func->id()).hoist.is_inlined();
    return may && Realizes(realize.body, realize.func).found;
}

Stmt lay_out_storage(const Stmt &stmt, const BoundedLoopNest &nest, const PassContext &context) {
    const Regions &regions = nest.regions;
    const auto says_anything = [](const std::vector<Expr> &exprs) {
        return std::any_of(exprs.begin(), exprs.end(), [](const Expr &expr) { return expr.defined(); });
    };
    const bool any =
        !regions.hoisted.empty() || std::any_of(regions.funcs.begin(), regions.funcs.end(), [&](const auto &func) {
            return says_anything(func.folds) || says_anything(func.extents);
        });
    return stmt.defined() && any ? LayOut(nest, context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
