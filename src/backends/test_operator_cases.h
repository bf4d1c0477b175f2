#pragma once
// For tests of back ends: every operator on every type, and random trees of them, with the values that the scalar
// functions of the interpreter give.

#include "interpret/scalar.h"
#include "ir/expr_node.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace fluorite::backends::operator_cases {

using namespace ir;
using interpret::Cell;

inline const Type all_types[] = {Bool(),   Int(8),   Int(16),   Int(32),    Int(64),   UInt(8),  UInt(16),
                                 UInt(32), UInt(64), Float(16), BFloat(16), Float(32), Float(64)};

/// Cells of a type: its special values, then random bits.
inline std::vector<Cell> sample(Type type, size_t count, std::mt19937_64 &random) {
    std::vector<Cell> cells;
    if (type.is_float()) {
        for (double value :
             {0.0,   -0.0,    1.0,     -1.0,         0.5,           1.5,          2.5,       -2.5,        127.5,  255.0,
              256.5, 65504.0, 65520.0, 2147483648.0, -2147483648.0, 4294967296.0, 9.3e18,    -9.3e18,     1.9e19, 1e-8,
              6e-8,  1e-40,   3.4e38,  1e300,        -1e-310,       HUGE_VAL,     -HUGE_VAL, std::nan("")}) {
            cells.push_back(interpret::cell_of_float(type, value));
        }
    } else {
        const int bits = type.bits();
        for (int64_t value : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{2}, int64_t{3}, int64_t{-3}, int64_t{7},
                              int64_t{-7}, int64_t{16777217}, int64_t{1} << (bits - 1), (int64_t{1} << (bits - 1)) - 1,
                              int64_t{0x7FFFFFFFFFFFF7FF}}) {
            cells.push_back(interpret::cell_of_int(type, value));
        }
    }
    while (cells.size() < count) {
        const uint64_t bits = random() >> (random() % 60);
        if (type.is_float() && random() % 2 == 0) {
            cells.push_back(interpret::cell_of_float(type, static_cast<double>(static_cast<int64_t>(bits)) * 0x1p-20));
        } else {
            const Type raw = type.is_float() ? UInt(type.bits()) : type;
            cells.push_back(interpret::cell_of_int(raw, static_cast<int64_t>(bits)));
        }
    }
    return cells;
}

inline bool is_nan(Cell cell, Type type) {
    const uint64_t magnitude = cell & ((uint64_t{1} << (type.bits() - 1)) - 1);
    const int mantissa = type.is_bfloat() ? 7 : type.bits() == 16 ? 10 : type.bits() == 32 ? 23 : 52;
    const uint64_t infinity = ((uint64_t{1} << (type.bits() - 1 - mantissa)) - 1) << mantissa;
    return type.is_float() && magnitude > infinity;
}

/// An expression of one input element, its reference, and its name.
struct Case {
    std::string name;
    std::function<Expr(int lanes)> expr;
    std::vector<Cell> expected;
    Type type;
};

/// The index of the loop or thread that computes the elements.
inline Expr batch_index() { return make_var(Int(32), Symbol(SymbolKind::Loop, "i")); }
/// Those elements of a buffer, as many as there are lanes.
inline Expr index_of(int lanes) {
    const Expr base = mul(batch_index(), int32(lanes));
    return lanes == 1 ? base : make_ramp(base, int32(1), lanes);
}

/// Inputs a, b and c of one type, and many expressions of them.
class Batch {
  public:
    static constexpr size_t count = 240; // a multiple of 16 and of 5
    explicit Batch(Type type, uint64_t seed) : type_(type), random_(seed) {
        a_ = sample(type, count, random_);
        b_ = sample(type, count, random_);
        c_ = sample(type, count, random_);
        std::shuffle(b_.begin() + 40, b_.end(), random_);
        for (size_t i = 0; i < count; i++) { // all pairs of special values come first, roughly
            b_[i] = b_[(i * 7 + i / 13) % count];
        }
        std::shuffle(c_.begin(), c_.end(), random_);
    }

