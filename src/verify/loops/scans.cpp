#include "verify/loops/scans.h"

#include "verify/rewrite/rewriter.h"
#include "verify/terms/search.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

std::optional<ScanTerm> scan_of(const Term &term, size_t rank) {
    ScanTerm scan;
    Term here = term;
    for (; here.kind() == Kind::Iter; here = Term(here.operand(1))) {
        scan.reductions.emplace_back(here.name(), here.index());
    }
    for (; here.kind() == Kind::Gen && scan.elements.size() < rank; here = Term(here.operand(0))) {
        scan.elements.emplace_back(here.name(), here.index());
    }
    scan.step = here;
    return scan.reductions.empty() || scan.elements.size() < rank ? std::nullopt : std::optional(scan);
}

std::optional<ScanLoops> scan_loops(const Term &term, const StageLoops &stage, const LoopPlan &plan) {
    const std::optional<ScanTerm> scan = scan_of(term, stage.dims.size());
    if (!scan) {
        return std::nullopt;
    }
    ScanLoops loops{term.other_name(), stage.dims.size(), {}, {}, {}, plan.loops.guard, plan.directives};
    std::map<std::string, Index> extents, from; // of loops of the reduction, whole and in pieces
    for (const Loop &r : scan->reductions) {
        extents.emplace(r.first, r.second);
        from.emplace(r.first, r.first);
        loops.at.emplace_back(r.first);
    }
    for (const ReductionSplit &split : plan.splits) {
        const Pieces &pieces = split.pieces;
        const Index whole = Index(pieces.outer) * pieces.size + Index(pieces.inner);
        for (Index &index : loops.at) {
            index = substitute(index, split.word, whole);
        }
        loops.guard = substitute(loops.guard, split.word, whole);
        if (!split.is_exact) {
            const Condition is_inside = lt(whole, extents.at(split.word));
            loops.guard = loops.guard.is_true() ? is_inside : both(loops.guard, is_inside);
        }
        const Index at = from.at(split.word);
        extents.insert_or_assign(pieces.outer, pieces.count);
        extents.insert_or_assign(pieces.inner, pieces.size);
        from.insert_or_assign(pieces.outer, pieces.size.is_number(1) ? at : at / pieces.size);
        from.insert_or_assign(pieces.inner, pieces.size.is_number(1) ? Index(0) : at % pieces.size);
    }
    size_t element = 0;
    for (const PlannedLoop &loop : plan.order) {
        if (!loop.is_reduction) {
            loops.loops.push_back({loop.word, plan.loops.loops[element].second, loop.mark});
            loops.from.push_back(plan.loops.from[element++]);
            continue;
        }
        if (!extents.contains(loop.word)) {
            return std::nullopt;
        }
        // A loop that is not cut has the name of the one in the term.
        const std::string name = loop.word + ".here";
        loops.loops.push_back({name, extents.at(loop.word), loop.mark});
        loops.from.push_back(from.at(loop.word));
        for (Index &index : loops.at) {
            index = substitute(index, loop.word, name);
        }
        loops.guard = substitute(loops.guard, loop.word, name);
    }
    loops.at.insert(loops.at.end(), plan.loops.at.begin(), plan.loops.at.end());
    return loops;
}

namespace {

struct Obligation {
    Facts given;
    Condition condition;
};

Condition all(const std::vector<Condition> &parts) {
    Condition result;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        result = both(*part, result);
    }
    return result;
}
std::vector<Condition> equal_all(const std::vector<Index> &a, const std::vector<Index> &b) {
    std::vector<Condition> result;
    for (size_t i = 0; i < std::min(a.size(), b.size()); i++) {
        result.push_back(eq(a[i], b[i]));
    }
    return result;
}
// The ways in which one list comes before another one.
std::vector<Facts> ways(const std::vector<Index> &a, const std::vector<Index> &b) {
    std::vector<Facts> result;
    Facts equal;
    for (size_t i = 0; i < a.size(); i++) {
        Facts way = equal;
        way.push_back(lt(a[i], b[i]));
        result.push_back(way);
        equal.push_back(eq(a[i], b[i]));
    }
    return result;
}
Facts with_facts(Facts facts, const Facts &more) {
    facts.insert(facts.end(), more.begin(), more.end());
    return facts;
}

// What is asked of two events, in the order of proofs/Scans.v.
class Obligations {
  public:
    Obligations(const ScanLoops &loops, const ScanTerm &scan) : loops_(loops), scan_(scan), first_(loops.from) {
        for (const Loop &loop : scan.reductions) {
            add_name(loop.first);
            time_indices_.emplace_back(loop.first);
        }
        for (const Loop &loop : scan.elements) {
            add_name(loop.first);
            element_indices_.emplace_back(loop.first);
        }
        for (Term here = scan.step; is_on_the_way(here); here = below(here)) {
            if (here.kind() == Kind::Bind) {
                add_name(here.name());
            }
        }
        second_ = respelled(first_);
    }
    const std::vector<std::pair<std::string, std::string>> &names() const { return names_; }

