// Transposes of matrices that lie in registers.
//
// What: n rows of m elements, all powers of two, become m rows of n elements by shuffles of two registers each.
//
// Method: where an element belongs is a number of log(n * m) bits. A register with its number holds them all: some bits
// are its lane, the others its number. A shuffle of the two registers whose numbers differ in one bit may put this bit
// anywhere among the lanes, and another one in its place. Inside of 128 bits that is cheapest: there one round for each
// bit of the row number interleaves the lanes (unpack instructions), from the highest bit to the lowest, so that they
// end in order. What is left is moving whole 128 bits between registers, one round for each bit of the place of 128
// bits in a register. Which register is which costs nothing. 16 x 16 elements of 16 bits take 4 rounds of 16
// instructions.
//
// Where any lanes of two registers are one instruction away (AVX-512), registers are filled first and there is one
// round for each bit of their number: 16 x 16 bytes are 4 registers and take 2 rounds of 4 instructions.
//
// Rows of less than 128 bits grow: each round makes one register of two, until there are 128 bits. Rows of 128 bits or
// more that fill no register are put side by side first, which costs nothing where they are loaded: the rows of one
// register are those whose numbers differ in the bits that have no place in 128 bits, so every round does twice as
// much, and there is one less to move.
// Cost: linear in the elements for each round.

#include "backends/llvm/arith.h"

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;

namespace {

/// A matrix in registers. Where an element belongs in the end is a number of some bits; `lane` says which of them,
/// least first, tell the lanes of a register apart, and `number` which tell the registers apart.
struct SpreadMatrix {
    std::vector<int> lane, number;
    std::vector<Value *> registers;
};

int log2_of(int power) { return static_cast<int>(llvm::Log2_32(static_cast<uint32_t>(power))); }

size_t place_of(const std::vector<int> &bits, int bit) {
    return static_cast<size_t>(std::find(bits.begin(), bits.end(), bit) - bits.begin());
}

/// Of two registers, lanes and halves told apart by bits `from`, the `count` lanes from `first` on in the order `to`.
Value *rearranged(llvm::IRBuilder<> &b, Value *low, Value *high, const std::vector<int> &from,
                  const std::vector<int> &to, int first, int count) {
    std::vector<int> picks;
    for (int lane = first; lane < first + count; lane++) {
        int pick = 0;
        for (size_t i = 0; i < to.size(); i++) {
            pick |= (lane >> i & 1) << place_of(from, to[i]);
        }
        picks.push_back(pick);
    }
    return b.CreateShuffleVector(low, high, picks);
}

/// Rearranges the pairs of registers whose numbers differ in `bit`, so that `to` is the order of their lanes and,
/// behind it, what tells the two apart. With `is_joined` all of `to` is lanes, and of each pair one register of twice
/// the lanes remains.
void exchange(llvm::IRBuilder<> &b, SpreadMatrix &matrix, int bit, const std::vector<int> &to, bool is_joined) {
    const size_t at = place_of(matrix.number, bit);
    const int lanes = 1 << matrix.lane.size();
    std::vector<int> from = matrix.lane;
    from.push_back(bit);
    std::vector<Value *> result(matrix.registers.size());
    std::vector<Value *> joined;
    for (size_t i = 0; i < matrix.registers.size(); i++) {
        const size_t other = i | size_t{1} << at;
        if (other == i) {
            continue;
        }
        const auto part = [&](int first, int count) {
            return rearranged(b, matrix.registers[i], matrix.registers[other], from, to, first, count);
        };
        if (is_joined) {
            joined.push_back(part(0, 2 * lanes));
        } else {
            result[i] = part(0, lanes);
            result[other] = part(lanes, lanes);
        }
    }
    matrix.registers = is_joined ? joined : result;
    matrix.lane = to;
    if (is_joined) {
        matrix.number.erase(matrix.number.begin() + static_cast<ptrdiff_t>(at));
    } else {
        matrix.number[at] = to.back();
        matrix.lane.pop_back();
    }
}

/// Interleaves the neighbourhood of 128 bits: each round is one instruction a register.
void interleave_segments(llvm::IRBuilder<> &b, SpreadMatrix &matrix, int rows, size_t segment) {
    for (int bit = std::min(log2_of(rows), static_cast<int>(segment)) - 1; bit >= 0; bit--) {
        const bool is_joined = matrix.lane.size() < segment;
        std::vector<int> to = matrix.lane;
        to.insert(to.begin(), bit);
        if (!is_joined) {
            std::rotate(to.begin() + static_cast<ptrdiff_t>(segment), to.begin() + static_cast<ptrdiff_t>(segment) + 1,
                        to.end());
        }
        exchange(b, matrix, bit, to, is_joined);
    }
}

/// Puts rows side by side until they fill registers of `lanes` lanes, or rows are left that the rounds in 128 bits
/// need.
void join_rows(llvm::IRBuilder<> &b, SpreadMatrix &matrix, int rows, size_t segment, int lanes) {
    for (int bit = static_cast<int>(segment);
         bit < log2_of(rows) && matrix.lane.size() >= segment && 1 << matrix.lane.size() < lanes; bit++) {
        std::vector<int> to = matrix.lane;
        to.push_back(bit);
        exchange(b, matrix, bit, to, true);
    }
}

/// Moves whole segments of 128 bits to the registers and places where they belong.
void move_segments(llvm::IRBuilder<> &b, SpreadMatrix &matrix, size_t segment) {
    const size_t width = matrix.lane.size();
    const auto belongs = [&](int bit) { return bit >= static_cast<int>(segment) && bit < static_cast<int>(width); };
    for (;;) {
        const auto missing = llvm::find_if(matrix.number, belongs);
        std::vector<int> loose(matrix.lane.begin() + static_cast<ptrdiff_t>(std::min(segment, width)),
                               matrix.lane.end());
        if (missing != matrix.number.end()) {
            loose.push_back(*missing);
        }
        std::vector<int> to(matrix.lane);
        to.resize(width + (missing != matrix.number.end() ? 1 : 0));
        std::fill(to.begin() + static_cast<ptrdiff_t>(std::min(segment, width)), to.end(), -1);
        for (const int bit : loose) {
            if (belongs(bit)) {
                to[static_cast<size_t>(bit)] = bit;
            }
        }
        for (const int bit : loose) {
            if (!belongs(bit)) {
                *llvm::find(to, -1) = bit;
            }
        }
        if (missing != matrix.number.end()) {
            exchange(b, matrix, *missing, to, false);
            continue;
        }
        if (to != matrix.lane) {
            for (Value *&one : matrix.registers) {
                one = rearranged(b, one, llvm::PoisonValue::get(one->getType()), matrix.lane, to, 0, 1 << width);
            }
            matrix.lane = to;
        }
        return;
    }
}

} // namespace