    Expr operand(char name, int lanes) const {
        return make_load(type_.with_lanes(lanes), Symbol(SymbolKind::Buffer, std::string(1, name)), index_of(lanes));
    }
    void add(const std::string &name, Type type, std::function<Expr(int)> expr,
             const std::function<Cell(size_t)> &expected) {
        Case made{name, std::move(expr), {}, type};
        for (size_t i = 0; i < count; i++) {
            made.expected.push_back(expected(i));
        }
        cases_.push_back(std::move(made));
    }
    Cell a(size_t i) const { return a_[i]; }
    Cell b(size_t i) const { return b_[i]; }
    Cell c(size_t i) const { return c_[i]; }

    Type type() const { return type_; }
    const std::vector<Case> &cases() const { return cases_; }
    /// The bytes of an input's elements: 'a', 'b' or 'c'.
    std::vector<uint8_t> bytes_of(char name) const {
        const std::vector<Cell> &cells = name == 'a' ? a_ : name == 'b' ? b_ : c_;
        const auto bytes = static_cast<size_t>(type_.bytes());
        std::vector<uint8_t> result(count * bytes);
        for (size_t i = 0; i < count; i++) {
            interpret::store_element(&result[i * bytes], type_, cells[i]);
        }
        return result;
    }
    /// The first element in `out` that differs from what the case expects, as a text; empty if there is none.
    std::string difference(const Case &one, const uint8_t *out, int lanes, const std::string &where) const {
        const auto load_cell = interpret::find_loader(one.type);
        for (size_t i = 0; i < count; i++) {
            const Cell got = load_cell(out + i * static_cast<size_t>(one.type.bytes()));
            if (got != one.expected[i] && !(is_nan(got, one.type) && is_nan(one.expected[i], one.type))) {
                std::ostringstream text;
                text << one.name << " of " << to_string(type_) << " x" << lanes << " on " << where << ": a " << std::hex
                     << a_[i] << ", b " << b_[i] << ", c " << c_[i] << " gives " << got << ", expected "
                     << one.expected[i];
                return text.str();
            }
        }
        return "";
    }

  private:
    Type type_;
    std::mt19937_64 random_;
    std::vector<Cell> a_, b_, c_;
    std::vector<Case> cases_;
};

inline constexpr ExprKind binary_kinds[] = {
    ExprKind::Add,       ExprKind::Sub,   ExprKind::Mul,   ExprKind::Div,     ExprKind::Mod, ExprKind::Quotient,
    ExprKind::Remainder, ExprKind::Min,   ExprKind::Max,   ExprKind::AbsDiff, ExprKind::EQ,  ExprKind::NE,
    ExprKind::LT,        ExprKind::LE,    ExprKind::GT,    ExprKind::GE,      ExprKind::And, ExprKind::Or,
    ExprKind::BitAnd,    ExprKind::BitOr, ExprKind::BitXor};

/// Whether make_binary takes the operands.
inline bool takes(ExprKind kind, Type type) {
    if (kind == ExprKind::And || kind == ExprKind::Or) {
        return type.is_bool();
    }
    return interpret::find_binary(kind, type) != nullptr && !(type.is_bool() && kind == ExprKind::AbsDiff);
}

inline void add_binaries(Batch &batch, Type type) {
    for (ExprKind kind : binary_kinds) {
        if (!takes(kind, type)) {
            continue;
        }
        const auto function = interpret::find_binary(kind, type);
        const Type result = make_binary(kind, make_zero(type), make_zero(type)).type();
        batch.add(
            kind_name(kind), result,
            [=, &batch](int lanes) { return make_binary(kind, batch.operand('a', lanes), batch.operand('b', lanes)); },
            [=, &batch](size_t i) { return function(batch.a(i), batch.b(i)); });
    }
}

