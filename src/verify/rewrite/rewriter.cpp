#include "verify/rewrite/rewriter.h"

namespace fluorite::verify {

static std::string text_of(const Path &path) {
    std::string text = "(";
    for (size_t i = 0; i < path.size(); i++) {
        text += (i ? " " : "") + std::to_string(path[i]);
    }
    return text + ")";
}

static std::optional<Applied> apply_at(const Path &path, size_t from, const Rule &rule, const Facts &facts,
                                       const Term &term) {
    if (from == path.size()) {
        return rule(facts, term);
    }
    size_t k = path[from];
    if (k >= term.operands().size()) {
        return std::nullopt;
    }
    std::optional<Applied> below = apply_at(path, from + 1, rule, facts_below(term, k, facts), term.operand(k));
    return below ? std::optional(Applied{term.with_operand(k, below->term), below->text, below->positions})
                 : std::nullopt;
}
Rule at(Path path, Rule rule) {
    return [path, rule](const Facts &facts, const Term &term) -> std::optional<Applied> {
        std::optional<Applied> applied = apply_at(path, 0, rule, facts, term);
        return applied ? std::optional(Applied{applied->term, "(at " + text_of(path) + " " + applied->text + ")",
                                               applied->positions})
                       : std::nullopt;
    };
}
// Pairs of rules, joined as a balanced tree: a list would nest as deep as it is long.
Rule sequence(std::vector<Rule> rules) {
    return [rules](const Facts &facts, const Term &term) -> std::optional<Applied> {
        Term here = term;
        std::vector<std::string> texts;
        Positions positions;
        for (const Rule &rule : rules) {
            std::optional<Applied> applied = rule(facts, here);
            if (!applied) {
                return std::nullopt;
            }
            here = applied->term;
            texts.push_back(std::move(applied->text));
            positions.merge(applied->positions);
        }
        while (texts.size() > 1) {
            std::vector<std::string> pairs;
            for (size_t i = 0; i < texts.size(); i += 2) {
                pairs.push_back(i + 1 < texts.size() ? "(seq " + texts[i] + " " + texts[i + 1] + ")" : texts[i]);
            }
            texts = std::move(pairs);
        }
        return texts.empty() ? std::nullopt : std::optional(Applied{here, texts[0], positions});
    };
}
Rule reversed(Rule rule, Term result) {
    return [rule, result](const Facts &facts, const Term &) -> std::optional<Applied> {
        std::optional<Applied> applied = rule(facts, result);
        return applied ? std::optional(Applied{result, "(reversed " + applied->text + " " + to_text(result) + ")"})
                       : std::nullopt;
    };
}

Derivation::Derivation(Term program, Facts facts, bool keeps_programs)
    : program_(std::move(program)), facts_(std::move(facts)), keeps_programs_(keeps_programs) {
    if (keeps_programs_) {
        programs_.push_back(pretty(to_text(program_)));
    }
}

bool Derivation::apply(const Path &path, const Rule &rule) {
    std::optional<Applied> applied = apply_at(path, 0, rule, facts_, program_);
    if (!applied) {
        return false;
    }
    program_ = applied->term;
    steps_.push_back("(" + text_of(path) + " " + applied->text + ")");
    positions_.merge(applied->positions);
    if (keeps_programs_) {
        programs_.push_back(pretty(to_text(program_)));
    }
    return true;
}

Term Derivation::subterm(const Path &path) const { return *at_path(program_, path); }

} // namespace fluorite::verify
