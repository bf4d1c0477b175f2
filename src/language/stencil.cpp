// stencil(): neighbours under a boundary condition, combined by a function of the user.
//
// The result is an ordinary Func: the boundary condition is one of BoundaryConditions, so loops are cut into boundaries
// and an interior without clamps like any others.

#include "fluorite/stencil.h"

#include "fluorite/ops.h"
#include "language/function.h"
#include "language/operands.h"

namespace fluorite {

using namespace language;

StencilSource::StencilSource(const std::vector<ImageParam> &images, const Location &location) {
    if (images.empty()) {
        fail("stencil-empty", "a stencil", "its source is a list of no images; a source has a value; give one or more",
             location);
    }
    std::vector<Var> vars;
    for (int d = 0; d < images[0].dimensions(); d++) {
        vars.emplace_back();
    }
    std::vector<Expr> values;
    for (const ImageParam &image : images) {
        values.push_back(image(std::vector<Expr>(vars.begin(), vars.end()), location));
    }
    func_(vars, location) = Tuple(values);
    box_ = BoundaryConditions::detail::region_of(images[0]);
}

namespace detail {

namespace {

[[noreturn]] void refuse(const char *slug, const std::string &text, const Location &location) {
    fail(slug, "a stencil", text, location);
}

Func with_boundary(const StencilSource &source, const StencilBoundary &boundary, const Location &location) {
    using Rule = StencilBoundary::Rule;
    const Func &func = source.func();
    const Region &box = source.box();
    if (boundary.rule() == Rule::Function) {
        if (!boundary.func().defined()) {
            refuse("undefined-func",
                   concat("the boundary is the Func ", boundary.func().name(),
                          ", which has no definition; it replaces the source; define it first"),
                   location);
        }
        if (boundary.func().types() != func.types() || boundary.func().dimensions() != func.dimensions()) {
            refuse("stencil-boundary",
                   concat("the boundary is the Func ", boundary.func().name(), " with values ",
                          types_text(boundary.func().types()), " and ", boundary.func().dimensions(),
                          " dimensions, and the source ", func.name(), " has ", types_text(func.types()), " and ",
                          func.dimensions(),
                          "; it replaces the source, so it has its types and dimensions; define it so"),
                   location);
        }
        return boundary.func();
    }
    if (boundary.rule() == Rule::None) {
        return func;
    }
    if (box.empty() && func.dimensions() > 0) {
        refuse("stencil-no-box",
               concat("the source ", func.name(),
                      " is a Func without a box; a boundary rule says what lies outside of "
                      "one; give StencilSource(func, box), an image, or a boundary that is a Func"),
               location);
    }
    switch (boundary.rule()) {
    case Rule::Wrap:
        return BoundaryConditions::repeat_image(func, box, location);
    case Rule::Mirror:
        return BoundaryConditions::mirror_image(func, box, location);
    case Rule::MirrorInterior:
        return BoundaryConditions::mirror_interior(func, box, location);
    case Rule::Constant: {
        std::vector<Expr> values = boundary.values();
        if (values.empty()) {
            for (const Type type : func.types()) {
                values.push_back(ir::make_const(type, 0));
            }
        }
        if (values.size() == 1) {
            return BoundaryConditions::constant_exterior(func, LocatedExpr(values[0], location), box);
        }
        return BoundaryConditions::constant_exterior(func, Tuple(values), box, location);
    }
    default:
        return BoundaryConditions::repeat_edge(func, box, location);
    }
}

void check_offsets(const std::vector<std::vector<int>> &offsets, const Func &source, const Location &location) {
    if (offsets.empty()) {
        refuse("stencil-empty", "its shape has no offsets; a stencil reads one neighbour or more; list their offsets",
               location);
    }
    for (const std::vector<int> &offset : offsets) {
        if (static_cast<int>(offset.size()) != source.dimensions()) {
            refuse("stencil-rank",
                   concat("an offset has ", offset.size(), " components, and the source ", source.name(), " has ",
                          source.dimensions(), " dimensions; an offset has a component for each; give as many"),
                   location);
        }
    }
}

void check_invariant(const StencilSource &invariant, const StencilSource &source, const Location &location) {
    if (!invariant.func().defined()) {
        fail("undefined-func", *invariant.func().function(), -1,
             "it is called but has no definition; a Func is defined before it is called; define it first", location);
    }
    const auto where = [&] { return concat("the invariant ", invariant.func().name(), " has "); };
    if (invariant.func().dimensions() != source.func().dimensions()) {
        refuse("stencil-invariant",
               concat(where(), invariant.func().dimensions(), " dimensions, and the source ",
                      source.func().dimensions(),
                      "; it is read at the point that is computed; give one of the same rank"),
               location);
    }
    const size_t both = std::min(invariant.box().size(), source.box().size());
    for (size_t d = 0; d < both; d++) {
        int64_t of_invariant = 0, of_source = 0;
        if (ir::is_const_int(invariant.box()[d].extent, &of_invariant) &&
            ir::is_const_int(source.box()[d].extent, &of_source) && of_invariant != of_source) {
            refuse("stencil-invariant",
                   concat(where(), of_invariant, " points along dimension ", d, ", and the source ", of_source,
                          "; it has a value for each point of the source; give one of its size"),
                   location);
        }
    }
}

} // namespace

Func make_stencil(const std::vector<std::vector<int>> &offsets, const StencilFunction &f,
                  const StencilSource *invariant, const StencilSource &source, const StencilBoundary &boundary,
                  const Location &location) {
    if (!source.func().defined()) {
        fail("undefined-func", *source.func().function(), -1,
             "it is called but has no definition; a Func is defined before it is called; define it first", location);
    }
    check_offsets(offsets, source.func(), location);
    if (invariant) {
        check_invariant(*invariant, source, location);
    }
    const bool is_tuple = source.func().is_tuple() || (invariant && invariant->func().is_tuple());
    if (f.takes_single_values && is_tuple) {
        refuse("stencil-tuple",
               "its function takes single values, and what it reads has several; it is given all of "
               "them; let it take std::vector<Tuple>, and a Tuple of the invariant",
               location);
    }
    const Func extended = with_boundary(source, boundary, location);
    std::vector<Var> vars;
    for (int d = 0; d < source.func().dimensions(); d++) {
        vars.emplace_back();
    }
    const std::vector<Expr> point(vars.begin(), vars.end());
    std::vector<Tuple> neighbours;
    for (const std::vector<int> &offset : offsets) {
        std::vector<Expr> at = point;
        for (size_t d = 0; d < at.size(); d++) {
            at[d] = offset[d] == 0 ? at[d] : at[d] + offset[d];
        }
        neighbours.emplace_back(extended(at, location));
    }
    const Tuple here = invariant ? Tuple(invariant->func()(point, location)) : neighbours[0];
    Func result("stencil");
    result(vars, location) = f.of_tuples(here, neighbours);
    return result;
}

} // namespace detail

} // namespace fluorite
