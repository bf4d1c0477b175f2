// A version of a kernel whose accesses are as wide as the device has them.
//
// A device loads 16 bytes by one instruction, but only at multiples of 16. Where the buffers of a program begin, and
// how far apart their rows are, is not known until the kernel is launched, so that vectors would be accessed lane by
// lane:
//
//   store <4 x float> %sum, %out + 4 * (%y * %stride + %x), align 4       st.global.f32, four times
//
// A kernel gets a second body, in which such vectors have the alignment of their size, and branches to it at its entry
// if its parameters give it to all of them: %out is a multiple of 16 and %stride of 4, for instance. The branch costs a
// few instructions and is the same for all threads. Programs that pass what Buffer allocates, with rows of a multiple
// of 16 bytes, get the second body; all others the first one, with the same bits.
//
// Method: the addresses modulo 16 are sums of parameters (residues.h). Accesses in deeper loops choose first. Among
// those that cannot all be aligned, as the three of a stencil, those without a constant offset do, which are aligned
// where minimums of buffers are 0. Loads and stores of single elements that lie next to each other count as a vector;
// LLVM's LoadStoreVectorizer joins them once they are known to be aligned.
//
// Relies on vectors being kept whole by the passes before. Does nothing for kernels whose parameters are packed, as
// these are no parameters any more. Cost: linear in the kernel, which becomes twice as large, so only up to a limit.

#include "backends/llvm/device/wide_accesses.h"

#include "backends/llvm/device/address_spaces.h"
#include "backends/llvm/device/residues.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Instruction;
using llvm::Value;

namespace {

constexpr unsigned widest_bits = 4;          // an access of a device has at most 2^4 bytes
constexpr unsigned most_instructions = 4000; // of a kernel that gets a second body: some 50 ms of compiling

unsigned bits_of(uint64_t bytes) { return llvm::Log2_64(std::max<uint64_t>(bytes, 1)); }

/// A load or a store of global memory.
struct Access {
    Instruction *node = nullptr;
    const Value *address = nullptr;
    uint64_t bytes = 0;
    unsigned depth = 0; // of loops
    bool is_vector = false;

    /// The alignment that it gains from, as a power of two.
    unsigned wanted() const { return std::min(bits_of(bytes), widest_bits); }
};

class Versions {
  public:
    explicit Versions(llvm::Function &kernel)
        : kernel_(kernel), layout_(kernel.getParent()->getDataLayout()), residues_(layout_) {}

    void run() {
        find_accesses();
        for (const bool has_offset : {false, true}) {
            for (const Access &access : accesses_) {
                align_vector(access, has_offset);
            }
        }
        align_neighbours();
        if (!aligned_.empty() && !residues_.conditions().empty()) {
            branch(second_body());
        }
    }

  private:
    void find_accesses();
    void align_vector(const Access &access, bool has_offset);
    void align_neighbours();
    void align_row(const std::vector<std::pair<uint64_t, const Access *>> &row, const Residue &start);
    llvm::BasicBlock *second_body();
    void branch(llvm::BasicBlock *second);
    Value *lower_bits(llvm::IRBuilder<> &b, unsigned parameter);
    Value *computed(llvm::IRBuilder<> &b, const ResidueCondition &condition);

    llvm::Function &kernel_;
    const llvm::DataLayout &layout_;
    Residues residues_;
    std::vector<Access> accesses_;                            // the innermost first
    std::vector<std::pair<Instruction *, unsigned>> aligned_; // to 2^second
    llvm::BasicBlock *first_ = nullptr;                       // of the body that was there
};

void Versions::find_accesses() {
    const llvm::DominatorTree dominators(kernel_);
    const llvm::LoopInfo loops(dominators);
    for (Instruction &node : llvm::instructions(kernel_)) {
        const Value *address = llvm::getLoadStorePointerOperand(&node);
        if (!address || node.isVolatile() || node.isAtomic()) {
            continue;
        }
        const llvm::Type *type = llvm::getLoadStoreType(&node);
        const uint64_t bytes = layout_.getTypeStoreSize(const_cast<llvm::Type *>(type)).getFixedValue();
        const unsigned space = address->getType()->getPointerAddressSpace();
        const Access access = {&node, address, bytes, loops.getLoopDepth(node.getParent()), type->isVectorTy()};
        if (space == global_space && llvm::isPowerOf2_64(bytes) &&
            bits_of(llvm::getLoadStoreAlignment(&node).value()) < (access.is_vector ? access.wanted() : widest_bits)) {
            accesses_.push_back(access);
        }
    }
    std::stable_sort(accesses_.begin(), accesses_.end(),
                     [](const Access &a, const Access &b) { return a.depth > b.depth; });
}

/// Aligns it as far as what is aligned already allows.
void Versions::align_vector(const Access &access, bool has_offset) {
    const auto is_same = [&](const auto &done) { return done.first == access.node; };
    if (!access.is_vector || std::any_of(aligned_.begin(), aligned_.end(), is_same)) {
        return;
    }
    const unsigned least = bits_of(llvm::getLoadStoreAlignment(access.node).value());
    for (unsigned bits = access.wanted(); bits > least; bits--) {
        const Residues::Mark before = residues_.mark();
        const std::optional<Residue> residue = residues_.of(access.address, bits);
        const bool waits = residue && !has_offset && residue->constant != 0;
        if (residue && !waits && residues_.require(*residue, bits)) {
            aligned_.emplace_back(access.node, bits);
            return;
        }
        residues_.take_back(before);
        if (waits) {
            return;
        }
    }
}

/// Elements of which some lie next to each other, by the block that they are accessed in and where they begin.
void Versions::align_neighbours() {
    struct Group {
        const llvm::BasicBlock *block;
        bool stores;
        Residue start;
        std::vector<std::pair<uint64_t, const Access *>> members; // by their offsets
    };
    std::vector<Group> groups;
    for (const Access &access : accesses_) {
        const Residues::Mark before = residues_.mark();
        std::optional<Residue> residue = access.is_vector ? std::nullopt : residues_.of(access.address, widest_bits);
        if (!residue) {
            residues_.take_back(before);
            continue;
        }
        const uint64_t offset = std::exchange(residue->constant, 0);
        const bool stores = llvm::isa<llvm::StoreInst>(access.node);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group &g) {
            return g.block == access.node->getParent() && g.stores == stores && g.start == *residue;
        });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {access.node->getParent(), stores, *residue, {}});
        }
        group->members.emplace_back(offset, &access);
    }
    for (const Group &group : groups) {
        align_row(group.members, group.start);
    }
}

