// What the verifier checks of a module: its functions, what launches them, what kernels may contain, and where memory
// is.
//
// A module is checked function by function. A Launch is compared with the function that it names, so that what one side
// hands over is what the other takes; a kernel, with the nest of loops over blocks around its Launch. Where memory is
// matters to a back end only, so that it is decided, and checked, in phase Outlined.
//
// Cost: linear in the statements, as the walk of verify.cpp calls these checks where it meets what they are about.

#include "ir/memory.h"
#include "ir/print.h"
#include "ir/text_names.h"
#include "ir/verifier.h"

#include <algorithm>
#include <optional>
#include <set>

namespace fluorite::ir {

/// Checks where the memory is, in a function of a module.
void Verifier::memory_of(const Allocate &allocate) {
    require(allocate.memory != MemoryType::Auto, "where the memory is, is not decided");
    if (is_in_kernel()) {
        require(allocate.memory != MemoryType::Device, "the host allocates the memory of a device");
        require(allocate.slot == Allocate::no_slot, "memory of a kernel has no slot");
        return allocate.memory == MemoryType::GPUShared ? shared_memory_of(allocate) : private_memory_of(allocate);
    }
    require(allocate.memory != MemoryType::GPUShared, "only blocks of a device share memory");
    const bool is_heap = allocate.memory == MemoryType::Heap;
    require(is_heap || allocate.memory == MemoryType::Device || constant_elements(allocate),
            "the size of a block on the stack is a constant");
    const bool has_slot = allocate.slot != Allocate::no_slot;
    require(has_slot == (is_heap && loops_ > 0), "memory has a slot if it is on the heap and allocated in a loop");
    require(!has_slot || std::find(slots_.begin(), slots_.end(), allocate.slot) == slots_.end(), "the slot is in use");
    if (has_slot) {
        slots_.push_back(allocate.slot);
    }
}

/// Checks memory that the threads of a block share: it is allocated before the kernel runs.
void Verifier::shared_memory_of(const Allocate &allocate) const {
    for (const Expr &extent : allocate.extents) {
        for_each_node(extent, [&](const Expr &node) {
            const bool is_argument = !is_kind(node, ExprKind::Variable) ||
                                     std::any_of(func_->args.begin(), func_->args.end(),
                                                 [&](const LoweredArg &arg) { return arg.symbol == node->symbol(); });
            require(is_argument && !is_kind(node, ExprKind::Load),
                    "the size of memory that a block shares is in terms of the kernel's arguments");
        });
    }
}

void Verifier::private_memory_of(const Allocate &allocate) {
    require(allocate.memory != MemoryType::Heap && constant_elements(allocate),
            "memory of a thread has a constant size, and is not on the heap");
}

/// Checks that a loop over blocks is a dimension of a grid, once kernels are outlined.
void Verifier::grid(const For &loop) {
    const auto *inner = loop.body.as<For>();
    const bool is_dimension = loop.body.as<Launch>() || (inner && inner->for_kind == ForKind::GPUBlock);
    require(before(Phase::Outlined) || (is_dimension && is_zero(loop.min)),
            "a loop over blocks begins at 0, and its body is another one or a launch");
}

/// Checks a statement of a kernel: nothing there starts tasks or frees, and what fails has a text.
void Verifier::in_kernel(const Stmt &stmt) const {
    switch (stmt.kind()) {
    case StmtKind::Assert: {
        const Expr &error = stmt.as<Assert>()->error;
        return require(is_kind(error, ExprKind::Extern) && error->text() == "fluorite_error" &&
                           is_const(error->arg(0)) && is_kind(error->arg(1), ExprKind::StringImm),
                       "the error of a check in a kernel is a call of fluorite_error with a code and a text");
    }
    case StmtKind::Free:
    case StmtKind::Launch:
        fail("a kernel contains no free or launch");
    case StmtKind::For:
        return require(before(Phase::Outlined) || stmt.as<For>()->for_kind == ForKind::Serial,
                       "the loops of a kernel are serial");
    case StmtKind::Atomic:
    case StmtKind::LetStmt:
    case StmtKind::ProducerConsumer:
    case StmtKind::Provide:
    case StmtKind::Realize:
    case StmtKind::Allocate:
    case StmtKind::Store:
    case StmtKind::Block:
    case StmtKind::IfThenElse:
    case StmtKind::Evaluate:
    case StmtKind::Prefetch:
    case StmtKind::Barrier:
        return;
    }
}

void Verifier::launch(const Launch &launch) {
    require(!atomic_.defined(), "tasks do not begin in an atomic");
    for (const Expr &count : launch.threads) {
        scalar(count, Int(32), "threads");
    }
    if (!module_) { // other functions are not at hand
        for (const Expr &arg : launch.args) {
            expr(arg, "argument");
        }
        return;
    }
    const LoweredFunc *task = module_->find(launch.task);
    const bool is_kernel = task && task->kind == LoweredFunc::Kind::Kernel;
    require(task && (is_kernel || task->kind == LoweredFunc::Kind::Task), "the module has no such task");
    require(task > func_, "the task does not come after the function that launches it");
    const std::vector<const For *> loops = loops_around();
    if (is_kernel) {
        require(!loops.empty() && loops.size() <= 3 && loops.size() == task->blocks.size(),
                "a kernel has an index for each of one to three loops over blocks around its launch");
        require(launch.threads.size() == task->threads.size() && launch.threads.size() <= 3,
                "a kernel has an index for each of at most three dimensions of threads");
    } else {
        const auto *loop = path_.size() > 1 ? Stmt(path_[path_.size() - 2].stmt).as<For>() : nullptr;
        const bool is_iteration = loop && loop->for_kind != ForKind::Serial;
        require(launch.threads.empty() && loops.empty(), "a task is not a kernel");
        require(task->index.defined() == is_iteration,
                is_iteration ? "the task of a loop has an index" : "a task has an index, but no loop runs it");
    }
    require(task->args.size() == launch.args.size(), "the task has ", task->args.size(), " arguments");
    for (size_t i = 0; i < launch.args.size(); i++) {
        launch_arg(task->args[i], launch.args[i]);
    }
}

/// The loops over blocks whose whole body is, in the end, the statement being checked; the innermost first.
std::vector<const For *> Verifier::loops_around() const {
    std::vector<const For *> loops;
    for (size_t i = path_.size() - 1; i-- > 0;) {
        const auto *loop = Stmt(path_[i].stmt).as<For>();
        if (!loop || loop->for_kind != ForKind::GPUBlock) {
            break;
        }
        loops.push_back(loop);
    }
    return loops;
}

void Verifier::launch_arg(const LoweredArg &wanted, const Expr &given) {
    if (wanted.kind == LoweredArg::Kind::Scalar) {
        expr(given, "argument");
        return require(given.type() == wanted.type, "'", wanted.symbol.name(), "' is of type ", wanted.type);
    }
    Meaning *meaning = is_kind(given, ExprKind::Variable) ? find(given->symbol()) : nullptr;
    const bool is_input = wanted.kind == LoweredArg::Kind::InputBuffer;
    const bool fits = meaning && meaning->kind == meaning_of(wanted.kind) && meaning->types[0] == wanted.type &&
                      meaning->is_input == is_input &&
                      (meaning->kind == Meaning::Kind::Allocation || meaning->dimensions == wanted.dimensions);
    require(fits && given.type() == Handle(), "'", wanted.symbol.name(), "' is another buffer in the task");
    meaning->is_mentioned = true;
}

void Verifier::check_closure() {
    for (const LoweredArg &arg : func_->args) {
        require(func_->kind != LoweredFunc::Kind::Task || find(arg.symbol)->is_mentioned, "'", arg.symbol.name(),
                "' is in the closure, but not used");
    }
}

std::optional<std::string> find_violation(const LoweredModule &module) {
    if (module.funcs.empty()) {
        return "the module has no function";
    }
    std::set<std::string> names;
    for (const LoweredFunc &func : module.funcs) {
        const bool is_first = &func == &module.funcs.front();
        const std::string who = concat("in ", quoted_name(func.name), ": ");
        if (is_first != (func.kind == LoweredFunc::Kind::Entry)) {
            return who + "the first function of a module is its entry, and no other";
        }
        if (!names.insert(func.name).second) {
            return who + "two functions have the name";
        }
        std::optional<Verifier> verifier;
        try {
            verifier.emplace(module, func);
            if (func.kind != LoweredFunc::Kind::Task && !func.body.defined()) {
                continue; // nothing to do
            }
            verifier->stmt(func.body);
            verifier->check_closure();
        } catch (const Violation &violation) {
            return who + (verifier ? verifier->path() : "in the arguments: ") + violation.text;
        }
    }
    return std::nullopt;
}

void verify(const LoweredModule &module) {
    if (auto violation = find_violation(module)) {
        throw InternalError("the IR is broken: " + *violation);
    }
}

} // namespace fluorite::ir
