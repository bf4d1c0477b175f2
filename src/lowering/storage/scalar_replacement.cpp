// Scalar replacement: keeps the elements that a loop accumulates into in registers.
//
// For a loop that accesses f at invariant indices that are known to be distinct:
//   for k in [0, +n) {
//     f[ramp(a, 1, 8)] = f[ramp(a, 1, 8)] + v
//     f[ramp(a + s, 1, 8)] = f[ramp(a + s, 1, 8)] + w }
//   -->
//   if 0 < n {
//     allocate f.kept[16] in registers
//     f.kept[ramp(0, 1, 8)] = f[ramp(a, 1, 8)]; f.kept[ramp(8, 1, 8)] = f[ramp(a + s, 1, 8)]
//     for k in [0, +n) { f.kept[ramp(0, 1, 8)] = f.kept[ramp(0, 1, 8)] + v; ... }
//     f[ramp(a, 1, 8)] = f.kept[ramp(0, 1, 8)]; f[ramp(a + s, 1, 8)] = f.kept[ramp(8, 1, 8)]
//   }
//
// Method: two indices are distinct if they differ by a constant of at least the number of lanes, or by a constant
// multiple of a stride of the buffer, as they then have different coordinates. If all indices differ by constants,
// nothing is done, as the back end handles this case. Elements that are only stored to are not loaded before the loop.
//
// Applies to serial loops whose bodies consist of stores and lets without effects. Relies on: simplified indices;
// distinct coordinates having distinct addresses. Does not handle masked accesses and outer loops. Cost: quadratic in
// the number of distinct indices of a buffer, which is small.

#include "ir/expr_traits.h"
#include "lowering/access/access_shape.h"
#include "lowering/access/body_accesses.h"
#include "lowering/access/buffer_stride.h"
#include "lowering/access/index_polynomial.h"
#include "lowering/late_passes.h"

#include <algorithm>
#include <optional>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr size_t most_places = 32;

struct Place {
    Expr index; // without the lets of the body
    bool is_loaded = false, is_stored = false;
};

/// The first element of an index that is a scalar or dense; otherwise undefined.
Expr first_element_of(const Expr &index) { return index.type().is_scalar() ? index : first_of_dense(index); }

/// Finds the indices at which a loop accesses the buffers that it stores to, and those that may be kept.
class Places : public AccessVisitor {
  public:
    struct Buffer {
        Type type; // of each access
        std::vector<Place> places;
        bool ok = true, needs_strides = false;
    };
    bool ok = true;
    SymbolMap<Buffer> buffers;
    std::vector<Symbol> order; // the buffers that are stored to

    explicit Places(const For &loop) : loop_(loop) {
        ok = is_straight(loop.body, Marks::LookedThrough);
        visit(loop.body);
        for (const Symbol &buffer : order) {
            check(buffers.at(buffer), buffer);
        }
    }

    using AccessVisitor::visit;
    void visit(const Stmt &stmt) override {
        if (ok) {
            AccessVisitor::visit(stmt);
        }
    }

    /// Finds the entry of an index, into which the lets of the body have been substituted.
    std::optional<size_t> find(const Symbol &buffer, const Expr &index) {
        const Expr first = first_element_of(index);
        const std::vector<Place> &places = buffers.at(buffer).places;
        for (size_t i = 0; first.defined() && i < places.size(); i++) {
            if (forms_.distance(first, first_element_of(places[i].index)) == 0) {
                return i;
            }
        }
        return std::nullopt;
    }

  private:
    const For &loop_;
    IndexForms forms_;

    void visit_node(const Expr &node) override { ok = ok && is_movable(node->kind()) && node->kind() != ExprKind::Let; }
    void visit_access(const Access &access) override {
        const auto [found, is_new] = buffers.try_emplace(access.buffer);
        Buffer &buffer = found->second;
        if (is_new) {
            buffer.type = access.type;
        }
        if (access.is_store && std::find(order.begin(), order.end(), access.buffer) == order.end()) {
            order.push_back(access.buffer);
        }
        const Expr index = buffer.ok ? expand(access.index) : access.index;
        buffer.ok = buffer.ok && buffer.type == access.type && !access.type.is_bool() && is_true(access.predicate) &&
                    !index->reads_memory() && first_element_of(index).defined() && !uses_symbol(index, loop_.var);
        if (!buffer.ok) {
            return;
        }
        std::optional<size_t> place = find(access.buffer, index);
        if (!place) {
            place = buffer.places.size();
            buffer.places.push_back({index});
            buffer.ok = buffer.places.size() <= most_places;
        }
        (access.is_store ? buffer.places[*place].is_stored : buffer.places[*place].is_loaded) = true;
    }

