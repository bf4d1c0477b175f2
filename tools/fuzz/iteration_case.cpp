// Draws programs with iterations.
//
// Method. A Term is an expression and its text; whatever builds one builds the other, so the text of a program is what
// ran, and there is no second printer to keep true. Whatever can be read is a Source: an image, a field, a Func. Its
// `reach` states how far outside the domain it can be read, so every drawn program is legal: reads of a field outside
// the domain, and of an image outside its box, are errors of the program. Only the bodies' schedules may be refused.
//
// What is drawn: rank, domain (as numbers, Params or sizes of an input), types, fields, initial values, stencils of any
// shape and boundary, Funcs with updates within the body, schedules, past fields, stop conditions, the number of steps
// and of steps a pass, iterations within bodies and one after another, readers of the result.

#include "iteration_case.h"

#include "genome.h"

#include "fluorite/fluorite.h"
#include "fluorite/stencil.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace fluorite::fuzz {

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

namespace {

constexpr int anywhere = 1000; // the reach of what is defined everywhere

struct Term {
    Expr expr;
    std::string text;
};

/// What can be read at a point.
struct Source {
    Func func;
    std::string text;
    std::optional<ImageParam> image; // if it is one
    Region box;                      // of a Func that is not an image
    std::string box_text;
    Type type;
    int reach = anywhere;
    std::vector<size_t> reads; // which parts of the same body
};

/// A Func of a body, or of those that read the result, that may get a schedule of its own.
struct Part {
    Func func;
    std::string name;
    bool has_update = false;
    std::vector<size_t> reads;
    bool is_at_root = false;
};

struct Named {
    Func func;
    std::string name;
};

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

Term cast_to(Type type, const Term &value) {
    return {cast(type, value.expr), "cast(" + type_text(type) + ", " + value.text + ")"};
}

Term number(Type type, int value) {
    return {cast(type, Expr(value)), "cast(" + type_text(type) + ", Expr(" + number_text(value) + "))"};
}

class Maker {
  public:
    Maker(uint64_t seed, uint64_t number, const WriteLine &write_line)
        : random_(seed * 1000003 + number), write_line_(write_line) {}

    IterationCase run() {
        line("#include <fluorite/fluorite.h>");
        line("#include <fluorite/iterate.h>");
        line("#include <fluorite/stencil.h>");
        line("#include <cstdio>");
        line("#include <cstring>");
        line("using namespace fluorite;");
        line(fill_text);
        line("int main() {");
        depth_ = 1;
        draw_domain();
        std::vector<Type> types = draw_types();
        if (chance(40)) {
            make_coefficient();
        }
        iteration(types, std::nullopt);
        if (chance(15)) { // another one, from it
            feature("iterations in a row");
            iteration(types, last_);
        }
        finish();
        return std::move(case_);
    }

  private:
    Random random_;
    const WriteLine &write_line_;
    IterationCase case_;
    int depth_ = 0, names_ = 0;
    int rank_ = 1;
    std::vector<Var> vars_;
    std::vector<std::string> var_names_;
    Box domain_;
    Region domain_exprs_;
    std::string domain_text_;
    std::vector<Source> globals_; // what any body may read
    std::optional<Named> last_;   // the result
    bool is_scheduled_ = false;   // the body that is being made

    // ---- Text and chance.

    bool chance(int percent) { return random_.chance(percent); }
    int in(int low, int high) { return random_.in(low, high); }
    template <typename T> const T &any_of(const std::vector<T> &from) {
        return from[static_cast<size_t>(in(0, static_cast<int>(from.size()) - 1))];
    }
    void feature(const std::string &name) { case_.features.insert(name); }
    void line(const std::string &text) { write_line_(std::string(static_cast<size_t>(4 * depth_), ' ') + text); }
    std::string fresh(const std::string &prefix) { return prefix + number_text(names_++); }

    // ---- The domain and the inputs.

    void draw_domain() {
        rank_ = chance(8) ? 4 : in(1, 3);
        feature("rank " + number_text(rank_));
        static const char *names[] = {"x", "y", "z", "w"};
        static const int largest[] = {130, 45, 15, 7};
        std::vector<std::string> declared;
        for (int d = 0; d < rank_; d++) {
            var_names_.emplace_back(names[d]);
            vars_.emplace_back(names[d]);
            declared.push_back(std::string(names[d]) + "(\"" + names[d] + "\")");
            domain_.min.push_back(in(-7, 7));
            domain_.extent.push_back(chance(20) ? in(1, 2) : chance(20) ? in(3, 6) : in(5, largest[rank_ - 1]));
        }
        line("Var " + list_text(declared) + ";");
        std::vector<std::string> ranges;
        const bool of_params = chance(40);
        feature(of_params ? "a domain of Params" : "a domain of numbers");
        for (size_t d = 0; d < domain_.min.size(); d++) {
            const Term min = whole(domain_.min[d], of_params), extent = whole(domain_.extent[d], of_params);
            domain_exprs_.emplace_back(min.expr, extent.expr);
            ranges.push_back("{" + min.text + ", " + extent.text + "}");
        }
        const std::string name = fresh("domain");
        line("Region " + name + " = {" + list_text(ranges) + "};");
        domain_text_ = name;
    }

