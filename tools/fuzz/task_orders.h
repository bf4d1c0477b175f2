#pragma once
// Orders and delays of tasks in which cases run: those that a quiet machine does not produce by itself
// (runtime/task_order.cpp).

#include "genome.h"
#include "options.h"

#include "fluorite/runtime/fork.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::fuzz {

/// The seeds of the tasks' order and of their delays.
struct Way {
    uint64_t order = 0, delay = 0;
};

/// In which a case is to run: a case without tasks in one, the others in several, under stress in many.
std::vector<Way> ways_of(const Genome &genome, const Options &options);
/// Empty for the order of the thread pool, otherwise with a comma in front.
std::string text_of(const Way &way);

/// Sets the order and the delays of tasks during its lifetime.
class InWay {
  public:
    explicit InWay(const Way &way)
        : order_(fluorite_set_task_order(way.order)), delay_(fluorite_set_task_delay(way.delay)) {}
    ~InWay() {
        fluorite_set_task_order(order_);
        fluorite_set_task_delay(delay_);
    }
    InWay(const InWay &) = delete;
    InWay &operator=(const InWay &) = delete;

  private:
    uint64_t order_, delay_;
};

} // namespace fluorite::fuzz
