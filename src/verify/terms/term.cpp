#include "verify/terms/term.h"

#include "support/check.h"

namespace fluorite::verify {

Index::Index(int64_t value) : node_(std::make_shared<const Node>(Node{Kind::Number, value, {}, {}})) {}
Index::Index(std::string name) : node_(std::make_shared<const Node>(Node{Kind::Name, 0, std::move(name), {}})) {}
Index Index::binary(Kind kind, const Index &a, const Index &b) {
    return Index(std::make_shared<const Node>(Node{kind, 0, {}, {a, b}}));
}
bool Index::operator==(const Index &other) const {
    return node_ == other.node_ || (kind() == other.kind() && value() == other.value() && name() == other.name() &&
                                    node_->operands == other.node_->operands);
}

Index operator+(const Index &a, const Index &b) { return Index::binary(Index::Kind::Add, a, b); }
Index operator-(const Index &a, const Index &b) { return Index::binary(Index::Kind::Sub, a, b); }
Index operator*(const Index &a, const Index &b) { return Index::binary(Index::Kind::Mul, a, b); }
Index operator/(const Index &a, const Index &b) { return Index::binary(Index::Kind::Div, a, b); }
Index operator%(const Index &a, const Index &b) { return Index::binary(Index::Kind::Mod, a, b); }
Index min(const Index &a, const Index &b) { return Index::binary(Index::Kind::Min, a, b); }
Index max(const Index &a, const Index &b) { return Index::binary(Index::Kind::Max, a, b); }

Condition le(const Index &a, const Index &b) { return {Condition::Kind::Le, {a, b}, {}}; }
Condition lt(const Index &a, const Index &b) { return {Condition::Kind::Lt, {a, b}, {}}; }
Condition eq(const Index &a, const Index &b) { return {Condition::Kind::Eq, {a, b}, {}}; }
Condition both(const Condition &p, const Condition &q) { return {Condition::Kind::And, {}, {p, q}}; }
Condition negation(const Condition &p) { return {Condition::Kind::Not, {}, {p}}; }
Condition in_range(const Index &i, const Index &n) { return both(le(0, i), lt(i, n)); }

Term Term::number(int64_t value) {
    Node node;
    node.value = value;
    return Term(std::move(node));
}
Term Term::unit(std::string op) {
    Node node;
    node.kind = Kind::Unit;
    node.name = std::move(op);
    return Term(std::move(node));
}
Term Term::var(std::string name) {
    Node node;
    node.kind = Kind::Var;
    node.name = std::move(name);
    return Term(std::move(node));
}
Term Term::gen(std::string loop, const Index &extent, const Term &body) {
    Node node;
    node.kind = Kind::Gen;
    node.name = std::move(loop);
    node.indices = {extent};
    node.operands = {body};
    return Term(std::move(node));
}
Term Term::gens(const std::vector<Loop> &loops, const Term &body) {
    Term result = body;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        result = gen(loop->first, loop->second, result);
    }
    return result;
}
Term Term::fold(std::string op, std::string loop, const Index &extent, const Term &body) {
    Node node;
    node.kind = Kind::Fold;
    node.name = std::move(loop);
    node.other_name = std::move(op);
    node.indices = {extent};
    node.operands = {body};
    return Term(std::move(node));
}
Term Term::select(const Condition &p, const Term &a, const Term &b) {
    Node node;
    node.kind = Kind::If;
    node.condition = p;
    node.operands = {a, b};
    return Term(std::move(node));
}
Term Term::let(std::string name, const Term &value, const Term &body) {
    Node node;
    node.kind = Kind::Let;
    node.name = std::move(name);
    node.operands = {value, body};
    return Term(std::move(node));
}
Term Term::get(const Term &tensor, const Index &index) {
    Node node;
    node.kind = Kind::Get;
    node.indices = {index};
    node.operands = {tensor};
    return Term(std::move(node));
}
Term Term::get(const Term &tensor, const std::vector<Index> &indices) {
    Term result = tensor;
    for (const Index &index : indices) {
        result = get(result, index);
    }
    return result;
}
Term Term::op(std::string op, std::vector<Term> operands) {
    check(operands.size() >= 1 && operands.size() <= 3, "operators have one to three operands");
    Node node;
    node.kind = Kind::Op;
    node.name = std::move(op);
    node.operands = std::move(operands);
    return Term(std::move(node));
}
Term Term::reindex(std::vector<Loop> xs, std::vector<Index> ts, const Term &body) {
    Node node;
    node.kind = Kind::View;
    node.loops = std::move(xs);
    node.indices = std::move(ts);
    node.operands = {body};
    return Term(std::move(node));
}
Term Term::mark(Mark mark, const Term &body) {
    Node node;
    node.kind = Kind::Mark;
    node.mark = mark;
    node.operands = {body};
    return Term(std::move(node));
}
Term Term::bind(std::string name, const Term &element, const Term &body) {
    Node node;
    node.kind = Kind::Bind;
    node.name = std::move(name);
    node.operands = {element, body};
    return Term(std::move(node));
}
Term Term::iter(std::string tensor, std::string loop, const Index &extent, const Term &start, const Term &body) {
    Node node;
    node.kind = Kind::Iter;
    node.name = std::move(loop);
    node.other_name = std::move(tensor);
    node.indices = {extent};
    node.operands = {start, body};
    return Term(std::move(node));
}
Term Term::with_operand(size_t k, const Term &operand) const {
    Node node = *node_;
    node.operands[k] = operand;
    return Term(std::move(node));
}
bool Term::operator==(const Term &other) const {
    if (node_ == other.node_) {
        return true;
    }
    const Node &a = *node_, &b = *other.node_;
    return a.kind == b.kind && a.value == b.value && a.name == b.name && a.other_name == b.other_name &&
           a.mark == b.mark && a.indices == b.indices && a.loops == b.loops && a.condition == b.condition &&
           a.operands == b.operands;
}

} // namespace fluorite::verify
