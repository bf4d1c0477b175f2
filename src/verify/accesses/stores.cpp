// Where nests store, with witnesses.
//
// A view `reindex xs ts nest` shows at the indices xs the element of iteration ts. The iteration L of the nest stores
// at s(L), which the rule that introduced the view gives. Two conditions, both of one form (`covered`):
//     iteration ts(x) is one, stores at x, and its guard holds                       for all x within the extents
//     s(L) is within the extents, and iteration ts(s(L)) is L itself                 for all L whose guard holds
// The guard is that of the loops (tails), and those parts of the second condition for which there is no witness: a
// piece that moves inwards computes elements again, which its neighbour stores. Cost: a witness for each loop and
// dimension.

#include "verify/accesses/stores.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

std::optional<Nest> nest_of(const Term &term, size_t count) {
    Nest nest;
    std::optional<Term::Mark> mark;
    Term here = term;
    for (;;) {
        const size_t depth = nest.loops.size();
        if (here.kind() == Kind::Mark) {
            mark = here.mark();
            here = Term(here.operand(0));
        } else if (here.kind() == Kind::Gen && depth < count) {
            for (const InnerNode &node : nest.inner) {
                if (!node.update && occurs(here.name(), node.value)) {
                    return std::nullopt; // the value would mean something else further in
                }
            }
            nest.loops.push_back({here.name(), here.index(), mark});
            mark.reset();
            here = Term(here.operand(0));
        } else if (here.kind() == Kind::Let && depth < count) {
            nest.inner.push_back({depth, here.name(), here.operand(0), std::nullopt});
            here = Term(here.operand(1));
        } else if (here.kind() == Kind::Iter && depth < count) {
            nest.inner.push_back(
                {depth, here.other_name(), here.operand(0), MarkedLoop{here.name(), here.index(), mark}});
            mark.reset();
            here = Term(here.operand(1));
        } else {
            break;
        }
    }
    nest.body = here;
    return nest.loops.size() == count ? std::optional(nest) : std::nullopt;
}

std::string accessed_tensor(const Term &term) {
    const Term *base = &term;
    while (base->kind() == Kind::Get) {
        base = &base->operand(0);
    }
    return base->kind() == Kind::Var ? base->name() : "";
}

void parts_of(const Condition &condition, std::vector<Condition> &parts) {
    if (condition.kind == Condition::Kind::And) {
        parts_of(condition.operands[0], parts);
        parts_of(condition.operands[1], parts);
    }
    parts.push_back(condition);
}

std::vector<Term> step_of(const Nest &nest) {
    std::vector<Term> step;
    const bool updates = !nest.inner.empty() && nest.inner.back().update;
    for (Term here = nest.body; updates;) {
        const bool asks = here.kind() == Kind::If && nest.inner.back().tensor == accessed_tensor(here.operand(1));
        if (!asks && here.kind() != Kind::Bind) {
            break;
        }
        step.push_back(here);
        here = Term(here.operand(asks ? 0 : 1));
    }
    return step;
}

bool is_equated(const Condition &part, const std::string &loop) {
    return part.kind == Condition::Kind::Eq && part.indices[0] == Index(loop) && !occurs(loop, part.indices[1]);
}

bool is_written_at(const Nest &nest, size_t loop) {
    std::vector<Condition> parts;
    for (const Term &term : step_of(nest)) {
        if (term.kind() == Kind::If) {
            parts_of(term.condition(), parts);
        }
    }
    return std::ranges::any_of(parts, [&](const Condition &part) { return is_equated(part, nest.loops[loop].name); });
}

namespace {

class StorePlanner {
  public:
    explicit StorePlanner(const Positions &positions) : positions_(positions) {}
    std::vector<StorePlan> plans;

    void visit(const Term &term, const Facts &facts) {
        if (term.kind() == Kind::View) {
            plan(term, facts);
        }
        for (size_t k = 0; k < term.operands().size(); k++) {
            visit(term.operand(k), facts_below(term, k, facts));
        }
    }

