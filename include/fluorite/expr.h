#pragma once
// Expr: a user's handle to an immutable, shared expression node.

#include "fluorite/require_cxx17.h"

#include "fluorite/float16.h"
#include "fluorite/numbers.h"
#include "fluorite/type.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>

namespace fluorite {

namespace ir {
class ExprNode;
/// Count the handles of a node; for the library.
void retain(const ExprNode *node) noexcept;
void release(const ExprNode *node) noexcept;
} // namespace ir

/// A scalar (or, after vectorization, vector) value computed from constants, variables and other values. Copies share
/// the node. A default-constructed Expr is undefined and may not be used as an operand.
class Expr {
  public:
    Expr() = default;
    Expr(const Expr &other) : node_(other.node_) {
        if (node_) {
            ir::retain(node_);
        }
    }
    Expr(Expr &&other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    // Assigns to an lvalue only: the temporary result of a call is not assignable.
    Expr &operator=(const Expr &other) & {
        Expr copy(other);
        std::swap(node_, copy.node_);
        return *this;
    }
    Expr &operator=(Expr &&other) & noexcept {
        std::swap(node_, other.node_);
        return *this;
    }
    // Most handles that end have been moved from.
    ~Expr() {
        if (node_) {
            ir::release(node_);
        }
    }

    /// Shares ownership of a node.
    explicit Expr(const ir::ExprNode *node) : node_(node) {
        if (node_) {
            ir::retain(node_);
        }
    }

    /// Constants of these types. Those below whose conversion is explicit would be ambiguous beside int32 and float.
    Expr(int32_t value);           // NOLINT(google-explicit-constructor)
    Expr(float value);             // NOLINT(google-explicit-constructor)
    Expr(const std::string &text); // NOLINT(google-explicit-constructor)
    Expr(const char *text);        // NOLINT(google-explicit-constructor)
    Expr(float16_t value);         // NOLINT(google-explicit-constructor)
    Expr(bfloat16_t value);        // NOLINT(google-explicit-constructor)
    Expr(std::nullptr_t) = delete;
    /// Accepts bool only: no other type, in particular no pointer, converts implicitly to bool here.
    template <typename B, std::enable_if_t<std::is_same_v<B, bool>, int> = 0>
    explicit Expr(B value) : Expr(of_bool(value)) {}
    explicit Expr(int8_t value);
    explicit Expr(int16_t value);
    explicit Expr(int64_t value);
    explicit Expr(uint8_t value);
    explicit Expr(uint16_t value);
    explicit Expr(uint32_t value);
    explicit Expr(uint64_t value);
    explicit Expr(long long value);
    explicit Expr(unsigned long long value);
    explicit Expr(double value);
#ifdef FLUORITE_HAS_FLOAT16_
    template <typename H, std::enable_if_t<std::is_same_v<H, _Float16>, int> = 0>
    explicit Expr(H value) : Expr(float16_t(value)) {}
#endif

    /// Whether it has a node, and whether both have the same one. same_as does not compare what expressions mean; equal
    /// expressions may have different nodes.
    bool defined() const { return node_ != nullptr; }
    bool same_as(const Expr &other) const { return node_ == other.node_; }
    /// The type; the void type if undefined.
    Type type() const;

    /// The node; for the library.
    const ir::ExprNode *get() const { return node_; }
    const ir::ExprNode *operator->() const { return node_; }
    const ir::ExprNode &operator*() const { return *node_; }

  private:
    friend class ir::ExprNode; // which makes nodes with one reference, that of their first handle
    static Expr of_bool(bool value);
    static Expr adopt(const ir::ExprNode *node) {
        Expr expr;
        expr.node_ = node;
        return expr;
    }

    const ir::ExprNode *node_ = nullptr;
};

/// Prints the expression for readers, in the IR text form without the details that only its parser needs: owners of
/// symbols, numbers of generated names, quotes of names, and types other than those of numbers. The RVar r$x is r.x.
std::ostream &operator<<(std::ostream &stream, const Expr &expr);

} // namespace fluorite
