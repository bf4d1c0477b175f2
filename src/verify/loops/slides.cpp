#include "verify/loops/slides.h"

#include "verify/from_graph/convert.h"
#include "verify/rewrite/rewriter.h"

#include <algorithm>
#include <map>
#include <set>

namespace fluorite::verify {

namespace {

// A window that slides, as reads see it (`pane` in proofs/Slides.v).
struct Pane {
    size_t dimension = 0;
    Index rows = 0, upto = 0;
};
using Panes = std::map<std::string, Pane>;

struct RowRead {
    std::vector<Index> indices;
    std::map<std::string, Interval> env; // of the loops inside of the site that is looked at
};

// The accesses of a tensor, each with the ranges of the loops around it.
void collect(const Term &term, const std::string &tensor, const std::map<std::string, Interval> &env,
             const Facts &facts, std::vector<RowRead> &reads) {
    std::vector<Index> indices;
    const Term *base = &term;
    for (; base->kind() == Term::Kind::Get; base = &base->operand(0)) {
        indices.insert(indices.begin(), base->index());
    }
    if (base->kind() == Term::Kind::Var) {
        if (base->name() == tensor) {
            reads.push_back({indices, env});
        }
        return;
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        std::map<std::string, Interval> below = env;
        const bool binds = term.kind() == Term::Kind::Gen || term.kind() == Term::Kind::Fold ||
                           (term.kind() == Term::Kind::Iter && k == 1);
        if (binds) {
            below.erase(term.name());
            if (std::optional<Interval> extent = interval_of(term.index(), env, facts)) {
                below.emplace(term.name(), Interval{0, simplified(extent->high - 1)});
            }
        } else if (term.kind() == Term::Kind::Bind && k == 1) {
            below.insert_or_assign(term.name(), Interval::unbounded());
        }
        collect(term.operand(k), tensor, below, facts, reads);
    }
}

Condition in_time(const Pane &pane, const Index &row) {
    return both(both(le(0, row), lt(row, pane.upto)), le(pane.upto, row + pane.rows));
}

// Witnesses of reads, in the order of `check_finds` in proofs/Slides.v.
class Finds {
  public:
    Finds(const Panes &panes, std::vector<std::string> &witnesses) : panes_(panes), witnesses_(witnesses) {}

    void visit(const Term &term, const Facts &facts, const std::set<std::string> &hidden, std::vector<Index> indices) {
        if (term.kind() == Term::Kind::Get) {
            indices.insert(indices.begin(), term.index());
            return visit(term.operand(0), facts, hidden, std::move(indices));
        }
        if (term.kind() == Term::Kind::Var) {
            return read(term.name(), facts, hidden, indices);
        }
        for (size_t k = 0; k < term.operands().size(); k++) {
            std::set<std::string> below = hidden;
            if (k == 1 && term.kind() == Term::Kind::Let) {
                below.insert(term.name());
            } else if (k == 1 && term.kind() == Term::Kind::Iter) {
                below.insert(term.other_name());
            }
            visit(term.operand(k), facts_below(term, k, facts), below, {});
        }
    }

  private:
    void read(const std::string &tensor, const Facts &facts, const std::set<std::string> &hidden,
              const std::vector<Index> &indices) {
        auto pane = panes_.find(tensor);
        if (pane == panes_.end() || hidden.contains(tensor)) {
            return;
        }
        if (pane->second.dimension >= indices.size()) {
            throw Unsupported{"a read of " + tensor + " has too few indices"};
        }
        const Index &row = indices[pane->second.dimension];
        std::optional<std::string> witness = find_witness(facts, in_time(pane->second, row));
        if (!witness) {
            throw Unsupported{"no witness is found that row " + to_text(row) + " of " + tensor +
                              " is there when it is read"};
        }
        witnesses_.push_back(*witness);
    }
    const Panes &panes_;
    std::vector<std::string> &witnesses_;
};

std::optional<Path> find_body(const Term &term, const std::string &loop) {
    if (term.kind() == Term::Kind::Gen && term.name() == loop) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_body(term.operand(k), loop)) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

// A binding of the group that slides.
struct Member {
    std::string tensor;
    const StorePlan *store = nullptr;
    Nest nest;
    Term body = Term::number(0); // of an iteration of the nest, with the bindings between its loops
    std::vector<Loop> loops;
    std::vector<Index> shape;
};

// The bindings at one site that slide along one loop.
class Group {
  public:
    using Folds = std::map<std::string, std::map<size_t, int64_t>>; // by tensor and dimension
    Group(Facts facts, std::string loop, Path path, Folds folds)
        : facts_(std::move(facts)), loop_(std::move(loop)), path_(std::move(path)), folds_(std::move(folds)) {}

