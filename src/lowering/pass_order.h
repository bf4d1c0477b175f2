#pragma once
// What passes need and establish beyond the rules of the verifier's phases (ir/verify.h), and the check of their
// order.
//
// A row of the table (pipeline.cpp) states a contract. The order of the rows is right if each pass gets what it needs:
//   takes, leaves    the phase whose rules hold of the statement before and after the pass
//   needs            holds before it whatever a target leaves out, so no pass that may be left out provides it
//   follows          passes that establish these come before, where they run: a pass that is left out establishes
//                    nothing, and the pass that follows it takes the statement as it is
//   establishes      holds after it, until a pass breaks it
//   breaks           no longer holds after it
// The check at compile time also exchanges each two neighbours, and refuses an order in which that would go unnoticed:
// the contract of a new row has to say why it stands where it stands.

#include "ir/verify.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace fluorite::lowering {

enum class Property : uint8_t {
    // Of what is known beside the statement, before there is one.
    Inlined, // calls of inlined Funcs are gone
    Placed,  // compute and storage sites are known
    Bounded, // regions are known
    Checked, // the checks of the arguments are known
    // Of the statement; the verifier checks them where they are established.
    NoPrefetches,    // prefetches are hints of single cache lines
    NoUnrolledLoops, // copies stand in their place
    OutlinedKernels, // what devices run is in functions of its own
    FoldedAddresses, // the simplifier has seen all indices, extents and masks that earlier passes have made
    // Of the statement; what a pass has looked for is no longer there.
    Traced,            // trace events stand beside the accesses that they report
    PaddedRows,        // rows of memory are whole vectors
    WholeVectors,      // vectors are as wide as the target's
    HoistedReductions, // sums over lanes are computed after their loops
    NoDeadMemory,      // all memory has readers
    StridedLoads,      // gathers at quotients are strided loads
    DenseAccesses,     // interleaved accesses are dense ones
    CarriedValues,     // iterations reuse values of the previous one
    TransposedColumns, // rows are accessed in place of columns
    KeptAccumulators,  // accumulators are in registers
    StreamHints,       // hints stand at what is read later, so bodies of loops have other statements than stores
    HoistedInvariants, // invariant lets are outside of loops
    PlacedCopies,      // what kernels access is in the memory of the device
    EarlyFrees,        // memory ends with its last use
    PlacedMemory,      // memory is on the stack or on the heap
};
constexpr size_t property_count = static_cast<size_t>(Property::PlacedMemory) + 1;
/// As words for a list: `no unrolled loops`.
const char *to_words(Property property);

/// A set of properties.
class Properties {
  public:
    constexpr Properties() = default;
    constexpr Properties(Property property) // NOLINT(google-explicit-constructor)
        : bits_(uint32_t{1} << static_cast<uint32_t>(property)) {}
    constexpr Properties operator|(Properties other) const { return Properties(bits_ | other.bits_); }
    constexpr Properties without(Properties other) const { return Properties(bits_ & ~other.bits_); }
    constexpr bool contains(Properties all) const { return (bits_ & all.bits_) == all.bits_; }
    constexpr bool operator==(const Properties &) const = default;
    /// The words of all, with commas; empty for none.
    std::string words() const;

  private:
    uint32_t bits_ = 0;
    constexpr explicit Properties(uint32_t bits) : bits_(bits) {}
};
static_assert(property_count <= 32, "a set of properties has a bit for each");
constexpr Properties operator|(Property a, Property b) { return Properties(a) | b; }

/// What a pass takes and leaves. The functions are for the rows: each returns the contract with one more condition.
struct Contract {
    std::optional<ir::Phase> takes, leaves; // nothing where there is no statement yet
    Properties needs, follows, establishes, breaks;

    constexpr Contract needing(Properties properties) const {
        Contract result = *this;
        result.needs = properties;
        return result;
    }
    constexpr Contract following(Properties properties) const {
        Contract result = *this;
        result.follows = properties;
        return result;
    }
    constexpr Contract establishing(Properties properties) const {
        Contract result = *this;
        result.establishes = properties;
        return result;
    }
    constexpr Contract breaking(Properties properties) const {
        Contract result = *this;
        result.breaks = properties;
        return result;
    }
};
constexpr Contract from_to(std::optional<ir::Phase> takes, std::optional<ir::Phase> leaves) {
    return {takes, leaves, {}, {}, {}, {}};
}
constexpr Contract in(ir::Phase phase) { return from_to(phase, phase); }
constexpr Contract without_statement() { return from_to(std::nullopt, std::nullopt); }

/// A contract, and whether a target may leave the pass out.
struct OrderedPass {
    Contract contract;
    bool is_optional = false;
};

/// Whether each pass gets what it needs and comes where it may. What a target may leave out leaves the phase that it
/// takes.
template <size_t n> constexpr bool is_in_order(const std::array<OrderedPass, n> &passes) {
    std::optional<ir::Phase> phase;
    Properties holds, seen;
    for (const auto &[contract, is_optional] : passes) {
        if (contract.takes != phase || !holds.contains(contract.needs) || !seen.contains(contract.follows) ||
            (is_optional && contract.takes != contract.leaves)) {
            return false;
        }
        holds = holds.without(contract.breaks) | (is_optional ? Properties() : contract.establishes);
        seen = seen | contract.establishes;
        phase = contract.leaves;
    }
    return true;
}

/// Whether two neighbours could be exchanged without an error.
template <size_t n> constexpr bool has_loose_neighbours(const std::array<OrderedPass, n> &passes) {
    for (size_t i = 1; i < n; i++) {
        std::array<OrderedPass, n> other = passes;
        other[i] = passes[i - 1];
        other[i - 1] = passes[i];
        if (is_in_order(other)) {
            return true;
        }
    }
    return false;
}

/// The first statement or index that lacks one of the properties; nothing if there is none, or none is known to lack
/// them: not every property can be found in a statement.
std::optional<std::string> find_lack(const ir::Stmt &stmt, Properties properties);

} // namespace fluorite::lowering
