#pragma once
// Schedules of bodies and of what reads the result.

#include "iterations/drawing.h"

#include <set>
#include <utility>

namespace fluorite::fuzz::iterations {

/// A Func of a body, or of those that read the result, that may get a schedule of its own.
struct Part {
    Func func;
    std::string name;
    bool has_update = false;
    std::vector<size_t> reads; ///< earlier parts
};

class ScheduleDrawing {
  public:
    explicit ScheduleDrawing(Drawing &draw) : draw_(draw) {}

    /// Schedules `next`, which reads the parts `reads`, and all parts.
    void schedule_all(Func &next, const std::string &name, std::vector<Part> &parts, const std::vector<size_t> &reads);

  private:
    using Loops = std::vector<std::pair<Var, std::string>>;

    struct Tail {
        TailStrategy strategy;
        std::string text;
    };

    Drawing &draw_;

    Tail tail();
    Loops schedule_loops(Func &func, const std::string &name);
    Loops split_loops(Func &func, const std::string &name, std::set<std::string> &unrolled);
};

} // namespace fluorite::fuzz::iterations
