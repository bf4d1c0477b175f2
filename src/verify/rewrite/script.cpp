#include "verify/rewrite/script.h"

#include "verify/accesses/reads.h"
#include "verify/accesses/stores.h"
#include "verify/terms/search.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>

namespace fluorite::verify {

namespace {

using Kind = Term::Kind;

std::vector<Index> to_indices(const Expression &e) {
    std::vector<Index> indices;
    for (const Expression &item : e.items) {
        indices.push_back(to_index(item));
    }
    return indices;
}

// The first path, the root first, at which the test holds.
// Equal up to ring normal forms of index expressions, as the checker compares programs.
bool is_same(const Condition &a, const Condition &b) {
    return a.kind == b.kind && std::ranges::equal(a.indices, b.indices, equal_up_to_ring) &&
           std::ranges::equal(a.operands, b.operands,
                              [](const Condition &p, const Condition &q) { return is_same(p, q); });
}
bool is_same(const Term &a, const Term &b) {
    const auto same_loop = [](const Loop &p, const Loop &q) {
        return p.first == q.first && equal_up_to_ring(p.second, q.second);
    };
    const bool same_node = a.kind() == b.kind() && a.name() == b.name() && a.other_name() == b.other_name() &&
                           std::ranges::equal(a.indices(), b.indices(), equal_up_to_ring) &&
                           std::ranges::equal(a.loops(), b.loops(), same_loop) && is_same(a.condition(), b.condition());
    return same_node && (a.kind() != Kind::Number || a.value() == b.value()) &&
           (a.kind() != Kind::Mark || a.mark() == b.mark()) &&
           std::ranges::equal(a.operands(), b.operands(), [](const Term &p, const Term &q) { return is_same(p, q); });
}

std::optional<Path> find_first(const Term &term, const Facts &facts,
                               const std::function<bool(const Facts &, const Term &)> &test) {
    if (test(facts, term)) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_first(term.operand(k), facts_below(term, k, facts), test)) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

class Interpreter {
  public:
    ScriptResult run(const std::string &text) {
        try {
            read(text);
        } catch (const ParseError &error) {
            result_.error = error.what();
        }
        if (!result_.error.empty() || !derivation_) {
            return std::move(result_);
        }
        CertificateParts parts{derivation_->facts(), inputs_, *source_, derivation_->program(),
                               derivation_->steps(), {}};
        try {
            parts.reads = witnesses_of_reads(parts.facts, parts.inputs, parts.target);
            parts.stores = texts_of(plan_stores(parts.facts, parts.target, derivation_->positions()));
        } catch (const Unsupported &) { // the certificate claims less
        }
        result_.certificate = to_text(parts);
        return std::move(result_);
    }

  private:
    void fail(const std::string &reason) const { throw ParseError(line_, 1, reason); }
    void keep() { result_.programs.push_back(pretty(to_text(derivation_->program()))); }

    void read(const std::string &text) {
        size_t begin = text.find("reschedule");
        if (begin == std::string::npos) {
            throw ParseError(1, 1, "there is no line 'reschedule'");
        }
        read_program(text.substr(0, begin));
        std::istringstream lines(text.substr(begin));
        line_ = 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(begin), '\n'));
        bool done = false;
        for (std::string line; std::getline(lines, line); line_++) {
            std::vector<Expression> words = parse_expressions(line, line_);
            if (words.empty() || words[0].word == "reschedule") {
                continue;
            }
            if (done) {
                fail("there is a command after 'done'");
            }
            done = words[0].word == "done";
            if (!done) {
                command(words);
                keep();
            }
        }
        if (!done) {
            fail("the script ends without 'done'");
        }
    }
    void read_program(const std::string &text) {
        Facts facts;
        std::set<std::string> seen;
        for (const Expression &section : parse_expressions(text)) {
            if (!section.items.empty() && !seen.insert(section.items[0].word).second) {
                throw ParseError(section.line, section.column,
                                 "there is a (" + section.items[0].word + " ...) already");
            }
            if (section.is_list("facts")) {
                for (size_t i = 1; i < section.items.size(); i++) {
                    facts.push_back(to_condition(section.items[i]));
                }
            } else if (section.is_list("inputs")) {
                for (size_t i = 1; i < section.items.size(); i++) {
                    const Expression &item = section.items[i];
                    const Tensor input = to_input(item);
                    if (std::ranges::any_of(inputs_, [&](const Tensor &one) { return one.name == input.name; })) {
                        throw ParseError(item.line, item.column, "the input '" + input.name + "' has extents already");
                    }
                    inputs_.push_back(input);
                }
            } else if (section.is_list("program") && section.items.size() == 2) {
                source_ = to_term(section.items[1]);
            } else {
                throw ParseError(section.line, section.column,
                                 "(facts ...), (inputs ...) or (program P) is expected here");
            }
        }
        if (!source_) {
            throw ParseError(1, 1, "there is no (program P)");
        }
        derivation_.emplace(*source_, facts);
        keep();
    }

