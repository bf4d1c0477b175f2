// Prefetches become loops of hints, one per cache line.
//
//   prefetch g over [x0, w] [y0, h] { S }
//   -->  { for y in [y0, h] { for i in [0, lines] { memory.prefetch(g(min(x0 + i * step, x0 + w - 1), y)) } } S }
// where a cache line holds `step` elements of the innermost dimension in memory. The last element gets a hint too, as a
// box need not begin at the start of a line. Where the stride of that dimension is larger than 1, `step` shrinks
// accordingly, and it is 1 where the stride of an input is constrained to a value that is not constant.
//
// Relies on: regions.cpp for the box, whose extents are 0 where there is nothing to prefetch; flatten.cpp, which turns
// the element into an address. Comes after tracing, as a hint is no load. Cost: linear.

#include "lowering/late_passes.h"

#include "schedule/storage_order.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

class Lowerer : public Mutator {
  public:
    explicit Lowerer(const PassContext &context) : context_(context) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const Stmt result = recurse(stmt);
        const auto *prefetch = result.as<Prefetch>();
        return prefetch ? Block::make({hints(*prefetch), prefetch->body}) : result;
    }

  private:
    const PassContext &context_;

    Stmt hints(const Prefetch &prefetch) const {
        const size_t rank = prefetch.bounds.size();
        std::vector<Expr> at(rank);
        std::vector<std::pair<Symbol, Range>> loops; // innermost first
        if (rank > 0) {
            const size_t dense = dense_dimension(prefetch.func, rank);
            const Range &row = prefetch.bounds[dense];
            const int line_bytes = context_.machine.line_bytes;
            const int step = std::max(1, line_bytes / (type_of(prefetch.func).bytes() * stride(prefetch.func, dense)));
            const Symbol line = context_.symbols.fresh(SymbolKind::Loop, prefetch.func.name() + ".line");
            const Expr last = sub(add(row.min, row.extent), int32(1));
            at[dense] = min_of(add(row.min, mul(make_var(Int(32), line), int32(step))), last);
            const Expr lines = add(div(add(row.extent, int32(step - 2)), int32(step)), int32(1));
            loops.emplace_back(line, Range{int32(0), make_select(less(int32(0), row.extent),
                                                                 step == 1 ? row.extent : lines, int32(0))});
            for (size_t d = 0; d < rank; d++) {
                if (d != dense) {
                    loops.emplace_back(context_.symbols.fresh(SymbolKind::Loop, prefetch.func.name() + ".ahead"),
                                       prefetch.bounds[d]);
                    at[d] = make_var(Int(32), loops.back().first);
                }
            }
        }
        const Expr element = make_image(type_of(prefetch.func), prefetch.func, at);
        Stmt result = Evaluate::make(make_extern(Int(32), "memory.prefetch", std::vector<Expr>{element}));
        for (const auto &[var, range] : loops) {
            result = For::make(var, range.min, range.extent, ForKind::Serial, result, Partition::Never);
        }
        return result;
    }

    const InputDef *input_of(const Symbol &buffer) const {
        const InputId input = buffer.owner().input;
        return input.valid() ? &context_.pipeline.graph.inputs[input.index()] : nullptr;
    }

    Type type_of(const Symbol &buffer) const {
        const InputDef *input = input_of(buffer);
        return input ? input->type : context_.func_of(buffer)->types[buffer.owner().dim.index()];
    }

    /// The dimension that is dense in memory.
    size_t dense_dimension(const Symbol &buffer, size_t rank) const {
        const FuncDef *func = context_.func_of(buffer);
        return func && rank > 0 ? schedule::storage_order_of(*func, context_.pipeline.schedule.func(func->id())).front()
                                : 0;
    }

    /// In elements, at least 1; the bytes of a cache line if it is not known.
    int stride(const Symbol &buffer, size_t d) const {
        const InputDef *input = input_of(buffer);
        if (!input || d >= input->constraints.size() || !input->constraints[d].stride.defined()) {
            return 1;
        }
        int64_t value = 0;
        const bool known = is_const_int(input->constraints[d].stride, &value);
        const int line_bytes = context_.machine.line_bytes;
        return static_cast<int>(known ? std::clamp<int64_t>(std::abs(value), 1, line_bytes) : line_bytes);
    }
};

} // namespace

Stmt lower_prefetches(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? Lowerer(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
