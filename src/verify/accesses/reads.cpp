// Witnesses that reads are in bounds, one for each index of each read, in the order in which proofs/Safety.v
// (check_safe) asks for them.

#include "verify/accesses/reads.h"

#include "support/check.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

static std::vector<Index> tail(std::vector<Index> shape, size_t count = 1) {
    shape.erase(shape.begin(), shape.begin() + std::ptrdiff_t(std::min(count, shape.size())));
    return shape;
}

std::vector<Index> shape_of(const Term &term) {
    switch (term.kind()) {
    case Kind::Gen: {
        std::vector<Index> shape = shape_of(term.operand(0));
        shape.insert(shape.begin(), term.index());
        return shape;
    }
    case Kind::Fold:
    case Kind::Mark:
    case Kind::Op:
    case Kind::If:
    case Kind::Iter:
        return shape_of(term.operand(0));
    case Kind::Let:
    case Kind::Bind:
        return shape_of(term.operand(1));
    case Kind::Get:
        return tail(shape_of(term.operand(0)));
    case Kind::View: {
        std::vector<Index> shape;
        for (const Loop &loop : term.loops()) {
            shape.push_back(loop.second);
        }
        std::vector<Index> rest = tail(shape_of(term.operand(0)), term.indices().size());
        shape.insert(shape.end(), rest.begin(), rest.end());
        return shape;
    }
    default:
        return {};
    }
}

namespace {

using Shapes = std::vector<std::pair<std::string, std::vector<Index>>>; // the innermost binding first

class Reads {
  public:
    std::vector<std::string> witnesses;

    void visit(const Shapes &shapes, const Facts &facts, const Term &term, const std::vector<Index> &indices) {
        if (term.kind() == Kind::Var) {
            read(shapes, facts, term.name(), indices);
            return;
        }
        if (term.kind() == Kind::Get) {
            std::vector<Index> more = indices;
            more.insert(more.begin(), term.index());
            visit(shapes, facts, term.operand(0), more);
            return;
        }
        if (!indices.empty()) {
            throw Unsupported{"an access of something that has no name"};
        }
        switch (term.kind()) {
        case Kind::Let: {
            visit(shapes, facts, term.operand(0), {});
            visit(bind(shapes, term.name(), term.operand(0)), facts, term.operand(1), {});
            return;
        }
        case Kind::Iter: {
            visit(shapes, facts, term.operand(0), {});
            visit(bind(shapes, term.other_name(), term.operand(0)), facts_below(term, 1, facts), term.operand(1), {});
            return;
        }
        default:
            break;
        }
        for (size_t k = 0; k < term.operands().size(); k++) {
            visit(shapes, facts_below(term, k, facts), term.operand(k), {});
        }
    }

  private:
    static Shapes bind(const Shapes &shapes, const std::string &name, const Term &value) {
        Shapes more = {{name, shape_of(value)}};
        more.insert(more.end(), shapes.begin(), shapes.end());
        return more;
    }
    void read(const Shapes &shapes, const Facts &facts, const std::string &name, const std::vector<Index> &indices) {
        auto found = std::ranges::find_if(shapes, [&](const auto &shape) { return shape.first == name; });
        if (found == shapes.end() || found->second.size() != indices.size()) {
            throw Unsupported{"the extents of " + name + " are not known"};
        }
        for (size_t d = 0; d < indices.size(); d++) {
            std::optional<std::string> witness = find_witness(facts, in_range(indices[d], found->second[d]));
            if (!witness) {
                throw Unsupported{"no witness is found that " + to_text(indices[d]) + " is in bounds of " + name +
                                  ", which has the extent " + to_text(found->second[d])};
            }
            witnesses.push_back(*witness);
        }
    }
};

} // namespace

std::vector<std::string> witnesses_of_reads(const Facts &facts, const std::vector<Tensor> &inputs,
                                            const Term &program) {
    Shapes shapes;
    for (const Tensor &input : inputs) {
        std::vector<Index> extents;
        for (const Dimension &dim : input.dims) {
            extents.push_back(dim.extent);
        }
        shapes.emplace_back(input.name, extents);
    }
    Reads reads;
    reads.visit(shapes, facts, program, {});
    return reads.witnesses;
}

} // namespace fluorite::verify
