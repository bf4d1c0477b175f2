#pragma once
// A fuzz case as plain data: a random pipeline and a random schedule. Programs are built from it (build.h), printed as C++
// (print_cpp.h), and made smaller (shrink.h).

#include "fluorite/schedule_types.h"
#include "fluorite/type.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fluorite::fuzz {

/// Random numbers that are the same on every machine.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ull;
        uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    /// In [low, high].
    int in(int low, int high) { return low + static_cast<int>(next() % static_cast<uint64_t>(high - low + 1)); }
    bool chance(int percent) { return in(0, 99) < percent; }

  private:
    uint64_t state_;
};

struct Term;

/// A coordinate over the variables of a definition (pure Vars, then RVars).
struct Coordinate {
    enum class Kind : uint8_t { Affine, Halved, Doubled, Wrapped, Constant, Data };
    Kind kind = Kind::Affine;
    int variable = 0;
    int offset = 0;
    int low = 0, high = 0;  // Data: clamped to this range. Wrapped: modulus is high
    std::vector<Term> data; // one term
};

/// An expression.
struct Term {
    enum class Op : uint8_t {
        Constant, // number
        Variable, // a variable, converted
        Call,     // a value of a Func at coordinates
        Input,    // an input at coordinates
        Self,     // the Func being updated, at the left-hand side (or one step back in a scan)
        Cast,
        Saturate,
        Add,
        Sub,
        Mul,
        Div,
        Mod,
        Min,
        Max,
        Select,  // a < b ? c : d
        Compare, // a < b as bool
        And,
        Or,
        Xor,
        ShiftLeft,
        ShiftRight,
        Abs,
        AbsDiff,
        Negate,
        Sqrt,
        Floor,
        Sum, // an inline reduction over RDom(0, number) of the operand, whose last variable is the RVar
    };
    Op op = Op::Constant;
    Type type;
    int64_t number = 0;
    int source = 0, element = 0; // Call: Func; Input: input
    std::vector<Coordinate> coordinates;
    std::vector<Term> args;
};

struct Update {
    enum class Kind : uint8_t { Accumulate, Scan, Scatter, Plain };
    Kind kind = Kind::Accumulate;
    std::vector<std::pair<int, int>> domain; // min, extent of each RVar
    int dimension = 0;                       // Scan, Scatter: the dimension that is not a pure Var
    Coordinate target;                       // Scatter
    std::vector<Term> values;                // one a tuple element
    bool has_predicate = false;
    int predicate_limit = 0; // sum of RVars and first Var below this
};

struct FuncGene {
    std::string name;
    int rank = 1;
    std::vector<Type> types;
    std::vector<Term> values;
    std::vector<Update> updates;
};

struct InputGene {
    std::string name;
    Type type;
    int rank = 1;
};

struct Directive {
    enum class Op : uint8_t {
        ComputeRoot,
        ComputeAt,
        StoreRoot,
        StoreAt,
        Split,
        Fuse,
        Reorder,
        Vectorize,
        Unroll,
        Parallel,
        VectorizeWhole,
        Tile,
        ReorderStorage,
        AlignBounds,
        Partition,
    };
    static constexpr int op_count = 15;
    Op op = Op::ComputeRoot;
    int func = 0, stage = 0;
    int loop = 0, other = 0; // positions, taken modulo the number of loops there are
    int consumer = 0, consumer_stage = 0;
    int factor = 4;
    TailStrategy tail = TailStrategy::Auto;
};
const char *op_name(Directive::Op op);

struct Genome {
    std::vector<InputGene> inputs;
    std::vector<FuncGene> funcs; // the last one is the output
    std::vector<Directive> schedule;
    std::vector<int> min, extent; // of the output
};

/// The case of a seed and a number.
Genome make_genome(uint64_t seed, uint64_t number);

} // namespace fluorite::fuzz
