// Superword-level parallelism across interleaved values: values that are stored interleaved are computed interleaved.
//
// For pixels of two channels:
//   shuffle<0, 16, 1, 17, ...>(min(g[ramp(2 * x, 2, 16)] * 3, a), min(g[ramp(2 * x + 1, 2, 16)] * 5, a))
//   -->
//   min(g[ramp(2 * x, 1, 32)] * (3, 5, 3, 5, ...), a)
// Channels computed by the same operations then need not be deinterleaved and interleaved again; and four vectors that
// fill half a register each become two that fill it.
//
// Method: the expressions of all values are traversed in parallel. Equal operations become one with two, three or four
// times as many lanes. Loads that interleave become a dense load, followed by a shuffle within each pixel if their
// order differs; constants become a vector of them. An operand that all values share (the weight of a pixel) is
// recomputed for each lane if that costs less than a shuffle. Where operations differ, the traversal fails, and the
// result is a shuffle of the values.
//
// Every lane is computed by the same operations as before, so no bit changes. No other element is read. Does not
// handle: a part of a value; loads of pixels with more elements than are stored; quotients and shifts by different
// amounts. Cost: linear in the values' distinct nodes, quadratic in their strided loads (few).

#include "lowering/vector/interleaved_slp.h"

#include "lowering/access/access_shape.h"
#include "lowering/access/index_polynomial.h"
#include "lowering/access/vector_algebra.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr size_t most_loads = 32;
constexpr size_t most_nodes_of_value = 500; // per value

/// Whether the instructions depend on the second operand, so that one operand for all lanes is far better.
bool has_constant_operand(ExprKind kind) {
    return kind == ExprKind::Div || kind == ExprKind::Mod || kind == ExprKind::ShiftLeft ||
           kind == ExprKind::ShiftRight;
}

bool is_uniform(const Expr &expr) { return access_shape(expr).is_uniform(); }

class SlpVectorizer {
  public:
    SlpVectorizer(std::span<const Expr> values, int vector_bits)
        : values_(values.begin(), values.end()), vector_bits_(vector_bits), count_(static_cast<int>(values.size())),
          lanes_(values[0].type().lanes()) {}

    Expr run() {
        std::vector<int> order;
        for (int i = 0; i < lanes_ * count_; i++) {
            order.push_back(i % count_ * lanes_ + i / count_);
        }
        const Expr shuffled = make_shuffle(values_, std::move(order));
        find_pixels();
        const Expr zipped = pixels_.empty() ? Expr() : zip(values_);
        if (!zipped.defined() || (crosses_ && count_ == 3)) {
            return shuffled;
        }
        const size_t before = cost(values_) + 2 * registers(shuffled.type());
        return cost({&zipped, 1}) <= before ? zipped : shuffled;
    }

  private:
    std::vector<Expr> values_;
    int vector_bits_, count_, lanes_;
    bool crosses_ = false; // lanes are exchanged within pixels or repeated
    std::vector<Expr> loads_;
    std::vector<Expr> pixels_; // loads of a first channel whose neighbours are all loaded
    std::map<std::vector<const ExprNode *>, Expr> done_;
    std::unordered_map<const ExprNode *, int> shapes_;
    ExprMap<std::map<std::vector<int>, int>> numbers_; // of shapes: an operation and the shapes of its operands

    // ---- Costs, in instructions.

    size_t registers(Type type) const {
        const int bits = std::max(type.bits(), 8) * type.lanes();
        return static_cast<size_t>((bits + vector_bits_ - 1) / vector_bits_);
    }

    size_t cost(std::span<const Expr> exprs) const {
        size_t sum = 0;
        std::unordered_set<const ExprNode *> seen;
        const std::function<void(const Expr &)> look = [&](const Expr &expr) {
            if (is_uniform(expr) || expr.type().is_scalar() || !seen.insert(expr.get()).second) {
                return;
            }
            size_t own = registers(expr.type());
            if (expr->kind() == ExprKind::Load) {
                sum += own * (access_shape(expr->arg(0)).is_dense() ? 1 : 2);
                return;
            }
            bool is_constant = expr->kind() == ExprKind::Shuffle;
            for (const Expr &arg : expr->args()) {
                own = std::max(own, registers(arg.type()));
                is_constant = is_constant && arg.type().is_scalar();
                look(arg);
            }
            sum += is_constant ? 0 : own;
        };
        for (const Expr &expr : exprs) {
            look(expr);
        }
        return sum;
    }

