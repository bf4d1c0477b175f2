// Greedy shrinking: first drops the whole schedule if possible, then repeatedly outputs, Funcs, directives, updates,
// terms, coordinates and sizes until a round removes nothing. A term is replaced by a constant or by an operand of its
// own type.

#include "shrink.h"

#include <algorithm>
#include <utility>

namespace fluorite::fuzz {

namespace {

using Fails = std::function<bool(const Genome &)>;

int term_size(const Term &term) {
    int size = 1;
    for (const Term &arg : term.args) {
        size += term_size(arg);
    }
    for (const Coordinate &c : term.coordinates) {
        size += c.kind != Coordinate::Kind::Affine || c.offset != 0;
        for (const Term &data : c.data) {
            size += term_size(data);
        }
    }
    return size;
}

class Shrinker {
  public:
    Shrinker(Genome genome, const Fails &fails) : best_(std::move(genome)), fails_(fails) {}

    Genome run() {
        drop_schedule();
        bool any = false;
        do {
            // Large parts go first; each kind is tried in every round.
            any = drop_outputs();
            any |= drop_funcs();
            any |= drop_directives();
            any |= drop_updates();
            any |= drop_predicates();
            any |= drop_values();
            any |= simplify_terms();
            any |= simplify_coordinates();
            any |= simplify_schedule();
            any |= simplify_buffers();
            any |= reduce_sizes();
            any |= drop_inputs();
        } while (any);
        return best_;
    }

  private:
    Genome best_;
    const Fails &fails_;

    bool accept(const Genome &candidate) {
        if (!fails_(candidate)) {
            return false;
        }
        best_ = candidate;
        return true;
    }

    bool drop_schedule() {
        Genome candidate = best_;
        candidate.schedule.clear();
        candidate.walk.clear();
        candidate.automatic.clear();
        candidate.device = 0;
        return !(best_.schedule.empty() && best_.walk.empty() && best_.automatic.empty() && best_.device == 0) &&
               accept(candidate);
    }

    bool drop_directives() {
        bool any = false;
        for (size_t i = best_.schedule.size(); i-- > 0;) {
            Genome candidate = best_;
            candidate.schedule.erase(candidate.schedule.begin() + static_cast<long>(i));
            any |= accept(candidate);
        }
        for (size_t i = best_.walk.size(); i-- > 0;) {
            Genome candidate = best_;
            candidate.walk.erase(candidate.walk.begin() + static_cast<long>(i));
            any |= accept(candidate);
        }
        return any;
    }

    bool drop_outputs() {
        bool any = false;
        for (size_t i = best_.outputs.size(); i-- > 0 && best_.outputs.size() > 1;) {
            Genome candidate = best_;
            candidate.outputs.erase(candidate.outputs.begin() + static_cast<long>(i));
            any |= accept(candidate);
        }
        return any;
    }

    static bool is_read(Genome &genome, int func) {
        for (Term *term : all_terms(genome)) {
            if (term->op == Term::Op::Call && term->source == func) {
                return true;
            }
        }
        return std::any_of(genome.funcs.begin(), genome.funcs.end(), [&](const FuncGene &gene) {
            return gene.kind != FuncGene::Kind::Defined && !gene.of_input && gene.source == func;
        });
    }

    // Removes a Func that is not read from the genome.
    static void remove_func(Genome &genome, int func) {
        auto move = [&](int &index) { index -= index > func; };
        for (Term *term : all_terms(genome)) {
            if (term->op == Term::Op::Call) {
                move(term->source);
            }
        }
        for (FuncGene &gene : genome.funcs) {
            if (gene.kind != FuncGene::Kind::Defined && !gene.of_input) {
                move(gene.source);
            }
        }
        std::erase_if(genome.schedule,
                      [&](const Directive &d) { return d.func == func || (d.wild && d.consumer == func); });
        for (Directive &directive : genome.schedule) {
            move(directive.func);
            directive.consumer = directive.consumer == func ? -1 : directive.consumer;
            move(directive.consumer);
        }
        std::erase_if(genome.walk, [&](const WalkStep &step) { return step.func == func && step.helper < 0; });
        for (WalkStep &step : genome.walk) {
            move(step.func);
        }
        for (OutputGene &output : genome.outputs) {
            move(output.func);
        }
        genome.funcs.erase(genome.funcs.begin() + func);
    }

    // Drops Funcs that are not read; an earlier Func may become the output instead.
    bool drop_funcs() {
        bool any = false;
        for (int f = static_cast<int>(best_.funcs.size()) - 1; f >= 0 && best_.funcs.size() > 1; f--) {
            if (is_read(best_, f)) {
                continue;
            }
            Genome candidate = best_;
            if (!candidate.is_output(f)) {
                remove_func(candidate, f);
                any |= accept(candidate);
                continue;
            }
            for (int other = f - 1; other >= 0; other--) {
                if (best_.is_output(other)) {
                    continue;
                }
                candidate = best_;
                for (OutputGene &output : candidate.outputs) {
                    if (output.func == f) {
                        output.func = other;
                        size_t rank = static_cast<size_t>(candidate.funcs[static_cast<size_t>(other)].rank);
                        output.min.resize(rank, 0);
                        output.extent.resize(rank, 8);
                    }
                }
                remove_func(candidate, f);
                if (accept(candidate)) {
                    any = true;
                    break;
                }
            }
        }
        return any;
    }

