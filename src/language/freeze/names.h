#pragma once
// Names of a frozen graph: unique for every symbol, and deterministic.

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fluorite::language {

/// Names the Funcs, inputs and Params of one graph. Users' names are assigned in the order of the requests, with a
/// number where the name is taken; anonymous ones are numbered after them.
class GlobalNames {
  public:
    /// Assigns names to all objects at once; both vectors are in the graph's order. Among equal names, the objects
    /// listed in `first` keep theirs.
    static std::vector<std::string> assign(const std::vector<std::string> &wanted, std::vector<size_t> first);
};

/// Names anonymous Vars of schedules v0, v1, ... in order of first use, avoiding the users' names.
class LoopNames {
  public:
    void reserve(const std::string &user_name);
    /// The name itself, or the generated name of an anonymous one.
    const std::string &of(const std::string &name);
    /// Maps the anonymous names seen so far to their generated names.
    const std::unordered_map<std::string, std::string> &given() const { return names_; }

  private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::string> names_;
    std::map<std::string, int> counts_;
};

} // namespace fluorite::language
