// Shuffles of several vectors in arbitrary order.
//
// With AVX-512, one instruction picks arbitrary lanes of two registers. A shuffle of vectors of any width is decomposed
// into such instructions, one register of the result after the other:
//   r, g, b of 32 bytes each, interleaved to 96   -->   rg = r, g in one register; 64 bytes from rg and b; 32 bytes
//   from
//                                                       rg and b
//   every third of 192 bytes in a, b, c           -->   ab = a blended with the lanes of b that are used; 64 bytes from
//                                                       ab and c
// LLVM itself lowers one wide shuffle as for instructions that move bytes within 128 bits only, which takes several
// times as many instructions.
//
// The vectors are split into the registers that they were assembled from, and wide loads into one load for each
// register, so that LLVM sees no wide vector. Narrow vectors share a register. A register of the result that needs
// three or more sources blends them if their lanes have distinct numbers (as with odd strides), which is cheaper than a
// permutation; otherwise the sources are permuted into the result one after the other.
//
// Requires permutations of the element size (for bytes, AVX-512 VBMI). Without them, one shuffle is emitted and LLVM
// decomposes it.
// Cost: linear in the number of lanes, times the source registers of a register of the result.

#include "backends/llvm/arith/lanes.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <numeric>

namespace fluorite::backends {

using llvm::Value;

namespace {

constexpr int least_lanes = 4; // the lanes of each vector are a multiple of it, so that no piece is a scalar

/// The vector, extended by undefined lanes.
Value *padded(llvm::IRBuilder<> &b, Value *vector, int lanes) {
    if (lanes_of(vector) == lanes) {
        return vector;
    }
    std::vector<int> order(static_cast<size_t>(lanes), -1);
    std::iota(order.begin(), order.begin() + lanes_of(vector), 0);
    return b.CreateShuffleVector(vector, order);
}

/// A lane of the result: the number of the register that it comes from (-1: none), and its lane there.
struct Pick {
    int from = -1, lane = 0;
};

/// Whether no two registers contribute the same lane number: then a blend of all of them keeps every lane in place.
bool lie_apart(llvm::ArrayRef<Pick> picks, int lanes) {
    std::vector<int> owner(static_cast<size_t>(lanes), -1);
    for (const Pick &pick : picks) {
        int &known = owner[static_cast<size_t>(pick.lane)];
        if (pick.from >= 0 && known >= 0 && known != pick.from) {
            return false;
        }
        known = pick.from >= 0 ? pick.from : known;
    }
    return true;
}

/// Hides from LLVM that the bytes are interleaved: it would decompose the store of an interleaving shuffle into moves
/// within 128 bits.
Value *hidden(llvm::IRBuilder<> &b, Value *bytes) {
    llvm::Type *type = bytes->getType();
    llvm::Type *floats = llvm::FixedVectorType::get(b.getFloatTy(), static_cast<unsigned>(lanes_of(bytes) / 4));
    Value *fenced = b.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {floats}, {b.CreateBitCast(bytes, floats)});
    return b.CreateBitCast(fenced, type);
}

bool is_interleaved(llvm::ArrayRef<int> order, int sources) {
    llvm::SmallVector<unsigned, 4> starts;
    const auto goes = [&](unsigned factor) {
        return order.size() % factor == 0 &&
               llvm::ShuffleVectorInst::isInterleaveMask(order, factor, static_cast<unsigned>(sources), starts);
    };
    return goes(3) || goes(4);
}

/// One register of the result: the lanes `picks` of registers of `lanes` lanes each.
Value *picked(llvm::IRBuilder<> &b, llvm::ArrayRef<Value *> registers, llvm::ArrayRef<Pick> picks, int lanes) {
    std::vector<int> used;
    for (const Pick &pick : picks) {
        if (pick.from >= 0 && !llvm::is_contained(used, pick.from)) {
            used.push_back(pick.from);
        }
    }
    llvm::Type *type = registers[0]->getType();
    if (used.empty()) {
        return padded(b, llvm::PoisonValue::get(type), static_cast<int>(picks.size()));
    }
    const auto source = [&](size_t i) { return registers[static_cast<size_t>(used[i])]; };
    const bool blends = used.size() > 2 && lie_apart(picks, lanes);
    Value *first = source(0);
    std::vector<Pick> places(picks.begin(), picks.end()); // of the lanes that `first` contains so far
    const auto is_in = [&](const Pick &pick, size_t count) {
        return std::find(used.begin(), used.begin() + static_cast<ptrdiff_t>(count), pick.from) !=
               used.begin() + static_cast<ptrdiff_t>(count);
    };
    for (size_t i = 1; i + 1 < used.size(); i++) {
        std::vector<int> order(static_cast<size_t>(lanes), -1);
        for (size_t k = 0; k < picks.size(); k++) {
            const bool is_new = picks[k].from == used[i];
            if (picks[k].from < 0 || (!is_new && !is_in(picks[k], i))) {
                continue;
            }
            const int lane = is_new ? lanes + picks[k].lane : places[k].lane;
            order[blends ? static_cast<size_t>(picks[k].lane) : k] = lane;
        }
        for (size_t k = 0; k < picks.size(); k++) {
            if (!blends && is_in(picks[k], i + 1)) {
                places[k].lane = static_cast<int>(k);
            }
        }
        first = b.CreateShuffleVector(first, source(i), order);
    }
    std::vector<int> order;
    for (size_t k = 0; k < picks.size(); k++) {
        const bool is_last = used.size() > 1 && picks[k].from == used.back();
        order.push_back(picks[k].from < 0 ? -1 : is_last ? lanes + picks[k].lane : places[k].lane);
    }
    Value *second = used.size() > 1 ? source(used.size() - 1) : llvm::PoisonValue::get(type);
    Value *result = b.CreateShuffleVector(first, second, order);
    const bool is_bytes = type->getScalarSizeInBits() == 8 && order.size() >= 32 && order.size() % 16 == 0;
    return is_bytes && is_interleaved(order, lanes * (used.size() > 1 ? 2 : 1)) ? hidden(b, result) : result;
}

} // namespace

