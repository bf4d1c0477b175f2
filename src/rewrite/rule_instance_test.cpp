// Tests the matcher and the builder: on random instances of its pattern every row matches, preserves the value and
// decreases the measure of order.h. That rows are correct is proved elsewhere (rule_proof_test.cpp).

#include "rewrite/match.h"
#include "rewrite/order.h"
#include "rewrite/test_evaluator.h"

#include <gtest/gtest.h>
#include <map>

namespace rule_instance_test {

using namespace fluorite;
using namespace fluorite::rewrite;
using ir::ExprKind;
using rewrite::testing::Evaluator;

namespace {

constexpr int lane_count = 4;

std::string show(const rewrite::testing::Lanes &lanes) {
    std::string text;
    for (const Scalar &lane : lanes) {
        text += concat(expr_of(lane), " ");
    }
    return text;
}

/// A random instance of a row's pattern, with random bounds for its wildcards.
class Instance : public RuleHost {
  public:
    Instance(const Row &row, uint32_t seed) : row_(row), random_(seed), type_(pick_type()) {
        for (Type &type : wild_types_) {
            type = row.classes & conversion_class ? any_type() : type_;
        }
        for (Type &type : types_) {
            type = any_type();
        }
        for (const Term &term : row.terms) {
            has_vectors_ = has_vectors_ || (term.kind == TermKind::Node &&
                                            (term.node == ExprKind::Ramp || term.node == ExprKind::Broadcast));
        }
        pattern = build(row.pattern, has_vectors_ ? lane_count : 1);
    }

    Expr pattern;
    Evaluator evaluator;

    Interval bounds(const Expr &expr) override {
        const auto found = bounds_.find(expr.get());
        return found == bounds_.end() ? Interval() : found->second;
    }
    Expr make(ExprKind kind, Type type, std::span<const Expr> args) override {
        return ir::ExprNode::create(kind, type, args);
    }

