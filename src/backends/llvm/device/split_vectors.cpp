// Loads and stores of vectors that a device cannot access at once.
//
//   v = load <4 x i16>, p, align 4   -->   a = load <2 x i16>, p, align 4;  b = load <2 x i16>, p + 4, align 4
//                                          v = a[0], a[1], b[0], b[1]
//
// Selection would split them, too, but after the passes that share values: lanes of one load are lanes of another one
// where the rows or lanes of a thread overlap. It would also pack the parts into words to take them out again.
//
// Runs after InferAlignment, and before the passes that remove what is loaded twice. Precondition: lanes of whole
// bytes.

#include "backends/llvm/device/split_vectors.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace fluorite::backends {

namespace {

constexpr uint64_t widest_access = 16; // bytes: ld.global.v4.b32

/// One load or store, and the lanes that an access of a device takes at once.
class Split {
  public:
    Split(llvm::Instruction &access, llvm::Value *pointer, llvm::Type *accessed, llvm::Align alignment,
          const llvm::DataLayout &layout)
        : access_(access), pointer_(pointer), type_(llvm::dyn_cast<llvm::FixedVectorType>(accessed)),
          alignment_(alignment), b_(&access) {
        if (type_ != nullptr) {
            lane_bytes_ = layout.getTypeStoreSize(type_->getElementType());
            const uint64_t most = std::bit_floor(std::max<uint64_t>(widest_access / lane_bytes_, 1));
            lanes_ = std::clamp<uint64_t>(alignment.value() / lane_bytes_, 1, most);
        }
    }
    bool is_needed() const { return type_ != nullptr && lanes_ < type_->getNumElements(); }

    void load() {
        llvm::Value *whole = llvm::PoisonValue::get(type_);
        for (uint64_t first = 0, count = 0; first < type_->getNumElements(); first += count) {
            llvm::Type *part = part_type(first);
            count = lanes_of(part);
            auto *loaded = b_.CreateAlignedLoad(part, part_pointer(first), part_alignment(first));
            loaded->copyMetadata(access_);
            for (uint64_t lane = 0; lane < count; lane++) {
                llvm::Value *one = part->isVectorTy() ? b_.CreateExtractElement(loaded, lane) : loaded;
                whole = b_.CreateInsertElement(whole, one, first + lane);
            }
        }
        access_.replaceAllUsesWith(whole);
        access_.eraseFromParent();
    }
    void store(llvm::Value *value) {
        for (uint64_t first = 0, count = 0; first < type_->getNumElements(); first += count) {
            llvm::Type *part = part_type(first);
            count = lanes_of(part);
            llvm::Value *stored = part->isVectorTy() ? llvm::PoisonValue::get(part) : nullptr;
            for (uint64_t lane = 0; lane < count; lane++) {
                llvm::Value *one = b_.CreateExtractElement(value, first + lane);
                stored = stored != nullptr ? b_.CreateInsertElement(stored, one, lane) : one;
            }
            b_.CreateAlignedStore(stored, part_pointer(first), part_alignment(first))->copyMetadata(access_);
        }
        access_.eraseFromParent();
    }

  private:
    llvm::Instruction &access_;
    llvm::Value *pointer_;
    llvm::FixedVectorType *type_;
    llvm::Align alignment_;
    llvm::IRBuilder<> b_;
    uint64_t lane_bytes_ = 1, lanes_ = 1;

    static uint64_t lanes_of(llvm::Type *part) {
        const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(part);
        return vector != nullptr ? vector->getNumElements() : 1;
    }
    llvm::Type *part_type(uint64_t first) const {
        const uint64_t count = std::min<uint64_t>(lanes_, std::bit_floor(type_->getNumElements() - first));
        llvm::Type *lane = type_->getElementType();
        return count == 1 ? lane : llvm::FixedVectorType::get(lane, static_cast<unsigned>(count));
    }
    llvm::Value *part_pointer(uint64_t first) {
        return first == 0 ? pointer_ : b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), pointer_, first * lane_bytes_);
    }
    llvm::Align part_alignment(uint64_t first) const { return llvm::commonAlignment(alignment_, first * lane_bytes_); }
};

} // namespace

llvm::PreservedAnalyses SplitVectorsPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    const llvm::DataLayout &layout = function.getParent()->getDataLayout();
    std::vector<llvm::Instruction *> accesses;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if ((load && load->isSimple()) || (store && store->isSimple())) {
            accesses.push_back(&instruction);
        }
    }
    bool changed = false;
    for (llvm::Instruction *access : accesses) {
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(access)) {
            Split split(*load, load->getPointerOperand(), load->getType(), load->getAlign(), layout);
            changed |= split.is_needed();
            if (split.is_needed()) {
                split.load();
            }
        } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(access)) {
            llvm::Value *value = store->getValueOperand();
            Split split(*store, store->getPointerOperand(), value->getType(), store->getAlign(), layout);
            changed |= split.is_needed();
            if (split.is_needed()) {
                split.store(value);
            }
        }
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace fluorite::backends
