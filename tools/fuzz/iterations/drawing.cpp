#include "iterations/drawing.h"

#include <algorithm>
#include <cstring>

namespace fluorite::fuzz::iterations {

namespace {

// Elements of inputs, which depend on the coordinates only; every program contains this function.
#define FLUORITE_CODE_AND_TEXT(name, ...) __VA_ARGS__ const char name[] = #__VA_ARGS__;

// clang-format off
FLUORITE_CODE_AND_TEXT(fill_text,
void fill_by_coordinates(Buffer<> &buffer, uint64_t salt) {
    const int rank = buffer.dimensions();
    const Type type = buffer.type();
    std::vector<int> at(static_cast<size_t>(rank), 0);
    while (true) {
        uint64_t mix = salt * 0x9e3779b97f4a7c15u;
        int64_t offset = 0;
        for (int d = 0; d < rank; d++) {
            const int position = at[static_cast<size_t>(d)];
            mix = (mix ^ static_cast<uint64_t>(position + buffer.dim(d).min() + 1000)) * 0xbf58476d1ce4e5b9u;
            mix ^= mix >> 29;
            offset += int64_t{position} * buffer.dim(d).stride();
        }
        const double real = static_cast<double>(mix % 4001) / 16 - 100;
        const float single = static_cast<float>(real);
        const uint16_t half = float16_t(single).to_bits();
        const uint8_t truth = mix & 1;
        const void *from = &mix;
        if (type.is_float()) {
            from = type.bits() == 64 ? static_cast<const void *>(&real) : type.bits() == 32 ? static_cast<const void *>(&single) : &half;
        } else if (type.is_bool()) {
            from = &truth;
        }
        std::memcpy(static_cast<uint8_t *>(buffer.data()) + offset * type.bytes(), from, static_cast<size_t>(type.bytes()));
        int d = 0;
        while (d < rank && ++at[static_cast<size_t>(d)] >= buffer.dim(d).extent()) {
            at[static_cast<size_t>(d++)] = 0;
        }
        if (d == rank) {
            return;
        }
    }
})
// clang-format on

#undef FLUORITE_CODE_AND_TEXT

} // namespace

std::string number_text(int64_t value) { return std::to_string(value); }

std::string list_text(const std::vector<std::string> &texts) {
    std::string text;
    for (const std::string &each : texts) {
        text += (text.empty() ? "" : ", ") + each;
    }
    return text;
}

std::string type_text(Type type) {
    if (type.is_bool()) {
        return "Bool()";
    }
    return (type.is_float() ? "Float(" : type.is_uint() ? "UInt(" : "Int(") + number_text(type.bits()) + ")";
}

Term number(Type type, int value) {
    return {cast(type, Expr(value)), "cast(" + type_text(type) + ", Expr(" + number_text(value) + "))"};
}

Term cast_to(Type type, const Term &value) {
    return {cast(type, value.expr), "cast(" + type_text(type) + ", " + value.text + ")"};
}

Term as(Type type, const Term &value) { return value.expr.type() == type ? value : cast_to(type, value); }

namespace {

std::vector<Expr> exprs(const std::vector<Term> &terms) {
    std::vector<Expr> result;
    for (const Term &term : terms) {
        result.push_back(term.expr);
    }
    return result;
}

std::string texts(const std::vector<Term> &terms) {
    std::vector<std::string> result;
    for (const Term &term : terms) {
        result.push_back(term.text);
    }
    return list_text(result);
}

} // namespace

Term read(const Source &source, const std::vector<Term> &at) {
    return {Expr(source.func(exprs(at))), "Expr(" + source.text + "(" + texts(at) + "))"};
}

MemoryText memory_text(GuardedBuffer &buffer) {
    std::vector<std::string> shape;
    int64_t last = 0;
    for (int d = 0; d < buffer.raw()->dimensions; d++) {
        const auto &dim = buffer.raw()->dim[d];
        shape.push_back("{" + number_text(dim.min) + ", " + number_text(dim.extent) + ", " + number_text(dim.stride) +
                        "}");
        last += int64_t{dim.extent - 1} * dim.stride;
    }
    return {"{" + list_text(shape) + "}", number_text((last + 1) * buffer.buffer().type().bytes())};
}

// ---- The program.

void Drawing::begin() {
    line("#include <fluorite/fluorite.h>");
    line("#include <fluorite/iterate.h>");
    line("#include <fluorite/stencil.h>");
    line("#include <cstdio>");
    line("#include <cstring>");
    line("using namespace fluorite;");
    line(fill_text);
    line("int main() {");
    indent();
    draw_domain();
}

IterationCase Drawing::end() {
    unindent();
    line("}");
    return std::move(case_);
}

void Drawing::draw_domain() {
    rank_ = chance(8) ? 4 : in(1, 3);
    feature("rank " + number_text(rank_));
    static const char *names[] = {"x", "y", "z", "w"};
    static const int largest[] = {130, 45, 15, 7};
    std::vector<std::string> declared;
    Box &box = domain_.box;
    for (int d = 0; d < rank_; d++) {
        var_names_.emplace_back(names[d]);
        vars_.emplace_back(names[d]);
        declared.push_back(std::string(names[d]) + "(\"" + names[d] + "\")");
        box.min.push_back(in(-7, 7));
        box.extent.push_back(chance(20) ? in(1, 2) : chance(20) ? in(3, 6) : in(5, largest[rank_ - 1]));
    }
    line("Var " + list_text(declared) + ";");
    std::vector<std::string> ranges;
    const bool of_params = chance(40);
    feature(of_params ? "a domain of Params" : "a domain of numbers");
    for (size_t d = 0; d < box.min.size(); d++) {
        const Term min = whole(box.min[d], of_params), extent = whole(box.extent[d], of_params);
        domain_.region.emplace_back(min.expr, extent.expr);
        ranges.push_back("{" + min.text + ", " + extent.text + "}");
    }
    domain_.text = fresh("domain");
    line("Region " + domain_.text + " = {" + list_text(ranges) + "};");
}

std::vector<Term> Drawing::point() const {
    std::vector<Term> terms;
    for (size_t d = 0; d < vars_.size(); d++) {
        terms.push_back({vars_[d], var_names_[d]});
    }
    return terms;
}

std::vector<Term> Drawing::near(int reach) {
    std::vector<Term> at = point();
    for (Term &term : at) {
        const int offset = std::clamp(in(-2, 2), -reach, reach);
        if (offset != 0 && chance(60)) {
            term = {term.expr + offset,
                    term.text + " + " + (offset < 0 ? "(" + number_text(offset) + ")" : number_text(offset))};
        }
    }
    return at;
}

// ---- Types and inputs.

Type Drawing::draw_type() {
    static const std::vector<Type> types = {UInt(8), UInt(16), UInt(32),  UInt(64),  Int(8),    Int(16),   Int(32),
                                            Int(64), Bool(),   Float(16), Float(32), Float(32), Float(32), Float(64)};
    const Type type = any_of(types);
    feature("type " + type_text(type));
    return type;
}

Layout Drawing::draw_layout() {
    static const std::vector<Layout> layouts = {Layout::Dense, Layout::Dense, Layout::Padded, Layout::Interleaved,
                                                Layout::Strided};
    return any_of(layouts);
}

Term Drawing::whole(int value, bool as_param) {
    if (!as_param) {
        return {Expr(value), number_text(value)};
    }
    const std::string name = fresh("p");
    line("Param<int> " + name + "(\"" + name + "\"); " + name + ".set(" + number_text(value) + ");");
    Param<int> param(name);
    param.set(value);
    return {param, name};
}

Source Drawing::input(Type type, int reach) {
    const Layout layout = draw_layout();
    Box box = domain_.box;
    for (size_t d = 0; d < box.min.size(); d++) {
        box.min[d] -= reach;
        box.extent[d] += 2 * reach;
    }
    const std::string name = fresh("in");
    ImageParam image(type, rank_, name);
    line("ImageParam " + name + "(" + type_text(type) + ", " + number_text(rank_) + ", \"" + name + "\");");
    if (is_sparse(layout)) {
        line(name + ".dim(0).set_stride(Expr());");
        image.dim(0).set_stride(Expr());
        feature("inputs of any stride");
    }
    const uint64_t salt = case_.inputs.size() + 1;
    GuardedBuffer buffer(type, box, layout, 0xaa);
    const MemoryText text = memory_text(buffer);
    line("fluorite_dimension_t " + name + "_shape[] = " + text.shape + ";");
    line("std::vector<uint8_t> " + name + "_memory(" + text.bytes + ");");
    line("Buffer<> " + name + "_buffer(" + type_text(type) + ", " + name + "_memory.data(), " + number_text(rank_) +
         ", " + name + "_shape);");
    line("fill_by_coordinates(" + name + "_buffer, " + number_text(static_cast<int64_t>(salt)) + ");");
    line(name + ".set(" + name + "_buffer);");
    fill_by_coordinates(buffer.buffer(), salt);
    image.set(buffer.buffer());
    case_.inputs.push_back(buffer);
    return {Func(image), name, type, reach, image};
}

// ---- Values and definitions.

Term Drawing::combine(const std::vector<Term> &values, Type type) {
    Term sum = values[0];
    for (size_t k = 1; k < values.size(); k++) {
        sum = combine_two(sum, values[k], type);
    }
    if (!type.is_bool() && chance(50)) {
        const int by = in(2, 7);
        sum = {sum.expr / cast(type, Expr(by)), "(" + sum.text + " / " + number(type, by).text + ")"};
    }
    return sum;
}

Term Drawing::combine_two(const Term &a, const Term &b, Type type) {
    if (type.is_bool()) {
        switch (in(0, 2)) {
        case 0:
            return {a.expr && b.expr, "(" + a.text + " && " + b.text + ")"};
        case 1:
            return {a.expr || b.expr, "(" + a.text + " || " + b.text + ")"};
        default:
            return {a.expr != b.expr, "(" + a.text + " != " + b.text + ")"};
        }
    }
    switch (in(0, 9)) {
    case 0:
        return {max(a.expr, b.expr), "max(" + a.text + ", " + b.text + ")"};
    case 1:
        return {min(a.expr, b.expr), "min(" + a.text + ", " + b.text + ")"};
    case 2:
        return {a.expr - b.expr, "(" + a.text + " - " + b.text + ")"};
    case 3:
        return {select(a.expr < b.expr, b.expr, a.expr),
                "select(" + a.text + " < " + b.text + ", " + b.text + ", " + a.text + ")"};
    case 4: {
        const int factor = in(2, 5);
        return {a.expr + b.expr * cast(type, Expr(factor)),
                "(" + a.text + " + " + b.text + " * " + number(type, factor).text + ")"};
    }
    default:
        return {a.expr + b.expr, "(" + a.text + " + " + b.text + ")"};
    }
}

Term Drawing::formula(Type type) {
    const int constant = in(0, 9);
    Term value = {vars_[0] * 3 + constant, "(" + var_names_[0] + " * 3 + " + number_text(constant) + ")"};
    for (size_t d = 1; d < vars_.size(); d++) {
        const int factor = in(1, 7);
        value = {value.expr + vars_[d] * factor,
                 "(" + value.text + " + " + var_names_[d] + " * " + number_text(factor) + ")"};
    }
    const int limit = in(2, 60);
    return as(type, {value.expr % limit, value.text + " % " + number_text(limit)});
}

Func Drawing::declare(const std::string &name) {
    line("Func " + name + "(\"" + name + "\");");
    return Func(name);
}

void Drawing::define(Func &func, const std::string &name, const std::vector<Term> &values) {
    const bool is_tuple = values.size() > 1;
    line(name + "(" + vars_text() + ") = " + (is_tuple ? "Tuple(" + texts(values) + ")" : values[0].text) + ";");
    if (is_tuple) {
        func(vars_) = Tuple(exprs(values));
    } else {
        func(vars_) = values[0].expr;
    }
}

} // namespace fluorite::fuzz::iterations
