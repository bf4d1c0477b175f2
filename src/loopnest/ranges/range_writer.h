#pragma once
// Programs over intervals of a pipeline's arguments, and limits that follow from them.

#include "analysis/interval.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace fluorite::loopnest {

/// A program for the abstract machine of fluorite/runtime/ranges.h, and its arguments.
struct RangeProgram {
    std::string text;
    std::vector<Expr> arguments; // Params and fields of buffers
    std::set<int> divisors;      // the indices of arguments that are divisors of floats

    /// A bound on the magnitude of all arguments below which no check can fail: a power of two, or 0 if no useful bound
    /// exists. Nothing if no check can fail at all. The magnitudes of divisors are assumed to be at least 1 / limit,
    /// and those of integers not to be 0.
    std::optional<int64_t> limit() const;
};

/// Writes such a program.
class RangeWriter {
  public:
    /// From here on the symbol has this value, or ranges from one value to another.
    void learn(const ir::Symbol &symbol, const Expr &value);
    void learn(const ir::Symbol &symbol, const Expr &min, const Expr &max);
    /// From here on, sums also lie in the intervals that the function returns, which hold under a condition; null ends
    /// this.
    void narrow_by(std::function<analysis::Interval(const Expr &)> narrow);
    bool knows(const ir::Symbol &symbol) const { return known_.contains(symbol); }
    /// Checks that the interval, widened by `slack` on both sides, and its extent fit.
    void check_region(const Expr &min, const Expr &max, int64_t slack, const std::string &who, const std::string &what);
    /// Checks that the value is computed without overflow.
    void check_value(const Expr &value, const std::string &who, const std::string &what);
    /// Returns the program. It ends with checks that no intermediate result of a region has overflowed: failures of the
    /// expressions that the program wrote are reported before.
    RangeProgram finish();

  private:
    RangeProgram program_;
    int count_ = 0;
    ir::SymbolMap<int> known_;
    ir::ExprMap<int> memo_, parts_; // valid until a symbol is redefined
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
