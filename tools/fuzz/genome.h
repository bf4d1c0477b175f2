#pragma once
// A fuzz case as plain data: a random pipeline and a random schedule. build.h makes a program of it, print_cpp.h prints
// it as C++, genome_text.h stores it in files, shrink.h makes it smaller.

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

/// Every type that a value can have.
const std::vector<Type> &all_types();

struct Term;

/// A coordinate over the variables of a definition (pure Vars, then RVars).
struct Coordinate {
    enum class Kind : uint8_t {
        Affine,   // variable + offset
        Halved,   // (variable + offset) / high
        Scaled,   // variable * high + offset
        Wrapped,  // (variable + offset) % high
        Reversed, // offset - variable
        Clamped,  // clamp(variable + offset, low, high)
        Pair,     // variable + other + offset
        Shifted,  // variable + Param `other` + offset
        Constant, // offset
        Data      // clamp(data, low, high)
    };
    Kind kind = Kind::Affine;
    int variable = 0, other = 0, offset = 0, low = 0, high = 2;
    std::vector<Term> data; // one term
};
const char *kind_name(Coordinate::Kind kind);

/// An expression.
struct Term {
    enum class Op : uint8_t {
#define FUZZ_TERM(Op, text) Op,
#include "term_ops.def"
#undef FUZZ_TERM
    };
    Op op = Op::Constant;
    Type type = Int(32);
    int64_t number = 0;          // Constant: the value. Variable, Param: the index. Reductions: extent of the first
                                 // RVar. Self: 1 reads the second neighbour of an update in two directions
    int second = 0;              // Reductions: extent of the second RVar; 0: none
    int source = 0, element = 0; // Call: Func; Input: input; element: index in a tuple
    std::vector<Coordinate> coordinates;
    std::vector<Term> args;

    /// Whether this is an inline reduction; its operand has one or two additional variables.
    bool is_reduction() const { return op >= Op::Sum; }
};
const char *op_name(Term::Op op);
const char *op_text(Term::Op op);

/// One dimension of an RDom. A nonnegative `param` is the Param that gives the extent.
struct Axis {
    int min = 0, extent = 1, param = -1;
};

struct Update {
    enum class Kind : uint8_t {
        Accumulate, // f(x, y) from f(x, y) over the RDom
        Scan,       // f(x, r) from f(x, r - 1)
        ScanBack,   // f(x, n - r) from f(x, n - r + 1)
        ScanBoth,   // f(r, s) from f(r - 1, s) and f(r, s - 1)
        Block,      // f(r, s) from f(r, s)
        Scatter,    // f(x, data) from f(x, data)
        Slice,      // f(x, 3) from f(x, 3)
        Plain       // f(x, y) from f(x, y), no RDom
    };
    Kind kind = Kind::Accumulate;
    std::vector<Axis> domain;
    int dimension = 0;           // Scan, ScanBack, Scatter, Slice: the dimension that is not a pure Var
    int offset = 0;              // ScanBack: n. Slice: the coordinate
    Coordinate target;           // Scatter
    std::vector<Term> values;    // one per tuple element
    std::vector<Term> predicate; // empty, or one term of type bool
};
const char *kind_name(Update::Kind kind);

struct FuncGene {
    enum class Kind : uint8_t { Defined, RepeatEdge, ConstantExterior, RepeatImage, MirrorImage, MirrorInterior };
    Kind kind = Kind::Defined;
    std::string name;
    int rank = 1;
    std::vector<Type> types;
    std::vector<Term> values;
    std::vector<Update> updates;

    // Boundary conditions: of an input or an earlier Func, in a box; an empty box means the input's.
    bool of_input = false;
    int source = 0;
    int exterior = 0;
    std::vector<int> box; // min, extent, min, extent, ...
};
const char *kind_name(FuncGene::Kind kind);

/// The layout of a buffer in memory.
enum class Layout : uint8_t {
    Dense,       // dimension 0 innermost
    Padded,      // rows with gaps
    Larger,      // inputs: more than required
    Interleaved, // the last dimension innermost
    Strided      // gaps between the elements of dimension 0
};
const char *kind_name(Layout layout);
/// Whether the stride of dimension 0 is not 1, which the program has to allow.
inline bool is_sparse(Layout layout) { return layout == Layout::Interleaved || layout == Layout::Strided; }

