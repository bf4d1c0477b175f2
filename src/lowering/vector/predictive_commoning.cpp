// Predictive commoning: values that the next iteration needs again stay in registers.
//
// For vectors of 16 lanes in an innermost loop, where e(d) stands for one expression with its loads shifted by d
// elements, as in a stencil over an inlined stage:
//   for x in [a, +n) { f[ramp(x * 16, 1, 16)] = e(0) + e(1) + e(2) }
//   -->
//   if n > 0 {
//     allocate x.before[16] in registers; its last two lanes get the first two of e(0) at x = a
//     for x in [a, +n) {
//       let x.last = e(2)
//       f[ramp(x * 16, 1, 16)] = (lanes 14 ... 29 of x.before, x.last) + (lanes 15 ... 30) + x.last
//       x.before[ramp(0, 1, 16)] = x.last
//     }
//   }
// Of k shifted copies one is computed; the others are shuffles of it and of its value in the previous iteration. A
// chain of inlined stencils then costs the sum of its stages instead of their product. Nothing is loaded that was not
// loaded before, and every lane is computed by the same operations, so no bit changes.
//
// Method: each node gets a class and an offset, bottom up. Dense loads of one buffer whose bases differ by a constant
// are in one class, as are operations on operands of equal classes at equal distances. The class whose members cost
// most is rewritten, then the next, until no rewrite pays. The back end keeps the memory of one vector in a register.
//
// Applies to serial loops that only store, to other buffers than they load from, with vectors of more than half a
// register (widen_vectorized_loops leaves narrower ones in the remaining iterations). Relies on: simplified indices,
// with the constants of sums separate. Does not share values along other dimensions than that of the vectors. Cost:
// linear in the body for each class that is rewritten.

#include "ir/expr_traits.h"
#include "lowering/access/access_shape.h"
#include "lowering/access/body_accesses.h"
#include "lowering/access/index_polynomial.h"
#include "lowering/late_passes.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr int most_rounds = 12;
constexpr size_t most_commoned_nodes = 4'000;

/// The stores of a loop's body with all lets substituted, if the body consists of nothing else.
class Stores : public AccessVisitor {
  public:
    bool ok;
    std::vector<Stmt> stores; // of Store, whose only free symbol of the loop is its variable

    explicit Stores(const Stmt &body) : ok(is_straight(body, Marks::LookedThrough)) {
        if (ok) {
            visit(body);
        }
        for (const Symbol &buffer : loaded_) {
            ok = ok && !stored_.contains(buffer);
        }
    }

  private:
    SymbolMap<bool> stored_;
    std::vector<Symbol> loaded_;
    size_t nodes_ = 0;

    void visit_node(const Expr &node) override {
        count();
        ok = ok && is_movable(node->kind());
    }
    void count() { ok = ok && ++nodes_ < most_commoned_nodes; }
    void visit_access(const Access &access) override {
        if (!access.is_store) {
            loaded_.push_back(access.buffer);
            return count();
        }
        stored_[access.buffer] = true;
        const auto expanded = [&](const Expr &expr) { return expand_lets(expand(expr)); };
        stores.push_back(Store::make(access.buffer, expanded(access.store->value), expanded(access.index),
                                     expanded(access.predicate)));
    }
};

/// Classes of nodes that are the same computation at different offsets.
class Classes {
  public:
    struct Member {
        int id = -1;        // of the class; -1 if none
        bool moves = false; // false: the same in all iterations
        int64_t offset = 0;
        int cost = 0; // the number of operations
    };
    struct Class {
        std::map<int64_t, Expr> members; // by offset
        int cost = 0;
    };
    std::vector<Class> all;

    Classes(const Symbol &var, int lanes) : var_(var), lanes_(lanes) {}

    void collect(const Expr &expr) {
        for_each_node(expr, [&](const Expr &node) {
            const Member member = examine(node);
            members_[node.get()] = member;
            if (member.id >= 0 && member.moves && node->kind() != ExprKind::Load) {
                all[static_cast<size_t>(member.id)].members.emplace(member.offset, node);
                all[static_cast<size_t>(member.id)].cost = member.cost;
            }
        });
    }

  private:
    const Symbol &var_;
    int lanes_;
    std::unordered_map<const ExprNode *, Member> members_;
    std::map<std::vector<int64_t>, int> ids_;
    ExprMap<int> leaves_;
    IndexForms forms_;

    int leaf(const Expr &expr) { return leaves_.try_emplace(expr, static_cast<int>(leaves_.size())).first->second; }

