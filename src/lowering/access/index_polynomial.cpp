// Indices as polynomials.
//
// 256 * (x - m) + (y + 1) and y + (x - m) * 256 differ by 1. The simplifier orders and groups terms as suits code, so
// it need not find this, least of all below conversions to 64 bits.
//
// Method: sums and products are expanded over numbered leaves. Index arithmetic does not overflow (ir/symbol.h), so a
// conversion to more bits is no leaf. Sums and products with too many terms stay leaves. Cost: linear in the distinct
// nodes of an index, each with a bounded number of terms.

#include "lowering/access/index_polynomial.h"

#include "ir/expr_traits.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr size_t most_terms = 64;

void add_to(std::map<std::vector<int>, int64_t> &sum, const std::vector<int> &factors, int64_t coefficient) {
    const auto at = sum.emplace(factors, 0).first;
    at->second = static_cast<int64_t>(static_cast<uint64_t>(at->second) + static_cast<uint64_t>(coefficient));
    if (at->second == 0) {
        sum.erase(at);
    }
}

int64_t product(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

} // namespace

IndexForms::Form IndexForms::difference(const Expr &to, const Expr &from) {
    Form result = form_of(to);
    for (const auto &[factors, coefficient] : form_of(from)) {
        add_to(result, factors, product(coefficient, -1));
    }
    return result;
}

std::optional<int64_t> IndexForms::distance(const Expr &to, const Expr &from) {
    const Form apart = difference(to, from);
    if (apart.empty()) {
        return 0;
    }
    const bool is_constant = apart.size() == 1 && apart.begin()->first.empty();
    return is_constant ? std::optional(apart.begin()->second) : std::nullopt;
}

Expr IndexForms::leaf_between(const Expr &to, const Expr &from) {
    Form apart = difference(to, from);
    apart.erase(Factors());
    const bool is_leaf = apart.size() == 1 && apart.begin()->first.size() == 1;
    return is_leaf ? by_number_[static_cast<size_t>(apart.begin()->first[0])] : Expr();
}

std::optional<int64_t> IndexForms::step(const Expr &index, const Symbol &var) {
    int64_t step = 0;
    for (const auto &[factors, coefficient] : form_of(index)) {
        const auto is_of_var = [&](int leaf) { return uses_symbol(by_number_[static_cast<size_t>(leaf)], var); };
        if (std::none_of(factors.begin(), factors.end(), is_of_var)) {
            continue;
        }
        if (factors.size() != 1 || !is_kind(by_number_[static_cast<size_t>(factors[0])], ExprKind::Variable)) {
            return std::nullopt;
        }
        step = coefficient;
    }
    return step;
}

IndexForms::Place IndexForms::place(const Expr &index) {
    Form family = form_of(index);
    const auto constant = family.find(Factors());
    const int64_t offset = constant == family.end() ? 0 : constant->second;
    family.erase(Factors());
    return {families_.emplace(std::move(family), static_cast<int>(families_.size())).first->second, offset};
}

std::optional<bool> IndexForms::is_after(const Expr &to, const Expr &from, const Symbol &buffer) {
    int outermost = -1;
    int64_t distance = 0; // along that dimension
    for (const auto &[factors, coefficient] : difference(to, from)) {
        int dimension = 0;
        if (!factors.empty()) {
            const Expr &stride = by_number_[static_cast<size_t>(factors[0])];
            const bool is_stride = factors.size() == 1 && stride->kind() == ExprKind::BufferField &&
                                   stride->member().field == Field::Stride && stride->member().symbol == buffer;
            if (!is_stride) {
                return std::nullopt;
            }
            dimension = stride->member().index;
        }
        if (dimension >= outermost) {
            outermost = dimension;
            distance = coefficient;
        }
    }
    return distance > 0;
}

const IndexForms::Form &IndexForms::form_of(const Expr &index) {
    const auto known = forms_.find(index);
    if (known != forms_.end()) {
        return known->second;
    }
    Form made = make_form(index);
    return forms_.emplace(index, std::move(made)).first->second;
}

IndexForms::Form IndexForms::leaf(const Expr &index) {
    const auto [at, is_new] = leaves_.emplace(index, static_cast<int>(leaves_.size()));
    if (is_new) {
        by_number_.push_back(index);
    }
    return {{{at->second}, 1}};
}

IndexForms::Form IndexForms::make_form(const Expr &index) {
    if (index->reads_memory()) {
        return leaf(index);
    }
    switch (index->kind()) {
    case ExprKind::IntImm:
        return index->int_value() == 0 ? Form{} : Form{{{}, index->int_value()}};
    case ExprKind::Add:
    case ExprKind::Sub: {
        Form sum = form_of(index->arg(0));
        for (const auto &[factors, coefficient] : form_of(index->arg(1))) {
            add_to(sum, factors, index->kind() == ExprKind::Add ? coefficient : product(coefficient, -1));
        }
        return sum.size() <= most_terms ? sum : leaf(index);
    }
    case ExprKind::Mul: {
        const Form a = form_of(index->arg(0)), b = form_of(index->arg(1));
        if (a.size() * b.size() > most_terms) {
            return leaf(index);
        }
        Form all;
        for (const auto &[left, x] : a) {
            for (const auto &[right, y] : b) {
                Factors factors = left;
                factors.insert(factors.end(), right.begin(), right.end());
                std::sort(factors.begin(), factors.end());
                add_to(all, factors, product(x, y));
            }
        }
        return all;
    }
    case ExprKind::Cast: {
        const Type from = index->arg(0).type();
        const bool widens = index.type().is_int() && is_index_type(from) && index.type().bits() >= from.bits();
        return widens ? form_of(index->arg(0)) : leaf(index);
    }
    default: // any value can be a leaf
        return leaf(index);
    }
}

} // namespace fluorite::lowering