    // `requested` bindings of the chain `term`; `store` is the number of the chain's first view.
    std::string plan(const Term &term, std::set<std::string> requested, const std::vector<StorePlan> &stores,
                     size_t store, std::vector<SlideResult> &results) {
        Term here = term;
        std::vector<std::optional<size_t>> chain; // the members, by their bindings
        while (!requested.empty()) {
            if (here.kind() != Term::Kind::Let) {
                throw Unsupported{"the bindings that slide do not stand one inside of the other"};
            }
            if (requested.erase(here.name())) {
                chain.push_back(members_.size());
                members_.push_back(member(here.name(), here.operand(0), stores, store));
            } else {
                chain.push_back(std::nullopt);
            }
            store += count_views(here.operand(0));
            here = Term(here.operand(1));
        }
        const std::optional<Path> at = find_body(here, loop_);
        if (!at) {
            throw Unsupported{"the loop is not inside of the binding"};
        }
        Facts inside_facts = facts_;
        Term loop = here;
        for (size_t k : *at) {
            inside_facts = facts_below(loop, k, inside_facts);
            loop = Term(loop.operand(k));
        }
        extent_ = loop.index();
        // What consumers want comes first: the last binding is read in the loop alone, or not by the others.
        for (size_t m = members_.size(); m > 0; m--) {
            find_pane(members_[m - 1], loop);
        }
        std::string slides;
        std::vector<std::string> finds;
        for (const std::optional<size_t> &m : chain) {
            slides += slides.empty() ? "" : " ";
            slides += m ? slide_text(members_[*m], finds) : "none";
        }
        Finds(panes_, finds).visit(here, facts_, {}, {});
        std::string text = "(" + path_text() + " " + loop_ + " " + to_text(extent_) + " (" + slides + ") (";
        for (size_t f = 0; f < finds.size(); f++) {
            text += (f ? " " : "") + finds[f];
        }
        for (const Member &member : members_) {
            const Pane &pane = panes_.at(member.tensor);
            results.push_back({member.tensor, "", pane.rows, pane.dimension});
        }
        return text + "))";
    }

  private:
    static Member member(const std::string &tensor, const Term &value, const std::vector<StorePlan> &stores,
                         size_t store) {
        if (value.kind() != Term::Kind::View || store >= stores.size()) {
            throw Unsupported{"it is no nest of loops, as it has updates"};
        }
        std::optional<Nest> nest = nest_of(value.operand(0), value.indices().size());
        if (!nest || std::ranges::any_of(nest->inner, [](const InnerNode &node) { return node.update.has_value(); })) {
            throw Unsupported{"it has updates"};
        }
        Member result{tensor, &stores[store], *nest, nest->body, {}, {}};
        for (auto node = nest->inner.rbegin(); node != nest->inner.rend(); ++node) {
            result.body = Term::let(node->tensor, node->value, result.body);
        }
        for (const MarkedLoop &loop : nest->loops) {
            result.loops.emplace_back(loop.name, loop.extent);
        }
        for (const Loop &x : value.loops()) {
            result.shape.push_back(x.second);
        }
        return result;
    }
    Index before(const Index &index) const { return substitute(index, loop_, Index(loop_) - 1); }
    Facts along() const { return inside(loop_, extent_, facts_); }
    static Facts insides(const std::vector<Loop> &loops, Facts facts) {
        for (const Loop &loop : loops) {
            facts = inside(loop.first, loop.second, facts);
        }
        return facts;
    }

