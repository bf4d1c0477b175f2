// Interleaved accesses: strided accesses that together cover a dense range become one dense access.
//
//   f[ramp(3 * x, 3, 16)] = r; f[ramp(3 * x + 1, 3, 16)] = g; f[ramp(3 * x + 2, 3, 16)] = b
//   -->
//   f[ramp(3 * x, 1, 48)] = shuffle<0, 16, 32, 1, 17, ...>(r, g, b)
// and for loads
//   ... g[ramp(3 * x, 3, 16)] ... g[ramp(3 * x + 1, 3, 16)] ... g[ramp(3 * x + 2, 3, 16)] ...
//   -->
//   ... shuffle<0, 3, ...>(g[ramp(3 * x, 1, 48)]) ... shuffle<1, 4, ...>(g[ramp(3 * x, 1, 48)]) ...
// Strides are 2, 3 and 4. Loads with strides 2 and 3 may be in several successive stores. Exactly the same elements are
// accessed as before.
//
// Method: bases are compared as polynomials (index_polynomial.h). Stores are joined if they are successive and the
// value of no later one reads the buffer; values of the same form are computed interleaved (interleaved_slp.h).
//
// Relies on: simplified indices. Does not handle masked accesses. Cost: linear in the body, quadratic in the strided
// loads of successive stores (few).

#include "lowering/access/access_shape.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/access/index_polynomial.h"
#include "lowering/late_passes.h"
#include "lowering/vector/interleaved_slp.h"

#include <algorithm>
#include <optional>
#include <span>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr int64_t widest_stride = 4;
constexpr int64_t widest_shared_stride = 3; // for loads of several statements: register_transpose handles stride 4
constexpr size_t most_strided_loads = 32;

/// A ramp of a small constant stride.
struct Strided {
    Expr base;
    int64_t stride = 0;
    int lanes = 0;
};

std::optional<Strided> as_strided(const Expr &index) {
    const AccessShape shape = access_shape(index);
    const std::optional<int64_t> stride = shape.constant_stride();
    const bool is_small = stride && *stride >= 2 && *stride <= widest_stride && !index->reads_memory();
    return is_small ? std::optional(Strided{shape.first, *stride, shape.lanes}) : std::nullopt;
}

/// a - b if it is constant.
std::optional<int64_t> distance(const Strided &a, const Strided &b) {
    const bool alike = a.stride == b.stride && a.lanes == b.lanes && a.base.type() == b.base.type();
    return alike ? IndexForms().distance(a.base, b.base) : std::nullopt;
}

Expr dense(const Strided &first) { return dense_index(first.base, first.lanes * static_cast<int>(first.stride)); }