inline void add_constant_divisions(Batch &batch, Type type) {
    if (!type.is_int_or_uint() || type.is_bool()) {
        return;
    }
    for (ExprKind kind : {ExprKind::Div, ExprKind::Mod, ExprKind::Quotient, ExprKind::Remainder}) {
        const auto function = interpret::find_binary(kind, type);
        for (int64_t divisor : {int64_t{0}, int64_t{1}, int64_t{3}, int64_t{7}, int64_t{8}, int64_t{100}, int64_t{-1},
                                int64_t{-5}, int64_t{-4}, int64_t{1} << (type.bits() - 1)}) {
            const Cell cell = interpret::cell_of_int(type, divisor);
            batch.add(
                std::string(kind_name(kind)) + " by " + std::to_string(divisor), type,
                [=, &batch](int lanes) {
                    return make_binary(kind, batch.operand('a', lanes), make_int(type.with_lanes(lanes), divisor));
                },
                [=, &batch](size_t i) { return function(batch.a(i), cell); });
        }
    }
}

inline void add_shifts(Batch &batch, Type type) {
    if (!type.is_int_or_uint() || type.is_bool()) {
        return;
    }
    for (ExprKind kind : {ExprKind::ShiftLeft, ExprKind::ShiftRight}) {
        for (TypeCode code : {TypeCode::Int, TypeCode::UInt}) {
            const Type amount = type.with_code(code);
            const auto function = interpret::find_shift(kind, type, amount);
            const auto small = interpret::find_binary(ExprKind::Remainder, type);
            const auto to_amount = interpret::find_cast(type, amount);
            const Cell limit = interpret::cell_of_int(type, type.bits() + 5);
            // Amounts of full range, and near the width.
            batch.add(
                std::string(kind_name(kind)) + " any", type,
                [=, &batch](int lanes) {
                    return make_binary(kind, batch.operand('a', lanes),
                                       make_reinterpret(amount.with_lanes(lanes), batch.operand('b', lanes)));
                },
                [=, &batch](size_t i) { return function(batch.a(i), to_amount(batch.b(i))); });
            batch.add(
                std::string(kind_name(kind)) + " near", type,
                [=, &batch](int lanes) {
                    const Expr near = make_binary(ExprKind::Remainder, batch.operand('b', lanes),
                                                  make_int(type.with_lanes(lanes), type.bits() + 5));
                    return make_binary(kind, batch.operand('a', lanes),
                                       make_reinterpret(amount.with_lanes(lanes), near));
                },
                [=, &batch](size_t i) { return function(batch.a(i), to_amount(small(batch.b(i), limit))); });
        }
        for (int64_t distance : {int64_t{0}, int64_t{3}, int64_t{type.bits() - 1}, int64_t{type.bits()}, int64_t{-2}}) {
            if (distance < 0 && type.is_uint()) {
                continue;
            }
            const auto function = interpret::find_shift(kind, type, type);
            const Cell cell = interpret::cell_of_int(type, distance);
            batch.add(
                std::string(kind_name(kind)) + " by " + std::to_string(distance), type,
                [=, &batch](int lanes) {
                    return make_binary(kind, batch.operand('a', lanes), make_int(type.with_lanes(lanes), distance));
                },
                [=, &batch](size_t i) { return function(batch.a(i), cell); });
        }
    }
}

inline void add_unaries(Batch &batch, Type type) {
    for (ExprKind kind : {ExprKind::Not, ExprKind::BitNot, ExprKind::CountOnes, ExprKind::CountLeadingZeros,
                          ExprKind::CountTrailingZeros, ExprKind::Abs}) {
        const auto function = interpret::find_unary(kind, type);
        if (!function || (kind == ExprKind::Not) != (type.is_bool() && kind == ExprKind::Not) ||
            (type.is_bool() && kind == ExprKind::Abs)) {
            continue;
        }
        const Type result = make_unary(kind, make_zero(type)).type();
        batch.add(
            kind_name(kind), result, [=, &batch](int lanes) { return make_unary(kind, batch.operand('a', lanes)); },
            [=, &batch](size_t i) { return function(batch.a(i)); });
    }
    batch.add(
        "select", type,
        [=, &batch](int lanes) {
            return make_select(make_binary(ExprKind::LT, batch.operand('a', lanes), batch.operand('b', lanes)),
                               batch.operand('b', lanes), batch.operand('c', lanes));
        },
        [=, &batch](size_t i) {
            return interpret::find_binary(ExprKind::LT, type)(batch.a(i), batch.b(i)) ? batch.b(i) : batch.c(i);
        });
}

