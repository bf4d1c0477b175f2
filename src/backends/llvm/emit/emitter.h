#pragma once
// The translation of loop IR to LLVM IR: class Emitter, implemented by the files emit_*.cpp of this folder and by
// module.cpp, as its sections say. One Emitter fills one llvm::Module.

#include "backends/llvm/arith/arith.h"
#include "backends/llvm/emit/module_globals.h"
#include "backends/llvm/emit/value_cache.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/target.h"
#include "ir/lowered.h"
#include "ir/parameter.h"
#include "machine/machine_model.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fluorite::backends {

class Emitter {
  public:
    Emitter(llvm::Module &module, const Target &target);
    /// Adds the entry, its tasks, `<name>_argv` and, except for targets with the feature JIT, `<name>_metadata`.
    void emit(const ir::LoweredModule &module);

  private:
    using Value = llvm::Value;

    // ---- State of the LLVM function under construction.

    struct Buffer {
        Value *host = nullptr;
        Value *header = nullptr; // the fluorite_buffer_t of an argument
        int depth = 0;           // the control scope in which host is computed
        llvm::MDNode *alias = nullptr;
        Value *first = nullptr, *last = nullptr; // the first and last valid element, in checked code
    };
    /// Memory of allocations inside a loop. It is kept from one iteration to the next and freed when the function
    /// returns.
    struct Slot {
        Value *pointer = nullptr, *size = nullptr;
        llvm::MDNode *alias = nullptr; // shared by all buffers that use the slot one after the other
        bool is_taken = false;
    };
    /// An allocation on the stack or in a slot that is still in scope.
    struct Placed {
        ir::Symbol buffer;
        llvm::AllocaInst *block = nullptr; // if on the stack
        size_t slot = 0;                   // otherwise
    };
    /// A heap block whose scope is open. An exit from inside the scope branches to its cleanup block, which frees the
    /// block and continues with the cleanup block of the enclosing one. Cleanup blocks are created on demand.
    struct Live {
        ir::Symbol buffer;
        Value *block = nullptr;
        llvm::BasicBlock *cleanup = nullptr;
        llvm::PHINode *code = nullptr;
    };
    struct Frame {
        llvm::Function *function = nullptr;
        llvm::BasicBlock *entry = nullptr; // allocas, and what is computed once
        llvm::BasicBlock *exit = nullptr;
        llvm::PHINode *result = nullptr;
        Value *context = nullptr;
        int loops = 0; // the number of open loops
        ValueCache values;
        ir::SymbolMap<Buffer> buffers;
        std::unordered_map<Value *, Value *> widened; // sign extensions to 64 bits, each placed right after the value
        std::unordered_map<Value *, int> ranks;       // an order of the factors of indices, by first use
        std::vector<Live> live;                       // heap blocks to free on exit
        std::vector<Slot> slots;
        std::vector<Placed> placed;
        Value *text = nullptr;               // the buffer of text.concat
        Value *spare = nullptr;              // the address that inactive lanes load from and store to
        Value *held_lock = nullptr;          // of an enclosing atomic
        std::array<Value *, 4> lane_slots{}; // memory through which offsets of lanes pass, used in rotation
        size_t next_lane_slot = 0;
        int lanes_in_place = 0;    // lanes loaded one by one in this function so far
        int loop_depth = 0;        // the control scope of the innermost loop
        bool calls_extern = false; // C functions of the program, which can fail
        bool has_streams = false;  // nontemporal stores
    };

    // ---- Frames and scopes (emit_frame.cpp).

    void begin_frame(llvm::Function *function);
    void end_frame();
    void push_scope();
    void pop_scope();
    llvm::BasicBlock *new_block(const char *name);
    llvm::AllocaInst *entry_alloca(llvm::Type *type, uint64_t count, uint64_t alignment, const char *name);
    /// Frees the open heap blocks and returns `code` from the function. Afterwards the current block is terminated.
    void leave(Value *code);
    void make_cleanups();
    /// Continues if the condition holds; otherwise `failure` computes the error code in a cold block, which leaves.
    void require(Value *condition, const std::function<Value *()> &failure);
    void branch_cold(Value *condition, llvm::BasicBlock *usual, llvm::BasicBlock *rare);

    // ---- Expressions (emit_expr.cpp).

