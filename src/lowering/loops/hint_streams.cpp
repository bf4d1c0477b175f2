// Hints ahead of what passes over memory read.
//
// In an innermost loop over vectors, for each store of a vector, and for each input that its value reads densely:
//   for x in [a, +n) { f[ramp(x * 16, 1, 16)] = u[.. row y - 1 ..] + u[.. row y ..] + u[.. row y + 1 ..] }
//   -->
//   for x in [a, +n) {
//     memory.prefetch(u, 4 * (.. row y + 1 .. of x * 16) + a page)
//     f[ramp(x * 16, 1, 16)] = .. }
// Passes that exceed the last cache wait for memory: a pass over a cube reads several short rows of each of several
// planes, and the processor's own prefetching begins anew on every page. What a pass has not read before is ahead in
// the direction in which it moves, so the hint is at the load of the greatest coordinates, outermost dimension first,
// a page further. Two rows (planes) that are computed together have two stores, and two hints.
//
// Method: the indices of the loads of an input are compared as polynomials (index_polynomial.h); a hint is only given
// where all of them are known to be ordered, and where the next iteration continues at the next vector. A hint changes
// no value and cannot fail, whatever its address.
//
// Measured on Sapphire Rapids, one thread, a sweep over 400 x 400 x 100 floats, without and with hints: 13 points 11.3
// and 8.6 ns a vector (pairs of steps; single steps 13.0 and 9.1), 27 points 16.1 and 13.4 (19.0 and 14.7), 7 points
// 6.3 and 5.4 (10.6 and 8.5); two threads, 5 points over 10000^2 16.6 and 15.2 ms. From half of a page to two
// pages ahead take about the same time. Over grids that caches hold, hints cost up to a tenth. Pipelines with
// stream_stores(), two threads, 600 to 800 MB: a sweep of 5 points 25.0 and 21.8 ms row by row, 19.2 and 18.7 in four
// rows; a blur, an edge detector, a mask and a transposition take the same time with and without.
//
// Applies to pipelines with an output whose stores bypass the caches, and to passes of such iterations
// (LowerOptions::hints_streams). Relies on: partitioned loops, ramps for dense accesses. Does not do: loops that move
// downwards, whose hints are of no use, and vectors of less than half a cache line. Cost: linear, and for each store
// quadratic in the loads of an input.

#include "lowering/access/access_shape.h"
#include "lowering/access/index_polynomial.h"
#include "lowering/access/let_scope.h"
#include "lowering/late_passes.h"
#include "machine/cache_model.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace fluorite::lowering {

using namespace ir;

namespace {

bool has_loops(const Stmt &stmt) {
    class Finder : public Visitor {
      public:
        bool found = false;
        using Visitor::visit;
        void visit(const Expr &) override {}
        void visit(const Stmt &part) override {
            found = found || part.kind() == StmtKind::For;
            if (!found) {
                recurse(part);
            }
        }
    };
    Finder finder;
    finder.visit(stmt);
    return finder.found;
}

class Hinter : public Mutator {
  public:
    explicit Hinter(const PassContext &context)
        : line_bytes_(context.machine.line_bytes), ahead_(machine::cache_model(context.machine).page_bytes) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const auto *loop = stmt.as<For>(); loop && loop->for_kind == ForKind::Serial && !has_loops(loop->body)) {
            loop_ = loop->var;
            lets_ = {};
            given_.clear();
            is_inside_ = true;
            const Stmt result = recurse(stmt);
            is_inside_ = false;
            return result;
        }
        if (const auto *let = stmt.as<LetStmt>(); let && is_inside_) {
            lets_.push(let->symbol, let->value);
        }
        const auto *store = stmt.as<Store>();
        return store && is_inside_ ? with_hints(*store, stmt) : recurse(stmt);
    }

  private:
    /// The loads of an input in a store's value.
    struct Reads {
        Symbol buffer;
        int64_t bytes = 0;    // of an element
        std::vector<Expr> at; // the first elements; undefined where a load is not dense
    };

    const int64_t line_bytes_, ahead_;
    bool is_inside_ = false;
    Symbol loop_;
    LetScope lets_;           // of the loop's body
    std::vector<Expr> given_; // the hints of the loop so far

    Stmt with_hints(const Store &store, const Stmt &stmt) {
        const int64_t bytes = static_cast<int64_t>(store.value.type().lanes()) * store.value.type().bytes();
        if (2 * bytes < line_bytes_ || !first_of_dense(store.index).defined()) {
            return stmt;
        }
        std::map<InputId, Reads> inputs;
        bool binds = false;
        for_each_node(lets_.expand(store.value), [&](const Expr &node) {
            binds = binds || node->kind() == ExprKind::Let;
            if (node->kind() == ExprKind::Load && node->symbol().owner().input.valid()) {
                Reads &reads = inputs[node->symbol().owner().input];
                reads.buffer = node->symbol();
                reads.bytes = node.type().bytes();
                reads.at.push_back(first_of_dense(node->arg(0)));
            }
        });
        std::vector<Stmt> stmts;
        for (const auto &[input, reads] : inputs) {
            const Expr last = binds ? Expr() : last_of(reads);
            const bool is_new = std::none_of(given_.begin(), given_.end(),
                                             [&](const Expr &other) { return last.defined() && equal(other, last); });
            if (last.defined() && is_new && moves_on(last, store.value.type().lanes())) {
                given_.push_back(last);
                add_hints(reads, last, store.value.type().lanes(), stmts);
            }
        }
        stmts.push_back(stmt);
        return stmts.size() == 1 ? stmt : Block::make(stmts);
    }

    /// The load at the greatest coordinates, where all are dense and ordered.
    static Expr last_of(const Reads &reads) {
        IndexForms forms;
        Expr last;
        for (const Expr &at : reads.at) {
            if (!at.defined()) {
                return {};
            }
            const std::optional<bool> is_after = last.defined() ? forms.is_after(at, last, reads.buffer) : true;
            if (!is_after) {
                return {};
            }
            last = *is_after ? at : last;
        }
        return last;
    }

    /// Whether the next iteration reads the next vector.
    bool moves_on(const Expr &at, int lanes) const { return IndexForms().step(at, loop_) == lanes; }

    void add_hints(const Reads &reads, const Expr &at, int lanes, std::vector<Stmt> &stmts) const {
        const Expr offset = mul(make_cast(Int(64), at), make_int(Int(64), reads.bytes));
        for (int64_t line = 0; line < lanes * reads.bytes; line += line_bytes_) {
            const std::array<Expr, 2> args = {make_var(Handle(), reads.buffer),
                                              add(offset, make_int(Int(64), ahead_ + line))};
            stmts.push_back(Evaluate::make(make_extern(Int(32), "memory.prefetch", args)));
        }
    }
};

} // namespace

Stmt hint_streams(const Stmt &stmt, const PassContext &context) {
    const std::vector<FuncId> &outputs = context.pipeline.graph.outputs;
    const bool is_beyond_caches =
        context.options.hints_streams || std::any_of(outputs.begin(), outputs.end(), [&](FuncId output) {
            return context.pipeline.schedule.func(output).marks.has(schedule::DirectiveName::stream_stores);
        });
    return stmt.defined() && is_beyond_caches ? Hinter(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