    // What holds where a step changes its element.
    Facts asked(Facts facts) const {
        for (Term here = scan_.step; is_on_the_way(here); here = below(here)) {
            facts = facts_below(here, here.kind() == Kind::If ? 0 : 1, facts);
        }
        return facts;
    }
    Facts insides(Facts facts) const {
        for (const std::vector<Loop> &nest : {scan_.reductions, scan_.elements}) {
            for (const Loop &loop : nest) {
                facts = inside(loop.first, loop.second, facts);
            }
        }
        return facts;
    }
    Facts base(const Facts &facts) const {
        Facts result;
        for (const Condition &fact : asked(insides({}))) {
            result.push_back(respelled(fact));
        }
        return with_facts(result, insides(facts));
    }
    bool is_on_the_way(const Term &term) const {
        if (term.kind() == Kind::Bind) {
            return !occurs_tensor(loops_.accumulator, term.operand(0));
        }
        return term.kind() == Kind::If && is_old(term.operand(1));
    }
    static Term below(const Term &term) { return Term(term.operand(term.kind() == Kind::If ? 0 : 1)); }

    std::vector<Obligation> of_writes() const {
        std::vector<Obligation> obligations;
        for (const Facts &way : ways(time_indices_, respelled(time_indices_))) {
            obligations.push_back({with_facts(equal_all(element_indices_, respelled(element_indices_)), way),
                                   preceding(first_, second_)});
        }
        return obligations;
    }
    std::vector<Obligation> of_read(const std::vector<Index> &indices) const {
        std::vector<Condition> ranges;
        for (size_t d = 0; d < std::min(indices.size(), scan_.elements.size()); d++) {
            ranges.push_back(in_range(indices[d], scan_.elements[d].second));
        }
        const Facts there = equal_all(indices, respelled(element_indices_));
        std::vector<Obligation> obligations = {{{}, all(ranges)},
                                               {with_facts(there, equal_all(time_indices_, respelled(time_indices_))),
                                                all(equal_all(element_indices_, respelled(element_indices_)))}};
        for (const Facts &way : ways(respelled(time_indices_), time_indices_)) {
            obligations.push_back({with_facts(there, way), preceding(second_, first_)});
        }
        for (const Facts &way : ways(time_indices_, respelled(time_indices_))) {
            obligations.push_back({with_facts(there, way), preceding(first_, second_)});
        }
        return obligations;
    }

  private:
    void add_name(const std::string &name) { names_.emplace_back(name, name + ".second"); }
    // The element before the step.
    bool is_old(const Term &term) const {
        std::vector<Index> indices;
        Term base = term;
        for (; base.kind() == Kind::Get; base = Term(base.operand(0))) {
            indices.insert(indices.begin(), base.index());
        }
        return base.kind() == Kind::Var && base.name() == loops_.accumulator &&
               indices.size() == scan_.elements.size() &&
               std::ranges::equal(indices, scan_.elements,
                                  [](const Index &index, const Loop &loop) { return index == Index(loop.first); });
    }
    template <typename Item> Item respelled_one(Item item) const {
        for (const auto &[name, second] : names_) {
            item = substitute(item, name, Index(second));
        }
        return item;
    }
    Condition respelled(const Condition &condition) const { return respelled_one(condition); }
    std::vector<Index> respelled(const std::vector<Index> &indices) const {
        std::vector<Index> result;
        for (const Index &index : indices) {
            result.push_back(respelled_one(index));
        }
        return result;
    }
    // That an iteration runs before another one for sure.
    Condition preceding(const std::vector<Index> &a, const std::vector<Index> &b) const {
        Condition result{Condition::Kind::Not, {}, {Condition{}}};
        for (size_t l = a.size(); l > 0; l--) {
            result = both(eq(a[l - 1], b[l - 1]), result);
            if (is_in_order(loops_.loops[l - 1])) {
                result = {Condition::Kind::Or, {}, {lt(a[l - 1], b[l - 1]), result}};
            }
        }
        return result;
    }

  public:
    static bool is_in_order(const MarkedLoop &loop) { return !loop.mark || *loop.mark == Term::Mark::Unroll; }

  private:
    const ScanLoops &loops_;
    const ScanTerm &scan_;
    std::vector<std::pair<std::string, std::string>> names_;
    std::vector<Index> time_indices_, element_indices_, first_, second_;
};

// Witnesses of reads, in the order of `check_step` in proofs/Steps.v.
class StepReads {
  public:
    StepReads(const std::string &accumulator, const Obligations &obligations)
        : accumulator_(accumulator), obligations_(obligations) {}
    std::vector<std::string> witnesses;

