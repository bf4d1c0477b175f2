// Folded storage: a dimension that slides needs no more memory than one window of it.
//
// What, for a Func g folded by 4 along y:
//   realize g over [x0, w] [y0, h] { .. g(x, y) = g(x, y - 1) .. }
//   -->  realize g over [x0, w] [0, 4] { .. g(x, y % 4) = g(x, (y - 1) % 4) .. }
// Which dimensions fold, and why that keeps every value until its last use, is decided in sliding.cpp and regions.cpp.
//
// Comes after tracing, whose events show the program's coordinates. All of the fold is allocated, also where the full extent
// turns out to be smaller: addresses are taken modulo the fold. Cost: linear.

#include "lowering/fold_storage.h"

#include <algorithm>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

class Folder : public Mutator {
  public:
    Folder(const Regions &regions, const PassContext &context) : regions_(regions), context_(context) {}

    Expr mutate(const Expr &expr) override {
        const auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second.second;
        }
        Expr result = recurse(expr);
        if (const std::vector<Expr> *folds = result->kind() == ExprKind::Image ? folds_of(result->symbol()) : nullptr) {
            std::vector<Expr> args(result->args().begin(), result->args().end());
            fold(*folds, args);
            result = with_args(result, args);
        }
        done_.emplace(expr.get(), std::pair(expr, result));
        return result;
    }

    Stmt mutate(const Stmt &stmt) override {
        if (const auto *provide = stmt.as<Provide>()) {
            const std::vector<Expr> *folds = folds_of(provide->func);
            if (folds) {
                std::vector<Expr> args = mutate_all(provide->args);
                fold(*folds, args);
                return Provide::make(provide->func, provide->stage, mutate_all(provide->values), std::move(args),
                                     mutate(provide->predicate));
            }
        }
        if (const auto *realize = stmt.as<Realize>()) {
            const std::vector<Expr> *folds = folds_of(realize->func);
            if (folds) {
                std::vector<Range> bounds = realize->bounds;
                for (size_t d = 0; d < folds->size(); d++) {
                    if ((*folds)[d].defined()) {
                        bounds[d] = {make_int(Int(32), 0), (*folds)[d]};
                    }
                }
                return Realize::make(realize->func, realize->types, realize->memory, std::move(bounds),
                                     mutate(realize->body));
            }
        }
        return recurse(stmt);
    }

  private:
    const Regions &regions_;
    const PassContext &context_;
    std::unordered_map<const ExprNode *, std::pair<Expr, Expr>> done_; // the key's expression is kept

    /// The folds of the Func that a buffer belongs to; null where there are none.
    const std::vector<Expr> *folds_of(const Symbol &buffer) const {
        const FuncDef *func = context_.func_of(buffer);
        if (!func || context_.pipeline.graph.is_output(func->id())) {
            return nullptr;
        }
        const std::vector<Expr> &folds = regions_.folds[func->id().index()];
        const bool any = std::any_of(folds.begin(), folds.end(), [](const Expr &fold) { return fold.defined(); });
        return any ? &folds : nullptr;
    }

    static void fold(const std::vector<Expr> &folds, std::vector<Expr> &args) {
        for (size_t d = 0; d < folds.size(); d++) {
            if (folds[d].defined()) {
                args[d] = mod(args[d], folds[d]);
            }
        }
    }
};

} // namespace

Stmt fold_storage(const Stmt &stmt, const Regions &regions, const PassContext &context) {
    for (const std::vector<Expr> &folds : regions.folds) {
        if (!folds.empty()) {
            return stmt.defined() ? Folder(regions, context).mutate(stmt) : stmt;
        }
    }
    return stmt;
}

} // namespace fluorite::lowering
