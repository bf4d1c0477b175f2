#pragma once
// The rule book: all rows of rules/*.def, parsed once and indexed for matching.

#include "rewrite/interval.h"
#include "rewrite/pattern.h"
#include "rewrite/simplify.h"

#include <span>
#include <string>
#include <vector>

namespace fluorite::rewrite {

/// The types and arithmetic modes for which a row holds, as bits.
enum RuleClass : uint8_t {
    signed_class = 1,
    unsigned_class = 2, // bool excluded
    bool_class = 4,
    float_class = 8,
    index_class = 16,      // only Int of 32 or more bits in Index arithmetic
    conversion_class = 32, // any types that satisfy the condition on the type variables
    lemma_class = 128,     // proved but never matched: a law that the code relies on
    machine_class = 64,    // with index_class: holds for wrapping integers too, but is applied in Index arithmetic only
};

/// One row: `pattern` rewrites to `result` where `condition` holds.
struct Row {
    std::string name;
    std::string pattern_text, result_text, condition_text, classes_text;
    std::vector<Term> terms;
    int pattern = -1, result = -1, condition = -1; // positions in terms; condition -1 means always
    uint8_t classes = 0;

    /// A hash of everything in the row; a proof is valid for one fingerprint.
    uint64_t fingerprint() const;
    std::string text() const;
};

/// What matching needs beyond the two expressions.
class RuleHost {
  public:
    virtual ~RuleHost() = default;
    virtual Interval bounds(const Expr &expr) = 0;
    /// A simplified node. Precondition: operands are simplified and have the right types.
    virtual Expr make(ir::ExprKind kind, Type type, std::span<const Expr> args) = 0;
};

class RuleBook {
  public:
    RuleBook();
    const std::vector<Row> &rows() const { return rows_; }
    /// The result of the first row that matches, with the row's number in `row`; an undefined Expr where none matches.
    /// Precondition: structurally equal operands are the same node.
    Expr apply(const Expr &expr, Arithmetic arithmetic, RuleHost &host, int *row = nullptr) const;
    /// Tries this row only; the result is as in apply.
    Expr apply_row(size_t row, const Expr &expr, Arithmetic arithmetic, RuleHost &host) const;

  private:
    struct Variant {
        uint16_t row = 0;
        int16_t pattern = -1;
        uint64_t first_operand = ~uint64_t{0}; // admissible kinds of the operands, as bits
        uint64_t second_operand = ~uint64_t{0};
    };
    void add_row(const char *name, const char *pattern, const char *result, const char *condition, const char *classes);
    void index_row(size_t row);

    std::vector<Row> rows_;
    std::vector<std::vector<Variant>> by_root_; // [kind of root * kinds + kind of first operand]
};

const RuleBook &rule_book();

} // namespace fluorite::rewrite