struct InputGene {
    enum class Values : uint8_t { Bits, Small, Extreme };
    std::string name;
    Type type = UInt(8);
    int rank = 1;
    Layout layout = Layout::Dense;
    Values values = Values::Bits;
    std::vector<int> box; // min, extent, ...: the bound region, instead of the inferred one
};
const char *kind_name(InputGene::Values values);

struct ParamGene {
    std::string name;
    Type type = Int(32);
    int value = 0;
};

struct OutputGene {
    int func = 0;
    Layout layout = Layout::Dense;
    std::vector<int> min, extent;
};

struct Directive {
    enum class Op : uint8_t {
#define FUZZ_DIRECTIVE(Op, name, weight, function) Op,
#include "directive_ops.def"
#undef FUZZ_DIRECTIVE
    };
    Op op = Op::ComputeRoot;
    int func = 0, stage = 0;
    int wrapper = -1;        // not negative: applies to this wrapper of the Func, modulo their number
    int loop = 0, other = 0; // indices modulo the number of loops (or legal sites)
    int consumer = -1, consumer_stage = 0;
    int factor = 4, factor2 = 4;
    TailStrategy tail = TailStrategy::Auto;
    bool wild = false; // exactly as drawn; otherwise the nearest legal directive
};
const char *op_name(Directive::Op op);
int op_weight(Directive::Op op);
constexpr int directive_count =
#define FUZZ_DIRECTIVE(Op, name, weight, function) +1
#include "directive_ops.def"
#undef FUZZ_DIRECTIVE
    ;

/// An operator on the schedule tree, applied if it is legal and skipped otherwise.
struct WalkStep {
    enum class Op : uint8_t {
        Split,
        Fuse,
        Reorder,
        LoopType,
        HoistCompute,
        LowerCompute,
        HoistStorage,
        LowerStorage,
        Inline,
        Deinline,
        Rename,
        Skew
    };
    Op op = Op::Split;
    int func = 0;
    int helper = -1; // not negative: applies to this Func that the program does not name, modulo their number
    int stage = 0, loop = 0, other = 0; // modulo their number; `other` is also the kind of a loop or an order
    int factor = 4;
    TailStrategy tail = TailStrategy::Auto;
};
const char *op_name(WalkStep::Op op);
constexpr int walk_op_count = static_cast<int>(WalkStep::Op::Skew) + 1;

/// A schedule that the library finds.
struct AutomaticGene {
    bool by_polymage = false; // by the published model
    int threads = 2;
    int factor = 1;      // the sizes that it is made for, in those that are computed
    int vector_bits = 0; // of the processor that it is made for; 0: this one
};

struct Genome {
    std::vector<InputGene> inputs;
    std::vector<ParamGene> params;
    std::vector<FuncGene> funcs;
    std::vector<OutputGene> outputs;
    std::vector<WalkStep> walk; // starts at the default tree; its schedule is applied before the directives
    std::vector<Directive> schedule;
    std::vector<AutomaticGene> automatic; // one instead of a walk and directives, or none
    int device =
        0; // the seed by which loops become blocks and threads of a GPU in the end (apply_device.h); 0: none do

    bool is_output(int func) const;
    /// Whether the schedule may be illegal.
    bool is_wild() const;
};

/// The case of a seed and a number.
Genome make_genome(uint64_t seed, uint64_t number);
struct Options;
/// The case of that number under the command line's options.
Genome make_genome(const Options &options, uint64_t number);
/// Appends random directives, or a random walk and directives that are legal with any placement, or an automatic
/// schedule.
void make_schedule(Genome &genome, Random &random);

/// All terms of a genome, in a fixed order.
std::vector<Term *> all_terms(Genome &genome);
/// All terms of one Func.
std::vector<Term *> all_terms(FuncGene &func);

} // namespace fluorite::fuzz
