#pragma once
// From loop IR to LLVM instructions: the class whose parts are emit_frame.cpp, emit_expr.cpp, emit_index.cpp,
// emit_memory.cpp, emit_gather.cpp, emit_calls.cpp, emit_stmt.cpp, emit_allocations.cpp and emit_tasks.cpp. One Emitter
// fills one llvm::Module.

#include "backends/llvm/arith.h"
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

/// A scalar 64-bit address part: constant + sum of coefficient * product of factors. A factor is an i64 value, and
/// `depth` the control scope in which it becomes known; terms that are known further out are added first, so that
/// loop-invariant parts of addresses stay together.
struct LinearTerm {
    llvm::SmallVector<llvm::Value *, 2> factors; // in the order in which the index names them
    int64_t coefficient = 1;
    int depth = 0;
};
struct LinearIndex {
    llvm::SmallVector<LinearTerm, 4> terms;
    int64_t constant = 0;
    bool is_constant() const { return terms.empty(); }
};
/// a + scale * b.
LinearIndex add(LinearIndex a, const LinearIndex &b, int64_t scale);
/// Lanes base, base + stride, ...
struct RampIndex {
    LinearIndex base, stride;
    int lanes = 1;
};

/// By how much an index grows from one lane to the next: by `least` or more, `most` or less. Nothing where that is not
/// seen.
struct LaneSteps {
    int64_t least = 0, most = 0;
};
std::optional<LaneSteps> lane_steps(const Expr &index);
/// Whether an index may wrap in its own width: it comes from memory, and is no sum of coordinates and of what is small.
bool index_may_wrap(const Expr &index);
/// The longest step of a ramp that the lanes are made from by integer arithmetic alone, where it is 8 or less:
/// neighbours that are mirrored or wrapped mostly stay near each other. Else 0.
int64_t folded_step(const Expr &index);

class Emitter {
  public:
    Emitter(llvm::Module &module, const Target &target);
    /// Adds the entry, its tasks, `<name>_argv` and `<name>_metadata`.
    void emit(const ir::LoweredModule &module);

  private:
    using Value = llvm::Value;

    // ---- State of the LLVM function that is being filled.

    /// A node's value: `scope` is the control scope that holds its instruction, `depth` the outermost one in which it
    /// could be computed, `users` the cached nodes made from it.
    struct Cached {
        Value *value = nullptr;
        int scope = 0;
        int depth = 0;
        bool reads_memory = false;
        llvm::SmallVector<const ir::ExprNode *, 2> users;
    };
    struct Binding {
        Value *value = nullptr;
        Value *wide = nullptr; // as i64 where it is a loop variable
        int depth = 0;
        std::optional<LinearIndex> linear;       // of a coordinate: what it was bound to
        std::vector<const ir::ExprNode *> nodes; // cached Variables
    };
    struct Buffer {
        Value *host = nullptr;
        Value *header = nullptr; // the fluorite_buffer_t of an argument
        int depth = 0;           // of host
        llvm::MDNode *alias = nullptr;
        int64_t elements = -1;                   // of an allocation of constant size
        Value *first = nullptr, *last = nullptr; // elements that there are, in checked code
    };
    /// Memory of an allocation inside a loop: kept from one iteration to the next, freed when the function returns.
    struct Slot {
        Value *pointer = nullptr, *size = nullptr;
        llvm::MDNode *alias = nullptr; // of all buffers that lie in it, one after the other
        bool is_taken = false;
    };
    /// An allocation on the stack or in a slot whose life has not ended.
    struct Placed {
        ir::Symbol buffer;
        llvm::AllocaInst *block = nullptr; // on the stack
        size_t slot = 0;                   // else
    };
    /// A heap block whose scope is open. Ways out from inside it pass its cleanup block, which frees it and goes on to
    /// that of the block around it; made when it is first needed.
    struct Live {
        ir::Symbol buffer;
        Value *block = nullptr;
        llvm::BasicBlock *cleanup = nullptr;
        llvm::PHINode *code = nullptr;
    };
    struct Frame {
        llvm::Function *function = nullptr;
        llvm::BasicBlock *entry = nullptr; // allocas, arguments
        llvm::BasicBlock *exit = nullptr;
        llvm::PHINode *result = nullptr;
        Value *context = nullptr;
        int depth = 0; // of control scopes: loops and branches
        int loops = 0; // that are open
        ir::SymbolMap<Binding> bindings;
        ir::SymbolMap<Buffer> buffers;
        std::unordered_map<const ir::ExprNode *, Cached> cache;
        std::vector<std::vector<const ir::ExprNode *>> scopes; // cached nodes by scope
        std::unordered_map<Value *, Value *> widened;          // to 64 bits, right behind where the value is made
        std::unordered_map<Value *, int> ranks;                // of the factors of indices, by first use
        std::vector<const ir::ExprNode *> memory_nodes;        // cached nodes that read memory
        std::vector<Live> live;                                // heap blocks to free on the way out
        std::vector<Slot> slots;
        std::vector<Placed> placed;
        Value *text = nullptr;               // the buffer of text.concat
        Value *spare = nullptr;              // where lanes that are off load and store
        Value *held_lock = nullptr;          // of an atomic around
        std::array<Value *, 4> lane_slots{}; // through which offsets of lanes pass, in turn
        size_t next_lane_slot = 0;
        int lanes_in_place = 0;    // that are loaded one by one
        int loop_depth = 0;        // the control scope of the innermost loop
        bool calls_extern = false; // C functions of the program, which may fail
        bool has_streams = false;  // stores past the caches
    };

