#pragma once
// The symbols of a frozen graph: one for each Func, input, parameter and output buffer.

#include "language/freeze/objects.h"
#include "language/function.h"

#include <unordered_map>
#include <vector>

namespace fluorite::language {

/// The Functions of a graph, whose positions are their ids, and the symbols of all its objects.
class GraphSymbols {
  public:
    GraphSymbols(const std::vector<Function *> &order, const std::vector<RefPtr<Function>> &outputs,
                 const Objects &objects)
        : order_(order), outputs_(outputs), objects_(objects) {}

    /// Names all objects, which are complete by now.
    void make();

    bool is_output(const Function &function) const;
    FuncId id_of(const Function *function) const { return ids_.at(function); }
    const ir::Symbol &func(size_t index) const { return funcs_[index]; }
    const ir::Symbol &func(const Function *function) const { return funcs_[id_of(function).index()]; }
    const ir::Symbol &input(size_t index) const { return inputs_[index]; }
    const ir::Symbol &param(size_t index) const { return params_[index]; }
    /// Of the input, parameter or output buffer of the user's symbol.
    const ir::Symbol &parameter(const ir::Symbol &user) const;
    /// Of the Func or input of the user's symbol; null if the graph has no such.
    const ir::Symbol *find_func(const ir::Symbol &user) const;
    const ir::Symbol *find_input(const ir::Symbol &user) const;

  private:
    const std::vector<Function *> &order_;
    const std::vector<RefPtr<Function>> &outputs_;
    const Objects &objects_;
    std::unordered_map<const void *, FuncId> ids_;
    std::vector<ir::Symbol> funcs_, inputs_, params_;
    std::unordered_map<const ir::Parameter *, ir::Symbol> output_buffers_;

    std::vector<std::string> names() const;
    void make_output_buffers(const Function &function, const std::string &name, ir::SymbolOwner owner);
};

} // namespace fluorite::language