    // ---- Loads.

    bool is_strided(const Expr &load) const {
        return is_kind(load, ExprKind::Load) && is_true(load->arg(1)) &&
               access_shape(load->arg(0)).constant_stride() == count_ && load.type().lanes() == lanes_ &&
               !load->arg(0)->reads_memory();
    }

    /// The distance in elements of `load` from `first`; -1 if it does not load a channel of the same pixels.
    int channel(const Expr &load, const Expr &first) const {
        if (!(load->symbol() == first->symbol()) || load.type() != first.type() ||
            load->arg(0).type() != first->arg(0).type()) {
            return -1;
        }
        const auto distance =
            IndexForms().distance(access_shape(load->arg(0)).first, access_shape(first->arg(0)).first);
        return distance && *distance >= 0 && *distance < count_ ? static_cast<int>(*distance) : -1;
    }

    void find_pixels() {
        size_t nodes = 0;
        bool has_names = false; // whose symbols are in scope inside of one value only
        std::unordered_set<const ExprNode *> seen;
        for (const Expr &value : values_) {
            for_each_node(value, [&](const Expr &node) {
                nodes++;
                has_names = has_names || node->kind() == ExprKind::Let;
                if (is_strided(node) && seen.insert(node.get()).second) {
                    loads_.push_back(node);
                }
            });
        }
        if (has_names || loads_.size() > most_loads || nodes > most_nodes_of_value * values_.size()) {
            return;
        }
        for (const Expr &first : loads_) {
            std::vector<bool> has(static_cast<size_t>(count_));
            for (const Expr &load : loads_) {
                if (const int at = channel(load, first); at >= 0) {
                    has[static_cast<size_t>(at)] = true;
                }
            }
            if (std::all_of(has.begin(), has.end(), [](bool one) { return one; })) {
                pixels_.push_back(first);
            }
        }
    }

    Expr zip_loads(const std::vector<Expr> &values) {
        if (!std::all_of(values.begin(), values.end(), [&](const Expr &load) { return is_strided(load); })) {
            return {};
        }
        for (const Expr &first : pixels_) {
            std::vector<int> channels;
            for (const Expr &value : values) {
                channels.push_back(channel(value, first));
            }
            if (std::find(channels.begin(), channels.end(), -1) != channels.end()) {
                continue;
            }
            const int all = lanes_ * count_;
            const Expr index = dense_index(access_shape(first->arg(0)).first, all);
            const Expr dense = make_load(first.type().with_lanes(all), first->symbol(), index, make_bool(true, all));
            Indices order;
            bool is_same = true;
            for (int i = 0; i < all; i++) {
                order.push_back(i / count_ * count_ + channels[static_cast<size_t>(i % count_)]);
                is_same = is_same && order.back() == i;
            }
            crosses_ = crosses_ || !is_same;
            return is_same ? dense : make_shuffle({&dense, 1}, std::move(order));
        }
        return {};
    }

    // ---- The walk.

    static bool commutes(const Expr &expr) {
        switch (expr->kind()) {
        case ExprKind::Add:
        case ExprKind::Mul:
        case ExprKind::BitAnd:
        case ExprKind::BitOr:
        case ExprKind::BitXor:
            return true;
        case ExprKind::Min:
        case ExprKind::Max:
            return !expr.type().is_float();
        default: // operands of a kind that is not listed keep their order, which is always correct
            return false;
        }
    }

