#pragma once
// Draws a random pipeline: make_genome.cpp its Funcs and their updates, make_terms.cpp what they compute.
//
// One class draws everything, because all draws come from one stream of random numbers in a fixed order, in which a
// seed stands for a pipeline, and because Funcs, terms and coordinates draw each other: a term reads at coordinates,
// which may be data, which are terms.

#include "genome.h"

namespace fluorite::fuzz {

// The variables that a term may use.
struct Scope {
    int index = 0;     // Funcs before this one may be called
    int variables = 0; // pure Vars, then RVars
    uint32_t hidden = 0;

    bool usable(int variable) const { return !(hidden >> variable & 1); }
};

class Maker {
  public:
    explicit Maker(uint64_t seed) : random_(seed) {}

    Genome run();

  private:
    Random random_;
    Genome genome_;
    int depth_ = 0;
    int base_rank_ = 2;

    template <typename T, size_t N> T pick(const T (&items)[N]) {
        return items[random_.in(0, static_cast<int>(N) - 1)];
    }

    Type any_type();

    int any_rank() { return random_.chance(65) ? base_rank_ : random_.in(1, 3); }

    // ---- Inputs, Params, outputs.

    void make_inputs();

    void make_params();

    // The index of an Int32 Param, or -1.
    int index_param() { return genome_.params.empty() ? -1 : 0; }

    void add_output(int func);

    // ---- Funcs.

    FuncGene make_func(int index);

    bool boundary(int index, FuncGene &func);

    Update make_update(const FuncGene &func, int index);

    /// With some probability, leaves some points or some tuple elements unchanged.
    void leave_alone(Update &update, const Scope &scope);

    static Scope scope_without(Scope scope, int variable);

    Term variable(int index);
    Term constant(Type type, int64_t number);
    Term binary(Term::Op op, Type type, const Term &a, const Term &b);

    Term predicate(const Scope &scope, int rank, int rvars);

    Term combine(Type type, const Term &a, const Term &b);

    // ---- Coordinates.

    int pick_variable(const Scope &scope);

    Coordinate data_coordinate(const Scope &scope);

    Coordinate make_coordinate(const Scope &scope, int dimension);

    // ---- Terms.

    // An input that is bound to a fixed region is read through boundary conditions only.
    int free_input();

    // A read of a Func before scope.index, or of an input, still without coordinates; false if nothing can be read.
    bool pick_source(const Scope &scope, Term &term, int &rank);

    Term make_read(const Scope &scope);

    Term converted(const Term &term, Type type);

    // Neighbours along one or two dimensions, or every second element, or each element twice.
    Term shaped_term(Type type, const Scope &scope);

    Term leaf(Type type, const Scope &scope);

    Term reduction(Type type, const Scope &scope, int depth);

    // Whether the term cannot fold to a constant.
    static bool reads(const Term &term);

    Term make_term(Type type, const Scope &scope, int depth);
};

} // namespace fluorite::fuzz
