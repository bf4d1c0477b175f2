#pragma once
// What an automatic scheduler knows of a pipeline: a value, made by hand in tests or from a frozen graph and estimates.
//
// A stage is a Func with its updates, for they are computed in one place. Its loops are those of its pure definition
// with known extents, innermost first, as dimensions are everywhere in this project. What it reads is one Read for
// each producer and kind of access: for each dimension of the producer, which loop of the consumer the coordinate
// follows, at which scale and with which offsets. A rational scale says the same of halving and doubling, and composes
// along paths exactly; an access that follows two loops, a value or nothing known is unbounded, which no model may
// take for a stencil.

#include "autoschedule/grouping/precedence.h"

#include <cstdint>
#include <iosfwd>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::autoschedule {

/// In lowest terms, the denominator above zero.
struct Rational {
    int64_t numerator = 1, denominator = 1;
    static Rational of(int64_t numerator, int64_t denominator = 1);
    bool operator==(const Rational &) const = default;
    double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
    friend Rational operator*(Rational a, Rational b) {
        return of(a.numerator * b.numerator, a.denominator * b.denominator);
    }
    friend Rational operator/(Rational a, Rational b) {
        return of(a.numerator * b.denominator, a.denominator * b.numerator);
    }
};

/// Which coordinates of one dimension of a producer one point of the consumer reads.
struct Footprint {
    enum class Kind : uint8_t {
        Affine,    // floor(scale * loop) + min .. max
        Constant,  // min .. max, whatever the point
        Unbounded, // depends on data, or on several loops
    };
    Kind kind = Kind::Affine;
    size_t loop = 0; // of the consumer
    Rational scale;
    int64_t min = 0, max = 0;
    bool is_rounded = false; // neighbours of the loop are not always as far apart as the scale says

    static Footprint affine(size_t loop, int64_t min = 0, int64_t max = 0, Rational scale = {}) {
        return {Kind::Affine, loop, scale, min, max};
    }
    static Footprint constant(int64_t min, int64_t max) { return {Kind::Constant, 0, {}, min, max}; }
    static Footprint unbounded() { return {Kind::Unbounded, 0, {}, 0, 0}; }
    int64_t width() const { return max - min + 1; }
    bool operator==(const Footprint &) const = default;
};

struct Read {
    bool is_input = false; // of an input image, else of a stage
    size_t source = 0;
    std::vector<Footprint> footprint; // by dimension of the source
    int64_t loads = 1;                // of one point; fewer than the footprint's points where it is no box
    /// Of an update: the footprint of one step of its RVars.
    std::vector<Footprint> step = {};
    bool is_initial = false; // by the pure definition of a stage with updates

    bool is_gathered() const; // in some dimension
    bool follows(size_t loop) const;
};

struct LoopExtent {
    std::string name;
    int64_t extent = 1;
    /// All runs of the pipeline have this extent, from `min` on, and not only those of the sizes it is planned for.
    bool is_constant = false;
    bool is_promised = false; // by a bound of the program's
    int64_t min = 0;
    bool is_lanes = false; // its iterations are the lanes of vectors, although others come first
    /// An update writes at coordinates of its own along it, so it runs as a whole, whatever part is needed.
    bool is_whole = false;
    /// A coordinate of an input that is not clamped follows it, here or in a stage that is read: values beyond those
    /// that are needed may not be computed.
    bool is_exact = false;
    /// A condition on sizes says whether it has so many iterations.
    bool is_testable = false;
};

/// The work of a block of points that are computed together, by unrolled loops: they share operands and loads.
struct BlockWork {
    struct Loads {
        bool is_input = false;
        size_t source = 0;
        double cost = 0; // of all distinct loads of the block
    };
    std::vector<int64_t> sizes; // by loop
    double operations = 0;      // of the block, without its loads
    std::vector<Loads> loads;   // by source
    double shared = 0;          // values of 32 bits that several of its points use
    double widest = 1;          // the widest type, in 32 bits

    int64_t points() const;
    double work() const; // operations and loads
};