  private:
    int pick(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

    Type any_type() {
        static constexpr Type types[] = {Bool(),   Int(8),   Int(16),   Int(32),  UInt(8),
                                         UInt(16), UInt(32), Float(32), Float(64)};
        return types[pick(9)];
    }
    Type pick_type() {
        std::vector<Type> types;
        if (row_.classes & index_class) {
            return Int(32);
        }
        if (row_.classes & signed_class) {
            types.insert(types.end(), {Int(8), Int(32)});
        }
        if (row_.classes & unsigned_class) {
            types.insert(types.end(), {UInt(8), UInt(16)});
        }
        if (row_.classes & bool_class) {
            types.push_back(Bool());
        }
        if (row_.classes & float_class) {
            types.push_back(Float(32));
        }
        return types.empty() ? Int(32) : types[static_cast<size_t>(pick(static_cast<int>(types.size())))];
    }

    Scalar small_number() {
        const int spread = pick(3) == 0 ? 40 : 9;
        return type_.is_float() ? float_scalar(type_, pick(9) - 4)
                                : int_scalar(type_, pick(spread) - (type_.is_int() ? spread / 2 : 0));
    }

    Expr variable(std::map<int, Expr> &known, int index, Type type, const char *prefix) {
        Expr &slot = known[index];
        if (slot.defined()) {
            return slot;
        }
        const ir::Symbol symbol(ir::SymbolKind::Var, prefix + std::to_string(index));
        slot = ir::make_var(type, symbol);
        const Scalar value = type.is_float()  ? float_scalar(type, pick(9) - 4)
                             : type.is_bool() ? bool_scalar(pick(2) != 0)
                                              : int_scalar(type, pick(21) - (type.is_int() ? 10 : 0));
        evaluator.variables.insert_or_assign(symbol, value);
        if (!type.is_float()) {
            const int64_t exact = value.as_int();
            bounds_[slot.get()] = {exact - pick(4), exact + pick(4)};
        }
        return slot;
    }

    Expr build(int position, int lanes) {
        const Term &term = row_.terms[position];
        Expr leaf;
        switch (term.kind) {
        case TermKind::Wild:
            leaf = variable(wilds_, term.index, wild_types_[term.index], "w");
            break;
        case TermKind::Flag:
            leaf = variable(flags_, term.index, Bool(), "f");
            break;
        case TermKind::Constant: {
            Expr &slot = constants_[term.index];
            leaf = slot = slot.defined() ? slot : expr_of(small_number());
            break;
        }
        case TermKind::Number:
            leaf = type_.is_float() ? expr_of(float_scalar(type_, static_cast<double>(term.number)))
                                    : expr_of(int_scalar(type_, term.number));
            break;
        case TermKind::NegativeZero:
            leaf = expr_of(float_scalar(type_, -0.0));
            break;
        case TermKind::Truth:
            leaf = ir::make_bool(term.number != 0);
            break;
        case TermKind::TypeMin:
            leaf = ir::type_min(type_);
            break;
        case TermKind::TypeMax:
            leaf = ir::type_max(type_);
            break;
        default:
            return node(term, lanes);
        }
        // Each occurrence of a wildcard must be the same node, so its vectors are built once.
        Expr &spread = spread_[leaf.get()];
        spread = spread.defined() ? spread : ir::make_broadcast(leaf, lanes);
        return lanes == 1 ? leaf : spread;
    }

    Expr node(const Term &term, int lanes) {
        const bool makes_vector = term.node == ExprKind::Ramp || term.node == ExprKind::Broadcast;
        std::vector<Expr> args;
        for (int i = 0; i < term.count; i++) {
            args.push_back(build(term.args[i], makes_vector ? 1 : lanes));
        }
        switch (term.node) {
        case ExprKind::Ramp:
            return ir::make_ramp(args[0], args[1], lanes);
        case ExprKind::Broadcast:
            return ir::make_broadcast(args[0], lanes);
        case ExprKind::Cast:
        case ExprKind::SaturatingCast:
        case ExprKind::Reinterpret:
            return ir::ExprNode::create(term.node, types_[term.index].with_lanes(lanes), args);
        case ExprKind::Select:
            return ir::make_select(args[0], args[1], args[2]);
        default:
            return args.size() == 1 ? ir::make_unary(term.node, args[0]) : ir::make_binary(term.node, args[0], args[1]);
        }
    }

    const Row &row_;
    std::mt19937 random_;
    Type type_;
    Type wild_types_[wild_count], types_[type_count];
    bool has_vectors_ = false;
    std::map<int, Expr> wilds_, flags_, constants_;
    std::map<const ir::ExprNode *, Expr> spread_;
    std::map<const ir::ExprNode *, Interval> bounds_;
};

/// Tries instances until some match; returns the number of matches.
int check_row(const Row &row) {
    int matched = 0;
    for (uint32_t seed = 0; seed < 6000 && matched < 6; seed++) {
        Instance instance(row, seed);
        const Arithmetic arithmetic = row.classes & index_class ? Arithmetic::Index : Arithmetic::Wrapping;
        Match match(row, arithmetic, instance);
        if (!match.matches(row.pattern, instance.pattern)) {
            continue;
        }
        const Expr result = match.result(instance.pattern.type());
        if (!result.defined()) {
            continue;
        }
        matched++;
        EXPECT_LT(measure(result), measure(instance.pattern)) << row.text() << "\n"
                                                              << instance.pattern << " -> " << result;
        const auto before = instance.evaluator.evaluate(instance.pattern);
        if (!(arithmetic == Arithmetic::Index && instance.evaluator.overflowed)) {
            EXPECT_EQ(show(before), show(instance.evaluator.evaluate(result))) << row.text() << "\n"
                                                                               << instance.pattern << " -> " << result;
        }
    }
    return matched;
}

TEST(RuleInstances, EveryRowMatchesKeepsValuesAndDecreases) {
    for (const Row &row : rule_book().rows()) {
        if (!(row.classes & lemma_class)) {
            EXPECT_GT(check_row(row), 0) << row.text() << "\n    never matched an instance of its own pattern";
        }
    }
}

} // namespace

} // namespace rule_instance_test
