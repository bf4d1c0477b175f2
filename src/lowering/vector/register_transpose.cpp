// Transposes in registers: rows of a matrix in memory are accessed instead of its columns.
//
// Where vectors with a stride start at neighbouring elements, the pass accesses rows instead, and transposes the matrix
// between them by a shuffle:
//   f[ramp(0, 8, 8)] = a; f[ramp(1, 8, 8)] = b; ... f[ramp(7, 8, 8)] = h
//   -->
//   f[ramp(0, 1, 64)] = shuffle<0, 8, 16, ..., 1, 9, 17, ...>(a, b, ..., h)
// and, with s elements from one row to the next,
//   f[...] = g[ramp(x, s, 8)]; f[...] = g[ramp(x + 1, s, 8)]
//   f[...] = g[ramp(x + 2, s, 8)]; f[...] = g[ramp(x + 3, s, 8)]
//   -->
//   let g.turned = shuffle<0, 4, 8, ..., 1, 5, 9, ...>(g[ramp(x, 1, 4)], g[ramp(x + s, 1, 4)], ...,
//                                                      g[ramp(x + s * 7, 1, 4)])
//   f[...] = shuffle<0, 1, ..., 7>(g.turned); f[...] = shuffle<8, 9, ..., 15>(g.turned); ...
// The back end recognizes a shuffle that transposes. Lane by lane, n vectors of n lanes cost n * n inserts; a transpose
// costs n * log(n) shuffles.
//
// Method: in successive statements without a branch, vectors whose lanes are a power of two and whose bases are
// neighbours form groups of 4 ... 32. Loads move up to the first of a group if no store to the buffer is in between,
// and stores move down to the last if no other access of the buffer is. Exactly the same elements are accessed.
//
// Relies on: simplified indices; strides of a buffer so large that distinct coordinates have distinct addresses. Does
// not handle masked accesses, and groups of 3, 5, 6, 7 (interleaved_accesses handles dense groups of 3). Cost: linear
// in the statements, quadratic in the strided accesses of one buffer with one stride.

#include "lowering/access/access_shape.h"
#include "lowering/access/body_accesses.h"
#include "lowering/access/buffer_stride.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/access/index_polynomial.h"
#include "lowering/late_passes.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <map>
#include <optional>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr size_t least_group = 4, most_group = 32;
constexpr int most_lanes = 64;
constexpr size_t most_accesses = 512; // strided accesses in successive statements