    // A read of rows: the highest one over the inner loops, and the lowest one, at the first iteration and at later
    // ones.
    struct Span {
        std::vector<Index> low, first, high;
    };
    static std::vector<std::optional<Interval>> intervals(const RowRead &read, const Facts &facts) {
        std::vector<std::optional<Interval>> result;
        for (const Index &index : read.indices) {
            result.push_back(interval_of(index, read.env, facts));
        }
        return result;
    }
    void find_pane(const Member &member, const Term &loop) {
        const Facts facts = along();
        const size_t rank = member.shape.size();
        std::vector<Span> spans; // of reads, by dimension
        std::vector<RowRead> direct;
        collect(loop.operand(0), member.tensor, {}, facts, direct);
        for (const RowRead &read : direct) {
            const auto ranges = intervals(read, facts);
            Span span;
            for (size_t d = 0; d < rank; d++) {
                if (d >= ranges.size() || !ranges[d]) {
                    throw Unsupported{"no bounds are found for its rows"};
                }
                span.low.push_back(ranges[d]->low);
                span.first.push_back(ranges[d]->low);
                span.high.push_back(ranges[d]->high);
            }
            spans.push_back(span);
        }
        for (const Member &other : members_) {
            auto pane = panes_.find(other.tensor);
            if (pane != panes_.end()) {
                add_spans(member, other, pane->second, facts, spans);
            }
        }
        if (spans.empty()) {
            throw Unsupported{"nothing inside of the loop reads it"};
        }
        panes_.emplace(member.tensor, chosen(member, spans, facts));
    }
    // Reads of the rows that another window adds in an iteration.
    void add_spans(const Member &member, const Member &other, const Pane &pane, const Facts &facts,
                   std::vector<Span> &spans) const {
        const Index &row = other.store->at[pane.dimension];
        std::map<std::string, Interval> env;
        for (const Loop &l : other.loops) {
            env.emplace(l.first, Interval{0, simplified(l.second - 1)});
        }
        if (row.kind() != Index::Kind::Name || !env.contains(row.name())) {
            throw Unsupported{"the rows of " + other.tensor + ", which reads it, are in pieces"};
        }
        auto spans_from = [&](const Index &lowest) {
            env.insert_or_assign(row.name(), Interval{lowest, simplified(pane.upto - 1)});
            std::vector<RowRead> reads;
            collect(other.body, member.tensor, env, facts, reads);
            std::vector<std::vector<std::optional<Interval>>> result;
            for (const RowRead &read : reads) {
                result.push_back(intervals(read, facts));
            }
            return result;
        };
        const auto later = spans_from(simplified(before(pane.upto))), first = spans_from(0);
        for (size_t r = 0; r < later.size(); r++) {
            Span span;
            for (size_t d = 0; d < member.shape.size(); d++) {
                if (d >= later[r].size() || !later[r][d] || !first[r][d]) {
                    throw Unsupported{"no bounds are found for its rows"};
                }
                span.low.push_back(later[r][d]->low);
                span.first.push_back(first[r][d]->low);
                span.high.push_back(later[r][d]->high);
            }
            spans.push_back(span);
        }
    }
    Pane chosen(const Member &member, const std::vector<Span> &spans, const Facts &facts) const {
        std::optional<Pane> found;
        for (size_t d = 0; d < member.shape.size(); d++) {
            if (std::ranges::none_of(spans, [&](const Span &span) { return occurs(loop_, span.high[d]); })) {
                continue;
            }
            if (found) {
                throw Unsupported{"it moves along two dimensions"};
            }
            Index upto = simplified(spans[0].high[d] + 1);
            for (const Span &span : spans) {
                upto = greater_of(upto, simplified(span.high[d] + 1), facts);
            }
            found = Pane{d, folded(member.tensor, d, rows_of(upto, d, spans, member.shape[d])), upto};
        }
        if (!found) {
            throw Unsupported{"its rows do not move with the loop"};
        }
        return *found;
    }
    // What the schedule asks for, where that is enough.
    Index folded(const std::string &tensor, size_t dimension, const Index &rows) const {
        const std::map<size_t, int64_t> &asked = folds_.at(tensor);
        const auto found = asked.find(dimension);
        const bool is_enough = found != asked.end() && (!rows.is_number() || rows.value() <= found->second);
        return is_enough ? Index(found->second) : rows;
    }
    // As many rows as any iteration reads, if that is a number, else all.
    Index rows_of(const Index &upto, size_t d, const std::vector<Span> &spans, const Index &all) const {
        int64_t most = 1;
        for (const Span &span : spans) {
            const Index later = simplified(upto - span.low[d]);
            const Index first = simplified(substitute(upto - span.first[d], loop_, Index(0)));
            if (!later.is_number() || !first.is_number()) {
                return all;
            }
            most = std::max({most, later.value(), first.value()});
        }
        return all.is_number() && all.value() < most ? all : Index(most);
    }

