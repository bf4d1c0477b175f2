#include "verify/loops/partial_results.h"

#include "schedule/storage_order.h"
#include "verify/from_graph/coordinates.h"
#include "verify/loops/new_loops.h"
#include "verify/loops/update_loops.h"
#include "verify/terms/search.h"

#include <algorithm>

namespace fluorite::verify {

using ir::ExprKind;
using Kind = Term::Kind;

namespace {

std::map<std::string, size_t> funcs_by_name(const ir::Graph &graph) {
    std::map<std::string, size_t> funcs;
    for (size_t f = 0; f < graph.funcs.size(); f++) {
        funcs.emplace(graph.funcs[f].name(), f);
    }
    return funcs;
}

// The call in the combination f(x) = f(x) op partial(x, r).
Expr call_of_partial(const ir::Graph &graph, size_t f, const ir::Stage &stage) {
    const size_t dimensions = graph.funcs[f].dimensions();
    Expr found;
    ir::for_each_node(ir::expand_lets(stage.values[0]), [&](const Expr &node) {
        const bool is_partial = node->kind() == ExprKind::Call && !(node->symbol() == graph.funcs[f].symbol) &&
                                node->arg_count() > dimensions;
        if (is_partial) {
            found = node;
        }
    });
    return found;
}

} // namespace

std::vector<FactoredUpdate> factored_updates(const schedule::ScheduledGraph &pipeline) {
    const ir::Graph &graph = pipeline.rewritten->graph;
    const std::map<std::string, size_t> written = funcs_by_name(pipeline.graph);
    std::vector<FactoredUpdate> found;
    for (size_t f = 0; f < graph.funcs.size(); f++) {
        const auto its = written.find(graph.funcs[f].name());
        for (size_t k = 1; its != written.end() && k < graph.funcs[f].stages.size(); k++) {
            const ir::Stage &now = graph.funcs[f].stages[k];
            const Expr call = now.rvars.empty() ? Expr() : call_of_partial(graph, f, now);
            if (!call.defined() || written.contains(call->symbol().name())) {
                continue;
            }
            found.push_back(
                {f, k, call->symbol().owner().func.index(), pipeline.schedule.funcs[its->second].stages[k]});
        }
    }
    return found;
}

ir::Graph as_written(const schedule::ScheduledGraph &pipeline, const std::vector<FactoredUpdate> &factored) {
    ir::Graph graph = pipeline.rewritten->graph;
    const std::map<std::string, size_t> written = funcs_by_name(pipeline.graph), rewritten = funcs_by_name(graph);
    for (const FactoredUpdate &one : factored) {
        ir::FuncDef &func = graph.funcs[one.func];
        const ir::FuncDef &its = pipeline.graph.funcs[written.at(func.name())];
        ir::Stage stage = its.stages[one.stage];
        const auto renamed = [&](const Expr &expr) {
            return !expr.defined() ? expr : ir::transform(expr, [&](const Expr &node) -> Expr {
                if (node->kind() == ExprKind::Variable) {
                    const auto arg = std::ranges::find(its.args, node->symbol());
                    return arg == its.args.end() ? node
                                                 : ir::make_var(node.type(), func.args[size_t(arg - its.args.begin())]);
                }
                if (node->kind() != ExprKind::Call) {
                    return node;
                }
                const auto callee = rewritten.find(node->symbol().name());
                if (callee == rewritten.end()) {
                    throw Unsupported{"a Func of the update is not in the pipeline that rfactor has made"};
                }
                const std::vector<Expr> args(node->args().begin(), node->args().end());
                return ir::make_call(node.type(), graph.funcs[callee->second].symbol, node->member().index, args);
            });
        };
        for (std::vector<Expr> *list : {&stage.args, &stage.values}) {
            std::ranges::transform(*list, list->begin(), renamed);
        }
        for (ir::ReductionVar &rvar : stage.rvars) {
            rvar.min = renamed(rvar.min);
            rvar.extent = renamed(rvar.extent);
        }
        stage.predicate = renamed(stage.predicate);
        func.stages[one.stage] = stage;
    }
    return graph;
}

namespace {

class Factoring {
  public:
    Factoring(Derivation &derivation, const schedule::ScheduledGraph &rewritten, const ir::Graph &written,
              const FactoredUpdate &factored, Conversion &conversion)
        : derivation_(derivation), written_(written), schedule_(rewritten.schedule), factored_(factored),
          conversion_(conversion), func_(written.funcs[factored.func]), partial_(written.funcs[factored.partial]),
          combination_(rewritten.graph.funcs[factored.func].stages[factored.stage]),
          call_(call_of_partial(rewritten.graph, factored.func, combination_)) {}

