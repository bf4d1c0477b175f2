#include "ir/memory.h"

#include <algorithm>

namespace fluorite::ir {

std::optional<int64_t> constant_elements(const Allocate &allocate) {
    int64_t elements = 1;
    for (const Expr &extent : allocate.extents) {
        int64_t count = 0;
        if (!is_const_int(extent, &count) || __builtin_mul_overflow(elements, std::max<int64_t>(count, 0), &elements)) {
            return std::nullopt;
        }
    }
    return elements;
}

int slot_count(const Stmt &body) {
    class Finder : public Visitor {
      public:
        int count = 0;
        using Visitor::visit;
        void visit(const Expr &) override {}
        void visit(const Stmt &stmt) override {
            if (const auto *allocate = stmt.as<Allocate>()) {
                count = std::max(count, allocate->slot + 1);
            }
            recurse(stmt);
        }
    };
    Finder finder;
    if (body.defined()) {
        finder.visit(body);
    }
    return finder.count;
}

void ExitPaths::close(const Symbol &buffer) {
    const auto at = std::find_if(open_.rbegin(), open_.rend(), [&](const Open &one) { return one.buffer == buffer; });
    if (at == open_.rend()) {
        return;
    }
    const auto next = open_.erase(std::next(at).base());
    for (auto later = next; later != open_.end(); ++later) {
        later->path = unknown; // exits no longer free this block
    }
}

int ExitPaths::here() {
    int path = end;
    for (Open &one : open_) {
        if (one.path == unknown) {
            one.path = static_cast<int>(paths_.size());
            paths_.push_back({one.buffer, path});
        }
        path = one.path;
    }
    return path;
}

} // namespace fluorite::ir
