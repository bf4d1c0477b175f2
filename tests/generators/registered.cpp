// Generators in the shapes that programs have: every kind of parameter, input and output, arrays, open types, Tuples,
// configure(), templates, composition, and the form with build().

#include <Halide.h>

namespace {

using namespace Halide;

enum class Border { Repeat, Zero };

/// Buffers and a number, an enumeration, and schedules by parameters.
class Box : public Generator<Box> {
  public:
    GeneratorParam<int> radius{"radius", 1, 0, 8};
    GeneratorParam<Border> border{"border", Border::Repeat, {{"repeat", Border::Repeat}, {"zero", Border::Zero}}};
    GeneratorParam<bool> parallel{"parallel", true};
    GeneratorParam<LoopLevel> level{"level", LoopLevel::root()};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<uint16_t> bias{"bias", 0, 0, 1000};
    Output<Buffer<uint16_t, 2>> output{"output"};

    Var x{"x"}, y{"y"};
    Func rows{"rows"};

    void generate() {
        Func clamped = border == Border::Repeat ? BoundaryConditions::repeat_edge(input)
                                                : BoundaryConditions::constant_exterior(input, 0);
        RDom r(-radius, 2 * radius + 1);
        rows(x, y) = cast<uint16_t>(0);
        rows(x, y) += cast<uint16_t>(clamped(x + r, y));
        output(x, y) = bias;
        output(x, y) += rows(x, y + r);
    }

    void schedule() {
        if (using_autoscheduler()) {
            input.set_estimates({{0, 640}, {0, 480}});
            bias.set_estimate(3);
            output.set_estimates({{0, 640}, {0, 480}});
            return;
        }
        output.dim(0).set_min(0);
        rows.compute_at(level).vectorize(x, natural_vector_size<uint16_t>());
        if (parallel) {
            output.update().parallel(y);
        }
    }
};

/// Types, ranks and sizes that the command line gives.
class Open : public Generator<Open> {
  public:
    Input<Buffer<>> input{"input"};
    Input<Func[]> terms{"terms", 1};
    Output<Buffer<>> output{"output"};
    Var x;
    void generate() {
        Expr sum = input(x, _);
        for (size_t i = 0; i < terms.size(); i++) {
            sum += cast(input.type(), terms[i](x));
        }
        output(x, _) = cast(output.type(), sum);
    }
};

/// Arrays of fixed size, Tuples, an output array that generate() sizes, and an output without dimensions.
class Arrays : public Generator<Arrays> {
  public:
    GeneratorParam<int> levels{"levels", 3};
    Input<Buffer<float>[2]> images{"images", 2};
    Input<float[2]> gains{"gains", 1.0f, -8.0f, 8.0f};
    Output<Buffer<float>[2]> scaled{"scaled", 2};
    Output<Func> pair{"pair", {Float(32), Int(32)}, 2};
    Output<Func[]> pyramid{"pyramid", Float(32), 2};
    Output<float> total{"total"};
    Var x, y;
    void generate() {
        for (int i = 0; i < 2; i++) {
            scaled[i](x, y) = images[i](x, y) * gains[i];
        }
        pair(x, y) = Tuple(images[0](x, y) + images[1](x, y), cast<int>(x + y));
        pyramid.resize(levels);
        for (size_t i = 0; i < pyramid.size(); i++) {
            pyramid[i](x, y) = scaled[0](x, y) + static_cast<int>(i);
        }
        RDom r(0, 4, 0, 4);
        total() = 0.0f;
        total() += images[0](r.x, r.y);
    }
};

/// Inputs and outputs that depend on a parameter.
class Configured : public Generator<Configured> {
  public:
    GeneratorParam<int> count{"count", 2};
    GeneratorParam<Type> type{"type", Int(32)};
    Output<Buffer<void, 1>> sum{"sum"};
    std::vector<Input<Buffer<>> *> extras;
    Output<Buffer<>> *last = nullptr;
    Input<Expr> *offset = nullptr;
    void configure() {
        sum.set_type(type);
        for (int i = 0; i < count; i++) {
            extras.push_back(add_input<Buffer<>>("extra_" + std::to_string(i), type, 1));
        }
        offset = add_input<Expr>("offset", type);
        last = add_output<Buffer<>>("last", type, 1);
    }
    void generate() {
        Var x;
        Expr all = *offset;
        for (Input<Buffer<>> *each : extras) {
            all += (*each)(x);
        }
        sum(x) = all;
        (*last)(x) = (*extras.back())(x);
    }
};

/// A template, with the names of its base as it must write them.
template <typename T> class Ramp : public Generator<Ramp<T>> {
    using Base = Generator<Ramp<T>>;

  public:
    typename Base::template Input<T> step{"step", T(1)};
    typename Base::template Output<Buffer<T, 1>> output{"output"};
    void generate() {
        Var x;
        output(x) = cast<T>(x) * step;
    }
};

/// The form of before 2016: members are the arguments, in their order.
class Old : public Generator<Old> {
  public:
    ImageParam input{UInt(8), 2, "input"};
    Param<uint8_t> gain{"gain", 2};
    Func build() {
        Func brighter("brighter");
        Var x, y;
        brighter(x, y) = input(x, y) * gain;
        brighter.vectorize(x, natural_vector_size<uint8_t>());
        return brighter;
    }
};

/// A generator inside of another: its output is a Func of this one.
class Twice : public Generator<Twice> {
  public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};
    std::unique_ptr<Box> first, second;
    void generate() {
        first = create<Box>();
        first->radius.set(2);
        first->parallel.set(false);
        first->apply(input, 1);
        Func narrow("narrow");
        Var x, y;
        narrow(x, y) = cast<uint8_t>(first->output(x, y) / 25);
        Func wide = BoundaryConditions::repeat_edge(narrow, {{0, input.width()}, {0, input.height()}});
        output(x, y) = wide(x, y) + cast<uint16_t>(7);
        narrow.compute_root();
        Func(first->output).compute_root();
    }
};

