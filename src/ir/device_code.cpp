#include "ir/device_code.h"

#include <algorithm>

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
            if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
                texts.push_back(text);
            }
        }
        recurse(stmt);
    }
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

} // namespace fluorite::ir
