// Greedy shrinking: directives, whole Funcs, updates, terms, coordinates, sizes, in this order, again and again until a
// round removes nothing. A term is replaced by a constant or by an operand of its own type.

#include "shrink.h"

#include <algorithm>

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

// All terms of a genome, in a fixed order.
void collect(Term &term, std::vector<Term *> &terms) {
    terms.push_back(&term);
    for (Coordinate &c : term.coordinates) {
        for (Term &data : c.data) {
            collect(data, terms);
        }
    }
    for (Term &arg : term.args) {
        collect(arg, terms);
    }
}

std::vector<Term *> all_terms(Genome &genome) {
    std::vector<Term *> terms;
    for (FuncGene &func : genome.funcs) {
        for (Term &value : func.values) {
            collect(value, terms);
        }
        for (Update &update : func.updates) {
            for (Term &value : update.values) {
                collect(value, terms);
            }
            for (Term &data : update.target.data) {
                collect(data, terms);
            }
        }
    }
    return terms;
}

class Shrinker {
  public:
    Shrinker(Genome genome, const Fails &fails) : best_(std::move(genome)), fails_(fails) {}

    Genome run() {
        while (drop_directives() | drop_updates() | drop_values() | simplify_terms() | simplify_coordinates() |
               simplify_schedule() | reduce_sizes() | drop_funcs()) {
        }
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

    bool drop_directives() {
        bool any = false;
        for (size_t i = best_.schedule.size(); i-- > 0;) {
            Genome candidate = best_;
            candidate.schedule.erase(candidate.schedule.begin() + static_cast<long>(i));
            any |= accept(candidate);
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
                    directive.stage =
                        directive.func == static_cast<int>(f) ? std::min(directive.stage, stages) : directive.stage;
                    if (directive.consumer == static_cast<int>(f)) {
                        directive.consumer_stage = std::min(directive.consumer_stage, stages);
                    }
                }
                any |= accept(candidate);
            }
        }
        return any;
    }

    // A Func of two values keeps the first, where nothing reads the second.
    bool drop_values() {
        bool any = false;
        for (size_t f = 0; f < best_.funcs.size(); f++) {
            if (best_.funcs[f].types.size() < 2) {
                continue;
            }
            Genome candidate = best_;
            bool read = false;
            for (Term *term : all_terms(candidate)) {
                read |= term->op == Term::Op::Call && term->source == static_cast<int>(f) && term->element > 0;
                read |= term->op == Term::Op::Self && term->element > 0;
            }
            FuncGene &func = candidate.funcs[f];
            func.types.resize(1);
            func.values.resize(1);
            for (Update &update : func.updates) {
                update.values.resize(1);
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
                if (arg.type == type && term->op != Term::Op::Sum) {
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
            if (best_.schedule[i].tail != TailStrategy::Auto) {
                Genome candidate = best_;
                candidate.schedule[i].tail = TailStrategy::Auto;
                any |= accept(candidate);
            }
            if (best_.schedule[i].factor > 2) {
                Genome candidate = best_;
                candidate.schedule[i].factor = 2;
                any |= accept(candidate);
            }
        }
        return any;
    }

    bool reduce_sizes() {
        bool any = false;
        for (size_t d = 0; d < best_.extent.size(); d++) {
            if (best_.min[d] != 0) {
                Genome candidate = best_;
                candidate.min[d] = 0;
                any |= accept(candidate);
            }
            for (int extent : {1, best_.extent[d] / 2, best_.extent[d] - 1}) {
                if (extent >= 1 && extent < best_.extent[d]) {
                    Genome candidate = best_;
                    candidate.extent[d] = extent;
                    if (accept(candidate)) {
                        any = true;
                        break;
                    }
                }
            }
        }
        for (size_t f = 0; f < best_.funcs.size(); f++) {
            for (size_t u = 0; u < best_.funcs[f].updates.size(); u++) {
                for (size_t r = 0; r < best_.funcs[f].updates[u].domain.size(); r++) {
                    if (best_.funcs[f].updates[u].domain[r].second > 1) {
                        Genome candidate = best_;
                        candidate.funcs[f].updates[u].domain[r].second /= 2;
                        any |= accept(candidate);
                    }
                }
            }
        }
        return any;
    }

    // The output may become an earlier Func; Funcs that nothing reads are dropped from the front of what is built anyway.
    bool drop_funcs() {
        if (best_.funcs.size() < 2) {
            return false;
        }
        Genome candidate = best_;
        candidate.funcs.pop_back();
        int last = static_cast<int>(candidate.funcs.size()) - 1;
        std::erase_if(candidate.schedule, [&](const Directive &d) {
            return d.func > last ||
                   ((d.op == Directive::Op::ComputeAt || d.op == Directive::Op::StoreAt) && d.consumer > last);
        });
        size_t rank = static_cast<size_t>(candidate.funcs.back().rank);
        candidate.min.resize(rank, 0);
        candidate.extent.resize(rank, 8);
        return accept(candidate);
    }
};

} // namespace

Genome shrink(Genome genome, const std::function<bool(const Genome &)> &fails) {
    return Shrinker(std::move(genome), fails).run();
}

int size_of(const Genome &genome) {
    Genome copy = genome;
    int size = static_cast<int>(copy.schedule.size() + copy.funcs.size());
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