    void run(std::set<std::string> &operators) {
        const Path nest = path_of_nest();
        const size_t rank = func_.dimensions();
        const Path chain = path_of_chain(nest, rank);
        const size_t kept = order_reduction_loops(nest, chain, operators);
        const Path step = chain + Path(kept, 1);
        const Term partial = derivation_.subterm(step);
        const std::optional<std::string> op =
            partial.kind() == Kind::Iter ? gathers(partial.other_name(), partial.operand(1)) : std::nullopt;
        if (!op || !derivation_.apply(step, iter_factor())) {
            throw Unsupported{"the update does more than to add to one element, or keeps every loop"};
        }
        operators.insert(*op);
        bind(nest, step, kept_loops(chain, kept));
    }

  private:
    // The value of the Func's binding; of the output, what is inside of all bindings.
    Path path_of_nest() const {
        if (!conversion_.is_body(factored_.func)) {
            const auto binding = find_binding(derivation_.program(), conversion_.funcs[factored_.func].name);
            if (!binding) {
                throw Unsupported{"the update is of a Func that nobody reads"};
            }
            return *binding + Path{0};
        }
        Path path;
        const auto bindings = std::ranges::count(conversion_.needed, true) - 1;
        path.assign(size_t(bindings), 1);
        return path;
    }
    // The outermost loop of the reduction, inside of the loops over elements and of the later updates.
    Path path_of_chain(const Path &nest, size_t rank) const {
        Path path = nest + Path(rank, 0);
        for (size_t k = func_.stages.size() - 1; k > factored_.stage; k--) {
            path.push_back(0);
        }
        if (const std::optional<Term> here = at_path(derivation_.program(), path);
            !here || here->kind() != Kind::Iter) {
            throw Unsupported{"the loops of the update are not in the term"};
        }
        return path;
    }

    // Splits the loops of the reduction as the schedule did, and moves the kept ones outwards; gives their number.
    size_t order_reduction_loops(const Path &nest, const Path &chain, std::set<std::string> &operators) {
        StageLoops loops{func_.name(), int(factored_.stage), {}, {}, {}, {}, false, true, {}, ""};
        const std::vector<Dimension> &dims = conversion_.funcs[factored_.func].dims;
        Term here = derivation_.subterm(nest);
        for (const Dimension &dim : dims) {
            loops.dims.push_back({here.name(), 0, here.index(), dim.dimension});
            loops.names.push_back(func_.arg_names[dim.dimension]);
            here = Term(here.operand(0));
        }
        const std::vector<ir::ReductionVar> &rvars = func_.stages[factored_.stage].rvars;
        for (Term loop = derivation_.subterm(chain);
             loop.kind() == Kind::Iter && loops.reductions.size() < rvars.size(); loop = Term(loop.operand(1))) {
            loops.reductions.push_back({loop.name(), 0, loop.index()});
        }
        for (auto r = rvars.rbegin(); r != rvars.rend(); ++r) {
            loops.reduction_names.push_back(r->name);
        }
        for (size_t d = 0; d < func_.dimensions(); d++) {
            if (!is_loop(func_, factored_.stage, d)) {
                loops.written.push_back(func_.arg_names[d]);
            }
        }
        const LoopPlan plan = plan_loops(loops, factored_.before);
        std::vector<PlannedLoop> order;
        const std::vector<std::string> names = kept_names();
        for (const bool kept : {true, false}) {
            for (const PlannedLoop &loop : plan.order) {
                if (loop.is_reduction && (std::ranges::find(names, loop.user_name) != names.end()) == kept) {
                    order.push_back(loop);
                }
            }
        }
        std::string reason;
        if (!plan.possible || !cut_and_order_reduction(derivation_, chain, plan.splits, order, operators, reason)) {
            throw Unsupported{plan.possible ? reason : "a split of its loops is not covered"};
        }
        return names.size();
    }
    // The loops that are kept, as the combination has them.
    std::vector<std::string> kept_names() const {
        std::vector<std::string> names;
        for (const ir::ReductionVar &rvar : combination_.rvars) {
            names.push_back(rvar.name);
        }
        return names;
    }
    struct Kept {
        std::string loop; // in the term
        Index extent = 0;
        Index min = 0;
    };
    // In the order of the dimensions of the partial results.
    std::vector<Kept> kept_loops(const Path &chain, size_t count) {
        std::map<std::string, Kept> by_name; // of RVars of the combination, the outermost one last
        Term loop = derivation_.subterm(chain);
        for (size_t i = count; i > 0; i--) {
            by_name[combination_.rvars[i - 1].name] = {loop.name(), loop.index(), 0};
            loop = Term(loop.operand(1));
        }
        std::vector<Kept> kept;
        for (size_t d = func_.dimensions(); d < partial_.dimensions(); d++) {
            const Expr at = call_->arg(d);
            const auto rvar = std::ranges::find_if(combination_.rvars, [&](const ir::ReductionVar &one) {
                return at->kind() == ExprKind::Variable && at->symbol() == one.var;
            });
            if (rvar == combination_.rvars.end()) {
                throw Unsupported{"the combination reads its partial results in another order"};
            }
            kept.push_back(by_name.at(rvar->name));
            kept.back().min = Coordinates(written_, conversion_).index(rvar->min);
        }
        return kept;
    }