    bool drop_updates() {
        bool any = false;
        for (size_t f = 0; f < best_.funcs.size(); f++) {
            for (size_t u = best_.funcs[f].updates.size(); u-- > 0;) {
                Genome candidate = best_;
                std::vector<Update> &updates = candidate.funcs[f].updates;
                updates.erase(updates.begin() + static_cast<long>(u));
                for (Directive &directive : candidate.schedule) {
                    int stages = static_cast<int>(updates.size());
                    bool own = directive.func == static_cast<int>(f) && directive.wrapper < 0;
                    directive.stage = own ? std::min(directive.stage, stages) : directive.stage;
                    if (directive.consumer == static_cast<int>(f)) {
                        directive.consumer_stage = std::min(directive.consumer_stage, stages);
                    }
                }
                any |= accept(candidate);
            }
        }
        return any;
    }

    bool drop_predicates() {
        bool any = false;
        for (size_t f = 0; f < best_.funcs.size(); f++) {
            for (size_t u = 0; u < best_.funcs[f].updates.size(); u++) {
                if (!best_.funcs[f].updates[u].predicate.empty()) {
                    Genome candidate = best_;
                    candidate.funcs[f].updates[u].predicate.clear();
                    any |= accept(candidate);
                }
            }
        }
        return any;
    }

    // A Func of several values keeps the first if the others are not read.
    bool drop_values() {
        bool any = false;
        for (size_t f = 0; f < best_.funcs.size(); f++) {
            FuncGene &gene = best_.funcs[f];
            if (gene.types.size() < 2 || gene.kind != FuncGene::Kind::Defined) {
                continue;
            }
            Genome candidate = best_;
            bool read = false;
            for (Term *term : all_terms(candidate)) {
                read |= term->op == Term::Op::Call && term->source == static_cast<int>(f) && term->element > 0;
            }
            for (const FuncGene &other : candidate.funcs) {
                read |= other.kind != FuncGene::Kind::Defined && !other.of_input && other.source == static_cast<int>(f);
            }
            FuncGene &func = candidate.funcs[f];
            for (Term *term : all_terms(func)) {
                read |= term->op == Term::Op::Self && term->element > 0 && term->type != func.types[0];
            }
            func.types.resize(1);
            func.values.resize(1);
            for (Update &update : func.updates) {
                update.values.resize(1);
            }
            for (Term *term : all_terms(func)) {
                if (term->op == Term::Op::Self) {
                    term->element = 0;
                }
            }
            if (!read) {
                any |= accept(candidate);
            }
        }
        return any;
    }

    bool simplify_terms() {
        bool any = false;
        for (size_t i = 0; i < all_terms(best_).size(); i++) {
            Genome candidate = best_;
            Term *term = all_terms(candidate)[i];
            if (term->op == Term::Op::Constant) {
                continue;
            }
            Type type = term->type;
            std::vector<Term> replacements;
            Term constant;
            constant.type = type;
            constant.number = 1;
            replacements.push_back(constant);
            for (const Term &arg : term->args) {
                if (arg.type == type && !term->is_reduction()) {
                    replacements.push_back(arg);
                }
            }
            for (const Term &replacement : replacements) {
                Genome next = best_;
                *all_terms(next)[i] = replacement;
                if (accept(next)) {
                    any = true;
                    break;
                }
            }
        }
        return any;
    }

    bool simplify_coordinates() {
        bool any = false;
        for (size_t i = 0; i < all_terms(best_).size(); i++) {
            size_t count = all_terms(best_)[i]->coordinates.size();
            for (size_t c = 0; c < count; c++) {
                Genome candidate = best_;
                Coordinate &coordinate = all_terms(candidate)[i]->coordinates[c];
                if (coordinate.offset != 0) {
                    coordinate.offset = 0;
                    any |= accept(candidate);
                }
                candidate = best_;
                Coordinate &again = all_terms(candidate)[i]->coordinates[c];
                if (again.kind != Coordinate::Kind::Constant && again.kind != Coordinate::Kind::Affine) {
                    again = Coordinate();
                    again.kind = Coordinate::Kind::Constant;
                    any |= accept(candidate);
                }
            }
        }
        return any;
    }

