// Decides where the memory of each allocation is.
//
//   allocate f: int32[64]              -->  allocate f: int32[64] in stack
//   allocate g: int32[n]               -->  allocate g: int32[n] in heap
//   allocate h: int32[n] in stack      -->  allocate h: int32[n] in heap      (the compile report says so)
// A block of constant size is on the stack if the machine model allows for its size; it allows for more where the
// schedule asks for the stack or for registers (machine_model.h). Everything else is on the heap. What is asked to be
// in registers and cannot be is an error [register-needs-constant-size], as it would be slow where the schedule states
// the opposite.
//
// Relies on: sizes are final. Which blocks on the heap a function keeps for the next iteration of a loop is decided
// when it is known what a function is (keep_memory.cpp). Does not limit the sum of the blocks of a function. Cost:
// linear.

#include "lowering/storage/place_memory.h"

#include "ir/memory.h"
#include "lowering/late_passes.h"
#include "support/check.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

class MemoryPlacer : public Mutator {
  public:
    MemoryPlacer(const machine::MachineModel &machine, const PassContext *context)
        : machine_(machine), context_(context) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const auto *allocate = stmt.as<Allocate>();
        if (!allocate) {
            return recurse(stmt);
        }
        const MemoryType place = place_of(*allocate); // before the inner ones, for the order of remarks
        const Stmt body = mutate(allocate->body);
        return Allocate::make(allocate->buffer, allocate->type, place, allocate->extents, body);
    }

  private:
    const machine::MachineModel &machine_;
    const PassContext *context_; // may be null

    MemoryType place_of(const Allocate &allocate) const {
        const MemoryType wanted = allocate.memory;
        if (wanted == MemoryType::GPUShared || wanted == MemoryType::Device) { // whatever its size
            return wanted;
        }
        const std::optional<int64_t> elements = constant_elements(allocate);
        const int64_t most =
            wanted == MemoryType::Auto ? machine_.stack_block_bytes : machine_.wanted_stack_block_bytes;
        const bool fits = elements && *elements <= most / allocate.type.bytes();
        if (wanted == MemoryType::Register && !fits) {
            refuse_registers(allocate.buffer);
        }
        if (wanted == MemoryType::Stack && !fits) {
            note_heap(allocate, elements, most);
        }
        if (wanted == MemoryType::Heap || !fits) {
            return MemoryType::Heap;
        }
        return wanted == MemoryType::Register ? MemoryType::Register : MemoryType::Stack;
    }

    [[noreturn]] void refuse_registers(const Symbol &buffer) const {
        const FuncDef *func = context_ ? context_->func_of(buffer) : nullptr;
        throw CompileError("register-needs-constant-size",
                           concat("in ", buffer.name(), ": stored in registers, but its size is not a small constant; ",
                                  "registers hold a fixed number of values; bound its extents or store it elsewhere"),
                           func ? context_->pipeline.schedule.func(func->id()).on_storage.location : Location());
    }

    void note_heap(const Allocate &allocate, std::optional<int64_t> elements, int64_t most) const {
        if (context_) {
            context_->otherwise(allocate.buffer,
                                elements ? concat("stored on the heap; of its ", *elements * allocate.type.bytes(),
                                                  " bytes the stack takes ", most)
                                         : "stored on the heap; on the stack lies what has a constant size");
        }
    }
};

Stmt placed(const Stmt &stmt, MemoryPlacer placer) { return stmt.defined() ? placer.mutate(stmt) : stmt; }

} // namespace

Stmt place_memory(const Stmt &stmt, const machine::MachineModel &machine) { return placed(stmt, {machine, nullptr}); }

Stmt place_memory(const Stmt &stmt, const PassContext &context) { return placed(stmt, {context.machine, &context}); }

} // namespace fluorite::lowering
