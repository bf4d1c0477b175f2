// Memoized Funcs: code that asks the cache before it computes.
//
// What:   produce g { S }
//   -->   produce g { key; if (lookup() == 0) { S  key; store() } }
// where key tells the runtime (fluorite/runtime_memoization.h), part by part: the text of the whole loop nest, with storage orders
// and the target; which Func; the Params and buffer fields that its values are computed from; its region and storage; and
// where its values lie. The key is told again before storing, as what computes g may have told another one meanwhile.
//
// The text is that of the nest as it is without any memoization: equal texts mean equal definitions, schedules and layouts.
//
// What the values are computed from is collected through all Funcs that they read. memoize_tag cuts that short: its keys stand
// for its value. Inputs are refused elsewhere, as their values are in no key.
//
// Relies on: storage that is made where the Func is computed (placement.cpp). Cost: linear in the definitions.

#include "lowering/memoize.h"

#include <algorithm>
#include <set>

namespace fluorite::lowering {

using namespace ir;

const char *const memoization_blocks = "memoization.blocks";

namespace {

class KeyCollector {
  public:
    KeyCollector(const Working &working, FuncId func) : working_(working), memoized_(func) {}

    std::vector<Expr> run() {
        std::vector<FuncId> left = {memoized_};
        std::set<int32_t> seen = {memoized_.value};
        while (!left.empty()) {
            const FuncId id = left.back();
            left.pop_back();
            for (const Stage &stage : working_.func(id).stages) {
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
        return std::move(key_);
    }

  private:
    const Working &working_;
    FuncId memoized_;
    std::vector<Expr> key_;
    std::vector<int32_t> callees_;
    std::set<const ExprNode *> done_;

    [[noreturn]] void refuse(const char *slug, const std::string &text) const {
        const FuncDef &func = working_.func(memoized_);
        throw CompileError(slug, "in " + func.name() + ": " + text, working_.schedule(memoized_).memoize.location);
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
        default:
            break;
        }
        for (const Expr &arg : expr->args()) {
            collect(arg);
        }
    }

    void check_scalar(const Expr &param) const {
        if (param.type().is_handle()) {
            refuse("memoize-reads-input", "memoize of a Func whose values are computed from what pointer " +
                                              param->symbol().name() +
                                              " leads to; the cache does not know what is there; wrap the expression "
                                              "in memoize_tag(value, keys...) "
                                              "with keys that change when the memory does");
        }
    }

    /// A key of a tag: known before anything of the Func is computed.
    Expr whole_key(const Expr &key) const {
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

Expr bits_of(const Expr &value) {
    const Type type = value.type();
    if (type.is_handle()) {
        return make_reinterpret(UInt(64), value);
    }
    const Expr bits = type.is_float() ? make_reinterpret(UInt(type.bits()), value) : value;
    return make_cast(UInt(64), bits);
}

Stmt call(const char *name, const std::vector<Expr> &args) { return Evaluate::make(make_extern(Int(32), name, args)); }

Expr uint64(uint64_t value) { return make_uint(UInt(64), value); }

uint64_t hash_of(const std::string &text) {
    uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : text) {
        hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3U;
    }
    return hash;
}

} // namespace

std::vector<Expr> memoize_key(const Working &working, FuncId func) { return KeyCollector(working, func).run(); }

Stmt memoized(const Stmt &stages, const Working &working, FuncId func, const Regions &regions,
              const std::string &identity) {
    std::vector<Stmt> key = {call("fluorite_memoization_begin", {make_string(identity), uint64(hash_of(identity))}),
                             call("fluorite_memoization_key", {uint64(func.index())})};
    std::vector<Expr> parts = working.memoize_keys.at(func.value);
    const Region &region = regions.regions[func.index()].back();
    parts.insert(parts.end(), region.min.begin(), region.min.end());
    parts.insert(parts.end(), region.max.begin(), region.max.end());
    for (const Range &range : regions.storage[func.index()]) {
        parts.push_back(range.min);
        parts.push_back(range.extent);
    }
    for (const Expr &part : parts) {
        key.push_back(call("fluorite_memoization_key", {bits_of(part)}));
    }
    key.push_back(call(memoization_blocks, {make_int(Int(32), func.value)}));
    const Expr &eviction = working.schedule(func).eviction_key;
    const Stmt store = call("fluorite_memoization_store", {make_int(Int(32), eviction.defined() ? 1 : 0),
                                                           eviction.defined() ? bits_of(eviction) : uint64(0)});
    std::vector<Stmt> compute = {stages};
    compute.insert(compute.end(), key.begin(), key.end());
    compute.push_back(store);
    const Expr found = make_extern(Int(32), "fluorite_memoization_lookup", std::vector<Expr>{});
    key.push_back(IfThenElse::make(equals(found, make_zero(Int(32))), Block::make(compute)));
    return Block::make(key);
}

} // namespace fluorite::lowering
