#pragma once
// Elements of a term as loop IR: the expressions, and the statements of those that need some. The part of
// lower_term.cpp that knows nothing of nests.
//
// An element has one value, or those of a tuple, each of which has a buffer of its own wherever it is in memory. All
// values of a tuple are computed before the first is stored, because they may read the element that is written.

#include "ir/stmt.h"
#include "verify/to_loop_ir/lower_term.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fluorite::verify {

class ElementLowering {
  protected:
    ElementLowering(const ScheduledTerm &term, const std::vector<OutputBuffers> &outputs);
    ~ElementLowering() = default;

    using Types = std::vector<Type>;
    using Parts = std::vector<Expr>; // of an element: one, or those of a tuple
    using Sink = std::function<ir::Stmt(const Parts &)>;

    // The element of an accumulator that an iteration reads: it is where the iteration stores.
    struct Element {
        std::vector<Index> indices, at;
        std::vector<bool> is_only = {}; // dimensions along which an iteration of the update writes one element
    };
    // A tensor in memory.
    struct TensorStorage {
        std::vector<ir::Symbol> symbols; // one for each value of an element
        Types types;
        std::vector<Index> mins;        // of inputs, outermost dimension first; empty: zeros
        std::optional<Element> element; // of accumulators that are tensors: the only one that may be read
    };

    const ScheduledTerm &term_;
    const Conversion &conversion_;
    std::map<std::string, Expr> indices_;          // index names in scope
    std::map<std::string, TensorStorage> tensors_; // tensors in scope
    std::vector<Condition> known_;                 // conditions that hold here because a store's guard asks for them

    // The statement of `body` with the tensor `name` in memory around it.
    virtual ir::Stmt bound(const std::string &name, const Term &value, const std::function<ir::Stmt()> &body) = 0;

    // ---- Names: within a statement every symbol has its own.
    ir::Symbol fresh(ir::SymbolKind kind, const std::string &name);
    void take_name(const std::string &name) { used_names_.insert(name); }
    // Memory that is not there yet, under names that begin with this one.
    TensorStorage new_storage(const std::string &name, const Types &types);
    // Adds a name to a map for the duration of a call.
    template <typename Value, typename Body>
    static auto in_scope(std::map<std::string, Value> &map, const std::string &name, const Value &value,
                         const Body &body) {
        std::optional<Value> before;
        if (auto found = map.find(name); found != map.end()) {
            before = found->second;
        }
        map.insert_or_assign(name, value);
        auto result = body();
        if (before) {
            map.insert_or_assign(name, *before);
        } else {
            map.erase(name);
        }
        return result;
    }

    // ---- Index expressions and conditions.
    Expr index(const Index &i);
    Expr condition(const Condition &p);
    bool is_known(const Condition &p) const;

    // ---- Elements: their types, and those that are expressions.
    // Nothing for null alone, which is of every type.
    Types types_of(const Term &term);
    // The types of a body in which the name is bound.
    Types types_below(const std::string &name, const Term &value, const Term &body);
    bool is_expression(const Term &term) const;
    Parts values_of(const Term &term, const Types &types);
    Expr integer(const Term &term) { return values_of(term, {Int(32)})[0]; }
    Parts read(const TensorStorage &storage, const std::vector<Index> &indices);
    // Buffers have the innermost dimension first.
    std::vector<Expr> coordinates(const TensorStorage &storage, const std::vector<Index> &indices);

    // ---- Elements that need statements.
    // The statement that makes the element and hands it on.
    ir::Stmt element(const Term &term, const Types &types, const Sink &sink);
    static Expr likely(const Expr &condition) { return ir::make_unary(ir::ExprKind::Likely, condition); }

    // ---- Memory.
    // Stores what is neither undefined nor there already; nothing if that is nothing.
    ir::Stmt provide(const TensorStorage &storage, const std::vector<Expr> &at, const Parts &parts);
    ir::Stmt realized(const TensorStorage &storage, const std::vector<Index> &shape, const ir::Stmt &produce,
                      const ir::Stmt &consume);

  private:
    const Expr &operator_of(const std::string &word) const;
    const Types *types_of_tuple(const std::string &word) const;
    Types types_of_operation(const std::string &word) const;
    std::optional<Index> count_of_ones(const Term &term) const;
    Parts operation(const Term &term);
    Parts tuple_operation(const Term &term);
    std::vector<Term> flat_operands(const Term &term, size_t count) const;
    const TensorStorage &storage_of(const std::string &name) const;
    Parts read_other(const TensorStorage &storage, const std::vector<Index> &indices);
    ir::Stmt chosen(const Term &term, const Types &types, const Sink &sink);
    ir::Stmt operands_first(const Term &term, const Types &types, const Sink &sink);
    ir::Stmt accumulated(const Term &term, const Types &types, const Sink &sink);
    ir::Stmt iterations(const Term &marked, const TensorStorage &storage);

    std::set<std::string> used_names_;
    size_t next_value_ = 0;
};

} // namespace fluorite::verify
