#include "verify/to_loop_ir/fuse_loops.h"

#include "support/check.h"

#include <algorithm>

namespace fluorite::verify {

using namespace ir;

namespace {

// Two nests that share outer loops as far as they have as many of the same kind; where one is shorter than the other,
// its iterations have a condition.
Stmt fused_loops(const Stmt &a, const Stmt &b, size_t loops) {
    const For *first = a.as<For>(), *second = b.as<For>();
    if (loops == 0 || !first || !second || first->for_kind != second->for_kind) {
        return Block::make({a, b});
    }
    const Expr at = make_var(Int(32), first->var);
    const Stmt other = substitute(second->body, second->var, at);
    if (equal(first->extent, second->extent)) {
        return For::make(first->var, first->min, first->extent, first->for_kind,
                         fused_loops(first->body, other, loops - 1));
    }
    const auto within = [&](const For &loop, const Stmt &body) {
        return IfThenElse::make(make_unary(ExprKind::Likely, less(at, loop.extent)), body);
    };
    return For::make(first->var, first->min, max_of(first->extent, second->extent), first->for_kind,
                     Block::make({within(*first, first->body), within(*second, other)}));
}

// Joins the loops of bindings that share them. Their memory is there before, the one inside of the other:
//     realize a { produce a; consume a: realize b { produce b; consume b: rest } }
// The values of a tuple are one inside of the other, too, and the first one has the loops of all.
class LoopFuser : public Mutator {
  public:
    LoopFuser(const std::vector<FusedBindings> &groups, const SymbolMap<std::string> &names)
        : groups_(groups), names_(names) {}

    Stmt mutate(const Stmt &stmt) override {
        const Realize *realize = stmt.as<Realize>();
        const FusedBindings *group = realize ? group_of(*realize) : nullptr;
        if (!group) {
            return recurse(stmt);
        }
        std::vector<const Realize *> members, memory;
        Stmt loops, rest = stmt;
        while (members.size() < group->tensors.size()) {
            const Realize *member = rest.as<Realize>();
            const Block *block = nullptr;
            for (const Realize *value = member; value; value = value->body.as<Realize>()) {
                memory.push_back(value);
                block = value->body.as<Block>();
            }
            check(block && block->stmts.size() == 2 && group_of(*member) == group,
                  "bindings that share loops stand one inside of the other");
            const Stmt produced = block->stmts[0].as<ProducerConsumer>()->body;
            loops = members.empty() ? produced : fused_loops(loops, produced, group->loops);
            rest = block->stmts[1].as<ProducerConsumer>()->body;
            members.push_back(member);
        }
        Stmt inner = recurse(rest);
        for (auto member = members.rbegin(); member != members.rend(); ++member) {
            loops = ProducerConsumer::make((*member)->func, true, loops);
            inner = ProducerConsumer::make((*member)->func, false, inner);
        }
        Stmt result = Block::make({loops, inner});
        for (auto member = memory.rbegin(); member != memory.rend(); ++member) {
            result = Realize::make((*member)->func, (*member)->types, (*member)->memory, (*member)->bounds, result);
        }
        return result;
    }
    using Mutator::mutate;

  private:
    const FusedBindings *group_of(const Realize &realize) const {
        const auto name = names_.find(realize.func);
        for (const FusedBindings &group : groups_) {
            if (name != names_.end() && std::ranges::find(group.tensors, name->second) != group.tensors.end()) {
                return &group;
            }
        }
        return nullptr;
    }
    const std::vector<FusedBindings> &groups_;
    const SymbolMap<std::string> &names_;
};

} // namespace

Stmt with_fused_loops(const Stmt &stmt, const std::vector<FusedBindings> &groups, const SymbolMap<std::string> &names) {
    return LoopFuser(groups, names).mutate(stmt);
}

} // namespace fluorite::verify
