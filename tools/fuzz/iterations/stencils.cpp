#include "iterations/stencils.h"

#include <algorithm>

namespace fluorite::fuzz::iterations {

namespace {

std::string box_of(const Source &source) {
    return source.image ? "BoundaryConditions::detail::region_of(" + source.text + ")" : source.box_text;
}

StencilSource as_source(const Source &source) {
    return source.image ? StencilSource(*source.image) : StencilSource(source.func, source.box);
}

std::string source_text(const Source &source) {
    return source.image ? source.text : "StencilSource(" + source.text + ", " + source.box_text + ")";
}

} // namespace

StencilDrawing::Shape StencilDrawing::shape(int reach) {
    std::vector<std::vector<int>> offsets(static_cast<size_t>(draw_.in(1, draw_.rank() > 2 ? 3 : 5)));
    const int most = std::min(reach, draw_.chance(12) ? 20 : draw_.in(1, 3));
    if (most > 3) {
        draw_.feature("far offsets");
    }
    const int least = draw_.chance(25) ? 0 : -most; // on one side
    std::vector<std::string> texts;
    for (std::vector<int> &offset : offsets) {
        std::vector<std::string> components;
        for (int d = 0; d < draw_.rank(); d++) {
            offset.push_back(draw_.chance(40) ? 0 : draw_.in(least, most));
            components.push_back(number_text(offset.back()));
        }
        texts.push_back("{" + list_text(components) + "}");
    }
    return {offsets, "std::vector<std::vector<int>>{" + list_text(texts) + "}"};
}

StencilDrawing::Rule StencilDrawing::function_rule(const Source &source) {
    const Region box = source.image ? BoundaryConditions::detail::region_of(*source.image) : source.box;
    const std::string name = draw_.fresh("outside"), a = draw_.fresh("edge"), b = draw_.fresh("wrapped");
    const std::string of = "(Func(" + source.text + "), " + box_of(source) + ")";
    draw_.line("Func " + name + "(\"" + name + "\"), " + a + " = BoundaryConditions::repeat_edge" + of + ", " + b +
               " = BoundaryConditions::repeat_image" + of + ";");
    Func func(name), edge = BoundaryConditions::repeat_edge(source.func, box),
                     wrapped = BoundaryConditions::repeat_image(source.func, box);
    const Term at_edge = read({edge, a, source.type}, draw_.point());
    const Term at_wrapped = read({wrapped, b, source.type}, draw_.point());
    draw_.define(func, name,
                 {{select(draw_.vars()[0] % 2 == 0, at_edge.expr, at_wrapped.expr),
                   "select(" + draw_.var_names()[0] + " % 2 == 0, " + at_edge.text + ", " + at_wrapped.text + ")"}});
    return {StencilBoundary::function(func), "StencilBoundary::function(" + name + ")"};
}

StencilDrawing::Rule StencilDrawing::rule(const Source &source) {
    static const char *names[] = {"edge", "edge", "zero", "constant", "wrap", "mirror", "mirror_interior"};
    const int drawn = draw_.in(0, 7);
    draw_.feature(std::string("boundary ") + (drawn == 7 ? "of a Func" : names[drawn]));
    const auto text = [&] { return std::string("StencilBoundary::") + names[drawn] + "()"; };
    switch (drawn) {
    case 2:
        return {StencilBoundary::zero(), text()};
    case 3: {
        const Term value = number(source.type, draw_.in(0, 9));
        return {StencilBoundary::constant(value.expr), "StencilBoundary::constant(" + value.text + ")"};
    }
    case 4:
        return {StencilBoundary::wrap(), text()};
    case 5:
        return {StencilBoundary::mirror(), text()};
    case 6:
        return {StencilBoundary::mirror_interior(), text()};
    case 7:
        return function_rule(source);
    default:
        return {StencilBoundary::edge(), text()};
    }
}

Source StencilDrawing::stencil_of(const Source &source, const Source *invariant) {
    const bool is_plain = source.reach > 0 && draw_.chance(20);
    Rule outside = is_plain ? Rule{StencilBoundary::none(), "StencilBoundary::none()"} : rule(source);
    if (is_plain) {
        draw_.feature("boundary none");
    }
    const auto [offsets, offsets_text] = shape(is_plain ? std::min(source.reach, 3) : anywhere);
    const std::string name = draw_.fresh("s");
    const auto body = [&](const std::vector<Expr> &a, const Expr *c) {
        std::vector<Term> values;
        for (size_t k = 0; k < a.size(); k++) {
            values.push_back({a[k], "a[" + number_text(static_cast<int64_t>(k)) + "]"});
        }
        if (c) {
            values.push_back(as(source.type, {*c, "c"}));
        }
        const Term value = draw_.combine(values, source.type);
        draw_.line("Func " + name + " = stencil(" + offsets_text + ", [&](" + (c ? "const Expr &c, " : "") +
                   "const std::vector<Expr> &a) { return " + value.text + "; }, " +
                   (c ? source_text(*invariant) + ", " : "") + source_text(source) + ", " + outside.text + ");");
        return value.expr;
    };
    int reach = is_plain ? source.reach - std::min(source.reach, 3) : anywhere;
    Func func;
    if (invariant) {
        draw_.feature("invariants");
        reach = std::min(reach, invariant->reach);
        func = stencil(
            offsets, [&](const Expr &c, const std::vector<Expr> &a) { return body(a, &c); }, as_source(*invariant),
            as_source(source), outside.boundary);
    } else {
        func = stencil(
            offsets, [&](const std::vector<Expr> &a) { return body(a, nullptr); }, as_source(source), outside.boundary);
    }
    return {func, name, func.types()[0], reach};
}

Source StencilDrawing::updated(const Source &source) {
    draw_.feature("updates");
    const std::string name = draw_.fresh("sum");
    Func func = draw_.declare(name);
    draw_.define(func, name, {read(source, draw_.point())});
    const bool reduces = source.reach >= 2 && draw_.chance(60);
    std::vector<Term> at = draw_.point();
    if (reduces) {
        const std::string r = draw_.fresh("r");
        draw_.line("RDom " + r + "(-1, 3);");
        const RDom domain(-1, 3);
        const size_t d = static_cast<size_t>(draw_.in(0, draw_.rank() - 1));
        at[d] = {draw_.vars()[d] + domain.x, draw_.var_names()[d] + " + " + r + ".x"};
        const Term value = read(source, at);
        const bool is_bool = source.type.is_bool();
        draw_.line(name + "(" + draw_.vars_text() +
                   (is_bool ? ") = " + name + "(" + draw_.vars_text() + ") != " : ") += ") + value.text + ";");
        if (is_bool) {
            func(draw_.vars()) = Expr(func(draw_.vars())) != value.expr;
        } else {
            func(draw_.vars()) += value.expr;
        }
    } else {
        const Term value = read(source, draw_.point());
        const Term old = {Expr(func(draw_.vars())), "Expr(" + name + "(" + draw_.vars_text() + "))"};
        const Term sum = draw_.combine({old, value}, source.type);
        draw_.define(func, name, {sum});
    }
    return {func, name, source.type, source.reach - (reduces ? 1 : 0)};
}

} // namespace fluorite::fuzz::iterations