llvm::MDNode *tag_of_width(llvm::MDNode *tag, uint64_t bytes) {
    constexpr llvm::StringLiteral mark = " by vectors of ";
    auto *type = llvm::cast<llvm::MDNode>(tag->getOperand(1));
    llvm::StringRef name = llvm::cast<llvm::MDString>(type->getOperand(0))->getString();
    if (const size_t at = name.rfind(mark); at != llvm::StringRef::npos) {
        type = llvm::cast<llvm::MDNode>(type->getOperand(1));
        name = name.substr(0, at);
    }
    llvm::MDBuilder metadata(tag->getContext());
    llvm::MDNode *own = metadata.createTBAAScalarTypeNode((name + mark + llvm::Twine(bytes)).str(), type);
    return metadata.createTBAAStructTagNode(own, own, 0);
}

bool Lanes::has_permutes(llvm::Type *element) const {
    const auto bits = static_cast<int>(element->getPrimitiveSizeInBits());
    return least_permuted_bits_ > 0 && bits >= least_permuted_bits_;
}

std::vector<Value *> Lanes::stored_parts(Value *vector) const {
    const auto known = parts_.find(vector);
    return known == parts_.end() ? std::vector<Value *>() : known->second;
}

/// Splits a wide load into loads of one register each, at the position of the wide one.
std::vector<Value *> Lanes::loads_of(llvm::LoadInst *wide) {
    llvm::IRBuilder<>::InsertPointGuard guard(b_);
    b_.SetInsertPoint(wide->getParent(), std::next(wide->getIterator()));
    llvm::Type *element = wide->getType()->getScalarType();
    const int lanes = lanes_of(wide), most = vector_bits_ / static_cast<int>(element->getScalarSizeInBits());
    std::vector<Value *> loads;
    for (int begin = 0; begin < lanes;) {
        const int count = std::min(most, static_cast<int>(llvm::bit_floor(static_cast<unsigned>(lanes - begin))));
        Value *at = b_.CreateConstInBoundsGEP1_64(element, wide->getPointerOperand(), static_cast<uint64_t>(begin));
        llvm::Type *type = llvm::FixedVectorType::get(element, static_cast<unsigned>(count));
        llvm::LoadInst *load =
            b_.CreateAlignedLoad(type, at, llvm::Align(std::max(element->getScalarSizeInBits() / 8, 1U)));
        load->copyMetadata(*wide);
        if (llvm::MDNode *tag = wide->getMetadata(llvm::LLVMContext::MD_tbaa)) {
            const auto bytes = static_cast<uint64_t>(count) * element->getScalarSizeInBits() / 8;
            load->setMetadata(llvm::LLVMContext::MD_tbaa, tag_of_width(tag, bytes));
        }
        loads.push_back(load);
        begin += count;
    }
    return loads;
}

/// The pieces of a vector whose lanes are a multiple of least_lanes, in order: vectors that have a power of two of
/// lanes and fit into a register.
std::vector<Value *> Lanes::parts_of(Value *vector) {
    if (const auto known = parts_.find(vector); known != parts_.end()) {
        return known->second;
    }
    const auto bits = static_cast<int>(vector->getType()->getScalarSizeInBits());
    const int lanes = lanes_of(vector), most = vector_bits_ / bits;
    const bool is_power = llvm::isPowerOf2_32(static_cast<unsigned>(lanes));
    if (lanes <= most && is_power) {
        return {vector};
    }
    std::vector<Value *> parts;
    auto *whole = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
    const auto has_parts = [](const llvm::ShuffleVectorInst *halves) { // and no half has a scalar piece
        return halves && halves->isConcat() && lanes_of(halves->getOperand(0)) % least_lanes == 0;
    };
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(vector)) {
        // emitted at the load, hence valid for all uses; other pieces are emitted at this use
        return parts_[vector] = loads_of(load);
    }
    if (has_parts(whole)) {
        parts = parts_of(whole->getOperand(0));
        const std::vector<Value *> behind = parts_of(whole->getOperand(1));
        parts.insert(parts.end(), behind.begin(), behind.end());
    } else {
        for (int begin = 0; begin < lanes;) {
            const int count = std::min(most, static_cast<int>(llvm::bit_floor(static_cast<unsigned>(lanes - begin))));
            parts.push_back(slice(vector, begin, count));
            begin += count;
        }
    }
    return parts;
}

