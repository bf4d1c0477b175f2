#pragma once
// The budget of copies that partitioning makes of the bodies of loops, over a whole statement.

#include "ir/stmt.h"

#include <cstddef>
#include <limits>
#include <unordered_map>

namespace fluorite::lowering {

/// Sizes of statements, and what they contain. Each distinct statement is visited once, so that the sizes of all bodies
/// of a deep nest take linear time.
class BodySizes {
  public:
    struct Size {
        size_t nodes = 0;
        bool has_loops = false;
        bool has_hints = false;
        bool has_windows = false; // selects on likely conditions, which are regions of sliding windows
        int depth = 0;            // of the loops with hints inside each other
        size_t bodies = 0;        // the nodes of the bodies of all loops with hints
    };
    const Size &of(const ir::Stmt &stmt);

  private:
    struct Known {
        ir::Stmt stmt; // keeps the node alive, whose address is the key
        Size size;
    };
    std::unordered_map<const ir::StmtNode *, Known> known_;
};

/// How much may be added to a statement by copies.
///
/// AllOrNothing permits every copy until the statement is larger than the budget; then the result is to be discarded.
/// So an attempt takes no longer than a result of the size of the budget, however many copies there would be.
/// Shares divides what the budget has left over the nodes of the statement, so that it depends on sizes and not on the
/// order of loops: each node may become 1 + share nodes. A loop that is cut spends its share on the copies of its body
/// and passes the rest on, most of it to its interior, where most iterations run.
class CopyBudget {
  public:
    enum class Policy : uint8_t { AllOrNothing, Shares };
    using Share = double; // nodes that may be added for each node of a statement
    struct Split {
        Share interior, boundary;
    };

    CopyBudget(const BodySizes::Size &statement, Policy policy);
    /// Whether a statement has so many loops inside each other that limits on the size of bodies say little: those of
    /// the inner loops of a deep nest are small, and their copies still too many.
    static bool is_deep(const BodySizes::Size &statement);

    /// Whether so many copies of a body are permitted where the walk is now.
    bool may_copy(const BodySizes::Size &body, int copies) const;
    /// Accounts for a loop that is cut: its body becomes an interior and so many copies, of which `cuts_copies` says
    /// whether they are searched for further loops. Returns the shares of both.
    Split split(const BodySizes::Size &body, size_t interior_nodes, int copies, bool cuts_copies);
    /// Accounts for a body that has been searched for hints, although its loop is not cut.
    void search();

    Share share() const { return share_; }
    void take(Share share) { share_ = share; }

    /// Whether the statement has become larger than the budget.
    bool is_exceeded() const { return policy_ == Policy::AllOrNothing && (nodes_ > most_ || is_too_deep_); }
    /// Whether a result of that size may be kept.
    bool admits(const BodySizes::Size &result) const { return policy_ == Policy::Shares || result.nodes <= most_; }

  private:
    Policy policy_;
    size_t most_;
    size_t nodes_;     // of the whole statement, if no further loop were cut
    bool is_too_deep_; // the bodies of loops are larger in total than any search should visit
    Share share_ = std::numeric_limits<double>::infinity();
};

} // namespace fluorite::lowering
