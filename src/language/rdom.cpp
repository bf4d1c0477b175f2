// RDoms: boxes of points, and the symbols of their RVars.

#include "fluorite/rdom.h"

#include "fluorite/image_param.h"
#include "fluorite/ops.h"
#include "language/function.h"
#include "language/operands.h"
#include "rewrite/simplify.h"

#include <ostream>

namespace fluorite {

using namespace language;

namespace {

using Domain = detail::Ref<ReductionDomain>;

/// The name of dimension i of a domain, which is its loop's name in schedules: `r$x`, `r$y`, `r$z`, `r$w`, `r$4`, ...
std::string dim_name(const std::string &domain, size_t i) {
    static const char *const letters[] = {"x", "y", "z", "w"};
    return domain + "$" + (i < 4 ? std::string(letters[i]) : "d" + std::to_string(i));
}

/// A bound as Int32.
Expr coordinate(const std::string &name, size_t dim, const char *which, const Expr &value, const Location &location) {
    if (!value.defined()) {
        fail("undefined-operand", "RDom " + name,
             concat("the ", which, " of dimension ", dim,
                    " is an undefined Expr; bounds have a value; initialize the Expr"),
             location);
    }
    if (has_undef(value)) {
        fail("undef-value", "RDom " + name,
             concat("the ", which, " of dimension ", dim, " is undef; bounds have a value; give a number"), location);
    }
    if (value.type().is_float() && value.type().is_scalar()) {
        return rewrite::simplify(ir::make_cast(Int(32), value)); // whole points: what is left of one is none
    }
    if (!value.type().is_int_or_uint() || !value.type().is_scalar()) {
        fail("rdom-bounds-type", "RDom " + name,
             concat("the ", which, " of dimension ", dim, " has type ", value.type(),
                    "; bounds are numbers; cast it to int"),
             location);
    }
    if (!fits_int32(value)) {
        fail("literal-out-of-range", "RDom " + name,
             concat("the ", which, " of dimension ", dim, " is ", value,
                    "; coordinates are integers of 32 bits; give a smaller one"),
             location);
    }
    return convert(Int(32), value);
}

/// A computed extent may be negative, which means an empty domain.
Expr extent(const std::string &name, size_t dim, const Expr &value, const Location &location) {
    const Expr result = coordinate(name, dim, "extent", value, location);
    int64_t number = 0;
    if (ir::is_const_int(result, &number) && number < 0) {
        fail("rdom-negative-extent", "RDom " + name,
             concat("the extent of dimension ", dim, " is ", number,
                    "; an RDom is given as min and number of points; give an extent of 0 or more"),
             location);
    }
    return result;
}

/// Makes symbols of this domain's RVars weak, so that the domain does not own itself.
Expr with_weak_rvars(const ReductionDomain &domain, const Expr &expr) {
    ir::SymbolMap<Expr> weak;
    for (size_t i = 0; i < domain.dims.size(); i++) {
        const int dim = static_cast<int>(i);
        weak[domain.symbol(dim, true)] = ir::make_var(Int(32), domain.symbol(dim, true));
    }
    return ir::substitute(expr, weak);
}

Domain make_domain(const std::vector<Expr> &numbers, const std::string &name, const Location &location) {
    Domain domain(new ReductionDomain);
    domain->name = name.empty() ? "r" : clean_name(name);
    domain->location = location;
    if (numbers.empty()) {
        fail("rdom-rank", "RDom " + domain->name,
             "it has no dimension; a reduction domain has one or more; give ranges", location);
    }
    for (size_t i = 0; i < numbers.size() / 2; i++) {
        domain->dims.push_back({dim_name(domain->name, i), coordinate(domain->name, i, "min", numbers[2 * i], location),
                                extent(domain->name, i, numbers[2 * i + 1], location)});
    }
    return domain;
}

template <typename Image> std::vector<Expr> box_of(const Image &image) {
    std::vector<Expr> numbers;
    for (int i = 0; i < image.dimensions(); i++) {
        numbers.push_back(image.dim(i).min());
        numbers.push_back(image.dim(i).extent());
    }
    return numbers;
}

bool has_dim(const Domain &domain, int index) {
    return domain && index >= 0 && static_cast<size_t>(index) < domain->dims.size();
}

[[noreturn]] void fail_dimension(const ReductionDomain &domain, int64_t index, const Location &location) {
    fail("rdom-rank", "RDom " + domain.name,
         concat("dimension ", index, " is named; it has ", domain.dims.size(), "; name one of its dimensions"),
         location);
}

[[noreturn]] void fail_undefined_domain(const std::string &seen, const Location &location) {
    fail("rdom-rank", "an undefined RDom",
         seen + "; an RDom has dimensions where it is used; give it ranges, as in RDom(0, 10)", location);
}

std::string shown_rvar(const std::string &name) { return is_anonymous(name) ? "" : name; }

} // namespace

ir::Symbol ReductionDomain::symbol(int dim, bool weak) const {
    ir::SymbolOwner owner;
    owner.dim = DimId(dim);
    return {ir::SymbolKind::RVar, dims[static_cast<size_t>(dim)].name, owner, this, weak};
}

// ---- RVar.

RVar::RVar() : name_(anonymous_name("r")) {}
RVar::RVar(detail::Ref<ReductionDomain> domain, int index)
    : domain_(std::move(domain)), index_(index),
      name_(has_dim(domain_, index) ? domain_->dims[static_cast<size_t>(index)].name
                                    : dim_name(domain_->name, static_cast<size_t>(index))) {}

Expr RVar::min() const { return has_dim(domain_, index_) ? domain_->dims[static_cast<size_t>(index_)].min : Expr(); }
Expr RVar::extent() const {
    return has_dim(domain_, index_) ? domain_->dims[static_cast<size_t>(index_)].extent : Expr();
}

RVar::operator Expr() const { return as_expr(domain_ ? domain_->location : Location()); }

Expr RVar::as_expr(const Location &location) const {
    if (!domain_) {
        fail("rvar-without-domain", concat("RVar", is_anonymous(name_) ? "" : " ", shown_rvar(name_)),
             "it is used as a value but belongs to no RDom; only RVars of an RDom have values (others name loops); use "
             "the x, y, z, w or [i] of an RDom",
             location);
    }
    if (!has_dim(domain_, index_)) {
        fail_dimension(*domain_, index_, location);
    }
    return ir::make_var(Int(32), domain_->symbol(index_));
}

// ---- RDom.

RDom::RDom(const Region &region, const std::string &name, const Location &location) {
    std::vector<Expr> numbers;
    for (const Range &range : region) {
        numbers.push_back(range.min);
        numbers.push_back(range.extent);
    }
    initialize(numbers, name, location);
}

RDom::RDom(const ImageParam &image, const Location &location) { initialize(box_of(image), "", location); }
RDom::RDom(const OutputImageParam &image, const Location &location) { initialize(box_of(image), "", location); }
RDom::RDom(detail::Ref<ReductionDomain> domain) : domain_(std::move(domain)) { set_members(); }

void RDom::initialize(const std::vector<Expr> &numbers, const std::string &name, const Location &location) {
    domain_ = make_domain(numbers, name, location);
    set_members();
}

void RDom::set_members() {
    // Dimensions beyond the rank are refused when they are used.
    RVar *const members[] = {&x, &y, &z, &w};
    for (int i = 0; i < 4; i++) {
        *members[i] = RVar(domain_, i);
    }
}

int RDom::dimensions() const { return domain_ ? static_cast<int>(domain_->dims.size()) : 0; }

RVar RDom::operator[](const LocatedIndex &index) const {
    if (!domain_) {
        fail_undefined_domain(concat("dimension ", index.value, " is named"), index.location);
    }
    if (index.value < 0 || index.value >= dimensions()) {
        fail_dimension(*domain_, index.value, index.location);
    }
    return RVar(domain_, static_cast<int>(index.value));
}

static RVar only_dimension(const RDom &domain, const Location &location) {
    if (!domain.defined()) {
        fail_undefined_domain("it is used as a variable", location);
    }
    if (domain.dimensions() != 1) {
        fail("rdom-rank", "RDom " + domain.name(),
             concat("it is used as one variable but has ", domain.dimensions(),
                    " dimensions; only an RDom of one dimension is a variable; name the dimension, as in r.x"),
             location);
    }
    return domain.x;
}

RDom::operator RVar() const { return only_dimension(*this, domain_ ? domain_->location : Location()); }
RDom::operator Expr() const { return as_expr(domain_ ? domain_->location : Location()); }
Expr RDom::as_expr(const Location &location) const { return only_dimension(*this, location).as_expr(location); }

const std::string &RDom::name() const {
    static const std::string none;
    return domain_ ? domain_->name : none;
}

void RDom::where(const Expr &predicate, const Location &location) {
    if (!domain_) {
        fail_undefined_domain("where() is called", location);
    }
    if (domain_->used) {
        fail("rdom-in-use", "RDom " + domain_->name,
             "where() is called after a definition has used it; predicates are part of the domain; call where() before",
             location);
    }
    const Expr condition = checked_condition({"RDom::where", location}, LocatedExpr(predicate, location));
    Expr &all = domain_->predicate;
    const Expr weak = with_weak_rvars(*domain_, condition);
    all = all.defined() ? binary(ir::ExprKind::And, all, weak) : weak;
}

Expr RDom::predicate() const {
    return domain_ && domain_->predicate.defined() ? domain_->predicate : ir::make_bool(true);
}

std::ostream &operator<<(std::ostream &stream, const RVar &var) {
    return var.min().defined() ? stream << var.name() << "(" << var.min() << ", " << var.extent() << ")"
                               : stream << var.name();
}

std::ostream &operator<<(std::ostream &stream, const RDom &domain) {
    stream << "RDom(\n";
    for (int i = 0; i < domain.dimensions(); i++) {
        stream << "  " << domain[i] << "\n";
    }
    return stream << ")\n";
}

} // namespace fluorite
