#pragma once
// What back ends ask about the memory of a function: how large a block of constant size is, which slots there are, and
// what an exit frees.

#include "ir/stmt.h"

#include <optional>
#include <vector>

namespace fluorite::ir {

/// The number of elements of an allocation whose extents are constants; extents below zero count as zero. Nothing if an
/// extent is no constant, or if the number exceeds 64 bits.
std::optional<int64_t> constant_elements(const Allocate &allocate);
/// The number of slots that the allocations of a function use.
int slot_count(const Stmt &body);

/// What an exit from the middle of a function frees: the blocks on the heap that are open there, the innermost first.
///
/// A back end that emits a function tells it of the allocations that it passes (on the heap, without a slot) and of
/// their ends. The path at a place is a number; exits from places between which nothing is allocated or freed have the
/// same path, and paths join, so that each is one block and a jump to the next:
///   allocate a, allocate b   path 1: free b, then path 0; path 0: free a, then the end
///   free a                   path 2: free b, then the end
/// Slots are not part of paths: every exit, the usual one included, frees them last.
class ExitPaths {
  public:
    /// The path on which nothing is freed.
    static constexpr int end = -1;
    struct Path {
        Symbol freed;
        int next = end;
    };

    void open(const Symbol &buffer) { open_.push_back({buffer, unknown}); }
    /// Does nothing if the buffer is not open.
    void close(const Symbol &buffer);
    /// The path of an exit from here. Paths are numbered in the order in which they are first asked for, and a path
    /// follows those that it leads to.
    int here();
    const std::vector<Path> &paths() const { return paths_; }

  private:
    static constexpr int unknown = -2;
    struct Open {
        Symbol buffer;
        int path = unknown;
    };
    std::vector<Open> open_;
    std::vector<Path> paths_;
};

} // namespace fluorite::ir
