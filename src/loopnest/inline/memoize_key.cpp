// The key of a memoized Func: what its values depend on.
//
// Collects Params and fields of buffers from all Funcs that the Func reads, transitively. The keys of a memoize_tag
// stand for its value, which is not searched. A read of an input outside of a memoize_tag is refused, because keys do
// not contain the values of inputs.
//
// Requires definitions that still contain their memoize_tags. Cost: linear in the definitions.

#include "loopnest/inline/memoize_key.h"

#include <algorithm>
#include <set>

namespace fluorite::loopnest {

using namespace ir;

namespace {

class KeyCollector {
  public:
    KeyCollector(const LoweringGraph &graph, FuncId func) : graph_(graph), memoized_(func) {}

    Result<std::vector<Expr>> run() {
        std::vector<FuncId> left = {memoized_};
        std::set<FuncId> seen = {memoized_};
        while (!left.empty()) {
            const FuncId id = left.back();
            left.pop_back();
            for (const Stage &stage : graph_.func(id).stages) {
                for (const Expr &expr : stage_exprs(stage)) {
                    collect(expr);
                }
            }
            for (; !callees_.empty(); callees_.pop_back()) {
                if (seen.insert(callees_.back()).second) {
                    left.emplace_back(callees_.back());
                }
            }
        }
        return verdict_ ? Result<std::vector<Expr>>(std::move(key_)) : verdict_.refusal();
    }

  private:
    const LoweringGraph &graph_;
    FuncId memoized_;
    std::vector<Expr> key_;
    std::vector<FuncId> callees_;
    std::set<const ExprNode *> done_;
    Verdict verdict_; // the first refusal

    void refuse(const char *slug, const std::string &text) {
        if (verdict_) {
            verdict_ = Refusal{slug, "in " + graph_.func(memoized_).name() + ": " + text,
                               graph_.schedule(memoized_).marks.location(schedule::DirectiveName::memoize)};
        }
    }

    void add(const Expr &part) {
        const bool known = std::any_of(key_.begin(), key_.end(), [&](const Expr &other) { return equal(other, part); });
        if (!known) {
            key_.push_back(part);
        }
    }

    void collect(const Expr &expr) {
        if (!done_.insert(expr.get()).second) {
            return;
        }
        switch (expr->kind()) {
        case ExprKind::MemoizeTag:
            for (size_t i = expr->arg_count() > 1 ? 1 : 0; i < expr->arg_count(); i++) {
                add(whole_key(expr->arg(i)));
            }
            return;
        case ExprKind::Image:
            refuse("memoize-reads-input", "memoize of a Func whose values are computed from input " +
                                              expr->symbol().name() +
                                              "; the cache does not know what an input holds; wrap the read in "
                                              "memoize_tag(value, keys...) with " +
                                              "keys that change when the input does");
            return;
        case ExprKind::Call:
            callees_.push_back(expr->symbol().owner().func);
            break;
        case ExprKind::BufferField:
            add(expr);
            break;
        case ExprKind::Variable:
            if (expr->symbol().kind() == SymbolKind::Param) {
                check_scalar(expr);
                add(expr);
            }
            break;
        default: // kinds whose value follows from their operands
            break;
        }
        for (const Expr &arg : expr->args()) {
            collect(arg);
        }
    }

    void check_scalar(const Expr &param) {
        if (param.type().is_handle()) {
            refuse("memoize-reads-input", "memoize of a Func whose values are computed from what pointer " +
                                              param->symbol().name() +
                                              " leads to; the cache does not know what is there; wrap the expression "
                                              "in memoize_tag(value, keys...) "
                                              "with keys that change when the memory does");
        }
    }

    /// A key of a tag, which must be known before anything of the Func is computed.
    Expr whole_key(const Expr &key) {
        for_each_node(key, [&](const Expr &node) {
            const bool varies = node->kind() == ExprKind::Call || node->kind() == ExprKind::Image ||
                                (node->kind() == ExprKind::Variable && (node->symbol().kind() == SymbolKind::Var ||
                                                                        node->symbol().kind() == SymbolKind::RVar));
            if (varies) {
                refuse("memoize-key-varies", "memoize, and a memoize_tag whose key is not the same for all points; a "
                                             "key is known before the Func "
                                             "is computed; pass keys that are made of Params and numbers only");
            }
        });
        return transform(
            key, [](const Expr &node) { return node->kind() == ExprKind::MemoizeTag ? Expr(node->arg(0)) : node; });
    }
};

} // namespace

Result<std::vector<Expr>> memoize_key(const LoweringGraph &graph, FuncId func) {
    return KeyCollector(graph, func).run();
}

} // namespace fluorite::loopnest