    void step(const Term &term, const Facts &facts) {
        if (obligations_.is_on_the_way(term)) {
            return step(Obligations::below(term), facts_below(term, term.kind() == Kind::If ? 0 : 1, facts));
        }
        visit(term, facts, {});
    }
    static std::string discharge(const Facts &facts, const Obligation &obligation, const std::string &of) {
        const Facts all = with_facts(obligation.given, facts);
        std::optional<std::string> witness = find_witness(all, obligation.condition);
        if (!witness) {
            witness = find_witness_rounding(all, obligation.condition);
        }
        if (!witness) {
            throw Unsupported{"no witness is found that the loops keep the order of " + of + ": " +
                              to_text(obligation.condition)};
        }
        return *witness;
    }

  private:
    void visit(const Term &term, const Facts &facts, std::vector<Index> indices) {
        if (term.kind() == Kind::Get) {
            indices.insert(indices.begin(), term.index());
            return visit(term.operand(0), facts, std::move(indices));
        }
        if (term.kind() == Kind::Var && term.name() == accumulator_) {
            for (const Obligation &obligation : obligations_.of_read(indices)) {
                witnesses.push_back(discharge(facts, obligation, "a read and the writes"));
            }
        }
        for (size_t k = 0; k < term.operands().size(); k++) {
            visit(term.operand(k), facts_below(term, k, facts), {});
        }
    }
    const std::string accumulator_;
    const Obligations &obligations_;
};

std::optional<Path> find_scan(const Term &term, const std::string &accumulator) {
    if (term.kind() == Kind::Iter && term.other_name() == accumulator) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_scan(term.operand(k), accumulator)) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

// Of an iteration the event, and the other way round, with the guard of the loops where it is needed.
std::string store_text(const ScanLoops &loops, const ScanTerm &scan, const Facts &facts, const Facts &at_events) {
    std::vector<Loop> events = scan.reductions, iterations;
    events.insert(events.end(), scan.elements.begin(), scan.elements.end());
    Facts iterating = facts;
    for (const MarkedLoop &loop : loops.loops) {
        iterations.emplace_back(loop.name, loop.extent);
        iterating = inside(loop.name, loop.extent, iterating);
    }
    std::vector<Condition> left;
    const std::optional<std::string> shown =
        find_witness_in_turn(at_events, covered(events, {iterations, loops.at, loops.from, loops.guard}), left);
    const std::optional<std::string> stored = find_witness_in_turn(
        with(loops.guard, iterating), covered(iterations, {events, loops.from, loops.at, {}}), left);
    if (!shown || !stored) {
        throw Unsupported{"no witness is found that the loops run every iteration of the scan once"};
    }
    return "(" + list_text(loops.at) + " " + to_text(loops.guard) + " " + *shown + " " + *stored + ")";
}
std::string joined_texts(const std::vector<std::string> &texts) {
    std::string result = "(";
    for (const std::string &text : texts) {
        result += (result.size() > 1 ? " " : "") + text;
    }
    return result + ")";
}

} // namespace

ScanPlan plan_scan(const Facts &facts, const Term &program, const ScanLoops &loops) {
    const std::optional<Path> path = find_scan(program, loops.accumulator);
    if (!path) {
        throw Unsupported{"the scan is not in the term"};
    }
    Facts here = facts;
    Term term = program;
    std::vector<std::string> steps;
    for (size_t k : *path) {
        here = facts_below(term, k, here);
        term = Term(term.operand(k));
        steps.push_back(std::to_string(k));
    }
    const std::optional<ScanTerm> scan = scan_of(term, loops.rank);
    if (!scan) {
        throw Unsupported{"the scan is not in the term"};
    }
    const Obligations obligations(loops, *scan);
    const Facts base = obligations.base(here);
    std::vector<std::string> orders, spelling, writes;
    for (const MarkedLoop &loop : loops.loops) {
        orders.push_back("(" + loop.name + " " + to_text(loop.extent) + " " +
                         (Obligations::is_in_order(loop) ? "in_order" : "at_once") + ")");
    }
    for (const auto &[name, second] : obligations.names()) {
        spelling.push_back("(" + name + " " + second + ")");
    }
    const std::string store = store_text(loops, *scan, here, obligations.insides(here));
    for (const Obligation &obligation : obligations.of_writes()) {
        writes.push_back(StepReads::discharge(obligations.asked(base), obligation, "writes to one element"));
    }
    StepReads reads(loops.accumulator, obligations);
    reads.step(scan->step, base);
    return {loops, "(" + joined_texts(steps) + " " + std::to_string(loops.rank) + " " + joined_texts(orders) + " " +
                       list_text(loops.from) + " " + store + " " + joined_texts(spelling) + " " + joined_texts(writes) +
                       " " + joined_texts(reads.witnesses) + ")"};
}

} // namespace fluorite::verify
