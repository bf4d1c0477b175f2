// Copies of pipelines, to try on them what would rewrite definitions.
//
// Each Function of the frozen pipeline is copied. In the definitions of a copy, a call names the copy of the Function
// that freezing resolves it to: the callee, or its wrapper or clone for this consumer. So copies need no wrappers, and
// their names, order and schedules are those of the originals: both pipelines freeze to the same graph.
//
//     f(x) = g(x), g.in(f)   -->   f'(x) = g_in_f'(x), g_in_f'(x) = g'(x)
//
// Where rfactor has cut updates, the definitions that the program wrote are copied with them, so that the copy can be
// cut anew. Params, images and iterations are shared. Directives on copies change no original; the time tile of an
// iteration, which is no state of a Function, is not to be changed through a copy, so copies do not know which images
// they read. Cost: linear in the definitions.

#include "language/apply_schedule.h"
#include "language/thaw.h"

#include <algorithm>

namespace fluorite::language {

using ir::ExprKind;

namespace {

class Copier {
  public:
    explicit Copier(const PipelineContents &contents) : frozen_(freeze_with_handles(contents)) {}

    PipelineContents run(const PipelineContents &contents) {
        FrozenPipeline copied = frozen_;
        for (size_t i = 0; i < frozen_.functions.size(); i++) { // callees are copied before their callers
            copies_.emplace(frozen_.functions[i], copy(*frozen_.functions[i]));
            copied.functions[i] = copies_.at(frozen_.functions[i]).get();
        }
        for (size_t i = 0; i < copied.functions.size(); i++) {
            copied.functions[i]->schedule = Thaw(copied).run(frozen_.pipeline.schedule.funcs[i]);
        }
        PipelineContents result;
        for (const RefPtr<Function> &output : contents.outputs) {
            result.outputs.push_back(copies_.at(output.get()));
        }
        result.requirements = contents.requirements;
        result.trace_pipeline = contents.trace_pipeline;
        return result;
    }

  private:
    const FrozenPipeline frozen_;
    std::unordered_map<const Function *, RefPtr<Function>> copies_;

    RefPtr<Function> copy(const Function &original) {
        RefPtr<Function> made = make_function(original.name);
        made->name = original.name;
        const ir::Symbol symbol(ir::SymbolKind::Func, original.name, {}, made.get(), true);
        made->def = original.def;
        made->def.symbol = symbol;
        for (ir::Stage &stage : made->def.stages) {
            resolve(stage, original, *made);
        }
        copy_cuts(original, *made);
        made->used = original.used;
        made->stands_for = original.stands_for;
        made->is_partial = original.is_partial;
        made->is_resolved = true;
        made->output_parameters = original.output_parameters;
        add_callees(original, *made);
        return made;
    }

    /// What rfactor replaced, and with what. Partial results are copied before the Function that combines them.
    void copy_cuts(const Function &original, Function &made) const {
        made.algorithm = original.algorithm;
        for (auto &[index, stage] : made.algorithm) {
            resolve(stage, original, made);
        }
        made.factored = original.factored;
        for (Function::Factored &cut : made.factored) {
            cut.partial = copies_.at(cut.partial).get();
            cut.partial->partial_of = &made;
        }
    }

    void resolve(ir::Stage &stage, const Function &original, const Function &made) const {
        for (std::vector<Expr> *exprs : {&stage.args, &stage.values}) {
            for (Expr &expr : *exprs) {
                expr = resolved(expr, original, made);
            }
        }
        stage.predicate = resolved(stage.predicate, original, made);
        for (ir::ReductionVar &rvar : stage.rvars) {
            rvar.min = resolved(rvar.min, original, made);
            rvar.extent = resolved(rvar.extent, original, made);
        }
    }

    /// In the order in which freezing visits what the original calls.
    void add_callees(const Function &original, Function &made) const {
        const auto add = [&](const Function *callee) {
            Function *its = copies_.at(callee).get();
            if (std::find(made.callees.begin(), made.callees.end(), its) == made.callees.end()) {
                made.callees.push_back(its);
            }
        };
        for (const Function *callee : original.callees) {
            add(callee->as_called_by(original));
        }
        for (const ir::Parameter *image : original.images) {
            if (const Function *wrapper = image_as_read_by(*image, original)) {
                add(wrapper);
            }
        }
    }

    Expr resolved(const Expr &expr, const Function &original, const Function &made) const {
        if (!expr.defined()) {
            return expr;
        }
        return ir::transform(expr, [&](const Expr &node) -> Expr {
            const std::vector<Expr> args(node->args().begin(), node->args().end());
            if (node->kind() == ExprKind::Call) {
                const Function *callee = function_of(node->symbol())->as_called_by(original);
                return ir::make_call(node->type(),
                                     callee == &original ? made.def.symbol : copies_.at(callee)->strong_symbol(),
                                     node->member().index, args);
            }
            const Function *wrapper = node->kind() == ExprKind::Image
                                          ? image_as_read_by(*ir::parameter_of(node->symbol()), original)
                                          : nullptr;
            return wrapper ? ir::make_call(node->type(), copies_.at(wrapper)->strong_symbol(), 0, args) : node;
        });
    }
};

} // namespace

PipelineContents scratch_pipeline(const PipelineContents &contents) { return Copier(contents).run(contents); }

} // namespace fluorite::language
