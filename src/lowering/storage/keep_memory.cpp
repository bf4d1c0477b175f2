// Which memory a function keeps for the next iteration of its loops, and where each allocation ends.
//
//   for y in [0, +h) {
//     { allocate f: int32[n] in heap; S }
//     allocate g: int32[m] in heap
//     T }
//   -->
//   for y in [0, +h) {
//     { allocate f: int32[n] in heap slot 0; S; free f }
//     allocate g: int32[m] in heap slot 0
//     T
//     free g }
// A block that is allocated inside of a loop of its function gets a slot. A slot is memory that the function owns from
// its first use on: it is kept for the next allocation with this slot, replaced where that needs more, and freed when
// the function returns. So a loop calls the allocator once, not in each iteration. Allocations that are in use at
// different times share a slot. A Free is added at the end of each allocation's body that has none: what a back end
// does where memory ends, it does at a Free.
//
// Method: one walk of each function, with the slots in use; an allocation takes the last one that is not.
//
// Relies on: tasks are functions, so that each has slots of its own and two threads share none; a Free is in the same
// straight-line code as its Allocate. Cost: linear in the statements, times the slots of a function for allocations.

#include "lowering/storage/keep_memory.h"

#include "support/check.h"

#include <algorithm>
#include <vector>

namespace fluorite::lowering {

using namespace ir;

namespace {

class MemoryKeeper : public Mutator {
  public:
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        switch (stmt.kind()) {
        case StmtKind::For: {
            loops_++;
            const Stmt result = recurse(stmt);
            loops_--;
            return result;
        }
        case StmtKind::Allocate:
            return with_end(*stmt.as<Allocate>());
        case StmtKind::Free:
            end(stmt.as<Free>()->buffer);
            return stmt;
        default: // memory begins and ends nowhere else
            return recurse(stmt);
        }
    }

  private:
    int loops_ = 0;                // around the statement
    std::vector<bool> is_in_use_;  // of the slots
    SymbolMap<int> slots_of_open_; // of the allocations that have not ended

    Stmt with_end(const Allocate &allocate) {
        check(allocate.memory != MemoryType::Auto,
              concat("where the memory of '", allocate.buffer.name(), "' is, has been decided"));
        const int slot = allocate.memory == MemoryType::Heap && loops_ > 0 ? take_slot() : Allocate::no_slot;
        slots_of_open_[allocate.buffer] = slot;
        Stmt body = mutate(allocate.body);
        if (slots_of_open_.contains(allocate.buffer)) {
            end(allocate.buffer);
            body = Block::make({body, Free::make(allocate.buffer)});
        }
        return Allocate::make(allocate.buffer, allocate.type, allocate.memory, allocate.extents, body, slot);
    }

    int take_slot() {
        const auto at = std::find(is_in_use_.rbegin(), is_in_use_.rend(), false);
        if (at == is_in_use_.rend()) {
            is_in_use_.push_back(true);
            return static_cast<int>(is_in_use_.size()) - 1;
        }
        *at = true;
        return static_cast<int>(is_in_use_.rend() - at) - 1;
    }

    void end(const Symbol &buffer) {
        const auto at = slots_of_open_.find(buffer);
        check(at != slots_of_open_.end(), concat("the memory of '", buffer.name(), "' ends once, in its function"));
        if (at->second != Allocate::no_slot) {
            is_in_use_[static_cast<size_t>(at->second)] = false;
        }
        slots_of_open_.erase(at);
    }
};

} // namespace

LoweredModule keep_memory(LoweredModule module) {
    for (LoweredFunc &func : module.funcs) {
        if (func.body.defined() && func.is_of_host()) { // the memory of a kernel ends with its scope
            func.body = MemoryKeeper().mutate(func.body);
        }
    }
    return module;
}

} // namespace fluorite::lowering
