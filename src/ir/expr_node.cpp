// Expression nodes: memory, hash, equality, order.
//
// A node and its operands are one block of memory: the ExprNode, then `count` Exprs. The hash combines kind, type,
// payload and the operands' hashes. It is computed once and never depends on addresses.
//
// Long chains of operands (x + 1 + 1 + ...) are common, so nothing here recurses over operands: dead nodes are linked
// into a list through their hash field and freed in a loop, and comparison uses an explicit stack. Two graphs that
// share many subexpressions are compared once per distinct pair of nodes.

#include "ir/expr_node.h"

#include "ir/expr_traits.h"
#include "ir/let_symbol.h"
#include "support/numeric.h"

#include <bit>
#include <new>
#include <unordered_set>

namespace fluorite::ir {

namespace {

struct KindInfo {
    const char *name;
    size_t least, most;
};

constexpr size_t any_number = 255;

constexpr KindInfo kind_table[] = {
#define FLUORITE_EXPR(kind, text, least, most, ...) {text, least, most},
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
};

struct MathInfo {
    const char *name;
    int arity;
};

constexpr MathInfo math_table[] = {
#define FLUORITE_MATH(op, text, arity, ...) {text, arity},
#include "ir/math_ops.def"
#undef FLUORITE_MATH
};

struct PayloadHash {
    uint64_t operator()(std::monostate) const { return 0; }
    uint64_t operator()(int64_t value) const { return static_cast<uint64_t>(value); }
    uint64_t operator()(uint64_t value) const { return value; }
    uint64_t operator()(double value) const { return std::bit_cast<uint64_t>(value); }
    uint64_t operator()(const std::string &text) const { return hash_text(text); }
    uint64_t operator()(const Symbol &symbol) const { return symbol.hash(); }
    uint64_t operator()(const Member &member) const {
        uint64_t hash = combine_hash(member.symbol.hash(), static_cast<uint64_t>(member.index));
        return combine_hash(hash, static_cast<uint64_t>(member.field));
    }
    uint64_t operator()(MathOp op) const { return static_cast<uint64_t>(op); }
    uint64_t operator()(ReduceOp op) const { return static_cast<uint64_t>(op); }
    uint64_t operator()(const Indices &indices) const {
        uint64_t hash = indices.size();
        for (int32_t index : indices) {
            hash = combine_hash(hash, static_cast<uint64_t>(index));
        }
        return hash;
    }
};

/// Floats are equal when their bits are equal: NaN equals itself, and 0.0 differs from -0.0.
bool payload_equal(const Payload &a, const Payload &b) {
    const double *x = std::get_if<double>(&a);
    const double *y = std::get_if<double>(&b);
    if (x && y) {
        return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(*y);
    }
    return a == b;
}

/// Equality of everything but the operands themselves.
bool same_head(const ExprNode &a, const ExprNode &b) {
    return a.hash() == b.hash() && a.kind() == b.kind() && a.type() == b.type() && a.arg_count() == b.arg_count() &&
           payload_equal(a.payload(), b.payload());
}

template <typename T> int three_way(const T &a, const T &b) { return a < b ? -1 : b < a ? 1 : 0; }

int compare_owner(const SymbolOwner &a, const SymbolOwner &b) {
    auto key = [](const SymbolOwner &owner) {
        return std::tuple(owner.func, owner.stage, owner.dim, owner.input, owner.level, owner.side);
    };
    return three_way(key(a), key(b));
}

int compare_symbol(const Symbol &a, const Symbol &b) {
    if (int order = three_way(a, b)) {
        return order;
    }
    int order = compare_owner(a.owner(), b.owner());
    // Only unfrozen symbols of equal names get here; the order of their objects' addresses holds within one run only.
    return order != 0 ? order : three_way(std::bit_cast<uintptr_t>(a.object()), std::bit_cast<uintptr_t>(b.object()));
}

int compare_payload(const Payload &a, const Payload &b) {
    if (a.index() != b.index()) {
        return three_way(a.index(), b.index());
    }
    if (const double *x = std::get_if<double>(&a)) {
        return three_way(std::bit_cast<uint64_t>(*x), std::bit_cast<uint64_t>(std::get<double>(b)));
    }
    if (const Symbol *x = std::get_if<Symbol>(&a)) {
        return compare_symbol(*x, std::get<Symbol>(b));
    }
    if (const Member *x = std::get_if<Member>(&a)) {
        const Member &y = std::get<Member>(b);
        int order = compare_symbol(x->symbol, y.symbol);
        return order != 0 ? order : three_way(std::pair(x->index, x->field), std::pair(y.index, y.field));
    }
    return std::visit(
        [&](const auto &x) {
            using T = std::decay_t<decltype(x)>;
            if constexpr (std::is_same_v<T, Symbol> || std::is_same_v<T, Member>) {
                return 0;
            } else {
                return three_way(x, std::get<T>(b));
            }
        },
        a);
}

/// Compares two nodes without their operands; 0 tells the caller to go on to the operands.
int compare_head(const ExprNode &a, const ExprNode &b) {
    if (int order = three_way(a.hash(), b.hash())) {
        return order;
    }
    if (int order = three_way(a.kind(), b.kind())) {
        return order;
    }
    if (int order = three_way(a.type(), b.type())) {
        return order;
    }
    if (int order = three_way(a.arg_count(), b.arg_count())) {
        return order;
    }
    return compare_payload(a.payload(), b.payload());
}

using NodePair = std::pair<const ExprNode *, const ExprNode *>;
struct PairHash {
    size_t operator()(const NodePair &pair) const {
        return combine_hash(std::bit_cast<uintptr_t>(pair.first), std::bit_cast<uintptr_t>(pair.second));
    }
};

/// Walks two graphs in step, operands in order, and returns the first nonzero result of `head`.
template <typename Head> int walk_pairs(const ExprNode *a, const ExprNode *b, const Head &head) {
    std::vector<NodePair> pending{{a, b}};
    std::unordered_set<NodePair, PairHash> done;
    // Walking a small graph twice costs less than remembering its pairs.
    constexpr size_t remember_after = 64;
    size_t steps = 0;
    while (!pending.empty()) {
        const NodePair pair = pending.back();
        pending.pop_back();
        const bool may_repeat = pair.first->is_shared() && pair.second->is_shared();
        if (pair.first == pair.second || (may_repeat && ++steps > remember_after && !done.insert(pair).second)) {
            continue;
        }
        if (int order = head(*pair.first, *pair.second)) {
            return order;
        }
        for (size_t i = pair.first->arg_count(); i-- > 0;) {
            pending.emplace_back(pair.first->arg(i).get(), pair.second->arg(i).get());
        }
    }
    return 0;
}

// Nodes of this thread whose last reference is gone, linked through hash_. Releases during freeing append to the list,
// so that freeing never nests, however deep the operands or the objects behind symbols go.
thread_local ExprNode *dead_nodes = nullptr;
thread_local bool freeing = false;

} // namespace

const char *kind_name(ExprKind kind) { return kind_table[index_of(kind)].name; }
bool is_arity_of(ExprKind kind, size_t count) {
    const KindInfo &info = kind_table[index_of(kind)];
    return count >= info.least && (count <= info.most || info.most == any_number);
}
const char *math_name(MathOp op) { return math_table[index_of(op)].name; }
int math_arity(MathOp op) { return math_table[index_of(op)].arity; }

bool has_known_range(MathOp op) { return traits_of(op).range == MathRange::Known; }

namespace {
bool is_memory_value(ExprKind kind, const Payload &payload) {
    switch (traits_of(kind).reads) {
    case ReadsTrait::Nothing:
        return false;
    case ReadsTrait::Memory:
    case ReadsTrait::Data:
        return true;
    case ReadsTrait::BySymbol: {
        const Symbol *symbol = std::get_if<Symbol>(&payload);
        return symbol && says_it_reads_memory(*symbol);
    }
    case ReadsTrait::ByFunction: {
        const MathOp *op = std::get_if<MathOp>(&payload);
        return op && !has_known_range(*op);
    }
    }
    unreachable("a node of no kind");
}
} // namespace

Expr ExprNode::create(ExprKind kind, Type type, std::span<const Expr> args, Payload payload) {
    if (!is_arity_of(kind, args.size())) {
        internal_error(concat("node '", kind_name(kind), "' has ", args.size(), " operands"), Location::current());
    }
    uint64_t hash = combine_hash(static_cast<uint64_t>(kind), type.key());
    hash = combine_hash(hash, std::visit(PayloadHash{}, payload));
    bool reads_memory = is_memory_value(kind, payload);
    for (const Expr &arg : args) {
        if (!arg.defined()) {
            internal_error(concat("node '", kind_name(kind), "' has an undefined operand"), Location::current());
        }
        hash = combine_hash(hash, arg->hash());
        reads_memory = reads_memory || arg->reads_memory();
    }
    static_assert(sizeof(ExprNode) % alignof(Expr) == 0);
    void *memory = ::operator new(sizeof(ExprNode) + args.size() * sizeof(Expr));
    auto *node = new (memory) ExprNode(kind, type, static_cast<uint32_t>(args.size()), std::move(payload));
    node->hash_ = hash;
    node->reads_memory_ = reads_memory;
    Expr *slot = reinterpret_cast<Expr *>(node + 1);
    for (const Expr &arg : args) {
        new (slot++) Expr(arg);
    }
    return Expr::adopt(node);
}

void retain(const ExprNode *node) noexcept { node->references_.fetch_add(1, std::memory_order_relaxed); }

namespace {
/// Whether this was the last reference. The holder of the only reference needs no atomic change: nobody else can make
/// another one.
bool drop(std::atomic<int> &references) {
    return references.load(std::memory_order_acquire) == 1 || references.fetch_sub(1, std::memory_order_acq_rel) == 1;
}
} // namespace

void release(const ExprNode *node) noexcept {
    // The common path touches no thread-local variable.
    if (!drop(node->references_)) {
        return;
    }
    auto bury = [](const ExprNode *last) {
        auto *dead = const_cast<ExprNode *>(last);
        dead->hash_ = std::bit_cast<uintptr_t>(dead_nodes);
        dead_nodes = dead;
    };
    bury(node);
    if (freeing) {
        return;
    }
    freeing = true;
    while (ExprNode *dead = dead_nodes) {
        dead_nodes = std::bit_cast<ExprNode *>(static_cast<uintptr_t>(dead->hash_));
        for (const Expr &arg : dead->args()) {
            // The Expr is not destroyed; this drops its reference.
            if (drop(arg->references_)) {
                bury(arg.get());
            }
        }
        dead->~ExprNode();
        ::operator delete(dead);
    }
    freeing = false;
}

bool equal(const Expr &a, const Expr &b) {
    if (a.same_as(b)) {
        return true;
    }
    if (!a.defined() || !b.defined() || !same_head(*a, *b)) {
        return false;
    }
    if (a->arg_count() == 0) {
        return true;
    }
    return walk_pairs(a.get(), b.get(), [](const ExprNode &x, const ExprNode &y) { return same_head(x, y) ? 0 : 1; }) ==
           0;
}

int compare(const Expr &a, const Expr &b) {
    if (a.same_as(b)) {
        return 0;
    }
    if (!a.defined() || !b.defined()) {
        return a.defined() ? 1 : -1;
    }
    return walk_pairs(a.get(), b.get(), compare_head);
}

} // namespace fluorite::ir
