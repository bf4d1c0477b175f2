#pragma once
// Names of a frozen graph: every symbol its own, the same in every run.

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fluorite::language {

/// Gives names to the Funcs, inputs and Params of one graph. User's names are taken in the order they are asked for and
/// get a number where they are taken already; anonymous ones are numbered after them.
class GlobalNames {
  public:
    /// All objects' names, in the graph's order; the result has the new names in the same order. Of equal names, the
    /// objects listed in `first` keep theirs before others.
    static std::vector<std::string> assign(const std::vector<std::string> &wanted, std::vector<size_t> first);
};

/// Gives names to anonymous Vars of schedules: v0, v1, ... in order of first use, around the user's names.
class LoopNames {
  public:
    void reserve(const std::string &user_name);
    /// The name as it is, or the number name of an anonymous one.
    const std::string &of(const std::string &name);
    /// The anonymous names met so far, each with its number name.
    const std::unordered_map<std::string, std::string> &given() const { return names_; }

  private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::string> names_;
    std::map<std::string, int> counts_;
};

} // namespace fluorite::language
