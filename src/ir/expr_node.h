#pragma once
// Expression nodes: one uniform, immutable, hashed record per node, from the one list in expr_kinds.def.
//
// A node is kind + type + payload + operands. All traversals are generic over operands, so a pass writes a switch over
// the few kinds that it handles and leaves the others to map_operands. The structural hash is computed once, when the
// node is made, and does not depend on addresses.

#include "fluorite/expr.h"
#include "ir/symbol.h"
#include "support/check.h"

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace fluorite::ir {

enum class ExprKind : uint8_t {
#define FLUORITE_EXPR(kind, ...) kind,
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
};

enum class MathOp : uint8_t {
#define FLUORITE_MATH(op, ...) op,
#include "ir/math_ops.def"
#undef FLUORITE_MATH
};

/// And and Or reduce Bool, BitXor Bool and integers; all others reduce numbers.
enum class ReduceOp : uint8_t { Add, Mul, Min, Max, And, Or, SaturatingAdd, BitAnd, BitOr, BitXor };

enum class Field : uint8_t { Min, Max, Extent, Stride };

/// A symbol and a position: value `index` of a Func (Call), or field `field` of dimension `index` of a buffer.
struct Member {
    Symbol symbol;
    int32_t index = 0;
    Field field = Field::Min;
    bool operator==(const Member &) const = default;
    /// `index`, in the list of the Func's values or of the buffer's dimensions.
    size_t position() const { return static_cast<size_t>(index); }
};

using Indices = std::vector<int32_t>;
using Payload =
    std::variant<std::monostate, int64_t, uint64_t, double, std::string, Symbol, Member, MathOp, ReduceOp, Indices>;

class ExprNode {
  public:
    ExprKind kind() const { return kind_; }
    Type type() const { return type_; }
    uint64_t hash() const { return hash_; }
    /// Whether the value depends on computed or stored data: the expression contains a Call, Image, Load, Extern or
    /// Random, a variable of a let of such a value (SymbolOwner::level), or a float function whose range is unknown
    /// (exp, log, pow). Arithmetic on such values wraps; in coordinates, arithmetic on all other values does not
    /// overflow.
    bool reads_memory() const { return reads_memory_; }
    std::span<const Expr> args() const { return {reinterpret_cast<const Expr *>(this + 1), count_}; }
    const Expr &arg(size_t i) const { return reinterpret_cast<const Expr *>(this + 1)[i]; }
    size_t arg_count() const { return count_; }

    // Typed views of the payload; each checks the alternative (std::get throws on a wrong kind).
    int64_t int_value() const { return std::get<int64_t>(payload_); }
    uint64_t uint_value() const { return std::get<uint64_t>(payload_); }
    double float_value() const { return std::get<double>(payload_); }
    const std::string &text() const { return std::get<std::string>(payload_); }
    /// The symbol of Variable, Let, Image, Load, Call and BufferField.
    const Symbol &symbol() const {
        if (const Member *member = std::get_if<Member>(&payload_)) {
            return member->symbol;
        }
        return std::get<Symbol>(payload_);
    }
    const Member &member() const { return std::get<Member>(payload_); }
    MathOp math_op() const { return std::get<MathOp>(payload_); }
    ReduceOp reduce_op() const { return std::get<ReduceOp>(payload_); }
    const Indices &indices() const { return std::get<Indices>(payload_); }
    const Payload &payload() const { return payload_; }

    /// False only if there is a single handle to the node. It is then an operand of at most one node, so a walk that
    /// visits every parent once visits it once and need not remember it.
    bool is_shared() const { return references_.load(std::memory_order_relaxed) > 1; }

    /// Makes a node; checks the arity and that every operand is defined. The caller (or make_* below) chooses correct
    /// types, which the verifier checks.
    static Expr create(ExprKind kind, Type type, std::span<const Expr> args, Payload payload = {});
    static Expr create(ExprKind kind, Type type, std::initializer_list<Expr> args, Payload payload = {}) {
        return create(kind, type, std::span<const Expr>(args.begin(), args.size()), std::move(payload));
    }

    ExprNode(const ExprNode &) = delete;
    ExprNode &operator=(const ExprNode &) = delete;

  private:
    ExprNode(ExprKind kind, Type type, uint32_t count, Payload payload)
        : kind_(kind), type_(type), count_(count), payload_(std::move(payload)) {}
    ~ExprNode() = default;
    friend void retain(const ExprNode *node) noexcept;
    friend void release(const ExprNode *node) noexcept;

    mutable std::atomic<int> references_{1}; // create() hands the first one out
    ExprKind kind_;
    Type type_;
    uint32_t count_;
    bool reads_memory_ = false;
    uint64_t hash_ = 0;
    Payload payload_;
    // count_ operands follow in memory.
};

const char *kind_name(ExprKind kind);
/// Whether a node of this kind may have this number of operands.
bool is_arity_of(ExprKind kind, size_t count);
const char *math_name(MathOp op);
int math_arity(MathOp op);
/// Whether bounds of the result follow from bounds of the operand or from the function alone.
bool has_known_range(MathOp op);

// ---- Equality and order: structural, through the hash first.

bool equal(const Expr &a, const Expr &b);
/// A total order on structure (not on values) that is the same in every run.
int compare(const Expr &a, const Expr &b);
struct ExprHash {
    size_t operator()(const Expr &expr) const { return expr.defined() ? expr->hash() : 0; }
};
struct ExprEqual {
    bool operator()(const Expr &a, const Expr &b) const { return equal(a, b); }
};
template <typename T> using ExprMap = std::unordered_map<Expr, T, ExprHash, ExprEqual>;
template <typename T> using SymbolMap = std::unordered_map<Symbol, T, SymbolHash>;

// ---- Constants.

Expr make_int(Type type, int64_t value); // any int/uint/float type; vectors broadcast; wraps into range
inline Expr int32(int64_t value) { return make_int(Int(32), value); }
Expr make_uint(Type type, uint64_t value); // likewise
Expr make_float(Type type, double value);  // float types; rounded to the type
Expr make_const(Type type, int64_t value); // any arithmetic type, bool included
Expr make_zero(Type type);
Expr make_one(Type type);
Expr make_bool(bool value, int lanes = 1);
Expr make_string(const std::string &text);
/// The least and greatest value of an integer or float type (floats: -inf and inf).
Expr type_min(Type type);
Expr type_max(Type type);

/// The value of a (possibly broadcast) integer constant, signed or unsigned, that fits int64.
bool is_const_int(const Expr &expr, int64_t *value);
bool is_const_float(const Expr &expr, double *value);
bool is_const(const Expr &expr); // IntImm, UIntImm, FloatImm, or a Broadcast of one
bool is_zero(const Expr &expr);  // floats: of either sign
bool is_one(const Expr &expr);
bool is_true(const Expr &expr);
bool is_false(const Expr &expr);
inline bool is_kind(const Expr &expr, ExprKind kind) { return expr.defined() && expr->kind() == kind; }

// ---- Constructors. Operands must agree in type; a scalar is broadcast to the lanes of the other operand. Nothing is
// folded here; rewrite/ and language/ fold.

Expr make_var(Type type, const Symbol &symbol);
Expr make_binary(ExprKind kind, const Expr &a, const Expr &b); // type by the rules of expr_kinds.def
Expr make_unary(ExprKind kind, const Expr &a);                 // Not, BitNot, Abs, counts, Likely...
Expr make_cast(Type type, const Expr &value); // lanes of `type` must equal value's, or value is broadcast
Expr make_saturating_cast(Type type, const Expr &value);
Expr make_reinterpret(Type type, const Expr &value);
Expr make_select(const Expr &condition, const Expr &a, const Expr &b);
Expr make_fma(const Expr &a, const Expr &b, const Expr &c);
Expr make_math(MathOp op, std::span<const Expr> args);
Expr make_ramp(const Expr &base, const Expr &stride, int lanes);
Expr make_broadcast(const Expr &value, int lanes);
Expr make_shuffle(std::span<const Expr> vectors, Indices indices);
Expr make_vector_reduce(ReduceOp op, const Expr &value, int lanes);
Expr make_let(const Symbol &symbol, const Expr &value, const Expr &body);
Expr make_call(Type type, const Symbol &func, int value_index, std::span<const Expr> args);
Expr make_image(Type type, const Symbol &buffer, std::span<const Expr> args);
Expr make_load(Type type, const Symbol &buffer, const Expr &index, const Expr &predicate = Expr());
Expr make_field(const Symbol &buffer, Field field, int dim);
Expr make_extern(Type type, const std::string &name, std::span<const Expr> args);

// Short forms for passes.
inline Expr add(const Expr &a, const Expr &b) { return make_binary(ExprKind::Add, a, b); }
inline Expr sub(const Expr &a, const Expr &b) { return make_binary(ExprKind::Sub, a, b); }
inline Expr mul(const Expr &a, const Expr &b) { return make_binary(ExprKind::Mul, a, b); }
inline Expr div(const Expr &a, const Expr &b) { return make_binary(ExprKind::Div, a, b); }
inline Expr mod(const Expr &a, const Expr &b) { return make_binary(ExprKind::Mod, a, b); }
inline Expr min_of(const Expr &a, const Expr &b) { return make_binary(ExprKind::Min, a, b); }
inline Expr max_of(const Expr &a, const Expr &b) { return make_binary(ExprKind::Max, a, b); }
inline Expr logical_and(const Expr &a, const Expr &b) { return make_binary(ExprKind::And, a, b); }
inline Expr less(const Expr &a, const Expr &b) { return make_binary(ExprKind::LT, a, b); }
inline Expr less_equal(const Expr &a, const Expr &b) { return make_binary(ExprKind::LE, a, b); }
inline Expr equals(const Expr &a, const Expr &b) { return make_binary(ExprKind::EQ, a, b); }

// ---- Traversal. All functions exploit sharing: their work is linear in distinct nodes.

/// The node with `change` applied to each operand; the same node where nothing changed.
Expr map_operands(const Expr &expr, const std::function<Expr(const Expr &)> &change);
/// Rebuilds the node with new operands and the same kind and payload; the type defaults to the old one.
Expr with_args(const Expr &expr, std::span<const Expr> args, Type type = Type());
/// Calls `visit` once for every distinct node, operands before the node.
void for_each_node(const Expr &expr, const std::function<void(const Expr &)> &visit);
/// Rebuilds bottom up: `post` gets every distinct node once, with its operands already transformed, and returns its
/// replacement. A Let is a node like any other: `post` must not depend on scope.
Expr transform(const Expr &expr, const std::function<Expr(const Expr &)> &post);
/// Calls `visit` for each free symbol of Variables, BufferFields, Calls, Images and Loads; a symbol may be visited
/// repeatedly.
void for_each_free_symbol(const Expr &expr, const std::function<void(const Symbol &)> &visit);
/// Replaces free variables. A Let hides the symbol it binds; it is renamed where it would capture a variable of a
/// value.
Expr substitute(const Expr &expr, const Symbol &symbol, const Expr &value);
Expr substitute(const Expr &expr, const SymbolMap<Expr> &values);
/// Replaces each let variable by its value. Precondition: symbols bound by Lets are not free elsewhere in the
/// expression.
Expr expand_lets(const Expr &expr);
/// Whether the symbol is free in the expression, as a variable, buffer or Func.
bool uses_symbol(const Expr &expr, const Symbol &symbol);
/// For substitutions that go below a binder. is_captured: whether a value mentions the binder. enter_binder: the symbol
/// to bind instead; afterwards `values` holds the substitution for the body.
bool is_captured(const Symbol &binder, const SymbolMap<Expr> &values);
Symbol enter_binder(const Symbol &binder, Type type, SymbolMap<Expr> &values);
/// The number of distinct nodes.
size_t node_count(const Expr &expr);
/// Whether node_count exceeds `most`; visits no more nodes than needed.
bool has_more_nodes(const Expr &expr, size_t most);

} // namespace fluorite::ir

template <> struct std::hash<fluorite::ir::Symbol> {
    size_t operator()(const fluorite::ir::Symbol &symbol) const { return symbol.hash(); }
};