/// The work of one update that runs over all loops of its stage, so that the sums of a block of points can stay in
/// registers while its RVars run. A value that follows some loops only is computed, or loaded, once for all points of
/// the block along the others.
struct UpdateWork {
    struct Part {
        uint64_t loops = 0;               // of the stage, as bits: those that the values follow
        double operations = 0, loads = 0; // for one point, in additions and in loads of 32 bits
        double addresses = 0;             // of scalars, for loads at coordinates that follow these loops
        double edges = 0;                 // of the loads, those that are clamped along the loop of the vector
    };
    std::vector<Part> parts;
    std::vector<int64_t> reduction; // extents of the RVars, innermost first
    std::vector<int64_t> bits = {}; // of the values of a tuple
    double chain = 1;               // operations that one step of a sum waits for the one before
    /// Steps of the innermost RVar that are unrolled, because they read the rows of lanes on: a tile of each is loaded
    /// and transposed in registers, where single elements would be gathered.
    int64_t steps_together = 1;
    double code = 0; // nodes of the code for one point

    double steps() const; // of the RVars, for each point
};

struct StageNode {
    std::string name;
    std::vector<LoopExtent> loops; // innermost first
    int64_t bytes = 4;             // of one point, all values of a tuple together
    int64_t lane_bytes = 0;        // of the type that decides how many lanes a vector has; 0: as `bytes`
    double arithmetic = 1;         // operations and loads for one point
    double serial = 0;             // of them, those of updates that run as no vector, as their lanes would lie apart
    double updates = 0;            // of a reduction: how many points its updates run over, for each point of the stage
    bool is_output = false;
    size_t results = 1;      // Funcs that are one stage, as they have the same loops
    bool is_by_hand = false; // its loops and its place are given: it is in no group with others
    std::vector<Read> reads;
    /// Of a stage without updates: single points first, then what may be unrolled. Empty: nothing is known.
    std::vector<BlockWork> blocks;
    /// The block of the least work for each point that unrolls loops of constant extents only.
    size_t constant_block = 0;
    /// The block that reads columns as vectors of rows and turns them, if that takes less work for each point.
    std::optional<size_t> column_block = {};
    /// The dimension whose neighbours lie together in memory; none: that of the stage's vectors.
    std::optional<size_t> innermost = {};
    double turning = 0; // to store a point along another dimension than that of its vector, in additions
    /// By update: of one that writes at coordinates of its own, the loop whose iterations are lanes; none: no vector.
    std::vector<std::optional<size_t>> update_lanes = {};
    /// By update: the extents of its RVars, innermost first.
    std::vector<std::vector<int64_t>> reductions = {};
    /// By update, if blocks of sums can stay in registers during all of them; else empty.
    std::vector<UpdateWork> sums;
    double code = 0;    // nodes of the code for one point of the pure definition
    double initial = 0; // of a stage with updates: operations and loads of one point of the pure definition

    bool is_exact() const; // along some loop
    int64_t points() const;
};

struct InputImage {
    std::string name;
    std::vector<int64_t> extents; // innermost first; 0: not known, until set_unknown_extents()
    int64_t bytes = 4;
};

/// Stages are in topological order.
struct StageGraph {
    std::vector<InputImage> inputs;
    std::vector<StageNode> stages;
};

/// Gives inputs of unknown size as many elements as the stages would read if nothing clamped their coordinates.
void set_unknown_extents(StageGraph &graph);
/// Throws InternalError naming the first read that does not fit its source or its consumer.
void check_stage_graph(const StageGraph &graph);
/// Whether blocks of the last stage of a group, wherever they are, need as many points of a stage: all its reads in the
/// group, followed from the last stage on, move each dimension with one loop at one whole step, or not at all. A loop
/// of constant extent that is in the block as a whole does not move it.
bool is_steady(const StageGraph &graph, const StageSet &group, size_t last, size_t stage,
               const std::vector<int64_t> &block);
Precedence precedence_of(const StageGraph &graph, Link link = Link::Reads);
std::ostream &operator<<(std::ostream &stream, const StageGraph &graph);

} // namespace fluorite::autoschedule
