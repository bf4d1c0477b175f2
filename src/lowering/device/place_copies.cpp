// The memory of devices.
//
//   allocate g: float32[n] {                        allocate g: float32[n] in device {
//     gpu_block for x in ... { launch k.0(g) }        device.need(in, 0)
//     gpu_block for x in ... { launch k.1(g, f) }     gpu_block for x in ... { launch k.0(in, g) }
//     for x in [0, +n) { out[x] = f[x] } }            gpu_block for x in ... { launch k.1(g, f.device) }
//                                                     device.wrote(f.device)
//                                                     device.need_host(f.device)
//                                                     for x in [0, +n) { out[x] = f[x] }
//                                                     device.host_wrote(out) }
// An allocation that only kernels access is in the memory of the device. One that the host accesses too stays where it
// is, and has a copy on the device, an allocation of its own that is attached to it; the launches get the copy. The
// elements of a buffer argument are wherever the program has left them.
//
// Which copy is the newest is known at run time, as programs hand over buffers in either state and loops and branches
// run any number of times. Lowering only states what is accessed next and what has been stored to: the runtime copies
// where the other side is newer, and otherwise looks at a flag. These statements stand around each launch and around
// each statement of the host that launches nothing and is as large as possible, so that no loop of the host looks at
// flags. A store counts as an access: it changes only a part, and the rest has to be there.
//
// Relies on: kernels are outlined; memory is not yet freed early; no tasks are outlined, so that all accesses are at
// hand. Does not handle a parallel loop in which the host and a device access the same memory from outside of the loop
// and one of them stores to it: whole buffers are copied, so that an iteration would undo what another one stores. It
// is refused. Cost: linear, times the depth of parallel loops.

#include "lowering/device/place_copies.h"

#include "ir/operations.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/device/device_loops.h"
#include "support/check.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The buffers that a part of the program reads and stores to.
struct Uses {
    std::set<Symbol> read, stored;

    bool contain(const Symbol &buffer) const { return read.contains(buffer) || stored.contains(buffer); }
    std::set<Symbol> all() const {
        std::set<Symbol> both = read;
        both.insert(stored.begin(), stored.end());
        return both;
    }
};

/// Whether an operation that gets a buffer leaves its elements alone. Checks of arguments only compare host pointers.
bool looks_at_header(const std::string &name, bool is_in_check) {
    const bool is_of_elements = name == "memory.address" || (name == "buffer.host" && !is_in_check);
    const Operation *operation = find_operation(name);
    return !is_of_elements && operation && operation->operand(0) != 'h';
}

/// Collects the uses of one function's statements and expressions: what launches do is not part of it.
class UsesOf : public Visitor {
  public:
    Uses uses;
    using Visitor::visit;
    void visit(const Expr &expr) override {
        if (!is_in_check_ && !seen_.insert(expr.get()).second) {
            return;
        }
        if (expr->kind() == ExprKind::Extern && looks_at_header(expr->text(), is_in_check_)) {
            for (const Expr &operand : expr->args()) {
                if (buffer_use(operand) != BufferUse::Address) {
                    visit(operand);
                }
            }
            return;
        }
        switch (buffer_use(expr)) {
        case BufferUse::Load:
            uses.read.insert(expr->symbol());
            break;
        case BufferUse::Address: // a C function may do both
            uses.read.insert(expr->symbol());
            uses.stored.insert(expr->symbol());
            break;
        case BufferUse::None:
        case BufferUse::Field:
            break;
        }
        recurse(expr);
    }
    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<Store>()) {
            uses.stored.insert(store->buffer);
        }
        is_in_check_ = stmt.kind() == StmtKind::Assert;
        recurse(stmt);
        is_in_check_ = false;
    }

  private:
    std::unordered_set<const ExprNode *> seen_; // outside of checks
    bool is_in_check_ = false;
};

bool is_launch(const Stmt &stmt) { return stmt.kind() == StmtKind::Launch; }

bool runs_concurrently(const Stmt &stmt) {
    const auto *loop = stmt.as<For>();
    return loop && (loop->for_kind == ForKind::Parallel || loop->for_kind == ForKind::Forked);
}