    void command(std::vector<Expression> words) {
        const std::string head = words[0].word;
        if (head == "inline" && words.size() == 2) {
            return inline_name(words[1].word);
        }
        if (head == "simpl_guard" && words.size() == 1) {
            return simplify_guards();
        }
        if (head != "rw" || words.size() < 2) {
            fail("there is no command '" + head + "' with " + std::to_string(words.size() - 1) +
                 " operands; there are inline NAME, rw RULE [at PATH | around NAME], rw back RULE to PROGRAM at PATH, "
                 "simpl_guard and done");
        }
        size_t at = 1;
        bool back = words[1].word == "back";
        at += back;
        if (at >= words.size()) {
            fail("a rule is expected after 'rw back'");
        }
        Rule rule = to_rule(words[at]);
        std::string name = words[at].is_word() ? words[at].word : words[at].items[0].word;
        at++;
        std::optional<Term> before;
        if (back) {
            if (at + 1 >= words.size() || words[at].word != "to") {
                fail("'to PROGRAM' is expected after the rule");
            }
            before = to_term(words[at + 1]);
            at += 2;
        }
        if (at == words.size()) {
            if (back) {
                fail("'at PATH' is expected after the program");
            }
            return apply_first(rule, name);
        }
        Path path = to_path(words, at);
        refuse_taken_names(words[back ? 2 : 1], path);
        const std::optional<Term> here = at_path(derivation_->program(), path);
        if (before && here) {
            const std::optional<Applied> after = rule(facts_at(*derivation_, path), *before);
            if (after && !is_same(after->term, *here)) {
                fail("the rule " + name + " turns this program into " + to_text(after->term) +
                     ", which is not what stands there");
            }
            rule = reversed(rule, *before);
        }
        if (!here || !derivation_->apply(path, rule)) {
            fail("the rule " + name + " does not apply there, or no witness of its side condition is found");
        }
    }
    // New loops bind names inside of which the old ones still occur.
    void refuse_taken_names(const Expression &rule, const Path &path) const {
        if (!rule.is_list("reindex") || rule.items.size() != 5) {
            return;
        }
        for (const Expression &loop : rule.items[1].items) {
            std::optional<Term> here = at_path(derivation_->program(), path);
            for (; here && here->kind() == Kind::Gen; here = Term(here->operand(0))) {
                if (here->name() == loop.items.at(0).word) {
                    fail("the new loop '" + here->name() +
                         "' has the name of one of the old ones; new loops have names " + "of their own");
                }
            }
        }
    }
    Path to_path(const std::vector<Expression> &words, size_t at) {
        if (words[at].word == "around" && words.size() == at + 2) {
            const std::string &name = words[at + 1].word;
            std::optional<Path> path = find_first(derivation_->program(), {}, [&](const Facts &, const Term &term) {
                return (term.kind() == Kind::Gen || term.kind() == Kind::Fold || term.kind() == Kind::Let ||
                        term.kind() == Kind::Iter) &&
                       term.name() == name;
            });
            if (!path) {
                fail("there is no loop or binding '" + name + "'");
            }
            return *path;
        }
        if (words[at].word != "at") {
            fail("'at PATH' or 'around NAME' is expected here, not '" + words[at].word + "'");
        }
        Path path;
        for (size_t i = at + 1; i < words.size(); i++) {
            Index k = to_index(words[i]);
            if (!k.is_number() || k.value() < 0 || k.value() > 2) {
                fail("a path consists of numbers from 0 to 2");
            }
            path.push_back(size_t(k.value()));
        }
        return path;
    }
    void apply_first(const Rule &rule, const std::string &name) {
        std::optional<Path> path =
            find_first(derivation_->program(), derivation_->facts(),
                       [&](const Facts &facts, const Term &term) { return rule(facts, term).has_value(); });
        if (!path || !derivation_->apply(*path, rule)) {
            fail("the rule " + name + " applies nowhere, or no witness of its side condition is found");
        }
    }
    void inline_name(const std::string &name) {
        std::optional<Path> binding = find_first(derivation_->program(), {}, [&](const Facts &, const Term &term) {
            return term.kind() == Kind::Let && term.name() == name;
        });
        if (!binding) {
            fail("there is no binding '" + name + "'");
        }
        if (!derivation_->apply(*binding, let_inline())) {
            fail("inlining '" + name + "' would capture a name");
        }
        for (;;) {
            std::optional<Path> access =
                find_first(derivation_->subterm(*binding), {}, [](const Facts &, const Term &term) {
                    return term.kind() == Kind::Get && term.operand(0).kind() == Kind::Gen;
                });
            if (!access) {
                return;
            }
            Path path = *binding + *access;
            if (!derivation_->apply(path, get_gen()) && !derivation_->apply(path, get_gen_guard())) {
                fail("an access of '" + name + "' would capture a name");
            }
        }
    }
    void simplify_guards() {
        for (const Rule &rule : {if_true(), if_false()}) {
            while (std::optional<Path> path = find_first(
                       derivation_->program(), derivation_->facts(),
                       [&](const Facts &facts, const Term &term) { return rule(facts, term).has_value(); })) {
                derivation_->apply(*path, rule);
            }
        }
    }