class Joiner : public Mutator {
  public:
    explicit Joiner(const PassContext &context) : context_(context) {}
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (stmt.as<Store>()) {
            return join_loads({&stmt, 1}, widest_stride)[0];
        }
        if (const Block *block = stmt.as<Block>()) {
            return join_stores(*block);
        }
        return recurse(stmt);
    }

  private:
    const PassContext &context_;

    // ---- Stores.

    static std::optional<Strided> strided_store(const Stmt &stmt) {
        const Store *store = stmt.as<Store>();
        const bool is_plain = store && is_true(store->predicate);
        return is_plain ? as_strided(store->index) : std::nullopt;
    }

    Stmt join_stores(const Block &block) {
        std::vector<Stmt> stmts;
        for (size_t i = 0; i < block.stmts.size();) {
            const size_t count = group_at(block.stmts, i);
            stmts.push_back(count > 1 ? joined_stores(block.stmts, i, count) : block.stmts[i]);
            i += count;
        }
        std::vector<Stmt> result;
        for (size_t i = 0; i < stmts.size();) {
            const size_t count = run_at(stmts, i);
            if (count <= 1) {
                result.push_back(mutate(stmts[i++]));
                continue;
            }
            std::vector<Stmt> run = join_loads({stmts.data() + i, count}, widest_shared_stride);
            for (Stmt &stmt : run) {
                stmt = join_loads({&stmt, 1}, widest_stride)[0];
            }
            result.insert(result.end(), run.begin(), run.end());
            i += count;
        }
        return Block::make(std::move(result));
    }

    /// The number of successive stores from `begin` that are executed unconditionally and do not change what one of
    /// them loads.
    static size_t run_at(const std::vector<Stmt> &stmts, size_t begin) {
        SymbolMap<bool> stored;
        size_t count = 0;
        for (; begin + count < stmts.size(); count++) {
            const Store *store = stmts[begin + count].as<Store>();
            if (!store || (count > 0 && !is_true(store->predicate))) {
                break;
            }
            SymbolMap<bool> own;
            bool has_names = false; // whose symbols would be out of scope in another statement
            for (const Expr &part : {store->value, store->index}) {
                for_each_node(part, [&](const Expr &node) {
                    const BufferUse use = buffer_use(node);
                    has_names = has_names || node->kind() == ExprKind::Let;
                    if (use == BufferUse::Load || use == BufferUse::Address) {
                        own[node->symbol()] = true;
                    }
                });
            }
            const auto is_stored = [&](const auto &entry) { return stored.contains(entry.first); };
            if (count > 0 && (has_names || std::any_of(own.begin(), own.end(), is_stored))) {
                break;
            }
            stored[store->buffer] = true;
            if (!is_true(store->predicate) || has_names) {
                return 1;
            }
        }
        return count;
    }

    /// The number of stores from `begin` that form a group: one for each offset 0 ... stride - 1; else 1.
    static size_t group_at(const std::vector<Stmt> &stmts, size_t begin) {
        const std::optional<Strided> first = strided_store(stmts[begin]);
        if (!first || begin + static_cast<size_t>(first->stride) > stmts.size()) {
            return 1;
        }
        const Store &head = *stmts[begin].as<Store>();
        const size_t count = static_cast<size_t>(first->stride);
        for (size_t k = 1; k < count; k++) {
            const std::optional<Strided> next = strided_store(stmts[begin + k]);
            const bool follows = next && stmts[begin + k].as<Store>()->buffer == head.buffer &&
                                 stmts[begin + k].as<Store>()->value.type() == head.value.type() &&
                                 distance(*next, *first) == static_cast<int64_t>(k);
            if (!follows || reads_buffer(stmts[begin + k].as<Store>()->value, head.buffer)) {
                return 1;
            }
        }
        return count;
    }

    Stmt joined_stores(const std::vector<Stmt> &stmts, size_t begin, size_t count) const {
        const Store &head = *stmts[begin].as<Store>();
        std::vector<Expr> values;
        for (size_t k = 0; k < count; k++) {
            values.push_back(stmts[begin + k].as<Store>()->value);
        }
        context_.beyond(head.buffer, concat(count, " strided stores are a dense one"));
        const Expr all = interleaved_slp(values, context_.machine.vector_bits);
        return Store::make(head.buffer, all, dense(*as_strided(head.index)), make_bool(true, all.type().lanes()));
    }

    // ---- Loads.

    struct StridedLoad {
        Expr load;
        Strided form;
    };

    std::vector<Stmt> join_loads(std::span<const Stmt> stores, int64_t widest) const {
        std::vector<StridedLoad> loads;
        ExprMap<bool> seen;
        for (const Stmt &store : stores) {
            for_each_load(store.as<Store>()->value, [&](const Expr &load) {
                const auto form = is_true(load->arg(1)) ? as_strided(load->arg(0)) : std::nullopt;
                if (form && form->stride <= widest && seen.try_emplace(load, true).second) {
                    loads.push_back({load, *form});
                }
            });
        }
        ExprMap<Expr> joined;
        if (loads.size() > 1 && loads.size() <= most_strided_loads) {
            // First the loads that belong to one group; then those whose neighbours belong to another group too.
            for (const bool is_shared : {false, true}) {
                for (const StridedLoad &first : loads) {
                    join_from(first, loads, is_shared, joined);
                }
            }
        }
        std::vector<Stmt> result(stores.begin(), stores.end());
        for (Stmt &stmt : result) {
            if (!joined.empty()) {
                const Store &store = *stmt.as<Store>();
                const Expr value = transform(store.value, [&](const Expr &node) {
                    const auto at = joined.find(node);
                    return at == joined.end() ? node : at->second;
                });
                stmt = Store::make(store.buffer, value, store.index, store.predicate);
            }
        }
        return result;
    }

    /// Joins the loads at offsets 0 ... stride - 1 from `first`, if all exist; `is_shared` tells whether they may
    /// already belong to another group.
    void join_from(const StridedLoad &first, const std::vector<StridedLoad> &loads, bool is_shared,
                   ExprMap<Expr> &joined) const {
        std::vector<Expr> group(static_cast<size_t>(first.form.stride));
        for (const StridedLoad &other : loads) {
            const bool fits = other.load->symbol() == first.load->symbol() && other.load.type() == first.load.type() &&
                              (is_shared || !joined.contains(other.load));
            const std::optional<int64_t> at = fits ? distance(other.form, first.form) : std::nullopt;
            if (at && *at >= 0 && *at < first.form.stride) {
                group[static_cast<size_t>(*at)] = other.load;
            }
        }
        if (std::any_of(group.begin(), group.end(), [](const Expr &load) { return !load.defined(); })) {
            return;
        }
        const int stride = static_cast<int>(first.form.stride);
        context_.beyond(first.load->symbol(), concat(stride, " strided loads are a dense one"));
        const Expr all = make_load(first.load.type().with_lanes(first.form.lanes * stride), first.load->symbol(),
                                   dense(first.form), make_bool(true, first.form.lanes * stride));
        for (int k = 0; k < stride; k++) {
            Indices lanes;
            for (int i = 0; i < first.form.lanes; i++) {
                lanes.push_back(i * stride + k);
            }
            joined.try_emplace(group[static_cast<size_t>(k)], make_shuffle({&all, 1}, lanes));
        }
    }
};

} // namespace

Stmt interleaved_accesses(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Joiner(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