    int id_of(const std::vector<int64_t> &key) {
        const auto [at, is_new] = ids_.try_emplace(key, static_cast<int>(all.size()));
        if (is_new) {
            all.emplace_back();
        }
        return at->second;
    }

    Member examine(const Expr &node) {
        if (node.type().lanes() != lanes_) {
            return {};
        }
        if (node->kind() == ExprKind::Load) {
            return examine_load(node);
        }
        if (!uses_symbol(node, var_) && !has_vector_name(node)) {
            return {id_of({-1, leaf(node)}), false, 0, 0};
        }
        const ExprKind kind = node->kind();
        return is_elementwise(kind) && !is_hint(kind) ? examine_operation(node) : Member{};
    }

    static bool has_vector_name(const Expr &expr) {
        bool found = false;
        for_each_node(expr, [&](const Expr &node) {
            found = found || (node->kind() == ExprKind::Variable && node.type().is_vector());
        });
        return found;
    }

    Member examine_load(const Expr &load) {
        const Expr first = is_true(load->arg(1)) ? first_of_dense(load->arg(0)) : Expr();
        if (!first.defined() || first->reads_memory() || forms_.step(first, var_) != lanes_) {
            return {};
        }
        const IndexForms::Place place = forms_.place(first);
        const Expr buffer = make_load(load.type().element_of(), load->symbol(), make_zero(Int(32)));
        return {id_of({-2, leaf(buffer), place.family}), true, place.offset, 0};
    }

    Member examine_operation(const Expr &node) {
        const Type type = node.type();
        std::vector<int64_t> key = {static_cast<int64_t>(node->kind()), static_cast<int64_t>(type.code()), type.bits(),
                                    node->kind() == ExprKind::Math ? static_cast<int64_t>(node->math_op()) : 0};
        Member result{0, false, 0, 1};
        for (const Expr &arg : node->args()) {
            const Member &operand = members_[arg.get()];
            if (operand.id < 0) {
                return {};
            }
            if (operand.moves && !result.moves) {
                result.moves = true;
                result.offset = operand.offset;
            }
            key.push_back(operand.id);
            key.push_back(operand.moves ? operand.offset - result.offset : 0);
            result.cost = std::min(result.cost + operand.cost, 1'000'000);
        }
        result.id = id_of(key);
        return result;
    }
};

/// A value that is carried from one iteration to the next.
struct Carried {
    Symbol buffer, name;
    Expr first; // the buffer's initial value
    Expr value; // the value of this iteration
};

class Rewriter {
  public:
    Rewriter(const For &loop, std::vector<Stmt> stores, const PassContext &context)
        : loop_(loop), stores_(std::move(stores)), context_(context) {}

    /// The loop with all profitable rewrites; undefined if there are none.
    Stmt run() {
        if (!measure()) {
            return {};
        }
        for (int round = 0; round < most_rounds && rewrite_dearest(); round++) {
        }
        return carried_.empty() ? Stmt() : rebuilt();
    }

  private:
    const For &loop_;
    std::vector<Stmt> stores_;
    const PassContext &context_;
    std::vector<Carried> carried_;
    int lanes_ = 0;

    /// Checks that all stores have the same number of lanes, and vectors of more than half a register.
    bool measure() {
        int bits = 0;
        for (const Stmt &stmt : stores_) {
            const Expr &value = stmt.as<Store>()->value;
            const int lanes = value.type().lanes();
            if (lanes < 4 || (lanes_ != 0 && lanes != lanes_)) {
                return false;
            }
            lanes_ = lanes;
            for_each_node(value, [&](const Expr &node) { // indices are wider, but are scalars in effect
                if (node.type().lanes() == lanes && node->kind() != ExprKind::Ramp) {
                    bits = std::max(bits, node.type().bits() * lanes);
                }
            });
        }
        return bits * 2 > context_.machine.vector_bits;
    }

    /// The number of operations from which a shuffle is cheaper than a copy.
    int least_cost(Type type) const {
        const machine::MachineModel &machine = context_.machine;
        return type.bits() >= 32 ? machine.moved_word_cost : machine.moved_narrow_cost;
    }