/// Output of a Func that has another name, with constraints on the dimensions of a buffer that is not defined yet.
class Renamed : public Generator<Renamed> {
  public:
    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> result{"result"};
    void generate() {
        result.dim(2).set_bounds(0, 3);
        Expr last = result.width() - 1;
        Func inverted("inverted");
        Var x, y, c;
        inverted(x, y, c) = input(x, y, c) ^ cast<uint8_t>(255);
        result(x, y, c) = select(x == last, cast<uint8_t>(0), inverted(x, y, c));
        input.dim(0).set_stride(3).dim(2).set_stride(1);
        result.bound(c, 0, 3);
    }
};

/// Assigns a Func with a name of its own.
class Assigned : public Generator<Assigned> {
  public:
    GeneratorParam<std::string> what{"what", "input"};
    Input<Func> input{"input", Int(32), 1};
    Output<Func> output{"output", Int(32), 1};
    void generate() {
        Func doubled("doubled");
        Var x;
        doubled(x) = input(x) * (what.value() == "double" ? 2 : 1);
        output = doubled;
        add_requirement(doubled.output_buffer().width() > 0, "an empty output");
    }
};

/// A stage in C, with inputs of each kind as its arguments.
class Staged : public Generator<Staged> {
  public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<Func> func{"func", UInt(8), 2};
    Input<int> number{"number"};
    Output<Buffer<uint8_t, 2>> output{"output"};
    void generate() { output.define_extern("stage_in_c", {input, func, number, Expr(3)}, UInt(8), 2); }
    void schedule() { func.compute_root(); }
};

} // namespace

HALIDE_REGISTER_GENERATOR(Box, box, tests::stubs::Box)
HALIDE_REGISTER_GENERATOR(Open, open_types)
HALIDE_REGISTER_GENERATOR(Arrays, arrays, tests::stubs::Arrays)
HALIDE_REGISTER_GENERATOR(Configured, configured)
HALIDE_REGISTER_GENERATOR(Ramp<float>, ramp_float)
HALIDE_REGISTER_GENERATOR(Ramp<int16_t>, ramp_short)
HALIDE_REGISTER_GENERATOR(Old, "old_form")
HALIDE_REGISTER_GENERATOR(Twice, twice)
HALIDE_REGISTER_GENERATOR(Renamed, renamed)
HALIDE_REGISTER_GENERATOR(Assigned, assigned)
HALIDE_REGISTER_GENERATOR(Staged, staged)
HALIDE_REGISTER_GENERATOR_ALIAS(wide_box, box, {{"radius", "3"}, {"border", "zero"}})