/// What kernels store to, by their names: found once, as a launch is looked at in each loop around it.
class Kernels {
  public:
    struct Kernel {
        const LoweredFunc &func;
        std::set<Symbol> stored;
    };
    explicit Kernels(const std::vector<LoweredFunc> &kernels) {
        for (const LoweredFunc &func : kernels) {
            UsesOf inside;
            if (func.body.defined()) {
                inside.visit(func.body);
            }
            kernels_.try_emplace(func.name, Kernel{func, std::move(inside.uses.stored)});
        }
    }
    const Kernel &of(const Launch &launch) const {
        const auto at = kernels_.find(launch.task);
        check(at != kernels_.end(), concat("the kernel '", launch.task, "' is known"));
        return at->second;
    }

  private:
    std::unordered_map<std::string, Kernel> kernels_;
};

/// The uses of the host, and apart from them those of a device.
class Sides : public UsesOf {
  public:
    Uses device;
    std::set<Symbol> allocated;
    bool has_work = false; // a launch of a kernel that computes something

    explicit Sides(const Kernels &kernels) : kernels_(kernels) {}
    using UsesOf::visit;
    void visit(const Stmt &stmt) override {
        if (const auto *launch = stmt.as<Launch>()) {
            return add_launch(*launch);
        }
        if (const auto *allocate = stmt.as<Allocate>()) {
            allocated.insert(allocate->buffer);
        }
        UsesOf::visit(stmt);
    }
    const Uses &host() const { return uses; }

  private:
    const Kernels &kernels_;

    /// What a launch does on the device, and what the host evaluates for it.
    void add_launch(const Launch &launch) {
        const auto &[kernel, stored] = kernels_.of(launch);
        if (!kernel.body.defined()) {
            return; // passes have found that it computes nothing
        }
        has_work = true;
        for (size_t i = 0; i < kernel.args.size(); i++) {
            const Expr &given = launch.args[i];
            if (kernel.args[i].kind == LoweredArg::Kind::Scalar) {
                visit(given);
                continue;
            }
            device.read.insert(given->symbol()); // even if later passes have removed what reads it
            if (stored.contains(kernel.args[i].symbol)) {
                device.stored.insert(given->symbol());
            }
        }
        for (const Expr &count : launch.threads) {
            visit(count);
        }
    }
};