    /// Checks that all indices are distinct.
    void check(Buffer &buffer, const Symbol &symbol) {
        for (size_t i = 0; i < buffer.places.size() && buffer.ok; i++) {
            for (size_t j = 0; j < i && buffer.ok; j++) {
                const Expr a = first_element_of(buffer.places[i].index), b = first_element_of(buffer.places[j].index);
                if (const std::optional<int64_t> apart = forms_.distance(a, b)) {
                    buffer.ok = *apart >= buffer.type.lanes() || *apart <= -buffer.type.lanes();
                    continue;
                }
                const Expr stride = forms_.leaf_between(a, b);
                buffer.ok = stride.defined() && is_stride_of(stride, symbol);
                buffer.needs_strides = true;
            }
        }
        buffer.ok = buffer.ok && buffer.needs_strides;
    }
};

/// Redirects accesses to the registers.
class RedirectAccesses : public ScopedMutator {
  public:
    RedirectAccesses(Places &places, const SymbolMap<Symbol> &kept) : places_(places), registers_(kept) {}

    Expr mutate(const Expr &expr) override {
        return transform(expr, [&](const Expr &node) {
            const auto at = node->kind() == ExprKind::Load ? registers_.find(node->symbol()) : registers_.end();
            return at == registers_.end()
                       ? node
                       : make_load(node.type(), at->second, place(node->symbol(), node->arg(0)), node->arg(1));
        });
    }
    using ScopedMutator::mutate;

    static Expr kept_index(size_t place, int lanes) {
        return dense_index(make_int(Int(32), static_cast<int64_t>(place) * lanes), lanes);
    }

  private:
    Places &places_;
    const SymbolMap<Symbol> &registers_;

    Stmt mutate_in_scope(const Stmt &stmt) override {
        const Store *store = stmt.as<Store>();
        const auto at = store ? registers_.find(store->buffer) : registers_.end();
        if (at == registers_.end()) {
            return recurse(stmt);
        }
        return Store::make(at->second, mutate(store->value), place(store->buffer, store->index), store->predicate);
    }
    Expr place(const Symbol &buffer, const Expr &index) {
        return kept_index(*places_.find(buffer, scope().expand(index)), places_.buffers.at(buffer).type.lanes());
    }
};

class Keeper : public Mutator {
  public:
    explicit Keeper(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const For *loop = stmt.as<For>();
        if (stmt.kind() == StmtKind::Atomic || !loop || loop->for_kind != ForKind::Serial) {
            return stmt.kind() == StmtKind::Atomic ? stmt : recurse(stmt);
        }
        Places places(*loop);
        SymbolMap<Symbol> kept;
        for (const Symbol &buffer : places.order) {
            if (places.ok && places.buffers.at(buffer).ok) {
                kept.emplace(buffer, context_.symbols.fresh(SymbolKind::Buffer, buffer.name() + ".kept"));
            }
        }
        return kept.empty() ? recurse(stmt) : keep(*loop, places, kept);
    }

  private:
    const PassContext &context_;

    Stmt keep(const For &loop, Places &places, const SymbolMap<Symbol> &kept) const {
        std::vector<Stmt> before, after;
        for (const Symbol &symbol : places.order) {
            const auto at = kept.find(symbol);
            if (at == kept.end()) {
                continue;
            }
            const Places::Buffer &buffer = places.buffers.at(symbol);
            const FuncDef *func = context_.func_of(symbol);
            context_.beyond(loop.var, concat("what it accumulates in ", func ? func->name() : symbol.name(),
                                             " stays in registers"));
            const Expr always = make_bool(true, buffer.type.lanes());
            for (size_t i = 0; i < buffer.places.size(); i++) {
                const Place &place = buffer.places[i];
                const Expr index = RedirectAccesses::kept_index(i, buffer.type.lanes());
                if (place.is_loaded) {
                    before.push_back(
                        Store::make(at->second, make_load(buffer.type, symbol, place.index, always), index, always));
                }
                if (place.is_stored) {
                    after.push_back(
                        Store::make(symbol, make_load(buffer.type, at->second, index, always), place.index, always));
                }
            }
        }
        const Stmt body = RedirectAccesses(places, kept).mutate(loop.body);
        before.push_back(For::make(loop.var, loop.min, loop.extent, loop.for_kind, body, loop.partition));
        before.insert(before.end(), after.begin(), after.end());
        Stmt result = Block::make(std::move(before));
        for (const Symbol &symbol : places.order) {
            if (const auto at = kept.find(symbol); at != kept.end()) {
                const Places::Buffer &buffer = places.buffers.at(symbol);
                const int elements = static_cast<int>(buffer.places.size()) * buffer.type.lanes();
                result = Allocate::make(at->second, buffer.type.element_of(), MemoryType::Register,
                                        {make_int(Int(32), elements)}, result);
            }
        }
        return IfThenElse::make(less(make_zero(Int(32)), loop.extent), result);
    }
};

} // namespace

Stmt scalar_replacement(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Keeper(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
