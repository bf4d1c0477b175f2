#pragma once
// Values of a kernel modulo small powers of two, as sums of its parameters.

#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite::backends {

/// A number modulo a power of two: parameters and products of two parameters, with factors, and a constant. A term
/// names parameters by their numbers plus one; the second is 0 where there is only one.
struct Residue {
    using Term = std::pair<unsigned, unsigned>;
    std::map<Term, uint64_t> factors;
    uint64_t constant = 0;

    bool operator==(const Residue &) const = default;
};

/// `residue` is 0 modulo 2^bits.
struct ResidueCondition {
    Residue residue;
    unsigned bits = 0;

    bool operator==(const ResidueCondition &) const = default;
};

class Residues {
  public:
    explicit Residues(const llvm::DataLayout &layout) : layout_(layout) {}

    /// What `value` is modulo 2^bits, where all conditions() hold; may add some. Nothing for values that depend on the
    /// thread, on memory, or on a loop's counter in a way that conditions of parameters cannot cancel.
    std::optional<Residue> of(const llvm::Value *value, unsigned bits);

    /// Makes it a condition that a residue is 0 modulo 2^bits. False, and nothing happens, if it never is, or not
    /// together with the other conditions.
    bool require(const Residue &residue, unsigned bits);

    const std::vector<ResidueCondition> &conditions() const { return conditions_; }

    /// What has been added since a mark can be taken back.
    struct Mark {
        size_t conditions, known;
    };
    Mark mark() const { return {conditions_.size(), order_.size()}; }
    void take_back(const Mark &mark);

  private:
    using Key = std::pair<const llvm::Value *, unsigned>;
    bool require(const llvm::Argument *parameter, unsigned bits);
    void remember(const Key &key, const std::optional<Residue> &residue);
    std::optional<Residue> of_instruction(const llvm::Instruction &node, unsigned bits);
    std::optional<Residue> of_phi(const llvm::PHINode &phi, unsigned bits);
    std::optional<Residue> of_address(const llvm::GetElementPtrInst &node, unsigned bits);
    std::optional<Residue> sum(const llvm::Value *a, const llvm::Value *b, uint64_t factor, unsigned bits);
    std::optional<Residue> product(const llvm::Value *a, const llvm::Value *b, unsigned bits);
    std::optional<Residue> scaled(const llvm::Value *value, uint64_t factor, unsigned bits);
    std::optional<Residue> either(const llvm::Value *a, const llvm::Value *b, unsigned bits);

    const llvm::DataLayout &layout_;
    std::vector<ResidueCondition> conditions_;
    std::map<Key, std::optional<Residue>> known_;
    std::vector<Key> order_; // of known_
};

} // namespace fluorite::backends
