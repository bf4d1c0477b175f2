#pragma once
// What every drawn program with iterations is made of: its text, its domain, its inputs, values and definitions.
//
// A Term is an expression and its text; whatever builds one builds the other, so the text of a program is what ran, and
// there is no second printer to keep true. Whatever can be read is a Source. Its `reach` states how far outside the
// domain it can be read, so every drawn program is legal: reads of a field outside the domain, and of an image outside
// its box, are errors of the program.

#include "genome.h"
#include "iterations/case.h"

#include "fluorite/fluorite.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::fuzz::iterations {

constexpr int anywhere = 1000; ///< the reach of what is defined everywhere

struct Term {
    Expr expr;
    std::string text;
};

/// What can be read at a point.
struct Source {
    Func func;
    std::string text;
    Type type;
    int reach = anywhere;
    std::optional<ImageParam> image = {}; ///< if it is one
    Region box = {};                      ///< of a Func that is not an image
    std::string box_text = {};
};

struct Named {
    Func func;
    std::string name;
};

/// The box on which fields are defined: its numbers, the Exprs that state them, and the name of these in the text.
struct Domain {
    Box box;
    Region region;
    std::string text;
};

std::string number_text(int64_t value);
std::string list_text(const std::vector<std::string> &texts);
std::string type_text(Type type);

Term number(Type type, int value);
Term cast_to(Type type, const Term &value);
/// A value of the type from one of any type.
Term as(Type type, const Term &value);
Term read(const Source &source, const std::vector<Term> &at);

/// The shape of a buffer, and the number of bytes from its first element to its last, as text.
struct MemoryText {
    std::string shape, bytes;
};
MemoryText memory_text(GuardedBuffer &buffer);

/// Draws the parts of one program; all that draw a program share it, so one sequence of random numbers decides.
class Drawing {
  public:
    Drawing(uint64_t seed, uint64_t number, const WriteLine &write_line)
        : random_(seed * 1000003 + number), write_line_(write_line) {}

    /// The beginning of main(), with the domain.
    void begin();
    /// Its end.
    IterationCase end();

    // Chance and text.
    bool chance(int percent) { return random_.chance(percent); }
    int in(int low, int high) { return random_.in(low, high); }
    template <typename T> const T &any_of(const std::vector<T> &from) { return from[index_of(from)]; }
    template <typename T> size_t index_of(const std::vector<T> &from) {
        return static_cast<size_t>(in(0, static_cast<int>(from.size()) - 1));
    }
    void feature(const std::string &name) { case_.features.insert(name); }
    void line(const std::string &text) { write_line_(std::string(static_cast<size_t>(4 * depth_), ' ') + text); }
    void indent() { depth_++; }
    void unindent() { depth_--; }
    std::string fresh(const std::string &prefix) { return prefix + number_text(names_++); }

    // Coordinates.
    int rank() const { return rank_; }
    const Domain &domain() const { return domain_; }
    const std::vector<Var> &vars() const { return vars_; }
    const std::vector<std::string> &var_names() const { return var_names_; }
    /// The names, separated by commas.
    std::string vars_text() const { return list_text(var_names_); }
    /// The point at the Vars.
    std::vector<Term> point() const;
    /// The point moved by offsets of at most `reach`.
    std::vector<Term> near(int reach);

    // Types, inputs and outputs.
    Type draw_type();
    Layout draw_layout();
    /// A number, or a Param of that value.
    Term whole(int value, bool as_param);
    /// An input that holds the domain and `reach` points around it, in any layout.
    Source input(Type type, int reach);
    void add_output(const IterationOutput &output) { case_.outputs.push_back(output); }
    const std::vector<IterationOutput> &outputs() const { return case_.outputs; }

    // Values and definitions.
    Term combine(const std::vector<Term> &values, Type type);
    /// A value of the coordinates.
    Term formula(Type type);
    /// A Func, not yet defined.
    Func declare(const std::string &name);
    /// Defines the Func at the Vars; or adds an update there, if it is defined.
    void define(Func &func, const std::string &name, const std::vector<Term> &values);

  private:
    Random random_;
    const WriteLine &write_line_;
    IterationCase case_;
    int depth_ = 0, names_ = 0;
    int rank_ = 1;
    std::vector<Var> vars_;
    std::vector<std::string> var_names_;
    Domain domain_;

    void draw_domain();
    Term combine_two(const Term &a, const Term &b, Type type);
};

} // namespace fluorite::fuzz::iterations