  private:
    // The guard of a nest's iterations, which the term states: without it they give null, or leave an accumulator.
    static Condition guard_of(const Nest &nest) {
        const Term &body = nest.body;
        if (body.kind() != Kind::If) {
            return {};
        }
        const Term &otherwise = body.operand(1);
        bool is_null = otherwise.kind() == Kind::Number && otherwise.value() == 0;
        bool is_left = std::ranges::any_of(nest.inner, [&](const InnerNode &node) {
            return node.update && node.tensor == accessed_tensor(otherwise);
        });
        return is_null || is_left ? body.condition() : Condition{};
    }
    static Condition conjunction(const Condition &p, const Condition &q) {
        return p.is_true() ? q : q.is_true() ? p : both(p, q);
    }

    void plan(const Term &view, const Facts &facts) {
        std::optional<Nest> nest = nest_of(view.operand(0), view.indices().size());
        if (!nest) {
            throw Unsupported{"a view shows something that is no nest of loops"};
        }
        const std::string outermost = nest->loops.empty() ? "" : nest->loops[0].name;
        auto found = positions_.find(outermost);
        if (found == positions_.end() || found->second.size() != view.loops().size()) {
            throw Unsupported{"nothing says where the iterations of the loop " + outermost + " store"};
        }
        const std::vector<Loop> &xs = view.loops();
        std::vector<Loop> loops;
        for (const MarkedLoop &loop : nest->loops) {
            loops.emplace_back(loop.name, loop.extent);
        }
        // The guard of the term where it is needed, else none; and only if neither is enough, more.
        const Condition guard = guard_of(*nest);
        for (const bool may_add : {false, true}) {
            for (const Condition &tried : guard.is_true() ? std::vector{guard} : std::vector{Condition{}, guard}) {
                if (try_plan(xs, loops, view.indices(), found->second, tried, may_add, facts)) {
                    return;
                }
            }
        }
        throw Unsupported{"no witness is found that the nest of " + outermost + " stores every element once"};
    }
    bool try_plan(const std::vector<Loop> &xs, const std::vector<Loop> &loops, const std::vector<Index> &from,
                  const std::vector<Index> &at, const Condition &guard, bool may_add, const Facts &facts) {
        Facts within = facts, iterating = facts;
        for (const Loop &x : xs) {
            within = inside(x.first, x.second, within);
        }
        for (const Loop &loop : loops) {
            iterating = inside(loop.first, loop.second, iterating);
        }
        StorePlan plan{at, guard, {}, {}};
        std::vector<Condition> left;
        const Condition condition = covered(loops, {xs, from, at, {}});
        // Of what has no witness, one part after the other, as the others may follow from it.
        for (size_t i = 0; may_add && i < loops.size() + xs.size(); i++) {
            if (find_witness_in_turn(with(plan.guard, iterating), condition, left)) {
                break;
            }
            plan.unproved = conjunction(plan.unproved, left[0]);
            plan.guard = conjunction(guard, plan.unproved);
        }
        std::optional<std::string> shown =
            find_witness_in_turn(within, covered(xs, {loops, at, from, plan.guard}), left);
        std::optional<std::string> stored =
            shown ? find_witness_in_turn(with(plan.guard, iterating), condition, left) : std::nullopt;
        if (!stored) {
            return false;
        }
        plan.text = "(" + list_text(at) + " " + to_text(plan.guard) + " " + *shown + " " + *stored + ")";
        plans.push_back(std::move(plan));
        return true;
    }
    const Positions &positions_;
};

} // namespace

std::vector<StorePlan> plan_stores(const Facts &facts, const Term &program, const Positions &positions) {
    StorePlanner planner(positions);
    planner.visit(program, facts);
    return std::move(planner.plans);
}

size_t count_views(const Term &term) {
    size_t count = term.kind() == Kind::View ? 1 : 0;
    for (const Term &operand : term.operands()) {
        count += count_views(operand);
    }
    return count;
}

std::vector<std::string> texts_of(const std::vector<StorePlan> &stores) {
    std::vector<std::string> texts;
    for (const StorePlan &store : stores) {
        texts.push_back(store.text);
    }
    return texts;
}

} // namespace fluorite::verify
