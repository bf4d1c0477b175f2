#pragma once
// Programs over intervals of a pipeline's arguments, and the limits that follow from them.

#include "analysis/interval.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace fluorite::loopnest {

/// A program of runtime_ranges.h and its arguments.
struct RangeProgram {
    std::string text;
    std::vector<Expr> arguments; // Params and fields of buffers
    std::set<int> divisors;      // of them, floats by which others are divided

    /// How far from 0 arguments may be so that no check fails: a power of two, or 0 where no such limit is of use.
    /// Nothing where no check can fail. Divisors are at least as far from 0 as one by the limit.
    std::optional<int64_t> limit() const;
};

/// Writes such a program.
class RangeWriter {
  public:
    /// From here on the symbol stands for this value, or ranges from one value to another.
    void learn(const ir::Symbol &symbol, const Expr &value);
    void learn(const ir::Symbol &symbol, const Expr &min, const Expr &max);
    /// From here on sums also lie in the intervals that this gives, which depend on a condition; null: no longer.
    void narrow_by(std::function<analysis::Interval(const Expr &)> narrow);
    bool knows(const ir::Symbol &symbol) const { return known_.contains(symbol); }
    /// Checks that the interval and its extent fit, widened by `slack` on both sides.
    void check_region(const Expr &min, const Expr &max, int64_t slack, const std::string &who, const std::string &what);
    /// Checks that the value can be computed.
    void check_value(const Expr &value, const std::string &who, const std::string &what);
    /// Last come the regions whose own numbers fit, and overflow on the way: what overflows there has been told of, as
    /// far as the program has written it.
    RangeProgram finish();

  private:
    RangeProgram program_;
    int count_ = 0;
    ir::SymbolMap<int> known_;
    ir::ExprMap<int> memo_, parts_; // until a symbol is learned anew
    std::function<analysis::Interval(const Expr &)> narrow_;
    std::vector<std::tuple<std::string, std::string, std::string>> later_;
    ir::ExprMap<int> arguments_;
    std::map<std::string, int> lines_;

    int line(const std::string &text);
    int line(char operation, int a, int b);
    int constant(double value);
    int argument(const Expr &expr);
    int anything(Type type);
    int typed(const Expr &expr, int value);
    int node(const Expr &expr);
    int made(const Expr &expr);
    int variable(const Expr &expr);
    int part_of_sum(const Expr &expr);
    int narrowed(const Expr &expr, int value);
    int sum(const Expr &expr);
    int convert(const Expr &expr);
    int binary(char operation, const Expr &expr);
    int ratio(const Expr &expr);
    int math(const Expr &expr);
    void check(const std::string &line, const std::string &who, const std::string &what);
};

} // namespace fluorite::loopnest