inline void add_conversions(Batch &batch, Type type) {
    for (Type to : all_types) {
        if (to == type) {
            continue;
        }
        const auto function = interpret::find_cast(type, to);
        batch.add(
            "cast to " + to_string(to), to,
            [=, &batch](int lanes) { return make_cast(to.with_lanes(lanes), batch.operand('a', lanes)); },
            [=, &batch](size_t i) { return function(batch.a(i)); });
        const auto saturating = interpret::find_saturating_cast(type, to);
        batch.add(
            "saturating_cast to " + to_string(to), to,
            [=, &batch](int lanes) { return make_saturating_cast(to.with_lanes(lanes), batch.operand('a', lanes)); },
            [=, &batch](size_t i) { return saturating(batch.a(i)); });
        if (to.bits() == type.bits()) {
            const auto same_bits = interpret::find_reinterpret(type, to);
            batch.add(
                "reinterpret to " + to_string(to), to,
                [=, &batch](int lanes) { return make_reinterpret(to.with_lanes(lanes), batch.operand('a', lanes)); },
                [=, &batch](size_t i) { return same_bits(batch.a(i)); });
        }
    }
}

inline void add_float_functions(Batch &batch, Type type) {
    if (!type.is_float()) {
        return;
    }
    const auto fused = interpret::find_fma(type);
    batch.add(
        "fma", type,
        [&batch](int lanes) {
            return make_fma(batch.operand('a', lanes), batch.operand('b', lanes), batch.operand('c', lanes));
        },
        [=, &batch](size_t i) { return fused(batch.a(i), batch.b(i), batch.c(i)); });
    for (int k = 0; k <= static_cast<int>(MathOp::IsFinite); k++) {
        const auto op = static_cast<MathOp>(k);
        const auto one = interpret::find_math_unary(op, type);
        const auto two = interpret::find_math_binary(op, type);
        const auto args = [=, &batch](int lanes) {
            std::vector<Expr> list{batch.operand('a', lanes)};
            if (two) {
                list.push_back(batch.operand('b', lanes));
            }
            return list;
        };
        const Type result = op >= MathOp::IsNan ? Bool() : type;
        batch.add(
            math_name(op), result, [=](int lanes) { return make_math(op, args(lanes)); },
            [=, &batch](size_t i) { return two ? two(batch.a(i), batch.b(i)) : one(batch.a(i)); });
    }
}

/// A case for each operator, conversion and function of the type.
inline void add_all(Batch &batch, Type type) {
    add_binaries(batch, type);
    add_constant_divisions(batch, type);
    add_shifts(batch, type);
    add_unaries(batch, type);
    add_conversions(batch, type);
    add_float_functions(batch, type);
}

// ---- Random trees.