Value *Arith::transposed(Value *matrix, int rows) {
    const int total = static_cast<int>(llvm::cast<llvm::FixedVectorType>(matrix->getType())->getNumElements()),
              row = total / rows;
    const int bits = static_cast<int>(matrix->getType()->getScalarSizeInBits());
    // Whole registers, where that takes fewer instructions: one to fill each part of a register, one for each in each
    // round.
    const int most = vector_bits_ / bits, full = std::max(total / most, 1), narrow = std::min(row, most);
    const int filled = total / row > full ? total / row - full : 0;
    const bool is_whole = has_permutes(matrix->getType()->getScalarType()) &&
                          full * log2_of(full) + filled < total / narrow * log2_of(rows);
    if (is_whole && full == 1) {
        std::vector<int> order;
        for (int i = 0; i < total; i++) {
            order.push_back(i % rows * row + i / rows);
        }
        return shuffled({matrix}, order);
    }
    const int lanes = is_whole ? most : narrow;
    const size_t segment = static_cast<size_t>(log2_of(std::max(128 / bits, 1)));
    SpreadMatrix spread;
    for (int i = 0; i < log2_of(total); i++) { // element i * row + j belongs at j * rows + i
        const int bit = i < log2_of(row) ? log2_of(rows) + i : i - log2_of(row);
        (i < log2_of(lanes) ? spread.lane : spread.number).push_back(bit);
    }
    if (is_whole) {
        std::vector<int> starts;
        spread.registers = packed(parts_of(matrix), lanes, starts);
        move_segments(b_, spread, 0);
    } else {
        for (int begin = 0; begin < total; begin += lanes) {
            spread.registers.push_back(slice(matrix, begin, lanes));
        }
        join_rows(b_, spread, rows, segment, vector_bits_ / bits);
        interleave_segments(b_, spread, rows, segment);
        move_segments(b_, spread, segment);
    }
    std::vector<Value *> ordered(spread.registers.size());
    for (size_t i = 0; i < ordered.size(); i++) {
        size_t number = 0;
        for (size_t k = 0; k < spread.number.size(); k++) {
            number |= (i >> k & 1) << (static_cast<size_t>(spread.number[k]) - spread.lane.size());
        }
        ordered[number] = spread.registers[i];
    }
    return concat(ordered);
}

} // namespace fluorite::backends
