#pragma once
// Tensor terms: the language of proofs/Syntax.v as data. A tensor is a total function of its indices, null outside of
// its extents, which the term states; docs/certificates.md lists the operators with their texts. Terms are immutable
// and shared. Names are texts; a binder never renames, and substitution gives nothing where it would capture a name.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::verify {

/// An index expression: unbounded integers; division rounds down.
class Index {
  public:
    enum class Kind : uint8_t { Number, Name, Add, Sub, Mul, Div, Mod, Min, Max };
    Index(int64_t value); // NOLINT: numbers are index expressions
    Index(int value) : Index(int64_t(value)) {}
    Index(std::string name); // NOLINT
    Index(const char *name) : Index(std::string(name)) {}
    static Index binary(Kind kind, const Index &a, const Index &b);

    Kind kind() const { return node_->kind; }
    int64_t value() const { return node_->value; }
    const std::string &name() const { return node_->name; }
    const Index &a() const { return node_->operands[0]; }
    const Index &b() const { return node_->operands[1]; }
    bool is_number() const { return kind() == Kind::Number; }
    bool is_number(int64_t value) const { return is_number() && node_->value == value; }
    bool is_leaf() const { return node_->operands.empty(); }
    bool operator==(const Index &other) const;

  private:
    struct Node {
        Kind kind;
        int64_t value = 0;
        std::string name;
        std::vector<Index> operands;
    };
    explicit Index(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
    std::shared_ptr<const Node> node_;
};
// The node as written: nothing is simplified.
Index operator+(const Index &a, const Index &b);
Index operator-(const Index &a, const Index &b);
Index operator*(const Index &a, const Index &b);
Index operator/(const Index &a, const Index &b);
Index operator%(const Index &a, const Index &b);
Index min(const Index &a, const Index &b);
Index max(const Index &a, const Index &b);

struct Condition {
    enum class Kind : uint8_t { True, Le, Lt, Eq, And, Or, Not };
    Kind kind = Kind::True;
    std::vector<Index> indices;      // of Le, Lt, Eq: two
    std::vector<Condition> operands; // of And, Or: two; of Not: one
    bool operator==(const Condition &other) const = default;
    bool is_true() const { return kind == Kind::True; }
};
Condition le(const Index &a, const Index &b);
Condition lt(const Index &a, const Index &b);
Condition eq(const Index &a, const Index &b);
Condition both(const Condition &p, const Condition &q);
Condition negation(const Condition &p);
/// 0 <= i < n
Condition in_range(const Index &i, const Index &n);

/// A loop of a nest: its name and its extent.
using Loop = std::pair<std::string, Index>;

class Term {
  public:
    enum class Kind : uint8_t { Number, Unit, Var, Gen, Fold, If, Let, Get, Op, View, Mark, Bind, Iter };
    enum class Mark : uint8_t { Parallel, Vector, Unroll };

    static Term number(int64_t value);
    static Term unit(std::string op); // of a fold over `op`, or any constant that has a name
    static Term var(std::string name);
    static Term gen(std::string loop, const Index &extent, const Term &body);
    static Term gens(const std::vector<Loop> &loops, const Term &body);
    static Term fold(std::string op, std::string loop, const Index &extent, const Term &body);
    static Term select(const Condition &p, const Term &a, const Term &b);
    static Term guard(const Condition &p, const Term &a) { return select(p, a, number(0)); }
    static Term let(std::string name, const Term &value, const Term &body);
    static Term get(const Term &tensor, const Index &index);
    static Term get(const Term &tensor, const std::vector<Index> &indices);
    static Term op(std::string op, std::vector<Term> operands); // one to three
    /// The element at `ts`, in which the names of `xs` may occur, shown at the indices `xs`.
    static Term reindex(std::vector<Loop> xs, std::vector<Index> ts, const Term &body);
    static Term mark(Mark mark, const Term &body);
    /// `name` is the integer that the element gives: coordinates that depend on elements.
    static Term bind(std::string name, const Term &element, const Term &body);
    static Term iter(std::string tensor, std::string loop, const Index &extent, const Term &start, const Term &body);

    Kind kind() const { return node_->kind; }
    int64_t value() const { return node_->value; }
    /// Of Unit and Op the operator, of Var and Let the tensor, of Gen, Fold and Iter the loop, of Bind the index.
    const std::string &name() const { return node_->name; }
    /// Of Fold the operator, of Iter the tensor.
    const std::string &other_name() const { return node_->other_name; }
    const Index &index() const { return node_->indices[0]; }             // of Get; the extent of Gen, Fold and Iter
    const std::vector<Index> &indices() const { return node_->indices; } // of View
    const std::vector<Loop> &loops() const { return node_->loops; }      // of View
    const Condition &condition() const { return node_->condition; }
    Mark mark() const { return node_->mark; }
    const std::vector<Term> &operands() const { return node_->operands; }
    const Term &operand(size_t k) const { return node_->operands[k]; }
    Term with_operand(size_t k, const Term &operand) const;
    /// Equal as written.
    bool operator==(const Term &other) const;

  private:
    struct Node {
        Kind kind = Kind::Number;
        int64_t value = 0;
        std::string name, other_name;
        std::vector<Index> indices;
        std::vector<Loop> loops;
        Condition condition;
        Mark mark = Mark::Parallel;
        std::vector<Term> operands;
    };
    explicit Term(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
    std::shared_ptr<const Node> node_;
};

// ---- Names.
bool occurs(const std::string &name, const Index &index);
bool occurs(const std::string &name, const Condition &condition);
bool occurs(const std::string &name, const Term &term);        // free, as an index
bool occurs_tensor(const std::string &name, const Term &term); // free, as a tensor

// ---- Substitution. Of a term: nothing where a name would be captured.
Index substitute(const Index &index, const std::string &name, const Index &value);
Condition substitute(const Condition &condition, const std::string &name, const Index &value);
std::optional<Term> substitute(const Term &term, const std::string &name, const Index &value);
std::optional<Term> substitute_tensor(const Term &term, const std::string &name, const Term &value);

// ---- Texts, as in docs/certificates.md.
std::string to_text(const Index &index);
std::string to_text(const Condition &condition);
std::string to_text(const Term &term);
/// The text broken into lines of at most `width` columns where lists allow it, each after `indent` spaces.
std::string pretty(const std::string &text, int indent = 0, int width = 120);

} // namespace fluorite::verify
