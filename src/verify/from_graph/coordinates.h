#pragma once
// Coordinates and sizes as index expressions, and conditions on them.
//
// A coordinate that depends on elements, or is computed in other types than integers of 32 bits, is a name, with a
// minimum and a maximum around it where analysis/interval.h bounds it whatever the coordinates are. Fields of inputs,
// parameters, and bounds that are no index expressions are names that the program leaves free; the Conversion says what
// they stand for.

#include "analysis/interval.h"
#include "ir/graph.h"
#include "verify/from_graph/convert.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::verify {

/// The name as a word of certificates. Throws Unsupported for other characters than words have.
std::string word(const std::string &name);

class Coordinates {
  public:
    /// Adds names and facts to the conversion, which has the output and its extents.
    Coordinates(const ir::Graph &graph, Conversion &conversion) : graph_(graph), result_(conversion) {}

    Index index(const Expr &expr);
    /// A condition on parameters and sizes: on indices as far as it compares them.
    Condition condition(const Expr &expr);
    Index field(size_t input, ir::Field field, int dim);
    /// Whether the program asks for the size of an input along a dimension.
    bool asks_for(size_t input, int dim) const { return fields_.contains({input, dim}); }
    /// The coordinates of a stage are within these from now on, as far as names of sizes say what they are.
    void set_range(const ir::Symbol &coordinate, const Interval &range);
    /// Makes a condition a fact unless it follows from the facts.
    void demand(const Condition &fact);

    /// Coordinates that are names: integers, of which the program has to bind those that it mentions.
    struct Named {
        std::string name;
        Expr expr;
        Index clamped = name;
    };
    const std::vector<Named> &bound() const { return bound_; }
    /// What the names in an index stand for, for messages: `, where at.0 is ..`; empty if there are none.
    std::string meaning(const Index &index) const;

  private:
    std::optional<Index> invariant(const Expr &bound);
    std::optional<Index> size(const Expr &expr);
    Condition whether(const Expr &expr);
    Index output_field(size_t output, ir::Field field, size_t dim) const;
    Index named(const Expr &expr);
    Expr expr_of(const Index &index) const;

    const ir::Graph &graph_;
    Conversion &result_;
    std::set<std::pair<size_t, int>> fields_;
    std::vector<Named> bound_;
    analysis::Scope ranges_;
};

} // namespace fluorite::verify
