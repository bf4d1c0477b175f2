// Transposes of matrices in registers.
//
// n rows of m elements, all powers of two, become m rows of n elements by shuffles of two registers each.
//
// The final position of an element is a number of log(n * m) bits. At any time, some of these bits are given by the
// lane of the element and the others by the number of its register. A shuffle of two registers whose numbers differ in
// one bit can move this bit to any position among the lane bits, and another bit into the register number. Within 128
// bits this is cheapest: one round for each bit of the row number interleaves the lanes (unpack instructions), from the
// highest bit to the lowest, which puts the lane bits in their final order. It remains to move whole segments of 128
// bits between registers, in one round for each bit of the segment number. Renumbering registers is free. A matrix of
// 16 x 16 elements of 16 bits takes 4 rounds of 16 instructions.
//
// If one instruction permutes arbitrary lanes of two registers (AVX-512), the registers are filled first, and there is
// one round for each bit of the register number: 16 x 16 bytes are 4 registers and take 2 rounds of 4 instructions.
//
// Rows of less than 128 bits grow: each round joins two registers until they have 128 bits. Rows of at least 128 bits
// that do not fill a register are concatenated first, which is free if they are loaded: the rows of one register are
// those whose numbers differ in the bits that do not fit into 128 bits. So every round does twice the work, and one
// segment bit less is left to move.
// Cost: linear in the elements for each round.

#include "backends/llvm/arith/lanes.h"

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;

namespace {

/// A matrix in registers. The final position of an element is a number of several bits; `lane` lists which of them,
/// least significant first, the lane number gives, and `number` those that the register number gives.
struct SpreadMatrix {
    std::vector<int> lane, number;
    std::vector<Value *> registers;
};

int log2_of(int power) { return static_cast<int>(llvm::Log2_32(static_cast<uint32_t>(power))); }

size_t place_of(const std::vector<int> &bits, int bit) {
    return static_cast<size_t>(std::find(bits.begin(), bits.end(), bit) - bits.begin());
}

/// Two registers, concatenated, have lane numbers that consist of the bits `from`. Returns the `count` lanes from
/// `first` on after a reordering of these bits to `to`.
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

/// Rearranges each pair of registers whose numbers differ in `bit`, so that `to` lists the bits of the lane number,
/// followed by the bit that distinguishes the two registers. With `is_joined`, all bits of `to` are lane bits, and each
/// pair becomes one register of twice the lanes.
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

/// Interleaves lanes within segments of 128 bits: each round takes one instruction for each register.
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

/// Concatenates rows until they fill registers of `lanes` lanes, or only the rows that the rounds within 128 bits need
/// are left.
void join_rows(llvm::IRBuilder<> &b, SpreadMatrix &matrix, int rows, size_t segment, int lanes) {
    for (int bit = static_cast<int>(segment);
         bit < log2_of(rows) && matrix.lane.size() >= segment && 1 << matrix.lane.size() < lanes; bit++) {
        std::vector<int> to = matrix.lane;
        to.push_back(bit);
        exchange(b, matrix, bit, to, true);
    }
}

/// Moves whole segments of 128 bits to their final registers and positions.
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

Value *Lanes::transposed(Value *matrix, int rows) {
    const int total = static_cast<int>(llvm::cast<llvm::FixedVectorType>(matrix->getType())->getNumElements()),
              row = total / rows;
    const int bits = static_cast<int>(matrix->getType()->getScalarSizeInBits());
    // Whether full registers take fewer instructions: one for each piece that is filled in, and one for each register
    // in each round.
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
    for (int i = 0; i < log2_of(total); i++) { // element i * row + j moves to j * rows + i
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