/// If an element at a multiple of 16 bytes has a neighbour behind it.
void Versions::align_row(const std::vector<std::pair<uint64_t, const Access *>> &row, const Residue &start) {
    const auto has = [&](uint64_t offset) {
        return std::any_of(row.begin(), row.end(), [&](const auto &member) { return member.first == offset; });
    };
    if (!has(0) || !has(row.front().second->bytes) || !residues_.require(start, widest_bits)) {
        return;
    }
    for (const auto &[offset, access] : row) {
        const unsigned bits = offset == 0 ? widest_bits : static_cast<unsigned>(llvm::countr_zero(offset));
        if (bits > bits_of(llvm::getLoadStoreAlignment(access->node).value())) {
            aligned_.emplace_back(access->node, bits);
        }
    }
}

/// Copies all blocks behind the memory of the thread; gives the first of the copies.
llvm::BasicBlock *Versions::second_body() {
    llvm::BasicBlock &entry = kernel_.getEntryBlock();
    first_ = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "first");
    std::vector<llvm::BasicBlock *> blocks;
    for (llvm::BasicBlock &block : kernel_) {
        if (&block != &entry) {
            blocks.push_back(&block);
        }
    }
    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<llvm::BasicBlock *> made;
    for (llvm::BasicBlock *block : blocks) {
        made.push_back(llvm::CloneBasicBlock(block, copies, ".wide", &kernel_));
        copies[block] = made.back();
    }
    llvm::remapInstructionsInBlocks(made, copies);
    for (const auto &[node, bits] : aligned_) {
        Value *copy = copies[node];
        const llvm::Align alignment(uint64_t{1} << bits);
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(copy)) {
            load->setAlignment(alignment);
        } else {
            llvm::cast<llvm::StoreInst>(copy)->setAlignment(alignment);
        }
    }
    return made.front();
}

Value *Versions::lower_bits(llvm::IRBuilder<> &b, unsigned parameter) {
    Value *value = kernel_.getArg(parameter - 1);
    if (value->getType()->isPointerTy()) {
        value = b.CreatePtrToInt(value, b.getInt64Ty());
    }
    return b.CreateZExtOrTrunc(value, b.getInt32Ty());
}

/// The lower bits of a residue, as a number that is 0 where the condition holds.
Value *Versions::computed(llvm::IRBuilder<> &b, const ResidueCondition &condition) {
    Value *sum = b.getInt32(static_cast<uint32_t>(condition.residue.constant));
    for (const auto &[term, factor] : condition.residue.factors) {
        Value *value = lower_bits(b, term.first);
        if (term.second != 0) {
            value = b.CreateMul(value, lower_bits(b, term.second));
        }
        sum = b.CreateAdd(sum, b.CreateMul(value, b.getInt32(static_cast<uint32_t>(factor))));
    }
    return b.CreateAnd(sum, (1U << condition.bits) - 1);
}

void Versions::branch(llvm::BasicBlock *second) {
    Instruction *end = kernel_.getEntryBlock().getTerminator();
    llvm::IRBuilder<> b(end);
    Value *any = b.getInt32(0);
    for (const ResidueCondition &condition : residues_.conditions()) {
        any = b.CreateOr(any, computed(b, condition));
    }
    llvm::MDNode *likely = llvm::MDBuilder(kernel_.getContext()).createLikelyBranchWeights();
    b.CreateCondBr(b.CreateICmpEQ(any, b.getInt32(0)), second, first_, likely);
    end->eraseFromParent();
}

} // namespace

void add_wide_version(llvm::Function &kernel) {
    if (kernel.getInstructionCount() <= most_instructions) {
        Versions(kernel).run();
    }
}

} // namespace fluorite::backends
