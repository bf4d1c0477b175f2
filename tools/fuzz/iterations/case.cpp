// Draws programs with iterations.
//
// What is drawn: rank, domain (as numbers, Params or sizes of an input), types, fields, initial values, stencils of any
// shape and boundary, Funcs with updates within the body, schedules, past fields, stop conditions, the number of steps
// and of steps a pass, iterations within bodies and one after another, readers of the result. Every program is legal
// (drawing.h); only the schedules may be refused.

#include "iterations/case.h"

#include "iterations/bodies.h"

namespace fluorite::fuzz::iterations {

namespace {

class Maker {
  public:
    Maker(uint64_t seed, uint64_t number, const WriteLine &write_line) : draw_(seed, number, write_line) {}
    Maker(const Maker &) = delete; // its parts refer to each other
    Maker &operator=(const Maker &) = delete;

    IterationCase run() {
        draw_.begin();
        const std::vector<Type> types = draw_types();
        if (draw_.chance(40)) {
            iterations_.make_coefficient();
        }
        Named result = iterations_.iteration(iterations_.initial(types), types);
        if (draw_.chance(15)) { // another one, from it
            draw_.feature("iterations in a row");
            result = iterations_.iteration(result, types);
        }
        make_outputs(result);
        realize();
        return draw_.end();
    }

  private:
    Drawing draw_;
    StencilDrawing stencils_{draw_};
    ScheduleDrawing schedules_{draw_};
    IterationDrawing iterations_{draw_, stencils_, schedules_};
    std::vector<std::string> names_; // of the outputs

    std::vector<Type> draw_types() {
        std::vector<Type> types;
        const int count = draw_.chance(60) ? 1 : draw_.in(2, 3);
        for (int i = 0; i < count; i++) {
            types.push_back(draw_.draw_type());
        }
        draw_.feature(number_text(count) + " fields");
        return types;
    }

    /// The result, or Funcs that read it, or both.
    void make_outputs(const Named &result) {
        const bool has_readers = draw_.chance(45);
        if (!has_readers || draw_.chance(20)) {
            draw_.feature("the result as an output");
            output(result, !has_readers && draw_.chance(25)); // readers read all of it
        }
        for (int i = 0; has_readers && i < 2; i++) {
            if (i == 0 || draw_.chance(30)) {
                reader(result);
            }
        }
    }

    void reader(const Named &result) {
        draw_.feature("readers of the result");
        const std::vector<Type> types = result.func.types();
        const std::string field = draw_.fresh("field");
        const size_t index = draw_.index_of(types);
        Func single = draw_.declare(field);
        const Term value = {Tuple(result.func(draw_.vars()))[static_cast<int>(index)],
                            "Tuple(" + result.name + "(" + draw_.vars_text() + "))[" +
                                number_text(static_cast<int64_t>(index)) + "]"};
        draw_.define(single, field, {value});
        const Source from = {single, field, types[index], 0, {}, draw_.domain().region, draw_.domain().text};
        const Source seen = stencils_.stencil_of(from, nullptr);
        const std::string name = draw_.fresh("out");
        Func out = draw_.declare(name);
        const std::vector<Term> values = {read(seen, draw_.near(seen.reach)), read(seen, draw_.near(seen.reach))};
        draw_.define(out, name, {draw_.combine(values, seen.type)});
        if (draw_.chance(50)) {
            std::vector<Part> parts = {{seen.func, seen.text, false, {}}};
            schedules_.schedule_all(out, name, parts, {0});
        }
        output({out, name}, draw_.chance(30));
    }

    /// `is_part`: of a part of the domain.
    void output(const Named &drawn, bool is_part) {
        Box box = draw_.domain().box;
        for (size_t d = 0; is_part && d < box.min.size(); d++) {
            const int cut = draw_.in(0, box.extent[d] / 2);
            box.min[d] += cut;
            box.extent[d] -= cut;
        }
        const Layout layout = draw_.draw_layout();
        if (is_sparse(layout)) {
            for (OutputImageParam buffer : drawn.func.output_buffers()) {
                buffer.dim(0).set_stride(Expr());
            }
            draw_.line("for (OutputImageParam b : " + drawn.name +
                       ".output_buffers()) { b.dim(0).set_stride(Expr()); }");
        }
        names_.push_back(drawn.name);
        draw_.add_output({drawn.func, box, layout});
    }

    /// The text that realizes the outputs.
    void realize() {
        draw_.line("std::vector<Buffer<>> results; std::vector<std::vector<uint8_t>> memories;");
        for (const IterationOutput &out : draw_.outputs()) {
            for (const Type type : out.func.types()) {
                GuardedBuffer buffer(type, out.box, out.layout, 0x55);
                const MemoryText text = memory_text(buffer);
                draw_.line("{ fluorite_dimension_t shape[] = " + text.shape + "; memories.emplace_back(" + text.bytes +
                           "); results.emplace_back(" + type_text(type) + ", memories.back().data(), " +
                           number_text(draw_.rank()) + ", shape); }");
            }
        }
        draw_.line("Pipeline({" + list_text(names_) + "}).realize(Realization(results));");
    }
};

} // namespace

IterationCase make_iteration_case(uint64_t seed, uint64_t number, const WriteLine &write_line) {
    return Maker(seed, number, write_line).run();
}

} // namespace fluorite::fuzz::iterations
