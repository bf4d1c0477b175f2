#pragma once
// The walk behind verify.h. Internal to the verifier: verify.cpp checks statements, verify_expr.cpp expressions,
// verify_module.cpp functions and what launches them.

#include "ir/verify.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fluorite::ir {

/// Unwinds the walk; never leaves the verifier.
struct Violation {
    std::string text;
};

std::string brief(const Expr &expr);

/// What a symbol in scope denotes.
struct Meaning {
    enum class Kind : uint8_t { Value, Argument, Allocation, Freed, Realized };
    Kind kind = Kind::Value;
    std::vector<Type> types = {};  // of the value, or of the elements
    int dimensions = -1;           // of an argument or a realized Func
    int depth = 0;                 // of an allocation: number of enclosing loops and branches; -1: another function's
    const StmtNode *end = nullptr; // of an allocation: the Free at the end of its body
    int slot = -1;                 // of an allocation on the heap
    bool is_input = false;
    bool is_mentioned = false; // by an expression, or as the target of a store
    bool escapes = false;      // of an allocation: its address is taken as a value
    bool is_nested = false;    // of a Realize: it is inside one that only takes memory
    bool is_used = false;      // of a Realize: its values are accessed outside inner Realizes
    bool takes_memory = false;
};

/// What an argument of the kind is in the body.
Meaning::Kind meaning_of(LoweredArg::Kind kind);

class Verifier {
  public:
    Verifier(Phase phase, const Surroundings &around);
    /// A function that is not in a module yet.
    Verifier(Phase phase, const LoweredFunc &func);
    /// A function of a module, in phase Outlined.
    Verifier(const LoweredModule &module, const LoweredFunc &func);

    void stmt(const Stmt &stmt);
    std::string path() const;
    /// Checks after the walk of a task that every argument is used.
    void check_closure();

  private:
    [[noreturn]] static void fail(const std::string &rule) { throw Violation{rule}; }
    template <typename... Parts> static void require(bool holds, const Parts &...parts) {
        if (!holds) {
            fail(concat(parts...));
        }
    }
    bool before(Phase phase) const { return phase_ < phase; }

    // Scopes.
    void bind(const Symbol &symbol, Meaning meaning);
    Meaning *find(const Symbol &symbol);
    template <typename Walk> void inside(const Symbol &symbol, Meaning meaning, const Walk &walk) {
        bind(symbol, std::move(meaning));
        scopes_.push_back(++last_scope_);
        walk();
        scopes_.pop_back();
        scope_.erase(symbol);
    }
    void judge_anew();
    static void check_let(const Symbol &symbol, const Expr &value);

    // Expressions.
    void expr(const Expr &expr, const char *what);
    void nodes(const Expr &root);
    void node(const Expr &expr);
    void let(const Expr &expr);
    void phase_of(const Expr &expr) const;
    void reference(const Expr &expr);
    void variable(const Expr &expr);
    void field(const Expr &expr);
    void call(const Expr &expr);
    void image(const Expr &expr);
    void load(const Expr &expr);
    void external(const Expr &expr);
    static void access(Meaning &meaning, size_t coordinates, const char *what);
    bool is_new(const ExprNode &node);

    // Statements.
    void check_phase(const Stmt &stmt) const;
    void check_mark(const Symbol &symbol);
    void check_atomic(const Symbol &buffer) const;
    void scalar(const Expr &value, Type type, const char *what);
    void box(const std::vector<Range> &bounds);
    void mask(const Expr &predicate, int lanes);
    void loop(const For &loop);
    void provide(const Provide &provide);
    void store(const Store &store);
    void free(const Free &free);
    void realize(const Realize &realize);
    void realize_inside(Meaning &outer, const Realize &realize);
    void allocate(const Allocate &allocate);
    void memory_of(const Allocate &allocate);
    void shared_memory_of(const Allocate &allocate) const;
    static void private_memory_of(const Allocate &allocate);
    void branch(const IfThenElse &branch);
    void atomic(const Atomic &atomic);
    void grid(const For &loop);
    bool is_in_kernel() const { return func_ && func_->kind == LoweredFunc::Kind::Kernel; }
    void in_kernel(const Stmt &stmt) const;
    void launch(const Launch &launch);
    std::vector<const For *> loops_around() const;
    void launch_arg(const LoweredArg &wanted, const Expr &given);
    void children(const Stmt &stmt);

    /// A statement, or a part of one.
    struct Step {
        const StmtNode *stmt;
        const char *part;
    };
    /// Where an expression was checked: the number of open scopes, and the innermost one.
    struct Seen {
        size_t depth;
        uint64_t scope;
    };

    Phase phase_;
    const LoweredModule *module_ = nullptr;
    const LoweredFunc *func_ = nullptr; // whose body is checked, if it is known
    SymbolMap<Meaning> scope_;
    std::vector<uint64_t> scopes_{0}; // the open ones
    uint64_t last_scope_ = 0;
    std::unordered_map<const ExprNode *, Seen> seen_;
    std::vector<Step> path_;
    int depth_ = 0;                    // number of enclosing loops and branches
    int loops_ = 0;                    // number of enclosing loops
    std::vector<int> slots_;           // those that are in use
    Symbol atomic_;                    // the symbol that the enclosing Atomic names
    const ExprNode *hinted_ = nullptr; // the first operand of a memory.prefetch
};

} // namespace fluorite::ir