    Value *value(const Expr &expr);
    Value *scalar_i64(const Expr &expr); // an Int32 or Int64 scalar, sign-extended
    Value *emit_node(const ir::ExprNode &node);
    Value *operand(const ir::ExprNode &node, size_t i);
    Value *variable(const ir::ExprNode &node);
    Value *vector_node(const ir::ExprNode &node);
    Value *float_constant(Type type, double number);

    // ---- Addresses (emit_index.cpp), loads and stores (emit_memory.cpp).

    LinearIndex linear(const Expr &expr);
    LinearIndex linear_within(const Expr &expr, int &steps);
    LinearIndex linear_leaf(const Expr &expr);
    std::optional<RampIndex> ramp(const Expr &expr);
    void put_in_order(LinearIndex &index);
    Value *linear_value(const LinearIndex &index);
    Value *address(const ir::Symbol &symbol, llvm::Type *element, const LinearIndex &index);
    Value *load(const ir::ExprNode &node);
    Value *load_ramp(Type type, const ir::Symbol &symbol, const RampIndex &index, const Expr &predicate);
    bool has_masked_access(Type type) const;
    Value *dense_addresses(Type type, Value *first);
    Value *load_dense(Type type, const ir::Symbol &symbol, const LinearIndex &base, Value *mask);
    Value *load_strided(Type type, const ir::Symbol &symbol, const RampIndex &index);
    Value *load_where(Value *condition, Type type, const std::function<Value *()> &load);
    void store(const ir::Store &node);
    void store_vector(Type type, const ir::Store &node, Value *value, Value *mask);
    bool store_parts(Value *stored, Value *at, const ir::Symbol &symbol);
    bool stream(const ir::Symbol &symbol, Value *stored, Value *at, llvm::Align alignment);
    void order_streams();
    void store_lane(Type type, Value *lane, Value *address, const ir::Symbol &symbol);
    void store_lanes(Type type, Value *stored, Value *addresses);
    std::pair<Value *, Value *> lane_offsets(const ir::Symbol &symbol, llvm::Type *element, const Expr &index);
    Value *lane_addresses(const ir::Symbol &symbol, llvm::Type *element, const Expr &index);

    // ---- Checked code (emit_checks.cpp).

    bool is_checked() const { return target_.has_feature(Target::Checked); }
    /// Leaves with an error if the index of an active lane is outside of the buffer.
    void check_access(const ir::Symbol &symbol, const Expr &index, const Expr &predicate);
    void find_elements(Buffer &argument);
    /// Fills newly allocated memory with a pattern.
    void poison(Value *block, Value *bytes);

    // ---- Loads of lanes at arbitrary addresses (emit_gather.cpp).

    /// The sources of one permutation that yields `lanes` lanes: `registers` registers of `width` elements each.
    /// `as_words`: bytes are permuted as 16-bit words.
    struct SpanShape {
        int lanes = 0, width = 0, registers = 1;
        bool as_words = false;
    };
    Value *load_scattered(Type type, const ir::Symbol &symbol, const Expr &index, Value *mask);
    std::optional<SpanShape> span_shape(Type type, const LaneSteps &steps) const;
    Value *permuted(llvm::ArrayRef<Value *> registers, Value *order);
    Value *load_span(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, const LaneSteps &steps,
                     const SpanShape &shape, bool is_certain);
    Value *load_group(Type type, const ir::Symbol &symbol, Value *base, Value *own, Value *lowest, Value *highest,
                      const SpanShape &shape);
    llvm::Function *lane_loader(Type type, llvm::Type *offsets);
    bool prefers_gather(const Expr &index) const;
    bool may_leave_loop(const Expr &index) const;
    Value *gather(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, Value *mask, const Expr &index);
    Value *wide_gather(llvm::Type *vector, Value *addresses, llvm::Align alignment, Value *mask,
                       const ir::Symbol &symbol);
    Value *load_each(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, bool stays);
    Value *load_by_offsets(llvm::IRBuilderBase &b, Type type, Value *base, Value *offsets, Value *slot,
                           const std::function<void(llvm::Instruction *)> &tag_load);
    Value *harmless(Value *addresses, Value *mask);
    Value *load_lanes(Type type, Value *addresses);

