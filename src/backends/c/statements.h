#pragma once
// Statements of functions of the host as statements of C.

#include "backends/c/expressions.h"
#include "ir/closure.h"

#include <map>

namespace fluorite::backends::c {

/// A task, and the struct of its closure.
struct TaskText {
    std::string name, closure; // of the function and the struct
    ir::ClosureLayout layout;
    bool has_index = false;
};

class Statements {
  public:
    Statements(Expressions &expressions, const std::map<std::string, TaskText> &tasks)
        : e_(expressions), f_(expressions.function()), tasks_(tasks) {}

    void write(const ir::Stmt &stmt);
    /// Returns the code from the function, after it has freed its memory.
    void leave(const std::string &code);
    bool leaves() const { return leaves_; }
    /// The pointers that the function frees at its end.
    const std::vector<std::string> &blocks() const { return blocks_; }
    /// How many slots the function has.
    size_t slots() const { return slots_; }
    void set_slots(size_t slots) { slots_ = slots; }

  private:
    void let(const ir::LetStmt &node);
    void leaf(const ir::Stmt &stmt);
    void loop(const ir::For &node);
    void task_loop(const ir::For &node);
    void allocate(const ir::Allocate &node);
    std::string bytes_of(const ir::Allocate &node);
    void new_block(const ir::Allocate &node, const std::string &pointer, const std::string &bytes);
    void store(const ir::Store &node);
    void atomic(const ir::Atomic &node);
    std::string closure_of(const ir::Launch &launch);
    void launch(const ir::Launch &node);
    void leave_unless_zero(const std::string &code);

    Expressions &e_;
    c_text::FunctionText &f_;
    const std::map<std::string, TaskText> &tasks_;
    std::vector<std::string> blocks_;
    std::map<std::string, std::string> freed_by_; // the pointer of an allocation on the heap, by its name
    ir::SymbolMap<std::string> pointers_;
    std::string lock_; // that is held
    size_t slots_ = 0;
    bool leaves_ = false;
};

} // namespace fluorite::backends::c
