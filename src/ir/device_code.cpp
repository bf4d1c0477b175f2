#include "ir/device_code.h"

#include <unordered_set>

namespace fluorite::ir {

namespace {

class Failures : public Visitor {
  public:
    std::vector<std::string> texts;
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        if (const auto *check = stmt.as<Assert>()) {
            const std::string &text = failure_text(*check);
            if (known_.insert(text).second) {
                texts.push_back(text);
            }
        }
        recurse(stmt);
    }

  private:
    std::unordered_set<std::string> known_;
};

} // namespace

const std::string &failure_text(const Assert &check) { return check.error->arg(1)->text(); }

std::vector<std::string> failure_texts(const LoweredFunc &kernel) {
    Failures failures;
    if (kernel.body.defined()) {
        failures.visit(kernel.body);
    }
    return std::move(failures.texts);
}

std::string refusal_of_block(const std::string &kernel, const std::array<int64_t, 3> &threads) {
    bool fits = true;
    int64_t all = 1;
    for (size_t axis = 0; axis < threads.size(); axis++) {
        fits = fits && threads[axis] <= most_threads_along[axis];
        all *= fits ? threads[axis] : 1; // so that the product does not overflow
    }
    if (fits && all <= most_threads_of_block) {
        return "";
    }
    const auto text = [](const std::array<int64_t, 3> &extents) {
        return concat(extents[0], " x ", extents[1], " x ", extents[2]);
    };
    return concat("in ", kernel, ": its blocks have ", text(threads), " threads; devices run blocks of 1 to ",
                  most_threads_of_block, " threads, at most ", text(most_threads_along),
                  "; use smaller blocks or tiles in its schedule");
}

std::string refusal_of_shared(const std::string &kernel, int64_t bytes) {
    return bytes <= most_shared_bytes
               ? ""
               : concat("in ", kernel, ": its blocks take ", bytes, " bytes of shared memory; devices have at most ",
                        most_shared_bytes, " for a block; use smaller blocks or tiles in its schedule");
}

} // namespace fluorite::ir