    // Binds the partial results outside of the Func's binding.
    void bind(const Path &nest, const Path &step, const std::vector<Kept> &kept) {
        const bool is_body = conversion_.is_body(factored_.func);
        const Path site = is_body ? nest : Path(nest.begin(), nest.end() - 1);
        Tensor tensor{word(partial_.name()), {}, partial_.symbol, partial_.types[0]};
        Term value = derivation_.subterm(step + Path{1});
        std::vector<Loop> loops;
        std::vector<Index> at;
        for (const size_t d : dimension_order()) {
            const std::string loop = word(partial_.args[d].name());
            Dimension dim{loop, 0, 0, d};
            std::string here; // the loop at the place of the read
            if (d >= func_.dimensions()) {
                const Kept &one = kept[d - func_.dimensions()];
                here = one.loop;
                dim.min = one.min;
                dim.extent = one.extent;
            } else {
                const std::vector<Dimension> &dims = conversion_.funcs[factored_.func].dims;
                const auto its = std::ranges::find_if(dims, [&](const Dimension &one) { return one.dimension == d; });
                const Term gen = derivation_.subterm(nest + Path(size_t(its - dims.begin()), 0));
                here = gen.name();
                dim.min = its->min;
                dim.extent = gen.index();
            }
            const std::optional<Term> renamed = substitute(value, here, Index(loop));
            if (!renamed) {
                throw Unsupported{"partial results would capture a name"};
            }
            value = *renamed;
            loops.emplace_back(loop, dim.extent);
            at.emplace_back(here);
            tensor.dims.push_back(dim);
        }
        const Path read(step.begin() + std::ptrdiff_t(site.size()), step.end());
        const Path element = read + Path{1};
        std::vector<Rule> rules = {let_inline()};
        for (size_t i = 0; i < at.size(); i++) {
            rules.push_back(fluorite::verify::at(element + Path(at.size() - 1 - i, 0), get_gen()));
        }
        const Term body = replaced(derivation_.subterm(site), element, Term::get(Term::var(tensor.name), at));
        const Term result = Term::let(tensor.name, Term::gens(loops, value), body);
        if (!derivation_.apply(site, reversed(sequence(rules), result))) {
            throw Unsupported{"no witness is found that partial results are read where they are"};
        }
        conversion_.funcs[factored_.partial] = tensor;
        conversion_.needed[factored_.partial] = true;
        assume_tails(tensor);
    }
    // The dimensions of the partial results, outermost in memory first.
    std::vector<size_t> dimension_order() const {
        const schedule::FuncSchedule &schedule = schedule_.funcs[factored_.partial];
        std::vector<size_t> order;
        if (!schedule.storage_order.empty()) {
            order = schedule::storage_order_of(partial_, schedule);
            std::ranges::reverse(order);
            return order;
        }
        for (size_t d = partial_.dimensions(); d > 0; d--) {
            order.push_back(d - 1);
        }
        return order;
    }
    void assume_tails(const Tensor &tensor) {
        const schedule::FuncSchedule &schedule = schedule_.funcs[factored_.partial];
        const Facts facts = derivation_.facts();
        const auto assume = [&](const Condition &fact) { return derivation_.assume(fact); };
        for (const Dimension &dim : tensor.dims) {
            if (schedule.compute.is_root()) {
                (void)widened({0, simplified(dim.extent - 1)}, schedule, partial_.arg_names[dim.dimension], true,
                              {facts, assume});
            }
        }
    }

    Derivation &derivation_;
    const ir::Graph &written_;
    const schedule::Schedule &schedule_;
    const FactoredUpdate &factored_;
    Conversion &conversion_;
    const ir::FuncDef &func_, &partial_;
    const ir::Stage &combination_;
    const Expr call_; // of the partial results, in it
};

} // namespace

void bind_partial_results(Derivation &derivation, const schedule::ScheduledGraph &rewritten, const ir::Graph &written,
                          const FactoredUpdate &factored, Conversion &conversion, std::set<std::string> &operators) {
    Factoring(derivation, rewritten, written, factored, conversion).run(operators);
}

} // namespace fluorite::verify