/// Values of all lanes of a scalar tree over a, b, c.
class Tree {
  public:
    Tree(std::mt19937_64 &random, const Batch &batch, Type leaf) : random_(random), batch_(batch), leaf_(leaf) {
        for (char name : {'a', 'b', 'c'}) {
            nodes_.push_back(Node{leaf,
                                  [this, name](int lanes) { return batch_.operand(name, lanes); },
                                  [this, name](size_t i) {
                                      return name == 'a' ? batch_.a(i) : name == 'b' ? batch_.b(i) : batch_.c(i);
                                  },
                                  {},
                                  {},
                                  {}});
        }
    }
    /// Adds a node over random earlier ones.
    void grow() {
        const size_t first = pick(nodes_.size());
        const Node &x = nodes_[first];
        if (random_() % 3 == 0) {
            const Type to = all_types[pick(std::size(all_types))];
            const auto function = interpret::find_cast(x.type, to);
            push(
                to, [=](const auto &e) { return make_cast(to.with_lanes(e[0].type().lanes()), e[0]); },
                [=](const auto &v) { return function(v[0]); }, {first});
            return;
        }
        std::vector<size_t> mates;
        for (size_t k = 0; k < nodes_.size(); k++) {
            if (nodes_[k].type == x.type) {
                mates.push_back(k);
            }
        }
        const size_t second = mates[pick(mates.size())];
        const ExprKind kind = binary_kinds[pick(std::size(binary_kinds))];
        const Type type = x.type;
        if (!takes(kind, type)) {
            return;
        }
        const auto function = interpret::find_binary(kind, type);
        const Type result = make_binary(kind, make_zero(type), make_zero(type)).type();
        push(
            result, [=](const auto &e) { return make_binary(kind, e[0], e[1]); },
            [=](const auto &v) { return function(v[0], v[1]); }, {first, second});
    }
    Type type() const { return nodes_.back().type; }
    Expr expr(int lanes) {
        if (made_lanes_ != lanes) {
            made_.clear();
            made_lanes_ = lanes;
        }
        for (size_t k = made_.size(); k < nodes_.size(); k++) {
            std::vector<Expr> args;
            for (size_t from : nodes_[k].from) {
                args.push_back(made_[from]);
            }
            made_.push_back(nodes_[k].from.empty() ? nodes_[k].leaf_expr(lanes) : nodes_[k].expr(args));
        }
        return made_.back();
    }
    Cell cell(size_t i) const {
        std::vector<Cell> cells;
        for (const Node &node : nodes_) {
            std::vector<Cell> args;
            for (size_t from : node.from) {
                args.push_back(cells[from]);
            }
            cells.push_back(node.from.empty() ? node.leaf_cell(i) : node.cell(args));
        }
        return cells.back();
    }

  private:
    struct Node {
        Type type;
        std::function<Expr(int)> leaf_expr;
        std::function<Cell(size_t)> leaf_cell;
        std::function<Expr(const std::vector<Expr> &)> expr;
        std::function<Cell(const std::vector<Cell> &)> cell;
        std::vector<size_t> from;
    };
    size_t pick(size_t n) { return random_() % n; }
    void push(Type type, std::function<Expr(const std::vector<Expr> &)> expr,
              std::function<Cell(const std::vector<Cell> &)> cell, std::vector<size_t> from) {
        Node node{type, {}, {}, std::move(expr), std::move(cell), std::move(from)};
        nodes_.push_back(std::move(node));
    }

    std::mt19937_64 &random_;
    const Batch &batch_;
    Type leaf_;
    std::vector<Node> nodes_;
    std::vector<Expr> made_;
    int made_lanes_ = 0;
};

/// A batch of random trees over operands of the type. The batch must not outlive the trees.
struct Forest {
    Batch batch;
    std::vector<std::unique_ptr<Tree>> trees;

    Forest(std::mt19937_64 &random, Type type, int count) : batch(type, 3) {
        for (int k = 0; k < count; k++) {
            trees.push_back(std::make_unique<Tree>(random, batch, type));
            Tree &tree = *trees.back();
            for (int n = 0; n < 25; n++) {
                tree.grow();
            }
            // NaNs that become integers by their bits would differ; casts do not look at them.
            batch.add(
                "tree " + std::to_string(k), tree.type(), [&tree](int lanes) { return tree.expr(lanes); },
                [&tree](size_t i) { return tree.cell(i); });
        }
    }
    Forest(const Forest &) = delete;
};

} // namespace fluorite::backends::operator_cases