    /// A number, or a Param of that value.
    Term whole(int value, bool as_param) {
        if (!as_param) {
            return {Expr(value), number_text(value)};
        }
        const std::string name = fresh("p");
        line("Param<int> " + name + "(\"" + name + "\"); " + name + ".set(" + number_text(value) + ");");
        Param<int> param(name);
        param.set(value);
        return {param, name};
    }

    std::vector<Type> draw_types() {
        std::vector<Type> types;
        const int count = chance(60) ? 1 : in(2, 3);
        for (int i = 0; i < count; i++) {
            types.push_back(draw_type());
        }
        feature(number_text(count) + " fields");
        return types;
    }

    Type draw_type() {
        static const std::vector<Type> types = {UInt(8),   UInt(16),  UInt(32),  UInt(64), Int(8),
                                                Int(16),   Int(32),   Int(64),   Bool(),   Float(16),
                                                Float(32), Float(32), Float(32), Float(64)};
        const Type type = any_of(types);
        feature("type " + type_text(type));
        return type;
    }

    /// An input that holds the domain and `reach` points around it, in any layout.
    Source input(Type type, int reach) {
        static const std::vector<Layout> layouts = {Layout::Dense, Layout::Dense, Layout::Padded, Layout::Interleaved,
                                                    Layout::Strided};
        Layout layout = any_of(layouts);
        Box box = domain_;
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
        std::vector<std::string> shape;
        int64_t last = 0;
        for (int d = 0; d < rank_; d++) {
            const auto &dim = buffer.raw()->dim[d];
            shape.push_back("{" + number_text(dim.min) + ", " + number_text(dim.extent) + ", " +
                            number_text(dim.stride) + "}");
            last += int64_t{dim.extent - 1} * dim.stride;
        }
        line("fluorite_dimension_t " + name + "_shape[] = {" + list_text(shape) + "};");
        line("std::vector<uint8_t> " + name + "_memory(" + number_text((last + 1) * type.bytes()) + ");");
        line("Buffer<> " + name + "_buffer(" + type_text(type) + ", " + name + "_memory.data(), " + number_text(rank_) +
             ", " + name + "_shape);");
        line("fill_by_coordinates(" + name + "_buffer, " + number_text(static_cast<int64_t>(salt)) + ");");
        line(name + ".set(" + name + "_buffer);");
        fill_by_coordinates(buffer.buffer(), salt);
        image.set(buffer.buffer());
        case_.inputs.push_back(buffer);
        return {Func(image), name, image, {}, "", type, reach, {}};
    }

    /// A Func that all graphs may read.
    void make_coefficient() {
        feature("a Func that bodies share");
        const Source from = input(draw_type(), in(0, 3));
        const std::string name = fresh("coefficient");
        Func func(name);
        line("Func " + name + "(\"" + name + "\");");
        const Term value = combine({read(from, vars()), number(from.type, in(1, 9))}, from.type);
        define(func, name, {value});
        if (chance(50)) {
            line(name + ".compute_root();");
            func.compute_root();
        }
        globals_.push_back({func, name, std::nullopt, domain_exprs_, domain_text_, from.type, from.reach, {}});
    }

    // ---- Values.

    std::vector<Term> vars() const {
        std::vector<Term> terms;
        for (size_t d = 0; d < vars_.size(); d++) {
            terms.push_back({vars_[d], var_names_[d]});
        }
        return terms;
    }

    static std::string args_text(const std::vector<Term> &at) {
        std::vector<std::string> texts;
        for (const Term &term : at) {
            texts.push_back(term.text);
        }
        return "(" + list_text(texts) + ")";
    }

    static std::vector<Expr> exprs(const std::vector<Term> &at) {
        std::vector<Expr> result;
        for (const Term &term : at) {
            result.push_back(term.expr);
        }
        return result;
    }

    static Term read(const Source &source, const std::vector<Term> &at) {
        return {Expr(source.func(exprs(at))), "Expr(" + source.text + args_text(at) + ")"};
    }