    /// A number for the shape of an expression. Expressions have the same shape if they apply the same operations to
    /// loads of the same buffers and to arbitrary uniform values; operands of commutative operations may be exchanged.
    int shape(const Expr &expr) {
        const auto known = shapes_.find(expr.get());
        if (known != shapes_.end()) {
            return known->second;
        }
        std::vector<int> parts;
        Expr like = expr;
        if (is_uniform(expr)) {
            like = make_zero(expr.type());
        } else if (is_kind(expr, ExprKind::Load)) {
            like = make_load(expr.type(), expr->symbol(), make_zero(expr->arg(0).type()), expr->arg(1));
        } else if (is_lanewise(expr->kind())) {
            std::vector<Expr> args;
            for (const Expr &arg : expr->args()) {
                parts.push_back(shape(arg));
                args.push_back(make_zero(arg.type()));
            }
            like = with_args(expr, args);
        }
        if (is_lanewise(expr->kind()) && commutes(expr)) {
            std::sort(parts.begin(), parts.end());
        }
        auto &numbers = numbers_[like];
        const int number = numbers.try_emplace(parts, static_cast<int>(shapes_.size())).first->second;
        return shapes_[expr.get()] = number;
    }

    static bool are_equal(const std::vector<Expr> &values) {
        return std::all_of(values.begin() + 1, values.end(), [&](const Expr &e) { return equal(e, values[0]); });
    }

    /// Repeats each lane of a value as often as there are values.
    Expr repeated(const Expr &value) {
        Indices order;
        for (int i = 0; i < lanes_ * count_; i++) {
            order.push_back(i / count_);
        }
        crosses_ = true;
        return make_shuffle({&value, 1}, std::move(order));
    }

    Expr zip_uniform(const std::vector<Expr> &values) {
        if (are_equal(values)) {
            return make_broadcast(values[0]->arg(0), lanes_ * count_);
        }
        std::vector<Expr> scalars;
        Indices order;
        for (const Expr &value : values) {
            scalars.push_back(value->arg(0));
        }
        for (int i = 0; i < lanes_ * count_; i++) {
            order.push_back(i % count_);
        }
        return make_shuffle(scalars, std::move(order));
    }

    Expr zip(const std::vector<Expr> &values) {
        std::vector<const ExprNode *> key;
        for (const Expr &value : values) {
            key.push_back(value.get());
        }
        if (const auto known = done_.find(key); known != done_.end()) {
            return known->second;
        }
        return done_[key] = zip_new(values);
    }

    Expr zip_new(const std::vector<Expr> &values) {
        const Expr &first = values[0];
        const auto is_alike = [&](const Expr &value) {
            return value->kind() == first->kind() && value.type() == first.type() &&
                   value->arg_count() == first->arg_count();
        };
        if (first.type().lanes() != lanes_ || !std::all_of(values.begin(), values.end(), is_alike)) {
            return {};
        }
        if (std::all_of(values.begin(), values.end(), is_uniform)) {
            return zip_uniform(values);
        }
        const Expr zipped = is_kind(first, ExprKind::Load) ? zip_loads(values) : zip_operands(values);
        if (!are_equal(values)) {
            return zipped;
        }
        const Expr copies = repeated(first);
        return zipped.defined() && cost({&zipped, 1}) <= cost({&copies, 1}) ? zipped : copies;
    }

    Expr zip_operands(const std::vector<Expr> &values) {
        const Expr &first = values[0];
        if (!is_lanewise(first->kind())) {
            return {};
        }
        std::vector<bool> is_turned;
        for (const Expr &value : values) {
            if (shape(value) != shape(first)) {
                return {};
            }
            is_turned.push_back(commutes(first) && shape(value->arg(0)) != shape(first->arg(0)));
        }
        std::vector<Expr> args;
        for (size_t i = 0; i < first->arg_count(); i++) {
            std::vector<Expr> operands;
            for (size_t k = 0; k < values.size(); k++) {
                operands.push_back(values[k]->arg(is_turned[k] ? 1 - i : i));
            }
            if (i == 1 && has_constant_operand(first->kind()) && !are_equal(operands)) {
                return {};
            }
            args.push_back(zip(operands));
            if (!args.back().defined()) {
                return {};
            }
        }
        return with_args(first, args, first.type().with_lanes(lanes_ * count_));
    }
};

} // namespace

Expr interleaved_slp(std::span<const Expr> values, int vector_bits) { return SlpVectorizer(values, vector_bits).run(); }

} // namespace fluorite::lowering