class CopyPlacer : public Mutator {
  public:
    CopyPlacer(const Stmt &whole, const std::vector<LoweredFunc> &kernels, const std::vector<LoweredArg> &args,
               const PassContext &context)
        : kernels_(kernels), context_(context), sides_(kernels_) {
        sides_.visit(whole);
        for (const LoweredArg &arg : args) {
            const bool is_buffer = arg.kind != LoweredArg::Kind::Scalar;
            if (is_buffer && (context.options.has_device || sides_.device.contain(arg.symbol))) {
                arguments_.insert(arg.symbol);
            }
        }
    }

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (!launches_(stmt)) {
            UsesOf found;
            found.visit(stmt);
            return on_host(stmt, found.uses);
        }
        if (is_block_loop(stmt)) {
            return grid(stmt);
        }
        if (const auto *allocate = stmt.as<Allocate>(); allocate && sides_.device.contain(allocate->buffer)) {
            return before(uses_of_operands(stmt), allocation(*allocate));
        }
        if (runs_concurrently(stmt)) {
            check_concurrent(*stmt.as<For>());
        }
        return before(uses_of_operands(stmt), recurse(stmt));
    }

  private:
    const Kernels kernels_;
    const PassContext &context_;
    Sides sides_;                // of the whole function
    std::set<Symbol> arguments_; // that may be on the device
    SymbolMap<Symbol> copies_;   // of allocations of the host that are in scope
    HasLoop launches_{is_launch};

    // ---- Statements of the host.

    /// Expressions of the statement itself, such as the bounds of a loop.
    Uses uses_of_operands(const Stmt &stmt) {
        UsesOf found;
        for_each_child_expr(stmt, [&](const Expr &expr) { found.visit(expr); });
        return found.uses;
    }

    bool is_tracked(const Symbol &buffer) const { return arguments_.contains(buffer) || copies_.contains(buffer); }
    Expr memory(const Symbol &buffer) const {
        const auto copy = copies_.find(buffer);
        return make_var(Handle(), copy == copies_.end() ? buffer : copy->second);
    }

    static Stmt operation(const char *name, std::vector<Expr> operands) {
        return Evaluate::make(make_extern(Int(32), name, std::move(operands)));
    }

    Stmt before(const Uses &uses, const Stmt &stmt) const {
        std::vector<Stmt> stmts;
        for (const Symbol &buffer : uses.all()) {
            if (is_tracked(buffer)) {
                stmts.push_back(operation("device.need_host", {memory(buffer)}));
            }
        }
        stmts.push_back(stmt);
        return Block::make(std::move(stmts));
    }

    Stmt on_host(const Stmt &stmt, const Uses &uses) const {
        std::vector<Stmt> stmts = {before(uses, stmt)};
        for (const Symbol &buffer : uses.stored) {
            if (is_tracked(buffer)) {
                stmts.push_back(operation("device.host_wrote", {memory(buffer)}));
            }
        }
        return Block::make(std::move(stmts));
    }

    // ---- Launches.

    Stmt grid(const Stmt &nest) const {
        Sides sides(kernels_);
        sides.visit(nest);
        if (!sides.has_work) {
            return {};
        }
        std::vector<Stmt> stmts;
        for (const Symbol &buffer : sides.device.all()) {
            const bool is_whole = arguments_.contains(buffer) && !sides_.host().contain(buffer);
            const DeviceUse use = !sides.device.stored.contains(buffer) ? DeviceUse::Read
                                  : is_whole                            ? DeviceUse::WriteWhole
                                                                        : DeviceUse::WritePart;
            if (is_tracked(buffer)) {
                stmts.push_back(operation("device.need", {memory(buffer), int32(static_cast<int>(use))}));
            }
        }
        stmts.push_back(with_copies(nest));
        for (const Symbol &buffer : sides.device.stored) {
            if (is_tracked(buffer)) {
                stmts.push_back(operation("device.wrote", {memory(buffer)}));
            }
        }
        return before(sides.host(), Block::make(std::move(stmts)));
    }

    /// The nest, whose launch gets the copies on the device.
    Stmt with_copies(const Stmt &nest) const {
        if (const auto *loop = nest.as<For>()) {
            return For::make(loop->var, loop->min, loop->extent, loop->for_kind, with_copies(loop->body),
                             loop->partition);
        }
        const auto *launch = nest.as<Launch>();
        check(launch != nullptr, "the body of a grid is a launch");
        std::vector<Expr> args = launch->args;
        for (Expr &arg : args) {
            if (arg.type() == Handle() && is_kind(arg, ExprKind::Variable)) {
                arg = memory(arg->symbol());
            }
        }
        return Launch::make(launch->task, std::move(args), launch->threads);
    }

    // ---- Memory.

    Stmt allocation(const Allocate &node) {
        if (!sides_.host().contain(node.buffer)) {
            return Allocate::make(node.buffer, node.type, MemoryType::Device, node.extents, mutate(node.body));
        }
        const Symbol copy = context_.symbols.fresh(SymbolKind::Buffer, node.buffer.name() + ".device");
        copies_[node.buffer] = copy;
        const Stmt attach = operation("device.attach", {make_var(Handle(), copy), make_var(Handle(), node.buffer)});
        const Stmt body = Block::make({attach, mutate(node.body)});
        copies_.erase(node.buffer);
        return Allocate::make(node.buffer, node.type, node.memory, node.extents,
                              Allocate::make(copy, node.type, MemoryType::Device, node.extents, body));
    }

    void check_concurrent(const For &loop) const {
        Sides sides(kernels_);
        sides.visit(loop.body);
        for (const Symbol &buffer : sides.device.all()) {
            const bool is_shared = sides.host().contain(buffer) && !sides.allocated.contains(buffer);
            if (is_shared && (sides.host().stored.contains(buffer) || sides.device.stored.contains(buffer))) {
                const FuncDef *func = context_.func_of(buffer);
                throw CompileError(
                    "gpu-parallel-copies",
                    concat(
                        "the loop ", loop.var.name(),
                        " is parallel, and in its iterations both the host and a device access ",
                        func ? func->name() : buffer.name(),
                        ", which is in memory from outside of the loop, and one of them stores to it; copies between "
                        "them are of whole buffers, so that iterations would undo each other's stores; compute it "
                        "inside of the loop, or the loop's Funcs all on one side, or make the loop serial"));
            }
        }
    }
};

} // namespace

Stmt place_copies(const Stmt &stmt, const std::vector<LoweredFunc> &kernels, const std::vector<LoweredArg> &args,
                  const PassContext &context) {
    const bool has_copies = stmt.defined() && (!kernels.empty() || context.options.has_device);
    return has_copies ? CopyPlacer(stmt, kernels, args, context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