    /// The point moved by offsets of at most `reach`.
    std::vector<Term> near(int reach) {
        std::vector<Term> at = vars();
        for (Term &term : at) {
            const int offset = std::clamp(in(-2, 2), -reach, reach);
            if (offset != 0 && chance(60)) {
                term = {term.expr + offset,
                        term.text + " + " + (offset < 0 ? "(" + number_text(offset) + ")" : number_text(offset))};
            }
        }
        return at;
    }

    Term combine(const std::vector<Term> &values, Type type) {
        Term sum = values[0];
        for (size_t k = 1; k < values.size(); k++) {
            const Term &b = values[k];
            if (type.is_bool()) {
                switch (in(0, 2)) {
                case 0:
                    sum = {sum.expr && b.expr, "(" + sum.text + " && " + b.text + ")"};
                    break;
                case 1:
                    sum = {sum.expr || b.expr, "(" + sum.text + " || " + b.text + ")"};
                    break;
                default:
                    sum = {sum.expr != b.expr, "(" + sum.text + " != " + b.text + ")"};
                }
                continue;
            }
            switch (in(0, 9)) {
            case 0:
                sum = {max(sum.expr, b.expr), "max(" + sum.text + ", " + b.text + ")"};
                break;
            case 1:
                sum = {min(sum.expr, b.expr), "min(" + sum.text + ", " + b.text + ")"};
                break;
            case 2:
                sum = {sum.expr - b.expr, "(" + sum.text + " - " + b.text + ")"};
                break;
            case 3:
                sum = {select(sum.expr < b.expr, b.expr, sum.expr),
                       "select(" + sum.text + " < " + b.text + ", " + b.text + ", " + sum.text + ")"};
                break;
            case 4: {
                const int factor = in(2, 5);
                sum = {sum.expr + b.expr * cast(type, Expr(factor)),
                       "(" + sum.text + " + " + b.text + " * " + number(type, factor).text + ")"};
                break;
            }
            default:
                sum = {sum.expr + b.expr, "(" + sum.text + " + " + b.text + ")"};
            }
        }
        if (!type.is_bool() && chance(50)) {
            const int by = in(2, 7);
            sum = {sum.expr / cast(type, Expr(by)), "(" + sum.text + " / " + number(type, by).text + ")"};
        }
        return sum;
    }

    /// A value of the type from one of any type.
    static Term as(Type type, const Term &value) { return value.expr.type() == type ? value : cast_to(type, value); }

