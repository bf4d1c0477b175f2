// Names of a genome's enumerators, and traversals of it.

#include "genome.h"

#include <algorithm>

namespace fluorite::fuzz {

const std::vector<Type> &all_types() {
    static const std::vector<Type> types = {UInt(8), UInt(16), UInt(32),  UInt(64),  Int(8),    Int(16),   Int(32),
                                            Int(64), Bool(),   Float(32), Float(64), Float(16), BFloat(16)};
    return types;
}

const char *kind_name(Coordinate::Kind kind) {
    static const char *names[] = {"affine",  "halved", "scaled",  "wrapped",  "reversed",
                                  "clamped", "pair",   "shifted", "constant", "data"};
    return names[static_cast<int>(kind)];
}

const char *op_name(Term::Op op) {
    static const char *names[] = {
#define FUZZ_TERM(Op, text) #Op,
#include "term_ops.def"
#undef FUZZ_TERM
    };
    return names[static_cast<int>(op)];
}

const char *op_text(Term::Op op) {
    static const char *texts[] = {
#define FUZZ_TERM(Op, text) text,
#include "term_ops.def"
#undef FUZZ_TERM
    };
    return texts[static_cast<int>(op)];
}

const char *kind_name(Update::Kind kind) {
    static const char *names[] = {"accumulate", "scan", "scan_back", "scan_both", "block", "scatter", "slice", "plain"};
    return names[static_cast<int>(kind)];
}

const char *kind_name(FuncGene::Kind kind) {
    static const char *names[] = {"defined",      "repeat_edge",  "constant_exterior",
                                  "repeat_image", "mirror_image", "mirror_interior"};
    return names[static_cast<int>(kind)];
}

const char *kind_name(Layout layout) {
    static const char *names[] = {"dense", "padded", "larger", "interleaved", "strided"};
    return names[static_cast<int>(layout)];
}

const char *kind_name(InputGene::Values values) {
    static const char *names[] = {"bits", "small", "extreme"};
    return names[static_cast<int>(values)];
}

const char *op_name(Directive::Op op) {
    static const char *names[] = {
#define FUZZ_DIRECTIVE(Op, name, weight, function) name,
#include "directive_ops.def"
#undef FUZZ_DIRECTIVE
    };
    return names[static_cast<int>(op)];
}

int op_weight(Directive::Op op) {
    static const int weights[] = {
#define FUZZ_DIRECTIVE(Op, name, weight, function) weight,
#include "directive_ops.def"
#undef FUZZ_DIRECTIVE
    };
    return weights[static_cast<int>(op)];
}

const char *op_name(WalkStep::Op op) {
    static const char *names[] = {"split",         "fuse",          "reorder",       "loop_type",
                                  "hoist_compute", "lower_compute", "hoist_storage", "lower_storage",
                                  "inline",        "deinline",      "rename",        "skew"};
    return names[static_cast<int>(op)];
}

bool Genome::is_output(int func) const {
    return std::any_of(outputs.begin(), outputs.end(), [&](const OutputGene &output) { return output.func == func; });
}

bool Genome::is_wild() const {
    return std::any_of(schedule.begin(), schedule.end(), [](const Directive &directive) { return directive.wild; });
}

namespace {

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

} // namespace

std::vector<Term *> all_terms(FuncGene &func) {
    std::vector<Term *> terms;
    for (Term &value : func.values) {
        collect(value, terms);
    }
    for (Update &update : func.updates) {
        for (Term &value : update.values) {
            collect(value, terms);
        }
        for (Term &predicate : update.predicate) {
            collect(predicate, terms);
        }
        for (Term &data : update.target.data) {
            collect(data, terms);
        }
    }
    return terms;
}

std::vector<Term *> all_terms(Genome &genome) {
    std::vector<Term *> terms;
    for (FuncGene &func : genome.funcs) {
        std::vector<Term *> more = all_terms(func);
        terms.insert(terms.end(), more.begin(), more.end());
    }
    return terms;
}

} // namespace fluorite::fuzz
