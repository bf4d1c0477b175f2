#pragma once
// LoopLevel: a place in the loop nest where a Func can be computed or stored.

#include "fluorite/errors.h"
#include "fluorite/ref.h"
#include "fluorite/var.h"

namespace fluorite {

class Func;

/// Inside a loop of a Func's stage, outside of everything (root), or nowhere (inlined).
class LoopLevel {
  public:
    /// Inside the loop over `var` of the Func, in the given stage; negative: in the one that uses what is placed there.
    LoopLevel(const Func &func, const VarOrRVar &var, int stage = -1);
    static LoopLevel inlined(const Location &location = std::source_location::current());
    static LoopLevel root(const Location &location = std::source_location::current());

    enum class Kind { Inlined, Root, At };
    Kind kind() const { return kind_; }
    bool is_inlined() const { return kind_ == Kind::Inlined; }
    bool is_root() const { return kind_ == Kind::Root; }
    const detail::Ref<language::Function> &function() const { return function_; }
    const std::string &var() const { return var_; }
    int stage() const { return stage_; }
    const Location &location() const { return location_; }

  private:
    LoopLevel(Kind kind, const Location &location) : kind_(kind), location_(location) {}

    Kind kind_;
    detail::Ref<language::Function> function_;
    std::string var_;
    int stage_ = -1;
    Location location_;
};

} // namespace fluorite