    Buffer &buffer(const ir::Symbol &symbol);
    Value *host(const ir::Symbol &symbol);
    Value *header(const ir::Symbol &symbol);
    Value *field(Value *header, const ir::Member &member);
    Value *header_load(llvm::Type *type, Value *base, int64_t offset, const char *name);
    void header_store(Value *value, Value *base, int64_t offset);
    llvm::Instruction *tag(llvm::Instruction *access, const ir::Symbol &symbol);

    // ---- Calls (emit_calls.cpp).

    Value *math(const ir::ExprNode &node);
    Value *fast_math(ir::MathOp op, Type type, llvm::ArrayRef<Value *> args);
    Value *library_math(ir::MathOp op, llvm::ArrayRef<Value *> args);
    Value *power(Value *bases, Value *exponents);
    Value *kernel_math(ir::MathOp op, llvm::ArrayRef<Value *> args);
    Value *extern_call(const ir::ExprNode &node);
    Value *buffer_operation(const ir::ExprNode &node);
    Value *check_ranges(const ir::ExprNode &node);
    Value *trace_event(const ir::ExprNode &node);
    Value *text_concat(std::span<const Expr> parts);
    Value *print(const ir::ExprNode &node);
    Value *require_value(const ir::ExprNode &node);
    Value *random(const ir::ExprNode &node);
    Value *call_lanes(llvm::FunctionCallee callee, llvm::ArrayRef<Value *> args, int lanes);
    Value *runtime_call(const char *name, llvm::Type *result, llvm::ArrayRef<Value *> args);

    // ---- Statements (emit_stmt.cpp).

    void stmt(const ir::Stmt &stmt);
    void leaf(const ir::Stmt &at);
    Value *lsr_barrier(Value *value);
    void serial_for(const ir::For &loop);
    void preload(const ir::Stmt &body);
    void if_then_else(const ir::IfThenElse &node);

    // ---- Tasks (emit_tasks.cpp).

    /// One field of a closure: a component of an argument of the task.
    struct Captured {
        enum class Part : uint8_t { Value, Wide, Host, Header, Last };
        size_t arg = 0;
        Part part = Part::Value;
        llvm::Type *type = nullptr;
    };
    struct Task {
        llvm::Function *function = nullptr;
        llvm::StructType *closure = nullptr;
        std::vector<Captured> parts;
    };
    std::vector<Captured> captured(const ir::LoweredFunc &task) const;
    void declare_task(const ir::LoweredFunc &func);
    void fill_task(const ir::LoweredFunc &func);
    void open_closure(const ir::LoweredFunc &func, llvm::Argument *memory);
    Value *make_closure(const ir::Launch &launch);
    void launch(const ir::Launch &launch);
    void task_for(const ir::For &loop);

    // ---- Memory of allocations (emit_allocations.cpp).

    void allocate(const ir::Allocate &node);
    void free(const ir::Symbol &buffer);
    size_t take_slot();
    Value *slot_block(const ir::Allocate &node, const Slot &slot, Value *bytes);
    Value *checked_malloc(const std::string &name, Value *bytes);
    Value *allocation_bytes(const ir::Allocate &node);

    // ---- Atomic updates (emit_atomic.cpp).

    void atomic(const ir::Atomic &node);
    void atomic_store(const ir::Store &store);
    void release_lock();

    // ---- The module, and functions that C calls (module.cpp).

    llvm::Function *declare_entry(const ir::LoweredFunc &func);
    void fill_entry(const ir::LoweredFunc &func, llvm::Function *function);
    void emit_argv(const ir::LoweredFunc &func, llvm::Function *function);
    void emit_metadata(const ir::LoweredFunc &func);

    llvm::Module &module_;
    llvm::LLVMContext &context_;
    const Target &target_;
    const machine::MachineModel machine_;
    llvm::IRBuilder<> b_;
    Arith arith_;
    ModuleGlobals globals_;
    llvm::MDBuilder metadata_;
    llvm::Type *const i8_, *const i16_, *const i32_, *const i64_, *const ptr_, *const void_;
    Frame frame_;
    std::string name_; // of the entry
    std::unordered_map<std::string, Task> tasks_;
    // where the program requests the memory of an allocation
    std::vector<std::pair<ir::Symbol, Location>> storage_places_;
    ir::SymbolMap<bool> streams_;   // buffers whose vector stores bypass the caches
    ir::SymbolMap<bool> constants_; // input buffers whose elements are data of the module
};

} // namespace fluorite::backends