bool is_power_of_two(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/// A vector of elements at base, base + stride, ...
struct Column {
    Expr base, stride;
    int lanes = 0;
};

/// The index as a column, if its stride is large enough, and its number of lanes a power of two that is not too large.
std::optional<Column> as_column(const Expr &index, IndexForms &forms) {
    AccessShape shape = index->reads_memory() ? AccessShape() : access_shape(index);
    if (shape.kind == AccessShape::Kind::Blocks && shape.stride.defined()) {
        // ramp(ramp(b, s, n), broadcast(n * s), k): each block continues the one before.
        const AccessShape block = access_shape(shape.first);
        const Expr step = uniform_value(shape.stride);
        if (!block.is_strided() || !step.defined() ||
            forms.distance(step, mul(block.stride, make_int(block.stride.type(), block.lanes))) != 0) {
            return std::nullopt;
        }
        shape = {AccessShape::Kind::Strided, block.first, block.stride, shape.lanes};
    }
    const std::optional<int64_t> stride = shape.constant_stride();
    const bool is_apart = shape.is_strided() && (!stride || std::abs(*stride) >= static_cast<int64_t>(least_group));
    return is_apart && is_power_of_two(shape.lanes) && shape.lanes <= most_lanes
               ? std::optional(Column{shape.first, shape.stride, shape.lanes})
               : std::nullopt;
}

bool is_dense(const Column &column, size_t group) {
    int64_t stride = 0;
    return is_const_int(column.stride, &stride) && stride == static_cast<int64_t>(group);
}

/// The index of `group` elements in row `row`.
Expr row_index(const Column &first, int row, size_t group) {
    const Expr base = rewrite::simplify(add(first.base, mul(first.stride, make_int(first.stride.type(), row))));
    return dense_index(base, static_cast<int>(group));
}

/// The lane order that transposes a matrix of `rows` rows with `row` elements each.
Indices transposing(int rows, int row) {
    Indices order;
    for (int j = 0; j < row; j++) {
        for (int i = 0; i < rows; i++) {
            order.push_back(i * row + j);
        }
    }
    return order;
}

Expr slice(const Expr &all, int begin, int count) {
    Indices lanes;
    for (int i = 0; i < count; i++) {
        lanes.push_back(begin + i);
    }
    return make_shuffle({&all, 1}, std::move(lanes));
}

/// Either a let of a value (`stmt` is undefined) or a store.
struct Item {
    Symbol symbol;
    Expr value;
    Stmt stmt;
    const Store *store() const { return stmt.as<Store>(); }
};

/// Statements without branches as a list. A let is in scope up to the end of the list; iterations of unrolled loops
/// repeat lets, of which those with another value get a symbol of their own.
class StraightLine {
  public:
    std::vector<Item> items;
    LetScope lets;
    bool ok = true;

    StraightLine(const Stmt &stmt, SymbolSource &symbols) : symbols_(symbols) {
        add(stmt);
        for (const Item &item : items) {
            ok = ok && (item.stmt.defined() || !free_.contains(item.symbol));
        }
    }

  private:
    SymbolMap<bool> bound_, free_;
    SymbolMap<std::vector<Item>> lets_seen_;
    SymbolSource &symbols_;

    void add(const Stmt &stmt) {
        if (const Block *block = stmt.as<Block>()) {
            for (const Stmt &inner : block->stmts) {
                add(inner);
            }
        } else if (const LetStmt *let = stmt.as<LetStmt>()) {
            look_at(let->value);
            std::vector<Item> &alike = lets_seen_[let->symbol];
            const auto known = std::find_if(alike.begin(), alike.end(), [&](const Item &other) {
                return !let->value->reads_memory() && ExprEqual()(other.value, let->value);
            });
            const bool is_known = known != alike.end();
            const Symbol symbol = is_known        ? known->symbol // still in scope
                                  : alike.empty() ? let->symbol
                                                  : symbols_.fresh_let(let->symbol.name(), let->value);
            if (!is_known) {
                alike.push_back({symbol, let->value, {}});
                items.push_back(alike.back());
                lets.push(symbol, let->value);
            }
            const bool is_same = symbol == let->symbol;
            bound_[symbol] = true;
            add(is_same ? let->body : substitute(let->body, let->symbol, make_var(let->value.type(), symbol)));
            bound_.erase(symbol);
        } else {
            const Store &store = *stmt.as<Store>();
            look_at(store.value), look_at(store.index), look_at(store.predicate);
            items.push_back({{}, {}, stmt});
        }
    }

    void look_at(const Expr &expr) {
        for_each_free_symbol(expr, [&](const Symbol &symbol) {
            if (!bound_.contains(symbol)) {
                free_[symbol] = true;
            }
        });
    }
};

class Transposer {
  public:
    Transposer(StraightLine &line, const PassContext &context) : line_(line), context_(context) {}

    /// The rewritten statements; undefined if nothing changed.
    Stmt run() {
        turn_stores();
        turn_loads();
        return changed_ ? rebuilt() : Stmt();
    }

  private:
    StraightLine &line_;
    const PassContext &context_;
    IndexForms forms_;
    bool changed_ = false;
    std::map<size_t, std::vector<Item>> before_; // inserted before an item
    std::map<size_t, std::vector<Item>> instead_;

    Symbol fresh(const Symbol &buffer, const char *what, const Expr &value) const {
        return context_.symbols.fresh_let(buffer.name() + what, value);
    }

    /// The size of the largest group among `count` neighbouring columns; a row of the group fits in one register.
    size_t group_size(const Column &column, int bits, size_t count) const {
        int64_t stride = 0;
        size_t most = std::min(most_group, static_cast<size_t>(context_.machine.vector_bits / bits));
        most = is_const_int(column.stride, &stride) ? std::min(most, static_cast<size_t>(std::abs(stride))) : most;
        size_t size = 1;
        while (size * 2 <= std::min(count, most)) {
            size *= 2;
        }
        return size >= least_group ? size : 1;
    }

    // ---- Stores.

    struct StoreAt {
        size_t item;
        Column column;
    };

    void turn_stores() {
        SymbolMap<bool> done;
        for (const Item &item : line_.items) {
            const Store *store = item.store();
            if (store && !done.contains(store->buffer)) {
                done[store->buffer] = true;
                turn_stores_to(store->buffer);
            }
        }
    }

    /// Finds runs of column stores to the buffer with one stride and without other accesses in between.
    void turn_stores_to(const Symbol &buffer) {
        std::vector<StoreAt> run;
        const auto flush = [&] {
            for (size_t begin = 0; begin < run.size();) {
                const size_t size = group_from(run, begin);
                if (size > 1) {
                    turn_group({run.begin() + static_cast<ptrdiff_t>(begin),
                                run.begin() + static_cast<ptrdiff_t>(begin + size)});
                }
                begin += size;
            }
            run.clear();
        };
        for (size_t i = 0; i < line_.items.size() && run.size() < most_accesses; i++) {
            const Item &item = line_.items[i];
            const Store *store = item.store();
            if (reads_buffer(store ? store->value : item.value, buffer) ||
                (store && (reads_buffer(store->index, buffer) || reads_buffer(store->predicate, buffer)))) {
                flush();
            }
            if (!store || !(store->buffer == buffer)) {
                continue;
            }
            std::optional<Column> column = is_true(store->predicate) && !store->value.type().is_bool()
                                               ? as_column(store->index, forms_)
                                               : std::nullopt;
            if (!column || !is_stride_of(column->stride, buffer)) {
                flush();
                continue;
            }
            if (!run.empty() &&
                (!equal(run[0].column.stride, column->stride) || run[0].column.lanes != column->lanes)) {
                flush();
            }
            run.push_back({i, *column});
        }
        flush();
    }

    /// The number of stores from `begin` that form a group, in any order; else 1.
    size_t group_from(const std::vector<StoreAt> &run, size_t begin) {
        std::vector<int64_t> places;
        const int bits = line_.items[run[begin].item].store()->value.type().bits();
        size_t found = 1;
        for (size_t i = begin; i < run.size() && i < begin + most_group; i++) {
            const std::optional<int64_t> place = forms_.distance(run[i].column.base, run[begin].column.base);
            if (!place) {
                break;
            }
            places.insert(std::lower_bound(places.begin(), places.end(), *place), *place);
            const bool is_row = places.back() - places.front() + 1 == static_cast<int64_t>(places.size()) &&
                                std::adjacent_find(places.begin(), places.end()) == places.end();
            if (is_row && group_size(run[begin].column, bits, places.size()) == places.size()) {
                found = places.size();
            }
        }
        return found;
    }

    void turn_group(std::vector<StoreAt> group) {
        changed_ = true;
        const size_t last = group.back().item;
        const Expr origin = group[0].column.base;
        std::sort(group.begin(), group.end(), [&](const StoreAt &a, const StoreAt &b) {
            return *forms_.distance(a.column.base, origin) < *forms_.distance(b.column.base, origin);
        });
        const Store &first = *line_.items[group[0].item].store();
        context_.beyond(first.buffer, concat(group.size(), " columns are stored as rows, transposed in registers"));
        const Column &column = group[0].column;
        std::vector<Expr> values;
        for (const StoreAt &at : group) {
            const Expr &value = line_.items[at.item].store()->value;
            const Symbol name = fresh(first.buffer, ".column", value);
            instead_[at.item] = {{name, value, {}}};
            values.push_back(make_var(value.type(), name));
        }
        const int rows = column.lanes, row = static_cast<int>(group.size());
        const Expr all = make_shuffle(values, transposing(row, rows));
        std::vector<Item> &end = instead_[last];
        if (is_dense(column, group.size())) {
            const Expr index = dense_index(column.base, rows * row);
            end.push_back({{}, {}, Store::make(first.buffer, all, index, make_bool(true, rows * row))});
            return;
        }
        const Symbol name = fresh(first.buffer, ".turned", all);
        end.push_back({name, all, {}});
        for (int i = 0; i < rows; i++) {
            end.push_back({{},
                           {},
                           Store::make(first.buffer, slice(make_var(all.type(), name), i * row, row),
                                       row_index(column, i, group.size()), make_bool(true, row))});
        }
    }

    // ---- Loads.

    struct LoadAt {
        Expr load;
        size_t item;
        Column column;
        int64_t place = 0;
    };
    using Loads = std::vector<LoadAt>;
    ExprMap<Expr> replaced_;
    size_t found_ = 0;

    void turn_loads() {
        std::vector<Loads> groups; // each of one buffer, type and stride, at known distances
        SymbolMap<size_t> seen;
        for (size_t i = 0; i < line_.items.size(); i++) {
            const Store *store = line_.items[i].store();
            collect(store ? store->value : line_.items[i].value, i, groups);
        }
        if (found_ > most_accesses) {
            return;
        }
        for (Loads &group : groups) {
            std::stable_sort(group.begin(), group.end(),
                             [](const LoadAt &a, const LoadAt &b) { return a.place < b.place; });
            for (size_t begin = 0; begin < group.size();) {
                begin = turn_loads_from(group, begin);
            }
        }
    }

    void collect(const Expr &value, size_t item, std::vector<Loads> &groups) {
        SymbolMap<bool> inner;
        for_each_node(value, [&](const Expr &node) {
            if (node->kind() == ExprKind::Let) {
                inner[node->symbol()] = true;
            }
        });
        for_each_load(value, [&](const Expr &load) {
            if (!is_true(load->arg(1)) || load.type().is_bool()) {
                return;
            }
            const std::optional<Column> column = as_column(line_.lets.expand(load->arg(0)), forms_);
            bool is_known = column.has_value();
            if (column && !inner.empty()) {
                for_each_free_symbol(column->base, [&](const Symbol &s) { is_known = is_known && !inner.contains(s); });
            }
            if (is_known && ++found_ <= most_accesses) {
                file({load, item, *column}, groups);
            }
        });
    }

    void file(LoadAt found, std::vector<Loads> &groups) {
        for (Loads &group : groups) {
            const LoadAt &head = group.front();
            if (head.load.type() != found.load.type() || !(head.load->symbol() == found.load->symbol()) ||
                !equal(head.column.stride, found.column.stride)) {
                continue;
            }
            if (const std::optional<int64_t> place = forms_.distance(found.column.base, head.column.base)) {
                found.place = *place;
                group.push_back(std::move(found));
                return;
            }
        }
        groups.push_back({std::move(found)});
    }

    bool is_stored_between(const Symbol &buffer, size_t begin, size_t end) const {
        for (size_t i = begin; i < end; i++) {
            const Store *store = line_.items[i].store();
            if (store && store->buffer == buffer) {
                return true;
            }
        }
        return false;
    }

    /// Transposes the neighbouring columns from `begin` on if possible; returns the position after them.
    size_t turn_loads_from(const Loads &group, size_t begin) {
        std::vector<size_t> starts{begin}; // where each distinct base begins
        size_t end = begin + 1;
        for (; end < group.size(); end++) {
            const int64_t step = group[end].place - group[end - 1].place;
            if (step > 1) {
                break;
            }
            if (step == 1) {
                starts.push_back(end);
            }
        }
        const size_t size = group_size(group[begin].column, group[begin].load.type().bits(), starts.size());
        const size_t next = size < starts.size() ? starts[size] : end;
        if (size == 1) {
            return starts.size() > 1 ? starts[1] : end;
        }
        size_t first = group[begin].item, last = first;
        for (size_t i = begin; i < next; i++) {
            first = std::min(first, group[i].item);
            last = std::max(last, group[i].item);
        }
        if (is_stored_between(group[begin].load->symbol(), first, last)) {
            return starts[1];
        }
        turn_rows(group, begin, next, size, first);
        return next;
    }

    void turn_rows(const Loads &group, size_t begin, size_t end, size_t size, size_t item) {
        changed_ = true;
        context_.beyond(group[begin].load->symbol(),
                        concat(size, " columns are loaded as rows, and transposed in registers"));
        const Column &column = group[begin].column;
        const Expr &load = group[begin].load;
        const int rows = column.lanes, row = static_cast<int>(size);
        std::vector<Expr> loads;
        if (is_dense(column, size)) {
            const Type all = load.type().with_lanes(rows * row);
            loads.push_back(
                make_load(all, load->symbol(), dense_index(column.base, rows * row), make_bool(true, rows * row)));
        } else {
            for (int i = 0; i < rows; i++) {
                loads.push_back(make_load(load.type().with_lanes(row), load->symbol(), row_index(column, i, size),
                                          make_bool(true, row)));
            }
        }
        const Expr all = make_shuffle(loads, transposing(rows, row));
        const Symbol name = fresh(load->symbol(), ".turned", all);
        before_[item].push_back({name, all, {}});
        for (size_t i = begin; i < end; i++) {
            const int place = static_cast<int>(group[i].place - group[begin].place);
            replaced_[group[i].load] = slice(make_var(all.type(), name), place * rows, rows);
        }
    }

    // ---- The statements again.

    Expr replace(const Expr &expr) const {
        return replaced_.empty() ? expr : transform(expr, [&](const Expr &node) {
            const auto at = node->kind() == ExprKind::Load ? replaced_.find(node) : replaced_.end();
            return at == replaced_.end() ? node : at->second;
        });
    }

    Stmt rebuilt() const {
        std::vector<Item> all;
        for (size_t i = 0; i < line_.items.size(); i++) {
            if (const auto at = before_.find(i); at != before_.end()) {
                all.insert(all.end(), at->second.begin(), at->second.end());
            }
            const auto at = instead_.find(i);
            const std::vector<Item> items = at == instead_.end() ? std::vector<Item>{line_.items[i]} : at->second;
            for (Item item : items) {
                if (const Store *store = item.store()) {
                    item.stmt = Store::make(store->buffer, replace(store->value), store->index, store->predicate);
                } else {
                    item.value = replace(item.value);
                }
                all.push_back(std::move(item));
            }
        }
        std::vector<Stmt> stmts; // in reverse order
        for (auto item = all.rbegin(); item != all.rend(); ++item) {
            if (item->stmt.defined()) {
                stmts.push_back(item->stmt);
            } else {
                std::reverse(stmts.begin(), stmts.end());
                const Stmt body = Block::make(std::move(stmts));
                stmts = {LetStmt::make(item->symbol, item->value, body)};
            }
        }
        std::reverse(stmts.begin(), stmts.end());
        return Block::make(std::move(stmts));
    }
};

class BlockMutator : public Mutator {
  public:
    explicit BlockMutator(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (is_straight(stmt, Marks::Excluded)) {
            return turned(stmt);
        }
        const Block *block = stmt.as<Block>();
        if (!block) {
            return stmt.kind() == StmtKind::Atomic ? stmt : recurse(stmt);
        }
        std::vector<Stmt> result, run;
        const auto flush = [&] {
            if (!run.empty()) {
                result.push_back(turned(Block::make(std::move(run))));
                run.clear();
            }
        };
        for (const Stmt &inner : block->stmts) {
            if (is_straight(inner, Marks::Excluded)) {
                run.push_back(inner);
            } else {
                flush();
                result.push_back(mutate(inner));
            }
        }
        flush();
        return Block::make(std::move(result));
    }

  private:
    const PassContext &context_;

    Stmt turned(const Stmt &stmt) const {
        StraightLine line(stmt, context_.symbols);
        const Stmt result = line.ok ? Transposer(line, context_).run() : Stmt();
        return result.defined() ? result : stmt;
    }
};

} // namespace

Stmt register_transpose(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? BlockMutator(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