/// Consecutive pieces, packed into registers of `lanes` lanes. `starts` receives the number of the lane at which each
/// piece begins, counted over all registers.
std::vector<Value *> Lanes::packed(llvm::ArrayRef<Value *> parts, int lanes, std::vector<int> &starts) {
    std::vector<Value *> registers, group;
    int filled = 0;
    const auto close = [&] {
        if (!group.empty()) {
            const bool is_even = llvm::all_of(group, [&](Value *v) { return lanes_of(v) == lanes_of(group[0]); });
            const size_t places = is_even ? llvm::PowerOf2Ceil(group.size()) : group.size();
            group.resize(places, llvm::PoisonValue::get(group[0]->getType()));
            registers.push_back(padded(b_, joined(group), lanes));
        }
        group.clear();
        filled = 0;
    };
    for (Value *part : parts) {
        if (filled + lanes_of(part) > lanes) {
            close();
        }
        starts.push_back(static_cast<int>(registers.size()) * lanes + filled);
        group.push_back(part);
        filled += lanes_of(part);
    }
    close();
    return registers;
}

Value *Lanes::shuffled(llvm::ArrayRef<Value *> vectors, llvm::ArrayRef<int> order) {
    const auto is_planned = [&](Value *v) {
        return v->getType()->isVectorTy() && lanes_of(v) % least_lanes == 0 &&
               has_permutes(v->getType()->getScalarType());
    };
    if (!llvm::all_of(vectors, is_planned) || order.size() % least_lanes != 0) {
        Value *result = b_.CreateShuffleVector(concat(vectors), order);
        note_groups(result, vectors, order);
        return result;
    }
    std::vector<Value *> all;
    for (Value *vector : vectors) {
        const std::vector<Value *> own = parts_of(vector);
        all.insert(all.end(), own.begin(), own.end());
    }
    // Keep only the pieces that are used, and find the piece of each lane of the result.
    std::vector<std::pair<size_t, int>> places; // piece and lane, for each lane of the vectors
    for (size_t i = 0; i < all.size(); i++) {
        for (int lane = 0; lane < lanes_of(all[i]); lane++) {
            places.emplace_back(i, lane);
        }
    }
    std::vector<bool> is_used(all.size());
    for (const int from : order) {
        if (from >= 0) {
            is_used[places[static_cast<size_t>(from)].first] = true;
        }
    }
    std::vector<Value *> parts;
    std::vector<size_t> number(all.size());
    int widest = 1;
    for (size_t i = 0; i < all.size(); i++) {
        number[i] = parts.size();
        if (is_used[i]) {
            parts.push_back(all[i]);
            widest = std::max(widest, lanes_of(all[i]));
        }
    }
    if (parts.empty()) {
        return b_.CreateShuffleVector(concat(vectors), order);
    }
    const int most = vector_bits_ / static_cast<int>(all[0]->getType()->getScalarSizeInBits());
    const int whole = static_cast<int>(llvm::bit_ceil(static_cast<unsigned>(order.size())));
    const int lanes = std::max(widest, std::min(whole, most));
    std::vector<int> starts;
    const std::vector<Value *> registers = packed(parts, lanes, starts);
    std::vector<Pick> picks;
    for (const int from : order) {
        Pick pick;
        if (from >= 0) {
            const auto [part, lane] = places[static_cast<size_t>(from)];
            const int at = starts[number[part]] + lane;
            pick = {at / lanes, at % lanes};
        }
        picks.push_back(pick);
    }
    std::vector<Value *> result;
    for (size_t begin = 0; begin < picks.size(); begin += static_cast<size_t>(lanes)) {
        const size_t count = std::min(picks.size() - begin, static_cast<size_t>(lanes));
        const bool is_power = llvm::isPowerOf2_64(count);
        std::vector<Pick> own(picks.begin() + static_cast<ptrdiff_t>(begin),
                              picks.begin() + static_cast<ptrdiff_t>(begin + count));
        own.resize(is_power ? count : static_cast<size_t>(lanes));
        Value *made = picked(b_, registers, own, lanes);
        for (size_t at = 0; at < count;) { // powers of two, each a single load or store
            const size_t size = is_power ? count : llvm::bit_floor(count - at);
            result.push_back(is_power ? made : slice(made, static_cast<int>(at), static_cast<int>(size)));
            at += size;
        }
    }
    Value *shuffled = joined(result);
    note_groups(shuffled, vectors, order);
    return shuffled;
}

/// The concatenation of the vectors; `parts_` records its pieces.
Value *Lanes::joined(llvm::ArrayRef<Value *> vectors) {
    Value *all = concat(vectors);
    const bool is_even = llvm::all_of(vectors, [&](Value *v) { return v->getType() == vectors[0]->getType(); });
    if (vectors.size() > 1 && !(is_even && llvm::isPowerOf2_64(vectors.size()))) {
        parts_[all] = vectors.vec();
    }
    return all;
}

} // namespace fluorite::backends