    std::string slide_text(const Member &member, std::vector<std::string> &finds) const {
        const Pane &pane = panes_.at(member.tensor);
        const Index &row = member.store->at[pane.dimension];
        const Condition grows = both(
            le(1, pane.rows), Condition{Condition::Kind::Or, {}, {le(loop_, 0), le(before(pane.upto), pane.upto)}});
        const std::optional<std::string> witness = find_witness(along(), grows);
        if (!witness) {
            throw Unsupported{"no witness is found that later iterations want later rows"};
        }
        Panes outer; // those that are bound outside of it
        for (const Member &other : members_) {
            if (other.tensor == member.tensor) {
                break;
            }
            outer.emplace(other.tensor, panes_.at(other.tensor));
        }
        const Facts iterating = insides(member.loops, along());
        Finds visitor(outer, finds);
        visitor.visit(member.body, with(le(loop_, 0), with(lt(row, pane.upto), iterating)), {}, {});
        visitor.visit(member.body,
                      with(le(1, loop_), with(le(before(pane.upto), row), with(lt(row, pane.upto), iterating))), {},
                      {});
        return "(" + std::to_string(pane.dimension) + " " + to_text(pane.rows) + " " + to_text(pane.upto) + " " +
               member.store->text + " " + *witness + ")";
    }
    std::string path_text() const {
        std::string text = "(";
        for (size_t i = 0; i < path_.size(); i++) {
            text += (i ? " " : "") + std::to_string(path_[i]);
        }
        return text + ")";
    }

    const Facts facts_; // at the path
    const std::string loop_;
    const Path path_;
    const Folds folds_;
    Index extent_ = 0;
    std::vector<Member> members_;
    Panes panes_;
};

// The outermost binding of one of the names, with the facts there and the number of the first view below it.
struct BindingSite {
    Path path;
    Facts facts;
    Term term;
    size_t store = 0;
};
std::optional<BindingSite> find_site(const Term &term, const std::set<std::string> &names, const Path &path,
                                     const Facts &facts, size_t store) {
    if (term.kind() == Term::Kind::Let && names.contains(term.name())) {
        return BindingSite{path, facts, term, store};
    }
    store += term.kind() == Term::Kind::View ? 1 : 0;
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (auto site = find_site(term.operand(k), names, path + Path{k}, facts_below(term, k, facts), store)) {
            return site;
        }
        store += count_views(term.operand(k));
    }
    return std::nullopt;
}

} // namespace

SlidePlans plan_slides(const Facts &facts, const Term &program, const std::vector<StorePlan> &stores,
                       const std::vector<SlideRequest> &requests) {
    std::map<std::string, std::set<std::string>> by_loop;
    Group::Folds folds;
    for (const SlideRequest &request : requests) {
        by_loop[request.loop].insert(request.tensor);
        folds.emplace(request.tensor, request.folds);
    }
    SlidePlans plans;
    for (auto &[loop, tensors] : by_loop) {
        try {
            const std::optional<BindingSite> site = find_site(program, tensors, {}, facts, 0);
            if (!site) {
                throw Unsupported{"it is not bound in the term"};
            }
            const size_t known = plans.results.size();
            plans.texts.push_back(Group(site->facts, loop, site->path, folds)
                                      .plan(site->term, tensors, stores, site->store, plans.results));
            for (size_t r = known; r < plans.results.size(); r++) {
                plans.results[r].group = plans.texts.size() - 1;
            }
        } catch (const Unsupported &unsupported) {
            for (const std::string &tensor : tensors) {
                plans.results.push_back({tensor, unsupported.reason});
            }
        }
    }
    return plans;
}

} // namespace fluorite::verify