    bool rewrite_dearest() {
        Classes classes(loop_.var, lanes_);
        for (const Stmt &stmt : stores_) {
            classes.collect(stmt.as<Store>()->value);
        }
        for (const Carried &carried : carried_) {
            classes.collect(carried.value);
        }
        const Classes::Class *best = nullptr;
        for (const Classes::Class &found : classes.all) {
            const bool is_shared = found.members.size() > 1;
            if (!is_shared || found.members.rbegin()->first - found.members.begin()->first >= lanes_) {
                continue;
            }
            const Type type = found.members.begin()->second.type();
            if (!type.is_bool() && found.cost >= least_cost(type) && (!best || found.cost > best->cost)) {
                best = &found;
            }
        }
        if (best) {
            rewrite(best->members);
        }
        return best != nullptr;
    }

    void rewrite(const std::map<int64_t, Expr> &members) {
        const int64_t last = members.rbegin()->first;
        const Expr &newest = members.rbegin()->second;
        const Type type = newest.type();
        Carried made;
        made.buffer = context_.symbols.fresh(SymbolKind::Buffer, loop_.var.name() + ".before");
        made.name = context_.symbols.fresh_let(loop_.var.name() + ".last", newest);
        made.value = newest;
        const Expr value = make_var(type, made.name);
        const Expr before = make_load(type, made.buffer, whole());
        std::unordered_map<const ExprNode *, Expr> replaced;
        ExprMap<Expr> by_value;
        for (const auto &[offset, node] : members) {
            Indices lanes;
            for (int i = 0; i < lanes_; i++) {
                lanes.push_back(i + lanes_ - static_cast<int>(last - offset));
            }
            const Expr parts[] = {before, value};
            by_value[node] = offset == last ? value : make_shuffle(parts, lanes);
        }
        const int missing = static_cast<int>(last - members.begin()->first);
        Indices rotation;
        for (int i = 0; i < lanes_; i++) {
            rotation.push_back((i + missing) % lanes_);
        }
        const Expr first = substitute(members.begin()->second, loop_.var, loop_.min);
        made.first = make_shuffle({&first, 1}, rotation);
        for (Stmt &stmt : stores_) {
            const Store &store = *stmt.as<Store>();
            stmt = Store::make(store.buffer, replace(store.value, by_value), store.index, store.predicate);
        }
        for (Carried &carried : carried_) {
            carried.value = replace(carried.value, by_value);
        }
        carried_.push_back(made);
    }

    Expr whole() const { return dense_index(make_zero(Int(32)), lanes_); }

    /// Outermost nodes first, so the operands of a replaced node are not visited.
    static Expr replace(const Expr &expr, ExprMap<Expr> &replaced) {
        const auto known = replaced.find(expr);
        if (known != replaced.end()) {
            return known->second;
        }
        const bool is_leaf = expr->kind() == ExprKind::Load || expr->arg_count() == 0;
        const Expr result =
            is_leaf ? expr : map_operands(expr, [&](const Expr &operand) { return replace(operand, replaced); });
        replaced.emplace(expr, result);
        return result;
    }

    Stmt rebuilt() const {
        std::vector<Stmt> inside = stores_, outside;
        for (const Carried &carried : carried_) {
            const Type type = carried.value.type();
            inside.push_back(Store::make(carried.buffer, make_var(type, carried.name), whole(), make_bool(true)));
            outside.push_back(Store::make(carried.buffer, carried.first, whole(), make_bool(true)));
        }
        Stmt body = Block::make(std::move(inside));
        for (const Carried &carried : carried_) { // the values of later ones are parts of earlier ones
            body = LetStmt::make(carried.name, carried.value, body);
        }
        outside.push_back(For::make(loop_.var, loop_.min, loop_.extent, loop_.for_kind, body, loop_.partition));
        Stmt result = Block::make(std::move(outside));
        for (const Carried &carried : carried_) {
            result = Allocate::make(carried.buffer, carried.value.type().element_of(), MemoryType::Register,
                                    {make_int(Int(32), lanes_)}, result);
        }
        return IfThenElse::make(less(make_zero(Int(32)), loop_.extent), result);
    }
};

class PredictiveCommoner : public Mutator {
  public:
    explicit PredictiveCommoner(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const For *loop = stmt.as<For>();
        int64_t extent = 0;
        if (loop && loop->for_kind == ForKind::Serial && !(is_const_int(loop->extent, &extent) && extent < 2)) {
            const Stores stores(loop->body);
            const Stmt rewritten = stores.ok ? Rewriter(*loop, stores.stores, context_).run() : Stmt();
            if (rewritten.defined()) {
                context_.beyond(loop->var, "values that the next iteration needs again stay in registers");
                return rewritten;
            }
        }
        return recurse(stmt);
    }

  private:
    const PassContext &context_;
};

} // namespace

Stmt predictive_commoning(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? PredictiveCommoner(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