    Term formula(Type type) {
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

    void define(Func &func, const std::string &name, const std::vector<Term> &values) {
        std::string text = values[0].text;
        if (values.size() > 1) {
            std::vector<std::string> texts;
            for (const Term &value : values) {
                texts.push_back(value.text);
            }
            text = "Tuple(" + list_text(texts) + ")";
        }
        line(name + "(" + list_text(var_names_) + ") = " + text + ";");
        if (values.size() > 1) {
            func(vars_) = Tuple(exprs(values));
        } else {
            func(vars_) = values[0].expr;
        }
    }

    // ---- Stencils.

    std::vector<std::vector<int>> shape(int reach, std::string &text) {
        std::vector<std::vector<int>> offsets(static_cast<size_t>(in(1, rank_ > 2 ? 3 : 5)));
        const int most = std::min(reach, chance(12) ? 20 : in(1, 3));
        if (most > 3) {
            feature("far offsets");
        }
        const int least = chance(25) ? 0 : -most; // on one side
        std::vector<std::string> texts;
        for (std::vector<int> &offset : offsets) {
            std::vector<std::string> components;
            for (int d = 0; d < rank_; d++) {
                offset.push_back(chance(40) ? 0 : in(least, most));
                components.push_back(number_text(offset.back()));
            }
            texts.push_back("{" + list_text(components) + "}");
        }
        text = "std::vector<std::vector<int>>{" + list_text(texts) + "}";
        return offsets;
    }

    struct Rule {
        StencilBoundary boundary;
        std::string text;
    };

    static std::string box_of(const Source &source) {
        return source.image ? "BoundaryConditions::detail::region_of(" + source.text + ")" : source.box_text;
    }

    Rule function_rule(const Source &source) {
        const Region box = source.image ? BoundaryConditions::detail::region_of(*source.image) : source.box;
        const std::string name = fresh("outside"), a = fresh("edge"), b = fresh("wrapped");
        const std::string of = "(Func(" + source.text + "), " + box_of(source) + ")";
        line("Func " + name + "(\"" + name + "\"), " + a + " = BoundaryConditions::repeat_edge" + of + ", " + b +
             " = BoundaryConditions::repeat_image" + of + ";");
        Func func(name), edge = BoundaryConditions::repeat_edge(source.func, box),
                         wrapped = BoundaryConditions::repeat_image(source.func, box);
        const Term at_edge = read({edge, a, {}, {}, "", source.type, anywhere, {}}, vars());
        const Term at_wrapped = read({wrapped, b, {}, {}, "", source.type, anywhere, {}}, vars());
        define(func, name,
               {{select(vars_[0] % 2 == 0, at_edge.expr, at_wrapped.expr),
                 "select(" + var_names_[0] + " % 2 == 0, " + at_edge.text + ", " + at_wrapped.text + ")"}});
        return {StencilBoundary::function(func), "StencilBoundary::function(" + name + ")"};
    }

    Rule rule(const Source &source) {
        static const char *names[] = {"edge", "edge", "zero", "constant", "wrap", "mirror", "mirror_interior"};
        const int drawn = in(0, 7);
        feature(std::string("boundary ") + (drawn == 7 ? "of a Func" : names[drawn]));
        const auto text = [&] { return std::string("StencilBoundary::") + names[drawn] + "()"; };
        switch (drawn) {
        case 2:
            return {StencilBoundary::zero(), text()};
        case 3: {
            const Term value = number(source.type, in(0, 9));
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

    static StencilSource as_source(const Source &source) {
        return source.image ? StencilSource(*source.image) : StencilSource(source.func, source.box);
    }

    static std::string source_text(const Source &source) {
        return source.image ? source.text : "StencilSource(" + source.text + ", " + source.box_text + ")";
    }

    /// A stencil of the source, perhaps with an invariant.
    Source stencil_of(const Source &source, const Source *invariant) {
        const bool is_plain = source.reach > 0 && chance(20);
        Rule outside = is_plain ? Rule{StencilBoundary::none(), "StencilBoundary::none()"} : rule(source);
        if (is_plain) {
            feature("boundary none");
        }
        std::string offsets_text;
        const auto offsets = shape(is_plain ? std::min(source.reach, 3) : anywhere, offsets_text);
        const std::string name = fresh("s");
        const auto body = [&](const std::vector<Expr> &a, const Expr *c) {
            std::vector<Term> values;
            for (size_t k = 0; k < a.size(); k++) {
                values.push_back({a[k], "a[" + number_text(static_cast<int64_t>(k)) + "]"});
            }
            if (c) {
                values.push_back(as(source.type, {*c, "c"}));
            }
            const Term value = combine(values, source.type);
            line("Func " + name + " = stencil(" + offsets_text + ", [&](" + (c ? "const Expr &c, " : "") +
                 "const std::vector<Expr> &a) { return " + value.text + "; }, " +
                 (c ? source_text(*invariant) + ", " : "") + source_text(source) + ", " + outside.text + ");");
            return value.expr;
        };
        int reach = is_plain ? source.reach - std::min(source.reach, 3) : anywhere;
        Func func;
        if (invariant) {
            feature("invariants");
            reach = std::min(reach, invariant->reach);
            func = stencil(
                offsets, [&](const Expr &c, const std::vector<Expr> &a) { return body(a, &c); }, as_source(*invariant),
                as_source(source), outside.boundary);
        } else {
            func = stencil(
                offsets, [&](const std::vector<Expr> &a) { return body(a, nullptr); }, as_source(source),
                outside.boundary);
        }
        return {func, name, std::nullopt, {}, "", func.types()[0], reach, {}};
    }

    /// A Func with an update that reads the source at some points of a reduction domain, or none.
    Source updated(const Source &source) {
        feature("updates");
        const std::string name = fresh("sum");
        Func func(name);
        line("Func " + name + "(\"" + name + "\");");
        define(func, name, {read(source, vars())});
        const bool reduces = source.reach >= 2 && chance(60);
        std::vector<Term> at = vars();
        if (reduces) {
            const std::string r = fresh("r");
            line("RDom " + r + "(-1, 3);");
            const RDom domain(-1, 3);
            const size_t d = static_cast<size_t>(in(0, rank_ - 1));
            at[d] = {vars_[d] + domain.x, var_names_[d] + " + " + r + ".x"};
            const Term value = read(source, at);
            const bool is_bool = source.type.is_bool();
            line(name + "(" + list_text(var_names_) +
                 (is_bool ? ") = " + name + "(" + list_text(var_names_) + ") != " : ") += ") + value.text + ";");
            if (is_bool) {
                func(vars_) = Expr(func(vars_)) != value.expr;
            } else {
                func(vars_) += value.expr;
            }
        } else {
            const Term value = read(source, vars());
            const Term old = {Expr(func(vars_)), "Expr(" + name + "(" + list_text(var_names_) + "))"};
            const Term sum = combine({old, value}, source.type);
            define(func, name, {sum});
        }
        return {func, name, std::nullopt, {}, "", source.type, source.reach - (reduces ? 1 : 0), {}};
    }

    // ---- Iterations.

    struct Scope {
        std::vector<Source> sources; // fields first
        size_t fields = 0;
        Term step;
        Region box;
        std::string box_text;
    };

    void iteration(const std::vector<Type> &types, const std::optional<Named> &from) {
        const Named start = from ? *from : initial(types);
        Scope outer;
        outer.sources = globals_;
        outer.box = domain_exprs_;
        outer.box_text = domain_text_;
        last_ = iterated(start, types, outer, 0);
    }

    Named initial(const std::vector<Type> &types) {
        if (types.size() == 1 && chance(30)) {
            feature("an input as the initial field");
            const Source from = input(types[0], chance(50) ? 0 : in(1, 4));
            return {from.func, "Func(" + from.text + ")"};
        }
        const int kind = in(0, 2);
        std::vector<Term> values;
        for (const Type type : types) {
            if (kind == 0) {
                values.push_back(formula(type));
                continue;
            }
            const Source from = input(type, chance(50) ? 0 : in(1, 4));
            if (kind == 1) {
                values.push_back(read(from, vars()));
            } else {
                values.push_back(read(stencil_of(from, nullptr), vars()));
            }
        }
        feature(kind == 0   ? "initial fields of coordinates"
                : kind == 1 ? "initial fields that copy inputs"
                            : "initial stencils");
        const std::string name = fresh("initial");
        line("Func " + name + "(\"" + name + "\");");
        Func func(name);
        define(func, name, values);
        if (chance(15)) {
            feature("schedules");
            line(name + ".vectorize(" + var_names_[0] + ", 4, TailStrategy::GuardWithIf);");
            func.vectorize(vars_[0], 4, TailStrategy::GuardWithIf);
        }
        return {func, name};
    }

    Named iterated(const Named &start, const std::vector<Type> &types, const Scope &outer, int level) {
        const bool is_param = chance(50);
        const Term steps = whole(level > 0 ? in(0, 3) : in(0, 9), is_param);
        feature(is_param ? "steps as a Param" : "steps as a number");
        IterateOptions options;
        const std::string options_name = fresh("options"), name = fresh("it");
        line("IterateOptions " + options_name + ";");
        const bool has_past = chance(18), stops = level == 0 && chance(15);
        if (has_past) {
            feature("past fields");
            Named before = start;
            if (chance(70)) {
                std::vector<Term> values;
                before.name = fresh("before");
                before.func = Func(before.name);
                line("Func " + before.name + "(\"" + before.name + "\");");
                for (const Type type : types) {
                    values.push_back(formula(type));
                }
                define(before.func, before.name, values);
            }
            line(options_name + ".before = " + before.name + ";");
            options.before = before.func;
        }
        if (stops) {
            make_stop(options, options_name);
        }
        bool has_inner = false;
        const bool was_scheduled = is_scheduled_;
        is_scheduled_ = false;
        const std::string step = fresh("step");
        line("Iterated " + name + " = iterate(" + steps.text + ", " + outer.box_text + ", " + start.name +
             ", [&](const IterationStep &" + step + ") {");
        Iterated result = iterate(
            steps.expr, outer.box, start.func,
            [&](const IterationStep &s) {
                depth_++;
                const Func next = body(s, step, types, outer, level, has_inner);
                depth_--;
                line("}, " + options_name + ");");
                return next;
            },
            options);
        const bool tiles = !is_scheduled_ && !has_inner && !stops && !has_past;
        if (chance(70)) {
            const int tile = !tiles ? in(0, 1) : chance(70) ? in(1, 3) : in(0, 6);
            feature(tile > 1    ? "time tiles of several steps"
                    : tile == 1 ? "time tiles of one step"
                                : "time tiles chosen");
            line(name + ".time_tile(" + number_text(tile) + ");");
            result.time_tile(tile);
        } else if (tiles) {
            feature("time tiles chosen");
        }
        is_scheduled_ = was_scheduled;
        return {result, name};
    }

    void make_stop(IterateOptions &options, const std::string &options_name) {
        feature("stop conditions");
        const int modulus = in(2, 6);
        std::vector<std::string> at;
        for (int d = 0; d < rank_; d++) {
            at.push_back("r[" + number_text(d) + "]");
        }
        line(options_name +
             ".until = [&](const IterationStep &s, const Func &f) { RDom r(s.domain); Func total(\"total\"); "
             "total() = cast(UInt(32), 0); total() += cast(UInt(32), cast(UInt(8), Tuple(f(" +
             list_text(at) + "))[0])); return Expr(total()) % cast(UInt(32), " + number_text(modulus) +
             ") == cast(UInt(32), 0); };");
        options.until = [this, modulus](const IterationStep &s, const Func &f) {
            const RDom r(s.domain);
            std::vector<Expr> point;
            for (int d = 0; d < rank_; d++) {
                point.push_back(r[d]);
            }
            Func total("total");
            total() = cast(UInt(32), Expr(0));
            total() += cast(UInt(32), cast(UInt(8), Tuple(f(point))[0]));
            return Expr(total()) % cast(UInt(32), Expr(modulus)) == cast(UInt(32), Expr(0));
        };
    }

    Scope scope_of(const IterationStep &s, const std::string &step, const std::vector<Type> &types,
                   const Scope &outer) {
        Scope scope;
        for (size_t f = 0; f < types.size(); f++) {
            scope.sources.push_back({Func(s.fields[f]),
                                     step + ".fields[" + number_text(static_cast<int64_t>(f)) + "]",
                                     s.fields[f],
                                     {},
                                     "",
                                     types[f],
                                     0,
                                     {}});
        }
        for (size_t f = 0; f < s.before.size(); f++) {
            scope.sources.push_back({Func(s.before[f]),
                                     step + ".before[" + number_text(static_cast<int64_t>(f)) + "]",
                                     s.before[f],
                                     {},
                                     "",
                                     types[f],
                                     0,
                                     {}});
        }
        scope.fields = scope.sources.size();
        scope.sources.insert(scope.sources.end(), outer.sources.begin(), outer.sources.end());
        if (chance(30)) {
            scope.sources.push_back(input(draw_type(), in(0, 3)));
        }
        scope.step = {s.t, step + ".t"};
        scope.box = s.domain;
        scope.box_text = step + ".domain";
        return scope;
    }

    Func body(const IterationStep &s, const std::string &step, const std::vector<Type> &types, const Scope &outer,
              int level, bool &has_inner) {
        Scope scope = scope_of(s, step, types, outer);
        std::vector<Part> parts;
        std::vector<Source> made;
        const int count = chance(55) ? 1 : in(2, 3); // more take long to compile
        for (int i = 0; i < count; i++) {
            const bool of_part = !made.empty() && chance(45);
            const size_t part = of_part ? static_cast<size_t>(in(0, static_cast<int>(made.size()) - 1)) : 0;
            Source from = of_part      ? made[part]
                          : chance(75) ? scope.sources[static_cast<size_t>(in(0, static_cast<int>(scope.fields) - 1))]
                                       : any_of(scope.sources);
            std::vector<size_t> reads;
            if (of_part) {
                reads.push_back(part);
                from.box = scope.box;
                from.box_text = scope.box_text;
                feature("several stages");
            }
            if (level == 0 && !of_part && chance(8)) {
                feature("iterations within a body");
                has_inner = true;
                from = inner(from, scope);
            }
            const bool has_update = chance(18);
            Source value = has_update && chance(30) ? updated(from)
                                                    : stencil_of(from, chance(25) ? &any_of(scope.sources) : nullptr);
            if (has_update && value.text.rfind("sum", 0) != 0) {
                add_part(parts, made, value, reads, false);
                reads = {made.size() - 1};
                value = updated(value);
            }
            add_part(parts, made, value, reads, has_update);
        }
        std::vector<Term> values;
        std::vector<size_t> reads;
        for (const Type type : types) {
            std::vector<Term> terms;
            for (int k = in(1, 2); k > 0; k--) {
                const bool of_part = k == 1 || chance(60);
                const size_t part = static_cast<size_t>(in(0, static_cast<int>(made.size()) - 1));
                const Source &from = of_part ? made[part] : any_of(scope.sources);
                if (of_part) {
                    reads.push_back(part);
                }
                terms.push_back(as(type, read(from, near(from.reach))));
            }
            if (chance(30)) {
                terms.push_back(cast_to(type, scope.step));
            }
            Term value = combine(terms, type);
            if (chance(15)) { // in two colours
                feature("two colours");
                const Term old = as(type, read(scope.sources[0], vars()));
                value = {select((vars_[0] + scope.step.expr) % 2 == 0, value.expr, old.expr),
                         "select((" + var_names_[0] + " + " + scope.step.text + ") % 2 == 0, " + value.text + ", " +
                             old.text + ")"};
            }
            values.push_back(value);
        }
        const std::string name = fresh("next");
        line("Func " + name + "(\"" + name + "\");");
        Func next(name);
        define(next, name, values);
        if (chance(40)) {
            feature("bodies with schedules");
            is_scheduled_ = true;
            schedule_all(next, name, parts, reads);
        }
        line("return " + name + ";");
        return next;
    }

    static void add_part(std::vector<Part> &parts, std::vector<Source> &made, const Source &source,
                         const std::vector<size_t> &reads, bool has_update) {
        parts.push_back({source.func, source.text, has_update, reads, false});
        made.push_back(source);
    }

    Source inner(const Source &from, const Scope &scope) {
        Named start = {from.func, "Func(" + from.text + ")"};
        Scope outer;
        outer.sources = globals_;
        if (from.reach == 0) {
            outer.sources.push_back(from);
        }
        outer.box = scope.box;
        outer.box_text = scope.box_text;
        const Named result = iterated(start, {from.type}, outer, 1);
        return {result.func, result.name, std::nullopt, scope.box, scope.box_text, from.type, 0, {}};
    }

    // ---- Schedules.

    std::string tail(bool is_output, TailStrategy &strategy) {
        static const std::vector<std::pair<TailStrategy, const char *>> tails = {
            {TailStrategy::Auto, "Auto"},
            {TailStrategy::GuardWithIf, "GuardWithIf"},
            {TailStrategy::Predicate, "Predicate"},
            {TailStrategy::ShiftInwards, "ShiftInwards"},
            {TailStrategy::RoundUp, "RoundUp"}};
        const auto &drawn = tails[static_cast<size_t>(in(0, is_output ? 3 : 4))];
        strategy = drawn.first;
        return std::string("TailStrategy::") + drawn.second;
    }

    /// Schedules the loops of the pure definition; returns loops in which other Funcs may be computed.
    std::vector<std::pair<Var, std::string>> schedule_loops(Func &func, const std::string &name, bool is_output) {
        std::vector<std::pair<Var, std::string>> loops;
        std::set<std::string> unrolled;
        feature("schedules");
        TailStrategy strategy = TailStrategy::Auto;
        for (size_t d = 0; d < vars_.size(); d++) {
            if (!chance(35)) {
                loops.emplace_back(vars_[d], var_names_[d]);
                continue;
            }
            const std::string outer = fresh("o"), inner = fresh("i"), how = tail(is_output, strategy);
            const int factor = in(1, 9);
            line("Var " + outer + "(\"" + outer + "\"), " + inner + "(\"" + inner + "\");");
            line(name + ".split(" + var_names_[d] + ", " + outer + ", " + inner + ", " + number_text(factor) + ", " +
                 how + ");");
            func.split(vars_[d], Var(outer), Var(inner), factor, strategy);
            loops.emplace_back(Var(inner), inner);
            loops.emplace_back(Var(outer), outer);
            if (chance(20)) {
                line(name + ".unroll(" + inner + ");");
                func.unroll(Var(inner));
                unrolled.insert(inner);
            }
        }
        if (loops.size() > 1 && chance(25)) {
            std::swap(loops[0], loops.back());
            std::vector<VarOrRVar> order;
            std::vector<std::string> texts;
            for (const auto &[var, text] : loops) {
                order.emplace_back(var);
                texts.push_back(text);
            }
            line(name + ".reorder(" + list_text(texts) + ");");
            func.reorder(order);
        }
        if (chance(50) && loops[0].second == var_names_[0]) {
            const int width = 1 << in(1, 4);
            const std::string how = tail(is_output, strategy);
            line(name + ".vectorize(" + loops[0].second + ", " + number_text(width) + ", " + how + ");");
            func.vectorize(loops[0].first, width, strategy);
        }
        if (chance(50) && loops.size() > 1 && !unrolled.contains(loops.back().second)) {
            line(name + ".parallel(" + loops.back().second + ");");
            func.parallel(loops.back().first);
        }
        return loops;
    }

    void schedule_all(Func &next, const std::string &name, std::vector<Part> &parts, const std::vector<size_t> &reads) {
        const auto loops = schedule_loops(next, name, true);
        std::vector<bool> free(parts.size(), true); // whether all that read it are computed in the loops of `next`
        for (size_t i = parts.size(); i-- > 0;) {
            Part &part = parts[i];
            const int kind = in(0, 2);
            bool is_read = std::find(reads.begin(), reads.end(), i) != reads.end();
            for (size_t j = i + 1; j < parts.size(); j++) {
                is_read |= std::find(parts[j].reads.begin(), parts[j].reads.end(), i) != parts[j].reads.end();
            }
            if (!is_read || kind == 0) {
                if (part.has_update) { // computed by itself
                    forbid(parts, i, free);
                }
                continue;
            }
            if (kind == 1 || !free[i]) {
                line(part.name + ".compute_root();");
                part.func.compute_root();
                forbid(parts, i, free);
            } else {
                const auto &loop = any_of(loops);
                line(part.name + ".compute_at(" + name + ", " + loop.second + ");");
                part.func.compute_at(next, loop.first);
                forbid(parts, i, free); // its own loops may be further in than those of what it reads
                feature("compute_at");
            }
        }
    }

    static void forbid(const std::vector<Part> &parts, size_t i, std::vector<bool> &free) {
        for (const size_t read : parts[i].reads) {
            free[read] = false;
        }
    }

    // ---- Outputs.

    void finish() {
        std::vector<Source> fields;
        const std::vector<Type> types = last_->func.types();
        const bool reads = chance(45);
        std::vector<std::string> names;
        if (!reads || chance(20)) {
            feature("the result as an output");
            output(last_->func, last_->name, !reads && chance(25), names); // readers read all of it
        }
        for (int i = 0; reads && i < 2; i++) {
            if (i == 0 || chance(30)) {
                reader(types, names);
            }
        }
        realize(names);
    }

    void reader(const std::vector<Type> &types, std::vector<std::string> &names) {
        feature("readers of the result");
        const std::string field = fresh("field");
        const size_t index = static_cast<size_t>(in(0, static_cast<int>(types.size()) - 1));
        Func single(field);
        line("Func " + field + "(\"" + field + "\");");
        const Term value = {Tuple(last_->func(vars_))[static_cast<int>(index)],
                            "Tuple(" + last_->name + "(" + list_text(var_names_) + "))[" +
                                number_text(static_cast<int64_t>(index)) + "]"};
        define(single, field, {value});
        const Source from = {single, field, std::nullopt, domain_exprs_, domain_text_, types[index], 0, {}};
        const Source seen = stencil_of(from, nullptr);
        const std::string name = fresh("out");
        Func out(name);
        line("Func " + name + "(\"" + name + "\");");
        define(out, name, {combine({read(seen, near(seen.reach)), read(seen, near(seen.reach))}, seen.type)});
        if (chance(50)) {
            std::vector<Part> parts = {{seen.func, seen.text, false, {}, false}};
            schedule_all(out, name, parts, {0});
        }
        output(out, name, chance(30), names);
    }

    void output(const Func &func, const std::string &name, bool is_part, std::vector<std::string> &names) {
        static const std::vector<Layout> layouts = {Layout::Dense, Layout::Dense, Layout::Padded, Layout::Interleaved,
                                                    Layout::Strided};
        Box box = domain_;
        for (size_t d = 0; is_part && d < box.min.size(); d++) {
            const int cut = in(0, box.extent[d] / 2);
            box.min[d] += cut;
            box.extent[d] -= cut;
        }
        const Layout layout = any_of(layouts);
        if (is_sparse(layout)) {
            for (OutputImageParam buffer : func.output_buffers()) {
                buffer.dim(0).set_stride(Expr());
            }
            line("for (OutputImageParam b : " + name + ".output_buffers()) { b.dim(0).set_stride(Expr()); }");
        }
        names.push_back(name);
        case_.outputs.push_back({func, box, layout});
    }

    /// The text that realizes the outputs.
    void realize(const std::vector<std::string> &names) {
        line("std::vector<Buffer<>> results; std::vector<std::vector<uint8_t>> memories;");
        for (const IterationOutput &out : case_.outputs) {
            for (const Type type : out.func.types()) {
                GuardedBuffer buffer(type, out.box, out.layout, 0x55);
                std::vector<std::string> shape;
                int64_t last = 0;
                for (int d = 0; d < rank_; d++) {
                    const auto &dim = buffer.raw()->dim[d];
                    shape.push_back("{" + number_text(dim.min) + ", " + number_text(dim.extent) + ", " +
                                    number_text(dim.stride) + "}");
                    last += int64_t{dim.extent - 1} * dim.stride;
                }
                line("{ fluorite_dimension_t shape[] = {" + list_text(shape) + "}; memories.emplace_back(" +
                     number_text((last + 1) * type.bytes()) + "); results.emplace_back(" + type_text(type) +
                     ", memories.back().data(), " + number_text(rank_) + ", shape); }");
            }
        }
        line("Pipeline({" + list_text(names) + "}).realize(Realization(results));");
        depth_--;
        line("}");
    }
};

} // namespace

IterationCase make_iteration_case(uint64_t seed, uint64_t number, const WriteLine &write_line) {
    return Maker(seed, number, write_line).run();
}

} // namespace fluorite::fuzz