    bool simplify_schedule() {
        bool any = false;
        for (size_t i = 0; i < best_.schedule.size(); i++) {
            auto attempt = [&](const auto &edit) {
                Genome candidate = best_;
                if (edit(candidate.schedule[i])) {
                    any |= accept(candidate);
                }
            };
            attempt([](Directive &d) { return std::exchange(d.tail, TailStrategy::Auto) != TailStrategy::Auto; });
            attempt([](Directive &d) { return std::exchange(d.factor, 2) > 2; });
            attempt([](Directive &d) { return std::exchange(d.factor2, 2) > 2; });
        }
        for (size_t i = 0; i < best_.walk.size(); i++) {
            auto attempt = [&](const auto &edit) {
                Genome candidate = best_;
                if (edit(candidate.walk[i])) {
                    any |= accept(candidate);
                }
            };
            attempt([](WalkStep &s) { return std::exchange(s.tail, TailStrategy::Auto) != TailStrategy::Auto; });
            attempt([](WalkStep &s) { return std::exchange(s.factor, 2) > 2; });
        }
        return any;
    }

    bool simplify_buffers() {
        bool any = false;
        for (size_t i = 0; i < best_.inputs.size(); i++) {
            if (best_.inputs[i].layout != Layout::Dense || best_.inputs[i].values != InputGene::Values::Bits) {
                Genome candidate = best_;
                candidate.inputs[i].layout = Layout::Dense;
                candidate.inputs[i].values = InputGene::Values::Bits;
                any |= accept(candidate);
            }
        }
        for (size_t i = 0; i < best_.outputs.size(); i++) {
            if (best_.outputs[i].layout != Layout::Dense) {
                Genome candidate = best_;
                candidate.outputs[i].layout = Layout::Dense;
                any |= accept(candidate);
            }
        }
        return any;
    }

    bool reduce_sizes() {
        bool any = false;
        for (size_t o = 0; o < best_.outputs.size(); o++) {
            for (size_t d = 0; d < best_.outputs[o].extent.size(); d++) {
                if (best_.outputs[o].min[d] != 0) {
                    Genome candidate = best_;
                    candidate.outputs[o].min[d] = 0;
                    any |= accept(candidate);
                }
                int extent = best_.outputs[o].extent[d];
                for (int smaller : {1, extent / 2, extent - 1}) {
                    if (smaller >= 1 && smaller < extent) {
                        Genome candidate = best_;
                        candidate.outputs[o].extent[d] = smaller;
                        if (accept(candidate)) {
                            any = true;
                            break;
                        }
                    }
                }
            }
        }
        for (size_t f = 0; f < best_.funcs.size(); f++) {
            for (size_t u = 0; u < best_.funcs[f].updates.size(); u++) {
                for (size_t r = 0; r < best_.funcs[f].updates[u].domain.size(); r++) {
                    Genome candidate = best_;
                    Axis &axis = candidate.funcs[f].updates[u].domain[r];
                    if (axis.param >= 0) {
                        axis.extent = candidate.params[static_cast<size_t>(axis.param)].value;
                        axis.param = -1;
                        any |= accept(candidate);
                    } else if (axis.extent > 1) {
                        axis.extent /= 2;
                        any |= accept(candidate);
                    }
                }
            }
        }
        return any;
    }

    // Drops inputs and Params that are not read, from the end.
    bool drop_inputs() {
        Genome candidate = best_;
        int inputs = 0, params = 0;
        for (Term *term : all_terms(candidate)) {
            inputs = term->op == Term::Op::Input ? std::max(inputs, term->source + 1) : inputs;
            params = term->op == Term::Op::Param ? std::max(params, static_cast<int>(term->number) + 1) : params;
            for (const Coordinate &c : term->coordinates) {
                params = c.kind == Coordinate::Kind::Shifted ? std::max(params, c.other + 1) : params;
            }
        }
        for (const FuncGene &func : candidate.funcs) {
            inputs = func.kind != FuncGene::Kind::Defined && func.of_input ? std::max(inputs, func.source + 1) : inputs;
            for (const Update &update : func.updates) {
                for (const Axis &axis : update.domain) {
                    params = std::max(params, axis.param + 1);
                }
            }
        }
        if (inputs >= static_cast<int>(candidate.inputs.size()) &&
            params >= static_cast<int>(candidate.params.size())) {
            return false;
        }
        candidate.inputs.resize(static_cast<size_t>(std::min<int>(inputs, static_cast<int>(candidate.inputs.size()))));
        candidate.params.resize(static_cast<size_t>(std::min<int>(params, static_cast<int>(candidate.params.size()))));
        return accept(candidate);
    }
};

} // namespace

Genome shrink(Genome genome, const std::function<bool(const Genome &)> &fails) {
    return Shrinker(std::move(genome), fails).run();
}

int size_of(const Genome &genome) {
    Genome copy = genome;
    int size = static_cast<int>(copy.schedule.size() + copy.walk.size() + copy.funcs.size());
    for (const FuncGene &func : copy.funcs) {
        size += static_cast<int>(func.updates.size());
        for (const Term &value : func.values) {
            size += term_size(value);
        }
        for (const Update &update : func.updates) {
            for (const Term &value : update.values) {
                size += term_size(value);
            }
        }
    }
    return size;
}

} // namespace fluorite::fuzz