    // ---- Frames and scopes (emit_frame.cpp).

    llvm::Function *new_function(const std::string &name, llvm::FunctionType *type, bool is_public);
    void begin_frame(llvm::Function *function);
    void end_frame();
    void push_scope();
    void pop_scope();
    llvm::BasicBlock *new_block(const char *name);
    llvm::AllocaInst *entry_alloca(llvm::Type *type, uint64_t count, uint64_t alignment, const char *name);
    /// Frees what is live and leaves the function with a code; the builder then stands in no block.
    void leave(Value *code);
    void make_cleanups();
    /// Goes on where the condition holds; `failure` makes the error code in a cold block and leaves.
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
    bool step(const ir::ExprNode *node, size_t next, std::vector<std::pair<const ir::ExprNode *, size_t>> &stack);
    void remember(const ir::ExprNode &node, Value *value);
    void forget(const ir::ExprNode *node);
    void forget_memory();
    void bind(const ir::Symbol &symbol, Value *value, int depth, Value *wide = nullptr);
    /// What a symbol is bound to, and the way back to it at the end of the scope of another binding: a symbol without
    /// one is bound to nothing, as bodies that become functions capture what they use and is bound.
    std::optional<Binding> binding_of(const ir::Symbol &symbol) const;
    void restore(const ir::Symbol &symbol, const std::optional<Binding> &outer);
    int depth_of(const Expr &expr) const;

    // ---- Addresses, loads, stores (emit_memory.cpp).

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
    Value *from_memory(Type type, Value *value);
    Value *to_memory(Type type, Value *value);
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
    /// Leaves with an error where a lane that is on lies outside of the buffer.
    void check_access(const ir::Symbol &symbol, const Expr &index, const Expr &predicate);
    void find_elements(Buffer &argument);
    /// Overwrites what is in fresh memory.
    void poison(Value *block, Value *bytes);

    // ---- Loads of lanes that lie anywhere (emit_gather.cpp).

    /// What one permutation picks from: `registers` of `width` elements, for `lanes` lanes; `as_words`: bytes moved as
    /// 16 bits.
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
    llvm::Constant *embedded_buffer(const ir::Parameter &parameter);
    Value *host(const ir::Symbol &symbol);
    Value *header(const ir::Symbol &symbol);
    Value *field(Value *header, const ir::Member &member);
    Value *header_load(llvm::Type *type, Value *base, int64_t offset, const char *name);
    void header_store(Value *value, Value *base, int64_t offset);
    llvm::Instruction *tag(llvm::Instruction *access, const ir::Symbol &symbol);
    llvm::MDNode *alias_tag(const std::string &name);

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
    llvm::FunctionCallee declare(const std::string &name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> params);
    Value *text_constant(const std::string &text);

    // ---- Statements (emit_stmt.cpp).

    void stmt(const ir::Stmt &stmt);
    void leaf(const ir::Stmt &at);
    Value *lsr_barrier(Value *value);
    void serial_for(const ir::For &loop);
    void preload(const ir::Stmt &body);
    void if_then_else(const ir::IfThenElse &node);

    // ---- Tasks (emit_tasks.cpp).

    /// One field of a closure: a part of an argument of the task.
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

    // ---- Functions that C calls (module.cpp).

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
    llvm::MDBuilder metadata_;
    llvm::Type *const i8_, *const i16_, *const i32_, *const i64_, *const ptr_, *const void_;
    Frame frame_;
    std::string name_; // of the entry
    std::unordered_map<std::string, Task> tasks_;
    llvm::MDNode *alias_root_ = nullptr;
    std::map<std::string, llvm::MDNode *> alias_tags_;
    std::map<std::string, llvm::Constant *> texts_;
    std::unordered_map<const ir::Parameter *, llvm::Constant *> embedded_;
    std::vector<std::pair<ir::Symbol, Location>> storage_places_; // where the program asks for memory
    ir::SymbolMap<bool> streams_;                                 // buffers whose vectors go past the caches
    ir::SymbolMap<bool> constants_;                               // input buffers that are data of the module
};

} // namespace fluorite::backends