    ScriptResult result_;
    std::vector<Tensor> inputs_;
    std::optional<Term> source_;
    std::optional<Derivation> derivation_;
    int line_ = 1;
};

} // namespace

Rule to_rule(const Expression &e) {
    static const std::map<std::string, Rule (*)()> plain = {
        {"let_inline", let_inline},
        {"let_dead", let_dead},
        {"let_flatten", let_flatten},
        {"let_swap", let_swap},
        {"let_lift_gen", let_lift_gen},
        {"let_lift_fold", let_lift_fold},
        {"let_lift_invariant", let_lift_invariant},
        {"get_gen", get_gen},
        {"get_gen_guard", get_gen_guard},
        {"get_if", get_if},
        {"get_op", get_op},
        {"if_true", if_true},
        {"if_false", if_false},
        {"guard_annihilates_right", guard_annihilates_right},
        {"unmark", unmark},
        {"fold_gen", fold_gen},
        {"fold_swap", fold_swap},
        {"fold_factor", fold_factor},
        {"fold_indicator", fold_indicator},
        {"fold_op", fold_op},
        {"op_comm", op_comm},
        {"op_assoc", op_assoc},
        {"unit_left", unit_left},
        {"if_same", if_same},
        {"if_iter", if_iter},
        {"iter_gen", iter_gen},
        {"iter_swap", iter_swap},
        {"iter_factor", iter_factor},
        {"unit_null", unit_null},
    };
    if (auto found = plain.find(e.word); found != plain.end()) {
        return found->second();
    }
    if (e.is_list("let_lift") && e.items.size() == 2) {
        Index k = to_index(e.items[1]);
        if (k.is_number() && k.value() >= 0 && k.value() <= 2) {
            return let_lift(size_t(k.value()));
        }
    }
    if (e.is_list("seq") && e.items.size() == 3) {
        return sequence({to_rule(e.items[1]), to_rule(e.items[2])});
    }
    if (e.is_list("at") && e.items.size() == 3) {
        Path path;
        for (const Expression &item : e.items[1].items) {
            const Index k = to_index(item);
            if (!k.is_number() || k.value() < 0 || k.value() > 2) {
                throw ParseError(item.line, item.column, "a path consists of numbers from 0 to 2");
            }
            path.push_back(size_t(k.value()));
        }
        return at(path, to_rule(e.items[2]));
    }
    if (!e.is_word() && e.items.size() == 5 && e.items[3].is_word() && e.items[4].is_word()) {
        static const std::map<std::string, Rule (*)(const Pieces &)> cuts = {{"fold_tile", fold_tile},
                                                                             {"fold_tile_guarded", fold_tile_guarded},
                                                                             {"iter_tile", iter_tile},
                                                                             {"iter_tile_guarded", iter_tile_guarded}};
        if (auto cut = cuts.find(e.items[0].word); cut != cuts.end()) {
            return cut->second({to_index(e.items[1]), to_index(e.items[2]), name_of(e.items[3]), name_of(e.items[4])});
        }
    }
    if (e.is_list("if_introduce") && e.items.size() == 2) {
        return if_introduce(to_condition(e.items[1]));
    }
    if (e.is_list("mark_reduction") && e.items.size() == 2 &&
        (e.items[1].word == "parallel" || e.items[1].word == "vector")) {
        return mark_reduction(e.items[1].word == "vector" ? Term::Mark::Vector : Term::Mark::Parallel);
    }
    if (e.is_list("if_equiv") && e.items.size() == 2) {
        return if_equiv(to_condition(e.items[1]));
    }
    if (e.is_list("rename_loop") && e.items.size() == 2 && e.items[1].is_word()) {
        return rename_loop(name_of(e.items[1]));
    }
    if (e.is_list("mark_loop") && e.items.size() == 2) {
        static const std::map<std::string, Term::Mark> marks = {
            {"parallel", Term::Mark::Parallel}, {"vector", Term::Mark::Vector}, {"unroll", Term::Mark::Unroll}};
        if (auto mark = marks.find(e.items[1].word); mark != marks.end()) {
            return mark_loop(mark->second);
        }
    }
    if (e.is_list("reindex") && e.items.size() == 5) {
        NewLoops loops;
        for (const Expression &loop : e.items[1].items) {
            if (loop.items.size() != 2 || !loop.items[0].is_word()) {
                throw ParseError(loop.line, loop.column, "a loop, which is a name and its extent, is expected here");
            }
            loops.loops.emplace_back(loop.items[0].word, to_index(loop.items[1]));
        }
        loops.at = to_indices(e.items[2]);
        loops.from = to_indices(e.items[3]);
        loops.guard = to_condition(e.items[4]);
        if (loops.loops.size() != loops.from.size()) {
            throw ParseError(e.line, e.column,
                             "there are as many loops as indices that say where an element is computed");
        }
        return reindex(loops);
    }
    throw ParseError(e.line, e.column,
                     "there is no rule '" + (e.is_word() || e.items.empty() ? e.word : e.items[0].word) +
                         "' with these operands in scripts");
}

ScriptResult run_script(const std::string &text) { return Interpreter().run(text); }

} // namespace fluorite::verify
