#include "iterations/bodies.h"

namespace fluorite::fuzz::iterations {

void IterationDrawing::make_coefficient() {
    draw_.feature("a Func that bodies share");
    const int reach = draw_.in(0, 3);
    const Source from = draw_.input(draw_.draw_type(), reach);
    const std::string name = draw_.fresh("coefficient");
    Func func = draw_.declare(name);
    const Term value = draw_.combine({read(from, draw_.point()), number(from.type, draw_.in(1, 9))}, from.type);
    draw_.define(func, name, {value});
    if (draw_.chance(50)) {
        draw_.line(name + ".compute_root();");
        func.compute_root();
    }
    globals_.push_back({func, name, from.type, from.reach, {}, draw_.domain().region, draw_.domain().text});
}

Named IterationDrawing::initial(const std::vector<Type> &types) {
    if (types.size() == 1 && draw_.chance(30)) {
        draw_.feature("an input as the initial field");
        const Source from = draw_.input(types[0], draw_.chance(50) ? 0 : draw_.in(1, 4));
        return {from.func, "Func(" + from.text + ")"};
    }
    const int kind = draw_.in(0, 2);
    std::vector<Term> values;
    for (const Type type : types) {
        if (kind == 0) {
            values.push_back(draw_.formula(type));
            continue;
        }
        const Source from = draw_.input(type, draw_.chance(50) ? 0 : draw_.in(1, 4));
        values.push_back(read(kind == 1 ? from : stencils_.stencil_of(from, nullptr), draw_.point()));
    }
    draw_.feature(kind == 0   ? "initial fields of coordinates"
                  : kind == 1 ? "initial fields that copy inputs"
                              : "initial stencils");
    const std::string name = draw_.fresh("initial");
    Func func = draw_.declare(name);
    draw_.define(func, name, values);
    if (draw_.chance(15)) {
        draw_.feature("schedules");
        draw_.line(name + ".vectorize(" + draw_.var_names()[0] + ", 4, TailStrategy::GuardWithIf);");
        func.vectorize(draw_.vars()[0], 4, TailStrategy::GuardWithIf);
    }
    return {func, name};
}

// ---- Iterations.

Named IterationDrawing::iteration(const Named &start, const std::vector<Type> &types) {
    Scope outer;
    outer.sources = globals_;
    outer.box = draw_.domain().region;
    outer.box_text = draw_.domain().text;
    return iterated(start, types, outer, 0);
}

Source IterationDrawing::inner(const Source &from, const Scope &scope) {
    Scope outer;
    outer.sources = globals_;
    if (from.reach == 0) {
        outer.sources.push_back(from);
    }
    outer.box = scope.box;
    outer.box_text = scope.box_text;
    const Named result = iterated({from.func, "Func(" + from.text + ")"}, {from.type}, outer, 1);
    return {result.func, result.name, from.type, 0, {}, scope.box, scope.box_text};
}

Named IterationDrawing::iterated(const Named &start, const std::vector<Type> &types, const Scope &outer, int level) {
    const bool is_param = draw_.chance(50);
    const Term steps = draw_.whole(level > 0 ? draw_.in(0, 3) : draw_.in(0, 9), is_param);
    draw_.feature(is_param ? "steps as a Param" : "steps as a number");
    IterateOptions options;
    const std::string options_name = draw_.fresh("options"), name = draw_.fresh("it");
    draw_.line("IterateOptions " + options_name + ";");
    const bool has_past = draw_.chance(18), stops = level == 0 && draw_.chance(15);
    if (has_past) {
        options.before = make_before(start, types, options_name);
    }
    if (stops) {
        make_stop(options, options_name);
    }
    Traits traits;
    const std::string step = draw_.fresh("step");
    draw_.line("Iterated " + name + " = iterate(" + steps.text + ", " + outer.box_text + ", " + start.name +
               ", [&](const IterationStep &" + step + ") {");
    Iterated result = iterate(
        steps.expr, outer.box, start.func,
        [&](const IterationStep &s) {
            draw_.indent();
            const Func next = body(scope_of(s, step, types, outer), types, level, traits);
            traits.has_updated_fields = next.has_update_definition();
            draw_.unindent();
            draw_.line("}, " + options_name + ");");
            return next;
        },
        options);
    const bool keeps_two_steps = has_past && traits.has_updated_fields;
    make_time_tile(result, name, !traits.is_scheduled && !traits.has_inner && !stops && !keeps_two_steps,
                   !traits.has_inner && !stops);
    return {result, name};
}

Func IterationDrawing::make_before(const Named &start, const std::vector<Type> &types,
                                   const std::string &options_name) {
    draw_.feature("past fields");
    Named before = start;
    if (draw_.chance(70)) {
        before.name = draw_.fresh("before");
        before.func = draw_.declare(before.name);
        std::vector<Term> values;
        for (const Type type : types) {
            values.push_back(draw_.formula(type));
        }
        draw_.define(before.func, before.name, values);
    }
    draw_.line(options_name + ".before = " + before.name + ";");
    return before.func;
}

void IterationDrawing::make_stop(IterateOptions &options, const std::string &options_name) {
    draw_.feature("stop conditions");
    const int modulus = draw_.in(2, 6), rank = draw_.rank();
    std::vector<std::string> at;
    for (int d = 0; d < rank; d++) {
        at.push_back("r[" + number_text(d) + "]");
    }
    draw_.line(options_name +
               ".until = [&](const IterationStep &s, const Func &f) { RDom r(s.domain); Func total(\"total\"); "
               "total() = cast(UInt(32), 0); total() += cast(UInt(32), cast(UInt(8), Tuple(f(" +
               list_text(at) + "))[0])); return Expr(total()) % cast(UInt(32), " + number_text(modulus) +
               ") == cast(UInt(32), 0); };");
    options.until = [modulus, rank](const IterationStep &s, const Func &f) {
        const RDom r(s.domain);
        std::vector<Expr> point;
        for (int d = 0; d < rank; d++) {
            point.push_back(r[d]);
        }
        Func total("total");
        total() = cast(UInt(32), Expr(0));
        total() += cast(UInt(32), cast(UInt(8), Tuple(f(point))[0]));
        return Expr(total()) % cast(UInt(32), Expr(modulus)) == cast(UInt(32), Expr(0));
    };
}

void IterationDrawing::make_tiles(Iterated &result, const std::string &name, const std::vector<int> &extents,
                                  TimeTileShape shape, const std::string &shape_name) {
    const int steps = draw_.in(2, 4);
    std::string list;
    for (const int extent : extents) {
        list += (list.empty() ? "" : ", ") + number_text(extent);
    }
    draw_.line(name + ".time_tile(" + number_text(steps) + ", {" + list + "}, TimeTileShape::" + shape_name + ");");
    result.time_tile(steps, extents, shape);
}

/// `tiles`: whether a pass may have several steps in overlapped tiles; `blocks`: in wavefronts and diamonds.
void IterationDrawing::make_time_tile(Iterated &result, const std::string &name, bool tiles, bool blocks) {
    const int rank = draw_.rank();
    if (blocks && rank > 0 && draw_.chance(30)) {
        const bool is_wavefront = draw_.chance(50);
        draw_.feature(is_wavefront ? "wavefronts" : "diamonds");
        std::vector<int> extents(static_cast<size_t>(rank));
        extents[static_cast<size_t>(draw_.in(0, rank - 1))] = draw_.in(1, 9);
        make_tiles(result, name, extents, is_wavefront ? TimeTileShape::Wavefront : TimeTileShape::Diamond,
                   is_wavefront ? "Wavefront" : "Diamond");
    } else if (tiles && rank > 0 && draw_.chance(20)) {
        draw_.feature("tiles of given extents");
        std::vector<int> extents;
        for (int d = 0; d < rank; d++) {
            extents.push_back(draw_.chance(50) ? draw_.in(1, 12) : 0);
        }
        extents.back() = std::max(extents.back(), rank == 1 ? 1 : 0);
        if (std::count(extents.begin(), extents.end(), 0) == rank) {
            extents.front() = 4;
        }
        make_tiles(result, name, extents, TimeTileShape::Overlapped, "Overlapped");
    } else if (draw_.chance(70)) {
        const int tile = !tiles ? draw_.in(0, 1) : draw_.chance(70) ? draw_.in(1, 3) : draw_.in(0, 6);
        draw_.feature(tile > 1    ? "time tiles of several steps"
                      : tile == 1 ? "time tiles of one step"
                                  : "time tiles chosen");
        draw_.line(name + ".time_tile(" + number_text(tile) + ");");
        result.time_tile(tile);
    } else if (tiles) {
        draw_.feature("time tiles chosen");
    }
}

// ---- Bodies.

void IterationDrawing::Body::add(const Source &source, const std::vector<size_t> &reads, bool has_update) {
    parts.push_back({source.func, source.text, has_update, reads});
    made.push_back(source);
}

IterationDrawing::Scope IterationDrawing::scope_of(const IterationStep &s, const std::string &step,
                                                   const std::vector<Type> &types, const Scope &outer) {
    Scope scope;
    const auto add = [&](const std::vector<ImageParam> &fields, const std::string &name) {
        for (size_t f = 0; f < fields.size(); f++) {
            const std::string text = step + name + "[" + number_text(static_cast<int64_t>(f)) + "]";
            scope.sources.push_back({Func(fields[f]), text, types[f], 0, fields[f]});
        }
    };
    add(s.fields, ".fields");
    add(s.before, ".before");
    scope.fields = scope.sources.size();
    scope.sources.insert(scope.sources.end(), outer.sources.begin(), outer.sources.end());
    if (draw_.chance(30)) {
        const int reach = draw_.in(0, 3);
        scope.sources.push_back(draw_.input(draw_.draw_type(), reach));
    }
    scope.step = {s.t, step + ".t"};
    scope.box = s.domain;
    scope.box_text = step + ".domain";
    return scope;
}

Func IterationDrawing::body(const Scope &scope, const std::vector<Type> &types, int level, Traits &traits) {
    Body made;
    const int count = draw_.chance(55) ? 1 : draw_.in(2, 3); // more take long to compile
    for (int i = 0; i < count; i++) {
        add_parts(made, scope, level, traits);
    }
    std::vector<Term> values;
    std::vector<size_t> reads;
    for (const Type type : types) {
        values.push_back(next_value(type, made, scope, reads));
    }
    const std::string name = draw_.fresh("next");
    Func next = draw_.declare(name);
    draw_.define(next, name, values);
    if (draw_.chance(40)) {
        draw_.feature("bodies with schedules");
        traits.is_scheduled = true;
        schedules_.schedule_all(next, name, made.parts, reads);
    }
    draw_.line("return " + name + ";");
    return next;
}

/// Adds a stencil or a Func with an update, or such a Func of a stencil.
void IterationDrawing::add_parts(Body &made, const Scope &scope, int level, Traits &traits) {
    const bool of_part = !made.made.empty() && draw_.chance(45);
    Source from;
    std::vector<size_t> reads;
    if (of_part) {
        reads.push_back(draw_.index_of(made.made));
        from = made.made[reads[0]];
        from.box = scope.box;
        from.box_text = scope.box_text;
        draw_.feature("several stages");
    } else if (draw_.chance(75)) {
        from = scope.sources[static_cast<size_t>(draw_.in(0, static_cast<int>(scope.fields) - 1))];
    } else {
        from = draw_.any_of(scope.sources);
    }
    if (level == 0 && !of_part && draw_.chance(8)) {
        draw_.feature("iterations within a body");
        traits.has_inner = true;
        from = inner(from, scope);
    }
    const bool has_update = draw_.chance(18);
    if (has_update && draw_.chance(30)) {
        made.add(stencils_.updated(from), reads, true);
        return;
    }
    const Source *invariant = draw_.chance(25) ? &draw_.any_of(scope.sources) : nullptr;
    const Source value = stencils_.stencil_of(from, invariant);
    made.add(value, reads, false);
    if (has_update) {
        const size_t last = made.made.size() - 1;
        made.add(stencils_.updated(value), {last}, true);
    }
}

Term IterationDrawing::next_value(Type type, const Body &made, const Scope &scope, std::vector<size_t> &reads) {
    std::vector<Term> terms;
    for (int k = draw_.in(1, 2); k > 0; k--) {
        const bool of_part = k == 1 || draw_.chance(60);
        const size_t part = draw_.index_of(made.made);
        const Source &from = of_part ? made.made[part] : draw_.any_of(scope.sources);
        if (of_part) {
            reads.push_back(part);
        }
        terms.push_back(as(type, read(from, draw_.near(from.reach))));
    }
    if (draw_.chance(30)) {
        terms.push_back(cast_to(type, scope.step));
    }
    Term value = draw_.combine(terms, type);
    if (draw_.chance(15)) {
        draw_.feature("two colours");
        const Term old = as(type, read(scope.sources[0], draw_.point()));
        value = {select((draw_.vars()[0] + scope.step.expr) % 2 == 0, value.expr, old.expr),
                 "select((" + draw_.var_names()[0] + " + " + scope.step.text + ") % 2 == 0, " + value.text + ", " +
                     old.text + ")"};
    }
    return value;
}

} // namespace fluorite::fuzz::iterations
